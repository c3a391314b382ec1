//! Collisions between systems: poses, mobility and received impulses of the bodies of one system that another
//! collides with.
//!
//! Before each step the systems that can collide with bodies receive those of all other systems. The impulses
//! of that step act on the bodies as a force over the same step, so that total momentum is conserved.

use super::PartId;
use super::obstacle::Obstacle;
use aplomb_math::spatial::Force;
use nalgebra::{Matrix6, UnitQuaternion, Vector3, Vector6};

/// Response of a body to an impulse, including its joints.
#[doc(alias = "inverse inertia")]
#[doc(alias = "mobility")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobility {
    /// Reference point of moments and motions, world, m.
    pub about: Vector3<f64>,
    /// Change of angular velocity (rad/s), then of the velocity of the reference point (m/s), by a moment (N
    /// m s), then an impulse (N s); world axes.
    pub inverse_inertia: Matrix6<f64>,
}

/// A body of another system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingBody {
    /// Index of its system in the world.
    pub system: usize,
    /// Part of that system.
    pub part: PartId,
    /// Response to impulses.
    pub mobility: Mobility,
}

/// All bodies of systems that others can collide with, and their shapes.
#[derive(Clone, Debug, Default)]
pub struct Encounters {
    /// Bodies of all systems that have some.
    pub bodies: Vec<MovingBody>,
    /// Solids, each with the index of its body.
    pub solids: Vec<(Obstacle, usize)>,
    /// Spatial impulse on each body: moment of impulse about the world's origin, and impulse.
    pub received: Vec<Force>,
}

/// A body within a step, and the displacement that pushes in the step gave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pushed {
    mobility: Mobility,
    /// Rotation, rad; then displacement of the reference point, m.
    turn: Vector3<f64>,
    shift: Vector3<f64>,
}

impl Encounters {
    /// Removes bodies and solids, but keeps the received impulses.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.solids.clear();
    }
}

impl Mobility {
    /// Angular velocity and velocity of the reference point after a unit impulse along `way` at `point`.
    fn answer(&self, point: &Vector3<f64>, way: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let moment = (point - self.about).cross(way);
        let wrench = Vector6::new(moment.x, moment.y, moment.z, way.x, way.y, way.z);
        let twist = self.inverse_inertia * wrench;
        [twist.fixed_rows::<3>(0).into_owned(), twist.fixed_rows::<3>(3).into_owned()]
    }
}

impl Pushed {
    /// A body that has not been pushed yet.
    pub fn new(mobility: Mobility) -> Pushed {
        Pushed { mobility, turn: Vector3::zeros(), shift: Vector3::zeros() }
    }

    /// Displacement of its material point at a point, m.
    #[inline]
    pub fn moved(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.shift + self.turn.cross(&(point - self.mobility.about))
    }

    /// Displacement of the point along `way` by a push of one kg m along `way`.
    pub fn give(&self, point: &Vector3<f64>, way: &Vector3<f64>) -> f64 {
        let [turn, shift] = self.mobility.answer(point, way);
        way.dot(&(shift + turn.cross(&(point - self.mobility.about))))
    }

    /// Pushes the body at a point; kg m.
    pub fn push(&mut self, point: &Vector3<f64>, push: &Vector3<f64>) {
        let [turn, shift] = self.mobility.answer(point, push);
        self.turn += turn;
        self.shift += shift;
    }
}

impl Obstacle {
    /// The obstacle after it has moved for a time, s.
    pub fn ahead(&self, time: f64) -> Obstacle {
        let turn = UnitQuaternion::new(time * self.spin);
        let carry = |point: &Vector3<f64>| point + time * self.velocity_at(point);
        Obstacle { shape: self.shape.carried(carry, &turn), ..*self }
    }
}
