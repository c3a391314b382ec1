//! Which bodies give up their contacts and grips on purpose.

use crate::model::{BodyId, Model};

/// Something that is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// The contacts and grips of a body and of all that hangs below it.
    Limb(BodyId),
    /// Those of a body alone: what hangs below it keeps its own.
    Part(BodyId),
}

impl Release {
    /// Whether it gives up the contacts and grips of `body`.
    pub fn is_of(self, model: &Model, body: BodyId) -> bool {
        match self {
            Release::Limb(root) => model.is_within(body, root),
            Release::Part(part) => body == part,
        }
    }
}

/// The bodies of a character whose contacts and grips are given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Released {
    bodies: Vec<bool>,
}

impl Released {
    /// None of the bodies of `model`.
    pub fn none(model: &Model) -> Self {
        Released { bodies: vec![false; model.bodies.len()] }
    }

    /// From now on these, and no others.
    pub fn set(&mut self, model: &Model, releases: &[Release]) {
        for (index, is_released) in self.bodies.iter_mut().enumerate() {
            *is_released = releases.iter().any(|release| release.is_of(model, BodyId(index)));
        }
    }

    /// From now on none.
    pub fn clear(&mut self) {
        self.bodies.fill(false);
    }

    /// Whether the contacts and grips of a body are given up.
    pub fn contains(&self, body: BodyId) -> bool {
        self.bodies[body.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_released_foot_takes_its_toe_along_and_a_released_part_does_not() {
        let model = Model::shipped("adult").unwrap();
        let body = |name: &str| model.body(name).unwrap();
        let (foot, toe, other) = (body("left_foot"), body("left_toe"), body("right_foot"));
        let mut released = Released::none(&model);
        released.set(&model, &[Release::Limb(foot)]);
        assert_eq!([foot, toe, other].map(|body| released.contains(body)), [true, true, false]);
        released.set(&model, &[Release::Part(foot)]);
        assert_eq!([foot, toe, other].map(|body| released.contains(body)), [true, false, false]);
        released.set(&model, &[Release::Part(toe), Release::Part(other)]);
        assert_eq!([foot, toe, other].map(|body| released.contains(body)), [false, true, true]);
        released.clear();
        assert_eq!(released, Released::none(&model));
    }
}
