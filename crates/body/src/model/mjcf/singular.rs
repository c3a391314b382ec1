//! Models whose mass matrix is singular in every pose, so that forces do not determine their motion.

use crate::dynamics::{Kinematics, mass_matrix};
use crate::model::state::integrate;
use crate::model::{Joint, Model};
use aplomb_math::matrix::RowMatrix;

/// Relative size of a pivot that counts as zero.
const ROUND_OFF: f64 = 1e-13;

/// The first joint whose motion the joints before it already allow, both at rest and in a generic pose: axes that
/// coincide in a single pose are not an error.
pub(super) fn first_idle_joint(model: &Model) -> Option<&Joint> {
    let neutral = model.neutral_configuration();
    first_dependent(model, &neutral)?;
    // Multiples of the golden ratio give angles without special relations.
    let turns: Vec<f64> =
        (0..model.nv).map(|at| 0.2 + (0.618_033_988_749_894_9 * at as f64).fract()).collect();
    let mut apart = neutral.clone();
    integrate(model, &neutral, &turns, &mut apart);
    let coordinate = first_dependent(model, &apart)?;
    model.joints.iter().find(|joint| (joint.v_index..joint.v_index + joint.kind.nv()).contains(&coordinate))
}

/// The first coordinate without a pivot in a Cholesky factorisation of the mass matrix.
fn first_dependent(model: &Model, q: &[f64]) -> Option<usize> {
    let mut kinematics = Kinematics::new(model);
    kinematics.update_position(model, q);
    let mut mass = RowMatrix::new(model.nv);
    mass_matrix(model, &kinematics, &mut mass);
    for row in 0..model.nv {
        let whole = mass.row(row)[row];
        for column in 0..=row {
            let sum: f64 = (0..column).map(|k| mass.row(row)[k] * mass.row(column)[k]).sum();
            let rest = mass.row(row)[column] - sum;
            if column < row {
                mass.row_mut(row)[column] = rest / mass.row(column)[column];
            } else if rest > ROUND_OFF * whole {
                mass.row_mut(row)[row] = rest.sqrt();
            } else {
                return Some(row);
            }
        }
    }
    None
}
