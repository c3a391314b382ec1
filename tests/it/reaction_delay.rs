//! Joint torques that react to a disturbance with a delay ([Jain 2009] §4.1).

use crate::run::Run;
use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use aplomb::trace::Frame;
use aplomb::world::StepError;
use aplomb::world::reaction_delay::EVENT_NAME;

/// Time at which the push of the scene begins, and the delay after it at which the chest is measured, s.
const PUSHED: f64 = 0.5;
const LOOKED_AT: f64 = 0.2;

fn run_of(overrides: &[&str]) -> (SceneRun, Vec<Frame>) {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let files = scene::load("reaction_delay", &overrides).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap();
    let mut frames = Vec::new();
    let last = simulation.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame());
        Ok(())
    });
    frames.push(last.unwrap());
    (simulation, frames)
}

/// Largest rotation of the chest relative to the pelvis since the push began, rad.
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
fn a_chest_pushed_flexes_more_where_torques_answer_late_and_the_push_is_survived() {
    let (late, frames) = run_of(&[]);
    assert!(late.criteria.iter().all(|criterion| criterion.holds));
    // A delay of one frame at the weight of every frame has no effect.
    let at_once = ["characters.adult.reaction_delay={ time = 0.01, weight = 0.01 }"];
    let (prompt, undelayed) = run_of(&at_once);
    let (delayed, undelayed) = (chest_flexion(&late, &frames), chest_flexion(&prompt, &undelayed));
    assert!(delayed > 1.5 * undelayed, "{delayed} rad with a delay, {undelayed} rad without");
    assert!(delayed > 0.05, "{delayed} rad");
}

#[test]
fn who_perceives_a_push_late_changes_its_state_only_then() {
    let first = |perception: f64| {
        let delay = format!(
            "characters.adult.reaction_delay={{ time = 0.05, weight = 3e4, perception = {perception} }}"
        );
        let (_, frames) = run_of(&[
            "characters.adult.controller=\"step_recovery\"",
            "events.push.impulse=[35, 0, 0]",
            &delay,
        ]);
        let before = frames[49].state.clone();
        let changed = frames.iter().skip(50).find(|frame| frame.state != before);
        changed.map_or(f64::INFINITY, |frame| frame.time - PUSHED)
    };
    let (at_once, late) = (first(0.0), first(0.15));
    assert!(at_once < 0.149, "who knows at once steps after {at_once} s");
    // Criteria use the actual state, not the perceived one.
    let delay = "characters.adult.reaction_delay={ time = 0.15, weight = 3e4, perception = 0.15 }";
    let moved = "success.moved={ once = \"com_velocity.x < -0.2\" }";
    let (judged, _) = run_of(&[delay, moved]);
    let at = judged.criteria.iter().find(|criterion| criterion.name == "moved").unwrap().at.unwrap();
    assert!(at < PUSHED + 0.15, "the push is measured at {at} s");
    assert!((0.149..0.4).contains(&late), "who does not after {late} s");
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
    let actuation =
        simulation.character().objectives.iter().position(|name| name == "torque change").unwrap();
    let scale = simulation.character().snapshot.scales.torque();
    let cost = 3e4 * (change(55) / scale).powi(2);
    assert!((frames[55].costs[actuation] / cost - 1.0).abs() < 1e-9);
}

const DELAYED: &str = "characters.adult.reaction_delay={ time = 0.15, weight = 3e4 }";

/// Runs of consecutive frames in which torques are held: first frame and number.
fn stretches(frames: &[Frame]) -> Vec<(usize, usize)> {
    let is_held = |frame: &Frame| frame.events.iter().any(|event| event == EVENT_NAME);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (k, _) in frames.iter().enumerate().filter(|(_, frame)| is_held(frame)) {
        match found.last_mut() {
            Some((first, count)) if *first + *count == k => *count += 1,
            _ => found.push((k, 1)),
        }
    }
    found
}

/// Norm of the change of torque from one frame to another, N m.
fn change(frames: &[Frame], from: usize, to: usize) -> f64 {
    let pairs = frames[to].torque.iter().zip(&frames[from].torque);
    pairs.map(|(now, before)| (now - before).powi(2)).sum::<f64>().sqrt()
}

/// Checks that torques keep their values while they are held, and react in the frame after.
fn assert_held(frames: &[Frame], (first, count): (usize, usize)) {
    let most = (first..first + count).map(|k| change(frames, first - 1, k)).fold(0.0, f64::max);
    let after = change(frames, first - 1, first + count);
    assert!(most < 0.3 * after, "{most} N m held, {after} N m at once after");
}

#[test]
fn a_ball_that_hits_is_answered_late_and_once() {
    let run = Run::of("throw_ball", &[DELAYED, "duration=2.0", "success={}"]);
    let hit = run.frames.iter().position(|frame| !frame.external.is_empty()).unwrap();
    assert_eq!(stretches(&run.frames), [(hit, 15)]);
    assert_held(&run.frames, (hit, 15));
}

#[test]
fn each_shake_of_the_ground_is_answered_late_once_it_is_felt() {
    // A second shake within a second of the first would not be a surprise.
    let later = "events.lengthways.at=6.0";
    let run = Run::of("shaking_floor", &[DELAYED, later, "duration=7.0", "success.still={ always = true }"]);
    assert!(run.passes());
    let found = stretches(&run.frames);
    assert_eq!(found.len(), 2, "{found:?}");
    for ((first, count), begins) in found.into_iter().zip([50, 600]) {
        assert!((begins..begins + 50).contains(&first), "{first}");
        assert_eq!(count, 15);
        let speed = |k: usize| {
            let [before, now] = [k - 1, k].map(|k| nalgebra::Vector3::from(run.frames[k].moving[0].position));
            (now - before) / 0.01
        };
        let acceleration = |k: usize| (speed(k + 1) - speed(k)).norm() / 0.01 / 9.81;
        assert!(acceleration(first) >= 0.05, "{} g", acceleration(first));
        assert!((begins + 1..first).all(|k| acceleration(k) < 0.05), "it was felt before");
    }
}

#[test]
fn ground_that_vanishes_is_answered_late() {
    let run = Run::of("hang_drop", &[DELAYED, "duration=1.5", "success={}"]);
    assert_eq!(stretches(&run.frames), [(100, 15)]);
    assert_held(&run.frames, (100, 15));
}

#[test]
fn what_was_there_from_the_beginning_and_stays_is_no_surprise() {
    let run = Run::of("hang_drop", &[DELAYED, "duration=0.9", "success={}"]);
    assert_eq!(stretches(&run.frames), []);
}
