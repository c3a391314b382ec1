//! Many degenerate, redundant and infeasible problems, compared with Clarabel.

use super::generator::{self, Random};
use super::{optimality_error, proves_conflict, solve};
use aplomb::qp::solver::QpError;

/// Number of cases; `APLOMB_QP_CASES` overrides it.
fn cases() -> u64 {
    std::env::var("APLOMB_QP_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(1500)
}

#[test]
fn degenerate_problems_end_as_clarabel_says() {
    let (mut solved, mut infeasible, mut undecided) = (0, 0, 0);
    for case in 0..cases() {
        let qp = generator::degenerate(&mut Random(case));
        match solve("active_set", &qp) {
            Ok(solution) => {
                solved += 1;
                let error = optimality_error(&qp, &solution);
                assert!(error < 1e-9, "case {case}: optimality conditions are off by {error:e}");
            }
            Err(QpError::Infeasible { certificate }) => {
                infeasible += 1;
                assert!(proves_conflict(&qp, &certificate), "case {case}: {certificate:?} proves nothing");
            }
            Err(error) => panic!("case {case}: {error}"),
        }
        match (solve("clarabel", &qp), solve("active_set", &qp)) {
            // Clarabel stopped before the optimum.
            (Ok(theirs), Ok(_)) if optimality_error(&qp, &theirs) > 1e-6 => undecided += 1,
            (Ok(theirs), Ok(ours)) => {
                let [theirs, ours] = [theirs, ours].map(|solution| qp.objective(&solution.x));
                let error = (ours - theirs).abs() / (1.0 + theirs.abs());
                assert!(error < 1e-6, "case {case}: cost {ours} here, {theirs} there");
            }
            (Err(QpError::Infeasible { .. }), Err(QpError::Infeasible { .. })) => {}
            // Sets without interior are hard for an interior-point method; our answer was proven above.
            (Err(QpError::Numerical { .. } | QpError::IterationLimit { .. }), _) => undecided += 1,
            (theirs, ours) => panic!("case {case}: {ours:?} here, {theirs:?} there"),
        }
    }
    println!("{solved} solved, {infeasible} infeasible, {undecided} undecided by Clarabel");
    assert!(solved > 0 && infeasible > 0);
}

#[test]
fn no_limit_of_a_certificate_can_be_spared() {
    let mut found = 0;
    for case in 0..cases() / 5 {
        let qp = generator::degenerate(&mut Random(case));
        let Err(QpError::Infeasible { certificate }) = solve("active_set", &qp) else { continue };
        found += 1;
        for spared in 0..certificate.len() {
            let mut fewer = qp.clone();
            fewer.reset(qp.size());
            fewer.hessian = qp.hessian.clone();
            for (_, (limit, _)) in certificate.iter().enumerate().filter(|(k, _)| *k != spared) {
                let (row, sign, value) = super::normal(&qp, *limit);
                if matches!(limit, aplomb::qp::Limit::Equality(_)) {
                    super::add_equality(&mut fewer, &row, value);
                } else if sign > 0.0 {
                    super::add_row(&mut fewer, &row, value, f64::INFINITY);
                } else {
                    super::add_row(&mut fewer, &row, f64::NEG_INFINITY, value);
                }
            }
            assert!(solve("active_set", &fewer).is_ok(), "case {case}: {certificate:?} without {spared}");
        }
    }
    assert!(found > 0);
}

/// A warm and a cold start of the same problem have the same solution.
#[test]
fn a_warm_start_ends_where_a_cold_one_does() {
    let mut random = Random(7);
    let mut solver = aplomb::qp::solver::by_name("active_set").expect("a solver of this build");
    let mut solution = aplomb::qp::solver::QpSolution::default();
    for case in 0..cases() / 5 {
        let mut qp = generator::degenerate(&mut Random(case));
        for round in 0..6 {
            for g in &mut qp.gradient {
                *g += 3.0 * random.unit();
            }
            for k in 0..qp.rows.rows() {
                let shift = 0.3 * random.unit();
                qp.rows_lower[k] += shift;
                qp.rows_upper[k] += shift;
            }
            let warm = solver.solve(&qp, &mut solution);
            match (warm, solve("active_set", &qp)) {
                (Ok(()), Ok(cold)) => {
                    let error = optimality_error(&qp, &solution);
                    assert!(error < 1e-9, "case {case}.{round}: optimality conditions are off by {error:e}");
                    let largest = cold.x.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
                    for (warm, cold) in solution.x.iter().zip(&cold.x) {
                        assert!((warm - cold).abs() < 1e-9 * largest, "case {case}.{round}: {warm} {cold}");
                    }
                }
                (Err(QpError::Infeasible { .. }), Err(QpError::Infeasible { .. })) => {}
                (warm, cold) => panic!("case {case}.{round}: {warm:?} warm, {cold:?} cold"),
            }
        }
    }
}

#[test]
fn semidefinite_problems_end_as_clarabel_says() {
    let (mut solved, mut unbounded, mut infeasible) = (0, 0, 0);
    for case in 0..cases() / 5 {
        let mut random = Random(0x5eed + case);
        let mut qp = generator::degenerate(&mut random);
        let n = qp.size();
        let rank = random.whole(0, n as i64 - 1) as usize;
        let flat = generator::convex(&mut random, n, rank, false);
        qp.hessian = flat.hessian;
        match (solve("clarabel", &qp), solve("active_set", &qp)) {
            // Clarabel stopped before the optimum, or on the way to infinity.
            (Ok(theirs), _) if optimality_error(&qp, &theirs) > 1e-6 => {}
            (Ok(theirs), Ok(ours)) => {
                solved += 1;
                let error = optimality_error(&qp, &ours);
                assert!(error < 1e-9, "case {case}: optimality conditions are off by {error:e}");
                let [theirs, ours] = [theirs, ours].map(|solution| qp.objective(&solution.x));
                assert!((ours - theirs).abs() < 1e-6 * (1.0 + theirs.abs()), "case {case}: {ours} {theirs}");
            }
            (Err(QpError::Infeasible { .. }), Err(QpError::Infeasible { .. })) => infeasible += 1,
            (Err(QpError::Unbounded), Err(QpError::Unbounded)) => unbounded += 1,
            (Err(QpError::Numerical { .. } | QpError::IterationLimit { .. }), _) => {}
            // The problem is infeasible and has no lower bound: either answer is correct.
            (Err(QpError::Unbounded), Err(QpError::Infeasible { certificate })) => {
                assert!(proves_conflict(&qp, &certificate), "case {case}: {certificate:?} proves nothing");
            }
            (theirs, ours) => panic!("case {case}: {ours:?} here, {theirs:?} there"),
        }
    }
    println!("{solved} solved, {unbounded} unbounded, {infeasible} infeasible");
    assert!(solved > 0 && unbounded > 0 && infeasible > 0);
}
