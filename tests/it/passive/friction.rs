//! Friction as complementarity: the conditions with λ, solved by sweeps and by enumeration.

use super::reference::json;
use aplomb::math::matrix::RowMatrix;
use aplomb::passive::articulated::lcp::{FrictionSet, Law, Tolerance, solve};
use nalgebra::{DMatrix, DVector};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
struct Case {
    n_contacts: usize,
    mu: Vec<f64>,
    K: Vec<Vec<f64>>,
    h0: Vec<f64>,
    all_solutions: Vec<Vec<f64>>,
}

/// Normal force and tangential force for each contact; λ is eliminated into the law.
fn without_lambda(case: &Case) -> (RowMatrix, Vec<f64>, Vec<Law>) {
    let kept: Vec<usize> = (0..3 * case.n_contacts).filter(|index| index % 3 != 2).collect();
    let mut matrix = RowMatrix::new(kept.len());
    for i in &kept {
        matrix.push(&kept.iter().map(|j| case.K[*i][*j]).collect::<Vec<_>>());
    }
    let laws = (0..case.n_contacts).flat_map(|contact| {
        let tangent = Law::Tangent { normal: 2 * contact, coefficient: case.mu[contact], both_ways: false };
        [Law::Unilateral, tangent]
    });
    (matrix, kept.iter().map(|i| case.h0[*i]).collect(), laws.collect())
}

#[test]
fn sweeps_find_a_listed_solution_of_the_conditions_with_lambda() {
    let mut unsolved = 0;
    let cases = json::<File>("constraints/friction_lcp.json").cases;
    for (index, case) in cases.iter().enumerate() {
        let (mut matrix, h0, laws) = without_lambda(case);
        let (mut z, mut w) = (vec![0.0; h0.len()], h0.clone());
        let effort = solve(
            &mut matrix,
            &laws,
            &mut z,
            &mut w,
            &Tolerance { iterations: 20_000, residual: 1e-12 },
            None,
        );
        assert!(z.iter().all(|z| z.is_finite()));
        if effort.residual > 1e-9 {
            unsolved += 1;
            continue;
        }
        let lambda = |contact: usize| (-w[2 * contact + 1]).max(0.0);
        let found: Vec<f64> =
            (0..case.n_contacts).flat_map(|k| [z[2 * k], z[2 * k + 1], lambda(k)]).collect();
        let near = |listed: &Vec<f64>| {
            listed.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-7 * a.abs().max(1.0))
        };
        assert!(case.all_solutions.iter().any(near), "case {index}: {found:?}");
    }
    assert!(unsolved * 10 <= cases.len(), "{unsolved} unsolved");
}

/// Solutions of `w = M z + q, z ≥ 0, w ≥ 0, z·w = 0` by enumeration of all active sets.
fn enumerate(m: &DMatrix<f64>, q: &DVector<f64>) -> Vec<DVector<f64>> {
    let n = q.len();
    let mut found = Vec::new();
    for set in 0..1usize << n {
        let bearing: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let block = DMatrix::from_fn(bearing.len(), bearing.len(), |i, j| m[(bearing[i], bearing[j])]);
        let wanted = DVector::from_fn(bearing.len(), |i, _| -q[bearing[i]]);
        let values = if bearing.is_empty() { Some(wanted) } else { block.lu().solve(&wanted) };
        let Some(values) = values else { continue };
        let mut z = DVector::zeros(n);
        bearing.iter().zip(values.iter()).for_each(|(i, value)| z[*i] = *value);
        let w = m * &z + q;
        if z.min() > -1e-9 && w.min() > -1e-9 && z.amax() < 1e9 {
            found.push(z);
        }
    }
    found
}

/// Pseudo-random numbers in (−1, 1), reproducible by seed.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Two contacts with a normal and two tangents each: a positive definite problem.
fn contacts(seed: u64) -> (DMatrix<f64>, DVector<f64>) {
    let mut next = numbers(seed);
    let factor = DMatrix::from_fn(6, 8, |_, _| next());
    (
        &factor * factor.transpose() + DMatrix::identity(6, 6) * 0.2,
        DVector::from_fn(6, |_, _| 3.0 * next() - 1.0),
    )
}

fn rows(matrix: &DMatrix<f64>) -> RowMatrix {
    let mut out = RowMatrix::new(matrix.ncols());
    matrix.row_iter().for_each(|row| out.push(&row.iter().copied().collect::<Vec<_>>()));
    out
}

#[test]
fn six_conditions_a_contact_are_solved_as_enumeration_solves_them() {
    let mu = 0.5;
    let mut compared = 0;
    for seed in 1..=40 {
        let (k, h0) = contacts(seed);
        // Normal forces, four directions and λ for each contact, as one problem without friction sets.
        let spread = DMatrix::from_fn(6, 10, |i, j| {
            let (contact, part) = (j / 5, j % 5);
            let (row, sign) = match part {
                0 => (0, 1.0),
                1 => (1, 1.0),
                2 => (1, -1.0),
                3 => (2, 1.0),
                _ => (2, -1.0),
            };
            if i == 3 * contact + row { sign } else { 0.0 }
        });
        let mut m = DMatrix::zeros(12, 12);
        m.view_mut((0, 0), (10, 10)).copy_from(&(spread.transpose() * &k * &spread));
        let mut q = DVector::zeros(12);
        q.rows_mut(0, 10).copy_from(&(spread.transpose() * &h0));
        for contact in 0..2 {
            m[(10 + contact, 5 * contact)] = mu;
            for part in 1..5 {
                m[(5 * contact + part, 10 + contact)] = 1.0;
                m[(10 + contact, 5 * contact + part)] = -1.0;
            }
        }
        let listed: Vec<DVector<f64>> = enumerate(&m, &q).iter().map(|z| &spread * z.rows(0, 10)).collect();
        let pair = |normal| Law::TangentPair { normal, coefficient: mu, set: FrictionSet::Diamond };
        let laws =
            [Law::Unilateral, pair(0), Law::SecondTangent, Law::Unilateral, pair(3), Law::SecondTangent];
        let (mut z, mut w) = (vec![0.0; 6], h0.as_slice().to_vec());
        let effort = solve(
            &mut rows(&k),
            &laws,
            &mut z,
            &mut w,
            &Tolerance { iterations: 20_000, residual: 1e-11 },
            None,
        );
        if effort.residual > 1e-9 || listed.is_empty() {
            continue;
        }
        compared += 1;
        let z = DVector::from_vec(z);
        assert!(listed.iter().any(|f| (f - &z).amax() < 1e-6), "seed {seed}: {z} not in {listed:?}");
    }
    assert!(compared >= 36, "only {compared} compared");
}

#[test]
fn unilateral_problems_are_solved_as_enumeration_solves_them() {
    for seed in 1..=60 {
        let (k, h0) = contacts(seed);
        let (mut z, mut w) = (vec![0.0; 6], h0.as_slice().to_vec());
        let stop = Tolerance { iterations: 20_000, residual: 1e-12 };
        let effort = solve(&mut rows(&k), &[Law::Unilateral; 6], &mut z, &mut w, &stop, None);
        assert!(effort.residual < 1e-10, "seed {seed}: {effort:?}");
        let [expected] = &enumerate(&k, &h0)[..] else { panic!("one solution") };
        assert!((expected - DVector::from_vec(z)).amax() < 1e-8, "seed {seed}");
    }
}

#[test]
fn whenever_it_is_stopped_the_solver_says_what_is_left() {
    let (k, h0) = contacts(7);
    let mut last = f64::INFINITY;
    for iterations in [1, 5, 20, 100] {
        let (mut z, mut w) = (vec![0.0; 6], h0.as_slice().to_vec());
        let stop = Tolerance { iterations, residual: 0.0 };
        let effort = solve(&mut rows(&k), &[Law::Unilateral; 6], &mut z, &mut w, &stop, None);
        assert!(effort.iterations == iterations || effort.residual == 0.0);
        assert!(effort.residual <= last);
        last = effort.residual;
        let again = &k * DVector::from_vec(z.clone()) + &h0;
        assert!((again - DVector::from_vec(w)).amax() < 1e-12);
    }
}

#[test]
fn a_friction_force_within_the_cone_opposes_the_slip() {
    let laws = [
        Law::Unilateral,
        Law::TangentPair { normal: 0, coefficient: 0.5, set: FrictionSet::Disc },
        Law::SecondTangent,
    ];
    for seed in 1..=60 {
        let (k, h0) = contacts(seed);
        let k = k.view((0, 0), (3, 3)).into_owned();
        let mut w: Vec<f64> = h0.rows(0, 3).iter().copied().collect();
        w[0] = -w[0].abs();
        let mut z = vec![0.0; 3];
        let effort = solve(
            &mut rows(&k),
            &laws,
            &mut z,
            &mut w,
            &Tolerance { iterations: 20_000, residual: 1e-12 },
            None,
        );
        assert!(effort.residual < 1e-9, "seed {seed}: {effort:?}");
        let (force, slip) = (z[1].hypot(z[2]), w[1].hypot(w[2]));
        assert!(force <= 0.5 * z[0] + 1e-9);
        if slip > 1e-6 {
            assert!(
                (force - 0.5 * z[0]).abs() < 1e-8,
                "seed {seed}: sliding under less than the full friction"
            );
            let against = (z[1] * w[1] + z[2] * w[2]) / (force * slip);
            assert!(force < 1e-9 || against < -1.0 + 1e-6, "seed {seed}: {against}");
        }
    }
}
