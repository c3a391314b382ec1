//! Curves that a bead can be threaded on.

use aplomb_math::elementary::{atan2, sincos};
use aplomb_math::spline::Spline;
use nalgebra::{UnitQuaternion, Vector3};
use thiserror::Error;

/// A curve γ(s), world.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// γ = origin + orientation (r cos s, r sin s, rise s), s in rad.
    Helix {
        /// Origin of the helix, m, world axes.
        origin: Vector3<f64>,
        /// Rotation of the helix's own axes to world axes.
        orientation: UnitQuaternion<f64>,
        /// Radius r, m.
        radius: f64,
        /// Rise along the axis, m/rad; 0 for a circle.
        rise: f64,
    },
    /// A smooth curve through points.
    Wire(Wire),
}

/// A wire through given points, with piecewise linear second derivative: a cubic spline over the lengths of
/// chords. An open wire continues straight beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Spline over the length of chords, m; of a closed wire including the chord back to the first point.
    spline: Spline,
}

/// Why points do not form a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// The wire has too few points.
    #[error("a wire needs at least {least} points, not {given}")]
    TooFew {
        /// Smallest number of points.
        least: usize,
        /// Number of points given.
        given: usize,
    },
    /// Two consecutive points coincide.
    #[error("points {first} and the next of the wire coincide, or are not finite")]
    Repeated {
        /// Index of the first of the two.
        first: usize,
    },
}

impl Wire {
    /// A wire through these points (m), and back to the first if it is closed.
    ///
    /// # Errors
    ///
    /// If there are too few points, or two consecutive ones coincide.
    pub fn new(points: &[Vector3<f64>], closed: bool) -> Result<Wire, WireError> {
        let least = if closed { 3 } else { 2 };
        if points.len() < least {
            return Err(WireError::TooFew { least, given: points.len() });
        }
        let mut places = points.to_vec();
        if closed {
            places.push(points[0]);
        }
        let mut knots = vec![0.0];
        for (first, pair) in places.windows(2).enumerate() {
            let chord = (pair[1] - pair[0]).norm();
            if !(chord > 0.0 && chord.is_finite()) {
                return Err(WireError::Repeated { first });
            }
            knots.push(knots[first] + chord);
        }
        let spline = if closed { Spline::closed(knots, places) } else { Spline::natural(knots, places) };
        Ok(Wire { spline })
    }

    /// Total length of its chords, which is the parameter of its end, m.
    pub(crate) fn length(&self) -> f64 {
        self.spline.end()
    }
}

impl Curve {
    /// γ and its first two derivatives at a parameter.
    pub fn at(&self, parameter: f64) -> [Vector3<f64>; 3] {
        match self {
            Curve::Wire(wire) => wire.spline.at(parameter),
            Curve::Helix { origin, orientation, radius, rise } => {
                let (sin, cos) = sincos(parameter);
                let turn = |x: f64, y: f64, z: f64| orientation * Vector3::new(radius * x, radius * y, z);
                [origin + turn(cos, sin, rise * parameter), turn(-sin, cos, *rise), turn(-cos, -sin, 0.0)]
            }
        }
    }

    /// Parameter of the point nearest to a position: by Newton's method from `last`, or from the best of many
    /// samples.
    pub fn foot(&self, place: &Vector3<f64>, last: Option<f64>) -> f64 {
        let mut foot = last.unwrap_or_else(|| self.search(place));
        for _ in 0..20 {
            let [on, first, second] = self.at(foot);
            let off = place - on;
            let square = first.norm_squared();
            // Far from the curve, beyond its centre of curvature, Newton's method does not lead to the
            // nearest point.
            let curvature = (square - off.dot(&second)).max(0.1 * square);
            let change = first.dot(&off) / curvature;
            foot += change;
            if change.abs() * square.sqrt() <= 1e-14 * (1.0 + on.norm()) {
                break;
            }
        }
        foot
    }

    fn search(&self, place: &Vector3<f64>) -> f64 {
        let nearest = |candidates: &mut dyn Iterator<Item = f64>| {
            let distance = |s: f64| (self.at(s)[0] - place).norm_squared();
            candidates.min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or(0.0)
        };
        match self {
            Curve::Wire(wire) => {
                let (count, end) = (8 * wire.spline.knots().len(), wire.length());
                nearest(&mut (0..=count).map(|k| end * k as f64 / count as f64))
            }
            Curve::Helix { origin, orientation, rise, .. } => {
                let local = orientation.inverse_transform_vector(&(place - origin));
                let angle = atan2(local.y, local.x);
                let turn = std::f64::consts::TAU;
                let turns = if *rise == 0.0 { 0.0 } else { ((local.z / rise - angle) / turn).round() };
                nearest(&mut (-8..=8).map(|k| angle + turns * turn + turn * f64::from(k) / 16.0))
            }
        }
    }
}
