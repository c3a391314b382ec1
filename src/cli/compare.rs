//! `aplomb compare`: one channel of several runs in one picture.

use super::{Done, Failure, output, plot};
use crate::language::diagnostic::nearest;
use crate::language::files::ends_in;
use crate::trace::{Channel, Trace, channels};
use crate::view::plot::comparison::Comparison;
use crate::view::plot::figure::Scale;
use std::path::{Path, PathBuf};

/// Draw one channel of several runs over time
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Channel, as `aplomb list channels` names it
    channel: String,
    /// Folders of runs, or traces
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// Divide the axis by powers of ten
    #[arg(long)]
    log: bool,
    /// Picture to write, .svg or .png [default: CHANNEL.svg]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
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
Examples:
  aplomb compare com.z runs/left runs/right
  for n in 1 5 20 100; do aplomb run ragdoll_fall --set passive_settings.iterations=$n --out runs/fall_$n; done
  aplomb compare passive.body.residual --log runs/fall_1 runs/fall_5 runs/fall_20 runs/fall_100

A run is named by what was set on its command line, or else by its folder; by both where the scenes differ or several \
runs were set alike.";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let mut runs: Vec<(String, Trace)> = Vec::new();
    for path in &arguments.runs {
        let (trace, _) = plot::open(path)?;
        let name = if trace.header.overrides.is_empty() {
            path.display().to_string()
        } else {
            trace.header.overrides.join(", ")
        };
        let Some(channel) = trace.channel(&arguments.channel) else {
            return Err(unknown(&arguments.channel, path, &trace));
        };
        if channel.is_of_character() && !trace.header.has_character() {
            return Err(nobody_acts(&channel, path, &trace));
        }
        runs.push((name, trace));
    }
    tell_apart(&mut runs, &arguments.runs);
    let Some(channel) = runs.first().and_then(|(_, trace)| trace.channel(&arguments.channel)) else {
        return Err(Failure::usage("no run to draw"));
    };
    let scale = if arguments.log { Scale::Log } else { Scale::Linear };
    let runs = runs.iter().map(|(name, trace)| (name.clone(), trace)).collect();
    let picture = Comparison { channel: &channel, scale, runs }.picture();
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.svg", channel.name)));
    match &path {
        path if ends_in(path, &["png"]) => picture.write_png(path)?,
        path if ends_in(path, &["svg"]) => picture.write_svg(path)?,
        _ => return Err(Failure::usage(format!("{}: pictures are .svg or .png", path.display()))),
    }
    output::print(&format!("{}\n", path.display()))?;
    Ok(Done::Well)
}

/// Adds the folder to names shared by several runs, or to all if the runs are of different scenes.
fn tell_apart(runs: &mut [(String, Trace)], paths: &[PathBuf]) {
    let scene = |trace: &Trace| trace.header.title.clone();
    let scenes_differ = runs.windows(2).any(|pair| scene(&pair[0].1) != scene(&pair[1].1));
    let names: Vec<String> = runs.iter().map(|(name, _)| name.clone()).collect();
    for ((name, _), path) in runs.iter_mut().zip(paths) {
        let path = path.display().to_string();
        let is_shared = names.iter().filter(|other| *other == name).count() > 1;
        if (scenes_differ || is_shared) && *name != path {
            *name = format!("{path}: {name}");
        }
    }
}

fn nobody_acts(channel: &Channel, path: &Path, trace: &Trace) -> Failure {
    let own =
        channels(&trace.header).into_iter().find(|other| other.name.ends_with(&format!(".{}", channel.name)));
    Failure::Usage {
        message: format!("`{}` needs a character, and {} has none", channel.name, path.display()),
        help: own.map(|own| format!("did you mean `{}`?", own.name)),
    }
}

fn unknown(name: &str, path: &Path, trace: &Trace) -> Failure {
    let all = channels(&trace.header);
    let near = nearest(name, all.iter().map(|channel| channel.name.as_str()));
    Failure::Usage {
        message: format!("{} has no channel `{name}`", path.display()),
        help: Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`aplomb list channels --run {}` names all of them", path.display()),
        }),
    }
}
