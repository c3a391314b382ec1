//! How far a body must move to be outside the object that contains it.

use aplomb_body::contact::{Candidate, Feature, Surface, SurfaceShape, closest_point, distance_from_solid};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::Model;
use nalgebra::Vector3;

/// A displacement along one of the world's axes.
pub(super) struct WayOut {
    /// `x`, `-x`, `y`, `-y` or `z`.
    pub along: &'static str,
    /// Displacement, world axes, m.
    pub way: Vector3<f64>,
}

const WAYS: [(&str, Vector3<f64>); 5] = [
    ("z", Vector3::new(0.0, 0.0, 1.0)),
    ("x", Vector3::new(1.0, 0.0, 0.0)),
    ("-x", Vector3::new(-1.0, 0.0, 0.0)),
    ("y", Vector3::new(0.0, 1.0, 0.0)),
    ("-y", Vector3::new(0.0, -1.0, 0.0)),
];

/// The shortest displacement along x, y or upward (if it may stand `on_top`) after which no point of the body
/// is in the surface; `None` if none is known: inside the shape of another body, which is not examined.
pub(super) fn shortest(
    body: (&Model, &Kinematics),
    candidates: &[Candidate],
    surface: &Surface,
    on_top: bool,
) -> Option<WayOut> {
    let points: Vec<(Vector3<f64>, f64)> = balls(body, candidates, surface).collect();
    let ways = WAYS.iter().filter(|(along, _)| on_top || *along != "z");
    let ways = ways.filter_map(|(along, direction)| {
        let length = match surface.shape {
            SurfaceShape::Box { half_lengths } => through_box(&points, surface, &half_lengths, direction),
            SurfaceShape::HalfSpace | SurfaceShape::Field(_) if *along == "z" => {
                let up = |(point, radius): &(Vector3<f64>, f64)| {
                    let (height, normal) = surface.top(point)?;
                    Some(height - point.z + radius / normal.z.max(0.1))
                };
                points.iter().filter_map(up).reduce(f64::max)?
            }
            _ => return None,
        };
        Some((along, direction, length)).filter(|(.., length)| *length > 0.0)
    });
    let (along, direction, length) = ways.min_by(|(.., a), (.., b)| a.total_cmp(b))?;
    // Rounded up to a millimetre, so that it is outside.
    Some(WayOut { along, way: direction * ((length * 1000.0 - 1e-6).ceil() / 1000.0) })
}

/// Largest number of boxes on top of each other that a body is raised out of.
const MOST_RAISES: usize = 20;

/// Further displacement upward, m, after which a body that was raised by `way` is outside all of these boxes.
pub(super) fn further_up<'s>(
    (model, kinematics): (&Model, &Kinematics),
    candidates: &[Candidate],
    surfaces: impl Iterator<Item = &'s Surface> + Clone,
    way: f64,
) -> f64 {
    let up = Vector3::z();
    let mut further = 0.0;
    for _ in 0..MOST_RAISES {
        let out_of = |surface: &Surface| {
            let SurfaceShape::Box { half_lengths } = surface.shape else { return 0.0 };
            let raise = up * (way + further + CLEAR);
            let points: Vec<(Vector3<f64>, f64)> = balls((model, kinematics), candidates, surface)
                .map(|(point, radius)| (point + raise, radius))
                .collect();
            through_box(&points, surface, &half_lengths, &up)
        };
        let most = surfaces.clone().map(out_of).fold(0.0, f64::max);
        if most <= 0.0 {
            break;
        }
        further += (most * 1000.0 - 1e-6).ceil() / 1000.0;
    }
    further + shapes_up((model, kinematics), surfaces, way + further)
}

/// Least step upward of a shape that is in a box, m, and the largest number of steps.
const RAISE: f64 = 0.005;
const MOST_STEPS: usize = 1000;

/// Further displacement upward, m, after which no shape of a body that was raised by `way` is in a box: between their
/// points, limbs reach through thin ones.
fn shapes_up<'s>(
    body: (&Model, &Kinematics),
    surfaces: impl Iterator<Item = &'s Surface> + Clone,
    way: f64,
) -> f64 {
    let mut further = 0.0;
    for _ in 0..MOST_STEPS {
        let raise = Vector3::z() * (way + further);
        let deepest = surfaces.clone().filter_map(|surface| deepest_shape(body, surface, &raise));
        let depth = -deepest.map(|(gap, _)| gap).fold(0.0, f64::min);
        if depth < DEEP {
            break;
        }
        further += (depth.max(RAISE) * 1000.0).ceil() / 1000.0;
    }
    further
}

/// Depth of a shape in a box from which on it is not merely in contact, m.
pub(super) const DEEP: f64 = 0.01;

/// The shape of a body, displaced by `way` (m), that is deepest in a box or another convex surface: its distance, m
/// (negative), and index among the geoms.
pub(super) fn deepest_shape(
    (model, kinematics): (&Model, &Kinematics),
    surface: &Surface,
    way: &Vector3<f64>,
) -> Option<(f64, usize)> {
    let geoms = model.geoms.iter().enumerate().filter(|(_, geom)| geom.collides && geom.body.is_some());
    let gaps =
        geoms.filter_map(|(index, geom)| Some((distance_from_solid(geom, kinematics, surface, way)?, index)));
    gaps.min_by(|(a, _), (b, _)| a.total_cmp(b))
}

/// Distance from a box within which a point counts as outside, m.
const CLEAR: f64 = 1e-6;

/// Points of the body with their radii, m.
fn balls<'a>(
    (model, kinematics): (&'a Model, &'a Kinematics),
    candidates: &'a [Candidate],
    surface: &'a Surface,
) -> impl Iterator<Item = (Vector3<f64>, f64)> + 'a {
    candidates.iter().filter_map(move |candidate| match candidate.feature {
        Feature::Ball { centre, radius } => Some((kinematics.point(candidate.body, &centre), radius)),
        Feature::Rim { .. } | Feature::Ellipsoid { .. } => {
            let (point, ..) = closest_point(model, candidate, surface, kinematics, FAR)?;
            Some((point, 0.0))
        }
        Feature::Shape { .. } => None,
    })
}

/// Distance within which features are searched, m.
const FAR: f64 = 100.0;

/// How far balls must move along a direction until none is in the box.
fn through_box(
    points: &[(Vector3<f64>, f64)],
    surface: &Surface,
    half_lengths: &Vector3<f64>,
    direction: &Vector3<f64>,
) -> f64 {
    let rotation = surface.rotation();
    let along = rotation.tr_mul(direction);
    // The points at which the path of each ball enters the box and leaves it.
    let stay = |(point, radius): &(Vector3<f64>, f64)| {
        let from = rotation.tr_mul(&(point - surface.position));
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let half = half_lengths[axis] + radius;
            if along[axis].abs() < 1e-9 {
                if from[axis].abs() >= half {
                    return None;
                }
                continue;
            }
            let ends = [-half, half].map(|end| (end - from[axis]) / along[axis]);
            enter = enter.max(ends[0].min(ends[1]));
            leave = leave.min(ends[0].max(ends[1]));
        }
        (enter < leave && leave > 0.0).then_some((enter, leave))
    };
    let mut stays: Vec<(f64, f64)> = points.iter().filter_map(stay).collect();
    stays.sort_by(|a, b| a.0.total_cmp(&b.0));
    // A ball that was not in the box at first may enter it on the way.
    stays
        .iter()
        .fold(0.0, |way, (enter, leave)| if *enter < way || *enter < 0.0 { leave.max(way) } else { way })
}
