//! Lists that are the same for many characters, such as the names of the pairs of limbs of one body, are kept
//! once.

use std::sync::{Arc, Mutex, Weak};

/// The lists of one kind that are in use.
pub(crate) struct SharedLists<T>(Mutex<Vec<Weak<[T]>>>);

impl<T: PartialEq> SharedLists<T> {
    pub(crate) const fn new() -> Self {
        SharedLists(Mutex::new(Vec::new()))
    }

    /// The shared list with these elements: the existing one if there is one.
    pub(crate) fn list(&self, of: Vec<T>) -> Arc<[T]> {
        // Without the lock, a list of one's own is as good.
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
