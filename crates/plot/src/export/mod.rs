//! Traces in the formats of other programs.

mod bvh;
mod csv;
mod foxglove;
mod gltf;
mod jsonl;
mod npz;
mod scene;

use aplomb_language::diagnostic::FileErrors;
use aplomb_trace::Trace;
use foxglove::FoxgloveError;
pub use foxglove::FoxgloveMessages;
use nalgebra::{Quaternion, UnitQuaternion};
use npz::NpzFile;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Tables: `frames.csv`, `contacts.csv`, `external.csv`; with passive objects `objects.csv`; if parts of the body
    /// press on each other, `self_contacts.csv`; and `columns.csv`, which describes the columns of the other tables.
    Csv,
    /// One JSON object per line, `trace.jsonl`, and `scene.xml`, the MJCF file with the same coordinates.
    Jsonl,
    /// `foxglove.mcap`: shapes, poses and forces in the standard messages of 3-D viewers.
    Foxglove,
    /// `scene.xml`: the character and its surroundings at the first frame in MJCF.
    Mjcf,
    /// `motion.bvh`: the character's skeleton and its motion, without shapes.
    Bvh,
    /// `scene.glb`: the whole scene as an animation in glTF 2.0.
    Gltf,
    /// `motion.npz`: joints and bodies as arrays, in the layout that motion tracking in mjlab and Isaac Lab reads,
    /// and `scene.xml`, the MJCF file with the same order of joints and bodies. See [`export_motion`].
    Npz,
}

/// Names of all files that an export may write into a folder.
pub const FILES: [&str; 12] = [
    "frames.csv",
    "contacts.csv",
    "external.csv",
    "objects.csv",
    "self_contacts.csv",
    "columns.csv",
    "trace.jsonl",
    "scene.xml",
    "foxglove.mcap",
    "motion.bvh",
    "scene.glb",
    "motion.npz",
];

impl ExportFormat {
    /// All formats.
    pub const ALL: [ExportFormat; 7] = [
        ExportFormat::Csv,
        ExportFormat::Jsonl,
        ExportFormat::Foxglove,
        ExportFormat::Mjcf,
        ExportFormat::Bvh,
        ExportFormat::Gltf,
        ExportFormat::Npz,
    ];

    /// Name of the format on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ExportFormat::Csv => "csv",
            ExportFormat::Jsonl => "jsonl",
            ExportFormat::Foxglove => "foxglove",
            ExportFormat::Mjcf => "mjcf",
            ExportFormat::Bvh => "bvh",
            ExportFormat::Gltf => "gltf",
            ExportFormat::Npz => "npz",
        }
    }

    /// The format with this name.
    pub fn of_name(name: &str) -> Option<ExportFormat> {
        ExportFormat::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Why a trace could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file or its folder could not be created or written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The trace's header contains no text of kind `model`.
    #[error("the trace does not hold the text of its model")]
    NoModel,
    /// The model in the trace cannot be read.
    #[error("the model in the trace cannot be read")]
    Model(#[source] FileErrors),
    /// The trace has no character.
    #[error("this run has no character, and so no skeleton")]
    NoCharacter,
    /// A number that is not finite, or more numbers than the format can hold.
    #[error("the run has no form in this format")]
    Form(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An unsupported number of frames per second.
    #[error("{fps} frames per second are not between 0.1 and 10 000")]
    Rate {
        /// The requested value, 1/s.
        fps: f64,
    },
    /// A frame whose numbers are not a configuration of the model.
    #[error("frame {frame} is not a configuration of the trace's model")]
    Misfit {
        /// Number of the frame.
        frame: u64,
    },
}

/// Writes the trace into the folder, which is created if it is missing, and returns the paths of the files.
///
/// # Errors
///
/// If the folder or a file cannot be written.
pub fn export(
    trace: &Trace,
    folder: impl AsRef<Path>,
    format: ExportFormat,
) -> Result<Vec<PathBuf>, ExportError> {
    let folder = folder.as_ref();
    fs::create_dir_all(folder).map_err(|source| ExportError::Write { path: folder.to_path_buf(), source })?;
    match format {
        ExportFormat::Csv => csv::export(trace, folder),
        ExportFormat::Jsonl => {
            let scene = scene::xml(trace)?;
            let paths = [folder.join("trace.jsonl"), folder.join("scene.xml")];
            write(&paths[0], |file| jsonl::write(trace, file))?;
            write(&paths[1], |file| file.write_all(scene.as_bytes()))?;
            Ok(paths.to_vec())
        }
        ExportFormat::Foxglove => {
            let path = folder.join("foxglove.mcap");
            let unwritten = |source| ExportError::Write { path: path.clone(), source };
            let file = io::BufWriter::new(fs::File::create(&path).map_err(unwritten)?);
            foxglove::write(trace, file).map_err(|error| match error {
                FoxgloveError::Trace(error) => *error,
                FoxgloveError::File(error) => unwritten(io::Error::other(error)),
            })?;
            Ok(vec![path])
        }
        ExportFormat::Mjcf => one(folder, "scene.xml", scene::xml(trace)?.as_bytes()),
        ExportFormat::Bvh => one(folder, "motion.bvh", bvh::text(trace)?.as_bytes()),
        ExportFormat::Gltf => one(folder, "scene.glb", &gltf::file(trace)?),
        ExportFormat::Npz => export_motion(trace, folder, None),
    }
}

/// Writes `motion.npz` and `scene.xml` into the folder, which is created if it is missing, and returns their paths.
///
/// There are `fps` rows per second; default: one per frame of the run. Between frames, configurations are
/// interpolated along the joints and the shortest rotation, velocities linearly; forces are those of the previous
/// frame. Numbers are f64, SI, in world axes:
///
/// | array | shape | |
/// |---|---|---|
/// | `fps` | (1,) | rows per second |
/// | `joint_pos` | (rows, nq − 7) | MuJoCo's `qpos` without the free joint; rad, m |
/// | `joint_vel` | (rows, nv − 6) | MuJoCo's `qvel` without the free joint; rad/s, m/s |
/// | `body_pos_w` | (rows, bodies, 3) | origin of each body's frame, m; body 0 is the root, not the world |
/// | `body_quat_w` | (rows, bodies, 4) | orientation of each body, w x y z |
/// | `body_lin_vel_w` | (rows, bodies, 3) | velocity of the origin of each body's frame, m/s |
/// | `body_ang_vel_w` | (rows, bodies, 3) | angular velocity, rad/s |
/// | `joint_torque` | (rows, nv − 6) | joint torque, N m or N; NaN in the last record of a run |
/// | `contact_force` | (rows, bodies, 3) | sum of contact forces, N; NaN in the last record of a run |
/// | `joint_names`, `body_names` | (joints,), (bodies,) | strings |
///
/// # Errors
///
/// If the trace has no character, if `fps` is not from 0.1 to 10 000, or if a file cannot be written.
pub fn export_motion(
    trace: &Trace,
    folder: impl AsRef<Path>,
    fps: Option<f64>,
) -> Result<Vec<PathBuf>, ExportError> {
    let folder = folder.as_ref();
    let (arrays, scene) = (NpzFile::of(trace, fps)?, scene::xml(trace)?);
    fs::create_dir_all(folder).map_err(|source| ExportError::Write { path: folder.to_path_buf(), source })?;
    let path = folder.join("motion.npz");
    let file = fs::File::create(&path).map(io::BufWriter::new);
    file.and_then(|file| arrays.write(file))
        .map_err(|source| ExportError::Write { path: path.clone(), source })?;
    Ok([vec![path], one(folder, "scene.xml", scene.as_bytes())?].concat())
}

/// Writes one file into the folder.
fn one(folder: &Path, name: &str, content: &[u8]) -> Result<Vec<PathBuf>, ExportError> {
    let path = folder.join(name);
    write(&path, |file| file.write_all(content))?;
    Ok(vec![path])
}

/// The unit quaternion of w, x, y, z.
fn unit([w, x, y, z]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
}

/// Creates the file and writes its content.
fn write(path: &Path, content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<(), ExportError> {
    let write = || {
        let mut file = io::BufWriter::new(fs::File::create(path)?);
        content(&mut file)?;
        io::Write::flush(&mut file)
    };
    write().map_err(|source| ExportError::Write { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests;
