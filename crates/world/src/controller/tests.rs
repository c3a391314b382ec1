//! How the states of a controller follow each other.

use super::{Because, ControllerSpec, Machine, Progress, read};
use aplomb_body::contact::Release;
use aplomb_body::model::BodyId;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_language::expression::testing::{FRAME, Frame, TestNames};
use aplomb_language::expression::{Lookup, Value};
use aplomb_language::files::Override;

pub(super) const CONTROLLER: &str = include_str!("../../tests/data/balance.toml");

pub(super) fn controller(text: &str) -> Result<(Source, ControllerSpec), FileError> {
    read(Source::new("balance.toml", text), &[]).map_err(|errors| errors.into_vec().swap_remove(0))
}

pub(super) fn bound(text: &str) -> Result<(Machine, ControllerSpec, Source), FileErrors> {
    let (source, spec) = controller(text).map_err(|error| vec![error])?;
    let machine = Machine::bind(&spec, &source, &TestNames, 1.0)?;
    let mut errors = Vec::new();
    for entry in &spec.objectives {
        errors.extend(entry.bind(&source, &machine.scope(&spec, &TestNames, None)).err());
    }
    for (index, state) in spec.states.values().enumerate() {
        for entry in &state.objectives {
            errors.extend(entry.bind(&source, &machine.scope(&spec, &TestNames, Some(index))).err());
        }
    }
    if errors.is_empty() { Ok((machine, spec, source)) } else { Err(errors.into()) }
}

fn machine(text: &str) -> Machine {
    bound(text).unwrap().0
}

fn frame(time: f64, signal: f64, other: f64) -> Frame {
    Frame { time, signal, other, ..FRAME }
}

/// The states entered, in order.
fn entered(progress: &Progress) -> Vec<&str> {
    progress.transitions.iter().map(|transition| &*transition.to).collect()
}

#[test]
fn all_that_is_wrong_with_an_objective_is_told_at_once() {
    let wrong =
        CONTROLLER.replace("weight = 20.0", "weight = -20.0").replace("0.35", "0\nwhen = \"signl > 0\"");
    let (source, spec) = controller(&wrong).unwrap();
    let mut errors = Vec::new();
    let entry = &spec.states[0].objectives[0];
    assert!(entry.bind_on(&source, &TestNames, &mut errors).is_none());
    let said: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    let expected = [
        "a weight must be 0 or more",
        "a response time must be more than 0 s, not 0",
        "unknown name `signl`",
    ];
    assert_eq!(said, expected);
    assert_eq!(entry.bind(&source, &TestNames).unwrap_err(), errors[0]);
}

#[test]
fn a_run_begins_in_the_start_state() {
    let mut machine = machine(CONTROLLER);
    let progress = machine.advance(&frame(0.0, 1.0, 0.0));
    assert_eq!(entered(&progress), ["stand"]);
    assert_eq!(progress.transitions[0].because, Because::Start);
    assert_eq!(machine.advance(&frame(0.01, 1.0, 0.0)), Progress::default());
    assert_eq!((&**machine.state_name(), machine.state()), ("stand", 0));
}

#[test]
fn a_state_is_left_after_its_condition_failed_for_long_enough() {
    let mut machine = machine(CONTROLLER);
    let signals = [1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0];
    for (index, signal) in signals.into_iter().enumerate() {
        let progress = machine.advance(&frame(0.01 * index as f64, signal, 0.0));
        let expected = if index == 6 { "step" } else { "stand" };
        assert_eq!(&**machine.state_name(), expected, "frame {index}");
        if index == 6 {
            assert_eq!(
                progress.transitions[0].to_string(),
                "stand → step: while `signal > 0` does not hold (balance.toml:12)"
            );
        }
    }
}

#[test]
fn times_of_a_controller_run_on_the_clock_of_the_body() {
    let (source, spec) = controller(CONTROLLER).unwrap();
    let mut machine = Machine::bind(&spec, &source, &TestNames, 0.5).unwrap();
    machine.advance(&frame(0.0, 1.0, 0.0));
    machine.advance(&frame(0.01, -1.0, 0.0));
    assert_eq!(&**machine.state_name(), "stand");
    let at = frame(0.02, -1.0, 0.0);
    assert_eq!(machine.lookup(&at).state_time(), 0.04);
    machine.advance(&at);
    assert_eq!(&**machine.state_name(), "step", "0.02 s of the controller are 0.01 s of this body");
}

#[test]
fn roles_are_bound_on_entry_and_keep_their_values() {
    let mut machine = machine(CONTROLLER);
    machine.advance(&frame(0.0, -1.0, 0.0));
    assert_eq!(machine.roles().count(), 0);
    let at = frame(0.1, -1.0, 0.0);
    machine.advance(&at);
    let roles: Vec<_> = machine.roles().collect();
    assert_eq!(roles, [("swing", Value::Body(BodyId(3))), ("stance", Value::Body(BodyId(4)))]);
    let mut released = Vec::new();
    machine.list_released(&at, &mut released);
    assert_eq!(released, [Release::Limb(BodyId(3))]);
}

#[test]
fn exits_are_tried_in_order_and_else_is_the_last() {
    let mut machine = machine(CONTROLLER);
    machine.advance(&frame(0.0, -1.0, -2.0));
    let progress = machine.advance(&frame(0.1, -1.0, -2.0));
    assert_eq!(
        progress.transitions[0].to_string(),
        "stand → fall: while `signal > 0` does not hold (balance.toml:12); no exit applies, else"
    );
}

#[test]
fn a_state_without_a_way_out_is_kept_and_reported() {
    let mut machine = machine(&CONTROLLER.replace("else = \"fall\"\n", ""));
    machine.advance(&frame(0.0, -1.0, -2.0));
    let progress = machine.advance(&frame(0.1, -1.0, -2.0));
    assert_eq!(
        progress.stuck.unwrap().to_string(),
        "stuck in stand, no exit applies: while `signal > 0` does not hold (balance.toml:12)"
    );
    let progress = machine.advance(&frame(0.2, -1.0, 0.0));
    assert_eq!(entered(&progress), ["step"], "the way out opens");
}

const LOOP: &str = r#"
start = "a"
[states.a]
until = "signal > 0"
to = ["b"]
[states.b]
until = "signal > 1"
to = ["c"]
[states.c]
until = "signal > 2"
to = ["a"]
"#;

#[test]
fn one_frame_passes_several_states_and_none_twice() {
    let mut machine = machine(LOOP);
    assert_eq!(entered(&machine.advance(&frame(0.0, 0.0, 0.0))), ["a"]);
    assert_eq!(entered(&machine.advance(&frame(0.1, 2.0, 0.0))), ["b", "c"]);
    let progress = machine.advance(&frame(0.2, 3.0, 0.0));
    assert_eq!(entered(&progress), ["a", "b", "c"]);
    let cycle: Vec<String> = progress.cycle.unwrap().iter().map(|name| name.to_string()).collect();
    assert_eq!(cycle, ["a", "b", "c", "a"]);
    assert_eq!(&**machine.state_name(), "c");
}

#[test]
fn a_state_can_follow_itself_with_its_roles_bound_anew() {
    let text = r#"
start = "first"
[states.first]
let = { swing = "left_foot" }
until = "true"
to = ["walk"]
[states.walk]
let = { swing = "right_foot if swing == left_foot else left_foot" }
until = "state_time > 0.5"
to = ["walk"]
"#;
    let mut machine = machine(text);
    let swing = |machine: &Machine| machine.roles().next().unwrap().1;
    assert_eq!(entered(&machine.advance(&frame(0.0, 0.0, 0.0))), ["first", "walk"]);
    assert_eq!(swing(&machine), Value::Body(BodyId(4)));
    assert_eq!(entered(&machine.advance(&frame(0.6, 0.0, 0.0))), ["walk"]);
    assert_eq!(swing(&machine), Value::Body(BodyId(3)));
    assert_eq!(machine.time_in_state(0.7), 0.7 - 0.6);
}

#[test]
fn values_of_each_frame_are_bound_after_those_of_the_entry_and_before_conditions() {
    let text = r#"
start = "first"
[states.first]
let = { count = "-1" }
each_frame = { count = "count + 1" }
until = "true"
to = ["walk"]
[states.walk]
until = "twice > 5.5"
to = ["rest"]
[states.walk.let]
begun = "time"
[states.walk.each_frame]
count = "count + 1"
twice = "2 * count"
[states.rest]
"#;
    let mut machine = machine(text);
    let values = |machine: &Machine| -> Vec<Value> { machine.roles().map(|(_, value)| value).collect() };
    let numbers = |all: [f64; 3]| all.map(Value::Number).to_vec();
    // A world enters the start state before its first frame, whose values are nevertheless bound once.
    machine.begin(&frame(0.1, 0.0, 0.0));
    assert_eq!(entered(&machine.advance(&frame(0.1, 0.0, 0.0))), ["first", "walk"]);
    assert_eq!(values(&machine), numbers([1.0, 0.1, 2.0]), "count, begun, twice");
    machine.advance(&frame(0.2, 0.0, 0.0));
    assert_eq!(values(&machine), numbers([2.0, 0.1, 4.0]));
    assert_eq!(entered(&machine.advance(&frame(0.3, 0.0, 0.0))), ["rest"]);
    machine.advance(&frame(0.4, 0.0, 0.0));
    assert_eq!(values(&machine), numbers([3.0, 0.1, 6.0]), "they keep their last values");
}

#[test]
fn a_binding_of_another_binding_has_its_type_in_whatever_order_they_stand() {
    let text = r#"
start = "first"
[states.first]
let = { foot = "left_foot if signal > 0 else right_foot", same = "foot" }
until = "true"
to = ["walk"]
[states.walk]
let = { before = "same", foot = "before", same = "right_foot" }
"#;
    let (source, spec) = controller(text).unwrap();
    Machine::bind(&spec, &source, &TestNames, 1.0).unwrap();
}

#[test]
fn a_value_of_each_frame_cannot_use_one_that_nothing_has_bound() {
    let text = "start = \"walk\"\n[states.walk.each_frame]\ncount = \"count + 1\"\n";
    let (source, spec) = controller(text).unwrap();
    let error = Machine::bind(&spec, &source, &TestNames, 1.0).unwrap_err().to_string();
    assert!(error.contains("balance.toml:3") && error.contains("count"), "{error}");
}

#[test]
fn the_same_frames_give_the_same_states() {
    let run = || {
        let mut machine = machine(CONTROLLER);
        let frames = (0..200).map(|index| {
            let time = 0.01 * index as f64;
            machine.advance(&frame(time, (7.0 * time).sin(), (11.0 * time).cos()))
        });
        frames.collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn overrides_reach_objectives_by_name_and_by_index() {
    let overrides = [
        "controller.states.stand.objectives.\"com over support\".weight=30",
        "controller.objectives.0.weight=7",
    ];
    let overrides: Vec<Override> = overrides.iter().map(|text| Override::parse(text).unwrap()).collect();
    let (_, spec) = read(Source::new("balance.toml", CONTROLLER), &overrides).unwrap();
    assert_eq!(spec.states["stand"].objectives[0].weight.plain(), Some(30.0));
    assert_eq!(spec.objectives[0].weight.plain(), Some(7.0));
}

#[test]
fn mistakes_in_overrides_of_a_controller_are_said_where_they_stand() {
    let said = |argument: &str| {
        let overrides = [Override::parse(argument).unwrap()];
        let (source, spec) = match read(Source::new("balance.toml", CONTROLLER), &overrides) {
            Ok(read) => read,
            Err(error) => return format!("{error:#}"),
        };
        format!("{:#}", Machine::bind(&spec, &source, &TestNames, 1.0).unwrap_err()[0])
    };
    let found = [
        said("controller.states.stnd.for=1"),
        said("controller.states.stand.objectives.\"com over\".weight=30"),
        said("controller.states.step.while=signl > 0"),
        said("controller.parameters.gian=3"),
    ];
    assert!(found[0].contains("did you mean `stand`?"), "{}", found[0]);
    assert!(found[1].contains("it has: com over support"), "{}", found[1]);
    assert!(found[3].contains("the file has no `gian` here") && found[3].contains("did you mean `gain`?"));
    assert!(found[2].contains("--set:1:30") && found[2].contains("did you mean `signal`?"), "{}", found[2]);
}
