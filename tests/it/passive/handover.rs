//! Characters that become ragdolls, and the comparison of frames with forward dynamics.

use aplomb::dynamics::{Kinematics, momentum};
use aplomb::math::spatial::Force;
use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use aplomb::trace::Outcome;
use nalgebra::Vector3;
use std::fs;

/// A simulation of a scene with a separate controller (`controller = "own.toml"`).
fn bind(scene: &str, controller: &str) -> SceneRun {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("own.toml"), controller).expect("written");
    let path = folder.path().join("scene.toml");
    fs::write(&path, scene).expect("written");
    let files = scene::load(path.to_str().expect("a path"), &[]).unwrap_or_else(|error| panic!("{error:?}"));
    SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Linear momentum, and angular momentum about the centre of mass.
fn momentum_of(simulation: &SceneRun) -> (f64, Vector3<f64>, Vector3<f64>) {
    let (model, state) = (&simulation.character().model, &simulation.character().snapshot.state);
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, &state.q, &state.v);
    let bodies = kinematics.inertia.iter().zip(&kinematics.velocity);
    let whole: Force = bodies.map(|(inertia, velocity)| inertia * velocity).sum();
    let com = momentum::com(&kinematics);
    (kinematics.total_inertia.mass, whole.force, whole.moment_about(&com))
}

fn com_of(simulation: &SceneRun) -> Vector3<f64> {
    let (model, state) = (&simulation.character().model, &simulation.character().snapshot.state);
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, &state.q, &state.v);
    momentum::com(&kinematics)
}

const HANDOVER: &str = "\
start = \"own\"
[states.own]
until = \"time > 0.195\"
to = [\"limp\"]
[[states.own.objectives]]
name = \"turn\"
weight = 1.0
response = 0.2
of = { pose = { joints = [], angles = { left_shoulder_y = -1.0 } } }
[[states.own.objectives]]
name = \"joint damping\"
weight = 0.05
response = 0.15
of = { velocity = {} }
[states.limp]
drive = \"ragdoll\"
until = \"state_time > 0.4\"
to = [\"own_again\"]
[states.own_again]
[[states.own_again.objectives]]
name = \"joint damping\"
weight = 0.05
response = 0.15
of = { velocity = {} }
";

/// Largest difference between prediction and forward dynamics in the last frame, m/s or rad/s.
fn divergence(run: &SceneRun) -> f64 {
    run.results().character.and_then(|of| of.divergence).unwrap_or(0.0)
}

#[test]
fn momentum_does_not_jump_when_a_body_goes_limp_nor_when_it_is_taken_back() {
    let scene = "\
duration = 1
[characters.adult]
model = \"adult\"
controller = \"own.toml\"
height = 3
velocity = [1.5, 0.3, 2]
";
    let mut simulation = bind(scene, HANDOVER);
    let (mut limp, mut states) = (0, Vec::new());
    while !simulation.is_over() {
        let (mass, linear, angular) = momentum_of(&simulation);
        simulation.step().expect("usable numbers");
        let (_, next_linear, next_angular) = momentum_of(&simulation);
        let fall = Vector3::new(0.0, 0.0, -9.81) * (mass * simulation.world.settings().dt);
        let frame = simulation.frame();
        let time = frame.time;
        if frame.outcome == Outcome::Limp {
            limp += 1;
            let jump = (next_linear - linear - fall).norm() / linear.norm();
            let turn = (next_angular - angular).norm() / angular.norm();
            assert!(jump < 1e-4 && turn < 1e-3, "{jump:.1e} and {turn:.1e} at {time} s");
            assert!(frame.torque.iter().all(|torque| *torque == 0.0));
        }
        states.push(frame.state);
    }
    states.dedup();
    assert_eq!(states, ["own", "limp", "own_again"]);
    assert_eq!(limp, 40);
}

/// The part of the motion of a ragdoll that recorded forces do not explain.
struct Unexplained {
    /// Unexplained change of its velocity, in the first frame and in the worst, m/s.
    first: f64,
    worst: f64,
    /// Unexplained change of its angular momentum about the world origin, in the worst frame and over all of them, as
    /// a lever arm of the weight, m.
    turn: f64,
    whole_turn: f64,
}

/// A standing body becomes a ragdoll while a ball hits it, with passive steps of `dt`. The impulses on ball and body
/// are equal and opposite.
fn unexplained(dt: f64) -> Unexplained {
    let scene = format!(
        "\
duration = 0.55
passive_settings = {{ dt = {dt} }}
[characters.adult]
model = \"adult\"
controller = \"own.toml\"
[passive.ball]
kind = \"articulated\"
model = \"medicine_ball\"
position = [1.2, 0.05, 1.2]
velocity = [-5, 0, 1]
"
    );
    let mut simulation = bind(&scene, HANDOVER);
    let (mut hit, mut worst) = (0.0f64, 0.0f64);
    let mut first = None;
    let (mut turn, mut left, mut pulled) = (0.0f64, Vector3::zeros(), 0.0);
    while !simulation.is_over() {
        let (mass, linear, angular) = momentum_of(&simulation);
        let com = com_of(&simulation);
        let ball = simulation.world.passive().systems[0].total_momentum().force;
        simulation.step().expect("usable numbers");
        let frame = simulation.frame();
        if frame.outcome != Outcome::Limp {
            continue;
        }
        let (_, next, next_angular) = momentum_of(&simulation);
        let next_com = com_of(&simulation);
        let forces = frame.contacts.iter().map(|contact| Vector3::from(contact.force));
        let of_ball: Vector3<f64> = frame.external.iter().map(|push| Vector3::from(push.force)).sum();
        let weight = Vector3::new(0.0, 0.0, -9.81 * mass);
        let expected = (forces.sum::<Vector3<f64>>() + of_ball + weight) * simulation.world.settings().dt;
        let error = (next - linear - expected).norm() / mass;
        first.get_or_insert(error);
        worst = worst.max(error);
        let contacts = frame.contacts.iter().map(|contact| (contact.point, contact.force, [0.0; 3]));
        let pushes = frame.external.iter().map(|push| (push.point, push.force, push.torque));
        let moments = contacts
            .chain(pushes)
            .map(|(point, force, torque)| Force::at_point(&point.into(), force.into(), torque.into()).moment);
        let moment = moments.sum::<Vector3<f64>>() + (0.5 * (com + next_com)).cross(&weight);
        let about_origin =
            |com: &Vector3<f64>, linear: &Vector3<f64>, angular: &Vector3<f64>| angular + com.cross(linear);
        let change = about_origin(&next_com, &next, &next_angular) - about_origin(&com, &linear, &angular);
        let missing = change - moment * simulation.world.settings().dt;
        turn = turn.max(missing.norm() / (weight.norm() * simulation.world.settings().dt));
        left += missing;
        pulled += weight.norm() * simulation.world.settings().dt;
        if frame.events.iter().any(|event| event == "ball") {
            let change = simulation.world.passive().systems[0].total_momentum().force - ball;
            let fall = Vector3::new(0.0, 0.0, -9.81 * 3.0) * simulation.world.settings().dt;
            assert!(
                (change + of_ball * simulation.world.settings().dt - fall).norm() < 1e-9,
                "at {} s",
                frame.time
            );
            hit = hit.max(of_ball.norm());
        }
    }
    assert!(hit > 10.0, "the ball hits with {hit} N at most");
    let whole_turn = left.norm() / pulled;
    Unexplained { first: first.expect("it goes limp"), worst, turn, whole_turn }
}

#[test]
fn a_limp_body_is_moved_by_gravity_and_the_forces_of_its_record() {
    // The rest is where contacts move within a step, and that limbs accelerate abruptly.
    let [coarse, fine] = [1e-3, 1e-4].map(unexplained);
    for Unexplained { first, worst, turn, whole_turn } in [&coarse, &fine] {
        println!(
            "unexplained: {first:.1e} m/s at first, {worst:.1e} at worst; arms of {turn:.1e} m at worst and {whole_turn:.1e} m in all"
        );
        assert!(*first < 1e-4, "{first:.1e} m/s");
    }
    assert!(coarse.worst < 2e-3 && fine.worst < 0.3 * coarse.worst, "{:.1e} m/s", fine.worst);
    // Lever arm of the weight about the centre of mass that would explain the remaining rotation.
    assert!(
        coarse.whole_turn < 3e-4 && fine.whole_turn < 0.5 * coarse.whole_turn,
        "{:.1e} m",
        fine.whole_turn
    );
    assert!(fine.turn < 0.5 * coarse.turn, "{:.1e} and {:.1e} m", coarse.turn, fine.turn);
}

#[test]
fn damping_and_goals_of_states_belong_to_their_drive() {
    let mistake = |change: [&str; 2]| {
        let source =
            aplomb::language::diagnostic::Source::new("own.toml", HANDOVER.replace(change[0], change[1]));
        let (source, spec) = aplomb::controller::read(source, &[]).expect("readable");
        aplomb::controller::check(&spec, &source)
    };
    let muscles = mistake(["drive = \"ragdoll\"", "damping = 1.0"]);
    assert!(muscles.errors[0].message.contains("ragdoll"), "{:?}", muscles.errors);
    let negative = mistake(["drive = \"ragdoll\"", "drive = \"ragdoll\"\ndamping = -1.0"]);
    assert!(negative.errors[0].message.contains("0 or more"), "{:?}", negative.errors);
    let goals = mistake(["[states.own]", "[states.own]\ndrive = \"ragdoll\""]);
    assert!(goals.errors.is_empty() && goals.warnings[0].0.message.contains("objective"));
}

/// Simulates frames with a bias velocity: returns the largest difference from the prediction, and the last state.
fn stands(how: &str) -> (f64, Vec<f64>) {
    let scene = format!(
        "duration = 2\n{how}\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
         [events.push]\nat = 0.2\nduration = 0.1\nbody = \"chest\"\nimpulse = [12, 5, 0]\n"
    );
    let mut simulation = bind(&scene, HANDOVER);
    let mut worst = 0.0f64;
    while !simulation.is_over() {
        simulation.step().expect("usable numbers");
        worst = worst.max(divergence(&simulation));
    }
    (worst, simulation.character().snapshot.state.q.clone())
}

#[test]
fn forward_dynamics_make_of_a_frames_forces_what_was_predicted() {
    let (_, predicted) = stands("bias_velocity = \"backward\"");
    let (divergence, simulated) = stands("bias_velocity = \"backward\"\nadvance = \"simulated\"");
    assert!(divergence > 0.0 && divergence < 1e-9, "{divergence:.1e} in a frame");
    let apart = predicted.iter().zip(&simulated).fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs()));
    assert!(apart < 1e-6, "{apart:.1e} after two seconds");
    // Another bias velocity gives another value of h(q, v) over a frame.
    let (divergence, _) = stands("bias_velocity = \"extrapolated\"\nadvance = \"simulated\"");
    assert!(divergence > 1e-6 && divergence < 0.05, "{divergence:.1e} in a frame");
}

/// The adult with springs and dampers in all joints except the root.
fn sprung_adult() -> String {
    let adult = aplomb::language::files::find(aplomb::language::files::Folder::Characters, "adult", None);
    let text = adult.unwrap().source.text.to_string();
    let sprung = text.replace("actuatorfrcrange=", "damping=\"5\" stiffness=\"20\" actuatorfrcrange=");
    assert_ne!(text, sprung);
    sprung
}

#[test]
fn springs_and_dampers_of_joints_act_in_forward_dynamics_as_they_do_in_the_prediction() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sprung.xml"), sprung_adult()).unwrap();
    let ends = ["predicted", "simulated"].map(|advance| {
        let file = folder.path().join(format!("{advance}.toml"));
        let text = format!(
            "duration = 1\nbias_velocity = \"backward\"\nadvance = \"{advance}\"\n[characters.adult]\n\
             model = \"sprung.xml\"\ncontroller = \"balance\"\n\
             [events.push]\nat = 0.2\nduration = 0.1\nbody = \"chest\"\nimpulse = [12, 5, 0]\n"
        );
        fs::write(&file, text).unwrap();
        let mut run = SceneRun::bind(&scene::load(file.to_str().unwrap(), &[]).unwrap()).unwrap();
        while !run.is_over() {
            run.step().expect("usable numbers");
            let divergence = divergence(&run);
            assert!(divergence < 1e-9, "{divergence:.1e} in a frame");
        }
        let snapshot = &run.character().snapshot;
        assert!(snapshot.com_height() > 0.8 * snapshot.scales.height, "{advance}: it fell");
        snapshot.state.q.clone()
    });
    let apart = ends[0].iter().zip(&ends[1]).fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs()));
    assert!(apart < 1e-6, "{apart:.1e} after a second");
}

/// A body that lies on its back and bends its knee, its elbow and its head by springs.
const SPRINGS: &str = "\
start = \"lies\"
[states.lies]
drive = \"ragdoll\"
damping = 3
springs = { stiffness = 100, pose = { joints = [\"legs\", \"back\", \"neck\"], angles = { left_elbow = -1.2, right_knee = 0.6 } } }
until = \"state_time > 1\"
to = [\"kneels\"]
[states.kneels]
drive = \"ragdoll\"
damping = 3
springs = { stiffness = 250, pose = { angles = { left_knee = \"0.5 + 0.5 * smoothstep(0, 0.5, state_time)\" } } }
";

const LYING: &str = "\
duration = 2
dt = 0.01
[characters.adult]
model = \"adult\"
controller = \"own.toml\"
height = 0.01
reach = { pelvis = [0, 0, 0.105] }
orientation = { pelvis = [0, -1.57, 0] }
";

#[test]
fn springs_pull_a_ragdoll_to_a_pose_within_the_limits_of_its_joints() {
    let mut simulation = bind(LYING, SPRINGS);
    let model = simulation.character().model.clone();
    let coordinate =
        |name: &str| model.joints.iter().find(|joint| joint.name == name).expect("a joint").v_index;
    let angle = |simulation: &SceneRun, name: &str| {
        let joint = model.joints.iter().find(|joint| joint.name == name).expect("a joint");
        simulation.character().snapshot.state.q[joint.q_index]
    };
    let (mut largest, mut at_limit) = (0.0f64, 0);
    while !simulation.is_over() {
        let is_first = simulation.world.time() < 0.995;
        let (q, v) = {
            let state = &simulation.character().snapshot.state;
            (state.q.clone(), state.v.clone())
        };
        simulation.step().expect("usable numbers");
        let frame = simulation.frame();
        assert_eq!(frame.outcome, Outcome::Limp);
        for (torque, [low, high]) in frame.torque.iter().zip(&model.torque_limits) {
            assert!((*low..=*high).contains(torque), "{torque} N m of {low} to {high} at {} s", frame.time);
            largest = largest.max(torque.abs());
            at_limit += usize::from(*torque != 0.0 && (torque == low || torque == high));
        }
        // The recorded torque follows the law of the springs.
        let elbow = coordinate("left_elbow");
        if is_first {
            let joint = model.joints.iter().find(|joint| joint.v_index == elbow).expect("a joint");
            let pull = 100.0 * (-1.2 - q[joint.q_index] - 0.01 * v[elbow]);
            let [low, high] = model.torque_limits[elbow];
            assert_eq!(frame.torque[elbow], pull.clamp(low, high), "at {} s", frame.time);
        } else {
            assert_eq!(frame.torque[elbow], 0.0, "no spring in the second state, at {} s", frame.time);
        }
        assert_eq!(frame.torque[coordinate("left_wrist")], 0.0, "no spring at the wrist");
        if is_first && frame.time > 0.98 {
            assert!(
                (angle(&simulation, "left_elbow") + 1.2).abs() < 0.1,
                "{}",
                angle(&simulation, "left_elbow")
            );
        }
    }
    assert!(largest > 20.0 && at_limit > 0, "{largest} N m, {at_limit} at a limit");
    assert!((angle(&simulation, "left_knee") - 1.0).abs() < 0.15, "{}", angle(&simulation, "left_knee"));
}

/// The scene of a ragdoll whose springs have this stiffness, bound with frames of `dt` s and this body.
fn stiff(stiffness: &str, dt: &str, body: Option<&str>) -> Result<SceneRun, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let given = format!("stiffness = {stiffness}");
    let springs = SPRINGS.replace("stiffness = 100", &given).replace("stiffness = 250", &given);
    fs::write(folder.path().join("own.toml"), springs).expect("written");
    let path = folder.path().join("scene.toml");
    let mut text = LYING.replace("dt = 0.01", &format!("dt = {dt}"));
    if let Some(body) = body {
        fs::write(folder.path().join("body.xml"), body).expect("written");
        text = text.replace("\"adult\"", "\"body.xml\"");
    }
    fs::write(&path, text).expect("written");
    let files = scene::load(path.to_str().expect("a path"), &[]).unwrap_or_else(|error| panic!("{error:?}"));
    SceneRun::bind(&files).map_err(|errors| errors.to_string())
}

#[test]
fn springs_hold_at_any_length_of_a_frame() {
    for (stiffness, dt) in [("301", "0.01"), ("300", "0.0166667"), ("600", "0.02")] {
        let mut simulation = stiff(stiffness, dt, None).unwrap_or_else(|error| panic!("{error}"));
        let model = simulation.character().model.clone();
        let elbow = model.joints.iter().find(|joint| joint.name == "left_elbow").expect("a joint");
        let mut fastest = 0.0_f64;
        while simulation.world.time() < 0.98 {
            simulation.step().expect("usable numbers");
            let state = &simulation.character().snapshot.state;
            if simulation.world.time() > 0.7 {
                fastest = state.v[6..].iter().fold(fastest, |fastest, rate| fastest.max(rate.abs()));
            }
        }
        let angle = simulation.character().snapshot.state.q[elbow.q_index];
        assert!((angle + 1.2).abs() < 0.1, "{stiffness} N m/rad in {dt} s: {angle} rad");
        assert!(fastest < 1.0, "{stiffness} N m/rad in {dt} s: it oscillates at {fastest} rad/s");
    }
}

#[test]
fn springs_too_stiff_for_the_damping_of_the_body_are_refused() {
    let adult = aplomb::language::files::find_shipped(aplomb::language::files::Folder::Characters, "adult");
    let text = adult.expect("it ships").source.text.to_string();
    let damped = text.replacen("name=\"left_elbow\"", "name=\"left_elbow\" damping=\"0.5\"", 1);
    assert_ne!(damped, text);
    let Err(said) = stiff("100", "0.01", Some(&damped)) else { panic!("it is bound") };
    assert!(said.contains("own.toml:5") && said.contains("too stiff"), "{said}");
    assert!(stiff("49", "0.01", Some(&damped)).is_ok());
}
