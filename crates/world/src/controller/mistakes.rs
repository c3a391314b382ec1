//! The exact words said about mistakes in controllers: what was right, what was written instead, what is
//! said.

use super::check;
use super::tests::{CONTROLLER, bound, controller};
use aplomb_language::rendered::render;

#[test]
fn mistakes_in_a_controller_are_said_where_they_stand() {
    let mistakes = [
        (
            r#"start = "stand""#,
            r#"start = "stnad""#,
            r#"
  × unknown state `stnad`
   ╭─[balance.toml:1:9]
 1 │ start = "stnad"
   ·         ───┬───
   ·            ╰── here
 2 │
   ╰────
  help: did you mean `stand`?"#,
        ),
        (
            r#"start = "stand""#,
            "",
            r#"
  × missing key `start`
   ╭─[balance.toml:1:1]
 1 │
   · ▲
   · ╰── in this file
 2 │
 3 │ [parameters]
   ╰────"#,
        ),
        (
            r#"to = ["step"]"#,
            r#"to = ["stpe"]"#,
            r#"
  × unknown state `stpe`
    ╭─[balance.toml:14:7]
 13 │ debounce = 0.02
 14 │ to = ["stpe"]
    ·       ───┬──
    ·          ╰── here
 15 │ else = "fall"
    ╰────
  help: did you mean `step`?"#,
        ),
        (
            r#"else = "fall""#,
            r#"else = "fell""#,
            r#"
  × unknown state `fell`
    ╭─[balance.toml:15:8]
 14 │ to = ["step"]
 15 │ else = "fell"
    ·        ───┬──
    ·           ╰── here
 16 │ [[states.stand.objectives]]
    ╰────
  help: did you mean `fall`?"#,
        ),
        (
            r#"while = "signal > 0""#,
            r#"while = "signl > 0""#,
            r#"
  × unknown name `signl`
    ╭─[balance.toml:12:10]
 11 │ [states.stand]
 12 │ while = "signl > 0"
    ·          ──┬──
    ·            ╰── here
 13 │ debounce = 0.02
    ╰────
  help: did you mean `signal`?"#,
        ),
        (
            r#"while = "signal > 0""#,
            r#"while = "signal""#,
            r#"
  × expected true or false, found a number
    ╭─[balance.toml:12:10]
 11 │ [states.stand]
 12 │ while = "signal"
    ·          ───┬──
    ·             ╰── this is a number
 13 │ debounce = 0.02
    ╰────"#,
        ),
        (
            r#"while = "signal > 0""#,
            r#"whlie = "signal > 0""#,
            r#"
  × unknown key `whlie`
    ╭─[balance.toml:12:1]
 11 │ [states.stand]
 12 │ whlie = "signal > 0"
    · ──┬──
    ·   ╰── here
 13 │ debounce = 0.02
    ╰────
  help: did you mean `while`?"#,
        ),
        (
            "debounce = 0.02",
            "debounce = -0.02",
            r#"
  × debounce must be 0 s or more, not -0.02
    ╭─[balance.toml:13:12]
 12 │ while = "signal > 0"
 13 │ debounce = -0.02
    ·            ──┬──
    ·              ╰── here
 14 │ to = ["step"]
    ╰────"#,
        ),
        (
            "gain = 2.0",
            r#"gain = "two""#,
            r#"
  × expected a number or `[x, y, z]`, found the text "two"
   ╭─[balance.toml:4:8]
 3 │ [parameters]
 4 │ gain = "two"
   ·        ──┬──
   ·          ╰── here
 5 │
   ╰────"#,
        ),
        (
            "gain = 2.0",
            "signal = 2.0",
            r#"
  × `signal` is a quantity already; choose another name for this parameter
   ╭─[balance.toml:4:1]
 3 │ [parameters]
 4 │ signal = 2.0
   · ───┬──
   ·    ╰── here
 5 │
   ╰────"#,
        ),
        (
            "weight = 20.0",
            r#"weight = "20*gian""#,
            r#"
  × unknown name `gian`
    ╭─[balance.toml:18:14]
 17 │ name = "com over support"
 18 │ weight = "20*gian"
    ·              ──┬─
    ·                ╰── here
 19 │ response = 0.35
    ╰────
  help: did you mean `gain`?"#,
        ),
        (
            "weight = 20.0",
            "weight = -20.0",
            r#"
  × a weight must be 0 or more
    ╭─[balance.toml:18:10]
 17 │ name = "com over support"
 18 │ weight = -20.0
    ·          ──┬──
    ·            ╰── here
 19 │ response = 0.35
    ╰────
  help: to push away from something, give the objective a target on the other side"#,
        ),
        (
            "weight = 20.0",
            r#"weight = "20*(1 - time)""#,
            r#"
  × a weight must be 0 or more, and this one may be less
    ╭─[balance.toml:18:10]
 17 │ name = "com over support"
 18 │ weight = "20*(1 - time)"
    ·          ───────┬───────
    ·                 ╰── nothing keeps it from being negative
 19 │ response = 0.35
    ╰────
  help: wrap it: `max(0, 20*(1 - time))`"#,
        ),
        (
            "weight = 20.0",
            "weight = { keyframes = { times = [0, 1], values = [2, -1] } }",
            r#"
  × a weight must be 0 or more
    ╭─[balance.toml:18:10]
 17 │ name = "com over support"
 18 │ weight = { keyframes = { times = [0, 1], values = [2, -1] } }
    ·          ──────────────────────────┬─────────────────────────
    ·                                    ╰── here
 19 │ response = 0.35
    ╰────
  help: to push away from something, give the objective a target on the other side"#,
        ),
        (
            "weight = 20.0",
            "",
            r#"
  × missing key `weight`
    ╭─[balance.toml:16:1]
 15 │ else = "fall"
 16 │ [[states.stand.objectives]]
    · ─────────────┬─────────────
    ·              ╰── in this table
 17 │ name = "com over support"
    ╰────"#,
        ),
        (
            "response = 0.35",
            "response = 0",
            r#"
  × a response time must be more than 0 s, not 0
    ╭─[balance.toml:19:12]
 18 │ weight = 20.0
 19 │ response = 0
    ·            ┬
    ·            ╰── here
 20 │ of = { com_over_support = {} }
    ╰────
  help: leave `response` out for the direct form"#,
        ),
        (
            "of = { com_over_support = {} }",
            "of = { com_over_suport = {} }",
            r#"
  × `com_over_suport` is not one of the choices here
    ╭─[balance.toml:9:8]
  8 │ weight = "0.1*gain"
  9 │ of = { com_over_suport = {} }
    ·        ───────┬───────
    ·               ╰── here
 10 │
    ╰────
  help: did you mean `com_over_support`?"#,
        ),
        (
            "of = { com_over_support = {} }",
            "of = { com_over_support = {}, other = {} }",
            r#"
  × expected exactly one key that says which kind it is
    ╭─[balance.toml:9:6]
  8 │ weight = "0.1*gain"
  9 │ of = { com_over_support = {}, other = {} }
    ·      ──────────────────┬──────────────────
    ·                        ╰── here
 10 │
    ╰────"#,
        ),
        (
            "of = { com_over_support = {} }",
            "of = 3",
            r#"
  × expected a table with one key that says which kind it is
    ╭─[balance.toml:9:6]
  8 │ weight = "0.1*gain"
  9 │ of = 3
    ·      ┬
    ·      ╰── here
 10 │
    ╰────"#,
        ),
        (
            r#"name = "com over support""#,
            r#"name = "calm""#,
            r#"
  × an objective named `calm` already holds in every state
    ╭─[balance.toml:17:8]
 16 │ [[states.stand.objectives]]
 17 │ name = "calm"
    ·        ───┬──
    ·           ╰── here
 18 │ weight = 20.0
    ╰────"#,
        ),
        (
            r#"release = ["swing"]"#,
            r#"release = ["swnig"]"#,
            r#"
  × unknown name `swnig`
    ╭─[balance.toml:27:13]
 26 │ to = ["stand"]
 27 │ release = ["swnig"]
    ·             ──┬──
    ·               ╰── here
 28 │
    ╰────
  help: did you mean `swing`?"#,
        ),
        (
            r#"release = ["swing"]"#,
            r#"release_rate = 0"#,
            r#"
  × release_rate must be more than 0 m g/s, not 0
    ╭─[balance.toml:27:16]
 26 │ to = ["stand"]
 27 │ release_rate = 0
    ·                ┬
    ·                ╰── here
 28 │
    ╰────"#,
        ),
        (
            r#"release = ["swing"]"#,
            r#"load_rate = -1"#,
            r#"
  × load_rate must be 0 m g/s or more, not -1
    ╭─[balance.toml:27:13]
 26 │ to = ["stand"]
 27 │ load_rate = -1
    ·             ─┬
    ·              ╰── here
 28 │
    ╰────"#,
        ),
        (
            r#"swing = "nearest_foot(com)""#,
            r#"swing = "nearest_foot(1)""#,
            r#"
  × expected a vector, found a number
    ╭─[balance.toml:23:31]
 22 │ [states.step]
 23 │ let = { swing = "nearest_foot(1)", stance = "left_foot if swing == right_foot else right_foot" }
    ·                               ┬
    ·                               ╰── this is a number
 24 │ while = "other > -1"
    ╰────
  help: it is used as `nearest_foot(vector)`"#,
        ),
        (
            "[states.fall]",
            r#"[states.fall]
let = { swing = "2" }"#,
            r#"
  × the role `swing` is a body in another state, and a number here
    ╭─[balance.toml:30:17]
 29 │ [states.fall]
 30 │ let = { swing = "2" }
    ·                 ─┬─
    ·                  ╰── here
    ╰────"#,
        ),
        (
            "[states.fall]",
            r#"[states.fall]
until = "in_contact(swing)"
to = ["step"]"#,
            r#"
  × unknown name `swing`
    ╭─[balance.toml:30:21]
 29 │ [states.fall]
 30 │ until = "in_contact(swing)"
    ·                     ──┬──
    ·                       ╰── here
 31 │ to = ["step"]
    ╰────
  help: the role `swing` is bound in `step` but not on every way here; bind it in this state's
        `let`, or in every state that leads here"#,
        ),
        (
            "[states.fall]",
            "[states.fall",
            r#"
  × unclosed table, expected `]`
    ╭─[balance.toml:29:13]
 28 │
 29 │ [states.fall
    ·             ▲
    ·             ╰── here
    ╰────"#,
        ),
    ];
    for (index, (right, wrong, expected)) in mistakes.iter().enumerate() {
        let text = CONTROLLER.replace(right, wrong);
        assert_ne!(text, CONTROLLER, "mistake {index} changes nothing");
        let errors = bound(&text).expect_err(wrong);
        let found: Vec<String> = errors.iter().map(render).collect();
        assert_eq!(found.join("\n").trim(), expected.trim(), "mistake {index}: {wrong}");
    }
}

#[test]
fn what_is_legal_and_looks_wrong_is_a_warning() {
    let (source, spec) = controller(CONTROLLER).unwrap();
    assert!(check(&spec, &source).warnings.is_empty());
    let oddities = [
        (
            r#"else = "fall""#,
            "",
            r#"
  ⚠ state `fall` cannot be reached
    ╭─[balance.toml:29:9]
 28 │
 29 │ [states.fall]
    ·         ──┬─
    ·           ╰── here
    ╰────
  help: no exits lead to it from `stand` [unreachable-state]"#,
        ),
        (
            "[states.fall]",
            r#"[states.fall]
to = ["step"]"#,
            r#"
  ⚠ state `fall` has exits but never ends
    ╭─[balance.toml:29:9]
 28 │
 29 │ [states.fall]
    ·         ──┬─
    ·           ╰── here
 30 │ to = ["step"]
    ╰────
  help: add `while` or `until` [exits-without-end]"#,
        ),
        (
            r#"to = ["stand"]"#,
            "",
            r#"
  ⚠ state `step` ends but has no exit
    ╭─[balance.toml:22:9]
 21 │
 22 │ [states.step]
    ·         ──┬─
    ·           ╰── here
 23 │ let = { swing = "nearest_foot(com)", stance = "left_foot if swing == right_foot else right_foot" }
    ╰────
  help: add `to = ["…"]` or `else = "…"`; without, the state is kept [state-without-exit]"#,
        ),
        (
            r#"to = ["step"]"#,
            r#"to = ["fall", "step"]"#,
            r#"
  ⚠ `step` is never entered from `stand`
    ╭─[balance.toml:14:15]
 13 │ debounce = 0.02
 14 │ to = ["fall", "step"]
    ·               ───┬──
    ·                  ╰── here
 15 │ else = "fall"
    ╰────
  help: `fall` before it has no `while` and is always applicable [shadowed-exit]"#,
        ),
        (
            r#"while = "signal > 0"
"#,
            "",
            r#"
  ⚠ `debounce` has nothing to wait for
    ╭─[balance.toml:12:12]
 11 │ [states.stand]
 12 │ debounce = 0.02
    ·            ──┬─
    ·              ╰── here
 13 │ to = ["step"]
    ╰────
  help: it delays leaving the state: add a `while` or an `until` [idle-debounce]
  ⚠ state `stand` has exits but never ends
    ╭─[balance.toml:11:9]
 10 │
 11 │ [states.stand]
    ·         ──┬──
    ·           ╰── here
 12 │ debounce = 0.02
    ╰────
  help: add `while` or `until` [exits-without-end]"#,
        ),
    ];
    for (index, (right, wrong, expected)) in oddities.iter().enumerate() {
        let (source, spec) = controller(&CONTROLLER.replace(right, wrong)).unwrap();
        let found = check(&spec, &source);
        assert!(found.errors.is_empty());
        let found: Vec<String> = found.warnings.iter().map(render).collect();
        assert_eq!(found.join("\n").trim(), expected.trim(), "oddity {index}: {wrong}");
    }
}
