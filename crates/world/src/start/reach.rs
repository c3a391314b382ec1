//! Inverse kinematics: the configuration nearest to a preferred one in which parts of a body are at their targets,
//! within joint ranges and without penetration.
//!
//! minimise Σ_k μ ‖e_k(q)‖² + Σ_j w_j (q ⊖ q₀)_j²  subject to  q_lo ≤ q ≤ q_hi, gap(q) ≥ 0, q_F = q_F(q_L)
//!
//! by Gauss–Newton steps, each a QP over the step δ (q ← q ⊕ δ) solved by the frame's own solver, damped as in
//! [Levenberg 1944] and [Marquardt 1963]: a step that does not lower the cost is repeated with more damping. μ grows
//! from stage to stage, so that the targets have precedence over the preferred pose, which determines the remaining
//! degrees of freedom.

use aplomb_body::dynamics::BiasVelocity;
use aplomb_body::model::state;
use aplomb_body::model::{BodyId, JointKind, Model};
use aplomb_control::predict::{Layout, Linearisation, Prediction, limited_coordinates};
use aplomb_control::snapshot::Snapshot;
use aplomb_math::affine::Affine;
use aplomb_math::rotation;
use aplomb_qp::Qp;
use aplomb_qp::solver::{ActiveSet, QpSolution, QpSolver};
use nalgebra::{Matrix3, Vector3};

/// Weight of the targets in each stage relative to the pose, 1/m².
const STAGES: [f64; 4] = [1e2, 1e4, 1e6, 1e8];
/// Largest number of steps of one stage, including rejected ones.
const MOST_STEPS: usize = 60;
/// Largest change of a coordinate, m or rad, below which a stage ends.
const STILL: f64 = 1e-7;
/// Largest change of a coordinate in one step, m or rad: less than the distance within which surfaces are
/// constraints.
const STRIDE: f64 = 0.1;
/// Largest reduction of a part's penetration depth in one step, m.
const RECOVERY: f64 = 0.05;
/// Length by which an angle of 1 rad is weighted, m.
const LEVER: f64 = 0.3;
/// Weight of the root's position, 1/m²: low, so that the root follows the limbs.
const ROOT_PLACE: f64 = 0.01;
/// Weight of a coordinate without mass, 1/rad² or 1/m².
const LEAST_WEIGHT: f64 = 0.01;
/// Damping at the start of a stage, as a share of μ, and its factors after successful and rejected steps.
const DAMPING: f64 = 1e-4;
const LESS: f64 = 0.2;
const MORE: f64 = 8.0;
/// Tolerance of a target: 1 mm, or 1 mm at the end of [`LEVER`].
pub(super) const MET: f64 = 1e-3;
/// Limits with less than this share of the largest multiplier are not reported.
const STOPS: f64 = 0.02;

/// A target of a part of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ReachTarget {
    /// A point fixed in a body (body frame, m) to a point of the world.
    Point { body: BodyId, local: Vector3<f64>, to: Vector3<f64> },
    /// Orientation of a body: its axes relative to those of the world.
    Turn { body: BodyId, to: Matrix3<f64> },
    /// The centre of mass to a point of the world.
    Com { to: Vector3<f64> },
}

/// Result of the search.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub q: Vec<f64>,
    /// Distance from each target, m or rad.
    pub misses: Vec<f64>,
    /// Limits that prevent the targets, strongest first.
    pub stops: Vec<Stop>,
    /// Depth of the deepest penetration, m, with the body and the surface; 0 without any.
    pub depth: f64,
    pub inside: Option<(BodyId, usize)>,
}

/// A limit that prevents a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stop {
    /// A velocity coordinate at a limit, rad or m.
    Joint { coordinate: usize, limit: f64 },
    /// A surface a body presses on, by index.
    Surface { body: BodyId, surface: usize },
}

impl Reached {
    /// Whether every target is met without penetration.
    pub(super) fn is_met(&self, targets: &[ReachTarget]) -> bool {
        (0..targets.len()).all(|k| !self.is_missed(targets, k)) && self.depth <= MET
    }

    pub(super) fn is_missed(&self, targets: &[ReachTarget], k: usize) -> bool {
        self.misses[k] * lever(&targets[k]) > MET
    }

    /// The target with the largest miss among the first `count`; `None` if none is missed.
    pub(super) fn worst(&self, targets: &[ReachTarget], count: usize) -> Option<usize> {
        let miss = |k: usize| self.misses[k] * lever(&targets[k]);
        let order = |a: &usize, b: &usize| miss(*a).total_cmp(&miss(*b)).then(b.cmp(a));
        (0..count).filter(|&k| self.is_missed(targets, k)).max_by(order)
    }
}

fn lever(target: &ReachTarget) -> f64 {
    if matches!(target, ReachTarget::Turn { .. }) { LEVER } else { 1.0 }
}

/// Finds the configuration nearest to `snapshot.state.q` that meets `targets`, from a few initial
/// configurations: the first success counts, else the nearest result. `snapshot` must have a `dt` of 1, so
/// that a step is a velocity, and velocity zero.
pub(super) fn reach(model: &Model, snapshot: &mut Snapshot, targets: &[ReachTarget]) -> Reached {
    let preferred = snapshot.state.q.clone();
    let mut best: Option<(f64, Reached)> = None;
    for share in [0.0, 0.5, 1.0] {
        let start = towards_mid_range(model, &preferred, share);
        snapshot.state.q.copy_from_slice(&preferred);
        let mut search = ReachSearch::new(model, snapshot, targets, &preferred);
        let found = search.run(&start);
        let miss = found.misses.iter().zip(targets).map(|(miss, target)| miss * lever(target));
        let miss = miss.fold(found.depth, f64::max);
        let is_met = found.is_met(targets);
        if best.as_ref().is_none_or(|(least, _)| miss < *least) {
            best = Some((miss, found));
        }
        if is_met {
            break;
        }
    }
    best.map_or_else(
        || Reached { q: preferred, misses: Vec::new(), stops: Vec::new(), depth: 0.0, inside: None },
        |(_, found)| found,
    )
}

/// The configuration with its hinges and slides moved partly to the middle of their ranges: an initial
/// configuration from which a limb that is straight, or bent the wrong way, finds its target.
fn towards_mid_range(model: &Model, q: &[f64], share: f64) -> Vec<f64> {
    let mut start = q.to_vec();
    for joint in &model.joints {
        if let (Some([low, high]), 1) = (joint.range, joint.kind.nq()) {
            let value = &mut start[joint.q_index];
            *value = value.clamp(low, high);
            *value += share * (0.5 * (low + high) - *value);
        }
    }
    model.obey_couplings(&mut start);
    start
}

struct ReachSearch<'a> {
    model: &'a Model,
    snapshot: &'a mut Snapshot,
    targets: &'a [ReachTarget],
    preferred: &'a [f64],
    /// Weight of each velocity coordinate's distance from the preferred configuration.
    weights: Vec<f64>,
    linearisation: Linearisation,
    solver: ActiveSet,
    solution: QpSolution,
    qp: Qp,
    /// Displacement from the preferred configuration, per velocity coordinate.
    distance: Vec<f64>,
}

impl<'a> ReachSearch<'a> {
    fn new(
        model: &'a Model,
        snapshot: &'a mut Snapshot,
        targets: &'a [ReachTarget],
        preferred: &'a [f64],
    ) -> Self {
        ReachSearch {
            weights: weights(model, snapshot),
            linearisation: Linearisation::new(model),
            solver: ActiveSet::default(),
            solution: QpSolution::default(),
            qp: Qp::default(),
            distance: vec![0.0; model.nv],
            model,
            snapshot,
            targets,
            preferred,
        }
    }

    fn run(&mut self, start: &[f64]) -> Reached {
        self.go_to(start);
        for weight in STAGES {
            self.stage(weight);
        }
        let misses = self.errors().map(|error| error.norm()).collect();
        let stops = self.stops();
        let contacts = &self.snapshot.contacts;
        let deepest = contacts.touches.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
        let deepest = deepest.filter(|touch| touch.gap < 0.0);
        Reached {
            q: self.snapshot.state.q.clone(),
            misses,
            stops,
            depth: deepest.map_or(0.0, |touch| -touch.gap),
            inside: deepest.map(|touch| (touch.body, touch.surface)),
        }
    }

    fn go_to(&mut self, q: &[f64]) {
        self.snapshot.state.q.copy_from_slice(q);
        self.snapshot.update(self.model);
        state::difference(self.model, self.preferred, q, &mut self.distance);
    }

    fn stage(&mut self, weight: f64) {
        let mut damping = DAMPING;
        let mut next = self.snapshot.state.q.clone();
        for _ in 0..MOST_STEPS {
            let (from, cost) = (self.snapshot.state.q.clone(), self.cost(weight));
            if !self.step(weight, damping) {
                return;
            }
            let step = &self.solution.x;
            let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            state::integrate(self.model, &from, step, &mut next);
            self.model.obey_couplings(&mut next);
            self.go_to(&next);
            if self.cost(weight) <= cost {
                damping = (damping * LESS).max(1e-12);
            } else {
                damping *= MORE;
                self.go_to(&from);
            }
            if longest < STILL {
                return;
            }
        }
    }

    /// Error of each target: m, or rad times the lever.
    fn errors(&self) -> impl Iterator<Item = Vector3<f64>> {
        let (kinematics, com) = (&self.snapshot.kinematics, self.snapshot.com);
        self.targets.iter().map(move |target| match target {
            ReachTarget::Point { body, local, to } => kinematics.point(*body, local) - to,
            ReachTarget::Turn { body, to } => rotation::log(&(kinematics.rotation[body.0] * to.transpose())),
            ReachTarget::Com { to } => com - to,
        })
    }

    fn cost(&self, weight: f64) -> f64 {
        let errors = self.errors().zip(self.targets);
        let misses: f64 = errors.map(|(error, target)| (error * lever(target)).norm_squared()).sum();
        let depths: f64 = self.snapshot.contacts.touches.iter().map(|touch| touch.gap.min(0.0).powi(2)).sum();
        let moved = self.distance.iter().zip(&self.weights).map(|(d, w)| w * d * d);
        weight * (misses + depths) + moved.sum::<f64>()
    }

    /// Solves for the next step into `solution.x`; false if there is none.
    fn step(&mut self, weight: f64, damping: f64) -> bool {
        self.linearise(weight, damping, RECOVERY);
        if self.solver.solve(&self.qp, &mut self.solution).is_ok() {
            return true;
        }
        // A penetrating part that cannot leave must not go deeper, which a zero step satisfies.
        self.linearise(weight, damping, 0.0);
        self.solver.solve(&self.qp, &mut self.solution).is_ok()
    }

    fn linearise(&mut self, weight: f64, damping: f64, recovery: f64) {
        let ReachSearch { model, snapshot, targets, weights, linearisation, qp, distance, .. } = self;
        let (model, nv) = (*model, model.nv);
        linearisation.update(model, snapshot, &[], BiasVelocity::Backward, &snapshot.state.v, Layout::new(4));
        let next = Prediction::new(model, snapshot, linearisation);
        qp.reset(nv);
        for target in *targets {
            let error = match target {
                ReachTarget::Point { body, local, to } => {
                    next.point(*body, &snapshot.kinematics.point(*body, local)) - *to
                }
                ReachTarget::Turn { body, to } => next.turn_from(*body, to) * LEVER,
                ReachTarget::Com { to } => next.com() - *to,
            };
            add_squares(qp, weight, &error);
        }
        let mut along = vec![0.0; nv];
        for (k, (distance, share)) in distance.iter().zip(weights.iter()).enumerate() {
            along[k] = 1.0;
            qp.add_squares(*share, &along, &[*distance]);
            along[k] = 0.0;
            qp.add_regularisation(k, weight * damping);
        }
        qp.complete();
        qp.lower.fill(-STRIDE);
        qp.upper.fill(STRIDE);
        for (k, q, [low, high]) in limited_coordinates(model, &snapshot.state.q) {
            qp.lower[k] = (low - q).clamp(-STRIDE, 0.0);
            qp.upper[k] = (high - q).clamp(0.0, STRIDE);
        }
        // Coupled joints keep their couplings, which hold in the initial configuration.
        for coupling in &model.couplings {
            let (follower, leader) = coupling.coordinates(model);
            along[follower] = 1.0;
            leader.iter().for_each(|leader| along[*leader] = -coupling.ratio);
            qp.equality.push(&along);
            qp.equality_value.push(0.0);
            along.fill(0.0);
        }
        for (index, touch) in snapshot.contacts.touches.iter().enumerate() {
            let least = if touch.gap < 0.0 { (-touch.gap).min(recovery) } else { -touch.gap };
            let gap = next.gap_rate(index);
            qp.rows.push(gap.coefficients(0));
            qp.rows_lower.push(least);
            qp.rows_upper.push(f64::INFINITY);
        }
    }

    /// The active limits of the last step's solution.
    fn stops(&mut self) -> Vec<Stop> {
        let last = STAGES[STAGES.len() - 1];
        if !self.step(last, 0.0) {
            return Vec::new();
        }
        let mut pressing: Vec<(f64, Stop)> = Vec::new();
        for (coordinate, q, [low, high]) in limited_coordinates(self.model, &self.snapshot.state.q) {
            let pressure = self.solution.bounds[coordinate];
            let limit = if pressure > 0.0 { low } else { high };
            if (q - limit).abs() < 1e-4 {
                pressing.push((pressure.abs(), Stop::Joint { coordinate, limit }));
            }
        }
        for (touch, pressure) in self.snapshot.contacts.touches.iter().zip(&self.solution.rows) {
            pressing.push((pressure.abs(), Stop::Surface { body: touch.body, surface: touch.surface }));
        }
        let most = pressing.iter().fold(0.0, |most: f64, (pressure, _)| most.max(*pressure));
        pressing.retain(|(pressure, _)| *pressure > STOPS * most);
        // A stable sort: equally strong limits stay in the model's order.
        pressing.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let mut stops: Vec<Stop> = Vec::new();
        for (_, stop) in pressing {
            if !stops.contains(&stop) {
                stops.push(stop);
            }
        }
        stops
    }
}

/// w_j = the square of the share of the body's mass that a coordinate moves, a measure of the displacement of the
/// centre of mass, plus a small number: limbs move before the trunk, and the trunk before the whole body.
fn weights(model: &Model, snapshot: &mut Snapshot) -> Vec<f64> {
    snapshot.update(model);
    let share = |body: &BodyId| snapshot.kinematics.subtree_inertia[body.0].mass / snapshot.scales.mass;
    let mut weights: Vec<f64> =
        model.dof_body.iter().map(|body| LEAST_WEIGHT + share(body).powi(2)).collect();
    for joint in model.joints.iter().filter(|joint| joint.kind == JointKind::Free) {
        weights[joint.v_index..joint.v_index + 3].fill(ROOT_PLACE);
    }
    weights
}

/// Adds weight × the squares of all rows.
fn add_squares(qp: &mut Qp, weight: f64, error: &Affine<'_>) {
    for row in 0..error.rows() {
        qp.add_squares(weight, error.coefficients(row), &[error.constant(row)]);
    }
}
