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
/// Its times (`response`, `debounce`, `state_time`) are seconds for a body whose centre of mass stands 0.93 m
/// high and scale with √(h/0.93); lengths are metres as they stand.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ControllerSpec {
    /// A line for people.
    pub title: Option<String>,
    /// Rules of `aplomb check` that may find something in this file without a word of it, by name
    /// (`aplomb list rules`).
    #[serde(default)]
    pub allow: Vec<Spanned<String>>,
    /// Name of the state a run begins in.
    pub start: Spanned<String>,
    /// What the scene has to have around the body.
    #[serde(default)]
    pub needs: NeedsSpec,
    /// Other controllers, as machines of their own, by the names that this file gives them.
    #[serde(default)]
    pub include: IndexMap<Spanned<String>, IncludeSpec>,
    /// Numbers and vectors that every expression of the file can use by name; the components of
    /// `v = [x, y, z]` are `v.x`, `v.y` and `v.z`.
    #[serde(default)]
    pub parameters: Parameters,
    /// Inputs: what events, programs and keys tell the controller while it runs, which every expression of
    /// the file can use by name.
    #[serde(default)]
    pub commands: IndexMap<Spanned<String>, CommandSpec>,
    /// Expressions of any type with a name (a vector as `"[x, y, z]"`), which every expression of the file
    /// can use by it, and the definitions below it. They are worth what they come to in the frame and state
    /// where they are used; the roles in them must have values there.
    #[serde(default)]
    pub define: IndexMap<Spanned<String>, ExpressionField>,
    /// Planners, whose results every expression of the file can use.
    #[serde(default)]
    pub planner: PlannerSpec,
    /// Objectives that hold in every state.
    #[serde(default)]
    pub objectives: Vec<ObjectiveEntry>,
    /// Parts of the body that do not pass through each other, in every state (a velocity damper).
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
    /// How many names the objectives of all states have, where a state's goals take over from others.
    #[serde(skip)]
    pub blended: usize,
}

/// One state.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateSpec {
    /// A sentence for people.
    pub doc: Option<String>,
    /// Entry condition and invariant at once: the state is entered through `to` only while it holds, and left
    /// when it ends.
    #[serde(rename = "while")]
    pub applicable: Option<ConditionField>,
    /// The state is done when this holds.
    #[serde(rename = "until")]
    pub done: Option<ConditionField>,
    /// How long `while` must have been false, or `until` true, before the state is left, s on the
    /// controller's clock.
    pub debounce: Option<Spanned<f64>>,
    /// Exits in order: the first state whose own `while` holds is entered.
    #[serde(default)]
    pub to: Vec<Spanned<String>>,
    /// The state that is entered when no exit is applicable.
    #[serde(rename = "else")]
    pub otherwise: Option<Spanned<String>>,
    /// An included machine, by its name in `include`, whose states are in this one: it begins in its start
    /// when this state is entered, and runs while this state lasts. Exits of this state are looked at before
    /// those of the states in it; its objectives hold besides theirs.
    pub machine: Option<Spanned<String>>,
    /// Weights of objectives grow or shrink smoothly, for so long after the state is entered, from those that
    /// objectives of the same name had in the state before, 0 where there was none, s on the controller's
    /// clock. At once where it is left out.
    pub blend_in: Option<Spanned<f64>>,
    /// Bindings evaluated when the state is entered: a name, and an expression of any type. A binding keeps
    /// its value in later states until one of them binds the name again.
    #[serde(default, rename = "let")]
    pub roles: IndexMap<Spanned<String>, ExpressionField>,
    /// Bindings evaluated in each frame of the state, in order, after `let` and before the state's
    /// conditions: each can use those above it, and its own value of the frame before where `let` or an
    /// earlier state has bound it. They keep their last values in later states; a target that is followed
    /// takes them to stand still.
    #[serde(default)]
    pub each_frame: IndexMap<Spanned<String>, ExpressionField>,
    /// Bodies whose contacts and grips, and their descendants', are given up: no force, no keeping in place.
    #[serde(default)]
    pub release: Vec<BodyField>,
    /// Bodies whose own contacts and grips are given up, and not those of what hangs below them: a foot
    /// without its toe.
    #[serde(default)]
    pub release_parts: Vec<BodyField>,
    /// They are given up only in frames where this holds, e.g. until a swing is well under way.
    pub release_while: Option<ConditionField>,
    /// Feet whose contacts behind the middle are given up, so that the heel can rise over the ball and the
    /// toes, which go on bearing.
    #[serde(default)]
    pub release_heels: Vec<BodyField>,
    /// Heels are given up only in frames where this holds.
    pub release_heels_while: Option<ConditionField>,
    /// How fast what is released gives up its load, m g/s on the controller's clock: the normal force on its
    /// contacts falls so from frame to frame, and they are given up when it is gone. 10 where it is left out,
    /// `inf` for at once. Grips are given up at once.
    pub release_rate: Option<Spanned<f64>>,
    /// How fast the load on a foot may change from frame to frame, m g/s on the controller's clock. What it
    /// changes beyond has a cost, 10 times its square in m g, so that landings and changes of state come as softly
    /// as the joints can make them: at 30 half of the weight comes on in 17 ms. No such cost where it is left out.
    pub load_rate: Option<Spanned<f64>>,
    /// Sites that take hold, and the holds they take, as soon as they are within reach of them. They hold on,
    /// in later states too, until they are released or break off. A site that holds something else lets it
    /// go.
    #[serde(default)]
    pub grip: IndexMap<Spanned<String>, HoldField>,
    /// Sites that stand on a hold: they push as friction allows, and do not pull.
    #[serde(default)]
    pub stand: IndexMap<Spanned<String>, HoldField>,
    /// What moves the joints: `torques`; `limp` for none, so that the body only hangs and falls; `ragdoll`
    /// for forward dynamics, with contacts on the whole body, under `damping` and `springs`.
    #[serde(default)]
    pub drive: Drive,
    /// Passive damping of the hinges and balls that have none in the body's file, N m s/rad. 0 where it is
    /// left out; only with `drive = "ragdoll"`.
    pub damping: Option<Spanned<f64>>,
    /// Springs at the joints of a ragdoll, towards a pose; only with `drive = "ragdoll"`.
    pub springs: Option<SpringsSpec>,
    /// Objectives that hold in this state.
    #[serde(default)]
    pub objectives: Vec<ObjectiveEntry>,
    /// The states that it is in, the outermost first.
    #[serde(skip)]
    pub within: Vec<String>,
}

/// A state that has the states of an included machine in it.
#[derive(Clone, Debug)]
pub struct Composite {
    /// `OUTER.NAME`, with where it is said.
    pub name: Spanned<String>,
    /// What it says itself; its objectives are among those of the states in it.
    pub state: StateSpec,
    /// The state in it that is entered with it.
    pub start: Spanned<String>,
    /// How many others it is in.
    pub depth: usize,
    /// The include whose states are in it, by the names that lead to it, joined by dots.
    pub machine: String,
}

/// Springs at the joints of a ragdoll: torques τ = k (q* − q − dt q̇) towards the angles q* of a pose, within the
/// body's torque limits.
#[doc(alias = "PD control")]
#[doc(alias = "muscle tone")]
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpringsSpec {
    /// k, N m/rad (N/m where a joint slides). With less damping than k dt in frames of length dt the joints are
    /// damped by 1.5 k dt.
    pub stiffness: Spanned<f64>,
    /// Where they pull to: joints and angles as those of an objective of kind `pose`.
    #[serde(default)]
    pub pose: PoseSpec,
}

/// What moves the joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Drive {
    /// Joint torques, as the frame's problem finds them.
    #[default]
    Torques,
    /// Nothing: joint torques are 0.
    Limp,
    /// Springs, where the state has any, or nothing: forward dynamics move the body on from the state it was in,
    /// without a frame's problem; it lets go of what it holds, and objectives count for nothing.
    Ragdoll,
}

/// An objective: the keys that all of them have.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObjectiveEntry {
    /// The name in reports and plots, and in `--set controller.states.STATE.objectives.NAME`.
    pub name: Spanned<String>,
    /// Weight on the squared dimensionless residual. Its form must show that it is 0 or more in every frame.
    pub weight: ScalarField,
    /// Response time T of the second-order form, ë = −2 ė/T − e/T² for the error e, s on the controller's
    /// clock; the one-step form, which removes the error in one frame, where it is left out.
    pub response: Option<ScalarField>,
    /// Time left until the target is to be reached, with no rate left, s on the controller's clock: the least
    /// acceleration that does it. From 2 × `response` before that on, the second-order form.
    pub time_to_go: Option<ScalarField>,
    /// For far targets, instead of `response`: the rate asked for is what would be there after this time at
    /// that rate, s on the controller's clock.
    pub horizon: Option<ScalarField>,
    /// Fastest approach on the `horizon`, m/s or rad/s; without limit where it is left out.
    pub fastest: Option<ScalarField>,
    /// The objective holds only in frames where this does.
    pub when: Option<ConditionField>,
    /// Whether it is active from the start; if not, an event of the scene can enable it.
    #[serde(default = "defaults::yes")]
    pub enabled: bool,
    /// An equality instead of a goal; with `side`, a limit.
    #[serde(default)]
    pub hard: bool,
    /// The target or more (`at_least`) costs nothing, or the target or less (`at_most`), of each of its
    /// numbers. Of `com_position`, `com_height`, `com_velocity`, `pose`, `body_point`, `contact_force`,
    /// `contact_wrench`, `centre_of_pressure`, `angular_momentum`, `object_position` and `object_velocity`.
    #[serde(default)]
    pub side: TargetSide,
    /// How much of the weight counts along x, y and z of the world. Of `com_position`, `com_velocity`,
    /// `body_point`, `body_orientation`, `contact_wrench`, `angular_momentum`, `object_position` and
    /// `object_velocity`.
    pub axes: Option<Spanned<[f64; 3]>>,
    /// The joints that may serve it: the others are taken to go on as they do, and nothing is asked of them.
    pub joints: Option<Vec<JointName>>,
    /// What is wanted.
    pub of: Spanned<ObjectiveSpec>,
    /// Keys that lead to it from the root of the controller, where it is not in the file itself or in a state
    /// there.
    #[serde(skip)]
    pub path: Option<String>,
    /// The number of its name among those of all states, and how long its weight takes to come from that of
    /// the state before, s on the controller's clock.
    #[serde(skip)]
    pub blend: Option<(usize, f64)>,
}

/// What all objectives have, bound to the names in reach.
#[derive(Clone, Debug)]
pub struct ObjectiveTerms {
    /// Name of the objective, for labels and traces.
    pub name: String,
    /// Weight of the squared residual, dimensionless.
    pub weight: Scalar,
    /// Response time of the second-order form, s.
    pub response: Option<Scalar>,
    /// Time to go until the error is to vanish, s.
    pub time_to_go: Option<Scalar>,
    /// Horizon over which the error is to vanish, s.
    pub horizon: Option<Scalar>,
    /// Shortest time over which the error may vanish, s.
    pub fastest: Option<Scalar>,
    /// Condition under which the objective is in force; `None` for always.
    pub when: Option<Condition>,
    /// Whether the objective is enabled before any event.
    pub enabled: bool,
    /// Whether it is an equality constraint rather than a cost.
    pub hard: bool,
    /// Which side of its target it keeps to.
    pub side: TargetSide,
    /// What its rows along x, y and z are multiplied by.
    pub axes: Option<[f64; 3]>,
    /// Where the objective's name stands.
    pub place: Place,
    /// See [`ObjectiveEntry::blend`].
    pub blend: Option<(usize, f64)>,
}

impl StateSpec {
    /// All bindings in the order of their evaluation: `let`, then `each_frame`.
    pub fn bindings(&self) -> impl Iterator<Item = (&Spanned<String>, &ExpressionField)> {
        self.roles.iter().chain(&self.each_frame)
    }

    /// Whether the state binds a name.
    pub fn binds(&self, name: &str) -> bool {
        self.roles.contains_key(name) || self.each_frame.contains_key(name)
    }
}

impl ObjectiveEntry {
    /// Binds everything but `of`. Refuses weights that are not sure to be 0 or more, for which the frame's
    /// problem would have no lowest cost, and constant responses that are not above 0.
    ///
    /// # Errors
    ///
    /// If a name is unknown, a type is wrong, or a value lies outside its range: the first such mistake.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<ObjectiveTerms, FileError> {
        let mut errors = Vec::new();
        let terms = self.bind_on(source, names, &mut errors);
        match errors.into_iter().next() {
            Some(error) => Err(error),
            None => {
                terms.ok_or_else(|| FileError::new(source, self.name.span(), "this objective cannot be read"))
            }
        }
    }

    /// [`bind`](ObjectiveEntry::bind) that goes on after a mistake: all of them go to `errors`, and there are
    /// terms where there was none.
    pub fn bind_on(
        &self,
        source: &Source,
        names: &dyn Names,
        errors: &mut Vec<FileError>,
    ) -> Option<ObjectiveTerms> {
        let before = errors.len();
        let mut told = |error: FileError| errors.push(error);
        let weight = self.weight.bind(source, names).map_err(&mut told).ok();
        if let Some(weight) = weight.as_ref().filter(|weight| !weight.range().is_never_negative()) {
            told(self.negative(weight, source));
        }
        let mut above = |field: &Option<ScalarField>, what: &str, help: &'static str| {
            let bound = positive(field, source, names, |value| (format!("{what}, not {value}"), help));
            bound.map_err(&mut told).ok().flatten()
        };
        let direct = ["leave `response` out for the direct form", "leave `horizon` out for the direct form"];
        let response = above(&self.response, "a response time must be more than 0 s", direct[0]);
        let horizon = above(&self.horizon, "a horizon must be more than 0 s", direct[1]);
        let fastest = above(&self.fastest, "`fastest` must be more than 0", "leave it out for no limit");
        self.check_horizon(source, &mut told);
        let time_to_go = self.time_to_go.as_ref().map(|field| field.bind(source, names));
        let time_to_go = time_to_go.transpose().map_err(&mut told).ok().flatten();
        if let (Some(field), None) = (&self.time_to_go, &self.response) {
            let message = "`time_to_go` needs a `response` for the last moments and what comes after";
            told(FileError::new(source, field.span(), message));
        }
        let when = self.when.as_ref().map(|field| field.bind(source, names));
        let when = when.transpose().map_err(&mut told).ok().flatten();
        self.check_shape(source, &mut told);
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
            enabled: self.enabled,
            hard: self.hard,
            side: self.side,
            axes: self.axes.as_ref().map(|axes| axes.get_ref().map(f64::sqrt)),
            place: source.place(self.name.span().start),
            blend: self.blend.filter(|(_, seconds)| *seconds > 0.0),
        })
    }
}

impl ObjectiveEntry {
    /// Refuses a horizon besides a response, and a speed limit without a horizon.
    fn check_horizon(&self, source: &Source, told: &mut impl FnMut(FileError)) {
        if let (Some(field), Some(_)) = (&self.horizon, &self.response) {
            let message = "an objective has a `response` or a `horizon`, not both";
            told(
                FileError::new(source, field.span(), message)
                    .help("`response` holds on to a target; `horizon` goes to a far one at a limited speed"),
            );
        }
        if let (Some(field), None) = (&self.fastest, &self.horizon) {
            let message = "`fastest` limits the approach of a `horizon`, and there is none";
            told(FileError::new(source, field.span(), message).help("add `horizon = 0.3`"));
        }
    }

    /// Refuses sides and axes of errors that have none.
    fn check_shape(&self, source: &Source, told: &mut impl FnMut(FileError)) {
        let of = self.of.get_ref();
        if self.joints.as_ref().is_some_and(Vec::is_empty) {
            let message = "no joint may serve it, so that it does nothing";
            told(
                FileError::new(source, self.name.span(), message).help("name joints, or leave `joints` out"),
            );
        }
        if self.side != TargetSide::Exactly && !of.has_sides() {
            let (kind, _) = of.statement(source);
            let message = format!("`{kind}` has no more and less, so that `side` means nothing");
            told(FileError::new(source, self.name.span(), message).help("leave `side` out"));
        }
        let Some(axes) = &self.axes else { return };
        if !of.has_axes() {
            let (kind, _) = of.statement(source);
            let message = format!("the error of `{kind}` has no components along x, y and z");
            told(FileError::new(source, axes.span(), message).help("leave `axes` out"));
        }
        if axes.get_ref().iter().any(|share| !(share.is_finite() && *share >= 0.0)) {
            told(FileError::new(source, axes.span(), "shares of a weight must be 0 or more"));
        } else if axes.get_ref().iter().all(|share| *share == 0.0) {
            told(FileError::new(source, axes.span(), "no axis counts, so that it does nothing"));
        }
    }
}

/// A number that must be more than 0 where it is the same in every frame; `wrong` says so.
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
    /// What is said about a weight that is or may be below 0.
    fn negative(&self, weight: &Scalar, source: &Source) -> FileError {
        let at = |message: &str| FileError::new(source, self.weight.span(), message);
        if !weight.is_keyframed() && weight.range().most >= 0.0 {
            at("a weight must be 0 or more, and this one may be less")
                .label("nothing keeps it from being negative")
                .help(format!("wrap it: `max(0, {})`", weight.text()))
        } else {
            at("a weight must be 0 or more")
                .help("to push away from something, give the objective a target on the other side")
        }
    }
}

mod defaults {
    pub(super) fn yes() -> bool {
        true
    }
}
