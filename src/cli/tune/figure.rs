//! Pictures of a search.

use super::TuneOutcome;
use super::text::{gain, length, lost, short};
use crate::analysis::tune::Problem;
use crate::view::plot::figure::Scale;
use crate::view::plot::picture::Picture;
use crate::view::plot::sweep::{CurvePanel, Curves};
use crate::view::plot::values::{ValueRow, Values};

/// Progress of the search, over the number of sets of values tried.
pub(super) fn convergence(problem: &Problem, found: &TuneOutcome) -> Picture {
    let generations = &found.search.generations;
    let of = |value: fn(&crate::analysis::tune::Generation) -> Option<f64>| -> Vec<f64> {
        generations.iter().map(|generation| value(generation).unwrap_or(f64::NAN)).collect()
    };
    Curves {
        title: problem.aim.text().into(),
        subtitle: format!("{}; {}", gain(found), length(found)),
        key: "sets of values tried".into(),
        scale: Scale::Linear,
        values: generations.iter().map(|generation| generation.tried as f64).collect(),
        marked: None,
        lines: vec!["best so far".into(), "median of a generation".into()],
        panels: vec![
            CurvePanel {
                title: "value to maximise".into(),
                unit: "",
                scale: Some(Scale::Linear),
                from_zero: false,
                series: vec![of(|generation| generation.best), of(|generation| generation.median)],
            },
            CurvePanel {
                title: "spread of a generation, relative to the distance of the bounds".into(),
                unit: "",
                scale: Some(Scale::Log),
                from_zero: false,
                series: vec![of(|generation| Some(generation.spread))],
            },
        ],
        passed: Vec::new(),
    }
    .picture()
}

/// The picture of the effect of each value alone, and of its interval.
pub(super) fn values(problem: &Problem, found: &TuneOutcome) -> Picture {
    let row = |(index, variable): (usize, &crate::analysis::tune::Variable)| ValueRow {
        name: variable.name.strip_prefix("controller.").unwrap_or(&variable.name).into(),
        worth: found.mattered.as_ref().and_then(|all| all[index].lost),
        label: lost(found, index),
        start: variable.place(found.begun[index].0),
        best: variable.place(found.search.best().values[index]),
        interval: found.intervals.as_ref().map(|all| all[index].ends.map(|end| variable.place(end))),
        bounds: [variable.low, variable.high].map(short),
    };
    Values {
        title: problem.aim.text().into(),
        subtitle: gain(found),
        heading: "loss if only this value is reset".into(),
        rows: problem.variables.iter().enumerate().map(row).collect(),
    }
    .picture()
}
