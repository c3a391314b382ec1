//! Ground and obstacles that move, vanish or appear; goals that events add and drop; targets that move.

use aplomb::character::Character;
use aplomb::model::Model;
use aplomb::scene::{self, SceneFiles};
use aplomb::step::{BadValue, Simulation};
use aplomb::trace::{Frame, Outcome};
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};
use std::fs;
use std::ops::Range;

/// Balances over whatever it stands on, at any height, and is carried along by it.
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
of = { com_height = { target = "0.985 * standing_height + support_height - ground_height" } }
[[states.ride.objectives]]
name = "chest upright"
weight = 10.0
response = 0.25
of = { upright = { body = "chest" } }
[[states.ride.objectives]]
name = "no haste"
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
    let mut simulation = Simulation::bind(files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut frames = Vec::new();
    let last = aplomb::run::run::<BadValue>(&mut simulation, |_, stepped| {
        frames.push(stepped.frame.clone());
        Ok(())
    });
    frames.push(last.unwrap());
    let failed = frames.iter().find(|frame| matches!(frame.outcome, Outcome::Failed { .. }));
    assert!(failed.is_none(), "{:?}", failed.map(|frame| (frame.index, &frame.outcome)));
    let upright = simulation.criteria.iter().all(|criterion| criterion.holds);
    Run { model: simulation.character.model, frames, upright }
}

fn ride(rest: &str) -> Run {
    run(&load(&format!("{}{ON_PLATFORM}{rest}", "duration = 5.0\n")))
}

/// Where the first obstacle that moves is.
fn platform(frame: &Frame) -> Isometry3<f64> {
    let place = frame.moving[0];
    let [w, x, y, z] = place.orientation;
    let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Translation3::from(Vector3::from(place.position)), turn)
}

/// How far the feet go over what carries them, of all frames the most, m.
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

/// Largest distance of a contact that bears from its surface, m.
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
    // Every contact is recorded as one that sticks: what counts is the way over the surface.
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
    // Of 0.6 rad: the rest pose draws the trunk after the feet without haste.
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

/// Distance of the right hand from its target and cost of the goal, by frame.
fn pursuit(overrides: &[&str]) -> (Vec<Option<f64>>, Vec<f64>) {
    let overrides: Vec<String> = overrides.iter().map(|argument| argument.to_string()).collect();
    let files = scene::load("moving_target", &overrides).unwrap();
    let mut simulation = Simulation::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let index = simulation.character.objectives.iter().position(|name| name == "hand on target").unwrap();
    let (mut distances, mut costs) = (Vec::new(), Vec::new());
    let last = aplomb::run::run::<BadValue>(&mut simulation, |_, stepped| {
        distances.push(stepped.frame.distances.first().copied().flatten());
        costs.push(stepped.frame.costs[index]);
        Ok(())
    });
    last.unwrap();
    assert!(simulation.criteria.iter().all(|criterion| criterion.holds));
    (distances, costs)
}

#[test]
fn a_hand_follows_a_moving_point_within_a_millimetre() {
    let (distances, costs) = pursuit(&[]);
    let held: Vec<f64> = distances[150..850].iter().map(|distance| distance.unwrap()).collect();
    let rms = (held.iter().map(|d| d * d).sum::<f64>() / held.len() as f64).sqrt();
    assert!(rms < 1e-3, "{rms} m");
    assert!(held.iter().fold(0.0, |most: f64, d| most.max(*d)) < 2e-3);
    // Between the events that add and drop it, and at no other time.
    for (k, (distance, cost)) in distances.iter().zip(&costs).enumerate() {
        assert_eq!(distance.is_some(), (50..850).contains(&k), "frame {k}");
        assert!(*cost == 0.0 || (50..850).contains(&k), "frame {k}");
    }
}

#[test]
fn a_goal_that_is_told_not_to_follow_trails_its_target() {
    let set = r#"controller.states.balance.objectives."hand on target".of.body_point.follow=false"#;
    let files = scene::load("moving_target", &[set.into()]).unwrap();
    let run = run(&files);
    let model = &run.model;
    let site = &model.sites[model.site("right_hand_grip").unwrap()];
    let hand = |frame: &Frame| model.body_poses(&frame.q)[site.body.unwrap().0] * Point3::from(site.position);
    // Half-way between the keyframes at 2 and 3.2 s.
    let target = Point3::new(0.425, -0.325, 1.2);
    let trails = (hand(&run.frames[260]) - target).norm();
    assert!(trails > 0.03, "{trails} m");
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
drop = {{ kind = "drop", objective = "ride.rest pose", at = 0.3, duration = 0.5 }}
add = {{ kind = "add", objective = "rest pose", at = 0.9 }}
push = {{ at = 0.5, duration = 0.1, body = "chest", impulse = [2, 0, 0] }}
"#
    );
    let files = load(&scene);
    let (first, second) = (run(&files), run(&files));
    assert_eq!(first.frames, second.frames);
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

/// The hand is drawn into the hip, from which the arm is kept apart.
const INTO_THE_HIP: &str = r#"
[[keep_apart]]
name = "arm"
bodies = ["left_upper_arm"]
from = ["pelvis"]

[[objectives]]
name = "into the hip"
weight = 1.0
response = 0.2
of = { body_point = { point = "left_hand", target = "position(pelvis)" } }
"#;

#[test]
fn a_constraint_holds_only_while_events_let_it() {
    let scene = format!(
        "duration = 2.0\n{ON_PLATFORM}\n\
         [events.let_through]\nkind = \"drop\"\nconstraint = \"arm\"\nat = 1.0\nduration = 0.5\n"
    );
    let files = load_with(&scene, &format!("{RIDER}{INTO_THE_HIP}"));
    let mut simulation = Simulation::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut distances = Vec::new();
    let last = aplomb::run::run::<BadValue>(&mut simulation, |simulation, _| {
        let Character { model, sense, apart, .. } = &simulation.character;
        distances.push(apart[0].least(model, &sense.kinematics, 1.0).unwrap().0);
        Ok(())
    });
    last.unwrap();
    let least = |frames: Range<usize>| distances[frames].iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least(0..100) > -1e-3, "{} m while it holds", least(0..100));
    assert!(least(90..100) < 0.01, "{} m: the goal wants to go on", least(90..100));
    assert!(least(100..150) < -0.01, "{} m while it does not", least(100..150));
    let again = least(190..200);
    assert!(again > least(149..150), "{again} m when it holds again");
    let scene = scene.replace("\"arm\"", "\"am\"");
    let errors = Simulation::bind(&load_with(&scene, &format!("{RIDER}{INTO_THE_HIP}"))).err().unwrap();
    assert_eq!(errors[0].message, "the controller has no keep_apart `am`");
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `arm`?"));
}

#[test]
fn an_event_for_an_objective_that_is_not_there_says_which_are() {
    let scene = format!(
        "duration = 1.0\n{ON_PLATFORM}\n[events.calm]\nkind = \"add\"\nobjective = \"rest poze\"\nat = 0.5\n"
    );
    let errors = Simulation::bind(&load(&scene)).err().unwrap();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "the controller has no objective `rest poze`");
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `rest pose`?"));
    assert_eq!((errors[0].place().1, errors[0].place().2), (14, 13));
    let scene = scene.replace("rest poze", "stand.rest pose");
    let errors = Simulation::bind(&load(&scene)).err().unwrap();
    let known = "known: com over support, com height, chest upright, no haste, rest pose";
    assert_eq!(errors[0].help.as_deref(), Some(known));
}
