//! Values of definitions, and the exact messages about errors in them.

use super::{learn, mistakes};
use crate::controller::read;
use crate::controller::tests::{CONTROLLER, bound, controller};
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::Value;
use aplomb_language::expression::testing::{FRAME, Frame, TestNames};
use aplomb_language::rendered::render;

/// The test controller with these definitions, and another weight in its state `step`.
fn with(definitions: &str, weight: &str) -> String {
    let text = CONTROLLER.replace("[parameters]", &format!("[define]\n{definitions}\n[parameters]"));
    let objective = format!(
        "[[states.step.objectives]]\nname = \"stance\"\nweight = \"{weight}\"\nof = {{ com_over_support = {{}} }}\n"
    );
    text.replace("[states.fall]", &format!("{objective}[states.fall]"))
}

#[test]
fn a_definition_is_worth_what_it_comes_to_where_it_is_used() {
    let definitions = r#"left = "swing == right_foot"
half = "0.5 * gain"
heavy = "abs(signal) * half if left else max(0, 1 - state_time)""#;
    let text = with(definitions, "2 * heavy").replace("nearest_foot(com)", "right_foot");
    let (mut machine, spec, source) = bound(&text).unwrap();
    let frame = |time: f64, signal: f64| Frame { time, signal, ..FRAME };
    machine.advance(&frame(0.0, -1.0));
    assert_eq!(entered(&mut machine, &frame(0.1, -3.0)), ["step"]);
    let weight = |machine: &crate::controller::Machine, frame: &Frame| {
        let scope = machine.scope(&spec, &TestNames, Some(1));
        let terms = spec.states[1].objectives[0].bind(&source, &scope).unwrap();
        terms.weight.value(&machine.lookup(frame))
    };
    assert_eq!(weight(&machine, &frame(0.1, -3.0)), 6.0, "2 × |−3| × ½ × 2");
    assert_eq!(weight(&machine, &frame(0.2, 5.0)), 10.0, "anew in each frame");
}

fn entered(machine: &mut crate::controller::Machine, frame: &Frame) -> Vec<String> {
    machine.advance(frame).transitions.iter().map(|transition| transition.to.to_string()).collect()
}

#[test]
fn a_definition_of_time_moves_with_time() {
    let (machine, spec, source) = bound(&with("left = \"max(0, 1 - state_time)\"", "left")).unwrap();
    let terms =
        spec.states[1].objectives[0].bind(&source, &machine.scope(&spec, &TestNames, Some(1))).unwrap();
    assert!(terms.weight.is_of_time());
    let rate = terms.weight.rates(&FRAME, 0.01, 2.0).velocity;
    assert!((rate + 0.5).abs() < 1e-9, "{rate}: one second of the controller's clock lasts two");
}

#[test]
fn mistakes_in_definitions_are_said_where_they_stand() {
    let doubling: Vec<String> = (1..12).map(|k| format!("d{k} = \"d{} + d{}\"", k - 1, k - 1)).collect();
    let doubling = format!("d0 = \"signal\"\n{}", doubling.join("\n"));
    let mistakes = [
        (
            "low = \"signl < 0\"",
            "1",
            r#"
  × unknown name `signl`
   ╭─[balance.toml:4:8]
 3 │ [define]
 4 │ low = "signl < 0"
   ·        ──┬──
   ·          ╰── here
 5 │ [parameters]
   ╰────
  help: did you mean `signal`?"#,
        ),
        (
            "low = \"high - 1\"\nhigh = \"signal\"",
            "1",
            r#"
  × unknown name `high`
   ╭─[balance.toml:4:8]
 3 │ [define]
 4 │ low = "high - 1"
   ·        ──┬─
   ·          ╰── here
 5 │ high = "signal"
   ╰────
  help: `high` is defined further down; a definition can use those above it"#,
        ),
        (
            "low = \"zzz + 1\"\nhigh = \"low + 1\"",
            "high",
            r#"
  × unknown name `zzz`
   ╭─[balance.toml:4:8]
 3 │ [define]
 4 │ low = "zzz + 1"
   ·        ─┬─
   ·         ╰── here
 5 │ high = "low + 1"
   ╰────
  help: known: gain, swing, stance, state_time, visits, previous_state, present_state, com,
        signal, other, height, in_contact, nearest_foot, left_foot, right_foot, knee.left, stand,
        step, fall"#,
        ),
        (
            "low = \"low + 1\"",
            "1",
            r#"
  × unknown name `low`
   ╭─[balance.toml:4:8]
 3 │ [define]
 4 │ low = "low + 1"
   ·        ─┬─
   ·         ╰── here
 5 │ [parameters]
   ╰────
  help: a definition cannot use itself"#,
        ),
        (
            "gain = \"signal\"",
            "1",
            r#"
  × `gain` is a parameter already; choose another name for this definition
   ╭─[balance.toml:4:1]
 3 │ [define]
 4 │ gain = "signal"
   · ──┬─
   ·   ╰── here
 5 │ [parameters]
   ╰────"#,
        ),
        (
            "stance = \"signal\"",
            "1",
            r#"
  × `stance` is defined already; choose another name for this role
    ╭─[balance.toml:25:38]
 24 │ [states.step]
 25 │ let = { swing = "nearest_foot(com)", stance = "left_foot if swing == right_foot else right_foot" }
    ·                                      ───┬──
    ·                                         ╰── here
 26 │ while = "other > -1"
    ╰────"#,
        ),
        (
            "low = \"signal < 0\"",
            "low",
            r#"
  × expected a number, found true or false
    ╭─[balance.toml:33:11]
 32 │ name = "stance"
 33 │ weight = "low"
    ·           ─┬─
    ·            ╰── this is true or false
 34 │ of = { com_over_support = {} }
    ╰────"#,
        ),
        (
            "low = \"signal < 0\"",
            "low(2)",
            r#"
  × `low` is true or false and cannot be called
    ╭─[balance.toml:33:11]
 32 │ name = "stance"
 33 │ weight = "low(2)"
    ·           ─┬─
    ·            ╰── here
 34 │ of = { com_over_support = {} }
    ╰────"#,
        ),
        (
            "low = \"signal\"",
            "low",
            r#"
  × a weight must be 0 or more, and this expression can be negative
    ╭─[balance.toml:33:10]
 32 │ name = "stance"
 33 │ weight = "low"
    ·          ──┬──
    ·            ╰── nothing keeps it from being negative
 34 │ of = { com_over_support = {} }
    ╰────
  help: wrap it: `max(0, low)`"#,
        ),
        (
            &doubling,
            "1",
            r#"
  × with the definitions it uses, this is 6649 characters long
    ╭─[balance.toml:13:6]
 12 │ d8 = "d7 + d7"
 13 │ d9 = "d8 + d8"
    ·      ────┬────
    ·          ╰── here
 14 │ d10 = "d9 + d9"
    ╰────
  help: the most is 6000; a role, bound in a state's `let`, is worked out only once"#,
        ),
    ];
    let [mut said, mut expected] = [String::new(), String::new()];
    for (definitions, weight, words) in mistakes {
        let errors = bound(&with(definitions, weight)).unwrap_err();
        let errors: Vec<String> = errors.iter().map(render).collect();
        said += &format!("{definitions}\n{}\n\n", errors.join("\n").trim());
        expected += &format!("{definitions}\n{}\n\n", words.trim());
    }
    assert_eq!(said, expected);
}

#[test]
fn a_definition_needs_its_roles_where_it_is_used() {
    let text = with("left = \"swing == left_foot\"", "1 if left else 2");
    assert!(bound(&text).is_ok(), "the state binds the role");
    let elsewhere = text.replace("while = \"signal > 0\"", "while = \"signal > 0 and left\"");
    let errors = bound(&elsewhere).unwrap_err();
    let expected = r#"
  × unknown name `left`
    ╭─[balance.toml:14:25]
 13 │ [states.stand]
 14 │ while = "signal > 0 and left"
    ·                         ──┬─
    ·                           ╰── here
 15 │ debounce = 0.02
    ╰────
  help: `left` is defined with the role `swing`, which is bound in `step` but not on every way
        here"#;
    assert_eq!(render(&errors[0]).trim(), expected.trim());
}

/// A controller that sets this command of `drive`, which passes it on to `gait`.
fn driving(rest: &str) -> String {
    format!(
        "start = \"walk\"\n[include.walk]\nfile = \"drive\"\n[include.walk.commands]\nwalk_velocity = {rest}\n"
    )
}

#[test]
fn what_an_included_controller_hands_on_is_clamped_to_its_range_first() {
    let (source, spec) = controller(&driving("[50, -50, 0]")).unwrap();
    let mut known = vec![None; spec.define.len()];
    learn(&spec, &source, &TestNames, &[], &[], &mut known);
    for name in ["walk.walk_velocity", "walk.walk.walk_velocity"] {
        let index = spec.define.get_index_of(name).expect(name);
        let definition = known[index].as_ref().expect(name);
        let Value::Vector(value) = definition.bound.value(&FRAME) else { panic!("{name} is no vector") };
        assert_eq!(value.as_slice(), [1.2, -0.5, 0.0], "{name}");
    }
}

#[test]
fn one_mistake_in_what_an_include_is_told_is_one_error() {
    let (source, spec) = controller(&driving("3")).unwrap();
    let known = vec![None; spec.define.len()];
    let said = mistakes(&spec, &source, &TestNames, &[], &known);
    let said = said.iter().flatten().filter(|error| error.message.contains("is a vector, and this"));
    let said: Vec<_> = said.collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0].message, "the command `walk_velocity` is a vector, and this is a number");
    assert!(said[0].help.as_ref().is_some_and(|help| help.contains("`[3, 0, 0]`")), "{said:?}");
    // A file that could not be read is not reported to lack the command.
    for wrong in ["parameters = { stride = 3 }", "states.stepp.blend_in = 1", "comands.turn = 1"] {
        let text = driving("[0.5, 0, 0]").replace("file =", &format!("{wrong}\nfile ="));
        let errors = read(Source::new("balance.toml", text), &[]).expect_err(wrong).into_vec();
        assert_eq!(errors.len(), 1, "{wrong}: {errors:?}");
        assert!(!errors[0].message.contains("has no command"), "{wrong}: {errors:?}");
    }
}
