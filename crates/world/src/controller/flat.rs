//! Flattens a controller and those that it includes to one list of states with full names.

use super::include::IncludeSpec;
use super::spec::{Composite, ControllerSpec, Drive, ObjectiveEntry, StateSpec};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::files::quoted;
use aplomb_language::namespace::joined;
use indexmap::{IndexMap, IndexSet};

/// A controller's file with those that it includes.
pub(super) struct Node {
    /// Names of the includes that lead to it, joined by dots.
    pub prefix: String,
    /// Keys that lead to it from the root: `include.NAME.`.
    pub home: String,
    pub spec: ControllerSpec,
    pub children: IndexMap<String, Node>,
}

impl Node {
    /// Whether an include, with all those in it, could be read.
    fn has_read(&self, include: &str) -> bool {
        let child = self.children.get(include);
        child.is_some_and(|child| child.spec.include.keys().all(|inner| child.has_read(inner.get_ref())))
    }
}

/// Largest number of states of the whole; [`check`](super::check) reports an excess in the file's own states.
const MOST_STATES: usize = 1000;

/// The contents of the file, with the files that it includes as parts of it. Errors in the commands of includes,
/// which do not affect the rest, are appended to `of_commands`.
pub(super) fn flatten(
    mut root: Node,
    source: &Source,
    mistakes: &mut Vec<FileError>,
    of_commands: &mut Vec<FileError>,
) -> ControllerSpec {
    let mut whole = std::mem::take(&mut root.spec);
    let states = std::mem::take(&mut whole.states);
    let define = std::mem::take(&mut whole.define);
    let parameters = std::mem::take(&mut whole.parameters);
    root.children.values().for_each(|child| gather(child, &mut whole, source, of_commands));
    drive(&root, &whole.include.clone(), &mut whole, source, of_commands);
    // The file's own contents are added after the contents that they may use.
    whole.parameters.extend(&parameters, str::to_owned);
    whole.define.extend(define);
    root.spec.states = states;
    root.spec.include = whole.include.clone();
    let mut flat =
        Flat { whole, source, mistakes, machines: vec![(String::new(), String::new())], is_full: false };
    flat.states(&root, &Enclosing::default(), &[]);
    blend(&mut flat.whole);
    flat.whole
}

/// Adds the contents of an included file other than its states.
fn gather(node: &Node, whole: &mut ControllerSpec, source: &Source, mistakes: &mut Vec<FileError>) {
    node.children.values().for_each(|child| gather(child, whole, source, mistakes));
    let Node { prefix, spec, .. } = node;
    let named = |name: &Spanned<String>| Spanned::new(name.span(), joined(prefix, name.get_ref()));
    whole.parameters.extend(&spec.parameters, |name| joined(prefix, name));
    whole.commands.extend(spec.commands.iter().map(|(name, command)| (named(name), command.clone())));
    whole.define.extend(spec.define.iter().map(|(name, field)| (named(name), field.clone())));
    whole.planners.push((prefix.clone(), spec.planner.clone()));
    whole.allow.extend(spec.allow.iter().cloned());
    for (all, more) in
        [(&mut whole.needs.obstacles, &spec.needs.obstacles), (&mut whole.needs.passive, &spec.needs.passive)]
    {
        more.iter().for_each(|name| {
            if !all.contains(name) {
                all.push(name.clone());
            }
        });
    }
    drive(node, &spec.include, whole, source, mistakes);
    // They apply to the same body, whichever machine runs.
    for kept in &spec.collision_avoidance {
        if whole.collision_avoidance.iter().all(|other| other.name != kept.name) {
            whole.collision_avoidance.push(kept.clone());
        }
    }
}

/// Makes definitions of the commands that a file sets for files which it includes. A command also reaches the
/// machines inside of these, unless the file that includes those sets it itself.
fn drive(
    node: &Node,
    include: &IndexMap<Spanned<String>, IncludeSpec>,
    whole: &mut ControllerSpec,
    source: &Source,
    mistakes: &mut Vec<FileError>,
) {
    for (name, told) in include {
        let inside = format!("{}.", joined(&node.prefix, name.get_ref()));
        for (command, field) in &told.commands {
            let is_meant = |known: &str| {
                let ending =
                    known.strip_prefix(&inside).and_then(|known| known.strip_suffix(command.get_ref()));
                ending.is_some_and(|before| before.is_empty() || before.ends_with('.'))
            };
            let known = whole.commands.keys().map(|known| known.get_ref().clone());
            let (meant, others): (Vec<String>, Vec<String>) = known.partition(|known| is_meant(known));
            // The unreadable file has been reported already, and may have the command.
            if meant.is_empty() && node.has_read(name.get_ref()) {
                let of_file = others.iter().filter_map(|other| other.strip_prefix(&inside));
                let message = format!("`{name}` has no command `{command}`");
                mistakes.push(
                    FileError::new(source, command.span(), message).suggest(command.get_ref(), of_file),
                );
            }
            for command_name in meant {
                let Some(spec) = whole.commands.shift_remove(command_name.as_str()) else { continue };
                whole.define.insert(Spanned::new(command.span(), command_name.clone()), field.clone());
                whole.driven.insert(command_name, spec);
            }
        }
    }
}

struct Flat<'a> {
    whole: ControllerSpec,
    source: &'a Source,
    mistakes: &'a mut Vec<FileError>,
    /// The files whose states are being added, from the outside in: the prefix of their names, and the state
    /// of the whole that contains them.
    machines: Vec<(String, String)>,
    /// Whether the excess of states has been reported.
    is_full: bool,
}

/// Contents that the states of a machine inherit from their outer states.
#[derive(Clone, Default)]
struct Enclosing {
    within: Vec<String>,
    objectives: Vec<ObjectiveEntry>,
    grips: StateSpec,
    blend_in: Option<Spanned<f64>>,
    release_rate: Option<Spanned<f64>>,
    load_rate: Option<Spanned<f64>>,
}

impl Enclosing {
    /// Contents that the states of a machine inherit from one more outer state.
    fn and(&self, name: &Spanned<String>, state: &StateSpec) -> Enclosing {
        let mut within = self.within.clone();
        within.push(name.get_ref().clone());
        Enclosing {
            within,
            objectives: [self.objectives.as_slice(), &state.objectives].concat(),
            grips: StateSpec {
                grip: self.grips.grip.clone().into_iter().chain(state.grip.clone()).collect(),
                stand: self.grips.stand.clone().into_iter().chain(state.stand.clone()).collect(),
                ..StateSpec::default()
            },
            blend_in: state.blend_in.clone().or_else(|| self.blend_in.clone()),
            release_rate: state.release_rate.clone().or_else(|| self.release_rate.clone()),
            load_rate: state.load_rate.clone().or_else(|| self.load_rate.clone()),
        }
    }
}

impl Flat<'_> {
    fn path(&self) -> String {
        self.machines.last().map(|(_, path)| path.clone()).unwrap_or_default()
    }

    /// The states of a file. `common` are its objectives of every state.
    fn states(&mut self, node: &Node, around: &Enclosing, common: &[ObjectiveEntry]) {
        let is_root = node.prefix.is_empty();
        let taken = |machine: &str| {
            node.spec
                .states
                .values()
                .any(|state| state.machine.as_ref().is_some_and(|name| name.get_ref() == machine))
        };
        for (name, state) in &node.spec.states {
            let whole = Spanned::new(name.span(), joined(&self.path(), name.get_ref()));
            let home = format!("{}states.{}.", node.home, quoted(name.get_ref()));
            let mut state = self.named(state, node, !is_root, &home);
            match state.machine.take() {
                Some(machine) => self.composite(node, &whole, state, &machine, around),
                None => {
                    let own = std::mem::take(&mut state.objectives);
                    state.objectives = [&around.objectives, common, &own].concat();
                    state.within = around.within.clone();
                    state.blend_in = state.blend_in.or_else(|| around.blend_in.clone());
                    state.release_rate = state.release_rate.or_else(|| around.release_rate.clone());
                    state.load_rate = state.load_rate.or_else(|| around.load_rate.clone());
                    let (grip, stand) = (around.grips.grip.clone(), around.grips.stand.clone());
                    state.grip = grip.into_iter().chain(std::mem::take(&mut state.grip)).collect();
                    state.stand = stand.into_iter().chain(std::mem::take(&mut state.stand)).collect();
                    self.insert(whole, state);
                }
            }
        }
        for name in node.spec.include.keys().filter(|name| !taken(name.get_ref())) {
            let whole = Spanned::new(name.span(), joined(&self.path(), name.get_ref()));
            self.composite(node, &whole, StateSpec::default(), name, around);
        }
    }

    fn insert(&mut self, name: Spanned<String>, state: StateSpec) {
        let is_taken =
            self.whole.states.contains_key(&name) || self.whole.composites.contains_key(name.get_ref());
        if is_taken {
            let message = format!("a second state named `{name}`");
            self.mistakes.push(FileError::new(self.source, name.span(), message));
        } else if self.whole.states.len() <= MOST_STATES {
            self.whole.states.insert(name, state);
        }
    }

    /// A state that contains the states of a machine.
    fn composite(
        &mut self,
        node: &Node,
        name: &Spanned<String>,
        state: StateSpec,
        machine: &Spanned<String>,
        around: &Enclosing,
    ) {
        self.refuse(name, &state, machine);
        let Some(child) = node.children.get(machine.get_ref()) else {
            return self.unknown_machine(node, machine);
        };
        if self.whole.states.contains_key(name) || self.whole.composites.contains_key(name.get_ref()) {
            let message = format!("a second state named `{name}`");
            let help = "a state of the same name as an include needs `machine = \"…\"`, or another name";
            self.mistakes.push(FileError::new(self.source, name.span(), message).help(help));
            return;
        }
        // Files that include others repeatedly can expand to more states than can be checked.
        if self.whole.composites.len() >= MOST_STATES || self.whole.states.len() > MOST_STATES {
            if self.whole.composites.len() == MOST_STATES && !self.is_full {
                self.is_full = true;
                let message = format!("a controller has at most {MOST_STATES} states");
                self.mistakes.push(FileError::new(self.source, name.span(), message));
            }
            return;
        }
        let inner = around.and(name, &state);
        self.machines.push((child.prefix.clone(), name.get_ref().clone()));
        let start = self.reference(&child.spec.start);
        let depth = around.within.len();
        let machine = child.prefix.clone();
        let composite = Composite { name: name.clone(), state, start, depth, machine };
        self.whole.composites.insert(name.get_ref().clone(), composite);
        let home = child.home.clone();
        let common: Vec<ObjectiveEntry> =
            child.spec.objectives.iter().map(|entry| objective(entry, child, &home)).collect();
        self.states(child, &inner, &common);
        self.machines.pop();
    }

    /// An include without the name of a machine includes nothing. An unreadable file has been reported
    /// already.
    fn unknown_machine(&mut self, node: &Node, machine: &Spanned<String>) {
        if node.spec.include.contains_key(machine.get_ref().as_str()) {
            return;
        }
        let message = format!("nothing is included as `{machine}`");
        let known = node.spec.include.keys().map(|name| name.get_ref().as_str());
        let mistake = FileError::new(self.source, machine.span(), message);
        let mistake = mistake.suggest(machine.get_ref(), known);
        let file = mistake.help.is_none();
        let help = format!("add `[include.{machine}]` with `file = \"…\"`");
        self.mistakes.push(if file { mistake.help(help) } else { mistake });
    }

    /// Keys that a state with inner states cannot have.
    fn refuse(&mut self, name: &Spanned<String>, state: &StateSpec, machine: &Spanned<String>) {
        let says = [
            ("drive", state.drive != Drive::Torques),
            ("damping", state.damping.is_some()),
            ("springs", state.springs.is_some()),
        ];
        for (key, _) in says.into_iter().filter(|(_, said)| *said) {
            let message = format!("`{key}` of `{name}`, which has other states in it");
            let help = format!(
                "the states of the machine say it: `[include.{machine}.states.STATE]`; where others run the \
                 same machine, include its file once more for this one"
            );
            self.mistakes.push(FileError::new(self.source, name.span(), message).help(help));
        }
    }

    /// A state with its full name.
    fn named(&mut self, state: &StateSpec, node: &Node, is_included: bool, home: &str) -> StateSpec {
        let mut state = state.clone();
        state.to = state.to.iter().map(|exit| self.reference(exit)).collect();
        state.otherwise = state.otherwise.as_ref().map(|exit| self.reference(exit));
        if is_included {
            let whole =
                |name: Spanned<String>| Spanned::new(name.span(), joined(&node.prefix, name.get_ref()));
            for bindings in [&mut state.roles, &mut state.each_frame] {
                let of_file = std::mem::take(bindings);
                *bindings = of_file.into_iter().map(|(name, field)| (whole(name), field)).collect();
            }
        }
        if is_included || state.machine.is_some() {
            state.objectives = state.objectives.iter().map(|entry| objective(entry, node, home)).collect();
        }
        state
    }

    /// A state's name, as it is written in its own file.
    fn reference(&self, name: &Spanned<String>) -> Spanned<String> {
        let of_file = self.source.namespace(name.span().start);
        let prefix = of_file.map_or("", |of_file| of_file.prefix.as_str());
        let machine = self.machines.iter().rev().find(|(known, _)| known == prefix);
        let path = machine.map_or("", |(_, path)| path.as_str());
        Spanned::new(name.span(), joined(path, name.get_ref()))
    }
}

/// An objective with its name in the whole, and the place where it is written.
fn objective(entry: &ObjectiveEntry, node: &Node, home: &str) -> ObjectiveEntry {
    let path = format!("{home}objectives.{}", quoted(entry.name.get_ref()));
    let name = Spanned::new(entry.name.span(), joined(&node.prefix, entry.name.get_ref()));
    ObjectiveEntry { name, path: Some(path), ..entry.clone() }
}

/// Numbers the objectives by their names, those of included files without their prefixes, for states whose
/// goals continue from those of the previous state.
fn blend(whole: &mut ControllerSpec) {
    if whole.states.values().all(|state| state.blend_in.is_none()) {
        return;
    }
    let mut names: IndexSet<String> = IndexSet::new();
    for state in whole.states.values_mut() {
        let seconds = state.blend_in.clone();
        for entry in &mut state.objectives {
            let (number, _) = names.insert_full(plain(entry));
            entry.blend = Some((number, seconds.as_ref().map_or(0.0, |seconds| *seconds.get_ref())));
        }
    }
    whole.blended = names.len();
}

/// Name of the objective in its own file.
fn plain(entry: &ObjectiveEntry) -> String {
    let name = entry.name.get_ref();
    match &entry.path {
        Some(path) if path.starts_with("include.") => name.rsplit('.').next().unwrap_or(name).to_owned(),
        _ => name.clone(),
    }
}
