//! Who asked for a row or column of a problem.

use std::ops::Deref;
use std::sync::Arc;

/// What a row of a frame's problem stands for. Coordinates are velocity coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RowKind {
    /// Of a problem that is no frame.
    #[default]
    Other,
    /// Equation of motion of an unactuated coordinate.
    RootDynamics {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Gap between a candidate and a surface, by slot.
    Gap {
        /// Pair index of the contact point.
        slot: usize,
    },
    /// A grip stays where it took hold, by site.
    Grip {
        /// Index into the model's sites.
        site: usize,
    },
    /// A joint goes where the one it follows has it.
    Coupling {
        /// Index of the velocity coordinate that follows.
        coordinate: usize,
    },
    /// Dry friction keeps a joint from moving.
    Stuck {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// A joint has no torque: it has no actuator, or the body is limp.
    Limp {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// A joint torque stays within the model's limit.
    TorqueLimit {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Two shapes are kept apart.
    KeepApart {
        /// Indices of the two geoms.
        geoms: [usize; 2],
    },
    /// A body that is released gives up its load.
    Unloading {
        /// Index of the body.
        body: usize,
    },
    /// A hard objective, by its place in the trace's list.
    Objective {
        /// Index into the controller's objectives.
        index: usize,
    },
}

/// What an unknown of a frame's problem stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnknownKind {
    /// Of a problem that is no frame.
    #[default]
    Other,
    /// v⁺ of a coordinate; its bounds are the joint's range.
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
    /// Reaction of the stops of a coordinate.
    StopReaction {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Coefficient of the force of someone who holds on to this body or touches it.
    Load {
        /// Index of the character who does.
        by: usize,
    },
    /// Velocity of another character's body under a contact, by slot.
    SurfaceVelocity {
        /// Pair index of the contact point.
        slot: usize,
    },
    /// How far a row gives way.
    Slack,
}

/// Who asked for a row or column: its kind for programs, and words that its author knows for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<K> {
    /// What the row or column stands for.
    pub kind: K,
    /// e.g. `root force z`, `gap of left_foot.sole.2 over ground`, `knee_l at its upper limit`.
    pub name: Arc<str>,
    /// Unit of the row's value (of the column's, for a column).
    pub unit: &'static str,
    /// Where its author wrote it.
    pub origin: Origin,
}

/// Where the author of a row or column wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Origin {
    /// Name of the file; empty where no file asked for it.
    pub file: Arc<str>,
    /// Line of the file, from 1; 0 where there is none.
    pub line: usize,
}

/// Of a row.
pub type RowLabel = Label<RowKind>;
/// Of an unknown.
pub type UnknownLabel = Label<UnknownKind>;

/// What a limit of a problem is set on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// A row.
    Row(RowKind),
    /// The bound of an unknown.
    Bound(UnknownKind),
}

/// Labels in order. Emptied and filled with the same ones again, as from frame to frame, it touches none.
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
    /// Removes all labels and keeps the memory.
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
