//! Ridges of height fields and edges of boxes, which shapes can touch between their corners.

use super::height_field::EDGES;
use super::{HeightField, Shape, SignedDistance, distance_to_ball, distance_to_box};
use crate::elementary::hypot;
use nalgebra::{Matrix3, Vector3};

/// Number of bisections for the point of an edge that is nearest to a shape.
const HALVINGS: usize = 48;
/// Number of bisections for the ends of the section that touches.
const HALVINGS_OF_SECTION: usize = 24;
/// The section of an edge that is farther from a shape than the nearest point by no more than this touches as
/// a whole, at its middle, so that a rotation of the shape moves the point continuously; m.
const FLAT: f64 = 1e-4;
/// A normal that points into a face by no more than this angle still counts as pointing out of it, rad: a sole
/// that lands toes first touches the edge under its heel as it becomes level.
const TURNED: f64 = 0.2;

/// The nearest point of a ridge or an edge to a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestRidge {
    /// Nearest point on the shape, m.
    pub point: Vector3<f64>,
    /// Gap between shape and ground, m; negative where the shape is in the ground.
    pub gap: f64,
    /// Unit vector out of the ground.
    pub normal: Vector3<f64>,
}

/// The point that is selected where a ridge or an edge touches a shape along a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// The point that is deepest in the shape or nearest to it, however flat the shape lies; for ground with many
    /// ridges side by side.
    Deepest,
    /// The middle of the section.
    Middle,
    /// Its start, in the direction of the ridge or edge.
    First,
    /// Its end.
    Last,
    /// For a box, the deepest of the points at which a ridge enters or leaves its face, among those in this quarter
    /// of the face: this keeps the box from rolling into one of several ridges under it. Quarters are numbered by the
    /// signs of the face's two coordinates: a non-negative first one adds 1, a non-negative second one adds 2.
    Quarter(u8),
}

/// Whether a shape has edges or sides that can lie over a ridge or an edge, and a distance function.
fn can_lie_over(shape: &Shape) -> bool {
    matches!(shape, Shape::Box { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. })
}

/// The point of a box's edges that is nearest to a shape or deepest in it, if that is within `reach` (m) of
/// it; the box has its centre at the origin and these half-lengths (m). The shape's origin is at `centre` (m)
/// and its axes are rotated by `turn`, both in the frame of the box; `along`: which point of the section that
/// touches. `None` for shapes other than boxes, capsules and cylinders.
pub fn nearest_box_edge(
    half_lengths: &Vector3<f64>,
    shape: &Shape,
    centre: &Vector3<f64>,
    turn: &Matrix3<f64>,
    along: Along,
    reach: f64,
) -> Option<NearestRidge> {
    if !can_lie_over(shape) {
        return None;
    }
    let edges = (0..3).flat_map(|axis| {
        [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]].map(|[first, second]| {
            let mut signs = Vector3::zeros();
            (signs[(axis + 1) % 3], signs[(axis + 2) % 3]) = (first, second);
            [-1.0, 1.0].map(|end| {
                signs[axis] = end;
                half_lengths.component_mul(&signs)
            })
        })
    });
    // A normal out of the box at an edge is between those of its two faces.
    let is_out = |[from, to]: &[Vector3<f64>; 2], normal: &Vector3<f64>| {
        (0..3).all(|axis| from[axis] != to[axis] || normal[axis] * from[axis] >= -TURNED * half_lengths[axis])
    };
    nearest_of_edges(edges, shape, centre, turn, along, reach, is_out)
}

/// The nearest of some edges that are within `reach` (m) of a shape and have an admissible normal into the
/// shape.
fn nearest_of_edges(
    edges: impl Iterator<Item = [Vector3<f64>; 2]>,
    shape: &Shape,
    centre: &Vector3<f64>,
    turn: &Matrix3<f64>,
    point_along: Along,
    reach: f64,
    wanted: impl Fn(&[Vector3<f64>; 2], &Vector3<f64>) -> bool,
) -> Option<NearestRidge> {
    let around = shape.bounding_radius() + reach;
    let down = turn.tr_mul(&-Vector3::z());
    let mut best: Option<(f64, Vector3<f64>, Vector3<f64>)> = None;
    for edge in edges {
        let ends = edge.map(|end| turn.tr_mul(&(end - centre)));
        let along = ends[1] - ends[0];
        let share = (-ends[0].dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        if (ends[0] + along * share).norm() > around {
            continue;
        }
        let points = match (point_along, shape) {
            (Along::Quarter(quarter), Shape::Box { half_lengths }) => {
                ends_under_box(half_lengths, ends, &down)
                    .map(|(point, out)| is_in_quarter(&point, &out.normal, quarter).then_some((point, out)))
            }
            _ => [Some(nearest_of_edge(shape, ends, point_along)), None],
        };
        for (point, out) in points.into_iter().flatten() {
            let nearer = best.as_ref().is_none_or(|(gap, ..)| out.distance < *gap);
            if nearer && out.distance <= reach && wanted(&edge, &-(turn * out.normal)) {
                best = Some((out.distance, point, out.normal));
            }
        }
    }
    let (gap, point, out) = best?;
    Some(NearestRidge { point: centre + turn * (point - out * gap), gap, normal: -(turn * out) })
}

impl HeightField {
    /// The point of a ridge that is nearest to a shape or deepest in it, if that is within `reach` (m) of it.
    /// The shape's origin is at `centre` (m) and its axes are rotated by `turn`, both in the frame of the
    /// ground; `along`: which point of the section that touches. `None` for shapes without edges or sides that
    /// could lie over a ridge, for ellipsoids and for meshes, which touch only with their corners.
    pub fn nearest_ridge(
        &self,
        shape: &Shape,
        centre: &Vector3<f64>,
        turn: &Matrix3<f64>,
        along: Along,
        reach: f64,
    ) -> Option<NearestRidge> {
        let around = shape.bounding_radius() + reach;
        if !can_lie_over(shape) || centre.z - self.highest > around {
            return None;
        }
        let range = |lines: &[f64], at: f64| {
            let first = lines.partition_point(|line| *line < at - around).saturating_sub(1);
            first..lines.partition_point(|line| *line <= at + around)
        };
        let columns = range(&self.x, centre.x);
        let crossings =
            range(&self.y, centre.y).flat_map(|row| columns.clone().map(move |column| [column, row]));
        let ridges = crossings.flat_map(|[column, row]| {
            let ridges = self.ridges[self.index([column, row])];
            let edges = EDGES.into_iter().zip(ridges).filter(|(_, ridge)| *ridge);
            edges.map(move |([right, up], _)| {
                [[column, row], [column + right, row + up]].map(|end| self.corner(end))
            })
        });
        // A ridge supports the shape above it.
        nearest_of_edges(ridges, shape, centre, turn, along, reach, |_, normal| normal.z > 0.0)
    }
}

/// The point of an edge that is deepest in a shape or nearest to it, in the shape's frame, and how far it is
/// from the shape: along an edge that distance has one minimum, because the shape is convex. If the edge lies
/// along the shape, up to [`FLAT`], the selected point of that section.
fn nearest_of_edge(
    shape: &Shape,
    [from, to]: [Vector3<f64>; 2],
    along: Along,
) -> (Vector3<f64>, SignedDistance) {
    let at = |share: f64| from + (to - from) * share;
    let gap = |share: f64| distance_to(shape, &at(share)).distance;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let third = (high - low) / 3.0;
        let [first, second] = [low + third, high - third].map(gap);
        if first <= second {
            high -= third;
        }
        if second <= first {
            low += third;
        }
    }
    let middle = 0.5 * (low + high);
    let nearest =
        [0.0, 1.0].into_iter().fold(middle, |best, end| if gap(end) < gap(best) { end } else { best });
    let most = gap(nearest) + FLAT;
    let reaches_to = |end: f64| {
        let (mut inside, mut outside) = (nearest, end);
        if gap(end) <= most {
            return end;
        }
        for _ in 0..HALVINGS_OF_SECTION {
            let half = 0.5 * (inside + outside);
            *(if gap(half) <= most { &mut inside } else { &mut outside }) = half;
        }
        inside
    };
    if along == Along::Deepest {
        return (at(nearest), distance_to(shape, &at(nearest)));
    }
    let ends = [0.0, 1.0].map(reaches_to);
    let middle = at(0.5 * (ends[0] + ends[1]));
    let SignedDistance { distance, normal } = distance_to(shape, &middle);
    let point = match along {
        Along::First => at(ends[0]),
        Along::Last => at(ends[1]),
        Along::Middle | Along::Deepest | Along::Quarter(_) => middle,
    };
    // Beside the shape the normal would turn sideways: the face under the middle is used for the whole section.
    (point, SignedDistance { distance: distance + normal.dot(&(point - middle)), normal })
}

/// The ends of the section of an edge that is over or under the lowest face of a box, in the frame of the box
/// with `down` in it, and how far they are from that face; if the edge is next to the face, the point of it
/// that is nearest to the box, twice.
fn ends_under_box(
    half_lengths: &Vector3<f64>,
    [from, to]: [Vector3<f64>; 2],
    down: &Vector3<f64>,
) -> [(Vector3<f64>, SignedDistance); 2] {
    let beside = || {
        let shape = Shape::Box { half_lengths: *half_lengths };
        [nearest_of_edge(&shape, [from, to], Along::Deepest); 2]
    };
    let face = down.iamax();
    let mut section = [0.0_f64, 1.0];
    for axis in (0..3).filter(|axis| *axis != face) {
        let (start, way, side) = (from[axis], to[axis] - from[axis], half_lengths[axis]);
        // An edge along the side is over the face, or next to it, along its whole length.
        if way == 0.0 {
            if start.abs() > side {
                return beside();
            }
            continue;
        }
        let crossings = [(-side - start) / way, (side - start) / way];
        section[0] = section[0].max(crossings[0].min(crossings[1]));
        section[1] = section[1].min(crossings[0].max(crossings[1]));
    }
    if section[0] > section[1] {
        return beside();
    }
    let ends = section.map(|share| from + (to - from) * share);
    let mut normal = Vector3::zeros();
    normal[face] = 1.0_f64.copysign(down[face]);
    ends.map(|end| (end, SignedDistance { distance: normal.dot(&end) - half_lengths[face], normal }))
}

/// Whether a point at the face of a box with this normal is in a quarter of it ([`Along::Quarter`]).
fn is_in_quarter(point: &Vector3<f64>, normal: &Vector3<f64>, quarter: u8) -> bool {
    let face = normal.iamax();
    let [first, second] = [[1, 2], [0, 2], [0, 1]][face];
    u8::from(point[first] >= 0.0) + 2 * u8::from(point[second] >= 0.0) == quarter
}

/// Distance of a point from a convex shape in the shape's frame.
fn distance_to(shape: &Shape, point: &Vector3<f64>) -> SignedDistance {
    match *shape {
        Shape::Capsule { radius, half_length } => {
            let axis = Vector3::z() * point.z.clamp(-half_length, half_length);
            distance_to_ball(&(point - axis), radius, Vector3::x)
        }
        Shape::Cylinder { radius, half_length } => {
            let across = hypot(point.x, point.y);
            let flat = Vector3::new(across, 0.0, point.z);
            let SignedDistance { distance, normal } =
                distance_to_box(&flat, &Vector3::new(radius, f64::INFINITY, half_length));
            let out = if across > 0.0 { Vector3::new(point.x, point.y, 0.0) / across } else { Vector3::x() };
            SignedDistance { distance, normal: out * normal.x + Vector3::z() * normal.z }
        }
        Shape::Box { half_lengths } => distance_to_box(point, &half_lengths),
        _ => SignedDistance { distance: f64::INFINITY, normal: Vector3::z() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roof() -> HeightField {
        HeightField::new(vec![-1.0, 0.0, 1.0], vec![-1.0, 1.0], vec![0.0, 0.2, 0.0, 0.0, 0.2, 0.0]).unwrap()
    }

    #[test]
    fn a_box_between_its_corners_is_held_up_by_the_ridge_under_it() {
        let roof = roof();
        let sole = Shape::Box { half_lengths: Vector3::new(0.3, 0.1, 0.05) };
        let near = roof
            .nearest_ridge(&sole, &Vector3::new(0.05, 0.0, 0.26), &Matrix3::identity(), Along::Deepest, 0.1)
            .unwrap();
        assert!((near.gap - 0.01).abs() < 1e-9 && (near.normal - Vector3::z()).norm() < 1e-9, "{near:?}");
        assert!(near.point.x.abs() < 1e-9 && near.point.y.abs() < 0.1 && (near.point.z - 0.21).abs() < 1e-9);
        let sunk = roof
            .nearest_ridge(&sole, &Vector3::new(0.05, 0.0, 0.24), &Matrix3::identity(), Along::Deepest, 0.1)
            .unwrap();
        assert!((sunk.gap + 0.01).abs() < 1e-9 && (sunk.normal - Vector3::z()).norm() < 1e-9);
        let far = roof.nearest_ridge(
            &sole,
            &Vector3::new(0.05, 0.0, 0.5),
            &Matrix3::identity(),
            Along::Middle,
            0.1,
        );
        assert_eq!(far, None);
    }

    #[test]
    fn a_box_that_rolls_on_a_ridge_is_held_up_at_both_sides() {
        let roof = roof();
        let sole = Shape::Box { half_lengths: Vector3::new(0.3, 0.1, 0.05) };
        for roll in [-0.02_f64, 0.0, 0.02] {
            let (sin, cos) = roll.sin_cos();
            let turn = Matrix3::new(1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos);
            let near = |along| roof.nearest_ridge(&sole, &Vector3::new(0.05, 0.0, 0.25), &turn, along, 0.1);
            // The ridge is under its rear half, quarters 0 and 2.
            let gaps = [0, 2].map(|quarter| near(Along::Quarter(quarter)).unwrap().gap);
            assert!((gaps[0] + 0.1 * sin).abs() < 1e-4, "{gaps:?} at {roll}");
            assert!((gaps[1] - 0.1 * sin).abs() < 1e-4, "{gaps:?} at {roll}");
            assert!((near(Along::Deepest).unwrap().gap - gaps[0].min(gaps[1])).abs() < 1e-4);
            assert_eq!([1, 3].map(|quarter| near(Along::Quarter(quarter))), [None; 2]);
        }
    }

    #[test]
    fn a_sole_that_hangs_over_the_edge_of_a_box_touches_it_there() {
        let step = Vector3::new(0.15, 0.5, 0.1);
        let sole = Shape::Box { half_lengths: Vector3::new(0.1, 0.04, 0.025) };
        let near = |x: f64, z: f64| {
            nearest_box_edge(
                &step,
                &sole,
                &Vector3::new(x, 0.1, z),
                &Matrix3::identity(),
                Along::Middle,
                0.04,
            )
        };
        for gap in [0.01, 0.0, -0.002] {
            let found = near(-0.1, 0.125 + gap).unwrap();
            assert!((found.gap - gap).abs() < 1e-9, "{found:?}");
            assert!((found.normal - Vector3::z()).norm() < 1e-6, "{found:?}");
            assert!((found.point - Vector3::new(-0.15, 0.1, 0.1 + gap)).norm() < 1e-6, "{found:?}");
        }
        // Pitched about its front end, with the heel up.
        let pitch = 1e-3_f64;
        let (sin, cos) = pitch.sin_cos();
        let turn = Matrix3::new(cos, 0.0, sin, 0.0, 1.0, 0.0, -sin, 0.0, cos);
        let front = Vector3::new(0.04, 0.1, 0.1);
        let centre = front - turn * Vector3::new(0.1, 0.0, -0.025);
        let found = nearest_box_edge(&step, &sole, &centre, &turn, Along::Middle, 0.04).unwrap();
        assert!((found.gap - 0.19 * sin).abs() < 1e-7 && (found.point.x + 0.15).abs() < 1e-4, "{found:?}");
        let end = |along| {
            let centre = Vector3::new(-0.1, 0.1, 0.126);
            nearest_box_edge(&step, &sole, &centre, &Matrix3::identity(), along, 0.04).unwrap().point
        };
        assert!(
            (end(Along::First) - Vector3::new(-0.15, 0.06, 0.101)).norm() < 1e-3,
            "{}",
            end(Along::First)
        );
        assert!((end(Along::Last) - Vector3::new(-0.15, 0.14, 0.101)).norm() < 1e-3, "{}", end(Along::Last));
        assert_eq!(near(0.0, 0.125), None, "no edge is near");
        assert_eq!(near(-0.05, 0.1249), None, "the edge does not push the heel ahead");
    }

    #[test]
    fn a_capsule_across_a_ridge_touches_it_with_its_side() {
        let roof = roof();
        let limb = Shape::Capsule { radius: 0.05, half_length: 0.2 };
        // Its axis along x.
        let turn = Matrix3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0);
        let near =
            roof.nearest_ridge(&limb, &Vector3::new(0.03, 0.2, 0.27), &turn, Along::Deepest, 0.1).unwrap();
        assert!((near.gap - 0.02).abs() < 1e-9 && (near.normal - Vector3::z()).norm() < 1e-6, "{near:?}");
    }
}
