//! Distance of two shapes of a character, and its points.

use super::{Surface, SurfaceShape};
use crate::dynamics::Kinematics;
use crate::model::{Geom, Model, Shape};
use aplomb_math::geometry::{Nearest, PlacedShape, closest};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

/// Closest points of two geoms; `None` beyond `reach` (m), or if one is a plane.
pub fn nearest(model: &Model, kinematics: &Kinematics, pair: [usize; 2], reach: f64) -> Option<Nearest> {
    nearest_of(pair.map(|geom| (&model.geoms[geom], kinematics)), reach)
}

/// [`nearest`] of geoms of two models.
pub fn nearest_of(geoms: [(&Geom, &Kinematics); 2], reach: f64) -> Option<Nearest> {
    let [first, second] = geoms.map(|(geom, kinematics)| centre_of(geom, kinematics));
    let extents: f64 = geoms.iter().map(|(geom, _)| geom.shape.bounding_radius()).sum();
    if extents.is_infinite() || (second - first).norm() > extents + reach {
        return None;
    }
    closest(&geoms.map(|(geom, kinematics)| placed(geom, kinematics)), reach)
}

/// Distance of a geom, displaced by `way` (m), from the whole of a box or another convex surface, m; negative: how far
/// one is inside of the other. `None` beyond contact, and for surfaces of other shapes.
pub fn distance_from_solid(
    geom: &Geom,
    kinematics: &Kinematics,
    surface: &Surface,
    way: &Vector3<f64>,
) -> Option<f64> {
    let shape = match &surface.shape {
        SurfaceShape::Box { half_lengths } => Shape::Box { half_lengths: *half_lengths },
        SurfaceShape::Solid(shape) => (**shape).clone(),
        SurfaceShape::HalfSpace | SurfaceShape::Field(_) => return None,
    };
    let apart = (centre_of(geom, kinematics) + way - surface.position).norm();
    let extents = geom.shape.bounding_radius() + shape.bounding_radius();
    if extents.is_infinite() || apart > extents {
        return None;
    }
    let mut own = placed(geom, kinematics);
    own.centre += way;
    let solid = PlacedShape { shape, centre: surface.position, orientation: surface.pose().orientation };
    Some(closest(&[own, solid], 0.0)?.distance)
}

/// Origin of a geom's own frame, world, m.
pub fn centre_of(geom: &Geom, kinematics: &Kinematics) -> Vector3<f64> {
    match geom.body {
        Some(body) => kinematics.point(body, &geom.position),
        None => geom.position,
    }
}

fn placed(geom: &Geom, kinematics: &Kinematics) -> PlacedShape {
    let orientation = match geom.body {
        Some(body) => {
            let rotation = Rotation3::from_matrix_unchecked(kinematics.rotation[body.0]);
            UnitQuaternion::from_rotation_matrix(&rotation) * geom.orientation
        }
        None => geom.orientation,
    };
    PlacedShape { shape: geom.shape.clone(), centre: centre_of(geom, kinematics), orientation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::mjcf;
    use aplomb_language::diagnostic::Source;

    #[test]
    fn geoms_are_measured_where_their_bodies_are_and_not_beyond_reach() {
        let ball = |name: &str| {
            format!(r#"<body name="{name}"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>"#)
        };
        let text = format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", ball("a"), ball("b"));
        let model = mjcf::read(&Source::new("pair.xml", text)).unwrap();
        let mut kinematics = Kinematics::new(&model);
        let mut q = model.neutral_configuration();
        let mut between = |x: f64| {
            q[7..10].copy_from_slice(&[x, 0.0, 0.0]);
            kinematics.update_position(&model, &q);
            nearest(&model, &kinematics, [0, 1], 0.5)
        };
        assert_eq!(between(0.8), None);
        let near = between(0.6).unwrap();
        assert!((near.distance - 0.4).abs() < 1e-12 && (near.normal - Vector3::x()).norm() < 1e-12);
    }
}
