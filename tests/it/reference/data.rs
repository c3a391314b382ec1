//! The files of the reference data.

use aplomb::language::diagnostic::Source;
use aplomb::model::{Model, mjcf};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
pub struct States {
    pub model: String,
    #[serde(default)]
    pub agreement_mujoco_vs_pinocchio: Agreement,
    pub cases: Vec<Case>,
}

/// Differences between the two engines that made the data.
#[derive(Deserialize, Default)]
pub struct Agreement {
    #[serde(default)]
    pub max_rel: BTreeMap<String, Option<f64>>,
}

#[derive(Deserialize)]
pub struct Case {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub tau: Vec<f64>,
    pub gravity: [f64; 3],
    #[serde(default)]
    pub external: Vec<External>,
    pub qacc_for_id: Vec<f64>,
    pub expected: Expected,
}

#[derive(Deserialize)]
pub struct External {
    pub body: String,
    pub point_local: [f64; 3],
    pub point_world: [f64; 3],
    pub force_world: [f64; 3],
    pub torque_world: [f64; 3],
}

/// A matrix as a list of rows.
pub type Rows = Vec<Vec<f64>>;

#[derive(Deserialize)]
#[allow(non_snake_case)]
pub struct Expected {
    pub M: Option<Rows>,
    pub h: Vec<f64>,
    pub qdd: Vec<f64>,
    pub tau_id: Vec<f64>,
    pub qfrc_external: Vec<f64>,
    pub bodies: BTreeMap<String, Pose>,
    pub points: Vec<Point>,
    pub com: [f64; 3],
    pub Jcom: Rows,
    pub lin_momentum: [f64; 3],
    pub ang_momentum_com: [f64; 3],
    pub A_ang: Option<Rows>,
    pub dmomentum_dt: MomentumRate,
    pub kinetic: f64,
    pub potential: f64,
    pub total_mass: f64,
}

#[derive(Deserialize)]
pub struct Pose {
    pub pos: [f64; 3],
    pub quat: [f64; 4],
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
pub struct Point {
    pub body: String,
    pub point_local: [f64; 3],
    pub point_world: [f64; 3],
    pub Jp: Rows,
    pub Jr: Rows,
    pub velocity: [f64; 3],
    pub acc_bias: [f64; 3],
    pub acc: [f64; 3],
    pub ang_vel: [f64; 3],
    pub ang_acc: [f64; 3],
}

#[derive(Deserialize)]
pub struct MomentumRate {
    pub linear: [f64; 3],
    pub angular_com: [f64; 3],
}

#[derive(Deserialize)]
pub struct Trajectory {
    pub model: String,
    pub gravity: [f64; 3],
    #[serde(default)]
    pub quality: Quality,
    pub frames: Vec<Frame>,
}

#[derive(Deserialize, Default)]
pub struct Quality {
    #[serde(default)]
    pub max_diff_two_integrations: Option<f64>,
}

#[derive(Deserialize)]
pub struct Frame {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    #[serde(default)]
    pub uncertainty: f64,
    pub energy: f64,
    pub com: [f64; 3],
    pub lin_momentum: [f64; 3],
    pub ang_momentum_com: [f64; 3],
    pub ang_momentum_origin: [f64; 3],
}

/// The directory in `APLOMB_REFERENCE`, otherwise the copy in this repository.
fn root() -> PathBuf {
    match std::env::var_os("APLOMB_REFERENCE") {
        Some(directory) => directory.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference"),
    }
}

/// All files of one schema, each with its name and model. Files of other schemas are ignored, but a directory without
/// any file of this schema is an error, because it would prove nothing.
pub fn load<T: DeserializeOwned>(schema: &str, model: impl Fn(&T) -> &str) -> Vec<(String, Model, T)> {
    let root = root();
    let mut paths = Vec::new();
    collect_json(&root, &mut paths);
    paths.sort();
    let mut known = 0;
    let mut files = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let head: Schema = serde_json::from_str(&text).unwrap_or_default();
        known +=
            usize::from(head.schema.starts_with("refdata-states") || head.schema.starts_with("refdata-traj"));
        if head.schema == schema {
            let file: T = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let model = read_model(&path, model(&file));
            files.push((path.file_stem().unwrap_or_default().to_string_lossy().into(), model, file));
        }
    }
    assert!(known > 0, "no reference data under {}", root.display());
    files
}

#[derive(Deserialize, Default)]
struct Schema {
    #[serde(default)]
    schema: String,
}

fn collect_json(directory: &Path, paths: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display()));
    for path in entries.map(|entry| entry.expect("a readable directory").path()) {
        if path.is_dir() {
            collect_json(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
}

/// Model names are relative to a directory above the file that gives them.
fn read_model(referring: &Path, name: &str) -> Model {
    let path = referring
        .ancestors()
        .map(|directory| directory.join(name))
        .find(|path| path.is_file())
        .unwrap_or_else(|| panic!("{}: no model {name}", referring.display()));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    mjcf::read(&Source::new(name, text)).unwrap_or_else(|e| panic!("{e}"))
}
