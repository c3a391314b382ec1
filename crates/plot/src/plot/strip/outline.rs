//! Outlines of shapes from one side.

use aplomb_body::model::Shape;
use aplomb_math::geometry::{Polygon, box_corner};
use nalgebra::{Matrix3, Vector2, Vector3};

/// Direction of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewDirection {
    /// From the character's right: x to the right, z up.
    Side,
    /// From the front of the character: y (its left) to the right, z up.
    Front,
}

impl ViewDirection {
    /// Position in the picture, to the right and up, m.
    pub(super) fn project(self, point: &Vector3<f64>) -> [f64; 2] {
        match self {
            ViewDirection::Side => [point.x, point.z],
            ViewDirection::Front => [point.y, point.z],
        }
    }

    /// Depth along the view, m, up to a constant.
    pub(super) fn depth(self, point: &Vector3<f64>) -> f64 {
        match self {
            ViewDirection::Side => point.y,
            ViewDirection::Front => -point.x,
        }
    }

    /// Axis that is horizontal in the picture: 0 for x, 1 for y.
    pub(super) fn axis(self) -> usize {
        match self {
            ViewDirection::Side => 0,
            ViewDirection::Front => 1,
        }
    }
}

/// Number of corners of the polygon for a circle.
const CORNERS: usize = 40;

/// Corners, counter-clockwise, of the outline of a shape at a pose (world axes); `None` for planes and for
/// poses that are not finite.
pub(super) fn outline(
    shape: &Shape,
    position: &Vector3<f64>,
    rotation: &Matrix3<f64>,
    view: ViewDirection,
) -> Option<Vec<[f64; 2]>> {
    let at = |local: Vector3<f64>| position + rotation * local;
    let along = Vector3::z();
    let points: Vec<[f64; 2]> = match *shape {
        Shape::Plane | Shape::Field(_) => return None,
        Shape::Sphere { radius } => disc(view.project(position), radius).collect(),
        Shape::Capsule { radius, half_length } => [half_length, -half_length]
            .into_iter()
            .flat_map(|end| disc(view.project(&at(along * end)), radius))
            .collect(),
        Shape::Cylinder { radius, half_length } => [half_length, -half_length]
            .into_iter()
            .flat_map(|end| (0..CORNERS).map(move |corner| (end, angle(corner))))
            .map(|(end, angle)| {
                view.project(&at(Vector3::new(radius * angle.cos(), radius * angle.sin(), end)))
            })
            .collect(),
        Shape::Ellipsoid { radii } => {
            let circle = |height: f64, radius: f64| {
                (0..CORNERS).map(move |corner| {
                    let angle = angle(corner);
                    Vector3::new(radius * angle.cos(), radius * angle.sin(), height)
                })
            };
            let circles = (0..=CORNERS).flat_map(|step| {
                let latitude = std::f64::consts::PI * step as f64 / CORNERS as f64;
                circle(latitude.cos(), latitude.sin())
            });
            circles.map(|point| view.project(&at(radii.component_mul(&point)))).collect()
        }
        Shape::Hull(ref hull) => hull.corners().iter().map(|corner| view.project(&at(*corner))).collect(),
        Shape::Box { half_lengths } => {
            (0..8).map(|corner| view.project(&at(box_corner(&half_lengths, corner)))).collect()
        }
    };
    points.iter().flatten().all(|value| value.is_finite()).then(|| hull(points))
}

fn angle(corner: usize) -> f64 {
    corner as f64 * std::f64::consts::TAU / CORNERS as f64
}

fn disc([x, y]: [f64; 2], radius: f64) -> impl Iterator<Item = [f64; 2]> {
    (0..CORNERS).map(move |corner| {
        let angle = angle(corner);
        [x + radius * angle.cos(), y + radius * angle.sin()]
    })
}

fn hull(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut polygon = Polygon::default();
    polygon.set_hull(points.into_iter().map(Vector2::from));
    polygon.corners().iter().map(|corner| (*corner).into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    fn bounds(corners: &[[f64; 2]]) -> [f64; 4] {
        let side = |axis: usize| {
            corners
                .iter()
                .map(|corner| corner[axis])
                .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
        };
        [side(0).0, side(0).1, side(1).0, side(1).1]
    }

    fn close(a: [f64; 4], b: [f64; 4]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3)
    }

    #[test]
    fn a_capsule_along_x_is_a_stadium_from_the_side_and_a_disc_from_the_front() {
        let capsule = Shape::Capsule { radius: 0.1, half_length: 0.3 };
        let turned = *Rotation3::from_axis_angle(&Vector3::y_axis(), std::f64::consts::FRAC_PI_2).matrix();
        let centre = Vector3::new(1.0, 2.0, 3.0);
        let side = outline(&capsule, &centre, &turned, ViewDirection::Side).unwrap();
        assert!(close(bounds(&side), [0.6, 1.4, 2.9, 3.1]), "{:?}", bounds(&side));
        let front = outline(&capsule, &centre, &turned, ViewDirection::Front).unwrap();
        assert!(close(bounds(&front), [1.9, 2.1, 2.9, 3.1]), "{:?}", bounds(&front));
    }

    #[test]
    fn a_box_stood_on_its_edge_has_six_or_four_corners() {
        let shape = Shape::Box { half_lengths: Vector3::new(0.1, 0.2, 0.3) };
        let straight =
            outline(&shape, &Vector3::zeros(), &Matrix3::identity(), ViewDirection::Front).unwrap();
        assert_eq!(straight.len(), 4);
        assert!(close(bounds(&straight), [-0.2, 0.2, -0.3, 0.3]));
        let tilted = *Rotation3::from_euler_angles(0.4, 0.5, 0.6).matrix();
        assert_eq!(outline(&shape, &Vector3::zeros(), &tilted, ViewDirection::Side).unwrap().len(), 6);
    }

    #[test]
    fn a_cylinder_from_its_side_is_a_rectangle() {
        let shape = Shape::Cylinder { radius: 0.1, half_length: 0.5 };
        let seen = outline(&shape, &Vector3::zeros(), &Matrix3::identity(), ViewDirection::Side).unwrap();
        assert!(close(bounds(&seen), [-0.1, 0.1, -0.5, 0.5]));
    }

    #[test]
    fn the_onlooker_of_the_side_view_is_nearer_to_the_right_hand() {
        let (left, right) = (Vector3::new(0.0, 0.3, 1.0), Vector3::new(0.0, -0.3, 1.0));
        assert!(ViewDirection::Side.depth(&right) < ViewDirection::Side.depth(&left));
        assert!(ViewDirection::Front.project(&left)[0] > ViewDirection::Front.project(&right)[0]);
    }

    #[test]
    fn what_is_nowhere_has_no_outline() {
        let place = Vector3::new(f64::NAN, 0.0, 0.0);
        let sphere = Shape::Sphere { radius: 0.1 };
        assert_eq!(outline(&sphere, &place, &Matrix3::identity(), ViewDirection::Side), None);
        assert_eq!(
            outline(&Shape::Plane, &Vector3::zeros(), &Matrix3::identity(), ViewDirection::Side),
            None
        );
    }
}
