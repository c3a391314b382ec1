//! `aplomb new`: files to start from.

use super::{Done, Failure, output};
use crate::analysis::check::Kind;
use crate::language::files::{Folder, shipped};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Write a controller or scene to start from into the working directory.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// What to write
    what: What,
    /// Name of the file, without `.toml`
    name: String,
}

const AFTER_HELP: &str = "\
A new scene is of the shipped adult, with the controller NAME where there is one (NAME.toml here, or a shipped
one; the scene is then NAME_scene.toml if NAME.toml is taken by it), else with the shipped `balance`.

Examples:
  aplomb new controller mine && aplomb check mine.toml
  aplomb new scene mine && aplomb run mine_scene.toml";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// States, objectives and exits
    Controller,
    /// Who acts, where, what happens, what counts as success
    Scene,
}

const CONTROLLER: &str = include_str!("templates/controller.toml");
const SCENE: &str = include_str!("templates/scene.toml");

pub fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let name = arguments.name.strip_suffix(".toml").unwrap_or(&arguments.name);
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        let message = format!("`{name}` cannot be the name of a file here: use letters, digits, `_` and `-`");
        return Err(Failure::usage(message));
    }
    let own = PathBuf::from(format!("{name}.toml"));
    let (path, text) = match arguments.what {
        What::Controller => (own, CONTROLLER.replace("NAME", name)),
        What::Scene => {
            let (path, controller) = if is_controller(&own) {
                (PathBuf::from(format!("{name}_scene.toml")), format!("{name}.toml"))
            } else if shipped(Folder::Controllers).iter().any(|known| known == name) {
                (own, name.to_string())
            } else {
                (own, "balance".to_string())
            };
            let stem = path.file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
            (path.clone(), SCENE.replace("NAME", &stem).replace("CONTROLLER", &controller))
        }
    };
    write_new(&path, &text)?;
    let next = match arguments.what {
        What::Controller => format!("aplomb new scene {name}"),
        What::Scene => format!("aplomb run {}", path.display()),
    };
    output::print(&format!("wrote {}; next: {next}\n", path.display()))?;
    Ok(Done::Well)
}

fn is_controller(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| Kind::of(path, &text) == Kind::Controller)
}

/// Writes a file that must not be there yet.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = match fs::File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::Usage {
                message: format!("{} is there already", path.display()),
                help: Some("take another name, or move it away".into()),
            });
        }
        Err(error) => return Err(Failure::write(path, error)),
    };
    file.write_all(text.as_bytes()).map_err(|error| Failure::write(path, error))
}
