//! Target, actual value and error of each objective, as channels.

use super::column::Columns;
use super::{Frame, Header, Measured};

/// Target, actual value and error of every number that an objective compares, and the distance of each
/// objective from its target.
pub(crate) fn columns(columns: &mut Columns, header: &Header) {
    let measured = &header.measured;
    for (index, number) in measured.iter().enumerate() {
        let Measured { objective, part, unit } = number;
        let name = number.name();
        columns.add(format!("target.{name}"), unit, doc("Target", number), move |frame| target(frame, index));
        columns.add(format!("actual.{name}"), unit, doc("Actual value", number), move |frame| {
            actual(frame, index)
        });
        if !part.is_empty() {
            let doc = doc("Actual value less target", number);
            columns.add(format!("error.{name}"), unit, doc, move |frame| error(frame, index));
        }
        let of_objective = |other: &&Measured| other.objective == *objective;
        if measured[..index].iter().any(|other| of_objective(&other)) {
            continue;
        }
        // Lengths and angles have no common norm: only the numbers in the unit of the first one represent the
        // objective.
        let numbers = measured.iter().enumerate();
        let alike = numbers.filter(|(_, other)| of_objective(other) && other.unit == *unit);
        let alike: Vec<usize> = alike.map(|(index, _)| index).collect();
        let doc = format!("Distance of the objective «{objective}» from its target.");
        columns.add(format!("error.{objective}"), unit, doc, move |frame| distance(frame, &alike));
    }
}

fn doc(what: &str, number: &Measured) -> String {
    match &*number.part {
        "" => format!("{what} of the objective «{}».", number.objective),
        part => format!("{what} of the objective «{}»: {part}.", number.objective),
    }
}

fn target(frame: &Frame, index: usize) -> Option<f64> {
    frame.targets.get(index).copied().flatten()
}

fn actual(frame: &Frame, index: usize) -> Option<f64> {
    frame.actuals.get(index).copied().flatten()
}

fn error(frame: &Frame, index: usize) -> Option<f64> {
    Some(actual(frame, index)? - target(frame, index)?)
}

/// Norm of the errors of the active numbers; `None` if none is active.
fn distance(frame: &Frame, numbers: &[usize]) -> Option<f64> {
    let errors = numbers.iter().filter_map(|index| error(frame, *index));
    errors.map(|error| error * error).reduce(|sum, square| sum + square).map(f64::sqrt)
}

#[cfg(test)]
mod tests {
    use crate::{Measured, Trace, channels, example};

    fn trace() -> Trace {
        let mut trace = example::trace(2);
        let number = |objective: &str, part: &str, unit: &str| Measured {
            objective: objective.into(),
            part: part.into(),
            unit: unit.into(),
        };
        trace.header.measured = vec![
            number("reach", "x", "m"),
            number("load", "", "N"),
            number("reach", "y", "m"),
            number("reach", "in N", "N"),
        ];
        trace.frames[0].targets = vec![Some(1.0), Some(5.0), Some(-1.0), None];
        trace.frames[0].actuals = vec![Some(4.0), Some(3.0), Some(3.0), None];
        trace.frames[1].targets = vec![Some(1.0), None, None, None];
        trace.frames[1].actuals = vec![Some(0.5), None, None, None];
        trace
    }

    #[test]
    fn each_number_has_target_actual_value_and_error_and_each_objective_a_distance() {
        let trace = trace();
        let row = |name: &str| trace.series(name).unwrap_or_else(|| panic!("no channel {name}"));
        assert_eq!(row("target.reach.y"), [Some(-1.0), None]);
        assert_eq!(row("actual.reach.y"), [Some(3.0), None]);
        assert_eq!(row("error.reach.x"), [Some(3.0), Some(-0.5)]);
        assert_eq!(row("error.reach"), [Some(5.0), Some(0.5)]);
        assert_eq!(row("target.load"), [Some(5.0), None]);
        assert_eq!(row("error.load"), [Some(2.0), None]);
        assert_eq!(row("error.reach.in N"), [None, None]);
        let unit = |name: &str| trace.channel(name).unwrap().unit;
        assert_eq!((unit("error.reach"), unit("error.load")), ("m".into(), "N".into()));
        let named = channels(&trace.header);
        let ours = named.iter().filter(|channel| {
            ["target.", "actual.", "error."].iter().any(|kind| channel.name.starts_with(kind))
        });
        assert_eq!(ours.count(), 3 * 3 + 2 + 2, "no channel twice");
    }
}
