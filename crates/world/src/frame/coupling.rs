//! Forces between characters that are solved together: which character grips or touches which.

use super::solving::Solving;
use crate::character::Character;
use aplomb_body::contact::grip::{BornePoint, grip_directions};
use aplomb_body::contact::{Party, generators};
use aplomb_body::model::BodyId;
use aplomb_control::predict::ExternalForce;
use aplomb_control::snapshot::Snapshot;
use aplomb_control::synthesis::{Action, Coupled, JointProblem, SharedForce};
use aplomb_qp::solver::QpSolver;
use nalgebra::Vector3;

/// Joint problem of several characters and the forces between them; kept from frame to frame.
#[derive(Clone)]
pub(crate) struct CharacterCoupling {
    pub problem: JointProblem,
    forces: Vec<SharedForce>,
}

impl CharacterCoupling {
    /// A joint problem without a warm start for this solver.
    pub(crate) fn new(solver: &dyn QpSolver) -> Self {
        CharacterCoupling { problem: JointProblem::new(solver), forces: Vec::new() }
    }

    /// Clears the state of the previous frame.
    pub(crate) fn begin_frame(&mut self, members: &mut [Solving<'_>]) {
        let part = members.first().map_or(0, |member| member.character.snapshot.scales.part);
        self.problem.begin_frame(part);
        members.iter_mut().for_each(|member| member.character.snapshot.borne.clear());
    }

    /// The joint problem with the forces between its members, in the form used by the solve.
    pub(crate) fn coupled(&mut self) -> Coupled<'_> {
        Coupled { problem: &mut self.problem, shared: &self.forces }
    }

    /// Lists, for each member, the points at which other members grip and touch it, and keeps the bias
    /// accelerations already computed at them.
    pub(crate) fn find(&mut self, members: &mut [Solving<'_>]) {
        self.forces.clear();
        for bearer in 0..members.len() {
            let before = std::mem::take(&mut members[bearer].character.snapshot.borne);
            let mut borne = Vec::with_capacity(before.len());
            for by in (0..members.len()).filter(|by| *by != bearer) {
                let (by_whom, of_whom) = (&*members[by].character, &*members[bearer].character);
                let grips = held(by_whom, of_whom).map(|(grip, point)| (Action::Grip(grip), point));
                let touches = touched(by_whom, of_whom).map(|(touch, point)| (Action::Touch(touch), point));
                for (action, mut point) in grips.chain(touches) {
                    if let Some(known) = before.iter().find(|known| known.is_same(&point)) {
                        point.bias_acceleration = known.bias_acceleration;
                    }
                    self.forces.push(SharedForce { by, action, bearer, borne: borne.len() });
                    borne.push(point);
                }
            }
            members[bearer].character.snapshot.borne = borne;
        }
        // The velocity of the point on which the force acts is among the unknowns; only its bias acceleration
        // is prescribed.
        for shared in &self.forces {
            let bend = members[shared.bearer].character.snapshot.borne[shared.borne].bias_acceleration;
            let Snapshot { grips, contacts, scales, .. } = &mut members[shared.by].character.snapshot;
            match shared.action {
                Action::Grip(grip) => grips.list[grip].target_velocity.fill(0.0),
                Action::Touch(touch) => {
                    contacts.touches[touch].next_surface_velocity = 0.5 * scales.dt * bend;
                }
            }
        }
    }

    /// Adds to each member the forces that other members exert on it in the accepted solution.
    pub(crate) fn hand_over_forces(&self, members: &mut [Solving<'_>]) {
        for shared in &self.forces {
            let by = &*members[shared.by].character;
            if !by.synthesiser.result().has_solution() {
                continue;
            }
            let force = match shared.action {
                Action::Grip(grip) => -by.problem.grip_forces[grip],
                Action::Touch(touch) => -by.problem.outcomes[touch].force,
            };
            let Character { snapshot, problem, .. } = &mut *members[shared.bearer].character;
            let borne = &snapshot.borne[shared.borne];
            if borne.bears() {
                let (body, point) = (borne.body, borne.point);
                // External forces give their impulse over the step's own length.
                let force = snapshot.scales.turning_steps() * force;
                problem
                    .borne
                    .push((borne.by, ExternalForce { body, point, force, torque: Vector3::zeros() }));
            }
        }
    }
}

/// The grips of one character on another, with the reaction points.
fn held<'a>(by: &'a Character, bearer: &'a Character) -> impl Iterator<Item = (usize, BornePoint)> + 'a {
    let Snapshot { grips, scales, .. } = &by.snapshot;
    let unit = scales.contact_force();
    let edges = by.synthesiser.settings.friction_directions;
    grips.list.iter().enumerate().filter_map(move |(index, grip)| {
        let hold = &grips.holds[grip.hold];
        let point = hold.on_character().filter(|point| point.character == bearer.number)?;
        let place = (point.body, &point.local);
        let who = (by.number, Party::Grip(grip.site));
        let directions = grip_directions(grip.kind, hold, edges);
        let kinematics = &bearer.snapshot.kinematics;
        Some((index, BornePoint::new(kinematics, place, who, grip.name.clone(), directions, unit)))
    })
}

/// The contacts of one character on another, with the reaction points.
fn touched<'a>(by: &'a Character, bearer: &'a Character) -> impl Iterator<Item = (usize, BornePoint)> + 'a {
    let Snapshot { contacts, scales, .. } = &by.snapshot;
    let unit = scales.contact_force();
    let edges = by.synthesiser.settings.friction_directions;
    let touches = contacts.touches.iter().enumerate();
    let touches = touches.filter(|(_, touch)| touch.on_character() == Some(bearer.number));
    touches.filter_map(move |(index, touch)| {
        let surface = contacts.surface(touch.surface);
        let (body, kinematics) = (BodyId(surface.seat?.part), &bearer.snapshot.kinematics);
        let met = touch.point - touch.normal * touch.gap;
        let local = kinematics.rotation[body.0].tr_mul(&(met - kinematics.position[body.0]));
        let who = (by.number, Party::Touch(touch.slot));
        let directions = generators(touch, edges);
        let name = surface.name.clone();
        Some((index, BornePoint::new(kinematics, (body, &local), who, name, directions, unit)))
    })
}
