//! The closest point of a candidate to a surface.

use super::candidate::lowest_of_rim;
use super::{Candidate, Feature, Surface, SurfaceShape};
use crate::dynamics::kinematics::Kinematics;
use crate::model::{Geom, Model, Shape};
use aplomb_math::geometry::{
    Along, HeightField, Nearest, PlacedShape, ShapeExtent, closest, closest_with_rounding,
    farthest_of_ellipsoid, nearest_box_edge,
};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

/// Whether the pair can touch at all. Features fixed in a body are exact on a plane; against a box the whole
/// shape counts too, for edges that touch between its corners or ends.
pub fn applies(feature: &Feature, surface: &SurfaceShape) -> bool {
    match (feature, surface) {
        (Feature::Shape { .. }, SurfaceShape::HalfSpace)
        | (Feature::Shape { along: Along::Last, .. }, SurfaceShape::Solid(_)) => false,
        (
            Feature::Shape { along: Along::Quarter(_), .. },
            SurfaceShape::Box { .. } | SurfaceShape::Solid(_),
        ) => false,
        (Feature::Shape { .. }, SurfaceShape::Box { .. } | SurfaceShape::Solid(_)) => true,
        (Feature::Shape { .. }, SurfaceShape::Field(field)) => field.has_ridges(),
        (Feature::Ball { .. } | Feature::Rim { .. } | Feature::Ellipsoid { .. }, _) => true,
    }
}

/// Contact point of the candidate (world, m), its gap to the surface (m) and the surface normal there; `None`
/// beyond `reach`. Corners touch the faces of a box; its edges are touched by the whole shape. Otherwise a
/// corner slightly beyond an edge would be pushed sideways, in the direction from the edge to the corner.
pub fn point(
    model: &Model,
    candidate: &Candidate,
    surface: &Surface,
    kinematics: &Kinematics,
    reach: f64,
) -> Option<(Vector3<f64>, f64, Vector3<f64>)> {
    let position = &kinematics.position[candidate.body.0];
    let rotation = &kinematics.rotation[candidate.body.0];
    match candidate.feature {
        Feature::Ball { centre, radius } => {
            let centre = position + rotation * centre;
            if radius == 0.0 && surface.is_beside_edge(&centre) {
                return None;
            }
            let (distance, normal) = surface.distance_within(&centre, radius + reach)?;
            (distance - radius <= reach).then(|| (centre - normal * radius, distance - radius, normal))
        }
        Feature::Rim { centre, axis, radius } => {
            let (distance, normal) =
                surface.distance_within(&(position + rotation * centre), radius + reach)?;
            if distance - radius > reach {
                return None;
            }
            let point = lowest_of_rim(&centre, &axis, radius, position, rotation, &normal);
            let (gap, normal) = surface.distance_within(&point, reach)?;
            Some((point, gap, normal))
        }
        Feature::Ellipsoid { centre, rotation: own, radii } => {
            let centre = position + rotation * centre;
            let (distance, normal) = surface.distance_within(&centre, radii.max() + reach)?;
            if distance - radii.max() > reach {
                return None;
            }
            let turn = rotation * own;
            let point = centre + turn * farthest_of_ellipsoid(&radii, &turn.tr_mul(&-normal));
            let (gap, normal) = surface.distance_within(&point, reach)?;
            Some((point, gap, normal))
        }
        Feature::Shape { geom, along } => {
            of_shape(&model.geoms[geom], position, rotation, surface, along, reach)
        }
    }
}

/// The point of a whole shape nearest to a box, a solid or a ridge of a height field, if its feature points do not
/// give it; in the form of [`point`].
fn of_shape(
    geom: &Geom,
    position: &Vector3<f64>,
    rotation: &Matrix3<f64>,
    surface: &Surface,
    along: Along,
    reach: f64,
) -> Option<(Vector3<f64>, f64, Vector3<f64>)> {
    let centre = position + rotation * geom.position;
    let half_lengths = match surface.shape {
        SurfaceShape::HalfSpace => return None,
        SurfaceShape::Box { half_lengths } => half_lengths,
        SurfaceShape::Solid(ref shape) => {
            let extents = shape.bounding_radius() + geom.shape.bounding_radius();
            if (centre - surface.position).norm() > extents + reach {
                return None;
            }
            let Nearest { points, distance, normal } =
                closest(&[surface.placed(shape), placed(geom, centre, rotation)], reach)?;
            return Some((points[1], distance, normal));
        }
        SurfaceShape::Field(ref field) => {
            return of_ridge(geom, &centre, rotation, surface, (field, along), reach);
        }
    };
    let from_middle = centre - surface.position;
    if from_middle.norm() > half_lengths.norm() + geom.shape.bounding_radius() + reach {
        return None;
    }
    let to_surface = surface.rotation().transpose();
    let turn = to_surface * rotation * geom.orientation.to_rotation_matrix().matrix();
    let span = ShapeExtent::new(&geom.shape, to_surface * from_middle, &turn)?;
    if span.is_beyond(&half_lengths, reach) || span.is_over_one_face(&half_lengths) {
        return None;
    }
    // Over the faces, corners, ends and rims are candidates of their own; between them, the edges touch.
    if let Shape::Box { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. } = geom.shape {
        let near =
            nearest_box_edge(&half_lengths, &geom.shape, &(to_surface * from_middle), &turn, along, reach)?;
        let own = surface.rotation();
        return Some((surface.position + own * near.point, near.gap, own * near.normal));
    }
    let shape = placed(geom, centre, rotation);
    let Surface { position: centre, orientation, .. } = *surface;
    let solid = PlacedShape { shape: Shape::Box { half_lengths }, centre, orientation };
    let Nearest { points, distance, normal } = closest_with_rounding(&[solid, shape], reach)?;
    Some((points[1], distance, normal))
}

/// The point of a shape nearest to a ridge of a height field; of a box one for each quarter of its face.
fn of_ridge(
    geom: &Geom,
    centre: &Vector3<f64>,
    rotation: &Matrix3<f64>,
    surface: &Surface,
    (field, along): (&HeightField, Along),
    reach: f64,
) -> Option<(Vector3<f64>, f64, Vector3<f64>)> {
    let own = surface.rotation();
    let turn = own.transpose() * rotation * geom.orientation.to_rotation_matrix().matrix();
    let from_surface = own.tr_mul(&(centre - surface.position));
    let along = match along {
        Along::First => Along::Quarter(0),
        Along::Last => Along::Quarter(1),
        Along::Quarter(quarter) => Along::Quarter(quarter),
        Along::Middle | Along::Deepest => Along::Deepest,
    };
    let near = field.nearest_ridge(&geom.shape, &from_surface, &turn, along, reach)?;
    Some((surface.position + own * near.point, near.gap, own * near.normal))
}

/// A shape centred at `centre`, on a body with this rotation.
fn placed(geom: &Geom, centre: Vector3<f64>, rotation: &Matrix3<f64>) -> PlacedShape {
    let body = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*rotation));
    PlacedShape { shape: geom.shape.clone(), centre, orientation: body * geom.orientation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::mjcf;
    use aplomb_language::diagnostic::Source;

    const WALL: Vector3<f64> = Vector3::new(0.1, 1.0, 2.0);
    const REACH: f64 = 0.2;

    /// The result of the geometry library for a shape at `place`, its axis along a direction in the plane of
    /// x and z.
    fn at(geom: &str, place: [f64; 3], along: f64) -> Option<f64> {
        let text =
            format!(r#"<mujoco><worldbody><body name="b"><freejoint/>{geom}</body></worldbody></mujoco>"#);
        let model = mjcf::read(&Source::new("shape.xml", text)).expect("a model");
        let shape = SurfaceShape::Box { half_lengths: WALL };
        let surface = Surface::new("wall", shape, Vector3::zeros(), UnitQuaternion::identity(), 1.0);
        let turn = *Rotation3::from_axis_angle(&Vector3::y_axis(), along).matrix();
        let turn: Matrix3<f64> = turn;
        of_shape(&model.geoms[0], &place.into(), &turn, &surface, Along::First, REACH).map(|(_, gap, _)| gap)
    }

    const CAPSULE: &str = r#"<geom type="capsule" size="0.05 0.2" mass="1"/>"#;
    const BOX: &str = r#"<geom type="box" size="0.05 0.05 0.2" mass="1"/>"#;

    #[test]
    fn a_shape_over_one_face_leaves_it_to_its_points() {
        for geom in [CAPSULE, BOX] {
            for x in [0.3, 0.16, 0.149, -0.16] {
                assert_eq!(at(geom, [x, 0.0, 0.0], 0.3), None, "{geom} at {x}");
            }
        }
    }

    #[test]
    fn a_shape_across_an_edge_is_measured_as_a_whole() {
        // Its centre is over the upper edge of the wall, its ends are next to the wall.
        let gap = at(CAPSULE, [0.2, 0.0, 2.1], std::f64::consts::FRAC_PI_4 * 3.0).expect("near");
        assert!((gap - (0.02_f64.sqrt() - 0.05)).abs() < 1e-6, "{gap}");
        assert!(at(BOX, [0.2, 0.0, 2.1], std::f64::consts::FRAC_PI_4 * 3.0).is_some());
        // Over the face, but with its ends beyond the edges of both sides.
        assert!(at(CAPSULE, [0.0, 0.0, 2.1], std::f64::consts::FRAC_PI_2).is_some());
    }

    #[test]
    fn a_shape_out_of_reach_is_not_near() {
        assert_eq!(at(CAPSULE, [0.0, 1.0 + REACH + 0.06, 0.0], 0.0), None);
        assert_eq!(at(BOX, [0.1 + REACH + 0.06, 0.0, 1.9], 0.0), None);
        assert!(at(BOX, [0.1 + REACH + 0.04, 0.0, 1.9], 0.0).is_some());
    }
}
