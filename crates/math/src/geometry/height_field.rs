//! Height fields: heights on a grid of lines, with two triangles in each cell, solid below.

use super::SignedDistance;
use crate::elementary::hypot;
use nalgebra::Vector3;
use std::ops::Range;

/// Nearer than this to an edge or a corner of the ground, the outward direction is the normal of an adjacent
/// triangle, m.
const AT_EDGE: f64 = 1e-9;
/// An edge is a ridge where the ground on its far side falls by more than this slope, m/m.
const RIDGE: f64 = 1e-6;
/// Depth of the columns below the lowest point, m.
const COLUMN: f64 = 0.05;
/// Half of the width below which a cell is the riser of a step rather than ground, m.
const THIN: f64 = 2e-3;

/// Why a height field is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeightFieldError {
    /// Fewer than two lines along an axis, or lines that do not increase.
    Lines,
    /// The number of heights is not the number of crossings.
    Count {
        /// Number of crossings of two lines.
        crossings: usize,
        /// Number of heights that were given.
        heights: usize,
    },
    /// A number that is not finite.
    NotFinite,
}

/// A height field over a rectangle in its own frame: heights at the crossings of lines of constant x and
/// lines of constant y, m. Each cell has two triangles, divided by the diagonal from its low corner to its
/// high one. Everything below is solid, without a lower end; the sides of the rectangle are walls.
#[doc(alias = "heightmap")]
#[doc(alias = "terrain")]
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    /// Heights row by row, beginning with the first line of constant y, m.
    heights: Vec<f64>,
    /// For each crossing, whether each edge that begins there is a ridge.
    pub(super) ridges: Vec<[bool; 3]>,
    pub(super) highest: f64,
}

/// Offset to the other end of an edge that begins at a crossing: along x, along y, and across the cell.
pub(super) const EDGES: [[usize; 2]; 3] = [[1, 0], [0, 1], [1, 1]];

impl HeightField {
    /// A height field with heights (m) row by row, beginning with the first `y`, over increasing lines (m).
    ///
    /// # Errors
    /// Fewer than two lines, lines out of order, another number of heights, and numbers that are not finite.
    pub fn new(x: Vec<f64>, y: Vec<f64>, heights: Vec<f64>) -> Result<Self, HeightFieldError> {
        let follow = |lines: &[f64]| lines.len() >= 2 && lines.windows(2).all(|pair| pair[0] < pair[1]);
        if [&x, &y, &heights].iter().any(|list| list.iter().any(|number| !number.is_finite())) {
            return Err(HeightFieldError::NotFinite);
        }
        if !follow(&x) || !follow(&y) {
            return Err(HeightFieldError::Lines);
        }
        let crossings = x.len() * y.len();
        if heights.len() != crossings {
            return Err(HeightFieldError::Count { crossings, heights: heights.len() });
        }
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut field = HeightField { x, y, heights, ridges: vec![[false; 3]; crossings], highest };
        for row in 0..field.y.len() {
            for column in 0..field.x.len() {
                let ridges = std::array::from_fn(|edge| field.is_ridge([column, row], edge));
                let at = field.index([column, row]);
                field.ridges[at] = ridges;
            }
        }
        Ok(field)
    }

    /// Lines of constant x and of constant y, m.
    pub fn lines(&self) -> [&[f64]; 2] {
        [&self.x, &self.y]
    }

    /// The greatest height, m.
    pub fn highest(&self) -> f64 {
        self.highest
    }

    /// Heights row by row, beginning with the first line of constant y, m.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// Whether any edge is a ridge, which shapes can touch between their corners.
    pub fn has_ridges(&self) -> bool {
        self.ridges.iter().flatten().any(|ridge| *ridge)
    }

    /// The ground as triangles, for drawing: corners (m), and three indices for each triangle,
    /// counter-clockwise from above.
    pub(crate) fn triangles(&self) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
        let (columns, rows) = (self.x.len(), self.y.len());
        let crossings = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let corners = crossings.map(|at| self.corner(at)).collect();
        let mut triangles = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let [a, b, c, d] = [[0, 0], [1, 0], [1, 1], [0, 1]]
                    .map(|[right, up]| self.index([column + right, row + up]) as u32);
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        (corners, triangles)
    }

    /// The ground as boxes, for programs without height fields: centre and half-lengths, m, of a column under
    /// each cell, as high as the mean of its corners.
    pub fn columns(&self) -> impl Iterator<Item = (Vector3<f64>, Vector3<f64>)> + '_ {
        let lowest = self.heights.iter().copied().fold(f64::INFINITY, f64::min) - COLUMN;
        let cells =
            (0..self.y.len() - 1).flat_map(|row| (0..self.x.len() - 1).map(move |column| [column, row]));
        cells.filter_map(move |cell| {
            let [a, b, c, d] = self.corners(cell);
            let half = 0.5 * Vector3::new(c.x - a.x, c.y - a.y, 0.25 * (a.z + b.z + c.z + d.z) - lowest);
            let middle = Vector3::new(0.5 * (a.x + c.x), 0.5 * (a.y + c.y), lowest + half.z);
            (half.x > THIN && half.y > THIN).then_some((middle, half))
        })
    }

    pub(super) fn index(&self, [column, row]: [usize; 2]) -> usize {
        row * self.x.len() + column
    }

    pub(super) fn corner(&self, at: [usize; 2]) -> Vector3<f64> {
        Vector3::new(self.x[at[0]], self.y[at[1]], self.heights[self.index(at)])
    }

    /// Corners of the cell that begins at a crossing, counter-clockwise.
    fn corners(&self, [column, row]: [usize; 2]) -> [Vector3<f64>; 4] {
        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[right, up]| self.corner([column + right, row + up]))
    }

    /// The cell over or under a point; `None` outside the rectangle.
    fn cell(&self, x: f64, y: f64) -> Option<[usize; 2]> {
        let find = |lines: &[f64], at: f64| {
            let last = lines.len() - 1;
            (lines[0] <= at && at <= lines[last])
                .then(|| lines.partition_point(|line| *line <= at).clamp(1, last) - 1)
        };
        Some([find(&self.x, x)?, find(&self.y, y)?])
    }

    /// The triangle over or under a point.
    fn triangle(&self, x: f64, y: f64) -> Option<[Vector3<f64>; 3]> {
        let [a, b, c, d] = self.corners(self.cell(x, y)?);
        let (right, up) = ((x - a.x) / (b.x - a.x), (y - a.y) / (d.y - a.y));
        Some(if right >= up { [a, b, c] } else { [a, c, d] })
    }

    /// Height of the ground at a point (m) and its unit normal; `None` outside the rectangle.
    pub fn top(&self, x: f64, y: f64) -> Option<(f64, Vector3<f64>)> {
        let [a, b, c] = self.triangle(x, y)?;
        let normal = (b - a).cross(&(c - a));
        let height = a.z - (normal.x * (x - a.x) + normal.y * (y - a.y)) / normal.z;
        Some((height, normal.normalize()))
    }

    /// Signed distance of a point from the ground, negative below it, m, with the outward normal; `None`
    /// where the point is farther than `reach` above or beside it.
    pub fn distance(&self, point: &Vector3<f64>, reach: f64) -> Option<SignedDistance> {
        if point.z - self.highest > reach {
            return None;
        }
        let last = |lines: &[f64]| lines[lines.len() - 1];
        let beside = Vector3::new(
            point.x.clamp(self.x[0], last(&self.x)),
            point.y.clamp(self.y[0], last(&self.y)),
            point.z,
        );
        let (height, normal) = self.top(beside.x, beside.y)?;
        let away = point - beside;
        let outside = away.norm();
        if outside > 0.0 && point.z <= height {
            return (outside <= reach).then(|| SignedDistance { distance: outside, normal: away / outside });
        }
        let is_below = outside == 0.0 && point.z < height;
        let under = Vector3::new(beside.x, beside.y, height);
        let mut best =
            NearestPoint { point: under, square: (point - under).norm_squared(), normal, is_face: false };
        let limit = best.square.sqrt();
        let limit = if is_below { limit } else { limit.min(reach) };
        let columns = cells_near(&self.x, point.x, limit);
        for row in cells_near(&self.y, point.y, limit) {
            for column in columns.clone() {
                let corners = self.corners([column, row]);
                if least_gap(point, &corners).norm_squared() > best.square {
                    continue;
                }
                let [a, b, c, d] = corners;
                best.of(point, &[a, b, c]);
                best.of(point, &[a, c, d]);
            }
        }
        let distance = best.square.sqrt();
        if !is_below && distance > reach {
            return None;
        }
        let sign = if is_below { -1.0 } else { 1.0 };
        let normal = if best.is_face || distance < AT_EDGE {
            best.normal
        } else {
            (point - best.point) * (sign / distance)
        };
        Some(SignedDistance { distance: sign * distance, normal })
    }

    /// Whether the ground falls on both sides of an edge.
    fn is_ridge(&self, at: [usize; 2], edge: usize) -> bool {
        let [right, up] = EDGES[edge];
        let [column, row] = at;
        let (columns, rows) = (self.x.len(), self.y.len());
        if column + right >= columns || row + up >= rows {
            return false;
        }
        let (from, to) = (self.corner(at), self.corner([column + right, row + up]));
        // The third corners of the triangles on its two sides.
        let (left, other) = match edge {
            0 => (
                (row + 1 < rows).then(|| [column + 1, row + 1]),
                row.checked_sub(1).map(|below| [column, below]),
            ),
            1 => (
                column.checked_sub(1).map(|before| [before, row]),
                (column + 1 < columns).then(|| [column + 1, row + 1]),
            ),
            _ => (Some([column, row + 1]), Some([column + 1, row])),
        };
        let (Some(left), Some(other)) = (left, other) else { return true };
        let (left, other) = (self.corner(left), self.corner(other));
        let normal = (to - from).cross(&(left - from));
        let across = other - from;
        let flat = hypot(across.x, across.y);
        normal.dot(&across) / normal.norm() * normal.z.signum() < -RIDGE * flat
    }
}

/// The nearest point on the triangles examined so far.
struct NearestPoint {
    point: Vector3<f64>,
    /// Square of its distance, m².
    square: f64,
    normal: Vector3<f64>,
    /// Whether the point is inside a triangle.
    is_face: bool,
}

impl NearestPoint {
    fn of(&mut self, point: &Vector3<f64>, triangle: &[Vector3<f64>; 3]) {
        let (nearest, is_face) = nearest_of_triangle(point, triangle);
        let square = (point - nearest).norm_squared();
        if square < self.square || is_face && square == self.square {
            let [a, b, c] = triangle;
            let normal = (b - a).cross(&(c - a)).normalize();
            *self = NearestPoint { point: nearest, square, normal, is_face };
        }
    }
}

/// The nearest point of a triangle, and whether it is inside it (Ericson 2005, Real-Time Collision Detection,
/// §5.1.5).
fn nearest_of_triangle(point: &Vector3<f64>, [a, b, c]: &[Vector3<f64>; 3]) -> (Vector3<f64>, bool) {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (*a, false);
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (*b, false);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), false);
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (*c, false);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), false);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), false);
    }
    let sum = va + vb + vc;
    (a + ab * (vb / sum) + ac * (vc / sum), true)
}

/// The cells between these lines that are within `limit` of a coordinate.
#[inline]
fn cells_near(lines: &[f64], at: f64, limit: f64) -> Range<usize> {
    let cells = lines.len() - 1;
    let first = lines.partition_point(|line| *line < at - limit).clamp(1, cells) - 1;
    let end = lines.partition_point(|line| *line <= at + limit).clamp(1, cells);
    first..end
}

/// Gap between a point and the box around a cell along each axis, m.
#[inline]
fn least_gap(point: &Vector3<f64>, [a, b, c, d]: &[Vector3<f64>; 4]) -> Vector3<f64> {
    let gap = |at: f64, low: f64, high: f64| (low - at).max(at - high).max(0.0);
    let lowest = a.z.min(b.z).min(c.z.min(d.z));
    let highest = a.z.max(b.z).max(c.z.max(d.z));
    Vector3::new(gap(point.x, a.x, c.x), gap(point.y, a.y, c.y), gap(point.z, lowest, highest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// z = 0.3 x − 0.2 y over 4 m × 2 m.
    fn slope() -> HeightField {
        let (x, y) = (vec![-2.0, -0.5, 0.3, 2.0], vec![-1.0, 0.1, 1.0]);
        let heights = y.iter().flat_map(|y| x.iter().map(move |x| 0.3 * x - 0.2 * y)).collect();
        HeightField::new(x, y, heights).unwrap()
    }

    /// A roof along y, 0.2 m high, from x = −1 to 1.
    fn roof() -> HeightField {
        HeightField::new(vec![-1.0, 0.0, 1.0], vec![-1.0, 1.0], vec![0.0, 0.2, 0.0, 0.0, 0.2, 0.0]).unwrap()
    }

    /// Ground with bumps, on a grid of 21 × 21 lines.
    fn bumps() -> HeightField {
        let lines: Vec<f64> = (0..21).map(|line| 0.1 * f64::from(line) - 1.0).collect();
        let height = |x: f64, y: f64| 0.1 * (7.0 * x).sin() * (5.0 * y + 1.0).cos();
        let heights = lines.iter().flat_map(|y| lines.iter().map(move |x| height(*x, *y))).collect();
        HeightField::new(lines.clone(), lines, heights).unwrap()
    }

    #[test]
    fn a_plane_of_triangles_is_a_plane() {
        let slope = slope();
        let normal = Vector3::new(-0.3, 0.2, 1.0).normalize();
        for k in 0..100 {
            let wave = |speed: f64| (speed * f64::from(k)).sin();
            let point = Vector3::new(wave(1.1), 0.5 * wave(1.7), 0.4 * wave(2.3));
            let out = slope.distance(&point, 5.0).unwrap();
            assert!((out.distance - normal.dot(&point)).abs() < 1e-12, "{point}");
            assert!((out.normal - normal).norm() < 1e-9);
            let (height, up) = slope.top(point.x, point.y).unwrap();
            assert!((height - 0.3 * point.x + 0.2 * point.y).abs() < 1e-12 && (up - normal).norm() < 1e-12);
        }
        assert!(!slope.ridges.iter().enumerate().any(|(at, ridges)| at % 4 == 1 && at / 4 == 1 && ridges[2]));
    }

    #[test]
    fn the_distance_to_bumps_is_that_of_their_nearest_triangle() {
        let bumps = bumps();
        let (corners, triangles) = bumps.triangles();
        for k in 0..200 {
            let wave = |speed: f64| (speed * f64::from(k)).sin();
            let point = Vector3::new(wave(1.1), wave(1.7), 0.4 * wave(2.3));
            let brute = triangles.iter().map(|triangle| {
                (point - nearest_of_triangle(&point, &triangle.map(|corner| corners[corner as usize])).0)
                    .norm()
            });
            let brute = brute.fold(f64::INFINITY, f64::min);
            let out = bumps.distance(&point, 2.0).unwrap();
            assert!((out.distance.abs() - brute).abs() < 1e-12, "{point} {out:?} {brute}");
            assert_eq!(out.distance < 0.0, point.z < bumps.top(point.x, point.y).unwrap().0);
            let on = bumps.distance(&(point - out.normal * out.distance), 2.0).unwrap();
            assert!(on.distance.abs() < 1e-9);
        }
    }

    #[test]
    fn ground_beyond_reach_is_not_near_and_its_sides_are_walls() {
        let roof = roof();
        assert_eq!(roof.distance(&Vector3::new(0.0, 0.0, 0.5), 0.29), None);
        assert!((roof.distance(&Vector3::new(0.0, 0.0, 0.5), 0.31).unwrap().distance - 0.3).abs() < 1e-12);
        let wall = roof.distance(&Vector3::new(0.0, 1.25, 0.1), 0.5).unwrap();
        assert!((wall.distance - 0.25).abs() < 1e-12 && (wall.normal - Vector3::y()).norm() < 1e-12);
        assert!(roof.top(0.0, 1.01).is_none());
    }

    #[test]
    fn a_valley_has_no_ridge() {
        let valley =
            HeightField::new(vec![-1.0, 0.0, 1.0], vec![-1.0, 1.0], vec![0.2, 0.0, 0.2, 0.2, 0.0, 0.2]);
        let valley = valley.unwrap();
        assert!(!valley.ridges[valley.index([1, 0])][1]);
        assert!(roof().ridges[1][1]);
    }

    #[test]
    fn numbers_that_make_no_ground_are_refused() {
        let error =
            |x: Vec<f64>, heights: Vec<f64>| HeightField::new(x, vec![0.0, 1.0], heights).unwrap_err();
        assert_eq!(error(vec![0.0], vec![0.0; 2]), HeightFieldError::Lines);
        assert_eq!(error(vec![1.0, 0.0], vec![0.0; 4]), HeightFieldError::Lines);
        assert_eq!(error(vec![0.0, 1.0], vec![0.0; 3]), HeightFieldError::Count { crossings: 4, heights: 3 });
        assert_eq!(error(vec![0.0, 1.0], vec![f64::NAN; 4]), HeightFieldError::NotFinite);
    }
}
