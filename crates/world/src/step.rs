//! ★ One frame of the world: apply events → observe → check bounds → decide → move passive objects →
//! solve and record → advance.

use super::actor::{Actor, CauseNames, Surroundings};
use super::contents::{CharacterId, Observed, World};
use super::division::Division;
use super::event::{self, Cause};
use super::frame::FrameTime;
use super::frame::holding;
use super::record::Contents;
use super::result::{FrameTiming, StepError, write_frame};
use aplomb_body::contact::Owner;
use aplomb_body::contact::grip::Hold;
use aplomb_control::clock::Instant;
use aplomb_control::predict::ExternalForce;
use aplomb_control::snapshot::{SensedHit, SensedObject};
use aplomb_math::extent;
use aplomb_math::spatial::Force;
use aplomb_passive::HitSource;
use aplomb_trace::Frame;
use rayon::prelude::*;

impl World {
    /// Computes the next frame and moves everything to its end. It allocates nothing once each kind of frame
    /// has occurred.
    ///
    /// # Errors
    /// A value of a controller that cannot be used, an object or character too far from the origin, and an
    /// event that cannot be executed.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.trigger_events();
        self.apply_commands()?;
        self.begin_division();
        let computed = self.compute();
        self.end_division();
        computed?;
        self.end();
        Ok(())
    }

    /// Computes the frame, whole or part by part.
    fn compute(&mut self) -> Result<(), StepError> {
        self.observe();
        self.look_for_the_lost()?;
        self.decide();
        loop {
            let saved = self.save_for_halving();
            self.move_passive();
            self.solve()?;
            if !self.halve(saved) {
                self.record_solved();
                self.advance();
                if self.division.is_divided {
                    self.keep_part();
                }
                if !self.begin_next_part() {
                    break;
                }
            }
            self.carry_on()?;
        }
        if self.division.is_divided {
            self.join_parts();
        }
        Ok(())
    }

    fn frame_time(&self) -> FrameTime {
        FrameTime { index: self.index, dt: self.part_length() }
    }

    /// Updates the characters' snapshots to the current state. [`World::step`] does this too; call it to read the
    /// snapshots between two steps.
    pub fn observe(&mut self) {
        if std::mem::replace(&mut self.observed.is_current, true) {
            return;
        }
        let time = self.time();
        let started = Instant::now();
        let World { actors, passive, scenery, observed, parallel, settings, record, .. } = self;
        observed.objects.clear();
        observed.objects.extend((0..passive.objects.len()).map(|object| {
            let whole = passive.whole(object);
            SensedObject {
                position: whole.com,
                velocity: whole.com_velocity,
                energy: whole.energy.total(),
                stretch: whole.stretch,
                rotation: *whole.orientation.to_rotation_matrix().matrix(),
                angular_velocity: whole.angular_velocity,
            }
        }));
        observed.attachments.clear();
        observed.attachments.extend((0..passive.attachments()).map(|point| passive.attachment_place(point)));
        observed.seats.clear();
        let seats = scenery.pushed.iter().filter_map(|surface| passive.part_of(&surface.seat?));
        observed.seats.extend(seats);
        observed.bodies.clear();
        if settings.friction_between_characters.is_some() {
            observed.bodies.resize_with(actors.len(), Vec::new);
            let shown = actors.iter_mut().zip(&mut observed.bodies);
            shown.for_each(|(actor, bodies)| actor.show_bodies(bodies));
        }
        let Observed { objects, attachments, seats, bodies, .. } = &*observed;
        let around = Surroundings { time, objects, attachments, seats, bodies };
        scenery.observe(&around);
        record.result.timing = FrameTiming { sense: started.elapsed(), ..FrameTiming::default() };
        each(actors, *parallel, |_, actor| actor.observe(&around));
        scenery.show_joined(actors.iter().map(|actor| &actor.character.snapshot.contacts.surfaces[..]));
        self.observe_each_other();
        self.observe_characters();
    }

    /// Updates the positions of characters for those that read them by name.
    fn observe_characters(&mut self) {
        let World { actors, observed, .. } = self;
        if actors.iter().all(|actor| actor.character.around().characters.is_empty()) {
            return;
        }
        observed.characters.clear();
        observed.characters.extend(actors.iter().map(|actor| actor.character.as_sensed()));
        for actor in actors.iter_mut().filter(|actor| !actor.character.around().characters.is_empty()) {
            actor.character.snapshot.characters.clone_from(&observed.characters);
        }
    }

    /// Updates the holds on characters, after the characters' own kinematics.
    pub(super) fn observe_each_other(&mut self) {
        let World { actors, observed: Observed { borne, .. }, .. } = self;
        let holds = actors.first().map_or(&[][..], |actor| &actor.character.snapshot.grips.holds);
        borne.clear();
        borne.extend(holds.iter().filter_map(Hold::on_character).filter_map(|point| {
            let kinematics = &actors.get(point.character)?.character.snapshot.kinematics;
            let position = kinematics.point(point.body, &point.local);
            Some((point, position, kinematics.point_velocity(point.body, &position)))
        }));
        if borne.is_empty() {
            return;
        }
        for actor in actors {
            actor.observe_holds(|wanted| {
                let place = borne.iter().find(|(point, ..)| point == wanted);
                place.map(|(_, position, velocity)| (*position, *velocity))
            });
        }
    }

    /// # Errors
    /// The first character, object or surface that is too far from the origin for floating-point accuracy.
    pub(super) fn look_for_the_lost(&self) -> Result<(), StepError> {
        let World { actors, passive, scenery, observed, .. } = self;
        let characters =
            actors.iter().map(|Actor { character, .. }| (&*character.name, character.snapshot.com));
        let objects = passive.objects.iter().zip(&observed.objects);
        let objects = objects.map(|(object, sensed)| (&*object.name, sensed.position));
        let surfaces = scenery.surfaces().iter().filter(|surface| surface.present);
        let surfaces = surfaces.map(|surface| (&*surface.name, surface.position));
        let mut everything = characters.chain(objects).chain(surfaces);
        match everything.find_map(|(name, position)| Some((name, extent::too_far([position])?))) {
            Some((name, distance)) => {
                Err(StepError::TooFar { name: name.to_string(), distance, time: self.time() })
            }
            None => Ok(()),
        }
    }

    /// Each controller chooses its state and what it grips and releases.
    fn decide(&mut self) {
        let World { actors, events, index, parallel, .. } = self;
        each(actors, *parallel, |number, actor| actor.decide(number, events, *index));
    }

    /// Moves passive objects and ragdolls to the end of the frame; characters move with their current
    /// velocity meanwhile. An impulse on a character acts in this frame as a constant force, so that both
    /// sides receive the same impulse. Held objects move in [`World::advance`], when the grip forces are
    /// known.
    fn move_passive(&mut self) {
        self.record_world();
        let started = Instant::now();
        self.set_characters_among_objects();
        self.passive.step(self.part_length());
        for actor in &mut self.actors {
            holding::expect_held_objects(&mut actor.character, &self.passive);
        }
        self.add_impulses_of_objects();
        self.record.result.timing.advance += started.elapsed();
    }

    /// Sets the actions on passive objects in the frame: events, hands that hold them, and characters, each as a
    /// kinematic body in its current state or as a ragdoll with the forces on it.
    fn set_characters_among_objects(&mut self) {
        let World { actors, passive, events, index, .. } = self;
        event::act_on_objects(events, *index, passive);
        let holding = actors.iter().filter(|actor| actor.ragdoll.is_none());
        holding::hold_objects(holding.map(|actor| &actor.character), passive);
        for (number, actor) in actors.iter_mut().enumerate() {
            actor.character.snapshot.hits.clear();
            let state = &actor.character.snapshot.state;
            passive.set_pose(number, &state.q, &state.v);
            match actor.ragdoll {
                None => passive.make_kinematic(number),
                Some(damping) => {
                    passive.make_dynamic(number, damping);
                    passive.drive_ragdoll(number, &actor.spring_torque);
                    for push in &actor.character.problem.external {
                        let force = Force::at_point(&push.point, push.force, push.torque);
                        passive.push_ragdoll(number, push.body, force);
                    }
                }
            }
        }
    }

    /// Adds the impulses of objects and ragdolls to the characters' external forces, as constant forces over the
    /// frame.
    fn add_impulses_of_objects(&mut self) {
        let dt = self.part_length();
        let World { actors, passive, .. } = self;
        for (source, hit) in passive.hits() {
            let (cause, by) = match source {
                HitSource::Object(object) => (Cause::Passive(object), Owner::Object(object)),
                HitSource::Character(character) => (Cause::Character(character), Owner::Character(character)),
            };
            let force = Force { moment: hit.impulse.moment / dt, force: hit.impulse.force / dt };
            let external = ExternalForce {
                body: hit.body,
                point: hit.point,
                force: force.force,
                torque: force.moment_about(&hit.point),
            };
            let felt = SensedHit { by, body: hit.body, force: force.force };
            actors[hit.character].character.snapshot.hits.push(felt);
            actors[hit.character].feel_hit(cause, external);
        }
    }

    /// Length of the last step of passive objects as a share of the last frame, or of a part if one came before.
    fn touching(&self) -> f64 {
        let Division { part, last, .. } = self.division;
        if part.number > 0 { 1.0 } else { 1.0 / f64::from(last.of()) }
    }

    /// Records the world, and the events that act on any character.
    fn record_world(&mut self) {
        let (time, touching) = (self.time(), self.touching());
        let World { actors, passive, events, index, scenery, record, .. } = self;
        let contents = Contents { index: *index, time, touching, scenery, passive, actors };
        let acting = events.iter().filter(|event| event.frames.contains(index));
        record.begin(&contents, acting.map(|event| event.name.as_str()));
    }

    /// Solves each character's frame: first the islands of characters that act on each other,
    /// then characters that hold passive objects, one after another, then all others, in parallel if
    /// requested.
    fn solve(&mut self) -> Result<(), StepError> {
        let frame = self.frame_time();
        let World { actors, passive, parallel, islands, .. } = self;
        islands.find(actors);
        islands.solve(actors, passive, frame);
        for actor in actors.iter_mut() {
            actor.began_holding = actor.holds_objects();
            if actor.began_holding && !actor.is_coupled {
                actor.solve(frame, Some(passive));
            }
        }
        each(actors, *parallel, |_, actor| {
            if actor.ragdoll.is_none() && !actor.began_holding && !actor.is_coupled {
                actor.solve(frame, None);
            }
        });
        let failed = actors.iter_mut().find_map(|actor| Some((actor.failure.take()?, &actor.character.name)));
        match failed {
            Some((value, character)) => Err(StepError::Value { character: character.clone(), value }),
            None => Ok(()),
        }
    }

    /// Records the frames that were solved.
    fn record_solved(&mut self) {
        let frame = self.frame_time();
        let World { actors, passive, events, parallel, names, .. } = self;
        let names = CauseNames { events, objects: &passive.objects, characters: names };
        each(actors, *parallel, |_, actor| {
            if actor.ragdoll.is_none() {
                actor.record(frame, &names);
            }
        });
    }

    /// Moves held objects and every character to the end of the frame.
    fn advance(&mut self) {
        let started = Instant::now();
        let frame = self.frame_time();
        let World { actors, passive, events, names, record, .. } = self;
        holding::step_held_objects(|holder| &actors[holder].character, passive, frame);
        for actor in actors.iter_mut().filter(|actor| actor.holds_objects()) {
            holding::tell_misses(&actor.character, passive, &mut actor.result.frame);
        }
        record.result.timing.advance += started.elapsed();
        let names = CauseNames { events, objects: &passive.objects, characters: names };
        for (number, actor) in actors.iter_mut().enumerate() {
            match actor.ragdoll {
                None => actor.advance(frame),
                Some(_) => actor.advance_ragdoll(number, frame, &names, passive),
            }
        }
    }

    fn end(&mut self) {
        self.index += 1;
        self.observed.is_current = false;
        self.forget_past_events();
    }

    /// Removes finished events that were created while the world ran.
    fn forget_past_events(&mut self) {
        let index = self.index;
        self.events.retain(|event| !event.is_passing || event.frames.end > index);
    }

    /// The record at the current state, without forces, in the form of the trace of a character, or of a
    /// world without characters.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn standing_frame(&mut self, id: Option<CharacterId>) -> Frame {
        self.observe();
        let (index, time, touching) = (self.index, self.time(), self.touching());
        let World { actors, passive, scenery, record, .. } = self;
        let world = record.standing_frame(&Contents { index, time, touching, scenery, passive, actors });
        let own = id.map(|id| self.actors[id.0].standing_frame(index));
        let own = id.zip(own.as_ref()).map(|(id, own)| self.actors[id.0].own(own));
        let mut frame = Frame::default();
        write_frame(&mut frame, &world, own, self.settings.synthesis.bias_velocity.name());
        frame
    }
}

/// Calls `work` for every actor with its number: in parallel on the current thread pool, or sequentially.
fn each(actors: &mut [Actor], parallel: bool, work: impl Fn(usize, &mut Actor) + Sync) {
    if parallel && actors.len() > 1 {
        actors.par_iter_mut().enumerate().for_each(|(number, actor)| work(number, actor));
    } else {
        actors.iter_mut().enumerate().for_each(|(number, actor)| work(number, actor));
    }
}
