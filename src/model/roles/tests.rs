//! Roles of the shipped bodies, and of bodies whose parts have other names.

use super::{BODIES, JOINTS};
use crate::model::Model;
use nalgebra::Vector3;

fn shipped(name: &str) -> Model {
    Model::shipped(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The adult with every body, joint and site under a name that says nothing.
fn nameless() -> Model {
    let mut text = include_str!("../../../characters/adult.xml").to_string();
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
    for side in ["left", "right"] {
        let name = format!("{side}_sole");
        let [own, made] = [&adult, &nameless].map(|model| &model.sites[model.site(&name).expect("a sole")]);
        assert_eq!(own.body, made.body);
        assert!((own.position - made.position).norm() < 0.03, "{} {}", own.position, made.position);
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
    let all: usize = JOINTS.iter().map(|(role, _)| named(role).len()).sum();
    assert_eq!(all, adult.joints.len() - 1, "every joint but the root has one role");
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
fn a_body_that_is_drawn_lying_on_its_axes_has_them_upright_at_rest() {
    let text = include_str!("../../../characters/adult.xml");
    let start = text.find("<key name=\"rest\"").expect("a keyframe");
    let turned = text[start..].replacen("1 0 0 0", "0.6 0 0 0.8", 1);
    let model = Model::parse("turned.xml", &format!("{}{turned}", &text[..start])).expect("well");
    let facing = 2.0 * (0.8f64).atan2(0.6);
    assert!((model.roles.facing - facing).abs() < 1e-6, "{}", model.roles.facing);
    let chest = model.body("chest").expect("there");
    // The rest pose is turned about the vertical: forward is the body's own x still.
    assert!((model.at_rest(chest, Vector3::x()) - Vector3::x()).norm() < 1e-6);
}
