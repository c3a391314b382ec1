//! Binding of a controller file to a machine: types and scopes of roles, and conditions.

use super::check::{check, is_too_large};
use super::commands::Commands;
use super::define;
use super::define::Definitions;
use super::driven;
use super::levels::shared;
use super::machine::{Bindings, BoundExit, BoundGrip, BoundLevel, BoundReleases, BoundState, Machine};
use super::scope::{BoundRole, OF_MACHINE, Scope};
use super::spec::{ControllerSpec, StateSpec};
use aplomb_body::contact::grip::GripKind;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_language::expression::{
    BodyChoice, BodyField, Condition, ConditionField, HoldField, Meaning, Names, Scalar, SiteField, Type,
    Value, is_builtin,
};
use aplomb_language::namespace::is_word;
use std::cell::Cell;

/// Rate at which a released body is unloaded, m g/s: a foot that carries half of the weight is unloaded in 50
/// ms.
const USUAL_RELEASE_RATE: f64 = 10.0;

/// Rate at which the load on a foot may change without a cost, m g/s: unlimited.
const USUAL_LOAD_RATE: f64 = f64::INFINITY;

impl Machine {
    /// Binds the states' conditions and roles to the names of the frame. `time_scale` is √(h/0.93), the length of one
    /// second of the controller's clock.
    ///
    /// # Errors
    ///
    /// All errors in names and types of conditions, objectives and transitions, each with its location.
    #[cfg(test)]
    pub(crate) fn bind(
        spec: &ControllerSpec,
        source: &Source,
        names: &dyn Names,
        time_scale: f64,
    ) -> Result<Machine, FileErrors> {
        let mut mistakes = Vec::new();
        let bound = Machine::bind_on(spec, source, names, time_scale, &mut mistakes)?;
        bound.sound(spec, mistakes)
    }

    /// `bind` for callers that continue after errors. Errors in conditions, releases and grips are appended to
    /// `mistakes`: nothing else depends on them.
    ///
    /// # Errors
    ///
    /// Errors that prevent the binding of the rest of the controller: it has no state, or too many.
    pub(crate) fn bind_on(
        spec: &ControllerSpec,
        source: &Source,
        names: &dyn Names,
        time_scale: f64,
        mistakes: &mut Vec<FileError>,
    ) -> Result<PartlyBound, FileErrors> {
        let mut errors = check(spec, source).errors;
        new_names(spec, source, names, &mut errors);
        if spec.states.is_empty() || !errors.is_empty() && is_too_large(spec) {
            return Err(errors.into());
        }
        // If the start state does not exist, that error is reported, and any state serves for the other checks.
        let start = spec.entry(spec.start.get_ref()).map_or(0, |entry| entry.state);
        let role_names = role_names(spec);
        let reach = Reach::new(spec, start, &role_names);
        let (roles, definitions) = typed(spec, source, names, &role_names, &reach);
        let [sure, mut of_values] = define::mistakes(spec, source, names, &roles, &definitions);
        let binder = MachineBinder {
            spec,
            source,
            names,
            roles: &roles,
            reach: &reach,
            definitions: &definitions,
            is_definition_told: !(sure.is_empty() && of_values.is_empty()),
        };
        let bindings: Vec<Vec<Bindings>> =
            (0..spec.states.len()).map(|state| binder.roles(state, &mut of_values)).collect();
        if errors.is_empty() && of_values.is_empty() && sure.is_empty() {
            errors = driven::missing_roles(spec, source, &roles, &reach.after, &definitions);
        }
        // While exits have errors, it is unknown which roles have values.
        if errors.is_empty() {
            errors = of_values;
        } else if !of_values.is_empty() {
            errors.extend(unknown_to_all(spec, of_values));
        }
        errors.extend(sure);
        let bound = bindings.into_iter().enumerate();
        let states: Vec<BoundState> =
            bound.map(|(state, bindings)| binder.state(state, bindings, mistakes)).collect();
        let bound = BoundParts { states, start, roles, definitions, reach: reach.after };
        Ok(PartlyBound { machine: Machine::at_start(spec, bound, time_scale), errors })
    }

    /// A machine of bound parts, before its first frame.
    fn at_start(spec: &ControllerSpec, bound: BoundParts, time_scale: f64) -> Machine {
        let BoundParts { states, start, roles, definitions, reach } = bound;
        let reach_everywhere = (0..roles.len()).map(|role| reach.iter().all(|state| state[role])).collect();
        Machine {
            values: vec![Value::Number(f64::NAN); roles.len()],
            tentative: vec![Value::Number(f64::NAN); roles.len()],
            visited: vec![false; states.len()],
            visits: vec![0; states.len() + spec.composites.len()],
            composites: spec.composites.keys().map(|name| name.as_str().into()).collect(),
            states,
            start,
            roles,
            commands: Commands::new(&spec.commands, &spec.driven),
            driven: driven_commands(spec),
            definitions,
            reach,
            reach_everywhere,
            time_scale,
            current: start,
            entered: None,
            announced: false,
            since: Vec::new(),
            previous: None,
        }
    }
}

/// The parts of a machine that are bound from its file.
struct BoundParts {
    states: Vec<BoundState>,
    start: usize,
    roles: Vec<BoundRole>,
    definitions: Definitions,
    /// For each state, which roles have values in it.
    reach: Vec<Vec<bool>>,
}

/// The driven commands, which a file sets for an included one, each with the definition of its value.
fn driven_commands(spec: &ControllerSpec) -> Vec<(usize, usize)> {
    let first = spec.commands.len();
    let definitions = spec.driven.keys().map(|name| spec.define.get_index_of(name.as_str()));
    definitions.enumerate().filter_map(|(index, definition)| Some((first + index, definition?))).collect()
}

/// A machine, and the errors that make other parts of its controller look wrong: those in states' names and exits, in
/// definitions and in roles.
pub(crate) struct PartlyBound {
    /// The machine, usable if there are no errors.
    pub(crate) machine: Machine,
    errors: Vec<FileError>,
}

impl PartlyBound {
    /// The machine, unless there are errors in it or in what was bound after it.
    ///
    /// # Errors
    ///
    /// All errors that no other error explains.
    pub(crate) fn sound(
        self,
        spec: &ControllerSpec,
        mistakes: Vec<FileError>,
    ) -> Result<Machine, FileErrors> {
        match (self.errors.is_empty(), mistakes.is_empty()) {
            (true, true) => Ok(self.machine),
            (true, false) => Err(mistakes.into()),
            (false, _) => {
                Err(self.errors.into_iter().chain(unknown_to_all(spec, mistakes)).collect::<FileErrors>())
            }
        }
    }
}

/// The errors about unknown names: no other error makes a name look unknown.
fn unknown_to_all(spec: &ControllerSpec, mistakes: Vec<FileError>) -> Vec<FileError> {
    let states = spec.composites.values().map(|composite| &composite.state).chain(spec.states.values());
    let roles = states.flat_map(StateSpec::bindings).map(|(name, _)| name.get_ref().as_str());
    let defined = spec.define.keys().chain(spec.commands.keys()).chain(spec.parameters.names());
    let outputs = define::outputs(spec).map(|(name, _)| name);
    let all: Vec<String> =
        roles.map(str::to_owned).chain(defined.map(|name| name.get_ref().clone())).chain(outputs).collect();
    // Names of included files have prefixes, and vectors have components.
    let is_given = |name: &str| {
        all.iter().any(|known| name.split('.').any(|part| known.rsplit('.').next() == Some(part)))
    };
    let mut listed = FileErrors::from(mistakes).into_vec();
    listed.retain(|mistake| {
        let words = ["unknown name `", "unknown function `"];
        let name = words.iter().find_map(|words| mistake.message.strip_prefix(words)?.strip_suffix('`'));
        name.is_some_and(|name| !is_given(name))
    });
    listed
}

/// Rejects parameters, definitions and roles whose names already have a meaning.
fn new_names(spec: &ControllerSpec, source: &Source, names: &dyn Names, errors: &mut Vec<FileError>) {
    let parameters = spec.parameters.names().map(|name| ("parameter", name));
    let all = spec.composites.values().map(|composite| &composite.state).chain(spec.states.values());
    let roles = all.flat_map(StateSpec::bindings).map(|(name, _)| ("role", name));
    // A driven command already has a name.
    let definitions = spec.define.keys().filter(|name| !spec.driven.contains_key(name.get_ref()));
    let definitions = definitions.map(|name| ("definition", name));
    let commands = spec.commands.keys().map(|name| ("command", name));
    for (kind, name) in parameters.chain(commands).chain(definitions).chain(roles) {
        let whole = name.get_ref().as_str();
        // In the form of the file that assigns it; one that an outer file adds to a state of an include has the
        // include before it.
        let text = match source.namespace(name.span().start) {
            Some(of_file) if !of_file.prefix.is_empty() => {
                whole.strip_prefix(of_file.prefix.as_str()).map_or(whole, |text| text.trim_start_matches('.'))
            }
            _ => within_include(whole, spec),
        };
        let message = if !is_word(text) {
            format!("`{text}` cannot be the name of a {kind}: use letters, digits and `_`")
        } else if let Some(meant) = meaning(text, names) {
            format!("`{text}` is {meant} already; choose another name for this {kind}")
        } else if kind != "parameter" && spec.parameters.has(whole) {
            format!("`{text}` is a parameter already; choose another name for this {kind}")
        } else if !["parameter", "command"].contains(&kind) && spec.commands.contains_key(whole) {
            format!("`{text}` is a command already; choose another name for this {kind}")
        } else if kind == "role" && spec.define.contains_key(whole) {
            format!("`{text}` is defined already; choose another name for this role")
        } else if let Some(state) = state_of_file(text, name, spec, source).filter(|_| hides_states(kind)) {
            let place = FileError::new(source, state.span(), "").location();
            let message = format!("`{text}` is a {kind}, and a state at {place}");
            let help = "expressions name both: give one of them another name";
            errors
                .push(FileError::new(source, name.span(), message).label(format!("this {kind}")).help(help));
            continue;
        } else {
            continue;
        };
        errors.push(FileError::new(source, name.span(), message));
    }
}

/// A name without the include that it belongs to, if it belongs to one.
fn within_include<'a>(whole: &'a str, spec: &ControllerSpec) -> &'a str {
    let Some((include, own)) = whole.rsplit_once('.') else { return whole };
    let is_of_it = |state: &Spanned<String>| {
        state.get_ref().strip_prefix(include).is_some_and(|state| state.starts_with('.'))
    };
    if spec.states.keys().any(is_of_it) { own } else { whole }
}

/// Whether a name of this kind must differ from the names of states. Existing controllers have parameters and roles
/// with the names of states; for these the message of an expression reports that the state is hidden.
fn hides_states(kind: &str) -> bool {
    ["definition", "command"].contains(&kind)
}

/// The state with the same name in the file of a name.
fn state_of_file<'a>(
    text: &str,
    name: &Spanned<String>,
    spec: &'a ControllerSpec,
    source: &Source,
) -> Option<&'a Spanned<String>> {
    let file = |name: &Spanned<String>| source.namespace(name.span().start).map(|file| file.prefix.clone());
    let is_named_so = |state: &&Spanned<String>| {
        let before = state.get_ref().strip_suffix(text);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.')) && file(state) == file(name)
    };
    let composites = spec.composites.values().map(|composite| &composite.name);
    spec.states.keys().chain(composites).find(is_named_so)
}

/// The existing meaning of a name in expressions. Names of objects of the scene do not count: a controller
/// need not know which objects a scene has, and its own names hide them.
fn meaning(name: &str, names: &dyn Names) -> Option<String> {
    let known = || match names.meaning(name)? {
        Meaning::Constant(Value::Hold(_) | Value::Passive(_) | Value::Surface(_) | Value::Character(_)) => {
            None
        }
        Meaning::Constant(value) => Some(format!("a {}", value.kind())),
        Meaning::Quantity { .. } => Some("a quantity".into()),
        _ => Some("known to expressions".into()),
    };
    let is_word =
        is_builtin(name) || name == "state_time" || OF_MACHINE.iter().any(|(word, ..)| *word == name);
    if is_word { Some("a word of the language".into()) } else { known() }
}

/// Every role once, in the order of the file.
fn role_names(spec: &ControllerSpec) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let all = spec.states.values().flat_map(|state| spec.levels(state));
    for (name, _) in all.flat_map(StateSpec::bindings) {
        if !names.contains(name.get_ref()) {
            names.push(name.get_ref().clone());
        }
    }
    names
}

/// For each state and role: whether the role has a value on every path to the state.
struct Reach {
    /// Before the state's own `let`.
    before: Vec<Vec<bool>>,
    /// After the state's own bindings.
    after: Vec<Vec<bool>>,
}

impl Reach {
    /// Starts with all roles bound and removes the roles that some entry does not bind, until nothing changes.
    fn new(spec: &ControllerSpec, start: usize, roles: &[String]) -> Self {
        let count = spec.states.len();
        let mut before = vec![vec![true; roles.len()]; count];
        before[start].fill(false);
        loop {
            let after: Vec<Vec<bool>> = spec
                .states
                .values()
                .zip(&before)
                .map(|(state, before)| {
                    let bound = roles.iter().zip(before);
                    let binds = |role: &String| spec.levels(state).any(|level| level.binds(role));
                    bound.map(|(role, bound)| *bound || binds(role)).collect()
                })
                .collect();
            let mut changed = false;
            for (from, state) in spec.states.values().enumerate() {
                let exits = spec.levels(state).flat_map(|level| level.to.iter().chain(&level.otherwise));
                for exit in exits {
                    let Some(to) = spec.entry(exit.get_ref()).map(|entry| entry.state) else { continue };
                    for role in 0..roles.len() {
                        changed |= before[to][role] && !after[from][role];
                        before[to][role] &= after[from][role];
                    }
                }
            }
            if !changed {
                return Reach { before, after };
            }
        }
    }
}

/// Gives each role the type of the first valid expression for it, and binds the definitions. Roles and definitions
/// may use each other, so this repeats until no more types are found. Roles without a type are invalid everywhere,
/// and the error is reported where they are bound.
fn typed(
    spec: &ControllerSpec,
    source: &Source,
    names: &dyn Names,
    all: &[String],
    reach: &Reach,
) -> (Vec<BoundRole>, Definitions) {
    let mut types: Vec<Option<Type>> = vec![None; all.len()];
    let mut definitions: Definitions = vec![None; spec.define.len() + define::outputs(spec).count()];
    loop {
        let roles = roles(all, &types);
        let known: Vec<bool> = types.iter().map(Option::is_some).collect();
        let mut learnt = define::learn(spec, source, names, &roles, &known, &mut definitions);
        for (index, state) in spec.states.values().enumerate() {
            let mut in_reach = reach.before[index].clone();
            for (name, field) in spec.levels(state).flat_map(StateSpec::bindings) {
                let Some(role) = all.iter().position(|role| role == name.get_ref()) else { continue };
                if types[role].is_none() {
                    // Roles whose type was found in this round have no type in `roles` yet.
                    let usable: Vec<bool> =
                        in_reach.iter().zip(&known).map(|(near, known)| *near && *known).collect();
                    let scope = Scope {
                        spec,
                        names,
                        roles: &roles,
                        in_reach: &usable,
                        definitions: &definitions,
                        own: None,
                    };
                    if let Ok(bound) = field.bind(source, &scope) {
                        types[role] = Some(bound.kind());
                        learnt = true;
                    }
                }
                in_reach[role] = true;
            }
        }
        if !learnt {
            return (roles, definitions);
        }
    }
}

fn roles(names: &[String], types: &[Option<Type>]) -> Vec<BoundRole> {
    let role = |(name, kind): (&String, &Option<Type>)| BoundRole {
        name: name.clone(),
        kind: kind.unwrap_or(Type::Number),
        is_typed: kind.is_some(),
    };
    names.iter().zip(types).map(role).collect()
}

struct MachineBinder<'a> {
    spec: &'a ControllerSpec,
    source: &'a Source,
    names: &'a dyn Names,
    roles: &'a [BoundRole],
    reach: &'a Reach,
    definitions: &'a Definitions,
    /// Whether errors in definitions are reported.
    is_definition_told: bool,
}

impl<'a> MachineBinder<'a> {
    fn scope(&self, in_reach: &'a [bool]) -> Scope<'a> {
        let MachineBinder { spec, names, roles, definitions, .. } = *self;
        Scope { spec, names, roles, in_reach, definitions, own: None }
    }

    /// For each state, its bindings and those of the states that contain it, in order. An expression that uses a role
    /// with an error in it looks wrong too; only the first such error of a state is reported.
    fn roles(&self, index: usize, errors: &mut Vec<FileError>) -> Vec<Bindings> {
        let mut in_reach = self.reach.before[index].clone();
        let mut all = Vec::new();
        let mut found = Vec::new();
        for level in self.spec.levels(&self.spec.states[index]) {
            let mut bindings = Bindings { all: Vec::new(), on_entry: level.roles.len() };
            for (name, field) in level.bindings() {
                let Some(role) = self.roles.iter().position(|role| role.name == *name.get_ref()) else {
                    continue;
                };
                let scope = Scope { in_reach: &in_reach, ..self.scope(&[]) };
                let follows = Cell::new(false);
                let names = WatchedScope { scope: &scope, follows: &follows };
                let elsewhere = self.roles[role].kind;
                match field.bind(self.source, &names) {
                    Ok(bound) if bound.kind() == elsewhere => bindings.all.push((role, bound)),
                    // Its type is a guess where another error hides it.
                    Ok(_) if !self.roles[role].is_typed && self.is_definition_told => {}
                    Ok(bound) => {
                        let here = bound.kind();
                        let message =
                            format!("the role `{name}` is a {elsewhere} in another state, and a {here} here");
                        found.push(FileError::new(self.source, field.span(), message));
                    }
                    // The error belongs to the definition.
                    Err(_) if follows.get() && self.is_definition_told => {}
                    Err(error) => found.push(error),
                }
                in_reach[role] = true;
            }
            all.push(bindings);
        }
        let mut found = found.into_iter();
        errors.extend(found.next());
        errors.extend(unknown_to_all(self.spec, found.collect()));
        all
    }

    fn state(&self, index: usize, bindings: Vec<Bindings>, errors: &mut Vec<FileError>) -> BoundState {
        let (name, state) = (&self.spec.states.keys()[index], &self.spec.states[index]);
        let scope = self.scope(&self.reach.after[index]);
        let mut levels = Vec::new();
        for (depth, (level, bindings)) in self.spec.levels(state).zip(bindings).enumerate() {
            let exit = |exit: &Spanned<String>| self.exit(state, depth, exit);
            let around = state.within.get(depth).and_then(|name| self.spec.composites.get_index_of(name));
            levels.push(BoundLevel {
                number: around.map_or(index, |composite| self.spec.states.len() + composite),
                applicable: self.condition(&level.applicable, &scope, errors),
                done: self.condition(&level.done, &scope, errors),
                debounce: level.debounce.as_ref().map_or(0.0, |seconds| *seconds.get_ref()),
                exits: level.to.iter().filter_map(exit).collect(),
                otherwise: level.otherwise.as_ref().and_then(exit),
                bindings,
                releases: self.releases(level, &scope, errors),
            });
        }
        let grips = grips(state, self.source, &scope, errors);
        BoundState {
            name: name.get_ref().as_str().into(),
            levels,
            release_rate: state.release_rate.as_ref().map_or(USUAL_RELEASE_RATE, |rate| *rate.get_ref()),
            load_rate: state.load_rate.as_ref().map_or(USUAL_LOAD_RATE, |rate| *rate.get_ref()),
            grips,
            drive: state.drive,
            damping: state.damping.as_ref().map_or(0.0, |damping| *damping.get_ref()),
            weights: self.weights(state, &scope),
        }
    }

    fn condition(
        &self,
        field: &Option<ConditionField>,
        scope: &Scope<'_>,
        errors: &mut Vec<FileError>,
    ) -> Option<Condition> {
        let bound = field.as_ref()?.bind(self.source, scope);
        bound.map_err(|error| errors.push(error)).ok()
    }

    fn releases(&self, level: &StateSpec, scope: &Scope<'_>, errors: &mut Vec<FileError>) -> BoundReleases {
        let applicable = self.condition(&level.release_while, scope, errors);
        let heels_applicable = self.condition(&level.release_heels_while, scope, errors);
        let mut bodies = |fields: &[BodyField]| -> Vec<BodyChoice> {
            let bound = fields.iter().map(|field| field.bind(self.source, scope));
            bound.filter_map(|bound| bound.map_err(|error| errors.push(error)).ok()).collect()
        };
        let (limbs, parts) = (bodies(&level.release), bodies(&level.release_parts));
        BoundReleases { limbs, parts, applicable, heels: bodies(&level.release_heels), heels_applicable }
    }

    /// An exit from a level of a state.
    fn exit(&self, from: &StateSpec, level: usize, exit: &Spanned<String>) -> Option<BoundExit> {
        let entry = self.spec.entry(exit.get_ref())?;
        let to = &self.spec.states[entry.state];
        let kept = shared(&from.within, &to.within).min(level);
        Some(BoundExit { state: entry.state, kept, named: entry.named })
    }

    /// The weights from which goals of other states continue; their errors are reported where they are bound for
    /// their own states.
    fn weights(&self, state: &StateSpec, scope: &Scope<'_>) -> Vec<Option<(Option<Condition>, Scalar)>> {
        let mut weights = vec![None; self.spec.blended];
        for entry in &state.objectives {
            let when = entry.when.as_ref().map(|when| when.bind(self.source, scope)).transpose();
            if let (Some((name, _)), Ok(when), Ok(weight)) =
                (entry.blend, when, entry.weight.bind(self.source, scope))
            {
                weights[name] = Some((when, weight));
            }
        }
        weights
    }
}

/// A scope that records whether a definition or a role with an error in it is looked up.
struct WatchedScope<'a> {
    scope: &'a Scope<'a>,
    follows: &'a Cell<bool>,
}

impl Names for WatchedScope<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let meaning = self.scope.meaning(name);
        self.follows.set(self.follows.get() || self.scope.is_broken(name));
        meaning
    }

    fn known(&self) -> Vec<String> {
        self.scope.known()
    }

    fn offered(&self, name: &str) -> Option<Meaning> {
        self.scope.offered(name)
    }

    fn not_a_state(&self, name: &str) -> Option<String> {
        self.scope.not_a_state(name)
    }

    fn hint(&self, name: &str) -> Option<String> {
        self.scope.hint(name)
    }
}

/// The holds a state takes, grasped ones first.
fn grips(
    state: &StateSpec,
    source: &Source,
    scope: &Scope<'_>,
    errors: &mut Vec<FileError>,
) -> Vec<BoundGrip> {
    let entries = state.grip.iter().map(|entry| (entry, GripKind::Grasp));
    let entries = entries.chain(state.stand.iter().map(|entry| (entry, GripKind::Stand)));
    let bound = entries.map(|((site, hold), kind): ((&Spanned<String>, &HoldField), _)| {
        let site = SiteField::of_key(site).bind(source, scope)?;
        Ok(BoundGrip { site, hold: hold.bind(source, scope)?, kind })
    });
    bound.filter_map(|bound| bound.map_err(|error| errors.push(error)).ok()).collect()
}
