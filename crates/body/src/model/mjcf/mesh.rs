//! Meshes for contacts and inertia: assets, read when a geom needs them.

use super::defaults::Defaults;
use super::element::{Attribute, Element, shortened};
use super::settings::{CompilerSettings, quaternion};
use crate::model::mesh::{self, Mesh, MeshTransform, Weighing};
use aplomb_language::diagnostic::FileError;
use aplomb_math::geometry::{Hull, convex_hull};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The meshes of a file by name.
pub(super) struct Meshes<'a> {
    assets: BTreeMap<String, Element<'a>>,
    /// Folder of their files; `None` if the model is not a file.
    folder: Option<PathBuf>,
    strip_path: bool,
    read: RefCell<BTreeMap<String, Loaded>>,
}

/// A mesh that was read.
#[derive(Clone)]
pub(super) struct Loaded {
    mesh: Arc<Mesh>,
    hull: Option<(Arc<Hull>, Vector3<f64>)>,
    weighing: Weighing,
}

impl<'a> Meshes<'a> {
    /// `assets` are all elements of `<asset>`; `model` is the model file.
    pub(super) fn find(
        assets: impl Iterator<Item = Element<'a>>,
        model: Option<&Path>,
        settings: &CompilerSettings,
        defaults: &'a Defaults<'a>,
    ) -> Result<Self, FileError> {
        let mut found = BTreeMap::new();
        for asset in assets.filter(|asset| asset.tag() == "mesh") {
            let asset = defaults.apply_main(asset)?;
            let of_file = || {
                let file = Path::new(asset.own("file")?.value.trim()).file_stem()?;
                Some(file.to_string_lossy().into_owned())
            };
            if let Some(name) = asset.own("name").map(|name| name.value.to_string()).or_else(of_file) {
                found.entry(name).or_insert(asset);
            }
        }
        let folder = model.map(|model| model.parent().unwrap_or(Path::new("")).join(&settings.mesh_folder));
        Ok(Meshes { assets: found, folder, strip_path: settings.strip_path, read: RefCell::default() })
    }

    /// The mesh of a geom.
    pub(super) fn of(&self, geom: &Element) -> Result<Loaded, FileError> {
        let wanted = geom.required("mesh")?;
        if let Some(read) = self.read.borrow().get(wanted.value) {
            return Ok(read.clone());
        }
        let Some(asset) = self.assets.get(wanted.value) else {
            let name = shortened(wanted.value);
            let error = wanted.error(format!("there is no mesh `{name}` in <asset>"));
            return Err(error.suggest(&name, self.assets.keys().map(String::as_str)));
        };
        let weighing = match asset.keyword("inertia", &["legacy", "convex", "exact", "shell"])? {
            "convex" => Weighing::Convex,
            "exact" => Weighing::Exact,
            "shell" => return Err(asset.error("a mesh with the mass of a shell is not modelled")),
            _ => Weighing::Legacy,
        };
        let mesh = self.open(asset)?.changed(&change(asset)?);
        let hull = mesh.hull().map(|(hull, middle)| (Arc::new(hull), middle));
        let loaded = Loaded { mesh: Arc::new(mesh), hull, weighing };
        self.read.borrow_mut().insert(wanted.value.to_string(), loaded.clone());
        Ok(loaded)
    }

    fn open(&self, asset: &Element) -> Result<Mesh, FileError> {
        let Some(file) = asset.attribute("file") else { return written_out(asset) };
        let Some(folder) = &self.folder else {
            return Err(file
                .error("cannot be opened: this text was not read from a file")
                .help("write its points into `vertex`"));
        };
        let named = Path::new(file.value.trim());
        let named = if self.strip_path { Path::new(named.file_name().unwrap_or_default()) } else { named };
        let path = folder.join(named);
        mesh::open(&path).map_err(|error| file.error(format!("cannot read `{}`: {error}", path.display())))
    }
}

impl Loaded {
    /// The hull, and its centre in the axes of the mesh, m.
    pub(super) fn hull(&self, geom: &Element) -> Result<(Arc<Hull>, Vector3<f64>), FileError> {
        self.hull.clone().ok_or_else(|| geom.error("the points of this mesh are in one plane"))
    }

    /// Volume (m³), centre (m) and inertia about it at 1 kg/m³, in the axes of the mesh.
    pub(super) fn distribution(
        &self,
        geom: &Element,
    ) -> Result<(f64, Vector3<f64>, Matrix3<f64>), FileError> {
        let distribution = mesh::mass_distribution(&self.mesh, self.weighing);
        distribution.ok_or_else(|| geom.error("this mesh encloses nothing"))
    }
}

fn change(asset: &Element) -> Result<MeshTransform, FileError> {
    Ok(MeshTransform {
        origin: asset.vector("refpos", Vector3::zeros())?,
        axes: asset
            .attribute("refquat")
            .map_or(Ok(UnitQuaternion::identity()), |attribute| quaternion(&attribute))?,
        scale: asset.vector("scale", Vector3::repeat(1.0))?,
    })
}

/// A mesh with its points in the file: by `face`, otherwise their hull.
fn written_out(asset: &Element) -> Result<Mesh, FileError> {
    let Some(vertex) = asset.attribute("vertex") else {
        return Err(asset.error("<mesh> needs the attribute `file` or `vertex`"));
    };
    let threes = |attribute: &Attribute| -> Result<Vec<[f64; 3]>, FileError> {
        let numbers = attribute.numbers(1..=usize::MAX)?;
        match numbers.len() % 3 {
            0 => Ok(numbers.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect()),
            _ => Err(attribute.error("expected three numbers for each")),
        }
    };
    let points: Vec<Vector3<f64>> = threes(&vertex)?.into_iter().map(Vector3::from).collect();
    let Some(face) = asset.attribute("face") else {
        let hull = convex_hull(&points);
        let (points, triangles) = hull.ok_or_else(|| vertex.error("its points are in one plane"))?;
        return Ok(Mesh { points, triangles, ..Mesh::default() });
    };
    let corner = |number: f64| {
        let is_one = number >= 0.0 && number.fract() == 0.0 && (number as usize) < points.len();
        is_one.then_some(number as usize).ok_or_else(|| face.error(format!("there is no point {number}")))
    };
    let triangles = threes(&face)?.into_iter().map(|[a, b, c]| Ok([corner(a)?, corner(b)?, corner(c)?]));
    Ok(Mesh { triangles: triangles.collect::<Result<_, FileError>>()?, points, ..Mesh::default() })
}
