//! Fuzzes the reader that has the name of this program.
#![no_main]

#[path = "../../tests/it/fuzz/targets.rs"]
mod targets;

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::OnceLock;
use targets::{TARGETS, Target};

fuzz_target!(|data: &[u8]| (target().run)(data, true));

fn target() -> &'static Target {
    static CHOSEN: OnceLock<&Target> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        let program = std::env::args().next().unwrap_or_default();
        let name =
            Path::new(&program).file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_string();
        TARGETS.iter().find(|target| target.name == name).expect("the program has the name of a reader")
    })
}
