//! Rebuilds when a shipped file comes or goes: the binary carries them, and the macro that embeds them does
//! not notice new ones.

fn main() {
    for folder in
        ["characters", "controllers", "passive", "scenes", "plots"].map(|name| format!("shipped/{name}"))
    {
        println!("cargo::rerun-if-changed={folder}");
    }
}
