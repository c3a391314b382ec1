//! The solve loop: a frame is solved, looked at, and corrected until every check is content.
//!
//! A character alone and several who act on each other go the same way; these have one problem, with the forces
//! between them as unknowns of both. What checks look at and change stands in `synthesis/check/`, their order in its
//! table.

use super::coupling::Coupling;
use super::problem::Solved;
use super::solving::Solving;
use crate::character::Character;
use crate::controller::BadValue;
use aplomb_body::dynamics::BiasVelocity;
use aplomb_control::synthesis::{self, Attempt};
use aplomb_passive::PassiveWorld;
use aplomb_trace::{FrameEvent, ImpactCause};
use std::time::Instant;

/// The frame of one character, or of several who act on each other, while it is solved.
struct SolveLoop<'a, 'c> {
    /// In the order of their numbers.
    members: &'a mut [Solving<'c>],
    /// What they do to each other; `None` for one alone.
    coupling: Option<&'a mut Coupling>,
    /// What hands hold gives way to their forces; `None` where nobody holds anything of it.
    passive: Option<&'a mut PassiveWorld>,
}

/// A number of a controller that no frame can be computed with, and whose controller it is.
#[derive(Debug)]
pub struct BadNumber {
    /// Place among the members.
    pub member: usize,
    pub value: BadValue,
}

/// Solves the frame of one character, with the bias force at `bias`.
///
/// # Errors
/// A weight or a time of a goal that is not usable.
pub fn solve_alone(
    character: &mut Character,
    passive: Option<&mut PassiveWorld>,
    index: u64,
    bias: BiasVelocity,
) -> Result<(), BadValue> {
    let mut alone = [Solving::begin(character, index, bias)];
    if alone[0].character.model.nv == 0 {
        alone[0].character.problem.solved = Solved { bias, ..Solved::default() };
        return Ok(());
    }
    let solve_loop = SolveLoop { members: &mut alone, coupling: None, passive };
    solve_loop.run().map_err(|bad| bad.value)
}

/// Solves the frame of characters who act on each other, in the order of their numbers.
///
/// # Errors
/// A weight or a time of a goal that is not usable.
pub fn solve_together(
    members: &mut [Solving<'_>],
    coupling: &mut Coupling,
    passive: &mut PassiveWorld,
) -> Result<(), BadNumber> {
    coupling.begin_frame(members);
    SolveLoop { members, coupling: Some(coupling), passive: Some(passive) }.run()
}

impl SolveLoop<'_, '_> {
    /// Goes on until every check is content with the solution, or may not have it corrected any more.
    fn run(mut self) -> Result<(), BadNumber> {
        let started = Instant::now();
        self.couple();
        self.linearise(false, true);
        for member in &mut *self.members {
            member.solved.timing.assemble += started.elapsed();
        }
        loop {
            self.solve_or_strike()?;
            for member in &mut *self.members {
                member.evaluate();
                member.inspect(self.passive.as_deref_mut());
            }
            let is_content = !self.members.iter().any(Solving::is_to_be_corrected);
            if is_content || self.is_exhausted() {
                self.members.iter_mut().for_each(|member| member.accept(!is_content));
                if let Some(coupling) = self.coupling {
                    coupling.hand_over_forces(self.members);
                }
                return Ok(());
            }
            self.correct();
        }
    }

    /// Whether the frame may not be solved once more.
    fn is_exhausted(&self) -> bool {
        let is_spent = match &self.coupling {
            Some(coupling) => coupling.problem.is_spent(),
            None => self.members.iter().any(|member| member.character.synthesiser.is_spent()),
        };
        is_spent || self.members.iter().any(Solving::is_exhausted)
    }

    /// Finds the forces between the members.
    fn couple(&mut self) {
        if let Some(coupling) = &mut self.coupling {
            coupling.find(self.members);
        }
    }

    fn linearise(&mut self, impact: bool, afresh: bool) {
        self.members.iter_mut().for_each(|member| member.linearise(impact, afresh));
    }

    fn is_impact(&self) -> bool {
        self.members.iter().any(Solving::is_impact)
    }

    /// Solves once, and as an impact where nothing but stops and surfaces within reach will do.
    fn solve_or_strike(&mut self) -> Result<(), BadNumber> {
        if self.solve_or_loosen()? == Attempt::NeedsImpact {
            for member in &mut *self.members {
                member.note(FrameEvent::Impact { because: ImpactCause::Infeasible });
                member.keep_conflict();
                member.character.snapshot.contacts.brace();
            }
            self.couple();
            self.linearise(true, true);
            self.solve_or_loosen()?;
        }
        self.members.iter_mut().for_each(Solving::count_solve);
        Ok(())
    }

    /// Solves once, and again where joints cannot be stuck that were: each of them once.
    fn solve_or_loosen(&mut self) -> Result<Attempt, BadNumber> {
        loop {
            let attempt = self.solve_once()?;
            if attempt != Attempt::NeedsMotion {
                return Ok(attempt);
            }
            let impact = self.is_impact();
            self.members.iter_mut().for_each(Solving::loosen);
            self.linearise(impact, false);
        }
    }

    fn solve_once(&mut self) -> Result<Attempt, BadNumber> {
        for (number, member) in self.members.iter_mut().enumerate() {
            member.gather().map_err(|value| BadNumber { member: number, value })?;
        }
        let attempt = match (&mut self.coupling, &mut *self.members) {
            (None, [alone]) => synthesis::solve(&mut [alone.member()], None),
            (coupling, members) => {
                let mut members: Vec<_> = members.iter_mut().map(Solving::member).collect();
                synthesis::solve(&mut members, coupling.as_mut().map(|coupling| coupling.coupled()))
            }
        };
        self.members.iter_mut().for_each(Solving::note_attempts);
        Ok(attempt)
    }

    /// Applies what the checks found, and linearises the frame for its next solve.
    fn correct(&mut self) {
        let was_impact = self.is_impact();
        let mut strikes = false;
        for member in &mut *self.members {
            if member.is_to_be_corrected() {
                strikes |= member.apply(self.passive.as_deref_mut());
            }
        }
        if strikes {
            self.members.iter_mut().for_each(|member| member.character.snapshot.contacts.brace());
        }
        // A grip that broke is held no more, and touches push in other directions.
        self.couple();
        self.linearise(was_impact || strikes, strikes);
    }
}
