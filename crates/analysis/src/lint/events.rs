//! Events without effect.

use super::look::LintContext;
use super::rule::{Rule, RuleFindings, rule};
use super::starts::short;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_language::Spanned;
use aplomb_scene::{EventKind, EventSpec};
use aplomb_world::controller::{CommandValue, NextRead, Parameter, Reads};
use std::f64::consts::PI;
use std::ops::Range;

pub(super) const RULES: &[Rule] = &[
    rule!("late-event", "An event begins after the end of the run.", "It never comes.", None),
    rule!(
        "event-outlasts-run",
        "A push, a shake or a move lasts longer than the whole run.",
        "The event is cut off at the end of the run, and only a part of an impulse acts. Times are in s; the \
         usual cause is a number in milliseconds.",
        Some(outlasts)
    ),
    rule!(
        "idle-event",
        "A push has zero force, or a move has zero displacement.",
        "The event has no effect. The usual cause is a number left at 0.",
        Some(idle)
    ),
    rule!(
        "push-between-frames",
        "A push with a `force` lasts no whole number of frames.",
        "An event acts in whole frames, so the push gives another impulse than force times duration: this finds those \
         that differ by more than 2 %. An `impulse` is given whatever the frames are.",
        Some(between_frames)
    ),
    rule!(
        "shake-between-frames",
        "A shake has less than ten frames a period.",
        "A frame sees only where the ground is at its ends: a shake of a period a frame does not move it at all. Take \
         a shorter `dt`, or a lower `frequency`.",
        Some(shake_between_frames)
    ),
    rule!(
        "violent-shake",
        "A shake accelerates what it shakes by more than 5 g.",
        "Nothing stands on it. An amplitude is in m and a frequency in Hz, and the acceleration is amplitude · \
         (2π · frequency)²; the strongest earthquakes reach 2 to 3 g.",
        Some(violent_shake)
    ),
    rule!(
        "strong-push",
        "A push changes the velocity of the whole body by more than 10 m/s.",
        "No controller can balance it, and the time step may be too long for it. Impulses are in N s and forces \
         in N; about 80 N s push over an adult of 62 kg.",
        Some(strong)
    ),
    rule!(
        "implausible-ball",
        "A thrown ball is denser than any metal, or lighter than a beach ball.",
        "Its `mass` is in kg and its `radius` in m: a football has 0.43 kg and 0.11 m.",
        Some(implausible_ball)
    ),
    rule!(
        "idle-switch",
        "An event enables something that is already enabled, or disables something that is already disabled.",
        "The event has no effect. An objective to be enabled by an event needs `enabled = false`.",
        Some(idle_switch)
    ),
    rule!(
        "unread-value",
        "An event sets a value of a controller that nothing reads from then on.",
        "The event has no effect. A `let` is evaluated only when its state is entered: set the value before \
         that, or bind the name in `each_frame`.",
        Some(unread_value)
    ),
    rule!(
        "command-out-of-range",
        "A scene sets a command of a controller to a value outside the command's `range`.",
        "Values outside the range are clamped.",
        Some(command_out_of_range)
    ),
    rule!(
        "never-enabled",
        "An objective is disabled, and no event of the scene enables it.",
        "It never holds in this scene.",
        Some(never_enabled)
    ),
    rule!(
        "unused-height",
        "A scene gives a height to a body that is fixed to the world.",
        "The body's file determines where it is fixed.",
        None
    ),
];

fn outlasts(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    let run = *scene.spec.duration.get_ref();
    for event in scene.spec.events.values() {
        let Some(duration) = &event.duration else { continue };
        let lasts = *duration.get_ref();
        let is_of_kind = matches!(event.kind, EventKind::Push | EventKind::Shake | EventKind::Move);
        if is_of_kind && lasts > run {
            let message = format!("this {} lasts {lasts} s, and the run {run} s", event.kind.name());
            let help = match lasts / 1000.0 < run {
                true => format!("times are in s: did you mean {}?", lasts / 1000.0),
                false => "end it within the run".to_owned(),
            };
            found.say(scene.source, duration.span(), message, help);
        }
    }
}

fn idle(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    for event in scene.spec.events.values() {
        let given = |keys: &[&Option<Spanned<[f64; 3]>>]| {
            let given: Vec<Spanned<[f64; 3]>> = keys.iter().filter_map(|key| (*key).clone()).collect();
            let still = given.iter().all(|value| value.get_ref().iter().all(|part| *part == 0.0));
            given.first().filter(|_| still).map(Spanned::span)
        };
        let (what, span) = match event.kind {
            EventKind::Push => ("push has no force", given(&[&event.impulse, &event.force])),
            EventKind::Shake => ("shake goes nowhere", given(&[&event.amplitude, &event.sway])),
            EventKind::Move => ("move goes nowhere", given(&[&event.by, &event.turn])),
            _ => continue,
        };
        if let Some(span) = span {
            found.say(
                scene.source,
                span,
                format!("this {what}"),
                "give it a number other than 0, or remove the event",
            );
        }
    }
}

/// Largest deviation of the impulse of a push from force times duration, as a share.
const OFF: f64 = 0.02;

fn between_frames(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    for event in scene.spec.events.values().filter(|event| event.kind == EventKind::Push) {
        let (Some(_), Some(duration)) = (&event.force, &event.duration) else { continue };
        let given = *duration.get_ref();
        let frames = event.frames(look.dt);
        let frames = (frames.end - frames.start) as f64;
        let lasts = frames * look.dt;
        if given > 0.0 && (lasts - given).abs() > OFF * given {
            let message = format!(
                "{given} s are not a whole number of frames of {} s: the push acts for {} s and gives {:.0} % of \
                 this impulse",
                look.dt,
                short(lasts),
                100.0 * lasts / given
            );
            let help = format!("give its `impulse`, or a duration of {} s", short(lasts));
            found.say(scene.source, duration.span(), message, help);
        }
    }
}

/// Least number of frames in a period of a shake.
const FRAMES_A_PERIOD: f64 = 10.0;

fn shake_between_frames(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    for frequency in scene.spec.frequencies() {
        let frames = 1.0 / (*frequency.get_ref() * look.dt);
        if frames < FRAMES_A_PERIOD * (1.0 - 1e-9) {
            let message = format!(
                "at {} Hz a frame of {} s is {} of a period",
                frequency.get_ref(),
                look.dt,
                short(1.0 / frames)
            );
            let help = format!("`dt = {}` or less", short(1.0 / (*frequency.get_ref() * FRAMES_A_PERIOD)));
            found.say(scene.source, frequency.span(), message, help);
        }
    }
}

/// Greatest acceleration of a shake, m/s².
const VIOLENT: f64 = 5.0 * STANDARD_GRAVITY;

fn violent_shake(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    for (amplitude, frequency) in scene.spec.events.values().filter_map(EventSpec::oscillation) {
        let length = amplitude.get_ref().iter().map(|part| part * part).sum::<f64>().sqrt();
        let acceleration = length * (2.0 * PI * frequency.get_ref()).powi(2);
        if acceleration > VIOLENT {
            let message = format!(
                "{} m at {} Hz are {} g",
                short(length),
                frequency.get_ref(),
                short(acceleration / STANDARD_GRAVITY)
            );
            let help = "the acceleration is amplitude · (2π · frequency)²: 0.05 m at 1 Hz are 0.2 g";
            found.say(scene.source, amplitude.span(), message, help);
        }
    }
}

/// Change of the velocity of the whole body above which a push is too strong, m/s.
const STRONG: f64 = 10.0;

fn strong(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    let mass = look.model.mass();
    for event in scene.spec.events.values().filter(|event| event.kind == EventKind::Push) {
        let of_another =
            event.character.as_ref().is_some_and(|name| Some(name.get_ref().as_str()) != look.character);
        if of_another || event.passive.is_some() {
            continue;
        }
        let length = |value: &[f64; 3]| value.iter().map(|part| part * part).sum::<f64>().sqrt();
        let frames = event.frames(look.dt);
        let lasts = (frames.end - frames.start) as f64 * look.dt;
        let impulse = event.impulse.as_ref().map(|impulse| (length(impulse.get_ref()), impulse.span()));
        let force = event.force.as_ref().map(|force| (length(force.get_ref()) * lasts, force.span()));
        if let Some((impulse, span)) = impulse.or(force)
            && impulse > STRONG * mass
        {
            let change = impulse / mass;
            let message = format!("this push changes the velocity of {mass:.0} kg by {change:.0} m/s");
            let help = format!("{mass:.0} N s are 1 m/s");
            found.say(scene.source, span, message, help);
        }
    }
}

/// Densities between which thrown balls are, kg/m³: a beach ball has 2, gold 19 300.
const BALLS: [f64; 2] = [0.5, 2e4];

fn implausible_ball(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    for (mass, radius) in scene.spec.events.values().filter_map(EventSpec::ball) {
        let (kilograms, metres) = (*mass.get_ref(), *radius.get_ref());
        let density = kilograms / (4.0 / 3.0 * PI * metres.powi(3));
        if !(BALLS[0]..=BALLS[1]).contains(&density) {
            let message = format!("a ball of {kilograms} kg with a radius of {metres} m");
            let help = "`mass` is in kg and `radius` in m: a football has 0.43 kg and 0.11 m";
            let (first, last) = (mass.span(), radius.span());
            let span = if first.start < last.start { first } else { last };
            found.say(scene.source, span, message, help);
        }
    }
}

/// Whether an event refers to an objective: by its name, or as `STATE.NAME`.
fn is_of(event: &EventSpec, state: Option<&str>, name: &str) -> bool {
    event.objective.as_ref().is_some_and(|objective| {
        let objective = objective.get_ref();
        objective == name || state.is_some_and(|state| *objective == format!("{state}.{name}"))
    })
}

/// All objectives with their state, and whether they are active from the beginning.
fn objectives<'a>(
    look: &'a LintContext<'_>,
) -> Vec<(Option<&'a str>, &'a Spanned<String>, &'a Spanned<bool>)> {
    let Some(controller) = &look.controller else { return Vec::new() };
    let common = controller.spec.objectives.iter().map(|entry| (None, &entry.name, &entry.enabled));
    let own = controller.spec.states.iter().flat_map(|(state, spec)| {
        let state = state.get_ref().as_str();
        spec.objectives.iter().map(move |entry| (Some(state), &entry.name, &entry.enabled))
    });
    common.chain(own).collect()
}

fn idle_switch(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    let all = objectives(look);
    let switches = |event: &&EventSpec| {
        matches!(event.kind, EventKind::Enable | EventKind::Disable) && event.passive.is_none()
    };
    let events: Vec<&EventSpec> = scene.spec.events.values().filter(switches).collect();
    // Another controller, or another value of this one, may need an event that looks unused.
    if scene.spec.events.values().any(|event| matches!(event.kind, EventKind::Replace | EventKind::Set)) {
        return;
    }
    for event in &events {
        let Some(objective) = &event.objective else { continue };
        let on = event.kind == EventKind::Enable;
        let meant: Vec<_> =
            all.iter().filter(|(state, name, _)| is_of(event, *state, name.get_ref())).collect();
        let before = |other: &&&EventSpec| {
            !std::ptr::eq(**other, *event)
                && (other.earliest() < event.earliest() || other.duration.is_some())
                && meant.iter().any(|(state, name, _)| is_of(other, *state, name.get_ref()))
        };
        let is_so = meant.iter().all(|(_, _, enabled)| *enabled.get_ref() == on);
        if !meant.is_empty() && is_so && events.iter().find(before).is_none() {
            let is = if on { "enabled" } else { "disabled" };
            let message = format!("`{objective}` is {is} already");
            let help = if on { "write `enabled = false` in the controller" } else { "remove the event" };
            found.say(scene.source, objective.span(), message, help);
        }
    }
}

/// Whether an event applies to the character that is checked.
fn is_ours(look: &LintContext<'_>, event: &EventSpec) -> bool {
    event.character.as_ref().is_none_or(|whom| Some(whom.get_ref().as_str()) == look.character)
}

/// The values that an event gives a command, and their location.
fn commanded(event: &EventSpec) -> Option<(Vec<Parameter>, Range<usize>)> {
    let track = event.track.as_ref().map(|track| track.get_ref().values());
    let to = || event.to.as_ref().map(|to| (vec![*to.get_ref()], to.span()));
    track.map(|values| (values.get_ref().clone(), values.span())).or_else(to)
}

fn command_out_of_range(look: &LintContext<'_>, found: &mut RuleFindings) {
    let (Some(scene), Some(controller)) = (&look.scene, &look.controller) else { return };
    let ours: Vec<&EventSpec> = scene.spec.events.values().filter(|event| is_ours(look, event)).collect();
    let mut reported: Vec<(&Spanned<String>, Vec<Parameter>, Range<usize>)> = Vec::new();
    for (name, character) in &scene.spec.characters {
        if Some(name.get_ref().as_str()) == look.character {
            let first = character.commands.iter();
            reported.extend(first.map(|(name, value)| (name, vec![*value.get_ref()], value.span())));
        }
    }
    // Commands of another controller may have other ranges.
    if ours.iter().all(|event| event.kind != EventKind::Replace) {
        reported.extend(ours.iter().filter_map(|event| {
            let (values, span) = commanded(event)?;
            Some((event.command.as_ref()?, values, span))
        }));
    }
    for (name, values, span) in reported {
        let numbers = values.into_iter().flat_map(|value| CommandValue::from(value).numbers().to_vec());
        let numbers: Vec<f64> = numbers.collect();
        // A command without a dot in its name also sets those of included controllers.
        let is_meant = |known: &str| {
            let before = known.strip_suffix(name.get_ref().as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        let meant = controller.spec.commands.iter().filter(|(known, _)| is_meant(known.get_ref()));
        let mut beyond = meant.filter_map(|(_, command)| {
            let [low, high] = *command.range.as_ref()?.get_ref();
            let number = *numbers.iter().find(|number| !(low..=high).contains(number))?;
            Some((command, [low, high], number))
        });
        if let Some((command, [low, high], number)) = beyond.next() {
            let unit = if command.unit.is_empty() { String::new() } else { format!(" {}", command.unit) };
            let message = format!("`{name}` is {low} to {high}{unit}, and this sets it to {number}");
            let end = number.clamp(low, high);
            let help = format!("it is taken for {end}: write that, or another `range` in the controller");
            found.say(scene.source, span, message, help);
        }
    }
}

fn unread_value(look: &LintContext<'_>, found: &mut RuleFindings) {
    let (Some(scene), Some(controller)) = (&look.scene, &look.controller) else { return };
    let all = || scene.spec.events.values();
    // Another controller, or other states and bindings of this one, may read what this one does not.
    let rewrites = |event: &EventSpec| {
        let sets_parameter =
            event.path.as_ref().is_some_and(|path| path.get_ref().starts_with("parameters."));
        event.kind == EventKind::Replace || (event.kind == EventKind::Set && !sets_parameter)
    };
    let is_ours = |event: &&EventSpec| is_ours(look, event);
    let sets: Vec<&EventSpec> = all().filter(is_ours).filter(|event| event.kind == EventKind::Set).collect();
    if sets.is_empty() || all().filter(is_ours).any(rewrites) {
        return;
    }
    let reads = Reads::new(controller.spec, controller.source);
    for event in sets {
        let Some(path) = &event.path else { continue };
        // Values that are read in the first frame are also read later, from the start state.
        let from =
            if event.frames(look.dt).start == 0 { reads.before_first_frame() } else { Some(reads.start()) };
        if reads.next(path.get_ref(), from) == Some(NextRead::Never) {
            let message = format!("nothing reads `{path}` any more once this event comes");
            let help =
                "set it before the state that binds it in `let` is entered, or bind that in `each_frame`";
            found.say(scene.source, path.span(), message, help);
        }
    }
}

fn never_enabled(look: &LintContext<'_>, found: &mut RuleFindings) {
    let (Some(scene), Some(controller)) = (&look.scene, &look.controller) else { return };
    for (state, name, enabled) in objectives(look) {
        let enables = |event: &EventSpec| {
            let sets =
                event.path.as_ref().is_some_and(|path| path.get_ref().contains(name.get_ref().as_str()));
            (event.kind == EventKind::Enable && is_of(event, state, name.get_ref())) || sets
        };
        // A file that includes the objective's file leaves it out in this way.
        let by_other = controller.source.file_at(enabled.span().start).name
            != controller.source.file_at(name.span().start).name;
        if !enabled.get_ref() && !by_other && !scene.spec.events.values().any(enables) {
            let message = format!("objective `{name}` is disabled, and nothing in this scene enables it");
            found.say(
                controller.source,
                name.span(),
                message,
                "add an event of kind `enable`, or leave the objective out",
            );
        }
    }
}
