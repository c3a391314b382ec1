//! Pictures of a sweep from its rows.

use super::{
    Sweep,
    text::{head, rounded},
};
use crate::analysis::sweep::{Figures, PushMap, Row, RunEnding};
use crate::scene::SceneFiles;
use crate::view::plot::figure::Scale;
use crate::view::plot::picture::Picture;
use crate::view::plot::sweep::{Cell, CurvePanel, Curves, Polar};

/// The map of pushes.
pub(super) fn push_map(sweep: &Sweep, rows: &[Row], map: &PushMap, base: &SceneFiles) -> Picture {
    let criteria: Vec<String> = base.scene.success.keys().map(|name| name.get_ref().clone()).collect();
    let cell = |row: &Row| match (&row.ending, &row.figures) {
        (RunEnding::Pass, Some(figures)) => Cell::Steps(figures.steps),
        (RunEnding::Fail { criteria: lost }, _) => {
            Cell::Lost(criteria.iter().position(|name| lost.contains(name)).unwrap_or(criteria.len()))
        }
        _ => Cell::Error,
    };
    let cells: Vec<Cell> = rows.iter().map(cell).collect();
    let failed = |row: &Row| row.figures.as_ref().is_some_and(|figures| figures.failed_frames > 0);
    let marked: Vec<bool> = rows.iter().map(failed).collect();
    let [directions, impulses] = [0, 1].map(|axis| sweep.plan.axes[axis].range.values.as_slice());
    let limits: Vec<usize> = rows
        .chunks(impulses.len().max(1))
        .map(|direction| direction.iter().take_while(|row| row.passed()).count())
        .collect();
    let event = sweep.event.as_deref().unwrap_or_default();
    let notes = [
        format!("survivable area {:.1} N s rad", map.area),
        format!("{:.1} N s in the mean direction", map.mean),
        format!("{} N s in the worst", rounded(map.least)),
    ];
    Polar {
        title: sweep.title.clone(),
        subtitle: format!(
            "{}; `{event}` in {} directions, as it points, seen from above",
            sweep.who,
            directions.len()
        ),
        directions,
        impulses,
        cells: &cells,
        marked: &marked,
        limits: &limits,
        criteria: &criteria,
        steps: sweep.count.as_deref().unwrap_or("step"),
        heading: heading(base, event).to_degrees(),
        notes: &notes,
    }
    .picture()
}

/// Initial heading of the character that the push acts on, rad.
fn heading(base: &SceneFiles, event: &str) -> f64 {
    let characters = &base.scene.characters;
    let pushed = base.scene.events.get(event).and_then(|event| event.character.as_ref());
    let spec = match pushed {
        Some(name) => characters.get(name.get_ref().as_str()),
        None => characters.values().next(),
    };
    spec.map_or(0.0, |character| *character.heading.get_ref())
}

/// Results over the first value, one line per second value.
pub(super) fn curves(sweep: &Sweep, rows: &[Row]) -> Picture {
    let axes = &sweep.plan.axes;
    let (first, second) = (&axes[0], axes.get(1));
    let lines: Vec<String> = match second {
        Some(axis) => axis.range.values.iter().map(|value| format!("{} = {value}", axis.label())).collect(),
        None => vec![String::new()],
    };
    let count = lines.len();
    let line = |index: usize| rows.iter().skip(index).step_by(count);
    let panel = |title: &str, unit: &'static str, figure: fn(&Figures) -> Option<f64>| CurvePanel {
        title: title.into(),
        unit,
        scale: None,
        from_zero: true,
        series: (0..count).map(|index| line(index).map(|row| figure_of(row, figure)).collect()).collect(),
    };
    let shown = sweep.shows.iter().enumerate().map(|(place, show)| CurvePanel {
        title: head(sweep, place, &show.name),
        unit: "",
        scale: Some(Scale::Linear),
        from_zero: false,
        series: (0..count).map(|index| line(index).map(|row| shown_of(row, place)).collect()).collect(),
    });
    let mut panels: Vec<CurvePanel> = shown.collect();
    panels.extend([
        panel("goal error, rms of the controller's objectives", "", |figures| figures.goal_error),
        panel("torque change in a frame, rms", "N m", |figures| figures.torque_change),
        CurvePanel {
            scale: Some(Scale::Log),
            ..panel("root's equations of motion, rms residual", "m g and m g h", |figures| {
                figures.root_residual.map(|root| root.rms)
            })
        },
        panel("simulated", "s", |figures| Some(figures.simulated_time)),
    ]);
    Curves {
        title: sweep.title.clone(),
        subtitle: sweep.who.clone(),
        key: first.label(),
        scale: if first.range.logarithmic { Scale::Log } else { Scale::Linear },
        values: first.range.values.clone(),
        marked: None,
        lines,
        panels,
        passed: (0..count).map(|index| line(index).map(Row::passed).collect()).collect(),
    }
    .picture()
}

fn figure_of(row: &Row, figure: fn(&Figures) -> Option<f64>) -> f64 {
    row.figures.as_ref().and_then(figure).unwrap_or(f64::NAN)
}

/// The value of the `--show` option with this index.
fn shown_of(row: &Row, place: usize) -> f64 {
    row.shown.get(place).copied().flatten().unwrap_or(f64::NAN)
}
