//! The rest pose of a body.

use super::{model, reading};
use aplomb::dynamics::Kinematics;
use aplomb::language::diagnostic::Source;
use aplomb::model::Model;
use aplomb::model::mjcf::{self, Options};
use aplomb::model::write::scene_xml;
use aplomb::scene;

/// A leg with an elbow that cannot be straight, and a keyframe.
fn text(keyframe: &str) -> String {
    format!(
        r#"<mujoco><compiler angle="radian"/><worldbody><body name="b"><geom size="0.1"/>
        <body name="c"><joint name="elbow" range="0.1 1.8"/><joint name="wrist" axis="1 0 0" range="-1 1"/>
        <geom size="0.1"/></body></body></worldbody>{keyframe}</mujoco>"#
    )
}

#[test]
fn a_rest_pose_outside_of_a_range_is_told_and_set_to_the_nearer_end() {
    let read = reading(&text(""), false).unwrap_or_else(|errors| panic!("{errors}"));
    let said: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("written.xml:2:"), "{said:?}");
    assert!(said[0].contains("`elbow` at 0.0000, not within 0.1000 to 1.8000"), "{said:?}");
    assert!(!said[0].contains("wrist"), "{said:?}");
    assert_eq!(read.model.rest_configuration(), [0.1, 0.0]);
    assert_eq!(read.model.neutral_configuration(), [0.0, 0.0]);
}

#[test]
fn the_rest_pose_is_that_of_the_keyframe_and_kept_within_ranges() {
    let key = |name: &str| format!(r#"<keyframe><key name="{name}" qpos="1.9 0.5"/></keyframe>"#);
    let read = reading(&text(&key("home")), false).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(read.model.rest_configuration(), [1.8, 0.5]);
    assert!(read.warnings[0].to_string().contains("`elbow` at 1.9000"), "{:?}", read.warnings);
    // A keyframe with another name is a pose for scenes.
    assert_eq!(model(&text(&key("waving"))).rest_configuration(), [0.1, 0.0]);
    let within = text(r#"<keyframe><key name="home" qpos="0.5 0.5"/></keyframe>"#);
    assert!(reading(&within, false).is_ok_and(|read| read.warnings.is_empty()));
}

#[test]
fn feet_that_stand_on_an_edge_in_the_rest_pose_are_set_flat() {
    let mut adult = Model::shipped("adult").unwrap_or_else(|error| panic!("{error}"));
    let tilt = 0.15;
    for side in ["left", "right"] {
        let ankle = adult.joint(&format!("{side}_ankle_y")).expect("an ankle");
        let index = adult.joints[ankle.0].q_index;
        adult.keyframes[0].q[index] += tilt;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tilted.xml");
    std::fs::write(&path, scene_xml(&adult, &adult.gravity, &[], &[])).expect("written");
    let text = format!(
        "duration = 1\n[characters.hero]\nmodel = {:?}\ncontroller = \"balance\"\n",
        path.to_string_lossy()
    );
    let files = scene::load_text(&Source::new("tilted.toml", text)).unwrap_or_else(|_| panic!("loads"));
    let run = scene::Run::bind(&files).unwrap_or_else(|errors| panic!("{errors}"));
    let start = run.character();
    let mut kinematics = Kinematics::new(&start.model);
    kinematics.update_position(&start.model, &start.snapshot.state.q);
    for side in ["left", "right"] {
        let foot = start.model.body(&format!("{side}_foot")).expect("a foot");
        let up = kinematics.rotation[foot.0].column(2).z;
        assert!(up > 1.0 - 1e-5, "{side} foot is tilted by {} rad", up.acos());
    }
    let ankle = start.model.joint("left_ankle_y").expect("an ankle");
    let index = start.model.joints[ankle.0].q_index;
    assert!((start.snapshot.state.q[index] - start.model.rest_configuration()[index]).abs() > 0.5 * tilt);
}

/// A block that its file fixes to the world, with a flap.
const FIXED: &str = r#"<mujoco><worldbody><body name="block" pos="0 0 0.1"><geom type="box" size="0.1 0.1 0.1"/>
    <body name="flap" pos="0 0 0.15"><joint name="flap"/><geom size="0.05"/></body></body></worldbody></mujoco>"#;

#[test]
fn a_root_that_its_file_fixes_is_free_where_the_file_beside_it_or_the_scene_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let coordinates =
        || Model::open(folder.path().join("block.xml")).map(|model| (model.is_floating(), model.nv));
    write("block.xml", FIXED);
    assert_eq!(coordinates().unwrap(), (false, 1));
    write("block.body.toml", "root = \"free\"");
    assert_eq!(coordinates().unwrap(), (true, 7));
    write("block.body.toml", "root = \"loose\"");
    assert!(coordinates().unwrap_err().to_string().contains("block.body.toml:1:8"));
    std::fs::remove_file(folder.path().join("block.body.toml")).unwrap();

    let scene = |root: &str| {
        let text = format!(
            "duration = 0.1\n[characters.one]\nmodel = \"block.xml\"\ncontroller = \"limp\"\nheight = 1.0\n{root}\n"
        );
        write("scene.toml", &text);
        scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap()
    };
    assert_eq!(scene("").bodies().unwrap()[0].nv, 1);
    let files = scene("root = \"free\"");
    assert_eq!(files.bodies().unwrap()[0].nv, 7);
    // The root is free in the model stored in the trace as well.
    let run = scene::Run::bind(&files).unwrap();
    let header = scene::header(&files, &run);
    let kept = header.texts.iter().find(|text| text.kind == "model").unwrap();
    assert_eq!(Model::parse("kept.xml", &kept.text).unwrap().nv, 7);
}

#[test]
fn a_root_that_its_file_lets_move_along_an_axis_cannot_be_free_too() {
    let railed = FIXED.replace("<geom type=\"box\"", "<joint type=\"slide\"/><geom type=\"box\"");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("block.xml"), railed).unwrap();
    std::fs::write(folder.path().join("block.body.toml"), "root = \"free\"").unwrap();
    let error = Model::open(folder.path().join("block.xml")).unwrap_err().to_string();
    assert!(error.contains("block.xml:1:") && error.contains("joints to the world"), "{error}");
}

/// A quadruped whose legs point straight ahead at zero, without words that say so.
fn legs_ahead() -> String {
    let leg = |name: &str, x: f64, y: f64| {
        format!(
            r#"<body name="{name}_upper" pos="{x} {y} 0"><joint name="{name}_hip" axis="0 1 0" range="-3 3"/>
            <geom type="capsule" fromto="0 0 0 .2 0 0" size=".02" mass=".8"/>
            <body name="{name}_lower" pos=".2 0 0"><joint name="{name}_knee" axis="0 1 0" range="-2.5 2.5"/>
            <geom type="capsule" fromto="0 0 0 .2 0 0" size=".015" mass=".3"/></body></body>"#
        )
    };
    let legs = [("fl", 0.2, 0.1), ("fr", 0.2, -0.1), ("hl", -0.2, 0.1), ("hr", -0.2, -0.1)];
    let legs: String = legs.iter().map(|(name, x, y)| leg(name, *x, *y)).collect();
    format!(
        r#"<mujoco><compiler angle="radian"/><worldbody><body name="base" pos="0 0 .4"><freejoint/>
        <geom type="box" size=".25 .08 .05" mass="8"/>{legs}</body></worldbody></mujoco>"#
    )
}

#[test]
fn a_body_whose_zero_is_no_standing_pose_stands_in_the_rest_pose_of_the_file_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let read = || {
        let path = folder.path().join("dog.xml");
        mjcf::read_with(&aplomb::language::files::open(&path).unwrap(), &Options::default())
    };
    write("dog.xml", &legs_ahead());
    let said: Vec<String> = read().unwrap().warnings.iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|warning| warning.contains("`base`, the trunk, reaches the ground")), "{said:?}");
    let pose: Vec<String> =
        ["fl", "fr", "hl", "hr"].iter().map(|leg| format!("{leg}_hip = 1.0\n{leg}_knee = 1.0\n")).collect();
    write("dog.body.toml", &format!("[rest_pose]\n{}", pose.concat()));
    let stands = read().unwrap();
    assert!(stands.warnings.is_empty(), "{:?}", stands.warnings);
    let feet = ["left_front_foot", "right_front_foot", "left_hind_foot", "right_hind_foot"];
    let feet = feet.map(|role| stands.model.body(role).map(|body| stands.model.bodies[body.0].name.clone()));
    assert_eq!(feet.map(Option::unwrap), ["fl_lower", "fr_lower", "hl_lower", "hr_lower"]);
    let poses = stands.model.body_poses(&stands.model.rest_configuration());
    assert!(stands.model.lowest_point(&poses).abs() < 1e-12);
    for (wrong, told) in [
        ("fl_hipp = 1.0", "dog.body.toml:2:1: no hinge or slide is called `fl_hipp`"),
        ("fl_knee = 2.6", "dog.body.toml:2:11: `fl_knee` cannot be at 2.6"),
    ] {
        write("dog.body.toml", &format!("[rest_pose]\n{wrong}\n"));
        let error = read().unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
