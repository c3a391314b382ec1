//! The audit accepts recorded runs, and rejects modified ones.

use super::*;
use crate::self_collision::ONTO_A_THIGH;
use aplomb::analysis::audit::{Audit, audit};
use aplomb::scene::{self, Run};
use aplomb::trace::{Ending, Frame, Trace};
use aplomb::world::StepError;

/// Pseudo-random numbers, reproducible by seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    fn sign(&mut self) -> f64 {
        if self.below(2) == 0 { 1.0 } else { -1.0 }
    }
}

/// A run in memory.
fn recorded(name: &str, overrides: &[&str]) -> Trace {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let files = scene::load(name, &overrides).expect("it ships");
    let mut run = Run::bind(&files).expect("it is right");
    let header = scene::header(&files, &run);
    let (mut frames, mut parts) = (Vec::new(), Vec::new());
    let last = run.finish::<StepError>(|_, result| {
        frames.push(result.frame());
        parts.extend(result.parts());
        Ok(())
    });
    frames.push(last.expect("it runs"));
    Trace { header, frames, parts, torn: None }
}

fn said(audit: &Audit) -> String {
    let broken: Vec<String> = audit.broken().map(|measure| format!("{measure:?}")).collect();
    broken.join("\n")
}

fn whole(trace: &Trace) -> Audit {
    audit(trace, Some(&Ending::default()))
}

/// Short runs that together contain every mode: contacts, pushes, grips, moving surfaces, couplings, dry friction,
/// impacts, every bias velocity, forward dynamics, frames that fail.
fn runs() -> Vec<(&'static str, Trace)> {
    let of = |name: &'static str, overrides: &[&str]| {
        (name, recorded(name, &[overrides, &["success={}"]].concat()))
    };
    vec![
        of("balance_push", &["duration=0.3", "events.push.at=0.05"]),
        of("step_push", &["duration=0.3", "events.push.at=0.05", "bias_velocity=\"momentum\""]),
        of("step_push", &["duration=0.2", "events.push.at=0.05", "bias_velocity=\"midpoint\""]),
        of("balance_push", &["duration=0.2", "events.push.at=0.05", "advance=\"simulated\""]),
        of("shaking_floor", &["duration=0.2"]),
        of("fall", &["duration=1.3"]),
        of("swing_rest", &["duration=0.3"]),
        of("rope_swing", &["duration=0.2"]),
        of("stand_quadruped", &["duration=0.2"]),
    ]
}

#[test]
fn what_is_recorded_is_accepted_and_any_change_of_it_is_refused() {
    let mut dice = Dice(11);
    for (name, trace) in runs() {
        let sound = whole(&trace);
        assert!(sound.passed, "{name}: {}", said(&sound));
        let changed = |what: String, trace: &Trace| {
            let audit = whole(trace);
            assert!(!audit.passed, "{name}: {what} is accepted");
            let first = audit.broken().find_map(|measure| measure.first_beyond.clone());
            assert!(first.is_some(), "{name}: {what}: it does not say where");
        };
        let refused = |what: String, change: &dyn Fn(&mut Vec<Frame>)| {
            let mut trace = trace.clone();
            change(&mut trace.frames);
            changed(what, &trace);
        };
        let refused_parts = |what: String, change: &dyn Fn(&mut Vec<Frame>)| {
            let mut trace = trace.clone();
            change(&mut trace.parts);
            changed(what, &trace);
        };
        let frames = trace.frames.len();
        for _ in 0..6 {
            let (at, index) = (dice.below(frames), dice.below(trace.frames[0].q.len()));
            let by = 1e-6 * dice.sign();
            refused(format!("q[{index}] of frame {at} by {by}"), &|frames| frames[at].q[index] += by);
        }
        for _ in 0..6 {
            let at = dice.below(frames);
            let (contacts, pushes) = (trace.frames[at].contacts.len(), trace.frames[at].external.len());
            if contacts + pushes == 0 || !trace.frames[at].has_forces() {
                continue;
            }
            let (which, axis, by) = (dice.below(contacts + pushes), dice.below(3), 0.1 * dice.sign());
            refused(format!("force {which} of frame {at} by {by} N along axis {axis}"), &|frames| {
                let Frame { contacts: list, external, .. } = &mut frames[at];
                let force = match which < contacts {
                    true => &mut list[which].force,
                    false => &mut external[which - contacts].force,
                };
                force[axis] += by;
            });
        }
        for _ in 0..3 {
            let (at, index) = (dice.below(frames - 1), dice.below(trace.frames[0].v.len()));
            refused(format!("torque {index} of frame {at}"), &|frames| frames[at].torque[index] += 0.1);
            let at = 1 + dice.below(frames - 2);
            refused(format!("frame {at} dropped"), &|frames| drop(frames.remove(at)));
            refused(format!("frame {at} twice"), &|frames| frames.insert(at, frames[at].clone()));
            refused(format!("frames {at} and the next swapped"), &|frames| frames.swap(at - 1, at));
        }
        refused("the end cut off".into(), &|frames| drop(frames.pop()));
        for _ in 0..trace.parts.len().min(4) {
            let at = dice.below(trace.parts.len());
            let index = dice.below(trace.parts[0].q.len());
            refused_parts(format!("q[{index}] of part {at}"), &|parts| parts[at].q[index] += 1e-6);
            refused_parts(format!("part {at} dropped"), &|parts| drop(parts.remove(at)));
            refused_parts(format!("part {at} twice"), &|parts| parts.insert(at, parts[at].clone()));
        }
    }
}

#[test]
fn frames_that_are_dropped_and_numbered_anew_are_noticed_where_anything_moves() {
    let mut dice = Dice(5);
    let trace = recorded("balance_push", &["duration=0.6", "events.push.at=0.02", "success={}"]);
    for _ in 0..8 {
        let at = 6 + dice.below(trace.frames.len() - 10);
        let (mut dropped, mut twice, mut swapped) = (trace.clone(), trace.clone(), trace.clone());
        dropped.frames.remove(at);
        twice.frames.insert(at, trace.frames[at].clone());
        swapped.frames.swap(at, at + 1);
        for changed in [&mut dropped, &mut twice, &mut swapped] {
            changed.header.duration = (changed.frames.len() - 1) as f64 * changed.header.dt;
            for (index, frame) in changed.frames.iter_mut().enumerate() {
                (frame.index, frame.time) = (index as u64, trace.header.dt * index as f64);
            }
            assert!(!whole(changed).passed, "frame {at}");
        }
    }
}

#[test]
fn parts_of_the_body_press_on_each_other_only_where_they_touch_and_only_apart() {
    let trace = recorded("fall", &ONTO_A_THIGH);
    let sound = whole(&trace);
    assert!(sound.passed, "{}", said(&sound));
    let presses =
        |frame: &Frame| frame.self_contacts.first().is_some_and(|pressed| pressed.force != [0.0; 3]);
    // In a part of a frame, or in an undivided frame.
    let in_part = trace.parts.iter().position(presses);
    let in_frame = || trace.frames.iter().position(|frame| !frame.is_divided() && presses(frame));
    let at = in_part.or_else(in_frame).expect("a thigh is thrown at the belly");
    let list = if in_part.is_some() { &trace.parts } else { &trace.frames };
    let force = list[at].self_contacts[0].force;
    let refused = |check: &str, changed: &dyn Fn(&mut Vec<Frame>)| {
        let mut trace = trace.clone();
        changed(if in_part.is_some() { &mut trace.parts } else { &mut trace.frames });
        let audit = whole(&trace);
        let broken: Vec<&str> = audit.broken().map(|measure| &*measure.check).collect();
        assert!(broken.contains(&check), "{check} is not among {broken:?}");
    };
    refused("equations", &|parts| parts[at].self_contacts[0].force[1] += 10.0);
    refused("self_contact", &|parts| parts[at].self_contacts[0].force[1] += 0.1);
    refused("self_contact", &|parts| parts[at].self_contacts[0].force = force.map(|part| -part));
    refused("self_contact", &|parts| parts[at].self_contacts[0].point[0] += 1e-6);
    refused("self_contact", &|frames| frames[20].self_contacts = frames[at].self_contacts.clone());
}

#[test]
fn a_change_in_a_frame_of_a_ragdoll_shows_in_its_centre_of_mass() {
    let trace = recorded("fall_limp", &["duration=1.4", "success={}"]);
    let sound = whole(&trace);
    assert!(sound.passed, "{}", said(&sound));
    assert!(sound.not_audited.iter().any(|said| said.contains("ragdoll")), "{:?}", sound.not_audited);
    let mut changed = trace.clone();
    changed.frames[130].q[9] += 1e-6;
    assert!(!whole(&changed).passed);
}

#[test]
fn the_command_says_which_check_frame_and_time_and_by_how_much() {
    let folder = folder();
    let arguments = [
        "run",
        "balance_push",
        "--set",
        "duration=0.2",
        "--set",
        "success={}",
        "--no-plots",
        "--audit",
        "--out",
        "r",
    ];
    let run = aplomb(folder.path(), &arguments);
    assert_eq!(code(&run), Some(0), "{}", err(&run));
    assert!(out(&run).contains("accepted"), "{}", out(&run));
    let path = folder.path().join("r/trace.mcap");
    let mut trace = aplomb::trace::read(&path).expect("a trace");
    trace.frames[7].contacts[0].force[0] += 0.1;
    let mut writer = aplomb::trace::TraceWriter::create(&path, &trace.header).expect("a file");
    trace.frames.iter().for_each(|frame| writer.write(frame).expect("it is sound"));
    writer.finish().expect("a file");
    let audit = aplomb(folder.path(), &["audit", "r"]);
    assert_eq!(code(&audit), Some(6), "{}", err(&audit));
    let said = out(&audit);
    assert!(said.contains("equations: ") && said.contains("in frame 7 at 0.070 s"), "{said}");
    assert!(said.contains("REFUSED") && said.contains("not audited: "), "{said}");
}

#[test]
fn an_object_that_gets_energy_from_nothing_is_refused_and_one_that_is_struck_is_not() {
    let ball = "passive.object={ kind = \"articulated\", model = \"ball\", position = [1.0, 0.0, 1.25], velocity = \
                [-5.0, 0.0, 1.0], restitution = 0.7 }";
    let trace = recorded("balance_push", &["duration=0.6", "events={}", "success={}", ball]);
    let sound = whole(&trace);
    let judged = sound.measures.iter().find(|measure| measure.check == "energy").expect("it is measured");
    assert!(sound.passed && judged.looks > 50, "{}", said(&sound));
    let struck = trace.frames.iter().position(|frame| frame.external.iter().any(|push| push.force[0] < -1.0));
    let struck = struck.expect("the ball meets the chest");
    let refused = |changed: &dyn Fn(&mut Frame)| {
        let mut trace = trace.clone();
        trace.frames[struck + 2..].iter_mut().for_each(changed);
        let audit = whole(&trace);
        assert!(audit.broken().any(|measure| measure.check == "energy"), "{}", said(&audit));
    };
    // As if the blow had returned the ball faster than it came.
    refused(&|frame| frame.passive[0].kinetic_energy += 10.0);
    let objects = recorded("bounce", &["duration=0.5", "success={}"]);
    assert!(whole(&objects).measures.iter().any(|measure| measure.check == "energy"), "without a character");
}
