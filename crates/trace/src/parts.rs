//! The record of a divided frame from those of its parts: the initial state, and mean forces. Forces are means over
//! the time in which they change the velocity, from the middle of the previous step to the middle of the last part;
//! external forces are means over the frame itself, so that force times frame length remains the impulse.

use super::{
    CharacterFrame, Contact, ContactKind, External, FrameEvent, Outcome, SelfContact, Trace, WorldFrame,
    centre_of_pressure,
};

/// A step of a run: an undivided frame, or a part of a divided one.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Record of the step.
    pub frame: &'a super::Frame,
    /// Length, s.
    pub dt: f64,
    /// Length of the step over which its initial velocity is a mean, s: that of the previous step, or its own if
    /// there is none, and in and after a ragdoll, whose velocities are those at the ends of steps.
    pub dt_before: f64,
    /// Whether it is the first step of its frame.
    pub is_first: bool,
}

impl Step<'_> {
    /// Time from the middle of the previous step to the middle of this one, relative to the length of this one.
    /// Forces change the velocity over that time, because a velocity is a mean over a step. Recorded forces are means
    /// over that time, but external forces are means over the step itself, as they are given.
    pub fn turning_steps(&self) -> f64 {
        0.5 * (1.0 + self.dt_before / self.dt)
    }
}

impl Trace {
    /// The steps of the run: its frames, the divided ones part by part.
    pub fn steps(&self) -> Vec<Step<'_>> {
        let dt = self.header.dt;
        let step = |frame| Step { frame, dt, dt_before: dt, is_first: false };
        let mut parts = self.parts.iter().peekable();
        let mut steps = Vec::with_capacity(self.frames.len() + self.parts.len());
        for frame in &self.frames {
            let first = steps.len();
            while let Some(part) = parts.next_if(|part| part.index <= frame.index) {
                if part.index == frame.index {
                    steps.push(step(part));
                }
            }
            if steps.len() == first {
                steps.push(step(frame));
            }
            let lengths = lengths(steps[first..].iter().map(|step| step.frame), dt);
            steps[first..].iter_mut().zip(lengths).for_each(|(step, length)| step.dt = length);
            steps[first].is_first = true;
        }
        steps.iter_mut().for_each(|step| step.dt_before = step.dt);
        for number in 1..steps.len() {
            let before = steps[number - 1];
            if ![before, steps[number]].iter().any(|step| matches!(step.frame.outcome, Outcome::Limp)) {
                steps[number].dt_before = before.dt;
            }
        }
        steps
    }
}

/// Lengths of the parts of a divided frame of `dt` s, s.
pub fn part_lengths(parts: &[super::Frame], dt: f64) -> Vec<f64> {
    lengths(parts.iter(), dt)
}

fn lengths<'a>(parts: impl Iterator<Item = &'a super::Frame>, dt: f64) -> Vec<f64> {
    let times: Vec<f64> = parts.map(|part| part.time).collect();
    let start = times.first().copied().unwrap_or_default();
    shares(&times, start, dt).into_iter().map(|share| dt * share).collect()
}

/// Shortest part of a frame, as a share of the frame.
const SHORTEST: f64 = 1.0 / 1024.0;

/// Lengths of parts that begin at these times, as shares of their frame of `dt` s that begins at `start`. They are
/// negative powers of two, or sums of these, and round-off of times is removed.
fn shares(times: &[f64], start: f64, dt: f64) -> Vec<f64> {
    let exact = |time: f64| ((time - start) / dt / SHORTEST).round() * SHORTEST;
    let ends = times.iter().skip(1).map(|time| exact(*time)).chain([1.0]);
    times.iter().zip(ends).map(|(begin, end)| end - exact(*begin)).collect()
}

/// Shares of parts with these lengths in the time over which forces change the velocity, after a step of the length
/// `before`. Forces of a ragdoll are means over its own steps.
fn turning_shares(parts: &[CharacterFrame], lengths: &[f64], before: f64) -> Vec<f64> {
    if parts.iter().any(|part| matches!(part.outcome, Outcome::Limp)) {
        return lengths.to_vec();
    }
    let befores = std::iter::once(&before).chain(lengths);
    let times: Vec<f64> =
        lengths.iter().zip(befores).map(|(length, before)| 0.5 * (before + length)).collect();
    let sum: f64 = times.iter().sum();
    times.iter().map(|time| time / sum).collect()
}

impl WorldFrame {
    /// The record of a frame of `dt` s that was divided into these parts.
    pub fn joined(parts: &[WorldFrame], dt: f64) -> WorldFrame {
        let Some((first, others)) = parts.split_first() else { return WorldFrame::default() };
        let mut frame = first.clone();
        let times: Vec<f64> = parts.iter().map(|part| part.time).collect();
        let shares = shares(&times, first.time, dt);
        for (part, share) in others.iter().zip(shares) {
            add_events(&mut frame.events, &part.events);
            // The touches in the record of a part are those of the part before it.
            for (state, other) in frame.passive.iter_mut().zip(&part.passive) {
                state.touches.extend(other.touches.iter().cloned().map(|mut touch| {
                    touch.force = touch.force.map(|force| force * share);
                    touch
                }));
                state.failed |= other.failed;
            }
        }
        frame
    }
}

impl CharacterFrame {
    /// The record of a frame of `dt` s that was divided into these parts, after a step of `dt_before` s.
    pub fn joined(parts: &[CharacterFrame], dt: f64, dt_before: f64) -> CharacterFrame {
        let Some(first) = parts.first() else { return CharacterFrame::default() };
        let mut frame = first.clone();
        let times: Vec<f64> = parts.iter().map(|part| part.time).collect();
        let shares = shares(&times, first.time, dt);
        let turning = turning_shares(parts, &shares, dt_before / dt);
        let mean = |numbers: fn(&CharacterFrame) -> &Vec<f64>, shares: &[f64]| {
            mean(parts.iter().map(numbers).zip(shares.iter().copied()))
        };
        frame.torque = mean(|part| &part.torque, &turning);
        frame.stop_reaction = mean(|part| &part.stop_reaction, &turning);
        frame.coupling_reaction = mean(|part| &part.coupling_reaction, &turning);
        frame.dry_friction = mean(|part| &part.dry_friction, &turning);
        frame.costs = mean(|part| &part.costs, &shares);
        frame.contacts = joined(parts.iter().map(|part| &*part.contacts).zip(turning.iter().copied()));
        frame.external = joined(parts.iter().map(|part| &*part.external).zip(shares.iter().copied()));
        frame.self_contacts =
            joined(parts.iter().map(|part| &*part.self_contacts).zip(turning.iter().copied()));
        let has_one = parts.iter().any(|part| part.centre_of_pressure.is_some());
        frame.centre_of_pressure =
            centre_of_pressure(&frame.contacts).filter(|_| has_one).map(|(point, _)| point);
        (frame.iterations, frame.parted, frame.turned) = (0, 0, 0);
        frame.solve_events = vec![FrameEvent::Divided];
        for part in parts {
            frame.iterations += part.iterations;
            frame.parted += part.parted;
            frame.turned += part.turned;
            add_events(&mut frame.events, &part.events);
            add_events(&mut frame.solve_events, &part.solve_events);
            if severity(&part.outcome) > severity(&frame.outcome) {
                frame.outcome.clone_from(&part.outcome);
            }
            if frame.conflict.is_empty() {
                frame.conflict.clone_from(&part.conflict);
            }
        }
        frame
    }
}

/// Adds the events that are not in the list yet.
fn add_events<T: Clone + PartialEq>(events: &mut Vec<T>, others: &[T]) {
    for event in others {
        if !events.contains(event) {
            events.push(event.clone());
        }
    }
}

/// Severity of an outcome: 0 if no row was relaxed, 1 if rows were relaxed, 2 without a solution.
#[doc(hidden)]
pub fn severity(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Solved | Outcome::Limp => 0,
        Outcome::Relaxed { .. } => 1,
        Outcome::Failed { .. } => 2,
    }
}

/// Sums of lists weighted by their shares, number by number; missing numbers count as 0.
fn mean<'a>(lists: impl Iterator<Item = (&'a Vec<f64>, f64)>) -> Vec<f64> {
    let mut sum = Vec::new();
    for (list, share) in lists {
        if sum.len() < list.len() {
            sum.resize(list.len(), 0.0);
        }
        sum.iter_mut().zip(list).for_each(|(sum, number)| *sum += share * number);
    }
    sum
}

/// A force in a record, with what it acts on.
trait Acting: Clone {
    /// Whether both act on the same object.
    fn is_same(&self, other: &Self) -> bool;
    /// Multiplies the forces by `factor` and adds those of `other` times `share`.
    fn add(&mut self, factor: f64, other: Option<&Self>, share: f64);
}

fn combined(own: [f64; 3], factor: f64, other: Option<[f64; 3]>, share: f64) -> [f64; 3] {
    let other = other.unwrap_or_default();
    std::array::from_fn(|axis| own[axis] * factor + other[axis] * share)
}

impl Acting for Contact {
    fn is_same(&self, other: &Self) -> bool {
        self.name == other.name && self.surface == other.surface
    }

    fn add(&mut self, factor: f64, other: Option<&Self>, share: f64) {
        self.force = combined(self.force, factor, other.map(|other| other.force), share);
        if self.kind == ContactKind::Static && other.is_some_and(|other| other.kind == ContactKind::Dynamic) {
            self.kind = ContactKind::Dynamic;
        }
    }
}

impl Acting for External {
    fn is_same(&self, other: &Self) -> bool {
        self.name == other.name && self.body == other.body
    }

    fn add(&mut self, factor: f64, other: Option<&Self>, share: f64) {
        self.force = combined(self.force, factor, other.map(|other| other.force), share);
        self.torque = combined(self.torque, factor, other.map(|other| other.torque), share);
    }
}

impl Acting for SelfContact {
    fn is_same(&self, other: &Self) -> bool {
        self.body == other.body && self.other == other.other
    }

    fn add(&mut self, factor: f64, other: Option<&Self>, share: f64) {
        self.force = combined(self.force, factor, other.map(|other| other.force), share);
    }
}

/// All forces that act in any part, at their first point of application, as means weighted by the share of each part.
fn joined<'a, T: Acting + 'a>(parts: impl Iterator<Item = (&'a [T], f64)>) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    for (part, share) in parts {
        let known = all.len();
        let mut taken = vec![false; known];
        for acting in part {
            // Contacts of a ragdoll can have the same name: each is joined with a different one.
            let same = (0..known).find(|at| !taken[*at] && all[*at].is_same(acting));
            match same {
                Some(at) => {
                    taken[at] = true;
                    all[at].add(1.0, Some(acting), share);
                }
                None => {
                    let mut first = acting.clone();
                    first.add(share, None, 0.0);
                    all.push(first);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, example};

    fn contact(name: &str, force: f64) -> Contact {
        Contact { name: name.into(), force: [0.0, 0.0, force], ..Contact::default() }
    }

    #[test]
    fn a_joined_frame_has_the_mean_forces_of_its_parts() {
        let part = |time: f64, contacts: Vec<Contact>, torque: f64| CharacterFrame {
            time,
            contacts,
            torque: vec![torque],
            iterations: 3,
            ..CharacterFrame::default()
        };
        let parts = [
            part(0.02, vec![contact("heel", 100.0)], 4.0),
            part(0.025, vec![contact("toe", 40.0), contact("heel", 300.0)], 8.0),
        ];
        // Two parts of 5 ms each, after a step of 5 ms.
        let joined = CharacterFrame::joined(&parts, 0.01, 0.005);
        let forces: Vec<(&str, f64)> =
            joined.contacts.iter().map(|contact| (&*contact.name, contact.force[2])).collect();
        assert_eq!(forces, [("heel", 200.0), ("toe", 20.0)]);
        assert_eq!((joined.torque, joined.iterations), (vec![6.0], 6));
        assert_eq!(joined.solve_events, [FrameEvent::Divided]);
    }

    #[test]
    fn a_constant_load_is_its_own_mean_after_a_longer_step_and_a_push_keeps_its_impulse() {
        let push = External { name: "push".into(), force: [80.0, 0.0, 0.0], ..External::default() };
        let part = |time: f64, pushed: bool| CharacterFrame {
            time,
            contacts: vec![contact("heel", 700.0)],
            external: if pushed { vec![push.clone()] } else { Vec::new() },
            ..CharacterFrame::default()
        };
        let joined = CharacterFrame::joined(&[part(0.0, true), part(0.0025, false)], 0.01, 0.01);
        assert!((joined.contacts[0].force[2] - 700.0).abs() < 1e-9, "{:?}", joined.contacts);
        assert_eq!(joined.external[0].force, [20.0, 0.0, 0.0]);
    }

    #[test]
    fn contacts_of_one_name_are_not_mixed_up_within_a_part() {
        let part = |time: f64| CharacterFrame {
            time,
            contacts: vec![contact("hand", 10.0), contact("hand", 20.0)],
            ..CharacterFrame::default()
        };
        let joined = CharacterFrame::joined(&[part(0.0), part(0.0075)], 0.01, 0.01);
        let forces: Vec<f64> = joined.contacts.iter().map(|contact| contact.force[2]).collect();
        assert_eq!(forces, [10.0, 20.0]);
    }

    #[test]
    fn the_worst_outcome_of_a_part_is_that_of_the_frame() {
        let part = |outcome| CharacterFrame { outcome, ..CharacterFrame::default() };
        let failed = Outcome::Failed { reason: "no".into(), rows: Vec::new() };
        let parts =
            [part(Outcome::Solved), part(failed.clone()), part(Outcome::Relaxed { rows: Vec::new() })];
        assert_eq!(CharacterFrame::joined(&parts, 0.01, 0.01).outcome, failed);
    }

    #[test]
    fn steps_are_the_parts_where_there_are_parts() {
        let mut trace = example::trace(3);
        let part = |time: f64| Frame { time, ..trace.frames[1].clone() };
        let start = trace.frames[1].time;
        trace.parts = vec![part(start), part(start + 0.75 * trace.header.dt)];
        let (steps, dt) = (trace.steps(), trace.header.dt);
        let lengths: Vec<f64> = steps.iter().map(|step| step.dt / dt).collect();
        assert_eq!(lengths, [1.0, 0.75, 0.25, 1.0]);
        let firsts: Vec<bool> = steps.iter().map(|step| step.is_first).collect();
        assert_eq!(firsts, [true, true, false, true]);
    }
}
