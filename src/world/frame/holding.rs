//! What a run does about grips: those it begins with, and those that bear too much.

use super::forces;
use super::problem::FrameTime;
use super::solve_loop::SolveLoop;
use crate::constraint::joint_limits;
use crate::contact::grip::{Compliance, Grip, Grips, Want};
use crate::controller::quantity::Measure;
use crate::passive::{CouplingForce, Holder, PassiveWorld};
use crate::predict::{Prediction, limited_coordinates};
use crate::trace::{Frame, Outcome, RelaxedRow};
use crate::world::character::Character;
use nalgebra::Vector3;

/// A point that holds or is held and ends a frame nearer to where it was expected is let be, m.
const HELD_ERROR: f64 = 1e-5;
/// The same where the hold is fixed: what is left of this error is taken back in the next frame, m.
const GRIP_ERROR: f64 = 5e-5;
/// A held point that ends a frame further from where it was expected is told of, m.
const REPORTED_MISS: f64 = 1e-3;

/// Moves holds on passive objects to where these are: position, m, and velocity, m/s, of each point that can be
/// held.
pub fn carry(grips: &mut Grips, attachments: &[(Vector3<f64>, Vector3<f64>)]) {
    for hold in &mut grips.holds {
        if let Some((position, velocity)) = hold.carrier.and_then(|point| attachments.get(point)) {
            hold.carry(position, velocity);
        }
    }
}

/// Force of a site's grip among those found, N; zero where it has none.
fn force_on(grips: &Grips, forces: &[Vector3<f64>], site: usize) -> Vector3<f64> {
    let mut held = grips.list.iter().zip(forces);
    held.find(|(grip, _)| grip.site == site).map_or(Vector3::zeros(), |(_, force)| *force)
}

/// Takes hold of what the start state holds, before the first frame.
pub fn take_hold(character: &mut Character) {
    let Character { model, snapshot, machine, .. } = character;
    if !machine.starts_holding() {
        return;
    }
    snapshot.update(model);
    machine.begin(&Measure { model, snapshot });
    let wanted: Vec<Want> = machine.wanted(&Measure { model, snapshot }).collect();
    snapshot.grips.want(wanted);
    snapshot.settle(model, &[]);
}

/// Tells passive objects which of them these characters hold, with the forces of the frame before.
pub fn hold_objects<'c>(characters: impl Iterator<Item = &'c Character>, passive: &mut PassiveWorld) {
    passive.hold(characters.flat_map(|character| {
        let grips = &character.snapshot.grips;
        grips.list.iter().filter_map(|grip| {
            let handle = grips.holds[grip.hold].carrier?;
            let holder = Holder { character: character.number, site: grip.site };
            Some(CouplingForce { holder, handle, force: -grip.last_force })
        })
    }));
}

/// Has the grips know how what they hold gives way to their forces.
pub fn expect_held_things(character: &mut Character, things: &PassiveWorld) {
    let number = character.number;
    let grips = &mut character.snapshot.grips;
    let (loads, ahead) = (things.loads(), things.ahead());
    grips.gives.clear();
    let is_own = |load: &CouplingForce| load.holder.character == number;
    for (i, load) in loads.iter().enumerate().filter(|(_, load)| is_own(load)) {
        let grip = grips.list.iter_mut().find(|grip| grip.site == load.holder.site);
        if let Some(grip) = grip {
            grip.target_velocity = ahead.free[i];
        }
        for (j, other) in loads.iter().enumerate().filter(|(_, other)| is_own(other)) {
            let compliance = ahead.compliance[i * loads.len() + j];
            grips.gives.push(Compliance { site: load.holder.site, by: other.holder.site, compliance });
        }
    }
}

/// Moves what is held to the end of the frame, against the forces of the grips of each `character`, by number.
pub fn step_held_objects<'c>(
    character: impl Fn(usize) -> &'c Character,
    passive: &mut PassiveWorld,
    frame: FrameTime,
) {
    passive.step_held(frame.dt, |load| {
        let Character { snapshot, synthesiser, problem, .. } = character(load.holder.character);
        match synthesiser.result().has_solution() {
            true => -force_on(&snapshot.grips, &problem.grip_forces, load.holder.site),
            false => Vector3::zeros(),
        }
    });
}

/// Tells of what is held and did not go where the grips on it expected it, in a frame that has a solution: the
/// hold gave way by so much.
pub fn tell_misses(character: &Character, things: &PassiveWorld, frame: &mut Frame) {
    let grips = &character.snapshot.grips;
    let loads = things.loads().iter().zip(&things.ahead().misses);
    for (load, miss) in loads.filter(|(load, _)| load.holder.character == character.number) {
        let Some(grip) = grips.of(load.holder.site) else { continue };
        if *miss <= REPORTED_MISS && !things.is_stuck(load) {
            continue;
        }
        let row = RelaxedRow { label: grip.name.to_string(), unit: "m".into(), amount: *miss };
        match &mut frame.outcome {
            Outcome::Solved => frame.outcome = Outcome::Relaxed { rows: vec![row] },
            Outcome::Relaxed { rows } => rows.push(row),
            Outcome::Failed { .. } | Outcome::Limp => (),
        }
    }
}

impl SolveLoop<'_> {
    /// Whether under what was found something held goes elsewhere than expected, or what holds it; then grips know
    /// better.
    pub(super) fn grips_go_elsewhere(&mut self) -> bool {
        let again = !self.things.loads().is_empty() && self.held_things_go_elsewhere();
        self.bend_ways_of_grips() || again
    }

    fn held_things_go_elsewhere(&mut self) -> bool {
        let Character { snapshot, problem, number, .. } = &*self.character;
        let force = |load: &CouplingForce| match load.holder.character == *number {
            true => -force_on(&snapshot.grips, &problem.grip_forces, load.holder.site),
            // What others do is not known before their own frames are solved.
            false => load.force,
        };
        let again = self.things.repredict_compliance(self.frame.dt, HELD_ERROR, force);
        if again {
            expect_held_things(self.character, self.things);
        }
        again
    }

    /// Has the second-order terms of the ways of gripping sites be those of the way to the end of the frame that was
    /// found; true where they were off.
    fn bend_ways_of_grips(&mut self) -> bool {
        let dt = self.frame.dt;
        let Character { model, snapshot, synthesiser, problem, .. } = &mut *self.character;
        let mut off = false;
        for index in 0..snapshot.grips.list.len() {
            let next = Prediction::new(model, snapshot, &synthesiser.linearisation);
            let velocity = next.grip_velocity(index, &synthesiser.result().unknowns);
            let grip = &snapshot.grips.list[index];
            let carried = snapshot.grips.holds[grip.hold].carrier.is_some();
            let allowed = if carried { HELD_ERROR } else { GRIP_ERROR };
            let way = problem.ahead.point(grip.body, &model.sites[grip.site].position) - grip.point;
            let bend = (way / dt - velocity) * (2.0 / dt);
            if (bend - grip.bias_acceleration).norm() * 0.5 * dt * dt > allowed {
                snapshot.grips.list[index].bias_acceleration = bend;
                off = true;
            }
        }
        off
    }

    /// Whether a grip bears too much only because what it holds was expected to go elsewhere than it does; then grips
    /// know better.
    pub(super) fn overload_is_misjudged(&mut self) -> bool {
        let Character { snapshot, synthesiser, problem, .. } = &mut *self.character;
        if self.things.loads().is_empty() || !synthesiser.result().has_solution() {
            return false;
        }
        let unknowns = &synthesiser.result().unknowns;
        forces::grip_forces(snapshot, unknowns, &synthesiser.linearisation, &mut problem.grip_forces);
        let most = snapshot.grips.limits.force;
        problem.grip_forces.iter().any(|force| force.norm() > most) && self.held_things_go_elsewhere()
    }

    /// Where a limp body has no solution because joints would leave their ranges, lets the stops of those joints
    /// react, though they were not near them: what one stop does throws a limb against the next. True where there
    /// was such a joint.
    pub(super) fn stop_thrown_joints(&mut self) -> bool {
        let Character { model, snapshot, synthesiser, .. } = &mut *self.character;
        let Outcome::Failed { rows, .. } = &synthesiser.result().outcome else { return false };
        if !snapshot.limp {
            return false;
        }
        let leaves = |coordinate: usize| rows.contains(&joint_limits::name(model, coordinate));
        let limited = limited_coordinates(model, &snapshot.state.q).map(|(coordinate, ..)| coordinate);
        let known = &synthesiser.linearisation.thrown;
        let thrown: Vec<usize> = limited.filter(|k| !known.contains(k) && leaves(*k)).collect();
        synthesiser.linearisation.thrown.extend(&thrown);
        !thrown.is_empty()
    }

    /// Breaks the grip that bears most beyond its limit; where there is no solution, one that has a part in the
    /// contradiction. True where one broke.
    pub(super) fn break_grip(&mut self) -> bool {
        let Character { snapshot, synthesiser, problem, .. } = &mut *self.character;
        let result = synthesiser.result();
        let breaking = if let Outcome::Failed { rows, .. } = &result.outcome {
            let is_named = |grip: &Grip| rows.iter().any(|row| **row == *grip.name);
            let named = snapshot.grips.list.iter().position(is_named);
            named.or(snapshot.grips.list.len().checked_sub(1))
        } else {
            forces::grip_forces(
                snapshot,
                &result.unknowns,
                &synthesiser.linearisation,
                &mut problem.grip_forces,
            );
            let forces = problem.grip_forces.iter().map(|force| force.norm()).enumerate();
            let most = forces.max_by(|a, b| a.1.total_cmp(&b.1));
            most.filter(|(_, force)| *force > snapshot.grips.limits.force).map(|(grip, _)| grip)
        };
        if let Some(grip) = breaking {
            snapshot.grips.break_off(grip);
        }
        breaking.is_some()
    }
}
