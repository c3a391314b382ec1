//! The first stage of a frame's problem: its objectives are gathered as rows, each with its weight.

use super::load_change::{LOAD_CHANGE_WEIGHT, ease_loads};
use super::terms::{FrameTerms, Standing};
use super::{
    AttemptState, CONTACT_COST, GRIP_CLOSING_COST, LOAD_CHANGE_COST, Settings, Synthesis, Synthesiser, Timing,
};
use crate::clock::Instant;
use crate::objective::{Form, Now, Objective, TargetSide};
use crate::predict::Prediction;
use aplomb_body::contact::{ContactMode, FrictionStep};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_language::expression::Lookup;
use aplomb_qp::RowLabel;

/// Weight of a hand's approach to its hold, on the missing acceleration over g: above preferences of the arm,
/// below balance.
const GRIP_CLOSING_WEIGHT: f64 = 1.0;

/// Weight of keeping a creeping contact in place along its surface, relative to that of keeping contacts and added to
/// it: then only full friction can let it move.
const KEPT_WEIGHT: f64 = 1e3;
/// The same weight for a contact whose slip would reverse.
const FIXED_WEIGHT: f64 = 1e4;

/// An objective that is active in this frame.
pub struct ActiveGoal<'a> {
    /// Index in the trace's list of objectives.
    pub index: usize,
    /// For each number that the objective compares with its target, its index in the trace's list of measured
    /// numbers.
    pub numbers: &'a [usize],
    /// The objective.
    pub objective: &'a dyn Objective,
    /// Label of its rows.
    pub label: &'a RowLabel,
    /// Weight of the squared residual, dimensionless.
    pub weight: f64,
    /// How its error should vanish.
    pub form: Form,
    /// Whether it is a constraint, an equality or a limit, rather than a cost.
    pub hard: bool,
    /// Side of its target on which errors have a cost.
    pub side: TargetSide,
    /// Factors of the rows along x, y and z; `None` for 1.
    pub axes: Option<[f64; 3]>,
    /// For each velocity coordinate, whether the objective may use it; empty if it may use all.
    pub serving: &'a [bool],
}

/// The objectives gathered so far for one solve. Created by [`Synthesiser::gather`]; they stay in the synthesiser
/// until it gathers again.
pub struct Gathering<'a> {
    synthesiser: &'a mut Synthesiser,
    now: Now<'a>,
    started: Instant,
}

/// Number of entries in the lists of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// Objectives, with the built-in costs.
    pub objectives: usize,
    /// Numbers that objectives compare with their targets.
    pub measured: usize,
}

impl Synthesiser {
    /// Begins a solve of the frame of `now`, whose linearisation is current, with the `values` of its
    /// expressions.
    pub fn gather<'a>(&'a mut self, now: Now<'a>, values: &dyn Lookup, listed: Listed) -> Gathering<'a> {
        let started = Instant::now();
        self.constraints.iter_mut().for_each(|constraint| constraint.evaluate(values, &now));
        self.result.begin(listed);
        self.effort = AttemptState::default();
        self.pairs.reserve(listed.measured);
        self.terms.clear();
        self.authors.clear();
        let next = Prediction::new(now.model, now.snapshot, &self.linearisation);
        keep_contacts(&self.settings, &now, &next, &mut self.terms);
        let kept = self.terms.list.iter().map(|term| term.weight).fold(0.0, f64::max);
        self.result.note_weight(CONTACT_COST, kept);
        close_on_holds(&now, &next, &mut self.terms);
        if !now.grips.closing.is_empty() {
            self.result.note_weight(GRIP_CLOSING_COST, GRIP_CLOSING_WEIGHT);
        }
        let gathered = self.terms.list.len();
        ease_loads(&now, &next, &self.load_labels, &mut self.terms);
        if self.terms.list.len() > gathered {
            self.result.note_weight(LOAD_CHANGE_COST, LOAD_CHANGE_WEIGHT);
        }
        Gathering { synthesiser: self, now, started }
    }
}

impl Gathering<'_> {
    /// Adds an active objective.
    ///
    /// # Errors
    /// Name and value of the first number that is not finite.
    pub fn add(&mut self, goal: &ActiveGoal<'_>) -> Result<(), (&'static str, f64)> {
        let now = &self.now;
        let Synthesiser { linearisation, pairs, result, terms, authors, explains, .. } =
            &mut *self.synthesiser;
        let next = Prediction::new(now.model, now.snapshot, linearisation);
        let Some(mut residual) = goal.objective.residual(now, &next) else { return Ok(()) };
        if let Some(error) = not_finite(residual.error.constants()) {
            pairs.clear();
            // The comparison shows whether the target or the actual value is not finite.
            _ = goal.objective.compare(now, pairs);
            let target = pairs.iter().map(|[target, _]| *target).find(|target| !target.is_finite());
            return Err(target.map_or(("error", error), |target| ("target", target)));
        }
        if goal.objective.follows().is_some() {
            result.note_distance(goal.index, residual.distance());
        }
        pairs.clear();
        if goal.objective.compare(now, pairs).is_some() {
            // A component without weight has no target.
            let counts = |row: &usize| pairs.len() < 2 || goal.axes.is_none_or(|axes| axes[*row] != 0.0);
            result.note_pairs(goal.numbers, pairs, counts);
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
        if *explains {
            authors.resize(terms.list.len(), None);
            authors.push(Some(goal.label.clone()));
        }
        terms.push(goal.index, weight, Standing { hard: goal.hard, free: goal.side.free(), label }, &rows);
        Ok(())
    }

    /// Ends the stage. The clock is read once, because reading it for each objective would take longer than some
    /// objectives.
    pub fn finish(self) {
        self.synthesiser.result.timing.assemble += self.started.elapsed();
    }
}

impl Synthesis {
    /// Clears the results of the previous solve.
    fn begin(&mut self, listed: Listed) {
        self.timing = Timing::default();
        self.iterations = 0;
        self.conflict.clear();
        self.conflict_rows.clear();
        self.provenance = None;
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

    /// Records the weight of an objective; the largest if several goals have its name.
    fn note_weight(&mut self, objective: usize, weight: f64) {
        let weights = &mut self.weights;
        weights.resize(weights.len().max(objective + 1), 0.0);
        weights[objective] = weights[objective].max(weight);
    }

    /// Records the distance of an objective from its moving target, m or rad.
    fn note_distance(&mut self, objective: usize, distance: f64) {
        self.distances.resize(self.distances.len().max(objective + 1), None);
        self.distances[objective] = Some(distance);
    }

    /// Records target and actual value of each measured number that is finite.
    fn note_pairs(&mut self, numbers: &[usize], pairs: &[[f64; 2]], counts: impl Fn(&usize) -> bool) {
        let rows = (0..).zip(numbers.iter().zip(pairs)).filter(|(row, _)| counts(row));
        for (_, (&number, [target, actual])) in rows {
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

/// Gap that a point should have after the frame while its pad is not fully compressed, m: where its speed takes it
/// (`falls_to`), but not less than the pad leaves (`least`) and not more than what is `left` at the usual rate.
fn gap_within_pad(falls_to: f64, least: f64, left: f64) -> f64 {
    falls_to.max(least).min(left)
}

/// The first of these that is not finite.
fn not_finite(numbers: &[f64]) -> Option<f64> {
    numbers.iter().copied().find(|number| !number.is_finite())
}

/// w ‖J v⁺ − v_closing‖²/(dt g)²: moves a hand within reach of its hold to it, before they touch and exchange a
/// force.
fn close_on_holds(now: &Now<'_>, next: &Prediction<'_>, terms: &mut FrameTerms) {
    let dt = now.scales.dt;
    for (index, closing) in now.grips.closing.iter().enumerate() {
        let wanted = closing.point + closing.velocity * dt;
        let off = (next.point(closing.body, &closing.point) - wanted) * (1.0 / (dt * dt * STANDARD_GRAVITY));
        terms.reserve(now.grips.closing.len() - index, &off);
        terms.push(GRIP_CLOSING_COST, GRIP_CLOSING_WEIGHT, Standing::default(), &off);
    }
}

/// w_c ‖J v⁺ − u − (anchor − p)/T_a‖²/(dt g)²: keeps contact points at their anchors on a surface that moves with u.
/// A sliding point is kept in the normal direction and slowed down along the surface. A point that compresses its pad
/// is slowed only as much as the pad asks.
fn keep_contacts(settings: &Settings, now: &Now<'_>, next: &Prediction<'_>, terms: &mut FrameTerms) {
    let dt = now.scales.dt;
    for (index, touch) in now.contacts.touches.iter().enumerate() {
        let error = match touch.bearing {
            ContactMode::Off | ContactMode::Impact | ContactMode::Pinned => continue,
            ContactMode::Sticking { anchor } => touch.point - anchor,
            ContactMode::Sliding => touch.normal * touch.gap,
        };
        let carried = touch.point + touch.next_surface_velocity * dt;
        let corrected = (dt / settings.contact_response).min(1.0);
        let mut wanted = carried - error * corrected;
        let left = touch.gap * (1.0 - corrected);
        if touch.least_gap > 0.0 {
            let speed = touch.normal.dot(&(touch.velocity - touch.next_surface_velocity));
            let gap = gap_within_pad(touch.gap + dt * speed, touch.least_gap, left);
            wanted += touch.normal * (gap - left);
        } else if left > touch.most_gap(dt) {
            wanted += touch.normal * (touch.most_gap(dt) - left);
        }
        let moved = (next.touch_way(index) - wanted) * (1.0 / (dt * dt * STANDARD_GRAVITY));
        let of_surface = now.contacts.surface(touch.surface).weight_of_contact(&touch.normal);
        let weight = of_surface.unwrap_or(settings.contact_weight);
        // Any number of these points may be kept in a later frame, which must not allocate.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pad_slows_what_is_fast_and_draws_in_what_is_slow_as_without_it() {
        // 24 mm from a surface, with a pad of 15 mm that leaves 10.7 mm after 10 ms.
        let (least, left) = (0.0107, 0.016);
        assert_eq!(gap_within_pad(0.005, least, left), least, "no more than the pad asks");
        assert_eq!(gap_within_pad(0.012, least, left), 0.012, "it comes as fast as it is");
        assert_eq!(gap_within_pad(0.030, least, left), left, "it is drawn in");
        // Within the pad, where it is corrected faster than the pad yields.
        assert_eq!(gap_within_pad(0.001, 0.0072, 0.0067), 0.0067);
    }
}
