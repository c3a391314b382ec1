//! Grid lines over a rectangle, and heights at their crossings.

/// Largest number of lines along an axis: the grid is written into every trace.
pub(super) const MOST_LINES: usize = 500;

/// Heights, m, at the crossings of lines of x and y, m, row by row, those of the first y first.
#[derive(Clone, Debug)]
pub(super) struct HeightGrid {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub heights: Vec<f64>,
}

impl HeightGrid {
    /// A grid with a height for each crossing, in order.
    pub(super) fn of(x: Vec<f64>, y: Vec<f64>, mut height: impl FnMut(f64, f64) -> f64) -> Self {
        let heights =
            y.iter().flat_map(|y| x.iter().map(move |x| (*x, *y))).map(|(x, y)| height(x, y)).collect();
        HeightGrid { x, y, heights }
    }
}

/// Number of cells along a side of `length`, m, each at most `spacing` long, m.
pub(super) fn cells(length: f64, spacing: f64) -> usize {
    // Round-off may put the quotient just above a whole number.
    ((length / spacing - 1e-9).ceil() as usize).max(1)
}

/// `count` + 1 equidistant lines from `low` to `high`.
pub(super) fn lines(low: f64, high: f64, count: usize) -> Vec<f64> {
    (0..=count).map(|line| low + (high - low) * line as f64 / count as f64).collect()
}
