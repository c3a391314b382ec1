//! The messages about mistakes in a scene's draws.

use aplomb_language::diagnostic::Source;

const SCENE: &str = "duration = 1.0\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
    [events.push]\nat = 0.1\nduration = 0.1\nbody = \"chest\"\nimpulse = [20, 0, 0]\n[trials]\n";

fn said(trials: &str) -> String {
    match crate::load_text(&Source::new("scene.toml", format!("{SCENE}{trials}"))) {
        Ok(_) => String::new(),
        Err(error) => format!("{error:#}"),
    }
}

#[test]
fn draws_of_every_kind_are_read() {
    let draws = [
        "\"events.push.impulse\" = { direction = { length = { uniform = [10, 40] } } }",
        "\"events.push.impulse\" = { direction = { over = \"sphere\", length = 20 } }",
        "\"events.push.impulse.0\" = { normal = { mean = 20, deviation = 4, low = 0 } }",
        "\"ground.friction\" = { log_uniform = [0.1, 1] }",
        "\"ground.friction\" = { log_uniform = [0.1, 1] }\n\"events.push.duration\" = \
         { same_as = \"ground.friction\" }",
        "\"friction_directions\" = { choice = [4, 8] }",
        "\"characters.adult.controller\" = { choice = [\"balance\", \"paper/balance\"] }",
        "'controller.states.balance.objectives.\"com over support\".weight' = { uniform = [100, 300] }",
    ];
    for draw in draws {
        assert_eq!(said(&format!("rate = 0.5\n[trials.draw]\n{draw}")), "", "{draw}");
    }
}

#[test]
fn wrong_draws_are_told_with_their_place_and_what_was_meant() {
    let cases = [
        ("rate = 90", "11:8: `rate` must be 0 to 1, not 90", "`0.9`"),
        ("count = 0", "11:9: `count` must be 1", ""),
        ("sed = 1", "11:1", "`seed`"),
        ("draw.dt = { unifrom = [1, 2] }", "11:", "uniform"),
        ("draw.duration = { uniform = [2, 1] }", "11:29: this range is reversed", "`[1, 2]`"),
        ("draw.duration = { log_uniform = [0, 1] }", "11:33: bounds of `log_uniform`", "`uniform`"),
        ("draw.duration = { choice = [] }", "11:28: the list of choices is empty", ""),
        ("draw.duration = { normal = { mean = 1, deviation = 0 } }", "11:52: `deviation`", ""),
        ("draw.duratoin = { uniform = [1, 2] }", "11:6: `duratoin` cannot be drawn", "`duration`"),
        ("draw.dt = { uniform = [0.01, 2] }", "11:23: `dt` cannot be drawn", ""),
        ("draw.duration = { choice = [1, \"long\"] }", "11:28: `duration` cannot be drawn", ""),
        ("draw.\"events.psuh.impulse\" = { direction = { length = 1 } }", "11:6: `events.psuh", "`push`"),
        ("draw.\"events.push.impulze\" = { direction = { length = 1 } }", "11:6: `events.push", "`impulse`"),
        ("draw.\"events.push.at\" = { direction = { length = 1 } }", "11:6: `events.push.at` cannot", ""),
        ("draw.\"controller.parametres.x\" = { uniform = [1, 2] }", "11:6: `controller.par", "`parameters`"),
        ("draw.\"trials.seed\" = { integer = [1, 2] }", "11:6: a draw cannot change `[trials]` itself", ""),
        (
            "draw.dt = { same_as = \"duratoin\" }\ndraw.duration = { uniform = [1, 2] }",
            "11:23: `duratoin`",
            "`duration`",
        ),
        (
            "draw.\"characters.adult.position.0\" = { uniform = [0, 1] }",
            "11:6: `char",
            "written in the scene",
        ),
        ("draw.\"a b\" = { integer = [1, 2] }", "11:6: `a b` cannot be drawn: this is not a path", ""),
    ];
    for (trials, place, help) in cases {
        let said = said(trials);
        assert!(said.contains(&format!("scene.toml:{place}")) && said.contains(help), "{trials}\n{said}");
    }
}
