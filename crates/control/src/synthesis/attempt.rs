//! The second stage of a frame's problem: its rows are written and solved, with more of them relaxed after each
//! failure. A single character has its own problem; characters that act on each other have a joint problem.

use super::{ActuationCost, Attempt, JointProblem, SharedForce, Synthesiser};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_qp::Qp;
use aplomb_qp::solver::QpError;
use std::cell::LazyCell;

/// A character whose frame is solved, with its objectives gathered.
pub struct Member<'a> {
    /// State of the character and its surroundings.
    pub now: Now<'a>,
    /// Cost of its joint torques.
    pub actuation: ActuationCost<'a>,
    /// Writes its problem, and solves it if the character is alone.
    pub synthesiser: &'a mut Synthesiser,
}

/// The joint problem of members that act on each other.
pub struct Coupled<'a> {
    /// The problem, with its solver.
    pub problem: &'a mut JointProblem,
    /// The forces between the members.
    pub shared: &'a [SharedForce],
}

/// Solves the frame of these members, or of a single one if they are not `coupled`.
pub fn solve(members: &mut [Member<'_>], mut coupled: Option<Coupled<'_>>) -> Attempt {
    loop {
        members.iter_mut().for_each(Member::assemble);
        match solve_once(members, coupled.as_mut()) {
            Ok(()) => {
                members.iter_mut().for_each(Member::accept);
                return Attempt::Done;
            }
            Err(_) if is_spent(members, coupled.as_ref()) => {
                members.iter_mut().for_each(|member| member.synthesiser.give_up());
                return Attempt::Done;
            }
            Err(error) => {
                if let Some(attempt) = give_way(members, coupled.as_ref(), &error) {
                    return attempt;
                }
            }
        }
    }
}

/// Whether the work budget of the frame is used up.
fn is_spent(members: &[Member<'_>], coupled: Option<&Coupled<'_>>) -> bool {
    match coupled {
        Some(Coupled { problem, .. }) => problem.is_spent(),
        None => members.iter().all(|member| member.synthesiser.is_spent()),
    }
}

/// Solves the written problem.
///
/// # Errors
/// The reason why there is no solution; limits are those of the joint problem if there is one.
fn solve_once(members: &mut [Member<'_>], coupled: Option<&mut Coupled<'_>>) -> Result<(), QpError> {
    let Some(Coupled { problem, shared }) = coupled else {
        return members.iter_mut().try_for_each(|member| member.synthesiser.solve_alone());
    };
    let surfaces_give = members.iter().any(|member| member.synthesiser.lets_surfaces_give());
    problem.write(members, shared);
    let (time, second_solver) = problem.solve(surfaces_give)?;
    for (number, member) in members.iter_mut().enumerate() {
        member.synthesiser.take_solution(time, second_solver, |qp, solution| {
            problem.hand_out(number, qp, solution);
        });
    }
    Ok(())
}

/// Relaxes more rows of the members that contribute to an error. `None` if the relaxed problem should be solved.
fn give_way(members: &mut [Member<'_>], coupled: Option<&Coupled<'_>>, error: &QpError) -> Option<Attempt> {
    let scales = members[0].now.scales;
    let conflict = coupled.map(|coupled| LazyCell::new(move || coupled.problem.conflict(error, &scales)));
    let (mut gives, mut ends) = (false, None);
    for (number, member) in members.iter_mut().enumerate() {
        let own = coupled.map(|coupled| coupled.problem.error_of(number, error));
        let own = match &own {
            None => error,
            Some(Some(own)) => own,
            Some(None) => continue,
        };
        match member.synthesiser.give_way(&member.now, own, conflict.as_ref().map(|rows| || (**rows).clone()))
        {
            None => gives = true,
            // A member that needs a new layout decides for all members.
            Some(attempt) => ends = ends.filter(|end| *end != Attempt::Done).or(Some(attempt)),
        }
    }
    if gives {
        return None;
    }
    if ends.is_none_or(|end| end == Attempt::Done) {
        members.iter_mut().for_each(|member| member.synthesiser.fail());
    }
    ends.or(Some(Attempt::Done))
}

impl Member<'_> {
    pub(super) fn next(&self) -> Prediction<'_> {
        Prediction::new(self.now.model, self.now.snapshot, &self.synthesiser.linearisation)
    }

    pub(super) fn qp(&self) -> &Qp {
        self.synthesiser.last_problem()
    }

    fn assemble(&mut self) {
        self.synthesiser.assemble(&self.now, self.actuation);
    }

    fn accept(&mut self) {
        self.synthesiser.accept(&self.now, self.actuation);
    }
}
