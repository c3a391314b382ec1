//! Rates, tests and draws against known values.

use super::compare::sign_test;
use super::draw::draw;
use super::*;
use aplomb_language::diagnostic::Source;
use aplomb_scene::trials::{SceneValue, TrialsSpec};

#[test]
fn the_interval_is_that_of_wilson() {
    // According to R's `prop.test(…, correct = FALSE)`.
    let known = [
        (0, 10, 0.0, 0.277_533),
        (8, 10, 0.490_162, 0.943_318),
        (10, 10, 0.722_467, 1.0),
        (180, 200, 0.850_638, 0.934_333),
        (200, 200, 0.981_154, 1.0),
    ];
    for (passed, trials, low, high) in known {
        let rate = Rate::of(passed, trials);
        assert!((rate.low - low).abs() < 2e-4 && (rate.high - high).abs() < 2e-4, "{rate:?}");
    }
    assert_eq!(Rate::of(0, 0), Rate { passed: 0, trials: 0, rate: 0.0, low: 0.0, high: 1.0 });
    assert_eq!(Rate::of(180, 200).against(0.95), RateVerdict::Missed);
    assert_eq!(Rate::of(180, 200).against(0.9), RateVerdict::Open);
    assert_eq!(Rate::of(180, 200).against(0.85), RateVerdict::Shown);
}

#[test]
fn the_sign_test_is_exact() {
    for (one, other, chance) in [(0, 0, 1.0), (5, 0, 0.0625), (0, 10, 2.0 / 1024.0), (1, 8, 20.0 / 512.0)] {
        assert!((sign_test(one, other) - chance).abs() < 1e-12, "{one} {other}");
    }
}

fn spec(draws: &str) -> TrialsSpec {
    let text = format!(
        "duration = 1.0\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n[events.push]\nat = 0.1\n\
         duration = 0.1\nbody = \"chest\"\nimpulse = [20, 0, 0]\n[trials.draw]\n{draws}"
    );
    let files = aplomb_scene::load_text(&Source::new("scene.toml", text)).unwrap();
    files.scene.trials.unwrap()
}

#[test]
fn a_draw_and_a_trial_more_leave_the_others_as_they_are() {
    let one = "\"ground.friction\" = { uniform = [0.2, 1] }\n";
    let two = format!("\"duration\" = {{ normal = {{ mean = 2, deviation = 1, low = 1 }} }}\n{one}");
    for trial in 0..20 {
        let both = draw(&spec(&two), 7, trial);
        assert_eq!(draw(&spec(one), 7, trial)[0], both[1]);
        assert_ne!(draw(&spec(one), 8, trial)[0], both[1]);
        let third = format!("{two}\"events.push.at\" = {{ same_as = \"ground.friction\" }}\n");
        let third = draw(&self::spec(&third), 7, trial);
        assert_eq!((&third[1], &third[2]), (&both[1], &both[1]));
        assert!(matches!(both[0], SceneValue::Number(duration) if duration >= 1.0));
    }
}

#[test]
fn draws_are_where_they_are_said_to_be() {
    let spec = spec(
        "\"events.push.impulse\" = { direction = { length = 30, bearing = [0, 1.5] } }\n\
         \"characters.a.velocity\" = { direction = { over = \"sphere\", length = { log_uniform = [0.1, 1] } } }\n\
         friction_directions = { choice = [4, 8] }\n",
    );
    let (mut up, mut four) = (0, 0);
    for trial in 0..400 {
        let [SceneValue::Vector(push), SceneValue::Vector(velocity), SceneValue::Integer(edges)] =
            &draw(&spec, 1, trial)[..]
        else {
            panic!("other kinds")
        };
        assert!((push[0].hypot(push[1]) - 30.0).abs() < 1e-3 && push[0] > 0.0 && push[1] >= 0.0);
        let speed = velocity.iter().map(|part| part * part).sum::<f64>().sqrt();
        assert!((0.0999..1.0001).contains(&speed));
        up += usize::from(velocity[2] > 0.0);
        four += usize::from(*edges == 4);
    }
    assert!((150..250).contains(&up) && (150..250).contains(&four), "{up} {four}");
}

fn trial(number: usize, value: f64, outcome: TrialOutcome) -> Trial {
    Trial {
        trial: number,
        values: vec![format!("{value:?}"), "1.0".into()],
        outcome,
        held: vec![outcome == TrialOutcome::Pass],
        failed_criteria: Vec::new(),
        margin: None,
        broken_at: None,
        simulated_time: 1.0,
        reason: String::new(),
    }
}

#[test]
fn what_failures_have_in_common_is_a_split_and_chance_is_none() {
    let trials: Vec<Trial> = (0..100)
        .map(|number| {
            let fails = number > 80 && number != 90;
            trial(number, number as f64, if fails { TrialOutcome::Fail } else { TrialOutcome::Pass })
        })
        .collect();
    let common = in_common(&["push", "other"], &["upright".into()], &trials);
    assert_eq!(common.len(), 1, "{common:?}");
    assert_eq!(common[0].what, "push > 80.5");
    assert_eq!((common[0].failures, common[0].of_failures), (18, 18));
    assert_eq!((common[0].passes, common[0].of_passes), (1, 82));
    assert!(common[0].chance < 1e-10);
    let even: Vec<Trial> = (0..100)
        .map(|number| {
            trial(number, (number * 37 % 100) as f64, [TrialOutcome::Pass, TrialOutcome::Fail][number % 2])
        })
        .collect();
    let by_chance = in_common(&["push", "other"], &["upright".into()], &even[..20]);
    assert!(by_chance.is_empty(), "{by_chance:?}");
}
