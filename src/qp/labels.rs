//! Who asked for a row or column of a problem.

use crate::language::diagnostic::Place;
use std::ops::Deref;
use std::sync::Arc;

/// Who asked for a row or column, in words its author knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// e.g. `root force z`, `gap of left_foot.sole.2 over ground`, `knee_l at its upper limit`.
    pub name: Arc<str>,
    /// Unit of the row's value (of the column's, for a column).
    pub unit: &'static str,
    pub source: Place,
}

/// Labels in order. Emptied and filled with the same ones again, as from frame to frame, it touches none.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    list: Vec<Label>,
    count: usize,
}

impl Labels {
    pub fn clear(&mut self) {
        self.count = 0;
    }

    pub fn push(&mut self, label: &Label) {
        match self.list.get_mut(self.count) {
            Some(there) if Arc::ptr_eq(&there.name, &label.name) => {}
            Some(there) => there.clone_from(label),
            None => self.list.push(label.clone()),
        }
        self.count += 1;
    }

    pub fn extend<'l>(&mut self, labels: impl IntoIterator<Item = &'l Label>) {
        labels.into_iter().for_each(|label| self.push(label));
    }
}

impl Deref for Labels {
    type Target = [Label];

    fn deref(&self) -> &[Label] {
        &self.list[..self.count]
    }
}
