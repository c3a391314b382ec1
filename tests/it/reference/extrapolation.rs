//! Gragg's modified midpoint rule with Richardson extrapolation (Bulirsch and Stoer 1966): a short integrator of high
//! order.

/// Numbers of substeps; the order is twice their count.
const SUBSTEPS: [u32; 7] = [2, 4, 6, 8, 10, 12, 14];

/// One step of length `dt` of y' = f(y).
pub fn step(y: &[f64], dt: f64, rate: &mut impl FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let start_rate = rate(y);
    // Row of the extrapolation table for the last number of substeps.
    let mut row: Vec<Vec<f64>> = Vec::new();
    for (j, &count) in SUBSTEPS.iter().enumerate() {
        let mut next = vec![midpoint(y, &start_rate, dt, count, rate)];
        for k in 1..=j {
            let ratio = f64::from(count) / f64::from(SUBSTEPS[j - k]);
            let factor = 1.0 / (ratio * ratio - 1.0);
            next.push(add(&next[k - 1], &sub(&next[k - 1], &row[k - 1]), factor));
        }
        row = next;
    }
    row.pop().unwrap_or_default()
}

fn midpoint(
    y: &[f64],
    start_rate: &[f64],
    dt: f64,
    count: u32,
    rate: &mut impl FnMut(&[f64]) -> Vec<f64>,
) -> Vec<f64> {
    let h = dt / f64::from(count);
    let mut before = y.to_vec();
    let mut now = add(y, start_rate, h);
    for _ in 1..count {
        let next = add(&before, &rate(&now), 2.0 * h);
        before = std::mem::replace(&mut now, next);
    }
    let ahead = add(&before, &rate(&now), h);
    now.iter().zip(&ahead).map(|(a, b)| 0.5 * (a + b)).collect()
}

fn add(a: &[f64], b: &[f64], scale: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + scale * b).collect()
}

fn sub(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

#[test]
fn a_step_of_an_oscillator_is_exact_to_rounding() {
    let mut rate = |y: &[f64]| vec![y[1], -y[0]];
    let mut y = vec![1.0, 0.0];
    for _ in 0..10 {
        y = step(&y, 0.3, &mut rate);
    }
    assert!((y[0] - 3f64.cos()).abs() < 1e-13 && (y[1] + 3f64.sin()).abs() < 1e-13);
}
