//! Tests of the exact messages about mistakes in events and motions.

use super::tests::{SCENE, said};

#[test]
fn mistakes_in_events_and_motions_are_said_where_they_stand() {
    let mistakes = [
        (
            "impulse = [0, 24, 0]",
            r#"impulse = [0, 24, 0]
amplitude = [0.1, 0, 0]"#,
            r#"
  × a push has no `amplitude`
    ╭─[push.toml:21:13]
 20 │ impulse = [0, 24, 0]
 21 │ amplitude = [0.1, 0, 0]
    ·             ─────┬─────
    ·                  ╰── here
 22 │
    ╰────
  help: `amplitude` is for events of kind `shake`"#,
        ),
        (
            "[events.push]",
            r#"[events.gone]
kind = "vanish"
obstacle = "stpe"
at = 1.0

[events.push]"#,
            r#"
  × there is no obstacle `stpe`
    ╭─[push.toml:18:12]
 17 │ kind = "vanish"
 18 │ obstacle = "stpe"
    ·            ───┬──
    ·               ╰── not an obstacle of this scene
 19 │ at = 1.0
    ╰────
  help: did you mean `step`?"#,
        ),
        (
            "[events.push]",
            r#"[events.quake]
kind = "shake"
at = 1.0
duration = 0.5
amplitude = [0.03, 0, 0]
frequency = 2.0
ramp = 0.3

[events.push]"#,
            r#"
  × a shake needs `obstacle`
    ╭─[push.toml:16:9]
 15 │
 16 │ [events.quake]
    ·         ──┬──
    ·           ╰── this event
 17 │ kind = "shake"
    ╰────
  × ramp must be more than 0 s and at most half the duration, 0.25 s, not 0.3
    ╭─[push.toml:22:8]
 21 │ frequency = 2.0
 22 │ ramp = 0.3
    ·        ─┬─
    ·         ╰── here
 23 │
    ╰────"#,
        ),
        (
            "[events.push]",
            r#"[events.grow]
kind = "appears"
at = 1.0

[events.push]"#,
            r#"
  × `appears` is not one of the choices here
    ╭─[push.toml:17:8]
 16 │ [events.grow]
 17 │ kind = "appears"
    ·        ────┬────
    ·            ╰── here
 18 │ at = 1.0
    ╰────
  help: did you mean `appear`?"#,
        ),
        (
            r#"body = "chest""#,
            "",
            r#"
  × a push needs `body` or `passive`
    ╭─[push.toml:16:9]
 15 │
 16 │ [events.push]
    ·         ──┬─
    ·           ╰── this event
 17 │ at = 1.0
    ╰────"#,
        ),
        (
            "position = [1.0, 0.0, 0.1]",
            r#"position = [1.0, 0.0, 0.1]
motion = { keyframes = { times = [0, 2, 1], offsets = [[0, 0, 0], [1, 0, 0]] } }"#,
            r#"
  × times must increase, but 1 follows 2
    ╭─[push.toml:10:34]
  9 │ position = [1.0, 0.0, 0.1]
 10 │ motion = { keyframes = { times = [0, 2, 1], offsets = [[0, 0, 0], [1, 0, 0]] } }
    ·                                  ────┬────
    ·                                      ╰── here
 11 │
    ╰────
  × 3 times need as many offsets, not 2
    ╭─[push.toml:10:55]
  9 │ position = [1.0, 0.0, 0.1]
 10 │ motion = { keyframes = { times = [0, 2, 1], offsets = [[0, 0, 0], [1, 0, 0]] } }
    ·                                                       ───────────┬──────────
    ·                                                                  ╰── here
 11 │
    ╰────"#,
        ),
        (
            "position = [1.0, 0.0, 0.1]",
            r#"position = [1.0, 0.0, 0.1]
motion = { sine = { frequency = 1.0 } }"#,
            r#"
  × a motion needs an `amplitude`, a `sway`, or both
    ╭─[push.toml:10:33]
  9 │ position = [1.0, 0.0, 0.1]
 10 │ motion = { sine = { frequency = 1.0 } }
    ·                                 ─┬─
    ·                                  ╰── here
 11 │
    ╰────"#,
        ),
        (
            "[obstacles.step]",
            "[obstacles.ground]",
            r#"
  × the floor has this name: choose another for the obstacle
   ╭─[push.toml:7:12]
 6 │
 7 │ [obstacles.ground]
   ·            ───┬──
   ·               ╰── here
 8 │ half_lengths = [0.2, 0.5, 0.1]
   ╰────"#,
        ),
    ];
    for (index, (right, wrong, expected)) in mistakes.iter().enumerate() {
        let text = SCENE.replace(right, wrong);
        assert_ne!(text, SCENE, "mistake {index} changes nothing");
        let found = said(&text, &[]);
        assert_eq!(found.trim(), expected.trim(), "mistake {index}: {wrong}");
    }
}
