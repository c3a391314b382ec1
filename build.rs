//! The program that users build is a quarter smaller: without a table of symbols, and with a packed table of the
//! addresses that loading it sets.

use std::env::var;
use std::process::Command;

/// The first glibc whose loader reads packed relocations (DT_RELR).
const PACKED_SINCE: (u32, u32) = (2, 36);

fn main() {
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") {
        // Cargo forgets `strip` of a profile for packages that have a level of their own
        // (`[profile.release.package.aplomb]`), so the linker is told.
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
        if runs_here() && glibc().is_some_and(|version| version >= PACKED_SINCE) {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
}

/// Whether the program is for this machine: neither cross-compiled nor of the profile of what is published.
fn runs_here() -> bool {
    let is_published = var("OUT_DIR").is_ok_and(|folder| folder.contains("/dist/build/"));
    var("HOST") == var("TARGET") && is("CARGO_CFG_TARGET_ENV", "gnu") && !is_published
}

fn is(variable: &str, value: &str) -> bool {
    var(variable).is_ok_and(|found| found == value)
}

/// Version of this machine's glibc, if it has one.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = version.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
