//! JSON Schemas of a trace's channels: what each number is, and its unit.

use super::Header;
use super::message::{Keys, Topic};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Name and JSON Schema of a channel's messages.
pub struct Schema {
    pub name: &'static str,
    pub schema: Value,
}

/// The schema of the topic's messages in a trace with this header.
pub fn schema(topic: Topic, header: &Header, keys: &Keys) -> Schema {
    let (name, doc, properties) = match topic {
        Topic::Header => ("aplomb.Header", HEADER, header_message()),
        Topic::State => ("aplomb.State", STATE, state(header, keys)),
        Topic::Controller => ("aplomb.Controller", "What the controller was doing.", controller()),
        Topic::Surroundings => ("aplomb.Surroundings", SURROUNDINGS, surroundings()),
        Topic::Outcome => ("aplomb.Outcome", "How the frame's optimisation ended.", outcome()),
        Topic::Contacts => ("aplomb.Contacts", "Contact forces on the character.", contacts()),
        Topic::External => ("aplomb.External", "Forces that events put on the character.", external()),
        Topic::Torque => ("aplomb.Torque", TORQUE, torque(header, keys)),
        Topic::Costs => ("aplomb.Costs", "Costs of the objectives at the solution.", costs(header, keys)),
        Topic::Balance => ("aplomb.Balance", "Balance of the whole character.", balance()),
        Topic::Passive => ("aplomb.Passive", "Passive things, in the header's order.", passive()),
    };
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": doc,
        "type": "object",
        "properties": properties,
    });
    Schema { name, schema }
}

/// Units of a schema's numbers by their path: `com` → `m`, `torque.knee` → `N m`.
pub fn units(schema: &Value) -> BTreeMap<String, String> {
    let mut units = BTreeMap::new();
    collect_units(schema, "", &mut units);
    units
}

fn collect_units(schema: &Value, path: &str, units: &mut BTreeMap<String, String>) {
    if let Some(unit) = schema["unit"].as_str() {
        units.insert(path.to_string(), unit.to_string());
    }
    let properties = [&schema["properties"], &schema["items"]["properties"]];
    for (name, property) in properties.into_iter().filter_map(Value::as_object).flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        collect_units(property, &path, units);
    }
}

const HEADER: &str = "What does not change during the run. SI, world axes, z up; texts whole, with SHA-256.";
const STATE: &str = "Configuration q of the frame and the velocity v that led to it.";
const SURROUNDINGS: &str = "Where the obstacles are that move, in the order of the header's with `moves`.";
const TORQUE: &str = "Generalised forces that lead to the next frame; empty in the last record.";

fn header_message() -> Value {
    json!({
        "format": { "type": "integer", "description": "Version of this layout." },
        "header": { "type": "object", "properties": {
            "version": text("Version of the program."),
            "scene": text("Name of the scene."),
            "dt": number("s", "Time step."),
            "duration": number("s", "Duration asked for."),
            "gravity": vector(3, "m/s²", "Gravity."),
            "bias_velocity": text("Velocity the bias force is taken at; each frame says what it used."),
            "mass": number("kg", "Mass of the character."),
            "com_height": number("m", "Height of the centre of mass in the rest pose."),
            "torque_limits": list("Limits of the muscle torque per velocity coordinate; null: unlimited.", json!({})),
            "texts": list("Texts the run was made from.", json!({ "type": "object", "properties": {
                "kind": text("model, scene or controller."),
                "name": text("File name."),
                "sha256": text("SHA-256 of the text, hexadecimal."),
                "text": text("The whole text."),
            }})),
        }},
    })
}

fn state(header: &Header, keys: &Keys) -> Value {
    json!({
        "index": { "type": "integer", "description": "Number of the frame, from 0." },
        "time": number("s", "Simulated time."),
        "bias_velocity": text("Velocity the bias force of this frame was taken at."),
        "q": named("Configuration in MuJoCo's order; quaternions w, x, y, z.", &keys.configuration, |index| {
            header.configuration_units[index].as_str()
        }),
        "v": named("Velocity in MuJoCo's order; free joint: linear in world axes, angular in body axes.",
            &keys.coordinates, |index| header.coordinate_units[index].as_str()),
    })
}

fn controller() -> Value {
    json!({
        "state": text("State of the controller."),
        "state_time": number("s", "Time since the state was entered."),
        "roles": { "type": "object", "description": "Names the controller gave, and what they stand for." },
        "events": list("Events active in this frame.", text("Name of the event.")),
    })
}

fn surroundings() -> Value {
    json!({
        "moving": list("Obstacles that move.", json!({ "type": "object", "properties": {
            "position": vector(3, "m", "Of its frame, world axes."),
            "orientation": vector(4, "1", "Quaternion w, x, y, z."),
            "present": { "type": "boolean", "description": "Whether it is there at all." },
        }})),
        "holds": list("Holds that move.", vector(3, "m", "From where it stands at rest, world axes.")),
    })
}

fn outcome() -> Value {
    json!({
        "outcome": text("solved; relaxed: after letting rows give way; failed: forward dynamics instead."),
        "reason": text("Why it failed."),
        "relaxed_rows": list("Rows that gave way.", json!({ "type": "object", "properties": {
            "label": text("Name of the row."),
            "unit": text("Unit of the amount."),
            "amount": { "type": "number", "description": "How much it gave." },
        }})),
        "failed_rows": list("Rows in conflict.", text("Name of the row.")),
        "iterations": number("1", "Iterations of the solver, summed over the frame's solves."),
        "parted": number("1", "Contacts that parted under force and had it taken away."),
        "turned": number("1", "Contacts whose friction was turned against their slip."),
        "solve_events": list("What else happened on the way to the solution; absent where nothing did.",
            json!({ "type": "object", "properties": {
                "event": text("impact, second_solver, cap_reached, unresolved or exhausted."),
                "because": text("Why it is an impact: infeasible or contacts."),
                "check": text("Name of the check, e.g. friction_direction."),
            }})),
    })
}

fn contacts() -> Value {
    json!({ "contacts": list("Points in contact.", json!({ "type": "object", "properties": {
        "name": text("Name of the contact point."),
        "body": text("Body the force acts on."),
        "surface": text("What it touches."),
        "point": vector(3, "m", "Where the force acts, world axes."),
        "normal": vector(3, "1", "Unit normal of the surface, world axes."),
        "force": vector(3, "N", "Force on the body, world axes."),
        "friction": number("1", "Friction coefficient."),
        "kind": text("static, dynamic, or of holds grip or stand."),
        "gap": number("m", "Gap between body and surface; negative: penetration."),
    }})) })
}

fn external() -> Value {
    json!({ "external": list("Forces of events.", json!({ "type": "object", "properties": {
        "name": text("Name of the event."),
        "body": text("Body the force acts on."),
        "point": vector(3, "m", "Where the force acts, world axes."),
        "force": vector(3, "N", "Force on the body, world axes."),
        "torque": vector(3, "N m", "Torque on the body, world axes."),
    }})) })
}

fn torque(header: &Header, keys: &Keys) -> Value {
    json!({
        "torque": named("Muscle torque.", &keys.coordinates, |index| header.force_unit(index)),
        "stop_reaction": named("Reaction of joint stops.", &keys.coordinates, |index| header.force_unit(index)),
    })
}

fn costs(header: &Header, keys: &Keys) -> Value {
    json!({
        "costs": named("Weighted cost w‖r‖² of each objective.", &keys.objectives, |_| "1"),
        "distances": named(
            "Distance from moving targets; null where the objective does not hold.",
            &keys.followed,
            |index| header.followed[index].unit.as_str(),
        ),
    })
}

fn balance() -> Value {
    json!({
        "com": vector(3, "m", "Centre of mass."),
        "com_velocity": vector(3, "m/s", "Velocity of the centre of mass."),
        "capture_point": vector(2, "m", "Capture point on the ground."),
        "centre_of_pressure": { "type": ["array", "null"], "items": { "type": "number" }, "unit": "m",
            "description": "Centre of pressure of all ground contacts, m; null without ground force." },
        "support_polygon": { "type": "array", "items": vector(2, "m", "Corner."), "unit": "m",
            "description": "Corners of the support polygon, counter-clockwise, m." },
        "kinetic_energy": number("J", "Kinetic energy."),
        "potential_energy": number("J", "Potential energy of gravity."),
    })
}

fn passive() -> Value {
    let vectors = |unit, doc: &str| list(doc, vector(3, unit, doc));
    json!({ "things": list("Passive things.", json!({ "type": "object", "properties": {
        "positions": vectors("m", "Origins of the parts, world axes."),
        "orientations": list("Of the parts: w, x, y, z.", vector(4, "1", "Quaternion.")),
        "velocities": vectors("m/s", "Velocities of the parts' origins, world axes."),
        "angular_velocities": vectors("rad/s", "Of the parts, world axes."),
        "com": vector(3, "m", "Centre of mass."),
        "com_velocity": vector(3, "m/s", "Velocity of the centre of mass."),
        "kinetic_energy": number("J", "Kinetic energy."),
        "potential_energy": number("J", "Potential energy of gravity and springs."),
        "stretch": number("1", "How far the worst of what should keep its length is from it, as a share."),
        "iterations": number("1", "Iterations of the last step of its solver."),
        "residual": number("1", "What these left, in the unit of the method."),
        "failed": { "type": "boolean", "description": "Whether its numbers left the finite." },
        "touches": list("Points at which it is held.", json!({ "type": "object", "properties": {
            "part": number("1", "Number of the part."),
            "other": text("What it touches."),
            "point": vector(3, "m", "Where, world axes."),
            "normal": vector(3, "1", "Unit normal, out of the other."),
            "force": vector(3, "N", "Force on the part, world axes."),
        }})),
    }})) })
}

fn text(doc: &str) -> Value {
    json!({ "type": "string", "description": doc })
}

fn number(unit: &str, doc: &str) -> Value {
    json!({ "type": "number", "unit": unit, "description": format!("{doc} Unit: {unit}.") })
}

fn vector(length: usize, unit: &str, doc: &str) -> Value {
    json!({
        "type": "array",
        "items": { "type": "number" },
        "minItems": length,
        "maxItems": length,
        "unit": unit,
        "description": format!("{doc} Unit: {unit}."),
    })
}

fn list(doc: &str, item: Value) -> Value {
    json!({ "type": "array", "items": item, "description": doc })
}

fn named<'a>(doc: &str, keys: &[String], unit: impl Fn(usize) -> &'a str) -> Value {
    let properties: Map<String, Value> =
        keys.iter().enumerate().map(|(index, key)| (key.clone(), number(unit(index), key))).collect();
    json!({ "type": "object", "properties": properties, "description": doc })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::example;

    #[test]
    fn every_number_of_a_message_has_a_unit_in_its_schema() {
        let header = example::header();
        let keys = Keys::of(&header);
        let units = |topic| units(&schema(topic, &header, &keys).schema);
        assert_eq!(units(Topic::Torque)["torque.knee"], "N m");
        assert_eq!(units(Topic::State)["q.root.x"], "m");
        assert_eq!(units(Topic::Contacts)["contacts.force"], "N");
        assert_eq!(units(Topic::Balance)["centre_of_pressure"], "m");
        assert_eq!(units(Topic::Header)["header.gravity"], "m/s²");
    }
}
