//! Quantities: named numbers, vectors and conditions that expressions of controller and scene files may use.

mod balance;
mod body;
mod contact;
mod footing;
mod grip;
mod hold;
mod leg;
mod passive;
mod preview;
mod solve;
mod step;
mod surface;
mod whole;

use aplomb_body::contact::Surface;
use aplomb_body::contact::grip::Hold;
use aplomb_body::model::{BodyId, JointId, Model};
use aplomb_control::snapshot::Snapshot;
use aplomb_language::expression::{Interval, Lookup, Meaning, Names, Set, Type, Value};
use nalgebra::Vector3;
use std::sync::Arc;

/// A quantity that is measured from the snapshot each time an expression reads it.
pub struct Quantity {
    /// Name of the function in expressions.
    pub name: &'static str,
    /// Types of its arguments, in order.
    pub arguments: &'static [Type],
    /// Type of its value.
    pub result: Type,
    /// Unit of the value; empty for conditions and pure numbers.
    pub unit: &'static str,
    /// Range of the value, if it is a number.
    pub(crate) range: Interval,
    /// Description for `aplomb list`, one sentence.
    pub about: &'static str,
    value: fn(&Measure<'_>, &[Value]) -> Value,
}

/// The outermost body.
const ROOT: BodyId = BodyId(0);

/// The data that a quantity may read.
pub struct Measure<'a> {
    /// Model of the character.
    pub model: &'a Model,
    /// State of the character and its surroundings in this frame.
    pub snapshot: &'a Snapshot,
}

impl Measure<'_> {
    /// Whether a hold is on the character's own body, such as a hand that other characters may grip.
    fn is_own(&self, hold: &Hold) -> bool {
        hold.on_character().is_some_and(|point| self.snapshot.number == Some(point.character))
    }

    /// World direction that is forward (0), left (1) or up (2) of a body in the rest pose.
    fn direction(&self, body: BodyId, axis: usize) -> Vector3<f64> {
        let rotation = &self.snapshot.kinematics.rotation[body.0];
        match self.model.rest_axes(body) {
            Some(axes) => rotation * axes.to_rotation_matrix().matrix().column(axis),
            None => rotation.column(axis).into_owned(),
        }
    }

    /// World position and velocity of a body's origin, a site, a hold or the centre of mass of a passive
    /// object or a character, m and m/s; NaN for no hold.
    fn place(&self, place: Value) -> (Vector3<f64>, Vector3<f64>) {
        match self.snapshot.place(self.model, place) {
            Some((body, local)) => {
                let point = self.snapshot.kinematics.point(body, &local);
                (point, self.snapshot.kinematics.point_velocity(body, &point))
            }
            None => match place {
                Value::Site(site) => (self.model.sites[site].position, Vector3::zeros()),
                Value::Hold(Some(hold)) => {
                    let hold = &self.snapshot.grips.holds[hold];
                    (hold.position(), hold.velocity())
                }
                Value::Passive(object) => {
                    let object = passive::sensed(self, object);
                    (object.position, object.velocity)
                }
                Value::Surface(Some(surface)) => surface::place(self, surface),
                Value::Character(character) => {
                    let other = passive::character(self, character);
                    (other.position, other.velocity)
                }
                _ => (Vector3::repeat(f64::NAN), Vector3::repeat(f64::NAN)),
            },
        }
    }
}

fn body_of(value: Value) -> BodyId {
    if let Value::Body(body) = value { body } else { BodyId(0) }
}

/// The body of a place; the root for a site of the world.
fn body_at(model: &Model, place: Value) -> BodyId {
    match place {
        Value::Body(body) => body,
        Value::Site(site) => model.sites[site].body.unwrap_or(BodyId(0)),
        _ => BodyId(0),
    }
}

/// A joint, and the sign of its own angle relative to the requested one.
fn joint_of(value: Value) -> (JointId, f64) {
    if let Value::Joint(joint, sign) = value { (joint, sign) } else { (JointId(0), 1.0) }
}

/// All quantities, one list for each noun.
fn quantities() -> impl Iterator<Item = &'static Quantity> {
    [
        balance::LIST,
        step::LIST,
        preview::LIST,
        solve::LIST,
        footing::LIST,
        whole::LIST,
        body::LIST,
        contact::LIST,
        surface::LIST,
        grip::LIST,
        hold::LIST,
        passive::LIST,
    ]
    .into_iter()
    .flatten()
}

/// Name, signature, unit and sentence of each quantity.
pub fn list() -> Vec<&'static Quantity> {
    quantities().filter(|quantity| !quantity.is_of_planner()).collect()
}

impl Quantity {
    /// `support_margin(vector)`
    pub fn signature(&self) -> String {
        if self.arguments.is_empty() {
            return self.name.to_string();
        }
        let arguments: Vec<String> = self.arguments.iter().map(ToString::to_string).collect();
        format!("{}({})", self.name, arguments.join(", "))
    }

    /// Whether only a planner can use it: names in expressions have no brackets.
    fn is_of_planner(&self) -> bool {
        self.name.starts_with('[')
    }

    /// Whether it is defined in a world without characters: it refers only to the ground, holds or passive
    /// objects.
    fn is_of_scenery(&self) -> bool {
        let of_scenery = |argument: &Type| {
            matches!(argument, Type::Spot | Type::Hold | Type::Passive | Type::Other | Type::Surface)
        };
        let of_objects = !self.arguments.is_empty() && self.arguments.iter().all(of_scenery);
        of_objects || self.name == "ground_height"
    }

    /// Whether it is a condition, with a truth value.
    pub fn is_condition(&self) -> bool {
        self.result == Type::Boolean
    }
}

/// The names that a model and the quantities define for expressions.
pub struct ModelNames<'a>(pub &'a Model);

impl Names for ModelNames<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        match name {
            "time" => return Some(Meaning::Time),
            "state_time" => return Some(Meaning::StateTime),
            "pi" => return Some(Meaning::Constant(Value::Number(std::f64::consts::PI))),
            _ => {}
        }
        if let Some((slot, quantity)) = quantities().enumerate().find(|(_, quantity)| quantity.name == name) {
            let Quantity { arguments, result, range, .. } = *quantity;
            return Some(Meaning::Quantity { slot, arguments, result, range });
        }
        let model = self.0;
        let constant = model.body(name).map(Value::Body);
        let constant = constant.or_else(|| model.site(name).map(Value::Site));
        let joint = || model.hinge(name).map(|(joint, sign)| Value::Joint(joint, sign));
        constant.or_else(joint).map(Meaning::Constant)
    }

    fn known(&self) -> Vec<String> {
        let model = self.0;
        let writable = quantities().filter(|quantity| !quantity.is_of_planner());
        let fixed = ["time", "state_time", "pi"].into_iter().chain(writable.map(|quantity| quantity.name));
        let bodies = model.bodies.iter().map(|body| body.name.as_str());
        let sites = model.sites.iter().map(|site| site.name.as_str());
        let joints = model.joints.iter().map(|joint| joint.name.as_str());
        let points = model.roles.points().map(|(role, _)| role);
        let roles = model.roles.bodies().map(|(role, _)| role).chain(points);
        let mut known: Vec<String> =
            fixed.chain(bodies).chain(sites).chain(joints).chain(roles).map(String::from).collect();
        let mut seen = std::collections::BTreeSet::new();
        known.retain(|name| seen.insert(name.clone()));
        known
    }
}

/// The surroundings of a character that expressions may name.
#[derive(Clone, Copy, Default)]
pub struct Around<'a> {
    /// Holds of the world.
    pub holds: &'a [Hold],
    /// Names of its passive objects, by index.
    pub objects: &'a [Arc<str>],
    /// The ground and obstacles.
    pub surfaces: &'a [Surface],
    /// Names of the characters, by index.
    pub characters: &'a [Arc<str>],
}

impl Around<'_> {
    /// The name of an object by its set and its number in it.
    pub(crate) fn name(&self, set: Set, number: usize) -> Option<Arc<str>> {
        match set {
            Set::Objects => self.objects.get(number).cloned(),
            Set::Surfaces => self.surfaces.get(number).map(|surface| surface.name.clone()),
            Set::Holds => self.holds.get(number).map(|hold| hold.name.clone()),
            Set::Characters => self.characters.get(number).cloned(),
        }
    }
}

/// The names of a model's parts and of the other contents of a world. If two have the same name, it denotes
/// the part of the model, then the hold, the passive object, the surface, the character.
pub struct WorldNames<'a> {
    /// Names of the model's parts.
    pub model: ModelNames<'a>,
    /// Surroundings of the character.
    pub around: Around<'a>,
}

impl Names for WorldNames<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let Around { holds, objects, surfaces, characters } = self.around;
        let hold = || holds.iter().position(|hold| &*hold.name == name).map(|hold| Value::Hold(Some(hold)));
        let object =
            || objects.iter().position(|object| &**object == name).map(|object| Value::Passive(Some(object)));
        let surface = || {
            surfaces
                .iter()
                .position(|surface| &*surface.name == name)
                .map(|surface| Value::Surface(Some(surface)))
        };
        let character = || {
            characters.iter().position(|other| &**other == name).map(|other| Value::Character(Some(other)))
        };
        let of_model = self.model.meaning(name);
        let around = || hold().or_else(object).or_else(surface).or_else(character);
        of_model.or_else(|| around().map(Meaning::Constant))
    }

    fn known(&self) -> Vec<String> {
        let mut known = self.model.known();
        known.extend(self.around.holds.iter().map(|hold| hold.name.to_string()));
        known.extend(self.around.objects.iter().map(|object| object.to_string()));
        known.extend(self.around.surfaces.iter().map(|surface| surface.name.to_string()));
        known.extend(self.around.characters.iter().map(|character| character.to_string()));
        known
    }

    fn hint(&self, name: &str) -> Option<String> {
        (name == "floor").then(|| "the floor is called `ground`: `touches_surface(body, ground)`".into())
    }
}

/// The names of a scene without characters: contents of the world, without quantities of a character.
pub struct SceneryNames<'a>(pub &'a WorldNames<'a>);

impl SceneryNames<'_> {
    /// Whether `name` refers to the character.
    fn needs_character(name: &str) -> bool {
        let is_of_character = |quantity: &Quantity| quantity.name == name && !quantity.is_of_scenery();
        name == "state_time" || quantities().any(is_of_character)
    }
}

impl Names for SceneryNames<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        self.0.meaning(name).filter(|_| !Self::needs_character(name))
    }

    fn known(&self) -> Vec<String> {
        let mut known = self.0.known();
        known.retain(|name| !Self::needs_character(name));
        known
    }

    fn hint(&self, name: &str) -> Option<String> {
        match Self::needs_character(name) {
            true => Some(format!("`{name}` needs a character, and this scene has none")),
            false => self.0.hint(name),
        }
    }
}

impl Lookup for Measure<'_> {
    fn quantity(&self, slot: usize, arguments: &[Value]) -> Value {
        match quantities().nth(slot) {
            Some(quantity) => (quantity.value)(self, arguments),
            None => Value::Number(f64::NAN),
        }
    }

    fn presence(&self, set: Set, number: usize) -> Option<bool> {
        let Snapshot { objects, characters, contacts, grips, .. } = self.snapshot;
        match set {
            Set::Objects => (number < objects.len()).then_some(true),
            Set::Surfaces => contacts.surfaces.get(number).map(|surface| surface.present),
            Set::Holds => grips.holds.get(number).map(|hold| !self.is_own(hold)),
            Set::Characters => (number < characters.len()).then_some(self.snapshot.number != Some(number)),
        }
    }

    fn time(&self) -> f64 {
        self.snapshot.state.time
    }

    /// 0 here: a character's state machine adds its own value
    /// ([`Machine::lookup`](crate::controller::Machine::lookup)).
    fn state_time(&self) -> f64 {
        0.0
    }
}
