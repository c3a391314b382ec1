//! Random problems, reproducible by seed.

use super::{add_equality, add_row};
use aplomb::qp::Qp;

/// The SplitMix64 generator.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer from `low` to `high`.
    pub fn whole(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    pub fn chance(&mut self, percent: i64) -> bool {
        self.whole(0, 99) < percent
    }

    /// A uniform number in −1..1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A strictly convex problem with small integers, made to be degenerate: rows that are repeated, scaled and added,
/// ends that coincide, bounds that coincide with rows; it may be infeasible.
pub fn degenerate(random: &mut Random) -> Qp {
    let n = random.whole(1, 9) as usize;
    let mut qp = convex(random, n, n, true);
    let vector = |random: &mut Random| -> Vec<f64> { (0..n).map(|_| random.whole(-2, 2) as f64).collect() };
    for _ in 0..random.whole(0, 3) {
        let row = vector(random);
        add_equality(&mut qp, &row, random.whole(-2, 2) as f64);
        if random.chance(30) {
            let again: Vec<f64> = row.iter().map(|a| -2.0 * a).collect();
            let value = -2.0 * qp.equality_value[qp.equality.rows() - 1];
            add_equality(&mut qp, &again, if random.chance(90) { value } else { value + 1.0 });
        }
    }
    for _ in 0..random.whole(0, 8) {
        let row = match random.whole(0, 9) {
            0 | 1 if qp.rows.rows() > 0 => {
                let k = random.whole(0, qp.rows.rows() as i64 - 1) as usize;
                let factor = [-1.0, 1.0, 2.0][random.whole(0, 2) as usize];
                qp.rows.row(k).iter().map(|a| factor * a).collect()
            }
            2 if qp.rows.rows() > 1 => {
                qp.rows.row(0).iter().zip(qp.rows.row(1)).map(|(a, b)| a + b).collect()
            }
            3 if qp.equality.rows() > 0 => qp.equality.row(0).to_vec(),
            4 => {
                let j = random.whole(0, n as i64 - 1) as usize;
                (0..n).map(|k| f64::from(u8::from(k == j))).collect()
            }
            _ => vector(random),
        };
        let (lower, upper) = limits(random);
        add_row(&mut qp, &row, lower, upper);
    }
    for j in 0..n {
        if random.chance(60) {
            (qp.lower[j], qp.upper[j]) = limits(random);
        }
    }
    qp
}

/// P = BᵀB (+ 1 where `strictly`) for B of `rank` rows, and g.
pub fn convex(random: &mut Random, n: usize, rank: usize, strictly: bool) -> Qp {
    let mut qp = Qp::default();
    qp.reset(n);
    for _ in 0..rank {
        let b: Vec<f64> = (0..n).map(|_| random.whole(-2, 2) as f64).collect();
        for i in 0..n {
            for j in 0..n {
                qp.hessian.row_mut(i)[j] += b[i] * b[j];
            }
        }
    }
    for j in 0..n {
        if strictly {
            qp.hessian.row_mut(j)[j] += 1.0;
        }
        qp.gradient[j] = random.whole(-5, 5) as f64;
    }
    qp
}

fn limits(random: &mut Random) -> (f64, f64) {
    let low = random.whole(-3, 2) as f64;
    match random.whole(0, 9) {
        0..=3 => (low, f64::INFINITY),
        4..=5 => (f64::NEG_INFINITY, low + 1.0),
        6 => (low, low),
        _ => (low, low + random.whole(1, 3) as f64),
    }
}
