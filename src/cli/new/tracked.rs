//! The motion of a clip, read from a controller that `aplomb new controller --track` wrote.

use super::track::CLIP_TIME;
use toml::{Table, Value};

/// The motion of a controller that tracks a clip.
pub(crate) struct Tracked {
    /// Length of the clip, s.
    pub(crate) lasts: f64,
    /// Number of planned steps; 0 for a controller that stays on its feet.
    pub(crate) steps: usize,
    joints: Vec<(String, Curve)>,
    /// Roll, pitch and yaw of the pelvis, rad.
    turns: Option<Curve>,
    /// Height of the COM over the lowest point, m.
    heights: Option<Curve>,
}

/// Keyframes: their times, s, and values of one number or three.
struct Curve {
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl Tracked {
    /// `None` if the controller does not track a clip.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let file: Table = text.parse().ok()?;
        let states = file.get("states")?.as_table()?;
        let state = |name: &str| states.get(name);
        let (objectives, turns, steps) = match state("track") {
            Some(track) => (track.get("objectives")?, None, 0),
            None => {
                file.get("define")?.get("clip_time")?;
                let step = state("step")?;
                let steps = step.get("let")?.get("side")?.get("keyframes")?.get("times")?.as_array()?.len();
                let turns = step.get("each_frame").and_then(|each| Curve::of(each.get("turned")?, CLIP_TIME));
                (file.get("objectives")?, turns, steps)
            }
        };
        let over = if steps > 0 { CLIP_TIME } else { "" };
        let mut tracked = Tracked { lasts: 0.0, steps, joints: Vec::new(), turns, heights: None };
        for of in objectives.as_array()?.iter().filter_map(|objective| objective.get("of")) {
            tracked.add(of, over);
        }
        let ends = tracked.joints.iter().filter_map(|(_, curve)| curve.times.last());
        tracked.lasts = ends.copied().fold(0.0, f64::max);
        (tracked.lasts > 0.0).then_some(tracked)
    }

    /// Adds the data of the clip in an objective.
    fn add(&mut self, of: &Value, over: &str) {
        let target = |kind: &str| Curve::of(of.get(kind)?.get("target")?, over);
        if let Some(heights) = target("com_height") {
            self.heights = Some(heights);
        }
        if let Some(turns) = target("body_orientation") {
            self.turns = Some(turns);
        }
        let angles = of.get("pose").and_then(|pose| pose.get("angles")?.as_table());
        let joints = angles.into_iter().flatten().filter_map(|(name, value)| {
            let curve = Curve::of(value, over)?;
            Some((name.clone(), curve))
        });
        self.joints.extend(joints);
    }

    /// Joint values at a key at or after a time, by joint, rad or m.
    pub(crate) fn joints_at(&self, time: f64) -> Vec<(String, f64)> {
        let at = |(name, curve): &(String, Curve)| Some((name.clone(), *curve.at(time)?.first()?));
        self.joints.iter().filter_map(at).collect()
    }

    /// Roll, pitch and yaw of the pelvis at a key at or after a time, rad; zero if the clip has no root.
    pub(crate) fn turn_at(&self, time: f64) -> [f64; 3] {
        let turn = self.turns.as_ref().and_then(|turns| turns.at(time)?.try_into().ok());
        turn.unwrap_or_default()
    }

    /// Smallest and last height of the COM above the lowest point of the body, m.
    pub(crate) fn heights(&self) -> Option<[f64; 2]> {
        let heights = self.heights.as_ref()?.values.iter().flatten().copied();
        Some([heights.clone().reduce(f64::min)?, heights.last()?])
    }
}

impl Curve {
    /// The keyframes of a value over an expression that begins with `over`.
    fn of(value: &Value, over: &str) -> Option<Self> {
        let keyframes = value.get("keyframes")?;
        let given = keyframes.get("over").and_then(Value::as_str).unwrap_or_default();
        if !given.starts_with(over) {
            return None;
        }
        let numbers = |value: &Value| match value {
            Value::Array(parts) => parts.iter().map(number).collect(),
            part => number(part).map(|part| vec![part]),
        };
        let list = |key: &str| keyframes.get(key)?.as_array();
        let times = list("times")?.iter().map(number).collect::<Option<Vec<f64>>>()?;
        let values = list("values")?.iter().map(numbers).collect::<Option<Vec<Vec<f64>>>>()?;
        (times.len() == values.len()).then_some(Curve { times, values })
    }

    fn at(&self, time: f64) -> Option<&[f64]> {
        let key = self.times.partition_point(|key| *key < time);
        self.values.get(key).or(self.values.last()).map(Vec::as_slice)
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|whole| whole as f64))
}
