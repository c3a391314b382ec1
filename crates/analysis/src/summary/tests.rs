use super::*;
use aplomb_trace::{
    CheckName, Contact, ContactKind, Ending, External, Frame, FrameEvent, Header, Outcome, RelaxedRow,
    example,
};
use aplomb_world::controller::{Because, Transition};
use aplomb_world::{FrameResult, FrameTiming};
use std::time::Duration;

fn header() -> Header {
    let mut header = example::trace(1).header;
    header.dt = 0.1;
    header.mass = 62.0;
    header.com_height = 0.93;
    header.gravity = [0.0, 0.0, -9.81];
    header.coordinate_names = vec!["root.x".into(), "knee".into(), "ankle".into()];
    header.coordinate_units = vec!["m/s".into(), "rad/s".into(), "rad/s".into()];
    header.torque_limits = vec![None, Some([-50.0, 100.0]), Some([-20.0, 40.0])];
    header
}

fn frame(index: u64) -> Frame {
    Frame {
        index,
        time: index as f64 * 0.1,
        v: vec![9.0, 0.1, -0.2],
        torque: vec![0.0; 3],
        state: "stand".into(),
        support_polygon: vec![[-0.1, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.1, 0.1]],
        ..Frame::default()
    }
}

fn stepped(frame: Frame) -> (Frame, FrameResult) {
    let solve = Duration::from_micros(100 + frame.index);
    let timing = FrameTiming { solve, record: Duration::from_micros(5), ..FrameTiming::default() };
    let mut result = FrameResult::default();
    result.timing = timing;
    (frame, result)
}

fn summary(frames: Vec<(Frame, FrameResult)>, last: Frame) -> Summary {
    let mut summariser = Summariser::new(&header(), 1);
    for (frame, result) in &frames {
        summariser.add(frame, Some(result), result.timing);
    }
    let wall_time = Duration::from_secs(2);
    summariser.finish(&Closing {
        last: Some(&last),
        stay: None,
        hangs: false,
        ending: Some(&Ending::default()),
        wall_time,
        trace: "t.mcap".into(),
    })
}

fn contact(name: &str) -> Contact {
    Contact {
        name: name.into(),
        body: "foot".into(),
        surface: "ground".into(),
        point: [0.0; 3],
        normal: [0.0, 0.0, 1.0],
        force: [0.0; 3],
        friction: 1.0,
        kind: ContactKind::Static,
        gap: 0.0,
    }
}

#[test]
fn states_are_visits_that_end_where_the_next_begins() {
    let enter = |mut frame: (Frame, FrameResult), from: Option<&str>, to: &str| {
        let from = from.map(Into::into);
        let transition = Transition { from, to: to.into(), because: Because::Start, by_else: false };
        frame.1.progress.transitions.push(transition);
        frame
    };
    let frames = vec![
        enter(stepped(frame(0)), None, "stand"),
        stepped(frame(1)),
        enter(stepped(frame(2)), Some("stand"), "step"),
    ];
    let run = summary(frames, frame(3));
    let visits: Vec<_> = run.states.iter().map(|visit| (visit.name.as_str(), visit.from, visit.to)).collect();
    assert_eq!(visits, [("stand", 0.0, 0.2), ("step", 0.2, 0.30000000000000004)]);
    assert_eq!(run.frames, 3);
    assert_eq!(run.real_time_factor, 0.30000000000000004 / 2.0);
}

#[test]
fn the_centre_of_pressure_steps_between_frames_that_both_have_one() {
    let at = |index: u64, cop: Option<[f64; 2]>| stepped(Frame { centre_of_pressure: cop, ..frame(index) });
    let frames = vec![
        at(0, Some([0.0, 0.0])),
        at(1, Some([0.03, 0.04])),
        at(2, None),
        at(3, Some([1.0, 1.0])),
        at(4, Some([1.0, 1.0])),
    ];
    let step = summary(frames, frame(5)).cop_step.unwrap();
    assert!((step.max - 0.05).abs() < 1e-15);
    assert!((step.rms - 0.05 / 2f64.sqrt()).abs() < 1e-15);
    assert_eq!(step.max_at, 0.1);
}

#[test]
fn peak_torques_are_ordered_by_their_share_of_the_limit_on_that_side() {
    let frames = vec![
        stepped(Frame { torque: vec![0.0, -30.0, 10.0], ..frame(0) }),
        stepped(Frame { torque: vec![0.0, 29.0, -15.0], ..frame(1) }),
    ];
    let run = summary(frames, frame(2));
    let peaks: Vec<_> =
        run.peak_torques.iter().map(|peak| (peak.joint.as_str(), peak.torque, peak.share)).collect();
    assert_eq!(peaks, [("ankle", 15.0, Some(0.75)), ("knee", 30.0, Some(0.6))]);
    assert_eq!(run.peak_torque.unwrap().at, 0.1);
    assert_eq!(run.end_joint_speed, 0.2, "the root does not count");
}

#[test]
fn contacts_are_counted_from_the_second_frame_on() {
    let touching = |index: u64, names: &[&str]| {
        stepped(Frame { contacts: names.iter().map(|name| contact(name)).collect(), ..frame(index) })
    };
    let frames = vec![touching(0, &["a", "b"]), touching(1, &["a"]), touching(2, &["a", "c", "d"])];
    assert_eq!(
        summary(frames, frame(3)).contacts,
        ContactChanges { made: 2, broken: 1, ..ContactChanges::default() }
    );
}

#[test]
fn relaxed_and_failed_frames_are_counted_by_row_and_reason() {
    let relaxed = |index: u64, amount: f64| {
        let rows = vec![RelaxedRow { label: "gap of a".into(), unit: "m".into(), amount }];
        stepped(Frame { outcome: Outcome::Relaxed { rows }, ..frame(index) })
    };
    let reason = "no solution after 50 iterations";
    let outcome = Outcome::Failed { reason: reason.into(), rows: vec!["torque of knee".into()] };
    let frames = vec![relaxed(0, 0.2), relaxed(1, 0.1), stepped(Frame { outcome, ..frame(2) })];
    let run = summary(frames, frame(3));
    assert_eq!((run.relaxed_frames, run.failed_frames), (2, 1));
    assert_eq!((run.relaxed_rows[0].frames, run.relaxed_rows[0].largest), (2, 0.2));
    assert_eq!((run.failures[0].reason.as_str(), run.failures[0].first_at), (reason, 0.2));
}

#[test]
fn what_frames_gave_up_is_counted_by_check() {
    let capped = FrameEvent::CapReached { check: CheckName::FrictionDirection };
    let left = FrameEvent::Unresolved { check: CheckName::ImpactSlip };
    let with =
        |index: u64, events: &[FrameEvent]| stepped(Frame { solve_events: events.to_vec(), ..frame(index) });
    let run = summary(vec![with(0, &[]), with(1, &[capped]), with(2, &[capped, left])], frame(3));
    let counted: Vec<_> = run.solve_events.iter().map(|event| (event.event, event.frames)).collect();
    assert_eq!(counted, [(capped, 2), (left, 1)]);
    assert_eq!(run.solve_events[0].first_at, 0.1);
    let json = serde_json::to_value(run.solve_events[1]).unwrap();
    assert_eq!((&json["event"], &json["check"]), (&"unresolved".into(), &"impact_slip".into()));
}

#[test]
fn a_push_stands_beside_the_impulse_the_linear_pendulum_bears() {
    let pushed = |index: u64| {
        let external = External {
            name: "push".into(),
            body: "chest".into(),
            point: [0.0; 3],
            force: [-60.0, 0.0, 5.0],
            torque: [0.0; 3],
        };
        stepped(Frame { external: vec![external], ..frame(index) })
    };
    let run = summary(vec![stepped(frame(0)), pushed(1), pushed(2)], frame(3));
    let push = &run.pushes[0];
    assert_eq!(push.at, 0.1);
    assert!((push.horizontal - 12.0).abs() < 1e-12);
    assert!((push.distance.unwrap() - 0.1).abs() < 1e-12);
    let frequency = (9.81f64 / 0.93).sqrt();
    let turn = frequency * 0.2;
    let bound = 62.0 * frequency * 0.1 * turn / (1.0 - (-turn).exp());
    assert!((push.bound.unwrap() - bound).abs() < 1e-12);
    assert!((push.share.unwrap() - 12.0 / bound).abs() < 1e-12);
}

#[test]
fn what_another_character_gives_is_no_push() {
    let pressed = |index: u64, name: &str| {
        let external = External {
            name: name.into(),
            body: "chest".into(),
            force: [-60.0, 0.0, 5.0],
            ..External::default()
        };
        stepped(Frame { external: vec![external], ..frame(index) })
    };
    let mut header = header();
    header.others = vec!["friend".into()];
    let mut summariser = Summariser::new(&header, 1);
    for (frame, result) in [pressed(0, "friend"), pressed(1, "push")] {
        summariser.add(&frame, Some(&result), result.timing);
    }
    let run = summariser.finish(&Closing {
        last: Some(&frame(2)),
        stay: None,
        hangs: false,
        ending: Some(&Ending::default()),
        wall_time: Duration::ZERO,
        trace: String::new(),
    });
    assert_eq!(run.pushes.iter().map(|push| push.name.as_str()).collect::<Vec<_>>(), ["push"]);
}

#[test]
fn an_object_that_is_pushed_is_touched_as_well_as_one_that_hits() {
    let state = example::trace(1).frames[0].passive.clone();
    let with = |index: u64, contacts: Vec<Contact>, external: Vec<External>| {
        stepped(Frame { contacts, external, passive: state.clone(), ..frame(index) })
    };
    let on = |surface: &str, kind: ContactKind| Contact {
        surface: surface.into(),
        force: [-50.0, 0.0, 10.0],
        kind,
        ..contact("palm")
    };
    let hit = External { name: "ball".into(), force: [20.0, 0.0, 0.0], ..External::default() };
    let frames = vec![
        with(0, vec![on("ground", ContactKind::Static)], vec![]),
        with(1, vec![on("ball", ContactKind::Static), on("ball", ContactKind::Dynamic)], vec![]),
        with(2, vec![], vec![hit]),
        with(3, vec![on("ballast", ContactKind::Static), on("ball", ContactKind::Grip)], vec![]),
    ];
    let run = summary(frames, frame(4));
    let ball = &run.passive[0];
    assert_eq!((ball.name.as_str(), ball.hit_frames), ("ball", 2));
    assert_eq!(ball.impulse, [-8.0, 0.0, 2.0], "0.1 s of twice 50 N, and of 20 N");
}

#[test]
fn an_object_that_hits_again_later_is_another_push() {
    let state = example::trace(1).frames[0].passive.clone();
    let hit = |index: u64, force: f64| {
        let external = External { name: "ball".into(), force: [force, 0.0, 0.0], ..External::default() };
        let external = if force == 0.0 { vec![] } else { vec![external] };
        stepped(Frame { external, passive: state.clone(), ..frame(index) })
    };
    // A pendulum of 0.93 m moves on in 0.31 s: two frames without a force are the same hit, four are not.
    let forces = [90.0, 0.0, 0.0, 30.0, 0.0, 0.0, 0.0, 0.0, 60.0, 60.0, 0.0, 0.0, 0.0, 0.0, 0.01];
    let frames = forces.iter().zip(0..).map(|(force, index)| hit(index, *force)).collect();
    let run = summary(frames, frame(15));
    let told: Vec<(f64, f64)> = run.pushes.iter().map(|push| (push.at, push.horizontal)).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!((told[0].1 - 12.0).abs() < 1e-9 && (told[1].1 - 12.0).abs() < 1e-9, "{told:?}");
    assert!((told[1].0 - 0.8).abs() < 1e-9);
}

#[test]
fn the_com_drifts_from_where_it_was_half_way() {
    let at = |index: u64, x: f64| Frame { com: [x, 0.0, 0.9], ..frame(index) };
    let frames = [0.5, 0.4, 0.0, 0.03].into_iter().enumerate();
    let frames = frames.map(|(k, x)| stepped(at(k as u64, x))).collect();
    let drift = summary(frames, at(4, 0.01)).com_drift.unwrap();
    assert_eq!(drift.since, 0.2);
    assert!((drift.max - 0.03).abs() < 1e-15);
}

#[test]
fn every_key_of_the_summary_is_described() {
    let manual = include_str!("../../../../docs/summary.md");
    let run = summary(vec![stepped(frame(0))], frame(1));
    let json = serde_json::to_value(run).unwrap();
    for (key, value) in json.as_object().unwrap() {
        assert!(manual.contains(&format!("`{key}`")), "{key}");
        for inner in value.as_object().into_iter().flat_map(|object| object.keys()) {
            assert!(manual.contains(&format!("`{inner}`")), "{key}.{inner}");
        }
    }
}
