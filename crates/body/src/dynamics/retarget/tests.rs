use super::*;
use crate::model::mjcf;
use aplomb_language::diagnostic::Source;

fn adult() -> Model {
    let text = include_str!("../../../../../characters/adult.xml");
    mjcf::read(&Source::new("adult.xml", text)).unwrap()
}

/// A figure that holds its arms out at rest, in cm, y up and facing z, as animators have it.
const FIGURE: [(&str, Option<&str>, [f64; 3]); 15] = [
    ("Hips", None, [0.0, 95.0, 0.0]),
    ("Spine", Some("Hips"), [0.0, 10.0, 0.0]),
    ("Chest", Some("Spine"), [0.0, 15.0, 0.0]),
    ("Head", Some("Chest"), [0.0, 30.0, 0.0]),
    ("LeftArm", Some("Chest"), [20.0, 20.0, 0.0]),
    ("LeftForeArm", Some("LeftArm"), [28.0, 0.0, 0.0]),
    ("LeftHand", Some("LeftForeArm"), [25.0, 0.0, 0.0]),
    ("RightArm", Some("Chest"), [-20.0, 20.0, 0.0]),
    ("RightForeArm", Some("RightArm"), [-28.0, 0.0, 0.0]),
    ("RightHand", Some("RightForeArm"), [-25.0, 0.0, 0.0]),
    ("LeftUpLeg", Some("Hips"), [9.0, -2.0, 0.0]),
    ("LeftLeg", Some("LeftUpLeg"), [0.0, -42.0, 0.0]),
    ("LeftFoot", Some("LeftLeg"), [0.0, -43.0, 0.0]),
    ("RightUpLeg", Some("Hips"), [-9.0, -2.0, 0.0]),
    ("RightLeg", Some("RightUpLeg"), [0.0, -42.0, 0.0]),
];

/// The figure in one frame in which joints are turned: name, axis, degrees.
fn figure(turns: &[(&str, bvh::Axis, f64)]) -> Motion {
    let index = |name: &str| FIGURE.iter().position(|(own, ..)| *own == name).unwrap();
    let joints = FIGURE.iter().map(|(name, parent, offset)| bvh::Joint {
        name: (*name).into(),
        parent: parent.map(index),
        offset: Vector3::from(*offset),
        channels: [bvh::Axis::Z, bvh::Axis::X, bvh::Axis::Y].map(bvh::Channel::Rotation).to_vec(),
        end: None,
    });
    let joints: Vec<bvh::Joint> = joints.collect();
    let mut frame = vec![0.0; 3 * joints.len()];
    for (name, axis, degrees) in turns {
        let order = [bvh::Axis::Z, bvh::Axis::X, bvh::Axis::Y].iter().position(|own| own == axis).unwrap();
        frame[3 * index(name) + order] = *degrees;
    }
    Motion { joints, frame_time: 0.01, frames: vec![frame] }
}

fn angle(model: &Model, q: &[f64], joint: &str) -> f64 {
    q[model.joints[model.joint(joint).unwrap().0].q_index]
}

/// From shoulder to hand, of unit length.
fn arm(model: &Model, q: &[f64], side: &str) -> Vector3<f64> {
    let poses = model.body_poses(q);
    let at = |part: &str| poses[model.body(&format!("{side}_{part}")).unwrap().0].translation.vector;
    (at("hand") - at("upper_arm")).normalize()
}

#[test]
fn arms_that_are_held_out_are_held_out() {
    let model = adult();
    let still = retarget(&figure(&[]), &model).unwrap();
    let out = arm(&model, &still.frames[0], "left");
    assert!((out - Vector3::y()).norm() < 0.05, "{out}");
    let lowered = figure(&[("LeftArm", bvh::Axis::Z, -90.0), ("RightArm", bvh::Axis::Z, 90.0)]);
    let down = retarget(&lowered, &model).unwrap();
    for side in ["left", "right"] {
        let down = arm(&model, &down.frames[0], side);
        assert!((down + Vector3::z()).norm() < 0.05, "{side}: {down}");
    }
}

#[test]
fn knees_and_trunk_bend_as_much_and_the_way_they_did() {
    let model = adult();
    let bent = figure(&[("RightLeg", bvh::Axis::X, 60.0), ("LeftUpLeg", bvh::Axis::X, -45.0)]);
    let result = retarget(&bent, &model).unwrap();
    let q = &result.frames[0];
    assert!((angle(&model, q, "right_knee").abs() - 60_f64.to_radians()).abs() < 1e-3);
    let poses = model.body_poses(q);
    let knee = |side: &str| poses[model.body(&format!("{side}_thigh")).unwrap().0].rotation * -Vector3::z();
    // A thigh that is lifted goes forward; hip and knee of this body are not quite above each other.
    let forward = Vector3::new(0.5_f64.sqrt(), 0.0, -(0.5_f64.sqrt()));
    assert!((knee("left") - forward).norm() < 0.05, "{}", knee("left"));
    assert!(model.lowest_point(&poses).abs() < 1e-9);
}

#[test]
fn the_axis_that_is_up_is_told_from_the_figure() {
    let model = adult();
    let turns = [("LeftLeg", bvh::Axis::X, 30.0), ("Chest", bvh::Axis::X, 10.0)];
    let mut figure = figure(&turns);
    let whole = retarget(&figure, &model).unwrap();
    // The same in m with z up, facing −y.
    let turn = |v: Vector3<f64>| Vector3::new(v.x, -v.z, v.y);
    for joint in &mut figure.joints {
        joint.offset = 0.01 * turn(joint.offset);
        for channel in &mut joint.channels {
            if let bvh::Channel::Rotation(axis) = channel {
                *axis = match axis {
                    bvh::Axis::X => bvh::Axis::X,
                    bvh::Axis::Y => bvh::Axis::Z,
                    bvh::Axis::Z => bvh::Axis::Y,
                };
            }
        }
    }
    let again = retarget(&figure, &model).unwrap();
    for (a, b) in whole.frames[0].iter().zip(&again.frames[0]) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

#[test]
fn a_skeleton_of_strangers_is_refused_and_one_that_lies_at_rest_too() {
    let model = adult();
    let mut strange = figure(&[]);
    strange.joints.iter_mut().enumerate().for_each(|(index, joint)| joint.name = format!("bone{index}"));
    assert!(matches!(retarget(&strange, &model), Err(RetargetError::Unknown { .. })));
    let mut leaning = figure(&[]);
    let lean = bvh::turn(bvh::Axis::X, 42.0);
    leaning.joints.iter_mut().for_each(|joint| joint.offset = lean * joint.offset);
    assert!(matches!(retarget(&leaning, &model), Err(RetargetError::Posture { .. })));
}

#[test]
fn joints_stop_at_their_limits_and_what_is_missing_is_told() {
    let model = adult();
    let result = retarget(&figure(&[("LeftLeg", bvh::Axis::X, -60.0)]), &model).unwrap();
    let joint = &model.joints[model.joint("left_knee").unwrap().0];
    let [low, high] = joint.range.unwrap();
    assert!((low..=high).contains(&result.frames[0][joint.q_index]));
    assert!(result.missing > 0.3, "{}", result.missing);
}
