//! Robots from URDF.

use super::meshes::extent;
use super::{file, reading};
use aplomb::language::diagnostic::FileErrors;
use aplomb::language::files;
use aplomb::model::mjcf::{self, Options, Reading};
use aplomb::model::{JointKind, Model, Shape};
use nalgebra::Vector3;

const ROBOT: &str = "robot_description/urdf/robot.urdf";

fn open(strict: bool) -> Result<Reading, FileErrors> {
    let source = files::open(&file(ROBOT)).unwrap_or_else(|error| panic!("{error}"));
    mjcf::read_with(&source, &Options { strict, ..Options::default() })
}

fn robot() -> Reading {
    open(false).unwrap_or_else(|errors| panic!("{errors}"))
}

fn names(model: &Model) -> (Vec<&str>, Vec<&str>) {
    let bodies = model.bodies.iter().map(|body| body.name.as_str()).collect();
    (bodies, model.joints.iter().map(|joint| joint.name.as_str()).collect())
}

#[test]
fn fixed_links_are_welded_and_massless_ones_joined_with_the_next_or_held_still() {
    let model = robot().model;
    let (bodies, joints) = names(&model);
    assert_eq!(bodies, ["base", "imu", "thigh", "foot", "tip"]);
    assert_eq!(joints, ["root", "hip_roll", "hip_pitch", "ankle"]);
    assert_eq!(model.bodies[2].joints.len(), 2);
    assert!((model.mass() - 6.6).abs() < 1e-12);
    // The first axis keeps its position, 1 cm behind the second.
    let [roll, pitch] = [&model.joints[1], &model.joints[2]];
    assert_eq!(roll.kind, JointKind::Hinge { axis: Vector3::x() });
    assert!((roll.anchor - Vector3::new(-0.01, 0.0, 0.0)).norm() < 1e-15);
    assert_eq!((pitch.kind, pitch.anchor), (JointKind::Hinge { axis: Vector3::y() }, Vector3::zeros()));
}

#[test]
fn limits_are_those_of_the_file() {
    let model = robot().model;
    let limits = |name: &str| {
        let joint = &model.joints[model.joint(name).expect("there").0];
        (joint.range, model.torque_limits[joint.v_index], joint.damping)
    };
    let unlimited = [f64::NEG_INFINITY, f64::INFINITY];
    assert_eq!(limits("hip_roll"), (Some([-0.5, 0.5]), [-30.0, 30.0], 0.0));
    assert_eq!(limits("hip_pitch"), (Some([-1.0, 1.5]), [-50.0, 50.0], 0.2));
    assert_eq!(limits("ankle"), (None, unlimited, 0.0));
}

#[test]
fn an_inertia_that_no_body_has_is_repaired_by_as_little_as_makes_one() {
    let model = robot().model;
    let thigh = model.bodies[2].inertia.about_centre.diagonal();
    let [x, y, z] = thigh.into();
    assert!(x <= y + z && y + z < x * (1.0 + 1e-5), "{thigh}");
    // All moments were increased equally, by the missing 0.06 kg m².
    assert!((thigh - Vector3::new(0.15, 0.08, 0.07)).norm() < 1e-6, "{thigh}");
}

#[test]
fn a_mesh_of_a_package_around_the_file_touches() {
    let model = robot().model;
    let foot = model.body("foot").expect("there");
    let geom = model.geoms.iter().find(|geom| geom.body == Some(foot)).expect("a sole");
    let Shape::Hull(hull) = &geom.shape else { panic!("no hull") };
    assert!((hull.half_lengths() - Vector3::new(0.12, 0.05, 0.01)).norm() < 1e-6, "{}", hull.half_lengths());
    assert!((geom.position - Vector3::new(0.04, 0.0, -0.05)).norm() < 1e-6, "{}", geom.position);
    assert!(geom.collides);
}

#[test]
fn all_that_is_left_open_is_said_and_strict_reading_refuses_it() {
    let said: Vec<String> = robot().warnings.iter().map(ToString::to_string).collect();
    for part in [
        "inertias that are physically impossible, increased to the nearest possible ones; links: `thigh`",
        "links without mass on a moving joint, fixed or merged with the next link: `tip`, `hip_cross`",
        "link `thigh`: there is no `package://lost_description/thigh.stl`",
        "an effort of 0 is read as no limit; joints: `tip_turn`",
    ] {
        assert!(said.iter().any(|warning| warning.contains(part)), "{part} is not in {said:#?}");
    }
    assert!(said.iter().all(|warning| warning.starts_with(&*file(ROBOT).to_string_lossy())), "{said:#?}");
    let refused = open(true).map(|_| ()).unwrap_err();
    assert_eq!(refused.len(), said.len());
}

#[test]
fn where_no_link_says_what_touches_what_is_seen_does() {
    let text = |shapes: &str| {
        format!(
            r#"<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"
            izz="1"/></inertial><visual><geometry><sphere radius="0.1"/></geometry></visual>{shapes}</link></robot>"#
        )
    };
    let radius = |text: &str| {
        let read = reading(text, false).unwrap_or_else(|errors| panic!("{errors}"));
        let Shape::Sphere { radius } = read.model.geoms[0].shape else { panic!("no ball") };
        (radius, read.model.geoms.len(), read.warnings.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let (seen, count, warnings) = radius(&text(""));
    assert_eq!((seen, count), (0.1, 1));
    assert!(warnings[0].contains("no link has a <collision>") && warnings[0].contains("`a`"), "{warnings:?}");
    let both = text("<collision><geometry><sphere radius='0.2'/></geometry></collision>");
    assert_eq!(radius(&both), (0.2, 1, Vec::new()));
}

#[test]
fn meshes_that_say_y_is_up_are_turned_where_the_masses_are_then_in_them() {
    let text = |centre: &str| {
        format!(
            r#"<robot name="r"><link name="shank"><inertial><origin xyz="{centre}"/><mass value="1"/><inertia ixx="1" ixy="0"
            ixz="0" iyy="1" iyz="0" izz="1"/></inertial><collision><geometry><mesh filename="meshes/shank.dae"/></geometry>
            </collision></link></robot>"#
        )
    };
    // The mesh extends from 0 to 0.4 m down the y axis of the file and is 0.08 m thick along its z axis.
    let (down, across) = (Vector3::new(0.0, 0.0, -0.2), Vector3::new(0.0, -0.2, 0.0));
    for (centre, expected, half, turned) in [
        ("0 0.01 -0.18", down, Vector3::new(0.05, 0.04, 0.2), true),
        ("0 -0.18 0.01", across, Vector3::new(0.05, 0.2, 0.04), false),
        // If the origin gives no hint, the orientation in the file is ignored, as in ROS.
        ("0 0 0", across, Vector3::new(0.05, 0.2, 0.04), false),
    ] {
        let read = reading(&text(centre), false).unwrap_or_else(|errors| panic!("{errors}"));
        let [own, middle] = extent(&read.model);
        assert!((middle - expected).norm() < 1e-6 && (own - half).norm() < 1e-6, "{centre}: {middle} {own}");
        let said: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
        let is_said =
            said.iter().any(|said| said.contains("turned so that y is up") && said.contains("`shank`"));
        assert_eq!(is_said, turned, "{said:?}");
        assert_eq!(reading(&text(centre), true).is_err(), turned);
    }
}

#[test]
fn what_mimics_nothing_or_itself_is_refused_with_its_place() {
    let robot = |mimic: &str, other: &str, kind: &str| {
        let link = |name: &str| {
            format!(
                "<link name='{name}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
            )
        };
        let joint = |name: &str, child: &str, kind: &str, mimic: &str| {
            format!(
                "<joint name='{name}' type='{kind}'><parent link='a'/><child link='{child}'/>\n{mimic}</joint>"
            )
        };
        let joints = joint("left", "b", "continuous", mimic) + &joint("right", "c", kind, other);
        format!("<robot name='r'>{}{}{}{joints}</robot>", link("a"), link("b"), link("c"))
    };
    for (mimic, other, kind, message) in [
        ("<mimic joint='rigt'/>", "", "continuous", "2:1: there is no joint `rigt`"),
        ("<mimic/>", "", "continuous", "2:1: <mimic> needs the attribute `joint`"),
        (
            "<mimic joint='right' multiplier='x'/>",
            "",
            "continuous",
            "2:22: <mimic> attribute `multiplier`: expected 1 finite number(s)",
        ),
        (
            "<mimic joint='right'/>",
            "<mimic joint='left'/>",
            "continuous",
            "2:1: joints are coupled in a circle: `left` follows `right` follows `left`",
        ),
        (
            "<mimic joint='right'/>",
            "",
            "floating",
            "2:1: `right` is floating: it has no single value to follow",
        ),
    ] {
        let errors = reading(&robot(mimic, other, kind), false).unwrap_err();
        assert!(errors[0].to_string().ends_with(message), "{}", errors[0]);
    }
    let held =
        reading(&robot("<mimic joint='right' multiplier='3' offset='0.2'/>", "", "fixed"), false).unwrap();
    assert_eq!(held.model.rest_configuration()[7], 0.2);
}

#[test]
fn a_mass_below_zero_is_refused_and_dry_friction_is_read_without_a_warning() {
    let robot = |mass: &str, joint: &str| {
        let link = |name: &str| {
            format!(
                "<link name='{name}'>\n<inertial><mass value='{mass}'/><inertia ixx='1' iyy='1' izz='1'/></inertial>
                 <collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
            )
        };
        format!(
            "<robot name='r'>{}{}<joint name='j' type='continuous'><parent link='a'/><child link='b'/>{joint}</joint></robot>",
            link("a"),
            link("b")
        )
    };
    let errors = reading(&robot("-1", ""), false).unwrap_err();
    assert_eq!(errors[0].to_string(), "written.xml:2:1: link `a` has a negative mass");
    let rough = reading(&robot("1", "<dynamics damping='0.1' friction='0.3'/>"), true).unwrap();
    assert_eq!(rough.model.dry_friction().collect::<Vec<_>>(), [(6, 0.3)]);
}

#[test]
fn the_greatest_rates_of_joints_are_those_of_the_file() {
    let model = robot().model;
    let limit = |name: &str| {
        model.velocity_limits[model.joints.iter().find(|joint| joint.name == name).unwrap().v_index]
    };
    assert_eq!(limit("hip_roll"), 3.0);
    assert_eq!(model.velocity_limits.iter().filter(|limit| limit.is_finite()).count(), 1);
}

#[test]
fn meshes_of_a_robot_taken_out_of_its_package_are_those_beside_its_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mesh = file("meshes/bracket.stl");
    std::fs::create_dir(folder.path().join("meshes")).expect("made");
    std::fs::copy(&mesh, folder.path().join("meshes/sole.stl")).expect("copied");
    std::fs::copy(&mesh, folder.path().join("pad.stl")).expect("copied");
    for name in [
        "package:///meshes/sole.stl",
        "package://robot/meshes/sole.stl",
        "package:///pad.stl",
        "package://a/b/pad.stl",
    ] {
        let path = folder.path().join("robot.urdf");
        let text = format!(
            r#"<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"
            izz="1"/></inertial><collision><geometry><mesh filename="{name}"/></geometry></collision></link></robot>"#
        );
        std::fs::write(&path, text).expect("written");
        let source = files::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let read = mjcf::read_with(&source, &Options::default()).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(matches!(read.model.geoms[0].shape, Shape::Hull(_)), "{name}: {:?}", read.warnings);
    }
}
