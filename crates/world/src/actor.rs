//! A character with the state that it needs from frame to frame.

use super::character::Character;
use super::event::{Cause, Event};
use super::frame::advance::advance;
use super::frame::holding;
use super::frame::problem::FrameProblem;
use super::frame::solve_loop;
use super::frame::{FrameMode, FrameTime};
use super::reaction_delay;
use super::record::{FrameSolution, Recorder};
use super::result::{FrameResult, FrameTiming};
use crate::controller::quantity::Measure;
use crate::controller::{BadValue, Drive, Reads};
use aplomb_body::contact::grip::{BodyPoint, Want};
use aplomb_body::contact::{Owner, Release};
use aplomb_body::dynamics::{BiasVelocity, Kinematics};
use aplomb_control::clock::Instant;
use aplomb_control::objective::Now;
use aplomb_control::predict::ExternalForce;
use aplomb_control::snapshot::{Deviation, LastSolve, RagdollForce, SensedHit, SensedObject, Snapshot};
use aplomb_passive::{KinematicCharacter, Part, PassiveObject, PassiveWorld};
use aplomb_trace::{CharacterFrame, OwnFrame};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

/// Number of frames with `midpoint` bias velocity at the start and after each change of the contact set, where the
/// two velocities that an extrapolation needs do not belong to one smooth motion. The frame after a jump of the
/// velocity also uses the midpoint, because it has no velocities to extrapolate.
const STEADY_FRAMES: u32 = 2;

pub(crate) struct Actor {
    pub character: Character,
    recorder: Recorder,
    pub result: FrameResult,
    /// Causes that act in this frame, each once; `pushing` has one for each external force.
    acting: Vec<Cause>,
    pushing: Vec<Cause>,
    releases: Vec<Release>,
    /// Whether the bindings in its record differ from those of its controller, as after a jump to another time.
    pub are_roles_stale: bool,
    /// Damping of its joints, N m s/rad, if it is a ragdoll in this frame.
    pub ragdoll: Option<f64>,
    /// Torques of its springs in this frame while it is a ragdoll, nv numbers, N m or N.
    pub spring_torque: Vec<f64>,
    /// Whether it holds a passive object at the beginning of the solve of this frame: a grip can break within
    /// it.
    pub began_holding: bool,
    /// Whether it is solved together with other characters, because one grips another.
    pub is_coupled: bool,
    /// Why its frame cannot be solved.
    pub failure: Option<BadValue>,
    /// Whether a part of a divided frame other than the first is being computed.
    is_continued: bool,
    /// When values of its controller are read, with the number of the binding from which this was determined.
    pub reads: Option<(u64, Reads)>,
}

/// The observations that all characters of a world share in a frame.
pub(crate) struct Surroundings<'a> {
    /// Time at the beginning of the frame, s.
    pub time: f64,
    pub objects: &'a [SensedObject],
    /// Positions, m, and velocities, m/s, of points of passive objects that can be held.
    pub attachments: &'a [(Vector3<f64>, Vector3<f64>)],
    /// Parts of passive objects that are surfaces, in the order of the surfaces.
    pub seats: &'a [Part],
    /// Bodies of each character that other characters can touch; empty where characters do not touch.
    pub bodies: &'a [Vec<Part>],
}

/// Names of passive objects in records.
pub(crate) struct CauseNames<'a> {
    pub events: &'a [Event],
    pub objects: &'a [PassiveObject],
    pub characters: &'a [String],
}

impl CauseNames<'_> {
    pub(crate) fn of(&self, cause: Cause) -> &str {
        match cause {
            Cause::Event(event) => &self.events[event].name,
            Cause::Passive(object) => &self.objects[object].name,
            Cause::Character(character) => &self.characters[character],
        }
    }
}

/// The velocity at which the bias force of a frame is evaluated, if the setting is `asked`.
pub(crate) fn bias_velocity(
    asked: BiasVelocity,
    index: u64,
    steady_frames: u32,
    jumped: bool,
) -> BiasVelocity {
    let unsteady = index < STEADY_FRAMES.into() || steady_frames < STEADY_FRAMES || jumped;
    match asked.in_joints() {
        BiasVelocity::Extrapolated if unsteady => BiasVelocity::Midpoint,
        steady => steady,
    }
}

impl Actor {
    pub(crate) fn new(character: Character) -> Self {
        let recorder = Recorder::new(&character.model, &character.snapshot, 1);
        let nv = character.model.nv;
        Actor {
            character,
            recorder,
            result: FrameResult::default(),
            acting: Vec::new(),
            pushing: Vec::new(),
            releases: Vec::new(),
            are_roles_stale: false,
            ragdoll: None,
            spring_torque: vec![0.0; nv],
            began_holding: false,
            is_coupled: false,
            failure: None,
            is_continued: false,
            reads: None,
        }
    }

    /// Reserves the records of this many events and hits at once.
    pub(crate) fn make_room_for_records(&mut self, events: usize) {
        let Character { model, snapshot, .. } = &self.character;
        self.recorder = Recorder::new(model, snapshot, events + 2 * model.sites.len());
    }

    /// The character as it is passed to passive objects.
    pub(crate) fn kinematic(&self) -> KinematicCharacter<'_> {
        let Character { model, snapshot, machine, .. } = &self.character;
        KinematicCharacter { model, q: &snapshot.state.q, may_be_dynamic: machine.may_be_ragdoll() }
    }

    /// Makes the grips of the controller's start state.
    pub(crate) fn take_hold(&mut self) {
        holding::take_hold(&mut self.character);
    }

    /// Poses and velocities of its bodies, for the characters that touch them; empty if it is a ragdoll.
    pub(crate) fn show_bodies(&mut self, bodies: &mut Vec<Part>) {
        let Character { model, snapshot, .. } = &mut self.character;
        bodies.clear();
        if self.ragdoll.is_some() {
            return;
        }
        snapshot.move_bodies(model);
        let Kinematics { position, rotation, velocity, .. } = &snapshot.kinematics;
        bodies.extend(position.iter().zip(rotation).zip(velocity).map(|((position, rotation), velocity)| {
            let turn = Rotation3::from_matrix_unchecked(*rotation);
            Part {
                position: *position,
                orientation: UnitQuaternion::from_rotation_matrix(&turn),
                velocity: velocity.velocity_at(position),
                angular_velocity: velocity.angular,
            }
        }));
    }

    /// Updates the character's snapshot to its state.
    pub(crate) fn observe(&mut self, around: &Surroundings<'_>) {
        let started = Instant::now();
        let Character { model, snapshot, .. } = &mut self.character;
        snapshot.state.time = around.time;
        // Zero until its controller decides: criteria use the true state, not the state that the controller
        // knows.
        snapshot.unknown = Deviation::default();
        snapshot.objects.clear();
        snapshot.objects.extend_from_slice(around.objects);
        holding::carry(&mut snapshot.grips, around.attachments);
        holding::ride(&mut snapshot.contacts.surfaces, around.seats, snapshot.scales.dt);
        snapshot.move_bodies(model);
        holding::join_slow_objects(model, snapshot, around.seats);
        holding::ride_bodies(model, snapshot, around.bodies);
        snapshot.look_around(model);
        self.result.timing = FrameTiming { sense: started.elapsed(), ..FrameTiming::default() };
    }

    /// Updates the holds that it grips on other characters, once all have observed: `place` returns the position of a
    /// point of a body, m, and its velocity, m/s.
    pub(crate) fn observe_holds(
        &mut self,
        place: impl Fn(&BodyPoint) -> Option<(Vector3<f64>, Vector3<f64>)>,
    ) {
        let Character { model, snapshot, .. } = &mut self.character;
        holding::carry_on_characters(&mut snapshot.grips, place);
        snapshot.grips.update_on_characters(model, &snapshot.kinematics);
    }

    /// Determines the events that act on it in this frame, and runs its controller.
    pub(crate) fn decide(&mut self, number: usize, events: &[Event], index: u64) {
        let started = Instant::now();
        self.feel_events(number, events, index);
        self.is_continued = false;
        self.expect_unknown(index);
        let Character { model, snapshot, machine, own_grips, .. } = &mut self.character;
        let progress = machine.advance(&Measure { model, snapshot });
        self.releases.clear();
        machine.list_released(&Measure { model, snapshot }, &mut self.releases);
        if !progress.transitions.is_empty() {
            let wanted: Vec<Want> = machine.wanted(&Measure { model, snapshot }).collect();
            snapshot.grips.want(wanted.into_iter().chain(own_grips.iter().cloned()));
        }
        self.settle();
        self.result.progress = progress;
        self.result.timing.sense += started.elapsed();
    }

    /// Determines the events that act on it in a part of a frame, in which its controller has already decided.
    pub(crate) fn carry_on(&mut self, number: usize, events: &[Event], index: u64, is_first: bool) {
        let started = Instant::now();
        self.is_continued = !is_first;
        self.feel_events(number, events, index);
        self.expect_unknown(index);
        self.settle();
        self.result.timing.sense += started.elapsed();
    }

    /// Updates the part of the state that the controller does not know yet because of its reaction delay.
    fn expect_unknown(&mut self, index: u64) {
        let Character { snapshot, reaction_delay, .. } = &mut self.character;
        if let Some(delay) = reaction_delay {
            let bears = snapshot.contacts.touches.iter().any(|touch| touch.bears());
            snapshot.unknown = delay.deviation(index, bears.then(|| snapshot.pendulum_time()));
        }
    }

    /// Releases and grips as its controller requests, and sets its supports, its ragdoll and its springs.
    fn settle(&mut self) {
        let Character { model, snapshot, machine, bearing, steady_frames, is_limp, .. } = &mut self.character;
        snapshot.settle(model, &self.releases, machine.release_rate());
        snapshot.load_rate = machine.load_rate();
        snapshot.limp = *is_limp || machine.drive() == Drive::Limp;
        let (touches, slots) = (&snapshot.contacts.touches, snapshot.contacts.slots());
        let now = || {
            let touching = touches.iter().filter(|touch| touch.bears()).map(|touch| touch.slot);
            touching.chain(snapshot.grips.list.iter().map(|grip| slots + grip.site))
        };
        if now().eq(bearing.iter().copied()) {
            *steady_frames += 1;
        } else {
            *steady_frames = 0;
            bearing.clear();
            bearing.extend(now());
        }
        self.ragdoll = machine.ragdoll();
        self.failure = self.pull_springs().err();
    }

    /// The torques of its springs, if it is a ragdoll with springs.
    fn pull_springs(&mut self) -> Result<(), BadValue> {
        let Character { model, snapshot, machine, springs, is_limp, has_torque_limits, .. } =
            &mut self.character;
        let springs = springs[machine.state()].as_mut().filter(|_| !*is_limp);
        let (Some(springs), Some(damping)) = (springs, &mut self.ragdoll) else {
            self.spring_torque.fill(0.0);
            return Ok(());
        };
        *damping = springs.damping(*damping);
        let measure = Measure { model, snapshot };
        let values = machine.lookup(&measure);
        springs.torques(&values, &Now { model, snapshot }, *has_torque_limits, &mut self.spring_torque)
    }

    fn feel_events(&mut self, number: usize, events: &[Event], index: u64) {
        let Character { snapshot, problem, reaction_delay, .. } = &mut self.character;
        self.acting.clear();
        self.pushing.clear();
        problem.external.clear();
        let acting = events.iter().enumerate().filter(|(_, event)| event.frames.contains(&index));
        for (cause, event) in acting {
            let Some(push) = &event.push else {
                self.acting.push(Cause::Event(cause));
                continue;
            };
            if push.character != number {
                continue;
            }
            self.acting.push(Cause::Event(cause));
            self.pushing.push(Cause::Event(cause));
            problem.external.push(push.force(snapshot));
            // The motion of joints before the first frame is unknown.
            if let Some(delay) = reaction_delay
                && event.frames.start.max(1) == index
            {
                delay.begin(index, &snapshot.last_torque);
            }
        }
    }

    /// Adds the force of an object that touched it to its external forces.
    pub(crate) fn feel_hit(&mut self, cause: Cause, force: ExternalForce) {
        // An object that touches several bodies is listed once.
        if !self.acting.contains(&cause) {
            self.acting.push(cause);
        }
        self.pushing.push(cause);
        self.character.problem.external.push(force);
    }

    /// Whether it holds a passive object, or touches one that moves under its forces in its frame.
    pub(crate) fn holds_objects(&self) -> bool {
        let Snapshot { grips, contacts, .. } = &self.character.snapshot;
        let holds = || grips.list.iter().any(|grip| grips.holds[grip.hold].on_object().is_some());
        let touches = || contacts.touches.iter().any(|touch| touch.is_on_object() && touch.bears());
        self.ragdoll.is_none() && (holds() || touches())
    }

    /// Keeps joint torques constant from now on if a disturbance other than a push begins.
    fn notice_surprises(&mut self, frame: FrameTime) {
        let Actor { character, pushing, .. } = self;
        let Character { snapshot, problem, reaction_delay, .. } = character;
        let Some(delay) = reaction_delay else { return };
        let forces = pushing.iter().zip(&problem.external);
        let hits = forces.filter(|(cause, _)| !matches!(cause, Cause::Event(_)));
        delay.notice(frame.index, snapshot, hits.map(|(cause, hit)| (*cause, &hit.force)));
    }

    /// Prepares the solve of a frame: registers disturbances, and returns the velocity at which the bias force is
    /// evaluated.
    pub(crate) fn begin_solving(&mut self, frame: FrameTime) -> BiasVelocity {
        self.notice_surprises(frame);
        let asked = self.character.synthesiser.settings.bias_velocity;
        bias_velocity(asked, frame.index, self.character.steady_frames, self.character.jumped)
    }

    /// Adds the forces that other characters exert on it to its external forces, and its share of the time of
    /// their common problem.
    pub(crate) fn feel_loads(&mut self) {
        let Character { problem, snapshot, .. } = &mut self.character;
        let FrameProblem { external, borne, .. } = problem;
        self.pushing.extend(borne.iter().map(|(by, _)| Cause::Character(*by)));
        external.extend(borne.iter().map(|(_, load)| *load));
        snapshot.hits.extend(borne.iter().map(|(by, load)| SensedHit {
            by: Owner::Character(*by),
            body: load.body,
            force: load.force,
        }));
        self.add_timing();
    }

    /// Solves its frame; `passive` is the passive world if it holds a passive object.
    pub(crate) fn solve(&mut self, frame: FrameTime, passive: Option<&mut PassiveWorld>) {
        let bias = self.begin_solving(frame);
        match solve_loop::solve_alone(&mut self.character, passive, frame.index, bias) {
            Ok(()) => self.add_timing(),
            Err(value) => self.failure = Some(value),
        }
    }

    /// Adds the time that the solve loop took to that of the frame.
    fn add_timing(&mut self) {
        let timing = self.character.problem.solved.timing;
        self.result.timing.assemble += timing.assemble;
        self.result.timing.solve += timing.solve;
    }

    /// Records the frame that was solved.
    pub(crate) fn record(&mut self, frame: FrameTime, names: &CauseNames<'_>) {
        let started = Instant::now();
        let Character { problem, reaction_delay, snapshot, .. } = &mut self.character;
        if let Some(delay) = reaction_delay.as_mut().filter(|_| !self.is_continued) {
            let force = problem.external.iter().map(|external| external.force).sum();
            delay.remember(frame.index, force, snapshot.scales.mass);
        }
        let Actor { character, recorder, result, acting, pushing, are_roles_stale, .. } = self;
        let delayed = character.reaction_delay.as_ref().and_then(|delay| delay.held(frame.index)).is_some();
        let changed = !result.progress.transitions.is_empty() || std::mem::take(are_roles_stale);
        let name = |&cause: &Cause| names.of(cause);
        let acting = acting.iter().map(name).chain(delayed.then_some(reaction_delay::EVENT_NAME));
        recorder.frame(&mut result.frame, character, frame.index, acting, changed);
        let FrameProblem { external, outcomes, grip_forces, events, conflict, solved, .. } =
            &character.problem;
        let reached = FrameSolution { outcomes, grips: grip_forces, events, conflict, solved };
        let touches = character.snapshot.contacts.touches.iter().zip(outcomes);
        let touched = touches.filter_map(|(touch, outcome)| {
            let other = touch.on_character().filter(|_| touch.bears())?;
            let (body, point) = (touch.body, touch.point);
            let force = character.snapshot.scales.turning_steps() * outcome.force;
            Some((
                names.of(Cause::Character(other)),
                ExternalForce { body, point, force, torque: Vector3::zeros() },
            ))
        });
        let external = pushing.iter().map(name).zip(external.iter().copied()).chain(touched);
        recorder.forces(&mut result.frame, character, external, reached);
        result.timing.solves = solved.solves;
        result.timing.record += started.elapsed();
    }

    /// Moves it to the end of the frame that was solved.
    pub(crate) fn advance(&mut self, frame: FrameTime) {
        let started = Instant::now();
        advance(&mut self.character, frame);
        let synthesis = self.character.synthesiser.result();
        let solve = LastSolve {
            failed: !synthesis.has_solution(),
            impact: synthesis.has_solution() && self.character.problem.solved.mode == FrameMode::Impact,
            gave_way: synthesis.relaxed(),
        };
        let last = &mut self.character.snapshot.last_solve;
        // A frame may have parts.
        *last = if self.is_continued { last.and(solve) } else { solve };
        self.character.was_ragdoll = false;
        self.result.divergence = self.character.problem.divergence;
        self.result.timing.advance += started.elapsed();
    }

    /// Records a frame in which it was a ragdoll, and takes the resulting state.
    pub(crate) fn advance_ragdoll(
        &mut self,
        number: usize,
        frame: FrameTime,
        names: &CauseNames<'_>,
        passive: &PassiveWorld,
    ) {
        let started = Instant::now();
        let Actor { character, recorder, result, acting, pushing, are_roles_stale, .. } = self;
        let changed = !result.progress.transitions.is_empty() || std::mem::take(are_roles_stale);
        let name = |&cause: &Cause| names.of(cause);
        recorder.frame(&mut result.frame, character, frame.index, acting.iter().map(name), changed);
        // A character that may be a ragdoll has a passive system that moves it, which is created with the passive
        // objects.
        let (Some(ragdoll), Some(status)) = (passive.ragdoll(number), passive.ragdoll_status()) else {
            return;
        };
        let external = pushing.iter().map(name).zip(character.problem.external.iter().copied());
        recorder.limp(&mut result.frame, character, &ragdoll, status, external);
        result.timing.record += started.elapsed();
        let snapshot = &mut character.snapshot;
        snapshot.grips.want([]);
        snapshot.grips.list.clear();
        character.previous_velocity.copy_from_slice(&snapshot.state.v);
        snapshot.com_velocity_before = Some(snapshot.com_velocity);
        snapshot.last_solve = LastSolve::default();
        character.jumped = true;
        snapshot.state.q.copy_from_slice(ragdoll.q);
        snapshot.state.v.copy_from_slice(ragdoll.v);
        snapshot.last_torque.copy_from_slice(ragdoll.torque);
        snapshot.forget_forces();
        let dt = snapshot.scales.dt;
        snapshot.ragdoll_forces.extend(ragdoll.contacts.iter().map(|contact| RagdollForce {
            body: contact.body,
            point: contact.point,
            normal: contact.normal,
            force: contact.impulse / dt,
        }));
        result.divergence = None;
        character.was_ragdoll = true;
    }

    /// A record of the character, from which its trace is written.
    pub(crate) fn own<'a>(&'a self, frame: &'a CharacterFrame) -> OwnFrame<'a> {
        OwnFrame { number: self.character.number, name: &self.character.name, frame }
    }

    /// The record of its present state, without forces.
    pub(crate) fn standing_frame(&mut self, index: u64) -> CharacterFrame {
        let mut frame = CharacterFrame::default();
        let Actor { character, recorder, .. } = self;
        recorder.frame(&mut frame, character, index, [].into_iter(), true);
        frame
    }
}
