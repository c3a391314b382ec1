//! `aplomb show`: the text of a shipped file.

use super::{Done, Failure, output};
use crate::language::files::{self, Folder};

/// Print a file that ships with the program.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Name of a shipped file (`aplomb list scenes`, `controllers`, `plots`, `characters`, `objects`)
    name: String,
    /// Which file, where files of several kinds have the name
    #[arg(long)]
    kind: Option<ShippedKind>,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb show step_recovery
  aplomb show climb --kind controller
  aplomb show adult > my_body.xml";

/// The kinds of shipped files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ShippedKind {
    /// Who acts, where, what happens, what counts as success
    Scene,
    /// States, objectives and exits
    Controller,
    /// Panels and their lines
    Plot,
    /// A body, in MJCF
    Character,
    /// A passive object, in MJCF
    #[value(alias = "object")]
    Passive,
}

impl ShippedKind {
    const ALL: [ShippedKind; 5] = [
        ShippedKind::Scene,
        ShippedKind::Controller,
        ShippedKind::Plot,
        ShippedKind::Character,
        ShippedKind::Passive,
    ];

    /// Folder of shipped files of this kind.
    pub(crate) fn folder(self) -> Folder {
        match self {
            ShippedKind::Scene => Folder::Scenes,
            ShippedKind::Controller => Folder::Controllers,
            ShippedKind::Plot => Folder::Plots,
            ShippedKind::Character => Folder::Characters,
            ShippedKind::Passive => Folder::Passive,
        }
    }

    /// Word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ShippedKind::Scene => "scene",
            ShippedKind::Controller => "controller",
            ShippedKind::Plot => "plot",
            ShippedKind::Character => "character",
            ShippedKind::Passive => "passive",
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let name = arguments.name.as_str();
    let kind = match arguments.kind {
        Some(kind) => kind,
        None => kind_of(name)?,
    };
    output::print(&files::find_shipped(kind.folder(), name)?.source.text)?;
    Ok(Done::Well)
}

/// The only kind with a shipped file of this name.
fn kind_of(name: &str) -> Result<ShippedKind, Failure> {
    let has = |kind: &ShippedKind| files::find_shipped(kind.folder(), name).is_ok();
    let kinds: Vec<ShippedKind> = ShippedKind::ALL.into_iter().filter(has).collect();
    match kinds[..] {
        [kind] => Ok(kind),
        [] => Err(unknown(name)),
        [first, ..] => {
            let words: Vec<String> = kinds.iter().map(|kind| format!("a {}", kind.folder().kind())).collect();
            Err(Failure::Usage {
                message: format!("`{name}` is the name of {}", words.join(" and of ")),
                help: Some(format!("say which, for example `aplomb show {name} --kind {}`", first.word())),
            })
        }
    }
}

fn unknown(name: &str) -> Failure {
    let names: Vec<String> = Folder::ALL.into_iter().flat_map(files::shipped).collect();
    let near = crate::language::diagnostic::nearest(name, names.iter().map(String::as_str));
    Failure::Usage {
        message: format!("no shipped file is called `{name}`"),
        help: Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`aplomb list scenes` (controllers, plots, characters, objects) names them".into(),
        }),
    }
}
