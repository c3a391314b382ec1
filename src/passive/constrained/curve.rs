//! Curves that a bead can be threaded on.

use nalgebra::{DMatrix, UnitQuaternion, Vector3};
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
        /// m
        radius: f64,
        /// m/rad; 0 for a circle
        rise: f64,
    },
    /// A smooth curve through points.
    Wire(Wire),
}

/// A wire through given points, with curvature that changes steadily: a cubic spline over the lengths of chords. An open
/// one goes on straight beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    closed: bool,
    /// Parameter at each point; of a closed wire also of the return to the first.
    knots: Vec<f64>,
    places: Vec<Vector3<f64>>,
    /// γ'' at each.
    bends: Vec<Vector3<f64>>,
}

/// Why points make no wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// The wire has too few points.
    #[error("a wire needs at least {least} points, not {given}")]
    TooFew {
        /// Least number of points.
        least: usize,
        /// Number of points given.
        given: usize,
    },
    /// Two consecutive points coincide.
    #[error("points {first} and the next of the wire are at one place, or not finite")]
    Repeated {
        /// Index of the first of the two.
        first: usize,
    },
}

impl Wire {
    /// Through these points (m), and back to the first if it is closed.
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
        let bends = bends(&knots, &places, closed);
        Ok(Wire { closed, knots, places, bends })
    }

    /// Length of its chords together, which is the parameter of its end, m.
    pub fn length(&self) -> f64 {
        self.knots[self.knots.len() - 1]
    }

    fn at(&self, parameter: f64) -> [Vector3<f64>; 3] {
        let last = self.knots.len() - 1;
        let end = self.knots[last];
        let s = if self.closed { parameter.rem_euclid(end) } else { parameter };
        let k = self.knots.partition_point(|knot| *knot <= s).clamp(1, last) - 1;
        let h = self.knots[k + 1] - self.knots[k];
        let (p, q) = (self.places[k], self.places[k + 1]);
        let (m, n) = (self.bends[k], self.bends[k + 1]);
        let within = s.clamp(0.0, end);
        let (b, a) = ((within - self.knots[k]) / h, (self.knots[k + 1] - within) / h);
        let place = a * p + b * q + (h * h / 6.0) * ((a * a * a - a) * m + (b * b * b - b) * n);
        let slope = (q - p) / h + (h / 6.0) * ((1.0 - 3.0 * a * a) * m + (3.0 * b * b - 1.0) * n);
        if within == s {
            [place, slope, a * m + b * n]
        } else {
            [place + (s - within) * slope, slope, Vector3::zeros()]
        }
    }
}

/// Second derivatives at the knots: those for which the first derivative has no jump, zero at free ends.
fn bends(knots: &[f64], places: &[Vector3<f64>], closed: bool) -> Vec<Vector3<f64>> {
    let count = knots.len();
    let mut matrix = DMatrix::zeros(count, count);
    let mut right = DMatrix::zeros(count, 3);
    let h = |k: usize| knots[k + 1] - knots[k];
    let slope = |k: usize| (places[k + 1] - places[k]) / h(k);
    for k in 1..count - 1 {
        matrix[(k, k - 1)] = h(k - 1) / 6.0;
        matrix[(k, k)] = (h(k - 1) + h(k)) / 3.0;
        matrix[(k, k + 1)] = h(k) / 6.0;
        right.set_row(k, &(slope(k) - slope(k - 1)).transpose());
    }
    let last = count - 1;
    matrix[(0, 0)] = 1.0;
    if closed {
        matrix[(0, last)] = -1.0;
        matrix[(last, last - 1)] = h(last - 1) / 6.0;
        matrix[(last, last)] = h(last - 1) / 3.0;
        matrix[(last, 0)] = h(0) / 3.0;
        matrix[(last, 1)] += h(0) / 6.0;
        right.set_row(last, &(slope(0) - slope(last - 1)).transpose());
    } else {
        matrix[(last, last)] = 1.0;
    }
    // Diagonally dominant but for the row that says the ends of a closed wire are one.
    let solved = matrix.lu().solve(&right).unwrap_or_else(|| DMatrix::zeros(count, 3));
    (0..count).map(|k| Vector3::new(solved[(k, 0)], solved[(k, 1)], solved[(k, 2)])).collect()
}

impl Curve {
    /// γ and its first two derivatives at a parameter.
    pub fn at(&self, parameter: f64) -> [Vector3<f64>; 3] {
        match self {
            Curve::Wire(wire) => wire.at(parameter),
            Curve::Helix { origin, orientation, radius, rise } => {
                let (sin, cos) = parameter.sin_cos();
                let turn = |x: f64, y: f64, z: f64| orientation * Vector3::new(radius * x, radius * y, z);
                [origin + turn(cos, sin, rise * parameter), turn(-sin, cos, *rise), turn(-cos, -sin, 0.0)]
            }
        }
    }

    /// Parameter of the point nearest to a place: by Newton's method from `last`, or from the best of many.
    pub fn foot(&self, place: &Vector3<f64>, last: Option<f64>) -> f64 {
        let mut foot = last.unwrap_or_else(|| self.search(place));
        for _ in 0..20 {
            let [on, first, second] = self.at(foot);
            let off = place - on;
            let square = first.norm_squared();
            // Far from the curve, past its centre, the nearest point is not where Newton's method leads.
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
                let count = 8 * wire.knots.len();
                let end = wire.knots[wire.knots.len() - 1];
                nearest(&mut (0..=count).map(|k| end * k as f64 / count as f64))
            }
            Curve::Helix { origin, orientation, rise, .. } => {
                let local = orientation.inverse_transform_vector(&(place - origin));
                let angle = local.y.atan2(local.x);
                let turn = std::f64::consts::TAU;
                let turns = if *rise == 0.0 { 0.0 } else { ((local.z / rise - angle) / turn).round() };
                nearest(&mut (-8..=8).map(|k| angle + turns * turn + turn * f64::from(k) / 16.0))
            }
        }
    }
}
