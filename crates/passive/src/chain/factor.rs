//! Block factorisation for bodies joined in a tree: one linear system H x = z, factored and solved in time
//! linear in the number of bodies.
//!
//! It follows [Hernandez 2011] section 4 with a corrected recursion. H has one block row for each body, A_a v_a +
//! A_ap v_p + J_aᵀ λ (and the same for its children) = b_a, and one for each joint, J_a v_a + J_p v_p = b_λ.
//! Numbered from the leaves, every row reaches right only to its parent (a joint) and its grandparent (a body),
//! and elimination causes no other fill-in. The paper gives H = L D Lᵀ and updates one block too few; with the
//! exact derivative of joint torques H is not symmetric, and even where it is, that recursion has a residual of
//! half of z. Here H = L U by blocks, and both sides of it are kept.
//!
//! There is no pivoting: if the symmetric part of A is positive definite, all pivots are definite.

use super::block::{Six, invert, times};
use super::link::{SINGULAR, largest};
use super::links::Links;
use aplomb_math::dispatch::{Work, fastest};

/// Storage of a body's link to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A floating body.
    Free,
    /// Index among the links of three rows (spherical joints).
    Three(usize),
    /// Index among the links of five rows (hinges).
    Five(usize),
    /// Index among the links of six rows (fixed joints).
    Six(usize),
}

/// A pivot vanished: the rows of this body's joint are contradictory or dependent, or its A is not definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SingularPivot {
    /// Index of the body.
    pub body: usize,
}

/// Unknowns or right side of the system, body by body: v_a or b_a, and in the first rows of `joints` λ or b_λ
/// of the joint to the parent.
#[derive(Clone, Debug, Default)]
pub struct TreeVector {
    /// Six numbers per body.
    pub bodies: Vec<Six>,
    /// Six numbers per body for the joint to its parent; a joint with fewer rows uses the first ones.
    pub joints: Vec<Six>,
}

impl TreeVector {
    /// A vector of zeros for this many bodies.
    pub fn zeros(bodies: usize) -> Self {
        TreeVector { bodies: vec![[0.0; 6]; bodies], joints: vec![[0.0; 6]; bodies] }
    }
}

/// H, which is replaced by its factors. Bodies are coupled to their parents along the last K of their six
/// coordinates.
#[derive(Clone, Debug)]
pub struct TreeFactor<const K: usize> {
    /// Columns of A_a; when factored, of the inverse of its Schur complement.
    pivots: Vec<[Six; 6]>,
    /// Pivot index by body where each body has its own.
    pivot_of: Vec<usize>,
    /// Pivot index by body where storage is reused as soon as it is free.
    shared_pivot_of: Vec<usize>,
    pub(super) parents: Vec<Option<usize>>,
    pub(super) slots: Vec<Slot>,
    pub(super) three: Links<3, K>,
    pub(super) five: Links<5, K>,
    pub(super) six: Links<6, K>,
}

impl<const K: usize> TreeFactor<K> {
    /// A system of zero blocks for bodies whose parents precede them, with the number of rows of each one's joint to
    /// its parent or to the world: 3, 5 or 6; 0 for a floating root. `None` if the numbers are invalid.
    pub fn new(parents: &[Option<usize>], rows: &[usize]) -> Option<Self> {
        let mut factor = TreeFactor {
            pivots: Vec::new(),
            pivot_of: Vec::new(),
            shared_pivot_of: shared_places(parents),
            parents: parents.to_vec(),
            slots: Vec::with_capacity(parents.len()),
            three: Links::default(),
            five: Links::default(),
            six: Links::default(),
        };
        for (body, (parent, rows)) in parents.iter().zip(rows).enumerate() {
            if parent.is_some_and(|parent| parent >= body) || (parent.is_some() && *rows == 0) {
                return None;
            }
            factor.slots.push(match rows {
                0 => Slot::Free,
                3 => Slot::Three(factor.three.push()),
                5 => Slot::Five(factor.five.push()),
                6 => Slot::Six(factor.six.push()),
                _ => return None,
            });
        }
        factor.retain(true);
        Some(factor)
    }

    /// Sets whether factors are kept for further right sides. Otherwise the forward pass of a right side must
    /// run along with the elimination, which then touches a third of the memory.
    pub(super) fn retain(&mut self, retain: bool) {
        let pivot_of = if retain { (0..self.parents.len()).collect() } else { self.shared_pivot_of.clone() };
        self.pivots.resize(pivot_of.iter().max().map_or(0, |last| last + 1), [[0.0; 6]; 6]);
        self.pivots.shrink_to_fit();
        self.pivot_of = pivot_of;
        self.three.retain(retain);
        self.five.retain(retain);
        self.six.retain(retain);
    }

    /// Number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Columns of A_a of a body.
    #[inline(always)]
    pub fn diagonal_mut(&mut self, body: usize) -> &mut [Six; 6] {
        &mut self.pivots[self.pivot_of[body]]
    }

    /// Sets the link of a body to its parent: rows of J_a and J_p, and columns of A_ap and A_pa, which couple
    /// the last K coordinates.
    pub fn set_link(
        &mut self,
        body: usize,
        child: &[Six],
        parent: &[Six],
        up: &[[f64; K]; K],
        down: &[[f64; K]; K],
    ) {
        match self.slots[body] {
            Slot::Free => (),
            Slot::Three(place) => self.three.rising_mut(place).set(child, parent, up, down),
            Slot::Five(place) => self.five.rising_mut(place).set(child, parent, up, down),
            Slot::Six(place) => self.six.rising_mut(place).set(child, parent, up, down),
        }
    }

    /// Replaces the blocks by their factors.
    ///
    /// # Errors
    ///
    /// If a pivot vanishes; the blocks are then undefined.
    pub fn factor(&mut self) -> Result<(), SingularPivot> {
        fastest(Factor(self))
    }

    /// Replaces z by H⁻¹ z; after [`factor`](Self::factor), for any number of right sides.
    pub fn solve(&self, z: &mut TreeVector) {
        fastest(Solve(self, z));
    }

    /// Eliminates a body and its joint, after all of its descendants. False if a pivot vanishes.
    #[inline(always)]
    pub(super) fn eliminate<const FUSED: bool>(&mut self, body: usize) -> bool {
        let place = self.pivot_of[body];
        let (own, above) = match self.parents[body].map(|parent| self.pivot_of[parent]) {
            None => (&mut self.pivots[place], None),
            Some(parent) => match self.pivots.get_disjoint_mut([place, parent]) {
                Ok([own, above]) => (own, Some(above)),
                Err(_) => return false,
            },
        };
        match self.slots[body] {
            Slot::Three(place) => self.three.eliminate::<FUSED>(place, own, above),
            Slot::Five(place) => self.five.eliminate::<FUSED>(place, own, above),
            Slot::Six(place) => self.six.eliminate::<FUSED>(place, own, above),
            Slot::Free => {
                let scale = largest(own);
                invert::<FUSED, 6>(own) > SINGULAR * scale
            }
        }
    }

    /// The body's part of L⁻¹ z, after all of its descendants.
    #[inline(always)]
    pub(super) fn forward<const FUSED: bool>(&self, body: usize, z: &mut TreeVector) {
        let own = &self.pivots[self.pivot_of[body]];
        let (before, after) = z.bodies.split_at_mut(body);
        let (x, joint) = (&mut after[0], &mut z.joints[body]);
        let above = self.parents[body].map(|parent| &mut before[parent]);
        match self.slots[body] {
            Slot::Three(place) => self.three.rising(place).forward::<FUSED>(own, x, joint, above),
            Slot::Five(place) => self.five.rising(place).forward::<FUSED>(own, x, joint, above),
            Slot::Six(place) => self.six.rising(place).forward::<FUSED>(own, x, joint, above),
            Slot::Free => *x = times::<FUSED, 6, 6>(own, x),
        }
    }

    /// The body's part of U⁻¹ z for the z of the forward pass, after all of its ancestors.
    #[inline(always)]
    pub(super) fn backward<const FUSED: bool>(&self, body: usize, z: &mut TreeVector) {
        let (before, after) = z.bodies.split_at_mut(body);
        let (x, joint) = (&mut after[0], &mut z.joints[body]);
        let above = self.parents[body].map(|parent| &before[parent]);
        match self.slots[body] {
            Slot::Three(place) => self.three.falling(place).backward::<FUSED>(x, joint, above),
            Slot::Five(place) => self.five.falling(place).backward::<FUSED>(x, joint, above),
            Slot::Six(place) => self.six.falling(place).backward::<FUSED>(x, joint, above),
            Slot::Free => (),
        }
    }
}

/// An index for each body's pivot storage, which is in use from the first visit to one of its children to its
/// own: as few as the tree allows.
fn shared_places(parents: &[Option<usize>]) -> Vec<usize> {
    let mut place_of = vec![usize::MAX; parents.len()];
    let (mut free, mut used) = (Vec::new(), 0);
    for body in (0..parents.len()).rev() {
        for needed in std::iter::once(body).chain(parents[body]) {
            if place_of.get(needed) == Some(&usize::MAX) {
                place_of[needed] = free.pop().unwrap_or_else(|| {
                    used += 1;
                    used - 1
                });
            }
        }
        free.push(place_of[body]);
    }
    place_of
}

struct Factor<'a, const K: usize>(&'a mut TreeFactor<K>);

impl<const K: usize> Work for Factor<'_, K> {
    type Output = Result<(), SingularPivot>;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> Result<(), SingularPivot> {
        for body in (0..self.0.len()).rev() {
            if !self.0.eliminate::<FUSED>(body) {
                return Err(SingularPivot { body });
            }
        }
        Ok(())
    }
}

struct Solve<'a, const K: usize>(&'a TreeFactor<K>, &'a mut TreeVector);

impl<const K: usize> Work for Solve<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Solve(factor, z) = self;
        for body in (0..factor.len()).rev() {
            factor.forward::<FUSED>(body, z);
        }
        for body in 0..factor.len() {
            factor.backward::<FUSED>(body, z);
        }
    }
}
