//! Mistakes in a scene that its types cannot express.

use super::event::EventSpec;
use super::motion::{MotionSpec, PathSpec};
use super::spec::{ReactionDelaySpec, SceneSpec};
use aplomb_body::contact::is_friction;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::files::quoted;
use aplomb_math::extent::{self, FARTHEST, LARGEST};
use aplomb_world::controller::Drive;
use aplomb_world::reaction_delay;
use nalgebra::Vector3;

/// The mistakes of a scene, checked on its own.
pub(super) struct Checked {
    /// Every mistake; names of bodies and other parts are resolved later, with the model.
    pub errors: Vec<FileError>,
    /// Whether a world can be built nevertheless: the only mistakes are names in events of missing objects.
    pub is_sound: bool,
}

/// Checks the scene on its own.
pub(super) fn check(spec: &SceneSpec, source: &Source) -> Checked {
    let mut check = SceneChecker::new(source);
    check.number(&spec.dt, "dt", |dt| (1e-4..=0.05).contains(&dt), "from 0.0001 to 0.05 s");
    let dt = Some(*spec.dt.get_ref()).filter(|_| check.errors.is_empty());
    check.number(&spec.duration, "duration", |duration| duration > 0.0, "more than 0 s");
    if let Some(dt) = dt.filter(|dt| (*spec.duration.get_ref() / dt).round() == 0.0) {
        check.say(&spec.duration, format!("no frame falls within this duration: frames are {dt} s apart"));
    }
    if let Some(dt) = dt.filter(|dt| *spec.duration.get_ref() / dt > MOST_FRAMES) {
        check.say(&spec.duration, format!("this duration is more than {MOST_FRAMES} frames of {dt} s"));
    }
    check.title(spec);
    check.finite(&spec.gravity, "gravity");
    check.counts(spec);
    check.number(&spec.torque_change_weight, "torque_change_weight", |weight| weight > 0.0, "more than 0");
    check.number(&spec.contact_weight, "contact_weight", |weight| weight >= 0.0, "0 or more");
    check.number(&spec.contact_response, "contact_response", |time| time > 0.0, "more than 0 s");
    check.number(&spec.joint_limit_response, "joint_limit_response", |time| time >= 0.0, "0 s or more");
    check.number(&spec.momentum_tolerance, "momentum_tolerance", |share| share >= 0.0, "0 or more");
    check.number(&spec.force_weight, "force_weight", |weight| weight > 0.0, "more than 0");
    if !matches!(spec.friction_directions.get_ref(), 4 | 8) {
        let message = format!("a friction pyramid has 4 or 8 edges, not {}", spec.friction_directions);
        check.errors.push(FileError::new(source, spec.friction_directions.span(), message));
    }
    if let Some(friction) = &spec.friction_between_characters {
        check.number(friction, "friction_between_characters", is_friction, RIGHT_FRICTION);
    }
    check.number(&spec.ground.friction, "friction", is_friction, RIGHT_FRICTION);
    check.number(&spec.ground.height, "height", is_near, NEAR);
    check.motion(&spec.ground.motion);
    check.obstacles(spec);
    check.characters(spec);
    check.passive(spec);
    for (name, event) in &spec.events {
        check.event(name, event, spec, dt);
    }
    Checked { is_sound: check.errors.len() == check.names, errors: check.errors }
}

/// Largest number of frames of a run.
const MOST_FRAMES: f64 = 1e7;
/// Largest number of steps of passive objects in a frame.
const MOST_STEPS: f64 = 1e4;
/// Largest number of characters of a title.
const LONGEST_TITLE: usize = 1000;
/// Largest number of obstacles.
const MOST_OBSTACLES: usize = 2000;
const MOST_OBJECTS: usize = 2000;
const MOST_EVENTS: usize = 10_000;

/// Name of the floor in events, traces and reports.
pub(super) const GROUND: &str = "ground";

/// Condition of [`is_near`] on a height.
const NEAR: &str = "within 10000 m of the origin";

fn is_near(height: f64) -> bool {
    height.abs() <= FARTHEST
}

/// Message about an object farther than [`FARTHEST`] from the origin.
pub(super) fn too_far(name: &str, distance: f64) -> String {
    let distance = shown(distance.round());
    format!("{name} must be within {FARTHEST} m of the origin, where numbers are good, not {distance} m away")
}

/// A number as its author would write it, without trailing zeros.
pub(super) fn shown(number: f64) -> String {
    if number.abs() < 1e9 { number.to_string() } else { format!("{number:e}") }
}

/// Condition of [`is_friction`] on a coefficient of friction.
pub(super) const RIGHT_FRICTION: &str = "from 0 to 1e6";

pub(super) struct SceneChecker<'s> {
    pub source: &'s Source,
    pub errors: Vec<FileError>,
    /// Number of errors that are names in events of missing objects.
    names: usize,
}

impl<'s> SceneChecker<'s> {
    pub(crate) fn new(source: &'s Source) -> Self {
        SceneChecker { source, errors: Vec::new(), names: 0 }
    }

    /// A name in an event of a missing object.
    pub(crate) fn unknown(&mut self, error: FileError) {
        self.errors.push(error);
        self.names += 1;
    }
}

impl SceneChecker<'_> {
    fn title(&mut self, spec: &SceneSpec) {
        if spec.title.as_ref().is_some_and(|title| title.chars().count() > LONGEST_TITLE) {
            let at = self.source.text.find("title").unwrap_or(0);
            let message = format!("a title has at most {LONGEST_TITLE} letters");
            let end = at + "title".len().min(self.source.text.len() - at);
            self.errors.push(FileError::new(self.source, at..end, message));
        }
    }

    /// Checks the number of objects of each kind.
    fn counts(&mut self, spec: &SceneSpec) {
        for (name, most, what) in [
            (spec.obstacles.keys().nth(MOST_OBSTACLES), MOST_OBSTACLES, "obstacles"),
            (spec.events.keys().nth(MOST_EVENTS), MOST_EVENTS, "events"),
            (spec.passive.keys().nth(MOST_OBJECTS), MOST_OBJECTS, "passive objects"),
            (spec.success.keys().nth(MOST_EVENTS), MOST_EVENTS, "criteria"),
        ] {
            if let Some(name) = name {
                self.say(name, format!("a scene has at most {most} {what}"));
            }
        }
    }

    fn obstacles(&mut self, spec: &SceneSpec) {
        for (name, obstacle) in &spec.obstacles {
            if name.get_ref() == GROUND {
                self.say(name, "the floor has this name: choose another for the obstacle");
            }
            self.motion(&obstacle.motion);
            self.point(&obstacle.position, "position");
            if !obstacle.half_lengths.get_ref().iter().all(|length| length.is_finite() && *length > 0.0) {
                self.say(&obstacle.half_lengths, "half_lengths must be more than 0 m");
            } else if obstacle.half_lengths.get_ref().iter().any(|length| *length > FARTHEST) {
                self.say(&obstacle.half_lengths, format!("half_lengths must be at most {FARTHEST} m"));
            }
            if let Some(rotation) = &obstacle.rotation {
                self.finite(rotation, "rotation");
            }
            if let Some(friction) = &obstacle.friction {
                self.number(friction, "friction", is_friction, RIGHT_FRICTION);
            }
            if let Some(weight) = &obstacle.contact_weight {
                self.number(weight, "contact_weight", |weight| weight >= 0.0, "0 or more");
            }
        }
    }

    pub(super) fn say<T>(&mut self, value: &Spanned<T>, message: impl Into<String>) {
        self.errors.push(FileError::new(self.source, value.span(), message));
    }

    pub(super) fn number(
        &mut self,
        value: &Spanned<f64>,
        name: &str,
        is_right: impl Fn(f64) -> bool,
        right: &str,
    ) {
        let number = *value.get_ref();
        if !number.is_finite() {
            self.say(value, format!("{name} must be finite, not {number}"));
        } else if !is_right(number) {
            self.say(value, format!("{name} must be {right}, not {}", shown(number)));
        } else if !extent::is_usable(number) {
            self.say(value, format!("{name} must be at most {LARGEST:e}, not {}", shown(number)));
        }
    }

    pub(super) fn finite<const N: usize>(&mut self, value: &Spanned<[f64; N]>, name: &str) {
        if !value.get_ref().iter().all(|part| part.is_finite()) {
            self.say(value, format!("{name} must be finite"));
        } else if !value.get_ref().iter().all(|part| extent::is_usable(*part)) {
            self.say(value, format!("no part of {name} may be more than {LARGEST:e}"));
        }
    }

    /// Checks a point of the world, or a displacement.
    pub(super) fn point(&mut self, value: &Spanned<[f64; 3]>, name: &str) {
        match extent::too_far([Vector3::from(*value.get_ref())]) {
            Some(distance) if value.get_ref().iter().all(|part| part.is_finite()) => {
                self.say(value, too_far(name, distance));
            }
            _ => self.finite(value, name),
        }
    }

    fn motion(&mut self, motion: &Option<MotionSpec>) {
        match motion {
            None => {}
            Some(MotionSpec::Sine(sine)) => {
                self.number(&sine.frequency, "frequency", |frequency| frequency > 0.0, "more than 0 Hz");
                self.number(&sine.phase, "phase", |_| true, "finite");
                if let Some(amplitude) = &sine.amplitude {
                    self.point(amplitude, "an amplitude");
                }
                if let Some(sway) = &sine.sway {
                    self.finite(sway, "an amplitude");
                }
                if sine.amplitude.is_none() && sine.sway.is_none() {
                    self.say(&sine.frequency, "a motion needs an `amplitude`, a `sway`, or both");
                }
            }
            Some(MotionSpec::Keyframes(path)) => self.path(path),
        }
    }

    fn path(&mut self, path: &PathSpec) {
        let times = path.times.get_ref();
        if times.is_empty() {
            self.say(&path.times, "keyframes need at least one time");
        } else if times.iter().any(|time| !time.is_finite()) {
            self.say(&path.times, "times must be finite");
        } else if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
            self.say(&path.times, format!("times must increase, but {} follows {}", pair[1], pair[0]));
        }
        if path.offsets.is_none() && path.turns.is_none() {
            self.say(&path.times, "keyframes need `offsets`, `turns`, or both");
        }
        for (list, name) in [(&path.offsets, "offsets"), (&path.turns, "turns")] {
            let Some(list) = list else { continue };
            let count = list.get_ref().len();
            if count != times.len() {
                self.say(list, format!("{} times need as many {name}, not {count}", times.len()));
            } else if !list.get_ref().as_flattened().iter().all(|part| part.is_finite()) {
                self.say(list, format!("{name} must be finite"));
            }
        }
        if let Some(offsets) = &path.offsets {
            let beyond = extent::too_far(offsets.get_ref().iter().map(|offset| Vector3::from(*offset)));
            if let Some(distance) = beyond.filter(|distance| distance.is_finite()) {
                self.say(offsets, too_far("an offset", distance));
            }
        }
    }

    /// Checks that the scene contains a character or an object, and a character if events need one.
    fn someone(&mut self, spec: &SceneSpec) {
        match spec.characters.len() {
            0 if spec.passive.is_empty() => {
                let message = "a scene needs a character or a passive object";
                self.errors.push(FileError::new(self.source, 0..0, message).help(
                    "add a table such as `[characters.hero]` with `model = \"adult\"` and `controller = \"balance\"`",
                ));
            }
            0 => {
                let without = |event: &EventSpec| event.kind.needs_character() && event.passive.is_none();
                for (name, event) in spec.events.iter().filter(|(_, event)| without(event)) {
                    let message = format!("there is no character for this {}", event.kind.name());
                    self.errors.push(FileError::new(self.source, name.span(), message));
                }
            }
            _ => {}
        }
    }

    fn reaction_delay(&mut self, name: &Spanned<String>, delay: &ReactionDelaySpec, spec: &SceneSpec) {
        if delay.settings().is_none() {
            let message = format!("the reaction delay of `{}` has no `time`", name.get_ref());
            let table = format!("characters.{}.reaction_delay", quoted(name.get_ref()));
            let help = format!("in `[{table}]` goes a `time`, s, or `like = \"person\"`");
            // If one of its keys is present, others are required.
            let own = delay.perception.as_ref().or(delay.weight.as_ref()).map(Spanned::span);
            let span = own.unwrap_or(name.span());
            self.errors.push(FileError::new(self.source, span, message).help(help));
        }
        if let Some(time) = &delay.time {
            let is_in = |time| time > 0.0 && time <= 1.0;
            self.number(time, "time of a reaction delay", is_in, "more than 0 and at most 1 s");
        }
        if let Some(perception) = &delay.perception {
            let is_in = |time| (0.0..=1.0).contains(&time);
            self.number(perception, "perception of a reaction delay", is_in, "0 to 1 s");
        }
        if let Some(weight) = &delay.weight {
            self.number(weight, "weight of a reaction delay", |weight| weight > 0.0, "more than 0");
        }
        let taken = spec.events.keys().find(|name| name.get_ref() == reaction_delay::EVENT_NAME);
        if let Some(name) = taken {
            let message =
                format!("the trace uses the name `{}` for the reaction delay", reaction_delay::EVENT_NAME);
            let help = "give the event another name";
            self.errors.push(FileError::new(self.source, name.span(), message).help(help));
        }
    }

    fn characters(&mut self, spec: &SceneSpec) {
        self.someone(spec);
        for (name, character) in &spec.characters {
            if character.drive == Drive::Ragdoll {
                let message = "a body that is always a ragdoll is not a character";
                let help = "make it a passive object: `[passive.NAME]` with `kind = \"articulated\"` and this `model`";
                self.errors.push(FileError::new(self.source, name.span(), message).help(help));
            }
            let [x, y] = *character.position.get_ref();
            match extent::too_far([Vector3::new(x, y, 0.0)]) {
                Some(distance) if distance.is_finite() => {
                    self.say(&character.position, too_far("position", distance));
                }
                _ => self.finite(&character.position, "position"),
            }
            self.number(&character.heading, "heading", |_| true, "finite");
            if let Some(height) = &character.height {
                self.number(height, "height", |height| height >= 0.0, "0 m or more");
                self.number(height, "height", |height| height < 0.0 || is_near(height), NEAR);
            }
            if let Some(velocity) = &character.velocity {
                self.finite(velocity, "velocity");
            }
            let grip = &character.grip;
            for (value, name) in [(&grip.force, "force"), (&grip.reach, "reach"), (&grip.speed, "speed")] {
                if let Some(value) = value {
                    self.number(value, name, |number| number > 0.0, "more than 0");
                }
            }
            if let Some(delay) = &character.reaction_delay {
                self.reaction_delay(name, delay, spec);
            }
            for (joint, value) in &character.pose {
                self.number(value, joint.get_ref(), |_| true, "finite");
            }
        }
    }

    fn passive(&mut self, spec: &SceneSpec) {
        for (name, object) in &spec.passive {
            let text = name.get_ref();
            let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_')
                && text.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if !is_word {
                self.say(
                    name,
                    format!("`{text}` cannot be the name of a passive object: use letters, digits and `_`"),
                );
            }
            if let Some((event, _)) = spec.events.iter().find(|(event, _)| event.get_ref() == text) {
                self.say(
                    event,
                    format!("the trace uses this name for hits of the object `{text}`; give the event another name"),
                );
            }
            // A mistake about a missing value is reported at its table.
            let placed = |mistake: FileError| match mistake.span.start {
                0 => FileError::new(self.source, name.span(), mistake.message),
                _ => mistake,
            };
            self.errors.extend(object.check(self.source).into_iter().map(placed));
        }
        let settings = &spec.passive_settings;
        self.number(&settings.dt, "dt", |dt| dt > 0.0, "more than 0 s");
        if *spec.dt.get_ref() / *settings.dt.get_ref() > MOST_STEPS {
            self.say(&settings.dt, format!("a frame of {} s has at most {MOST_STEPS} steps", spec.dt));
        }
        self.number(&settings.residual, "residual", |residual| residual >= 0.0, "0 or more");
        let bounce = |restitution: f64| (0.0..=1.0).contains(&restitution);
        self.number(&settings.limit_restitution, "limit_restitution", bounce, "from 0 to 1");
    }
}
