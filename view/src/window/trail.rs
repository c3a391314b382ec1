//! Channels over time, for as long as the window keeps them.

use crate::engine::Opened;
use aplomb::trace::{Channel, Frame, Header, Sampler, channels};
use egui_plot::PlotPoint;
use std::collections::VecDeque;
use std::sync::Arc;

/// A plotted channel.
pub struct Trail {
    sampler: Sampler,
    points: Vec<PlotPoint>,
    /// Values of the dropped branch.
    ghost: Vec<PlotPoint>,
}

/// The plotted channels, and the frames from which others can be read.
pub struct Trails {
    header: Arc<Header>,
    /// All channels.
    pub channels: Vec<Channel>,
    pub shown: Vec<Trail>,
    frames: VecDeque<Arc<Frame>>,
    most: usize,
}

/// Time kept, s. A finished run is kept whole.
const KEPT: f64 = 20.0;
/// Most spans of a plotted line, each with its lowest and highest value: about one per two pixels.
const MOST_SPANS: usize = 300;
/// Initial channels, of the character or else of the first passive object.
const FIRST: [&str; 3] = ["com.x", "com.z", "kinetic_energy"];

impl Trail {
    pub fn channel(&self) -> &Channel {
        self.sampler.channel()
    }

    /// Points of the plotted line.
    pub fn points(&self) -> Vec<PlotPoint> {
        thinned(&self.points, MOST_SPANS)
    }

    /// Points of the dropped branch.
    pub fn ghost(&self) -> Vec<PlotPoint> {
        thinned(&self.ghost, MOST_SPANS)
    }

    fn add(&mut self, frame: &Frame, before: Option<&Frame>) {
        if let Some(value) = self.sampler.value(frame, before) {
            self.points.push(PlotPoint::new(frame.time, value));
        }
    }
}

impl Trails {
    pub fn new(opened: &Opened) -> Self {
        let header = opened.header.clone();
        let kept = (KEPT / header.dt).round() as usize;
        let mut trails = Trails {
            channels: channels(&header),
            header,
            shown: Vec::new(),
            frames: VecDeque::new(),
            most: kept.max(opened.frames.len()),
        };
        let whose = match opened.header.passive.first() {
            Some(object) if !opened.header.has_character() => format!("passive.{}.", object.name),
            _ => String::new(),
        };
        FIRST.iter().for_each(|name| trails.show(&format!("{whose}{name}")));
        trails
    }

    /// Replaces the header, and keeps the channels that it has.
    pub fn renew(&mut self, opened: &Opened) {
        self.header = opened.header.clone();
        self.channels = channels(&self.header);
        let names: Vec<String> = self.shown.iter().map(|trail| trail.channel().name.clone()).collect();
        let ghosts: Vec<Vec<PlotPoint>> = self.shown.drain(..).map(|trail| trail.ghost).collect();
        for (name, ghost) in names.iter().zip(ghosts) {
            self.show(name);
            if let Some(trail) = self.shown.last_mut().filter(|trail| trail.channel().name == *name) {
                trail.ghost = ghost;
            }
        }
    }

    /// Plots a channel, with the kept frames.
    pub fn show(&mut self, name: &str) {
        if self.shown.iter().any(|trail| trail.channel().name == name) {
            return;
        }
        if let Some(sampler) = Sampler::new(&self.header, name) {
            let mut trail = Trail { sampler, points: Vec::new(), ghost: Vec::new() };
            let mut before = None;
            for frame in &self.frames {
                trail.add(frame, before);
                before = Some(&**frame);
            }
            self.shown.push(trail);
        }
    }

    /// Adds new frames.
    pub fn extend(&mut self, frames: Vec<Arc<Frame>>) {
        for frame in frames {
            let before = self.frames.back().map(|before| &**before);
            self.shown.iter_mut().for_each(|trail| trail.add(&frame, before));
            self.frames.push_back(frame);
        }
        let excess = self.frames.len().saturating_sub(self.most);
        self.frames.drain(..excess);
        if let (true, Some(first)) = (excess > 0, self.frames.front()) {
            for trail in &mut self.shown {
                let past = trail.points.partition_point(|point| point.x < first.time);
                trail.points.drain(..past);
            }
        }
    }

    /// Drops frames from this one on.
    pub fn cut(&mut self, index: u64) {
        let kept = self.frames.partition_point(|frame| frame.index < index);
        let time = self.frames.get(kept).map(|frame| frame.time);
        self.frames.truncate(kept);
        if let Some(time) = time {
            for trail in &mut self.shown {
                let kept = trail.points.partition_point(|point| point.x < time);
                trail.ghost = trail.points.split_off(kept);
            }
        }
    }
}

/// The lowest and the highest of the points in each of this many spans, in order: peaks are kept, and long
/// plots cost no more than short ones.
fn thinned(points: &[PlotPoint], spans: usize) -> Vec<PlotPoint> {
    let size = points.len().div_ceil(spans.max(1));
    if size <= 2 {
        return points.to_vec();
    }
    let extremes = points.chunks(size).flat_map(|span| {
        let ordered = |one: &&PlotPoint, other: &&PlotPoint| one.y.total_cmp(&other.y);
        let lowest = span.iter().min_by(ordered);
        let highest = span.iter().max_by(ordered);
        let mut both = [lowest, highest];
        both.sort_by(|one, other| {
            let time = |point: &Option<&PlotPoint>| point.map_or(f64::INFINITY, |point| point.x);
            time(one).total_cmp(&time(other))
        });
        both.into_iter().flatten().copied()
    });
    // The line ends at the latest point.
    extremes.chain(points.last().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_points_keep_every_peak_their_order_and_the_latest_moment() {
        let value = |k: usize| if k == 777 { 50.0 } else { (k as f64 * 0.01).sin() };
        let points: Vec<PlotPoint> = (0..2000).map(|k| PlotPoint::new(k as f64, value(k))).collect();
        let few = thinned(&points, 100);
        assert!(few.len() <= 201, "{}", few.len());
        assert!(few.windows(2).all(|pair| pair[0].x <= pair[1].x));
        assert!(few.iter().any(|point| point.y == 50.0));
        assert_eq!(few.last().map(|point| point.x), Some(1999.0));
        assert_eq!(thinned(&points[..150], 100).len(), 150);
    }
}
