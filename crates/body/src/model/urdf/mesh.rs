//! Collision meshes: found by the forms of paths that robot files use, and written as hulls.

use super::{error, numbers};
use crate::model::mesh::{self, MeshError, MeshTransform};
use crate::model::xml::XmlNode;
use aplomb_language::diagnostic::{FileError, Source};
use nalgebra::Vector3;
use std::path::{Path, PathBuf};

/// Environment variable of ROS with further package folders, separated by colons.
const PACKAGE_PATH: &str = "ROS_PACKAGE_PATH";

/// The hull of a mesh.
pub(super) struct Touching {
    /// Corners in the axes of the mesh, m.
    pub corners: Vec<Vector3<f64>>,
    /// Whether the mesh file declares y up.
    pub says_y_is_up: bool,
}

/// The hull of a mesh, or the reason why there is none.
pub(super) type HullResult = Result<Touching, String>;

/// Reads the mesh of a `<mesh>`.
///
/// # Errors
/// Invalid attributes; a mesh that cannot be read is not an error.
pub(super) fn read(shape: XmlNode) -> Result<HullResult, FileError> {
    let Some(file) = shape.attribute("filename") else {
        return Err(error(shape, "<mesh> needs the attribute `filename`".into()));
    };
    let scale = Vector3::from(numbers(shape, "scale", [1.0; 3])?);
    if scale.iter().any(|factor| *factor == 0.0) {
        return Err(error(shape, "<mesh> attribute `scale`: factors must not be 0".into()));
    }
    let reference = file.value.trim();
    let Some(path) = place(reference, shape.source()) else {
        return Ok(Err(format!("there is no `{reference}`")));
    };
    let read =
        mesh::open(&path).map(|mesh| mesh.changed(&MeshTransform { scale, ..MeshTransform::default() }));
    Ok(match read.map(|mesh| (mesh.hull(), mesh.says_y_is_up)) {
        Ok((Some((hull, middle)), says_y_is_up)) => {
            let corners = hull.corners().iter().map(|corner| corner + middle).collect();
            Ok(Touching { corners, says_y_is_up })
        }
        Ok((None, _)) => Err(format!("`{reference}` is flat")),
        Err(why @ MeshError::UnknownKind) => Err(format!("`{reference}`: {why}")),
        Err(why) => Err(format!("`{reference}` cannot be read: {why}")),
    })
}

/// The path of a file: `package://NAME/…` in a folder NAME that contains the robot's file or is next to such
/// a folder, or in one of the packages of ROS; a robot that was taken out of its package may also have the rest of the
/// path in its own folder or the one around it, or the file beside it. Otherwise relative to the folder of the
/// robot's file. `None` if there is no such file.
fn place(reference: &str, source: &Source) -> Option<PathBuf> {
    let own = source.path.as_deref()?.parent()?;
    // A bare name is relative to the working directory.
    let own = if own.as_os_str().is_empty() { Path::new(".") } else { own };
    let own = own.canonicalize().unwrap_or_else(|_| own.to_owned());
    let Some(named) = reference.strip_prefix("package://").or_else(|| reference.strip_prefix("model://"))
    else {
        let path = own.join(reference.strip_prefix("file://").unwrap_or(reference));
        return path.is_file().then_some(path);
    };
    let named = named.trim_start_matches('/');
    let (package, rest) = named.split_once('/').unwrap_or(("", named));
    let listed = std::env::var_os(PACKAGE_PATH).unwrap_or_default();
    let listed: Vec<PathBuf> = std::env::split_paths(&listed).collect();
    let around = own.ancestors().chain(listed.iter().map(PathBuf::as_path)).flat_map(|folder| {
        let is_package = folder.file_name().is_some_and(|name| name == package);
        [is_package.then(|| folder.join(rest)), Some(folder.join(named))].into_iter().flatten()
    });
    let unpacked = own.ancestors().take(2).map(|folder| folder.join(rest));
    let beside = Path::new(rest).file_name().map(|name| own.join(name));
    around.chain(unpacked).chain(beside).find(|path| path.is_file())
}
