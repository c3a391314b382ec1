//! Values and types of expressions, and the lookup of values of the frame.

use super::sets::Set;
use crate::{BodyId, JointId};
use nalgebra::Vector3;
use std::sync::Arc;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A real number.
    Number,
    /// True or false.
    Boolean,
    /// Three numbers, world axes.
    Vector,
    /// A body of the character.
    Body,
    /// A site of the character.
    Site,
    /// A joint of the character.
    Joint,
    /// A hold or a bar of the scene.
    Hold,
    /// A passive object.
    Passive,
    /// A surface: the ground or an obstacle.
    Surface,
    /// A character of the scene.
    Character,
    /// A state of the controller.
    State,
    /// Pushes of a scene from many sides; only figures of runs refer to them.
    Pushes,
    /// A body or a site; only parameters have this type.
    Place,
    /// A body, a site, a hold, a passive object, a surface or a character; only parameters have this type.
    Spot,
    /// A passive object or a character; only parameters have this type.
    Other,
}

impl Type {
    /// Whether a value of type `given` is allowed where this type is expected.
    pub fn accepts(self, given: Type) -> bool {
        match self {
            Type::Place => matches!(given, Type::Body | Type::Site),
            Type::Spot => matches!(
                given,
                Type::Body | Type::Site | Type::Hold | Type::Passive | Type::Surface | Type::Character
            ),
            Type::Other => matches!(given, Type::Passive | Type::Character),
            _ => self == given,
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Type::Number => "number",
            Type::Boolean => "true or false",
            Type::Vector => "vector",
            Type::Body => "body",
            Type::Site => "site",
            Type::Joint => "joint",
            Type::Hold => "hold",
            Type::Passive => "passive object",
            Type::Surface => "surface",
            Type::Character => "character",
            Type::State => "state of the controller",
            Type::Pushes => "pushes",
            Type::Place => "body or site",
            Type::Spot => "body, site, hold, passive object, surface or character",
            Type::Other => "passive object or character",
        })
    }
}

/// A state of a controller, or one with inner states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateId {
    /// Its number: first the innermost states in the order of the composed controller, then those with inner states.
    pub number: usize,
    /// The first of its inner states, or itself if it has none.
    pub first: usize,
    /// One past the last of them; they are consecutive.
    pub end: usize,
}

impl StateId {
    /// A state without inner states.
    pub fn single(number: usize) -> Self {
        StateId { number, first: number, end: number + 1 }
    }

    /// Whether one of the two contains the other, or both are equal: a controller in a state is also in all
    /// states that contain it.
    fn is_with(self, other: StateId) -> bool {
        let holds = |outer: StateId, inner: StateId| outer.first <= inner.first && inner.end <= outer.end;
        holds(self, other) || holds(other, self)
    }
}

/// A value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A real number.
    Number(f64),
    /// True or false.
    Boolean(bool),
    /// Three numbers, world axes.
    Vector(Vector3<f64>),
    /// A body, as an index into the model.
    Body(BodyId),
    /// Index of a site in `Model::sites`.
    Site(usize),
    /// A joint, as an index into the model, and the sign of its angle relative to that of the role by which
    /// it was named.
    Joint(JointId, f64),
    /// Index of a hold of the scene; `None` if no such hold exists.
    Hold(Option<usize>),
    /// Number of a passive object of the scene; `None` if no such object exists.
    Passive(Option<usize>),
    /// Number of a surface of the scene, the ground first; `None` if no such surface exists.
    Surface(Option<usize>),
    /// Number of a character of the scene; `None` if no such character exists.
    Character(Option<usize>),
    /// A state of the controller; `None` if there is none.
    State(Option<StateId>),
    /// The pushes of a scene's map.
    Pushes,
}

impl Value {
    /// Type of the value.
    pub fn kind(&self) -> Type {
        match self {
            Value::Number(_) => Type::Number,
            Value::Boolean(_) => Type::Boolean,
            Value::Vector(_) => Type::Vector,
            Value::Body(_) => Type::Body,
            Value::Site(_) => Type::Site,
            Value::Joint(..) => Type::Joint,
            Value::Hold(_) => Type::Hold,
            Value::Passive(_) => Type::Passive,
            Value::Surface(_) => Type::Surface,
            Value::Character(_) => Type::Character,
            Value::State(_) => Type::State,
            Value::Pushes => Type::Pushes,
        }
    }

    /// Whether both are the same part or object, as `==` defines it: a state equals one that contains it.
    pub(super) fn is_same_reference(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::State(Some(one)), Value::State(Some(other))) => one.is_with(*other),
            _ => self == other,
        }
    }

    /// The number; NaN for any other type.
    pub fn number(self) -> f64 {
        if let Value::Number(value) = self { value } else { f64::NAN }
    }

    /// The truth value; false for any other type.
    pub(crate) fn boolean(self) -> bool {
        self == Value::Boolean(true)
    }

    /// The vector; NaN for any other type.
    pub fn vector(self) -> Vector3<f64> {
        if let Value::Vector(value) = self { value } else { Vector3::repeat(f64::NAN) }
    }

    /// The value as text for people, with the names of the model's parts and of the scene's objects by set and
    /// number.
    pub fn describe(&self, model: &dyn PartNames, things: &dyn Fn(Set, usize) -> Option<Arc<str>>) -> String {
        let thing = |set: Set, number: Option<usize>| match number {
            Some(number) => match things(set, number) {
                Some(name) => name.to_string(),
                None => format!("{} {number}", set.kind()),
            },
            None => "none".into(),
        };
        let named = |name: Option<&str>| name.unwrap_or_default().to_string();
        match self {
            Value::Number(value) => format!("{value}"),
            Value::Boolean(value) => format!("{value}"),
            Value::Vector(value) => format!("[{}, {}, {}]", value.x, value.y, value.z),
            Value::Body(body) => named(model.body_name(*body)),
            Value::Site(site) => named(model.site_name(*site)),
            Value::Joint(joint, _) => named(model.joint_name(*joint)),
            Value::Hold(hold) => thing(Set::Holds, *hold),
            Value::Passive(object) => thing(Set::Objects, *object),
            Value::Surface(surface) => thing(Set::Surfaces, *surface),
            Value::Character(other) => thing(Set::Characters, *other),
            Value::State(state) => state.map_or("none".into(), |state| format!("state {}", state.number)),
            Value::Pushes => "pushes".into(),
        }
    }
}

/// The names of a model's parts.
pub trait PartNames {
    /// Name of a body; `None` if the model has no such body.
    fn body_name(&self, body: BodyId) -> Option<&str>;

    /// Name of a site by its index.
    fn site_name(&self, site: usize) -> Option<&str>;

    /// Name of a joint; `None` if the model has no such joint.
    fn joint_name(&self, joint: JointId) -> Option<&str>;
}

/// Largest number of arguments of a quantity.
pub const MOST_ARGUMENTS: usize = 16;

/// The source of the values of the frame for expressions.
pub trait Lookup {
    /// The value of a quantity by the slot from its name's meaning, of the type stated there.
    fn quantity(&self, slot: usize, arguments: &[Value]) -> Value;

    /// Whether member `number` of a set is present in this frame; `None` beyond the last.
    fn presence(&self, set: Set, number: usize) -> Option<bool>;

    /// The current member of the set expression `level` levels outside the innermost one. Only inside set expressions
    /// are there members.
    fn member(&self, _level: usize) -> Value {
        Value::Boolean(false)
    }

    /// Seconds since the run began.
    fn time(&self) -> f64;

    /// Seconds since the controller's state was entered, on the controller's own clock.
    fn state_time(&self) -> f64;

    /// Seconds since the entry into the state at this nesting depth.
    fn level_time(&self, _level: usize) -> f64 {
        self.state_time()
    }
}
