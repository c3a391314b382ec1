//! Convex polygons on the ground: the support polygon and distances to it.

use super::nearest_on_segment;
use nalgebra::Vector2;

/// A convex polygon, corners counter-clockwise; with fewer than three corners a segment, a point or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    corners: Vec<Vector2<f64>>,
    /// Input of the hull, kept to reuse its memory.
    points: Vec<Vector2<f64>>,
}

impl Polygon {
    /// Becomes the convex hull of `points` (m), by a monotone chain; ties are broken by coordinates.
    pub fn set_hull(&mut self, points: impl Iterator<Item = Vector2<f64>>) {
        self.points.clear();
        self.points.extend(points);
        self.points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        self.points.dedup_by(|a, b| (*a - *b).norm_squared() < 1e-12);
        self.corners.clear();
        if self.points.len() < 3 {
            self.corners.extend_from_slice(&self.points);
            return;
        }
        // The first point is appended once more and then removed.
        self.corners.reserve(self.points.len() + 1);
        half_hull(&mut self.corners, self.points.iter());
        let lower = self.corners.len();
        let upper_start = lower - 1;
        half_hull_from(&mut self.corners, upper_start, self.points.iter().rev().skip(1));
        self.corners.pop();
    }

    /// Corners, counterclockwise, m.
    pub fn corners(&self) -> &[Vector2<f64>] {
        &self.corners
    }

    /// Area, m².
    pub fn area(&self) -> f64 {
        // Rounding can make the area of a thin polygon far from the origin slightly negative.
        self.edges().map(|(a, b)| 0.5 * a.perp(&b)).sum::<f64>().max(0.0)
    }

    /// Centroid of the area; of the corners if the area is zero. `None` without corners.
    pub fn centre(&self) -> Option<Vector2<f64>> {
        let first = *self.corners.first()?;
        let area = self.area();
        if area < 1e-8 {
            return Some(self.corners.iter().sum::<Vector2<f64>>() / self.corners.len() as f64);
        }
        // Relative to the first corner, to keep digits far from the origin.
        let moment: Vector2<f64> = self
            .edges()
            .map(|(a, b)| {
                let (a, b) = (a - first, b - first);
                (a + b) * (a.perp(&b) / 6.0)
            })
            .sum();
        Some(first + moment / area)
    }

    /// Distance of a point to the boundary, m: positive inside, negative outside, −∞ without corners.
    pub fn margin(&self, point: &Vector2<f64>) -> f64 {
        if self.corners.is_empty() {
            return f64::NEG_INFINITY;
        }
        let nearest = (self.closest(point) - point).norm();
        let inside = self.corners.len() >= 3 && self.edges().all(|(a, b)| (b - a).perp(&(point - a)) >= 0.0);
        if inside { nearest } else { -nearest }
    }

    /// The boundary point nearest to `point`; `point` itself without corners.
    pub fn closest(&self, point: &Vector2<f64>) -> Vector2<f64> {
        let mut best = (f64::INFINITY, *point);
        for (a, b) in self.edges() {
            let candidate = nearest_on_segment([&a, &b], point);
            let distance = (candidate - point).norm_squared();
            if distance < best.0 {
                best = (distance, candidate);
            }
        }
        best.1
    }

    fn edges(&self) -> impl Iterator<Item = (Vector2<f64>, Vector2<f64>)> + '_ {
        let n = self.corners.len();
        (0..n).map(move |k| (self.corners[k], self.corners[(k + 1) % n]))
    }
}

fn half_hull<'a>(hull: &mut Vec<Vector2<f64>>, points: impl Iterator<Item = &'a Vector2<f64>>) {
    half_hull_from(hull, 0, points);
}

/// Extends a hull whose corners before `start` are final.
fn half_hull_from<'a>(
    hull: &mut Vec<Vector2<f64>>,
    start: usize,
    points: impl Iterator<Item = &'a Vector2<f64>>,
) {
    for point in points {
        while hull.len() >= start + 2 {
            let (a, b) = (hull[hull.len() - 2], hull[hull.len() - 1]);
            if (b - a).perp(&(point - a)) > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(*point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_square_with_an_inner_point_is_the_square() {
        let mut polygon = Polygon::default();
        let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.0, 2.0], [1.0, 0.0]];
        polygon.set_hull(points.iter().map(|p| Vector2::new(p[0], p[1])));
        assert_eq!(polygon.corners().len(), 4);
        assert!((polygon.area() - 4.0).abs() < 1e-15);
        assert_eq!(polygon.centre(), Some(Vector2::new(1.0, 1.0)));
        assert!((polygon.margin(&Vector2::new(0.5, 1.0)) - 0.5).abs() < 1e-15);
        assert!((polygon.margin(&Vector2::new(3.0, 3.0)) + 2f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn a_segment_has_no_inside() {
        let mut polygon = Polygon::default();
        polygon.set_hull([[0.0, 0.0], [1.0, 0.0]].iter().map(|p| Vector2::new(p[0], p[1])));
        assert!((polygon.margin(&Vector2::new(0.5, 0.0))).abs() < 1e-15);
        assert!((polygon.margin(&Vector2::new(0.5, 0.2)) + 0.2).abs() < 1e-15);
    }
}
