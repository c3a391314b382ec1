//! Comparison of the QP solvers on recorded problems of a walking-size character.
//!
//! `cargo bench --bench qp` uses the few frames under `benches/data`; `APLOMB_QP_SETS=a.bin:b.bin` names
//! whole recordings instead. A recording is four i64 (frames, unknowns, equalities, rows) and then per frame,
//! row-major f64: P, g, E, e, C, l, u, lower, upper and a solution by another solver; `.zst` files are
//! compressed.
//!
//! *cold* clears the solver's memory before each frame, *warm* solves the frames in order. The time of a frame is the
//! shortest of several passes. Ratios are to Clarabel's median of the same set.

use aplomb::math::matrix::RowMatrix;
use aplomb::qp::Qp;
use aplomb::qp::solver::{QpSolution, QpSolver, by_name};
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

struct Frame {
    qp: Qp,
    expected: Vec<f64>,
}

fn main() {
    for path in sets() {
        match read(&path) {
            Ok(frames) => compare(&path, &frames),
            Err(error) => eprintln!("{}: {error}", path.display()),
        }
    }
}

fn sets() -> Vec<PathBuf> {
    match std::env::var_os("APLOMB_QP_SETS") {
        Some(list) => std::env::split_paths(&list).collect(),
        None => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/data");
            ["qp_a.bin.zst", "qp_b.bin.zst"].map(|name| folder.join(name)).to_vec()
        }
    }
}

fn read(path: &Path) -> std::io::Result<Vec<Frame>> {
    let mut bytes = std::fs::read(path)?;
    if path.extension().is_some_and(|extension| extension == "zst") {
        let mut unpacked = Vec::new();
        StreamingDecoder::new(&bytes[..]).map_err(std::io::Error::other)?.read_to_end(&mut unpacked)?;
        bytes = unpacked;
    }
    let mut words = bytes.as_chunks::<8>().0.iter();
    let mut count = || words.next().map_or(0, |word| i64::from_le_bytes(*word) as usize);
    let [frames, n, equalities, rows] = [count(), count(), count(), count()];
    let mut numbers = |count: usize| -> Vec<f64> {
        words.by_ref().take(count).map(|word| f64::from_le_bytes(*word)).collect()
    };
    let mut frame = || Frame {
        qp: Qp {
            hessian: matrix(n, &numbers(n * n)),
            gradient: numbers(n),
            equality: matrix(n, &numbers(equalities * n)),
            equality_value: numbers(equalities),
            rows: matrix(n, &numbers(rows * n)),
            rows_lower: limits(numbers(rows)),
            rows_upper: limits(numbers(rows)),
            lower: limits(numbers(n)),
            upper: limits(numbers(n)),
            ..Qp::default()
        },
        expected: numbers(n),
    };
    Ok((0..frames).map(|_| frame()).collect())
}

fn matrix(columns: usize, numbers: &[f64]) -> RowMatrix {
    let mut matrix = RowMatrix::new(columns);
    for row in numbers.chunks_exact(columns) {
        matrix.push(row);
    }
    matrix
}

/// Limits as infinities: the recordings write 1e20 for no limit.
fn limits(mut numbers: Vec<f64>) -> Vec<f64> {
    for number in &mut numbers {
        if number.abs() >= 1e20 {
            *number *= f64::INFINITY;
        }
    }
    numbers
}

/// Results of a solver on a set.
struct Result {
    name: String,
    /// Time per frame, µs, ascending.
    times: Vec<f64>,
    iterations: f64,
    /// Largest error of the solution, relative to max(1, |x|).
    error: f64,
    violation: f64,
    failures: usize,
}

impl Result {
    fn quantile(&self, share: f64) -> f64 {
        self.times[((self.times.len() - 1) as f64 * share).round() as usize]
    }
}

fn compare(path: &Path, frames: &[Frame]) {
    let Some(first) = frames.first() else { return };
    println!(
        "\n{}: {} frames, {} unknowns, {} equalities, {} rows",
        path.display(),
        frames.len(),
        first.qp.size(),
        first.qp.equality.rows(),
        first.qp.rows.rows()
    );
    let mut results = Vec::new();
    for (name, passes) in [("clarabel", 3), ("osqp", 5), ("active_set", 40)] {
        let Ok(mut solver) = by_name(name) else { continue };
        for warm in [false, true] {
            if name != "clarabel" || !warm {
                results.push(measure(solver.as_mut(), frames, warm, passes));
            }
        }
    }
    let reference = results[0].quantile(0.5);
    println!(
        "{:<18}{:>10}{:>10}{:>10}{:>10}{:>12}{:>10}{:>11}{:>8}",
        "solver", "median", "p90", "p99", "ratio", "iterations", "error", "violation", "failed"
    );
    for result in &results {
        let median = result.quantile(0.5);
        println!(
            "{:<18}{:>7.1} µs{:>7.1} µs{:>7.1} µs{:>10.4}{:>12.1}{:>10.0e}{:>11.0e}{:>8}",
            result.name,
            median,
            result.quantile(0.9),
            result.quantile(0.99),
            median / reference,
            result.iterations,
            result.error,
            result.violation,
            result.failures
        );
    }
}

fn measure(solver: &mut dyn QpSolver, frames: &[Frame], warm: bool, passes: usize) -> Result {
    let mut result = Result {
        name: format!("{} {}", solver.name(), if warm { "warm" } else { "cold" }),
        times: vec![f64::INFINITY; frames.len()],
        iterations: 0.0,
        error: 0.0,
        violation: 0.0,
        failures: 0,
    };
    let mut solution = QpSolution::default();
    for pass in 0..passes {
        solver.reset();
        for (frame, time) in frames.iter().zip(&mut result.times) {
            if !warm {
                solver.reset();
            }
            let started = Instant::now();
            let outcome = solver.solve(&frame.qp, &mut solution);
            *time = time.min(started.elapsed().as_secs_f64() * 1e6);
            if pass > 0 {
                continue;
            }
            result.failures += usize::from(outcome.is_err());
            if outcome.is_ok() {
                let largest = frame.expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
                let errors = solution.x.iter().zip(&frame.expected).map(|(a, b)| (a - b).abs() / largest);
                result.error = errors.fold(result.error, f64::max);
                result.violation = result.violation.max(frame.qp.violation(&solution.x));
                result.iterations += f64::from(solution.iterations) / frames.len() as f64;
            }
        }
    }
    if warm && frames.len() > 1 {
        // The first frame has no warm start.
        result.times.remove(0);
    }
    result.times.sort_by(f64::total_cmp);
    result
}
