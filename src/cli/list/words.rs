//! Directions and positions as text: x is forward, y to the left, z up.

use nalgebra::Vector3;

/// The two directions of each axis, positive first.
const WAYS: [[&str; 2]; 3] = [["forward", "backward"], ["to the left", "to the right"], ["up", "down"]];
/// Viewpoint of a rotation about each axis.
const SEEN: [&str; 3] = ["from the front", "from the left", "from above"];

/// The axis nearest to a vector, and whether the vector points along it.
fn nearest(vector: &Vector3<f64>) -> (usize, bool) {
    let axis = vector.iamax();
    (axis, vector[axis] > 0.0)
}

/// A direction such as `forward` or `down`.
pub(crate) fn direction(vector: &Vector3<f64>) -> &'static str {
    let (axis, along) = nearest(vector);
    WAYS[axis][usize::from(!along)]
}

/// A sense of rotation such as `counter-clockwise seen from above`.
pub(crate) fn turn(axis: &Vector3<f64>) -> String {
    let (axis, along) = nearest(axis);
    format!("{} seen {}", if along { "counter-clockwise" } else { "clockwise" }, SEEN[axis])
}

/// A position rounded to a thousandth: `(0.105, −0.08, 0)`.
pub(crate) fn place(vector: &Vector3<f64>) -> String {
    let numbers = vector.iter().map(|value| {
        let rounded = (value * 1000.0).round() / 1000.0;
        // The added zero removes the sign of a negative zero.
        format!("{}", rounded + 0.0).replace('-', "−")
    });
    format!("({})", numbers.collect::<Vec<_>>().join(", "))
}
