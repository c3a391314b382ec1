//! Files of the reference data for passive objects.

use aplomb::language::diagnostic::Source;
use aplomb::model::{Model, mjcf};
use serde::de::DeserializeOwned;
use std::path::Path;

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn json<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_str(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn model(name: &str) -> Model {
    mjcf::read(&Source::new(name, text(name))).unwrap_or_else(|error| panic!("{error}"))
}
