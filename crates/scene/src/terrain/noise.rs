//! Random ground: numbers at the corners of a lattice, determined only by the seed and the position, with smooth
//! hills or square steps between them. The ground is the same on every machine, and larger rectangles have the same
//! ground where they overlap.

use super::grid::{HeightGrid, cells, lines};
use super::spec::RandomSpec;

/// Grid lines per cell of hills.
const FINE: f64 = 4.0;
/// Half-width of the sides of steps, m.
const SIDE: f64 = 5e-4;

/// The heights of random ground.
pub(super) fn heights(spec: &RandomSpec) -> HeightGrid {
    let (seed, amplitude, cell) = (*spec.seed.get_ref(), *spec.amplitude.get_ref(), *spec.cell.get_ref());
    let [low, high] = [&spec.low, &spec.high].map(|corner| *corner.get_ref());
    if spec.steps {
        let along = |axis: usize| sides(low[axis], high[axis], cell);
        let tile = |at: f64| (at / cell).floor() as i64;
        return HeightGrid::of(along(0), along(1), |x, y| {
            amplitude * (1.0 + lattice(seed, tile(x), tile(y)))
        });
    }
    let border = spec.border.as_ref().map_or(cell, |border| *border.get_ref());
    let along = |axis: usize| lines(low[axis], high[axis], cells(high[axis] - low[axis], cell / FINE));
    HeightGrid::of(along(0), along(1), |x, y| {
        let inside = (x - low[0]).min(high[0] - x).min(y - low[1]).min(high[1] - y);
        let share = if border > 0.0 { smooth((inside / border).clamp(0.0, 1.0)) } else { 1.0 };
        share * amplitude * (1.0 + hills(seed, x / cell, y / cell))
    })
}

/// Lines on both sides of the border between two tiles whose sides are multiples of `cell` from the origin.
fn sides(low: f64, high: f64, cell: f64) -> Vec<f64> {
    let first = (low / cell).floor() as i64 + 1;
    let borders = (first..).map(|tile| tile as f64 * cell);
    let inner = borders.take_while(|border| *border < high - SIDE).filter(|border| *border > low + SIDE);
    let inner = inner.flat_map(|border| [border - SIDE, border + SIDE]);
    std::iter::once(low).chain(inner).chain([high]).collect()
}

fn smooth(share: f64) -> f64 {
    share * share * share * (share * (6.0 * share - 15.0) + 10.0)
}

/// A smooth value from −1 to 1, with continuous curvature.
fn hills(seed: u64, x: f64, y: f64) -> f64 {
    let (column, row) = (x.floor(), y.floor());
    let (right, up) = (smooth(x - column), smooth(y - row));
    let corner = |dx: i64, dy: i64| lattice(seed, column as i64 + dx, row as i64 + dy);
    let mix = |from: f64, to: f64, share: f64| from + (to - from) * share;
    mix(mix(corner(0, 0), corner(1, 0), right), mix(corner(0, 1), corner(1, 1), right), up)
}

/// A number from −1 to 1: the finaliser of SplitMix64 (Steele, Lea and Flood 2014) applied to seed and lattice
/// position.
fn lattice(seed: u64, column: i64, row: i64) -> f64 {
    let mix = |number: u64| {
        let z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let number = mix(mix(mix(seed) ^ column as u64) ^ row as u64);
    2.0 * ((number >> 11) as f64 / (1u64 << 53) as f64) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_language::Spanned;

    fn spec(seed: u64, steps: bool) -> RandomSpec {
        fn given<T>(value: T) -> Spanned<T> {
            Spanned::new(0..0, value)
        }
        RandomSpec {
            seed: given(seed),
            amplitude: given(0.05),
            cell: given(0.4),
            low: given([1.0, -1.0]),
            high: given([4.0, 1.0]),
            steps,
            border: None,
            friction: None,
        }
    }

    #[test]
    fn hills_rise_from_the_floor_and_stay_within_their_amplitude() {
        let HeightGrid { x, y, heights } = heights(&spec(3, false));
        assert_eq!(heights.len(), x.len() * y.len());
        assert!(heights.iter().all(|height| (0.0..=0.1).contains(height)));
        let range =
            heights.iter().fold((1.0, 0.0), |(low, high): (f64, f64), at| (low.min(*at), high.max(*at)));
        assert!(range.0 == 0.0 && range.1 > 0.07, "{range:?}");
        assert!(heights[..x.len()].iter().all(|height| *height == 0.0), "the border lies on the floor");
    }

    #[test]
    fn another_seed_gives_other_ground_and_the_same_seed_the_same() {
        assert_eq!(heights(&spec(3, false)).heights, heights(&spec(3, false)).heights);
        assert_ne!(heights(&spec(3, false)).heights, heights(&spec(4, false)).heights);
    }

    #[test]
    fn steps_are_level_and_their_sides_are_thin() {
        let HeightGrid { x, heights, .. } = heights(&spec(3, true));
        assert!(x.windows(2).all(|pair| pair[1] > pair[0]));
        // From the low edge to the side of the first tile.
        assert_eq!(heights[0], heights[1]);
        assert!((x[1] - 1.2 + SIDE).abs() < 1e-12 && (x[2] - 1.2 - SIDE).abs() < 1e-12, "{x:?}");
        assert_ne!(heights[1], heights[2]);
    }
}
