//! Records of frames, which every command after `run` reads.
//!
//! Record k has the configuration q^k, the velocity v^k that led to it, and the forces solved there, which
//! lead to q^{k+1}. The last record has no forces. World axes, SI, floats that round-trip; no wall-clock
//! times, no paths, no thread counts.

use super::field::{FieldKind, FieldValue, Sink, Supply, give_list, lists, record};
use super::{
    CheckName, ConflictRow, FrameEvent, ImpactCause, Outcome, PassiveHeader, PassiveState, RelaxedRow,
    SolidShape,
};
use aplomb_body::contact::SUPPORTING;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Facts about a run that do not change from frame to frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program that wrote the trace.
    pub version: String,
    /// Name of the scene: its file's stem.
    pub scene: String,
    /// Title of the run, as plots show it.
    pub title: String,
    /// Length of a frame, s.
    pub dt: f64,
    /// Duration asked for, s; the run may have ended sooner.
    pub duration: f64,
    /// Gravity, world axes, m/s².
    pub gravity: [f64; 3],
    /// Name of the QP solver.
    pub solver: String,
    /// `backward`, `extrapolated`, `midpoint` or `momentum`, as the scene asks; each frame says what it used.
    pub bias_velocity: String,
    /// Name of the character; empty without one, and then there are no bodies and no coordinates.
    pub character: String,
    /// Names of the other characters, in the scene's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// Body names in model order; geoms, masses and the rest are in the model text.
    pub bodies: Vec<String>,
    /// Names of the configuration numbers, in order.
    pub configuration_names: Vec<String>,
    /// Names of the velocity coordinates, in order.
    pub coordinate_names: Vec<String>,
    /// Units of the configuration numbers: `m`, `rad` or `1`.
    pub configuration_units: Vec<String>,
    /// Units of the velocity coordinates: `m/s` or `rad/s`.
    pub coordinate_units: Vec<String>,
    /// Total mass, kg.
    pub mass: f64,
    /// Height of the centre of mass above the lowest geom in the rest pose, m.
    pub com_height: f64,
    /// Torque limits per velocity coordinate, N m; `None`: unlimited.
    pub torque_limits: Vec<Option<[f64; 2]>>,
    /// Velocity coordinates of coupled joints and of their leaders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coupled: Vec<usize>,
    /// Velocity coordinates of joints with dry friction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rough: Vec<usize>,
    /// Names of the objectives whose costs the frames list, in the same order.
    pub objectives: Vec<String>,
    /// Objectives that follow moving targets.
    #[serde(default)]
    pub followed: Vec<Followed>,
    /// Numbers that objectives compare with their targets, as the frames list them.
    #[serde(default)]
    pub measured: Vec<Measured>,
    /// Numbers of commands, as the frames list them.
    #[serde(default)]
    pub commands: Vec<Commanded>,
    /// Numbers of the controller's bindings of each frame, as the frames list them.
    #[serde(default)]
    pub bound: Vec<String>,
    /// Names of the controller's states, in file order.
    pub states: Vec<String>,
    /// The world around the character as the run began, the ground first.
    pub obstacles: Vec<Obstacle>,
    /// Holds of the world.
    #[serde(default)]
    pub holds: Vec<Holdable>,
    /// `PATH=VALUE` overrides, in the order given.
    pub overrides: Vec<String>,
    /// Passive objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passive: Vec<PassiveHeader>,
    /// Friction of the ground.
    pub ground_friction: f64,
    /// Texts the run was made from (kinds `model`, `scene`, `controller`, `thing`), whole.
    pub texts: Vec<SourceText>,
}

/// An objective whose target moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Followed {
    /// Name of the objective.
    pub objective: String,
    /// Unit of the distance from the target: `m` or `rad`.
    pub unit: String,
}

/// A number of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commanded {
    /// Name of the command; of a vector with `.x`, `.y` or `.z`.
    pub name: String,
    /// Unit, as its file writes it.
    pub unit: String,
}

/// A number that an objective compares with its target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Name of the objective.
    pub objective: String,
    /// `x`, `y`, `z`, or the name of a joint; empty if the objective has one number.
    pub part: String,
    /// Unit of target and actual value.
    pub unit: String,
}

/// A text that the run was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceText {
    /// `model`, `scene` or `controller`.
    pub kind: String,
    /// File name, without folders.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A surface of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// Name in the scene.
    pub name: String,
    /// Half-space `z ≤ position.z` when `half_lengths`, `field` and `solid` are `None`, else a box.
    pub half_lengths: Option<[f64; 3]>,
    /// Heights of uneven ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<Heights>,
    /// Shape of a part of a passive object that is not a box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solid: Option<SolidShape>,
    /// Position of its origin, m, world axes.
    pub position: [f64; 3],
    /// Quaternion w, x, y, z.
    pub orientation: [f64; 4],
    /// Coefficient of friction, dimensionless.
    pub friction: f64,
    /// Whether it ever moves, vanishes or appears: then frames have its pose.
    #[serde(default)]
    pub moves: bool,
}

/// Heights of uneven ground in its own frame, m, at the crossings of lines of constant x and lines of constant y: row
/// by row, the row of the first y first. Each cell between them is two triangles, divided by the diagonal from the
/// corner of lowest x and y to that of highest x and y.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heights {
    /// Lines of constant x, m.
    pub x: Vec<f64>,
    /// Lines of constant y, m.
    pub y: Vec<f64>,
    /// Heights at their crossings, m.
    pub z: Vec<f64>,
}

/// A hold: a bar, or a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Holdable {
    /// Name in the scene.
    pub name: String,
    /// The two ends of a bar, or one point, at their initial positions, m; empty for a point of a passive
    /// object.
    pub ends: Vec<[f64; 3]>,
    /// Radius of the bar, or about the point, m.
    pub radius: f64,
    /// Unit normal of the surface it is on, world axes.
    pub normal: [f64; 3],
    /// Whether it ever moves: then frames have its displacement.
    #[serde(default)]
    pub moves: bool,
}

/// Declares the three records of a frame: that of the world, that of a character, and both together, as a trace has
/// them. Both records have the fields in `both`.
macro_rules! frames {
    (
        both { $($index:tt)* }
        character { $($state:tt)* }
        both { $($events:tt)* }
        world { $($places:tt)* }
        character { $($solution:tt)* }
        world { $($objects:tt)* }
        world_alone { $($bodies:tt)* }
    ) => {
        record! {
            /// One frame: where everything is at its beginning, and the forces that lead to the next.
            pub struct Frame { $($index)* $($state)* $($events)* $($places)* $($solution)* $($objects)* }

            /// The world in one frame, whoever acts in it: where obstacles, holds and passive objects are at
            /// its beginning. Its events are all that act, on whomever; what an object touches of a
            /// character is named `character.body`.
            pub struct WorldFrame { $($index)* $($events)* $($places)* $($objects)* $($bodies)* }

            /// A character in one frame: where it is at its beginning, and the forces that lead to the next.
            pub struct CharacterFrame { $($index)* $($state)* $($events)* $($solution)* }
        }
        fields! { take_world WorldFrame { $($index)* $($events)* $($places)* $($objects)* } }
        fields! { take_character CharacterFrame { $($index)* $($state)* $($events)* $($solution)* } }
        character! { $($index)* $($state)* $($events)* $($solution)* }
    };
}

/// Copies the fields of one record to another that has them as well, reusing memory.
macro_rules! fields {
    ($name:ident $from:ident {
        $( $(#[doc = $doc:literal])+ pub $field:ident: $type:ty $([$unit:literal])?, )+
    }) => {
        impl Frame {
            fn $name(&mut self, from: &$from) {
                $( self.$field.clone_from(&from.$field); )+
            }
        }
    };
}

/// Makes the record of the character from that of its frame.
macro_rules! character {
    ($( $(#[doc = $doc:literal])+ pub $field:ident: $type:ty $([$unit:literal])?, )+) => {
        impl Frame {
            /// The record of the character alone.
            pub fn character_record(&self) -> CharacterFrame {
                CharacterFrame { $( $field: self.$field.clone(), )+ }
            }
        }
    };
}

frames! {
    both {
        /// Number of the frame, from 0.
        pub index: u64 ["1"],
        /// Simulated time at its beginning.
        pub time: f64 ["s"],
    }
    character {
        /// Configuration in MuJoCo's order: free joint x y z qw qx qy qz.
        pub q: Vec<f64> ["configuration_units"],
        /// Velocity that led here, v^k = (q^k ⊖ q^{k-1})/dt.
        pub v: Vec<f64> ["coordinate_units"],
        /// Velocity the bias force of this frame was taken at: `backward`, `extrapolated`, `midpoint`;
        /// `momentum` where balances of momentum held.
        pub bias_velocity: String,
        /// State of the controller.
        pub state: String,
        /// Time since the state was entered.
        pub state_time: f64 ["s"],
        /// Bound roles (`let` names) and what they stand for.
        pub roles: Vec<(String, String)>,
    }
    both {
        /// Names of the pushes active in this frame, and what happened to grips.
        pub events: Vec<String>,
    }
    world {
        /// Where those obstacles are that move, in the header's order.
        pub moving: Vec<Place>,
        /// How far those holds that move are from where they stand at rest, in the header's order.
        pub moving_holds: Vec<[f64; 3]> ["m"],
    }
    character {
        /// How the frame's QP ended.
        pub outcome: Outcome,
        /// Contacts that bear, and grips.
        pub contacts: Vec<Contact>,
        /// Forces that events put on the character.
        pub external: Vec<External>,
        /// Forces between parts of the character that press on each other.
        pub self_contacts: Vec<SelfContact>,
        /// Joint torque τ per velocity coordinate (the six of the root are zero). Empty in the last record.
        pub torque: Vec<f64> ["N m, or N where the coordinate slides"],
        /// Reaction of the joint stops per velocity coordinate. Empty in the last record.
        pub stop_reaction: Vec<f64> ["N m, or N where the coordinate slides"],
        /// What couplings of joints do, per velocity coordinate; empty where no joint follows another, and in
        /// the last record.
        pub coupling_reaction: Vec<f64> ["N m, or N where the coordinate slides"],
        /// Dry friction per velocity coordinate; empty where no joint has it, in failed frames and in the
        /// last record.
        pub dry_friction: Vec<f64> ["N m, or N where the coordinate slides"],
        /// How far each joint that follows another is from where that has it at q^k, per velocity coordinate;
        /// empty where none does.
        pub coupling_error: Vec<f64> ["rad, or m where the coordinate slides"],
        /// Weighted cost w‖r‖² of each objective at the solution, in the header's order; 0 when inactive.
        /// Empty in the last record.
        pub costs: Vec<f64> ["1"],
        /// Weight w of each objective in this frame, in the header's order: the number that its expression
        /// came to, that of a hard objective in case it has to give way; 0 when inactive. Empty in the last
        /// record.
        pub weights: Vec<f64> ["1"],
        /// Distance from moving targets at q^k, in the order of the header's `followed`; none where the
        /// objective does not hold. Empty in the last record.
        pub distances: Vec<Option<f64>> ["followed"],
        /// What the controller is told in this frame, in the order of the header's `commands`; none where the
        /// controller in force has no such command.
        pub commands: Vec<Option<f64>> ["commands"],
        /// What the controller's bindings of each frame came to, in the order of the header's `bound`: truths
        /// are 1 and 0; none where the state has no such binding.
        pub bound: Vec<Option<f64>> ["bound"],
        /// What objectives want at q^k, in the order of the header's `measured`; none where the objective
        /// does not hold. Empty in the last record.
        pub targets: Vec<Option<f64>> ["measured"],
        /// What there is of that at q^k, in the same order; forces are those of the frame before.
        pub actuals: Vec<Option<f64>> ["measured"],
        /// Centre of mass.
        pub com: [f64; 3] ["m"],
        /// Velocity of the centre of mass.
        pub com_velocity: [f64; 3] ["m/s"],
        /// Capture point on the ground: com + velocity √(z/g), with the velocity of the COM relative to the ground that
        /// supports it and its height z above that.
        pub capture_point: [f64; 2] ["m"],
        /// Centre of pressure of all ground contacts; none without ground force.
        pub centre_of_pressure: Option<[f64; 2]> ["m"],
        /// Corners of the support polygon, counter-clockwise.
        pub support_polygon: Vec<[f64; 2]> ["m"],
        /// Kinetic energy of the character.
        pub kinetic_energy: f64 ["J"],
        /// Potential energy of the character in gravity.
        pub potential_energy: f64 ["J"],
        /// Iterations of the QP solver, summed over the solves of this frame.
        pub iterations: u32 ["1"],
        /// Contacts that separated under force and had it taken away, in further solves of this frame.
        pub parted: u32 ["1"],
        /// Contacts whose friction was turned against their slip, in further solves of this frame.
        pub turned: u32 ["1"],
        /// What else happened on the way to the solution: ways out that the frame took, and what it gave up.
        pub solve_events: Vec<FrameEvent>,
        /// The fewest rows that could not hold together, where rows gave way or the frame had no solution (of
        /// an impact: no other solution).
        pub conflict: Vec<ConflictRow>,
    }
    world {
        /// Passive objects, in the header's order.
        pub passive: Vec<PassiveState>,
    }
    world_alone {
        /// Bodies of each character, in the order of the world, as parts of a passive object; empty where
        /// records do not show other characters.
        pub bodies: Vec<PassiveState>,
    }
}

record! {
    /// Where an obstacle is in a frame.
    pub struct Place {
        /// Origin of its frame, world axes.
        pub position: [f64; 3] ["m"],
        /// Quaternion w, x, y, z.
        pub orientation: [f64; 4] ["1"],
        /// Whether it is there at all.
        pub present: bool,
    }

    /// A point in contact, or a grip.
    pub struct Contact {
        /// Stable name of the contact candidate, e.g. `left_foot.sole.2`.
        pub name: String,
        /// Body the force acts on.
        pub body: String,
        /// Obstacle it comes from (`ground` for the floor), or the hold.
        pub surface: String,
        /// Where the force acts, world axes.
        pub point: [f64; 3] ["m"],
        /// Unit normal of the surface, world axes.
        pub normal: [f64; 3] ["1"],
        /// Force on the body, world axes.
        pub force: [f64; 3] ["N"],
        /// Friction coefficient.
        pub friction: f64 ["1"],
        /// Static or dynamic; of holds grip or stand.
        pub kind: ContactKind,
        /// Gap between body and surface at q^k (negative: penetration); from a hold, the distance.
        pub gap: f64 ["m"],
    }

    /// A force that an event, a passive object or another character puts on the character.
    pub struct External {
        /// Name of the event, the object or the character.
        pub name: String,
        /// Body the force acts on.
        pub body: String,
        /// Where the force acts, world axes.
        pub point: [f64; 3] ["m"],
        /// Force on the body, world axes.
        pub force: [f64; 3] ["N"],
        /// Torque on the body, world axes.
        pub torque: [f64; 3] ["N m"],
    }

    /// The force between two parts of a character that press on each other.
    pub struct SelfContact {
        /// One body.
        pub body: String,
        /// The other.
        pub other: String,
        /// Where the force acts on the body, world axes.
        pub point: [f64; 3] ["m"],
        /// Where the opposite force acts on the other, world axes.
        pub other_point: [f64; 3] ["m"],
        /// Force on the body, world axes.
        pub force: [f64; 3] ["N"],
    }

    /// A name that a controller gives, as it stands in a trace.
    pub struct Role {
        /// The name.
        pub name: String,
        /// What it stands for.
        pub value: String,
    }

    /// Something that happened on the way to a solution, as it stands in a trace.
    pub struct SolveEvent {
        /// What happened: impact, second_solver, cap_reached, unresolved, unbraked, exhausted or divided.
        pub event: String,
        /// Why it is an impact: infeasible or contacts.
        pub because: String,
        /// Name of the check, such as friction_direction.
        pub check: String,
    }

    /// How a frame's QP ended, as it stands in a trace: what [`Outcome`] gives.
    pub struct OutcomeRecord {
        /// The outcome: solved; relaxed: after letting rows give way; failed: forward dynamics instead;
        /// ragdoll.
        pub outcome: String,
        /// Why it failed.
        pub reason: String,
        /// Rows that gave way.
        pub relaxed_rows: Vec<RelaxedRow>,
        /// Rows in conflict.
        pub failed_rows: Vec<String>,
    }
}

lists!(Place, Contact, External, SelfContact, Role, FrameEvent);

impl SelfContact {
    /// Whether the two press on each other.
    pub fn presses(&self) -> bool {
        self.force != [0.0; 3]
    }
}

impl Measured {
    /// Name of the number in channels and lists: `OBJECTIVE`, or `OBJECTIVE.PART`.
    pub fn name(&self) -> String {
        match &*self.part {
            "" => self.objective.clone(),
            part => format!("{}.{part}", self.objective),
        }
    }
}

/// The outcome with this name; `None` if the name is unknown.
#[cfg_attr(not(feature = "file"), allow(dead_code, reason = "what files of traces are read by"))]
fn outcome_of(record: OutcomeRecord) -> Option<Outcome> {
    Some(match record.outcome.as_str() {
        "solved" => Outcome::Solved,
        "relaxed" => Outcome::Relaxed { rows: record.relaxed_rows },
        "failed" => Outcome::Failed { reason: record.reason, rows: record.failed_rows },
        "limp" => Outcome::Limp,
        _ => return None,
    })
}

impl FieldValue for Outcome {
    const KIND: FieldKind = OutcomeRecord::KIND;

    fn give(&self, sink: &mut impl Sink) {
        let (outcome, reason, relaxed, failed): (_, _, &[RelaxedRow], &[String]) = match self {
            Outcome::Solved => ("solved", "", &[], &[]),
            Outcome::Relaxed { rows } => ("relaxed", "", rows, &[]),
            Outcome::Failed { reason, rows } => ("failed", reason, &[], rows),
            Outcome::Limp => ("limp", "", &[], &[]),
        };
        sink.text(outcome);
        sink.text(reason);
        give_list(relaxed, sink);
        give_list(failed, sink);
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        outcome_of(FieldValue::take(supply)?)
    }
}

impl FieldValue for FrameEvent {
    const KIND: FieldKind = SolveEvent::KIND;

    fn give(&self, sink: &mut impl Sink) {
        let (because, check) = match self {
            FrameEvent::Impact { because } => (because.name(), ""),
            FrameEvent::CapReached { check } | FrameEvent::Unresolved { check } => ("", check.name()),
            FrameEvent::SecondSolver | FrameEvent::Unbraked | FrameEvent::Exhausted | FrameEvent::Divided => {
                ("", "")
            }
        };
        [self.name(), because, check].into_iter().for_each(|text| sink.text(text));
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        let SolveEvent { event, because, check } = FieldValue::take(supply)?;
        let check = || CheckName::named(&check);
        Some(match event.as_str() {
            "impact" => FrameEvent::Impact { because: ImpactCause::named(&because)? },
            "second_solver" => FrameEvent::SecondSolver,
            "unbraked" => FrameEvent::Unbraked,
            "cap_reached" => FrameEvent::CapReached { check: check()? },
            "unresolved" => FrameEvent::Unresolved { check: check()? },
            "exhausted" => FrameEvent::Exhausted,
            "divided" => FrameEvent::Divided,
            _ => return None,
        })
    }
}

/// Names and their values.
impl FieldValue for Vec<(String, String)> {
    const KIND: FieldKind = Vec::<Role>::KIND;

    fn give(&self, sink: &mut impl Sink) {
        sink.count(self.len());
        for (name, value) in self {
            sink.text(name);
            sink.text(value);
        }
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        let roles: Vec<Role> = FieldValue::take(supply)?;
        Some(roles.into_iter().map(|role| (role.name, role.value)).collect())
    }
}

/// How a contact carries force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContactKind {
    /// Sticks: it keeps its place on the surface.
    #[default]
    Static,
    /// Slides.
    Dynamic,
    /// Grasps a hold: force in any direction.
    Grip,
    /// Stands on a hold: pushes as friction allows, and stays where it is.
    Stand,
}

impl ContactKind {
    const NAMED: [(ContactKind, &'static str); 4] = [
        (ContactKind::Static, "static"),
        (ContactKind::Dynamic, "dynamic"),
        (ContactKind::Grip, "grip"),
        (ContactKind::Stand, "stand"),
    ];
}

impl FieldValue for ContactKind {
    const KIND: FieldKind = String::KIND;

    fn give(&self, sink: &mut impl Sink) {
        let named = Self::NAMED.iter().find(|(kind, _)| kind == self);
        sink.text(named.map_or("", |(_, name)| name));
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        let text = supply.text()?;
        Self::NAMED.iter().find(|(_, name)| *name == text).map(|(kind, _)| *kind)
    }
}

/// Kind of the text of an included file.
const INCLUDED: &str = "include";

impl SourceText {
    /// A source text; only the file's name of `path` is kept.
    pub fn new(kind: &str, path: &str, text: &str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        SourceText { kind: kind.into(), name: name.into(), text: text.into() }
    }

    /// The text of a file that a controller includes; `label` describes the kind of inclusion and has the file's
    /// name.
    pub fn included(controller: &str, label: &str, text: &str) -> Self {
        let name = format!("{}, {label}", SourceText::new(INCLUDED, controller, "").name);
        SourceText { kind: INCLUDED.into(), name, text: text.into() }
    }

    /// The label of a text that the controller of this name includes; `None` for other texts.
    pub fn label_in(&self, controller: &str) -> Option<&str> {
        let inside = self.name.strip_prefix(controller).filter(|_| self.kind == INCLUDED)?;
        inside.strip_prefix(", ")
    }
}

/// Whether a surface is the passive object of this name, or a body of the character of this name.
pub fn is_part_of(surface: &str, name: &str) -> bool {
    surface.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Contact {
    /// Whether a surface supports the character here from below; a grip or a wall does not.
    pub fn supports(&self) -> bool {
        matches!(self.kind, ContactKind::Static | ContactKind::Dynamic) && self.normal[2] >= SUPPORTING
    }
}

/// Point under the character at which the vertical forces of the supporting contacts act, m, and their sum, N; `None`
/// without a force.
#[doc(alias = "zero moment point")]
pub fn centre_of_pressure(contacts: &[Contact]) -> Option<([f64; 2], f64)> {
    let (mut moment, mut load) = ([0.0; 2], 0.0);
    for contact in contacts.iter().filter(|contact| contact.supports()) {
        (0..2).for_each(|axis| moment[axis] += contact.point[axis] * contact.force[2]);
        load += contact.force[2];
    }
    (load > 0.0).then(|| (moment.map(|moment| moment / load), load))
}

impl Header {
    /// Names of the other characters.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        self.others.iter().map(String::as_str)
    }

    /// Whether another character has this name.
    pub fn has_other(&self, name: &str) -> bool {
        self.others().any(|other| other == name)
    }

    /// The other character that a surface of this name is a part of.
    pub fn other_of(&self, surface: &str) -> Option<&str> {
        self.others().find(|other| is_part_of(surface, other))
    }

    /// Whether the run has a character.
    pub fn has_character(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// The text of that kind (`model`, `scene`, `controller`).
    pub fn text(&self, kind: &str) -> Option<&SourceText> {
        self.texts.iter().find(|text| text.kind == kind)
    }

    /// Unit of the generalised force of a velocity coordinate: `N m` where it turns, `N` where it slides.
    pub fn force_unit(&self, coordinate: usize) -> &'static str {
        match self.coordinate_units.get(coordinate).map(String::as_str) {
            Some("m/s") => "N",
            _ => "N m",
        }
    }
}

impl Holdable {
    /// Unit direction of a bar, from its first end to its second.
    pub fn direction(&self) -> Option<Vector3<f64>> {
        let [first, second] = self.ends[..] else { return None };
        (Vector3::from(second) - Vector3::from(first)).try_normalize(1e-9)
    }
}

/// A character's record of a frame, with the data from which its own trace is written.
#[derive(Clone, Copy, Debug)]
pub struct OwnFrame<'a> {
    /// Index of the character in its world.
    pub number: usize,
    /// Name of the character.
    pub name: &'a str,
    /// Record of the character in the frame.
    pub frame: &'a CharacterFrame,
}

impl Frame {
    /// Joins the world's record of a frame and a character's own into the record of the character's trace, with the
    /// other characters before the passive objects, and names the character's own bodies without its name. Without
    /// `own`, it is the record of a world without characters.
    pub fn join(&mut self, world: &WorldFrame, own: Option<OwnFrame<'_>>) {
        self.take_world(world);
        let Some(OwnFrame { number, name, frame }) = own else { return };
        self.take_character(frame);
        let others = world.bodies.iter().enumerate().filter(|(other, _)| *other != number);
        self.passive.splice(0..0, others.map(|(_, bodies)| bodies.clone()));
        for touch in self.passive.iter_mut().flat_map(|object| &mut object.touches) {
            let own = touch.other.strip_prefix(name).is_some_and(|body| body.starts_with('.'));
            if own {
                touch.other.drain(..=name.len());
            }
        }
    }

    /// Obstacles of the header that are present in this frame, at their poses.
    pub fn surroundings(&self, header: &Header) -> Vec<Obstacle> {
        let mut moving = self.moving.iter();
        let mut here = Vec::new();
        for obstacle in &header.obstacles {
            let mut obstacle = obstacle.clone();
            if obstacle.moves {
                let Some(place) = moving.next() else { continue };
                if !place.present {
                    continue;
                }
                (obstacle.position, obstacle.orientation) = (place.position, place.orientation);
            }
            here.push(obstacle);
        }
        here
    }

    /// Holds at their positions in this frame.
    pub fn holds(&self, header: &Header) -> Vec<Holdable> {
        let mut moving = self.moving_holds.iter();
        let mut here = header.holds.clone();
        for hold in here.iter_mut().filter(|hold| hold.moves) {
            let Some(way) = moving.next() else { continue };
            hold.ends.iter_mut().for_each(|end| (0..3).for_each(|axis| end[axis] += way[axis]));
        }
        here
    }

    /// Whether the frame was an impact, or a check of its solution was not satisfied in the end.
    pub fn gave_something_up(&self) -> bool {
        let is_harmless = |event: &FrameEvent| {
            matches!(event, FrameEvent::Unbraked | FrameEvent::SecondSolver | FrameEvent::Divided)
        };
        !self.solve_events.iter().all(is_harmless)
    }

    /// Whether it was computed in parts.
    pub fn is_divided(&self) -> bool {
        self.solve_events.contains(&FrameEvent::Divided)
    }

    /// Whether forces were solved in this frame: true of every frame but the last.
    pub fn has_forces(&self) -> bool {
        !self.torque.is_empty()
    }
}

/// A complete run in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Constants of the run.
    pub header: Header,
    /// All frames, in order.
    pub frames: Vec<Frame>,
    /// Records of the parts of divided frames, in order, each with the number of its frame.
    pub parts: Vec<Frame>,
    /// The fault at the end of a truncated file (`kill -9`, full disk).
    pub torn: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PassiveTouch;

    fn touching(others: &[&str]) -> PassiveState {
        let touch = |other: &&str| PassiveTouch { other: (*other).into(), ..PassiveTouch::default() };
        PassiveState { touches: others.iter().map(touch).collect(), ..PassiveState::default() }
    }

    #[test]
    fn a_trace_has_the_other_characters_before_the_objects_and_own_bodies_without_a_name() {
        let bodies = [1.0, 2.0, 3.0].map(|x| PassiveState { com: [x, 0.0, 0.0], ..PassiveState::default() });
        let objects = vec![touching(&["me.head", "you.head", "ground", "metal.bar", "me"])];
        let world = WorldFrame {
            time: 0.1,
            events: vec!["push".into()],
            bodies: bodies.to_vec(),
            passive: objects.clone(),
            ..WorldFrame::default()
        };
        let character = CharacterFrame { time: 0.1, q: vec![4.0], ..CharacterFrame::default() };
        let mut frame = Frame::default();
        // Twice: the memory of a frame is used again.
        for _ in 0..2 {
            frame.join(&world, Some(OwnFrame { number: 1, name: "me", frame: &character }));
            assert_eq!(frame.q, [4.0]);
            assert!(frame.events.is_empty(), "those that act on others are not its own");
            assert_eq!(frame.passive[..2], [bodies[0].clone(), bodies[2].clone()]);
            assert_eq!(frame.passive[2..], [touching(&["head", "you.head", "ground", "metal.bar", "me"])]);
        }
        let mut alone = Frame::default();
        alone.join(&WorldFrame { bodies: Vec::new(), ..world }, None);
        assert_eq!((&alone.passive, alone.events.len(), alone.time), (&objects, 1, 0.1));
    }
}
