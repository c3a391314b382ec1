//! Published bodies of other projects: meshes, and the files that come with them.

mod commands;
mod meshes;
mod rest;
mod urdf;

use aplomb::language::diagnostic::{FileErrors, Source};
use aplomb::model::Model;
use aplomb::model::mjcf::{self, Options, Reading};
use std::path::{Path, PathBuf};

/// Path of a file in `tests/data/bodies`.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bodies").join(name)
}

/// Text as if it were a file in `tests/data/bodies`.
fn beside_the_files(text: &str) -> Source {
    Source::new("written.xml", text).from_file(&file("written.xml"))
}

fn reading(text: &str, strict: bool) -> Result<Reading, FileErrors> {
    mjcf::read_with(&beside_the_files(text), &Options { strict, ..Options::default() })
}

fn model(text: &str) -> Model {
    reading(text, false).unwrap_or_else(|errors| panic!("{errors}")).model
}
