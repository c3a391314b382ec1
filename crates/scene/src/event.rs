//! Events as scene files specify them.

use super::aim::AimSpec;
use super::motion::six;
use super::track::TrackSpec;
use aplomb_body::contact::Trajectory;
use aplomb_language::Spanned;
use aplomb_language::expression::{BodyField, ConditionField, ExpressionField};
use aplomb_world::controller::Parameter;
use aplomb_world::event::first_not_before;
use aplomb_world::surface_change::SurfaceChange;
use nalgebra::Vector3;
use serde::Deserialize;
use std::ops::Range;

/// An event. Its keys depend on its kind.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EventSpec {
    /// Kind of the event.
    #[serde(default)]
    pub kind: EventKind,
    /// Time at which it begins, s. With `when` or `after`: the earliest such time.
    pub(crate) at: Option<Spanned<f64>>,
    /// The event begins in the first frame in which this condition holds. Its
    /// quantities are those of the event's character, or of the first one if it has none, as in criteria.
    pub when: Option<ConditionField>,
    /// Name of the event that has to end first. With `when`: the condition is checked from then on.
    pub after: Option<Spanned<String>>,
    /// Delay between `when` and `after` being met and the beginning of the event, s; default: 0.
    pub(crate) delay: Option<Spanned<f64>>,
    /// Duration, s: the event acts in each frame that begins before its end. Required for pushes, shakes and
    /// moves; for vanish, appear, enable and disable, the default is permanent; other kinds have no duration.
    pub duration: Option<Spanned<f64>>,
    /// Push, enable, disable, set, replace, command: name of the character; optional if there is only one.
    pub character: Option<Spanned<String>>,
    /// Push: body that the force acts on.
    pub(crate) body: Option<BodyField>,
    /// Push, enable, disable: a passive object of the scene, instead of the character.
    pub passive: Option<Spanned<String>>,
    /// Push on a passive object: name of the part that is pushed; optional if it has only one.
    pub(crate) part: Option<Spanned<String>>,
    /// Push: point of application, from the body's centre of mass in body axes, m; default: the centre of
    /// mass. For a part of a passive object: from its origin, in its axes.
    pub(crate) point: Option<Spanned<[f64; 3]>>,
    /// Push: impulse in world axes, N s, distributed uniformly over the event's frames. Either this or `force`.
    pub impulse: Option<Spanned<[f64; 3]>>,
    /// Push: force in world axes, N. Either this or `impulse`.
    pub force: Option<Spanned<[f64; 3]>>,
    /// Shake, move, vanish, appear: name of an obstacle of the scene, or `ground`.
    pub(crate) obstacle: Option<Spanned<String>>,
    /// Shake: amplitude of the displacement, world axes, m.
    pub amplitude: Option<Spanned<[f64; 3]>>,
    /// Shake: amplitude of the rotation about the obstacle's position: roll, pitch and yaw, rad.
    pub sway: Option<Spanned<[f64; 3]>>,
    /// Shake: frequency, Hz.
    pub(crate) frequency: Option<Spanned<f64>>,
    /// Shake: ramp time of the amplitude at both ends, s; default: half a period, but at most half the duration.
    pub(crate) ramp: Option<Spanned<f64>>,
    /// Move: displacement, world axes, m. It starts and ends at rest.
    pub by: Option<Spanned<[f64; 3]>>,
    /// Move: rotation about the obstacle's position: roll, pitch and yaw, rad.
    pub turn: Option<Spanned<[f64; 3]>>,
    /// Enable, disable: name of an objective of the controller, or `STATE.NAME` for the objective of one
    /// state only.
    pub objective: Option<Spanned<String>>,
    /// Enable, disable: name of a `collision_avoidance` of the controller. For a passive object: name of a
    /// constraint, a loop joint, a fixed particle (`pins` for all of these) or a drag.
    pub(crate) constraint: Option<Spanned<String>>,
    /// Enable, disable: spring of a passive object: its name, or the name of the joint, link or bone whose
    /// stiffness it is; `all` for the springs of all joints.
    pub(crate) spring: Option<Spanned<String>>,
    /// Set: path of a value of the controller, as in `--set` but without the prefix `controller.`:
    /// `parameters.crouch`, `objectives.NAME.weight`, `states.STATE.objectives.NAME.of.body_point.target`.
    pub path: Option<Spanned<String>>,
    /// Set: new value; a vector is written as an expression, `"[x, y, z]"`.
    pub(crate) value: Option<ExpressionField>,
    /// Replace: file of the new controller.
    pub(crate) controller: Option<Spanned<String>>,
    /// Command: name of the command in the controller's file.
    pub command: Option<Spanned<String>>,
    /// Command: its value from then on, a number or `[x, y, z]`.
    pub to: Option<Spanned<Parameter>>,
    /// Command: its values over time, in place of `to`.
    pub track: Option<Spanned<TrackSpec>>,
    /// Throw: mass of the ball, kg.
    pub mass: Option<Spanned<f64>>,
    /// Throw: radius of the ball, m.
    pub(crate) radius: Option<Spanned<f64>>,
    /// Throw: initial position of the ball's centre, world, m.
    pub(crate) position: Option<Spanned<[f64; 3]>>,
    /// Throw: initial velocity of the ball, world axes, m/s.
    pub(crate) velocity: Option<Spanned<[f64; 3]>>,
    /// Throw: target and origin of the throw, in place of `position` and `velocity`.
    pub(crate) aimed: Option<Spanned<AimSpec>>,
}

/// Kinds of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// A force on a body.
    #[default]
    Push,
    /// A surface oscillates.
    Shake,
    /// A surface moves along a path.
    Move,
    /// A surface is removed.
    Vanish,
    /// A surface is added.
    Appear,
    /// An objective is enabled.
    Enable,
    /// An objective is disabled.
    Disable,
    /// A value of the controller is replaced.
    Set,
    /// The controller is replaced.
    Replace,
    /// A ball is thrown.
    Throw,
    /// A command of the controller gets a new value.
    Command,
}

/// Description of a kind of event, without its effect.
struct EventForm {
    kind: EventKind,
    /// Name in files.
    name: &'static str,
    /// One sentence for `aplomb list`.
    about: &'static str,
    /// Required keys besides those for the time of the event; of the alternatives in an entry, at least one.
    needs: &'static [&'static [&'static str]],
    /// Optional keys.
    may_have: &'static [&'static str],
    /// Whether it affects a character rather than the world.
    needs_character: bool,
}

/// All kinds, in the order of [`EventKind`].
const FORMS: [EventForm; 11] = [
    EventForm {
        kind: EventKind::Push,
        name: "push",
        about: "A constant force on a body or a part of a passive object for the duration, given as `impulse` or \
                `force`: a shove, a gust, a bump.",
        needs: &[&["duration"], &["body", "passive"], &["impulse", "force"]],
        may_have: &["character", "point", "part"],
        needs_character: true,
    },
    EventForm {
        kind: EventKind::Shake,
        name: "shake",
        about: "The ground or an obstacle oscillates for the duration, with `amplitude` and `frequency`.",
        needs: &[&["duration"], &["obstacle"], &["amplitude", "sway"], &["frequency"]],
        may_have: &["ramp"],
        needs_character: false,
    },
    EventForm {
        kind: EventKind::Move,
        name: "move",
        about: "The ground or an obstacle moves to another pose, given as `by` or `turn`, and stays there.",
        needs: &[&["duration"], &["obstacle"], &["by", "turn"]],
        may_have: &[],
        needs_character: false,
    },
    EventForm {
        kind: EventKind::Vanish,
        name: "vanish",
        about: "The ground or an obstacle is removed, permanently or for a `duration`.",
        needs: &[&["obstacle"]],
        may_have: &["duration"],
        needs_character: false,
    },
    EventForm {
        kind: EventKind::Appear,
        name: "appear",
        about: "An obstacle that was absent is added, permanently or for a `duration`.",
        needs: &[&["obstacle"]],
        may_have: &["duration"],
        needs_character: false,
    },
    EventForm {
        kind: EventKind::Enable,
        name: "enable",
        about: "An objective or a `collision_avoidance` of the controller, or a constraint or spring of a \
                passive object, is enabled from then on, or for a `duration` (see `enabled`).",
        needs: &[&["objective", "constraint", "spring"]],
        may_have: &["character", "duration", "passive"],
        needs_character: true,
    },
    EventForm {
        kind: EventKind::Disable,
        name: "disable",
        about: "An objective or a `collision_avoidance` of the controller, or a constraint or spring of a \
                passive object, is disabled from then on, or for a `duration`.",
        needs: &[&["objective", "constraint", "spring"]],
        may_have: &["character", "duration", "passive"],
        needs_character: true,
    },
    EventForm {
        kind: EventKind::Set,
        name: "set",
        about: "A value of the controller changes from then on: a parameter, a weight, a target. The controller \
                keeps its state.",
        needs: &[&["path"], &["value"]],
        may_have: &["character"],
        needs_character: true,
    },
    EventForm {
        kind: EventKind::Replace,
        name: "replace",
        about: "Another `controller` replaces the present one, in the state of the same name and with the \
                bindings of the same names; if there is no such state, in its start state.",
        needs: &[&["controller"]],
        may_have: &["character"],
        needs_character: true,
    },
    EventForm {
        kind: EventKind::Throw,
        name: "throw",
        about: "A ball is thrown: it exists from then on, with the event's name.",
        needs: &[&["mass"], &["radius"], &["position", "aimed"], &["velocity", "aimed"]],
        may_have: &[],
        needs_character: false,
    },
    EventForm {
        kind: EventKind::Command,
        name: "command",
        about: "A command of the controller (`[commands]` in its file) gets a new value or follows a track from \
                then on: where to go, how fast, when to stop.",
        needs: &[&["command"], &["to", "track"]],
        may_have: &["character"],
        needs_character: true,
    },
];

impl EventKind {
    /// All kinds of event.
    pub(crate) const ALL: [EventKind; FORMS.len()] = {
        let mut all = [EventKind::Push; FORMS.len()];
        let mut index = 0;
        while index < FORMS.len() {
            all[index] = FORMS[index].kind;
            assert!(all[index] as usize == index, "the list has the order of the kinds");
            index += 1;
        }
        all
    };

    fn form(self) -> &'static EventForm {
        &FORMS[self as usize]
    }

    /// Name in files.
    pub fn name(self) -> &'static str {
        self.form().name
    }

    /// Whether it affects a character rather than the world.
    pub(super) fn needs_character(self) -> bool {
        self.form().needs_character
    }

    /// One sentence for `aplomb list`.
    pub(crate) fn about(self) -> &'static str {
        self.form().about
    }

    /// Required keys besides those for the time of the event; of the alternatives in an entry, at least one.
    pub(super) fn needs(self) -> &'static [&'static [&'static str]] {
        self.form().needs
    }

    /// Optional keys.
    pub(super) fn may_have(self) -> &'static [&'static str] {
        self.form().may_have
    }
}

/// Name and description, one sentence, of each kind of event, for `aplomb list`.
pub fn list() -> Vec<(&'static str, &'static str)> {
    EventKind::ALL.into_iter().map(|kind| (kind.name(), kind.about())).collect()
}

impl EventSpec {
    /// Mass (kg) and radius (m) of a thrown ball; `None` for other kinds.
    pub fn ball(&self) -> Option<(&Spanned<f64>, &Spanned<f64>)> {
        Some((self.mass.as_ref()?, self.radius.as_ref()?)).filter(|_| self.kind == EventKind::Throw)
    }

    /// Amplitude (m, by axis) and frequency (Hz) of a shake; `None` for other kinds, and one that only rotates.
    pub fn oscillation(&self) -> Option<(&Spanned<[f64; 3]>, &Spanned<f64>)> {
        Some((self.amplitude.as_ref()?, self.frequency.as_ref()?)).filter(|_| self.kind == EventKind::Shake)
    }

    /// Direction from the target of an aimed throw to the thrower, rad.
    pub fn bearing(&self) -> Option<&Spanned<f64>> {
        Some(&self.aimed.as_ref()?.get_ref().bearing)
    }

    /// Given keys besides `kind` and those for the time of the event, with the spans of their values.
    pub(super) fn given(&self) -> Vec<(&'static str, Range<usize>)> {
        fn place<T>(value: &Option<Spanned<T>>) -> Option<Range<usize>> {
            value.as_ref().map(Spanned::span)
        }
        let keys = [
            ("duration", place(&self.duration)),
            ("character", place(&self.character)),
            ("body", self.body.as_ref().map(BodyField::span)),
            ("passive", place(&self.passive)),
            ("part", place(&self.part)),
            ("point", place(&self.point)),
            ("impulse", place(&self.impulse)),
            ("force", place(&self.force)),
            ("obstacle", place(&self.obstacle)),
            ("amplitude", place(&self.amplitude)),
            ("sway", place(&self.sway)),
            ("frequency", place(&self.frequency)),
            ("ramp", place(&self.ramp)),
            ("by", place(&self.by)),
            ("turn", place(&self.turn)),
            ("objective", place(&self.objective)),
            ("constraint", place(&self.constraint)),
            ("spring", place(&self.spring)),
            ("path", place(&self.path)),
            ("value", self.value.as_ref().map(ExpressionField::span)),
            ("controller", place(&self.controller)),
            ("command", place(&self.command)),
            ("to", place(&self.to)),
            ("track", place(&self.track)),
            ("mass", place(&self.mass)),
            ("radius", place(&self.radius)),
            ("position", place(&self.position)),
            ("velocity", place(&self.velocity)),
            ("aimed", place(&self.aimed)),
        ];
        keys.into_iter().filter_map(|(key, place)| Some((key, place?))).collect()
    }

    /// Frames in which the event acts, where frame k begins at k dt; a single one for a permanent change. For an
    /// event that waits: the frames if it began at its earliest time.
    pub fn frames(&self, dt: f64) -> Range<u64> {
        let first = self.first_frame(dt);
        first..self.end_frame(dt).unwrap_or(first.saturating_add(1))
    }

    /// Earliest time at which it may happen, s.
    pub fn earliest(&self) -> f64 {
        self.at.as_ref().map_or(0.0, |at| *at.get_ref())
    }

    /// Whether its time depends on a condition or another event.
    pub fn waits(&self) -> bool {
        self.when.is_some() || self.after.is_some()
    }

    fn first_frame(&self, dt: f64) -> u64 {
        first_not_before(self.earliest(), dt)
    }

    /// The first frame after the event, if the event ends.
    fn end_frame(&self, dt: f64) -> Option<u64> {
        if let Some(track) = &self.track {
            // The last value is set in a frame of its own.
            return Some(first_not_before(self.earliest() + track.get_ref().length(), dt).saturating_add(1));
        }
        let duration = self.duration.as_ref()?.get_ref();
        Some(first_not_before(self.earliest() + duration, dt))
    }

    /// The force of a push in each of its frames, world axes, N.
    pub(crate) fn push_force(&self, dt: f64) -> Vector3<f64> {
        match (&self.impulse, &self.force) {
            (Some(impulse), _) => {
                let frames = self.frames(dt);
                Vector3::from(*impulse.get_ref()) / (frames.end.saturating_sub(frames.start) as f64 * dt)
            }
            (None, Some(force)) => Vector3::from(*force.get_ref()),
            (None, None) => Vector3::zeros(),
        }
    }

    /// The event's effect on its obstacle.
    pub(crate) fn surface_change(&self) -> Option<SurfaceChange> {
        let duration = self.duration.as_ref().map(|duration| *duration.get_ref());
        match self.kind {
            EventKind::Shake => Some(self.shake(duration.unwrap_or_default())),
            EventKind::Move => {
                let displacement = six(&self.by, &self.turn);
                Some(SurfaceChange::Move { displacement, duration: duration.unwrap_or_default() })
            }
            EventKind::Vanish => Some(SurfaceChange::Presence { is_present: false, duration }),
            EventKind::Appear => Some(SurfaceChange::Presence { is_present: true, duration }),
            EventKind::Push
            | EventKind::Enable
            | EventKind::Disable
            | EventKind::Set
            | EventKind::Replace
            | EventKind::Throw
            | EventKind::Command => None,
        }
    }

    /// Adds the event's effect on its obstacle to that obstacle's trajectory; the effect of an event that waits comes
    /// in its frame.
    pub(crate) fn lay(&self, course: &mut Trajectory, dt: f64) {
        match self.surface_change() {
            Some(change) if self.waits() => change.announce_to(course),
            Some(change) => change.add_to(course, self.earliest(), dt),
            None => {}
        }
    }

    fn shake(&self, duration: f64) -> SurfaceChange {
        let frequency = self.frequency.as_ref().map_or(0.0, |frequency| *frequency.get_ref());
        let gentle = (0.5 / frequency).min(0.5 * duration);
        let ramp = self.ramp.as_ref().map_or(gentle, |ramp| *ramp.get_ref());
        SurfaceChange::Shake { amplitude: six(&self.amplitude, &self.sway), frequency, ramp, duration }
    }

    /// Frames at which a switch becomes `on` or its opposite: the first of the event, and the first after it.
    pub(crate) fn changes(&self, dt: f64, on: bool) -> impl Iterator<Item = (u64, bool)> + Clone + use<> {
        let end = self.end_frame(dt).map(|frame| (frame, !on));
        std::iter::once((self.first_frame(dt), on)).chain(end)
    }
}
