//! All solvers give the same frame.

use aplomb::qp::solver::{self, QpError, QpSolution, QpSolver};
use aplomb::qp::{Label, Qp, UnknownKind, UnknownLabel};
use aplomb::scene::Run as SceneRun;

/// Number of frames of each shipped scene that are compared between all solvers, and their spacing.
const FRAMES: u64 = 130;
const EVERY: u64 = 17;

fn solvers() -> Vec<Box<dyn QpSolver>> {
    let names = solver::list().iter().map(|(name, _)| *name);
    names.filter_map(|name| solver::by_name(name).ok()).collect()
}

/// Whether the method converges to the optimum itself rather than near it.
fn is_exact(solver: &dyn QpSolver) -> bool {
    solver.name() != "osqp"
}

#[test]
fn solvers_agree_on_frames_of_every_shipped_scene() {
    let reference = solver::DEFAULT;
    let (mut solved, mut given_up) = (0, 0);
    for scene in aplomb::language::files::shipped(aplomb::language::files::Folder::Scenes) {
        // Pushes are moved to an early time, so that the compared frames contain one.
        let files = aplomb::scene::load(&scene, &[]).unwrap();
        let early: Vec<String> =
            files.scene.events.keys().map(|name| format!("events.{}.at=0.3", name.get_ref())).collect();
        let files = aplomb::scene::load(&scene, &early).unwrap();
        // A scene without characters has nothing to solve.
        if files.characters.is_empty() {
            continue;
        }
        let mut simulation = SceneRun::bind(&files).unwrap();
        simulation.character_mut().synthesiser.keeps_problem = true;
        let mut others: Vec<_> = solvers().into_iter().filter(|solver| solver.name() != reference).collect();
        while simulation.world.frame_index() < FRAMES {
            let index = simulation.world.frame_index();
            if simulation.step().unwrap().is_none() {
                break;
            }
            if !index.is_multiple_of(EVERY) {
                continue;
            }
            let qp = simulation.character().synthesiser.last_problem();
            // A part of the joint problem of several characters cannot be solved alone: the other parts determine its
            // loads.
            let is_of_others = |label: &UnknownLabel| {
                matches!(label.kind, UnknownKind::Load { .. } | UnknownKind::SurfaceVelocity { .. })
            };
            if qp.column_labels.iter().any(is_of_others) {
                continue;
            }
            let mut expected = QpSolution::default();
            solver::by_name(reference).unwrap().solve(qp, &mut expected).unwrap();
            let best = qp.objective(&expected.x);
            for other in &mut others {
                let mut found = QpSolution::default();
                if let Err(error) = other.solve(qp, &mut found) {
                    // A first-order method may run out of iterations, and an interior-point method may only come near
                    // the solution if a ragdoll lies on many points at once. They report it; it must be rare.
                    let came_near = matches!(error, QpError::Numerical { .. });
                    let gives_up = came_near || !is_exact(&**other);
                    assert!(gives_up, "{} on frame {index} of {scene}: {error}", other.name());
                    given_up += 1;
                    continue;
                }
                solved += 1;
                let gap = (qp.objective(&found.x) - best).abs() / best.abs().max(1.0);
                let nv = simulation.character().model.nv;
                let apart = (0..nv).map(|k| (found.x[k] - expected.x[k]).abs()).fold(0.0, f64::max);
                let (most_gap, most_apart) = if is_exact(&**other) { (1e-8, 1e-7) } else { (1e-4, 1e-4) };
                let moved = apart * simulation.world.settings().dt;
                assert!(gap <= most_gap, "{} on frame {index} of {scene}: objective gap {gap}", other.name());
                assert!(moved <= most_apart, "{} on frame {index} of {scene}: apart {moved}", other.name());
            }
        }
    }
    assert!(solved > 100 && 100 * given_up <= solved, "{given_up} given up, {solved} solved");
}

#[test]
fn in_closed_loop_all_solvers_visit_the_same_states_and_places() {
    for (scene, duration) in [("balance_push", "1.5"), ("one_foot", "2.2")] {
        let run = |name: &str| {
            let overrides = [format!("solver=\"{name}\""), format!("duration={duration}"), at_once(scene)];
            let files = aplomb::scene::load(scene, &overrides[..if scene == "balance_push" { 3 } else { 2 }]);
            let mut simulation = SceneRun::bind(&files.unwrap()).unwrap();
            let mut states: Vec<String> = Vec::new();
            simulation
                .finish::<aplomb::world::StepError>(|_, stepped| {
                    let state = stepped.frame().state;
                    if states.last() != Some(&state) {
                        states.push(state);
                    }
                    Ok(())
                })
                .unwrap();
            (states, simulation.character().snapshot.kinematics.position.clone())
        };
        let (states, places) = run(solver::DEFAULT);
        for other in solvers().iter().filter(|solver| solver.name() != solver::DEFAULT) {
            let (visited, reached) = run(other.name());
            assert_eq!(visited, states, "{}", other.name());
            for (place, expected) in reached.iter().zip(&places) {
                let apart = (place - expected).norm();
                assert!(apart <= 1e-4 * 1.7, "{} in {scene}: {apart} m apart", other.name());
            }
        }
    }
}

fn at_once(scene: &str) -> String {
    assert!(["balance_push", "one_foot"].contains(&scene));
    "events.push.at=0.1".to_string()
}

/// min ½‖x‖² − x₁ over two unknowns.
fn simple() -> Qp {
    let mut qp = Qp::default();
    qp.reset(2);
    for k in 0..2 {
        qp.hessian.row_mut(k)[k] = 1.0;
        qp.column_labels.push(&label("x"));
    }
    qp.gradient[0] = -1.0;
    qp
}

fn label<K: Default>(name: &str) -> Label<K> {
    Label { kind: K::default(), name: name.into(), unit: "", origin: Default::default() }
}

fn push_row(qp: &mut Qp, row: [f64; 2], lower: f64, upper: f64, name: &str) {
    qp.rows.push(&row);
    qp.rows_lower.push(lower);
    qp.rows_upper.push(upper);
    qp.row_labels.push(&label(name));
}

#[test]
fn multipliers_of_lower_limits_are_positive_and_balance_the_gradient() {
    for mut solver in solvers() {
        let mut qp = simple();
        push_row(&mut qp, [1.0, 1.0], f64::NEG_INFINITY, 0.5, "sum");
        qp.lower[1] = 0.1;
        let mut solution = QpSolution::default();
        solver.solve(&qp, &mut solution).unwrap();
        for k in 0..2 {
            let gradient = qp.hessian.dot(k, &solution.x) + qp.gradient[k];
            let forces = solution.rows[0] * qp.rows.row(0)[k] + solution.bounds[k];
            assert!((gradient - forces).abs() < 1e-6, "{}", solver.name());
        }
        assert!(solution.rows[0] < 0.0 && solution.bounds[1] > 0.0, "{}", solver.name());
    }
}

#[test]
fn rows_that_contradict_each_other_are_named_by_the_certificate() {
    for mut solver in solvers() {
        let mut qp = simple();
        push_row(&mut qp, [1.0, 1.0], 1.0, f64::INFINITY, "at least one");
        push_row(&mut qp, [1.0, -1.0], -5.0, 5.0, "innocent");
        push_row(&mut qp, [1.0, 1.0], f64::NEG_INFINITY, 0.5, "at most a half");
        let result = solver.solve(&qp, &mut QpSolution::default());
        let Err(QpError::Infeasible { certificate }) = result else {
            panic!("{} finds no contradiction: {result:?}", solver.name());
        };
        let rows: Vec<_> = certificate.iter().map(|(limit, _)| *limit).collect();
        assert!(rows.contains(&aplomb::qp::Limit::RowLower(0)), "{} says {rows:?}", solver.name());
        assert!(rows.contains(&aplomb::qp::Limit::RowUpper(2)), "{} says {rows:?}", solver.name());
        assert_eq!(rows.len(), 2, "{} says {rows:?}", solver.name());
    }
}

#[test]
fn what_is_not_a_number_is_refused_with_its_place() {
    for mut solver in solvers() {
        let mut qp = simple();
        qp.gradient[1] = f64::NAN;
        let error = solver.solve(&qp, &mut QpSolution::default()).unwrap_err();
        assert_eq!(error, QpError::NonFinite { place: "gradient at `x`".into() }, "{}", solver.name());
    }
}
