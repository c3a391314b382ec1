//! The factorisation of trees compared with dense solutions.

use aplomb::passive::chain::factor::{TreeFactor, TreeVector};
use serde_json::Value;

type Six = [f64; 6];

/// H, block by block, before it is factored.
struct System {
    parents: Vec<Option<usize>>,
    /// Rows of each A_a.
    diagonals: Vec<[Six; 6]>,
    /// Rows of A_ap and of A_pa.
    couplings: Vec<[[Six; 6]; 2]>,
    /// Rows of J_a and J_p.
    jacobians: Vec<[Vec<Six>; 2]>,
}

fn transposed(a: &[Six; 6]) -> [Six; 6] {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

fn times(rows: &[Six], x: &Six) -> Vec<f64> {
    rows.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

impl System {
    fn factored(&self) -> TreeFactor<6> {
        let rows: Vec<usize> = self.jacobians.iter().map(|[child, _]| child.len()).collect();
        let mut factor = TreeFactor::<6>::new(&self.parents, &rows).expect("parents come first");
        for body in 0..self.parents.len() {
            *factor.diagonal_mut(body) = transposed(&self.diagonals[body]);
            let [up, down] = &self.couplings[body];
            let [child, parent] = &self.jacobians[body];
            factor.set_link(body, child, parent, &transposed(up), &transposed(down));
        }
        factor.factor().expect("definite");
        factor
    }

    /// H x
    fn product(&self, x: &TreeVector) -> TreeVector {
        let mut sum = TreeVector::zeros(self.parents.len());
        let mut add = |body: usize, values: Vec<f64>| {
            values.iter().enumerate().for_each(|(k, value)| sum.bodies[body][k] += value);
        };
        let mut gaps = Vec::new();
        for (body, parent) in self.parents.iter().enumerate() {
            add(body, times(&self.diagonals[body], &x.bodies[body]));
            let [child, across] = &self.jacobians[body];
            let mut gap = times(child, &x.bodies[body]);
            for (k, row) in child.iter().enumerate() {
                add(body, row.iter().map(|a| a * x.joints[body][k]).collect());
            }
            if let Some(parent) = *parent {
                let [up, down] = &self.couplings[body];
                add(body, times(up, &x.bodies[parent]));
                add(parent, times(down, &x.bodies[body]));
                for (k, row) in across.iter().enumerate() {
                    add(parent, row.iter().map(|a| a * x.joints[body][k]).collect());
                }
                times(across, &x.bodies[parent]).iter().enumerate().for_each(|(k, value)| gap[k] += value);
            }
            gaps.push(gap);
        }
        for (joint, gap) in sum.joints.iter_mut().zip(&gaps) {
            joint[..gap.len()].copy_from_slice(gap);
        }
        sum
    }

    /// A tree with irregular blocks: A_a near 4, couplings that are not each other's transposes.
    fn unsymmetric(parents: Vec<Option<usize>>, rows: impl Fn(usize) -> usize) -> System {
        let wave = |seed: f64| move |k: usize| (seed + 1.37 * (k * k) as f64).sin();
        let block = |seed: f64, size: f64| -> [Six; 6] {
            let wave = wave(seed);
            std::array::from_fn(|i| std::array::from_fn(|j| size * wave(6 * i + j)))
        };
        let count = parents.len();
        let diagonals = (0..count).map(|body| {
            let mut a = block(body as f64, 0.8);
            (0..6).for_each(|k| a[k][k] += 6.0);
            a
        });
        let couplings = (0..count).map(|body| [block(0.3 + body as f64, 0.4), block(0.6 + body as f64, 0.4)]);
        let jacobians = (0..count).map(|body| {
            let take = |seed: f64, diagonal: f64| {
                let mut rows = block(seed + 7.0 * body as f64, 0.3)[..rows(body)].to_vec();
                rows.iter_mut().enumerate().for_each(|(k, row)| row[k] += diagonal);
                rows
            };
            [take(0.1, 1.0), take(0.2, -1.0)]
        });
        System {
            diagonals: diagonals.collect(),
            couplings: couplings.collect(),
            jacobians: jacobians.collect(),
            parents,
        }
    }

    fn right_side(&self, seed: f64) -> TreeVector {
        let mut z = TreeVector::zeros(self.parents.len());
        for (body, [child, _]) in self.jacobians.iter().enumerate() {
            for k in 0..6 {
                z.bodies[body][k] = (seed + (6 * body + k) as f64 * 1.1).sin();
            }
            for k in 0..child.len() {
                z.joints[body][k] = (seed + (6 * body + k) as f64 * 1.7).cos();
            }
        }
        z
    }
}

/// Largest difference of two vectors, over all rows.
fn difference(a: &TreeVector, b: &TreeVector) -> f64 {
    let pairs = a.bodies.iter().zip(&b.bodies).chain(a.joints.iter().zip(&b.joints));
    pairs.flat_map(|(a, b)| a.iter().zip(b)).fold(0.0, |worst, (a, b)| worst.max((a - b).abs()))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|number| number.as_f64().expect("a number")).collect()
}

fn block(value: &Value) -> Vec<Six> {
    let rows = value.as_array().expect("rows").iter();
    rows.map(|row| numbers(row).try_into().expect("six columns")).collect()
}

fn square(value: &Value) -> [Six; 6] {
    block(value).try_into().expect("six rows")
}

#[test]
fn trees_of_the_reference_have_their_dense_solutions() {
    let data: Value =
        serde_json::from_str(include_str!("../../data/reference/maximal/kkt_tree.json")).expect("JSON");
    for case in data["cases"].as_array().expect("cases") {
        let parents: Vec<Option<usize>> = numbers(&case["parents"])
            .iter()
            .map(|parent| (*parent >= 0.0).then_some(*parent as usize))
            .collect();
        let count = parents.len();
        let mut system = System {
            diagonals: vec![[[0.0; 6]; 6]; count],
            couplings: vec![[[[0.0; 6]; 6]; 2]; count],
            jacobians: vec![[Vec::new(), Vec::new()]; count],
            parents,
        };
        for entry in case["A_blocks"].as_array().expect("blocks") {
            let index = |key: &str| entry[key].as_u64().expect("an index") as usize;
            let (i, j, rows) = (index("i"), index("j"), square(&entry["block"]));
            if i == j {
                system.diagonals[i] = rows;
            } else if system.parents[i] == Some(j) {
                system.couplings[i] = [rows, transposed(&rows)];
            } else {
                system.couplings[j] = [transposed(&rows), rows];
            }
        }
        let (b, b_lambda) = (numbers(&case["b"]), numbers(&case["b_lambda"]));
        let (v, lambda) = (numbers(&case["v"]), numbers(&case["lam"]));
        let (mut z, mut expected) = (TreeVector::zeros(count), TreeVector::zeros(count));
        for body in 0..count {
            z.bodies[body].copy_from_slice(&b[6 * body..6 * body + 6]);
            expected.bodies[body].copy_from_slice(&v[6 * body..6 * body + 6]);
        }
        let mut first = 0;
        for joint in case["joints"].as_array().expect("joints") {
            let child = joint["child"].as_u64().expect("an index") as usize;
            let rows = joint["rows"].as_u64().expect("a count") as usize;
            system.jacobians[child] = [block(&joint["Jchild"]), block(&joint["Jparent"])];
            z.joints[child][..rows].copy_from_slice(&b_lambda[first..first + rows]);
            expected.joints[child][..rows].copy_from_slice(&lambda[first..first + rows]);
            first += rows;
        }
        system.factored().solve(&mut z);
        let scale =
            expected.bodies.iter().chain(&expected.joints).flatten().fold(1.0, |m: f64, x| m.max(x.abs()));
        assert!(difference(&z, &expected) < 1e-11 * scale, "{}", difference(&z, &expected));
    }
}

#[test]
fn unsymmetric_trees_of_all_joints_are_solved_to_rounding() {
    let star = vec![None, Some(0), Some(0), Some(0), Some(2)];
    let mixed =
        (0..60).map(|k: usize| k.checked_sub(1).map(|last| last - last * 7 % 11 % (last + 1))).collect();
    let forest = vec![None, Some(0), None, Some(2), Some(2), Some(4)];
    let chain = (0..300).map(|k: usize| k.checked_sub(1)).collect();
    for (name, parents) in [("star", star), ("mixed", mixed), ("forest", forest), ("chain", chain)] {
        for anchored in [true, false] {
            let roots: Vec<bool> = parents_are_none(&parents);
            let system = System::unsymmetric(parents.clone(), |body| {
                if roots[body] && !anchored { 0 } else { [3, 5, 6, 3][body % 4] }
            });
            let z = system.right_side(0.2);
            let mut x = z.clone();
            system.factored().solve(&mut x);
            let residual = difference(&system.product(&x), &z);
            assert!(residual < 1e-10, "{name}: {residual}");
        }
    }
}

fn parents_are_none(parents: &[Option<usize>]) -> Vec<bool> {
    parents.iter().map(Option::is_none).collect()
}

#[test]
fn one_factorisation_serves_any_number_of_right_sides() {
    let parents = (0..40).map(|k: usize| k.checked_sub(1).map(|last| last / 2)).collect();
    let system = System::unsymmetric(parents, |body| if body == 0 { 6 } else { 3 });
    let factor = system.factored();
    for seed in 0..5 {
        let (mut reused, mut fresh) =
            (system.right_side(f64::from(seed)), system.right_side(f64::from(seed)));
        factor.solve(&mut reused);
        system.factored().solve(&mut fresh);
        assert!(difference(&reused, &fresh) < 1e-12);
        assert!(difference(&system.product(&reused), &system.right_side(f64::from(seed))) < 1e-10);
    }
}

#[test]
fn rows_that_repeat_each_other_are_refused_by_body() {
    let mut system = System::unsymmetric(vec![None, Some(0), Some(1)], |_| 3);
    let [child, _] = &mut system.jacobians[1];
    child[2] = child[0];
    let mut factor = TreeFactor::<6>::new(&system.parents, &[3, 3, 3]).expect("parents come first");
    for body in 0..3 {
        *factor.diagonal_mut(body) = transposed(&system.diagonals[body]);
        let [child, parent] = &system.jacobians[body];
        factor.set_link(body, child, parent, &[[0.0; 6]; 6], &[[0.0; 6]; 6]);
    }
    assert_eq!(factor.factor().expect_err("singular").body, 1);
    assert!(TreeFactor::<6>::new(&[Some(0)], &[3]).is_none());
}
