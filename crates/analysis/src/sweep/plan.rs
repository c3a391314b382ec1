//! The runs of a sweep. All of their files are read before the first run, so that a mistake stops a sweep
//! immediately, and later edits of a file do not affect it.

use super::range::{MOST, Range};
use super::unit::unit_of;
use aplomb_language::diagnostic::{FileError, FileErrors, Source, nearest};
use aplomb_scene::{EventKind, EventSpec, LoadError, SceneFiles};

/// One axis of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepAxis {
    /// Name of its column.
    pub name: String,
    /// Unit of the values, as labels show it; empty without one.
    pub(crate) unit: &'static str,
    /// Values tried along this axis.
    pub range: Range,
}

impl SweepAxis {
    /// Its name with the unit, for display.
    pub fn label(&self) -> String {
        let SweepAxis { name, unit, .. } = self;
        if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") }
    }
}

/// One run of a sweep.
pub struct Variation {
    /// One value for each axis.
    pub values: Vec<f64>,
    /// The scene's files with this run's values in place.
    pub files: SceneFiles,
}

/// Every combination of the axes' values, the last axis fastest.
pub struct Plan {
    /// The varied values, in the given order.
    pub axes: Vec<SweepAxis>,
    /// One entry per run, the last axis fastest.
    pub variations: Vec<Variation>,
}

/// `KEY=RANGE`: a value of the scene, by its path for `--set`.
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    /// The argument as given on the command line.
    argument: String,
    key: String,
    /// Byte offset of the range in `argument`.
    start: usize,
    range: Range,
}

/// Why there is no push to vary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPush {
    /// The scene has no push.
    #[error("this scene has no push")]
    None,
    /// No push has the name given.
    #[error("this scene has no push `{wrong}`")]
    Unknown {
        /// The name given.
        wrong: String,
        /// Names of the scene's pushes.
        known: Vec<String>,
    },
    /// The scene has several pushes and none was named.
    #[error("this scene has several pushes: {}", known.join(", "))]
    Several {
        /// Names of the scene's pushes.
        known: Vec<String>,
    },
}

impl NoPush {
    /// The remedy.
    pub fn help(&self) -> String {
        match self {
            NoPush::None => "add one under `[events]`, or vary a value of the scene with --over".into(),
            NoPush::Unknown { wrong, known } => match nearest(wrong, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => NoPush::None.help(),
                None => format!("it has: {}", known.join(", ")),
            },
            NoPush::Several { .. } => "say which one to vary with --event".into(),
        }
    }
}

impl Over {
    /// Reads an axis from the command line.
    ///
    /// # Errors
    ///
    /// If the argument is not `KEY=FROM:TO:STEP`; the error points into the argument.
    pub fn parse(argument: &str) -> Result<Self, FileError> {
        let Some((key, _)) = argument.rsplit_once('=') else {
            let source = Source::new("--over", argument);
            return Err(FileError::new(&source, 0..argument.len(), "expected `KEY=FROM:TO:STEP`")
                .help("for example `--over torque_change_weight=1e-4:1:log5`"));
        };
        let start = key.len() + 1;
        let range = Range::parse("--over", argument, start)?;
        Ok(Over { argument: argument.into(), key: key.into(), start, range })
    }

    /// The path of the value.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The values, in the order in which they are tried.
    pub fn values(&self) -> &[f64] {
        &self.range.values
    }

    /// Whether neighbouring values have a common ratio.
    pub fn is_logarithmic(&self) -> bool {
        self.range.logarithmic
    }

    /// The `PATH=VALUE` that gives the scene this value.
    pub fn set(&self, value: f64) -> String {
        format!("{}={value:?}", self.key)
    }
}

impl Plan {
    /// Pushes in `directions` evenly spaced directions, each with every one of `impulses`, N s: of the event
    /// of that name, or of the only one.
    ///
    /// # Errors
    ///
    /// If the scene cannot be loaded, or has no unique push for `event`.
    pub fn pushes(
        reference: &str,
        overrides: &[String],
        event: &str,
        directions: usize,
        impulses: Range,
    ) -> Result<Self, LoadError> {
        let base = aplomb_scene::load(reference, overrides)?;
        bounded(&[directions, impulses.values.len()], "--directions and --impulses")?;
        let degrees = (0..directions).map(|k| 360.0 * k as f64 / directions as f64).collect();
        let directions = Range { values: degrees, logarithmic: false };
        let axes = vec![
            SweepAxis { name: "direction_deg".into(), unit: "°", range: directions },
            SweepAxis { name: "impulse_n_s".into(), unit: "N s", range: impulses },
        ];
        let dt = *base.scene.dt.get_ref();
        let push = &base.scene.events[event];
        let variations = combinations(&axes).map(|values| {
            let set = push_of(event, push, dt, values[0], values[1]);
            Ok(Variation { files: aplomb_scene::load(reference, &and(overrides, [set]))?, values })
        });
        Ok(Plan { variations: variations.collect::<Result<_, LoadError>>()?, axes })
    }

    /// The scene with every combination of the values.
    ///
    /// # Errors
    ///
    /// If the scene cannot be loaded with one of the values in place.
    pub fn grid(reference: &str, overrides: &[String], overs: &[Over]) -> Result<Self, LoadError> {
        let axis = |over: &Over| SweepAxis {
            name: over.key.clone(),
            unit: unit_of(&over.key),
            range: over.range.clone(),
        };
        let counts: Vec<usize> = overs.iter().map(|over| over.range.values.len()).collect();
        bounded(&counts, "--over")?;
        let axes: Vec<SweepAxis> = overs.iter().map(axis).collect();
        let variations = combinations(&axes).map(|values| {
            let sets = overs.iter().zip(&values).map(|(over, value)| over.set(*value));
            let files = aplomb_scene::load(reference, &and(overrides, sets));
            Ok(Variation { files: files.map_err(|error| blamed(error, overs))?, values })
        });
        Ok(Plan { variations: variations.collect::<Result<_, LoadError>>()?, axes })
    }

    /// The push with the given `name` in a scene, or its only one.
    ///
    /// # Errors
    ///
    /// If the scene has no push of that name or, without a name, not exactly one push.
    pub fn event(files: &SceneFiles, name: Option<&str>) -> Result<String, NoPush> {
        let pushes = files
            .scene
            .events
            .iter()
            .filter(|(_, event)| event.kind == EventKind::Push && event.passive.is_none());
        let known: Vec<String> = pushes.map(|(name, _)| name.get_ref().clone()).collect();
        match (name, known.as_slice()) {
            (Some(name), _) if known.iter().any(|event| event == name) => Ok(name.into()),
            (Some(name), _) => Err(NoPush::Unknown { wrong: name.into(), known }),
            (None, []) => Err(NoPush::None),
            (None, [only]) => Ok(only.clone()),
            (None, _) => Err(NoPush::Several { known }),
        }
    }
}

/// Rejects an excessive number of combinations.
fn bounded(counts: &[usize], option: &str) -> Result<(), FileError> {
    let runs = counts.iter().try_fold(1_usize, |runs, count| runs.checked_mul(*count));
    if runs.is_some_and(|runs| runs <= MOST) {
        return Ok(());
    }
    let text: Vec<String> = counts.iter().map(ToString::to_string).collect();
    let text = text.join(" × ");
    let source = Source::new(option, &text);
    Err(FileError::new(&source, 0..text.len(), format!("these are more than {MOST} runs")))
}

/// The `PATH=VALUE` that sets `push` to this impulse in N s, horizontal, in that direction of the world: 0°
/// along x, 90° along y.
pub(crate) fn push_of(name: &str, push: &EventSpec, dt: f64, degrees: f64, impulse: f64) -> String {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (key, length) = match &push.force {
        Some(_) => {
            let frames = push.frames(dt);
            ("force", impulse / ((frames.end - frames.start) as f64 * dt))
        }
        None => ("impulse", impulse),
    };
    // Rounded to a billionth, so that a push along y has no component along x.
    let name = toml::Value::from(name);
    format!("events.{name}.{key}=[{:.9}, {:.9}, 0.0]", length * cos, length * sin)
}

fn and(overrides: &[String], more: impl IntoIterator<Item = String>) -> Vec<String> {
    overrides.iter().cloned().chain(more).collect()
}

fn combinations(axes: &[SweepAxis]) -> impl Iterator<Item = Vec<f64>> {
    let count: usize = axes.iter().map(|axis| axis.range.values.len()).product();
    (0..count).map(|index| {
        let mut rest = index;
        let mut values: Vec<f64> = Vec::with_capacity(axes.len());
        for axis in axes.iter().rev() {
            let own = &axis.range.values;
            values.push(own[rest % own.len()]);
            rest /= own.len();
        }
        values.reverse();
        values
    })
}

/// Mistakes in a key or in a value of a range, located in their argument.
fn blamed(error: LoadError, overs: &[Over]) -> LoadError {
    let LoadError::Mistakes(mistakes) = error else { return error };
    LoadError::Mistakes(blame(mistakes, overs))
}

/// Mistakes that `--set` reports in a change made by [`Over::set`], located in the argument `--over` of that change;
/// other mistakes unchanged.
pub fn blame(mistakes: FileErrors, overs: &[Over]) -> FileErrors {
    let mut mistakes = mistakes.into_vec();
    for mistake in mistakes.iter_mut().filter(|mistake| &*mistake.file == "--set") {
        let text = &*mistake.text;
        let put = |over: &&Over| over.range.values.iter().any(|value| text == over.set(*value));
        if let Some(over) = overs.iter().find(put) {
            // Up to the value both texts are equal.
            let (from, length) = (mistake.span.start, mistake.span.len());
            let in_key = from + length < over.start;
            let (from, length) =
                if in_key { (from, length) } else { (over.start, over.argument.len() - over.start) };
            (mistake.file, mistake.text) = ("--over".into(), over.argument.as_str().into());
            mistake.span = from..from + length;
        }
    }
    mistakes.into()
}
