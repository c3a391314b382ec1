//! Bodies joined in a tree: one linear system H x = z, factored and solved in time linear in their number.
//!
//! [Hernandez 2011] section 4 with its recursion put right. H has a block row for each body,
//! A_a v_a + A_ap v_p + J_aᵀ λ (+ the like for its children) = b_a, and one for each joint,
//! J_a v_a + J_p v_p = b_λ. Numbered from the leaves, every row reaches right only to its parent (a joint) and its
//! grandparent (a body), and eliminating it fills no other block. The paper prints H = L D Lᵀ and updates one
//! block too few; with the exact derivative of joint torques H is not symmetric, and even where it is, that
//! recursion leaves a residual of half of z. Here H = L U by blocks, and both sides of it are kept.
//!
//! No pivot is sought: where the symmetric part of A is positive definite, all pivots are definite.

use super::block::{Six, invert, times};
use super::link::{Link, SINGULAR, largest};
use crate::passive::fused::{Work, fastest};

/// Where a body's link to its parent is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A body that nothing holds.
    Free,
    /// Place among the links of three rows (spherical joints).
    Three(usize),
    /// Of five (hinges).
    Five(usize),
    /// Of six (fixed joints).
    Six(usize),
}

/// A pivot vanished: the rows of this body's joint contradict or repeat each other, or its A is not definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular {
    pub body: usize,
}

/// Unknowns or right side of the system, body by body: v_a or b_a, and in the first rows of `joints` λ or b_λ of
/// the joint to the parent.
#[derive(Clone, Debug, Default)]
pub struct TreeVector {
    pub bodies: Vec<Six>,
    pub joints: Vec<Six>,
}

impl TreeVector {
    pub fn zeros(bodies: usize) -> Self {
        TreeVector { bodies: vec![[0.0; 6]; bodies], joints: vec![[0.0; 6]; bodies] }
    }
}

/// H, and in its place its factors. Bodies are coupled to their parents along the last K of their six coordinates.
#[derive(Clone, Debug)]
pub struct TreeFactor<const K: usize> {
    /// Columns of A_a; when factored, of the inverse of what elimination makes of it.
    pub(super) pivots: Vec<[Six; 6]>,
    pub(super) parents: Vec<Option<usize>>,
    pub(super) slots: Vec<Slot>,
    pub(super) three: Vec<Link<3, K>>,
    pub(super) five: Vec<Link<5, K>>,
    pub(super) six: Vec<Link<6, K>>,
}

impl<const K: usize> TreeFactor<K> {
    /// For bodies whose parents come before them, with the number of rows of each one's joint to its parent, or to
    /// the world where it has none: 3, 5 or 6; 0 for a root that nothing holds. All blocks are zero. None where
    /// the numbers are not of this kind.
    pub fn new(parents: &[Option<usize>], rows: &[usize]) -> Option<Self> {
        let mut factor = TreeFactor {
            pivots: vec![[[0.0; 6]; 6]; parents.len()],
            parents: parents.to_vec(),
            slots: Vec::with_capacity(parents.len()),
            three: Vec::new(),
            five: Vec::new(),
            six: Vec::new(),
        };
        for (body, (parent, rows)) in parents.iter().zip(rows).enumerate() {
            if parent.is_some_and(|parent| parent >= body) || (parent.is_some() && *rows == 0) {
                return None;
            }
            factor.slots.push(match rows {
                0 => Slot::Free,
                3 => Slot::Three(factor.three.len()),
                5 => Slot::Five(factor.five.len()),
                6 => Slot::Six(factor.six.len()),
                _ => return None,
            });
            match rows {
                3 => factor.three.push(Link::default()),
                5 => factor.five.push(Link::default()),
                6 => factor.six.push(Link::default()),
                _ => (),
            }
        }
        Some(factor)
    }

    pub fn len(&self) -> usize {
        self.pivots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pivots.is_empty()
    }

    /// Columns of A_a of a body.
    pub fn diagonal_mut(&mut self, body: usize) -> &mut [Six; 6] {
        &mut self.pivots[body]
    }

    /// Sets what joins a body to its parent: rows of J_a and J_p, and columns of A_ap and A_pa, which couple the
    /// last K coordinates.
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
            Slot::Three(place) => self.three[place].set(child, parent, up, down),
            Slot::Five(place) => self.five[place].set(child, parent, up, down),
            Slot::Six(place) => self.six[place].set(child, parent, up, down),
        }
    }

    /// Replaces the blocks by their factors.
    pub fn factor(&mut self) -> Result<(), Singular> {
        fastest(Factor(self))
    }

    /// Replaces z by H⁻¹ z; after [`factor`](Self::factor), as often as there are right sides.
    pub fn solve(&self, z: &mut TreeVector) {
        fastest(Solve(self, z));
    }

    /// Eliminates a body and its joint, after those of all its descendants. False where a pivot vanishes.
    #[inline(always)]
    pub(super) fn eliminate<const FUSED: bool>(&mut self, body: usize) -> bool {
        let (above, own) = self.pivots.split_at_mut(body);
        let (own, above) = (&mut own[0], self.parents[body].map(|parent| &mut above[parent]));
        match self.slots[body] {
            Slot::Three(place) => self.three[place].eliminate::<FUSED>(own, above),
            Slot::Five(place) => self.five[place].eliminate::<FUSED>(own, above),
            Slot::Six(place) => self.six[place].eliminate::<FUSED>(own, above),
            Slot::Free => {
                let scale = largest(own);
                invert::<FUSED, 6>(own) > SINGULAR * scale
            }
        }
    }

    /// The body's part of L⁻¹ z, after those of all its descendants.
    #[inline(always)]
    pub(super) fn forward<const FUSED: bool>(&self, body: usize, z: &mut TreeVector) {
        let own = &self.pivots[body];
        let (before, after) = z.bodies.split_at_mut(body);
        let (x, joint) = (&mut after[0], &mut z.joints[body]);
        let above = self.parents[body].map(|parent| &mut before[parent]);
        match self.slots[body] {
            Slot::Three(place) => self.three[place].forward::<FUSED>(own, x, joint, above),
            Slot::Five(place) => self.five[place].forward::<FUSED>(own, x, joint, above),
            Slot::Six(place) => self.six[place].forward::<FUSED>(own, x, joint, above),
            Slot::Free => *x = times::<FUSED, 6, 6>(own, x),
        }
    }

    /// The body's part of U⁻¹ of that, after those of all its ancestors.
    #[inline(always)]
    pub(super) fn backward<const FUSED: bool>(&self, body: usize, z: &mut TreeVector) {
        let (before, after) = z.bodies.split_at_mut(body);
        let (x, joint) = (&mut after[0], &mut z.joints[body]);
        let above = self.parents[body].map(|parent| &before[parent]);
        match self.slots[body] {
            Slot::Three(place) => self.three[place].backward::<FUSED>(x, joint, above),
            Slot::Five(place) => self.five[place].backward::<FUSED>(x, joint, above),
            Slot::Six(place) => self.six[place].backward::<FUSED>(x, joint, above),
            Slot::Free => (),
        }
    }
}

struct Factor<'a, const K: usize>(&'a mut TreeFactor<K>);

impl<const K: usize> Work for Factor<'_, K> {
    type Output = Result<(), Singular>;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> Result<(), Singular> {
        for body in (0..self.0.len()).rev() {
            if !self.0.eliminate::<FUSED>(body) {
                return Err(Singular { body });
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
