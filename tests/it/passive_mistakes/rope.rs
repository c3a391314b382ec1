//! Ropes.

use super::all_said;

const THING: &str = r#"kind = "rope"
ends = [[0, 0, 2], [1, 0, 2]]
sticks = 10
mass = 0.5
"#;

#[test]
fn mistakes_in_rope_are_said_where_they_stand() {
    all_said(
        THING,
        &[
            (
                "sticks = 10",
                "stiks = 10",
                r#"
  × unknown key `stiks`
   ╭─[scene.toml:7:1]
 6 │ ends = [[0, 0, 2], [1, 0, 2]]
 7 │ stiks = 10
   · ──┬──
   ·   ╰── here
 8 │ mass = 0.5
   ╰────
  help: did you mean `sticks`?"#,
            ),
            (
                "sticks = 10",
                "sticks = 0",
                r#"
  × sticks must be from 1 to 20000, not 0
   ╭─[scene.toml:7:10]
 6 │ ends = [[0, 0, 2], [1, 0, 2]]
 7 │ sticks = 0
   ·          ┬
   ·          ╰── here
 8 │ mass = 0.5
   ╰────"#,
            ),
            (
                "sticks = 10",
                "sticks = [10]",
                r#"
  × expected a whole number, found an array
   ╭─[scene.toml:7:10]
 6 │ ends = [[0, 0, 2], [1, 0, 2]]
 7 │ sticks = [10]
   ·          ──┬─
   ·            ╰── here
 8 │ mass = 0.5
   ╰────"#,
            ),
            (
                "mass = 0.5",
                "mass = 0.5\nlength = 0.5\nfixed = [\"first\", \"second\"]",
                r#"
  × the rope is 0.5 m long, and its fixed ends are 1.000 m apart
    ╭─[scene.toml:9:10]
  8 │ mass = 0.5
  9 │ length = 0.5
    ·          ─┬─
    ·           ╰── here
 10 │ fixed = ["first", "second"]
    ╰────"#,
            ),
            (
                "[1, 0, 2]]",
                "[0, 0, 2]]",
                r#"
  × ends must be finite and apart
   ╭─[scene.toml:6:8]
 5 │ kind = "rope"
 6 │ ends = [[0, 0, 2], [0, 0, 2]]
   ·        ───────────┬──────────
   ·                   ╰── here
 7 │ sticks = 10
   ╰────"#,
            ),
            (
                "mass = 0.5",
                r#"mass = 0.5
fixed = ["frist"]"#,
                r#"
  × `frist` is not one of the choices here
   ╭─[scene.toml:9:10]
 8 │ mass = 0.5
 9 │ fixed = ["frist"]
   ·          ───┬───
   ·             ╰── here
   ╰────
  help: did you mean `first`?"#,
            ),
            (
                "mass = 0.5",
                r#"mass = 0.5
length = -1"#,
                r#"
  × length must be more than 0, not -1
   ╭─[scene.toml:9:10]
 8 │ mass = 0.5
 9 │ length = -1
   ·          ─┬
   ·           ╰── here
   ╰────"#,
            ),
        ],
    );
}
