//! Output to the terminal: results to standard output, errors to standard error.

use super::{Failure, fit};
use crate::language::rendered::Rendered;
use crate::language::visible::visible;
use miette::{GraphicalReportHandler, GraphicalTheme};
use std::borrow::Cow;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the command prints nothing but errors and JSON.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Sets whether the command prints nothing but errors and JSON.
pub(crate) fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Name of the trace in a run's folder.
pub(crate) const TRACE: &str = "trace.mcap";

/// Name of the summary in the folder of a run.
pub(crate) const SUMMARY: &str = "summary.json";

/// Prints a result, without control sequences other than colours. A reader that ends early (`| head`) is not a
/// failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    if is_quiet() { Ok(()) } else { write(text) }
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(steady(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::write(Path::new("standard output"), error))
        }
        _ => Ok(()),
    }
}

/// The text with control characters made visible, except the colours of [`Paint`].
fn steady(text: &str) -> Cow<'_, str> {
    let Some(at) = text.find('\u{1b}') else { return visible(text) };
    let (mut steady, mut rest) = (String::with_capacity(text.len()), text);
    let mut next = Some(at);
    while let Some(at) = next {
        let (before, after) = rest.split_at(at);
        steady += &visible(before);
        let colour = COLOURS.iter().find(|colour| after.starts_with(**colour));
        let (escape, length) = colour.map_or(("␛", 1), |colour| (*colour, colour.len()));
        steady += escape;
        rest = &after[length..];
        next = rest.find('\u{1b}');
    }
    Cow::Owned(steady + &visible(rest))
}

/// Prints a value as indented JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    write(&json(value)?)
}

/// The value as indented JSON with a line break at the end.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, Sensible::default());
    let written = value.serialize(&mut serializer);
    written.map_err(|error| Failure::write(Path::new("JSON"), error.into()))?;
    Ok(String::from_utf8_lossy(&text).into_owned() + "\n")
}

/// Formatter of indented JSON without round-off: 27.4, not 27.400000000000002.
#[derive(Default)]
struct Sensible(serde_json::ser::PrettyFormatter<'static>);

/// Digits after the first: one less than every f64 holds.
const DIGITS: usize = 14;

impl serde_json::ser::Formatter for Sensible {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let rounded: f64 = format!("{value:.DIGITS$e}").parse().unwrap_or(value);
        self.0.write_f64(writer, if rounded.is_finite() { rounded } else { value })
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// Replaces a file atomically: it holds either the previous or the new content.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = Path::new(&name);
    fs::write(part, content).and_then(|()| fs::rename(part, path)).map_err(|error| {
        // Removal is a best effort.
        let _ = fs::remove_file(part);
        Failure::write(path, error)
    })
}

/// Largest number of errors and warnings that are reported at once.
const MOST: usize = 60;

/// Reports the first [`MOST`] errors and warnings on standard error, and the number of the others.
pub(crate) fn print_findings(all: impl IntoIterator<Item = Rendered>) {
    let handler = handler();
    let mut all = all.into_iter();
    let mut err = io::stderr().lock();
    for report in all.by_ref().take(MOST) {
        // Without standard error the failure cannot be reported.
        let _ = err.write_all(report.render(&handler).as_bytes());
    }
    drop(err);
    match all.count() {
        0 => {}
        more => print_note(&format!("and {more} more: `aplomb check --json` lists all")),
    }
}

/// Prints a note on standard error.
pub(crate) fn print_note(text: &str) {
    if is_quiet() {
        return;
    }
    let text = fit::fitted(&visible(text), fit::width_of_errors(), 2);
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n'));
}

/// A handler with colours and line breaks on a terminal, plain elsewhere.
fn handler() -> GraphicalReportHandler {
    let terminal = io::stderr().is_terminal();
    let coloured = terminal && wants_colour();
    let theme = if coloured { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false);
    match fit::width_of_errors() {
        Some(width) => handler.with_width(width),
        None if terminal => handler,
        None => handler.with_wrap_lines(false).with_width(200),
    }
}

/// Escape sequences: green, red, and default.
pub(crate) const COLOURS: [&str; 3] = ["\u{1b}[32m", "\u{1b}[31m", COLOUR_END];
const COLOUR_END: &str = "\u{1b}[0m";

/// Colours of text on standard output, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    coloured: bool,
}

impl Paint {
    /// With colours if standard output is a terminal, unless `NO_COLOR` is set.
    pub(crate) fn of_output() -> Self {
        Paint { coloured: io::stdout().is_terminal() && wants_colour() }
    }

    /// Green.
    pub(crate) fn good(self, text: &str) -> String {
        self.with(COLOURS[0], text)
    }

    /// Red.
    pub(crate) fn bad(self, text: &str) -> String {
        self.with(COLOURS[1], text)
    }

    fn with(self, colour: &str, text: &str) -> String {
        if self.coloured { format!("{colour}{text}{COLOUR_END}") } else { text.into() }
    }
}

/// Whether `NO_COLOR` is unset (<https://no-color.org>).
fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
