//! Momentum at half steps: the momentum of the finite motion from one configuration to the next.
//!
//! A frame of length h takes each body from the centre of mass x and the rotation R to x⁺ and R⁺. It moves
//! with the mean velocity V = (x⁺ − x)/h, and rotates by w = log(R⁺ Rᵀ) at the mean rate w/h. Halfway the
//! momenta are
//!
//! ```text
//! P = Σ m V             = m (c(q⁺) − c(q))/h
//! L = Σ (r × m V + Exp(w/2) I w/h)
//! ```
//!
//! with r = x − c and I = R I₀ Rᵀ at q. L is about the centre of mass: by Σ m r = 0, Σ r × m V equals Σ r̄ ×
//! m (V − V̄) with r̄ = (r + r⁺)/2 and V̄ = P/m. Exp(w/2) rotates I w to the orientation halfway. There is no
//! truncation error: a discrete motion that conserves these momenta conserves them exactly.

use super::kinematics::Kinematics;
use crate::model::{BodyId, JointKind, Model};
use aplomb_math::spatial::Force;
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

/// Correction of a rotation below which the next one would be below round-off, rad: it is some thousand times
/// smaller.
const SMALL_TURN: f64 = 1e-11;
/// Largest number of corrections of a rotation. Two or three suffice if no body rotates by more than a tenth
/// of a radian in a frame.
const MOST_TURNS: usize = 30;

/// Whether all mass of a model is attached to one free joint, so that only external forces change its
/// momentum.
pub fn floats_as_one(model: &Model) -> bool {
    let free = model.joints.iter().filter(|joint| joint.kind == JointKind::Free).count();
    let starts = model.bodies.iter().filter(|body| body.parent.is_none()).count();
    model.is_floating() && free == 1 && starts == 1
}

/// Motion of a body over a frame.
#[derive(Clone, Copy, Debug, Default)]
struct BodyStep {
    mass: f64,
    /// x, m.
    centre: Vector3<f64>,
    /// r, m.
    arm: Vector3<f64>,
    /// I at q, kg m².
    inertia: Matrix3<f64>,
    /// Displacement x⁺ − x, m.
    way: Vector3<f64>,
    /// R⁺ Rᵀ.
    turn: UnitQuaternion<f64>,
    w: Vector3<f64>,
}

impl BodyStep {
    /// Exp(w/2) I w of the body for the rotation `turn` = Exp(w), kg m².
    fn spin(&self, turn: &UnitQuaternion<f64>, w: &Vector3<f64>) -> Vector3<f64> {
        let nearer = if turn.w < 0.0 { -turn.into_inner() } else { turn.into_inner() };
        UnitQuaternion::new_normalize(nearer + Quaternion::identity()) * (self.inertia * w)
    }

    /// D with d(Exp(w/2) I w) = D φ under an additional small rotation φ, world axes: D = I + ½ (W I − I W) −
    /// ½ [I w]× to first order in w, with W the matrix of w ×.
    fn spin_derivative(&self) -> Matrix3<f64> {
        let bent = self.w.cross_matrix() * self.inertia;
        self.inertia + 0.5 * (bent + bent.transpose() - (self.inertia * self.w).cross_matrix())
    }
}

/// The motion of all bodies from one configuration to another.
#[derive(Clone, Debug)]
pub struct HalfStep {
    mass: f64,
    bodies: Vec<BodyStep>,
}

impl HalfStep {
    /// Allocates for `model`.
    pub fn new(model: &Model) -> Self {
        HalfStep { mass: model.mass(), bodies: vec![BodyStep::default(); model.bodies.len()] }
    }

    /// Mass of all bodies, kg.
    pub(crate) fn mass(&self) -> f64 {
        self.mass
    }

    /// Sets the initial poses, `from`, at q.
    pub fn begin(&mut self, model: &Model, from: &Kinematics) {
        let mut moment = Vector3::zeros();
        for (index, step) in self.bodies.iter_mut().enumerate() {
            let (own, rotation) = (&model.bodies[index].inertia, &from.rotation[index]);
            step.mass = own.mass;
            step.centre = from.point(BodyId(index), &own.centre);
            step.inertia = rotation * own.about_centre * rotation.transpose();
            moment += step.centre * step.mass;
        }
        let com = moment / self.mass;
        self.bodies.iter_mut().for_each(|step| step.arm = step.centre - com);
    }

    /// Sets the final poses, `to`, at q⁺. Returns h L about the centre of mass, kg m², and h P, kg m; world
    /// axes.
    pub fn end(&mut self, model: &Model, from: &Kinematics, to: &Kinematics) -> Force {
        let mut impulse = Force::default();
        for (index, step) in self.bodies.iter_mut().enumerate() {
            let turn = to.rotation[index] * from.rotation[index].transpose();
            step.turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
            step.way = to.point(BodyId(index), &model.bodies[index].inertia.centre) - step.centre;
            step.w = step.turn.scaled_axis();
            let spin = step.spin(&step.turn, &step.w);
            impulse += Force::new(spin + step.arm.cross(&step.way) * step.mass, step.way * step.mass);
        }
        impulse
    }

    /// The rotation Q of the whole body at its end, about its centre of mass, that changes h L from `reached`
    /// to `wanted` (kg m²): Newton's method in three unknowns, in chord form.
    pub(crate) fn turn_to(&self, reached: &Vector3<f64>, wanted: &Vector3<f64>) -> UnitQuaternion<f64> {
        // Σ m s rᵀ, of h L's part Σ r × m Q s; by Σ m r = 0, s = x⁺ − c can replace x⁺ − c⁺.
        let spread: Matrix3<f64> =
            self.bodies.iter().map(|step| (step.arm + step.way) * step.arm.transpose() * step.mass).sum();
        let spins: Matrix3<f64> = self.bodies.iter().map(BodyStep::spin_derivative).sum();
        let Some(inverse) = (spins - double_cross(&spread)).try_inverse() else {
            return UnitQuaternion::identity();
        };
        let mut whole = UnitQuaternion::identity();
        let mut missing = wanted - reached;
        for _ in 0..MOST_TURNS {
            let turn = inverse * missing;
            whole = UnitQuaternion::from_scaled_axis(turn) * whole;
            if turn.norm() < SMALL_TURN {
                break;
            }
            missing = wanted - axial(&(whole.to_rotation_matrix().matrix() * spread));
            for step in &self.bodies {
                let turn = whole * step.turn;
                missing -= step.spin(&turn, &turn.scaled_axis());
            }
        }
        whole
    }
}

/// Σ r × s, from Σ s rᵀ.
fn axial(sum: &Matrix3<f64>) -> Vector3<f64> {
    Vector3::new(sum[(2, 1)] - sum[(1, 2)], sum[(0, 2)] - sum[(2, 0)], sum[(1, 0)] - sum[(0, 1)])
}

/// Σ [r]× [s]×, from Σ s rᵀ.
fn double_cross(sum: &Matrix3<f64>) -> Matrix3<f64> {
    sum - Matrix3::from_diagonal_element(sum.trace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::momentum::{centroidal_momentum, com};
    use crate::dynamics::random_tree::{Sample, tree};
    use crate::model::state::integrate;
    use proptest::prelude::*;

    /// L and P of the motion between two poses.
    fn momentum(model: &Model, from: &Kinematics, to: &Kinematics, dt: f64) -> Force {
        let mut half = HalfStep::new(model);
        half.begin(model, from);
        half.end(model, from, to) * (1.0 / dt)
    }

    fn at(model: &Model, sample: &Sample, time: f64) -> Kinematics {
        let step: Vec<f64> = sample.v.iter().map(|rate| rate * time).collect();
        let (mut q, mut kinematics) = (vec![0.0; model.nq], Kinematics::new(model));
        integrate(model, &sample.q, &step, &mut q);
        kinematics.update(model, &q, &sample.v);
        kinematics
    }

    fn largest(force: &Force) -> f64 {
        force.moment.amax().max(force.force.amax())
    }

    proptest! {
        #[test]
        fn over_a_short_time_they_are_the_momenta_of_a_moving_body((model, sample) in tree()) {
            let momenta = centroidal_momentum(&at(&model, &sample, 0.0));
            let (from, to) = (at(&model, &sample, -5e-5), at(&model, &sample, 5e-5));
            let error = momentum(&model, &from, &to, 1e-4) - momenta;
            prop_assert!(largest(&error) < 1e-5 * largest(&momenta).max(1.0), "{error:?}");
        }

        #[test]
        fn the_turn_of_the_whole_is_found_again_from_its_angular_momentum(
            (model, sample) in tree(),
            phi in [-0.1..0.1, -0.1..0.1, -0.1..0.1],
        ) {
            let (from, to) = (at(&model, &sample, 0.0), at(&model, &sample, 0.01));
            let turn = UnitQuaternion::from_scaled_axis(Vector3::from(phi));
            let (matrix, pivot) = (*turn.to_rotation_matrix().matrix(), com(&to));
            let mut turned = to.clone();
            turned.position.iter_mut().for_each(|position| *position = pivot + matrix * (*position - pivot));
            turned.rotation.iter_mut().for_each(|rotation| *rotation = matrix * *rotation);
            let mut half = HalfStep::new(&model);
            half.begin(&model, &from);
            let wanted = half.end(&model, &from, &turned);
            let reached = half.end(&model, &from, &to);
            prop_assert!((wanted.force - reached.force).norm() < 1e-12, "it moves nothing");
            let found = half.turn_to(&reached.moment, &wanted.moment);
            prop_assert!(found.angle_to(&turn) < 1e-7, "{found} {turn}");
            turned.clone_from(&to);
            let matrix = *found.to_rotation_matrix().matrix();
            turned.position.iter_mut().for_each(|position| *position = pivot + matrix * (*position - pivot));
            turned.rotation.iter_mut().for_each(|rotation| *rotation = matrix * *rotation);
            let error = half.end(&model, &from, &turned).moment - wanted.moment;
            // The last correction is below SMALL_TURN. Its relative error is up to a tenth, the rotation in rad since
            // its derivative was taken; the inertia is ten times the momentum of a rotation by a tenth of a radian.
            prop_assert!(error.norm() < SMALL_TURN * (1.0 + wanted.moment.norm()), "{error}");
        }
    }
}
