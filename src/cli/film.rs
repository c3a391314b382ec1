//! `aplomb film`: a film of a run.

use super::{Done, Failure, output, plot};
use crate::view::film::{self, FilmFormat};
use crate::view::plot::FilmSettings;
use indicatif::ProgressBar;
use std::fs;
use std::path::PathBuf;

/// Make a film of a run: the views of its pose strip, moving.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Folder of a run, or a trace
    run: PathBuf,
    /// `gif`; `apng`: all colours; `mp4`: by ffmpeg, which has to be installed [default: that of the file's name, or
    /// gif]
    #[arg(long, value_name = "FORMAT", value_parser = FilmFormat::ALL.map(FilmFormat::name))]
    to: Option<String>,
    /// Time of the run at which it begins, s
    #[arg(long, value_name = "TIME", default_value_t = 0.0)]
    from: f64,
    /// Time of the run at which it ends, s [default: that of the run]
    #[arg(long, value_name = "TIME")]
    until: Option<f64>,
    /// Pictures a second
    #[arg(long, value_name = "N", default_value_t = 25.0)]
    fps: f64,
    /// Seconds of the run in a second of the film
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    speed: f64,
    /// Width of the pictures, px; the height follows from what they show
    #[arg(long, value_name = "PIXELS", default_value_t = 640)]
    width: u32,
    /// File to write [default: film.gif, film.apng or film.mp4 beside the trace]
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
It needs no display: it draws the two views of the pose strip frame by frame. The camera follows a character that \
moves through the picture.

Examples:
  aplomb film runs/step_push
  aplomb film runs/step_push --from 0.8 --until 2.5 --speed 0.25 --to apng
  aplomb film runs/climb --to mp4 --fps 60 --width 1280 --out climb.mp4";

/// Most pictures per second: GIF counts hundredths of a second, and viewers show no more.
const MOST_FPS: f64 = 100.0;
/// Range of widths, px.
const WIDTHS: std::ops::RangeInclusive<u32> = 160..=3840;

/// The format that is asked for, or that of the file's name.
fn format(arguments: &Arguments) -> Result<FilmFormat, Failure> {
    let ending =
        arguments.out.as_ref().and_then(|out| Some(out.extension()?.to_string_lossy().to_lowercase()));
    let Some(name) = arguments.to.clone().or(ending) else { return Ok(FilmFormat::Gif) };
    let name = if name == "png" { "apng" } else { &name };
    let known = FilmFormat::ALL.map(FilmFormat::name).join(", ");
    FilmFormat::of_name(name).ok_or_else(|| {
        Failure::usage(format!("there are no films of the format `{name}`: name one of {known}"))
    })
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let settings = settings(arguments)?;
    let format = format(arguments)?;
    let (trace, folder) = plot::open_for_output(&arguments.run)?;
    let path = arguments.out.clone().unwrap_or_else(|| folder.join(format!("film.{}", format.name())));
    if let Some(folder) = path.parent().filter(|_| arguments.out.is_none()) {
        fs::create_dir_all(folder).map_err(|error| Failure::write(folder, error))?;
    }
    let progress = ProgressBar::no_length();
    let written = film::write(&trace, &settings, format, &path, |number, count| {
        progress.set_length(count as u64);
        progress.set_position(number as u64);
    });
    progress.finish_and_clear();
    written?;
    output::print(&format!("{}\n", path.display()))?;
    Ok(Done::Well)
}

fn settings(arguments: &Arguments) -> Result<FilmSettings, Failure> {
    let Arguments { from, until, fps, speed, width, .. } = *arguments;
    let until = until.unwrap_or(f64::INFINITY);
    if !(fps > 0.0 && fps <= MOST_FPS) {
        return Err(Failure::usage(format!("--fps is more than 0 and at most {MOST_FPS}, not {fps}")));
    }
    if !(speed > 0.0 && speed.is_finite()) {
        return Err(Failure::usage(format!("--speed is more than 0, not {speed}")));
    }
    if !WIDTHS.contains(&width) {
        let (least, most) = (WIDTHS.start(), WIDTHS.end());
        return Err(Failure::usage(format!("--width is between {least} and {most} px, not {width}")));
    }
    if from.is_nan() || from >= until {
        return Err(Failure::usage(format!("there is no time from {from} to {until} s")));
    }
    Ok(FilmSettings { from, until, rate: fps, speed, width })
}
