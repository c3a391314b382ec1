//! The same motion at any time step.

use crate::run::Run;

/// Time steps, s.
const STEPS: [f64; 3] = [0.01, 0.005, 0.002];

/// The smallest and the largest value.
fn range(values: [f64; 3]) -> [f64; 2] {
    [values.into_iter().fold(f64::INFINITY, f64::min), values.into_iter().fold(f64::NEG_INFINITY, f64::max)]
}

#[test]
fn torques_change_as_fast_at_any_time_step() {
    // Torque change outweighs the goal, an acceleration or a rate, so that the arm takes a long time to arrive.
    for (controller, weight) in [("by_acceleration", 10.0), ("by_rate", 0.1)] {
        let turned = STEPS.map(|dt| {
            let sets = [
                format!("dt={dt}"),
                format!("torque_change_weight={weight}"),
                format!("characters.arm.controller=\"tests/data/turn/{controller}.toml\""),
            ];
            let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
            let run = Run::of("tests/data/turn/turn_scene.toml", &sets);
            run.frames.last().unwrap().q[0]
        });
        let [low, high] = range(turned);
        assert!(low > 0.2 && high - low < 0.04 * low, "{controller}: {turned:?} rad");
    }
}
