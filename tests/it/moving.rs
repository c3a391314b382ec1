//! Ground and obstacles that move, vanish or appear.

mod goals;

use aplomb::model::Model;
use aplomb::scene::Run as SceneRun;
use aplomb::scene::{self, SceneFiles};
use aplomb::trace::{Frame, Outcome, TraceWriter, read_bytes};
use aplomb::view::export::{ExportFormat, export};
use aplomb::world::StepError;
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};
use std::fs;

/// A controller that balances on any surface at any height, and moves along with it.
const RIDER: &str = r#"
start = "ride"
[states.ride]
[[states.ride.objectives]]
name = "com over support"
weight = 20.0
response = 0.35
of = { com_over_support = { follow = true } }
[[states.ride.objectives]]
name = "com height"
weight = 20.0
response = 0.15
of = { com_height = { target = "0.985 * standing_height" } }
[[states.ride.objectives]]
name = "chest upright"
weight = 10.0
response = 0.25
of = { upright = { body = "chest" } }
[[states.ride.objectives]]
name = "joint damping"
weight = 0.05
response = 0.15
of = { velocity = { follow = true } }
[[states.ride.objectives]]
name = "rest pose"
weight = 0.02
response = 0.5
of = { pose = {} }
"#;

/// An adult on a platform half a metre over the ground.
const ON_PLATFORM: &str = r#"
[characters.adult]
model = "adult"
controller = "controller.toml"
height = 0.5

[obstacles.platform]
half_lengths = [0.8, 0.8, 0.1]
position = [0, 0, 0.4]
"#;

struct Run {
    model: Model,
    frames: Vec<Frame>,
    upright: bool,
}

fn load(scene: &str) -> SceneFiles {
    load_with(scene, RIDER)
}

fn load_with(scene: &str, controller: &str) -> SceneFiles {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("controller.toml"), controller).unwrap();
    let path = folder.path().join("scene.toml");
    fs::write(&path, scene).unwrap();
    scene::load(path.to_str().unwrap(), &[]).unwrap_or_else(|error| panic!("{error:?}"))
}

fn run(files: &SceneFiles) -> Run {
    let mut simulation = SceneRun::bind(files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut frames = Vec::new();
    let last = simulation.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame());
        Ok(())
    });
    frames.push(last.unwrap());
    let failed = frames.iter().find(|frame| matches!(frame.outcome, Outcome::Failed { .. }));
    assert!(failed.is_none(), "{:?}", failed.map(|frame| (frame.index, &frame.outcome)));
    let upright = simulation.criteria.iter().all(|criterion| criterion.holds);
    Run { model: simulation.character().model.clone(), frames, upright }
}

/// The bytes of the run's trace.
fn trace(files: &SceneFiles) -> Vec<u8> {
    let mut simulation = SceneRun::bind(files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let header = aplomb::scene::header(files, &simulation);
    let mut writer = TraceWriter::new(Vec::new(), &header).unwrap();
    let last = simulation.finish::<StepError>(|_, stepped| {
        writer.write(&stepped.frame()).unwrap();
        Ok(())
    });
    writer.write(&last.unwrap()).unwrap();
    writer.finish().unwrap()
}

fn ride(rest: &str) -> Run {
    run(&load(&format!("{}{ON_PLATFORM}{rest}", "duration = 5.0\n")))
}

/// Pose of the first moving obstacle.
fn platform(frame: &Frame) -> Isometry3<f64> {
    let place = &frame.moving[0];
    let [w, x, y, z] = place.orientation;
    let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Translation3::from(Vector3::from(place.position)), turn)
}

/// Largest displacement of the feet relative to the platform over all frames, m.
fn slip(run: &Run) -> f64 {
    let feet = ["left_foot", "right_foot"].map(|name| run.model.body(name).unwrap().0);
    let on_platform = |frame: &Frame, foot: usize| {
        platform(frame).inverse() * (run.model.body_poses(&frame.q)[foot] * Point3::origin())
    };
    let way = |foot: usize| {
        let start = on_platform(&run.frames[0], foot);
        run.frames.iter().map(move |frame| (on_platform(frame, foot) - start).norm())
    };
    feet.into_iter().flat_map(way).fold(0.0, f64::max)
}

/// Largest distance of a loaded contact from its surface, m.
fn largest_gap(run: &Run) -> f64 {
    run.frames.iter().flat_map(|frame| &frame.contacts).map(|contact| contact.gap.abs()).fold(0.0, f64::max)
}

#[test]
fn feet_stay_where_they_are_on_a_floor_that_shakes_under_them() {
    let run = run(&scene::load("shaking_floor", &[]).unwrap());
    assert!(run.upright);
    let floor = run.frames.iter().map(|frame| Vector3::from(frame.moving[0].position));
    let most = floor.fold(Vector3::zeros(), |most: Vector3<f64>, place| most.sup(&place.abs()));
    assert!(most.x > 0.029 && most.y > 0.029, "the floor goes {most}");
    assert!(slip(&run) < 2e-4, "{} m", slip(&run));
    // Every contact is recorded as sticking: its kind depends on the motion relative to the surface.
    let contacts = run.frames.iter().flat_map(|frame| &frame.contacts);
    assert!(contacts.clone().count() > 1000);
    assert!(contacts.into_iter().all(|contact| contact.kind == aplomb::trace::ContactKind::Static));
}

#[test]
fn standing_on_a_box_is_like_standing_on_the_ground() {
    let scene = |place: &str| format!("duration = 2.0\n{place}");
    let (character, _) = ON_PLATFORM.split_once("height").unwrap();
    let runs = [run(&load(&scene(ON_PLATFORM))), run(&load(&scene(character)))];
    let [on_box, on_ground] = &runs;
    let places = |frame: &Frame| on_box.model.body_poses(&frame.q);
    for (above, below) in on_box.frames.iter().zip(&on_ground.frames) {
        for (a, b) in places(above).iter().zip(places(below)) {
            let apart = a.translation.vector - b.translation.vector - Vector3::new(0.0, 0.0, 0.5);
            assert!(apart.norm() < 1e-3, "{} s: {} m", above.time, apart.norm());
        }
    }
}

#[test]
fn who_stands_on_a_platform_goes_where_it_goes() {
    let run = ride(
        r#"
[events.away]
kind = "move"
obstacle = "platform"
at = 0.5
duration = 3.0
by = [1.0, 0.3, 0.2]
turn = [0, 0, 0.6]
[success]
upright = { always = "com.z > 0.5 + 0.8 * standing_height" }
"#,
    );
    assert!(run.upright);
    let (start, end) = (&run.frames[0], &run.frames[run.frames.len() - 1]);
    let pelvis = |frame: &Frame| run.model.body_poses(&frame.q)[0];
    let carried = platform(end) * platform(start).inverse() * pelvis(start);
    let error = carried.inverse() * pelvis(end);
    assert!((platform(end).translation.vector - Vector3::new(1.0, 0.3, 0.6)).norm() < 1e-12);
    assert!(error.translation.vector.norm() < 0.03, "{}", error.translation);
    // Of 0.6 rad: the rest pose pulls the trunk after the feet slowly.
    assert!(error.rotation.angle() < 0.15, "{} rad", error.rotation.angle());
    assert!(slip(&run) < 2e-4, "{} m", slip(&run));
    assert!(largest_gap(&run) < 1e-4, "{} m", largest_gap(&run));
}

#[test]
fn a_platform_that_tilts_and_heaves_is_neither_entered_nor_left() {
    let run = ride(
        r#"
[success]
upright = { always = "com.z > 0.5 + 0.8 * standing_height" }
[events.swell]
kind = "shake"
obstacle = "platform"
at = 0.2
duration = 4.5
amplitude = [0, 0, 0.03]
sway = [0.04, 0.03, 0]
frequency = 0.7
"#,
    );
    assert!(run.upright);
    let tilt = run.frames.iter().map(|frame| platform(frame).rotation.angle()).fold(0.0, f64::max);
    assert!(tilt > 0.04);
    assert!(slip(&run) < 2e-4, "{} m", slip(&run));
    assert!(largest_gap(&run) < 1e-4, "{} m", largest_gap(&run));
}

#[test]
fn who_stands_on_a_platform_that_vanishes_falls_freely() {
    let run = ride(
        r#"
[events.gone]
kind = "vanish"
obstacle = "platform"
at = 0.5
"#,
    );
    let vanished = run.frames.iter().position(|frame| !frame.moving[0].present).unwrap();
    assert_eq!((vanished, &run.frames[vanished].events[..]), (50, &["gone".to_string()][..]));
    assert!(run.frames[vanished - 1].contacts.iter().map(|contact| contact.force[2]).sum::<f64>() > 500.0);
    // 0.3 s later it has fallen 0.44 m of the half metre.
    for three in run.frames[vanished - 1..vanished + 30].windows(3) {
        assert!(three[1].contacts.is_empty(), "frame {}", three[1].index);
        let fall = three[2].com[2] - 2.0 * three[1].com[2] + three[0].com[2];
        assert!((fall / 1e-4 + 9.81).abs() < 0.05, "frame {}: {} m/s²", three[1].index, fall / 1e-4);
    }
    assert!(run.frames[..vanished].iter().all(|frame| frame.moving[0].present));
}

#[test]
fn an_obstacle_that_appears_was_not_there_before() {
    let run = ride(
        r#"
[obstacles.step]
half_lengths = [0.1, 0.1, 0.1]
position = [3, 0, 0.1]
[events.there]
kind = "appear"
obstacle = "step"
at = 0.3
duration = 0.4
"#,
    );
    let present: Vec<bool> = run.frames.iter().map(|frame| frame.moving[0].present).collect();
    let expected = (0..present.len()).map(|k| (30..70).contains(&k));
    assert!(present.iter().copied().eq(expected), "from 0.3 to 0.7 s");
}

#[test]
fn a_run_with_events_of_every_kind_is_the_same_again() {
    let scene = format!(
        r#"duration = 1.5
{ON_PLATFORM}
motion = {{ keyframes = {{ times = [0, 1], offsets = [[0, 0, 0], [0.05, 0, 0]], turns = [[0, 0, 0], [0, 0, 0.1]] }} }}
[obstacles.step]
half_lengths = [0.1, 0.1, 0.1]
position = [3, 0, 0.1]
motion = {{ sine = {{ amplitude = [0, 0, 0.1], frequency = 1.0 }} }}
[events]
shake = {{ kind = "shake", obstacle = "platform", at = 0.1, duration = 1.0, amplitude = [0.01, 0, 0], frequency = 2.0 }}
move = {{ kind = "move", obstacle = "step", at = 0.1, duration = 0.5, by = [0, 0.1, 0] }}
vanish = {{ kind = "vanish", obstacle = "step", at = 0.2, duration = 0.2 }}
appear = {{ kind = "appear", obstacle = "step", at = 0.6 }}
drop = {{ kind = "disable", objective = "ride.rest pose", at = 0.3, duration = 0.5 }}
add = {{ kind = "enable", objective = "rest pose", at = 0.9 }}
push = {{ at = 0.5, duration = 0.1, body = "chest", impulse = [2, 0, 0] }}
"#
    );
    let files = load(&scene);
    let (first, bytes) = (run(&files), trace(&files));
    assert!(bytes == trace(&files), "the same files give the same bytes");
    assert!(bytes != trace(&load(&scene.replace("amplitude = [0.01,", "amplitude = [0.0101,"))));
    assert_eq!(read_bytes(&bytes).unwrap().frames, first.frames);
    let named = |k: usize| first.frames[k].events.join(" ");
    assert_eq!(
        [named(20), named(31), named(52), named(60), named(90), named(130)],
        [
            "shake move vanish",
            "shake move vanish drop",
            "shake move drop push",
            "shake appear drop",
            "shake add",
            ""
        ]
    );
    let push = &first.frames[52].external;
    assert!(push.len() == 1 && push[0].name == "push", "{push:?}");
}

#[test]
fn exported_scenes_hold_what_never_moves_nor_vanishes() {
    let scene = format!(
        r#"duration = 0.05
{ON_PLATFORM}
[obstacles.step]
half_lengths = [0.1, 0.1, 0.1]
position = [3, 0, 0.1]
[obstacles.lift]
half_lengths = [0.1, 0.1, 0.1]
position = [4, 0, 0.1]
motion = {{ sine = {{ amplitude = [0, 0, 0.1], frequency = 1.0 }} }}
[events.gone]
kind = "vanish"
obstacle = "step"
at = 9.0
"#
    );
    let geoms = |scene: &str| {
        let folder = tempfile::tempdir().unwrap();
        let trace = read_bytes(&trace(&load(scene))).unwrap();
        export(&trace, folder.path(), ExportFormat::Jsonl).unwrap();
        let text = fs::read_to_string(folder.path().join("scene.xml")).unwrap();
        ["ground", "platform", "step", "lift"].map(|name| text.contains(&format!("<geom name=\"{name}\"")))
    };
    assert_eq!(geoms(&scene), [true, true, false, false]);
    let shaken = scene.replace("obstacle = \"step\"", "obstacle = \"ground\"");
    assert_eq!(geoms(&shaken), [false, true, true, false]);
}
