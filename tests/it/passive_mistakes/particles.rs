//! Plants, boxes and figures of particles.

use super::all_said;

const THING: &str = r#"kind = "particles"
boxes = [{ position = [0, 0, 1], half_lengths = [0.1, 0.1, 0.1], mass = 2 }]
"#;

#[test]
fn mistakes_in_particles_are_said_where_they_stand() {
    all_said(
        THING,
        &[
            (
                "mass = 2",
                "mass = -2",
                r#"
  × mass must be more than 0, not -2
   ╭─[scene.toml:6:73]
 5 │ kind = "particles"
 6 │ boxes = [{ position = [0, 0, 1], half_lengths = [0.1, 0.1, 0.1], mass = -2 }]
   ·                                                                         ─┬
   ·                                                                          ╰── here
   ╰────"#,
            ),
            (
                "half_lengths",
                "half_length",
                r#"
  × unknown key `half_length`
   ╭─[scene.toml:6:34]
 5 │ kind = "particles"
 6 │ boxes = [{ position = [0, 0, 1], half_length = [0.1, 0.1, 0.1], mass = 2 }]
   ·                                  ─────┬─────
   ·                                       ╰── here
   ╰────
  help: did you mean `half_lengths`?"#,
            ),
            (
                "[0.1, 0.1, 0.1]",
                "[0.1, 0, 0.1]",
                r#"
  × half_lengths must be more than 0
   ╭─[scene.toml:6:49]
 5 │ kind = "particles"
 6 │ boxes = [{ position = [0, 0, 1], half_lengths = [0.1, 0, 0.1], mass = 2 }]
   ·                                                 ──────┬──────
   ·                                                       ╰── here
   ╰────"#,
            ),
            (
                r#"boxes = [{ position = [0, 0, 1], half_lengths = [0.1, 0.1, 0.1], mass = 2 }]
"#,
                "",
                r#"
  × a passive object of particles needs `plants`, `boxes`, `figures` or `points`
   ╭─[scene.toml:4:10]
 3 │
 4 │ [passive.thing]
   ·          ──┬──
   ·            ╰── here
 5 │ kind = "particles"
   ╰────"#,
            ),
            (
                "boxes =",
                r#"plants = [{ foot = [0, 0, 0], height = 1, radius = 0.1, rings = 0, mass = 1 }]
boxes ="#,
                r#"
  × rings must be from 1 to 1000, not 0
   ╭─[scene.toml:6:65]
 5 │ kind = "particles"
 6 │ plants = [{ foot = [0, 0, 0], height = 1, radius = 0.1, rings = 0, mass = 1 }]
   ·                                                                 ┬
   ·                                                                 ╰── here
 7 │ boxes = [{ position = [0, 0, 1], half_lengths = [0.1, 0.1, 0.1], mass = 2 }]
   ╰────"#,
            ),
            (
                "boxes =",
                r#"figures = [{ feet = [0, 0, 0], height = 0, mass = 60 }]
boxes ="#,
                r#"
  × height must be more than 0, not 0
   ╭─[scene.toml:6:41]
 5 │ kind = "particles"
 6 │ figures = [{ feet = [0, 0, 0], height = 0, mass = 60 }]
   ·                                         ┬
   ·                                         ╰── here
 7 │ boxes = [{ position = [0, 0, 1], half_lengths = [0.1, 0.1, 0.1], mass = 2 }]
   ╰────"#,
            ),
        ],
    );
}
