//! Moments of a pose strip.

use crate::plot::spans::{TimeSpan, events, states};
use aplomb_trace::{Contact, ContactKind, Frame, Trace};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// The choice of moments.
#[derive(Clone, Debug, PartialEq)]
pub enum Moments {
    /// This number of informative moments; see `moments`.
    Telling(usize),
    /// This number of moments at equal intervals, including the first and the last frame.
    Even(usize),
    /// The records nearest to these times, s; of two equally near ones the earlier. The last record has no forces.
    At(Vec<f64>),
}

impl Moments {
    /// Numbers of the frames, in order.
    pub(crate) fn frames(&self, trace: &Trace) -> Vec<usize> {
        let frames = &trace.frames;
        let Some(last) = last_with_forces(frames) else { return Vec::new() };
        let mut chosen = match self {
            Moments::Telling(wanted) => return moments(trace, *wanted),
            Moments::Even(wanted) => {
                let gaps = wanted.saturating_sub(1).max(1);
                (0..*wanted).map(|k| (k * last + gaps / 2) / gaps).collect()
            }
            Moments::At(times) => times.iter().map(|time| nearest(frames, *time)).collect::<Vec<_>>(),
        };
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }
}

/// The record nearest to a time; of two equally near ones, up to round-off of their times, the earlier.
fn nearest(frames: &[Frame], time: f64) -> usize {
    let after = frames.partition_point(|frame| frame.time < time).min(frames.len().saturating_sub(1));
    let Some(before) = after.checked_sub(1) else { return after };
    let (from, to) = (frames[before].time, frames[after].time);
    if time - from > to - time + 1e-9 * (to - from) { after } else { before }
}

/// The last record with forces; the final record has none.
fn last_with_forces(frames: &[Frame]) -> Option<usize> {
    frames.iter().rposition(Frame::has_forces).or(frames.len().checked_sub(1))
}

/// Length up to which an event is short, s: the evenly spaced moments of a strip would miss it.
const SHORT: f64 = 0.5;

/// Frames of at most `wanted` moments, in order: the first and the last with forces, the largest force (or the
/// middle) of each short event, the first change to each state, the beginning of long events, other changes of state,
/// the middle of each swing of a foot, the largest speed of the centre of mass, the end of events (evenly thinned if
/// there are too many; short events get two thirds of the moments if they need them, and states two thirds of those
/// that are left), and then repeatedly the middle of the longest interval between two
/// moments, in a measure of which half is time and half the path length of the centre of mass.
pub(crate) fn moments(trace: &Trace, wanted: usize) -> Vec<usize> {
    let frames = &trace.frames;
    if frames.len() <= wanted {
        return (0..frames.len()).collect();
    }
    let last = last_with_forces(frames).unwrap_or(0);
    let mut chosen = vec![0, last];
    chosen.dedup();
    chosen.truncate(wanted);
    // Closer moments would look the same.
    let apart = (0.04 / trace.header.dt).max(frames.len() as f64 / 200.0).clamp(1.0, 1e6).round() as usize;
    let events = events(trace);
    let room = wanted - chosen.len();
    add(&mut chosen, short(trace, &events), apart, (2 * room).div_ceil(3));
    let room = wanted - chosen.len();
    add(&mut chosen, first_visits(trace), apart, (2 * room).div_ceil(3));
    let room = wanted - chosen.len();
    add(&mut chosen, marks_of(trace, &events), apart, room);
    fill(&mut chosen, wanted, &measure(frames));
    chosen.sort_unstable();
    chosen
}

/// Adds at most `room` of the marks, evenly thinned, that are at least this number of frames apart from the others.
fn add(chosen: &mut Vec<usize>, marks: Vec<usize>, apart: usize, room: usize) {
    let mut free: Vec<usize> = Vec::new();
    for mark in marks {
        let is_free = |taken: &[usize]| taken.iter().all(|&other| mark.abs_diff(other) >= apart);
        if is_free(chosen) && is_free(&free) {
            free.push(mark);
        }
    }
    if free.len() > room {
        free.sort_unstable();
        free = (0..room).map(|k| free[(2 * k + 1) * free.len() / (2 * room)]).collect();
    }
    chosen.extend(free);
}

/// The frame at a time.
fn at(trace: &Trace, time: f64) -> usize {
    trace.frames.partition_point(|frame| frame.time < time - 0.5 * trace.header.dt)
}

fn is_short(span: &TimeSpan) -> bool {
    span.to - span.from <= SHORT
}

/// Frames of short events: the one with the largest force, else the middle one; without a character, also the hardest
/// impact of each object.
fn short(trace: &Trace, events: &[TimeSpan]) -> Vec<usize> {
    let middles = events.iter().filter(|span| is_short(span)).map(|span| fullest(trace, span));
    let objects = if trace.header.character.is_empty() { trace.header.passive.len() } else { 0 };
    let mut frames: Vec<usize> =
        middles.chain((0..objects).filter_map(|object| hardest_blow(trace, object))).collect();
    frames.sort_unstable();
    frames.dedup();
    frames
}

/// The frame of a span with the largest force (the middle one of several); without a force, the middle frame.
fn fullest(trace: &Trace, span: &TimeSpan) -> usize {
    // The frame that contains a time: for an event of one frame, that frame.
    let within = |time: f64| trace.frames.partition_point(|frame| frame.time <= time).saturating_sub(1);
    let force = |frame: &usize| {
        let own = trace.frames[*frame].external.iter().filter(|external| external.name == span.name);
        own.map(|external| Vector3::from(external.force)).sum::<Vector3<f64>>().norm()
    };
    let frames = within(span.from)..=within(span.to - 0.5 * trace.header.dt);
    let largest = frames.clone().map(|frame| force(&frame)).fold(0.0, f64::max);
    let at_most: Vec<usize> = frames.filter(|frame| force(frame) > ALMOST * largest).collect();
    match at_most.get(at_most.len() / 2) {
        Some(frame) => *frame,
        None => within(0.5 * (span.from + span.to)),
    }
}

/// Share of the largest force above which a force counts as equally large.
const ALMOST: f64 = 0.999;

/// Least change of an object's velocity in a frame, without that by gravity, that counts as an impact, m/s.
const BLOW: f64 = 1.0;

/// The frame in which the velocity of an object changes most, if there is an impact.
fn hardest_blow(trace: &Trace, object: usize) -> Option<usize> {
    let gravity = Vector3::from(trace.header.gravity);
    let blows = trace.frames.windows(2).enumerate().filter_map(|(frame, pair)| {
        let velocity =
            |frame: &Frame| frame.passive.get(object).map(|object| Vector3::from(object.com_velocity));
        let fallen = gravity * (pair[1].time - pair[0].time);
        let change = (velocity(&pair[1])? - velocity(&pair[0])? - fallen).norm();
        (change > BLOW).then_some((change, frame + 1))
    });
    // The first one of equal impacts.
    blows.reduce(|hardest, blow| if blow.0 > hardest.0 { blow } else { hardest }).map(|(_, frame)| frame)
}

/// Frames in which each state begins for the first time, but for the state at the beginning.
fn first_visits(trace: &Trace) -> Vec<usize> {
    let spans = states(trace);
    let is_first = |number: &usize| spans[..*number].iter().all(|before| before.name != spans[*number].name);
    (1..spans.len()).filter(is_first).map(|number| at(trace, spans[number].from)).collect()
}

fn marks_of(trace: &Trace, events: &[TimeSpan]) -> Vec<usize> {
    let at = |time: f64| at(trace, time);
    // At its beginning an event has had no effect yet: the middle of a short one is more informative.
    let begins = events.iter().filter(|span| !is_short(span)).map(|span| at(span.from));
    let changes = states(trace).into_iter().skip(1).map(|span| at(span.from));
    let speeds = trace.frames.iter().map(speed);
    let fastest = speeds.enumerate().fold((0, 0.0), |best, (k, v)| if v > best.1 { (k, v) } else { best });
    let ends = events.iter().map(|span| at(span.to));
    let fastest = (fastest.1 > 0.0).then_some(fastest.0);
    let all = begins.chain(changes).chain(swings(trace)).chain(fastest).chain(ends);
    all.filter(|frame| *frame < trace.frames.len()).collect()
}

/// Time without contact from which a foot is in swing, s.
const SWING: f64 = 0.12;

/// Middle frames of the intervals in which a body has no contact but has contacts before and after.
fn swings(trace: &Trace) -> Vec<usize> {
    let least = (SWING / trace.header.dt).round() as usize;
    let stands = |contact: &&Contact| contact.kind != ContactKind::Grip;
    // Last frame with a contact of each body.
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut middles = Vec::new();
    for (number, frame) in trace.frames.iter().enumerate() {
        for contact in frame.contacts.iter().filter(stands) {
            let before = seen.insert(&contact.body, number);
            if let Some(before) = before.filter(|before| number - before > least) {
                middles.push(before.midpoint(number));
            }
        }
    }
    middles
}

/// Speed of the centre of mass or, without a character, of the fastest passive object, m/s; 0 if it is NaN.
fn speed(frame: &Frame) -> f64 {
    let length = |[x, y, z]: [f64; 3]| x.hypot(y).hypot(z);
    let objects = frame.passive.iter().map(|object| length(object.com_velocity));
    let speed = if frame.q.is_empty() { objects.fold(0.0, f64::max) } else { length(frame.com_velocity) };
    if speed.is_finite() { speed } else { 0.0 }
}

/// Progress from 0 to 2 (or to 1 if nothing moves).
fn measure(frames: &[Frame]) -> Vec<f64> {
    let way: f64 = frames.iter().map(speed).sum();
    let mut sum = 0.0;
    let mut sums = Vec::with_capacity(frames.len());
    for frame in frames {
        sum += 1.0 / frames.len() as f64;
        if way > 0.0 && way.is_finite() {
            sum += speed(frame) / way;
        }
        sums.push(sum);
    }
    sums
}

fn fill(chosen: &mut Vec<usize>, wanted: usize, measure: &[f64]) {
    while chosen.len() < wanted {
        chosen.sort_unstable();
        let gaps = chosen.windows(2).filter(|pair| pair[1] - pair[0] > 1);
        let longest = gaps.fold(None, |best: Option<(f64, usize, usize)>, pair| {
            let length = measure[pair[1]] - measure[pair[0]];
            if best.is_none_or(|(most, ..)| length > most) { Some((length, pair[0], pair[1])) } else { best }
        });
        let Some((_, from, to)) = longest else { return };
        let middle = 0.5 * (measure[from] + measure[to]);
        let at = from + measure[from..to].partition_point(|&m| m < middle);
        chosen.push(at.clamp(from + 1, to - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_trace::example;

    fn still(frames: usize) -> Trace {
        let mut trace = example::trace(frames);
        for frame in &mut trace.frames {
            frame.events.clear();
            frame.external.clear();
            frame.com_velocity = [0.0; 3];
        }
        trace
    }

    #[test]
    fn a_run_where_nothing_happens_is_shown_at_even_times() {
        assert_eq!(moments(&still(802), 5), [0, 200, 400, 600, 800]);
    }

    #[test]
    fn pushes_and_changes_of_state_are_shown() {
        let mut trace = still(1001);
        for frame in &mut trace.frames[300..315] {
            frame.events.push("push".into());
        }
        for frame in &mut trace.frames[340..] {
            frame.state = "fall".into();
        }
        trace.frames[322].com_velocity[1] = -2.0;
        let shown = moments(&trace, 8);
        assert_eq!(shown.len(), 8);
        for expected in [0, 307, 315, 340, 999] {
            assert!(shown.contains(&expected), "{expected} in {shown:?}");
        }
        // At its beginning, the push has had no effect yet.
        assert!(!shown.contains(&300), "{shown:?}");
    }

    #[test]
    fn the_middle_of_a_short_push_is_shown_however_much_else_happens() {
        let mut trace = still(2001);
        for frame in &mut trace.frames {
            frame.state = format!("step{}", frame.index / 50);
        }
        for frame in &mut trace.frames[1010..1025] {
            frame.events.push("push".into());
        }
        let shown = moments(&trace, 6);
        assert!(shown.len() == 6 && shown.iter().any(|frame| (1010..1025).contains(frame)), "{shown:?}");
        // Of many events, the strip shows as many as fit next to other moments.
        for (k, frame) in trace.frames.iter_mut().enumerate().filter(|(k, _)| k % 100 < 15) {
            frame.events.push(format!("push {}", k / 100));
        }
        let shown = moments(&trace, 8);
        let pushed = shown.iter().filter(|frame| (4..15).contains(&(*frame % 100))).count();
        assert!(shown.len() == 8 && pushed >= 4, "{shown:?}");
    }

    #[test]
    fn a_blow_is_shown_where_its_force_is_largest() {
        let mut trace = example::trace(1001);
        let mut push = trace.frames.iter().find_map(|frame| frame.external.first().cloned()).unwrap();
        push.name = "blow".into();
        for frame in &mut trace.frames {
            frame.events.clear();
            frame.external.clear();
        }
        for (frame, force) in [(400, 900.0), (401, 200.0), (402, 50.0), (403, 20.0), (404, 10.0)] {
            push.force = [force, 0.0, 0.0];
            trace.frames[frame].external.push(push.clone());
        }
        assert!(moments(&trace, 6).contains(&400), "{:?}", moments(&trace, 6));
    }

    #[test]
    fn an_event_of_one_frame_is_shown_in_that_frame() {
        for frame in [170, 171, 333] {
            let mut trace = still(1001);
            trace.frames[frame].events.push("throw".into());
            assert!(moments(&trace, 6).contains(&frame), "{frame} in {:?}", moments(&trace, 6));
        }
    }

    #[test]
    fn without_a_character_the_hardest_blow_of_each_object_is_shown() {
        let mut trace = still(1001);
        let g = trace.header.gravity[2];
        for (k, frame) in trace.frames.iter_mut().enumerate() {
            // The object falls, bounces hard once and then less.
            let since = if k < 204 { k } else { k - 204 };
            frame.passive[0].com_velocity =
                [0.0, 0.0, since as f64 * 0.01 * g + if k < 204 { 0.0 } else { 3.0 }];
        }
        assert!(!moments(&trace, 6).contains(&204), "of a character's run: {:?}", moments(&trace, 6));
        trace.header.character.clear();
        assert!(moments(&trace, 6).contains(&204), "{:?}", moments(&trace, 6));
    }

    #[test]
    fn swings_of_a_foot_are_shown_in_their_middle() {
        let mut trace = still(1001);
        trace.frames[600..640].iter_mut().for_each(|frame| frame.contacts.clear());
        assert!(moments(&trace, 6).contains(&619), "{:?}", moments(&trace, 6));
    }

    #[test]
    fn moments_are_at_equal_intervals_or_where_they_are_asked_for() {
        let trace = still(802);
        assert_eq!(Moments::Even(5).frames(&trace), [0, 200, 400, 600, 800]);
        assert_eq!(Moments::Even(1).frames(&trace), [0]);
        assert_eq!(Moments::At(vec![3.0, 1.504, 99.0, 1.5]).frames(&trace), [150, 300, 801]);
        // The end of the run has no forces, but is a moment too; of two equally near records, it is the earlier one.
        assert!(!trace.frames[801].has_forces());
        assert_eq!(
            Moments::At(vec![8.01, 8.004, 2.005, 2.006, 0.015]).frames(&trace),
            [1, 200, 201, 800, 801]
        );
        assert!(Moments::Even(3).frames(&still(0)).is_empty());
    }

    #[test]
    fn each_state_is_shown_however_often_a_foot_swings() {
        let mut trace = still(1001);
        for (from, name) in [(200, "touch"), (350, "shift"), (600, "sit")] {
            trace.frames[from..].iter_mut().for_each(|frame| frame.state = name.into());
        }
        for swing in (620..960).step_by(40) {
            trace.frames[swing..swing + 20].iter_mut().for_each(|frame| frame.contacts.clear());
        }
        let shown = moments(&trace, 8);
        for expected in [200, 350, 600] {
            assert!(shown.contains(&expected), "{expected} in {shown:?}");
        }
    }

    #[test]
    fn many_changes_are_thinned_over_the_whole_run() {
        let mut trace = still(2001);
        for frame in &mut trace.frames {
            frame.state = format!("step{}", frame.index / 50);
        }
        let shown = moments(&trace, 6);
        assert_eq!(shown.len(), 6);
        assert!(shown[3] > 1000 && shown[2] < 1200, "{shown:?}");
    }

    #[test]
    fn short_runs_and_few_pictures_are_possible() {
        assert_eq!(moments(&still(0), 8), Vec::<usize>::new());
        assert_eq!(moments(&still(1), 8), [0]);
        assert_eq!(moments(&still(3), 8), [0, 1, 2]);
        assert_eq!(moments(&still(100), 1), [0]);
        assert_eq!(moments(&still(100), 0), Vec::<usize>::new());
        let mut trace = still(50);
        trace.frames[3].com_velocity = [f64::NAN, 1e300, f64::INFINITY];
        assert_eq!(moments(&trace, 4).len(), 4);
    }
}
