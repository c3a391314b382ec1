//! Tests of the exact messages about mistakes in scenes: the correct text, the mistake, the message.

use super::tests::{SCENE, said};

#[test]
fn mistakes_in_a_scene_are_said_where_they_stand() {
    let mistakes = [
        (
            "friction = 0.8",
            "frction = 0.8",
            r#"
  × unknown key `frction`
   ╭─[push.toml:5:1]
 4 │ [ground]
 5 │ frction = 0.8
   · ───┬───
   ·    ╰── here
 6 │
   ╰────
  help: did you mean `friction`?"#,
        ),
        (
            "[ground]",
            "[gruond]",
            r#"
  × unknown key `gruond`
   ╭─[push.toml:4:2]
 3 │
 4 │ [gruond]
   ·  ───┬──
   ·     ╰── here
 5 │ friction = 0.8
   ╰────
  help: did you mean `ground`?"#,
        ),
        (
            "duration = 2.0",
            r#"duration = "two""#,
            r#"
  × expected a number, found the text "two"
   ╭─[push.toml:2:12]
 1 │ title = "push"
 2 │ duration = "two"
   ·            ──┬──
   ·              ╰── here
 3 │
   ╰────"#,
        ),
        (
            "duration = 2.0",
            "",
            r#"
  × missing key `duration`
   ╭─[push.toml:1:1]
 1 │ title = "push"
   · ▲
   · ╰── in this file
 2 │
   ╰────"#,
        ),
        (
            "duration = 2.0",
            r#"duration = 2.0
dt = -0.01"#,
            r#"
  × dt must be from 0.0001 to 0.05 s, not -0.01
   ╭─[push.toml:3:6]
 2 │ duration = 2.0
 3 │ dt = -0.01
   ·      ──┬──
   ·        ╰── here
 4 │
   ╰────"#,
        ),
        (
            "duration = 2.0",
            r#"duration = 2.0
bias_velocity = "backwards""#,
            r#"
  × `backwards` is not one of the choices here
   ╭─[push.toml:3:17]
 2 │ duration = 2.0
 3 │ bias_velocity = "backwards"
   ·                 ─────┬─────
   ·                      ╰── here
 4 │
   ╰────
  help: did you mean `backward`?"#,
        ),
        (
            "duration = 2.0",
            r#"duration = 2.0
gravity = [0, -9.81]"#,
            r#"
  × expected three numbers `[x, y, z]`, found 2 elements
   ╭─[push.toml:3:11]
 2 │ duration = 2.0
 3 │ gravity = [0, -9.81]
   ·           ─────┬────
   ·                ╰── here
 4 │
   ╰────"#,
        ),
        (
            "duration = 2.0",
            r#"duration = 2.0
friction_directions = 6"#,
            r#"
  × a friction pyramid has 4 or 8 edges, not 6
   ╭─[push.toml:3:23]
 2 │ duration = 2.0
 3 │ friction_directions = 6
   ·                       ┬
   ·                       ╰── here
 4 │
   ╰────"#,
        ),
        (
            "friction = 0.8",
            "height = -2e4",
            r#"
  × height must be within 10000 m of the origin, not -20000
   ╭─[push.toml:5:10]
 4 │ [ground]
 5 │ height = -2e4
   ·          ──┬─
   ·            ╰── here
 6 │
   ╰────"#,
        ),
        (
            "duration = 2.0",
            "duration = 2.0 seconds",
            r#"
  × string values must be quoted, expected literal string
   ╭─[push.toml:2:12]
 1 │ title = "push"
 2 │ duration = 2.0 seconds
   ·            ─────┬─────
   ·                 ╰── here
 3 │
   ╰────"#,
        ),
        (
            "duration = 2.0",
            r#"duration = 2.0
duration = 3.0"#,
            r#"
  × duplicate key
   ╭─[push.toml:3:1]
 2 │ duration = 2.0
 3 │ duration = 3.0
   · ────┬───
   ·     ╰── here
 4 │
   ╰────"#,
        ),
        (
            "friction = 0.8",
            "friction = 1e160",
            r#"
  × friction must be from 0 to 1e6, not 1e160
   ╭─[push.toml:5:12]
 4 │ [ground]
 5 │ friction = 1e160
   ·            ──┬──
   ·              ╰── here
 6 │
   ╰────"#,
        ),
        (
            "friction = 0.8",
            "friction = -0.8",
            r#"
  × friction must be from 0 to 1e6, not -0.8
   ╭─[push.toml:5:12]
 4 │ [ground]
 5 │ friction = -0.8
   ·            ──┬─
   ·              ╰── here
 6 │
   ╰────"#,
        ),
        (
            "half_lengths = [0.2, 0.5, 0.1]",
            "half_lengths = [0.2, 0.0, 0.1]",
            r#"
  × half_lengths must be more than 0 m
   ╭─[push.toml:8:16]
 7 │ [obstacles.step]
 8 │ half_lengths = [0.2, 0.0, 0.1]
   ·                ───────┬───────
   ·                       ╰── here
 9 │ position = [1.0, 0.0, 0.1]
   ╰────"#,
        ),
        (
            "position = [1.0, 0.0, 0.1]",
            "position = [1.0, 0.0]",
            r#"
  × expected three numbers `[x, y, z]`, found 2 elements
    ╭─[push.toml:9:12]
  8 │ half_lengths = [0.2, 0.5, 0.1]
  9 │ position = [1.0, 0.0]
    ·            ─────┬────
    ·                 ╰── here
 10 │
    ╰────"#,
        ),
        (
            r#"[characters.hero]
model = "adult""#,
            "[characters.hero]",
            r#"
  × missing key `model`
    ╭─[push.toml:11:1]
 10 │
 11 │ [characters.hero]
    · ────────┬────────
    ·         ╰── in this table
 12 │ controller = "balance"
    ╰────"#,
        ),
        (
            r#"[characters.hero]
model = "adult"
controller = "balance"
pose = { knee = 0.1 }
"#,
            "",
            r#"
  × a scene needs a character or a passive object
   ╭─[push.toml:1:1]
 1 │ title = "push"
   · ▲
   · ╰── here
 2 │ duration = 2.0
   ╰────
  help: add a table such as `[characters.hero]` with `model = "adult"` and `controller =
        "balance"`"#,
        ),
        (
            "pose = { knee = 0.1 }",
            "reaction_delay = { time = 0.0 }",
            r#"
  × time of a reaction delay must be more than 0 and at most 1 s, not 0
    ╭─[push.toml:14:27]
 13 │ controller = "balance"
 14 │ reaction_delay = { time = 0.0 }
    ·                           ─┬─
    ·                            ╰── here
 15 │
    ╰────"#,
        ),
        (
            "pose = { knee = 0.1 }",
            "reaction_delay = { time = 0.2, weight = -1 }",
            r#"
  × weight of a reaction delay must be more than 0, not -1
    ╭─[push.toml:14:41]
 13 │ controller = "balance"
 14 │ reaction_delay = { time = 0.2, weight = -1 }
    ·                                         ─┬
    ·                                          ╰── here
 15 │
    ╰────"#,
        ),
        (
            "pose = { knee = 0.1 }",
            "reaction_delay = { tme = 0.2 }",
            r#"
  × unknown key `tme`
    ╭─[push.toml:14:20]
 13 │ controller = "balance"
 14 │ reaction_delay = { tme = 0.2 }
    ·                    ─┬─
    ·                     ╰── here
 15 │
    ╰────
  help: did you mean `time`?"#,
        ),
        (
            "at = 1.0",
            "at = -1.0",
            r#"
  × at must be 0 s or more, not -1
    ╭─[push.toml:17:6]
 16 │ [events.push]
 17 │ at = -1.0
    ·      ──┬─
    ·        ╰── here
 18 │ duration = 0.15
    ╰────"#,
        ),
        (
            r#"at = 1.0
duration = 0.15"#,
            r#"at = 1.002
duration = 0.005"#,
            r#"
  × no frame falls within this push: frames are 0.01 s apart
    ╭─[push.toml:18:12]
 17 │ at = 1.002
 18 │ duration = 0.005
    ·            ──┬──
    ·              ╰── here
 19 │ body = "chest"
    ╰────"#,
        ),
        (
            "impulse = [0, 24, 0]",
            r#"impulse = [0, 24, 0]
force = [0, 160, 0]"#,
            r#"
  × a push has an impulse or a force, not both
    ╭─[push.toml:21:9]
 20 │ impulse = [0, 24, 0]
 21 │ force = [0, 160, 0]
    ·         ─────┬─────
    ·              ╰── here
 22 │
    ╰────
  help: leave one of them out"#,
        ),
        (
            "impulse = [0, 24, 0]",
            "",
            r#"
  × a push needs an impulse or a force
    ╭─[push.toml:19:8]
 18 │ duration = 0.15
 19 │ body = "chest"
    ·        ───┬───
    ·           ╰── the push on this body
 20 │
    ╰────
  help: add `impulse = [x, y, z]` in N s or `force = [x, y, z]` in N"#,
        ),
        (
            "impulse = [0, 24, 0]",
            r#"impulse = "hard""#,
            r#"
  × expected three numbers `[x, y, z]`, found the text "hard"
    ╭─[push.toml:20:11]
 19 │ body = "chest"
 20 │ impulse = "hard"
    ·           ───┬──
    ·              ╰── here
 21 │
    ╰────"#,
        ),
        (
            r#"body = "chest""#,
            r#"body = ["chest"]"#,
            r#"
  × expected text in quotes, found an array
    ╭─[push.toml:19:8]
 18 │ duration = 0.15
 19 │ body = ["chest"]
    ·        ────┬────
    ·            ╰── here
 20 │ impulse = [0, 24, 0]
    ╰────"#,
        ),
        (
            r#"upright = { always = "com.z > 0.6" }"#,
            r#"upright = { allways = "com.z > 0.6" }"#,
            r#"
  × `allways` is not one of the choices here
    ╭─[push.toml:23:13]
 22 │ [success]
 23 │ upright = { allways = "com.z > 0.6" }
    ·             ───┬───
    ·                ╰── here
    ╰────
  help: did you mean `always`?"#,
        ),
        (
            r#"upright = { always = "com.z > 0.6" }"#,
            r#"upright = "com.z > 0.6""#,
            r#"
  × `com.z > 0.6` is not one of the choices here
    ╭─[push.toml:23:11]
 22 │ [success]
 23 │ upright = "com.z > 0.6"
    ·           ──────┬──────
    ·                 ╰── here
    ╰────
  help: known: always, at_end, once"#,
        ),
        (
            r#"upright = { always = "com.z > 0.6" }"#,
            "upright = { always = 1 }",
            r#"
  × expected `true`, `false`, or a condition in quotes, found the number 1
    ╭─[push.toml:23:22]
 22 │ [success]
 23 │ upright = { always = 1 }
    ·                      ┬
    ·                      ╰── here
    ╰────"#,
        ),
        (
            r#"upright = { always = "com.z > 0.6" }"#,
            "upright = {}",
            r#"
  × expected exactly one key that says which kind it is
    ╭─[push.toml:23:11]
 22 │ [success]
 23 │ upright = {}
    ·           ─┬
    ·            ╰── here
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

#[test]
fn a_table_that_adds_to_nobody_says_that_there_is_no_such_character() {
    let with = |more: &str| said(&format!("{SCENE}\n{more}"), &[]);
    let expected = r#"
  × there is no character `heroo`
    ╭─[push.toml:25:13]
 24 │
 25 │ [characters.heroo.success]
    ·             ──┬──
    ·               ╰── here
 26 │ low = { once = "com.z < 0.5" }
    ╰────
  help: did you mean `hero`?"#;
    assert_eq!(
        with("[characters.heroo.success]\nlow = { once = \"com.z < 0.5\" }\n").trim(),
        expected.trim()
    );
    let far = with("[characters.bystander.pose]\nknee = 0.1\n");
    assert!(far.contains("there is no character `bystander`"), "{far}");
    assert!(far.contains("known: hero; another one needs `model`"), "{far}");
    let event = with("[obstacles.stop.motion.sine]\nfrequency = 1\n");
    assert!(
        event.contains("there is no obstacle `stop`") && event.contains("did you mean `step`?"),
        "{event}"
    );
    let object =
        with("[passive.ball]\nkind = \"articulated\"\nmodel = \"ball\"\n[passive.bal.pose]\nx = 1\n");
    assert!(object.contains("there is no passive object `bal`"), "{object}");
    // A table with content of its own is a new character, which lacks its model.
    let real = with("[characters.heroo]\nposition = [1, 0]\n");
    assert!(real.contains("missing key `model`"), "{real}");
}

#[test]
fn mistakes_in_overrides_are_said_where_they_stand() {
    let mistakes = [
        (
            "ground.frction=0.5",
            r#"
  × unknown key `frction`
   ╭─[--set:1:8]
 1 │ ground.frction=0.5
   ·        ───┬───
   ·           ╰── here
   ╰────
  help: did you mean `friction`?"#,
        ),
        (
            "evnts.push.impulse=[0, 1, 0]",
            r#"
  × unknown key `evnts`
   ╭─[--set:1:1]
 1 │ evnts.push.impulse=[0, 1, 0]
   · ──┬──
   ·   ╰── here
   ╰────
  help: did you mean `events`?"#,
        ),
        (
            "events.psh.impulse=[0, 1, 0]",
            r#"
  × the file has no `psh` here
   ╭─[--set:1:8]
 1 │ events.psh.impulse=[0, 1, 0]
   ·        ─┬─
   ·         ╰── here
   ╰────
  help: did you mean `push`?"#,
        ),
        (
            "events.push.impulse.x=3",
            r#"
  × the file has no `x` here
   ╭─[--set:1:21]
 1 │ events.push.impulse.x=3
   ·                     ┬
   ·                     ╰── here
   ╰────"#,
        ),
        (
            "events.push.impulse=[0, 24",
            r#"
  × unclosed array, expected `]`
   ╭─[--set:1:27]
 1 │ events.push.impulse=[0, 24
   ╰────"#,
        ),
        (
            "events.push.impulse=[0, 24]",
            r#"
  × expected three numbers `[x, y, z]`, found 2 elements
   ╭─[--set:1:21]
 1 │ events.push.impulse=[0, 24]
   ·                     ───┬───
   ·                        ╰── here
   ╰────"#,
        ),
        (
            "dt=fast",
            r#"
  × expected a number, found the text "fast"
   ╭─[--set:1:4]
 1 │ dt=fast
   ·    ──┬─
   ·      ╰── here
   ╰────"#,
        ),
        (
            "dt",
            r#"
  × expected `PATH=VALUE`
   ╭─[--set:1:1]
 1 │ dt
   · ─┬
   ·  ╰── here
   ╰────
  help: for example `--set events.push.impulse='[0, 24, 0]'`"#,
        ),
        (
            "dt=",
            r#"
  × expected a value after `=`
   ╭─[--set:1:4]
 1 │ dt=
   ╰────"#,
        ),
        (
            "bias_velocity=forward",
            r#"
  × `forward` is not one of the choices here
   ╭─[--set:1:15]
 1 │ bias_velocity=forward
   ·               ───┬───
   ·                  ╰── here
   ╰────
  help: known: backward, extrapolated, midpoint, momentum"#,
        ),
        (
            "characters.hero.heading={ pi = 1 }",
            r#"
  × expected a number, found a table
   ╭─[--set:1:25]
 1 │ characters.hero.heading={ pi = 1 }
   ·                         ─────┬────
   ·                              ╰── here
   ╰────"#,
        ),
        (
            "a..b=1",
            r#"
  × this is not a path of keys
   ╭─[--set:1:1]
 1 │ a..b=1
   · ──┬─
   ·   ╰── here
   ╰────
  help: join keys with dots; quote keys with spaces: `controller.states.balance.objectives."com
        over support".weight=30`"#,
        ),
    ];
    for (argument, expected) in &mistakes {
        let found = said(SCENE, &[argument]);

        assert_eq!(found.trim(), expected.trim(), "{argument}");
    }
}
