use super::{Company, Pull, PushTarget, SaveError, Session, SessionAction};
use aplomb::controller::ControllerFile;
use aplomb::model::{BodyId, Model};
use aplomb::scene;
use aplomb::trace::Frame;
use aplomb::world::StartPose;
use aplomb::world::character::CharacterOptions;
use nalgebra::Vector3;
use std::sync::Arc;

fn session(name: &str) -> Session {
    Session::load(name, &[]).unwrap()
}

/// Complete content of a frame, bit for bit: Rust writes the shortest number that parses to the same value.
pub fn bytes(frame: &Frame) -> String {
    format!("{frame:?}")
}

pub fn run_to(session: &mut Session, at: u64) -> Vec<Arc<Frame>> {
    let mut frames = Vec::new();
    while session.at() < at {
        session.advance().unwrap();
        frames.push(session.shown().clone());
    }
    frames
}

fn assert_same(one: &[Arc<Frame>], other: &[Arc<Frame>]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!(bytes(one), bytes(other));
    }
}

fn chest(session: &Session) -> PushTarget {
    let body = session.header().bodies.iter().position(|name| name == "chest").unwrap();
    PushTarget::Body { character: 0, body: BodyId(body) }
}

/// A ball thrown from ahead.
pub fn throw() -> aplomb::world::Throw {
    aplomb::world::Throw {
        mass: 2.0,
        radius: 0.1,
        position: Vector3::new(1.5, 0.05, 1.2),
        velocity: Vector3::new(-4.0, 0.0, 1.0),
    }
}

fn shove(session: &Session) -> SessionAction {
    SessionAction::Push {
        target: chest(session),
        point: Vector3::new(0.0, 0.0, 0.1),
        force: Vector3::new(60.0, 20.0, 0.0),
        duration: 0.1,
    }
}

#[test]
fn a_session_computes_what_a_run_computes() {
    let mut session = session("step_push");
    let frames = run_to(&mut session, 120);
    let files = scene::load("step_push", &[]).unwrap();
    let mut run = scene::Run::bind(&files).unwrap();
    for frame in &frames {
        let results = run.step().unwrap().unwrap();
        assert_eq!(bytes(frame), bytes(&results.frame()));
    }
}

#[test]
fn played_again_from_the_past_the_same_actions_give_the_same_bytes() {
    let mut session = session("stand");
    run_to(&mut session, 30);
    let action = shove(&session);
    session.act(action).unwrap();
    run_to(&mut session, 70);
    let pull = Pull {
        target: chest(&session),
        local: Vector3::zeros(),
        anchor: Vector3::new(0.3, 0.1, 1.4),
        stiffness: 300.0,
        damping: 20.0,
    };
    session.set_pull(Some(pull));
    run_to(&mut session, 90);
    assert!(session.pulling().unwrap().force.norm() > 10.0);
    session.set_pull(None);
    run_to(&mut session, 160);
    let kept: Vec<Arc<Frame>> = (1..=160)
        .map(|at| {
            session.go_to(at).unwrap();
            session.shown().clone()
        })
        .collect();
    // Only checkpoints and actions are left.
    session.history.forget_frames();
    let again: Vec<Arc<Frame>> = (1..=160)
        .rev()
        .map(|at| {
            session.go_to(at).unwrap();
            session.shown().clone()
        })
        .collect();
    assert_same(&kept, &again.into_iter().rev().collect::<Vec<_>>());
    assert!(kept.iter().any(|frame| frame.events.iter().any(|event| event == "push")));
}

#[test]
fn a_branch_keeps_what_was_before_it_and_goes_on_from_there() {
    let mut session = session("stand");
    let straight = run_to(&mut session, 80);
    session.go_to(40).unwrap();
    let action = shove(&session);
    session.act(action).unwrap();
    assert_eq!(session.end(), 40, "what came after is forgotten");
    let pushed = run_to(&mut session, 80);
    assert_same(&[session.ghost().unwrap()], &straight[79..]);
    assert_ne!(bytes(&pushed[20]), bytes(&straight[60]));
    session.go_to(40).unwrap();
    session.branch().unwrap();
    assert_same(&run_to(&mut session, 80), &straight[40..]);
    session.reset().unwrap();
    assert_eq!(session.at(), 0);
    assert_same(&run_to(&mut session, 80), &straight);
}

#[test]
fn an_action_at_rest_is_kept_when_one_looks_back_and_acts_again() {
    let parameters = |session: &Session| session.parameters();
    let mut session = session("step_push");
    run_to(&mut session, 60);
    let (name, old) = parameters(&session)[0].clone();
    let set = |value| SessionAction::set_parameter(&name, value);
    session.act(set(old * 1.01)).unwrap();
    session.history.forget_frames();
    session.go_to(10).unwrap();
    assert_eq!(parameters(&session)[0].1, old);
    session.go_to(60).unwrap();
    let action = shove(&session);
    session.act(action).unwrap();
    assert_eq!(session.actions().map(|(_, actions)| actions.len()).sum::<usize>(), 2);
    assert_eq!(parameters(&session)[0].1, old * 1.01);
    assert!(session.act(SessionAction::set_parameter("no such", 1.0)).is_err());
    session.advance().unwrap();
    assert_eq!(session.at(), 61);
}

#[test]
fn a_weight_acts_from_the_next_frame_on_and_goes_back_with_time() {
    let mut session = session("stand");
    let straight = run_to(&mut session, 40);
    session.go_to(20).unwrap();
    let goals = &session.moment().mind.goals;
    let path = goals.iter().find(|goal| goal.name == "com height").unwrap().path.clone() + ".weight";
    let weigh = |value: &str| SessionAction::SetValue { path: path.clone(), value: value.into() };
    session.act(weigh("0.5")).unwrap();
    let other = run_to(&mut session, 40);
    assert_eq!(session.controller().unwrap().1, [(path.clone(), "0.5".to_owned())]);
    assert_eq!(other[0].q, straight[20].q);
    assert_ne!(other[0].costs, straight[20].costs);
    session.history.forget_frames();
    session.go_to(10).unwrap();
    assert!(session.controller().unwrap().1.is_empty());
    assert_eq!(bytes(session.shown()), bytes(&straight[9]));
    session.go_to(40).unwrap();
    assert_eq!(bytes(session.shown()), bytes(&other[19]));
    assert!(session.act(weigh("-1.0")).is_err());
}

#[test]
fn passive_objects_are_pulled_and_come_back_too() {
    let mut session = session("throw_ball");
    run_to(&mut session, 20);
    let target = PushTarget::Part { object: 0, part: 0 };
    let anchor = Vector3::from(session.shown().passive[0].positions[0]) + Vector3::new(0.0, 0.5, 0.5);
    session.set_pull(Some(Pull { target, local: Vector3::zeros(), anchor, stiffness: 200.0, damping: 2.0 }));
    run_to(&mut session, 60);
    session.set_pull(None);
    let last = session.shown().clone();
    session.history.forget_frames();
    session.go_to(5).unwrap();
    session.go_to(60).unwrap();
    assert_eq!(bytes(session.shown()), bytes(&last));
    let untouched = run_to(&mut Session::load("throw_ball", &[]).unwrap(), 60).pop().unwrap();
    assert_ne!(last.passive[0].positions, untouched.passive[0].positions);
}

#[test]
fn history_stays_bounded() {
    // A pendulum, run long enough for old checkpoints to be dropped.
    let mut session = session("pendulum_limit");
    let frames = |seconds: f64| (seconds / session.dt()).round() as u64;
    let (ten_minutes, end) = (frames(600.0), frames(620.0));
    run_to(&mut session, end);
    assert!(session.history.checkpoints() <= 160);
    assert!(session.end() - session.earliest() <= ten_minutes);
    let before = session.earliest();
    session.go_to(0).unwrap();
    assert_eq!(session.at(), before);
    session.go_to(before + 3).unwrap();
    assert_eq!(session.shown().index, before + 2);
}

/// A second character beside that of `stand`.
fn beside() -> Company {
    let (model, controller) = (Model::shipped("child").unwrap(), ControllerFile::shipped("balance").unwrap());
    Arc::new(move |world| {
        let pose = StartPose::standing().at(0.0, 1.5);
        world.add_character(model.clone(), controller.clone(), pose).map(drop)
    })
}

#[test]
fn characters_that_a_program_adds_are_played_pushed_and_come_back_to_the_bit() {
    let files = scene::load("stand", &[]).unwrap();
    let mut session = Session::new(files, Some(beside())).unwrap();
    let other = |session: &Session| {
        let other = &session.moment().others[0];
        format!("{:?} {:?}", other.q, other.forces)
    };
    let standing = other(&session);
    let alone = run_to(&mut self::session("stand"), 40);
    run_to(&mut session, 10);
    let child = &session.moment().others[0];
    assert_eq!((&*child.name, child.forces.is_empty()), ("character 2", false));
    let target = PushTarget::Body { character: 1, body: child.model.body("chest").unwrap() };
    let force = Vector3::new(40.0, 0.0, 0.0);
    session.act(SessionAction::Push { target, point: Vector3::zeros(), force, duration: 0.1 }).unwrap();
    let frames = run_to(&mut session, 40);
    assert_same(&frames, &alone[10..]);
    let pushed = other(&session);
    session.history.forget_frames();
    session.go_to(0).unwrap();
    assert_eq!(other(&session), standing);
    session.go_to(40).unwrap();
    assert_eq!(other(&session), pushed);
    session.reset().unwrap();
    run_to(&mut session, 40);
    assert_ne!(other(&session), pushed, "nobody pushes it");
    assert_eq!(session.saved_scene("saved"), Err(SaveError::Company));
}

#[test]
fn a_company_that_the_world_does_not_take_is_told() {
    let twice: Company = Arc::new(|world| {
        let (model, controller) =
            (Model::shipped("child").unwrap(), ControllerFile::shipped("balance").unwrap());
        let options = CharacterOptions { name: "adult".into(), ..CharacterOptions::default() };
        world.add_character_with(model, controller, StartPose::standing(), options).map(drop)
    });
    let files = scene::load("stand", &[]).unwrap();
    let failure = Session::new(files, Some(twice)).err().unwrap();
    assert_eq!(failure.to_string(), "the name `adult` is taken");
}
