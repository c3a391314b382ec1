//! The first stage of a frame's problem: its objectives are gathered as rows, each with its weight.

use super::terms::{Standing, Terms};
use super::{CONTACT_COST, Effort, GRIP_CLOSING_COST, Settings, Synthesis, Synthesiser, Timing};
use crate::objective::{Form, Now, Objective, TargetSide};
use crate::predict::Prediction;
use aplomb_body::contact::{ContactMode, FrictionStep};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_language::expression::Lookup;
use aplomb_qp::RowLabel;
use std::time::Instant;

/// Weight of a hand's way to what it is to hold, on the acceleration that is lacking over g: outweighs how the arm
/// would like to be, not balance.
const GRIP_CLOSING_WEIGHT: f64 = 1.0;

/// Weight of keeping a contact that crept where it is along its surface, in weights of keeping contacts and on top of
/// that: hardly anything but full friction can move it then.
const KEPT_WEIGHT: f64 = 1e3;
/// That of keeping one that would have turned round, sliding.
const FIXED_WEIGHT: f64 = 1e4;

/// An objective in force in this frame.
pub struct ActiveGoal<'a> {
    /// Index in the trace's list of objectives.
    pub index: usize,
    /// Index in the trace's list of measured numbers of each number that the objective compares with its target.
    pub numbers: &'a [usize],
    /// The objective.
    pub objective: &'a dyn Objective,
    /// Label of its rows.
    pub label: &'a RowLabel,
    /// Weight of the squared residual, dimensionless.
    pub weight: f64,
    /// How its error is asked to vanish.
    pub form: Form,
    /// Whether it is an equality constraint, or a limit, rather than a cost.
    pub hard: bool,
    /// Which side of its target it keeps to.
    pub side: TargetSide,
    /// What the rows along x, y and z are multiplied by; as they are where `None`.
    pub axes: Option<[f64; 3]>,
    /// For each velocity coordinate, whether it may serve it; empty for all.
    pub serving: &'a [bool],
}

/// The objectives of one solve, as far as they are gathered. Made by [`Synthesiser::gather`]; what is gathered stays
/// with the synthesiser until it gathers anew.
pub struct Gathering<'a> {
    synthesiser: &'a mut Synthesiser,
    now: Now<'a>,
    started: Instant,
}

/// How many rows of each kind the lists of a trace have.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// Objectives, with the built-in costs.
    pub objectives: usize,
    /// Numbers that objectives compare with their targets.
    pub measured: usize,
}

impl Synthesiser {
    /// Begins a solve of the frame described by `now`, whose linearisation is up to date, with the `values` that
    /// expressions have in it.
    pub fn gather<'a>(&'a mut self, now: Now<'a>, values: &dyn Lookup, listed: Listed) -> Gathering<'a> {
        let started = Instant::now();
        self.constraints.iter_mut().for_each(|constraint| constraint.evaluate(values, &now));
        self.result.begin(listed);
        self.effort = Effort::default();
        self.pairs.reserve(listed.measured);
        self.terms.clear();
        let next = Prediction::new(now.model, now.snapshot, &self.linearisation);
        keep_contacts(&self.settings, &now, &next, &mut self.terms);
        let kept = self.terms.list.iter().map(|term| term.weight).fold(0.0, f64::max);
        self.result.note_weight(CONTACT_COST, kept);
        close_on_holds(&now, &next, &mut self.terms);
        if !now.grips.closing.is_empty() {
            self.result.note_weight(GRIP_CLOSING_COST, GRIP_CLOSING_WEIGHT);
        }
        Gathering { synthesiser: self, now, started }
    }
}

impl Gathering<'_> {
    /// Adds an objective that is in force.
    ///
    /// # Errors
    /// What of it is not finite, and what it is.
    pub fn add(&mut self, goal: &ActiveGoal<'_>) -> Result<(), (&'static str, f64)> {
        let now = &self.now;
        let Synthesiser { linearisation, pairs, result, terms, .. } = &mut *self.synthesiser;
        let next = Prediction::new(now.model, now.snapshot, linearisation);
        let Some(mut residual) = goal.objective.residual(now, &next) else { return Ok(()) };
        if let Some(error) = not_finite(residual.error.constants()) {
            pairs.clear();
            // Which of the two it is helps to find out why.
            _ = goal.objective.compare(now, pairs);
            let target = pairs.iter().map(|[target, _]| *target).find(|target| !target.is_finite());
            return Err(target.map_or(("error", error), |target| ("target", target)));
        }
        if goal.objective.follows().is_some() {
            result.note_distance(goal.index, residual.distance());
        }
        pairs.clear();
        if goal.objective.compare(now, pairs).is_some() {
            result.note_pairs(goal.numbers, pairs);
        }
        result.note_weight(goal.index, goal.weight);
        let weight = goal.weight * residual.weight_of_frame(goal.form, &now.scales);
        if !goal.serving.is_empty() {
            residual = residual.served_by(goal.serving, &now.state.v);
        }
        let mut rows = residual.shape(goal.form, &now.scales, &now.state.v);
        if let Some(wanted) = not_finite(rows.constants()) {
            return Err(("demand", wanted));
        }
        if let Some(axes) = goal.axes.filter(|_| rows.rows() > 1) {
            rows.scale_rows(&axes);
        }
        let is_row = goal.hard || goal.side != TargetSide::Exactly;
        let label = is_row.then(|| goal.label.clone());
        terms.push(goal.index, weight, Standing { hard: goal.hard, side: goal.side, label }, &rows);
        Ok(())
    }

    /// Ends the stage: everything that is wanted has been added. One look at the clock, for one per objective would
    /// take longer than some objectives.
    pub fn finish(self) {
        self.synthesiser.result.timing.assemble += self.started.elapsed();
    }
}

impl Synthesis {
    /// Forgets what came out of the solve before.
    fn begin(&mut self, listed: Listed) {
        self.timing = Timing::default();
        self.iterations = 0;
        self.conflict.clear();
        self.conflict_rows.clear();
        self.asked_second_solver = false;
        for numbers in [&mut self.costs, &mut self.weights] {
            numbers.clear();
            numbers.resize(listed.objectives, 0.0);
        }
        self.distances.fill(None);
        for numbers in [&mut self.targets, &mut self.actuals] {
            numbers.clear();
            numbers.resize(listed.measured, None);
        }
    }

    /// Notes the weight of an objective; where several goals have its name, the largest.
    fn note_weight(&mut self, objective: usize, weight: f64) {
        let weights = &mut self.weights;
        weights.resize(weights.len().max(objective + 1), 0.0);
        weights[objective] = weights[objective].max(weight);
    }

    /// Notes how far an objective is from its moving target, m or rad.
    fn note_distance(&mut self, objective: usize, distance: f64) {
        self.distances.resize(self.distances.len().max(objective + 1), None);
        self.distances[objective] = Some(distance);
    }

    /// Notes target and actual value of each measured number that is finite.
    fn note_pairs(&mut self, numbers: &[usize], pairs: &[[f64; 2]]) {
        for (&number, [target, actual]) in numbers.iter().zip(pairs) {
            let place = (self.targets.get_mut(number), self.actuals.get_mut(number));
            if let (Some(to), Some(is)) = place
                && target.is_finite()
                && actual.is_finite()
            {
                (*to, *is) = (Some(*target), Some(*actual));
            }
        }
    }
}

/// The first of these that is not finite.
fn not_finite(numbers: &[f64]) -> Option<f64> {
    numbers.iter().copied().find(|number| !number.is_finite())
}

/// w ‖J v⁺ − v_closing‖²/(dt g)²: a hand that is within reach of what it wants to hold goes there; there is no force
/// before they touch.
fn close_on_holds(now: &Now<'_>, next: &Prediction<'_>, terms: &mut Terms) {
    let dt = now.scales.dt;
    for (index, closing) in now.grips.closing.iter().enumerate() {
        let wanted = closing.point + closing.velocity * dt;
        let off = (next.point(closing.body, &closing.point) - wanted) * (1.0 / (dt * dt * STANDARD_GRAVITY));
        terms.reserve(now.grips.closing.len() - index, &off);
        terms.push(GRIP_CLOSING_COST, GRIP_CLOSING_WEIGHT, Standing::default(), &off);
    }
}

/// w_c ‖J v⁺ − u − (anchor − p)/T_a‖²/(dt g)²: contact points stay where they touched on a surface that moves with
/// u. A sliding point is held in the normal direction and slowed along the surface.
fn keep_contacts(settings: &Settings, now: &Now<'_>, next: &Prediction<'_>, terms: &mut Terms) {
    let dt = now.scales.dt;
    for (index, touch) in now.contacts.touches.iter().enumerate() {
        let error = match touch.bearing {
            ContactMode::Off | ContactMode::Impact | ContactMode::Pinned => continue,
            ContactMode::Sticking { anchor } => touch.point - anchor,
            ContactMode::Sliding => touch.normal * touch.gap,
        };
        let carried = touch.point + touch.next_surface_velocity * dt;
        let wanted = carried - error * (dt / settings.contact_response);
        let moved = (next.touch_way(index) - wanted) * (1.0 / (dt * dt * STANDARD_GRAVITY));
        let of_surface = now.contacts.surface(touch.surface).contact_weight;
        let weight = of_surface.unwrap_or(settings.contact_weight);
        // Any number of points may come to be kept in a frame: no memory is to be found then.
        terms.reserve(2 * (now.contacts.touches.len() - index), &moved);
        terms.push(CONTACT_COST, weight, Standing::default(), &moved);
        let firmness = match touch.friction_step {
            FrictionStep::AsBefore | FrictionStep::Slid => continue,
            FrictionStep::Kept => KEPT_WEIGHT,
            FrictionStep::Fixed => FIXED_WEIGHT,
        };
        terms.push(CONTACT_COST, firmness * weight, Standing::default(), &moved.cross(&touch.normal));
    }
}
