//! Release of contacts and grips by the controller.

use crate::model::{BodyId, Model};

/// Number of bodies with a falling load for which memory is allocated in advance.
const MOST_AT_ONCE: usize = 8;

/// A body that is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// The contacts and grips of a body and its subtree.
    Limb(BodyId),
    /// The contacts and grips of a body without its subtree.
    Part(BodyId),
    /// Only the contacts of a foot behind its middle: the ball and the toes continue to carry load.
    Heel(BodyId),
}

impl Release {
    /// The released body.
    pub fn body(self) -> BodyId {
        match self {
            Release::Limb(body) | Release::Part(body) | Release::Heel(body) => body,
        }
    }

    /// Whether it includes the grips and all contacts of `body`.
    pub fn is_of(self, model: &Model, body: BodyId) -> bool {
        match self {
            Release::Limb(root) => model.is_within(body, root),
            Release::Part(part) => body == part,
            Release::Heel(_) => false,
        }
    }

    /// Whether it includes a contact of `body`, which is behind the middle of its contacts or not.
    pub fn is_at(self, model: &Model, body: BodyId, is_behind: bool) -> bool {
        match self {
            Release::Heel(foot) => body == foot && is_behind,
            Release::Limb(_) | Release::Part(_) => self.is_of(model, body),
        }
    }
}

/// A body that should be released and still carries load, which falls from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnloadingBody {
    /// The release that takes effect at zero load.
    pub release: Release,
    /// Normal force on the body in this frame, m g.
    pub load: f64,
}

/// The released parts of a body, smaller sets before larger ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ReleaseExtent {
    Nothing,
    Heel,
    Whole,
}

/// The bodies of a character whose contacts and grips are released.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Released {
    bodies: Vec<ReleaseExtent>,
    /// The releases of the previous frame.
    before: Vec<ReleaseExtent>,
    unloading: Vec<UnloadingBody>,
}

impl Released {
    /// No released bodies, for `model`.
    pub(crate) fn none(model: &Model) -> Self {
        let none = vec![ReleaseExtent::Nothing; model.bodies.len()];
        Released { bodies: none.clone(), before: none, unloading: Vec::with_capacity(MOST_AT_ONCE) }
    }

    /// Replaces the releases. A body whose `load` in the previous frame was more than `step` (both in m g) is
    /// not released yet: its load falls by `step` first, from at most the weight. A released body stays
    /// released, even if something hits it.
    pub(crate) fn set(
        &mut self,
        model: &Model,
        releases: &[Release],
        step: f64,
        load: impl Fn(Release) -> f64,
    ) {
        std::mem::swap(&mut self.bodies, &mut self.before);
        self.bodies.fill(ReleaseExtent::Nothing);
        self.unloading.clear();
        for &release in releases {
            let extent =
                if let Release::Heel(_) = release { ReleaseExtent::Heel } else { ReleaseExtent::Whole };
            let is_part = |index: &usize| release.is_at(model, BodyId(*index), true);
            let was_released =
                (0..self.before.len()).filter(is_part).all(|index| self.before[index] >= extent);
            let load = load(release).min(1.0) - step;
            if load > 0.0 && !was_released {
                self.unloading.push(UnloadingBody { release, load });
            } else {
                for index in (0..self.before.len()).filter(is_part) {
                    self.bodies[index] = self.bodies[index].max(extent);
                }
            }
        }
    }

    /// Bodies that should be released and still carry load.
    pub(crate) fn unloading(&self) -> &[UnloadingBody] {
        &self.unloading
    }

    /// Removes all releases.
    pub(crate) fn clear(&mut self) {
        self.bodies.fill(ReleaseExtent::Nothing);
        self.unloading.clear();
    }

    /// Whether the grips and all contacts of a body are released.
    #[cfg(test)]
    pub(crate) fn contains(&self, body: BodyId) -> bool {
        self.bodies[body.0] == ReleaseExtent::Whole
    }

    /// Whether a contact of a body is released, which is behind the middle of its contacts or not.
    pub(crate) fn contains_contact(&self, body: BodyId, is_behind: bool) -> bool {
        self.bodies[body.0] >= if is_behind { ReleaseExtent::Heel } else { ReleaseExtent::Whole }
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
        released.set(&model, &[Release::Limb(foot)], 0.1, |_| 0.0);
        assert_eq!([foot, toe, other].map(|body| released.contains(body)), [true, true, false]);
        released.set(&model, &[Release::Part(foot)], 0.1, |_| 0.0);
        assert_eq!([foot, toe, other].map(|body| released.contains(body)), [true, false, false]);
        released.set(&model, &[Release::Part(toe), Release::Part(other)], 0.1, |_| 0.0);
        assert_eq!([foot, toe, other].map(|body| released.contains(body)), [false, true, true]);
        released.set(&model, &[Release::Heel(foot)], 0.1, |_| 0.0);
        assert_eq!([foot, toe, other].map(|body| released.contains(body)), [false, false, false]);
        let contact = |body, is_behind| released.contains_contact(body, is_behind);
        assert_eq!([contact(foot, true), contact(foot, false), contact(toe, true)], [true, false, false]);
        released.clear();
        assert_eq!([foot, toe, other].map(|body| released.contains(body)), [false, false, false]);
    }

    #[test]
    fn a_load_falls_step_by_step_from_no_more_than_the_weight_and_then_is_released_for_good() {
        let model = Model::shipped("adult").unwrap();
        let (foot, toe) = (model.body("left_foot").unwrap(), model.body("left_toe").unwrap());
        let mut released = Released::none(&model);
        let release = [Release::Limb(foot)];
        let mut load = 3.0;
        for step in 1..=3 {
            released.set(&model, &release, 0.25, |_| load);
            assert!(!released.contains(foot) && !released.contains(toe));
            let [unloading] = released.unloading() else { panic!("{released:?}") };
            load = unloading.load;
            assert_eq!(load, 1.0 - 0.25 * f64::from(step));
        }
        released.set(&model, &release, 0.25, |_| load);
        assert!(released.contains(foot) && released.contains(toe) && released.unloading().is_empty());
        released.set(&model, &release, 0.25, |_| 2.0);
        assert!(released.contains(foot), "what is struck later is not held back");
        released.set(&model, &[], 0.25, |_| 2.0);
        released.set(&model, &release, f64::INFINITY, |_| 2.0);
        assert!(released.contains(foot), "without a limit at once");
    }
}
