//! From the frames of a run to its summary.

mod moment;
mod peaks;
mod push;

use super::body::BodyTracker;
use super::conflict::{self, ConflictSummary};
use super::holding::Holds;
use super::passive::PassiveWatch;
use super::poses::RecordedPoses;
use super::statistics::Timings;
use super::targets::Targets;
use super::watch::FrameWatch;
use super::{
    CentreOfPressureShift, ContactChanges, CriterionSummary, Drift, EventSummary, FailureSummary,
    PushSummary, RelaxedSummary, Summary, Verdict, Visit,
};
use crate::report::{self, Story, StoryMoment, Touchdown};
use aplomb_body::model::Model;
use aplomb_control::constraint::BoundCollisionAvoidance;
use aplomb_math::seconds::seconds;
use aplomb_scene::{BoundCriterion, CriterionKind, Run};
use aplomb_trace::{Contact, Ending, Frame, Header, Outcome, Stopped, StoppedBy};
use aplomb_world::controller::{Because, Stay};
use aplomb_world::reaction_delay;
use aplomb_world::{FrameResult, FrameTiming};
use nalgebra::{Vector2, Vector3};
use push::PushTally;
use std::time::Duration;

/// Latest time at which the COM counts as settled, s.
const SETTLED_AFTER: f64 = 5.0;

/// Largest number of hard landings that the reason of a failure names.
const MOST_LANDINGS: usize = 2;

/// The end of a run, for its summary.
pub struct Closing<'a> {
    /// The last record, without forces; `None` if the final state is not finite.
    pub last: Option<&'a Frame>,
    /// Whether a hand holds a hold in that record.
    pub hangs: bool,
    /// Why the controller stayed in its last state, if anything could end that.
    pub stay: Option<Stay>,
    /// The end of the run with the results of the criteria; `None` if it is unknown.
    pub ending: Option<&'a Ending>,
    /// Wall-clock time of the frame loop.
    pub wall_time: Duration,
    /// Path of the trace; empty if there is none.
    pub trace: String,
}

/// Share of frames without a solution above which a run has failed, regardless of its criteria.
pub(crate) const MOST_FAILED: f64 = 0.01;

/// A contact of the previous frame.
struct TouchingPoint {
    body: String,
    name: String,
    surface: String,
}

/// Body, point and surface of a contact, which identify it.
fn key(contact: &Contact) -> [&str; 3] {
    [&contact.body, &contact.name, &contact.surface]
}

impl TouchingPoint {
    fn new(contact: &Contact) -> Self {
        let [body, name, surface] = key(contact).map(str::to_owned);
        TouchingPoint { body, name, surface }
    }

    fn key(&self) -> [&str; 3] {
        [&self.body, &self.name, &self.surface]
    }
}

/// Collects the frames of a run for its summary.
pub struct Summariser {
    header: Header,
    /// Joint coordinates: all except the root's.
    joints: std::ops::Range<usize>,
    /// Whether the body is fixed to the world.
    is_fixed: bool,
    frames: u64,
    visits: Vec<Visit>,
    story: Story,
    /// Names of the events that move, remove or add a surface.
    surface_events: Vec<String>,
    relaxed_frames: u64,
    relaxed_rows: Vec<RelaxedSummary>,
    failed_frames: u64,
    solve_events: Vec<EventSummary>,
    failures: Vec<FailureSummary>,
    conflicts: Vec<ConflictSummary>,
    contacts: ContactChanges,
    /// Contacts of the previous frame; `None` before the first.
    touching: Option<Vec<TouchingPoint>>,
    last_cop: Option<[f64; 2]>,
    cop_steps: u64,
    cop_square_sum: f64,
    largest_cop_step: (f64, f64),
    /// Signed torque of largest magnitude, and its time, by velocity coordinate.
    peaks: Vec<(f64, f64)>,
    passive_joints: Vec<String>,
    pushes: Vec<PushSummary>,
    /// Data of the same pushes, in the same order, that are not in the summary.
    push_tallies: Vec<PushTally>,
    targets: Targets,
    holds: Holds,
    /// Force at which a grip breaks, N.
    grip_limit: Option<f64>,
    /// `None` without a body.
    poses: Option<RecordedPoses>,
    watch: FrameWatch,
    objects: PassiveWatch,
    divergence: Option<f64>,
    /// End of the last push, s.
    pushed_until: f64,
    body: Option<BodyTracker>,
    timings: Timings,
}

impl Summariser {
    /// A summary of the run with this `header`; `root`: its number of root coordinates.
    pub fn new(header: &Header, root: usize) -> Self {
        let coordinates = header.coordinate_names.len();
        Summariser {
            header: header.clone(),
            joints: root.min(coordinates)..coordinates,
            is_fixed: false,
            frames: 0,
            visits: Vec::new(),
            surface_events: Vec::new(),
            story: Story { is_weightless: header.gravity == [0.0; 3], ..Story::default() },
            relaxed_frames: 0,
            relaxed_rows: Vec::new(),
            failed_frames: 0,
            solve_events: Vec::new(),
            failures: Vec::new(),
            conflicts: Vec::new(),
            contacts: ContactChanges::default(),
            touching: None,
            last_cop: None,
            cop_steps: 0,
            cop_square_sum: 0.0,
            largest_cop_step: (0.0, 0.0),
            peaks: vec![(0.0, 0.0); coordinates],
            passive_joints: Vec::new(),
            pushes: Vec::new(),
            push_tallies: Vec::new(),
            targets: Targets::default(),
            holds: Holds::default(),
            grip_limit: None,
            poses: None,
            watch: FrameWatch::default(),
            objects: PassiveWatch::default(),
            divergence: None,
            pushed_until: 0.0,
            body: None,
            timings: Timings::default(),
        }
    }

    /// Also checks the root's equations of motion and lists passive joints, with the model of the run.
    pub fn watching(self, model: &Model) -> Self {
        let passive_joints = model.passive_joints().map(|joint| joint.name.clone()).collect();
        Summariser {
            poses: Some(RecordedPoses::new(model)),
            watch: FrameWatch::new(model, &self.header),
            is_fixed: model.is_fixed(),
            passive_joints,
            ..self
        }
    }

    /// A summary of a run of a scene; `in_detail`: with grips and collision avoidance.
    pub(crate) fn of(run: &Run, header: &Header, in_detail: bool) -> Self {
        let own = run.world.find_character(&header.character).or(run.hero());
        let (model, snapshot) = run.world.sensed(own);
        let root = if model.is_floating() { 6 } else { 0 };
        let apart = own.map(|own| run.world.character(own).apart.as_slice()).unwrap_or_default();
        let mut summariser = Summariser::new(header, root).watching(model);
        let of_surfaces = run.world.events().iter().filter(|event| event.is_of_surface);
        summariser.surface_events = of_surfaces.map(|event| event.name.clone()).collect();
        match in_detail {
            true => summariser.following(model, apart).gripping(snapshot.grips.limits.force),
            false => summariser.following(model, &[]),
        }
    }

    /// Also tracks steps, limbs and collision avoidance, with the body of the run.
    pub fn following(self, model: &Model, apart: &[BoundCollisionAvoidance]) -> Self {
        let poses = self.poses.or_else(|| Some(RecordedPoses::new(model)));
        Summariser { body: Some(BodyTracker::new(&self.header, model, apart)), poses, ..self }
    }

    /// Compares forces of grips with the force at which they break, N.
    pub(crate) fn gripping(self, limit: f64) -> Self {
        Summariser { grip_limit: Some(limit), ..self }
    }

    /// Adds a frame, with data of the character that are not in its record.
    pub fn add(&mut self, frame: &Frame, character: Option<&FrameResult>, timing: FrameTiming) {
        self.frames += 1;
        self.timings.add(timing);
        if let Some(result) = character {
            self.transitions(frame.time, result);
        }
        self.outcome(frame);
        conflict::add(&mut self.conflicts, frame);
        self.solve_events(frame);
        self.changes(frame);
        self.pressure(frame);
        self.torques(frame);
        self.targets.add(frame);
        self.holds.add(frame);
        if let Some(poses) = &mut self.poses {
            poses.add(frame);
        }
        self.watch.add(frame, &self.joints, self.poses.as_mut().and_then(RecordedPoses::latest));
        self.objects.add(&self.header, frame);
        if let (Some(body), Some(poses)) = (&mut self.body, &mut self.poses)
            && let Some(posed) = poses.latest()
        {
            body.add(frame, posed);
        }
        for external in &frame.external {
            // A character that holds on to this one is not a push.
            if self.header.has_other(&external.name) {
                continue;
            }
            self.pushed_until = frame.time + self.header.dt;
            self.push(frame, external);
        }
        for arrival in self.arrivals(frame) {
            self.pushed_until = frame.time + self.header.dt;
            self.push(frame, &arrival);
        }
        if frame.events.iter().any(|event| event == reaction_delay::EVENT_NAME) {
            self.story.hold(frame.time, frame.time + self.header.dt);
        }
        for name in frame.events.iter().filter(|name| self.surface_events.contains(name)) {
            self.story.move_surface(name, frame.time, frame.time + self.header.dt);
        }
        let moment = self.moment(frame);
        let binding = character.map_or(&[][..], |of| &of.binding);
        let mut limits = binding.to_vec();
        limits.extend(
            self.torques_at_limits(frame)
                .filter(|limit| binding.iter().all(|known| known.kind != limit.kind)),
        );
        self.story.add(moment, &limits);
    }

    fn transitions(&mut self, time: f64, FrameResult { progress, divergence, .. }: &FrameResult) {
        self.divergence = [self.divergence, *divergence].into_iter().flatten().reduce(f64::max);
        for transition in &progress.transitions {
            let because = transition.because.to_string();
            self.enter(&transition.to, time, because);
        }
        if let Some(stuck) = &progress.stuck {
            self.story.stuck.get_or_insert((time, stuck.to_string()));
        }
    }

    pub(super) fn enter(&mut self, state: &str, time: f64, because: String) {
        if let Some(visit) = self.visits.last_mut() {
            visit.to = time;
        }
        self.visits.push(Visit { name: state.into(), from: time, to: time, because });
    }

    fn outcome(&mut self, frame: &Frame) {
        match &frame.outcome {
            Outcome::Solved | Outcome::Limp => {}
            Outcome::Relaxed { rows } => {
                self.relaxed_frames += 1;
                self.story.relaxed.push(frame.time);
                for row in rows {
                    match self.relaxed_rows.iter_mut().find(|known| known.label == row.label) {
                        Some(known) => {
                            known.frames += 1;
                            known.largest = known.largest.max(row.amount);
                        }
                        None => self.relaxed_rows.push(RelaxedSummary {
                            label: row.label.clone(),
                            unit: row.unit.clone(),
                            frames: 1,
                            largest: row.amount,
                        }),
                    }
                }
            }
            Outcome::Failed { reason, rows } => {
                self.failed_frames += 1;
                self.story.failed.push(frame.time);
                match self.failures.iter_mut().find(|known| known.reason == *reason) {
                    Some(known) => known.frames += 1,
                    None => self.failures.push(FailureSummary {
                        reason: reason.clone(),
                        frames: 1,
                        first_at: frame.time,
                        rows: rows.clone(),
                    }),
                }
            }
        }
    }

    fn solve_events(&mut self, frame: &Frame) {
        for event in &frame.solve_events {
            match self.solve_events.iter_mut().find(|known| known.event == *event) {
                Some(known) => known.frames += 1,
                None => {
                    self.solve_events.push(EventSummary { event: *event, frames: 1, first_at: frame.time });
                }
            }
        }
    }

    /// Counts contacts that began and ended. A failed frame records none and is ignored.
    fn changes(&mut self, frame: &Frame) {
        self.contacts.parted += u64::from(frame.parted);
        self.contacts.turned += u64::from(frame.turned);
        if matches!(frame.outcome, Outcome::Failed { .. }) {
            return;
        }
        let now = &frame.contacts;
        if let Some(before) = &self.touching {
            if before.iter().map(TouchingPoint::key).eq(now.iter().map(key)) {
                return;
            }
            let is_new = |contact: &&Contact| before.iter().all(|known| known.key() != key(contact));
            for Contact { body, surface, .. } in now.iter().filter(is_new) {
                self.contacts.made += 1;
                if before.iter().all(|known| known.body != *body) {
                    let (body, surface) = (body.clone(), surface.clone());
                    self.story.touchdowns.push(Touchdown { time: frame.time, body, surface });
                }
            }
            let is_gone = |known: &&TouchingPoint| now.iter().all(|contact| key(contact) != known.key());
            self.contacts.broken += before.iter().filter(is_gone).count() as u64;
        }
        self.touching = Some(now.iter().map(TouchingPoint::new).collect());
    }

    fn pressure(&mut self, frame: &Frame) {
        if let (Some(before), Some(now)) = (self.last_cop, frame.centre_of_pressure) {
            let step = (Vector2::from(now) - Vector2::from(before)).norm();
            self.cop_steps += 1;
            self.cop_square_sum += step * step;
            if step > self.largest_cop_step.0 {
                self.largest_cop_step = (step, frame.time);
            }
        }
        self.last_cop = frame.centre_of_pressure;
    }

    fn torques(&mut self, frame: &Frame) {
        for (peak, torque) in self.peaks.iter_mut().zip(&frame.torque) {
            if torque.abs() > peak.0.abs() {
                *peak = (*torque, frame.time);
            }
        }
    }

    /// Adds the last record, if there is one, and returns the time at which the run ended, s.
    fn close(&mut self, closing: &Closing<'_>) -> f64 {
        if let Some(last) = closing.last {
            // The last record has no forces, and so no contacts.
            let moment = StoryMoment { hangs: closing.hangs, ..self.moment(last) };
            self.story.add(moment, &[]);
            if let Some(poses) = &mut self.poses {
                poses.add(last);
            }
            self.watch.add_last(last, self.poses.as_mut().and_then(RecordedPoses::latest));
            self.objects.add(&self.header, last);
        }
        let end = closing.last.map_or(self.frames as f64 * self.header.dt, |last| last.time);
        match (self.visits.last_mut(), closing.last) {
            (Some(visit), _) => visit.to = end,
            // The run ended before its first frame.
            (None, Some(last)) if self.header.has_character() => {
                self.enter(&last.state, end, Because::Start.to_string());
            }
            _ => {}
        }
        end
    }

    /// The summary of all collected frames.
    pub fn finish(mut self, closing: &Closing<'_>) -> Summary {
        let end = self.close(closing);
        let Ending { stopped, criteria } = closing.ending.cloned().unwrap_or_default();
        let verdict = self.verdict(closing.ending);
        let passive = std::mem::take(&mut self.objects).finish(&self.header);
        let acts = self.header.has_character();
        self.leave_out_brushes();
        let peak_torques = self.peak_torques();
        let root = self.watch.root_residuals();
        let moves = closing.last.and_then(|last| self.moves(last));
        let (apart, break_force, gait, settling) = match moves {
            Some(moves) => (moves.apart, moves.break_force, Some(moves.gait), moves.settling),
            None => (Vec::new(), None, None, None),
        };
        let landings = gait.as_ref().map_or(&[][..], |gait| &gait.hard_landings);
        let reason = (verdict != Verdict::Pass).then(|| {
            let reason = self.reason(verdict, stopped.as_ref(), &criteria, closing.stay.as_ref());
            landings.iter().take(MOST_LANDINGS).fold(reason, |reason, landing| format!("{reason} {landing}."))
        });
        let (cop_step, wall_time) = (self.cop_step(), closing.wall_time.as_secs_f64());
        Summary {
            verdict,
            reason,
            stay: closing.stay.clone(),
            balance_lost_at: self.story.balance_lost().map(|(time, _)| time),
            flight: self.story.flight(),
            com_drift: self.drift().filter(|_| acts),
            end_joint_speed: closing.last.map_or(0.0, |last| self.joint_speed(last)),
            stopped,
            criteria,
            states: self.visits,
            frames: self.frames,
            dt: self.header.dt,
            duration: self.header.duration,
            simulated_time: end,
            relaxed_frames: self.relaxed_frames,
            relaxed_rows: self.relaxed_rows,
            failed_frames: self.failed_frames,
            failures: self.failures,
            conflicts: self.conflicts,
            solve_events: self.solve_events,
            contacts: self.contacts,
            break_force,
            steps: gait.as_ref().map_or(0, |gait| gait.steps_taken.len() as u64),
            goal_error: self.watch.effort.goal_error(),
            idle_objectives: self.watch.effort.idle(&self.header.objectives),
            torque_change: self.watch.effort.torque_change(),
            root_residual: root.and_then(|root| root.solved),
            root_wrench: root.and_then(|root| root.wrench),
            momentum_residual: root.and_then(|root| root.momentum),
            divergence: self.divergence,
            cop_step,
            peak_torque: peak_torques.first().cloned(),
            peak_torques,
            passive_joints: self.passive_joints,
            coupling_error: self.watch.coupling_error,
            missed_events: Vec::new(),
            cut_off_pushes: Vec::new(),
            other_characters: Vec::new(),
            other_pushes: Vec::new(),
            unread_values: Vec::new(),
            clamped_commands: Vec::new(),
            pushes: self.pushes,
            targets: self.targets.summary(&self.header.followed),
            holding: self.holds.finish(self.grip_limit),
            passive,
            apart,
            gait,
            settling,
            reaction_delay_settings: None,
            reaction_delays: self.story.held,
            real_time_factor: if wall_time > 0.0 { end / wall_time } else { 0.0 },
            wall_time,
            timing_us: self.timings.summary(),
            trace: closing.trace.clone(),
            version: self.header.version,
            scene: self.header.scene,
            title: self.header.title,
            character: self.header.character,
            solver: self.header.solver,
            overrides: self.header.overrides,
        }
    }

    fn cop_step(&self) -> Option<CentreOfPressureShift> {
        (self.cop_steps > 0).then(|| CentreOfPressureShift {
            max: self.largest_cop_step.0,
            rms: (self.cop_square_sum / self.cop_steps as f64).sqrt(),
            max_at: self.largest_cop_step.1,
        })
    }

    fn verdict(&self, ending: Option<&Ending>) -> Verdict {
        let Some(Ending { stopped, criteria }) = ending else { return Verdict::Unknown };
        let by = stopped.as_ref().map(|stopped| stopped.by);
        if by == Some(StoppedBy::Value) || self.failed_too_often() {
            Verdict::Fail
        } else if by == Some(StoppedBy::Interrupt) {
            Verdict::Interrupted
        } else if criteria.iter().all(|criterion| criterion.held) {
            Verdict::Pass
        } else {
            Verdict::Fail
        }
    }

    fn failed_too_often(&self) -> bool {
        self.failed_frames as f64 > MOST_FAILED * self.frames as f64
    }

    /// The paragraph on the cause of the failure.
    fn reason(
        &self,
        verdict: Verdict,
        stopped: Option<&Stopped>,
        criteria: &[CriterionSummary],
        stay: Option<&Stay>,
    ) -> String {
        let mut sentences = Vec::new();
        if verdict == Verdict::Unknown {
            sentences.push("The trace does not say how the run ended.".to_string());
        }
        if let Some(Stopped { reason, at, .. }) = stopped {
            sentences.push(format!("The run was ended at {at} s: {reason}.", at = seconds(at)));
        }
        if let Some(first) = self.failures.first().filter(|_| self.failed_too_often()) {
            let FailureSummary { reason, first_at, .. } = first;
            let (failed, frames, most) = (self.failed_frames, self.frames, 100.0 * MOST_FAILED);
            sentences.push(format!(
                "{failed} of {frames} frames had no solution, more than {most:.0} % (first at \
                 {first_at} s: {reason}).",
                first_at = seconds(first_at)
            ));
        }
        // For an interrupted run, the criteria at its end are unknown.
        let is_judged = !matches!(verdict, Verdict::Interrupted | Verdict::Unknown);
        if is_judged && criteria.iter().any(|criterion| !criterion.held) {
            sentences.push(match self.header.has_character() {
                true => report::reason(&self.story, criteria),
                false => report::unmet(criteria),
            });
            // The state in which a character falls does not explain the fall.
            let stay = stay.filter(|_| self.story.balance_lost().is_none());
            sentences.extend(stay.map(|stay| format!("{stay}.")));
        }
        sentences.join(" ")
    }

    fn drift(&self) -> Option<Drift> {
        let end = self.story.moments.last()?.time;
        let after = SETTLED_AFTER.min(end / 2.0) - 1e-9;
        let mut settled = self.story.moments.iter().filter(|moment| moment.time >= after);
        let first = settled.next()?;
        let away = |moment: &StoryMoment| (Vector3::from(moment.com) - Vector3::from(first.com)).norm();
        Some(Drift { since: first.time, max: settled.map(away).fold(0.0, f64::max) })
    }

    fn joint_speed(&self, last: &Frame) -> f64 {
        let turns = |k: &usize| self.header.coordinate_units.get(*k).is_some_and(|unit| unit == "rad/s");
        let rates = self.joints.clone().filter(turns).filter_map(|k| last.v.get(k));
        rates.fold(0.0, |most, rate| rate.abs().max(most))
    }
}

/// The result of a criterion.
pub fn judged(bound: &BoundCriterion) -> CriterionSummary {
    CriterionSummary {
        name: bound.name.clone(),
        kind: match bound.kind {
            CriterionKind::Always => "always",
            CriterionKind::AtEnd => "at_end",
            CriterionKind::Once => "once",
        }
        .into(),
        condition: bound.condition.text().to_string(),
        held: bound.holds,
        at: bound.at,
        nearest: bound.miss(),
    }
}
