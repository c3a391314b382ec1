//! The context of lint rules: a controller with a body, a scene, and the meanings of their names.

use aplomb_body::model::scales::Scales;
use aplomb_body::model::{JointKind, Model};
use aplomb_control::objective::{Statement, TargetSide};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{
    ExpressionField, Facts, Interpretation, Interval, Meaning, Names, Syntax, SyntaxNode, Type, Unit, Units,
    Value, WrittenForm, WrittenValue, interval, parse_expression, term_range,
};
use aplomb_language::namespace::is_state_time;
use aplomb_scene::SceneSpec;
use aplomb_world::controller::quantity::{ModelNames, list};
use aplomb_world::controller::reads;
use aplomb_world::controller::{CommandSpec, ControllerSpec, ObjectiveEntry, PlannerSpec, StateSpec};
use std::cell::RefCell;
use std::collections::HashMap;

/// A file in its context.
#[doc(alias = "lint context")]
pub(crate) struct LintContext<'a> {
    /// The controller, or that of the scene's character.
    pub(crate) controller: Option<LintedController<'a>>,
    /// The scene.
    pub(crate) scene: Option<LintedScene<'a>>,
    /// Name of the character in the scene.
    pub(crate) character: Option<&'a str>,
    /// Model of the character.
    pub(crate) model: &'a Model,
    /// Length of a frame, s.
    pub(crate) dt: f64,
}

/// A scene.
pub(crate) struct LintedScene<'a> {
    /// Its specification.
    pub(crate) spec: &'a SceneSpec,
    /// Its text.
    pub(crate) source: &'a Source,
}

/// A controller.
pub(crate) struct LintedController<'a> {
    /// Its specification.
    pub(crate) spec: &'a ControllerSpec,
    /// Its text.
    pub(crate) source: &'a Source,
    /// Every expression and name outside definitions, bindings and planners.
    pub(crate) uses: Vec<WrittenValue>,
    /// Expressions of the planners.
    pub(crate) planned: Vec<WrittenValue>,
    /// The definitions.
    pub(crate) definitions: Vec<(&'a Spanned<String>, WrittenValue)>,
    /// The bindings of all states.
    pub(crate) bindings: Vec<(&'a Spanned<String>, WrittenValue)>,
}

/// An objective with its kind.
pub(crate) struct LintedObjective<'a> {
    /// Keys that all objectives have.
    pub(crate) entry: &'a ObjectiveEntry,
    /// Kind: `com_height`, …
    pub(crate) kind: &'static str,
    /// Keys of its kind.
    pub(crate) says: Statement,
}

impl<'a> LintedController<'a> {
    /// A controller whose text is `source`.
    pub(crate) fn new(spec: &'a ControllerSpec, source: &'a Source) -> Self {
        let of = |(name, field): (&'a Spanned<String>, &'a ExpressionField)| (name, field.written_as(source));
        let definitions = spec.define.iter().map(of).collect();
        let all = spec.composites.values().map(|composite| &composite.state).chain(spec.states.values());
        let bindings = all.flat_map(StateSpec::bindings).map(of).collect();
        let bare =
            LintedController { spec, source, uses: Vec::new(), planned: Vec::new(), definitions, bindings };
        let (uses, planned) = (bare.read_uses(), bare.read_planned());
        LintedController { uses, planned, ..bare }
    }

    /// States by name, in the order of the file.
    pub(crate) fn states(&self) -> impl Iterator<Item = (&'a Spanned<String>, &'a StateSpec)> {
        self.spec.states.iter()
    }

    /// A state by its name; for one with inner states, only its own contents.
    pub(crate) fn state(&self, name: &Spanned<String>) -> Option<&'a StateSpec> {
        let composite = || Some(&self.spec.composites.get(name.get_ref())?.state);
        self.spec.states.get(name.get_ref().as_str()).or_else(composite)
    }

    /// All objectives, those of every state first.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &'a ObjectiveEntry> {
        let own = self.spec.states.values().flat_map(|state| &state.objectives);
        self.spec.objectives.iter().chain(own)
    }

    /// The contents of the objectives that are active in a state.
    pub(crate) fn wanted(&self, state: &'a StateSpec) -> Vec<LintedObjective<'a>> {
        self.spec.objectives.iter().chain(&state.objectives).map(|entry| self.says(entry)).collect()
    }

    /// The contents of an objective.
    pub(crate) fn says(&self, entry: &'a ObjectiveEntry) -> LintedObjective<'a> {
        let (kind, mut says) = entry.of.get_ref().statement(self.source);
        // Two of these can hold at once.
        if entry.side != TargetSide::Exactly || entry.joints.is_some() || entry.axes.is_some() {
            says.about = None;
        }
        LintedObjective { entry, kind, says }
    }

    /// The angles to which springs of ragdolls pull, by joint.
    pub(crate) fn spring_angles(&self) -> impl Iterator<Item = (Spanned<String>, WrittenValue)> {
        let springs = self.spec.states.values().filter_map(|state| state.springs.as_ref());
        springs.flat_map(|springs| springs.pose.statement(self.source).angles)
    }

    /// A condition as written.
    pub(crate) fn condition(
        &self,
        field: &Option<aplomb_language::expression::ConditionField>,
    ) -> Option<WrittenValue> {
        Some(field.as_ref()?.written_as(self.source))
    }

    /// Every condition of the file.
    pub(crate) fn conditions(&self) -> Vec<WrittenValue> {
        let source = self.source;
        let mut all = Vec::new();
        let composites = self.spec.composites.values().map(|composite| &composite.state);
        for state in self.spec.states.values().chain(composites) {
            let fields = [&state.applicable, &state.done, &state.release_while, &state.release_heels_while];
            all.extend(fields.into_iter().flatten().map(|field| field.written_as(source)));
        }
        for entry in self.entries() {
            all.extend(entry.when.as_ref().map(|field| field.written_as(source)));
        }
        for kept in &self.spec.collision_avoidance {
            all.extend(kept.when.as_ref().map(|field| field.written_as(source)));
        }
        all
    }

    fn read_uses(&self) -> Vec<WrittenValue> {
        let ControllerSpec { states, composites, objectives, collision_avoidance, .. } = self.spec;
        let levels = states.values().chain(composites.values().map(|composite| &composite.state));
        let of_levels = levels.flat_map(|state| reads::of_level(state, self.source));
        let of_states = states.values().flat_map(|state| reads::of_state(state, self.source));
        let entries = objectives.iter().flat_map(|entry| reads::of_objective(entry, self.source));
        let kept = collision_avoidance.iter().flat_map(|kept| reads::of_collisions(kept, self.source));
        of_levels.chain(of_states).chain(entries).chain(kept).collect()
    }

    fn read_planned(&self) -> Vec<WrittenValue> {
        let planners = self.planners().flat_map(|(_, planner)| reads::of_planner(planner, self.source));
        planners.flat_map(|(_, written)| written).collect()
    }

    /// The planners of the file and of those that it includes, with the prefixes of their names.
    pub(crate) fn planners(&self) -> impl Iterator<Item = (String, &'a PlannerSpec)> {
        let included = self.spec.planners.iter().map(|(prefix, planner)| (format!("{prefix}."), planner));
        std::iter::once((String::new(), &self.spec.planner)).chain(included)
    }

    /// Every expression of the file, with its parts.
    pub(crate) fn expressions(&self) -> Vec<&WrittenValue> {
        let defined = self.definitions.iter().chain(&self.bindings).map(|(_, written)| written);
        let whole = self.uses.iter().chain(&self.planned).chain(defined);
        whole.flat_map(|written| written.parts()).collect()
    }
}

impl<'a> LintContext<'a> {
    /// Meanings of names.
    pub(super) fn lexicon(&self) -> Lexicon<'_> {
        Lexicon {
            controller: self.controller.as_ref(),
            model: self.model,
            duration: self.scene.as_ref().map_or(f64::INFINITY, |scene| *scene.spec.duration.get_ref()),
            changed: self.changed_parameters(),
            knows_commands: false,
            units: RefCell::default(),
            ranges: RefCell::default(),
        }
    }

    /// The lexicon with the ranges of commands.
    pub(super) fn lexicon_with_commands(&self) -> Lexicon<'_> {
        Lexicon { knows_commands: true, ..self.lexicon() }
    }

    /// Parameters of the controller to which events of the scene give other values.
    fn changed_parameters(&self) -> Vec<&str> {
        let events = self.scene.iter().flat_map(|scene| scene.spec.events.values());
        let paths = events.filter_map(|event| event.path.as_ref());
        paths.filter_map(|path| path.get_ref().strip_prefix("parameters.")?.split('.').next()).collect()
    }

    /// The value, if it is the same in every frame.
    pub(crate) fn fixed(&self, written: &WrittenValue) -> Option<f64> {
        let range = self.range(written);
        (range.least == range.most).then_some(range.least)
    }

    /// Between which numbers the value stays.
    pub(crate) fn range(&self, written: &WrittenValue) -> Interval {
        match &written.said {
            WrittenForm::Number(value) => Interval::of(*value),
            WrittenForm::Expression(node) => {
                let lexicon = self.lexicon();
                let (form, sum) = (lexicon.range(node), term_range(node, Interpretation::new(&lexicon)));
                Interval::new(form.least.max(sum.least), form.most.min(sum.most))
            }
            WrittenForm::Keyframes { values, .. } if !values.is_empty() => {
                let all = values.iter().flatten().map(|value| Interval::of(*value));
                all.reduce(Interval::join).unwrap_or(Interval::ANY)
            }
            _ => Interval::ANY,
        }
    }

    /// The values of a literal vector: one, or those of its keyframes. Empty if they are unknown.
    pub(crate) fn points(&self, written: &WrittenValue) -> Vec<[f64; 3]> {
        let three = |values: Vec<f64>| <[f64; 3]>::try_from(values).ok();
        match &written.said {
            WrittenForm::List(parts) => {
                let values: Option<Vec<f64>> = parts.iter().map(|part| self.fixed(part)).collect();
                values.and_then(three).into_iter().collect()
            }
            WrittenForm::Keyframes { values, .. } => {
                values.iter().filter_map(|value| three(value.clone())).collect()
            }
            WrittenForm::Expression(SyntaxNode { syntax: Syntax::Vector(parts), .. }) => {
                let lexicon = self.lexicon();
                let value = |node: &SyntaxNode| {
                    let range = lexicon.range(node);
                    (range.least == range.most).then_some(range.least)
                };
                let values: Option<Vec<f64>> = parts.iter().map(value).collect();
                values.and_then(three).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The meanings of names for static analysis.
pub(super) struct Lexicon<'a> {
    controller: Option<&'a LintedController<'a>>,
    model: &'a Model,
    /// Duration of the run, s.
    duration: f64,
    /// Parameters whose values change later.
    changed: Vec<&'a str>,
    /// Whether the ranges of commands are facts.
    knows_commands: bool,
    /// For definitions and roles, each computed once; one that uses itself while it is computed has none.
    units: RefCell<HashMap<String, Option<Unit>>>,
    /// Ranges of definitions, in the same way.
    ranges: RefCell<HashMap<String, Interval>>,
}

impl Lexicon<'_> {
    fn spec(&self) -> Option<&ControllerSpec> {
        self.controller.map(|controller| controller.spec)
    }

    /// The expression of a definition, or of a command that another file sets.
    fn definition(&self, name: &str) -> Option<SyntaxNode> {
        // The value that another file sets for a command is clamped.
        let controller = self.controller.filter(|_| self.range_of_command(name).is_none())?;
        let (_, written) = controller.definitions.iter().find(|(own, _)| own.get_ref() == name)?;
        match &written.said {
            WrittenForm::Expression(node) => Some(node.clone()),
            WrittenForm::Number(value) => parse_expression(&format!("{value}")),
            WrittenForm::Boolean(value) => parse_expression(&format!("{value}")),
            _ => None,
        }
    }

    /// The unit of a definition or a role: each is computed once, so that the time is linear in the length of
    /// chains.
    fn unit_of_name(&self, name: &str) -> Option<Unit> {
        if let Some(known) = self.units.borrow().get(name) {
            return *known;
        }
        self.units.borrow_mut().insert(name.to_owned(), None);
        let unit = match self.definition(name) {
            Some(node) => Unit::infer(&node, self).0,
            None => self.role_unit(name),
        };
        self.units.borrow_mut().insert(name.to_owned(), unit);
        unit
    }

    /// The range of a definition.
    fn range_of_name(&self, name: &str, node: &SyntaxNode) -> Interval {
        if let Some(known) = self.ranges.borrow().get(name) {
            return *known;
        }
        self.ranges.borrow_mut().insert(name.to_owned(), Interval::ANY);
        let range = interval(node, self);
        self.ranges.borrow_mut().insert(name.to_owned(), range);
        range
    }

    /// The command of this name, or whose component it is.
    pub(super) fn command(&self, name: &str) -> Option<&CommandSpec> {
        let spec = self.spec()?;
        let command = |name: &str| spec.commands.get(name).or_else(|| spec.driven.get(name));
        let of_vector = || [".x", ".y", ".z"].into_iter().find_map(|axis| command(name.strip_suffix(axis)?));
        command(name).or_else(of_vector)
    }

    /// The range of a command, or of a component of a vector command: it is clamped to its range.
    fn range_of_command(&self, name: &str) -> Option<Interval> {
        let command = self.command(name).filter(|_| self.knows_commands)?;
        let [least, most] = *command.range.as_ref()?.get_ref();
        Some(Interval::new(least, most))
    }

    fn of_body(&self, name: &str) -> Option<f64> {
        let scales = || Scales::new(self.model, 0.01);
        match name {
            "standing_height" => Some(scales().height),
            "mass" => Some(scales().mass),
            "weight" => Some(scales().weight()),
            _ => None,
        }
    }

    fn role_unit(&self, name: &str) -> Option<Unit> {
        let bindings = self.controller?.bindings.iter().filter(|(role, _)| role.get_ref() == name);
        let units: Vec<Option<Unit>> = bindings
            .map(|(_, written)| written.expression().and_then(|node| Unit::infer(node, self).0))
            .collect();
        let first = (*units.first()?)?;
        units.iter().all(|unit| *unit == Some(first)).then_some(first)
    }
}

impl Facts for Lexicon<'_> {
    fn number(&self, name: &str) -> Option<f64> {
        if self.changed.contains(&name) {
            return None;
        }
        let parameter = self.spec().and_then(|spec| spec.parameters.get(name)).map(|value| *value.get_ref());
        parameter.or_else(|| self.of_body(name)).or((name == "pi").then_some(std::f64::consts::PI))
    }

    fn expansion(&self, name: &str) -> Option<SyntaxNode> {
        // A file with commands is written for all of their values, not for the one that another file sets.
        let is_driven = self.spec().is_some_and(|spec| spec.driven.get(name).is_some());
        if is_driven { None } else { self.definition(name) }
    }

    fn range(&self, node: &SyntaxNode) -> Interval {
        interval(node, self)
    }
}

impl Names for Lexicon<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let number = |range| Some(Meaning::Quantity { slot: 0, arguments: &[], result: Type::Number, range });
        if let Some(value) = self.number(name) {
            return Some(Meaning::Constant(Value::Number(value)));
        }
        if let Some(range) = self.range_of_command(name) {
            return number(range);
        }
        if let Some(node) = self.expansion(name) {
            return number(self.range_of_name(name, &node));
        }
        if let Some(vector) = self.spec().and_then(|spec| spec.parameters.vector(name)) {
            return Some(match self.changed.contains(&name) {
                true => {
                    Meaning::Quantity { slot: 0, arguments: &[], result: Type::Vector, range: Interval::ANY }
                }
                false => Meaning::Constant(Value::Vector(vector.into())),
            });
        }
        if self.changed.contains(&name) {
            return number(Interval::ANY);
        }
        match name {
            "time" => number(Interval::new(0.0, self.duration)),
            _ if is_state_time(name) => number(Interval::NEVER_NEGATIVE),
            _ => ModelNames(self.model).meaning(name),
        }
    }

    fn known(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Results of planners that are times, s.
const TIMES_OF_PLANNERS: [&str; 2] = ["capture_step.time", "preview_step.time"];
/// Outputs of planners that are positions or lengths, m.
const LENGTHS_OF_PLANNERS: [&str; 7] = [
    "capture_step.target",
    "capture_step.partner_target",
    "capture_step.astray",
    "preview_step.target",
    "preview_step.next_target",
    "preview_step.capture_point",
    "preview_step.com",
];

/// Whether a name is that of an output of a planner, of the file itself or of one that it includes.
fn is_of_planner(name: &str, result: &str) -> bool {
    name.strip_suffix(result).is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('.'))
}

impl Units for Lexicon<'_> {
    fn unit(&self, name: &str, arguments: &[SyntaxNode]) -> Option<Unit> {
        match name {
            "time" => return Some(Unit::SECOND),
            _ if is_state_time(name) => return Some(Unit::SECOND),
            _ if TIMES_OF_PLANNERS.iter().any(|result| is_of_planner(name, result)) => {
                return Some(Unit::SECOND);
            }
            _ if LENGTHS_OF_PLANNERS.iter().any(|result| is_of_planner(name, result)) => {
                return Some(Unit::METRE);
            }
            "angle" | "rest_angle" => {
                let (joint, _) = self.model.hinge(&arguments.first()?.name()?)?;
                return match self.model.joints[joint.0].kind {
                    JointKind::Hinge { .. } => Some(Unit::RADIAN),
                    JointKind::Slide { .. } => Some(Unit::METRE),
                    _ => None,
                };
            }
            _ => {}
        }
        let of_name = self.unit_of_name(name);
        if of_name.is_some() || self.definition(name).is_some() {
            return of_name;
        }
        let quantity = list().into_iter().find(|quantity| quantity.name == name)?;
        matches!(quantity.result, Type::Number | Type::Vector).then(|| Unit::of(quantity.unit))?
    }
}
