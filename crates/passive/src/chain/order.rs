//! The elimination order: one tree for each group of joined bodies, whose root is joined to the world if any
//! body is.

use super::spec::{ChainError, JointSpec};

/// Position of a body in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TreePosition {
    /// Index of the body in the specification.
    pub body: usize,
    /// Place of the parent.
    pub parent: Option<usize>,
    /// Index of the joint to the parent or to the world.
    pub joint: Option<usize>,
}

/// Places of all bodies, parents before children: a perfect elimination order when read backwards. The order
/// is depth first, so that joined bodies are close in memory. The root of a tree is the body that is joined
/// to the world, otherwise its first body.
pub(super) fn places(bodies: usize, joints: &[JointSpec]) -> Result<Vec<TreePosition>, ChainError> {
    let mut neighbours = vec![Vec::new(); bodies];
    let mut held = vec![None; bodies];
    for (index, joint) in joints.iter().enumerate() {
        for body in std::iter::once(joint.body).chain(joint.other) {
            if body >= bodies {
                return Err(ChainError::NoSuchBody { joint: joint.name.clone(), body, bodies });
            }
        }
        let Some(other) = joint.other else {
            let first: &mut Option<usize> = &mut held[joint.body];
            match *first {
                Some(first) => return Err(second(joints, index, first)),
                None => *first = Some(index),
            }
            continue;
        };
        neighbours[joint.body].push((other, index));
        neighbours[other].push((joint.body, index));
    }
    let mut search =
        TreeSearch { joints, neighbours, placed: vec![false; bodies], places: Vec::with_capacity(bodies) };
    for (body, joint) in held.iter().enumerate() {
        if let Some(joint) = *joint {
            search.visit(body, Some(joint), &held)?;
        }
    }
    for body in 0..bodies {
        if !search.placed[body] {
            search.visit(body, None, &held)?;
        }
    }
    Ok(search.places)
}

fn second(joints: &[JointSpec], joint: usize, first: usize) -> ChainError {
    ChainError::SecondAnchor { joint: joints[joint].name.clone(), first: joints[first].name.clone() }
}

struct TreeSearch<'a> {
    joints: &'a [JointSpec],
    /// For each body, its neighbours and the joints to them.
    neighbours: Vec<Vec<(usize, usize)>>,
    placed: Vec<bool>,
    places: Vec<TreePosition>,
}

impl TreeSearch<'_> {
    /// Orders a tree from its root, which the joint `anchor` joins to the world.
    fn visit(
        &mut self,
        root: usize,
        anchor: Option<usize>,
        held: &[Option<usize>],
    ) -> Result<(), ChainError> {
        let mut waiting = vec![TreePosition { body: root, parent: None, joint: anchor }];
        while let Some(place) = waiting.pop() {
            if let (true, Some(joint)) = (self.placed[place.body], place.joint) {
                return Err(ChainError::Loop { joint: self.joints[joint].name.clone() });
            }
            if let (Some(_), Some(joint), Some(anchor)) = (place.parent, held[place.body], anchor) {
                return Err(second(self.joints, joint, anchor));
            }
            self.placed[place.body] = true;
            let parent = Some(self.places.len());
            self.places.push(place);
            for (body, joint) in self.neighbours[place.body].iter().rev() {
                if Some(*joint) != place.joint {
                    waiting.push(TreePosition { body: *body, parent, joint: Some(*joint) });
                }
            }
        }
        Ok(())
    }
}
