//! The whole body: COM, height, speeds, energy.

use super::Quantity;
use aplomb_body::dynamics::momentum;
use aplomb_body::model::JointKind;
use aplomb_language::expression::{Interval, Type, Value};
use nalgebra::Vector3;

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "com",
        arguments: &[],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Centre of mass.",
        value: |now, _| Value::Vector(now.snapshot.known_com()),
    },
    Quantity {
        name: "com_velocity",
        arguments: &[],
        result: Type::Vector,
        unit: "m/s",
        range: Interval::ANY,
        about: "Velocity of the centre of mass.",
        value: |now, _| Value::Vector(now.snapshot.known_com_velocity()),
    },
    Quantity {
        name: "com_speed",
        arguments: &[],
        result: Type::Number,
        unit: "m/s",
        range: Interval::NEVER_NEGATIVE,
        about: "Speed of the centre of mass.",
        value: |now, _| Value::Number(now.snapshot.known_com_velocity().norm()),
    },
    Quantity {
        name: "com_acceleration",
        arguments: &[],
        result: Type::Vector,
        unit: "m/s²",
        range: Interval::ANY,
        about: "Mean acceleration of the centre of mass in the previous frame; zero in the first.",
        value: |now, _| {
            let snapshot = now.snapshot;
            let change = snapshot.com_velocity_before.map(|before| snapshot.com_velocity - before);
            Value::Vector(change.unwrap_or_else(Vector3::zeros) / snapshot.scales.period)
        },
    },
    Quantity {
        name: "angular_momentum",
        arguments: &[],
        result: Type::Vector,
        unit: "N m s",
        range: Interval::ANY,
        about: "Angular momentum about the centre of mass.",
        value: |now, _| Value::Vector(momentum::centroidal_momentum(&now.snapshot.kinematics).moment),
    },
    Quantity {
        name: "kinetic_energy",
        arguments: &[],
        result: Type::Number,
        unit: "J",
        range: Interval::NEVER_NEGATIVE,
        about: "Kinetic energy of the character.",
        value: |now, _| Value::Number(momentum::kinetic_energy(now.model, &now.snapshot.kinematics)),
    },
    Quantity {
        name: "com_height",
        arguments: &[],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Height of the COM over the footing: the surfaces under the loaded feet, or the highest surface \
                under the COM if no foot is loaded.",
        value: |now, _| Value::Number(now.snapshot.com_height()),
    },
    Quantity {
        name: "standing_height",
        arguments: &[],
        result: Type::Number,
        unit: "m",
        range: Interval::NEVER_NEGATIVE,
        about: "Height h of the COM over the lowest point in the rest pose.",
        value: |now, _| Value::Number(now.snapshot.scales.height),
    },
    Quantity {
        name: "ground_height",
        arguments: &[],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Height of the ground in the world.",
        value: |now, _| Value::Number(now.snapshot.ground_height),
    },
    Quantity {
        name: "mass",
        arguments: &[],
        result: Type::Number,
        unit: "kg",
        range: Interval::NEVER_NEGATIVE,
        about: "Mass of the character.",
        value: |now, _| Value::Number(now.snapshot.scales.mass),
    },
    Quantity {
        name: "weight",
        arguments: &[],
        result: Type::Number,
        unit: "N",
        range: Interval::NEVER_NEGATIVE,
        about: "Mass × 9.81 m/s².",
        value: |now, _| Value::Number(now.snapshot.scales.weight()),
    },
    Quantity {
        name: "joint_speed",
        arguments: &[],
        result: Type::Number,
        unit: "rad/s",
        range: Interval::NEVER_NEGATIVE,
        about: "Largest rate of any hinge or ball joint.",
        value: |now, _| {
            let joints = now.model.joints.iter();
            let turning =
                joints.filter(|joint| matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Ball));
            let rates = turning.flat_map(|joint| {
                now.snapshot.state.v[joint.v_index..joint.v_index + joint.kind.nv()].iter()
            });
            Value::Number(rates.fold(0.0, |most, rate| rate.abs().max(most)))
        },
    },
    Quantity {
        name: "angle",
        arguments: &[Type::Joint],
        result: Type::Number,
        unit: "rad or m",
        range: Interval::ANY,
        about: "Position of a hinge or slide.",
        value: |now, arguments| {
            let (joint, sign) = super::joint_of(arguments[0]);
            let joint = &now.model.joints[joint.0];
            Value::Number(sign * now.snapshot.state.q[joint.q_index])
        },
    },
    Quantity {
        name: "joint_rate",
        arguments: &[Type::Joint],
        result: Type::Number,
        unit: "rad/s or m/s",
        range: Interval::ANY,
        about: "Rate of a hinge or slide.",
        value: |now, arguments| {
            let (joint, sign) = super::joint_of(arguments[0]);
            let joint = &now.model.joints[joint.0];
            Value::Number(sign * now.snapshot.state.v[joint.v_index])
        },
    },
    Quantity {
        name: "torque",
        arguments: &[Type::Joint],
        result: Type::Number,
        unit: "N m or N",
        range: Interval::ANY,
        about: "Torque of a hinge, or force of a slide, in the previous frame.",
        value: |now, arguments| {
            let (joint, sign) = super::joint_of(arguments[0]);
            let joint = &now.model.joints[joint.0];
            Value::Number(sign * now.snapshot.last_torque[joint.v_index])
        },
    },
    Quantity {
        name: "rest_angle",
        arguments: &[Type::Joint],
        result: Type::Number,
        unit: "rad or m",
        range: Interval::ANY,
        about: "Position of a hinge or slide in the rest pose.",
        value: |now, arguments| {
            let (joint, sign) = super::joint_of(arguments[0]);
            let joint = &now.model.joints[joint.0];
            Value::Number(sign * now.snapshot.rest[joint.q_index])
        },
    },
];
