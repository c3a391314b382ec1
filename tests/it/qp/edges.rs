//! Small problems at the limits of valid input.

use super::{add_equality, add_row, optimality_error, problem, solve};
use aplomb::qp::Limit;
use aplomb::qp::solver::{ActiveSet, QpError, QpSolution, QpSolver};

const IDENTITY: [&[f64]; 2] = [&[1.0, 0.0], &[0.0, 1.0]];

fn is_near(x: &[f64], expected: &[f64]) -> bool {
    x.iter().zip(expected).all(|(x, expected)| (x - expected).abs() < 1e-12)
}

#[test]
fn without_limits_the_gradient_vanishes() {
    let qp = problem(&[&[2.0, 0.0], &[0.0, 4.0]], &[-2.0, 4.0]);
    assert!(is_near(&solve("active_set", &qp).expect("solved").x, &[1.0, -1.0]));
}

#[test]
fn no_unknowns_are_solved_by_nothing() {
    assert!(solve("active_set", &problem(&[], &[])).expect("solved").x.is_empty());
}

#[test]
fn multipliers_have_the_sign_of_their_end() {
    let mut qp = problem(&IDENTITY, &[-3.0, 3.0]);
    add_row(&mut qp, &[1.0, 0.0], f64::NEG_INFINITY, 1.0);
    qp.lower[1] = -2.0;
    let solution = solve("active_set", &qp).expect("solved");
    assert!(is_near(&solution.x, &[1.0, -2.0]));
    assert!(is_near(&solution.rows, &[-2.0]) && is_near(&solution.bounds, &[0.0, 1.0]));
}

#[test]
fn a_row_given_twice_holds_once() {
    let mut qp = problem(&IDENTITY, &[0.0, 0.0]);
    for _ in 0..3 {
        add_row(&mut qp, &[1.0, 1.0], 2.0, f64::INFINITY);
        add_equality(&mut qp, &[1.0, -1.0], 0.5);
    }
    let solution = solve("active_set", &qp).expect("solved");
    assert!(is_near(&solution.x, &[1.25, 0.75]) && optimality_error(&qp, &solution) < 1e-12);
}

#[test]
fn contradictory_equalities_are_both_named() {
    let mut qp = problem(&IDENTITY, &[0.0, 0.0]);
    add_equality(&mut qp, &[1.0, 0.0], 5.0);
    add_equality(&mut qp, &[1.0, 1.0], 1.0);
    add_equality(&mut qp, &[2.0, 2.0], 3.0);
    let Err(QpError::Infeasible { certificate }) = solve("active_set", &qp) else { panic!("feasible?") };
    assert_eq!(certificate, [(Limit::Equality(2), 0.5), (Limit::Equality(1), 1.0)]);
}

#[test]
fn bounds_that_an_equality_needs_violated_are_named_with_it() {
    let mut qp = problem(&IDENTITY, &[0.0, 0.0]);
    add_equality(&mut qp, &[1.0, 1.0], -1.0);
    qp.lower.fill(0.0);
    let Err(QpError::Infeasible { certificate }) = solve("active_set", &qp) else { panic!("feasible?") };
    let mut limits: Vec<String> = certificate.iter().map(|(limit, _)| format!("{limit:?}")).collect();
    limits.sort();
    assert_eq!(limits, ["Equality(0)", "Lower(0)", "Lower(1)"]);
}

#[test]
fn crossed_ends_are_a_conflict() {
    let mut qp = problem(&IDENTITY, &[0.0, 0.0]);
    (qp.lower[1], qp.upper[1]) = (1.0, 0.0);
    let Err(QpError::Infeasible { certificate }) = solve("active_set", &qp) else { panic!("feasible?") };
    assert_eq!(certificate, [(Limit::Lower(1), 1.0), (Limit::Upper(1), 1.0)]);
}

#[test]
fn equal_ends_hold_with_either_sign() {
    for gradient in [-4.0, 4.0] {
        let mut qp = problem(&IDENTITY, &[gradient, gradient]);
        (qp.lower[0], qp.upper[0]) = (1.0, 1.0);
        add_row(&mut qp, &[0.0, 1.0], 2.0, 2.0);
        let solution = solve("active_set", &qp).expect("solved");
        assert!(is_near(&solution.x, &[1.0, 2.0]));
        assert!(
            is_near(&solution.bounds, &[1.0 + gradient, 0.0]) && is_near(&solution.rows, &[2.0 + gradient])
        );
    }
}

#[test]
fn the_iteration_limit_is_an_outcome() {
    let mut qp = problem(&IDENTITY, &[0.0, 0.0]);
    qp.lower.fill(1.0);
    let outcome = ActiveSet::with_iteration_limit(1).solve(&qp, &mut QpSolution::default());
    assert_eq!(outcome, Err(QpError::IterationLimit { iterations: 1 }));
    assert!(ActiveSet::with_iteration_limit(2).solve(&qp, &mut QpSolution::default()).is_ok());
}

#[test]
fn what_is_not_finite_is_named_wherever_it_stands() {
    let mut sound = problem(&IDENTITY, &[1.0, 1.0]);
    add_row(&mut sound, &[1.0, 1.0], -10.0, 10.0);
    add_equality(&mut sound, &[1.0, -1.0], 0.0);
    for bad in [f64::NAN, f64::INFINITY] {
        let spoilt = [
            ("Hessian at `number 1`", {
                let mut qp = sound.clone();
                qp.hessian.row_mut(1)[0] = bad;
                qp
            }),
            ("gradient at `number 0`", {
                let mut qp = sound.clone();
                qp.gradient[0] = bad;
                qp
            }),
            ("equality `number 0`", {
                let mut qp = sound.clone();
                qp.equality.row_mut(0)[1] = bad;
                qp
            }),
            ("equality `number 0`", {
                let mut qp = sound.clone();
                qp.equality_value[0] = bad;
                qp
            }),
            ("row `number 0`", {
                let mut qp = sound.clone();
                qp.rows.row_mut(0)[1] = bad;
                qp
            }),
        ];
        let mut solver = ActiveSet::default();
        for (place, qp) in spoilt {
            let expected = QpError::NonFinite { place: place.into() };
            assert_eq!(solver.solve(&qp, &mut QpSolution::default()), Err(expected));
            assert_eq!(solver.solve(&sound, &mut QpSolution::default()), Ok(()), "after {place}");
        }
    }
    let mut qp = sound.clone();
    qp.upper[1] = f64::NAN;
    let expected = QpError::NonFinite { place: "bound of `number 1`".into() };
    assert_eq!(solve("active_set", &qp), Err(expected));
    qp = sound;
    qp.rows_lower[0] = f64::NAN;
    assert_eq!(solve("active_set", &qp), Err(QpError::NonFinite { place: "row `number 0`".into() }));
}

#[test]
fn a_cost_that_falls_for_ever_is_unbounded() {
    let mut qp = problem(&[&[1.0, 0.0], &[0.0, 0.0]], &[1.0, -1.0]);
    qp.lower.fill(0.0);
    assert_eq!(solve("active_set", &qp), Err(QpError::Unbounded));
    qp.upper[1] = 3.0;
    assert!(is_near(&solve("active_set", &qp).expect("solved").x, &[0.0, 3.0]));
}

#[test]
fn an_indefinite_cost_is_refused() {
    let qp = problem(&[&[1.0, 0.0], &[0.0, -1.0]], &[0.0, 0.0]);
    assert!(matches!(solve("active_set", &qp), Err(QpError::Numerical { .. })));
}

#[test]
fn the_same_problems_in_the_same_order_give_the_same_bytes() {
    let run = || {
        let mut solver = ActiveSet::default();
        let mut bytes = Vec::new();
        for case in 0..50 {
            let qp = super::generator::degenerate(&mut super::generator::Random(case));
            let mut solution = QpSolution::default();
            if solver.solve(&qp, &mut solution).is_ok() {
                bytes.extend(solution.x.iter().map(|x| x.to_bits()));
            }
        }
        bytes
    };
    assert_eq!(run(), run());
}
