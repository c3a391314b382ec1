//! Every dependency has a licence, a source and a name that `deny.toml` allows.

use crate::architecture::root;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The metadata that cargo reports for all packages of the lock file, including those of other platforms; cargo
/// fetches those that are missing.
fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let arguments = ["metadata", "--locked", "--all-features", "--format-version", "1"];
    let output = Command::new(cargo).args(arguments).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    metadata["packages"].as_array().expect("there are packages").clone()
}

/// Licences that `deny.toml` allows for this crate only.
fn exceptions(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("there is a deny.toml");
    let rules: toml::Table = text.parse().expect("deny.toml is TOML");
    let list = rules["licenses"]["exceptions"].as_array().expect("a list");
    let own = list.iter().filter(|exception| exception["crate"].as_str() == Some(name));
    let licences = own.flat_map(|exception| exception["allow"].as_array().expect("a list"));
    licences.map(|name| name.as_str().expect("names are texts").to_string()).collect()
}

/// Reads a list of `deny.toml`.
fn list(table: &str, key: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("there is a deny.toml");
    let rules: toml::Table = text.parse().expect("deny.toml is TOML");
    let list = rules[table][key].as_array().expect("a list");
    list.iter().map(|name| name.as_str().expect("names are texts").to_string()).collect()
}

fn said(package: &Value, key: &str) -> String {
    package[key].as_str().unwrap_or_default().to_string()
}

/// Whether an SPDX expression is satisfied by these licences. `/` is the `OR` of older crates.
fn is_allowed(expression: &str, allow: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    !words.is_empty() && either(&words, &mut at, allow) && at == words.len()
}

fn either(words: &[&str], at: &mut usize, allow: &BTreeSet<String>) -> bool {
    let mut holds = both(words, at, allow);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        holds |= both(words, at, allow);
    }
    holds
}

fn both(words: &[&str], at: &mut usize, allow: &BTreeSet<String>) -> bool {
    let mut holds = one(words, at, allow);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        holds &= one(words, at, allow);
    }
    holds
}

fn one(words: &[&str], at: &mut usize, allow: &BTreeSet<String>) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let holds = either(words, at, allow);
        *at += 1;
        return holds;
    }
    if words.get(*at) == Some(&"WITH") {
        let exception = words.get(*at + 1).copied().unwrap_or_default();
        *at += 2;
        return allow.contains(&format!("{word} WITH {exception}"));
    }
    allow.contains(*word)
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let allow = list("licenses", "allow");
    let refused: Vec<String> = packages()
        .iter()
        .filter(|package| {
            let own = &exceptions(&said(package, "name")) | &allow;
            !is_allowed(&said(package, "license"), &own)
        })
        .map(|package| {
            format!("{} {}: {}", said(package, "name"), said(package, "version"), package["license"])
        })
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn every_dependency_comes_from_a_registry_that_is_allowed_and_none_is_banned() {
    let (sources, banned) = (list("sources", "allow-registry"), list("bans", "deny"));
    for package in packages() {
        let name = said(&package, "name");
        assert!(!banned.contains(&name), "{name} is banned");
        // A package without a source belongs to this workspace.
        if let Some(source) = package["source"].as_str() {
            let registry = source.strip_prefix("registry+").unwrap_or(source);
            assert!(sources.contains(registry), "{name} comes from {source}");
            continue;
        }
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let is_path = dependency["path"].is_string();
            assert!(
                is_path || dependency["req"] != "*",
                "{name} takes any version of {}",
                dependency["name"]
            );
        }
    }
}

#[test]
fn licence_expressions_are_read_as_spdx_has_them() {
    let allow: BTreeSet<String> =
        ["MIT", "OFL-1.1", "Apache-2.0 WITH LLVM-exception"].map(String::from).into();
    for fine in [
        "MIT",
        "MIT OR GPL-3.0",
        "GPL-3.0/MIT",
        "(GPL-3.0 OR MIT) AND OFL-1.1",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0",
    ] {
        assert!(is_allowed(fine, &allow), "{fine}");
    }
    for wrong in
        ["", "GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0", "(MIT OR GPL-3.0) AND GPL-2.0", "MIT GPL-3.0"]
    {
        assert!(!is_allowed(wrong, &allow), "{wrong}");
    }
}

/// Names and versions in a lock file.
fn locked(path: &str) -> BTreeSet<(String, String)> {
    let text = fs::read_to_string(root().join(path)).expect("there is a lock file");
    let lock: toml::Table = text.parse().expect("lock files are TOML");
    let packages = lock["package"].as_array().expect("there are packages");
    let word = |package: &toml::Value, key: &str| package[key].as_str().expect("a text").to_string();
    packages.iter().map(|package| (word(package, "name"), word(package, "version"))).collect()
}

/// The module for web pages computes the same bits only with the same dependencies.
#[test]
fn the_module_for_pages_has_the_versions_of_the_engine() {
    let (engine, module) = (locked("Cargo.lock"), locked("web/module/Cargo.lock"));
    let is_own = |(name, _): &&(String, String)| name == "aplomb-web-module";
    let other: Vec<_> = module.difference(&engine).filter(|package| !is_own(package)).collect();
    assert!(
        other.is_empty(),
        "`cp Cargo.lock web/module/ && cargo update --workspace --manifest-path web/module/Cargo.toml` takes over: {other:?}"
    );
}
