//! Plot files and their checks.

use super::panel::Content;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::files;
use serde::Deserialize;
use std::path::Path;

/// A plot file.
#[derive(Clone, Debug)]
pub struct PlotSpec {
    /// Stem of the file, which names the pictures.
    pub(crate) name: String,
    /// The plot file's text, for locations in messages.
    pub(crate) source: Source,
    /// Description of the figure.
    pub figure: Figure,
}

/// A figure: panels stacked over one time axis, with maps beside them.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Title of the figure.
    pub(crate) title: String,
    /// Subject of the figure: a run draws it automatically only if it contains that subject.
    #[serde(default)]
    pub about: About,
    /// Whether bands behind the panels show the controller's state.
    #[serde(default = "yes")]
    pub(crate) states: bool,
    /// Whether events, such as pushes, are marked.
    #[serde(default = "yes")]
    pub(crate) events: bool,
    /// Panels, from top to bottom.
    pub(crate) panels: Vec<Panel>,
}

/// Subject of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// A character.
    #[default]
    Character,
    /// A character in a scene with holds.
    Grips,
    /// Names of passive objects.
    Objects,
}

fn yes() -> bool {
    true
}

/// A part of a figure with its own axes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Panel {
    /// Title of the panel.
    pub(crate) title: Option<String>,
    /// Label of the vertical axis; the unit is added.
    pub(crate) label: Option<String>,
    /// Height relative to the other panels; default: 1.
    pub(crate) height: Option<Spanned<f64>>,
    /// Content of the panel.
    pub(crate) of: Content,
}

impl PlotSpec {
    /// Parses a plot file. Names of channels are checked against the trace when it is drawn.
    ///
    /// # Errors
    /// The first of: unknown keys and kinds, missing keys, numbers out of range, labels without a channel.
    pub fn read(source: &Source) -> Result<Self, FileError> {
        Self::read_all(source).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Parses a plot file like [`PlotSpec::read`], and collects all mistakes.
    ///
    /// # Errors
    /// All mistakes; at least one.
    pub fn read_all(source: &Source) -> Result<Self, Vec<FileError>> {
        let read = files::read_all::<Figure>(&mut source.clone(), &[], &files::Format::default());
        let mut mistakes = read.mistakes;
        mistakes.extend(read.value.as_ref().map(|figure| check(source, figure)).unwrap_or_default());
        match read.value {
            Some(figure) if mistakes.is_empty() => {
                let stem = Path::new(&*source.name).file_stem();
                let name =
                    stem.map_or_else(|| "plot".to_string(), |stem| stem.to_string_lossy().into_owned());
                Ok(PlotSpec { name, source: source.clone(), figure })
            }
            _ => Err(mistakes),
        }
    }
}

/// Largest number of panels of a figure that a page can show.
const MOST_PANELS: usize = 60;
/// Largest number of characters of a title.
const LONGEST_TITLE: usize = 1000;

/// All mistakes of a figure that concern several keys.
fn check(source: &Source, figure: &Figure) -> Vec<FileError> {
    let mut found = Vec::new();
    if figure.panels.is_empty() {
        let end = source.text.len();
        found.push(FileError::new(source, end..end, "a figure needs at least one `[[panels]]`"));
    }
    for (what, title) in std::iter::once(("a figure", Some(&figure.title))).chain(
        figure
            .panels
            .iter()
            .flat_map(|panel| [("a panel", panel.title.as_ref()), ("an axis", panel.label.as_ref())]),
    ) {
        if title.is_some_and(|title| title.chars().count() > LONGEST_TITLE) {
            let message = format!("what is written over {what} has at most {LONGEST_TITLE} letters");
            found.push(FileError::new(source, 0..0, message));
        }
    }
    if figure.panels.len() > MOST_PANELS {
        let start = source.text.match_indices("[[panels]]").nth(MOST_PANELS).map_or(0, |(at, _)| at);
        let message = format!("a figure has at most {MOST_PANELS} panels");
        let help = "draw the others with a file of their own";
        found.push(FileError::new(source, start..start + 1, message).help(help));
    }
    for panel in &figure.panels {
        if let Some(height) = &panel.height
            && !(0.2..=10.0).contains(height.get_ref())
        {
            let message = "the height of a panel is between 0.2 and 10";
            found.push(FileError::new(source, height.span(), message));
        }
        found.extend(panel.of.kind().check(source).err());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(text: &str) -> (String, String, Option<String>) {
        let error = PlotSpec::read(&Source::new("plots/mine.toml", text)).unwrap_err();
        (error.location(), error.message.clone(), error.help.clone())
    }

    const HEAD: &str = "title = \"t\"\n[[panels]]\n";

    #[test]
    fn an_unknown_key_is_shown_with_the_nearest_known_one() {
        let (place, message, help) = mistake("titel = \"t\"\npanels = []\n");
        assert_eq!(place, "plots/mine.toml:1:1");
        assert!(message == "unknown key `titel`", "{message}");
        assert_eq!(help.as_deref(), Some("did you mean `title`?"));
    }

    #[test]
    fn an_unknown_kind_of_panel_is_shown_with_the_nearest_known_one() {
        let (place, message, help) = mistake(&format!("{HEAD}of = {{ line = {{ channels = [] }} }}\n"));
        assert_eq!(place, "plots/mine.toml:3:8");
        assert!(message == "`line` is not one of the choices here", "{message}");
        assert_eq!(help.as_deref(), Some("did you mean `lines`?"));
    }

    #[test]
    fn an_unknown_key_deep_inside_has_its_place() {
        let text = format!("{HEAD}of = {{ lines = {{ channels = [\"com.x\"], scal = \"log\" }} }}\n");
        let (place, _, help) = mistake(&text);
        assert_eq!(place, "plots/mine.toml:3:40");
        assert_eq!(help.as_deref(), Some("did you mean `scale`?"));
    }

    #[test]
    fn a_label_for_a_channel_not_shown_is_a_mistake() {
        let text = format!(
            "{HEAD}of = {{ lines = {{ channels = [\"com.x\"], labels = {{ \"com.y\" = \"COM\" }} }} }}\n"
        );
        let (place, message, help) = mistake(&text);
        assert_eq!(place, "plots/mine.toml:3:51");
        assert_eq!(message, "the panel does not show `com.y`");
        assert_eq!(help.as_deref(), Some("did you mean `com.x`?"));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let (place, ..) = mistake(&format!("{HEAD}height = -1\nof = {{ support_map = {{}} }}\n"));
        assert_eq!(place, "plots/mine.toml:3:10");
        let (place, ..) =
            mistake(&format!("{HEAD}of = {{ torques = {{ coordinates = [\"*\"], count = 0 }} }}\n"));
        assert_eq!(place, "plots/mine.toml:3:49");
        let (_, message, _) = mistake("title = \"t\"\npanels = []\n");
        assert!(message.contains("at least one"));
    }
}
