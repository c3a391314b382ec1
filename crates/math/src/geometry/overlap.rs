//! Oriented boxes, and the overlap of two of them, or of a box and a capsule: the axis of least overlap [Gottschalk
//! 1996], and the faces clipped to their common patch.

use super::{SignedDistance, distance_to_box};
use nalgebra::{Matrix3, Vector3};

/// Points at which two boxes touch.
#[doc(alias = "contact manifold")]
#[doc(alias = "separating axis")]
#[derive(Clone, Copy, Debug)]
pub struct Overlap {
    /// Unit normal from the second box to the first.
    pub normal: Vector3<f64>,
    /// Pairs of points on the first and on the second, world, m.
    pub points: [[Vector3<f64>; 2]; 8],
    /// Number of pairs.
    pub count: usize,
}

/// A polygon of at most eight corners: a face, cut four times.
#[derive(Clone, Copy)]
struct ClippedPolygon {
    corners: [Vector3<f64>; 8],
    count: usize,
}

/// The overlap of two boxes no further apart than `margin` (m): the direction along which they overlap
/// least, and the corners of the patch they share there.
pub fn overlap_of_boxes(first: &OrientedBox, second: &OrientedBox, margin: f64) -> Option<Overlap> {
    let between = first.center - second.center;
    let reach = |frame: &OrientedBox, axis: &Vector3<f64>| frame.axes.tr_mul(axis).abs().dot(&frame.half);
    let apart = |axis: &Vector3<f64>| axis.dot(&between).abs() - reach(first, axis) - reach(second, axis);
    let mut face = (f64::NEG_INFINITY, 0);
    for k in 0..6 {
        let axis = if k < 3 { first.axes.column(k) } else { second.axes.column(k - 3) };
        // An earlier axis stays unless another is clearly better, so that ties do not flicker.
        let gap = apart(&axis.into_owned());
        if gap > face.0 + 1e-6 {
            face = (gap, k);
        }
    }
    let mut edge = (f64::NEG_INFINITY, [0, 0], Vector3::zeros());
    for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
        let cross = first.axes.column(i).cross(&second.axes.column(j));
        if let Some(axis) = cross.try_normalize(1e-3) {
            let gap = apart(&axis);
            if gap > edge.0 {
                edge = (gap, [i, j], axis);
            }
        }
    }
    if face.0.max(edge.0) > margin {
        return None;
    }
    let outward = |axis: Vector3<f64>| if axis.dot(&between) < 0.0 { -axis } else { axis };
    // Faces are preferred, because they give a contact patch.
    if edge.0 > face.0 + 0.02 * first.half.min().min(second.half.min()) {
        return Some(edges(first, second, edge.1, outward(edge.2)));
    }
    let normal = outward(
        if face.1 < 3 { first.axes.column(face.1) } else { second.axes.column(face.1 - 3) }.into_owned(),
    );
    Some(if face.1 < 3 {
        let mut overlap = patch(first, face.1, &-normal, second, margin);
        overlap.points[..overlap.count].iter_mut().for_each(|pair| pair.swap(0, 1));
        Overlap { normal, ..overlap }
    } else {
        patch(second, face.1 - 3, &normal, first, margin)
    })
}

/// The overlap of two crossing edges along the given axes: their closest points.
fn edges(first: &OrientedBox, second: &OrientedBox, [i, j]: [usize; 2], normal: Vector3<f64>) -> Overlap {
    let middle = |frame: &OrientedBox, along: usize, way: &Vector3<f64>| {
        let mut local = frame.axes.tr_mul(way).map(f64::signum).component_mul(&frame.half);
        local[along] = 0.0;
        frame.to_world(&local)
    };
    let (p, q) = (middle(first, i, &-normal), middle(second, j, &normal));
    let (u, v) = (first.axes.column(i).into_owned(), second.axes.column(j).into_owned());
    let (apart, slant) = (q - p, u.dot(&v));
    let s = (u.dot(&apart) - slant * v.dot(&apart)) / (1.0 - slant * slant);
    let t = slant * s - v.dot(&apart);
    let mut points = [[Vector3::zeros(); 2]; 8];
    points[0] = [p + s * u, q + t * v];
    Overlap { normal, points, count: 1 }
}

/// The face of `other` that is most nearly opposite to a face of `base`, clipped to the region in front of
/// that face; pairs are points of `other` and of `base`. `normal` points out of that face.
fn patch(
    base: &OrientedBox,
    axis: usize,
    normal: &Vector3<f64>,
    other: &OrientedBox,
    margin: f64,
) -> Overlap {
    let facing = other.axes.tr_mul(normal);
    let side = facing.iamax();
    let mut polygon = ClippedPolygon { corners: [Vector3::zeros(); 8], count: 4 };
    for (corner, [u, v]) in
        polygon.corners.iter_mut().zip([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    {
        let mut local = Vector3::zeros();
        local[side] = -facing[side].signum() * other.half[side];
        local[(side + 1) % 3] = u * other.half[(side + 1) % 3];
        local[(side + 2) % 3] = v * other.half[(side + 2) % 3];
        *corner = other.to_world(&local);
    }
    for k in [(axis + 1) % 3, (axis + 2) % 3] {
        let along = base.axes.column(k).into_owned();
        let middle = along.dot(&base.center);
        polygon = polygon.cut(&along, middle + base.half[k]);
        polygon = polygon.cut(&-along, base.half[k] - middle);
    }
    let height = normal.dot(&base.center) + base.half[axis];
    let mut overlap = Overlap { normal: *normal, points: [[Vector3::zeros(); 2]; 8], count: 0 };
    for corner in &polygon.corners[..polygon.count] {
        let above = normal.dot(corner) - height;
        if above <= margin {
            overlap.points[overlap.count] = [*corner, corner - above * normal];
            overlap.count += 1;
        }
    }
    overlap
}

impl ClippedPolygon {
    /// The part of the polygon with `normal` · x ≤ `offset`.
    fn cut(&self, normal: &Vector3<f64>, offset: f64) -> ClippedPolygon {
        let mut left = ClippedPolygon { corners: [Vector3::zeros(); 8], count: 0 };
        let mut push = |corner: Vector3<f64>| {
            if left.count < 8 {
                left.corners[left.count] = corner;
                left.count += 1;
            }
        };
        for k in 0..self.count {
            let (from, to) = (self.corners[k], self.corners[(k + 1) % self.count]);
            let (before, after) = (normal.dot(&from) - offset, normal.dot(&to) - offset);
            if before <= 0.0 {
                push(from);
            }
            if (before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0) {
                push(from.lerp(&to, before / (before - after)));
            }
        }
        left
    }
}

/// The overlap of a box and a capsule, the points within `radius` (m) of a segment: pairs of points on the
/// box and on the capsule. It has a pair for each end of the part of the segment that is nearest, to a
/// thousandth of the box, because a line of the box may lie along all of it.
pub fn overlap_of_round(
    frame: &OrientedBox,
    ends: &[Vector3<f64>; 2],
    radius: f64,
) -> [([Vector3<f64>; 2], Vector3<f64>); 2] {
    let local = ends.map(|end| frame.to_local(&end));
    let distance = |part: f64| distance_to_box(&local[0].lerp(&local[1], part), &frame.half).distance;
    // Distance to a box is convex along the segment.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        if distance(low + third) < distance(high - third) { high -= third } else { low += third }
    }
    let nearest = 0.5 * (low + high);
    let enough = distance(nearest) + 1e-3 * frame.half.min();
    [0.0, 1.0].map(|end| {
        let (mut near, mut far) = (nearest, end);
        if distance(far) <= enough {
            near = far;
        }
        for _ in 0..30 {
            let middle = 0.5 * (near + far);
            if distance(middle) <= enough { near = middle } else { far = middle }
        }
        let center = local[0].lerp(&local[1], near);
        let SignedDistance { distance, normal: way } = distance_to_box(&center, &frame.half);
        let (way, middle) = (frame.axes * way, frame.to_world(&center));
        ([middle - distance * way, middle - radius * way], -way)
    })
}

/// A box with its pose in the world.
#[doc(alias = "OBB")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// Centre of the box, world, m.
    pub center: Vector3<f64>,
    /// Axes of the box as columns: orthonormal, world.
    pub axes: Matrix3<f64>,
    /// Half of the edge lengths along the axes, m.
    pub half: Vector3<f64>,
}

impl OrientedBox {
    /// A world point in the axes of the box, from its centre, m.
    pub fn to_local(self, point: &Vector3<f64>) -> Vector3<f64> {
        self.axes.tr_mul(&(point - self.center))
    }

    /// The world point of a position given in the axes of the box, m.
    pub fn to_world(self, local: &Vector3<f64>) -> Vector3<f64> {
        self.center + self.axes * local
    }
}
