//! Tests of published files: what is read, what is ignored with a warning, and what is rejected.

use super::{Options, read, read_with};
use crate::model::companion::Unmodelled;
use crate::model::{Model, Shape};
use aplomb_language::diagnostic::Source;
use nalgebra::Vector3;

fn source(text: &str) -> Source {
    Source::new("m.xml", text)
}

fn model(text: &str) -> Model {
    read(&source(text)).unwrap_or_else(|errors| panic!("{errors}"))
}

fn warnings(text: &str) -> Vec<String> {
    let reading = read_with(&source(text), &Options::default()).unwrap_or_else(|errors| panic!("{errors}"));
    reading.warnings.iter().map(ToString::to_string).collect()
}

/// A body `b` with a hinge `j` of ±1 rad, and further sections.
fn with(sections: &str) -> String {
    let joint = r#"<joint name="j" range="-1 1"/>"#;
    format!(
        "<mujoco><compiler angle=\"radian\"/>{sections}<worldbody><body name=\"b\">{joint}<geom name=\"g\" \
         size=\"1\"/></body>\
         </worldbody></mujoco>"
    )
}

#[test]
fn all_that_is_wrong_with_a_file_is_said_at_once_in_its_order() {
    let text = "<mujoco>\n<worldbody>\n<body name='a' pos='1 2'>\n<joint axis='0 0 0'/>\n<geom sise='1'/>\n</body>\n\
                </worldbody>\n<wordbody/>\n</mujoco>";
    let errors = read(&source(text)).unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|error| error.place().1).collect();
    assert_eq!(lines, [3, 4, 5, 5, 8], "{errors}");
}

#[test]
fn actuators_limit_torques_to_what_they_can_give() {
    let limits = |actuator: &str| {
        let model = model(&with(&format!("<actuator>{actuator}</actuator>")));
        assert!(model.is_actuated[0]);
        model.torque_limits[0]
    };
    assert_eq!(limits(r#"<position joint="j" kp="50" forcerange="-3 4"/>"#), [-3.0, 4.0]);
    assert_eq!(limits(r#"<position joint="j" kp="50" forcerange="-3 4" gear="-2"/>"#), [-8.0, 6.0]);
    // The torque is extreme with the joint at one end of its range and the input at the other end of its own.
    assert_eq!(limits(r#"<position joint="j" kp="50" ctrlrange="-0.5 1.5"/>"#), [-75.0, 125.0]);
    assert_eq!(limits(r#"<position joint="j" kp="50" inheritrange="1"/>"#), [-100.0, 100.0]);
    assert_eq!(limits(r#"<position joint="j" kp="50"/>"#), [f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!(limits(r#"<velocity joint="j" kv="3" ctrlrange="-2 2"/>"#), [-6.0, 6.0]);
    assert_eq!(limits(r#"<general joint="j" gainprm="7" ctrlrange="-1 1"/>"#), [-7.0, 7.0]);
    let servo = r#"<general joint="j" gainprm="10" biastype="affine" biasprm="1 -10 -1" ctrlrange="-1 1"/>"#;
    assert_eq!(limits(servo), [-19.0, 21.0]);
    assert_eq!(limits(r#"<damper joint="j" kv="3"/>"#), [0.0, 0.0]);
    assert_eq!(limits(r#"<cylinder joint="j" area="2" ctrlrange="0 3"/>"#), [0.0, 6.0]);
}

#[test]
fn actuators_of_all_kinds_have_the_defaults_of_each_other() {
    let model = model(&with(
        r#"<default><general forcerange="-9 9"/><default class="weak"><position forcerange="-2 2"/></default></default>
           <actuator><motor joint="j" class="weak"/></actuator>"#,
    ));
    assert_eq!(model.torque_limits[0], [-2.0, 2.0]);
}

#[test]
fn what_stands_in_a_frame_is_where_the_frame_puts_it() {
    let parts = |open: &str, close: &str| {
        model(&format!(
            r#"<mujoco><worldbody><body name="a" pos="1 0 0">{open}
                 <joint name="j" pos="0 0.1 0" axis="1 0 0"/> <geom type="box" size="0.1 0.2 0.3" pos="0 0 1"/>
                 <inertial mass="2" pos="0 0 0.5" diaginertia="1 2 2.5"/> <site name="s" pos="0 1 0"/>
                 <body name="b" pos="0 0 1"><geom size="1"/></body>
               {close}</body></worldbody></mujoco>"#
        ))
    };
    let plain = parts("", "");
    let framed = parts(r#"<frame pos="0 0 2" euler="0 0 90"><frame pos="1 0 0">"#, "</frame></frame>");
    let there = |v: Vector3<f64>| Vector3::new(-v.y, v.x + 1.0, v.z + 2.0);
    let near = |a: Vector3<f64>, b: Vector3<f64>| assert!((a - b).norm() < 1e-15, "{a} {b}");
    near(framed.geoms[0].position, there(plain.geoms[0].position));
    near(framed.sites[0].position, there(plain.sites[0].position));
    near(framed.bodies[1].position, there(plain.bodies[1].position));
    near(framed.joints[0].anchor, there(plain.joints[0].anchor));
    near(framed.bodies[0].inertia.centre, there(plain.bodies[0].inertia.centre));
    let moments = framed.bodies[0].inertia.about_centre.diagonal();
    near(moments, Vector3::new(2.0, 1.0, 2.5));
}

#[test]
fn copies_go_on_from_each_other_and_are_numbered() {
    let model = model(
        r#"<mujoco><worldbody><replicate count="11" offset="1 0 0" sep="-"><body name="a">
           <joint name="j"/><geom size="1"/></body></replicate></worldbody></mujoco>"#,
    );
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!((names.len(), names[0], names[10]), (11, "a-00", "a-10"));
    assert_eq!(model.bodies[10].position, Vector3::new(10.0, 0.0, 0.0));
    assert_eq!(model.joints[3].name, "j-03");
}

#[test]
fn included_files_stand_where_they_are_included_and_say_their_own_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write(
        "main.xml",
        r#"<mujoco><include file="leg.xml"/><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>"#,
    );
    write(
        "leg.xml",
        "<mujocoinclude>\n<worldbody><body name='leg'><joint/><geom size='1'/></body></worldbody></mujocoinclude>",
    );
    let main = folder.path().join("main.xml");
    let read_main = || aplomb_language::files::open(&main).map(|source| read(&source)).expect("there");
    assert_eq!(read_main().expect("well").bodies[0].name, "leg");
    write("leg.xml", "<mujocoinclude>\n<worldbody><body nam='leg'/></worldbody></mujocoinclude>");
    let errors = read_main().unwrap_err();
    assert!(errors[0].location().ends_with("leg.xml:2:18"), "{}", errors[0]);
    write("leg.xml", "<mujocoinclude><include file='main.xml'/></mujocoinclude>");
    assert!(read_main().unwrap_err()[0].message.contains("includes itself"));
    write("leg.xml", "<mujocoinclude><include file='nowhere.xml'/></mujocoinclude>");
    assert!(read_main().unwrap_err()[0].message.starts_with("cannot read"));
    write("leg.xml", "<?xml version='1.0'?>\n<!-- a leg -->\n<mujocoinclude>\n</mujoco>");
    assert!(read_main().unwrap_err()[0].location().ends_with("leg.xml:4:1"), "the lines of MJCF are shown");
}

#[test]
fn nothing_is_shown_of_files_that_are_no_bodies_and_none_outside_of_the_folder_is_included() {
    let whole = tempfile::tempdir().expect("a folder");
    let (own, parts) = (whole.path().join("own"), whole.path().join("own/parts"));
    std::fs::create_dir_all(&parts).expect("made");
    let secret = "root:x:0:0\n";
    let leg = "<mujoco><worldbody><body name='leg'><joint/><geom size='1'/></body></worldbody></mujoco>";
    for (path, text) in [
        (own.join("notes.txt"), secret),
        (own.join("secret.xml"), "<key>root:x:0:0</key>"),
        (whole.path().join("secret.txt"), secret),
        (whole.path().join("leg.xml"), leg),
        (parts.join("leg.xml"), leg),
        (parts.join("more.xml"), "<mujoco><include file='leg.xml'/></mujoco>"),
    ] {
        std::fs::write(path, text).expect("written");
    }
    let main = own.join("main.xml");
    let read_with = |file: &str| {
        let text = format!("<mujoco>\n<include file='{file}'/></mujoco>");
        std::fs::write(&main, text).expect("written");
        read(&aplomb_language::files::open(&main).expect("there"))
    };
    for inside in ["parts/leg.xml", "./parts/../parts/leg.xml", "parts/more.xml"] {
        assert_eq!(read_with(inside).expect(inside).bodies[0].name, "leg");
    }
    let absolute = whole.path().join("secret.txt").display().to_string();
    let of_folder = own.display().to_string() + "/../leg.xml";
    for (file, why) in [
        ("notes.txt", "is no MJCF file"),
        ("secret.xml", "is no MJCF file"),
        ("parts", "cannot read"),
        ("../secret.txt", "outside of the folder"),
        ("../leg.xml", "outside of the folder"),
        ("parts/../../leg.xml", "outside of the folder"),
        (&absolute, "outside of the folder"),
        (&of_folder, "outside of the folder"),
    ] {
        let errors = read_with(file).expect_err(file);
        assert!(errors[0].message.contains(why), "{}", errors[0]);
        assert!(errors[0].location().ends_with("main.xml:2:10"), "{}", errors[0]);
        assert!(!errors.iter().any(|error| error.text.contains("root:x")), "{file}");
    }
}

#[test]
fn names_with_line_ends_are_shown_in_one_line_and_mean_the_same_everywhere() {
    let model = model(
        "<mujoco><worldbody><body name='a&#10;error: fake'><joint name='j'/><geom name='g&#9;1' size='1'/></body>\
         </worldbody><actuator><motor joint='j' gear='2&#10;0 0 0 0 0'/></actuator></mujoco>",
    );
    assert_eq!((model.bodies[0].name.as_str(), model.geoms[0].name.as_str()), ("a␊error: fake", "g␉1"));
}

#[test]
fn a_shape_paired_with_one_of_the_world_touches() {
    let text = |pair: &str| {
        format!(
            r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
               <body name="b"><joint/><geom name="foot" size="1" contype="0" conaffinity="0"/>
               <geom name="knee" size="1" contype="0" conaffinity="0"/></body></worldbody>
               <contact>{pair}</contact></mujoco>"#
        )
    };
    let touching = model(&text(r#"<pair geom1="floor" geom2="foot" friction="0.4 0.4"/>"#));
    assert_eq!(
        (touching.geoms[1].collides, touching.geoms[1].friction, touching.geoms[2].collides),
        (true, 0.4, false)
    );
    assert!(!model(&text(r#"<pair geom1="knee" geom2="foot"/>"#)).geoms[1].collides);
    assert!(warnings(&text(r#"<pair geom1="ground" geom2="foot"/>"#))[0].contains("`ground`"));
}

#[test]
fn an_ellipsoid_weighs_what_it_holds() {
    let model = model(
        "<mujoco><worldbody><body><joint/><geom type='ellipsoid' size='1 2 3'/></body></worldbody></mujoco>",
    );
    assert_eq!(model.geoms[0].shape, Shape::Ellipsoid { radii: Vector3::new(1.0, 2.0, 3.0) });
    let mass = 1000.0 * 8.0 * std::f64::consts::PI;
    assert!((model.mass() - mass).abs() < 1e-9 * mass);
    assert!((model.bodies[0].inertia.about_centre.m11 - mass * 13.0 / 5.0).abs() < 1e-9 * mass);
}

#[test]
fn what_does_not_change_the_motion_is_ignored_with_one_warning_and_refused_where_reading_is_strict() {
    let text = with(
        "\n<sensor><gyro site='s'/></sensor>\n<custom><numeric name='gain' data='1'/></custom>\n<asset>\
         <texture file='a.png' name='t'/><mesh file='a.stl'/></asset>",
    );
    let said = warnings(&text);
    assert_eq!(
        said,
        ["m.xml:2:1: ignored, because it has no effect on a body's motion: <sensor>, <texture> \
             attribute `file`, <numeric>"]
    );
    let strict = Options { strict: true, ..Options::default() };
    let errors = read_with(&source(&text), &strict).unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|error| error.place().1).collect();
    assert_eq!(lines, [2, 3, 4]);
}

#[test]
fn a_mesh_that_is_only_seen_is_not_opened_and_one_that_touches_is_refused() {
    let text = |more: &str| {
        format!(
            "<mujoco><asset><mesh name='m' file='nowhere.stl'/></asset><worldbody><body><joint/>\
             <inertial mass='1' diaginertia='1 1 1'/><geom type='mesh' mesh='m' {more}/></body></worldbody></mujoco>"
        )
    };
    assert!(model(&text("contype='0' conaffinity='0'")).geoms.is_empty());
    assert!(read(&source(&text(""))).is_err());
}

#[test]
fn what_changes_the_motion_and_is_not_modelled_is_refused_unless_it_is_to_be_ignored() {
    let idle = with("<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>");
    assert!(read(&source(&idle)).is_ok());
    let spring = with("<tendon><fixed name='t' stiffness='2'><joint joint='j' coef='1'/></fixed></tendon>");
    let error = read(&source(&spring)).unwrap_err();
    assert!(error[0].help.as_ref().is_some_and(|help| help.contains("ignore = [\"tendon\"]")), "{error:#}");
    let options = Options { ignore: vec![Unmodelled::Tendon], ..Options::default() };
    let reading = read_with(&source(&spring), &options).expect("ignored");
    assert!(reading.warnings[0].to_string().contains("<fixed>"));
    let closed = with("<equality><connect body1='b' anchor='0 0 0'/></equality>");
    assert!(read(&source(&closed)).is_err());
    let off = with("<equality><joint joint1='j' active='false'/></equality>");
    assert!(read(&source(&off)).is_ok());
}

#[test]
fn balls_and_targets_beside_a_character_are_left_out_with_their_numbers_in_keyframes() {
    let text = r#"<mujoco><worldbody>
        <body name="ball"><freejoint/><geom size="1"/></body>
        <body name="b"><joint name="j"/><geom size="1"/></body>
        <body name="target" mocap="true"/>
      </worldbody><actuator><motor joint="j"/></actuator>
      <keyframe><key name="home" qpos="9 9 9 1 0 0 0 0.25"/></keyframe></mujoco>"#;
    let model = model(text);
    assert_eq!((model.bodies.len(), model.rest_configuration()), (1, vec![0.25]));
    assert!(warnings(text)[0].contains("`ball`, `target`"), "{:?}", warnings(text));
}

#[test]
fn a_body_that_stays_in_a_plane_has_a_root_that_nothing_drives_and_no_passive_joints() {
    let text = r#"<mujoco><worldbody><body name="torso" pos="0 0 1">
        <joint name="rootx" type="slide" axis="1 0 0"/><joint name="rootz" type="slide" axis="0 0 1"/>
        <joint name="rooty" axis="0 1 0"/><geom size="0.1"/>
        <body name="leg"><joint name="hip" axis="0 1 0"/><geom size="0.1"/></body>
      </body></worldbody><actuator><motor joint="hip" ctrlrange="-1 1"/></actuator></mujoco>"#;
    let model = model(text);
    assert_eq!(model.sliding_root(), 0..3);
    assert!(model.is_root(2) && !model.is_root(3));
    assert_eq!(warnings(text), Vec::<String>::new());
}

#[test]
fn the_compiler_bounds_balances_and_scales_masses() {
    let text = |compiler: &str, inertial: &str| {
        format!(
            "<mujoco><compiler {compiler}/><worldbody><body><joint/><inertial pos='0 0 0' \
             {inertial}/></body></worldbody></mujoco>"
        )
    };
    let body = |compiler: &str, inertial: &str| model(&text(compiler, inertial)).bodies[0].inertia;
    assert_eq!(body("boundmass='0.5'", "mass='0' diaginertia='1 1 1'").mass, 0.5);
    let bounded = body("boundinertia='0.5'", "mass='1' diaginertia='0.1 1 1'").about_centre.diagonal();
    assert!((bounded - Vector3::new(0.5, 1.0, 1.0)).norm() < 1e-15);
    let balanced = body("balanceinertia='true'", "mass='1' diaginertia='1 1 4'").about_centre.diagonal();
    assert_eq!(balanced, Vector3::repeat(2.0));
    let scaled = body("settotalmass='8'", "mass='2' diaginertia='1 1 1'");
    assert_eq!((scaled.mass, scaled.about_centre.m11), (8.0, 4.0));
}

#[test]
fn the_character_stands_in_the_keyframe_that_is_called_so() {
    let text = with("<keyframe><key name='fallen' qpos='0.5'/><key name='home' qpos='0.25'/></keyframe>");
    assert_eq!(model(&text).rest_configuration(), [0.25]);
}

/// Two hinges `j` and `k`, a ball joint `b`, and an `<equality>` on line 2 with this content.
fn coupled(equality: &str) -> String {
    format!(
        "<mujoco><compiler angle='radian'/>\n<equality>{equality}</equality><worldbody><body><joint name='j' \
         range='-1 1'/>
         <joint name='k' axis='1 0 0' range='-1 2'/><geom size='1'/>
         <body><joint name='b' type='ball'/><geom size='1'/></body>
         </body></worldbody></mujoco>"
    )
}

#[test]
fn couplings_that_cannot_be_are_refused_with_their_place() {
    let opt_out = "to ignore it, write ignore = [\"equality\"] in the companion file (.body.toml) of this file, \
                   or use `aplomb check --ignore equality`";
    let again = "<joint joint1='k' joint2='j'/><joint joint1='k' joint2='j' polycoef='0 2'/>";
    for (equality, message, help) in [
        (
            "<joint joint1='k' joint2='j' polycoef='0 1 0.5 0 0'/>",
            "m.xml:2:11: a coupling of joints of higher order than linear is not modelled",
            opt_out,
        ),
        (
            "<joint joint1='b' joint2='j'/>",
            "m.xml:2:11: a coupling to `b`, no hinge or slide, is not modelled",
            opt_out,
        ),
        (
            "<joint joint1='k' joint2='jj'/>",
            "m.xml:2:29: <joint> attribute `joint2`: unknown joint `jj`",
            "did you mean `j`?",
        ),
        ("<joint joint2='j'/>", "m.xml:2:11: <joint> needs the attribute `joint1`", ""),
        (
            "<joint joint1='k' joint2='j'/><joint joint1='j' joint2='k'/>",
            "m.xml:2:11: joints are coupled in a circle: `k` follows `j` follows `k`",
            "",
        ),
        (again, "m.xml:2:41: `k` follows a joint already", ""),
        (
            "<joint joint1='k' joint2='j' polycoef='3.5 1'/>",
            "m.xml:2:11: `k` cannot follow `j` and be within its range",
            "`j` goes from -1.0000 to 1.0000, and would have to be within -4.5000 to -1.5000 for `k`",
        ),
        (
            "<joint joint1='k' polycoef='2.5'/>",
            "m.xml:2:11: `k` is held at 2.5000, outside of its range, -1.0000 to 2.0000",
            "",
        ),
    ] {
        let errors = read(&source(&coupled(equality))).unwrap_err();
        assert_eq!(errors[0].to_string(), message);
        assert_eq!(errors[0].help.as_deref().unwrap_or(""), help);
    }
    let bent = coupled("<joint joint1='k' joint2='j' polycoef='0 1 0.5'/><joint joint1='k' joint2='j'/>");
    let options = Options { ignore: vec![Unmodelled::Equality], ..Options::default() };
    let reading = read_with(&source(&bent), &options).expect("left out");
    assert_eq!(reading.model.couplings.len(), 1);
    assert!(reading.warnings[0].to_string().contains("ignored, as requested"), "{:?}", reading.warnings);
}

#[test]
fn a_rest_pose_that_breaks_a_coupling_is_mended_with_a_warning() {
    let keyframe = "<keyframe><key name='rest' qpos='0.5 0.1 1 0 0 0'/></keyframe></mujoco>";
    let text = coupled("<joint joint1='k' joint2='j' polycoef='0.2 2'/>").replace("</mujoco>", keyframe);
    assert_eq!(model(&text).rest_configuration()[..2], [0.5, 1.2]);
    let said = warnings(&text);
    assert!(
        said.iter()
            .any(|said| said.contains("contradicts the coupling")
                && said.contains("`k` at 0.1000, not at 1.2000")),
        "{said:?}"
    );
    // Without a keyframe the joint has no given position.
    assert_eq!(warnings(&coupled("<joint joint1='k' joint2='j' polycoef='0.2 1'/>")), Vec::<String>::new());
}
