//! Where a value of a scene or of its controller is written.

use super::load::SceneFiles;
use super::spec::FORMAT;
use crate::language::diagnostic::Source;
use crate::language::files::{Override, Target, Written};
use std::ops::Range;

impl SceneFiles {
    /// The file in which the value is written that an override replaces, and its bytes there; `None` where it is written
    /// nowhere (a default), or in a file that is included more than once.
    pub fn written(&self, item: &Override) -> Option<(Source, Range<usize>)> {
        if item.target == Target::Controller {
            return self.actor.as_ref()?.controller.written(item);
        }
        let file = self.scene_source.file_at(0);
        match item.written(&file, &FORMAT) {
            Written::Here(span) => Some((file, span)),
            Written::Within(..) | Written::Nowhere => None,
        }
    }
}
