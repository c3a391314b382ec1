//! A frame in which nothing is wanted: the body falls as passive things do.

use super::{FrameResult, FrameTiming, Simulation, name};
use crate::math::spatial::Force;
use crate::world::event::{self, Cause};
use nalgebra::Vector3;
use std::time::{Duration, Instant};

impl Simulation {
    /// Moves the body and the things around it to the end of the frame. The body is handed over with the state it
    /// has when the first such frame begins, and goes on with the state it has when the last ends.
    pub(super) fn step_limp(&mut self, stepped: &mut FrameResult, damping: f64, snapshot: Duration) {
        let started = Instant::now();
        let frame = &mut stepped.frame;
        self.recorder.things(frame, &self.things, &self.character);
        let mut recorded = started.elapsed();

        let started = Instant::now();
        event::act_on_objects(&self.events, self.index, &mut self.things);
        self.things.hold(std::iter::empty());
        let state = &self.character.snapshot.state;
        self.things.set_pose(0, &state.q, &state.v);
        self.things.make_dynamic(0, damping);
        for push in &self.character.problem.external {
            let force = Force::at_point(&push.point, push.force, push.torque);
            self.things.push_ragdoll(0, push.body, force);
        }
        self.things.step(self.dt);
        self.feel_hits();
        let moved = started.elapsed();

        let started = Instant::now();
        let changed = !stepped.progress.transitions.is_empty();
        let Simulation { character, things, events, acting, pushing, recorder, .. } = self;
        let name = |&cause: &Cause| name(events, things, cause);
        recorder.frame(frame, character, self.index, acting.iter().map(name), changed);
        self.index += 1;
        // Whoever may be a ragdoll has a system that moves it: see how things are bound.
        let (Some(fate), Some(ragdoll)) = (things.ragdoll_status(), things.ragdoll(0)) else { return };
        recorder.limp(
            frame,
            character,
            &ragdoll,
            fate,
            pushing.iter().map(name).zip(&character.problem.external),
        );
        recorded += started.elapsed();

        let sense_of = &mut character.snapshot;
        sense_of.grips.want([]);
        sense_of.grips.list.clear();
        character.previous_velocity.copy_from_slice(&sense_of.state.v);
        sense_of.state.q.copy_from_slice(ragdoll.q);
        sense_of.state.v.copy_from_slice(ragdoll.v);
        sense_of.last_torque.fill(0.0);
        sense_of.last_force.fill(Vector3::zeros());
        stepped.divergence = None;
        stepped.timing =
            FrameTiming { sense: snapshot, advance: moved, record: recorded, ..FrameTiming::default() };
    }
}
