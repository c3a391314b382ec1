//! Limits that cannot hold together, found in larger problems that contain them.

use super::generator::{Random, convex};
use super::{add_equality, add_row, solve};
use aplomb::qp::conflict::{Conflict, least_give};
use aplomb::qp::solver::QpError;
use aplomb::qp::{Limit, Qp};

const CASES: u64 = 200;

/// A problem that contains a contradiction, and the limits of the contradiction.
struct Case {
    qp: Qp,
    put: Vec<Limit>,
    about: &'static str,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut random = Random(seed);
        let n = random.whole(6, 24) as usize;
        let mut qp = convex(&mut random, n, n, true);
        let inside: Vec<f64> = (0..n).map(|_| 2.0 * random.unit()).collect();
        let around = |row: &[f64]| -> f64 { row.iter().zip(&inside).map(|(a, x)| a * x).sum() };
        // Limits that hold at one point, with slack.
        for _ in 0..random.whole(0, n as i64 / 3) {
            let row: Vec<f64> = (0..n).map(|_| random.unit()).collect();
            add_equality(&mut qp, &row, around(&row));
        }
        for _ in 0..random.whole(5, 30) {
            let row: Vec<f64> = (0..n).map(|_| if random.chance(50) { random.unit() } else { 0.0 }).collect();
            let room = 0.2 + random.unit().abs();
            let upper = if random.chance(50) { around(&row) + room } else { f64::INFINITY };
            add_row(&mut qp, &row, around(&row) - room, upper);
        }
        for j in (0..n).filter(|_| random.chance(60)).collect::<Vec<_>>() {
            (qp.lower[j], qp.upper[j]) = (inside[j] - 3.0, inside[j] + 3.0);
        }
        let first = random.whole(0, n as i64 - 5) as usize;
        let width = random.whole(2, 5) as usize;
        let few: Vec<usize> = (first..first + width).collect();
        let on = |parts: &[(usize, f64)]| {
            let mut row = vec![0.0; n];
            parts.iter().for_each(|(j, a)| row[*j] += a);
            row
        };
        let gap = 0.05 + random.unit().abs();
        let mut put = Vec::new();
        let about = match seed % 6 {
            0 => {
                // A sum must exceed the upper bounds of its terms.
                let row: Vec<(usize, f64)> = few.iter().map(|j| (*j, 0.5 + random.unit().abs())).collect();
                for (j, _) in &row {
                    qp.upper[*j] = inside[*j] + random.unit();
                    qp.lower[*j] = f64::NEG_INFINITY;
                    put.push(Limit::Upper(*j));
                }
                let most: f64 = row.iter().map(|(j, a)| a * qp.upper[*j]).sum();
                add_row(&mut qp, &on(&row), most + gap, f64::INFINITY);
                put.insert(0, Limit::RowLower(qp.rows.rows() - 1));
                "a sum and the bounds of its terms"
            }
            1 => {
                let row: Vec<f64> = (0..n).map(|_| random.unit()).collect();
                let other: Vec<f64> = row.iter().map(|a| -2.5 * a).collect();
                let value = around(&row);
                add_equality(&mut qp, &row, value);
                add_equality(&mut qp, &other, -2.5 * value + gap);
                let count = qp.equality.rows();
                put.extend([Limit::Equality(count - 2), Limit::Equality(count - 1)]);
                "two equalities"
            }
            2 => {
                // x₁ > x₂ > … > x₁
                for (k, j) in few.iter().enumerate() {
                    let next = few[(k + 1) % few.len()];
                    add_row(&mut qp, &on(&[(*j, 1.0), (next, -1.0)]), gap, f64::INFINITY);
                    put.push(Limit::RowLower(qp.rows.rows() - 1));
                }
                "a circle of differences"
            }
            3 | 4 => {
                // Rows that add up to zero; for some of them the upper end is the limit.
                let mut sum = vec![0.0; n];
                let mut values = 0.0;
                for _ in 0..width {
                    let row: Vec<f64> = (0..n).map(|_| random.unit()).collect();
                    let weight = 0.2 + random.unit().abs();
                    let value = around(&row) + 0.1 * random.unit();
                    row.iter().zip(&mut sum).for_each(|(a, sum)| *sum += weight * a);
                    values += weight * value;
                    if random.chance(50) {
                        let turned: Vec<f64> = row.iter().map(|a| -a).collect();
                        add_row(&mut qp, &turned, f64::NEG_INFINITY, -value);
                        put.push(Limit::RowUpper(qp.rows.rows() - 1));
                    } else {
                        add_row(&mut qp, &row, value, f64::INFINITY);
                        put.push(Limit::RowLower(qp.rows.rows() - 1));
                    }
                }
                let last: Vec<f64> = sum.iter().map(|a| -a).collect();
                if seed % 6 == 3 {
                    add_row(&mut qp, &last, gap - values, f64::INFINITY);
                    put.push(Limit::RowLower(qp.rows.rows() - 1));
                    "rows that add up to nothing"
                } else {
                    add_equality(&mut qp, &last, gap - values);
                    put.insert(0, Limit::Equality(qp.equality.rows() - 1));
                    "an equality and rows"
                }
            }
            _ => {
                // A mean must be below all of its terms.
                let share = 1.0 / few.len() as f64;
                let row: Vec<(usize, f64)> = few.iter().map(|j| (*j, share)).collect();
                for j in &few {
                    qp.lower[*j] = inside[*j] + 0.3 * random.unit();
                    qp.upper[*j] = f64::INFINITY;
                    put.push(Limit::Lower(*j));
                }
                let least: f64 = row.iter().map(|(j, a)| a * qp.lower[*j]).sum();
                add_equality(&mut qp, &on(&row), least - gap);
                put.insert(0, Limit::Equality(qp.equality.rows() - 1));
                "a mean and the bounds of its terms"
            }
        };
        Case { qp, put, about }
    }
}

/// Whether some limits of a problem can hold together, according to Clarabel.
fn can_hold(qp: &Qp, limits: &[Limit]) -> bool {
    let mut part = Qp::default();
    part.reset(qp.size());
    (0..qp.size()).for_each(|j| part.add_regularisation(j, 0.5));
    for limit in limits {
        match *limit {
            Limit::Equality(k) => add_equality(&mut part, qp.equality.row(k), qp.equality_value[k]),
            Limit::RowLower(k) => add_row(&mut part, qp.rows.row(k), qp.rows_lower[k], f64::INFINITY),
            Limit::RowUpper(k) => add_row(&mut part, qp.rows.row(k), f64::NEG_INFINITY, qp.rows_upper[k]),
            Limit::Lower(j) => part.lower[j] = qp.lower[j],
            Limit::Upper(j) => part.upper[j] = qp.upper[j],
        }
    }
    match solve("clarabel", &part) {
        Ok(_) => true,
        Err(QpError::Infeasible { .. }) => false,
        Err(other) => panic!("{other}"),
    }
}

fn is_irreducible(qp: &Qp, limits: &[Limit]) -> bool {
    let without = |left_out: &Limit| -> Vec<Limit> {
        limits.iter().filter(|limit| *limit != left_out).copied().collect()
    };
    !can_hold(qp, limits) && limits.iter().all(|limit| can_hold(qp, &without(limit)))
}

/// The conflict that a solver's certificate proves.
fn found(solver: &str, qp: &Qp) -> Conflict {
    match solve(solver, qp) {
        Err(QpError::Infeasible { certificate }) => Conflict::minimal(qp, &certificate, 60),
        other => panic!("{solver}: {other:?}"),
    }
}

fn share_exact(solver: &str, cases: u64) -> (f64, f64) {
    let (mut same, mut exact) = (0, 0);
    for seed in 0..cases {
        let Case { qp, put, about } = Case::new(seed);
        let conflict = found(solver, &qp);
        let limits: Vec<Limit> = conflict.limits.iter().map(|row| row.limit).collect();
        let is_put = limits.len() == put.len() && put.iter().all(|limit| limits.contains(limit));
        let is_right = is_put || is_irreducible(&qp, &limits);
        same += u32::from(is_put);
        exact += u32::from(is_right);
        if !is_right {
            eprintln!("{solver}, seed {seed}, {about}: {limits:?}, not {put:?}");
        }
    }
    (f64::from(same) / cases as f64, f64::from(exact) / cases as f64)
}

#[test]
fn of_200_contradictions_put_into_larger_problems_at_least_95_percent_are_found_exactly() {
    let (same, exact) = share_exact("active_set", CASES);
    println!("active_set: {:.1} % as put in, {:.1} % irreducible", 100.0 * same, 100.0 * exact);
    assert!(exact >= 0.95, "{exact}");
    assert!(same >= 0.5, "{same}");
}

#[test]
fn a_certificate_with_more_than_the_fewest_limits_is_reduced_to_them() {
    let (same, exact) = share_exact("clarabel", 60);
    println!("clarabel: {:.1} % as put in, {:.1} % irreducible", 100.0 * same, 100.0 * exact);
    assert!(exact >= 0.95, "{exact}");
    // All limits, with weights that carry no information.
    for seed in 0..30 {
        let Case { qp, .. } = Case::new(seed);
        let everything = (0..qp.equality.rows()).map(Limit::Equality);
        let everything = everything.chain((0..qp.rows.rows()).map(Limit::RowLower));
        let everything = everything.chain((0..qp.rows.rows()).map(Limit::RowUpper));
        let everything = everything.chain((0..qp.size()).flat_map(|j| [Limit::Lower(j), Limit::Upper(j)]));
        let finite = everything.filter(|limit| match *limit {
            Limit::RowLower(k) => qp.rows_lower[k].is_finite(),
            Limit::RowUpper(k) => qp.rows_upper[k].is_finite(),
            Limit::Lower(j) => qp.lower[j].is_finite(),
            Limit::Upper(j) => qp.upper[j].is_finite(),
            Limit::Equality(_) => true,
        });
        let all: Vec<(Limit, f64)> = finite.map(|limit| (limit, 1.0)).collect();
        let conflict = Conflict::minimal(&qp, &all, 200);
        let limits: Vec<Limit> = conflict.limits.iter().map(|row| row.limit).collect();
        assert!(conflict.is_minimal && is_irreducible(&qp, &limits), "seed {seed}: {limits:?}");
    }
}

#[test]
fn the_same_contradiction_gives_the_same_rows_in_the_order_of_the_problem() {
    for seed in 0..30 {
        let Case { qp, .. } = Case::new(seed);
        let conflict = found("active_set", &qp);
        assert_eq!(conflict, found("active_set", &qp));
        let Err(QpError::Infeasible { mut certificate }) = solve("active_set", &qp) else { panic!() };
        certificate.reverse();
        assert_eq!(conflict, Conflict::minimal(&qp, &certificate, 60), "seed {seed}");
    }
}

/// The problem with one limit relaxed by `give`.
fn moved(qp: &Qp, limit: Limit, give: f64) -> Qp {
    let mut moved = qp.clone();
    match limit {
        Limit::Equality(k) => {
            let (row, value) = (qp.equality.row(k).to_vec(), qp.equality_value[k]);
            moved.equality.row_mut(k).fill(0.0);
            moved.equality_value[k] = 0.0;
            add_row(&mut moved, &row, value - give, value + give);
        }
        Limit::RowLower(k) => moved.rows_lower[k] -= give,
        Limit::RowUpper(k) => moved.rows_upper[k] += give,
        Limit::Lower(j) => moved.lower[j] -= give,
        Limit::Upper(j) => moved.upper[j] += give,
    }
    moved
}

#[test]
fn what_a_row_would_have_to_give_is_enough_and_nothing_less_is() {
    let mut compared = 0;
    for seed in 0..60 {
        let Case { qp, .. } = Case::new(seed);
        for row in found("active_set", &qp).limits {
            let Some(throughout) = least_give(&qp, row.limit) else { continue };
            assert!(throughout >= row.give * (1.0 - 1e-4) - 1e-7, "seed {seed}: {throughout} < {}", row.give);
            let holds = |give: f64| solve("active_set", &moved(&qp, row.limit, give)).is_ok();
            assert!(holds(throughout * 1.001 + 1e-6), "seed {seed}: {throughout} is not enough");
            assert!(!holds((throughout * 0.99 - 1e-6).max(0.0)), "seed {seed}: {throughout} is too much");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}
