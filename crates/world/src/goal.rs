//! Goals of a character: an objective with weight and form.

use crate::controller::{BadValue, GoalTerms, ObjectiveTerms};
use aplomb_body::model::Model;
use aplomb_control::constraint::origin_of;
use aplomb_control::objective::{BoundObjective, Form, Now, Objective, Subject, TargetSide};
use aplomb_control::synthesis::ActiveGoal;
use aplomb_language::diagnostic::Place;
use aplomb_language::expression::{Lookup, Scalar, Switch};
use aplomb_qp::{Label, Origin, RowKind, RowLabel};
use std::any::Any;

/// An objective with its weight and form.
#[doc(alias = "task")]
pub struct Goal {
    /// Index in the trace's list of objectives, which the character assigns when the goal is added; goals
    /// with one name share it.
    index: usize,
    /// Index in the trace's list of measured numbers for each number that it compares.
    numbers: Vec<usize>,
    /// For each velocity coordinate, whether the goal may use it; empty for all.
    serving: Vec<bool>,
    objective: Box<dyn BoundObjective>,
    terms: Terms,
    /// Length of a second of its times, s; `None` for that of the controller's clock.
    second: Option<f64>,
    label: RowLabel,
    /// Whether the goal is enabled.
    pub switch: Switch,
}

#[expect(
    clippy::large_enum_variant,
    reason = "most goals are of files, and a box would be a detour in each frame"
)]
enum Terms {
    /// Numbers of a program.
    Given(GoalTerms),
    /// Expressions of a controller file.
    Bound(ObjectiveTerms),
}

impl Goal {
    /// A goal of a program. `name` is its name in traces, plots and reports; `weight` is on the squared
    /// dimensionless residual; times in `form` are seconds of this body.
    pub fn new(name: &str, weight: f64, form: Form, objective: impl Objective) -> Self {
        let unit = if form == Form::Direct { DIRECT_UNIT } else { UNIT };
        let terms = Terms::Given(GoalTerms { weight, form, hard: false, side: TargetSide::Exactly });
        Goal {
            index: 0,
            numbers: Vec::new(),
            serving: Vec::new(),
            objective: Box::new(objective),
            terms,
            second: None,
            label: Label {
                kind: RowKind::Objective { index: 0 },
                name: name.into(),
                unit,
                origin: Origin::default(),
            },
            switch: Switch::new(true),
        }
    }

    /// A goal of a controller file. `serving`: for each velocity coordinate, whether the goal may use it;
    /// empty for all.
    pub(super) fn bound(
        index: usize,
        terms: ObjectiveTerms,
        objective: Box<dyn BoundObjective>,
        serving: Vec<bool>,
    ) -> Self {
        let is_direct = terms.response.is_none() && terms.horizon.is_none();
        let label = Label {
            kind: RowKind::Objective { index },
            name: terms.name.as_str().into(),
            unit: if is_direct { DIRECT_UNIT } else { UNIT },
            origin: origin_of(&terms.place),
        };
        let switch = Switch::new(terms.enabled);
        Goal {
            index,
            numbers: Vec::new(),
            serving,
            objective,
            terms: Terms::Bound(terms),
            second: None,
            label,
            switch,
        }
    }

    /// The goal as one of a program: its times are seconds, not those of the controller's clock.
    pub(super) fn in_seconds(self) -> Self {
        Goal { second: Some(1.0), ..self }
    }

    /// Makes it an equality instead of a cost; if it is infeasible it is relaxed and reported by name. Goals
    /// of files set this themselves.
    #[doc(alias = "equality constraint")]
    pub fn hard(mut self) -> Self {
        if let Terms::Given(terms) = &mut self.terms {
            terms.hard = true;
        }
        self
    }

    /// Makes one side of the target free of cost.
    #[doc(alias = "inequality")]
    pub fn on(mut self, side: TargetSide) -> Self {
        if let Terms::Given(terms) = &mut self.terms {
            terms.side = side;
        }
        self
    }

    /// Sets the index of its cost in the trace's list of objectives.
    pub(super) fn list_at(&mut self, index: usize) {
        self.index = index;
        self.label.kind = RowKind::Objective { index };
    }

    /// Sets the indices of its numbers in the trace's list of measured numbers.
    pub(super) fn measure_at(&mut self, numbers: Vec<usize>) {
        self.numbers = numbers;
    }

    /// The quantities that it compares with its target; `None` for kinds without any.
    pub(super) fn subject(&mut self, model: &Model) -> Option<Subject> {
        self.objective.subject().or_else(|| self.objective.own()?.subject(model))
    }

    /// Name in traces, plots and reports.
    pub fn name(&self) -> &str {
        &self.label.name
    }

    /// Index of its cost in the trace's list of objectives.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Unit of the distance from the moving target that it tracks; `None` if it tracks none.
    pub fn follows(&self) -> Option<&'static str> {
        self.objective.followed_unit()
    }

    /// Whether it depends on the motion of passive objects that the character holds or touches.
    pub fn is_about_objects(&self) -> bool {
        self.objective.is_about_objects()
    }

    /// Enables or disables it from now on, which overrides earlier switches.
    pub fn enable(&mut self, holds: bool) {
        self.switch = Switch::new(holds);
    }

    /// Weight, form and hardness, for changes between frames; `None` for a goal of a file, whose expressions
    /// are evaluated in each frame.
    pub fn terms_mut(&mut self) -> Option<&mut GoalTerms> {
        match &mut self.terms {
            Terms::Given(terms) => Some(terms),
            Terms::Bound(_) => None,
        }
    }

    /// Weight; `None` if it is an expression.
    pub fn weight(&self) -> Option<f64> {
        match &self.terms {
            Terms::Given(terms) => Some(terms.weight),
            Terms::Bound(terms) => terms.weight.fixed(),
        }
    }

    /// Sets the weight, 0 or more, in place of its expression if it has one.
    pub fn set_weight(&mut self, weight: f64) {
        match &mut self.terms {
            Terms::Given(terms) => terms.weight = weight,
            Terms::Bound(terms) => terms.weight = Scalar::constant(weight),
        }
    }

    /// The objective, for changes between frames; `None` if it is of another type, and for a goal of a file, whose
    /// expressions are evaluated in each frame.
    pub fn objective_mut<O: Objective>(&mut self) -> Option<&mut O> {
        let objective: &mut dyn Any = self.objective.own()?;
        objective.downcast_mut()
    }

    /// The goal in this solve of a frame; `None` if it is not active or has weight 0.
    ///
    /// # Errors
    ///
    /// A weight or a time that is unusable.
    pub(crate) fn in_force(
        &mut self,
        values: &dyn Lookup,
        now: &Now<'_>,
    ) -> Result<Option<ActiveGoal<'_>>, BadValue> {
        let terms = match &self.terms {
            Terms::Given(terms) => terms.checked(),
            Terms::Bound(terms) => terms.evaluate(values, self.second.unwrap_or(now.scales.time())),
        };
        let terms = terms.map_err(|bad| bad_value(&self.label, bad, values.time()))?;
        let axes = if let Terms::Bound(terms) = &self.terms { terms.axes } else { None };
        let Some(GoalTerms { weight, form, hard, side }) = terms else { return Ok(None) };
        let Some(objective) = self.objective.evaluate(values, now) else { return Ok(None) };
        let (index, numbers, serving) = (self.index, &*self.numbers, &*self.serving);
        let label = &self.label;
        Ok(Some(ActiveGoal { index, numbers, objective, label, weight, form, hard, side, axes, serving }))
    }
}

/// The error of a goal with this label for a number, by name and value, with which no frame can be computed.
pub(crate) fn bad_value(label: &RowLabel, (what, value): (&'static str, f64), time: f64) -> BadValue {
    let place = Place { file: label.origin.file.clone(), line: label.origin.line };
    BadValue { what, objective: label.name.to_string(), place, value, time }
}

/// Units of a residual that a report names.
const DIRECT_UNIT: &str = "m or rad";
const UNIT: &str = "g or ω₀²";
