//! The numbers that a character's objectives compare with their targets, as traces list them.

use super::Goal;
use aplomb_body::model::Model;
use aplomb_control::objective::Part;

/// A number that an objective compares with its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedNumber {
    /// Index of the objective in the trace's list.
    pub objective: usize,
    /// Which of its numbers it is, with its unit.
    pub part: Part,
}

/// Lists the numbers that a goal compares with its target and gives the goal their indices; goals with one
/// name share numbers.
pub(crate) fn measure(measured: &mut Vec<ComparedNumber>, goal: &mut Goal, model: &Model) {
    let objective = goal.index();
    let parts = goal.subject(model).map(|subject| subject.parts()).unwrap_or_default();
    let numbers = parts.into_iter().map(|part| index_of(measured, objective, part)).collect();
    goal.measure_at(numbers);
}

/// Index of a number, which is appended if there is none with this name and unit. If one with this name has
/// another unit, as with objectives of one name and several kinds, the name includes the unit.
fn index_of(measured: &mut Vec<ComparedNumber>, objective: usize, mut part: Part) -> usize {
    let named = |measured: &[ComparedNumber], name: &str| {
        measured.iter().position(|number| number.objective == objective && number.part.name == name)
    };
    if named(measured, &part.name).is_some_and(|index| measured[index].part.unit != part.unit) {
        part.name = format!("{} {}", part.name, part.unit).trim_start().to_owned();
    }
    named(measured, &part.name).unwrap_or_else(|| {
        measured.push(ComparedNumber { objective, part });
        measured.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_one_name_and_several_units_are_told_apart() {
        let mut measured = Vec::new();
        let mut list = |name: &str, unit| index_of(&mut measured, 3, Part { name: name.to_owned(), unit });
        let indices = [
            list("x", "m"),
            list("x", "m/s"),
            list("", "N"),
            list("", "rad"),
            list("x", "m/s"),
            list("x", "m"),
        ];
        assert_eq!(indices, [0, 1, 2, 3, 1, 0]);
        let names: Vec<&str> = measured.iter().map(|number| &*number.part.name).collect();
        assert_eq!(names, ["x", "x m/s", "", "rad"]);
    }
}
