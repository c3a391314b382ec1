//! Particles under constraints.

use super::all_said;

const THING: &str = r#"kind = "constrained"
constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
"#;

#[test]
fn mistakes_in_constrained_are_said_where_they_stand() {
    all_said(
        THING,
        &[
            (
                "mass = 1",
                "mass = 1, velocity = [-1, 0, 1]",
                r#"
  × `bead` cannot begin with the given velocity: this constraint forbids it
   ╭─[scene.toml:6:23]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ·                       ────┬───
   ·                           ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1, velocity = [-1, 0, 1] } }
   ╰────
  help: begin with a velocity along which the constraint stays as it is"#,
            ),
            (
                "mass = 1",
                "velocity = [0, 0, 1]",
                r#"
  × a particle without `mass` is fixed, so it cannot have a velocity
   ╭─[scene.toml:7:59]
 6 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
 7 │ particles = { bead = { position = [0.5, 0, 1], velocity = [0, 0, 1] } }
   ·                                                           ────┬────
   ·                                                               ╰── here
   ╰────"#,
            ),
            (
                r#"of = ["bead"]"#,
                r#"of = ["baed"]"#,
                r#"
  × there is no particle `baed`
   ╭─[scene.toml:6:23]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["baed"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ·                       ────┬───
   ·                           ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
   ╰────
  help: did you mean `bead`?"#,
            ),
            (
                r#"of = ["bead"]"#,
                r#"of = ["bead", "bead"]"#,
                r#"
  × this constraint takes one point; only `distance` takes two
   ╭─[scene.toml:6:23]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["bead", "bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ·                       ────────┬───────
   ·                               ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
   ╰────"#,
            ),
            (
                "circle =",
                "cirle =",
                r#"
  × unknown key `cirle`
   ╭─[scene.toml:6:33]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["bead"], cirle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ·                                 ──┬──
   ·                                   ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
   ╰────
  help: did you mean `circle`?"#,
            ),
            (
                "circle = {",
                "pin = [0, 0, 0], circle = {",
                r#"
  × needs exactly one of `distance`, `pin`, `circle`, `wire`, `loop_wire`, `sphere`, `plane`
   ╭─[scene.toml:6:23]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["bead"], pin = [0, 0, 0], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ·                       ────┬───
   ·                           ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
   ╰────"#,
            ),
            (
                "normal = [0, 1, 0], radius = 0.5",
                "normal = [0, 0, 0], radius = 0.5",
                r#"
  × normal must be finite and not zero
   ╭─[scene.toml:6:73]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 0, 0], radius = 0.5 } }]
   ·                                                                         ────┬────
   ·                                                                             ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
   ╰────"#,
            ),
            (
                "circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 }",
                "wire = [[0, 0, 1]]",
                r#"
  × a wire needs at least 2 points, not 1
   ╭─[scene.toml:6:40]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["bead"], wire = [[0, 0, 1]] }]
   ·                                        ─────┬─────
   ·                                             ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
   ╰────"#,
            ),
            (
                "circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 }",
                "wire = [[0, 0, 1], [0, 0, 1]]",
                r#"
  × points 0 and the next of the wire coincide, or are not finite
   ╭─[scene.toml:6:40]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["bead"], wire = [[0, 0, 1], [0, 0, 1]] }]
   ·                                        ───────────┬──────────
   ·                                                   ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
   ╰────"#,
            ),
            (
                "circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 }",
                "loop_wire = [[0, 0, 1], [1, 0, 1]]",
                r#"
  × a wire needs at least 3 points, not 2
   ╭─[scene.toml:6:45]
 5 │ kind = "constrained"
 6 │ constraints = [{ of = ["bead"], loop_wire = [[0, 0, 1], [1, 0, 1]] }]
   ·                                             ───────────┬──────────
   ·                                                        ╰── here
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 1 } }
   ╰────"#,
            ),
            (
                "mass = 1 }",
                "mass = 0 }",
                r#"
  × mass must be more than 0, not 0
   ╭─[scene.toml:7:55]
 6 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
 7 │ particles = { bead = { position = [0.5, 0, 1], mass = 0 } }
   ·                                                       ┬
   ·                                                       ╰── here
   ╰────"#,
            ),
            (
                "constraints =",
                r#"stepper = "runge_kuta4"
constraints ="#,
                r#"
  × `runge_kuta4` is not one of the choices here
   ╭─[scene.toml:6:11]
 5 │ kind = "constrained"
 6 │ stepper = "runge_kuta4"
   ·           ──────┬──────
   ·                 ╰── here
 7 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ╰────
  help: did you mean `runge_kutta4`?"#,
            ),
            (
                "constraints =",
                r#"springs = [{ of = ["bead"], rest = 1, stiffness = 1 }]
constraints ="#,
                r#"
  × a spring is between two points
   ╭─[scene.toml:6:19]
 5 │ kind = "constrained"
 6 │ springs = [{ of = ["bead"], rest = 1, stiffness = 1 }]
   ·                   ────┬───
   ·                       ╰── here
 7 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ╰────"#,
            ),
            (
                "constraints =",
                r#"springs = [{ of = ["bead", "hook"], rest = 1, stiffness = 1 }]
constraints ="#,
                r#"
  × there is no particle `hook`
   ╭─[scene.toml:6:19]
 5 │ kind = "constrained"
 6 │ springs = [{ of = ["bead", "hook"], rest = 1, stiffness = 1 }]
   ·                   ────────┬───────
   ·                           ╰── here
 7 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ╰────
  help: known: bead"#,
            ),
            (
                "constraints =",
                r#"pendulums = { two = { pivot = [0, 0, 2], across = [1, 0, 0], lengths = [1, 1], masses = [1], angles = [0, 0] } }
constraints ="#,
                r#"
  × 2 lengths need as many masses and angles
   ╭─[scene.toml:6:72]
 5 │ kind = "constrained"
 6 │ pendulums = { two = { pivot = [0, 0, 2], across = [1, 0, 0], lengths = [1, 1], masses = [1], angles = [0, 0] } }
   ·                                                                        ───┬──
   ·                                                                           ╰── here
 7 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ╰────"#,
            ),
            (
                "constraints =",
                r#"pendulums = { one = { pivot = [0, 0, 2], across = [1, 0, 1], lengths = [1], masses = [1], angles = [0] } }
constraints ="#,
                r#"
  × across must be horizontal
   ╭─[scene.toml:6:51]
 5 │ kind = "constrained"
 6 │ pendulums = { one = { pivot = [0, 0, 2], across = [1, 0, 1], lengths = [1], masses = [1], angles = [0] } }
   ·                                                   ────┬────
   ·                                                       ╰── here
 7 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ╰────"#,
            ),
            (
                "constraints =",
                r#"feedback_damping = -1
constraints ="#,
                r#"
  × feedback_damping must be 0 or more, not -1
   ╭─[scene.toml:6:20]
 5 │ kind = "constrained"
 6 │ feedback_damping = -1
   ·                    ─┬
   ·                     ╰── here
 7 │ constraints = [{ of = ["bead"], circle = { center = [0, 0, 1], normal = [0, 1, 0], radius = 0.5 } }]
   ╰────"#,
            ),
        ],
    );
}
