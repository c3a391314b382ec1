//! The solve loop of an island: characters who hold on to each other or touch have one problem, solved until every check of each
//! of them is content, or may not correct it any more.

use super::problem::{FrameTime, Solved};
use super::solve_loop::{self, SolveLoop, actuation_cost, lay_out};
use crate::character::Character;
use crate::controller::BadValue;
use aplomb_body::contact::grip::{BornePoint, grip_directions};
use aplomb_body::contact::{Party, generators};
use aplomb_body::dynamics::BiasVelocity;
use aplomb_body::model::BodyId;
use aplomb_control::objective::Now;
use aplomb_control::predict::ExternalForce;
use aplomb_control::snapshot::Snapshot;
use aplomb_control::synthesis::{Action, ActuationCost, Attempt, JointProblem, Member, SharedForce};
use aplomb_passive::PassiveWorld;
use aplomb_qp::solver::QpError;
use aplomb_trace::{FrameEvent, ImpactCause};

/// Characters who hold on to each other or touch, while their frame is solved.
pub struct Island<'a> {
    /// In the order of their numbers.
    pub members: Vec<&'a mut Character>,
    /// Their problem.
    pub joint: &'a mut JointProblem,
    /// What hands hold gives way to their forces.
    pub passive: &'a mut PassiveWorld,
    /// Which frame it is.
    pub frame: FrameTime,
    /// So far, member by member.
    solved: Vec<Solved>,
    shared: Vec<SharedForce>,
}

impl<'a> Island<'a> {
    /// These characters, each with the velocity at which its bias force is taken, in the order of their numbers.
    pub fn new(
        members: Vec<(&'a mut Character, BiasVelocity)>,
        joint: &'a mut JointProblem,
        passive: &'a mut PassiveWorld,
        frame: FrameTime,
    ) -> Self {
        let (members, bias): (Vec<_>, Vec<_>) = members.into_iter().unzip();
        let solved = bias.into_iter().map(|bias| Solved { bias, ..Solved::default() }).collect();
        Island { members, joint, passive, frame, solved, shared: Vec::new() }
    }

    /// Solves their frame.
    ///
    /// # Errors
    /// A weight or a time of a goal that is not usable, and the number of the member whose it is.
    pub fn solve(mut self) -> Result<(), (usize, BadValue)> {
        self.members.iter_mut().for_each(|member| solve_loop::begin(member, self.frame));
        self.joint.begin_frame();
        self.members.iter_mut().for_each(|member| member.snapshot.borne.clear());
        self.share();
        self.lay_out_all(false, true);
        loop {
            self.solve_or_strike()?;
            for member in 0..self.members.len() {
                self.part(member, |part| {
                    part.observe();
                    part.inspect();
                });
            }
            let problems = || self.members.iter().zip(&self.solved);
            let is_content = problems().all(|(member, _)| member.problem.findings.list().is_empty());
            let is_exhausted = self.joint.is_spent()
                || problems().any(|(member, solved)| solved.solves >= member.problem.most_solves);
            if is_content || is_exhausted {
                self.accept(!is_content);
                return Ok(());
            }
            self.correct();
        }
    }

    /// Does something to the solve loop of a member.
    fn part<R>(&mut self, member: usize, work: impl FnOnce(&mut SolveLoop<'_>) -> R) -> R {
        let Island { members, passive, frame, solved, .. } = self;
        let solved = &mut solved[member];
        let mut part =
            SolveLoop { character: &mut *members[member], passive, frame: *frame, solved: *solved };
        let result = work(&mut part);
        *solved = part.solved;
        result
    }

    /// Has each member know which points of it others hold and touch, and how those bend as far as that was found.
    fn share(&mut self) {
        self.shared.clear();
        for bearer in 0..self.members.len() {
            let before = std::mem::take(&mut self.members[bearer].snapshot.borne);
            let mut borne = Vec::with_capacity(before.len());
            for by in (0..self.members.len()).filter(|by| *by != bearer) {
                let (by_whom, of_whom) = (&*self.members[by], &*self.members[bearer]);
                let grips = held(by_whom, of_whom).map(|(grip, point)| (Action::Grip(grip), point));
                let touches = touched(by_whom, of_whom).map(|(touch, point)| (Action::Touch(touch), point));
                for (action, mut point) in grips.chain(touches) {
                    if let Some(known) = before.iter().find(|known| known.is_same(&point)) {
                        point.bias_acceleration = known.bias_acceleration;
                    }
                    self.shared.push(SharedForce { by, action, bearer, borne: borne.len() });
                    borne.push(point);
                }
            }
            self.members[bearer].snapshot.borne = borne;
        }
        // The way of what they act on is among the unknowns, but for how it bends.
        for shared in &self.shared {
            let bend = self.members[shared.bearer].snapshot.borne[shared.borne].bias_acceleration;
            let Snapshot { grips, contacts, scales, .. } = &mut self.members[shared.by].snapshot;
            match shared.action {
                Action::Grip(grip) => grips.list[grip].target_velocity.fill(0.0),
                Action::Touch(touch) => {
                    contacts.touches[touch].next_surface_velocity = 0.5 * scales.dt * bend;
                }
            }
        }
    }

    fn lay_out_all(&mut self, impact: bool, afresh: bool) {
        for (member, solved) in self.members.iter_mut().zip(&self.solved) {
            lay_out(member, solved.bias, impact, afresh);
        }
    }

    fn is_impact(&self) -> bool {
        self.members.iter().any(|member| member.synthesiser.linearisation.is_impact())
    }

    /// Solves once, and as an impact where nothing but stops and surfaces within reach will do.
    fn solve_or_strike(&mut self) -> Result<(), (usize, BadValue)> {
        if self.solve_or_loosen()? == Attempt::NeedsImpact {
            for member in 0..self.members.len() {
                self.part(member, |part| {
                    part.note(FrameEvent::Impact { because: ImpactCause::Infeasible });
                    part.keep_conflict();
                    part.character.snapshot.contacts.brace();
                });
            }
            self.share();
            self.lay_out_all(true, true);
            self.solve_or_loosen()?;
        }
        for (member, solved) in self.members.iter().zip(&mut self.solved) {
            let result = member.synthesiser.result();
            solved.solves += 1;
            solved.iterations += result.iterations;
            solved.timing = solved.timing + result.timing;
        }
        Ok(())
    }

    /// Solves once, and again where joints cannot be stuck that were: each of them once.
    fn solve_or_loosen(&mut self) -> Result<Attempt, (usize, BadValue)> {
        loop {
            let attempt = self.solve_once()?;
            if attempt != Attempt::NeedsMotion {
                return Ok(attempt);
            }
            let impact = self.is_impact();
            (0..self.members.len()).for_each(|member| self.part(member, |part| part.loosen()));
            self.lay_out_all(impact, false);
        }
    }

    fn solve_once(&mut self) -> Result<Attempt, (usize, BadValue)> {
        for member in 0..self.members.len() {
            self.part(member, |part| part.gather()).map_err(|value| (member, value))?;
            let Character { synthesiser, objectives, .. } = &mut *self.members[member];
            synthesiser.begin_attempts(objectives.len());
        }
        let attempt = self.attempts();
        for member in 0..self.members.len() {
            self.part(member, |part| part.note_efforts());
        }
        Ok(attempt)
    }

    /// Solves the joint problem, with more giving way each time that it has no solution.
    fn attempts(&mut self) -> Attempt {
        loop {
            let frame = self.frame;
            for member in &mut self.members {
                with_actuation(member, frame, |synthesiser, now, actuation| {
                    synthesiser.assemble(now, actuation);
                });
            }
            let surfaces_give = self.members.iter().any(|member| member.synthesiser.lets_surfaces_give());
            let members: Vec<Member<'_>> = self.members.iter().map(|member| as_member(member)).collect();
            self.joint.write(&members, &self.shared);
            match self.joint.solve(surfaces_give) {
                Ok((time, second_solver)) => {
                    for (number, member) in self.members.iter_mut().enumerate() {
                        let joint = &*self.joint;
                        with_actuation(member, frame, |synthesiser, now, actuation| {
                            synthesiser.take_solution(time, second_solver, |qp, solution| {
                                joint.hand_out(number, qp, solution);
                            });
                            synthesiser.accept(now, actuation);
                        });
                    }
                    return Attempt::Done;
                }
                Err(_) if self.joint.is_spent() => {
                    self.members.iter_mut().for_each(|member| member.synthesiser.give_up());
                    return Attempt::Done;
                }
                Err(error) => {
                    if let Some(attempt) = self.give_way(&error) {
                        return attempt;
                    }
                }
            }
        }
    }

    /// Has those members let more give way who have a part in an error. `None` where that is to be tried.
    fn give_way(&mut self, error: &QpError) -> Option<Attempt> {
        let conflict = self.joint.conflict(error, &as_member(self.members[0]));
        let (mut gives, mut ends) = (false, None);
        for (number, member) in self.members.iter_mut().enumerate() {
            let Some(own) = self.joint.error_of(number, error) else { continue };
            let Character { model, snapshot, synthesiser, .. } = &mut **member;
            match synthesiser.give_way(&Now { model, snapshot }, &own, Some(&conflict)) {
                None => gives = true,
                Some(attempt) => {
                    ends = ends.or(Some(attempt)).filter(|end| *end != Attempt::Done).or(Some(attempt))
                }
            }
        }
        if gives {
            return None;
        }
        if ends.is_none_or(|end| end == Attempt::Done) {
            self.members.iter_mut().for_each(|member| member.synthesiser.fail());
        }
        ends.or(Some(Attempt::Done))
    }

    /// Applies what the checks found, and linearises the frame for its next solve.
    fn correct(&mut self) {
        let is_impact = self.is_impact();
        let mut strikes = false;
        for member in 0..self.members.len() {
            if !self.members[member].problem.findings.list().is_empty() {
                strikes |= self.part(member, |part| part.apply());
            }
        }
        if strikes {
            self.members.iter_mut().for_each(|member| member.snapshot.contacts.brace());
        }
        // A grip that broke is borne no more, and touches push in other directions.
        self.share();
        self.lay_out_all(is_impact || strikes, strikes);
    }

    /// Takes the last solution as it is; those who are held feel what they bear.
    fn accept(mut self, exhausted: bool) {
        let Island { members, passive, frame, solved, .. } = &mut self;
        for (character, solved) in members.iter_mut().zip(&mut *solved) {
            let part = SolveLoop { character, passive, frame: *frame, solved: *solved };
            *solved = part.accept(exhausted);
            character.problem.solved = *solved;
        }
        for shared in &self.shared {
            let by = &self.members[shared.by];
            if !by.synthesiser.result().has_solution() {
                continue;
            }
            let force = match shared.action {
                Action::Grip(grip) => -by.problem.grip_forces[grip],
                Action::Touch(touch) => -by.problem.outcomes[touch].force,
            };
            let bearer = &mut self.members[shared.bearer];
            let borne = &bearer.snapshot.borne[shared.borne];
            if !borne.bears() {
                continue;
            }
            let load = ExternalForce {
                body: borne.body,
                point: borne.point,
                force,
                torque: nalgebra::Vector3::zeros(),
            };
            bearer.problem.borne.push((borne.by, load));
        }
    }
}

/// The grips of one character on another, with the points of it that bear them.
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

/// The touches of one character on another, with the points of it that bear them.
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

fn as_member(character: &Character) -> Member<'_> {
    let Character { model, snapshot, synthesiser, .. } = character;
    Member { now: Now { model, snapshot }, synthesiser }
}

/// Does something with the synthesiser of a character and what it needs to know of this frame.
fn with_actuation<R>(
    character: &mut Character,
    frame: FrameTime,
    work: impl FnOnce(&mut aplomb_control::synthesis::Synthesiser, &Now<'_>, ActuationCost<'_>) -> R,
) -> R {
    let Character { model, snapshot, synthesiser, reaction_delay, .. } = character;
    let settings = synthesiser.settings;
    let actuation = actuation_cost(&settings, snapshot, reaction_delay.as_ref(), frame);
    work(synthesiser, &Now { model, snapshot }, actuation)
}
