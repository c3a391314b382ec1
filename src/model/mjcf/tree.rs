//! The bodies, depth first in file order, with their joints, geoms and sites.

use super::defaults::{Defaults, MAIN};
use super::element::Element;
use super::names::Names;
use super::settings::{InertiaFromGeom, Settings};
use super::{inertia, joint, shape};
use crate::language::diagnostic::FileError;
use crate::model::{Body, BodyId, JointKind, Model};
use nalgebra::Vector3;
use roxmltree::Document;

/// Most velocity coordinates one body may have against its parent.
const MOST_COORDINATES: usize = 6;

/// What reading the bodies needs besides the bodies.
pub(super) struct TreeReader<'a> {
    settings: &'a Settings,
    defaults: &'a Defaults<'a>,
    model: &'a mut Model,
    bodies: Names,
    joints: Names,
    geoms: Names,
    sites: Names,
}

/// A body still to be read.
struct Waiting<'a> {
    element: Element<'a>,
    parent: Option<BodyId>,
    childclass: &'a str,
}

impl<'a> TreeReader<'a> {
    pub fn new(
        document: &Document,
        settings: &'a Settings,
        defaults: &'a Defaults<'a>,
        model: &'a mut Model,
    ) -> Self {
        TreeReader {
            settings,
            defaults,
            model,
            bodies: Names::of(document, &["body"]),
            joints: Names::of(document, &["joint", "freejoint"]),
            geoms: Names::of(document, &["geom"]),
            sites: Names::of(document, &["site"]),
        }
    }

    /// Reads a `<worldbody>` with everything in it.
    pub fn read(&mut self, worldbody: Element<'a>) -> Result<(), FileError> {
        let mut waiting = Vec::new();
        self.read_shapes(worldbody, None, MAIN)?;
        push_children(&mut waiting, worldbody, None, MAIN);
        while let Some(Waiting { element, parent, childclass }) = waiting.pop() {
            let childclass = self.defaults.class_named(&element, "childclass")?.unwrap_or(childclass);
            let id = self.read_body(element, parent, childclass)?;
            push_children(&mut waiting, element, Some(id), childclass);
        }
        Ok(())
    }

    fn read_body(
        &mut self,
        element: Element<'a>,
        parent: Option<BodyId>,
        childclass: &str,
    ) -> Result<BodyId, FileError> {
        let id = BodyId(self.model.bodies.len());
        let name = self.bodies.take(&element, || format!("body{}", id.0))?;
        let first_joint = self.model.joints.len();
        let first_dof = self.model.nv;
        let last_dof = parent.and_then(|parent| self.model.bodies[parent.0].last_dof);
        self.model.bodies.push(Body {
            name,
            parent,
            position: element.vector("pos", Vector3::zeros())?,
            orientation: self.settings.orientation(&element)?,
            inertia: inertia::NONE,
            joints: first_joint..first_joint,
            dofs: first_dof..first_dof,
            last_dof,
            line: element.line(),
        });
        for child in element.children().filter(|child| matches!(child.tag(), "joint" | "freejoint")) {
            self.read_joint(child, id, childclass)?;
        }
        let from_geoms = self.read_shapes(element, Some(id), childclass)?;
        let mut inertials = element.children().filter(|child| child.tag() == "inertial");
        let inertial = inertials.next().map(|inertial| inertia::read(inertial, self.settings)).transpose()?;
        if let Some(second) = inertials.next() {
            return Err(second.error("a body has one <inertial>"));
        }
        self.model.bodies[id.0].inertia = match (inertial, self.settings.inertia_from_geom) {
            (_, InertiaFromGeom::Always) | (None, InertiaFromGeom::Missing) => from_geoms,
            (Some(inertial), _) => inertial,
            (None, InertiaFromGeom::Never) => inertia::NONE,
        };
        Ok(id)
    }

    fn read_joint(&mut self, element: Element<'a>, id: BodyId, childclass: &str) -> Result<(), FileError> {
        // A freejoint has no class, so that no class meant for other joints gives it damping or armature.
        let element = match element.tag() {
            "freejoint" => element,
            _ => self.defaults.apply(element, childclass)?,
        };
        let body = &self.model.bodies[id.0];
        let nth = body.joints.len();
        let name = self.joints.take(&element, || match (element.tag(), nth) {
            ("freejoint", _) => "root".to_string(),
            (_, 0) => format!("{}_joint", body.name),
            _ => format!("{}_joint{}", body.name, nth + 1),
        })?;
        let joint::DrivenJoint { mut joint, armature, torque_limits } =
            joint::read(element, self.settings, name, id)?;
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
        let model = &mut *self.model;
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
            model.is_actuated.push(joint.kind != JointKind::Free);
            body.last_dof = Some(dof);
            body.dofs.end = dof + 1;
        }
        model.nq += joint.kind.nq();
        model.nv += joint.kind.nv();
        model.bodies[id.0].joints.end += 1;
        model.joints.push(joint);
        Ok(())
    }

    /// Reads the geoms and sites of a body (`None`: the world) and returns the inertia of its geoms.
    fn read_shapes(
        &mut self,
        parent: Element<'a>,
        id: Option<BodyId>,
        childclass: &str,
    ) -> Result<crate::model::BodyInertia, FileError> {
        let owner = id.map_or("world".to_string(), |id| self.model.bodies[id.0].name.clone());
        let mut parts = Vec::new();
        let mut sites = 0;
        for child in parent.children() {
            match child.tag() {
                "geom" => {
                    let child = self.defaults.apply(child, childclass)?;
                    let name = self.geoms.take(&child, || format!("{owner}_geom{}", parts.len() + 1))?;
                    let massive = shape::read_geom(child, self.settings, name, id)?;
                    parts.push(massive.inertia);
                    self.model.geoms.push(massive.geom);
                }
                "site" => {
                    let child = self.defaults.apply(child, childclass)?;
                    sites += 1;
                    let name = self.sites.take(&child, || format!("{owner}_site{sites}"))?;
                    self.model.sites.push(shape::read_site(child, self.settings, name, id)?);
                }
                _ => {}
            }
        }
        Ok(inertia::combine(&parts))
    }
}

/// Puts the child bodies on the stack so that the first comes off first.
fn push_children<'a>(
    waiting: &mut Vec<Waiting<'a>>,
    element: Element<'a>,
    parent: Option<BodyId>,
    childclass: &'a str,
) {
    let bodies = element.children().filter(|child| child.tag() == "body");
    let bodies = bodies.map(|element| Waiting { element, parent, childclass });
    let start = waiting.len();
    waiting.extend(bodies);
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
