//! Footholds: the surfaces under a sole, and the nearest place where the whole sole is supported.

use super::leg::{Leg, facing};
use super::{Measure, Quantity};
use aplomb_body::contact::Feature;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::expression::{Interval, Type, Value};
use nalgebra::{Vector2, Vector3};

/// Rows and columns of points under a sole at which the ground is sampled.
const ROWS: usize = 7;
const COLUMNS: usize = 3;
/// Margin around a sole that must be supported, m × length scale.
const ROOM: f64 = 0.01;
/// Points of a body up to this height above its lowest one belong to its sole, m × length scale.
const THICK: f64 = 0.03;
/// Largest deviation of supporting ground from a plane, m × length scale.
const UNEVEN: f64 = 0.015;
/// Largest slope of supporting ground.
const STEEP: f64 = 0.4;
/// Spacing of the tried places, m × length scale.
const STRIDE: f64 = 0.01;
/// Largest number of places in each direction.
const MOST_STRIDES: usize = 20;
/// Smallest supported share of a sole that partly overhangs an edge.
const MOST_OF_IT: f64 = 0.8;
/// A place where a part of the sole overhangs an edge is selected if it is nearer by this distance, m × length scale.
const NEARER: f64 = 0.1;

/// Area of a sole relative to a site of the foot: forward and to the left, m.
#[derive(Clone, Copy)]
pub(super) struct Sole {
    pub low: Vector2<f64>,
    pub high: Vector2<f64>,
}

impl Sole {
    /// The area in which the foot of a site can carry load, flat on the ground as at rest: round parts touch under
    /// their centres. A foot without corners has a sole of one point.
    pub(super) fn bearing(now: &Measure<'_>, place: (BodyId, Vector3<f64>)) -> Sole {
        Sole::of(now, place, 0.0)
    }

    /// The area of the ground that the foot of a site covers, with the roundness of its parts.
    pub(super) fn outline(now: &Measure<'_>, place: (BodyId, Vector3<f64>)) -> Sole {
        Sole::of(now, place, 1.0)
    }

    fn of(now: &Measure<'_>, (foot, site): (BodyId, Vector3<f64>), share_of_radius: f64) -> Sole {
        let axes = now.model.rest_axes(foot);
        let flat = |point: Vector3<f64>| axes.map_or(point, |axes| axes.inverse() * point);
        let points = || {
            let candidates = now.snapshot.contacts.candidates.iter();
            candidates.filter_map(move |candidate| match candidate.feature {
                Feature::Ball { centre, radius } => {
                    Some((flat(from_foot(now.model, foot, candidate.body, centre)? - site), radius))
                }
                _ => None,
            })
        };
        let lowest = points().map(|(point, radius)| point.z - radius).fold(f64::INFINITY, f64::min);
        let thick = THICK * now.snapshot.scales.length();
        let none = Sole { low: Vector2::zeros(), high: Vector2::zeros() };
        points().filter(|(point, radius)| point.z - radius < lowest + thick).fold(
            none,
            |sole, (point, radius)| {
                let round = share_of_radius * radius;
                let (low, high) = (point.xy().add_scalar(-round), point.xy().add_scalar(round));
                Sole { low: sole.low.inf(&low), high: sole.high.sup(&high) }
            },
        )
    }
}

/// A point of the foot or of its subtree, in the foot's axes with all joints between at 0; `None` for other
/// bodies.
fn from_foot(model: &Model, foot: BodyId, body: BodyId, point: Vector3<f64>) -> Option<Vector3<f64>> {
    let (mut body, mut point) = (body, point);
    while body != foot {
        let part = &model.bodies[body.0];
        point = part.position + part.orientation * point;
        body = part.parent?;
    }
    Some(point)
}

/// Height of the highest surface below `below` on the vertical through a point, world, m; that of the floor
/// if there is none.
fn height(now: &Measure<'_>, point: &Vector3<f64>, below: f64) -> f64 {
    let surfaces = now.snapshot.contacts.surfaces.iter().filter(|surface| surface.present);
    let tops = surfaces.filter_map(|surface| surface.top(point)).map(|(height, _)| height);
    let highest = tops.filter(|height| *height < below).fold(f64::NEG_INFINITY, f64::max);
    if highest.is_finite() { highest } else { now.snapshot.ground_height }
}

/// Height of a site above the ground, m.
pub(super) fn over_ground(now: &Measure<'_>, site: Value) -> f64 {
    let place = now.place(site).0;
    let reach = now.snapshot.scales.height;
    place.z - height(now, &place, place.z + 0.5 * reach)
}

/// The ground under a sole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Support {
    /// All of the sole is supported.
    Whole,
    /// A part of the sole overhangs an edge; the rest, with its centre, is level.
    Partial,
    /// The ground is too uneven or steep, or something obstructs a part of the sole.
    None,
}

/// Support by ground of these heights, at points with the spacing `step` (m).
fn support(heights: &[[f64; COLUMNS]; ROWS], step: Vector2<f64>, scale: f64) -> Support {
    if is_whole(heights, step, scale) {
        return Support::Whole;
    }
    let middle = heights[ROWS / 2][COLUMNS / 2];
    let highest = heights.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let level = heights.iter().flatten().filter(|height| **height >= middle - UNEVEN * scale).count();
    let most = level as f64 >= MOST_OF_IT * (ROWS * COLUMNS) as f64;
    if most && highest <= middle + UNEVEN * scale { Support::Partial } else { Support::None }
}

/// Whether ground of these heights, at points with the spacing `step` (m), is near enough to a plane that is
/// not too steep.
fn is_whole(heights: &[[f64; COLUMNS]; ROWS], step: Vector2<f64>, scale: f64) -> bool {
    let first = heights[0][0];
    if heights.iter().flatten().all(|height| *height == first) {
        return true;
    }
    // Least squares over a grid about its centre: mean and slopes are independent.
    let offset = |index: usize, count: usize| index as f64 - 0.5 * (count - 1) as f64;
    let (mut mean, mut slopes, mut squares) = (0.0, Vector2::zeros(), Vector2::zeros());
    for (row, heights) in heights.iter().enumerate() {
        for (column, height) in heights.iter().enumerate() {
            let at = Vector2::new(offset(row, ROWS), offset(column, COLUMNS));
            mean += height / (ROWS * COLUMNS) as f64;
            slopes += at * *height;
            squares += at.component_mul(&at);
        }
    }
    let slopes = slopes.component_div(&squares);
    let off = |row: usize, column: usize| {
        let at = Vector2::new(offset(row, ROWS), offset(column, COLUMNS));
        (heights[row][column] - mean - slopes.dot(&at)).abs()
    };
    let worst =
        (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| off(row, column))).fold(0.0, f64::max);
    worst <= UNEVEN * scale && slopes.component_div(&step).norm() <= STEEP
}

/// The place nearest to a point, within [`MOST_STRIDES`], where the foot of a site is supported by its whole
/// sole, in the orientation of the body; on the ground, m. A place where a part of the sole overhangs an edge
/// is selected if it is nearer by [`NEARER`], or if it is the only one, as on treads shorter than a foot.
/// Forward is tried before backward, left before right. Without such a place, the point itself, projected on
/// the ground. Surfaces as high as the hip do not count.
pub(super) fn landing(now: &Measure<'_>, foot: Value, point: &Vector3<f64>) -> Vector3<f64> {
    let Some(on_foot) = now.snapshot.place(now.model, foot) else { return *point };
    let scale = now.snapshot.scales.length();
    let (forward, left) = facing(now);
    let hip = Leg::of(now, on_foot).hip.z;
    let Sole { low, high } = Sole::outline(now, on_foot);
    let room = Vector2::repeat(ROOM * scale);
    let (low, high) = (low - room, high + room);
    let step = Vector2::new((high.x - low.x) / (ROWS - 1) as f64, (high.y - low.y) / (COLUMNS - 1) as f64);
    let support_at = |place: &Vector2<f64>| {
        let mut heights = [[0.0; COLUMNS]; ROWS];
        for (row, heights) in heights.iter_mut().enumerate() {
            for (column, height_here) in heights.iter_mut().enumerate() {
                let at = low + Vector2::new(row as f64 * step.x, column as f64 * step.y);
                let at = place + forward * at.x + left * at.y;
                *height_here = height(now, &Vector3::new(at.x, at.y, point.z), hip);
            }
        }
        support(&heights, step, scale)
    };
    let put = |place: Vector2<f64>| {
        let at = Vector3::new(place.x, place.y, point.z);
        Vector3::new(place.x, place.y, height(now, &at, hip))
    };
    let nearer = (NEARER / STRIDE).round() as usize;
    let mut partial: Option<(usize, Vector2<f64>)> = None;
    for stride in 0..=MOST_STRIDES {
        if let Some((at, place)) = partial
            && stride > at + nearer
        {
            return put(place);
        }
        let away = stride as f64 * STRIDE * scale;
        let directions = [forward, -forward, left, -left];
        for direction in directions.iter().take(if stride == 0 { 1 } else { 4 }) {
            let place = point.xy() + direction * away;
            match support_at(&place) {
                Support::Whole => return put(place),
                Support::Partial => partial = partial.or(Some((stride, place))),
                Support::None => {}
            }
        }
    }
    put(partial.map_or(point.xy(), |(_, place)| place))
}

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "landing_place",
        arguments: &[Type::Site, Type::Vector],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Nearest foothold to a point, within 20 cm, where the whole sole of a site's foot is supported: \
                not over an edge or on steep ground. A place where up to a fifth of the sole is over an edge is \
                used if it is nearer by 10 cm or the only one; if there is none, the ground under the point.",
        value: |now, arguments| Value::Vector(landing(now, arguments[0], &arguments[1].vector())),
    },
    Quantity {
        name: "highest_between",
        arguments: &[Type::Vector, Type::Vector],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "World height of the highest obstacle on the line between two points, which a swing foot has to \
                clear. Surfaces higher than half of the standing height over the ground of the higher point are \
                ignored.",
        value: |now, arguments| {
            let [from, to] = [arguments[0].vector(), arguments[1].vector()];
            Value::Number(highest_between(now, &from, &to))
        },
    },
];

/// Number of places between two points at which the ground is sampled.
const BETWEEN: usize = 24;

fn highest_between(now: &Measure<'_>, from: &Vector3<f64>, to: &Vector3<f64>) -> f64 {
    let reach = 0.5 * now.snapshot.scales.height;
    let low = now.snapshot.footing_height + reach;
    let ends = [from, to].map(|end| height(now, end, low));
    let below = ends[0].max(ends[1]) + reach;
    let between = (0..=BETWEEN).map(|part| from.lerp(to, part as f64 / BETWEEN as f64));
    between.map(|place| height(now, &place, below)).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(height: impl Fn(f64, f64) -> f64) -> [[f64; COLUMNS]; ROWS] {
        std::array::from_fn(|row| {
            std::array::from_fn(|column| height(0.04 * row as f64, 0.04 * column as f64))
        })
    }

    #[test]
    fn a_slope_is_whole_an_edge_is_not_nor_is_what_is_steep() {
        let step = Vector2::repeat(0.04);
        let whole = |height: &dyn Fn(f64, f64) -> f64| is_whole(&ground(height), step, 1.0);
        assert!(whole(&|_, _| 0.3));
        assert!(whole(&|x, y| 0.3 * x - 0.2 * y));
        assert!(!whole(&|x, _| 0.5 * x), "steep");
        for edge in 1..ROWS {
            assert!(!whole(&|x, _| if x > 0.04 * edge as f64 - 0.01 { 0.17 } else { 0.0 }), "edge {edge}");
        }
    }

    #[test]
    fn a_sole_may_hang_over_an_edge_by_a_fifth_and_nothing_may_stand_in_its_way() {
        let step = Vector2::repeat(0.04);
        let support = |height: &dyn Fn(f64, f64) -> f64| support(&ground(height), step, 1.0);
        assert_eq!(support(&|_, _| 0.1), Support::Whole);
        assert_eq!(support(&|x, _| if x < 0.03 { 0.0 } else { 0.17 }), Support::Partial, "the heel hangs");
        assert_eq!(support(&|x, _| if x > 0.21 { 0.0 } else { 0.17 }), Support::Partial, "the toes hang");
        assert_eq!(support(&|x, _| if x < 0.07 { 0.0 } else { 0.17 }), Support::None, "two rows of seven");
        assert_eq!(
            support(&|x, _| if x > 0.21 { 0.34 } else { 0.17 }),
            Support::None,
            "a riser before the toes"
        );
    }
}
