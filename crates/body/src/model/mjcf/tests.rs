//! Tests of messages about wrong files, and of values from correct ones.

use super::{read, subset};
use crate::model::{JointKind, Model, Shape};
use aplomb_language::diagnostic::Source;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

fn model(text: &str) -> Model {
    read(&Source::new("m.xml", text)).unwrap_or_else(|error| panic!("{error}"))
}

/// `file:line:column: message`, then the help.
fn mistake(text: &str) -> String {
    let errors = read(&Source::new("m.xml", text)).expect_err("a mistake");
    let error = errors.first().expect("at least one");
    let help = error.help.as_ref().map_or(String::new(), |help| format!("\n  {help}"));
    format!("{error}{help}")
}

/// A file with `body` on line 3, in a body with a hinge and an inertia.
fn in_body(body: &str) -> String {
    let inertial = r#"<inertial mass="1" diaginertia="1 1 1"/>"#;
    format!(
        "<mujoco><worldbody>\n<body name=\"b\"> <joint name=\"j\"/> {inertial}\n{body}\n</body></worldbody></mujoco>"
    )
}

/// A file with `section` on line 2, after the root's tag and before a body with a hinge `j`.
fn beside_body(section: &str) -> String {
    let body = r#"<body name="b"><joint name="j"/><geom name="g" size="1"/></body>"#;
    format!("<mujoco>\n{section}\n<worldbody>{body}</worldbody></mujoco>")
}

#[test]
fn what_is_outside_the_subset_is_named_with_its_place_and_the_nearest_right_name() {
    for (text, message) in [
        (
            "<robots/>",
            r#"m.xml:1:1: not an MJCF file
  the outermost element of an MJCF file is <mujoco>"#,
        ),
        (
            &in_body("<goem size='1'/>"),
            r#"m.xml:3:1: <goem> in <body> is unknown or outside the subset
  did you mean `geom`?"#,
        ),
        (
            &in_body("<geom sise='1'/>"),
            r#"m.xml:3:7: <geom> attribute `sise` is unknown or outside the subset
  did you mean `size`?"#,
        ),
        (
            &in_body("<geom type='elipsoid'/>"),
            r#"m.xml:3:7: <geom> attribute `type`: unknown value `elipsoid`
  did you mean `ellipsoid`?"#,
        ),
        (
            &in_body("<geom type='sphere' size='1' condim='2'/>"),
            "m.xml:3:30: <geom> attribute `condim`: expected 1, 3, 4 or 6",
        ),
        (
            &in_body("<motor joint='j'/>"),
            r#"m.xml:3:1: <motor> has no place in <body>
  it stands in <actuator> or <default>"#,
        ),
        (
            &in_body("<joint springdamper='1 1'/>"),
            r#"m.xml:3:8: <joint> attribute `springdamper`: only 0 0 is supported
  give `stiffness` and `damping`"#,
        ),
        (
            &in_body("some words"),
            r#"m.xml:3:1: text between elements
  MJCF says everything in attributes"#,
        ),
        (
            &beside_body("<include file='other.xml'/>"),
            r#"m.xml:2:10: `other.xml` cannot be included: this text was not read from a file
  put the included file's text here"#,
        ),
        (
            &beside_body("<compiler angel='radian'/>"),
            r#"m.xml:2:11: <compiler> attribute `angel` is unknown or outside the subset
  did you mean `angle`?"#,
        ),
        (
            &beside_body("<compiler angle='radians'/>"),
            r#"m.xml:2:11: <compiler> attribute `angle`: unknown value `radians`
  did you mean `radian`?"#,
        ),
        (
            &beside_body("<extension/>"),
            r#"m.xml:2:1: <extension> in <mujoco> is outside the subset
  plugins of MuJoCo are not run"#,
        ),
        (
            &beside_body("<actuator><posicion joint='j'/></actuator>"),
            r#"m.xml:2:11: <posicion> in <actuator> is unknown or outside the subset
  did you mean `position`?"#,
        ),
    ] {
        assert_eq!(mistake(text), message);
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for (text, message) in [
        (&in_body("<body pos='1 2'/>"), "m.xml:3:7: <body> attribute `pos`: expected 3 numbers, found 2"),
        (&in_body("<body pos='1 2 x'/>"), "m.xml:3:7: <body> attribute `pos`: `x` is not a number"),
        (
            &in_body("<body pos='1 2 nan'/>"),
            "m.xml:3:7: <body> attribute `pos`: `nan` is not a finite number",
        ),
        (
            &in_body("<body pos='1 2 1e999'/>"),
            "m.xml:3:7: <body> attribute `pos`: `1e999` is not a finite number",
        ),
        (
            &in_body("<body quat='0 0 0 0'/>"),
            "m.xml:3:7: <body> attribute `quat`: a quaternion of length zero is no orientation",
        ),
        (
            &in_body("<body quat='1 0 0 0' euler='1 2 3'/>"),
            r#"m.xml:3:22: <body> attribute `euler`: excludes `quat`, which is given too
  give one of: quat, euler, axisangle, xyaxes, zaxis"#,
        ),
        (
            &in_body("<joint name='k' axis='0 0 0'/>"),
            "m.xml:3:17: <joint> attribute `axis`: has no direction: its length is zero",
        ),
        (
            &in_body("<joint name='k' range='1 1'/>"),
            "m.xml:3:17: <joint> attribute `range`: the lower limit 1 is not below the upper 1",
        ),
        (
            &in_body("<joint name='k' limited='true'/>"),
            "m.xml:3:17: <joint> attribute `limited`: needs the attribute `range`",
        ),
        (
            &in_body("<joint name='k' damping='-1'/>"),
            "m.xml:3:17: <joint> attribute `damping`: must not be negative",
        ),
        (
            &in_body("<joint name='k' type='ball' range='1 2'/>"),
            "m.xml:3:29: <joint> attribute `range`: the limits of a ball joint are 0 and the greatest angle",
        ),
        (
            &in_body("<joint name='k' type='ball' actuatorfrcrange='-1 2'/>"),
            "m.xml:3:29: <joint> attribute `actuatorfrcrange`: torque limits are for hinges and slides",
        ),
        (
            &in_body("<geom type='box' size='1 2'/>"),
            "m.xml:3:18: <geom> attribute `size`: a box needs 3 numbers, found 2",
        ),
        (
            &in_body("<geom type='capsule' size='1 0'/>"),
            "m.xml:3:22: <geom> attribute `size`: size 0 must be greater than zero",
        ),
        (&in_body("<geom type='capsule'/>"), "m.xml:3:1: <geom> needs the attribute `size`"),
        (
            &in_body("<geom type='capsule' size='1' fromto='1 2 3 1 2 3'/>"),
            "m.xml:3:31: <geom> attribute `fromto`: its two points are the same",
        ),
        (
            &in_body("<geom type='capsule' size='1' fromto='1 2 3 1 2 4' pos='1 0 0'/>"),
            "m.xml:3:52: <geom> attribute `pos`: excludes `fromto`, which says where the shape is",
        ),
        (
            &in_body("<geom size='1' fromto='1 2 3 1 2 4'/>"),
            "m.xml:3:16: <geom> attribute `fromto`: a sphere has no ends",
        ),
        (&in_body("<geom type='plane'/>"), "m.xml:3:1: a plane belongs in <worldbody>: it does not move"),
        (&in_body("<geom size='1' mass='-1'/>"), "m.xml:3:16: <geom> attribute `mass`: must not be negative"),
        (
            &in_body("<geom size='1' friction='-1'/>"),
            "m.xml:3:16: <geom> attribute `friction`: must not be negative",
        ),
        (
            &beside_body("<option timestep='0'/>"),
            "m.xml:2:9: <option> attribute `timestep`: must be greater than zero",
        ),
        (
            &beside_body("<compiler eulerseq='xyw'/>"),
            "m.xml:2:11: <compiler> attribute `eulerseq`: expected three of the letters xyzXYZ",
        ),
        (
            &beside_body("<actuator><position joint='j' ctrlrange='1 -1'/></actuator>"),
            "m.xml:2:31: <position> attribute `ctrlrange`: the lower limit 1 is not below the upper -1",
        ),
        (
            &beside_body("<actuator><position joint='j' kp='stiff'/></actuator>"),
            "m.xml:2:31: <position> attribute `kp`: `stiff` is not a number",
        ),
        (
            &beside_body("<actuator><position kp='50'/></actuator>"),
            "m.xml:2:11: <position> needs the attribute `joint`",
        ),
        (
            &beside_body("<actuator><position joint='jj' kp='50'/></actuator>"),
            r#"m.xml:2:21: <position> attribute `joint`: unknown joint `jj`
  did you mean `j`?"#,
        ),
        (
            &beside_body("<actuator><position tendon='t' kp='50'/></actuator>"),
            "m.xml:2:11: an actuator that is a muscle, or acts on no joint, is not modelled\n  \
             to ignore it, write ignore = [\"actuator\"] in the companion file (.body.toml) of this file, or use \
             `aplomb check --ignore actuator`",
        ),
        (
            &beside_body("<keyframe><key qpos='1 2'/></keyframe>"),
            "m.xml:2:16: <key> attribute `qpos`: expected 1 number, found 2",
        ),
    ] {
        assert_eq!(mistake(text), message);
    }
}

#[test]
fn what_is_not_modelled_is_one_mistake_however_often_it_occurs() {
    let muscles: String = (0..80).map(|k| format!("<muscle name='m{k}' tendon='t{k}' scale='3'/>")).collect();
    let text = beside_body(&format!("<actuator>{muscles}</actuator>"));
    let errors = read(&Source::new("m.xml", text)).expect_err("a mistake");
    assert_eq!(errors.len(), 1, "{errors}");
    assert!(errors.first().expect("one").to_string().contains("here and in 79 other places"), "{errors}");
}

#[test]
fn a_file_may_end_as_a_string_of_c_does() {
    let text = beside_body("") + "\n\0\0";
    read(&Source::new("m.xml", text)).unwrap_or_else(|errors| panic!("{errors}"));
}

#[test]
fn bodies_that_could_not_be_are_refused() {
    let inertial = |attributes: &str| {
        format!(
            "<mujoco><worldbody><body name='b'>\n<joint/><inertial {attributes}/></body></worldbody></mujoco>"
        )
    };
    for (text, message) in [
        (&inertial("diaginertia='1 1 1'"), "m.xml:2:9: <inertial> needs the attribute `mass`"),
        (&inertial("mass='1'"), "m.xml:2:9: <inertial> needs `diaginertia` or `fullinertia`"),
        (
            &inertial("mass='-1' diaginertia='1 1 1'"),
            "m.xml:2:19: <inertial> attribute `mass`: must not be negative",
        ),
        (
            &inertial("mass='0' diaginertia='1 1 1'"),
            r#"m.xml:1:20: body `b` moves but has no mass or no inertia
  give it an <inertial>, or geoms with a mass"#,
        ),
        (
            &inertial("mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'"),
            r#"m.xml:2:48: <inertial> attribute `fullinertia`: excludes `diaginertia`, which is given too
  give one of: diaginertia, fullinertia"#,
        ),
        (
            &inertial("mass='1' fullinertia='1 1 1 0 0 0' quat='1 0 0 0'"),
            "m.xml:2:54: <inertial> attribute `quat`: excludes `fullinertia`, which is given in body axes",
        ),
        (
            &inertial("mass='1' fullinertia='1 1 1 5 0 0'"),
            "m.xml:2:28: <inertial> attribute `fullinertia`: not an inertia: the principal moment -4 is negative",
        ),
        (
            &inertial("mass='1' diaginertia='1 1 3'"),
            "m.xml:2:28: <inertial> attribute `diaginertia`: not an inertia: the principal moment 3 is greater than \
             the other two, 1 and 1, together",
        ),
        (&in_body("<inertial mass='1' diaginertia='1 1 1'/>"), "m.xml:3:1: a body has one <inertial>"),
        (
            &in_body("<body><joint/></body>"),
            r#"m.xml:3:1: body `body1` moves but has no mass or no inertia
  give it an <inertial>, or geoms with a mass"#,
        ),
        (&in_body("<freejoint/>"), "m.xml:3:1: body `b` has more than 6 coordinates"),
        (
            &in_body("<body><freejoint/></body>"),
            "m.xml:3:7: a free joint belongs to a body whose parent is the world",
        ),
        (&"<mujoco/>".to_string(), "m.xml:1:1: the file has no <body>"),
    ] {
        assert_eq!(mistake(text), message);
    }
}

#[test]
fn names_must_exist_and_be_given_once() {
    for (text, message) in [
        (&in_body("<body name='b'/>"), "m.xml:3:7: <body> attribute `name`: there is another `b`"),
        (&in_body("<joint name='j'/>"), "m.xml:3:8: <joint> attribute `name`: there is another `j`"),
        (
            &in_body("<geom size='1' class='leg'/>"),
            r#"m.xml:3:16: <geom> attribute `class`: unknown default class `leg`
  known: main"#,
        ),
        (
            &beside_body("<default class='a'/>"),
            "m.xml:2:10: <default> attribute `class`: the outermost class is called `main`",
        ),
        (
            &beside_body("<default><default class='a'/><default class='a'/></default>"),
            "m.xml:2:39: <default> attribute `class`: class `a` is defined twice",
        ),
        (
            &beside_body("<default><geom name='a'/></default>"),
            "m.xml:2:16: <geom> attribute `name`: has no place in a default",
        ),
        (
            &beside_body("<actuator><motor joint='knee'/></actuator>"),
            r#"m.xml:2:18: <motor> attribute `joint`: unknown joint `knee`
  known: j"#,
        ),
        (
            &beside_body("<actuator><motor gear='1'/></actuator>"),
            "m.xml:2:11: <motor> needs the attribute `joint`",
        ),
    ] {
        assert_eq!(mistake(text), message);
    }
}

#[test]
fn files_that_are_not_xml_are_refused_where_they_go_wrong() {
    let many = format!("<mujoco>\n<body {}/></mujoco>", "a='1' ".repeat(201));
    let deep = format!(
        "<mujoco><worldbody>\n{}{}</worldbody></mujoco>",
        "<body>".repeat(300),
        "</body>".repeat(300)
    );
    for (text, message) in [
        ("", "m.xml:1:1: not well-formed XML: the document does not have a root node"),
        ("hello", "m.xml:1:1: not well-formed XML: unknown token"),
        (
            "<mujoco>\n<worldbody>\n</mujoco>",
            "m.xml:3:1: not well-formed XML: expected 'worldbody' tag, not 'mujoco'",
        ),
        ("<mujoco>\n<worldbody", "m.xml:2:11: not well-formed XML: the outermost element is never closed"),
        (
            "<?xml version='1.0'?>\n<!DOCTYPE m [<!ENTITY a 'b'>]><mujoco/>",
            "m.xml:2:1: not well-formed XML: document type declarations are not allowed",
        ),
        (
            "<mujoco model='a' model='b'/>",
            "m.xml:1:19: not well-formed XML: attribute 'model' is already defined",
        ),
        (&many, "m.xml:2:1: an element has more than 200 attributes"),
        (&deep, "m.xml:2:1525: elements are nested more than 256 deep"),
    ] {
        assert_eq!(mistake(text), message);
    }
}

#[test]
fn bodies_and_coordinates_are_numbered_depth_first_in_file_order() {
    let inertial = r#"<inertial mass="1" diaginertia="1 1 1"/>"#;
    let read = model(&format!(
        r#"<mujoco><worldbody>
        <body name="a"><freejoint/>{inertial}
          <body name="b"><joint name="bx" axis="2 0 0" pos="0 0 1"/><joint name="bb" type="ball"/>{inertial}
            <body name="c">{inertial} <body name="d"><joint name="ds" type="slide"/>{inertial}</body> </body>
          </body>
          <body name="e"><joint/>{inertial}</body>
        </body>
        <body name="f"><joint name="f"/>{inertial}</body>
        </worldbody></mujoco>"#
    ));
    let names: Vec<&str> = read.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "f"]);
    let coordinates = "root.x root.y root.z root.wx root.wy root.wz bx bb.wx bb.wy bb.wz ds e_joint f";
    assert_eq!(read.dof_names.join(" "), coordinates);
    let parents: Vec<_> =
        read.dof_parent.iter().map(|parent| parent.map_or(-1, |parent| parent as i64)).collect();
    assert_eq!(parents, [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 5, -1]);
    let last: Vec<_> = read.bodies.iter().map(|body| body.last_dof).collect();
    assert_eq!(last, [Some(5), Some(9), Some(9), Some(10), Some(11), Some(12)]);
    assert_eq!(read.bodies[1].dofs, 6..10);
    assert!(read.is_floating() && !read.is_fixed());
    let rooted = |joint: &str| {
        model(&format!("<mujoco><worldbody><body>{joint}<geom size='1'/></body></worldbody></mujoco>"))
    };
    assert!(rooted("").is_fixed() && !rooted("<joint type='slide'/>").is_fixed());
    assert_eq!(read.bodies[2].dofs, 10..10);
    assert_eq!((read.nq, read.nv), (7 + 1 + 4 + 1 + 1 + 1, 13));
    let addresses: Vec<_> = read.joints.iter().map(|joint| (joint.q_index, joint.v_index)).collect();
    assert_eq!(addresses, [(0, 0), (7, 6), (8, 7), (12, 10), (13, 11), (14, 12)]);
    assert_eq!(read.joints[1].kind, JointKind::Hinge { axis: Vector3::x() });
    assert_eq!(read.bodies[3].line, 4);
}

#[test]
fn what_has_no_name_gets_one_that_nothing_else_has() {
    let read = model(
        r#"<mujoco><worldbody><geom type="plane"/>
        <body><joint/><joint axis="1 0 0"/><geom size="1"/><geom name="body0_geom1" size="1"/><site/></body>
        <body name="body1"/> <body/>
        </worldbody></mujoco>"#,
    );
    let names = |list: Vec<&str>| list.join(" ");
    assert_eq!(names(read.bodies.iter().map(|body| body.name.as_str()).collect()), "body0 body1 body2");
    assert_eq!(
        names(read.joints.iter().map(|joint| joint.name.as_str()).collect()),
        "body0_joint body0_joint2"
    );
    let geoms = names(read.geoms.iter().map(|geom| geom.name.as_str()).collect());
    assert_eq!(geoms, "world_geom1 body0_geom1_ body0_geom1");
    assert_eq!(read.sites[0].name, "body0_site1");
}

#[test]
fn angles_are_degrees_unless_the_file_says_radian() {
    let text = |compiler: &str| {
        beside_body(compiler).replace(
            "<joint name=\"j\"/>",
            "<joint name='j' range='-90 45' ref='10' springref='20'/><joint name='s' type='slide' range='-90 45'/>",
        )
    };
    let degrees = model(&text(""));
    assert_eq!(degrees.joints[0].range, Some([-PI / 2.0, PI / 4.0]));
    assert_eq!(degrees.joints[0].reference, 10f64.to_radians());
    assert_eq!(degrees.joints[0].spring_reference, 20f64.to_radians());
    assert_eq!(degrees.joints[1].range, Some([-90.0, 45.0]));
    let radians = model(&text("<compiler angle='radian'/>"));
    assert_eq!(radians.joints[0].range, Some([-90.0, 45.0]));
    assert_eq!(degrees.neutral_configuration(), [10f64.to_radians(), 0.0]);
}

#[test]
fn a_range_limits_unless_the_joint_or_the_compiler_says_otherwise() {
    let range = |compiler: &str, joint: &str| {
        let text = beside_body(compiler).replace("<joint name=\"j\"/>", joint);
        read(&Source::new("m.xml", &text)).map(|model| model.joints[0].range.is_some()).ok()
    };
    assert_eq!(range("", "<joint range='1 2'/>"), Some(true));
    assert_eq!(range("", "<joint range='1 2' limited='false'/>"), Some(false));
    assert_eq!(range("", "<joint/>"), Some(false));
    assert_eq!(range("<compiler autolimits='false'/>", "<joint range='1 2' limited='true'/>"), Some(true));
    assert_eq!(range("<compiler autolimits='false'/>", "<joint range='1 2'/>"), None);
}

#[test]
fn an_element_takes_from_its_class_what_it_does_not_say() {
    let read = model(
        r#"<mujoco>
        <default> <geom friction="0.5 0.1" size="0.1 0.2 0.3"/> <joint damping="3"/>
          <default class="limb"> <geom type="capsule"/>
            <default class="hand"> <geom type="box" size="0.7"/> </default>
          </default>
        </default>
        <worldbody><body childclass="limb"> <freejoint/>
          <geom name="own" friction="0.9"/> <geom name="class" class="hand"/> <geom name="main" class="main"/>
          <body> <joint/> <geom name="inherited"/> </body>
        </body></worldbody></mujoco>"#,
    );
    let shapes: Vec<(&str, Shape, f64)> =
        read.geoms.iter().map(|geom| (geom.name.as_str(), geom.shape.clone(), geom.friction)).collect();
    let capsule = Shape::Capsule { radius: 0.1, half_length: 0.2 };
    assert_eq!(shapes[0], ("own", capsule.clone(), 0.9));
    assert_eq!(shapes[1], ("class", Shape::Box { half_lengths: Vector3::new(0.7, 0.2, 0.3) }, 0.5));
    assert_eq!(shapes[2], ("main", Shape::Sphere { radius: 0.1 }, 0.5));
    assert_eq!(shapes[3], ("inherited", capsule, 0.5));
    assert_eq!((read.joints[0].damping, read.joints[1].damping), (0.0, 3.0));
}

#[test]
fn every_way_to_say_an_orientation_agrees() {
    let orientation = |attribute: &str| {
        let text = format!("<mujoco><worldbody><body {attribute}/></worldbody></mujoco>");
        model(&text).bodies[0].orientation
    };
    let expected = orientation("quat='1 1 0 0'");
    for same in
        ["quat='3 3 0 0'", "euler='90 0 0'", "axisangle='2 0 0 90'", "xyaxes='1 0 0 1 0 1'", "zaxis='0 -3 0'"]
    {
        assert!(orientation(same).angle_to(&expected) < 1e-15, "{same}");
    }
    // Rotated axes: first about x, then about the new y.
    let turned = orientation("euler='90 90 0'") * Vector3::x();
    assert!((turned - Vector3::y()).norm() < 1e-15);
}

#[test]
fn a_body_without_inertial_has_the_mass_of_its_geoms() {
    let inertia = |geoms: &str| {
        let text = format!("<mujoco><worldbody><body>{geoms}</body></worldbody></mujoco>");
        model(&text).bodies[0].inertia
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} {b}");
    let ball = inertia("<geom size='0.1'/>");
    near(ball.mass, 1000.0 * 4.0 / 3.0 * PI * 1e-3);
    near(ball.about_centre.m11, 0.4 * ball.mass * 0.01);
    let rod = inertia("<geom type='cylinder' size='0.1 0.3' mass='2'/>");
    near(rod.about_centre.m33, 2.0 * 0.01 / 2.0);
    near(rod.about_centre.m11, 2.0 * (3.0 * 0.01 + 0.36) / 12.0);
    let brick = inertia("<geom type='box' size='1 2 3' density='1'/>");
    near(brick.mass, 48.0);
    near(brick.about_centre.m11, 48.0 / 12.0 * (16.0 + 36.0));
    // A capsule is a cylinder and two hemispheres, each with its centroid 3r/8 from its flat side.
    let (r, h) = (0.1, 0.3);
    let capsule = inertia("<geom type='capsule' size='0.1 0.3'/>");
    let (cylinder, half_ball) = (1000.0 * PI * r * r * 2.0 * h, 1000.0 * 2.0 / 3.0 * PI * r * r * r);
    let about_flat_side = 0.4 * half_ball * r * r;
    let about_own_centre = about_flat_side - half_ball * (0.375 * r) * (0.375 * r);
    let across = cylinder * (3.0 * r * r + 4.0 * h * h) / 12.0
        + 2.0 * (about_own_centre + half_ball * (h + 0.375 * r) * (h + 0.375 * r));
    near(capsule.mass, cylinder + 2.0 * half_ball);
    near(capsule.about_centre.m11, across);
    // Two balls joined by a massless bar.
    let pair = inertia("<geom size='0.1' mass='1' pos='0 0 1'/><geom size='0.1' mass='3' pos='0 0 -1'/>");
    near(pair.mass, 4.0);
    near(pair.centre.z, -0.5);
    near(pair.about_centre.m11, 4.0 * 0.4 * 0.01 + 1.0 * 2.25 + 3.0 * 0.25);
}

#[test]
fn an_inertial_counts_before_geoms_unless_the_compiler_says_otherwise() {
    let mass = |compiler: &str| {
        let inertial = "<inertial mass='7' diaginertia='1 1 1'/>";
        let text = format!(
            "<mujoco>{compiler}<worldbody><body>{inertial}<geom size='1' mass='2'/></body></worldbody></mujoco>"
        );
        model(&text).bodies[0].inertia.mass
    };
    assert_eq!(mass(""), 7.0);
    assert_eq!(mass("<compiler inertiafromgeom='false'/>"), 7.0);
    assert_eq!(mass("<compiler inertiafromgeom='true'/>"), 2.0);
}

#[test]
fn a_full_inertia_is_the_rotated_diagonal_one() {
    let inertia = |attributes: &str| {
        let text =
            format!("<mujoco><worldbody><body><inertial mass='1' {attributes}/></body></worldbody></mujoco>");
        model(&text).bodies[0].inertia.about_centre
    };
    let turned = inertia("diaginertia='1 2 2.5' euler='0 0 90'");
    assert!((turned - Matrix3::from_diagonal(&Vector3::new(2.0, 1.0, 2.5))).norm() < 1e-15);
    let full = inertia("fullinertia='2 3 4 0.1 0.2 0.3'");
    assert_eq!(full, Matrix3::new(2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0));
}

#[test]
fn torque_limits_come_from_the_joint_and_from_motors() {
    let limits = |joint: &str, motors: &str| {
        let section = format!("<actuator>{motors}</actuator>");
        let text =
            beside_body(&section).replace("<joint name=\"j\"/>", &format!("<joint name='j' {joint}/>"));
        model(&text).torque_limits[0]
    };
    assert_eq!(limits("", ""), [f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!(limits("actuatorfrcrange='-3 4'", ""), [-3.0, 4.0]);
    assert_eq!(limits("", "<motor joint='j' gear='50' ctrlrange='-1 2'/>"), [-50.0, 100.0]);
    assert_eq!(limits("", "<motor joint='j' gear='-50' ctrlrange='-1 2'/>"), [-100.0, 50.0]);
    assert_eq!(
        limits("", "<motor joint='j' gear='50' ctrlrange='-1 2' forcerange='-0.5 9'/>"),
        [-25.0, 100.0]
    );
    assert_eq!(limits("actuatorfrcrange='-3 4'", "<motor joint='j' ctrlrange='-1 9'/>"), [-1.0, 4.0]);
    let two = "<motor joint='j' ctrlrange='-1 1'/><motor joint='j' ctrlrange='-2 5'/>";
    assert_eq!(limits("", two), [-3.0, 6.0]);
    assert_eq!(limits("", "<motor joint='j'/>"), [f64::NEG_INFINITY, f64::INFINITY]);
}

#[test]
fn joints_without_an_actuator_are_passive_where_others_have_one() {
    let read = |motors: &str| {
        model(&format!(
            "<mujoco><worldbody><body><freejoint/><geom size='1'/><body><joint name='a'/><joint name='b' axis='1 0 0'/>\
             <geom size='1'/></body></body></worldbody><actuator>{motors}</actuator></mujoco>"
        ))
    };
    let names = |model: &Model| model.passive_joints().map(|joint| joint.name.clone()).collect::<Vec<_>>();
    let driven = |model: &Model| model.is_actuated[5..].to_vec();
    let none = read("");
    assert_eq!((names(&none), driven(&none)), (vec![], vec![false, true, true]));
    let one = read("<motor joint='b'/>");
    assert_eq!((names(&one), driven(&one)), (vec!["a".to_string()], vec![false, false, true]));
    let both = read("<motor joint='b'/><motor joint='a'/>");
    assert_eq!((names(&both), driven(&both)), (vec![], vec![false, true, true]));
}

#[test]
fn keyframes_hold_unit_quaternions() {
    let read = model(
        r#"<mujoco><worldbody><body pos="1 2 3"><freejoint/><geom size="1"/></body></worldbody>
        <keyframe><key name="rest" qpos="0 0 1 2 0 0 0"/><key/></keyframe></mujoco>"#,
    );
    assert_eq!(read.rest_configuration(), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!((read.keyframes[1].name.as_str(), read.keyframes[1].q[0]), ("key1", 1.0));
}

#[test]
fn comments_blank_values_and_decoration_do_no_harm() {
    let read = model(
        r#"<?xml version="1.0"?><!-- a > 'b --><mujoco model=" m "><visual><map force="0.1"/></visual>
        <asset><texture name="t" builtin="flat"/><material name="m" rgba="1 1 1 1"/></asset>
        <statistic extent="1"/><size njmax="1"/>
        <worldbody><light/><camera name="c"/><body name=" b " pos=" 1  2 3 "> </body></worldbody>
        <contact><exclude body1="b" body2="b"/></contact></mujoco>"#,
    );
    assert_eq!((read.name.as_str(), read.bodies[0].name.as_str()), ("m", "b"));
    assert_eq!(read.bodies[0].position, Vector3::new(1.0, 2.0, 3.0));
}

#[test]
fn the_page_on_the_subset_lists_what_is_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mjcf-subset.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, subset::listing()).unwrap();
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == subset::listing(), "{path} is out of date: run this test with UPDATE_DOCS=1");
}

#[test]
fn a_joint_that_moves_nothing_of_its_own_is_refused_at_its_place() {
    let second = |joint: &str| {
        let first = "<joint name='one' axis='0 1 0'/>";
        let geom = "<geom type='box' size='0.1 0.2 0.3' pos='0.4 0 0'/>";
        format!("<mujoco><worldbody><body>{first} {geom}\n{joint}</body></worldbody></mujoco>")
    };
    for joint in [
        "<joint name='two' axis='0 1 0'/>",
        "<joint name='two' axis='0 -1 0'/>",
        "<joint name='two' type='ball'/>",
    ] {
        let said = mistake(&second(joint));
        assert!(said.starts_with("m.xml:2:1: joint `two` duplicates the motion of other joints"), "{said}");
    }
    // On one line with the first joint, after a chain of coinciding slides, and in a body with more than six
    // coordinates.
    let said = mistake(&second("<joint name='two' axis='0 1 0'/>").replace('\n', ""));
    assert!(said.starts_with("m.xml:1:110: joint `two`"), "{said}");
    let slides = "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint name='s' type='slide' \
            axis='1 1 0'/>";
    assert!(mistake(&second(slides)).contains("joint `s` duplicates the motion"));
    for joint in [
        "<joint name='two' axis='0 1 0.1'/>",
        "<joint name='two' axis='0 1 0' pos='0.1 0 0'/>",
        "<joint name='two' axis='0 1 0' armature='0.01'/>",
        // Three axes of which two coincide in the rest pose only.
        "<joint axis='1 0 0' ref='1.5707963267948966'/><joint axis='0 0 1'/>",
    ] {
        model(&second(joint));
    }
}

#[test]
fn all_wrong_attributes_of_an_element_are_told_at_once() {
    let text = "<mujoco><worldbody><body name='door'>\n<joint name='hinge' range='10 -120' damping='-1'/>\n\
                <geom size='-1' mass='-8'/></body></worldbody></mujoco>";
    let errors = read(&Source::new("m.xml", text)).unwrap_err().to_string();
    for said in ["m.xml:2:21", "m.xml:2:37: <joint> attribute `damping`: must not be negative", "m.xml:3:17"]
    {
        assert!(errors.contains(said), "{said} is not in {errors}");
    }
    // An attribute of words is not omitted, because the names that refer to it would then look wrong.
    assert_eq!(errors.lines().filter(|line| line.contains("m.xml:")).count(), 4, "{errors}");
}
