//! Pairs of shapes that avoid each other.

use super::{Damper, FASTEST, SUDDEN};
use crate::constraint::origin_of;
use crate::objective::Now;
use aplomb_body::contact::{ShapePair, nearest};
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::Place;
use aplomb_math::geometry::Nearest;
use aplomb_qp::{Label, Origin, RowKind, RowLabel, UnknownKind, UnknownLabel};
use std::sync::{Arc, Mutex, Weak};

/// Pairs that several characters with the same body share.
pub(super) static PAIRS: SharedLists<Pair> = SharedLists::new();

/// Two shapes that may come near each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The shapes. They are not kept farther apart than they are in the rest pose.
    pub shapes: ShapePair,
    pub(super) row: RowLabel,
    pub(super) give: UnknownLabel,
}

impl Pair {
    pub(super) fn new(model: &Model, shapes: ShapePair, name: &str, origin: &Origin) -> Self {
        let geoms = shapes.geoms;
        let [first, second] = geoms.map(|geom| &model.geoms[geom].name);
        let who = format!("{name}: {first} from {second}");
        let kind = UnknownKind::Slack;
        let give =
            Label { kind, name: format!("give of {who}").into(), unit: "dt g", origin: origin.clone() };
        let kind = RowKind::KeepApart { geoms };
        let row = Label { kind, name: who.into(), unit: "m/s", origin: origin.clone() };
        Pair { shapes, row, give }
    }

    /// Clearance of the two, m, if `asked` is requested: at most the distance in the rest pose.
    pub(super) fn clearance(&self, asked: f64) -> f64 {
        asked.min(self.shapes.at_rest)
    }

    /// Distance at which the two touch, m: negative for parts that overlap in the rest pose, which are meant to.
    pub(super) fn touching(&self) -> f64 {
        self.shapes.at_rest.min(0.0)
    }

    /// Closest points of the two, if they may come too near in this frame.
    pub(super) fn nearest(&self, now: &Now<'_>, damper: Damper) -> Option<Nearest> {
        let (model, kinematics) = (now.model, &now.snapshot.kinematics);
        let clearance = self.clearance(damper.clearance);
        let may_meet =
            |distance: f64, approach: f64| distance - clearance < (approach + SUDDEN) * damper.response;
        let ShapePair { geoms, bodies, .. } = self.shapes;
        let near = nearest(model, kinematics, geoms, clearance + FASTEST * damper.response)?;
        let velocity = |side: usize| kinematics.point_velocity(bodies[side], &near.points[side]);
        let approach = near.normal.dot(&(velocity(0) - velocity(1)));
        may_meet(near.distance, approach).then_some(near)
    }
}

/// Pairs of every shape of one side with every shape of the other.
pub(super) fn pairs(model: &Model, sides: &[Vec<BodyId>; 2], name: &str, place: &Place) -> Vec<Pair> {
    let shapes = ShapePair::all(model, |a, b| {
        side_of(model, sides, a) == Some(0) && side_of(model, sides, b) == Some(1)
    });
    shapes.into_iter().map(|shapes| Pair::new(model, shapes, name, &origin_of(place))).collect()
}

/// The side of the nearest named body, from `body` up the tree.
fn side_of(model: &Model, sides: &[Vec<BodyId>; 2], mut body: BodyId) -> Option<usize> {
    loop {
        match sides.iter().position(|side| side.contains(&body)) {
            Some(side) => return Some(side),
            None => body = model.bodies[body.0].parent?,
        }
    }
}

/// The lists of one kind that are in use. Lists that are equal for many characters, such as the pairs of limbs of one
/// body, are stored once.
pub(super) struct SharedLists<T>(Mutex<Vec<Weak<[T]>>>);

impl<T: PartialEq> SharedLists<T> {
    const fn new() -> Self {
        SharedLists(Mutex::new(Vec::new()))
    }

    /// The shared list with these elements: the existing one if there is one.
    pub(super) fn list(&self, of: Vec<T>) -> Arc<[T]> {
        // Without the lock, an unshared list serves as well.
        let Ok(mut known) = self.0.lock() else { return of.into() };
        known.retain(|list| list.strong_count() > 0);
        if let Some(same) = known.iter().filter_map(Weak::upgrade).find(|list| **list == *of) {
            return same;
        }
        let list: Arc<[T]> = of.into();
        known.push(Arc::downgrade(&list));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_are_one_as_long_as_somebody_has_it() {
        static LISTS: SharedLists<u32> = SharedLists::new();
        let first = LISTS.list(vec![1, 2]);
        assert!(Arc::ptr_eq(&first, &LISTS.list(vec![1, 2])));
        assert_eq!(*LISTS.list(vec![1, 3]), [1, 3]);
        drop(first);
        LISTS.list(vec![]);
        assert_eq!(LISTS.0.lock().map(|known| known.len()).ok(), Some(1), "what nobody has is forgotten");
    }
}
