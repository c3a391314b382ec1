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
fn figure(turns: &[(&str, bvh::CoordinateAxis, f64)]) -> SkeletonMotion {
    let index = |name: &str| FIGURE.iter().position(|(own, ..)| *own == name).unwrap();
    let joints = FIGURE.iter().map(|(name, parent, offset)| bvh::SkeletonJoint {
        name: (*name).into(),
        parent: parent.map(index),
        offset: Vector3::from(*offset),
        channels: [bvh::CoordinateAxis::Z, bvh::CoordinateAxis::X, bvh::CoordinateAxis::Y]
            .map(bvh::JointChannel::Rotation)
            .to_vec(),
        end: None,
    });
    let joints: Vec<bvh::SkeletonJoint> = joints.collect();
    let mut frame = vec![0.0; 3 * joints.len()];
    for (name, axis, degrees) in turns {
        let order = [bvh::CoordinateAxis::Z, bvh::CoordinateAxis::X, bvh::CoordinateAxis::Y]
            .iter()
            .position(|own| own == axis)
            .unwrap();
        frame[3 * index(name) + order] = *degrees;
    }
    SkeletonMotion { joints, frame_time: 0.01, frames: vec![frame] }
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
    let lowered =
        figure(&[("LeftArm", bvh::CoordinateAxis::Z, -90.0), ("RightArm", bvh::CoordinateAxis::Z, 90.0)]);
    let down = retarget(&lowered, &model).unwrap();
    for side in ["left", "right"] {
        let down = arm(&model, &down.frames[0], side);
        assert!((down + Vector3::z()).norm() < 0.05, "{side}: {down}");
    }
}

#[test]
fn knees_and_trunk_bend_as_much_and_the_way_they_did() {
    let model = adult();
    let bent =
        figure(&[("RightLeg", bvh::CoordinateAxis::X, 60.0), ("LeftUpLeg", bvh::CoordinateAxis::X, -45.0)]);
    let result = retarget(&bent, &model).unwrap();
    let q = &result.frames[0];
    assert!((angle(&model, q, "right_knee").abs() - 60_f64.to_radians()).abs() < 1e-3);
    let poses = model.body_poses(q);
    let knee = |side: &str| poses[model.body(&format!("{side}_thigh")).unwrap().0].rotation * -Vector3::z();
    // A thigh that is lifted swings forward; hip and knee of this body are not quite above each other.
    let forward = Vector3::new(0.5_f64.sqrt(), 0.0, -(0.5_f64.sqrt()));
    assert!((knee("left") - forward).norm() < 0.05, "{}", knee("left"));
    assert!(model.lowest_point(&poses).abs() < 1e-9);
}

#[test]
fn the_axis_that_is_up_is_told_from_the_figure() {
    let model = adult();
    let turns = [("LeftLeg", bvh::CoordinateAxis::X, 30.0), ("Chest", bvh::CoordinateAxis::X, 10.0)];
    let mut figure = figure(&turns);
    let whole = retarget(&figure, &model).unwrap();
    // The same figure in m, with z up and facing −y.
    let turn = |v: Vector3<f64>| Vector3::new(v.x, -v.z, v.y);
    for joint in &mut figure.joints {
        joint.offset = 0.01 * turn(joint.offset);
        for channel in &mut joint.channels {
            if let bvh::JointChannel::Rotation(axis) = channel {
                *axis = match axis {
                    bvh::CoordinateAxis::X => bvh::CoordinateAxis::X,
                    bvh::CoordinateAxis::Y => bvh::CoordinateAxis::Z,
                    bvh::CoordinateAxis::Z => bvh::CoordinateAxis::Y,
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
    let lean = bvh::turn(bvh::CoordinateAxis::X, 42.0);
    leaning.joints.iter_mut().for_each(|joint| joint.offset = lean * joint.offset);
    assert!(matches!(retarget(&leaning, &model), Err(RetargetError::Posture { .. })));
}

#[test]
fn joints_stop_at_their_limits_and_what_is_missing_is_told() {
    let model = adult();
    let result = retarget(&figure(&[("LeftLeg", bvh::CoordinateAxis::X, -60.0)]), &model).unwrap();
    let joint = &model.joints[model.joint("left_knee").unwrap().0];
    let [low, high] = joint.range.unwrap();
    assert!((low..=high).contains(&result.frames[0][joint.q_index]));
    assert!(result.missing > 0.3, "{}", result.missing);
}

/// The figure in one frame, with other names for its joints and the same hierarchy.
fn renamed(motion: &SkeletonMotion, name: impl Fn(&str) -> String) -> SkeletonMotion {
    let mut renamed = motion.clone();
    renamed.joints.iter_mut().for_each(|joint| joint.name = name(&joint.name));
    renamed
}

/// The joint that each body follows, except for hands and feet, which a figure may lack.
fn followed<'m>(motion: &'m SkeletonMotion, model: &Model) -> Vec<(String, &'m str)> {
    let pairs = retarget(motion, model).unwrap().pairs;
    let name = |(body, joint): &(BodyId, usize)| {
        (model.bodies[body.0].name.clone(), motion.joints[*joint].name.as_str())
    };
    pairs.iter().map(name).collect()
}

const BENT: [(&str, bvh::CoordinateAxis, f64); 3] = [
    ("LeftLeg", bvh::CoordinateAxis::X, 50.0),
    ("LeftUpLeg", bvh::CoordinateAxis::X, -30.0),
    ("RightForeArm", bvh::CoordinateAxis::Y, 40.0),
];

#[test]
fn a_joint_at_its_limit_holds_nothing_else_back_and_is_let_go_again() {
    let model = adult();
    let shoulder = &model.joints[model.joint("left_shoulder_y").unwrap().0];
    let [_, high] = shoulder.range.unwrap();
    let mut motion = figure(&[]);
    // Arms down, then the left one backward beyond its limit and back again; the joint that rotates it is
    // nearer to the trunk.
    let column =
        |name: &str, axis: usize| 3 * FIGURE.iter().position(|(own, ..)| *own == name).unwrap() + axis;
    let down = |back: f64| {
        let arm = bvh::turn(bvh::CoordinateAxis::X, back) * bvh::turn(bvh::CoordinateAxis::Z, -90.0);
        let mut frame = motion.frames[0].clone();
        for (axis, angle) in bvh::angles(&arm).into_iter().enumerate() {
            frame[column("LeftArm", axis)] = angle;
        }
        frame[column("RightArm", 0)] = 90.0;
        frame
    };
    motion.frames = [0.0, 30.0, 75.0, 110.0, 75.0, 30.0, 0.0].map(down).to_vec();
    let result = retarget(&motion, &model).unwrap();
    let still = &result.frames[0];
    for (frame, (q, back)) in
        result.frames.iter().zip([0.0_f64, 30.0, 75.0, 110.0, 75.0, 30.0, 0.0]).enumerate()
    {
        let wanted = back.to_radians().min(high);
        let is = q[shoulder.q_index] - still[shoulder.q_index];
        assert!((is - wanted).abs() < 0.02, "frame {frame}: {is} of {wanted}");
        for joint in model.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. })) {
            let bend = (q[joint.q_index] - still[joint.q_index]).abs();
            assert!(joint.name == shoulder.name || bend < 0.05, "frame {frame}: {} by {bend}", joint.name);
        }
    }
    let (short, frame) = result.short.unwrap();
    assert_eq!(
        (frame, short.joint.map(|joint| model.joints[joint.0].name.as_str())),
        (3, Some("left_shoulder_y"))
    );
    assert!((short.by - (110_f64.to_radians() - high)).abs() < 0.02, "{}", short.by);
}

#[test]
fn names_that_other_tools_give_mean_the_same_bones() {
    let model = adult();
    let plain = figure(&BENT);
    let expected = retarget(&plain, &model).unwrap();
    let behind = |name: &str| {
        let (side, own) = match name.strip_prefix("Left") {
            Some(own) => ("_L", own),
            None => name.strip_prefix("Right").map_or(("", name), |own| ("_R", own)),
        };
        let own = match own {
            "Arm" => "UpperArm",
            "ForeArm" => "LowerArm",
            "UpLeg" => "UpperLeg",
            "Leg" => "LowerLeg",
            own => own,
        };
        format!("{own}{side}")
    };
    let shin = |name: &str| match name.strip_suffix("UpLeg") {
        Some(side) => format!("{side}Leg"),
        None => name.strip_suffix("Leg").map_or(name.to_owned(), |side| format!("{side}Shin")),
    };
    let rooted = |name: &str| if name == "Hips" { "hero".to_owned() } else { format!("hero_{name}") };
    for other in [
        renamed(&plain, behind),
        renamed(&plain, shin),
        renamed(&plain, |name| format!("hero_{name}")),
        renamed(&plain, rooted),
        renamed(&plain, |name| format!("Bip01 {}", name.replace("Left", "L ").replace("Right", "R "))),
    ] {
        let result = retarget(&other, &model).unwrap();
        assert_eq!(result.pairs, expected.pairs, "{:?}", followed(&other, &model));
        assert_eq!(result.frames, expected.frames);
    }
}

#[test]
fn of_two_joints_of_one_name_the_one_before_the_knee_is_the_thigh() {
    let model = adult();
    let expected = retarget(&figure(&BENT), &model).unwrap();
    // Each leg is attached to its own joint, which never rotates.
    let mut motion = figure(&BENT);
    for side in ["Left", "Right"] {
        let at = motion.joints.iter().position(|joint| joint.name == format!("{side}UpLeg")).unwrap();
        let holder = bvh::SkeletonJoint {
            name: format!("{}HipJoint", &side[..1]),
            parent: motion.joints[at].parent,
            offset: Vector3::zeros(),
            channels: Vec::new(),
            end: None,
        };
        for parent in motion.joints.iter_mut().filter_map(|joint| joint.parent.as_mut()) {
            *parent += usize::from(*parent >= at);
        }
        motion.joints.insert(at, holder);
        motion.joints[at + 1].parent = Some(at);
    }
    let named = renamed(&motion, |name| match name.strip_suffix("UpLeg") {
        Some(side) => format!("{side}Hip"),
        None => name.replace("Leg", "Knee"),
    });
    let result = retarget(&named, &model).unwrap();
    assert!(followed(&named, &model).iter().any(|pair| pair == &("left_thigh".into(), "LeftHip")));
    assert_eq!(result.frames, expected.frames);
    // A rotating joint without a known name is found as the joint before the knee.
    let nameless = renamed(&motion, |name| if name == "LeftUpLeg" { "what".into() } else { name.into() });
    assert!(followed(&nameless, &model).iter().any(|pair| pair == &("left_thigh".into(), "what")));
}

#[test]
fn what_nothing_follows_and_what_follows_nothing_is_said() {
    let model = adult();
    let known = retarget(&figure(&BENT), &model).unwrap();
    let names =
        |bodies: &[BodyId]| bodies.iter().map(|body| model.bodies[body.0].name.clone()).collect::<Vec<_>>();
    // The figure has no right foot.
    assert_eq!((names(&known.idle), known.unheeded.len()), (vec!["right_foot".to_owned()], 0));
    let strange =
        renamed(&figure(&BENT), |name| if name == "LeftLeg" { "LeftWhat".into() } else { name.into() });
    let result = retarget(&strange, &model).unwrap();
    assert_eq!(names(&result.idle), ["left_shank", "right_foot"]);
    assert_eq!(
        result.unheeded.iter().map(|at| strange.joints[*at].name.as_str()).collect::<Vec<_>>(),
        ["LeftWhat"]
    );
}

#[test]
fn whichever_axis_is_up_no_skeleton_is_off_by_no_number() {
    let model = adult();
    let mut figure = figure(&BENT);
    for joint in &mut figure.joints {
        joint.offset = Vector3::new(joint.offset.x, -joint.offset.z, joint.offset.y);
    }
    // Lengths with other rounding errors.
    for step in 0..60 {
        let mut other = figure.clone();
        for (index, joint) in other.joints.iter_mut().enumerate() {
            joint.offset *= 0.9 + 0.2 * (0.618_033_988_749_894_9 * (7 * step + index) as f64).fract();
        }
        if let Err(error) = retarget(&other, &model) {
            panic!("{step}: {error}");
        }
    }
}

#[test]
fn an_arm_that_hangs_aside_is_swung_as_far_back_as_its_shoulder_goes_and_the_trunk_stays() {
    let model = adult();
    let column = |name: &str| 3 * FIGURE.iter().position(|(own, ..)| *own == name).unwrap();
    for (back, most) in [(60.0, 0.03), (75.0, 0.26), (110.0, 0.87)] {
        let mut motion = figure(&[("RightArm", bvh::CoordinateAxis::Z, 70.0)]);
        let arm = bvh::angles(
            &(bvh::turn(bvh::CoordinateAxis::X, back) * bvh::turn(bvh::CoordinateAxis::Z, -70.0)),
        );
        motion.frames[0][column("LeftArm")..][..3].copy_from_slice(&arm);
        let result = retarget(&motion, &model).unwrap();
        assert!(result.missing < most, "{back}: {}", result.missing);
        let q = &result.frames[0];
        let end = model.joints[model.joint("left_shoulder_y").unwrap().0].range.unwrap()[1];
        let swung = angle(&model, q, "left_shoulder_y");
        assert!(swung <= end && (back < 70.0 || swung > end - 1e-9), "{back}: {swung}");
        let rest = model.joints.iter().filter(|joint| !joint.name.contains("shoulder"));
        for joint in rest.filter(|joint| matches!(joint.kind, JointKind::Hinge { .. })) {
            // Knees and elbows are never quite straight.
            assert!(angle(&model, q, &joint.name).abs() < 0.05, "{back}: {}", joint.name);
        }
    }
}
