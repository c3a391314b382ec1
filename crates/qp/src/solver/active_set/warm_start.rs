//! The warm start: the active limits of the last solution, by label.
//!
//! Contacts appear and disappear between frames, and indices shift. Labels are shared, not copied, from frame
//! to frame, so that the same row has the same pointer, which is compared first; labels created again, as
//! after a jump to another time, are compared as text. Several columns with one name (the generators of a
//! contact) are distinguished by their order. Problems without labels are matched by index as long as their
//! size stays the same.

use super::limit::ActiveEnd;
use crate::Label;
use std::sync::Arc;

/// The active columns or rows of a list, with their sides.
#[derive(Clone, Debug, Default)]
pub(super) struct WarmStart {
    names: Vec<Arc<str>>,
    sides: Vec<Option<ActiveEnd>>,
}

impl WarmStart {
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.sides.clear();
    }

    /// Stores `sides` under `labels`, which may be empty.
    pub(super) fn store<K>(&mut self, labels: &[Label<K>], sides: &[Option<ActiveEnd>]) {
        self.sides.clear();
        self.sides.extend_from_slice(sides);
        let mut pairs = self.names.iter().zip(labels);
        let are_shared = pairs.all(|(name, label)| Arc::ptr_eq(name, &label.name));
        if self.names.len() != labels.len() || !are_shared {
            self.names.clear();
            self.names.extend(labels.iter().map(|label| label.name.clone()));
        }
    }

    fn is_same<K>(&self, labels: &[Label<K>]) -> bool {
        self.names.len() == labels.len()
            && self.names.iter().zip(labels).all(|(name, label)| is_one(name, &label.name))
    }

    /// Writes the stored side of each of `sides.len()` limits, `None` where it was inactive or absent.
    /// Returns whether the limits are the same as when the sides were stored.
    pub(super) fn recall<K>(&self, labels: &[Label<K>], sides: &mut [Option<ActiveEnd>]) -> bool {
        if self.sides.len() == sides.len() && self.is_same(labels) {
            sides.copy_from_slice(&self.sides);
            return true;
        }
        sides.fill(None);
        if labels.len() != sides.len() || self.names.len() != self.sides.len() {
            return false;
        }
        let mut run = 0;
        let mut at = 0;
        while at < labels.len() {
            let name = &labels[at].name;
            let length = labels[at..].iter().take_while(|label| is_one(&label.name, name)).count();
            if let Some(found) = self.find(name, run) {
                let known = self.names[found..].iter().take_while(|known| is_one(known, name)).count();
                let both = length.min(known);
                sides[at..at + both].copy_from_slice(&self.sides[found..found + both]);
                run = found + both;
            }
            at += length;
        }
        false
    }

    /// The first column with this name, searched from `start` on and then from the beginning.
    fn find(&self, name: &Arc<str>, start: usize) -> Option<usize> {
        let count = self.names.len();
        (start..count).chain(0..start.min(count)).find(|&k| is_one(&self.names[k], name))
    }
}

/// Whether two names are equal: shared from frame to frame, or created again with the same text.
fn is_one(a: &Arc<str>, b: &Arc<str>) -> bool {
    Arc::ptr_eq(a, b) || **a == **b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RowKind, RowLabel};

    const LOWER: Option<ActiveEnd> = Some(ActiveEnd::Lower);
    const UPPER: Option<ActiveEnd> = Some(ActiveEnd::Upper);

    fn label(name: &Arc<str>) -> RowLabel {
        Label { kind: RowKind::Other, name: name.clone(), unit: "1", origin: crate::Origin::default() }
    }

    #[test]
    fn sides_follow_their_labels_when_columns_come_and_go() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(Arc::<str>::from);
        let mut memory = WarmStart::default();
        memory.store(&[&a, &b, &b, &c].map(label), &[None, LOWER, UPPER, LOWER]);
        let mut sides = [UPPER; 6];
        assert!(!memory.recall(&[&d, &c, &a, &b, &b, &b].map(label), &mut sides));
        assert_eq!(sides, [None, LOWER, None, LOWER, UPPER, None]);
    }

    #[test]
    fn a_label_made_anew_with_the_same_words_is_the_same() {
        let mut memory = WarmStart::default();
        memory.store(&[label(&"a".into())], &[LOWER]);
        let mut sides = [UPPER];
        assert!(memory.recall(&[label(&"a".into())], &mut sides));
        assert_eq!(sides, [LOWER]);
        assert!(!memory.recall(&[label(&"b".into())], &mut sides));
        assert_eq!(sides, [None]);
    }

    #[test]
    fn without_labels_the_size_decides() {
        let mut memory = WarmStart::default();
        memory.store::<RowKind>(&[], &[None, LOWER]);
        let mut sides = [UPPER; 2];
        assert!(memory.recall::<RowKind>(&[], &mut sides));
        assert_eq!(sides, [None, LOWER]);
        let mut sides = [UPPER; 3];
        assert!(!memory.recall::<RowKind>(&[], &mut sides));
        assert_eq!(sides, [None; 3]);
    }
}
