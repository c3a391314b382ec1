//! A frame as JSON messages, one per channel, and back.

use super::{Contact, External, Frame, FrameEvent, Header, Outcome, PassiveState, Place, RelaxedRow};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// Channels of a trace, in the order in which a frame's messages stand; the header comes once, before all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Header,
    State,
    Controller,
    Surroundings,
    Outcome,
    Contacts,
    External,
    Torque,
    Costs,
    Balance,
    /// Only in traces with passive things.
    Passive,
}

impl Topic {
    pub const ALL: [Topic; 11] = [
        Topic::Header,
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
            Topic::Header => false,
            Topic::Passive => passive,
            Topic::Surroundings => moving,
            _ => true,
        };
        Topic::ALL.into_iter().filter(is_there)
    }

    pub fn name(self) -> &'static str {
        match self {
            Topic::Header => "/header",
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

/// The message that makes a trace readable by itself.
#[derive(Serialize, Deserialize)]
pub struct HeaderMessage<H> {
    pub format: u64,
    pub header: H,
}

#[derive(Serialize, Deserialize)]
pub struct StateMessage<S, N> {
    pub index: u64,
    pub time: f64,
    pub bias_velocity: S,
    pub q: N,
    pub v: N,
}

#[derive(Serialize, Deserialize)]
pub struct ControllerMessage<S, R, E> {
    pub state: S,
    pub state_time: f64,
    pub roles: R,
    pub events: E,
}

#[derive(Serialize, Deserialize)]
pub struct SurroundingsMessage<P, H> {
    pub moving: P,
    #[serde(default)]
    pub holds: H,
}

#[derive(Serialize, Deserialize)]
pub struct OutcomeMessage<S, R, F, E: IsEmpty> {
    /// `solved`, `relaxed` or `failed`.
    pub outcome: S,
    pub reason: S,
    pub relaxed_rows: R,
    pub failed_rows: F,
    pub iterations: u32,
    #[serde(default)]
    pub parted: u32,
    #[serde(default)]
    pub turned: u32,
    #[serde(default, skip_serializing_if = "IsEmpty::is_empty")]
    pub solve_events: E,
}

/// A list that is left out of a message where it is empty.
pub trait IsEmpty: Default {
    fn is_empty(&self) -> bool;
}

impl<T> IsEmpty for Vec<T> {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

impl<T> IsEmpty for &[T] {
    fn is_empty(&self) -> bool {
        (**self).is_empty()
    }
}

#[derive(Serialize, Deserialize)]
pub struct ContactsMessage<C> {
    pub contacts: C,
}

#[derive(Serialize, Deserialize)]
pub struct ExternalMessage<E> {
    pub external: E,
}

#[derive(Serialize, Deserialize)]
pub struct TorqueMessage<N> {
    pub torque: N,
    pub stop_reaction: N,
}

#[derive(Serialize, Deserialize)]
pub struct CostsMessage<N, D> {
    pub costs: N,
    #[serde(default)]
    pub distances: D,
}

#[derive(Serialize, Deserialize)]
pub struct BalanceMessage<P> {
    pub com: [f64; 3],
    pub com_velocity: [f64; 3],
    pub capture_point: [f64; 2],
    pub centre_of_pressure: Option<[f64; 2]>,
    pub support_polygon: P,
    pub kinetic_energy: f64,
    pub potential_energy: f64,
}

#[derive(Serialize, Deserialize)]
pub struct PassiveMessage<P> {
    pub things: P,
}

/// Names under which the numbers of a list stand in a message: the header's, made unique.
#[derive(Clone, Debug)]
pub struct Keys {
    pub configuration: Vec<String>,
    pub coordinates: Vec<String>,
    pub objectives: Vec<String>,
    pub followed: Vec<String>,
}

impl Keys {
    pub fn of(header: &Header) -> Self {
        Keys {
            configuration: unique(&header.configuration_names),
            coordinates: unique(&header.coordinate_names),
            objectives: unique(&header.objectives),
            followed: header.followed.iter().map(|followed| followed.objective.clone()).collect(),
        }
    }
}

/// The names, with ` #2`, ` #3`, … on those that came before: a JSON object holds each name once.
fn unique(names: &[String]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let numbered = (2..).map(|number| format!("{name} #{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|key| !keys.contains(key));
        keys.extend(free);
    }
    keys
}

/// Writes the frame's message of that topic to `out`; of [`Topic::Header`] there is none in a frame.
pub fn encode(frame: &Frame, topic: Topic, keys: &Keys, out: &mut Vec<u8>) -> serde_json::Result<()> {
    match topic {
        Topic::Header => Ok(()),
        Topic::State => serde_json::to_writer(
            out,
            &StateMessage {
                index: frame.index,
                time: frame.time,
                bias_velocity: &frame.bias_velocity,
                q: Named(&keys.configuration, &frame.q),
                v: Named(&keys.coordinates, &frame.v),
            },
        ),
        Topic::Controller => serde_json::to_writer(
            out,
            &ControllerMessage {
                state: &frame.state,
                state_time: frame.state_time,
                roles: Roles(&frame.roles),
                events: &frame.events,
            },
        ),
        Topic::Surroundings => serde_json::to_writer(
            out,
            &SurroundingsMessage { moving: &frame.moving, holds: &frame.moving_holds },
        ),
        Topic::Outcome => {
            let (outcome, reason, relaxed, failed): (_, _, &[RelaxedRow], &[String]) = match &frame.outcome {
                Outcome::Solved => ("solved", "", &[], &[]),
                Outcome::Relaxed { rows } => ("relaxed", "", rows, &[]),
                Outcome::Failed { reason, rows } => ("failed", reason.as_str(), &[], rows),
                Outcome::Limp => ("limp", "", &[], &[]),
            };
            let message = OutcomeMessage {
                outcome,
                reason,
                relaxed_rows: relaxed,
                failed_rows: failed,
                iterations: frame.iterations,
                parted: frame.parted,
                turned: frame.turned,
                solve_events: &*frame.solve_events,
            };
            serde_json::to_writer(out, &message)
        }
        Topic::Contacts => serde_json::to_writer(out, &ContactsMessage { contacts: &frame.contacts }),
        Topic::External => serde_json::to_writer(out, &ExternalMessage { external: &frame.external }),
        Topic::Torque => serde_json::to_writer(
            out,
            &TorqueMessage {
                torque: Named(&keys.coordinates, &frame.torque),
                stop_reaction: Named(&keys.coordinates, &frame.stop_reaction),
            },
        ),
        Topic::Costs => {
            let costs = Named(&keys.objectives, &frame.costs);
            let distances = Named(&keys.followed, &frame.distances);
            serde_json::to_writer(out, &CostsMessage { costs, distances })
        }
        Topic::Balance => serde_json::to_writer(
            out,
            &BalanceMessage {
                com: frame.com,
                com_velocity: frame.com_velocity,
                capture_point: frame.capture_point,
                centre_of_pressure: frame.centre_of_pressure,
                support_polygon: &frame.support_polygon,
                kinetic_energy: frame.kinetic_energy,
                potential_energy: frame.potential_energy,
            },
        ),
        Topic::Passive => serde_json::to_writer(out, &PassiveMessage { things: &frame.passive }),
    }
}

/// Reads a message of that topic into its part of `frame`.
pub fn decode(frame: &mut Frame, topic: Topic, data: &[u8]) -> serde_json::Result<()> {
    match topic {
        Topic::Header => {}
        Topic::State => {
            let message: StateMessage<String, Pairs<f64>> = serde_json::from_slice(data)?;
            frame.index = message.index;
            frame.time = message.time;
            frame.bias_velocity = message.bias_velocity;
            frame.q = message.q.values();
            frame.v = message.v.values();
        }
        Topic::Controller => {
            let message: ControllerMessage<String, Pairs<String>, Vec<String>> =
                serde_json::from_slice(data)?;
            frame.state = message.state;
            frame.state_time = message.state_time;
            frame.roles = message.roles.0;
            frame.events = message.events;
        }
        Topic::Surroundings => {
            let message: SurroundingsMessage<Vec<Place>, Vec<[f64; 3]>> = serde_json::from_slice(data)?;
            (frame.moving, frame.moving_holds) = (message.moving, message.holds);
        }
        Topic::Outcome => {
            let message: OutcomeMessage<String, Vec<RelaxedRow>, Vec<String>, Vec<FrameEvent>> =
                serde_json::from_slice(data)?;
            frame.outcome = match message.outcome.as_str() {
                "solved" => Outcome::Solved,
                "limp" => Outcome::Limp,
                "relaxed" => Outcome::Relaxed { rows: message.relaxed_rows },
                "failed" => Outcome::Failed { reason: message.reason, rows: message.failed_rows },
                other => return Err(serde::de::Error::custom(format!("unknown outcome `{other}`"))),
            };
            frame.iterations = message.iterations;
            frame.parted = message.parted;
            frame.turned = message.turned;
            frame.solve_events = message.solve_events;
        }
        Topic::Contacts => {
            frame.contacts = serde_json::from_slice::<ContactsMessage<Vec<Contact>>>(data)?.contacts;
        }
        Topic::External => {
            frame.external = serde_json::from_slice::<ExternalMessage<Vec<External>>>(data)?.external;
        }
        Topic::Torque => {
            let message: TorqueMessage<Pairs<f64>> = serde_json::from_slice(data)?;
            frame.torque = message.torque.values();
            frame.stop_reaction = message.stop_reaction.values();
        }
        Topic::Costs => {
            let message: CostsMessage<Pairs<f64>, Pairs<Option<f64>>> = serde_json::from_slice(data)?;
            frame.costs = message.costs.values();
            frame.distances = message.distances.values();
        }
        Topic::Balance => {
            let message: BalanceMessage<Vec<[f64; 2]>> = serde_json::from_slice(data)?;
            frame.com = message.com;
            frame.com_velocity = message.com_velocity;
            frame.capture_point = message.capture_point;
            frame.centre_of_pressure = message.centre_of_pressure;
            frame.support_polygon = message.support_polygon;
            frame.kinetic_energy = message.kinetic_energy;
            frame.potential_energy = message.potential_energy;
        }
        Topic::Passive => {
            frame.passive = serde_json::from_slice::<PassiveMessage<Vec<PassiveState>>>(data)?.things;
        }
    }
    Ok(())
}

/// Numbers as a JSON object, in order; an empty list is an empty object.
struct Named<'a, T>(&'a [String], &'a [T]);

impl<T: Serialize> Serialize for Named<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().zip(self.1))
    }
}

/// Roles as a JSON object, in order.
struct Roles<'a>(&'a [(String, String)]);

impl Serialize for Roles<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (role, name) in self.0 {
            map.serialize_entry(role, name)?;
        }
        map.end()
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::example;

    #[test]
    fn a_frame_comes_back_from_its_messages_to_the_last_bit() {
        let header = example::header();
        let keys = Keys::of(&header);
        for frame in example::trace(4).frames {
            let mut back = Frame::default();
            for topic in Topic::ALL {
                let mut data = Vec::new();
                encode(&frame, topic, &keys, &mut data).unwrap();
                decode(&mut back, topic, &data).unwrap();
            }
            assert_eq!(back, frame);
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&back.q), bits(&frame.q));
        }
    }

    #[test]
    fn names_that_come_twice_get_a_number() {
        let names = ["a", "b", "a", "a #2", "a"].map(String::from);
        assert_eq!(unique(&names), ["a", "b", "a #2", "a #2 #2", "a #3"]);
    }
}
