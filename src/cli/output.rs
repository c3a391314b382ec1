//! What goes to the terminal: results to standard output, errors to standard error.

use super::Failure;
use crate::language::rendered::Rendered;
use crate::language::visible::visible;
use miette::{GraphicalReportHandler, GraphicalTheme};
use std::borrow::Cow;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Name of the trace in a run's folder.
pub const TRACE: &str = "trace.mcap";

/// Prints a result, in which colours are the only thing that steers a terminal. That nobody reads on (`| head`) is no
/// failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(steady(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::write(Path::new("standard output"), error))
        }
        _ => Ok(()),
    }
}

/// The text with control characters made visible, but for the colours of [`Paint`].
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
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(&json(value)?)
}

/// The value as indented JSON with a line's end.
pub fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, Sensible::default());
    let written = value.serialize(&mut serializer);
    written.map_err(|error| Failure::write(Path::new("JSON"), error.into()))?;
    Ok(String::from_utf8_lossy(&text).into_owned() + "\n")
}

/// Indented JSON whose numbers are without the noise of rounding: 27.4, not 27.400000000000002.
#[derive(Default)]
struct Sensible(serde_json::ser::PrettyFormatter<'static>);

/// Digits after the first of a number: one less than those that every f64 holds.
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

/// Writes a file in one step: its name holds what it held, or all of the new content.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = Path::new(&name);
    fs::write(part, content).and_then(|()| fs::rename(part, path)).map_err(|error| {
        // Nothing more can be done where even this fails.
        let _ = fs::remove_file(part);
        Failure::write(path, error)
    })
}

/// Says what is wrong on standard error.
pub fn complain(all: impl IntoIterator<Item = Rendered>) {
    let handler = handler();
    let mut err = io::stderr().lock();
    for said in all {
        // Where standard error is gone there is nobody to tell.
        let _ = err.write_all(said.render(&handler).as_bytes());
    }
}

/// Prints one message that is no failure on standard error.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}

/// In colour and folded to the window on a terminal, plain and unfolded elsewhere.
fn handler() -> GraphicalReportHandler {
    let terminal = io::stderr().is_terminal();
    let coloured = terminal && wants_colour();
    let theme = if coloured { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false);
    if terminal { handler } else { handler.with_wrap_lines(false).with_width(200) }
}

/// What the terminal is told of colours: green, red, and as before.
const COLOURS: [&str; 3] = ["\u{1b}[32m", "\u{1b}[31m", COLOUR_END];
const COLOUR_END: &str = "\u{1b}[0m";

/// Colours of words on standard output: those of a terminal, or none.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    coloured: bool,
}

impl Paint {
    /// In colour where standard output is a terminal, unless `NO_COLOR` is set.
    pub fn of_output() -> Self {
        Paint { coloured: io::stdout().is_terminal() && wants_colour() }
    }

    /// Green.
    pub fn good(self, text: &str) -> String {
        self.with(COLOURS[0], text)
    }

    /// Red.
    pub fn bad(self, text: &str) -> String {
        self.with(COLOURS[1], text)
    }

    fn with(self, colour: &str, text: &str) -> String {
        if self.coloured { format!("{colour}{text}{COLOUR_END}") } else { text.into() }
    }
}

/// Whether the environment does not ask for plain text (<https://no-color.org>).
fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
