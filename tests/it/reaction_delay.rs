//! Muscles that answer a push late ([Jain 2009] §4.1).

use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use aplomb::trace::Frame;
use aplomb::world::StepError;
use aplomb::world::reaction_delay::EVENT_NAME;

/// When the push of the scene begins, and how long after it the chest is looked at, s.
const PUSHED: f64 = 0.5;
const LOOKED_AT: f64 = 0.2;

fn run_of(overrides: &[&str]) -> (SceneRun, Vec<Frame>) {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let files = scene::load("reaction_delay", &overrides).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap();
    let mut frames = Vec::new();
    let last = simulation.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame.clone());
        Ok(())
    });
    frames.push(last.unwrap());
    (simulation, frames)
}

/// Largest turn of the chest against the pelvis since the push began, rad.
fn chest_flexion(simulation: &SceneRun, frames: &[Frame]) -> f64 {
    let model = &simulation.character().model;
    let (pelvis, chest) = (model.body("pelvis").unwrap(), model.body("chest").unwrap());
    let turn = |frame: &Frame| {
        let poses = model.body_poses(&frame.q);
        poses[pelvis.0].rotation.inverse() * poses[chest.0].rotation
    };
    let near = |frame: &&Frame| (PUSHED - 1e-9..PUSHED + LOOKED_AT + 1e-9).contains(&frame.time);
    let mut seen = frames.iter().filter(near).map(turn);
    let before = seen.next().unwrap();
    seen.map(|now| before.angle_to(&now)).fold(0.0, f64::max)
}

#[test]
fn a_chest_pushed_flexes_more_where_muscles_answer_late_and_the_push_is_survived() {
    let (late, frames) = run_of(&[]);
    assert!(late.criteria.iter().all(|criterion| criterion.holds));
    // A delay of one frame at the weight of every frame is none.
    let at_once = ["characters.adult.reaction_delay={ time = 0.01, weight = 0.01 }"];
    let (prompt, undelayed) = run_of(&at_once);
    let (delayed, undelayed) = (chest_flexion(&late, &frames), chest_flexion(&prompt, &undelayed));
    assert!(delayed > 1.5 * undelayed, "{delayed} rad with a delay, {undelayed} rad without");
    assert!(delayed > 0.05, "{delayed} rad");
}

#[test]
fn torques_hardly_change_while_they_are_held_and_the_record_says_when() {
    let (simulation, frames) = run_of(&["duration=1.0"]);
    let held: Vec<usize> =
        (0..frames.len()).filter(|&k| frames[k].events.iter().any(|event| event == EVENT_NAME)).collect();
    assert_eq!(held, (50..65).collect::<Vec<_>>(), "0.15 s from 0.5 s on");
    let change = |k: usize| {
        let pairs = frames[k].torque.iter().zip(&frames[49].torque);
        pairs.map(|(now, before)| (now - before).powi(2)).sum::<f64>().sqrt()
    };
    let most = held.iter().map(|&k| change(k)).fold(0.0, f64::max);
    assert!(most < 0.2 * change(65), "{most} N m held, {} N m at once after", change(65));
    let muscle = simulation.character().objectives.iter().position(|name| name == "torque change").unwrap();
    let scale = simulation.character().snapshot.scales.torque();
    let cost = 3e4 * (change(55) / scale).powi(2);
    assert!((frames[55].costs[muscle] / cost - 1.0).abs() < 1e-9);
}
