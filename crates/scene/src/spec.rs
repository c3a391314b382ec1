//! Scene files: their types.

use super::event::EventSpec;
use super::hold_spec::{BarSpec, HoldsSpec};
use super::motion::{MotionSpec, SineSpec};
use super::passive_settings::PassiveSettingsSpec;
use super::terrain::TerrainSpec;
use super::trials::TrialsSpec;
use aplomb_body::dynamics::BiasVelocity;
use aplomb_body::model::companion::RootSpec;
use aplomb_body::model::pad::{self, PadSpec};
use aplomb_body::model::roles::{GivenRoles, RolePointSpec};
use aplomb_body::model::{Model, mjcf};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileErrors, Source};
use aplomb_language::expression::{ConditionField, VectorField};
use aplomb_language::files::Format;
use aplomb_passive::PassiveSpec;
use aplomb_world::Advance;
use aplomb_world::controller::Drive;
use aplomb_world::controller::Parameter;
use aplomb_world::reaction_delay::ReactionDelaySettings;
use indexmap::IndexMap;
use serde::Deserialize;

/// A scene: `scenes/*.toml`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SceneSpec {
    /// Title for readers; default: the file's name.
    pub title: Option<String>,
    /// Names of rules of `aplomb check` (`aplomb list rules`) whose findings in this file are suppressed.
    #[serde(default)]
    pub allow: Vec<Spanned<String>>,
    /// Length of a frame, s; 0.0001 to 0.05.
    #[serde(default = "defaults::dt")]
    pub dt: Spanned<f64>,
    /// Duration of the run, s.
    pub duration: Spanned<f64>,
    /// World gravity, m/s²; z is up.
    #[serde(default = "defaults::gravity")]
    pub gravity: Spanned<[f64; 3]>,
    /// Name of the QP solver; default: the program's default solver.
    pub(crate) solver: Option<Spanned<String>>,
    /// Velocity at which the bias force h(q, v) of a frame is evaluated.
    #[serde(default)]
    pub(crate) bias_velocity: BiasVelocity,
    /// How the state at the end of a frame is computed from its solution.
    #[serde(default)]
    pub advance: Advance,
    /// Weight on the torque change between frames, ‖Δτ/(m g h)‖², for frames of 0.01 s; × 0.01 s/dt for others.
    #[serde(default = "defaults::torque_change_weight")]
    pub torque_change_weight: Spanned<f64>,
    /// Weight that holds contact points in place, on ‖Δv/(dt g)‖².
    #[serde(default = "defaults::contact_weight")]
    pub(crate) contact_weight: Spanned<f64>,
    /// Response time with which a contact point that drifted returns, s.
    #[serde(default = "defaults::contact_response")]
    pub(crate) contact_response: Spanned<f64>,
    /// Joints brake before their limits: the distance to a limit decays no faster than with this time
    /// constant, s for a body whose COM is 0.93 m high. 0: joints reach their limits at any speed.
    #[serde(default = "defaults::joint_limit_response")]
    pub(crate) joint_limit_response: Spanned<f64>,
    /// Largest momentum that a frame may gain without a force, per time, in m g and m g h. A frame that gains
    /// more, or in which a joint turns by more than 0.3 rad, is computed in parts, down to 1/32 of it, in which
    /// the controller's decisions hold. 0: never. With `bias_velocity = "momentum"` momentum is balanced in any
    /// case, and only the turning of joints divides a frame.
    #[serde(default = "defaults::momentum_tolerance")]
    pub momentum_tolerance: Spanned<f64>,
    /// Regularisation weight on the contact force coefficients, which distributes forces evenly and makes
    /// them unique.
    #[serde(default = "defaults::force_weight")]
    pub(crate) force_weight: Spanned<f64>,
    /// Edges of the friction pyramid, 4 or 8. With 4, friction on the diagonal is 0.707 of that along the
    /// axes.
    #[serde(default = "defaults::friction_directions")]
    pub(crate) friction_directions: Spanned<u32>,
    /// Coefficient of friction between characters, 0 to 1e6. If it is set, characters collide, and are solved
    /// together while they are close. Default: they pass through each other except for grips.
    pub friction_between_characters: Option<Spanned<f64>>,
    /// The floor; default: a horizontal plane at height 0.
    #[serde(default)]
    pub ground: GroundSpec,
    /// Boxes in the world, by name.
    #[serde(default)]
    pub obstacles: IndexMap<Spanned<String>, ObstacleSpec>,
    /// Stairs and uneven ground, by name.
    #[serde(default)]
    pub(crate) terrain: IndexMap<Spanned<String>, TerrainSpec>,
    /// Bars to hang from, by name.
    #[serde(default)]
    pub bars: IndexMap<Spanned<String>, BarSpec>,
    /// Points to hold on to.
    pub holds: Option<Spanned<HoldsSpec>>,
    /// Characters, by name; optional if there are passive objects.
    #[serde(default)]
    pub characters: IndexMap<Spanned<String>, CharacterSpec>,
    /// Passive objects, by name.
    #[serde(default)]
    pub passive: IndexMap<Spanned<String>, PassiveSpec>,
    /// Time integration of passive objects.
    #[serde(default)]
    pub(crate) passive_settings: PassiveSettingsSpec,
    /// Events, by name.
    #[serde(default)]
    pub events: IndexMap<Spanned<String>, EventSpec>,
    /// Success criteria of every run, by name.
    #[serde(default)]
    pub success: IndexMap<Spanned<String>, Criterion>,
    /// Random draws for repeated trials of the scene (`aplomb test`), and the promised success rate.
    pub trials: Option<TrialsSpec>,
}

/// Names that a scene's author chooses.
pub(super) const FORMAT: Format = Format {
    named: &["obstacles", "terrain", "bars", "holds", "characters", "passive", "events", "success"],
    may_be_infinite: &[],
    // The kind determines the other keys.
    first: &[("passive.*", "kind")],
    unfold: None,
    hints: &[("reaction_delay", REACTION_DELAY), ("joints", POSE), ("joint_angles", POSE), ("angles", POSE)],
    foreign: &[
        ("states", "this is a controller, where a scene is wanted"),
        ("panels", "this is a plot, where a scene is wanted"),
    ],
};

/// Help on joint positions at the start.
const POSE: &str = "joint positions at the start are `pose = { left_knee = 0.5 }`, in rad or m";

/// Help on the location and the form of a reaction delay.
const REACTION_DELAY: &str = "a character of the scene has one: in `[characters.NAME]` write \
     `reaction_delay = { like = \"person\" }`, or `reaction_delay = { time = 0.1, perception = 0.2 }` with the \
     times in s";

/// The floor: everything below a horizontal plane.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GroundSpec {
    /// Coulomb friction coefficient, at most 1e6.
    #[serde(default = "defaults::friction")]
    pub friction: Spanned<f64>,
    /// Height of the surface, m.
    #[serde(default = "defaults::zero")]
    pub height: Spanned<f64>,
    /// Prescribed motion; the motion of events is added.
    pub(crate) motion: Option<MotionSpec>,
}

impl Default for GroundSpec {
    fn default() -> Self {
        GroundSpec { friction: defaults::friction(), height: defaults::zero(), motion: None }
    }
}

/// A box, moved only by its motion and by events.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObstacleSpec {
    /// Half lengths of the box along its axes, m.
    pub(crate) half_lengths: Spanned<[f64; 3]>,
    /// Centre of the box in the world, m.
    pub(crate) position: Spanned<[f64; 3]>,
    /// Roll, pitch and yaw about the world's x, y and z axes, in that order, rad.
    pub rotation: Option<Spanned<[f64; 3]>>,
    /// Coulomb friction coefficient, at most 1e6; default: the ground's.
    pub friction: Option<Spanned<f64>>,
    /// Weight that holds contact points on it in place, instead of the scene's `contact_weight`; 0 for a wall
    /// that is only bumped into, and that no part of the body should stick to.
    pub(crate) contact_weight: Option<Spanned<f64>>,
    /// Prescribed motion; the motion of events is added.
    pub(crate) motion: Option<MotionSpec>,
}

/// A character.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CharacterSpec {
    /// MJCF file of the body, relative to this file, or the name of a shipped character.
    pub model: Spanned<String>,
    /// Controller file, relative to this file, or the name of a shipped controller.
    pub controller: Spanned<String>,
    /// `free`: the root moves freely even if the model file fixes it to the world.
    pub(crate) root: Option<RootSpec>,
    /// Bodies by role, where automatic detection fails: `chest = "torso_link"`. They override those of the
    /// companion file of the model.
    #[serde(default)]
    pub(crate) roles: IndexMap<Spanned<String>, Spanned<String>>,
    /// Joints by their role: `arms = ["left_elbow", "right_elbow"]`, `left_knee = ["-knee"]` for a single
    /// hinge that turns the other way.
    #[serde(default)]
    pub(crate) role_joints: IndexMap<Spanned<String>, Vec<Spanned<String>>>,
    /// Points by their role: `left_sole = { body = "left_ankle", at = [0.03, 0, -0.05] }`, m in body axes.
    #[serde(default)]
    pub(crate) role_points: IndexMap<Spanned<String>, RolePointSpec>,
    /// Soft layers outside the shapes of bodies and their descendants, by name or role, such as the soles of shoes:
    /// `left_foot = { depth = 0.015, time = 0.03 }`, m and s. A landing then takes some frames.
    #[serde(default)]
    pub(crate) pads: IndexMap<Spanned<String>, Spanned<PadSpec>>,
    /// Initial position: offset added to x and y of its rest pose, m.
    #[serde(default = "defaults::position")]
    pub position: Spanned<[f64; 2]>,
    /// Rotation about the vertical, rad; 0 faces along x.
    #[serde(default = "defaults::zero")]
    pub heading: Spanned<f64>,
    /// Initial height of its lowest point over the ground, m; default: it stands on the ground.
    pub height: Option<Spanned<f64>>,
    /// Joint positions that differ from the rest pose, by joint, rad or m.
    #[serde(default)]
    pub(crate) pose: IndexMap<Spanned<String>, Spanned<f64>>,
    /// Initial positions of bodies (their frames' origins), sites or the `com`, by name: world, m. Inverse
    /// kinematics changes joints and root from `pose`, `position` and `heading` as little as needed; bodies
    /// that stand on the ground keep their place unless they or a descendant are named. Quantities in the
    /// vectors are those of the pose before this change.
    #[serde(default)]
    pub(crate) reach: IndexMap<Spanned<String>, VectorField>,
    /// Initial orientations of bodies, by name: roll, pitch and yaw of the body frame in the world, rad.
    #[serde(default)]
    pub orientation: IndexMap<Spanned<String>, VectorField>,
    /// Initial velocity of the root in world axes, m/s.
    pub(crate) velocity: Option<Spanned<[f64; 3]>>,
    /// Strength of its grips, and how they close.
    #[serde(default)]
    pub(crate) grip: GripSpec,
    /// `limp`: no joint torques in any state, regardless of the controller. A body that is always a `ragdoll` is a
    /// passive object instead, of `kind = "articulated"`.
    #[serde(default)]
    pub(crate) drive: Drive,
    /// Whether the model's torque limits apply.
    #[serde(default = "defaults::yes")]
    pub torque_limits: bool,
    /// Whether its limbs avoid each other and its trunk. This applies to collision shapes of bodies that
    /// share no joint and that do not overlap in the rest pose.
    #[serde(default = "defaults::yes")]
    pub self_collision: bool,
    /// Delay of joint torques after a surprise; default: none.
    pub reaction_delay: Option<ReactionDelaySpec>,
    /// Holds that its sites (or points, by their role) grip as soon as they are within reach, regardless of
    /// the controller: `hold_on = { left_palm = "hand_of_adult" }`, with `[holds.at.hand_of_adult]`,
    /// `on = "adult"` and `at = "right_palm"`. A grip that breaks is not made again. Without
    /// `friction_between_characters` in the scene, characters pass through each other.
    #[serde(default)]
    pub(crate) hold_on: IndexMap<Spanned<String>, Spanned<String>>,
    /// Initial values of its controller's `[commands]`, by name: numbers, or `[x, y, z]`.
    #[serde(default)]
    pub commands: IndexMap<Spanned<String>, Spanned<Parameter>>,
    /// Success criteria of this character, by name. The quantities in them are this character's; in the
    /// scene's own `success` they are the first character's.
    #[serde(default)]
    pub success: IndexMap<Spanned<String>, Criterion>,
}

impl CharacterSpec {
    /// Model of its body, with the roles and pads that the scene in `source` assigns to its parts.
    ///
    /// # Errors
    /// Mistakes in the model's file, and unknown roles and parts.
    pub fn body(&self, source: &Source, model: &Source) -> Result<Model, FileErrors> {
        let mut body = mjcf::read_with(model, &self.reading())?.model;
        self.assign(source, &mut body)?;
        Ok(body)
    }

    /// Options for reading its body's file.
    pub(crate) fn reading(&self) -> mjcf::Options {
        mjcf::Options { root: self.root, ..mjcf::Options::default() }
    }

    /// Names of the bodies, sites and points that `reach` places.
    pub fn reach(&self) -> impl Iterator<Item = &str> {
        self.reach.keys().map(|name| name.get_ref().as_str())
    }

    /// Assigns the roles and pads to the parts of a body.
    ///
    /// # Errors
    /// Unknown roles and parts, and impossible pads.
    pub(crate) fn assign(&self, source: &Source, body: &mut Model) -> Result<(), FileErrors> {
        let CharacterSpec { roles: bodies, role_joints: joints, role_points: points, .. } = self;
        let mut errors = match (GivenRoles { source, bodies, joints, points }).assign(body) {
            Ok(()) => Vec::new(),
            Err(errors) => errors.into_iter().collect(),
        };
        errors.extend(pad::give(body, source, &self.pads));
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    }
}

/// After a surprise, joint torques stay for a while near those at its beginning ([Jain 2009] §4.1): the cost
/// of torque change is then w ‖(τ − τ₀)/(m g h)‖² with the torques τ₀ of the previous frame. Surprises are
/// pushes, hits by passive objects and ragdolls, supporting ground that begins to accelerate, and ground that
/// vanishes. A force counts from 5 % of the weight on (an acceleration from 5 % of g on); the same cause is a
/// surprise again only after it has been absent for 1 s.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReactionDelaySpec {
    /// `like = "person"`: human reaction times, 0.1 s for joint torques and 0.2 s for decisions. The other
    /// keys override these values.
    pub(crate) like: Option<ReactionPreset>,
    /// Time from the beginning of each surprise until joint torques respond, s; required without `like`.
    pub(crate) time: Option<Spanned<f64>>,
    /// Weight w, in place of the scene's `torque_change_weight`: the effect of 1e2 is measurable, that of 1e4
    /// visible, and 1e6 outweighs all objectives. Default: 1e4, with `like = "person"` 3e4.
    pub(crate) weight: Option<Spanned<f64>>,
    /// Time from each surprise until the controller perceives it, s. Until then, states, planners and
    /// expressions use the COM motion predicted without the surprise. With 0, only torques are delayed, as in
    /// [Jain 2009] §4.1. Default: 0, with `like = "person"` 0.2.
    pub(crate) perception: Option<Spanned<f64>>,
}

/// A preset of reaction times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReactionPreset {
    /// Reaction times of standing people who are pushed without warning.
    Person,
}

impl ReactionDelaySpec {
    /// The settings; `None` if neither a time nor a preset is given.
    pub(crate) fn settings(&self) -> Option<ReactionDelaySettings> {
        let preset = self.like.map(|ReactionPreset::Person| ReactionDelaySettings::PERSON);
        let given = |value: &Option<Spanned<f64>>| value.as_ref().map(|value| *value.get_ref());
        Some(ReactionDelaySettings {
            time: given(&self.time).or(preset.map(|preset| preset.time))?,
            weight: given(&self.weight).or(preset.map(|preset| preset.weight)).unwrap_or(1e4),
            perception: given(&self.perception).or(preset.map(|preset| preset.perception)).unwrap_or(0.0),
        })
    }
}

/// Strength of a character's grips, and how they close.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct GripSpec {
    /// Force above which a grip breaks, N; default: 4 times the weight.
    pub(crate) force: Option<Spanned<f64>>,
    /// Distance within which a hand is pulled to the hold, m; default: 0.05. The grip transmits force while
    /// the distance is at most the radius of the hold plus that of the site (`size` in the body's file), and
    /// is released beyond.
    pub(crate) reach: Option<Spanned<f64>>,
    /// Speed at which a hand closes on the hold, before and after contact, m/s; default: 0.5.
    pub(crate) speed: Option<Spanned<f64>>,
}

/// A success criterion of a run.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// The condition has to hold in every frame; the run ends when it does not.
    Always(ConditionField),
    /// The condition has to hold in the last frame.
    AtEnd(ConditionField),
    /// The condition has to hold in at least one frame.
    Once(ConditionField),
}

impl SceneSpec {
    /// All conditions of criteria and events.
    pub fn conditions(&self) -> impl Iterator<Item = &ConditionField> {
        let of_characters = self.characters.values().flat_map(|character| character.success.values());
        let criteria = self.success.values().chain(of_characters).map(Criterion::condition);
        criteria.chain(self.events.values().filter_map(|event| event.when.as_ref()))
    }

    /// Frequencies of everything that shakes, Hz.
    pub fn frequencies(&self) -> impl Iterator<Item = &Spanned<f64>> {
        let of_events = self.events.values().filter_map(|event| event.frequency.as_ref());
        of_events.chain(self.sinusoids().map(|sine| &sine.frequency))
    }

    /// Phases of the motions of the ground and obstacles, rad.
    pub fn phases(&self) -> impl Iterator<Item = &Spanned<f64>> {
        self.sinusoids().map(|sine| &sine.phase)
    }

    /// Amplitudes of the rotations of the ground and obstacles: roll, pitch and yaw, rad.
    pub fn sways(&self) -> impl Iterator<Item = &Spanned<[f64; 3]>> {
        self.sinusoids().filter_map(|sine| sine.sway.as_ref())
    }

    fn sinusoids(&self) -> impl Iterator<Item = &SineSpec> {
        let motions = self.obstacles.values().map(|obstacle| &obstacle.motion).chain([&self.ground.motion]);
        motions.filter_map(|motion| match motion {
            Some(MotionSpec::Sine(sine)) => Some(sine),
            Some(MotionSpec::Keyframes(_)) | None => None,
        })
    }
}

impl Criterion {
    /// The condition in the scene.
    pub fn condition(&self) -> &ConditionField {
        match self {
            Criterion::Always(condition) | Criterion::AtEnd(condition) | Criterion::Once(condition) => {
                condition
            }
        }
    }
}

mod defaults {
    use aplomb_language::Spanned;

    fn given<T>(value: T) -> Spanned<T> {
        Spanned::new(0..0, value)
    }

    pub(super) fn dt() -> Spanned<f64> {
        given(0.01)
    }

    pub(super) fn gravity() -> Spanned<[f64; 3]> {
        given([0.0, 0.0, -9.81])
    }

    pub(super) fn torque_change_weight() -> Spanned<f64> {
        given(0.01)
    }

    pub(super) fn contact_weight() -> Spanned<f64> {
        given(100.0)
    }

    pub(super) fn contact_response() -> Spanned<f64> {
        given(0.03)
    }

    pub(super) fn joint_limit_response() -> Spanned<f64> {
        given(0.05)
    }

    pub(super) fn momentum_tolerance() -> Spanned<f64> {
        given(0.1)
    }

    pub(super) fn force_weight() -> Spanned<f64> {
        given(1e-4)
    }

    pub(super) fn friction_directions() -> Spanned<u32> {
        given(4)
    }

    pub(super) fn friction() -> Spanned<f64> {
        given(1.0)
    }

    pub(super) fn zero() -> Spanned<f64> {
        given(0.0)
    }

    pub(super) fn position() -> Spanned<[f64; 2]> {
        given([0.0, 0.0])
    }

    pub(super) fn yes() -> bool {
        true
    }
}
