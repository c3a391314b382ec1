//! Draws one panel over time.

use super::axis::AxisScale;
use super::layer::{Layer, Series, TimePanel};
use crate::plot::colour::{self, Colour};
use crate::plot::font;
use crate::plot::picture::{PagePoint, Picture, Rectangle, TextAnchor};
use crate::plot::spans::TimeSpan;

/// Sizes of text, px.
pub(crate) const TEXT: f64 = 17.0;
pub(crate) const SMALL: f64 = 15.0;

/// Data shared by all panels of a figure: the run, its states and events, and the time axis.
pub(super) struct FigureContext<'a> {
    pub times: &'a [f64],
    pub time: AxisScale,
    /// States with their colours.
    pub states: Vec<(TimeSpan, Colour)>,
    pub events: Vec<TimeSpan>,
}

/// Draws a panel with the frame `area`; tick labels and the axis title are to the left of it.
pub(super) fn time_panel(picture: &mut Picture, area: &Rectangle, panel: &TimePanel, shared: &FigureContext) {
    let stacked = stacked(panel);
    let axis = value_axis(panel, &stacked, area);
    backdrop(picture, area, shared);
    grid(picture, area, &axis, &shared.time);
    for (k, (_, colour)) in stacked.tops.iter().enumerate() {
        let columns = stacked.columns(k, &axis, shared);
        picture.area(&columns, *colour);
    }
    for layer in &panel.layers {
        match layer {
            Layer::Line { .. } | Layer::Stack { .. } | Layer::Dashes { .. } | Layer::Others { .. } => {}
            Layer::Extent { low, high, colour, .. } => extent(picture, low, high, *colour, &axis, shared),
            Layer::Level { value, colour, .. } => {
                if (axis.low..=axis.high).contains(value) {
                    let y = axis.place(*value);
                    picture.dashed(&[[area.left, y], [area.right, y]], [9.0, 5.0], 1.6, *colour);
                }
            }
        }
    }
    lines(picture, panel, &axis, shared);
    for layer in &panel.layers {
        if let Layer::Dashes { series, colour, .. } = layer {
            let points = polyline(&series.values, &axis, shared);
            picture.dashed(&points, [7.0, 5.0], 1.6, colour.darkened(0.35));
        }
    }
    if let Some((peak, time)) = stacked.cut_peak(shared.times) {
        let text = format!("cut off: up to {peak:.3} at {time:.2} s");
        picture.text([area.right - 8.0, area.top + 18.0], text, SMALL, TextAnchor::End, colour::ALARM);
    }
    if let Some(note) = &panel.note {
        let middle = [0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom)];
        picture.text(middle, note, TEXT, TextAnchor::Middle, colour::SLATE);
    }
    picture.frame(area, 1.2, colour::OUTLINE);
    value_labels(picture, area, &axis);
    let middle = 0.5 * (area.top + area.bottom);
    let title = font::shortened(&panel.axis, TEXT, area.height() + 30.0);
    picture.text_upward([area.left - 68.0, middle], title, TEXT, colour::INK);
    if let Some(title) = &panel.title {
        picture.text([area.left, area.top - 9.0], title, TEXT, TextAnchor::Start, colour::INK);
    }
}

fn backdrop(picture: &mut Picture, area: &Rectangle, shared: &FigureContext) {
    for (span, colour) in &shared.states {
        picture.rectangle(&between(area, &shared.time, span), colour.lightened(0.82));
    }
    for pair in shared.states.windows(2) {
        let x = shared.time.place(pair[1].0.from);
        picture.stroke(vec![[x, area.top], [x, area.bottom]], 1.0, colour::OUTLINE);
    }
    let stretches = merged(shared.events.iter().map(|span| between(area, &shared.time, span)));
    let covered: f64 = stretches.iter().map(Rectangle::width).sum();
    for stretch in &stretches {
        picture.rectangle(stretch, colour::ALARM.faded(0.08));
        // Events that act most of the time are not hatched: strokes would hide the lines.
        if covered < MOST_HATCHED * area.width() {
            picture.hatch(stretch, 9.0, 1.1, colour::ALARM.lightened(0.45));
        }
    }
}

/// Largest share of a panel's width that is hatched.
const MOST_HATCHED: f64 = 0.25;

/// The rectangles from left to right, with those that overlap or touch merged.
fn merged(stretches: impl Iterator<Item = Rectangle>) -> Vec<Rectangle> {
    let mut all: Vec<Rectangle> = stretches.collect();
    all.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut merged: Vec<Rectangle> = Vec::new();
    for stretch in all {
        match merged.last_mut() {
            Some(last) if stretch.left <= last.right => last.right = last.right.max(stretch.right),
            _ => merged.push(stretch),
        }
    }
    merged
}

/// The part of `area` of a span of time, at least two pixels wide.
pub(super) fn between(area: &Rectangle, time: &AxisScale, span: &TimeSpan) -> Rectangle {
    let left = time.place(span.from).clamp(area.left, area.right);
    let right = time.place(span.to).max(left + 2.0).clamp(area.left, area.right);
    Rectangle { left, right, ..*area }
}

fn grid(picture: &mut Picture, area: &Rectangle, axis: &AxisScale, time: &AxisScale) {
    for tick in time.ticks(10) {
        let x = time.place(tick.value);
        picture.stroke(vec![[x, area.top], [x, area.bottom]], 1.0, colour::GRID);
    }
    for tick in axis.ticks(ticks_for(area)) {
        let y = axis.place(tick.value);
        picture.stroke(vec![[area.left, y], [area.right, y]], 1.0, colour::GRID);
    }
}

fn ticks_for(area: &Rectangle) -> usize {
    ((area.height() / 48.0) as usize).max(2)
}

fn value_labels(picture: &mut Picture, area: &Rectangle, axis: &AxisScale) {
    for tick in axis.ticks(ticks_for(area)) {
        let y = axis.place(tick.value);
        picture.stroke(vec![[area.left - 5.0, y], [area.left, y]], 1.2, colour::OUTLINE);
        picture.text([area.left - 9.0, y + 0.35 * SMALL], tick.label, SMALL, TextAnchor::End, colour::INK);
    }
}

fn value_axis(panel: &TimePanel, stacked: &RunningSums, area: &Rectangle) -> AxisScale {
    let lines = panel.layers.iter().flat_map(|layer| match layer {
        Layer::Stack { .. } | Layer::Others { is_stacked: true, .. } => Vec::new(),
        Layer::Level { value, always: true, .. } => vec![*value],
        other => other.series().into_iter().flat_map(|series| series.values.iter().copied()).collect(),
    });
    let most = stacked.ceiling().unwrap_or(f64::INFINITY);
    let tops = stacked.tops.iter().flat_map(|(top, _)| top.iter().map(|value| value.min(most)));
    AxisScale::fit(lines.chain(tops), panel.scale, panel.from_zero, [area.bottom, area.top])
}

fn extent(
    picture: &mut Picture,
    low: &Series,
    high: &Series,
    colour: Colour,
    axis: &AxisScale,
    shared: &FigureContext,
) {
    let pairs = low.values.iter().zip(&high.values).zip(shared.times);
    let columns: Vec<(f64, f64, f64)> = pairs
        .map(|((low, high), time)| (shared.time.place(*time), axis.place(*low), axis.place(*high)))
        .collect();
    picture.area(&columns, colour.faded(0.22));
    for side in [|column: &(f64, f64, f64)| column.1, |column: &(f64, f64, f64)| column.2] {
        picture.stroke(columns.iter().map(|column| [column.0, side(column)]).collect(), 1.2, colour);
    }
}

/// Draws the panel's lines; if one hides another for long, the two alternate in dashes.
fn lines(picture: &mut Picture, panel: &TimePanel, axis: &AxisScale, shared: &FigureContext) {
    for layer in &panel.layers {
        if let Layer::Others { series, is_stacked: false } = layer {
            for one in series {
                picture.stroke(polyline(&one.values, axis, shared), 1.0, colour::OTHERS);
            }
        }
    }
    let all: Vec<(&Series, f64, Colour)> = panel
        .layers
        .iter()
        .filter_map(|layer| match layer {
            Layer::Line { series, width, colour, .. } => Some((series, *width, *colour)),
            _ => None,
        })
        .collect();
    for (series, width, colour) in &all {
        picture.stroke(polyline(&series.values, axis, shared), *width, *colour);
    }
    for (index, (series, width, colour)) in all.iter().enumerate() {
        let later: Vec<&Series> = all[index + 1..].iter().map(|(later, ..)| *later).collect();
        let hidden = hidden(series, &later, axis);
        if hidden.iter().any(|value| !value.is_nan()) {
            picture.dashed(&polyline(&hidden, axis, shared), [12.0, 12.0], *width, *colour);
        }
    }
}

/// The values of `series` that exactly one later line covers for at least a twentieth of the run; otherwise
/// NaN.
fn hidden(series: &Series, later: &[&Series], axis: &AxisScale) -> Vec<f64> {
    let place = |series: &Series, frame: usize| axis.place_within(series.values[frame]);
    let covered = |frame: usize| {
        let own = place(series, frame);
        later.iter().filter(|other| (place(other, frame) - own).abs() < 1.0).count() == 1
    };
    let frames = series.values.len();
    let mut values = vec![f64::NAN; frames];
    let mut start = 0;
    for frame in 0..=frames {
        if frame < frames && covered(frame) {
            continue;
        }
        if frame - start >= (frames / 20).max(2) {
            values[start..frame].copy_from_slice(&series.values[start..frame]);
        }
        start = frame + 1;
    }
    values
}

/// Stacked layers as running sums.
struct RunningSums {
    /// Cumulative sum of each layer with its colour.
    tops: Vec<(Vec<f64>, Colour)>,
}

fn stacked(panel: &TimePanel) -> RunningSums {
    let mut tops: Vec<(Vec<f64>, Colour)> = Vec::new();
    for layer in &panel.layers {
        let (series, colour) = match layer {
            Layer::Stack { series, colour, .. } => (std::slice::from_ref(series), colour.lightened(0.12)),
            Layer::Others { series, is_stacked: true } => (&series[..], colour::OTHERS),
            _ => continue,
        };
        let frames = series.first().map_or(0, |first| first.values.len());
        let below = tops.last().map_or_else(|| vec![0.0; frames], |(below, _)| below.clone());
        let top = series
            .iter()
            .fold(below, |sums, one| sums.iter().zip(&one.values).map(|(sum, value)| sum + value).collect());
        tops.push((top, colour));
    }
    RunningSums { tops }
}

/// Ratio of the highest peak of a stack to its usual height above which it is cut off.
const SPIKE: f64 = 5.0;
/// Share of the frames that determines the usual height.
const MOST_OF_THE_TIME: f64 = 0.95;

impl RunningSums {
    /// Height at which peaks are cut off, so that the rest can be read; `None` if nothing is cut off.
    fn ceiling(&self) -> Option<f64> {
        let mut sums: Vec<f64> = self.tops.last()?.0.iter().copied().filter(|sum| sum.is_finite()).collect();
        sums.sort_unstable_by(f64::total_cmp);
        let usual = *sums.get((MOST_OF_THE_TIME * sums.len() as f64) as usize)?;
        let highest = *sums.last()?;
        (usual > 0.0 && highest > SPIKE * usual).then_some(2.0 * usual)
    }

    /// Height and time of the highest sum, if it is cut off.
    fn cut_peak(&self, times: &[f64]) -> Option<(f64, f64)> {
        self.ceiling()?;
        let sums = self.tops.last()?.0.iter().zip(times).filter(|(sum, _)| sum.is_finite());
        sums.max_by(|a, b| a.0.total_cmp(b.0)).map(|(sum, time)| (*sum, *time))
    }

    /// Position, bottom and top of layer `k`, px; of the frames within one pixel, the one with the largest sum.
    fn columns(&self, k: usize, axis: &AxisScale, shared: &FigureContext) -> Vec<(f64, f64, f64)> {
        let Some((total, _)) = self.tops.last() else { return Vec::new() };
        let shown = buckets(shared).into_iter().filter_map(|frames| {
            frames.clone().max_by(|a, b| total[*a].total_cmp(&total[*b]).then(b.cmp(a))).or(frames.last())
        });
        shown
            .map(|frame| {
                let bottom = if k == 0 { 0.0 } else { self.tops[k - 1].0[frame] };
                let x = shared.time.place(shared.times[frame]);
                // A record without a value has no height; `min` would return the end of the axis.
                let within = |value: f64| match value.is_nan() {
                    true => f64::NAN,
                    false => axis.place(value.min(axis.high)),
                };
                (x, within(bottom), within(self.tops[k].0[frame]))
            })
            .collect()
    }
}

/// The frames in each pixel of the time axis if there are more than two per pixel; otherwise each frame.
fn buckets(shared: &FigureContext) -> Vec<std::ops::Range<usize>> {
    let frames = shared.times.len();
    let pixels = (shared.time.to - shared.time.from).abs().max(1.0) as usize;
    if frames <= 2 * pixels {
        return (0..frames).map(|frame| frame..frame + 1).collect();
    }
    (0..pixels).map(|pixel| pixel * frames / pixels..(pixel + 1) * frames / pixels).collect()
}

/// A line through the values; of the frames within one pixel, the first, smallest, largest and last value.
fn polyline(values: &[f64], axis: &AxisScale, shared: &FigureContext) -> Vec<PagePoint> {
    let point = |frame: usize| [shared.time.place(shared.times[frame]), axis.place_within(values[frame])];
    let mut points = Vec::new();
    for frames in buckets(shared) {
        let frames = frames.start.min(values.len())..frames.end.min(values.len());
        if frames.len() == 1 {
            points.push(point(frames.start));
            continue;
        }
        let there: Vec<usize> = frames.clone().filter(|&frame| !values[frame].is_nan()).collect();
        let least = there.iter().copied().min_by(|a, b| values[*a].total_cmp(&values[*b]));
        let most = there.iter().copied().max_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut kept: Vec<usize> =
            [there.first().copied(), least, most, there.last().copied()].into_iter().flatten().collect();
        kept.sort_unstable();
        kept.dedup();
        if kept.is_empty() {
            points.push([f64::NAN; 2]);
        }
        points.extend(kept.into_iter().map(point));
    }
    points
}

/// Draws the grid of an area, the labels of its axes, and its frame, with about `vertical_ticks` ticks on the
/// vertical axis.
pub(crate) fn labelled_grid(
    picture: &mut Picture,
    area: &Rectangle,
    [horizontal, vertical]: [&AxisScale; 2],
    vertical_ticks: usize,
) {
    for tick in horizontal.ticks(8) {
        let x = horizontal.place(tick.value);
        picture.stroke(vec![[x, area.top], [x, area.bottom]], 1.0, colour::GRID);
        picture.text([x, area.bottom + 20.0], tick.label, SMALL, TextAnchor::Middle, colour::INK);
    }
    for tick in vertical.ticks(vertical_ticks) {
        let y = vertical.place(tick.value);
        picture.stroke(vec![[area.left, y], [area.right, y]], 1.0, colour::GRID);
        let beside = [area.left - 9.0, y + 0.35 * SMALL];
        picture.text(beside, tick.label, SMALL, TextAnchor::End, colour::INK);
    }
    picture.frame(area, 1.2, colour::OUTLINE);
}

#[cfg(test)]
mod tests {
    use super::super::axis::Scale;
    use super::*;

    fn shared(times: &[f64], pixels: f64) -> FigureContext<'_> {
        let time = AxisScale::new(times[0], times[times.len() - 1], 0.0, pixels);
        FigureContext { times, time, states: Vec::new(), events: Vec::new() }
    }

    #[test]
    fn thinning_a_long_series_keeps_its_spikes() {
        let times: Vec<f64> = (0..10_000).map(|k| f64::from(k) * 0.01).collect();
        let mut values = vec![0.0; times.len()];
        values[5_003] = 9.0;
        values[7_777] = -4.0;
        let shared = shared(&times, 100.0);
        let axis = AxisScale { scale: Scale::Linear, low: -10.0, high: 10.0, from: 0.0, to: 20.0 };
        let points = polyline(&values, &axis, &shared);
        assert!(points.len() <= 400);
        assert!(points.iter().any(|point| point[1] == 19.0) && points.iter().any(|point| point[1] == 6.0));
        assert!(points.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
    }

    #[test]
    fn a_line_long_hidden_by_another_shows_there() {
        let series = |values: &[f64]| Series { name: "a".into(), unit: "1".into(), values: values.to_vec() };
        let below = series(&[1.0, 1.0, 1.0, 5.0, 5.0, 9.0]);
        let above = series(&[1.0, 1.0, 1.0, 7.0, 5.0, 2.0]);
        let axis = AxisScale::new(0.0, 10.0, 100.0, 0.0);
        let shown: Vec<bool> = hidden(&below, &[&above], &axis).iter().map(|v| !v.is_nan()).collect();
        assert_eq!(shown, [true, true, true, false, false, false]);
        assert!(hidden(&below, &[&above, &below], &axis).iter().take(3).all(|value| value.is_nan()));
    }

    #[test]
    fn layers_stand_on_the_sum_of_those_below() {
        let stack = |values: &[f64]| Layer::Stack {
            series: Series { name: "a".into(), unit: "1".into(), values: values.to_vec() },
            label: "a".into(),
            colour: colour::INK,
        };
        let panel = TimePanel {
            title: None,
            axis: String::new(),
            scale: Scale::Linear,
            from_zero: true,
            height: 1.0,
            layers: vec![stack(&[1.0, 2.0]), stack(&[3.0, 4.0])],
            note: None,
        };
        let stacked = stacked(&panel);
        assert_eq!(stacked.tops[1].0, [4.0, 6.0]);
        let times = [0.0, 1.0];
        let axis = AxisScale::new(0.0, 10.0, 0.0, 10.0);
        assert_eq!(stacked.columns(1, &axis, &shared(&times, 10.0)), [(0.0, 1.0, 4.0), (10.0, 2.0, 6.0)]);
    }
}
