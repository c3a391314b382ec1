//! Meshes, as far as a body needs them.

use super::element::Element;
use super::xml::Tree;
use crate::language::diagnostic::FileError;

/// The mesh assets of a file.
pub(super) struct Meshes<'a> {
    #[expect(dead_code, reason = "read with collision meshes")]
    tree: &'a Tree,
}

impl<'a> Meshes<'a> {
    pub fn new(tree: &'a Tree) -> Self {
        Meshes { tree }
    }

    /// What is said of a geom whose mesh counts.
    pub fn refusal(&self, element: &Element) -> FileError {
        element.error("the mesh of this geom touches or weighs, and meshes are not read").help(
            "give the body an <inertial> and shapes without a mesh (box, capsule, …), and the mesh contype=\"0\" \
             conaffinity=\"0\"",
        )
    }
}
