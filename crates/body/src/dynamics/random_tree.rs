//! Trees of bodies for tests: built by hand, or drawn at random with a configuration and external forces.

use crate::model::{Body, BodyId, BodyInertia, Joint, JointKind, Model};
use aplomb_math::spatial::Force;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use proptest::collection::vec;
use proptest::prelude::*;

/// Plan of a joint: kind, anchor, reference and armature.
#[derive(Clone, Debug)]
pub(crate) struct JointPlan {
    pub kind: JointKind,
    pub anchor: Vector3<f64>,
    pub reference: f64,
    pub armature: f64,
}

impl JointPlan {
    pub(crate) fn new(kind: JointKind) -> Self {
        JointPlan { kind, anchor: Vector3::zeros(), reference: 0.0, armature: 0.0 }
    }
}

pub(crate) fn empty() -> Model {
    Model {
        name: "tree".into(),
        bodies: vec![],
        joints: vec![],
        geoms: vec![],
        sites: vec![],
        keyframes: vec![],
        gravity: Vector3::new(0.0, 0.0, -9.81),
        nq: 0,
        nv: 0,
        dof_parent: vec![],
        dof_body: vec![],
        dof_names: vec![],
        armature: vec![],
        couplings: vec![],
        torque_limits: vec![],
        velocity_limits: vec![],
        is_actuated: vec![],
        roles: Default::default(),
    }
}

/// Appends a body; `parent` must be the last body or one of its ancestors, so that numbering stays depth
/// first.
pub(crate) fn add_body(
    model: &mut Model,
    parent: Option<BodyId>,
    (position, orientation): (Vector3<f64>, UnitQuaternion<f64>),
    inertia: BodyInertia,
    joints: &[JointPlan],
) -> BodyId {
    let body = BodyId(model.bodies.len());
    let (first_joint, first_dof) = (model.joints.len(), model.nv);
    let mut last_dof = parent.and_then(|parent| model.bodies[parent.0].last_dof);
    for plan in joints {
        let name = format!("joint{}", model.joints.len());
        for k in 0..plan.kind.nv() {
            model.dof_parent.push(last_dof);
            model.dof_body.push(body);
            model.dof_names.push(format!("{name}.{k}"));
            model.armature.push(plan.armature);
            model.torque_limits.push([f64::NEG_INFINITY, f64::INFINITY]);
            model.velocity_limits.push(f64::INFINITY);
            model.is_actuated.push(plan.kind != JointKind::Free);
            last_dof = Some(model.nv + k);
        }
        let joint = joint(name, body, plan, model);
        model.joints.push(joint);
        model.nq += plan.kind.nq();
        model.nv += plan.kind.nv();
    }
    model.bodies.push(Body {
        name: format!("body{}", body.0),
        parent,
        position,
        orientation,
        inertia,
        joints: first_joint..model.joints.len(),
        dofs: first_dof..model.nv,
        last_dof,
        pad: None,
        line: 0,
    });
    body
}

/// A joint without springs and damping; its coordinates are the next ones.
fn joint(name: String, body: BodyId, plan: &JointPlan, model: &Model) -> Joint {
    Joint {
        name,
        body,
        kind: plan.kind,
        anchor: plan.anchor,
        range: None,
        reference: plan.reference,
        stiffness: 0.0,
        spring_reference: 0.0,
        damping: 0.0,
        friction: 0.0,
        q_index: model.nq,
        v_index: model.nv,
        line: 0,
    }
}

/// A configuration with all inputs of the algorithms.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub tau: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub gravity: Vector3<f64>,
    pub external: Vec<Force>,
}

/// Trees of one to eight bodies of all joint kinds, fixed, floating, welded and several in one model.
pub(crate) fn tree() -> impl Strategy<Value = (Model, Sample)> {
    vec(body_plan(), 1..8).prop_map(grow).prop_flat_map(|model| (sample(&model), Just(model)).prop_map(swap))
}

fn swap<A, B>((a, b): (A, B)) -> (B, A) {
    (b, a)
}

#[derive(Clone, Debug)]
struct BodyPlan {
    /// Number of levels from the previous body up to this one's parent.
    climb: usize,
    floats: bool,
    pose: (Vector3<f64>, UnitQuaternion<f64>),
    inertia: BodyInertia,
    joints: Vec<JointPlan>,
}

fn grow(plans: Vec<BodyPlan>) -> Model {
    let mut model = empty();
    for mut plan in plans {
        let mut parent = model.bodies.len().checked_sub(1).map(BodyId);
        for _ in 0..plan.climb {
            parent = parent.and_then(|body| model.bodies[body.0].parent);
        }
        if parent.is_none() && plan.floats {
            plan.joints = vec![JointPlan::new(JointKind::Free)];
        }
        add_body(&mut model, parent, plan.pose, plan.inertia, &plan.joints);
    }
    model
}

fn body_plan() -> impl Strategy<Value = BodyPlan> {
    let climb = prop_oneof![4 => Just(0usize), 2 => Just(1), 1 => Just(2), 1 => Just(9)];
    (climb, any::<bool>(), vector(0.4), orientation(), inertia(), vec(joint_plan(), 0..4)).prop_map(
        |(climb, floats, position, orientation, inertia, mut joints)| {
            // Axes that happen to be parallel would give a coordinate without inertia and a singular M.
            if joints.len() > 1 {
                joints.iter_mut().for_each(|joint| joint.armature += 0.05);
            }
            BodyPlan { climb, floats, pose: (position, orientation), inertia, joints }
        },
    )
}

fn joint_plan() -> impl Strategy<Value = JointPlan> {
    let axis = || orientation().prop_map(|turn| turn * Vector3::x());
    let kind = prop_oneof![
        3 => axis().prop_map(|axis| JointKind::Hinge { axis }),
        1 => axis().prop_map(|axis| JointKind::Slide { axis }),
        2 => Just(JointKind::Ball),
    ];
    let armature = prop_oneof![Just(0.0), 0.0..0.1];
    (kind, vector(0.2), -0.5..0.5, armature).prop_map(|(kind, anchor, reference, armature)| JointPlan {
        kind,
        anchor,
        reference,
        armature,
    })
}

fn inertia() -> impl Strategy<Value = BodyInertia> {
    // Half axes of a solid ellipsoid give physically possible principal moments.
    let axes = (0.05..0.3, 0.05..0.3, 0.05..0.3);
    (0.2..5.0, vector(0.2), axes, orientation()).prop_map(
        |(mass, centre, (a, b, c), turn): (f64, _, _, _)| {
            let (a, b, c): (f64, f64, f64) = (a * a, b * b, c * c);
            let principal = Matrix3::from_diagonal(&Vector3::new(b + c, c + a, a + b)) * (mass / 5.0);
            let turn = turn.to_rotation_matrix();
            BodyInertia { mass, centre, about_centre: turn.matrix() * principal * turn.matrix().transpose() }
        },
    )
}

fn vector(size: f64) -> impl Strategy<Value = Vector3<f64>> {
    [-size..size, -size..size, -size..size].prop_map(Vector3::from)
}

fn orientation() -> impl Strategy<Value = UnitQuaternion<f64>> {
    vector(2.5).prop_map(UnitQuaternion::from_scaled_axis)
}

fn sample(model: &Model) -> impl Strategy<Value = Sample> + use<> {
    let (nv, bodies) = (model.nv, model.bodies.len());
    let neutral = model.neutral_configuration();
    let model = model.clone();
    let numbers = |size: f64| vec(-size..size, nv);
    let force = (vector(10.0), vector(30.0)).prop_map(|(moment, force)| Force { moment, force });
    (numbers(2.0), numbers(3.0), numbers(20.0), numbers(20.0), vector(10.0), vec(force, bodies)).prop_map(
        move |(step, v, tau, acceleration, gravity, external)| {
            let mut q = vec![0.0; model.nq];
            crate::model::state::integrate(&model, &neutral, &step, &mut q);
            Sample { q, v, tau, acceleration, gravity, external }
        },
    )
}
