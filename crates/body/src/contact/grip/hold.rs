//! Holds: points and bars that hands can grip, in the world, on an object or on a character.

use crate::model::BodyId;
use aplomb_language::expression::{Lookup, Set, Value, VectorValue};
use aplomb_math::geometry::nearest_on_segment;
use nalgebra::Vector3;
use serde::Deserialize;
use std::sync::Arc;

/// What a hold is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HoldKind {
    /// For hands only.
    Hand,
    /// For feet only.
    Foot,
    /// For hands and feet.
    #[default]
    Both,
}

/// The object or body that a hold is fixed to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Carrier {
    /// A passive object: index among its points that can be held.
    Object(usize),
    /// The body of a character.
    Character(BodyPoint),
}

/// A point of a character's body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPoint {
    /// Index of the character.
    pub character: usize,
    /// Body of the character.
    pub body: BodyId,
    /// Point in the body frame, m.
    pub local: Vector3<f64>,
}

/// Initial geometry of a hold, world axes, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HoldShape {
    /// A single point, world axes, m.
    Point(Vector3<f64>),
    /// A bar, which can be held anywhere between its ends.
    Bar {
        /// Ends of the bar's axis, world axes, m.
        ends: [Vector3<f64>; 2],
        /// Radius of the bar, m.
        radius: f64,
    },
}

impl HoldShape {
    /// The points that define its position, world axes, m.
    pub fn points(&self) -> impl Iterator<Item = Vector3<f64>> + use<> {
        let [a, b] = match *self {
            HoldShape::Point(position) => [position; 2],
            HoldShape::Bar { ends, .. } => ends,
        };
        [a, b].into_iter()
    }
}

/// A point or bar that can be gripped.
#[doc(alias = "foothold")]
#[doc(alias = "handhold")]
#[doc(alias = "grasp point")]
#[derive(Clone, Debug)]
pub struct Hold {
    /// Name in the scene.
    pub name: Arc<str>,
    /// Initial geometry.
    pub shape: HoldShape,
    /// Unit normal of the surface of a point, world; up for a bar.
    pub normal: Vector3<f64>,
    /// Coefficient of friction for a foot that stands on it.
    pub friction: f64,
    /// Radius of a point, m; a bar has the radius of its shape.
    pub thickness: f64,
    /// Which sites can grip it.
    pub kind: HoldKind,
    /// The object or body that it is fixed to; `None` for the world.
    pub carrier: Option<Carrier>,
    /// Displacement as a function of time, m.
    motion: Option<VectorValue>,
    /// Displacement now, m.
    displacement: Vector3<f64>,
    velocity: Vector3<f64>,
}

impl Hold {
    /// Radius of a point without one in its file, m: that of a handle.
    pub const USUAL_RADIUS: f64 = 0.02;

    /// Radius about its point or its axis, m.
    pub fn radius(&self) -> f64 {
        match self.shape {
            HoldShape::Point(_) => self.thickness,
            HoldShape::Bar { radius, .. } => radius,
        }
    }

    /// A fixed hold, or one that moves with `motion`, a function of time alone.
    pub fn new(name: &str, shape: HoldShape, motion: Option<VectorValue>) -> Self {
        Hold {
            name: name.into(),
            shape,
            normal: Vector3::z(),
            friction: 1.0,
            thickness: Hold::USUAL_RADIUS,
            kind: HoldKind::default(),
            carrier: None,
            motion,
            displacement: Vector3::zeros(),
            velocity: Vector3::zeros(),
        }
    }

    /// Index among the points of passive objects, if it is on one.
    pub fn on_object(&self) -> Option<usize> {
        match self.carrier {
            Some(Carrier::Object(attachment)) => Some(attachment),
            _ => None,
        }
    }

    /// The point of a character's body, if it is on one.
    pub fn on_character(&self) -> Option<BodyPoint> {
        match self.carrier {
            Some(Carrier::Character(point)) => Some(point),
            _ => None,
        }
    }

    /// The point of the hold, before its displacement, that is nearest to a world point now, m.
    pub fn nearest(&self, point: &Vector3<f64>) -> Vector3<f64> {
        match self.shape {
            HoldShape::Point(position) => position,
            HoldShape::Bar { ends: [a, b], .. } => nearest_on_segment([&a, &b], &(point - self.displacement)),
        }
    }

    /// The centre of the hold now, world, m.
    pub fn position(&self) -> Vector3<f64> {
        let middle = match self.shape {
            HoldShape::Point(position) => position,
            HoldShape::Bar { ends: [a, b], .. } => 0.5 * (a + b),
        };
        middle + self.displacement
    }

    /// Unit direction of a bar, from its first end to its second.
    pub fn direction(&self) -> Option<Vector3<f64>> {
        match self.shape {
            HoldShape::Point(_) => None,
            HoldShape::Bar { ends: [a, b], .. } => Some((b - a).normalize()),
        }
    }

    /// Whether it never moves.
    pub fn is_still(&self) -> bool {
        self.motion.is_none()
    }

    /// Displacement now, m.
    pub fn displacement(&self) -> Vector3<f64> {
        self.displacement
    }

    /// Mean velocity over the frame, m/s.
    pub fn velocity(&self) -> Vector3<f64> {
        self.velocity
    }

    /// Moves it to the position (m) of the point it is fixed to, with its velocity, m/s.
    pub fn carry(&mut self, position: &Vector3<f64>, velocity: &Vector3<f64>) {
        if let HoldShape::Point(rest) = self.shape {
            (self.displacement, self.velocity) = (position - rest, *velocity);
        }
    }

    /// Moves it to its position at `time`.
    pub(super) fn update(&mut self, time: f64, dt: f64) {
        if let Some(motion) = &self.motion {
            self.displacement = motion.value(&TimeScope(time));
            self.velocity = (motion.value(&TimeScope(time + dt)) - self.displacement) / dt;
        }
    }
}

/// The only quantity of its expression: time.
struct TimeScope(f64);

impl Lookup for TimeScope {
    fn quantity(&self, _: usize, _: &[Value]) -> Value {
        Value::Number(f64::NAN)
    }

    fn presence(&self, _: Set, _: usize) -> Option<bool> {
        None
    }

    fn time(&self) -> f64 {
        self.0
    }

    fn state_time(&self) -> f64 {
        self.0
    }
}
