//! The map of the ground, seen from above.

use super::{PanelBinder, PanelContent, PanelKind};
use crate::plot::colour;
use crate::plot::figure::axis::{AxisScale, round_step};
use crate::plot::figure::draw::{SMALL, TEXT};
use crate::plot::figure::layer::{GroundPath, MapPanel, Series, SupportPolygon};
use crate::plot::picture::{PagePoint, Picture, Rectangle, TextAnchor};
use aplomb_language::diagnostic::FileErrors;
use aplomb_math::geometry::Polygon;
use aplomb_trace::Trace;
use nalgebra::Vector2;
use serde::Deserialize;

/// Distance within which polygons count as equal, m.
const SAME: f64 = 0.005;
/// Largest number of support polygons in a map.
const MOST_SUPPORTS: usize = 40;

/// Paths of the balance points, and the support polygons of the run.
pub(crate) fn bind(trace: &Trace) -> MapPanel {
    let series = |name: String| Series {
        values: trace
            .series(&name)
            .unwrap_or_default()
            .into_iter()
            .map(|value| value.unwrap_or(f64::NAN))
            .collect(),
        name,
        unit: "m".into(),
    };
    let path = |channel: &str, label: &str, colour| GroundPath {
        x: series(format!("{channel}.x")),
        y: series(format!("{channel}.y")),
        label: label.into(),
        colour,
    };
    MapPanel {
        title: None,
        paths: vec![
            path("cop", "centre of pressure", colour::CENTRE_OF_PRESSURE),
            path("capture_point", "capture point", colour::CAPTURE_POINT),
            path("com", "centre of mass", colour::CENTRE_OF_MASS),
        ],
        supports: supports(trace),
    }
}

/// The support polygons that lasted longest, each with its share of the run, in the order of appearance.
fn supports(trace: &Trace) -> Vec<SupportPolygon> {
    let mut known: Vec<(Polygon, usize)> = Vec::new();
    for frame in &trace.frames {
        let corners = &frame.support_polygon;
        if corners.len() < 3 || corners.iter().flatten().any(|value| !value.is_finite()) {
            continue;
        }
        let mut polygon = Polygon::default();
        polygon.set_hull(corners.iter().copied().map(Vector2::from));
        match known.iter_mut().rev().find(|(other, _)| same(other, &polygon)) {
            Some((_, frames)) => *frames += 1,
            None => known.push((polygon, 1)),
        }
    }
    let mut lasting: Vec<usize> = known.iter().map(|(_, frames)| *frames).collect();
    lasting.sort_unstable_by(|a, b| b.cmp(a));
    let least = lasting.get(MOST_SUPPORTS - 1).copied().unwrap_or(1);
    let longer = lasting.iter().filter(|frames| **frames > least).count();
    // The remaining places go to the polygons with the shortest kept duration, spread over the run.
    let (ties, room) = (lasting.iter().filter(|frames| **frames == least).count(), MOST_SUPPORTS - longer);
    let mut tie = 0;
    let shown = known.iter().filter(|(_, frames)| {
        if *frames != least {
            return *frames > least;
        }
        tie += 1;
        ties <= room || tie * room / ties > (tie - 1) * room / ties
    });
    shown
        .map(|(polygon, frames)| SupportPolygon {
            corners: polygon.corners().iter().map(|corner| (*corner).into()).collect(),
            share: *frames as f64 / trace.frames.len() as f64,
        })
        .collect()
}

/// Whether every corner of each polygon is within [`SAME`] of the other polygon.
fn same(a: &Polygon, b: &Polygon) -> bool {
    let within =
        |outer: &Polygon, inner: &Polygon| inner.corners().iter().all(|corner| outer.margin(corner) > -SAME);
    within(a, b) && within(b, a)
}

/// Draws the map into `area`, with equal scales of x and y.
pub(crate) fn draw(picture: &mut Picture, area: &Rectangle, map: &MapPanel) {
    let (x, y) = axes(area, map);
    let step = round_step((x.high - x.low) / (area.width() / 95.0));
    let (across, up) = (ticks(&x, step), ticks(&y, step));
    for (value, _) in &across {
        picture.stroke(vec![[x.place(*value), area.top], [x.place(*value), area.bottom]], 1.0, colour::GRID);
    }
    for (value, _) in &up {
        picture.stroke(vec![[area.left, y.place(*value)], [area.right, y.place(*value)]], 1.0, colour::GRID);
    }
    let place = |[px, py]: PagePoint| [x.place(px), y.place(py)];
    for support in &map.supports {
        let corners: Vec<PagePoint> = support.corners.iter().map(|corner| place(*corner)).collect();
        let mut outline = corners.clone();
        outline.extend(corners.first().copied());
        picture.fill(corners, colour::SUPPORT.faded(0.05 + 0.22 * support.share));
        picture.stroke(outline, 1.4, colour::SUPPORT.lightened(0.7 * (1.0 - support.share)));
    }
    for path in &map.paths {
        let points: Vec<PagePoint> =
            path.x.values.iter().zip(&path.y.values).map(|(px, py)| place([*px, *py])).collect();
        let points = thinned(&points);
        let ends =
            [points.iter().find(|p| whole(p)).copied(), points.iter().rev().find(|p| whole(p)).copied()];
        picture.stroke(points, 2.0, path.colour);
        if let [Some(first), Some(last)] = ends {
            picture.disc(first, 5.0, path.colour);
            picture.disc(first, 3.0, colour::WHITE);
            picture.disc(last, 5.0, path.colour);
        }
    }
    picture.frame(area, 1.2, colour::OUTLINE);
    for (value, label) in across {
        let at = [x.place(value), area.bottom + 8.0 + SMALL];
        picture.text(at, label, SMALL, TextAnchor::Middle, colour::INK);
    }
    for (value, label) in up {
        let at = [area.left - 9.0, y.place(value) + 0.35 * SMALL];
        picture.text(at, label, SMALL, TextAnchor::End, colour::INK);
    }
    let middle = [0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom)];
    picture.text([middle[0], area.bottom + 50.0], "x (forward), m", TEXT, TextAnchor::Middle, colour::INK);
    picture.text_upward([area.left - 62.0, middle[1]], "y (left), m", TEXT, colour::INK);
    let title = map.title.as_deref().unwrap_or("seen from above, from ring to dot");
    picture.text([area.left, area.top - 9.0], title, TEXT, TextAnchor::Start, colour::INK);
}

fn whole(point: &PagePoint) -> bool {
    point.iter().all(|value| value.is_finite())
}

/// The points without those less than half a pixel from the previous one.
fn thinned(points: &[PagePoint]) -> Vec<PagePoint> {
    let mut kept: Vec<PagePoint> = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let near = kept.last().is_some_and(|last| {
            let distance = (last[0] - point[0]).hypot(last[1] - point[1]);
            distance < 0.5 || (!whole(last) && !whole(point))
        });
        if !near || index + 1 == points.len() {
            kept.push(*point);
        }
    }
    kept
}

/// Axes with equal scales around all points.
fn axes(area: &Rectangle, map: &MapPanel) -> (AxisScale, AxisScale) {
    let bounds = |axis: usize| {
        let paths = map.paths.iter().flat_map(|path| if axis == 0 { &path.x.values } else { &path.y.values });
        let corners = map.supports.iter().flat_map(|support| &support.corners).map(|corner| &corner[axis]);
        paths
            .chain(corners)
            .filter(|value| value.is_finite())
            .fold(None, |range: Option<(f64, f64)>, &value| {
                Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
            })
            .unwrap_or((-0.5, 0.5))
    };
    let (x, y) = (bounds(0), bounds(1));
    let widest = ((x.1 - x.0) / area.width()).max((y.1 - y.0) / area.height());
    let metres_per_pixel = (1.12 * widest).max(0.02 / area.width());
    let centred = |(low, high): (f64, f64), from: f64, to: f64| {
        let half = 0.5 * metres_per_pixel * (to - from).abs();
        let middle = 0.5 * (low + high);
        AxisScale::new(middle - half, middle + half, from, to)
    };
    (centred(x, area.left, area.right), centred(y, area.bottom, area.top))
}

fn ticks(axis: &AxisScale, step: f64) -> Vec<(f64, String)> {
    let wanted = ((axis.high - axis.low) / step).round().max(1.0) as usize;
    axis.ticks(wanted).into_iter().map(|tick| (tick.value, tick.label)).collect()
}

/// The ground seen from above; it has no keys.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SupportMap {}

impl PanelKind for SupportMap {
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        Ok(PanelContent::Map(bind(binder.trace)))
    }
}
