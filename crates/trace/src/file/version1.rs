//! Frames of traces of format 1: a JSON message per topic and frame. They are read, and written no more.

use crate::{Contact, External, Frame, Header, OutcomeRecord, PassiveState, Place, RelaxedRow};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Topics of a frame's messages, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    State,
    Controller,
    Surroundings,
    Outcome,
    Contacts,
    External,
    Torque,
    Costs,
    Balance,
    /// Only in traces with passive objects.
    Passive,
}

impl Topic {
    pub const ALL: [Topic; 10] = [
        Topic::State,
        Topic::Controller,
        Topic::Surroundings,
        Topic::Outcome,
        Topic::Contacts,
        Topic::External,
        Topic::Torque,
        Topic::Costs,
        Topic::Balance,
        Topic::Passive,
    ];

    /// Topics that every frame of a trace with this header has a message on.
    pub fn of_frames(header: &Header) -> impl Iterator<Item = Topic> {
        let passive = !header.passive.is_empty();
        let moving = header.obstacles.iter().any(|obstacle| obstacle.moves)
            || header.holds.iter().any(|hold| hold.moves);
        let is_there = move |topic: &Topic| match topic {
            Topic::Passive => passive,
            Topic::Surroundings => moving,
            _ => true,
        };
        Topic::ALL.into_iter().filter(is_there)
    }

    pub fn name(self) -> &'static str {
        match self {
            Topic::State => "/state",
            Topic::Controller => "/controller",
            Topic::Surroundings => "/surroundings",
            Topic::Outcome => "/outcome",
            Topic::Contacts => "/contacts",
            Topic::External => "/external",
            Topic::Torque => "/torque",
            Topic::Costs => "/costs",
            Topic::Balance => "/balance",
            Topic::Passive => "/passive",
        }
    }
}

#[derive(Deserialize)]
struct StateMessage {
    index: u64,
    time: f64,
    bias_velocity: String,
    q: Pairs<f64>,
    v: Pairs<f64>,
}

#[derive(Deserialize)]
struct ControllerMessage {
    state: String,
    state_time: f64,
    roles: Pairs<String>,
    events: Vec<String>,
}

#[derive(Deserialize)]
struct SurroundingsMessage {
    moving: Vec<Place>,
    #[serde(default)]
    holds: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct OutcomeMessage {
    /// `solved`, `relaxed` or `failed`.
    outcome: String,
    reason: String,
    relaxed_rows: Vec<RelaxedRow>,
    failed_rows: Vec<String>,
    iterations: u32,
    #[serde(default)]
    parted: u32,
    #[serde(default)]
    turned: u32,
}

#[derive(Deserialize)]
struct ContactsMessage {
    contacts: Vec<Contact>,
}

#[derive(Deserialize)]
struct ExternalMessage {
    external: Vec<External>,
}

#[derive(Deserialize)]
struct TorqueMessage {
    torque: Pairs<f64>,
    stop_reaction: Pairs<f64>,
}

#[derive(Deserialize)]
struct CostsMessage {
    costs: Pairs<f64>,
    #[serde(default)]
    distances: Pairs<Option<f64>>,
}

#[derive(Deserialize)]
struct BalanceMessage {
    com: [f64; 3],
    com_velocity: [f64; 3],
    capture_point: [f64; 2],
    centre_of_pressure: Option<[f64; 2]>,
    support_polygon: Vec<[f64; 2]>,
    kinetic_energy: f64,
    potential_energy: f64,
}

#[derive(Deserialize)]
struct PassiveMessage {
    things: Vec<PassiveState>,
}

/// Reads a message of that topic into its part of `frame`.
pub fn decode(frame: &mut Frame, topic: Topic, data: &[u8]) -> serde_json::Result<()> {
    match topic {
        Topic::State => {
            let message: StateMessage = serde_json::from_slice(data)?;
            frame.index = message.index;
            frame.time = message.time;
            frame.bias_velocity = message.bias_velocity;
            frame.q = message.q.values();
            frame.v = message.v.values();
        }
        Topic::Controller => {
            let message: ControllerMessage = serde_json::from_slice(data)?;
            frame.state = message.state;
            frame.state_time = message.state_time;
            frame.roles = message.roles.0;
            frame.events = message.events;
        }
        Topic::Surroundings => {
            let message: SurroundingsMessage = serde_json::from_slice(data)?;
            (frame.moving, frame.moving_holds) = (message.moving, message.holds);
        }
        Topic::Outcome => {
            let message: OutcomeMessage = serde_json::from_slice(data)?;
            frame.outcome = crate::frame::outcome_of(OutcomeRecord {
                outcome: message.outcome,
                reason: message.reason,
                relaxed_rows: message.relaxed_rows,
                failed_rows: message.failed_rows,
            })
            .ok_or_else(|| serde::de::Error::custom("an unknown outcome"))?;
            frame.iterations = message.iterations;
            frame.parted = message.parted;
            frame.turned = message.turned;
        }
        Topic::Contacts => {
            frame.contacts = serde_json::from_slice::<ContactsMessage>(data)?.contacts;
        }
        Topic::External => {
            frame.external = serde_json::from_slice::<ExternalMessage>(data)?.external;
        }
        Topic::Torque => {
            let message: TorqueMessage = serde_json::from_slice(data)?;
            frame.torque = message.torque.values();
            frame.stop_reaction = message.stop_reaction.values();
        }
        Topic::Costs => {
            let message: CostsMessage = serde_json::from_slice(data)?;
            frame.costs = message.costs.values();
            frame.distances = message.distances.values();
        }
        Topic::Balance => {
            let message: BalanceMessage = serde_json::from_slice(data)?;
            frame.com = message.com;
            frame.com_velocity = message.com_velocity;
            frame.capture_point = message.capture_point;
            frame.centre_of_pressure = message.centre_of_pressure;
            frame.support_polygon = message.support_polygon;
            frame.kinetic_energy = message.kinetic_energy;
            frame.potential_energy = message.potential_energy;
        }
        Topic::Passive => {
            frame.passive = serde_json::from_slice::<PassiveMessage>(data)?.things;
        }
    }
    Ok(())
}

/// The entries of a JSON object in the order of the text.
struct Pairs<T>(Vec<(String, T)>);

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Pairs(Vec::new())
    }
}

impl<T> Pairs<T> {
    fn values(self) -> Vec<T> {
        self.0.into_iter().map(|(_, value)| value).collect()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PairsVisitor<T> {
    type Value = Pairs<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T>, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}
