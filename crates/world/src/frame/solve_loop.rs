//! The solve loop: a frame is solved, checked and corrected until no check finds anything to correct.
//!
//! Characters that act on each other share one problem, with the forces between them as unknowns of both; a
//! character alone is the case of one member. The checks are in `synthesis/check/`, and their order in its
//! table.

use super::coupling::CharacterCoupling;
use super::problem::Solved;
use super::solving::Solving;
use crate::character::Character;
use crate::controller::BadValue;
use aplomb_body::dynamics::BiasVelocity;
use aplomb_control::clock::Instant;
use aplomb_control::synthesis::{self, Attempt};
use aplomb_passive::PassiveWorld;
use aplomb_trace::{FrameEvent, ImpactCause};

/// The frame of one character, or of several that act on each other, while it is solved.
struct SolveLoop<'a, 'c> {
    /// Members in the order of their character numbers.
    members: &'a mut [Solving<'c>],
    /// Forces between the members; `None` for a character alone.
    coupling: Option<&'a mut CharacterCoupling>,
    /// Passive objects, whose velocity depends on the grip forces; `None` if no member holds one.
    passive: Option<&'a mut PassiveWorld>,
}

/// A value of a controller that cannot be used, with its character.
#[derive(Debug)]
pub(crate) struct BadNumber {
    /// Index among the members.
    pub member: usize,
    pub value: BadValue,
}

/// Solves the frame of one character, with the bias force at the velocity `bias`.
///
/// # Errors
/// A weight or time of a goal that cannot be used.
pub(crate) fn solve_alone(
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

/// Solves the frame of characters that act on each other, in the order of their numbers.
///
/// # Errors
/// A weight or time of a goal that cannot be used.
pub(crate) fn solve_together(
    members: &mut [Solving<'_>],
    coupling: &mut CharacterCoupling,
    passive: &mut PassiveWorld,
) -> Result<(), BadNumber> {
    coupling.begin_frame(members);
    SolveLoop { members, coupling: Some(coupling), passive: Some(passive) }.run()
}

impl SolveLoop<'_, '_> {
    /// Repeats until no check finds anything to correct, or no rounds are left.
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

    /// Whether the bound on solves or on work is reached.
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

    /// Solves once; if even the relaxed problem is infeasible, solves again as an impact with every surface
    /// within reach.
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

    /// Solves once, and again with those joints free to move that dry friction cannot hold at rest; a joint is freed
    /// only once.
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

    /// Applies the findings of the checks, and linearises the frame for the next solve.
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
        // The forces between members are determined again: a broken grip has none, and contact normals may
        // have changed.
        self.couple();
        self.linearise(was_impact || strikes, strikes);
    }
}
