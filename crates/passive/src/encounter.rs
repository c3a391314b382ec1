//! Bodies of one system that another runs into: where they are, how they answer, what they received.
//!
//! Before each step the systems that run into bodies are told of all that others show. What they give in that step acts
//! on the bodies as a force over the same step, so that no momentum is lost or gained between systems.

use super::PartId;
use super::obstacle::Obstacle;
use aplomb_math::spatial::Force;
use nalgebra::{Matrix6, UnitQuaternion, Vector3, Vector6};

/// How a body answers an impulse, its joints included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobility {
    /// Point about which moments and turns count, world, m.
    pub about: Vector3<f64>,
    /// Change of the turning (rad/s), then of the velocity of that point (m/s), by a moment (N m s), then an impulse
    /// (N s); world axes.
    pub inverse_inertia: Matrix6<f64>,
}

/// A body that another system shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingBody {
    /// Its number among the systems of the world.
    pub system: usize,
    /// By which that system knows it.
    pub part: PartId,
    /// How it answers impulses.
    pub mobility: Mobility,
}

/// All bodies that are shown, and their shapes.
#[derive(Clone, Debug, Default)]
pub struct Encounters {
    /// Those of all systems that show some.
    pub bodies: Vec<MovingBody>,
    /// Each with the index of its body.
    pub solids: Vec<(Obstacle, usize)>,
    /// By each body: moment of impulse about the world's origin, and impulse.
    pub received: Vec<Force>,
}

/// A body within a step, and how far it was pushed in that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pushed {
    mobility: Mobility,
    /// rad, and of the point `about`, m.
    turn: Vector3<f64>,
    shift: Vector3<f64>,
}

impl Encounters {
    /// Forgets what was shown, not what it received.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.solids.clear();
    }
}

impl Mobility {
    /// Turning and velocity of the point `about` after a unit impulse along `way` at `point`.
    fn answer(&self, point: &Vector3<f64>, way: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let moment = (point - self.about).cross(way);
        let wrench = Vector6::new(moment.x, moment.y, moment.z, way.x, way.y, way.z);
        let twist = self.inverse_inertia * wrench;
        [twist.fixed_rows::<3>(0).into_owned(), twist.fixed_rows::<3>(3).into_owned()]
    }
}

impl Pushed {
    /// A body that was not pushed yet.
    pub fn new(mobility: Mobility) -> Pushed {
        Pushed { mobility, turn: Vector3::zeros(), shift: Vector3::zeros() }
    }

    /// How far its material at a point was pushed, m.
    #[inline]
    pub fn moved(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.shift + self.turn.cross(&(point - self.mobility.about))
    }

    /// How far a push of one kg m along `way` moves the point that way, m.
    pub fn give(&self, point: &Vector3<f64>, way: &Vector3<f64>) -> f64 {
        let [turn, shift] = self.mobility.answer(point, way);
        way.dot(&(shift + turn.cross(&(point - self.mobility.about))))
    }

    /// Pushes it at a point; kg m.
    pub fn push(&mut self, point: &Vector3<f64>, push: &Vector3<f64>) {
        let [turn, shift] = self.mobility.answer(point, push);
        self.turn += turn;
        self.shift += shift;
    }
}

impl Obstacle {
    /// As it is after it has moved on for a time, s.
    pub fn ahead(&self, time: f64) -> Obstacle {
        let turn = UnitQuaternion::new(time * self.spin);
        let carry = |point: &Vector3<f64>| point + time * self.velocity_at(point);
        Obstacle { shape: self.shape.carried(carry, &turn), ..*self }
    }
}
