//! Conversion of a model's bodies to those of a chain.

use super::system::Worn;
use super::{Ball, BodySpec, Chain, ChainError, JointRotation, JointSpec, RigidPose};
use aplomb_body::model::{self, Body, BodyId, Geom, Joint, Model, Shape};
use aplomb_math::geometry::box_corner;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// Properties of bones that their model does not have.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoneSettings {
    /// Air drag of a bone, N s/m.
    pub drag: f64,
    /// Stiffness of a joint limit, N m/rad.
    pub limit_stiffness: f64,
    /// Whether bones collide with surfaces and characters.
    pub touches: bool,
}

/// A model as bodies and joints of a chain, in the pose of its file. Bodies keep their indices.
pub(super) struct Bones {
    model: Model,
    /// Transform from the pose of the file to that of the scene.
    placed: Isometry3<f64>,
    /// Configuration of the file.
    pub q: Vec<f64>,
    pub bodies: Vec<BodySpec>,
    joints: Vec<JointSpec>,
    pub shapes: Vec<Worn>,
    pub balls: Vec<Ball>,
    /// Shortest length from a joint to the far side of its bone's centre of mass, m.
    pub shortest: f64,
}

impl Bones {
    /// The model translated (m) and rotated by roll, pitch and yaw (rad) about the origin of its first body,
    /// or the reason why it is not a skeleton.
    pub(super) fn new(
        model: Model,
        (by, [roll, pitch, yaw]): (Vector3<f64>, [f64; 3]),
        settings: &BoneSettings,
    ) -> Result<Bones, String> {
        if let Some(coupling) = model.couplings.first() {
            let name = &model.joints[coupling.follower.0].name;
            return Err(format!(
                "joint `{name}` is coupled to another one, which a skeleton does not support: use an \
                 `articulated` object"
            ));
        }
        let q = model.rest_configuration();
        let resting = model.body_poses(&q);
        let Some(first) = resting.first().map(|pose| pose.translation.vector) else {
            return Err("there is no body in this file".into());
        };
        let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
        let placed = Isometry3::from_parts(Translation3::from(first + by - turn * first), turn);
        let mut bones = Bones {
            placed,
            bodies: Vec::with_capacity(model.bodies.len()),
            joints: Vec::new(),
            shapes: Vec::new(),
            balls: Vec::new(),
            shortest: f64::INFINITY,
            q,
            model,
        };
        let poses = bones.poses(&bones.q);
        for (index, pose) in poses.iter().enumerate() {
            bones.add_body(index, pose, settings)?;
        }
        if bones.shortest == f64::INFINITY {
            bones.shortest = 1.0;
        }
        bones.add_shapes(settings.touches)?;
        Ok(bones)
    }

    /// Adds the body with this index, and its joint.
    fn add_body(&mut self, index: usize, pose: &RigidPose, settings: &BoneSettings) -> Result<(), String> {
        let body = &self.model.bodies[index];
        self.bodies.push(BodySpec {
            name: body.name.clone(),
            mass: body.inertia.mass,
            inertia: body.inertia.about_centre,
            position: pose.position,
            orientation: pose.orientation,
            drag: settings.drag,
        });
        if let Some(joint) = self.joint(index, pose, settings.limit_stiffness)? {
            let length = 2.0 * (joint.anchor - pose.position).norm();
            if length > 1e-6 {
                self.shortest = self.shortest.min(length);
            }
            self.joints.push(joint);
        }
        Ok(())
    }

    /// Adds all shapes of bodies, and the balls of their contacts if they have any.
    fn add_shapes(&mut self, touches: bool) -> Result<(), String> {
        let Bones { model, shapes, balls, .. } = self;
        let geoms = model.geoms.iter().filter_map(|geom| Some((geom, geom.body?)));
        for (geom, BodyId(body)) in geoms {
            let position = geom.position - model.bodies[body].inertia.centre;
            shapes.push(Worn { body, shape: geom.shape.clone(), position, orientation: geom.orientation });
            if geom.collides && touches {
                let round = round_parts(geom)?;
                let turned = |(center, radius): (Vector3<f64>, f64)| Ball {
                    body,
                    center: position + geom.orientation * center,
                    radius,
                };
                balls.extend(round.into_iter().map(turned));
            }
        }
        Ok(())
    }

    pub(super) fn chain(&self) -> Result<Chain, ChainError> {
        Chain::new(&self.bodies, &self.joints)
    }

    /// Poses of the centres of mass of its bodies.
    pub(super) fn poses(&self, q: &[f64]) -> Vec<RigidPose> {
        let pose = |(body, at): (&Body, Isometry3<f64>)| {
            let at = self.placed * at;
            let centre = at.translation.vector + at.rotation * body.inertia.centre;
            RigidPose { position: centre, orientation: at.rotation }
        };
        self.model.bodies.iter().zip(self.model.body_poses(q)).map(pose).collect()
    }

    /// Index of a hinge's angle in a configuration.
    pub(super) fn hinge(&self, name: &str) -> Option<usize> {
        let joint = &self.model.joints[self.model.joint(name)?.0];
        matches!(joint.kind, model::JointKind::Hinge { .. }).then_some(joint.q_index)
    }

    /// Names of all hinges.
    pub(super) fn hinges(&self) -> impl Iterator<Item = &str> {
        let joints = self.model.joints.iter();
        joints.filter(|joint| self.hinge(&joint.name).is_some()).map(|joint| joint.name.as_str())
    }

    /// The joint of a body, whose centre of mass is at `pose`, to its parent or to the world; none for a
    /// floating body.
    fn joint(
        &self,
        index: usize,
        pose: &RigidPose,
        limit_stiffness: f64,
    ) -> Result<Option<JointSpec>, String> {
        let body = &self.model.bodies[index];
        let other = body.parent.map(|BodyId(parent)| parent);
        let in_world =
            |point: &Vector3<f64>| pose.position + pose.orientation * (point - body.inertia.centre);
        let fixed = JointSpec {
            name: body.name.clone(),
            body: index,
            other,
            anchor: in_world(&Vector3::zeros()),
            kind: JointRotation::Fixed,
            stiffness: 0.0,
            damping: 0.0,
            stop_stiffness: limit_stiffness,
        };
        let joint = match &self.model.joints[body.joints.clone()] {
            [] => return Ok(Some(fixed)),
            [joint] => joint,
            joints => {
                let (count, line) = (joints.len(), body.line);
                return Err(format!("body `{}` (line {line}) has {count} joints: bones have one", body.name));
            }
        };
        let kind = match joint.kind {
            model::JointKind::Free => return Ok(None),
            model::JointKind::Slide { .. } => {
                return Err(format!("joint `{}` (line {}) is a slide: bones turn", joint.name, joint.line));
            }
            model::JointKind::Ball => JointRotation::Spherical { most: joint.range.map(|[_, most]| most) },
            model::JointKind::Hinge { axis } => JointRotation::Hinge {
                axis: pose.orientation * axis,
                range: joint.range.map(|range| range.map(|end| end - joint.reference)),
            },
        };
        self.check(joint)?;
        let (stiffness, damping) = (joint.stiffness, joint.damping);
        let (name, anchor) = (joint.name.clone(), in_world(&joint.anchor));
        Ok(Some(JointSpec { name, anchor, kind, stiffness, damping, ..fixed }))
    }

    /// Rejects properties that joints of skeletons cannot have.
    fn check(&self, joint: &Joint) -> Result<(), String> {
        let Joint { name, line, .. } = joint;
        let coordinates = joint.v_index..joint.v_index + joint.kind.nv();
        if self.model.armature[coordinates].iter().any(|armature| *armature != 0.0) {
            return Err(format!("joint `{name}` (line {line}) has an armature: bones have none"));
        }
        if joint.friction > 0.0 {
            return Err(format!("joint `{name}` (line {line}) has dry friction: bones have none"));
        }
        if joint.stiffness > 0.0 && joint.spring_reference != joint.reference {
            return Err(format!(
                "the spring of joint `{name}` (line {line}) is not slack in the file's pose"
            ));
        }
        Ok(())
    }
}

/// Balls that approximate a shape in contacts, in its own axes: centres (m) and radii (m).
fn round_parts(geom: &Geom) -> Result<Vec<(Vector3<f64>, f64)>, String> {
    match geom.shape {
        Shape::Sphere { radius } => Ok(vec![(Vector3::zeros(), radius)]),
        Shape::Capsule { radius, half_length } => {
            Ok([-1.0, 0.0, 1.0].map(|side| (side * half_length * Vector3::z(), radius)).to_vec())
        }
        Shape::Box { half_lengths } => {
            Ok((0..8).rev().map(|corner| (box_corner(&half_lengths, corner), 0.0)).collect())
        }
        Shape::Hull(ref hull) => Ok(hull.corners().iter().map(|corner| (*corner, 0.0)).collect()),
        Shape::Cylinder { .. } | Shape::Ellipsoid { .. } | Shape::Plane | Shape::Field(_) => {
            let (name, line) = (&geom.name, geom.line);
            Err(format!(
                "shape `{name}` (line {line}) collides, and a bone supports only spheres, capsules, boxes and meshes"
            ))
        }
    }
}
