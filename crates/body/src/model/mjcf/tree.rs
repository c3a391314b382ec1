//! The bodies, depth first in file order, with their joints, geoms and sites.

use super::defaults::{Defaults, MAIN};
use super::element::Element;
use super::frame::{self, BodyElement};
use super::mesh::Meshes;
use super::names::{ElementNames, Suffix};
use super::settings::{CompilerSettings, InertiaFromGeom};
use super::shape::ReadGeom;
use super::{inertia, joint, shape};
use crate::model::companion::RootSpec;
use crate::model::warning::Ignored;
use crate::model::xml::Tree;
use crate::model::{Body, BodyId, BodyInertia, Joint, JointKind, Model};
use aplomb_language::diagnostic::FileError;
use nalgebra::Vector3;

/// Largest number of velocity coordinates of one body relative to its parent.
const MOST_COORDINATES: usize = 6;

/// State of the reader of bodies, and its results.
pub(super) struct TreeReader<'a> {
    settings: &'a CompilerSettings,
    defaults: &'a Defaults<'a>,
    meshes: &'a Meshes<'a>,
    /// The model under construction.
    pub model: Model,
    bodies: ElementNames,
    joints: ElementNames,
    geoms: ElementNames,
    sites: ElementNames,
    /// Root joint that overrides the file's.
    pub root: Option<RootSpec>,
    /// Errors found.
    pub errors: Vec<FileError>,
    /// The element of each body.
    pub body_elements: Vec<Element<'a>>,
    /// Ball and free joints with dry friction.
    pub friction: Ignored,
    /// Shapes for display only.
    pub seen: Ignored,
}

/// A body still to be read.
struct UnreadBody<'a> {
    item: BodyElement<'a>,
    parent: Option<BodyId>,
}

impl<'a> TreeReader<'a> {
    pub(super) fn new(
        tree: &Tree,
        settings: &'a CompilerSettings,
        defaults: &'a Defaults<'a>,
        meshes: &'a Meshes<'a>,
        model: Model,
    ) -> Self {
        TreeReader {
            settings,
            defaults,
            meshes,
            model,
            bodies: ElementNames::of(tree, &["body"]),
            joints: ElementNames::of(tree, &["joint", "freejoint"]),
            geoms: ElementNames::of(tree, &["geom"]),
            sites: ElementNames::of(tree, &["site"]),
            root: None,
            errors: Vec::new(),
            body_elements: Vec::new(),
            friction: Ignored::default(),
            seen: Ignored::default(),
        }
    }

    /// Reads a `<worldbody>` and its content, except bodies that are `left_out`.
    pub(super) fn read(&mut self, worldbody: Element<'a>, left_out: impl Fn(&Element) -> bool) {
        let mut waiting = Vec::new();
        let items = self.contents(worldbody, MAIN, &Suffix::default());
        self.read_shapes(&items, None);
        push_bodies(&mut waiting, items.into_iter().filter(|item| !left_out(&item.element)), None);
        while let Some(UnreadBody { item, parent }) = waiting.pop() {
            let childclass = self.defaults.class_named(&item.element, "childclass");
            let childclass = self.take(childclass).flatten().unwrap_or(item.childclass);
            let id = self.read_body(&BodyElement { childclass, ..item.clone() }, parent);
            let items = self.contents(item.element, childclass, &item.suffix);
            if self.root == Some(RootSpec::Free) && id == BodyId(0) {
                self.free_root(&items, item.element);
            }
            self.read_content(&items, id);
            push_bodies(&mut waiting, items.into_iter(), Some(id));
        }
    }

    /// Names of all joints of the file, including refused ones.
    pub(super) fn joint_names(&self) -> ElementNames {
        self.joints.clone()
    }

    fn contents(
        &mut self,
        element: Element<'a>,
        childclass: &'a str,
        suffix: &Suffix,
    ) -> Vec<BodyElement<'a>> {
        let items = frame::contents(element, childclass, suffix, self.settings, self.defaults);
        self.take(items).unwrap_or_default()
    }

    /// The value read; an error is recorded, and reading continues.
    fn take<T>(&mut self, read: Result<T, FileError>) -> Option<T> {
        read.map_err(|error| self.errors.push(error)).ok()
    }

    fn read_body(&mut self, item: &BodyElement<'a>, parent: Option<BodyId>) -> BodyId {
        let element = item.element;
        let id = BodyId(self.model.bodies.len());
        let name = self.bodies.take(&element, &item.suffix, || format!("body{}", id.0));
        let name = self.take(name).unwrap_or_else(|| format!("body{}", id.0));
        let (first_joint, first_dof) = (self.model.joints.len(), self.model.nv);
        let last_dof = parent.and_then(|parent| self.model.bodies[parent.0].last_dof);
        let position = self.take(element.vector("pos", Vector3::zeros())).unwrap_or_default();
        let orientation = self.take(self.settings.orientation(&element)).unwrap_or_default();
        self.model.bodies.push(Body {
            name,
            parent,
            position: frame::point(&item.frame, position),
            orientation: frame::turn(&item.frame, orientation),
            inertia: inertia::NONE,
            joints: first_joint..first_joint,
            dofs: first_dof..first_dof,
            last_dof,
            pad: None,
            line: element.line(),
        });
        self.body_elements.push(element);
        id
    }

    /// Reads joints, shapes and inertia of a body.
    fn read_content(&mut self, items: &[BodyElement<'a>], id: BodyId) {
        for item in items.iter().filter(|item| matches!(item.element.tag(), "joint" | "freejoint")) {
            let read = self.read_joint(item, id);
            self.take(read);
        }
        let from_geoms = self.read_shapes(items, Some(id));
        let mut inertials = items.iter().filter(|item| item.element.tag() == "inertial");
        let first = inertials.next();
        let inertial = first.map(|item| inertia::read(item.element, &item.frame, self.settings));
        let inertial = inertial.and_then(|inertial| self.take(inertial));
        if let Some(second) = inertials.next() {
            self.errors.push(second.element.error("a body has one <inertial>"));
        }
        let given = match (inertial, self.settings.inertia_from_geom) {
            (_, InertiaFromGeom::Always) => from_geoms,
            (None, InertiaFromGeom::Missing) if first.is_none() => from_geoms,
            (Some(inertial), _) => inertial,
            (None, _) => inertia::NONE,
        };
        self.model.bodies[id.0].inertia = inertia::bounded(given, self.settings.least);
    }

    fn read_joint(&mut self, item: &BodyElement<'a>, id: BodyId) -> Result<(), FileError> {
        // A freejoint has no class, so that no class for other joints gives it damping or armature.
        let element = match item.element.tag() {
            "freejoint" => item.element,
            _ => self.defaults.apply(item.element, item.childclass)?,
        };
        let body = &self.model.bodies[id.0];
        let nth = body.joints.len();
        let name = self.joints.take(&element, &item.suffix, || match (element.tag(), nth) {
            ("freejoint", _) => "root".to_string(),
            (_, 0) => format!("{}_joint", body.name),
            _ => format!("{}_joint{}", body.name, nth + 1),
        })?;
        let joint::DrivenJoint { joint, armature, torque_limits } =
            joint::read(element, &item.frame, self.settings, name, id)?;
        if joint.kind == JointKind::Free && body.parent.is_some() {
            return Err(element.error("a free joint belongs to a body whose parent is the world"));
        }
        let coordinates = body.dofs.len() + joint.kind.nv();
        if coordinates > MOST_COORDINATES {
            return Err(element.error(format!(
                "body `{}` has more than {MOST_COORDINATES} coordinates",
                super::element::shortened(&body.name)
            )));
        }
        if joint.kind.nv() > 1
            && joint.friction > 0.0
            && let Some(attribute) = element.attribute("frictionloss")
        {
            self.friction.add(format!("`{}`", joint.name), attribute.span());
        }
        self.add_joint(joint, armature, torque_limits);
        Ok(())
    }

    /// Adds a free joint to the first body, unless the file has one.
    fn free_root(&mut self, items: &[BodyElement<'a>], element: Element<'a>) {
        let joints = || items.iter().filter(|item| matches!(item.element.tag(), "joint" | "freejoint"));
        let is_free = |item: &BodyElement| {
            item.element.tag() == "freejoint"
                || item.element.attribute("type").is_some_and(|kind| kind.value == "free")
        };
        if joints().any(is_free) {
            return;
        }
        if joints().next().is_some() {
            let error = element.error("the root is to be free, and the file gives it joints to the world");
            self.errors.push(error.help("leave out `root`, or these joints"));
            return;
        }
        let name = if self.joints.is_given("root") { "free_root" } else { "root" }.to_string();
        let joint = Joint::free(name, BodyId(0), element.line());
        self.add_joint(joint, 0.0, None);
    }

    /// Adds a joint to its body, with the torque limits of its coordinates, if any.
    fn add_joint(&mut self, mut joint: Joint, armature: f64, torque_limits: Option<[f64; 2]>) {
        let model = &mut self.model;
        let id = joint.body;
        joint.q_index = model.nq;
        joint.v_index = model.nv;
        for coordinate in 0..joint.kind.nv() {
            let dof = model.nv + coordinate;
            let body = &mut model.bodies[id.0];
            model.dof_parent.push(body.last_dof);
            model.dof_body.push(id);
            model.dof_names.push(coordinate_name(&joint.name, &joint.kind, coordinate));
            model.armature.push(armature);
            model.torque_limits.push(torque_limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]));
            model.velocity_limits.push(f64::INFINITY);
            model.is_actuated.push(joint.kind != JointKind::Free);
            body.last_dof = Some(dof);
            body.dofs.end = dof + 1;
        }
        model.nq += joint.kind.nq();
        model.nv += joint.kind.nv();
        model.bodies[id.0].joints.end += 1;
        model.joints.push(joint);
    }

    /// Reads the geoms and sites of a body (`None`: the world) and returns the inertia of its geoms.
    fn read_shapes(&mut self, items: &[BodyElement<'a>], id: Option<BodyId>) -> BodyInertia {
        let owner = id.map_or("world".to_string(), |id| self.model.bodies[id.0].name.clone());
        let weighed = match self.settings.inertia_from_geom {
            InertiaFromGeom::Always => true,
            InertiaFromGeom::Never => false,
            InertiaFromGeom::Missing => !items.iter().any(|item| item.element.tag() == "inertial"),
        };
        let mut parts = Vec::new();
        let mut sites = 0;
        let mut geoms = 0;
        for item in items {
            match item.element.tag() {
                "geom" => {
                    geoms += 1;
                    let made_up = format!("{owner}_geom{geoms}");
                    let read = self.read_geom(item, id, made_up, weighed && id.is_some());
                    parts.extend(self.take(read).flatten());
                }
                "site" => {
                    sites += 1;
                    let read = self.read_site(item, id, format!("{owner}_site{sites}"));
                    self.take(read);
                }
                _ => {}
            }
        }
        inertia::combine(&parts)
    }

    /// Reads a geom and returns its inertia; `None` if it is for display only.
    fn read_geom(
        &mut self,
        item: &BodyElement<'a>,
        id: Option<BodyId>,
        made_up: String,
        weighed: bool,
    ) -> Result<Option<BodyInertia>, FileError> {
        let element = self.defaults.apply(item.element, item.childclass)?;
        let name = self.geoms.take(&element, &item.suffix, || made_up)?;
        match shape::read_geom(element, &item.frame, self.settings, self.meshes, name, id, weighed)? {
            ReadGeom::Solid { geom, inertia } => {
                self.model.geoms.push(*geom);
                Ok(Some(inertia))
            }
            ReadGeom::Seen { what } => {
                self.seen.add(what.into(), element.tag_span());
                Ok(None)
            }
        }
    }

    fn read_site(
        &mut self,
        item: &BodyElement<'a>,
        id: Option<BodyId>,
        made_up: String,
    ) -> Result<(), FileError> {
        let element = self.defaults.apply(item.element, item.childclass)?;
        let name = self.sites.take(&element, &item.suffix, || made_up)?;
        let site = shape::read_site(element, &item.frame, self.settings, name, id)?;
        self.model.sites.push(site);
        Ok(())
    }
}

/// Pushes the bodies onto the stack so that the first is popped first.
fn push_bodies<'a>(
    waiting: &mut Vec<UnreadBody<'a>>,
    items: impl Iterator<Item = BodyElement<'a>>,
    parent: Option<BodyId>,
) {
    let start = waiting.len();
    waiting.extend(items.filter(|item| item.element.tag() == "body").map(|item| UnreadBody { item, parent }));
    waiting[start..].reverse();
}

/// Name of one velocity coordinate of a joint.
fn coordinate_name(joint: &str, kind: &JointKind, coordinate: usize) -> String {
    match kind {
        JointKind::Free => format!("{joint}.{}", ["x", "y", "z", "wx", "wy", "wz"][coordinate]),
        JointKind::Ball => format!("{joint}.{}", ["wx", "wy", "wz"][coordinate]),
        JointKind::Hinge { .. } | JointKind::Slide { .. } => joint.to_string(),
    }
}
