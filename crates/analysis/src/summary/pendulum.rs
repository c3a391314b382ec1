//! The largest push that the linear inverted pendulum survives without a step.
//!
//! A short push changes the COM's velocity by j/m and so moves the capture point ξ by j/(m ω₀); the pendulum remains
//! upright as long as the capture point is over the feet, so j ≤ m ω₀ d (Koolen et al. 2012, zero-step
//! capturability). During a longer push of the constant force F, with the centre of pressure at the edge,
//! ξ̇ = ω₀ (ξ − d) + F/(m ω₀): the capture point is still over the feet after the time T if
//! F ≤ m ω₀² d / (1 − e^(−ω₀ T)). For any T, a force of up to m ω₀² d moves nothing.

use aplomb_math::elementary;
use nalgebra::Vector2;

/// Distance from `point` to the edge of the convex polygon `corners` (counter-clockwise) along `direction`
/// (unit), m. `None` if the point is outside, or the polygon has no area.
pub(super) fn distance_to_edge(
    corners: &[[f64; 2]],
    point: Vector2<f64>,
    direction: Vector2<f64>,
) -> Option<f64> {
    if corners.len() < 3 {
        return None;
    }
    let mut nearest: Option<f64> = None;
    for (k, corner) in corners.iter().enumerate() {
        let a = Vector2::from(*corner);
        let edge = Vector2::from(corners[(k + 1) % corners.len()]) - a;
        let outward = Vector2::new(edge.y, -edge.x);
        let inside = outward.dot(&(a - point));
        if inside < 0.0 {
            return None;
        }
        let approach = outward.dot(&direction);
        if approach > 0.0 {
            let distance = inside / approach;
            nearest = Some(nearest.map_or(distance, |least| least.min(distance)));
        }
    }
    nearest
}

/// Largest survivable impulse m ω₀ d · ω₀ T / (1 − e^(−ω₀ T)) of a push that lasts T = `duration`, s, with ω₀ = √(g/h),
/// N s.
pub(super) fn bound(mass: f64, gravity: f64, height: f64, distance: f64, duration: f64) -> f64 {
    let frequency = (gravity / height).sqrt();
    let turn = frequency * duration;
    let longer = if turn > 1e-9 { turn / (1.0 - elementary::exp(-turn)) } else { 1.0 };
    mass * frequency * distance * longer
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[-0.1, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.1, 0.2]];

    #[test]
    fn the_distance_is_measured_along_the_push() {
        let at = |x, y| distance_to_edge(&SQUARE, Vector2::zeros(), Vector2::new(x, y).normalize());
        assert!((at(1.0, 0.0).unwrap() - 0.3).abs() < 1e-15);
        assert!((at(-1.0, 0.0).unwrap() - 0.1).abs() < 1e-15);
        assert!((at(1.0, 1.0).unwrap() - 0.2 * 2f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn outside_the_support_there_is_no_bound() {
        assert_eq!(distance_to_edge(&SQUARE, Vector2::new(0.4, 0.0), Vector2::x()), None);
        assert_eq!(distance_to_edge(&SQUARE[..2], Vector2::zeros(), Vector2::x()), None);
    }

    #[test]
    fn a_62_kg_adult_bears_about_twenty_newton_seconds_over_ten_centimetres() {
        assert!((bound(62.0, 9.81, 0.93, 0.1, 0.0) - 20.137).abs() < 1e-3);
    }

    #[test]
    fn after_the_largest_push_of_any_length_the_capture_point_is_at_the_edge() {
        let (mass, gravity, height, distance): (f64, f64, f64, f64) = (62.0, 9.81, 0.93, 0.1);
        let frequency = (gravity / height).sqrt();
        for duration in [0.15, 0.5, 1.5] {
            let force = bound(mass, gravity, height, distance, duration) / duration;
            let mut capture_point = 0.0;
            let steps = 100_000;
            for _ in 0..steps {
                let rate = frequency * (capture_point - distance) + force / (mass * frequency);
                capture_point += rate * duration / f64::from(steps);
            }
            assert!((capture_point - distance).abs() < 1e-4, "{duration} s: {capture_point} m");
        }
        let long = bound(mass, gravity, height, distance, 60.0) / 60.0;
        assert!(
            (long - mass * gravity / height * distance).abs() < 1e-9,
            "what a leaning body holds for ever"
        );
    }
}
