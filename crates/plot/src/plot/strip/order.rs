//! Drawing order of the parts of a character. Centres of joined parts, such as thigh and pelvis, can have almost
//! equal depths; the order is determined at the point where they overlap in the picture.

use super::outline::ViewDirection;
use aplomb_body::model::{BodyId, Model, Shape};
use aplomb_math::geometry::surface;
use nalgebra::{Matrix3, Vector3};

/// A shape of the character in the world.
pub(super) struct PlacedShape<'a> {
    pub body: BodyId,
    pub shape: &'a Shape,
    pub position: Vector3<f64>,
    pub rotation: Matrix3<f64>,
}

/// Two parts, by index: the first is drawn over the second.
pub(super) type Over = [usize; 2];

/// Drawing order of each pair of joined parts that overlap in the picture: on top is the part that is nearer there
/// or, if they are nearly as near, m, the child of the other, so that the order is the same in all poses.
pub(super) fn over(
    model: &Model,
    parts: &[(PlacedShape<'_>, Vec<[f64; 2]>)],
    view: ViewDirection,
    nearly: f64,
) -> Vec<Over> {
    let mut pairs = Vec::new();
    for (parent, (above, outline)) in parts.iter().enumerate() {
        for (child, (below, other)) in parts.iter().enumerate() {
            if model.bodies[below.body.0].parent != Some(above.body) {
                continue;
            }
            let Some(at) = middle(&overlap(outline, other)) else { continue };
            let [Some(of_parent), Some(of_child)] = [above, below].map(|part| depth_at(part, at, view))
            else {
                continue;
            };
            let is_covered = of_parent < of_child - nearly;
            pairs.push(if is_covered { [parent, child] } else { [child, parent] });
        }
    }
    pairs
}

/// The order in which the parts are drawn, for a list with the farthest first: that of the list, except that each
/// part waits for those that it is drawn over.
pub(super) fn drawn(count: usize, pairs: &[Over]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(count);
    let mut waiting: Vec<usize> = (0..count).collect();
    while !waiting.is_empty() {
        let is_free =
            |part: &usize| !pairs.iter().any(|[upper, lower]| upper == part && waiting.contains(lower));
        // Several shapes of two bodies can cover each other cyclically.
        let next = waiting.iter().position(is_free).unwrap_or(0);
        order.push(waiting.remove(next));
    }
    order
}

/// Depth of the visible surface at a point of the picture; `None` outside the shape.
fn depth_at(part: &PlacedShape<'_>, at: [f64; 2], view: ViewDirection) -> Option<f64> {
    let triangles = surface(part.shape)?;
    let points = triangles.points.iter().map(|point| part.position + part.rotation * point);
    let seen: Vec<([f64; 2], f64)> = points.map(|point| (view.project(&point), view.depth(&point))).collect();
    let depths = triangles.triangles.iter().filter_map(|corners| {
        let [(a, deep_a), (b, deep_b), (c, deep_c)] = corners.map(|corner| seen[corner as usize]);
        let area = doubled(a, b, c);
        let [u, v, w] = [doubled(at, b, c), doubled(a, at, c), doubled(a, b, at)].map(|part| part / area);
        // The barycentric coordinates of a triangle without area are NaN.
        (u >= 0.0 && v >= 0.0 && w >= 0.0).then_some(u * deep_a + v * deep_b + w * deep_c)
    });
    depths.reduce(f64::min)
}

/// Twice the area of a triangle, positive counter-clockwise.
fn doubled([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// The intersection of two convex polygons, both counter-clockwise.
fn overlap(of: &[[f64; 2]], within: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut inside = of.to_vec();
    for (index, from) in within.iter().enumerate() {
        let to = within[(index + 1) % within.len()];
        let side = |point: [f64; 2]| doubled(*from, to, point);
        let mut kept = Vec::with_capacity(inside.len() + 1);
        for (number, point) in inside.iter().enumerate() {
            let before = inside[(number + inside.len() - 1) % inside.len()];
            let (here, there) = (side(*point), side(before));
            if (here >= 0.0) != (there >= 0.0) {
                let share = there / (there - here);
                kept.push([0, 1].map(|axis| before[axis] + share * (point[axis] - before[axis])));
            }
            if here >= 0.0 {
                kept.push(*point);
            }
        }
        inside = kept;
    }
    inside
}

/// Mean of the corners; `None` without any.
fn middle(corners: &[[f64; 2]]) -> Option<[f64; 2]> {
    let count = corners.len() as f64;
    (count > 0.0).then(|| [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f64>() / count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_wait_for_those_they_are_drawn_over_and_circles_end() {
        assert_eq!(drawn(3, &[]), [0, 1, 2]);
        assert_eq!(drawn(3, &[[0, 2]]), [1, 2, 0]);
        let mut circle = drawn(3, &[[0, 1], [1, 0]]);
        circle.sort_unstable();
        assert_eq!(circle, [0, 1, 2]);
    }

    #[test]
    fn the_depth_of_a_ball_is_that_of_its_surface() {
        let shape = Shape::Sphere { radius: 0.5 };
        let ball = PlacedShape {
            body: BodyId(0),
            shape: &shape,
            position: Vector3::new(1.0, 2.0, 3.0),
            rotation: Matrix3::identity(),
        };
        // From the character's right, along y.
        let depth = depth_at(&ball, [1.01, 3.01], ViewDirection::Side).unwrap_or_default();
        assert!((depth - 1.5).abs() < 0.02, "{depth}");
        assert_eq!(depth_at(&ball, [1.6, 3.0], ViewDirection::Side), None);
    }

    #[test]
    fn polygons_overlap_in_what_both_contain() {
        let square = |x: f64| vec![[x, 0.0], [x + 2.0, 0.0], [x + 2.0, 2.0], [x, 2.0]];
        assert_eq!(middle(&overlap(&square(0.0), &square(1.0))), Some([1.5, 1.0]));
        assert_eq!(middle(&overlap(&square(0.0), &square(3.0))), None);
    }
}
