//! Rebuilds when a shipped file comes or goes: the program carries them, and the macro that embeds them does not notice new
//! ones. A build with debug assertions reads them where they lie.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        return;
    }
    for folder in ["characters", "controllers", "passive", "scenes", "plots"] {
        println!("cargo::rerun-if-changed=shipped/{folder}");
    }
}
