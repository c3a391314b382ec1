//! Ground given by an expression of x and y.

use super::grid::{HeightGrid, cells, lines};
use super::spec::FormulaSpec;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{Interval, Lookup, Meaning, Names, Set, Type, Value};
use aplomb_math::extent::FARTHEST;

/// The heights of a formula.
///
/// # Errors
/// Mistakes in the expression, and positions at which its value is not a valid height.
pub(super) fn heights(spec: &FormulaSpec, source: &Source) -> Result<HeightGrid, FileError> {
    let height = spec.height.bind(source, &PositionNames)?;
    let mistake = |message: String| FileError::new(source, spec.height.span(), message);
    if height.is_keyframed() {
        return Err(mistake("a height formula cannot have keyframes".into())
            .help("write an expression of `x` and `y`"));
    }
    let [low, high] = [&spec.low, &spec.high].map(|corner| *corner.get_ref());
    let along =
        |axis: usize| lines(low[axis], high[axis], cells(high[axis] - low[axis], *spec.spacing.get_ref()));
    let grid = HeightGrid::of(along(0), along(1), |x, y| height.value(&EvaluationPoint([x, y], 0.0)));
    let later = HeightGrid::of(along(0), along(1), |x, y| height.value(&EvaluationPoint([x, y], 1.0)));
    if later.heights.iter().zip(&grid.heights).any(|(later, now)| later.to_bits() != now.to_bits()) {
        return Err(
            mistake("heights cannot depend on time".into()).help("write an expression of `x` and `y`")
        );
    }
    let wrong = grid.heights.iter().position(|height| !(height.is_finite() && height.abs() <= FARTHEST));
    if let Some(index) = wrong {
        let (x, y) = (grid.x[index % grid.x.len()], grid.y[index / grid.x.len()]);
        let message = format!("at x = {x}, y = {y} this is {}, no height", grid.heights[index]);
        return Err(mistake(message).help(format!("heights are finite, and at most {FARTHEST} m")));
    }
    if grid.heights.iter().all(|height| *height <= 0.0) {
        return Err(mistake("all of it is under the floor, where it has no effect".into())
            .help("heights are over the floor: add the depth of its deepest place"));
    }
    Ok(grid)
}

/// The names `x` and `y`, m.
struct PositionNames;

impl Names for PositionNames {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let slot = ["x", "y"].iter().position(|known| *known == name)?;
        Some(Meaning::Quantity { slot, arguments: &[], result: Type::Number, range: Interval::ANY })
    }

    fn known(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }
}

/// Position (m) and time (s) at which a formula is evaluated.
struct EvaluationPoint([f64; 2], f64);

impl Lookup for EvaluationPoint {
    fn quantity(&self, slot: usize, _arguments: &[Value]) -> Value {
        Value::Number(self.0.get(slot).copied().unwrap_or(f64::NAN))
    }

    fn presence(&self, _: Set, _: usize) -> Option<bool> {
        None
    }

    fn time(&self) -> f64 {
        self.1
    }

    fn state_time(&self) -> f64 {
        self.1
    }
}
