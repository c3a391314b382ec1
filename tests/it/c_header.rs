//! The header for C is generated from its sources. `UPDATE_DOCS=1` writes it.

use crate::architecture::root;
use std::fs;

#[test]
fn the_header_for_c_is_made_from_the_sources() {
    let folder = root().join("capi");
    let config =
        cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("the configuration can be read");
    let mut builder = cbindgen::Builder::new().with_config(config);
    // Without the crates that they use, which export nothing to C.
    for file in ["status", "world", "character", "contact", "passive", "snapshot", "feedback", "worlds"] {
        builder = builder.with_src(folder.join("src").join(file).with_extension("rs"));
    }
    let mut made = Vec::new();
    builder.generate().expect("the sources can be read").write(&mut made);
    let made = String::from_utf8(made).expect("a header is text").replace("# Safety", "What it needs:");
    let path = folder.join("include/aplomb.h");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &made).expect("the header can be written");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(made == there, "capi/include/aplomb.h is not of capi/src/: run with UPDATE_DOCS=1");
}
