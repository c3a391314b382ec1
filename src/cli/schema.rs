//! `aplomb schema`: the JSON Schema of a kind of file.
//!
//! The texts are files of the manual, so that they are available without the feature `schema`.

use super::show::ShippedKind;
use super::{Done, Failure, output};

/// Print the JSON Schema of a kind of file, for editors and other programs.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Kind of file
    kind: SchemaKind,
}

const AFTER_HELP: &str = "\
Keys, types, defaults, units and one sentence on each key. An editor with a TOML language server uses it for a file \
that begins with `#:schema ./scene.schema.json`, as those of `aplomb new` do.

Examples:
  aplomb schema scene > scene.schema.json
  aplomb schema controller > controller.schema.json";

/// The kinds of TOML files.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SchemaKind {
    Scene,
    Controller,
    Plot,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    output::print(text(arguments.kind))?;
    Ok(Done::Well)
}

fn text(kind: SchemaKind) -> &'static str {
    match kind {
        SchemaKind::Scene => include_str!("../../docs/schemas/scene.schema.json"),
        SchemaKind::Controller => include_str!("../../docs/schemas/controller.schema.json"),
        SchemaKind::Plot => include_str!("../../docs/schemas/plot.schema.json"),
    }
}

/// Name and text of the schema for a kind of shipped file, if it has one.
pub(super) fn of(shipped: ShippedKind) -> Option<(String, &'static str)> {
    let kind = match shipped {
        ShippedKind::Scene => SchemaKind::Scene,
        ShippedKind::Controller => SchemaKind::Controller,
        ShippedKind::Plot => SchemaKind::Plot,
        ShippedKind::Character | ShippedKind::Passive => return None,
    };
    Some((format!("{}.schema.json", shipped.word()), text(kind)))
}
