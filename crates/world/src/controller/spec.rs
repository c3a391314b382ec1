//! The contents of a controller file.

use super::commands::CommandSpec;
use super::include::IncludeSpec;
use super::needs::NeedsSpec;
use super::parameters::Parameters;
use super::planner::PlannerSpec;
use aplomb_control::constraint::CollisionAvoidance;
use aplomb_control::objective::PoseSpec;
use aplomb_control::objective::{JointName, ObjectiveSpec, TargetSide};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Place, Source};
use aplomb_language::expression::{
    BodyField, Condition, ConditionField, ExpressionField, HoldField, Names, Scalar, ScalarField,
};
use indexmap::IndexMap;
use serde::Deserialize;

/// A controller: `controllers/*.toml`.
///
/// Times (`response`, `debounce`, `state_time`) are in seconds for a body whose centre of mass is 0.93 m
/// high, and scale with √(h/0.93) for other bodies; lengths are in metres and do not scale.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ControllerSpec {
    /// Title for readers.
    pub title: Option<String>,
    /// Names of rules of `aplomb check` (`aplomb list rules`) whose findings in this file are suppressed.
    #[serde(default)]
    pub allow: Vec<Spanned<String>>,
    /// Name of the initial state.
    pub start: Spanned<String>,
    /// Contents that the scene must have.
    #[serde(default)]
    pub needs: NeedsSpec,
    /// Included controllers, as separate state machines, by the names that this file gives them.
    #[serde(default)]
    pub(crate) include: IndexMap<Spanned<String>, IncludeSpec>,
    /// Numbers and vectors that every expression of the file can use by name; `v = [x, y, z]` has the
    /// components `v.x`, `v.y` and `v.z`.
    #[serde(default)]
    pub parameters: Parameters,
    /// Inputs that events, programs and keys can set while the controller runs, and that every expression of
    /// the file can use by name.
    #[serde(default)]
    pub commands: IndexMap<Spanned<String>, CommandSpec>,
    /// Named expressions of any type (a vector as `"[x, y, z]"`), which every expression of the file and
    /// later definitions can use by name. They are evaluated in the frame and state where they are used;
    /// roles in them must have values there.
    #[serde(default)]
    pub define: IndexMap<Spanned<String>, ExpressionField>,
    /// Planners, whose outputs every expression of the file can use.
    #[serde(default)]
    pub planner: PlannerSpec,
    /// Objectives of every state.
    #[serde(default)]
    pub objectives: Vec<ObjectiveEntry>,
    /// Collision avoidance between parts of the body, in every state (a velocity damper).
    #[serde(default)]
    pub collision_avoidance: Vec<CollisionAvoidance>,
    /// States in the order of the file.
    #[serde(default)]
    pub states: IndexMap<Spanned<String>, StateSpec>,
    /// States that have others in them, by name; none of them is among `states`.
    #[serde(skip)]
    pub composites: IndexMap<String, Composite>,
    /// Commands of included files that the including file sets, by name: definitions, among `define`,
    /// which may use any other, and not among `commands`.
    #[serde(skip)]
    pub driven: IndexMap<String, CommandSpec>,
    /// Planners of included files, each with what its names begin with.
    #[serde(skip)]
    pub planners: Vec<(String, PlannerSpec)>,
    /// Number of names of the objectives of all states, if a state's goals continue from others.
    #[serde(skip)]
    pub(crate) blended: usize,
}

/// One state.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateSpec {
    /// A sentence for readers.
    pub doc: Option<String>,
    /// Both entry condition and invariant: the state can be entered through `to` only while it holds, and is
    /// left when it no longer holds.
    #[serde(rename = "while")]
    pub applicable: Option<ConditionField>,
    /// The state is left when this condition holds.
    #[serde(rename = "until")]
    pub done: Option<ConditionField>,
    /// How long `while` must have been false, or `until` true, before the state is left, s on the
    /// controller's clock.
    pub debounce: Option<Spanned<f64>>,
    /// Exits, in order: the first state whose `while` holds is entered.
    #[serde(default)]
    pub to: Vec<Spanned<String>>,
    /// The state that is entered when no exit is applicable.
    #[serde(rename = "else")]
    pub otherwise: Option<Spanned<String>>,
    /// Name in `include` of a machine that runs inside this state: it starts in its initial state when this
    /// state is entered, and runs while this state lasts. Exits of this state are checked before those of the
    /// inner states; its objectives apply in addition to theirs.
    pub(crate) machine: Option<Spanned<String>>,
    /// Time after entry over which the weights of objectives change smoothly from those of the objectives of
    /// the same name in the previous state (0 if there was none), s on the controller's clock. Default: at
    /// once.
    pub blend_in: Option<Spanned<f64>>,
    /// Bindings evaluated when the state is entered: a name and an expression of any type. A binding keeps
    /// its value in later states until the name is bound again.
    #[serde(default, rename = "let")]
    pub(crate) roles: IndexMap<Spanned<String>, ExpressionField>,
    /// Bindings evaluated in each frame of the state, in order, after `let` and before the state's
    /// conditions. Each can use earlier ones, and its own value of the previous frame if `let` or an earlier
    /// state has bound it. They keep their last values in later states; `follow` treats them as constant.
    #[serde(default)]
    pub(crate) each_frame: IndexMap<Spanned<String>, ExpressionField>,
    /// Bodies whose contacts and grips, including those of their descendants, are released: they have no
    /// force and are not held in place.
    #[serde(default)]
    pub release: Vec<BodyField>,
    /// Bodies whose own contacts and grips are released, without those of their descendants: a foot without
    /// its toe.
    #[serde(default)]
    pub release_parts: Vec<BodyField>,
    /// They are released only in frames where this condition holds, e.g. in the first part of a swing.
    pub release_while: Option<ConditionField>,
    /// Feet whose contacts behind the middle are released, so that the heel can rise while ball and toes stay
    /// loaded.
    #[serde(default)]
    pub(crate) release_heels: Vec<BodyField>,
    /// Heels are released only in frames where this condition holds.
    pub release_heels_while: Option<ConditionField>,
    /// Rate at which released contacts are unloaded, m g/s on the controller's clock: their normal force
    /// decreases at this rate, and they are released when it is zero. Default: 10; `inf` releases them at
    /// once. Grips are always released at once.
    pub(crate) release_rate: Option<Spanned<f64>>,
    /// Rate at which the load on a foot can change without cost, m g/s on the controller's clock. The excess
    /// per frame has a cost of 10 times its square in m g, which softens landings and changes of state: at
    /// 30, half of the weight is loaded in 17 ms. Default: no such cost.
    pub(crate) load_rate: Option<Spanned<f64>>,
    /// Sites that grip, and the holds that they grip as soon as these are within reach. A grip lasts, in
    /// later states as well, until it is released or breaks. A site that grips another hold releases it.
    #[serde(default)]
    pub grip: IndexMap<Spanned<String>, HoldField>,
    /// Sites that stand on a hold: they push within the friction cone and do not pull.
    #[serde(default)]
    pub stand: IndexMap<Spanned<String>, HoldField>,
    /// Actuation of the joints: `torques`; `limp` for zero joint torques in the frame's problem; `ragdoll`
    /// for forward dynamics, with contacts on the whole body, under `damping` and `springs`.
    #[serde(default)]
    pub drive: Drive,
    /// Passive damping of the hinges and balls that have none in the body's file, N m s/rad. Default: 0; only
    /// with `drive = "ragdoll"`.
    pub(crate) damping: Option<Spanned<f64>>,
    /// Springs at the joints of a ragdoll, towards a pose; only with `drive = "ragdoll"`.
    pub springs: Option<SpringsSpec>,
    /// Objectives of this state.
    #[serde(default)]
    pub objectives: Vec<ObjectiveEntry>,
    /// States that contain it, the outermost first.
    #[serde(skip)]
    pub within: Vec<String>,
}

/// A state that contains the states of an included machine.
#[derive(Clone, Debug)]
pub struct Composite {
    /// Name `OUTER.NAME`, with its place.
    pub name: Spanned<String>,
    /// Specification of the state; its objectives are included in those of its inner states.
    pub state: StateSpec,
    /// Inner state that is entered with it.
    pub start: Spanned<String>,
    /// Number of composite states that contain it.
    pub(crate) depth: usize,
    /// The include whose states it contains, by the names that lead to it, joined by dots.
    pub(crate) machine: String,
}

/// Springs at the joints of a ragdoll: torques τ = k (q* − q − dt q̇) towards the angles q* of a pose, within the
/// body's torque limits.
#[doc(alias = "PD control")]
#[doc(alias = "muscle tone")]
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpringsSpec {
    /// Stiffness k, N m/rad (N/m for a slide). If a joint's damping is below k dt, with frame length dt, it
    /// is damped by 1.5 k dt.
    pub(crate) stiffness: Spanned<f64>,
    /// Target pose: joints and angles as in an objective of kind `pose`.
    #[serde(default)]
    pub pose: PoseSpec,
}

/// Actuation of the joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Drive {
    /// Joint torques from the frame's QP.
    #[default]
    Torques,
    /// None: joint torques are 0.
    Limp,
    /// Only the state's `springs`, if any: the body moves by forward dynamics instead of a frame's QP; its
    /// grips are released, and objectives have no effect.
    Ragdoll,
}

/// An objective: the keys common to all kinds.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObjectiveEntry {
    /// Name in reports and plots, and in `--set controller.states.STATE.objectives.NAME`.
    pub name: Spanned<String>,
    /// Weight on the squared dimensionless residual. It must be evident from the expression that it is never
    /// negative.
    pub weight: ScalarField,
    /// Response time T of the second-order form, ë = −2 ė/T − e/T² for the error e, s on the controller's
    /// clock. Default: the one-step form, which removes the error in one frame.
    pub response: Option<ScalarField>,
    /// Time to go until the target is reached at rest, s on the controller's clock, with the least
    /// acceleration. In the last 2 × `response`, the second-order form applies.
    pub time_to_go: Option<ScalarField>,
    /// For distant targets, instead of `response`: the target rate is the error divided by this time, s on
    /// the controller's clock.
    pub horizon: Option<ScalarField>,
    /// Largest target rate with `horizon`, m/s or rad/s; default: unlimited.
    pub(crate) fastest: Option<ScalarField>,
    /// The objective is active only in frames where this condition holds.
    pub when: Option<ConditionField>,
    /// Whether it is active from the start; if not, an event of the scene can enable it.
    #[serde(default = "defaults::yes")]
    pub enabled: Spanned<bool>,
    /// Whether it is a constraint instead of a goal: an equality, or with `side` an inequality.
    #[serde(default)]
    pub hard: bool,
    /// One-sided target, for each component: no cost above the target (`at_least`) or below it (`at_most`).
    /// For `com_position`, `com_height`, `com_velocity`, `pose`, `body_point`, `contact_force`,
    /// `contact_wrench`, `centre_of_pressure`, `angular_momentum`, `object_position` and `object_velocity`.
    #[serde(default)]
    pub side: TargetSide,
    /// Factors on the weight along world x, y and z. For `com_position`, `com_velocity`, `body_point`,
    /// `body_orientation`, `contact_wrench`, `angular_momentum`, `object_position`, `object_orientation` and
    /// `object_velocity`.
    pub axes: Option<Spanned<[f64; 3]>>,
    /// Joints that contribute to the objective; the others are assumed to continue as they move.
    pub joints: Option<Vec<JointName>>,
    /// Kind of objective and its keys.
    pub of: Spanned<ObjectiveSpec>,
    /// Keys that lead to it from the root of the controller, if it is not in the file itself or in a state there.
    #[serde(skip)]
    pub(crate) path: Option<String>,
    /// Number of its name among those of all states, and the time over which its weight changes from that of the
    /// previous state, s on the controller's clock.
    #[serde(skip)]
    pub(crate) blend: Option<(usize, f64)>,
}

/// The keys common to all objectives, bound to the names in scope.
#[derive(Clone, Debug)]
pub(crate) struct ObjectiveTerms {
    /// Name of the objective, for labels and traces.
    pub(crate) name: String,
    /// Weight of the squared residual, dimensionless.
    pub(crate) weight: Scalar,
    /// Response time of the second-order form, s.
    pub(crate) response: Option<Scalar>,
    /// Time to go until the target is reached at rest, s.
    pub(crate) time_to_go: Option<Scalar>,
    /// Time by which the error is divided to give the target rate, s.
    pub(crate) horizon: Option<Scalar>,
    /// Largest target rate with `horizon`, m/s or rad/s.
    pub(crate) fastest: Option<Scalar>,
    /// Condition under which the objective is active; `None` for always.
    pub(crate) when: Option<Condition>,
    /// Whether the objective is enabled before any event.
    pub(crate) enabled: bool,
    /// Whether it is an equality constraint rather than a cost.
    pub(crate) hard: bool,
    /// The side of its target that has a cost.
    pub(crate) side: TargetSide,
    /// Factors on its rows along x, y and z: square roots of the factors on the weight.
    pub(crate) axes: Option<[f64; 3]>,
    /// Place of the objective's name.
    pub(crate) place: Place,
    /// See [`ObjectiveEntry::blend`].
    pub(crate) blend: Option<(usize, f64)>,
}

impl StateSpec {
    /// All bindings in the order of their evaluation: `let`, then `each_frame`.
    pub fn bindings(&self) -> impl Iterator<Item = (&Spanned<String>, &ExpressionField)> {
        self.roles.iter().chain(&self.each_frame)
    }

    /// Whether the state binds a name.
    pub(crate) fn binds(&self, name: &str) -> bool {
        self.roles.contains_key(name) || self.each_frame.contains_key(name)
    }
}

impl ObjectiveEntry {
    /// Binds all keys except `of`. Rejects weights that can be negative, for which the frame's problem would be
    /// unbounded below, and constant response times that are not positive.
    ///
    /// # Errors
    ///
    /// If a name is unknown, a type is wrong, or a value lies outside its range: the first such error.
    #[cfg(test)]
    pub(crate) fn bind(&self, source: &Source, names: &dyn Names) -> Result<ObjectiveTerms, FileError> {
        let mut errors = Vec::new();
        let terms = self.bind_on(source, names, &mut errors);
        match errors.into_iter().next() {
            Some(error) => Err(error),
            None => {
                terms.ok_or_else(|| FileError::new(source, self.name.span(), "this objective cannot be read"))
            }
        }
    }

    /// `bind` that continues after an error: all errors are appended to `errors`, and the terms are returned if there
    /// were none.
    pub(crate) fn bind_on(
        &self,
        source: &Source,
        names: &dyn Names,
        errors: &mut Vec<FileError>,
    ) -> Option<ObjectiveTerms> {
        let before = errors.len();
        let mut report = |error: FileError| errors.push(error);
        let weight = self.weight.bind(source, names).map_err(&mut report).ok();
        if let Some(weight) = weight.as_ref().filter(|weight| !weight.range().is_never_negative()) {
            report(self.negative(weight, source));
        }
        let mut above = |field: &Option<ScalarField>, what: &str, help: &'static str| {
            let bound = positive(field, source, names, |value| (format!("{what}, not {value}"), help));
            bound.map_err(&mut report).ok().flatten()
        };
        let direct = ["remove `response` for the one-step form", "remove `horizon` for the one-step form"];
        let response = above(&self.response, "a response time must be more than 0 s", direct[0]);
        let horizon = above(&self.horizon, "a horizon must be more than 0 s", direct[1]);
        let fastest = above(&self.fastest, "`fastest` must be more than 0", "leave it out for no limit");
        self.check(source, &mut report);
        let time_to_go = self.time_to_go.as_ref().map(|field| field.bind(source, names));
        let time_to_go = time_to_go.transpose().map_err(&mut report).ok().flatten();
        let when = self.when.as_ref().map(|field| field.bind(source, names));
        let when = when.transpose().map_err(&mut report).ok().flatten();
        if errors.len() > before {
            return None;
        }
        Some(ObjectiveTerms {
            name: self.name.get_ref().clone(),
            weight: weight?,
            response,
            time_to_go,
            horizon,
            fastest,
            when,
            enabled: *self.enabled.get_ref(),
            hard: self.hard,
            side: self.side,
            axes: self.axes.as_ref().map(|axes| axes.get_ref().map(f64::sqrt)),
            place: source.place(self.name.span().start),
            blend: self.blend.filter(|(_, seconds)| *seconds > 0.0),
        })
    }
}

impl ObjectiveEntry {
    /// Rejects keys that exclude or need each other, and keys that its kind does not have.
    pub(super) fn check(&self, source: &Source, report: &mut impl FnMut(FileError)) {
        self.check_horizon(source, report);
        if let (Some(field), None) = (&self.time_to_go, &self.response) {
            let message = "`time_to_go` needs a `response` for the last moments and what comes after";
            report(FileError::new(source, field.span(), message));
        }
        self.check_shape(source, report);
    }

    /// Rejects a horizon together with a response, and a speed limit without a horizon.
    fn check_horizon(&self, source: &Source, report: &mut impl FnMut(FileError)) {
        if let (Some(field), Some(_)) = (&self.horizon, &self.response) {
            let message = "an objective has a `response` or a `horizon`, not both";
            report(FileError::new(source, field.span(), message).help(
                "use `response` to track a target, `horizon` to approach a distant one at a limited speed",
            ));
        }
        if let (Some(field), None) = (&self.fastest, &self.horizon) {
            let message = "`fastest` needs a `horizon`";
            report(FileError::new(source, field.span(), message).help("add `horizon = 0.3`"));
        }
    }

    /// Rejects an empty list of joints, a side or axes for a kind of error without them, and invalid factors.
    fn check_shape(&self, source: &Source, report: &mut impl FnMut(FileError)) {
        let of = self.of.get_ref();
        if self.joints.as_ref().is_some_and(Vec::is_empty) {
            let message = "it lists no joints, so it has no effect";
            report(FileError::new(source, self.name.span(), message).help("name joints, or remove `joints`"));
        }
        if self.side != TargetSide::Exactly && !of.has_sides() {
            let (kind, _) = of.statement(source);
            let message = format!("`side` has no meaning for `{kind}`");
            report(FileError::new(source, self.name.span(), message).help("leave `side` out"));
        }
        let Some(axes) = &self.axes else { return };
        if !of.has_axes() {
            let (kind, _) = of.statement(source);
            let message = format!("the error of `{kind}` has no components along x, y and z");
            report(FileError::new(source, axes.span(), message).help("leave `axes` out"));
        }
        if axes.get_ref().iter().any(|share| !(share.is_finite() && *share >= 0.0)) {
            report(FileError::new(source, axes.span(), "factors on the weight must be 0 or more"));
        } else if axes.get_ref().iter().all(|share| *share == 0.0) {
            report(FileError::new(source, axes.span(), "all factors are 0, so it has no effect"));
        }
    }
}

/// A number that must be positive if it is the same in every frame; otherwise the error is `wrong`.
fn positive(
    field: &Option<ScalarField>,
    source: &Source,
    names: &dyn Names,
    wrong: impl Fn(f64) -> (String, &'static str),
) -> Result<Option<Scalar>, FileError> {
    let Some(field) = field else { return Ok(None) };
    let bound = field.bind(source, names)?;
    if let Some(value) = bound.fixed().filter(|value| *value <= 0.0) {
        let (message, help) = wrong(value);
        return Err(FileError::new(source, field.span(), message).help(help));
    }
    Ok(Some(bound))
}

impl ObjectiveEntry {
    /// The error of a weight that is or can be negative.
    fn negative(&self, weight: &Scalar, source: &Source) -> FileError {
        let at = |message: &str| FileError::new(source, self.weight.span(), message);
        if !weight.is_keyframed() && weight.range().most >= 0.0 {
            at("a weight must be 0 or more, and this expression can be negative")
                .label("nothing keeps it from being negative")
                .help(format!("wrap it: `max(0, {})`", weight.text()))
        } else {
            at("a weight must be 0 or more")
                .help("to push away from something, give the objective a target on the other side")
        }
    }
}

mod defaults {
    use aplomb_language::Spanned;

    pub(super) fn yes() -> Spanned<bool> {
        Spanned::new(0..0, true)
    }
}
