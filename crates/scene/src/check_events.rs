//! Mistakes in the events of a scene that can be found without a body or a controller.

use super::aim::AimSpec;
use super::check::{GROUND, SceneChecker};
use super::event::{EventKind, EventSpec};
use super::spec::SceneSpec;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source, Warning, keep_unless_allowed};

/// Warnings about events that begin after the end of the run.
pub(super) fn late(spec: &SceneSpec, source: &Source) -> Vec<Warning> {
    let duration = *spec.duration.get_ref();
    // A run without a duration is reported as an error.
    if duration <= 0.0 {
        return Vec::new();
    }
    let late = spec.events.values().filter_map(|event| {
        let delay = event.delay.as_ref().map_or(0.0, |delay| *delay.get_ref());
        let is_late = event.earliest() + delay >= duration;
        let latest = event.delay.as_ref().filter(|_| event.earliest() < duration).or(event.at.as_ref());
        Some((event, latest.filter(|_| is_late)?))
    });
    let warning = |(event, at): (&EventSpec, &Spanned<f64>)| {
        let message = format!("this {} never begins: the run ends at {duration} s", event.kind.name());
        let help = "let it begin earlier, or make `duration` longer";
        Warning(FileError::new(source, at.span(), message).help(help).rule("late-event"))
    };
    let mut warnings = late.map(warning).collect();
    keep_unless_allowed(&mut warnings, source, &spec.allow);
    warnings
}

impl SceneChecker<'_> {
    pub(super) fn event(
        &mut self,
        name: &Spanned<String>,
        event: &EventSpec,
        scene: &SceneSpec,
        dt: Option<f64>,
    ) {
        let before = self.errors.len();
        self.beginning(name, event, scene);
        if let Some(duration) = &event.duration {
            self.number(duration, "duration", |duration| duration > 0.0, "more than 0 s");
        }
        self.keys(name, event);
        self.numbers(event);
        if let Some(obstacle) = &event.obstacle {
            self.obstacle(obstacle, scene);
        }
        self.of_passive(event, scene);
        if event.kind == EventKind::Throw && event.waits() {
            self.order_of_throws(name, scene);
        }
        if event.kind == EventKind::Throw && scene.passive.contains_key(name.get_ref().as_str()) {
            self.say(name, format!("the name `{name}` is taken by a passive object"));
        }
        if self.errors.len() == before
            && let (Some(dt), Some(duration)) = (dt, &event.duration)
            && event.frames(dt).is_empty()
        {
            let kind = event.kind.name();
            self.say(duration, format!("no frame falls within this {kind}: frames are {dt} s apart"));
        }
    }

    /// Checks when the event begins.
    fn beginning(&mut self, name: &Spanned<String>, event: &EventSpec, scene: &SceneSpec) {
        for (key, time) in [("at", &event.at), ("delay", &event.delay)] {
            if let Some(time) = time {
                self.number(time, key, |time| time >= 0.0, "0 s or more");
            }
        }
        let kind = event.kind.name();
        if let Some(delay) = event.delay.as_ref().filter(|_| !event.waits()) {
            self.say(delay, "`delay` is the time after `when` or `after`: add one, or use `at`");
        }
        if event.at.is_none() && !event.waits() && event.delay.is_none() {
            let message = format!("this {kind} does not say when it begins: add `at`, `when` or `after`");
            self.errors.push(FileError::new(self.source, name.span(), message).label("this event"));
        }
        let Some(after) = &event.after else { return };
        let mut before = Some(after.get_ref());
        for _ in 0..=scene.events.len() {
            let Some(earlier) = before.filter(|earlier| *earlier != name.get_ref()) else { break };
            let Some(earlier) = scene.events.get(earlier.as_str()) else {
                // An unknown name later in the path is a mistake of the event that contains it.
                if before == Some(after.get_ref()) {
                    let message = format!("there is no event `{after}`");
                    let known = scene.events.keys().map(|name| name.get_ref().as_str());
                    let error = FileError::new(self.source, after.span(), message);
                    self.unknown(error.suggest(after.get_ref(), known));
                }
                return;
            };
            before = earlier.after.as_ref().map(Spanned::get_ref);
        }
        // Events that only follow such a circle wait for nothing wrong of their own.
        if before == Some(name.get_ref()) {
            let message =
                format!("`{name}` would begin after itself: these events wait for each other in a circle");
            self.say(after, message);
        }
    }

    /// Checks that a throw that waits comes after the throw that the trace lists before it: those at fixed times come
    /// first, then those that wait, in file order.
    fn order_of_throws(&mut self, name: &Spanned<String>, scene: &SceneSpec) {
        let throws = || scene.events.iter().filter(|(_, event)| event.kind == EventKind::Throw);
        let waiting = throws().take_while(|(other, _)| *other != name).filter(|(_, event)| event.waits());
        let fixed = throws().filter(|(_, event)| !event.waits());
        let last_fixed = || fixed.max_by(|(_, a), (_, b)| a.earliest().total_cmp(&b.earliest()));
        let Some((before, _)) = waiting.last().or_else(last_fixed) else { return };
        let after = |name: &String| scene.events.get(name.as_str())?.after.as_ref().map(Spanned::get_ref);
        let mut earlier =
            std::iter::successors(after(name.get_ref()), |name| after(name)).take(scene.events.len());
        if !earlier.any(|earlier| earlier == before.get_ref()) {
            let message = format!("which of `{before}` and `{name}` is thrown first is not certain");
            let error = FileError::new(self.source, name.span(), message).label("this throw");
            self.errors.push(error.help(format!("add `after = \"{before}\"`")));
        }
    }

    /// Checks for missing keys, and for keys of other kinds of events.
    fn keys(&mut self, name: &Spanned<String>, event: &EventSpec) {
        let (kind, given) = (event.kind, event.given());
        let with_article = match kind {
            EventKind::Appear | EventKind::Enable => format!("an event of kind `{}`", kind.name()),
            _ => format!("a {}", kind.name()),
        };
        let has_key = |kind: EventKind, key: &str| {
            kind.needs().iter().any(|keys| keys.contains(&key)) || kind.may_have().contains(&key)
        };
        let all_fit = |kind: EventKind| given.iter().all(|(key, _)| has_key(kind, key));
        // If the keys fit another kind, only `kind` is missing.
        if let Some(other) =
            EventKind::ALL.into_iter().find(|other| kind == EventKind::Push && all_fit(*other))
            && !all_fit(kind)
        {
            let message =
                format!("`{name}` has the keys of an event of kind `{}`, and is a push", other.name());
            let error = FileError::new(self.source, name.span(), message);
            self.errors.push(error.label("this event").help(format!("add `kind = \"{}\"`", other.name())));
            return;
        }
        for (key, span) in &given {
            let fits = |kind: EventKind| has_key(kind, key);
            if !fits(kind) {
                let others = EventKind::ALL.into_iter().filter(|other| fits(*other));
                let others: Vec<String> = others.map(|other| format!("`{}`", other.name())).collect();
                let error =
                    FileError::new(self.source, span.clone(), format!("{with_article} has no `{key}`"))
                        .help(format!("`{key}` is for events of kind {}", others.join(", ")));
                self.errors.push(error);
            }
        }
        let has = |key: &&str| given.iter().any(|(other, _)| other == key);
        // Missing keys with the same alternative are one message.
        let mut missing: Vec<(Vec<&str>, &[&str])> = Vec::new();
        for keys in kind.needs().iter().filter(|keys| !keys.iter().any(&has)) {
            let (key, instead) = (keys[0], &keys[1..]);
            match missing.iter_mut().find(|(_, other)| !instead.is_empty() && *other == instead) {
                Some((keys, _)) => keys.push(key),
                None => missing.push((vec![key], instead)),
            }
        }
        for (keys, instead) in missing {
            // A mistake in a push is reported at its body, if it names one.
            let error = match (kind, &event.body) {
                (EventKind::Push, Some(body)) if keys.contains(&"impulse") => {
                    FileError::new(self.source, body.span(), "a push needs an impulse or a force")
                        .label("the push on this body")
                        .help("add `impulse = [x, y, z]` in N s or `force = [x, y, z]` in N")
                }
                _ => {
                    let quoted =
                        |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>();
                    let comma = if keys.len() > 1 { "," } else { "" };
                    let or: String = quoted(instead).iter().map(|key| format!("{comma} or {key}")).collect();
                    let message = format!("{with_article} needs {}{or}", quoted(&keys).join(" and "));
                    FileError::new(self.source, name.span(), message).label("this event")
                }
            };
            self.errors.push(error);
        }
    }

    fn numbers(&mut self, event: &EventSpec) {
        let vectors = [
            ("point", &event.point),
            ("impulse", &event.impulse),
            ("force", &event.force),
            ("amplitude", &event.amplitude),
            ("sway", &event.sway),
            ("by", &event.by),
            ("turn", &event.turn),
            ("position", &event.position),
            ("velocity", &event.velocity),
        ];
        for (name, vector) in vectors {
            if let Some(vector) = vector {
                self.finite(vector, name);
            }
        }
        for (name, number, unit) in [("mass", &event.mass, "kg"), ("radius", &event.radius, "m")] {
            if let Some(number) = number {
                self.number(number, name, |number| number > 0.0, &format!("more than 0 {unit}"));
            }
        }
        if let Some(track) = &event.track {
            self.errors.extend(track.get_ref().mistake(self.source));
            if let Some(to) = &event.to {
                self.say(to, "a command has `to` or `track`, not both");
            }
        }
        if let Some(aim) = &event.aimed {
            self.aim(aim.get_ref());
            for (key, other) in [("position", &event.position), ("velocity", &event.velocity)] {
                if let Some(other) = other {
                    self.say(other, format!("a throw has `aimed` or `{key}`, not both"));
                }
            }
        }
        if let (Some(_), Some(force)) = (&event.impulse, &event.force) {
            let message = "a push has an impulse or a force, not both";
            self.errors
                .push(FileError::new(self.source, force.span(), message).help("leave one of them out"));
        }
        if let Some(frequency) = &event.frequency {
            self.number(frequency, "frequency", |frequency| frequency > 0.0, "more than 0 Hz");
        }
        if let (Some(ramp), Some(duration)) = (&event.ramp, &event.duration) {
            let half = 0.5 * duration.get_ref();
            let right = format!("more than 0 s and at most half the duration, {half} s");
            self.number(ramp, "ramp", |ramp| ramp > 0.0 && ramp <= half, &right);
        }
    }

    fn aim(&mut self, aim: &AimSpec) {
        self.finite(&aim.at, "at");
        self.number(&aim.bearing, "bearing", f64::is_finite, "finite");
        self.number(&aim.height, "height", f64::is_finite, "finite");
        self.number(&aim.distance, "distance", |distance| distance > 0.0, "more than 0 m");
        self.number(&aim.speed, "speed", |speed| speed > 0.0, "more than 0 m/s");
    }

    /// Checks an event of a passive object, which cannot also be an event of the character.
    fn of_passive(&mut self, event: &EventSpec, scene: &SceneSpec) {
        let help = "leave it out, or name a passive object with `passive`";
        match &event.passive {
            Some(name) => {
                if !scene.passive.contains_key(name.get_ref().as_str()) {
                    let known = scene.passive.keys().map(|name| name.get_ref().as_str());
                    let message = format!("there is no passive object `{name}`");
                    let error = FileError::new(self.source, name.span(), message);
                    self.unknown(error.suggest(name.get_ref(), known));
                }
                let body = event.body.as_ref().map(|body| ("body", body.span()));
                let objective = event.objective.as_ref().map(|objective| ("objective", objective.span()));
                let character = event.character.as_ref().map(|character| ("character", character.span()));
                for (key, span) in body.into_iter().chain(objective).chain(character) {
                    let message = format!("a passive object has no `{key}`");
                    self.errors.push(FileError::new(self.source, span, message));
                }
            }
            None => {
                for (key, value) in [("part", &event.part), ("spring", &event.spring)] {
                    if let Some(value) = value {
                        let message = format!("`{key}` is only for passive objects");
                        let error = FileError::new(self.source, value.span(), message);
                        self.errors.push(error.help(help));
                    }
                }
            }
        }
    }

    fn obstacle(&mut self, name: &Spanned<String>, scene: &SceneSpec) {
        if name.get_ref() == GROUND || scene.obstacles.contains_key(name.get_ref().as_str()) {
            return;
        }
        let obstacles = scene.obstacles.keys().map(|name| name.get_ref().as_str());
        let known = std::iter::once(GROUND).chain(obstacles);
        let error = FileError::new(self.source, name.span(), format!("there is no obstacle `{name}`"));
        self.unknown(error.label("not an obstacle of this scene").suggest(name.get_ref(), known));
    }
}
