//! Footsteps of a clip, and the trajectory of the divergent component of motion (DCM) that is planned for them.
//!
//! The clip's own trajectory of the centre of mass is that of another body. The plan is therefore computed from the
//! positions and times of the feet: a centre of pressure that moves from foot to foot, and the DCM ξ̇ = ω (ξ − p)
//! that ends at rest, backward from the end (Englsberger et al. 2015, Three-dimensional bipedal walking control based
//! on divergent component of motion, IEEE T-RO 31(2), section V).

use super::clip::Clip;
use super::track::at;
use crate::model::{BodyId, Model};
use nalgebra::{Rotation2, UnitQuaternion, Vector2, Vector3};

/// Time between samples, s.
pub(super) const SAMPLE: f64 = 0.01;
/// A foot is in stance while its heel, sole or toes are lower than this share of the standing height of the COM,
const LOW: f64 = 0.05;
/// and its speed over the ground is less than this share of √(g h), or than this share of its swing speed: captured
/// feet slide.
pub(super) const SLOW: f64 = 0.13;
const SLIDES: f64 = 0.3;
/// Shortest swing and shortest stance, s; shorter ones are ignored.
const SHORTEST_SWING: f64 = 0.12;
const SHORTEST_STAND: f64 = 0.08;
/// Displacement or height of a foot from which its swing is a step, as shares of the standing height of the COM.
const MOVED: f64 = 0.04;
const LIFTED: f64 = 0.05;
/// Distance of the heel behind the middle of the sole, as a share of that height.
const HEEL: f64 = 0.09;
/// Duration of stance over which the position of a foot is averaged, s.
const PLACED: f64 = 0.5;
/// Longest time in which the pressure moves from foot to foot, s; a longer double support is a stand on both feet.
const SHIFT: f64 = 0.35;
/// Number of samples that determine the initial velocity, and shares of the first step lengths when starting from
/// rest.
pub(super) const MOVING: usize = 20;
const SHORTENED: [f64; 2] = [0.45, 0.75];
/// Range of the pressure between the feet in a stand on both.
const BETWEEN: [f64; 2] = [0.2, 0.8];

/// A swing of a foot: times, s, and its position after it, in axes of the clip, which begins facing x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Swing {
    /// 0 for the left foot, 1 for the right one.
    pub(crate) foot: usize,
    pub(crate) lifted: f64,
    pub(crate) landed: f64,
    pub(crate) place: Vector2<f64>,
    /// Heading of the foot, rad.
    pub(crate) heading: f64,
}

/// The steps of a clip.
pub(crate) struct Footwork {
    /// Positions and headings of both feet at the beginning.
    pub(crate) first: [(Vector2<f64>, f64); 2],
    /// In order; each begins after the previous one has landed.
    pub(crate) swings: Vec<Swing>,
    /// First time at which both feet are off the ground, s.
    pub(crate) flight: Option<f64>,
    /// Samples of the whole clip.
    samples: Vec<Sample>,
}

/// The clip at one time.
struct Sample {
    soles: [Vector3<f64>; 2],
    /// Heel, middle of the sole and toes.
    points: [[Vector3<f64>; 3]; 2],
    headings: [f64; 2],
    com: Vector2<f64>,
}

/// A step: from the previous touchdown to that of its own foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) swing: Swing,
    /// Time of the previous touchdown, s of the clip.
    pub(crate) from: f64,
    /// Displacement from the stance foot to the next position of the other foot.
    pub(crate) way: Vector2<f64>,
    /// Heading of the stance foot, rad.
    pub(crate) heading: f64,
}

/// Samples of the pressure and the DCM over the clip.
pub(crate) struct Plan {
    pub(crate) times: Vec<f64>,
    /// Share of the pressure's path from the other foot to the stance foot.
    pub(crate) shares: Vec<f64>,
    /// DCM relative to the stance foot, m.
    pub(crate) dcm: Vec<Vector2<f64>>,
    /// Height of the sole of the swing foot, m.
    pub(crate) heights: Vec<f64>,
}

impl Footwork {
    /// The steps of `clip`; `None` if the body does not have two feet.
    pub(crate) fn of(clip: &Clip, model: &Model) -> Option<Self> {
        let sites = ["left_sole", "right_sole"].map(|role| model.site(role));
        let [Some(left), Some(right)] = sites else { return None };
        let feet = [left, right].map(|site| (site, model.sites[site].body));
        let [(left, Some(left_foot)), (right, Some(right_foot))] = feet else { return None };
        let samples = samples(clip, model, [(left, left_foot), (right, right_foot)]);
        let height = model.rest_com_height();
        let mut swings = Vec::new();
        for foot in [0, 1] {
            swings.extend(swings_of(&samples, foot, height));
        }
        swings.sort_by(|a, b| a.lifted.total_cmp(&b.lifted));
        let flight = swings.windows(2).find(|pair| pair[1].lifted < pair[0].landed - SHORTEST_STAND);
        let flight = flight.map(|pair| pair[1].lifted);
        one_after_the_other(&mut swings);
        let first = [0, 1].map(|foot| place(&samples, foot, 0, (PLACED / SAMPLE) as usize, height));
        let mut footwork = Footwork { first, swings, flight, samples };
        footwork.begin_at_rest(height);
        Some(footwork)
    }

    /// Changes a clip that begins in motion: the character begins standing, with its feet side by side, and
    /// accelerates in steps that are shorter than the clip's.
    fn begin_at_rest(&mut self, height: f64) {
        let (Some(begin), Some(later), Some(first)) =
            (self.samples.first(), self.samples.get(MOVING), self.swings.first())
        else {
            return;
        };
        let velocity = (later.com - begin.com) / (MOVING as f64 * SAMPLE);
        if velocity.norm() < SLOW * (9.81 * height).sqrt() {
            return;
        }
        let ahead = velocity.normalize();
        let (swings, stands) = (first.foot, 1 - first.foot);
        let behind = (self.first[stands].0 - self.first[swings].0).dot(&ahead);
        self.first[swings].0 += ahead * behind;
        let mut feet = self.first.map(|(place, _)| place);
        for (index, share) in SHORTENED.into_iter().enumerate().take(self.swings.len()) {
            let swing = self.swings[index];
            let way = (swing.place - feet[1 - swing.foot]).dot(&ahead).max(0.0);
            self.swings[index..].iter_mut().for_each(|later| later.place -= ahead * (way * (1.0 - share)));
            feet[swing.foot] = self.swings[index].place;
        }
    }

    /// The steps in order.
    pub(crate) fn steps(&self) -> Vec<Step> {
        let mut feet = self.first;
        let mut from = 0.0;
        let step = |swing: &Swing| {
            let (stands, heading) = feet[1 - swing.foot];
            let step = Step { swing: *swing, from, way: swing.place - stands, heading };
            feet[swing.foot] = (swing.place, swing.heading);
            from = swing.landed;
            step
        };
        self.swings.iter().map(step).collect()
    }

    /// The plan with a DCM that grows at `rate`, 1/s.
    pub(crate) fn plan(&self, rate: f64) -> Plan {
        let steps = self.steps();
        let mut feet = self.first.map(|(place, _)| place);
        // Start and end of the motion of the pressure, with the share of its path.
        let mut course: Vec<(Vector2<f64>, Vector2<f64>, f64, f64)> = Vec::with_capacity(self.samples.len());
        let mut last_support = None;
        let mut current = 0;
        for (index, sample) in self.samples.iter().enumerate() {
            let time = index as f64 * SAMPLE;
            while steps.get(current).is_some_and(|step| time >= step.swing.landed) {
                let swing = steps[current].swing;
                feet[swing.foot] = swing.place;
                last_support = Some(1 - swing.foot);
                current += 1;
            }
            let step = steps.get(current);
            // After the last step the stance foot remains the reference.
            let support = step.map_or(last_support.unwrap_or(1), |step| 1 - step.swing.foot);
            let (a, b) = (feet[1 - support], feet[support]);
            let apart = (b - a).norm_squared().max(1e-6);
            let stands = ((sample.com - a).dot(&(b - a)) / apart).clamp(BETWEEN[0], BETWEEN[1]);
            let from = steps.get(current.wrapping_sub(1)).map_or(0.0, |before| before.swing.landed);
            let begins = match last_support {
                Some(before) => f64::from(before == support),
                None => stands,
            };
            let lifted = step.map_or(f64::INFINITY, |step| step.swing.lifted);
            course.push((a, b, share(time, from, lifted, begins, stands), sample.soles[1 - support].z));
        }
        let mut dcm: Vec<Vector2<f64>> = Vec::with_capacity(course.len());
        let shrinks = (-rate * SAMPLE).exp();
        for (a, b, share, _) in course.iter().rev() {
            let pressure = a + (b - a) * *share;
            let after = dcm.last().copied().unwrap_or(pressure);
            dcm.push(pressure + (after - pressure) * shrinks);
        }
        dcm.reverse();
        Plan {
            times: (0..course.len()).map(|index| index as f64 * SAMPLE).collect(),
            dcm: dcm.iter().zip(&course).map(|(dcm, (_, b, ..))| dcm - b).collect(),
            shares: course.iter().map(|(_, _, share, _)| *share).collect(),
            heights: course.iter().map(|(.., height)| *height).collect(),
        }
    }
}

/// Share of the pressure's path to the foot that is alone in stance from `lifted`: from the share `begins` at `from`,
/// over the share `stands` of a stand on both feet if there is time for it.
fn share(time: f64, from: f64, lifted: f64, begins: f64, stands: f64) -> f64 {
    if time >= lifted {
        return 1.0;
    }
    let both = lifted - from;
    if both <= 2.0 * SHIFT {
        return begins + (1.0 - begins) * ((time - from) / both.max(SAMPLE)).clamp(0.0, 1.0);
    }
    let smooth = |s: f64| s * s * (3.0 - 2.0 * s);
    let (in_from, in_to) = ((time - from) / SHIFT, (lifted - time) / SHIFT);
    if in_from < 1.0 {
        begins + (stands - begins) * smooth(in_from.max(0.0))
    } else if in_to < 1.0 {
        1.0 + (stands - 1.0) * smooth(in_to)
    } else {
        stands
    }
}

fn samples(clip: &Clip, model: &Model, feet: [(usize, BodyId); 2]) -> Vec<Sample> {
    let end = clip.lasts();
    let pelvis = model.body("pelvis").unwrap_or(BodyId(0));
    let heading = |poses: &[nalgebra::Isometry3<f64>], body: BodyId| {
        let axes = model.rest_axes(body).copied().unwrap_or_else(UnitQuaternion::identity);
        let ahead = poses[body.0].rotation * axes * Vector3::x();
        ahead.y.atan2(ahead.x)
    };
    let tips = ["left_toe_tip", "right_toe_tip"].map(|role| model.site(role).unwrap_or(usize::MAX));
    let places = [0, 1].map(|foot: usize| {
        let (site, body) = feet[foot];
        let sole = model.sites[site].position;
        let axes = model.rest_axes(body).copied().unwrap_or_else(UnitQuaternion::identity);
        let heel = sole - axes * Vector3::x() * (HEEL * model.rest_com_height());
        let tip = model.sites.get(tips[foot]).and_then(|tip| Some((tip.body?, tip.position)));
        [(body, heel), (body, sole), tip.unwrap_or((body, sole))]
    });
    let mut origin = None;
    let count = (end / SAMPLE).floor() as usize + 1;
    let sample = |index: usize| {
        let poses = model.body_poses(&at(clip, index as f64 * SAMPLE, model));
        let com = model.centre_of_mass(&poses);
        let (facing, place) = *origin.get_or_insert_with(|| (heading(&poses, pelvis), com.xy()));
        let turned = |point: Vector2<f64>| Rotation2::new(-facing) * (point - place);
        let placed = |poses: &[nalgebra::Isometry3<f64>], body: BodyId, point: Vector3<f64>| {
            let point = (poses[body.0] * nalgebra::Point3::from(point)).coords;
            let over = turned(point.xy());
            Vector3::new(over.x, over.y, point.z)
        };
        let points = [0, 1].map(|foot| places[foot].map(|(body, point)| placed(&poses, body, point)));
        Sample {
            soles: points.map(|[_, sole, _]| sole),
            points,
            headings: feet.map(|(_, body)| heading(&poses, body) - facing),
            com: turned(com.xy()),
        }
    };
    (0..count).map(sample).collect()
}

/// The swings of one foot.
fn swings_of(samples: &[Sample], foot: usize, height: f64) -> Vec<Swing> {
    let speed = |index: usize, point: usize| {
        let (a, b) = (index.saturating_sub(3), (index + 3).min(samples.len() - 1));
        let way = samples[b].points[foot][point].xy() - samples[a].points[foot][point].xy();
        way.norm() / ((b - a).max(1) as f64 * SAMPLE)
    };
    let mut speeds: Vec<f64> = (0..samples.len()).map(|at| speed(at, 1)).collect();
    speeds.sort_by(f64::total_cmp);
    let swings = speeds[(speeds.len() - 1) * 9 / 10];
    let fast = (SLOW * (9.81 * height).sqrt()).max(SLIDES * swings);
    let rests =
        |at: usize, point: usize| samples[at].points[foot][point].z < LOW * height && speed(at, point) < fast;
    let mut stands: Vec<bool> = (0..samples.len()).map(|at| (0..3).any(|point| rests(at, point))).collect();
    forget(&mut stands, true, SHORTEST_STAND);
    forget(&mut stands, false, SHORTEST_SWING);
    let runs = runs(&stands);
    let mut swings = Vec::new();
    let mut before = place(samples, foot, 0, (PLACED / SAMPLE) as usize, height);
    for (number, &(from, to, on_ground)) in runs.iter().enumerate() {
        // A foot that is in the air at the end does not land.
        if on_ground || to >= samples.len() {
            continue;
        }
        let next = runs.get(number + 1).map_or(to, |(_, end, _)| *end);
        let after = place(samples, foot, to, next.min(to + (PLACED / SAMPLE) as usize), height);
        let top = (from..to).map(|at| samples[at].soles[foot].z).fold(0.0, f64::max);
        if (after.0 - before.0).norm() < MOVED * height && top < LIFTED * height {
            continue;
        }
        let [lifted, landed] = [from, to].map(|index| index as f64 * SAMPLE);
        swings.push(Swing { foot, lifted, landed, place: after.0, heading: after.1 });
        before = after;
    }
    swings
}

/// Mean position and heading of a foot between two samples.
fn place(samples: &[Sample], foot: usize, from: usize, to: usize, height: f64) -> (Vector2<f64>, f64) {
    let to = to.clamp(from + 1, samples.len().max(from + 1));
    let low = samples[from..to.min(samples.len())]
        .iter()
        .filter(|sample| sample.soles[foot].z < 1.5 * LOW * height);
    let (mut count, mut place, mut ahead) = (0.0, Vector2::zeros(), Vector2::zeros());
    for sample in low {
        count += 1.0;
        place += sample.soles[foot].xy();
        ahead += Vector2::new(sample.headings[foot].cos(), sample.headings[foot].sin());
    }
    let sample = &samples[from];
    if count == 0.0 {
        return (sample.soles[foot].xy(), sample.headings[foot]);
    }
    // Headings are continuous in a clip: the mean is chosen nearest to the first.
    let mean = ahead.y.atan2(ahead.x);
    let turns = ((sample.headings[foot] - mean) / std::f64::consts::TAU).round();
    (place / count, mean + turns * std::f64::consts::TAU)
}

/// Ranges of equal values: first index, end, and value.
fn runs(values: &[bool]) -> Vec<(usize, usize, bool)> {
    let mut runs: Vec<(usize, usize, bool)> = Vec::new();
    for (index, value) in values.iter().enumerate() {
        match runs.last_mut() {
            Some((_, to, same)) if same == value => *to = index + 1,
            _ => runs.push((index, index + 1, *value)),
        }
    }
    runs
}

/// Inverts ranges of `value` shorter than `shortest`, s, except at the ends.
fn forget(values: &mut [bool], value: bool, shortest: f64) {
    let end = values.len();
    for (from, to, same) in runs(values) {
        if same == value && from > 0 && to < end && (to - from) as f64 * SAMPLE < shortest {
            values[from..to].fill(!value);
        }
    }
}

/// Lets a foot land before the other one is lifted: if both are in the air, in the middle of that time.
fn one_after_the_other(swings: &mut Vec<Swing>) {
    for index in 1..swings.len() {
        let (before, after) = (swings[index - 1], swings[index]);
        if after.lifted < before.landed + SAMPLE {
            let middle = 0.5 * (after.lifted + before.landed);
            swings[index - 1].landed = middle - 0.5 * SAMPLE;
            swings[index].lifted = middle + 0.5 * SAMPLE;
        }
    }
    swings.retain(|swing| swing.landed - swing.lifted >= SHORTEST_SWING);
}
