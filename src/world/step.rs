//! One frame: sense → decide → assemble → solve → advance → record.

mod criteria;
mod limp;

pub use crate::world::frame::in_force::BadValue;
pub use criteria::{BoundCriterion, CriterionKind};

use criteria::{bind_criteria, judge};

use crate::contact::Corrections;
use crate::contact::grip::{Hold, Want};
use crate::controller::quantity::{Measure, ModelNames};
use crate::controller::{Drive, Progress};
use crate::dynamics::BiasVelocity;
use crate::language::diagnostic::FileError;
use crate::math::spatial::Force;
use crate::model::state::State;
use crate::model::{BodyId, Model, mjcf};
use crate::passive::{Environment, HitSource, KinematicCharacter, PassiveWorld};
use crate::predict::ExternalForce;
use crate::scene::{self, MUSCLE_DELAY, SceneFiles};
use crate::snapshot::SensedObject;
use crate::trace::Frame;
use crate::world::character::Character;
use crate::world::event::{self, Cause, Event};
use crate::world::frame::advance::advance;
use crate::world::frame::holding;
use crate::world::frame::problem::{FrameProblem, FrameTime};
use crate::world::frame::solve_loop::{self, SolveLoop};
use crate::world::record::{Reached, Recorder};
use std::time::{Duration, Instant};

/// Frames with `midpoint` bias velocity at the start and after each change of the contact set, where the two
/// velocities an extrapolation needs are not of one smooth motion.
const STEADY_FRAMES: u32 = 2;

/// A scene bound and running.
pub struct Simulation {
    pub character: Character,
    /// What moves without a will.
    pub things: PassiveWorld,
    /// What happens, in file order.
    pub events: Vec<Event>,
    pub criteria: Vec<BoundCriterion>,
    /// Frame about to be computed.
    pub index: u64,
    pub frames: u64,
    pub dt: f64,
    recorder: Recorder,
    /// What acts in this frame; of that what pushes, as often as it does.
    acting: Vec<Cause>,
    pushing: Vec<Cause>,
    released: Vec<BodyId>,
}

/// What a frame gave. Its memory is reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct FrameResult {
    pub frame: Frame,
    pub progress: Progress,
    /// Limits that held with force, strongest first; filled in by a run, not by a step.
    pub binding: Vec<(String, f64)>,
    /// Largest difference of a velocity coordinate between what was predicted and what forward dynamics gave, m/s
    /// or rad/s; where the scene's frames are simulated.
    pub divergence: Option<f64>,
    pub timing: FrameTiming,
}

/// Where a frame's time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameTiming {
    pub sense: Duration,
    pub assemble: Duration,
    pub solve: Duration,
    pub advance: Duration,
    /// Making the frame's record.
    pub record: Duration,
}

impl Simulation {
    /// Binds a loaded scene, or says everything that is wrong with its files.
    pub fn bind(files: &SceneFiles) -> Result<Self, Vec<FileError>> {
        let character = match Character::bind(files) {
            Ok(character) => character,
            Err(mut errors) => {
                // The rest of the scene is no worse for it.
                if let Ok(model) = mjcf::read(&files.model_source) {
                    // What is wrong with holds is among the mistakes already.
                    let names = ModelNames(&model);
                    let holds = scene::holds(&files.scene, &files.scene_source, &names).unwrap_or_default();
                    errors.extend(bind_world(files, &model, &holds).err().unwrap_or_default());
                }
                return Err(errors);
            }
        };
        let (mut events, criteria) = bind_world(files, &character.model, &character.snapshot.grips.holds)?;
        let mut things = bind_things(files, &character)?;
        event::bind_objects(files, &mut things, &mut events)?;
        let sites = character.model.sites.len();
        let most = events.len() + things.list.len() + 1 + 2 * sites;
        let recorder = Recorder::new(&character.model, &character.snapshot, most);
        let dt = *files.scene.dt.get_ref();
        let mut simulation = Simulation {
            things,
            events,
            criteria,
            index: 0,
            frames: (files.scene.duration.get_ref() / dt).round() as u64,
            dt,
            recorder,
            acting: Vec::new(),
            pushing: Vec::new(),
            released: Vec::new(),
            character,
        };
        holding::take_hold(&mut simulation.character);
        Ok(simulation)
    }

    /// Whether all frames are done.
    pub fn is_over(&self) -> bool {
        self.index >= self.frames
    }

    /// Computes the next frame into `stepped` and moves on to it. False when a criterion that must always hold
    /// does not: the run is over where it stands. After the first frames of a kind it allocates nothing.
    pub fn step(&mut self, stepped: &mut FrameResult) -> Result<bool, BadValue> {
        let started = Instant::now();
        self.sense();
        if !self.judge() {
            return Ok(false);
        }
        stepped.progress = self.decide();
        let sensed = started.elapsed();
        if let Some(damping) = self.character.machine.ragdoll() {
            self.step_limp(stepped, damping, sensed);
            return Ok(true);
        }

        let started = Instant::now();
        self.recorder.things(&mut stepped.frame, &self.things, &self.character);
        self.step_things();
        let moved = started.elapsed();

        let started = Instant::now();
        let bias = self.bias_velocity();
        solve_loop::linearise(&mut self.character, bias);
        let linearised = started.elapsed();
        let frame = FrameTime { index: self.index, dt: self.dt };
        let mut solve = SolveLoop { character: &mut self.character, things: &mut self.things, frame };
        let (corrections, bias, timing) = solve.synthesise(bias, &mut stepped.frame.iterations)?;

        let started = Instant::now();
        self.record(&mut stepped.frame, bias, corrections, !stepped.progress.transitions.is_empty());
        let recorded = started.elapsed();

        let started = Instant::now();
        holding::step_held_things(&self.character, &mut self.things, frame);
        holding::tell_misses(&self.character, &self.things, &mut stepped.frame);
        advance(&mut self.character, frame);
        stepped.divergence = self.character.problem.divergence;
        self.index += 1;
        stepped.timing = FrameTiming {
            sense: sensed,
            assemble: linearised + timing.assemble,
            solve: timing.solve,
            advance: moved + started.elapsed(),
            record: recorded,
        };
        Ok(true)
    }

    /// The record of where the run stands, without forces.
    pub fn last_frame(&mut self) -> Frame {
        self.sense();
        self.judge();
        let mut frame = Frame::default();
        self.recorder.frame(&mut frame, &self.character, self.index, [].into_iter(), true);
        self.recorder.things(&mut frame, &self.things, &self.character);
        frame
    }

    fn record(&mut self, frame: &mut Frame, bias: BiasVelocity, corrections: Corrections, changed: bool) {
        let delay = self.character.muscle_delay.as_ref();
        let delayed = delay.and_then(|delay| delay.held(self.index)).is_some();
        let Simulation { character, things, events, acting, pushing, .. } = self;
        let FrameProblem { external, outcomes, grip_forces, .. } = &character.problem;
        let name = |&cause: &Cause| name(events, things, cause);
        let acting = acting.iter().map(name).chain(delayed.then_some(MUSCLE_DELAY));
        self.recorder.frame(frame, character, self.index, acting, changed);
        let reached = Reached { outcomes, grips: grip_forces, corrections };
        self.recorder.forces(frame, character, pushing.iter().map(name).zip(&*external), reached);
        frame.bias_velocity.clear();
        frame.bias_velocity.push_str(bias.name());
    }

    fn sense(&mut self) {
        let character = &mut self.character;
        character.snapshot.state.time = self.index as f64 * self.dt;
        character.snapshot.things.clear();
        character.snapshot.things.extend((0..self.things.list.len()).map(|thing| {
            let whole = self.things.whole(thing);
            let energy = whole.energy.total();
            SensedObject { position: whole.com, velocity: whole.com_velocity, energy, stretch: whole.stretch }
        }));
        holding::carry(&mut character.snapshot.grips, &self.things);
        character.snapshot.update(&character.model);
        self.acting.clear();
        self.pushing.clear();
        character.problem.external.clear();
        let acting = self.events.iter().enumerate().filter(|(_, event)| event.frames.contains(&self.index));
        for (index, event) in acting {
            self.acting.push(Cause::Event(index));
            if let Some(push) = &event.push {
                self.pushing.push(Cause::Event(index));
                character.problem.external.push(push.force(&character.snapshot));
                // What muscles did before the first frame is not known.
                if let Some(delay) = &mut character.muscle_delay
                    && event.frames.start.max(1) == self.index
                {
                    delay.begin(self.index, &character.snapshot.last_torque);
                }
            }
        }
    }

    /// Moves passive things to the end of the frame, past the character as it moves now. What they give it in
    /// passing acts on it as a constant force over this frame, so that both receive the same impulse. Things that it
    /// holds move when the forces of the grips are known.
    fn step_things(&mut self) {
        event::act_on_objects(&self.events, self.index, &mut self.things);
        holding::hold_things(&self.character, &mut self.things);
        let State { q, v, .. } = &self.character.snapshot.state;
        self.things.make_kinematic(0);
        self.things.set_pose(0, q, v);
        self.things.step(self.dt);
        holding::expect_held_things(&mut self.character, &self.things);
        self.feel_hits();
    }

    /// Adds what things gave the character to what acts on it.
    fn feel_hits(&mut self) {
        for (source, hit) in self.things.hits() {
            let HitSource::Object(thing) = source else { continue };
            let force = Force { moment: hit.impulse.moment / self.dt, force: hit.impulse.force / self.dt };
            let external = ExternalForce {
                body: hit.body,
                point: hit.point,
                force: force.force,
                torque: force.moment_about(&hit.point),
            };
            // A thing that touches several bodies acts once.
            if !self.acting.contains(&Cause::Passive(thing)) {
                self.acting.push(Cause::Passive(thing));
            }
            self.pushing.push(Cause::Passive(thing));
            self.character.problem.external.push(external);
        }
    }

    /// False when a criterion that must always hold does not.
    fn judge(&mut self) -> bool {
        let Character { model, snapshot, .. } = &self.character;
        judge(&mut self.criteria, &Measure { model, snapshot })
    }

    fn decide(&mut self) -> Progress {
        let Character { model, snapshot, machine, bearing, steady_frames, is_limp, .. } = &mut self.character;
        let progress = machine.advance(&Measure { model, snapshot });
        self.released.clear();
        self.released.extend(machine.released(&Measure { model, snapshot }));
        if !progress.transitions.is_empty() {
            let wanted: Vec<Want> = machine.wanted(&Measure { model, snapshot }).collect();
            snapshot.grips.want(wanted);
        }
        snapshot.settle(model, &self.released);
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
        progress
    }

    fn bias_velocity(&self) -> BiasVelocity {
        let Character { synthesiser, steady_frames, .. } = &self.character;
        let asked = synthesiser.settings.bias_velocity;
        let unsteady = self.index < STEADY_FRAMES.into() || *steady_frames < STEADY_FRAMES;
        if asked == BiasVelocity::Extrapolated && unsteady { BiasVelocity::Midpoint } else { asked }
    }
}

/// Name of what acts.
fn name<'a>(events: &'a [Event], things: &'a PassiveWorld, cause: Cause) -> &'a str {
    match cause {
        Cause::Event(event) => &events[event].name,
        Cause::Passive(thing) => &things.list[thing].name,
    }
}

/// Makes the passive things of a scene around its character.
fn bind_things(files: &SceneFiles, character: &Character) -> Result<PassiveWorld, Vec<FileError>> {
    let Character { model, snapshot, .. } = character;
    let characters = files.character_spec().map(|_| KinematicCharacter {
        model,
        q: &snapshot.state.q,
        may_be_dynamic: character.machine.may_be_ragdoll(),
    });
    let around = Environment {
        source: &files.scene_source,
        gravity: snapshot.gravity,
        settings: &files.scene.passive_settings,
        surfaces: &snapshot.contacts.surfaces,
        characters: characters.as_slice(),
    };
    let specs = files.scene.passive.iter().map(|(name, spec)| (name.get_ref().as_str(), spec));
    let mut things = PassiveWorld::bind(specs, &files.passive_sources, &around)?;
    for (thing, point) in scene::carried(&files.scene, &files.scene_source)? {
        things.add_handle(thing, &point);
    }
    Ok(things)
}

/// Everything of a scene that its character does not own: what happens, and what it is judged by.
fn bind_world(
    files: &SceneFiles,
    model: &Model,
    holds: &[Hold],
) -> Result<(Vec<Event>, Vec<BoundCriterion>), Vec<FileError>> {
    match (event::bind(files, model), bind_criteria(files, model, holds)) {
        (Ok(events), Ok(criteria)) => Ok((events, criteria)),
        (events, criteria) => Err([events.err(), criteria.err()].into_iter().flatten().flatten().collect()),
    }
}
