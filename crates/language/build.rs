//! Rebuilds when a shipped file is added or removed: the program embeds these files, and the embedding macro does not
//! detect new ones. A build with debug assertions reads them from the source tree.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        return;
    }
    for folder in ["characters", "controllers", "passive", "scenes", "plots"] {
        println!("cargo::rerun-if-changed=shipped/{folder}");
    }
}
