//! Errors of meshes.

/// Why a mesh cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(#[from] std::io::Error),
    /// The file is of another kind.
    #[error("a mesh is an STL, OBJ or COLLADA (.dae) file")]
    UnknownKind,
    /// The file's content is not a mesh.
    #[error("{0}")]
    Broken(String),
}
