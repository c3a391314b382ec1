//! Convex solids by their corners.

use super::library::{back, vector};
use crate::elementary::sincos;
use nalgebra::Vector3;
use parry3d_f64::math::Vector;
use parry3d_f64::shape::{ConvexPolyhedron, SharedShape};
use parry3d_f64::transformation::try_convex_hull;
use std::collections::{HashMap, HashSet};
use std::f64::consts::TAU;
use std::fmt;

/// Largest number of flat faces of a hull whose outline is kept.
const MOST_FACES: usize = 2;
/// Largest number of points that are kept around a face.
const FACE_POINTS: usize = 8;
/// A face with less than this share of the surface is not used as a face to stand on.
const FACE_SHARE: f64 = 0.1;
/// Cosine of the angle between triangles of one face: 2°.
const FLAT: f64 = 0.999_39;

/// The convex hull of a few points, in their frame.
#[derive(Clone)]
pub struct Hull {
    corners: Vec<Vector3<f64>>,
    triangles: Vec<[usize; 3]>,
    pub(super) solid: SharedShape,
}

impl Hull {
    /// Largest number of corners of a simplified hull: a box has 8, and each corner is a contact candidate.
    pub(crate) const MOST_CORNERS: usize = 16;
    /// Deviation from the hull of all points at which no further corner is added, as a share of the greatest
    /// extent.
    pub(crate) const TOLERANCE: f64 = 1e-3;
    /// Directions in which the hull of all points is measured.
    const DIRECTIONS: usize = 2000;

    /// The convex hull of at most `MOST_CORNERS` of these points, m: first those around its large
    /// flat faces, on which a body may stand, then repeatedly the point that is farthest outside the hull so
    /// far. `None` for points in one plane, and for too few points.
    #[doc(alias = "convex hull")]
    #[doc(alias = "hull simplification")]
    pub fn around(points: &[Vector3<f64>]) -> Option<Self> {
        if points.len() <= Self::MOST_CORNERS { Self::new(points) } else { Self::new(&spread(points)) }
    }

    /// The convex hull of these points, m, with all of its corners; `None` for points in one plane, and for
    /// too few points.
    pub fn new(points: &[Vector3<f64>]) -> Option<Self> {
        if points.len() < 4 || points.iter().flatten().any(|value| !value.is_finite()) || are_flat(points) {
            return None;
        }
        let (corners, triangles) = convex_hull(points)?;
        let sides: Vec<[u32; 3]> = triangles.iter().map(|sides| sides.map(|corner| corner as u32)).collect();
        let solid = ConvexPolyhedron::from_convex_mesh(corners.iter().map(vector).collect(), &sides)?;
        Some(Hull { corners, triangles, solid: SharedShape::new(solid) })
    }

    /// Corners of the hull, m.
    pub fn corners(&self) -> &[Vector3<f64>] {
        &self.corners
    }

    /// Triangles of its surface: indices of corners, counter-clockwise from outside.
    pub fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    /// The corner that is farthest along a direction, m; the first of several.
    #[doc(alias = "support function")]
    pub(crate) fn farthest(&self, along: &Vector3<f64>) -> Vector3<f64> {
        farthest(&self.corners, along).map_or_else(Vector3::zeros, |index| self.corners[index])
    }

    /// Half-lengths of the box about the origin, along the axes of the frame, that contains the hull, m.
    pub fn half_lengths(&self) -> Vector3<f64> {
        self.corners.iter().fold(Vector3::zeros(), |most, corner| most.sup(&corner.abs()))
    }
}

impl fmt::Debug for Hull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hull").field("corners", &self.corners).finish()
    }
}

impl PartialEq for Hull {
    fn eq(&self, other: &Self) -> bool {
        self.corners == other.corners
    }
}

/// Corners, and triangles of them by their index.
pub(super) type Triangulation = (Vec<Vector3<f64>>, Vec<[usize; 3]>);

/// The corners of the hull of all points in their order, and its triangles, whose corners are
/// counter-clockwise from outside; `None` for points in one plane.
pub fn convex_hull(points: &[Vector3<f64>]) -> Option<Triangulation> {
    let given: Vec<Vector> = points.iter().map(vector).collect();
    let (corners, triangles) = try_convex_hull(&given).ok()?;
    // The library has its own order, which changes each time that the hull of a hull is computed.
    let bits = |point: &Vector3<f64>| point.map(f64::to_bits).into();
    let mut place: HashMap<[u64; 3], usize> =
        corners.iter().map(|corner| (bits(&back(*corner)), 0)).collect();
    let mut kept = Vec::with_capacity(corners.len());
    let mut seen = HashSet::new();
    for point in points.iter().filter(|point| seen.insert(bits(point))) {
        if let Some(place) = place.get_mut(&bits(point)) {
            *place = kept.len();
            kept.push(*point);
        }
    }
    let number = |corner: u32| place.get(&bits(&back(corners[corner as usize]))).copied().unwrap_or_default();
    Some((kept, triangles.into_iter().map(|triangle| triangle.map(number)).collect()))
}

fn farthest(points: &[Vector3<f64>], along: &Vector3<f64>) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for (index, point) in points.iter().enumerate() {
        let reach = along.dot(point);
        if best.is_none_or(|(most, _)| reach > most) {
            best = Some((reach, index));
        }
    }
    best.map(|(_, index)| index)
}

/// A few of the points, with nearly the same hull.
fn spread(points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let directions: Vec<Vector3<f64>> = sphere_directions(Hull::DIRECTIONS).collect();
    let ends: Vec<usize> = directions.iter().filter_map(|along| farthest(points, along)).collect();
    let mut kept = around_faces(points);
    // Extent of the kept points in each direction.
    let reach =
        |along: &Vector3<f64>| kept.iter().map(|own| along.dot(own)).fold(f64::NEG_INFINITY, f64::max);
    let mut reached: Vec<f64> = directions.iter().map(reach).collect();
    let mut extent = 0.0_f64;
    while kept.len() < Hull::MOST_CORNERS {
        let lacks = |k: usize| directions[k].dot(&points[ends[k]]) - reached[k];
        let Some(most) = (0..ends.len()).reduce(|a, b| if lacks(b) > lacks(a) { b } else { a }) else {
            break;
        };
        if kept.len() >= 4 && lacks(most) <= Hull::TOLERANCE * extent {
            break;
        }
        let corner = points[ends[most]];
        extent = kept.iter().map(|other| (other - corner).norm()).fold(extent, f64::max);
        for (reach, along) in reached.iter_mut().zip(&directions) {
            *reach = reach.max(along.dot(&corner));
        }
        kept.push(corner);
    }
    kept
}

/// A flat part of a hull's surface.
struct HullFace {
    /// Unit normal, out of the hull.
    normal: Vector3<f64>,
    /// Distance of its plane from the origin along the normal, m.
    offset: f64,
    /// Area of the face, m².
    area: f64,
    points: Vec<Vector3<f64>>,
}

/// Points around the large flat faces of the hull of all points, the largest first.
fn around_faces(points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let mut kept: Vec<Vector3<f64>> = Vec::new();
    for face in large_faces(points).iter().take(MOST_FACES) {
        let first = face.points[0];
        let far = face
            .points
            .iter()
            .map(|point| point - first)
            .reduce(|a, b| if b.norm() > a.norm() { b } else { a });
        let Some(along) = far.and_then(|far| far.try_normalize(0.0)) else { continue };
        let across = face.normal.cross(&along);
        for side in 0..FACE_POINTS {
            // Between the axes of the face, so that only the ends of its edges are found, and no point
            // between them.
            let (sine, cosine) = sincos(TAU * (side as f64 + 0.5) / FACE_POINTS as f64);
            let end =
                farthest(&face.points, &(along * cosine + across * sine)).map(|index| face.points[index]);
            kept.extend(end.filter(|end| !kept.contains(end)));
        }
    }
    kept.truncate(Hull::MOST_CORNERS);
    kept
}

/// The flat faces of the hull of all points that are a large share of its surface, the largest first.
fn large_faces(points: &[Vector3<f64>]) -> Vec<HullFace> {
    let Some((corners, triangles)) = convex_hull(points) else { return Vec::new() };
    let mut sides: Vec<(f64, Vector3<f64>, [Vector3<f64>; 3])> = Vec::new();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corners[corner]);
        let across = (b - a).cross(&(c - a));
        sides.extend(across.try_normalize(0.0).map(|normal| (across.norm() / 2.0, normal, [a, b, c])));
    }
    sides.sort_by(|one, other| other.0.total_cmp(&one.0));
    let extent = corners.iter().map(|corner| (corner - corners[0]).norm()).fold(0.0, f64::max);
    let total: f64 = sides.iter().map(|(area, ..)| area).sum();
    let mut faces: Vec<HullFace> = Vec::new();
    for (area, normal, ends) in sides {
        let is_on = |face: &&mut HullFace| {
            let off = |end: &Vector3<f64>| (face.normal.dot(end) - face.offset).abs();
            face.normal.dot(&normal) > FLAT && ends.iter().all(|end| off(end) <= Hull::TOLERANCE * extent)
        };
        match faces.iter_mut().find(is_on) {
            Some(face) => {
                face.area += area;
                face.points.extend(ends);
            }
            None => {
                faces.push(HullFace { normal, offset: normal.dot(&ends[0]), area, points: ends.to_vec() })
            }
        }
    }
    faces.retain(|face| face.area >= FACE_SHARE * total);
    faces.sort_by(|one, other| other.area.total_cmp(&one.area));
    faces
}

/// Whether all points are in one plane, to a millionth of their extent.
fn are_flat(points: &[Vector3<f64>]) -> bool {
    let apart = |from: &dyn Fn(&Vector3<f64>) -> f64| {
        let far = points.iter().map(|point| (from(point), *point));
        far.reduce(|a, b| if b.0 > a.0 { b } else { a }).unwrap_or_default()
    };
    let first = points[0];
    let (extent, second) = apart(&|point| (point - first).norm());
    let along = second - first;
    let (width, third) = apart(&|point| along.cross(&(point - first)).norm() / extent.max(f64::MIN_POSITIVE));
    let normal = along.cross(&(third - first));
    let (height, _) =
        apart(&|point| normal.dot(&(point - first)).abs() / normal.norm().max(f64::MIN_POSITIVE));
    extent <= 0.0 || width <= 1e-6 * extent || height <= 1e-6 * extent
}

/// Unit vectors spread evenly over a sphere, on a spiral from one pole to the other [Vogel 1979].
pub(crate) fn sphere_directions(count: usize) -> impl Iterator<Item = Vector3<f64>> {
    // The golden angle: no two turns of the spiral line up.
    let turn = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..count).map(move |index| {
        let z = 1.0 - (2.0 * index as f64 + 1.0) / count as f64;
        let radius = (1.0 - z * z).max(0.0).sqrt();
        let (sine, cosine) = sincos(turn * index as f64);
        Vector3::new(radius * cosine, radius * sine, z)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::box_corner;

    #[test]
    fn the_hull_of_a_box_full_of_points_is_its_corners() {
        let half = Vector3::new(0.1, 0.05, 0.02);
        let mut points: Vec<Vector3<f64>> = Vec::new();
        for k in 0..500 {
            let wave = |speed: f64| (speed * f64::from(k)).sin();
            points.push(half.component_mul(&Vector3::new(wave(1.1), wave(1.7), wave(2.3))));
        }
        points.extend((0..8).map(|corner| box_corner(&half, corner)));
        let hull = Hull::around(&points).unwrap();
        assert_eq!(hull.corners().len(), 8);
        assert!(hull.corners().iter().all(|corner| (corner.abs() - half).norm() < 1e-15));
        assert_eq!(hull.half_lengths(), half);
        assert_eq!(hull.farthest(&Vector3::new(1.0, -1.0, 1.0)), Vector3::new(0.1, -0.05, 0.02));
    }

    #[test]
    fn a_ball_keeps_the_most_corners_and_they_are_spread_over_it() {
        let points: Vec<Vector3<f64>> = sphere_directions(4000).collect();
        let hull = Hull::around(&points).unwrap();
        assert_eq!(hull.corners().len(), Hull::MOST_CORNERS);
        for along in sphere_directions(300) {
            assert!(hull.farthest(&along).dot(&along) > 0.7);
        }
    }

    #[test]
    fn a_flat_sole_under_a_round_body_keeps_its_outline() {
        // A dome of 25 cm with a sole of 20 × 8 cm, rounded at its rim, 1 cm below it.
        let mut points: Vec<Vector3<f64>> = sphere_directions(3000)
            .filter(|point| point.z > 0.0)
            .map(|point| Vector3::new(0.125 * point.x, 0.06 * point.y, 0.1 * point.z))
            .collect();
        let sole = [[0.1, 0.04], [0.1, -0.04], [-0.1, 0.04], [-0.1, -0.04]];
        points.extend(sole.map(|[x, y]| Vector3::new(x, y, -0.01)));
        let hull = Hull::around(&points).unwrap();
        let low: Vec<&Vector3<f64>> = hull.corners().iter().filter(|corner| corner.z < -0.0099).collect();
        assert_eq!(low.len(), 4, "{hull:?}");
        assert!(hull.corners().len() <= Hull::MOST_CORNERS);
    }

    #[test]
    fn points_in_a_plane_have_no_hull() {
        let flat: Vec<Vector3<f64>> =
            (0..20).map(|k| Vector3::new(f64::from(k % 5), f64::from(k / 5), 1.0)).collect();
        assert!(Hull::around(&flat).is_none());
        assert!(Hull::around(&[]).is_none() && Hull::around(&[Vector3::x(); 9]).is_none());
    }
}
