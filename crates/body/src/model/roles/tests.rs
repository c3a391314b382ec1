//! Tests of roles: of the shipped bodies, and of bodies with other names.

use super::{BODIES, HINGES, JOINTS, POINTS, doubts};
use crate::model::Model;
use nalgebra::Vector3;

fn shipped(name: &str) -> Model {
    Model::shipped(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The adult with meaningless names of bodies, joints and sites.
fn nameless() -> Model {
    let mut text = include_str!("../../../../../characters/adult.xml").to_string();
    let adult = shipped("adult");
    let bodies = adult.bodies.iter().map(|body| &body.name);
    let joints = adult.joints.iter().map(|joint| &joint.name);
    let sites = adult.sites.iter().map(|site| &site.name);
    for (index, name) in bodies.chain(joints).chain(sites).enumerate() {
        text = text.replace(&format!("<body name=\"{name}\""), &format!("<body name=\"b{index}\""));
        text = text.replace(&format!("<joint name=\"{name}\""), &format!("<joint name=\"j{index}\""));
        text = text.replace(&format!("joint=\"{name}\""), &format!("joint=\"j{index}\""));
        text = text.replace(&format!("<site name=\"{name}\""), &format!("<site name=\"s{index}\""));
    }
    Model::parse("nameless.xml", &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_body_without_names_has_the_roles_that_its_names_would_say() {
    let (adult, nameless) = (shipped("adult"), nameless());
    assert!(nameless.bodies.iter().all(|body| body.name.starts_with('b')));
    for (role, _) in BODIES {
        let own = adult.bodies.iter().position(|body| body.name == role);
        if let Some(own) = own {
            assert_eq!(nameless.body(role).map(|body| body.0), Some(own), "{role}");
        }
    }
    for (role, _) in POINTS.iter().filter(|(role, _)| !role.contains("_front_") && !role.contains("_hind_")) {
        let [own, made] = [&adult, &nameless].map(|model| &model.sites[model.site(role).expect(role)]);
        assert_eq!(own.body, made.body, "{role}");
        assert!((own.position - made.position).norm() < 0.03, "{role}: {} {}", own.position, made.position);
    }
}

#[test]
fn hinges_of_a_body_without_names_turn_as_those_of_the_adult() {
    let (adult, nameless) = (shipped("adult"), nameless());
    for (role, _) in HINGES {
        let own = role.replace("lower_back", "abdomen");
        let own = adult.joint(&own).unwrap_or_else(|| panic!("the adult has no {own}"));
        assert_eq!(nameless.hinge(role), Some((own, 1.0)), "{role}");
        assert_eq!(nameless.joints_of(role), Some(vec![own]), "{role}");
    }
}

#[test]
fn a_hinge_that_is_drawn_the_other_way_round_has_the_other_sign() {
    let text = include_str!("../../../../../characters/adult.xml");
    let turned = text
        .replace(
            "name=\"left_knee\" axis=\"0 1 0\" range=\"0.02 2.44\"",
            "name=\"k\" axis=\"0 -1 0\" range=\"-2.44 -0.02\"",
        )
        .replace("0 -0.13 0 0.4 -0.27 0 0\n", "0 -0.13 0 -0.4 -0.27 0 0\n")
        .replace("name=\"left_hip_x\" axis=\"1 0 0\"", "name=\"h\" axis=\"-1 0 0\"")
        .replace("joint=\"left_knee\"", "joint=\"k\"");
    assert_ne!(turned, text);
    let model = Model::parse("turned.xml", &turned).unwrap_or_else(|error| panic!("{error}"));
    for (role, name) in [("left_knee", "k"), ("left_hip_x", "h")] {
        assert_eq!(model.hinge(role), Some((model.joint(name).expect("there"), -1.0)), "{role}");
    }
    let other = model.joint("right_knee").expect("there");
    assert_eq!(model.hinge("right_knee"), Some((other, 1.0)));
}

#[test]
fn the_palm_of_a_hand_that_has_a_site_for_what_it_holds_is_that_site() {
    let adult = shipped("adult");
    for side in ["left", "right"] {
        let [own, palm] = ["hand_grip", "palm"].map(|point| adult.site(&format!("{side}_{point}")));
        assert_eq!(own, palm);
        assert!(own.is_some());
    }
}

#[test]
fn the_joints_of_the_adult_are_those_that_controllers_named_one_by_one() {
    let adult = shipped("adult");
    let named = |role: &str| -> Vec<&str> {
        let joints = adult.joints_of(role).expect("a role");
        joints.iter().map(|joint| adult.joints[joint.0].name.as_str()).collect()
    };
    let side = |side: &str, joints: &[&str]| -> Vec<String> {
        joints.iter().map(|joint| format!("{side}_{joint}")).collect()
    };
    let arm = ["shoulder_x", "shoulder_y", "shoulder_z", "elbow", "wrist"];
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let own = |role: &str| sorted(named(role).into_iter().map(String::from).collect());
    assert_eq!(own("arms"), sorted([side("left", &arm), side("right", &arm)].concat()));
    assert_eq!(own("neck"), ["head_y", "head_z"]);
    assert_eq!(named("back"), ["abdomen_y", "abdomen_x", "abdomen_z", "chest_y", "chest_x"]);
    assert_eq!(named("toes"), ["left_toe", "right_toe"]);
    assert_eq!(own("lower_back"), ["abdomen_x", "abdomen_y", "abdomen_z"]);
    assert_eq!(own("upper_back"), ["chest_x", "chest_y"]);
    let of_back = ["lower_back", "upper_back"];
    let sets = JOINTS.iter().filter(|(role, _)| !of_back.contains(role));
    let all: usize = sets.map(|(role, _)| named(role).len()).sum();
    assert_eq!(all, adult.joints.len() - 1, "every joint but the root is in one set");
}

#[test]
fn axes_of_the_adult_are_its_own_where_it_stands_upright_at_rest() {
    let adult = shipped("adult");
    for name in ["pelvis", "chest", "head", "left_foot", "right_foot"] {
        assert_eq!(adult.rest_axes(adult.body(name).expect("there")), None, "{name}");
    }
    assert_eq!(adult.roles.facing, 0.0);
}

#[test]
fn up_of_a_foot_is_the_normal_of_its_sole_where_that_is_not_level_at_rest() {
    let text = include_str!("../../../../../characters/adult.xml");
    let (before, _) = text.split_once("<keyframe>").expect("a keyframe");
    // Without it knees are at the end of their range, 0.02 rad from straight, and ankles at 0.
    let model = Model::parse("straight.xml", &format!("{before}</mujoco>")).expect("well");
    for name in ["left_foot", "right_foot"] {
        let foot = model.body(name).expect("there");
        assert!((model.at_rest(foot, Vector3::z()) - Vector3::z()).norm() < 1e-9, "{name}");
    }
    let shank = model.body("left_shank").expect("there");
    assert!((model.at_rest(shank, Vector3::z()) - Vector3::z()).norm() > 0.01, "and that of others is not");
    // A foot on its toes is not meant to stand in that way.
    let toes = format!(
        "{}</mujoco>",
        before.replace("<body name=\"left_foot\"", "<body euler=\"0 0.5 0\" name=\"left_foot\"")
    );
    let model = Model::parse("toes.xml", &toes).expect("well");
    let foot = model.body("left_foot").expect("there");
    assert!((model.at_rest(foot, Vector3::z()) - Vector3::z()).norm() > 0.4);
}

#[test]
fn a_body_that_is_drawn_lying_on_its_axes_has_them_upright_at_rest() {
    let text = include_str!("../../../../../characters/adult.xml");
    let start = text.find("<key name=\"rest\"").expect("a keyframe");
    let turned = text[start..].replacen("1 0 0 0", "0.6 0 0 0.8", 1);
    let model = Model::parse("turned.xml", &format!("{}{turned}", &text[..start])).expect("well");
    let facing = 2.0 * (0.8f64).atan2(0.6);
    assert!((model.roles.facing - facing).abs() < 1e-6, "{}", model.roles.facing);
    let chest = model.body("chest").expect("there");
    // The rest pose is rotated about the vertical: forward is still the body's own x.
    assert!((model.at_rest(chest, Vector3::x()) - Vector3::x()).norm() < 1e-6);
}

#[test]
fn names_that_swap_left_and_right_are_doubted() {
    let text = include_str!("../../../../../characters/adult.xml");
    let swapped = text.replace("left_", "middle_").replace("right_", "left_").replace("middle_", "right_");
    let model = Model::parse("swapped.xml", &swapped).unwrap_or_else(|error| panic!("{error}"));
    let said: Vec<String> = doubts(&model).into_iter().map(|(_, message)| message).collect();
    assert!(said.iter().any(|message| message.contains("the feet point backward")), "{said:?}");
    // Only one arm's names are swapped.
    let swapped = text.replace("\"left_hand\"", "\"h\"").replace("\"right_hand\"", "\"left_claw\"");
    let swapped = swapped.replace("\"right_wrist\"", "\"left_claw_joint\"");
    let model = Model::parse("hand.xml", &swapped).unwrap_or_else(|error| panic!("{error}"));
    let said: Vec<String> = doubts(&model).into_iter().map(|(_, message)| message).collect();
    assert_eq!(
        said,
        ["`left_claw` was identified as `right_hand` from its position, but its name says left"]
    );
    for name in ["adult", "child", "quadruped"] {
        assert_eq!(doubts(&shipped(name)), [], "{name}");
    }
}

#[test]
fn a_quadruped_has_feet_in_front_and_behind() {
    let model = shipped("quadruped");
    for (role, name) in [
        ("left_front_foot", "left_front_shank"),
        ("right_hind_foot", "right_hind_shank"),
        ("left_foot", "left_front_shank"),
        ("pelvis", "trunk"),
        ("chest", "trunk"),
    ] {
        assert_eq!(model.body(role).map(|body| model.bodies[body.0].name.as_str()), Some(name), "{role}");
    }
    assert_eq!(model.roles.feet.len(), 4);
    assert!(model.body("left_hand").is_none());
}

#[test]
fn feet_without_shapes_are_the_ends_that_are_lowest() {
    let text = include_str!("../../../../../characters/adult.xml");
    let bare: Vec<&str> = text
        .lines()
        .filter(|line| !["foot", "toe"].iter().any(|part| line.contains("<geom") && line.contains(part)))
        .collect();
    let model = Model::parse("bare.xml", &bare.join("\n")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(model.geoms.len() + 4, shipped("adult").geoms.len());
    for role in ["left_thigh", "right_thigh", "left_hand", "chest", "pelvis"] {
        let named = model.bodies.iter().position(|body| body.name == role);
        assert_eq!(model.roles.body(role).map(|body| body.0), named, "{role}");
    }
    assert!(model.site("left_sole").is_some());
}

/// The adult without a keyframe, rotated in its file by a rotation vector (rad).
fn lying(turn: Vector3<f64>) -> Model {
    let text = include_str!("../../../../../characters/adult.xml");
    let (before, _) = text.split_once("<keyframe>").unwrap();
    let quaternion = nalgebra::UnitQuaternion::from_scaled_axis(turn);
    let root = format!(
        "<body name=\"pelvis\" quat=\"{:?} {:?} {:?} {:?}\"",
        quaternion.w, quaternion.i, quaternion.j, quaternion.k
    );
    let text = format!("{}</mujoco>", before.replacen("<body name=\"pelvis\"", &root, 1));
    Model::parse("lying.xml", &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_body_that_lies_is_stood_up_and_its_parts_are_found() {
    let upright = lying(Vector3::zeros());
    let height = upright.rest_com_height();
    let quarter = std::f64::consts::FRAC_PI_2;
    for turn in [
        Vector3::x() * quarter,
        Vector3::x() * -quarter,
        Vector3::y() * quarter,
        Vector3::y() * -quarter,
        Vector3::x() * (2.0 * quarter),
    ] {
        let stood = lying(turn);
        assert!((stood.rest_com_height() - height).abs() < 1e-9, "{turn:?}");
        let poses = stood.body_poses(&stood.rest_configuration());
        assert!(stood.lowest_point(&poses).abs() < 1e-9, "{turn:?}");
        for (role, _) in BODIES {
            assert_eq!(stood.body(role), upright.body(role), "{role} of one turned by {turn:?}");
        }
    }
}

#[test]
fn a_body_that_leans_by_half_a_right_angle_is_left_as_it_is() {
    let lean = Vector3::y() * (0.5 * std::f64::consts::FRAC_PI_2);
    let leaning = lying(lean);
    assert!((leaning.bodies[0].orientation.scaled_axis() - lean).norm() < 1e-12);
}

#[test]
fn arms_of_a_body_without_legs_are_no_legs() {
    let text = "<mujoco><worldbody><body name=\"torso\" pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\"0.1 0.2 \
            0.3\"/>
        <body name=\"left_shoulder\" pos=\"0 0.3 0.2\"><joint name=\"left_shoulder_pitch\" axis=\"0 1 0\"/>
          <geom type=\"capsule\" size=\"0.04\" fromto=\"0 0 0 0 0 -0.7\"/></body>
        <body name=\"right_shoulder\" pos=\"0 -0.3 0.2\"><joint name=\"right_shoulder_pitch\" axis=\"0 1 0\"/>
          <geom type=\"capsule\" size=\"0.04\" fromto=\"0 0 0 0 0 -0.7\"/></body>
        </body></worldbody></mujoco>";
    let model = Model::parse("bust.xml", text).unwrap_or_else(|error| panic!("{error}"));
    assert!(model.roles.feet.is_empty());
    assert_eq!(model.body("left_hand"), model.body("left_shoulder"));
}

/// A body with four legs whose feet have no descriptive names, with legs along −`down`, as URDF.
fn four_legs(spread: f64) -> String {
    let inertial = "<inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' \
            iyz='0'/></inertial>";
    let mut text = format!("<robot name='q'><link name='trunk'>{inertial}</link>");
    for (name, x, z) in [("FL", 0.2_f64, -0.14), ("FR", 0.2, 0.14), ("RL", -0.2, -0.14), ("RR", -0.2, 0.14)] {
        // y is up; spread legs point away from the trunk.
        let (down, aside) = (-0.2 * (1.0 - spread), x.signum() * 0.2 * spread);
        for (part, above, at) in [("thigh", "trunk", [x, 0.0, z]), ("calf", "NAME_thigh", [aside, down, 0.0])]
        {
            let above = above.replace("NAME", name);
            text += &format!(
                "<link name='{name}_{part}'>{inertial}<collision><origin xyz='{aside} {down} 0'/><geometry><sphere \
                 radius='0.02'/>\
                 </geometry></collision></link><joint name='{name}_{part}_joint' type='revolute'>\
                 <parent link='{above}'/>\
                 <child link='{name}_{part}'/><origin xyz='{} {} {}'/><axis xyz='0 0 1'/>\
                 <limit lower='-1' upper='1' effort='9' velocity='9'/></joint>",
                at[0], at[1], at[2]
            );
        }
    }
    text + "</robot>"
}

#[test]
fn a_body_of_four_legs_that_lies_is_stood_up_and_one_that_spreads_them_is_not() {
    let read = |spread: f64| {
        let source = aplomb_language::diagnostic::Source::new("q.urdf", four_legs(spread));
        crate::model::mjcf::read_with(&source, &Default::default()).unwrap_or_else(|error| panic!("{error}"))
    };
    let lay = read(0.0);
    assert!(
        lay.warnings.iter().any(|warning| warning.0.message.contains("towards +y")),
        "{:?}",
        lay.warnings
    );
    for (role, name) in [("left_front_foot", "FL_calf"), ("right_hind_foot", "RR_calf")] {
        let body = lay.model.body(role).expect(role);
        assert_eq!(lay.model.bodies[body.0].name, name);
    }
    assert!(!read(1.0).warnings.iter().any(|warning| warning.0.message.contains("lies")));
}

#[test]
fn a_ball_without_a_radius_is_a_point_that_touches() {
    let text = four_legs(0.0);
    let model = |radius: &str| Model::parse("q.urdf", &text.replace("radius='0.02'", radius));
    let (point, ball) = (model("radius='0.0'").expect("points"), model("radius='0.02'").expect("balls"));
    assert_eq!(point.geoms.len(), ball.geoms.len());
    assert!(point.geoms.iter().all(|geom| geom.collides && geom.shape.bounding_radius() < 1e-3));
    for wrong in ["", "radius='-1'"] {
        assert!(model(wrong).unwrap_err().to_string().contains("greater than zero"));
    }
}

#[test]
fn what_is_welded_under_a_foot_is_not_the_foot() {
    let foot_of = |below: &str, reach: f64| {
        let leg = |side: &str, y: f64| {
            format!(
                r#"<body name="{side}_thigh" pos="0 {y} -.1"><joint name="{side}_hip" axis="0 1 0"/>
                <geom type="capsule" fromto="0 0 0 0 0 -.35" size=".05" mass="4"/>
                <body name="{side}_shank" pos="0 0 -.38"><joint name="{side}_knee" axis="0 1 0"/>
                <geom type="capsule" fromto="0 0 0 0 0 -.33" size=".04" mass="3"/>
                <body name="{side}_ankle" pos="0 0 -.38"><joint name="{side}_ankle" axis="0 1 0"/>
                <geom type="box" size=".1 .05 .02" pos=".03 0 0" mass="1"/>
                <body name="{side}_{below}" pos=".03 0 -.02"><geom type="box" size=".01 .01 {reach}" mass=".01"/>
                </body></body></body></body>"#
            )
        };
        let text = format!(
            r#"<mujoco><worldbody><body name="pelvis" pos="0 0 0.9"><freejoint/><geom type="box" size=".1 .15 .1"
            mass="20"/>{}{}</body></worldbody></mujoco>"#,
            leg("left", 0.1),
            leg("right", -0.1)
        );
        let model = Model::parse("biped.xml", &text).unwrap_or_else(|error| panic!("{error}"));
        model.bodies[model.body("left_foot").expect("a foot").0].name.clone()
    };
    assert_eq!(foot_of("sensor", 0.002), "left_ankle");
    // A light part that alone reaches the ground is what the leg stands on.
    assert_eq!(foot_of("stilt", 0.05), "left_stilt");
}
