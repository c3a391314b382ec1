//! Evaluation of a map of pushes: the survived impulse in each direction, and one number for all of them.

use super::Row;
use serde::Serialize;
use std::f64::consts::TAU;

/// One direction of the map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Direction {
    /// Direction of the push: 0 along the world's x, counter-clockwise from above, degrees.
    pub direction: f64,
    /// Largest impulse that is survived together with all smaller ones of the map, N s; `None` if the
    /// smallest is not survived.
    pub limit: Option<f64>,
    /// Whether `limit` is the largest impulse of the map, so that the true limit may be larger.
    pub all: bool,
    /// Impulses that are not survived although a larger one is survived, N s.
    pub isolated_failures: Vec<f64>,
    /// Number of steps at `limit`.
    pub steps: Option<u64>,
}

/// An evaluated map of pushes.
#[doc(alias = "robustness map")]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PushMap {
    /// One entry per direction of push.
    pub directions: Vec<Direction>,
    /// ∫ J(θ) dθ, N s rad, where J is the limit of the nearest direction, and 0 if there is none.
    pub area: f64,
    /// `area` divided by 2π: the mean limit, N s.
    pub mean: f64,
    /// Smallest limit of all directions, N s.
    pub least: f64,
}

impl PushMap {
    /// Evaluates `rows`, direction by direction, each with `impulses` impulses in rising order.
    pub fn new(rows: &[Row], impulses: usize) -> Self {
        let directions: Vec<Direction> = rows.chunks(impulses.max(1)).map(direction).collect();
        let limit = |direction: &Direction| direction.limit.unwrap_or(0.0);
        let mean = directions.iter().map(limit).sum::<f64>() / directions.len().max(1) as f64;
        let least = directions.iter().map(limit).fold(f64::INFINITY, f64::min);
        PushMap { area: TAU * mean, mean, least, directions }
    }
}

fn direction(rows: &[Row]) -> Direction {
    let survived = |row: &&Row| row.passed();
    let impulse = |row: &Row| row.values.get(1).copied().unwrap_or_default();
    let passed = rows.iter().take_while(survived).count();
    let last = passed.checked_sub(1).map(|last| &rows[last]);
    let most = rows.iter().rposition(|row| row.passed()).unwrap_or(0);
    Direction {
        direction: rows.first().and_then(|row| row.values.first()).copied().unwrap_or_default(),
        limit: last.map(impulse),
        all: passed == rows.len(),
        isolated_failures: rows[..most].iter().filter(|row| !row.passed()).map(impulse).collect(),
        steps: last.and_then(|row| row.figures.as_ref()).map(|figures| figures.steps),
    }
}
