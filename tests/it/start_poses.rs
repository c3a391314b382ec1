//! Start poses of characters: targets met to 1 mm within joint ranges, or rejected by name.

use aplomb::dynamics::Kinematics;
use aplomb::language::diagnostic::{FileErrors, Source};
use aplomb::model::JointKind;
use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use nalgebra::{Rotation3, Vector3};

/// A scene with these lines, the last of them in the table of its character.
fn scene_text(world: &str, character: &str) -> String {
    let hero = "[characters.hero]\nmodel = \"adult\"\ncontroller = \"balance\"";
    format!("duration = 1\n{world}\n{hero}\n{character}\n")
}

fn bind(world: &str, character: &str) -> Result<SceneRun, FileErrors> {
    let source = Source::new("climb.toml", scene_text(world, character));
    let files = scene::load_text(&source).map_err(|error| match error {
        scene::LoadError::Mistakes(errors) => errors,
        scene::LoadError::NotFound(missing) => panic!("{missing}"),
    })?;
    SceneRun::bind(&files)
}

/// Binds the scene and checks the conditions of every start: joints in their ranges, nothing under a surface by more
/// than 1 mm.
fn start(world: &str, character: &str) -> SceneRun {
    let mut simulation = bind(world, character).unwrap_or_else(|errors| panic!("{}", errors[0].message));
    let body = simulation.character_mut();
    for joint in &body.model.joints {
        if let (Some([low, high]), JointKind::Hinge { .. }) = (joint.range, joint.kind) {
            let q = body.snapshot.state.q[joint.q_index];
            assert!((low - 1e-12..=high + 1e-12).contains(&q), "{} at {q}", joint.name);
        }
    }
    body.snapshot.update(&body.model);
    for touch in &body.snapshot.contacts.touches {
        assert!(touch.gap > -1e-3, "{} in by {}", body.model.bodies[touch.body.0].name, -touch.gap);
    }
    simulation
}

/// World position of a site at the start, m.
fn site(simulation: &SceneRun, name: &str) -> Vector3<f64> {
    let body = simulation.character();
    let site = &body.model.sites[body.model.site(name).unwrap()];
    let mut kinematics = Kinematics::new(&body.model);
    kinematics.update_position(&body.model, &body.snapshot.state.q);
    kinematics.point(site.body.unwrap(), &site.position)
}

fn assert_at(simulation: &SceneRun, name: &str, wanted: [f64; 3]) {
    let miss = (site(simulation, name) - Vector3::from(wanted)).norm();
    assert!(miss < 1e-3, "{name} is {miss} m away");
}

/// The only message, as printed by `aplomb check`.
fn refused(world: &str, character: &str) -> String {
    let Err(errors) = bind(world, character) else { panic!("the start is accepted") };
    assert_eq!(errors.len(), 1);
    let error = &errors[0];
    let help = error.help.as_deref().unwrap_or_default();
    format!("{}: {} ({})\n{help}", error.location(), error.message, error.label)
}

const HANDS_AND_FEET: [(&str, [f64; 3]); 4] = [
    ("left_hand_grip", [0.45, 0.25, 1.9]),
    ("right_hand_grip", [0.45, -0.2, 1.7]),
    ("left_toe_tip", [0.45, 0.2, 0.5]),
    ("right_toe_tip", [0.45, -0.25, 0.3]),
];

/// `[characters.hero.reach]` with these points, all displaced by `offset`.
fn reach(points: &[(&str, [f64; 3])], offset: Vector3<f64>) -> String {
    let line = |(name, point): &(&str, [f64; 3])| {
        let at = Vector3::from(*point) + offset;
        format!("{name} = [{}, {}, {}]\n", at.x, at.y, at.z)
    };
    format!("[characters.hero.reach]\n{}", points.iter().map(line).collect::<String>())
}

#[test]
fn hands_and_feet_start_where_the_scene_says() {
    let simulation = start("", &format!("height = 0.3\n{}", reach(&HANDS_AND_FEET, Vector3::zeros())));
    for (name, point) in HANDS_AND_FEET {
        assert_at(&simulation, name, point);
    }
}

#[test]
fn hands_and_feet_reach_walls_of_any_tilt_without_going_into_them() {
    // The wall on the right side, upright and tilted both ways; targets are 3 cm in front of its face.
    for (tilt, x) in [(-0.17f64, 0.0), (0.0, 0.0), (0.17, 0.0), (0.4, -0.8)] {
        let turn = Rotation3::from_euler_angles(0.0, -tilt, 0.0);
        let foot = Vector3::new(0.5, 0.0, 0.0);
        let on_wall = |y: f64, up: f64| foot + turn * Vector3::new(-0.03, y, up);
        let centre = foot + turn * Vector3::new(0.1, 0.0, 2.0);
        let world = format!(
            "[obstacles.wall]\nhalf_lengths = [0.1, 2, 2]\nposition = [{}, 0, {}]\nrotation = [0, {}, 0]",
            centre.x, centre.z, -tilt
        );
        let points = [
            ("left_hand_grip", on_wall(0.25, 1.85).into()),
            ("right_hand_grip", on_wall(-0.2, 1.65).into()),
            ("left_toe_tip", on_wall(0.2, 0.5).into()),
            ("right_toe_tip", on_wall(-0.22, 0.35).into()),
        ];
        let place = format!("height = 0.3\nposition = [{x}, 0]");
        let simulation = start(&world, &format!("{place}\n{}", reach(&points, Vector3::zeros())));
        for (name, point) in points {
            assert_at(&simulation, name, point);
        }
    }
}

#[test]
fn feet_that_are_not_named_keep_standing() {
    let stands = start("", "");
    let reaches = start("", "reach.right_hand_grip = [0.4, -0.3, 1.1]\nreach.pelvis = [0.03, 0, 0.75]");
    assert_at(&reaches, "right_hand_grip", [0.4, -0.3, 1.1]);
    for foot in ["left_heel", "left_toe_tip", "right_heel", "right_toe_tip"] {
        assert_at(&reaches, foot, site(&stands, foot).into());
    }
}

#[test]
fn a_foot_is_put_elsewhere_on_the_ground_without_going_into_it() {
    let simulation = start("", "reach.left_sole = [0.45, 0.15, 0]\norientation.left_foot = [0, 0, 0.3]");
    assert_at(&simulation, "left_sole", [0.45, 0.15, 0.0]);
}

#[test]
fn bodies_are_turned_and_the_com_is_placed() {
    let character = "height = 0.5\nreach.com = [0.1, 0.2, 1.5]\norientation.pelvis = [0.1, 0.4, -1]\norientation.left_hand = [3, 0, -1]";
    let simulation = start("", character);
    let body = simulation.character();
    assert!((body.snapshot.com - Vector3::new(0.1, 0.2, 1.5)).norm() < 1e-3);
    for (name, [roll, pitch, yaw]) in [("pelvis", [0.1, 0.4, -1.0]), ("left_hand", [3.0, 0.0, -1.0])] {
        let wanted = Rotation3::from_euler_angles(roll, pitch, yaw);
        let rotation = body.snapshot.kinematics.rotation[body.model.body(name).unwrap().0];
        let miss = aplomb::math::rotation::log(&(rotation * wanted.matrix().transpose())).norm();
        assert!(miss < 4e-3, "{name} is turned by {miss} rad");
    }
}

#[test]
fn targets_are_expressions_of_the_pose_before() {
    let stands = start("", "");
    let raised = start("", "reach.left_hand_grip = \"position(left_hand_grip) + [0.2, 0, 0.4]\"");
    let wanted = site(&stands, "left_hand_grip") + Vector3::new(0.2, 0.0, 0.4);
    assert_at(&raised, "left_hand_grip", wanted.into());
}

#[test]
fn the_pose_decides_what_the_targets_leave_open() {
    let hands = &HANDS_AND_FEET[..2];
    let knee = |pose: &str| {
        let character = format!("height = 0.5\n{pose}\n{}", reach(hands, Vector3::zeros()));
        let simulation = start("", &character);
        let model = &simulation.character().model;
        simulation.character().snapshot.state.q[model.joints[model.joint("left_knee").unwrap().0].q_index]
    };
    assert!((knee("") - 0.4).abs() < 1e-2, "as in the rest pose");
    assert!((knee("pose = { left_knee = 1.5 }") - 1.5).abs() < 1e-2);
}

#[test]
fn the_same_scene_starts_the_same_way() {
    let character = format!("height = 0.3\n{}", reach(&HANDS_AND_FEET, Vector3::zeros()));
    let q = || start("", &character).character().snapshot.state.q.clone();
    assert_eq!(q(), q());
}

#[test]
fn a_target_out_of_reach_is_refused_with_what_stops_it() {
    assert_eq!(
        refused("", "reach.left_hand_grip = [0.35, 0.25, 2.4]"),
        "climb.toml:6:24: the start pose misses `left_hand_grip` by 257 mm (out of reach)\n\
         stopped by `chest_x` at 0.26, `left_elbow` at -0.02, `right_knee` at 0.02, `left_knee` at 0.02\n\
         kept standing: `left_foot`, `right_foot`"
    );
    let far = [("left_hand_grip", [0.4, 0.25, 3.2]), ("right_toe_tip", [0.4, -0.2, 0.3])];
    assert_eq!(
        refused("", &format!("height = 1\n{}", reach(&far, Vector3::zeros()))),
        "climb.toml:9:17: the start pose misses `right_toe_tip` by 354 mm (out of reach)\n\
         stopped by `right_ankle_y` at 0.87, `chest_x` at 0.26, `abdomen_x` at -0.35, `left_elbow` at -0.02\n\
         missed too: `left_hand_grip` by 354 mm"
    );
}

#[test]
fn a_start_inside_a_surface_is_refused() {
    let world = "[obstacles.shelf]\nhalf_lengths = [2, 2, 0.1]\nposition = [0, 0, 0.9]";
    assert_eq!(
        refused(world, "height = 0.0\nreach.pelvis = [0, 0, 0.85]"),
        "climb.toml:9:16: the start pose misses `pelvis` by 32 mm (out of reach)\n\
         stopped by `pelvis` on `shelf`\n\
         the pose before `reach` is inside `shelf`: change `position` or `height`"
    );
}

#[test]
fn names_that_are_nothing_to_reach_with_are_refused() {
    assert_eq!(
        refused("", "reach.left_hnad_grip = [0, 0, 1]"),
        "climb.toml:6:7: there is no body or site `left_hnad_grip` (here)\ndid you mean `left_hand_grip`?"
    );
    assert_eq!(
        refused("", "orientation.plevis = [0, 0, 1]"),
        "climb.toml:6:13: there is no body `plevis` (here)\ndid you mean `pelvis`?"
    );
    assert_eq!(
        refused("", "reach.pelvis = [0, 0, \"1/(time)\"]"),
        "climb.toml:6:16: this is [0, 0, inf] at the start (not a point)\n"
    );
    assert_eq!(
        refused("", "reach.pelvis = [0, 1]"),
        "climb.toml:6:16: a vector has 3 components, not 2 (here)\nwrite `[x, y, z]`"
    );
}
