//! Islands: groups of characters that grip or touch each other and are solved together.

use super::actor::Actor;
use super::frame::FrameTime;
use super::frame::coupling::CharacterCoupling;
use super::frame::solve_loop;
use super::frame::solving::Solving;
use aplomb_passive::PassiveWorld;

/// The islands of a frame and the warm starts of their solvers; an island whose members change has a cold
/// start.
#[derive(Clone, Default)]
pub(crate) struct Islands {
    list: Vec<Known>,
    /// Smallest number of a character in the same island, for each character.
    roots: Vec<usize>,
}

#[derive(Clone)]
struct Known {
    /// Numbers of an island's characters, in order.
    members: Vec<usize>,
    coupling: CharacterCoupling,
}

impl Islands {
    /// Finds the characters that grip each other or are near enough to touch. Grips on a ragdoll are
    /// released, and contacts with one are left to the passive solver.
    pub(crate) fn find(&mut self, actors: &mut [Actor]) {
        self.roots.clear();
        self.roots.extend(0..actors.len());
        for holder in 0..actors.len() {
            let is_ragdoll = |number: usize| actors[number].ragdoll.is_some();
            let grips = &actors[holder].character.snapshot.grips;
            let held = |grip: usize| grips.holds[grips.list[grip].hold].on_character();
            let lost = (0..grips.list.len()).rev().filter(|grip| {
                held(*grip).is_some_and(|point| is_ragdoll(point.character) || point.character == holder)
            });
            let lost: Vec<usize> = lost.collect();
            for grip in &lost {
                actors[holder].character.snapshot.grips.break_off(*grip);
            }
            let grips = &actors[holder].character.snapshot.grips;
            for grip in &grips.list {
                if let Some(point) = grips.holds[grip.hold].on_character() {
                    self.join(holder, point.character);
                }
            }
        }
        self.find_touching(actors);
        let root = |number: usize| self.roots[number];
        let together = |first: usize| (0..actors.len()).filter(move |number| root(*number) == first);
        let mut firsts = (0..actors.len()).filter(|first| together(*first).count() > 1).peekable();
        if firsts.peek().is_none() {
            self.list.clear();
        } else {
            let mut known = std::mem::take(&mut self.list);
            for first in firsts {
                let place =
                    known.iter().position(|island| together(first).eq(island.members.iter().copied()));
                self.list.push(match place {
                    Some(place) => known.swap_remove(place),
                    None => Known {
                        members: together(first).collect(),
                        coupling: CharacterCoupling::new(&*actors[first].character.synthesiser.solver),
                    },
                });
            }
        }
        for (number, actor) in actors.iter_mut().enumerate() {
            actor.is_coupled = self.list.iter().any(|island| island.members.contains(&number));
            if !actor.is_coupled {
                actor.character.snapshot.borne.clear();
            }
        }
    }

    fn find_touching(&mut self, actors: &mut [Actor]) {
        let touching = |actor: &Actor| !actor.character.snapshot.contacts.bodies.is_empty();
        for number in 0..actors.len() {
            if !touching(&actors[number]) {
                continue;
            }
            for other in 0..number {
                if actors[number].ragdoll.is_some() || actors[other].ragdoll.is_some() {
                    actors[number].character.snapshot.contacts.leave_character(other);
                }
            }
            let touches = &actors[number].character.snapshot.contacts.touches;
            touches
                .iter()
                .filter_map(|touch| touch.on_character())
                .for_each(|other| self.join(number, other));
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (from, to) = (self.roots[a].max(self.roots[b]), self.roots[a].min(self.roots[b]));
        self.roots.iter_mut().filter(|root| **root == from).for_each(|root| *root = to);
    }

    /// Solves the frames of all islands.
    pub(crate) fn solve(&mut self, actors: &mut [Actor], passive: &mut PassiveWorld, frame: FrameTime) {
        for Known { members, coupling } in &mut self.list {
            let together = actors.iter_mut().enumerate().filter(|(number, _)| members.contains(number));
            let together = together.map(|(_, actor)| {
                let bias = actor.begin_solving(frame);
                Solving::begin(&mut actor.character, frame.index, bias)
            });
            let mut together: Vec<Solving<'_>> = together.collect();
            let solved = solve_loop::solve_together(&mut together, coupling, passive);
            for &member in &*members {
                actors[member].feel_loads();
            }
            if let Err(bad) = solved {
                actors[members[bad.member]].failure = Some(bad.value);
            }
        }
    }
}
