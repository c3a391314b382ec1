//! Labels of a problem's rows and columns: what each stands for, and where its author wrote it.

use std::ops::Deref;
use std::sync::Arc;

/// The meaning of a row of a frame's problem. Coordinates are velocity coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RowKind {
    /// A row of a problem that is not of a frame.
    #[default]
    Other,
    /// Equation of motion of an unactuated coordinate.
    RootDynamics {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Non-penetration: the gap between a candidate and a surface, by slot.
    #[doc(alias = "non-penetration")]
    #[doc(alias = "Signorini condition")]
    Gap {
        /// Pair index of the contact point.
        slot: usize,
    },
    /// A grip stays at the point at which it was made, by site.
    Grip {
        /// Index into the model's sites.
        site: usize,
    },
    /// A coupled joint follows its leader.
    Coupling {
        /// Index of the velocity coordinate that follows.
        coordinate: usize,
    },
    /// Dry friction keeps a joint from moving.
    Stuck {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// A joint torque is zero: the joint has no actuator, or the body is a ragdoll.
    Limp {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// A joint torque stays within the model's limit.
    TorqueLimit {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Collision avoidance: two shapes keep their clearance.
    KeepApart {
        /// Indices of the two geoms.
        geoms: [usize; 2],
    },
    /// The contact force on a body that is released falls to zero.
    Unloading {
        /// Index of the body.
        body: usize,
    },
    /// A load change on a foot beyond a rate, which has a cost.
    LoadChange {
        /// Index of the foot's body.
        body: usize,
    },
    /// A hard objective, by its index in the trace's list.
    Objective {
        /// Index into the controller's objectives.
        index: usize,
    },
}

/// The meaning of an unknown of a frame's problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnknownKind {
    /// An unknown of a problem that is not of a frame.
    #[default]
    Other,
    /// v⁺ of a velocity coordinate; its bounds come from the joint's range.
    Rate {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Coefficient of a contact's force, by slot.
    ContactForce {
        /// Pair index of the contact point.
        slot: usize,
    },
    /// Coefficient of a grip's force, by site.
    GripForce {
        /// Index into the model's sites.
        site: usize,
    },
    /// Reaction of the limit of a coordinate.
    #[doc(alias = "joint limit force")]
    StopReaction {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Coefficient of the force with which two parts of the body press on each other.
    #[doc(alias = "self-collision")]
    SelfContact {
        /// Indices of the two geoms.
        geoms: [usize; 2],
    },
    /// Coefficient of a force that another character exerts on this body by a grip or a contact.
    Load {
        /// Index of the character that exerts the force.
        by: usize,
    },
    /// Velocity of another character's body at a contact point on it, by slot.
    SurfaceVelocity {
        /// Pair index of the contact point.
        slot: usize,
    },
    /// Violation of a row that is relaxed.
    #[doc(alias = "slack")]
    Slack,
}

/// Label of a row or column: its kind, for programs, and its name, unit and origin, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<K> {
    /// The meaning of the row or column.
    pub kind: K,
    /// Name for people, e.g. `root force z`, `gap of left_foot.sole.2 over ground`, `knee_l at its upper
    /// limit`.
    pub name: Arc<str>,
    /// Unit of the row's value, or of the column's unknown.
    pub unit: &'static str,
    /// Place in a file that the row or column comes from.
    pub origin: Origin,
}

/// Place in a file that a row or column comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Origin {
    /// Name of the file; empty for a row that comes from no file.
    pub file: Arc<str>,
    /// Line of the file, from 1; 0 if there is none.
    pub line: usize,
}

/// Label of a row.
pub type RowLabel = Label<RowKind>;
/// Label of an unknown.
pub type UnknownLabel = Label<UnknownKind>;

/// The row or unknown that a limit belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// A limit of a row.
    Row(RowKind),
    /// A bound of an unknown.
    Bound(UnknownKind),
}

/// Labels in order. When the list is emptied and filled with the same labels, as from frame to frame, no
/// reference count changes.
#[derive(Clone, Debug)]
pub struct Labels<K> {
    list: Vec<Label<K>>,
    count: usize,
}

impl<K> Default for Labels<K> {
    fn default() -> Self {
        Labels { list: Vec::new(), count: 0 }
    }
}

impl<K: Copy + PartialEq> Labels<K> {
    /// Removes all labels and keeps the allocation.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Appends a label.
    pub fn push(&mut self, label: &Label<K>) {
        match self.list.get_mut(self.count) {
            Some(there) if Arc::ptr_eq(&there.name, &label.name) && there.kind == label.kind => {}
            Some(there) => there.clone_from(label),
            None => self.list.push(label.clone()),
        }
        self.count += 1;
    }

    /// Appends labels in order.
    pub fn extend<'l>(&mut self, labels: impl IntoIterator<Item = &'l Label<K>>)
    where
        K: 'l,
    {
        labels.into_iter().for_each(|label| self.push(label));
    }
}

impl<K> Deref for Labels<K> {
    type Target = [Label<K>];

    fn deref(&self) -> &[Label<K>] {
        &self.list[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_of_the_same_words_takes_its_new_kind() {
        let name: Arc<str> = "left hand".into();
        let label = |site| Label {
            kind: RowKind::Grip { site },
            name: name.clone(),
            unit: "m/s",
            origin: Origin::default(),
        };
        let mut labels = Labels::default();
        labels.push(&label(1));
        labels.clear();
        assert!(labels.is_empty());
        labels.push(&label(2));
        assert_eq!(labels[0].kind, RowKind::Grip { site: 2 });
    }
}
