//! Problems whose answers are known by construction, and static equilibria that exist or not.

use super::{add_equality, add_row, optimality_error, solve};
use aplomb::math::matrix::RowMatrix;
use aplomb::qp::Qp;
use aplomb::qp::solver::QpError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct File<T> {
    cases: Vec<T>,
}

/// minimise ½ xᵀPx + qᵀx, A x = b, G x ≤ h
#[derive(Deserialize)]
#[allow(non_snake_case)]
struct Constructed {
    kind: String,
    P: Vec<Vec<f64>>,
    q: Vec<f64>,
    #[serde(default)]
    A: Option<Vec<Vec<f64>>>,
    #[serde(default)]
    b: Option<Vec<f64>>,
    #[serde(default)]
    G: Option<Vec<Vec<f64>>>,
    #[serde(default)]
    h: Option<Vec<f64>>,
    x: Option<Vec<f64>>,
    objective: Option<f64>,
    unique: Option<bool>,
}

fn read<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let root = match std::env::var_os("APLOMB_REFERENCE") {
        Some(directory) => PathBuf::from(directory),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference"),
    };
    let text = std::fs::read_to_string(root.join("qp").join(name)).expect("reference data can be read");
    serde_json::from_str::<File<T>>(&text).expect("reference data are well formed").cases
}

impl Constructed {
    fn qp(&self) -> Qp {
        let mut qp = Qp::default();
        qp.reset(self.q.len());
        qp.hessian = RowMatrix::new(self.q.len());
        for row in &self.P {
            qp.hessian.push(row);
        }
        qp.gradient.clone_from(&self.q);
        for (row, value) in self.A.iter().flatten().zip(self.b.iter().flatten()) {
            add_equality(&mut qp, row, *value);
        }
        for (row, value) in self.G.iter().flatten().zip(self.h.iter().flatten()) {
            add_row(&mut qp, row, f64::NEG_INFINITY, *value);
        }
        qp
    }
}

#[test]
fn constructed_problems_end_as_constructed() {
    for (k, case) in read::<Constructed>("qps.json").iter().enumerate() {
        let qp = case.qp();
        match (case.kind.as_str(), solve("active_set", &qp)) {
            ("feasible", Ok(solution)) => {
                let error = optimality_error(&qp, &solution);
                assert!(error < 1e-9, "{k}: optimality conditions are off by {error:e}");
                let expected = case.objective.expect("feasible cases have one");
                let objective = qp.objective(&solution.x);
                let error = (objective - expected).abs() / expected.abs().max(1.0);
                assert!(error < 1e-9, "{k}: cost {objective}, not {expected}");
                if case.unique == Some(true) {
                    let expected = case.x.as_deref().expect("feasible cases have one");
                    let largest = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
                    let errors = solution.x.iter().zip(expected).map(|(a, b)| (a - b).abs() / largest);
                    let error = errors.fold(0.0, f64::max);
                    assert!(error < 1e-9, "{k}: x is off by {error:e}");
                }
            }
            ("infeasible", Err(QpError::Infeasible { certificate })) => {
                assert!(super::proves_conflict(&qp, &certificate), "{k}: {certificate:?} proves nothing");
            }
            ("unbounded", Err(QpError::Unbounded)) => {}
            (kind, outcome) => panic!("{k} is {kind}, but: {outcome:?}"),
        }
    }
}

/// Forces λ ≥ 0 along pyramid edges that support the weight without a moment about the centre of mass.
#[derive(Deserialize)]
struct Statics {
    mass: f64,
    com: [f64; 3],
    mu: f64,
    contacts: Vec<Contact>,
    feasible: bool,
}

#[derive(Deserialize)]
struct Contact {
    point: [f64; 3],
    basis: Vec<[f64; 3]>,
}

impl Statics {
    /// The QP for the smallest coefficients of all edges, in units of m g.
    fn qp(&self) -> Qp {
        let edges = || self.contacts.iter().flat_map(|c| c.basis.iter().map(|edge| (c.point, *edge)));
        let mut qp = Qp::default();
        qp.reset(edges().count());
        for k in 0..qp.size() {
            qp.hessian.row_mut(k)[k] = 1.0;
        }
        qp.lower.fill(0.0);
        for axis in 0..3 {
            let row: Vec<f64> = edges().map(|(_, edge)| edge[axis]).collect();
            add_equality(&mut qp, &row, [0.0, 0.0, 1.0][axis]);
            let [u, w] = [(axis + 1) % 3, (axis + 2) % 3];
            let moment = |(point, edge): ([f64; 3], [f64; 3])| {
                (point[u] - self.com[u]) * edge[w] - (point[w] - self.com[w]) * edge[u]
            };
            let row: Vec<f64> = edges().map(moment).collect();
            add_equality(&mut qp, &row, 0.0);
        }
        qp
    }
}

#[test]
fn static_equilibria_exist_where_they_should() {
    for (k, case) in read::<Statics>("static_feasibility.json").iter().enumerate() {
        let qp = case.qp();
        assert!(case.mass > 0.0 && case.mu > 0.0);
        match solve("active_set", &qp) {
            Ok(solution) => {
                assert!(case.feasible, "{k} has no equilibrium, but {:?} was found", solution.x);
                assert!(optimality_error(&qp, &solution) < 1e-9, "{k}");
            }
            Err(QpError::Infeasible { certificate }) => {
                assert!(!case.feasible, "{k} has an equilibrium");
                assert!(super::proves_conflict(&qp, &certificate), "{k}: {certificate:?} proves nothing");
            }
            Err(error) => panic!("{k}: {error}"),
        }
    }
}
