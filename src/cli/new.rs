//! `aplomb new`: templates of files.

mod clip;
mod commanded;
mod edit;
mod first_pose;
mod footwork;
mod looped;
mod mirror;
mod picture;
mod root;
mod track;
mod tracked;
mod tracked_scene;

use super::show::ShippedKind;
use super::{Done, Failure, output};
use crate::analysis::check::Kind;
use crate::language::files::{self, Folder, shipped};
use crate::model::mjcf;
use edit::Edit;
use footwork::Footwork;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Write a file to start from into the working directory: a template, or a copy of a shipped file.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// What to write
    what: ShippedKind,
    /// Name of the file, without its ending
    name: String,
    /// Copy the shipped file of this name (`aplomb show NAME` prints it); with --track: leave out what is before
    /// this time of the clip, s
    #[arg(long, value_name = "NAME|TIME")]
    from: Option<String>,
    /// Controller of a new scene: a file, or the name of a shipped one
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    controller: Option<String>,
    /// Follow a motion with a new controller: a BVH file, or a table (CSV) with a column `time` (s) and
    /// columns named by joints (rad)
    #[arg(long, value_name = "FILE", conflicts_with = "controller")]
    track: Option<PathBuf>,
    #[command(flatten)]
    edit: Edit,
    /// With --track: draw the skeleton of a BVH file beside the body that follows it, at eight moments, with the angles
    /// by which they differ, into a file that ends in .png or .svg
    #[arg(long, value_name = "FILE", requires = "track")]
    picture: Option<PathBuf>,
    /// Body of a new scene, or that is to follow a motion: a file, or the name of a shipped one [default:
    /// adult]
    #[arg(long, value_name = "BODY")]
    model: Option<String>,
    /// Keys a second of the motion that is followed
    #[arg(long, value_name = "HZ", default_value_t = 20.0, requires = "track")]
    rate: f64,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

impl Arguments {
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }
}

const AFTER_HELP: &str = "\
A new scene has the shipped adult unless `--model` is given, with the controller NAME where there \
is one (NAME.toml here, or a shipped one; the scene is then NAME_scene.toml if NAME.toml is taken by it), \
else with the shipped `balance`. With a shipped controller it is the shipped scene of the same name, where there is \
one; a controller that has commands is given them by events; one that follows a clip (`--track`) is given the time for \
it, and begins in the pose of its first frame if that stands; any other is pushed.

Beside a TOML file stands its JSON Schema (KIND.schema.json, written anew each time), which the first line of the \
file names, so that editors with a TOML language server complete keys and explain them.

Examples:
  aplomb new controller mine && aplomb check mine.toml
  aplomb new scene mine && aplomb run mine_scene.toml
  aplomb new controller my_climb --from climb
  aplomb new scene wall --controller my_climb.toml
  aplomb new plot heights && aplomb plot runs/balance_push heights.toml
  aplomb new character tall --from adult
  aplomb new controller dance --track dance.bvh && aplomb new scene dance
  aplomb new controller dance --track dance.bvh --picture dance.png
  aplomb new controller other_way --track dance.bvh --from 2 --until 5.5 --mirror --loop 3";

const CONTROLLER: &str = include_str!("templates/controller.toml");
const SCENE: &str = include_str!("templates/scene.toml");
const PLOT: &str = include_str!("templates/plot.toml");

/// Default body of a new scene.
const BODY: &str = "adult";
/// Passive object that a new one is a copy of.
const OBJECT: &str = "box";
/// Largest number of keys per second of a tracked motion.
const MOST_KEYS: f64 = 1000.0;

/// Longest clip that is followed, s.
const LONGEST_CLIP: f64 = 3600.0;

/// Column of comments in the scene's template.
const COMMENT_COLUMN: usize = 26;

/// Reads a motion for a body, as `new controller --track` does, and returns the number of its frames.
///
/// # Errors
/// If the file does not exist or has mistakes.
pub fn read_clip(path: &Path, model: &crate::model::Model) -> Result<usize, Failure> {
    Ok(clip::read(path, model)?.0.frames.len())
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let Arguments { what, from, controller, .. } = arguments;
    let ending = what.folder().extension();
    let name = arguments.name.strip_suffix(&format!(".{ending}")).unwrap_or(&arguments.name);
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        let message = format!("`{name}` cannot be the name of a file here: use letters, digits, `_` and `-`");
        return Err(Failure::usage(message));
    }
    refuse_misplaced(arguments)?;
    // Nothing is read, drawn or printed if the file cannot be written.
    let own = free_path(arguments, name)?;
    let body = arguments.model.as_deref().unwrap_or(BODY);
    let text = match (from, what) {
        _ if arguments.track.is_some() => followed(name, body, arguments)?,
        (Some(from), _) => copy(*what, from, name)?,
        (None, ShippedKind::Controller) => CONTROLLER.replace("NAME", name),
        (None, ShippedKind::Scene) => scene(name, &own, controller.as_deref(), body)?,
        (None, ShippedKind::Plot) => PLOT.replace("NAME", name),
        (None, ShippedKind::Character) => copy(*what, BODY, name)?,
        (None, ShippedKind::Passive) => copy(*what, OBJECT, name)?,
    };
    write_new(&own, &with_schema(*what, &text)?)?;
    let path = own.display();
    let next = match what {
        ShippedKind::Controller if body != BODY => format!("aplomb new scene {name} --model {body}"),
        ShippedKind::Controller => format!("aplomb new scene {name}"),
        ShippedKind::Scene => format!("aplomb run {path}"),
        ShippedKind::Plot => format!("aplomb plot runs/… {path}"),
        ShippedKind::Character => format!("aplomb run stand --set 'characters.adult.model=\"{path}\"'"),
        ShippedKind::Passive => format!("aplomb check {path}"),
    };
    output::print(&format!("wrote {path}; next: {next}\n"))?;
    Ok(Done::Well)
}

/// A copy of a shipped file with another name.
fn copy(what: ShippedKind, from: &str, name: &str) -> Result<String, Failure> {
    let text = files::find_shipped(what.folder(), from)?.source.text.to_string();
    Ok(if what.folder().extension() == "xml" { renamed(&text, from, name) } else { text })
}

/// The path of the new file.
///
/// # Errors
/// If the file exists already.
fn free_path(arguments: &Arguments, name: &str) -> Result<PathBuf, Failure> {
    let Arguments { what, from, controller, .. } = arguments;
    let own = PathBuf::from(format!("{name}.{}", what.folder().extension()));
    let is_of_own_controller = *what == ShippedKind::Scene && from.is_none() && controller.is_none();
    let path = match is_of_own_controller && is_controller(&own) {
        true => PathBuf::from(format!("{name}_scene.toml")),
        false => own,
    };
    if path.symlink_metadata().is_ok() { Err(taken(&path)) } else { Ok(path) }
}

/// # Errors
/// If an option belongs to another kind of file.
fn refuse_misplaced(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.track.is_some() && arguments.what != ShippedKind::Controller {
        return Err(Failure::usage("--track is of a new controller"));
    }
    if arguments.model.is_some() && arguments.what != ShippedKind::Scene && arguments.track.is_none() {
        return Err(Failure::usage("--model is of a new scene, or of a controller with --track"));
    }
    if arguments.model.is_some() && arguments.from.is_some() && arguments.track.is_none() {
        return Err(Failure::usage("--from copies a file as it is: --model does not go with it"));
    }
    if arguments.controller.is_some() && arguments.what != ShippedKind::Scene {
        return Err(Failure::usage("--controller is of a new scene"));
    }
    Ok(())
}

/// A copy of a body file under its own name. Its comment is about the original.
fn renamed(text: &str, from: &str, name: &str) -> String {
    let stem = from.rsplit('/').next().unwrap_or(from);
    let named = text.replacen(&format!("model=\"{stem}\""), &format!("model=\"{name}\""), 1);
    match named.strip_prefix("<!--") {
        Some(rest) => format!("<!-- From `{from}`:{rest}"),
        None => named,
    }
}

/// A controller that tracks a motion.
fn followed(name: &str, model: &str, arguments: &Arguments) -> Result<String, Failure> {
    let Arguments { track, rate, edit, .. } = arguments;
    let from = arguments.from.as_deref().map(time).transpose()?;
    let file = track.as_deref().unwrap_or(Path::new(""));
    if !(*rate > 0.0 && *rate <= MOST_KEYS) {
        return Err(Failure::usage(format!("--rate is above 0 and at most {MOST_KEYS}")));
    }
    let found = files::find(Folder::Characters, model, None)?;
    let reading = mjcf::read_with(&found.source, &mjcf::Options::default())?;
    arguments.picture.as_deref().map(picture::check).transpose()?;
    let (whole, fitted) = clip::read(file, &reading.model)?;
    let clip = edit.of(&whole, from, &reading.model, file)?;
    let lasts = clip.lasts();
    if lasts > LONGEST_CLIP {
        let message = format!("{}: the clip lasts {lasts} s, more than {LONGEST_CLIP} s", file.display());
        return Err(Failure::usage(message));
    }
    let file = file.file_name().map_or_else(|| file.to_string_lossy(), |name| name.to_string_lossy());
    // The name becomes part of a comment.
    let file: String = file.chars().filter(|c| !c.is_control()).collect();
    if let Some(path) = &arguments.picture {
        let title = format!("{file} on {model}");
        picture::draw(path, &title, (&whole, fitted.as_ref()), (edit, from), &reading.model)?;
        output::print_note(&format!("drew {}", path.display()));
    }
    let words = track::ControllerText { name, file: &file, edit: &edit.written(from), model, rate: *rate };
    Ok(match Footwork::of(&clip, &reading.model) {
        Some(footwork) if clip.has_root && !footwork.swings.is_empty() => {
            if let Some(time) = footwork.flight {
                output::print_note(&format!(
                    "warning: both feet are off the ground at {time:.2} s of the clip: the controller does not jump, \
                     and puts one foot down first"
                ));
            }
            output::print_note(&format!(
                "the clip lasts {:.2} s and has {} steps",
                lasts,
                footwork.swings.len()
            ));
            track::stepping(&clip, &reading.model, &footwork, &words)
        }
        _ => track::controller(&clip, &reading.model, &words),
    })
}

/// A time of the clip, s.
fn time(text: &str) -> Result<f64, Failure> {
    let number = text.parse().ok().filter(|time: &f64| time.is_finite());
    number.ok_or_else(|| Failure::usage(format!("--from {text}: with --track it is a time of the clip, s")))
}

/// Text of a new scene in the file `path`.
fn scene(name: &str, path: &Path, controller: Option<&str>, model: &str) -> Result<String, Failure> {
    let body = files::find(Folder::Characters, model, None)?;
    let beside = format!("{name}.toml");
    let controller = match controller {
        Some(controller) => {
            files::find(Folder::Controllers, controller, None)?;
            controller.to_string()
        }
        None if path != Path::new(&beside) => beside,
        None if shipped(Folder::Controllers).iter().any(|known| known == name) => name.to_string(),
        None => "balance".to_string(),
    };
    if let Some(text) = shipped_scene(&controller, model) {
        return Ok(text);
    }
    let stem = path.file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let text = SCENE.replace("NAME", &stem);
    let body = mjcf::read_with(&body.source, &mjcf::Options::default())?.model;
    let text = tracked_scene::fitted(&controller, &text, &body)
        .or_else(|| commanded::told(&controller, &text))
        .unwrap_or(text);
    let lines = text.lines().map(|line| {
        let is_given = line.contains("CONTROLLER") || line.contains("MODEL");
        let (Some((code, comment)), true) = (line.split_once(" # "), is_given) else {
            return format!("{line}\n");
        };
        let code = code.trim_end().replace("CONTROLLER", &controller).replace("MODEL", model);
        format!("{code:width$} # {comment}\n", width = COMMENT_COLUMN - 1)
    });
    Ok(lines.collect())
}

/// The shipped scene with the same name as a shipped controller, which shows its purpose.
fn shipped_scene(controller: &str, model: &str) -> Option<String> {
    if !shipped(Folder::Controllers).iter().any(|known| known == controller) {
        return None;
    }
    let text = files::find_shipped(Folder::Scenes, controller).ok()?.source.text.to_string();
    let own = format!("../{}/{controller}.toml\"", Folder::Controllers.name());
    if text.matches("\ncontroller = ").count() != 1 || !text.contains(&own) {
        return None;
    }
    // Names of shipped files are valid in any folder.
    let line = |line: &str| match line.split_once(" = ") {
        Some(("controller", _)) => format!("controller = \"{controller}\"\n"),
        Some(("model", given)) => {
            let given =
                given.rsplit('/').next().and_then(|file| file.strip_suffix(".xml\"")).unwrap_or(model);
            format!("model = \"{}\"\n", if model == BODY { given } else { model })
        }
        _ => format!("{line}\n"),
    };
    let text: String = text.lines().map(line).collect();
    Some(format!("# From the scene `{controller}`, which ships with the controller.\n{text}"))
}

/// The text with a first line that names its schema, which is written into the same folder.
fn with_schema(what: ShippedKind, text: &str) -> Result<String, Failure> {
    let Some((name, schema)) = super::schema::of(what) else { return Ok(text.to_string()) };
    let path = PathBuf::from(&name);
    fs::write(&path, schema).map_err(|error| Failure::write(&path, error))?;
    Ok(format!("#:schema ./{name}\n{text}"))
}

fn is_controller(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| Kind::of(path, &text) == Kind::Controller)
}

fn taken(path: &Path) -> Failure {
    Failure::Usage {
        message: format!("{} is there already", path.display()),
        help: Some("take another name, or move it away".into()),
    }
}

/// Writes a file that does not exist yet.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = match fs::File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(taken(path)),
        Err(error) => return Err(Failure::write(path, error)),
    };
    file.write_all(text.as_bytes()).map_err(|error| Failure::write(path, error))
}
