//! Cloth.

use super::all_said;

const THING: &str = r#"kind = "cloth"
corner = [0, 0, 2]
across = [1, 0, 0]
down = [0, 1, 0]
grid = [5, 4]
mass = 0.2
"#;

#[test]
fn mistakes_in_cloth_are_said_where_they_stand() {
    all_said(
        THING,
        &[
            (
                "mass = 0.2",
                "mas = 0.2",
                r#"
  × unknown key `mas`
    ╭─[scene.toml:10:1]
  9 │ grid = [5, 4]
 10 │ mas = 0.2
    · ─┬─
    ·  ╰── here
    ╰────
  help: did you mean `mass`?"#,
            ),
            (
                "mass = 0.2",
                r#"mass = "light""#,
                r#"
  × expected a number, found the text "light"
    ╭─[scene.toml:10:8]
  9 │ grid = [5, 4]
 10 │ mass = "light"
    ·        ───┬───
    ·           ╰── here
    ╰────"#,
            ),
            (
                "mass = 0.2",
                "mass = 0",
                r#"
  × mass must be more than 0, not 0
    ╭─[scene.toml:10:8]
  9 │ grid = [5, 4]
 10 │ mass = 0
    ·        ┬
    ·        ╰── here
    ╰────"#,
            ),
            (
                r#"mass = 0.2
"#,
                "",
                r#"
  × missing key `mass`
   ╭─[scene.toml:4:1]
 3 │
 4 │ [passive.thing]
   · ───────┬───────
   ·        ╰── in this table
 5 │ kind = "cloth"
   ╰────"#,
            ),
            (
                "grid = [5, 4]",
                "grid = [5, 1]",
                r#"
  × a grid has 2 or more particles each way and 20000 at most in all
    ╭─[scene.toml:9:8]
  8 │ down = [0, 1, 0]
  9 │ grid = [5, 1]
    ·        ───┬──
    ·           ╰── here
 10 │ mass = 0.2
    ╰────"#,
            ),
            (
                "grid = [5, 4]",
                "grid = [200, 200]",
                r#"
  × a grid has 2 or more particles each way and 20000 at most in all
    ╭─[scene.toml:9:8]
  8 │ down = [0, 1, 0]
  9 │ grid = [200, 200]
    ·        ─────┬────
    ·             ╰── here
 10 │ mass = 0.2
    ╰────"#,
            ),
            (
                "grid = [5, 4]",
                "grid = [5.5, 4]",
                r#"
  × expected a whole number, found the number 5.5
    ╭─[scene.toml:9:9]
  8 │ down = [0, 1, 0]
  9 │ grid = [5.5, 4]
    ·         ─┬─
    ·          ╰── here
 10 │ mass = 0.2
    ╰────"#,
            ),
            (
                "across = [1, 0, 0]",
                "across = [0, 0, 0]",
                r#"
  × across must be finite and not zero
   ╭─[scene.toml:7:10]
 6 │ corner = [0, 0, 2]
 7 │ across = [0, 0, 0]
   ·          ────┬────
   ·              ╰── here
 8 │ down = [0, 1, 0]
   ╰────"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
pins = [[0, 0], [4, 0]]"#,
                r#"
  × there is no particle at row 4, column 0 of 4 × 5
    ╭─[scene.toml:11:8]
 10 │ mass = 0.2
 11 │ pins = [[0, 0], [4, 0]]
    ·        ────────┬───────
    ·                ╰── here
    ╰────"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
fixed = ["top_row"]"#,
                r#"
  × `top_row` is not one of the choices here
    ╭─[scene.toml:11:10]
 10 │ mass = 0.2
 11 │ fixed = ["top_row"]
    ·          ────┬────
    ·              ╰── here
    ╰────
  help: known: first_row, last_row, first_column, last_column"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
shear_angle = 4"#,
                r#"
  × shear_angle must be from 0 to 3, not 4
    ╭─[scene.toml:11:15]
 10 │ mass = 0.2
 11 │ shear_angle = 4
    ·               ┬
    ·               ╰── here
    ╰────"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
bend = false
bend_angle = 0.5"#,
                r#"
  × bend_angle has no effect with bend = false
    ╭─[scene.toml:12:14]
 11 │ bend = false
 12 │ bend_angle = 0.5
    ·              ─┬─
    ·               ╰── here
    ╰────"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
relax = { pases = 3 }"#,
                r#"
  × unknown key `pases`
    ╭─[scene.toml:11:11]
 10 │ mass = 0.2
 11 │ relax = { pases = 3 }
    ·           ──┬──
    ·             ╰── here
    ╰────
  help: did you mean `passes`?"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
relax = { passes = 0 }"#,
                r#"
  × passes must be from 1 to 10000, not 0
    ╭─[scene.toml:11:20]
 10 │ mass = 0.2
 11 │ relax = { passes = 0 }
    ·                    ┬
    ·                    ╰── here
    ╰────"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
relax = { velocity_retention = 1.5 }"#,
                r#"
  × velocity_retention must be from 0 to 1, not 1.5
    ╭─[scene.toml:11:32]
 10 │ mass = 0.2
 11 │ relax = { velocity_retention = 1.5 }
    ·                                ─┬─
    ·                                 ╰── here
    ╰────"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
wind = { gust = 0.5 }"#,
                r#"
  × missing key `velocity`
    ╭─[scene.toml:11:8]
 10 │ mass = 0.2
 11 │ wind = { gust = 0.5 }
    ·        ───────┬──────
    ·               ╰── in this table
    ╰────"#,
            ),
            (
                "mass = 0.2",
                r#"mass = 0.2
wind = { velocity = [1, 0, 0], period = 0 }"#,
                r#"
  × period must be more than 0, not 0
    ╭─[scene.toml:11:41]
 10 │ mass = 0.2
 11 │ wind = { velocity = [1, 0, 0], period = 0 }
    ·                                         ┬
    ·                                         ╰── here
    ╰────"#,
            ),
        ],
    );
}
