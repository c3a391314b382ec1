//! Readers of files and expressions, one entry per reader. `tests/it/fuzz` tries some inputs in every test run,
//! `scripts/nightly` many, and `fuzz/` as many as time allows.

use aplomb::analysis::check;
use aplomb::language::diagnostic::Source;
use aplomb::language::expression::{Unit, Units, parse_expression};
use aplomb::language::files::{self, Folder};
use aplomb::model::{Model, bvh, mjcf};
use aplomb::scene::{self, Run};
use aplomb::view::plot::PlotSpec;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A reader.
pub struct Target {
    pub name: &'static str,
    /// Valid inputs, to be mutated.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads an input; if the flag is set, the result is also used.
    pub run: fn(&[u8], bool),
}

pub const TARGETS: [Target; 15] = [
    Target { name: "scene", seeds: scenes, run: scene },
    Target { name: "controller", seeds: controllers, run: controller },
    Target { name: "plot", seeds: plots, run: plot },
    Target { name: "companion", seeds: companions, run: companion },
    Target { name: "mjcf", seeds: bodies, run: model },
    Target { name: "urdf", seeds: urdfs, run: model },
    Target { name: "stl", seeds: stls, run: |bytes, _| mesh("stl", bytes) },
    Target { name: "obj", seeds: objs, run: |bytes, _| mesh("obj", bytes) },
    Target { name: "collada", seeds: colladas, run: |bytes, _| mesh("dae", bytes) },
    Target { name: "bvh", seeds: bvhs, run: motion },
    Target { name: "clip", seeds: clips, run: clip },
    Target { name: "trace", seeds: traces, run: trace },
    Target { name: "repair", seeds: traces, run: repair },
    Target { name: "set", seeds: overrides, run: set },
    Target { name: "expression", seeds: expressions, run: expression },
];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn shipped(folder: Folder, names: &[&str]) -> Vec<Vec<u8>> {
    let read =
        |name: &&str| files::find(folder, name, None).expect("it ships").source.text.as_bytes().to_vec();
    names.iter().map(read).collect()
}

fn lines(all: &[&str]) -> Vec<Vec<u8>> {
    all.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Path of a file that belongs to this thread.
fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("aplomb-fuzz-{}", std::process::id()));
    let folder = folder.join(format!("{:?}", std::thread::current().id()));
    fs::create_dir_all(&folder).expect("there is a place for files");
    folder.join(name)
}

const ARM: &str = r#"<mujoco model="arm">
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" type="hinge" axis="0 1 0" range="-90 90" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.04" mass="2"/>
      <body name="lower" pos="0 0 -0.3">
        <joint name="elbow" type="hinge" axis="0 1 0" range="0 150"/>
        <geom name="bone" type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" density="900"/>
        <site name="tip" pos="0 0 -0.3"/>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="elbow" joint2="shoulder" polycoef="0 -2"/></equality>
  <actuator><motor joint="shoulder" ctrlrange="-20 20" gear="1"/></actuator>
  <keyframe><key name="rest" qpos="0.3 0.5"/></keyframe>
</mujoco>
"#;

fn arm() -> &'static Model {
    static ARM_MODEL: OnceLock<Model> = OnceLock::new();
    ARM_MODEL.get_or_init(|| mjcf::read(&Source::new("arm.xml", ARM)).expect("the arm is right"))
}

fn scenes() -> Vec<Vec<u8>> {
    let mut seeds = shipped(
        Folder::Scenes,
        &["balance_push", "bounce", "robot_drag", "hang_drop", "drag_figure", "four_bar", "moving_target"],
    );
    seeds.extend(lines(&["duration = 1\ngravity = [0, 0, -9.81]\n[ground]\nfriction = 0.5\nmotion = { sine = { amplitude = [0, 0.1, 0], frequency = 1 } }\n[passive.ball]\nkind = \"articulated\"\nmodel = \"ball\"\n[holds]\nseed = 3\nrows = 4\n[events.shake]\nkind = \"shake\"\nobstacle = \"ground\"\nat = 0.1\nduration = 0.5\namplitude = [0.1, 0, 0]\nfrequency = 2\n[success]\nlow = { at_end = \"height(ball) < 1\" }\n"]));
    seeds
}

fn scene(bytes: &[u8], deep: bool) {
    let source = Source::new("scenes/fuzzed.toml", text(bytes));
    if let Ok(files) = scene::load_text(&source)
        && deep
    {
        _ = Run::bind(&files).map(|run| run.frames);
    }
}

fn controllers() -> Vec<Vec<u8>> {
    let own = "start = \"a\"\nallow = [\"zero-weight\"]\n[parameters]\nk = 2.0\n[define]\nfar = \"angle(elbow) > k * time\"\n[[objectives]]\nname = \"damp\"\nweight = 0.1\nof = { velocity = {} }\n[states.a]\nlet = { tip_at = \"position(tip)\" }\nwhile = \"not far\"\nuntil = \"state_time > 1 and speed(tip) < 0.1\"\ndebounce = 0.1\nto = [\"b\"]\nelse = \"a\"\n[[states.a.objectives]]\nname = \"reach\"\nweight = \"max(0, 1 - time)\"\nresponse = 0.2\nwhen = \"time < 3\"\nof = { body_point = { point = \"tip\", target = \"tip_at + [0, 0, 0.1]\" } }\n[states.b]\nrelease = [\"lower\"]\nrelease_while = \"state_time < 0.2\"\n[[states.b.objectives]]\nname = \"pose\"\nweight = { keyframes = { times = [0, 1], values = [1, 2], interpolation = \"curve\" } }\nhorizon = 0.3\nfastest = 1\nof = { pose = { angles = { elbow = 0.4 } } }\n";
    let composed = "start = \"b\"\n[parameters]\nv = [1, 2, 3]\n[include.b]\nfile = \"step_recovery\"\nmirror = true\n[include.b.parameters]\nlanding = 0.8\n[include.b.objectives.\"rest pose\"]\nweight = 2\n[states.a]\nmachine = \"b\"\nblend_in = 0.2\nuntil = \"b.state_time > v.x\"\nto = [\"a\", \"a.balance\"]\n";
    [lines(&[own, composed]), shipped(Folder::Controllers, &["swing", "balance_or_fall"])].concat()
}

fn controller(bytes: &[u8], deep: bool) {
    let source = Source::new("fuzzed.toml", text(bytes));
    if deep {
        _ = check::controller(&source, &Source::new("arm.xml", ARM), &[]);
    } else {
        let (source, spec, _) = aplomb::controller::read_all(source, &[]);
        _ = spec.map(|spec| aplomb::controller::check(&spec, &source));
    }
}

fn plots() -> Vec<Vec<u8>> {
    shipped(Folder::Plots, &["costs", "balance", "joints", "passive"])
}

fn plot(bytes: &[u8], _: bool) {
    _ = PlotSpec::read_all(&Source::new("fuzzed.toml", text(bytes)));
}

fn companions() -> Vec<Vec<u8>> {
    lines(&[
        "ignore = [\"tendon\"]\n[roles]\nchest = \"upper\"\n[role_joints]\narms = [\"shoulder\", \"elbow\"]\nleft_elbow = [\"-elbow\"]\n[role_points]\nleft_sole = { body = \"lower\", at = [0, 0, -0.3] }\n[velocity_limits]\nelbow = 3.0\n",
    ])
}

fn companion(bytes: &[u8], _: bool) {
    let path = scratch("arm.xml");
    fs::write(&path, ARM).expect("it can be written");
    fs::write(path.with_extension("body.toml"), bytes).expect("it can be written");
    _ = mjcf::read(&Source::new("arm.xml", ARM).from_file(&path));
}

fn bodies() -> Vec<Vec<u8>> {
    let own = "<mujoco><compiler angle=\"radian\" autolimits=\"true\"/><default><default class=\"x\"><geom size=\"0.1\" density=\"500\"/></default></default><asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/></asset><worldbody><geom type=\"plane\" size=\"1 1 1\"/><body name=\"a\" childclass=\"x\"><freejoint/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/><geom type=\"sphere\"/><geom type=\"mesh\" mesh=\"m\"/><body name=\"b\" pos=\"0 0 0.2\" euler=\"0 0.1 0\"><joint type=\"ball\" range=\"0 1\"/><geom type=\"box\" size=\"0.1 0.1 0.1\"/></body><body name=\"c\"><joint type=\"slide\" axis=\"0 0 1\" range=\"0 1\"/><geom type=\"cylinder\" fromto=\"0 0 0 0 0 1\" size=\"0.1\"/></body></body></worldbody></mujoco>";
    [lines(&[ARM, own]), shipped(Folder::Passive, &["ball", "pendulum", "four_bar"])].concat()
}

fn urdfs() -> Vec<Vec<u8>> {
    lines(&[
        "<robot name=\"r\"><material name=\"m\"><color rgba=\"1 0 0 1\"/></material><link name=\"base\"><inertial><origin xyz=\"0 0 0.1\" rpy=\"0 0.1 0\"/><mass value=\"2\"/><inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/></inertial><collision><origin xyz=\"0 0 0\"/><geometry><box size=\"0.1 0.2 0.3\"/></geometry></collision></link><link name=\"arm\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/></inertial><collision><geometry><cylinder radius=\"0.1\" length=\"0.4\"/></geometry></collision></link><joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child link=\"arm\"/><origin xyz=\"0 0 0.3\" rpy=\"0 0 0\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"3\"/><dynamics damping=\"0.1\" friction=\"0.2\"/></joint><link name=\"finger\"/><joint name=\"k\" type=\"prismatic\"><parent link=\"arm\"/><child link=\"finger\"/><axis xyz=\"1 0 0\"/><limit lower=\"0\" upper=\"0.1\" effort=\"1\" velocity=\"1\"/><mimic joint=\"j\" multiplier=\"0.1\" offset=\"0\"/></joint></robot>",
    ])
}

fn model(bytes: &[u8], deep: bool) {
    if let Ok(model) = mjcf::read(&Source::new("fuzzed.xml", text(bytes)))
        && deep
    {
        let poses = model.body_poses(&model.rest_configuration());
        _ = (model.rest_com_height(), model.lowest_point(&poses));
    }
}

fn stls() -> Vec<Vec<u8>> {
    let text = "solid s\nfacet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\nfacet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nfacet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid s\n";
    let corners: [[[f32; 3]; 3]; 4] = [
        [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    ];
    let mut binary = vec![0u8; 80];
    binary.extend((corners.len() as u32).to_le_bytes());
    for face in corners {
        binary.extend([0u8; 12]);
        face.as_flattened().iter().for_each(|number| binary.extend(number.to_le_bytes()));
        binary.extend([0u8; 2]);
    }
    vec![text.as_bytes().to_vec(), binary]
}

fn objs() -> Vec<Vec<u8>> {
    lines(&[
        "mtllib m.mtl\no s\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt 0 0\nusemtl a\nf 1 3 2\nf 2/1/1 3/1/1 4/1/1\nf 1//1 4//1 3//1\nf -4 -3 -1\n",
    ])
}

fn colladas() -> Vec<Vec<u8>> {
    lines(&[
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset><unit meter=\"0.01\" name=\"cm\"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"12\">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 2 1 1 2 3 0 3 2 0 1 3</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
    ])
}

/// A body with one mesh, in a file of this kind.
fn mesh(kind: &str, bytes: &[u8]) {
    let path = scratch("body.xml");
    fs::write(path.with_file_name(format!("part.{kind}")), bytes).expect("it can be written");
    let body = format!(
        "<mujoco><asset><mesh name=\"m\" file=\"part.{kind}\"/></asset><worldbody><body><freejoint/><geom type=\"mesh\" mesh=\"m\" density=\"100\"/></body></worldbody></mujoco>"
    );
    _ = mjcf::read(&Source::new("body.xml", &body).from_file(&path));
}

fn bvhs() -> Vec<Vec<u8>> {
    lines(&[
        "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n  JOINT Spine\n  {\n    OFFSET 0 10 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n    End Site\n    {\n      OFFSET 0 5 0\n    }\n  }\n  JOINT LeftUpLeg\n  {\n    OFFSET 4 0 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n    End Site\n    {\n      OFFSET 0 -40 0\n    }\n  }\n}\nMOTION\nFrames: 3\nFrame Time: 0.0333\n0 90 0 0 0 0 1 2 3 4 5 6\n0 90 1 0 5 0 1 2 3 4 5 6\n0 90 2 0 9 0 1 2 3 4 5 6\n",
    ])
}

fn motion(bytes: &[u8], _: bool) {
    _ = bvh::read(&Source::new("fuzzed.bvh", text(bytes)));
}

fn clips() -> Vec<Vec<u8>> {
    lines(&[
        "time,shoulder,elbow\n0,0.1,0.2\n0.1,0.2,0.3\n0.2,0.3,0.4\n",
        "time;shoulder\n0;1\n1;2\n",
        "shoulder,elbow\n1,2\n3,4\n",
    ])
}

fn clip(bytes: &[u8], _: bool) {
    let path = scratch("clip.csv");
    fs::write(&path, bytes).expect("it can be written");
    _ = aplomb::cli::read_clip(&path, arm());
}

fn traces() -> Vec<Vec<u8>> {
    static TRACE: OnceLock<Vec<u8>> = OnceLock::new();
    let made = || {
        let text = "duration = 0.03\n[passive.ball]\nkind = \"articulated\"\nmodel = \"ball\"\nposition = [0, 0, 1]\n";
        let files = scene::load_text(&Source::new("scenes/ball.toml", text)).expect("the scene is right");
        let mut run = Run::bind(&files).expect("the scene can be bound");
        let header = scene::header(&files, &run);
        let mut writer = aplomb::trace::TraceWriter::new(std::io::Cursor::new(Vec::new()), &header)
            .expect("it can be written");
        let last = run.finish::<aplomb::world::StepError>(|_, result| {
            writer.write(&result.frame()).expect("a frame can be written");
            Ok(())
        });
        writer.write(&last.expect("the ball falls")).expect("a frame can be written");
        writer.finish().expect("it can be finished").into_inner()
    };
    vec![TRACE.get_or_init(made).clone()]
}

fn trace(bytes: &[u8], _: bool) {
    _ = aplomb::trace::read_bytes(bytes);
}

fn repair(bytes: &[u8], _: bool) {
    let path = scratch("trace.mcap");
    fs::write(&path, bytes).expect("it can be written");
    _ = aplomb::trace::repair_to(&path, path.with_file_name("whole.mcap"));
}

fn overrides() -> Vec<Vec<u8>> {
    lines(&[
        "events.push.impulse=[0, 24, 0]",
        "controller.states.balance.objectives.\"com height\".of.com_height.target=\"0.87 * standing_height\"",
        "ground.friction=0.3",
        "controller.states.balance.objectives.0.weight=2",
        "characters.adult.model=\"child\"",
    ])
}

fn set(bytes: &[u8], _: bool) {
    _ = scene::examine("balance_push", &[text(bytes)]);
}

fn expressions() -> Vec<Vec<u8>> {
    lines(&[
        "lerp(0.5, 0.1, clamp(norm(position(target) - position(limb)) / 0.35, 0, 1)) * (1 + state_time ^ 2)",
        "(left_palm if lost_left else right_palm) if lost_hand else (left_toe_tip if lost_left else right_toe_tip)",
        "abs(swing_speed) < slow and abs(swing_angle) > wide or not (time >= 3)",
        "[0, 0, ground_height + standing_height * (swing_height * bump(state_time / swing_time) - 2e-3)]",
        "min(hands.z - hang, min(position(lf).z, position(rf).z) + leg) == -1.5e3",
    ])
}

struct NoUnits;

impl Units for NoUnits {
    fn unit(&self, name: &str, _: &[aplomb::language::expression::SyntaxNode]) -> Option<Unit> {
        Unit::of(if name.len().is_multiple_of(2) { "m" } else { "m/s" })
    }
}

fn expression(bytes: &[u8], deep: bool) {
    let text = text(bytes);
    if let Some(node) = parse_expression(&text) {
        _ = Unit::infer(&node, &NoUnits);
    }
    if deep {
        let quoted = text.replace('\\', "").replace('"', "'").replace('\n', " ");
        let file = format!("start = \"a\"\n[define]\nx = \"{quoted}\"\n[states.a]\nuntil = \"{quoted}\"\n");
        _ = check::controller(&Source::new("fuzzed.toml", file), &Source::new("arm.xml", ARM), &[]);
    }
}
