//! How far a point of the ground is inside a support polygon.

/// Distance of `point` from the border of the convex `polygon` (corners counter-clockwise), m: positive
/// inside, negative outside. A polygon of one or two corners has no inside. `None` without corners.
pub fn margin(polygon: &[[f64; 2]], point: [f64; 2]) -> Option<f64> {
    let mut border = f64::INFINITY;
    let mut inside = polygon.len() > 2;
    for (index, &from) in polygon.iter().enumerate() {
        let to = polygon[(index + 1) % polygon.len()];
        let edge = [to[0] - from[0], to[1] - from[1]];
        let arm = [point[0] - from[0], point[1] - from[1]];
        let length_squared = edge[0] * edge[0] + edge[1] * edge[1];
        let along = if length_squared > 0.0 {
            ((arm[0] * edge[0] + arm[1] * edge[1]) / length_squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        border = border.min((arm[0] - along * edge[0]).hypot(arm[1] - along * edge[1]));
        inside &= edge[0] * arm[1] - edge[1] * arm[0] >= 0.0;
    }
    if polygon.is_empty() { None } else { Some(if inside { border } else { -border }) }
}

#[cfg(test)]
mod tests {
    use super::margin;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    #[test]
    fn margin_is_the_distance_to_the_nearest_edge_inside() {
        assert_eq!(margin(&SQUARE, [0.5, 1.0]), Some(0.5));
    }

    #[test]
    fn margin_is_negative_outside_also_beyond_a_corner() {
        assert_eq!(margin(&SQUARE, [3.0, 1.0]), Some(-1.0));
        assert_eq!(margin(&SQUARE, [5.0, 6.0]), Some(-5.0));
    }

    #[test]
    fn a_line_of_support_has_no_inside() {
        assert_eq!(margin(&SQUARE[..2], [1.0, 0.25]), Some(-0.25));
        assert_eq!(margin(&[], [0.0, 0.0]), None);
    }
}
