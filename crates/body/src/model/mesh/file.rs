//! Meshes from STL, OBJ and COLLADA files.

use super::{Mesh, collada};
use aplomb_language::files::border;
use nalgebra::Vector3;
use std::collections::HashMap;
use std::path::Path;

/// Opens a mesh, in the length unit of the file; COLLADA files in m.
///
/// # Errors
/// A file that does not exist, is of another kind, or is damaged.
pub(crate) fn open(path: &Path) -> Result<Mesh, MeshError> {
    let kind = path.extension().and_then(|kind| kind.to_str()).map(str::to_ascii_lowercase);
    let mut bytes = border::bytes(path)?;
    if kind.as_deref() == Some("stl") {
        tell_binary(&mut bytes)?;
    }
    let (mut unit, mut says_y_is_up) = (1.0, false);
    if kind.as_deref() == Some("dae") {
        says_y_is_up = collada::says_y_is_up(&bytes);
        unit = collada::take_unit(&mut bytes)?;
    }
    let read = || match kind.as_deref() {
        Some("stl") => mesh_loader::stl::from_slice(&bytes).map(|scene| scene.meshes),
        Some("obj") => {
            // Materials are not needed.
            let nothing = |_: &Path| Ok(Vec::new());
            mesh_loader::obj::from_slice(&bytes, None, nothing).map(|scene| scene.meshes)
        }
        Some("dae") => mesh_loader::collada::from_slice(&bytes).map(|scene| scene.meshes),
        _ => Err(std::io::Error::from(std::io::ErrorKind::Unsupported)),
    };
    // The library panics at some damaged files.
    let meshes = border::guarded(read).ok_or_else(|| MeshError::Broken("damaged".into()))?;
    let meshes = meshes.map_err(|error| match error.kind() {
        std::io::ErrorKind::Unsupported => MeshError::UnknownKind,
        _ => MeshError::Broken(error.to_string()),
    })?;
    let mut mesh = Mesh { says_y_is_up, ..joined(&meshes) };
    mesh.points.iter_mut().for_each(|point| *point *= unit);
    match mesh.points.iter().flatten().all(|value| value.is_finite()) {
        true if mesh.triangles.is_empty() => Err(MeshError::Broken("has no triangles".into())),
        true => Ok(mesh),
        false => Err(MeshError::Broken("has points that are not finite".into())),
    }
}

/// The 80-byte header of a binary STL file may begin like a text file; the file's length and number of
/// triangles decide which it is.
///
/// # Errors
/// A binary file that is shorter than its triangles.
fn tell_binary(bytes: &mut [u8]) -> Result<(), MeshError> {
    let count = bytes.get(80..84).and_then(|count| <[u8; 4]>::try_from(count).ok()).map(u32::from_le_bytes);
    let Some(count) = count else { return Ok(()) };
    let (length, whole) = (bytes.len() as u64, 84 + 50 * u64::from(count));
    if length == whole {
        bytes[..80].fill(0);
    } else if length < whole && !bytes.starts_with(b"solid") {
        let there = (length - 84) / 50;
        return Err(MeshError::Broken(format!("is cut off: it says {count} triangles, and has {there}")));
    }
    Ok(())
}

/// All meshes as one, with equal points merged.
fn joined(meshes: &[mesh_loader::Mesh]) -> Mesh {
    let mut known: HashMap<[u32; 3], usize> = HashMap::new();
    let mut whole = Mesh::default();
    for mesh in meshes {
        let mut place = |vertex: &[f32; 3]| {
            *known.entry(vertex.map(|value| (value + 0.0).to_bits())).or_insert_with(|| {
                whole.points.push(Vector3::from(vertex.map(f64::from)));
                whole.points.len() - 1
            })
        };
        let places: Vec<usize> = mesh.vertices.iter().map(&mut place).collect();
        let triangles = mesh.faces.iter().filter_map(|face| {
            let [a, b, c] = face.map(|vertex| places.get(vertex as usize).copied());
            Some([a?, b?, c?])
        });
        whole.triangles.extend(triangles);
    }
    whole
}

/// Why a mesh cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MeshError {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_file_that_is_shorter_than_its_triangles_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("short.stl");
        let mut bytes = vec![0; 84 + 50 * 3];
        bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        let error = open(&path).err().unwrap().to_string();
        assert_eq!(error, "is cut off: it says 4294967295 triangles, and has 3");
    }
}
