//! Cubic splines through points of space: cubics whose second derivative is continuous where they meet [de
//! Boor 1978, ch. IV].
//!
//! There are two representations. [`rates`] gives the rates at the keys, for
//! [`KeyInterval::cubic`](super::interpolation::KeyInterval::cubic), at rest at both ends; a [`Spline`] is written in
//! its second derivatives at the knots, which are zero at free ends.

use nalgebra::{DMatrix, Vector3};

/// Rates at increasing keys of the spline through these values: zero at both ends, or periodic for three keys
/// or more whose last value is the first.
pub fn rates(keys: &[f64], values: &[Vector3<f64>], goes_round: bool) -> Vec<Vector3<f64>> {
    let last = keys.len() - 1;
    let (mut matrix, mut right) = (DMatrix::identity(last + 1, last + 1), DMatrix::zeros(last + 1, 3));
    // The second derivative that ends one span begins the next.
    let mut join = |row: usize, before: usize, after: usize| {
        let [h0, h1] = [before, after].map(|span| keys[span + 1] - keys[span]);
        let [d0, d1] = [before, after].map(|span| values[span + 1] - values[span]);
        matrix.row_mut(row).fill(0.0);
        matrix[(row, before)] += 1.0 / h0;
        matrix[(row, row)] += 2.0 / h0 + 2.0 / h1;
        matrix[(row, after + 1)] += 1.0 / h1;
        right.row_mut(row).copy_from(&((d0 / (h0 * h0) + d1 / (h1 * h1)) * 3.0).transpose());
    };
    (1..last).for_each(|key| join(key, key - 1, key));
    if goes_round {
        join(0, last - 1, 0);
        matrix[(last, 0)] = -1.0;
    }
    let solved = matrix.lu().solve(&right).unwrap_or_else(|| DMatrix::zeros(last + 1, 3));
    solved.row_iter().map(|row| Vector3::new(row[0], row[1], row[2])).collect()
}

/// A cubic spline over increasing knots.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    is_closed: bool,
    knots: Vec<f64>,
    values: Vec<Vector3<f64>>,
    /// Second derivative at each knot.
    bends: Vec<Vector3<f64>>,
}

impl Spline {
    /// The spline through these values, at least two and one per knot, with zero second derivative at its
    /// ends. Beyond its ends it continues linearly.
    #[doc(alias = "natural spline")]
    pub fn natural(knots: Vec<f64>, values: Vec<Vector3<f64>>) -> Self {
        let bends = bends(&knots, &values, false);
        Spline { is_closed: false, knots, values, bends }
    }

    /// The periodic spline through these values, at least three and one per knot, of which the last equals
    /// the first. The first knot is 0.
    #[doc(alias = "periodic spline")]
    pub fn closed(knots: Vec<f64>, values: Vec<Vector3<f64>>) -> Self {
        let bends = bends(&knots, &values, true);
        Spline { is_closed: true, knots, values, bends }
    }

    /// The parameters at which the spline has the given values.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// The last knot.
    pub fn end(&self) -> f64 {
        self.knots[self.knots.len() - 1]
    }

    /// Value and its first two derivatives.
    pub fn at(&self, parameter: f64) -> [Vector3<f64>; 3] {
        let last = self.knots.len() - 1;
        let end = self.knots[last];
        let s = if self.is_closed { parameter.rem_euclid(end) } else { parameter };
        let k = self.knots.partition_point(|knot| *knot <= s).clamp(1, last) - 1;
        let h = self.knots[k + 1] - self.knots[k];
        let (p, q) = (self.values[k], self.values[k + 1]);
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

/// Second derivatives at the knots, for which the first derivative is continuous; zero at free ends.
fn bends(knots: &[f64], values: &[Vector3<f64>], closed: bool) -> Vec<Vector3<f64>> {
    let count = knots.len();
    let mut matrix = DMatrix::zeros(count, count);
    let mut right = DMatrix::zeros(count, 3);
    let h = |k: usize| knots[k + 1] - knots[k];
    let slope = |k: usize| (values[k + 1] - values[k]) / h(k);
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
    // Diagonally dominant except for the row that equates the ends of a closed spline.
    let solved = matrix.lu().solve(&right).unwrap_or_else(|| DMatrix::zeros(count, 3));
    (0..count).map(|k| Vector3::new(solved[(k, 0)], solved[(k, 1)], solved[(k, 2)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpolation::{KeyPosition, place};

    const KNOTS: [f64; 4] = [0.0, 1.0, 2.5, 3.0];

    fn values(closed: bool) -> Vec<Vector3<f64>> {
        let first = Vector3::new(0.0, 1.0, 0.0);
        let last = if closed { first } else { Vector3::new(3.0, -1.0, 1.0) };
        vec![first, Vector3::new(1.0, 2.0, 0.5), Vector3::new(2.0, 0.0, -1.0), last]
    }

    #[test]
    fn it_goes_through_its_values_without_a_jump_in_its_curvature() {
        let splines =
            [Spline::natural(KNOTS.into(), values(false)), Spline::closed(KNOTS.into(), values(true))];
        for spline in splines {
            for (knot, value) in KNOTS.iter().zip(&spline.values).take(3) {
                assert!((spline.at(*knot)[0] - value).norm() < 1e-12);
            }
            for knot in &KNOTS[1..3] {
                let [before, after] = [-1e-9, 1e-9].map(|off| spline.at(knot + off));
                (0..3).for_each(|order| assert!((before[order] - after[order]).norm() < 1e-7));
            }
        }
    }

    #[test]
    fn its_derivatives_are_those_of_its_values() {
        let spline = Spline::natural(KNOTS.into(), values(false));
        let h = 1e-6;
        for s in [-0.5, 0.3, 1.7, 2.9, 3.4] {
            let [[before, slope_before, _], [_, slope, bend], [after, slope_after, _]] =
                [-h, 0.0, h].map(|off| spline.at(s + off));
            assert!(((after - before) / (2.0 * h) - slope).norm() < 1e-7);
            assert!(((slope_after - slope_before) / (2.0 * h) - bend).norm() < 1e-7);
        }
    }

    #[test]
    fn a_natural_spline_ends_straight_and_a_closed_one_goes_round() {
        let natural = Spline::natural(KNOTS.into(), values(false));
        assert!(natural.at(0.0)[2].norm() < 1e-12 && natural.at(natural.end())[2].norm() < 1e-12);
        let closed = Spline::closed(KNOTS.into(), values(true));
        let [before, after] = [-1e-9, 1e-9].map(|off| closed.at(closed.end() + off));
        (0..3).for_each(|order| assert!((before[order] - after[order]).norm() < 1e-7));
        assert!((closed.at(0.4)[0] - closed.at(0.4 + closed.end())[0]).norm() < 1e-12);
    }

    #[test]
    fn both_bases_are_one_spline_where_it_goes_round() {
        let values = values(true);
        let (slopes, spline) = (rates(&KNOTS, &values, true), Spline::closed(KNOTS.into(), values.clone()));
        for k in 0..30 {
            let s = 0.1 * f64::from(k);
            let KeyPosition::Between(span) = place(&KNOTS, s) else { unreachable!("it is between") };
            for (found, wanted) in span.cubic(&values, &slopes).iter().zip(spline.at(s)) {
                assert!((found - wanted).norm() < 1e-12, "{found} {wanted} at {s}");
            }
        }
    }
}
