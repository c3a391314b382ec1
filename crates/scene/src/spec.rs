//! Scene files: their types.

use super::event::EventSpec;
use super::hold_spec::{BarSpec, HoldsSpec};
use super::motion::MotionSpec;
use super::passive_settings::PassiveSettingsSpec;
use super::terrain::TerrainSpec;
use super::trials::TrialsSpec;
use aplomb_body::dynamics::BiasVelocity;
use aplomb_body::model::companion::RootSpec;
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
    /// A line for people; the file's name where it is left out.
    pub title: Option<String>,
    /// Rules of `aplomb check` that may find something in this file without a word of it, by name
    /// (`aplomb list rules`).
    #[serde(default)]
    pub allow: Vec<Spanned<String>>,
    /// Length of a frame, s; 0.0001 to 0.05.
    #[serde(default = "defaults::dt")]
    pub dt: Spanned<f64>,
    /// How long the run lasts, s.
    pub duration: Spanned<f64>,
    /// World gravity, m/s²; z is up.
    #[serde(default = "defaults::gravity")]
    pub gravity: Spanned<[f64; 3]>,
    /// Name of the QP solver; the program's default where it is left out.
    pub solver: Option<Spanned<String>>,
    /// Velocity at which the bias force h(q, v) of a frame is taken.
    #[serde(default)]
    pub bias_velocity: BiasVelocity,
    /// How a frame's end is found once it is solved.
    #[serde(default)]
    pub advance: Advance,
    /// Weight of the change of the joint torques between frames of 0.01 s, on ‖Δτ/(m g h)‖²; × 0.01 s/dt in
    /// others.
    #[serde(default = "defaults::torque_change_weight")]
    pub torque_change_weight: Spanned<f64>,
    /// Weight of keeping contact points where they touched, on ‖Δv/(dt g)‖².
    #[serde(default = "defaults::contact_weight")]
    pub contact_weight: Spanned<f64>,
    /// Response time with which a contact that slipped returns, s.
    #[serde(default = "defaults::contact_response")]
    pub contact_response: Spanned<f64>,
    /// Joints slow down before their limits: what is left of a range decays with this time and no faster, s
    /// of a body whose COM rests 0.93 m up. 0: joints meet their limits at any speed.
    #[serde(default = "defaults::joint_limit_response")]
    pub joint_limit_response: Spanned<f64>,
    /// Weight of the contact coefficients, which makes forces even and unique.
    #[serde(default = "defaults::force_weight")]
    pub force_weight: Spanned<f64>,
    /// Edges of the friction pyramid, 4 or 8. With 4, friction on the diagonal is 0.707 of that along the
    /// axes.
    #[serde(default = "defaults::friction_directions")]
    pub friction_directions: Spanned<u32>,
    /// Coefficient of friction between characters, 0 to 1e6: they touch then, and are solved together while
    /// they are near. Without it they pass through each other where they do not hold on.
    pub friction_between_characters: Option<Spanned<f64>>,
    /// The floor; a scene that does not mention it has the default one.
    #[serde(default)]
    pub ground: GroundSpec,
    /// Boxes that stand in the world, by name.
    #[serde(default)]
    pub obstacles: IndexMap<Spanned<String>, ObstacleSpec>,
    /// Stairs and uneven ground, by name.
    #[serde(default)]
    pub terrain: IndexMap<Spanned<String>, TerrainSpec>,
    /// Bars to hang from, by name.
    #[serde(default)]
    pub bars: IndexMap<Spanned<String>, BarSpec>,
    /// Points to hold on to.
    pub holds: Option<Spanned<HoldsSpec>>,
    /// Characters, by name: one, or none where there are passive objects.
    #[serde(default)]
    pub characters: IndexMap<Spanned<String>, CharacterSpec>,
    /// Passive objects, by name.
    #[serde(default)]
    pub passive: IndexMap<Spanned<String>, PassiveSpec>,
    /// How passive objects are stepped.
    #[serde(default)]
    pub passive_settings: PassiveSettingsSpec,
    /// What happens and when, by name.
    #[serde(default)]
    pub events: IndexMap<Spanned<String>, EventSpec>,
    /// What every run is judged by, by name.
    #[serde(default)]
    pub success: IndexMap<Spanned<String>, Criterion>,
    /// What is drawn at random where the scene is tried many times (`aplomb test`), and which share of the
    /// trials is promised to meet the criteria.
    pub trials: Option<TrialsSpec>,
}

/// Names that a scene's author chooses.
pub(super) const FORMAT: Format = Format {
    named: &["obstacles", "terrain", "bars", "holds", "characters", "passive", "events", "success"],
    may_be_infinite: &[],
    // The kind determines the other keys.
    first: &[("passive.*", "kind")],
    unfold: None,
    hints: &[("reaction_delay", REACTION_DELAY)],
    foreign: &[
        ("states", "this is a controller, where a scene is wanted"),
        ("panels", "this is a plot, where a scene is wanted"),
    ],
};

/// How a reaction delay is written, and where.
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
    /// How it moves; events may add to it.
    pub motion: Option<MotionSpec>,
}

impl Default for GroundSpec {
    fn default() -> Self {
        GroundSpec { friction: defaults::friction(), height: defaults::zero(), motion: None }
    }
}

/// A box. Nothing but its motion and events move it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObstacleSpec {
    /// Half of the box's length along each of its axes, m.
    pub half_lengths: Spanned<[f64; 3]>,
    /// Centre of the box in the world, m.
    pub position: Spanned<[f64; 3]>,
    /// Roll, pitch and yaw about the world's x, y and z axes, in that order, rad.
    pub rotation: Option<Spanned<[f64; 3]>>,
    /// Coulomb friction coefficient, at most 1e6; the ground's where it is left out.
    pub friction: Option<Spanned<f64>>,
    /// Weight of keeping contacts with it where they touched, instead of the scene's `contact_weight`; 0 for
    /// a wall that is only bumped into, and that no part of the body should hold on to.
    pub contact_weight: Option<Spanned<f64>>,
    /// How it moves; events may add to it.
    pub motion: Option<MotionSpec>,
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
    /// `free`: a body that its file fixes to the world can move freely.
    pub root: Option<RootSpec>,
    /// What the parts of its body are, where that is not found: bodies by their role, `chest = "torso_link"`.
    /// They count before those of the file beside the model.
    #[serde(default)]
    pub roles: IndexMap<Spanned<String>, Spanned<String>>,
    /// Joints by their role: `arms = ["left_elbow", "right_elbow"]`, `left_knee = ["-knee"]` for a single
    /// hinge that turns the other way.
    #[serde(default)]
    pub role_joints: IndexMap<Spanned<String>, Vec<Spanned<String>>>,
    /// Points by their role: `left_sole = { body = "left_ankle", at = [0.03, 0, -0.05] }`, m in body axes.
    #[serde(default)]
    pub role_points: IndexMap<Spanned<String>, RolePointSpec>,
    /// Where it stands: added to the x and y of its rest pose, m.
    #[serde(default = "defaults::position")]
    pub position: Spanned<[f64; 2]>,
    /// Turn about the vertical, rad; 0 faces along x.
    #[serde(default = "defaults::zero")]
    pub heading: Spanned<f64>,
    /// Height of the lowest point over the ground, m; standing on it where it is left out.
    pub height: Option<Spanned<f64>>,
    /// Joint positions that differ from the rest pose, by joint, rad or m.
    #[serde(default)]
    pub pose: IndexMap<Spanned<String>, Spanned<f64>>,
    /// Where bodies (their frames' origins), sites or the `com` are at the start, by name: world, m. Joints
    /// and root go as far from `pose`, `position` and `heading` as that takes; what stands on the ground and
    /// is not named, nor has anything named below it, keeps its place. The vectors are read of the pose
    /// before.
    #[serde(default)]
    pub reach: IndexMap<Spanned<String>, VectorField>,
    /// How bodies are turned at the start, by name: roll, pitch and yaw of the body frame in the world, rad.
    #[serde(default)]
    pub orientation: IndexMap<Spanned<String>, VectorField>,
    /// Initial velocity of the root in world axes, m/s.
    pub velocity: Option<Spanned<[f64; 3]>>,
    /// What its grips bear, and how they close.
    #[serde(default)]
    pub grip: GripSpec,
    /// `limp`: no joint torques in any state, whatever the controller says.
    #[serde(default)]
    pub drive: Drive,
    /// Whether the model's torque limits hold.
    #[serde(default = "defaults::yes")]
    pub torque_limits: bool,
    /// Whether its limbs do not pass through each other and through its trunk: shapes that touch, of bodies
    /// that share no joint, and that are apart in the rest pose.
    #[serde(default = "defaults::yes")]
    pub self_collision: bool,
    /// How late joint torques react to a surprise; at once where it is left out.
    pub reaction_delay: Option<ReactionDelaySpec>,
    /// What its sites (or points, by their role) hold on to whatever its controller says, as soon as that is
    /// within reach: `hold_on = { left_palm = "hand_of_adult" }`, with `[holds.at.hand_of_adult]`,
    /// `on = "adult"` and `at = "right_palm"`. A grip that breaks is not made again. Characters pass through
    /// each other where the scene has no `friction_between_characters`.
    #[serde(default)]
    pub hold_on: IndexMap<Spanned<String>, Spanned<String>>,
    /// What its controller is told as the run begins, by the names of its `[commands]`: numbers, or
    /// `[x, y, z]`.
    #[serde(default)]
    pub commands: IndexMap<Spanned<String>, Spanned<Parameter>>,
    /// What it is judged by, by name. The conditions speak of this character; those of the scene's own
    /// `success` speak of the first.
    #[serde(default)]
    pub success: IndexMap<Spanned<String>, Criterion>,
}

impl CharacterSpec {
    /// Its body, with the roles that the scene in `source` gives its parts.
    ///
    /// # Errors
    /// Mistakes in the model's file, and unknown roles and parts.
    pub fn body(&self, source: &Source, model: &Source) -> Result<Model, FileErrors> {
        let mut body = mjcf::read_with(model, &self.reading())?.model;
        self.assign_roles(source, &mut body)?;
        Ok(body)
    }

    /// Options for reading its body's file.
    pub fn reading(&self) -> mjcf::Options {
        mjcf::Options { root: self.root, ..mjcf::Options::default() }
    }

    /// Assigns the roles to the parts of a body.
    ///
    /// # Errors
    /// Unknown roles and parts.
    pub(crate) fn assign_roles(&self, source: &Source, body: &mut Model) -> Result<(), FileErrors> {
        let CharacterSpec { roles: bodies, role_joints: joints, role_points: points, .. } = self;
        GivenRoles { source, bodies, joints, points }.assign(body)
    }
}

/// Joint torques stay near those of the moment of a surprise for a while ([Jain 2009] §4.1): the cost of
/// torque change is then w ‖(τ − τ₀)/(m g h)‖² with the torques τ₀ of the frame before. Surprises are pushes,
/// hits by passive objects and ragdolls, ground that begins to accelerate under what bears, and ground that
/// vanishes; each surprises once, until nothing was felt of it for 1 s, and is felt from 5 % of the weight
/// (of g) on.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReactionDelaySpec {
    /// `like = "person"`: joints answer after 0.1 s and decisions fall after 0.2 s, as people's do. The other keys
    /// change it.
    pub like: Option<ReactionPreset>,
    /// From the beginning of each surprise until torques answer it, s; required without `like`.
    pub time: Option<Spanned<f64>>,
    /// w, in place of the scene's `torque_change_weight`: 1e2 can be measured, 1e4 can
    /// be seen, and 1e6 outweighs all objectives. 1e4 where it is left out, 3e4 of a person.
    pub weight: Option<Spanned<f64>>,
    /// From each surprise until its controller knows of it, s. Until then states, planners and expressions have
    /// the COM as it would move without, as they know it of themselves. With 0 torques alone come late, as in
    /// [Jain 2009] §4.1. 0 where it is left out, 0.2 of a person.
    pub perception: Option<Spanned<f64>>,
}

/// A preset of reaction times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReactionPreset {
    /// People's, standing and pushed without warning.
    Person,
}

impl ReactionDelaySpec {
    /// The settings; `None` where neither a time nor a preset is given.
    pub fn settings(&self) -> Option<ReactionDelaySettings> {
        let preset = self.like.map(|ReactionPreset::Person| ReactionDelaySettings::PERSON);
        let given = |value: &Option<Spanned<f64>>| value.as_ref().map(|value| *value.get_ref());
        Some(ReactionDelaySettings {
            time: given(&self.time).or(preset.map(|preset| preset.time))?,
            weight: given(&self.weight).or(preset.map(|preset| preset.weight)).unwrap_or(1e4),
            perception: given(&self.perception).or(preset.map(|preset| preset.perception)).unwrap_or(0.0),
        })
    }
}

/// What the grips of a character bear, and how they close.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GripSpec {
    /// A grip breaks when it would have to bear more, N; 4 times the weight where it is left out.
    pub force: Option<Spanned<f64>>,
    /// From this distance on a hand is drawn to what it is to hold, m; 0.05 where it is left out. It bears
    /// once it touches: from the radius of the hold and that of its site (`size` in the body's file) on,
    /// beyond which it lets go as well.
    pub reach: Option<Spanned<f64>>,
    /// How fast a hand closes on it, before they touch and after, m/s; 0.5 where it is left out.
    pub speed: Option<Spanned<f64>>,
}

/// What a run is judged by.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// Has to hold in every frame; the run ends when it does not.
    Always(ConditionField),
    /// Has to hold in the last frame.
    AtEnd(ConditionField),
    /// Has to hold in at least one frame.
    Once(ConditionField),
}

impl SceneSpec {
    /// All conditions of criteria and events.
    pub fn conditions(&self) -> impl Iterator<Item = &ConditionField> {
        let of_characters = self.characters.values().flat_map(|character| character.success.values());
        let criteria = self.success.values().chain(of_characters).map(Criterion::condition);
        criteria.chain(self.events.values().filter_map(|event| event.when.as_ref()))
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
