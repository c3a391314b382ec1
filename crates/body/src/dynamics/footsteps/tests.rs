use super::*;

const RATE: f64 = 3.25;

/// Only the capture point matters: there is no far foothold and no edge of a region.
fn axis(capture: f64, pressure: f64) -> Axis {
    Axis {
        capture,
        pressure,
        swing: 0.0,
        swing_velocity: None,
        support: 0.0,
        sole: [0.0, 0.0],
        region: [-10.0, 10.0],
        is_mirrored: false,
        outward: 0.0,
        acceleration: 1e4,
    }
}

fn footsteps(ahead: Axis, across: Axis) -> Footsteps {
    let prices = Prices { effort: 0.0, offset: 0.0, step: 0.0 };
    Footsteps { axes: [ahead, across], rate: RATE, pause: 0.0, prices }
}

#[test]
fn one_step_lands_on_the_capture_point_of_touchdown() {
    let steps = footsteps(axis(0.3, 0.1), axis(-0.05, 0.02));
    let plan = steps.plan(&[0.25]);
    let growth = (RATE * 0.25f64).exp();
    for (index, [capture, pressure]) in [[0.3, 0.1], [-0.05, 0.02]].into_iter().enumerate() {
        let expected = pressure + (capture - pressure) * growth;
        assert!((plan.captures[0][index] - expected).abs() < 1e-12);
        assert!((plan.footholds[0][index] - expected).abs() < 1e-6, "{:?}", plan.footholds);
    }
    assert!(plan.cost < 1e-9);
}

#[test]
fn capture_points_of_later_touchdowns_are_those_of_the_pendulum() {
    // The first foothold ends at the region's far corner, 0.2, and its sole's edge supports the body until
    // the second touchdown.
    let mut ahead = axis(0.4, 0.1);
    (ahead.region, ahead.sole) = ([-0.2, 0.2], [-0.05, 0.1]);
    let mut steps = footsteps(ahead, axis(0.0, 0.0));
    steps.pause = 0.03;
    let plan = steps.plan(&[0.2, 0.3]);
    let first = 0.1 + 0.3 * (RATE * 0.2f64).exp();
    assert!((plan.captures[0][0] - first).abs() < 1e-12);
    // Bounds are soft: 1 % is far below the accuracy of measurements of a body.
    let edge = plan.footholds[0][0] + 0.1;
    let second = edge + (first - edge) * (RATE * 0.33f64).exp();
    assert!((plan.captures[1][0] - second).abs() < 0.05 * second, "{plan:?} {second}");
    assert!(plan.cost > 0.01, "not captured: {plan:?}");
}

#[test]
fn what_one_step_cannot_reach_two_can() {
    let mut ahead = axis(0.35, 0.1);
    (ahead.region, ahead.sole, ahead.acceleration) = ([-0.6, 0.5], [-0.05, 0.12], 60.0);
    let mut steps = footsteps(ahead, axis(0.0, 0.0));
    steps.prices.step = 1e-4;
    let one = steps.plan(&[0.25]);
    assert!(one.cost > 1e-3, "{one:?}");
    let best = steps.best(&[0.25, 0.3], &[0.2, 0.3]).unwrap();
    assert_eq!(best.steps, 2, "{best:?}");
    // A state that can be captured with one step is captured.
    steps.axes[0].capture = 0.2;
    assert_eq!(steps.best(&[0.25, 0.3], &[0.2, 0.3]).unwrap().steps, 1);
}

#[test]
fn a_foot_gets_as_far_as_its_acceleration_lets_it() {
    let foot = Axis { acceleration: 40.0, ..axis(0.0, 0.0) };
    // From rest to rest, and from a velocity to any other, against small steps of time.
    for (velocity, [middle, width]) in
        [(None, foot.reach(0.2, None)), (Some(1.5), foot.reach(0.2, Some(1.5)))]
    {
        let (mut place, mut speed) = (0.0, velocity.unwrap_or(0.0));
        for tick in 0..200_000 {
            let is_slowed = velocity.is_none() && tick >= 100_000;
            place += speed * 1e-6;
            speed += if is_slowed { -40.0 } else { 40.0 } * 1e-6;
        }
        assert!((middle + width - place).abs() < 1e-4, "{} {place}", middle + width);
    }
}

#[test]
fn legs_do_not_cross() {
    // The body is pushed to the side of the stance foot: the other foot stays on its own side of it.
    let mut across = axis(-0.3, -0.1);
    (across.region, across.is_mirrored, across.swing, across.support) = ([0.13, 0.9], true, 0.2, 0.0);
    let steps = footsteps(axis(0.0, 0.0), across);
    let plan = steps.plan(&[0.2, 0.25]);
    assert!(plan.footholds[0][1] > 0.1, "{plan:?}");
    // and the second step, of the previous stance foot, is outward.
    assert!(plan.footholds[1][1] < plan.footholds[0][1] - 0.13 + 0.03, "{plan:?}");
    assert!(plan.footholds[1][1] < -0.3);
}

#[test]
fn footholds_are_where_the_cost_is_least() {
    let mut ahead = axis(0.5, 0.1);
    (ahead.region, ahead.sole, ahead.acceleration) = ([-0.6, 0.5], [-0.05, 0.12], 60.0);
    let mut steps = footsteps(ahead, axis(0.1, 0.0));
    steps.prices = Prices { effort: 0.01, offset: 0.05, step: 0.0 };
    for capture in [-0.6, -0.2, 0.0, 0.1, 0.3, 0.5, 0.9] {
        steps.axes[0].capture = capture;
        for times in [&[0.2][..], &[0.2, 0.25], &[0.2, 0.3, 0.25], &[0.35, 0.15, 0.3]] {
            let (problem, _, guess) = steps.problem(&steps.axes[0], times);
            let (x, least) = problem.solve(guess);
            // The sum is convex: if no small change of an unknown reduces the cost, no change does.
            for index in 0..SIZE {
                for step in [-1e-4, 1e-4] {
                    let mut other = x;
                    other[index] += step;
                    assert!(problem.cost(&other) > least - 1e-10, "{capture} {times:?}: {index} by {step}");
                }
            }
            // Another initial guess leads to the same minimum.
            let (again, cost) = problem.solve(guess * 0.0 + Unknowns::repeat(1.0));
            assert!((cost - least).abs() < 1e-9, "{least} {cost}");
            assert!((again - x).rows(0, times.len()).norm() < 1e-5, "{x} {again}");
        }
    }
}
