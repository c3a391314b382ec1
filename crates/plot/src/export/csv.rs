//! A trace as tables. Columns of numbers are named `name [unit]`; a cell without a number is empty.

use super::{ExportError, write};
use aplomb_trace::{Channel, ContactKind, Frame, Outcome, SelfContact, Trace, channels};
use csv::{Writer, WriterBuilder};
use std::io;
use std::path::{Path, PathBuf};

/// Description of a column.
struct ColumnDescription {
    name: String,
    /// Unit of the column; empty for texts.
    unit: &'static str,
    doc: &'static str,
}

/// Writes the four tables, one of passive objects if there are any, and one of parts of the body that press on each
/// other if any do.
pub(super) fn export(trace: &Trace, folder: &Path) -> Result<Vec<PathBuf>, ExportError> {
    let table = |name: &str, content: &dyn Fn(&mut TableWriter<'_>) -> csv::Result<()>| {
        let path = folder.join(name);
        write(&path, |file| {
            let mut table = WriterBuilder::new().from_writer(file);
            content(&mut table)?;
            table.flush()
        })?;
        Ok(path)
    };
    let mut tables = vec![
        table("frames.csv", &|table| frames(trace, table))?,
        table("contacts.csv", &|table| contacts(trace, table))?,
        table("external.csv", &|table| external(trace, table))?,
        table("columns.csv", &|table| columns(trace, table))?,
    ];
    if !trace.header.passive.is_empty() {
        tables.push(table("objects.csv", &|table| objects(trace, table))?);
    }
    if has_self_contacts(trace) {
        tables.push(table("self_contacts.csv", &|table| self_contacts(trace, table))?);
    }
    Ok(tables)
}

type TableWriter<'a> = Writer<&'a mut dyn io::Write>;

fn frames(trace: &Trace, table: &mut TableWriter<'_>) -> csv::Result<()> {
    let channels = channels(&trace.header);
    let texts = frame_texts();
    table.write_record(texts.iter().map(title).chain(channels.iter().map(channel_title)))?;
    let mut parts = trace.parts.iter().peekable();
    for (frame, row) in trace.frames.iter().zip(trace.rows()) {
        let mut count = 0;
        while let Some(part) = parts.next_if(|part| part.index <= frame.index) {
            count += usize::from(part.index == frame.index);
        }
        let events = frame.events.join(" ");
        let roles: Vec<String> = frame.roles.iter().map(|(role, name)| format!("{role}={name}")).collect();
        let texts = [
            frame.index.to_string(),
            frame.state.clone(),
            outcome(frame).to_string(),
            events,
            roles.join(" "),
            frame.bias_velocity.clone(),
            count.max(1).to_string(),
        ];
        let numbers = row.into_iter().map(|value| value.map_or(String::new(), number));
        table.write_record(texts.into_iter().chain(numbers))?;
    }
    Ok(())
}

fn contacts(trace: &Trace, table: &mut TableWriter<'_>) -> csv::Result<()> {
    table.write_record(contact_columns().iter().map(title))?;
    for (index, frame) in trace.frames.iter().enumerate() {
        let next = trace.frames.get(index + 1);
        for contact in &frame.contacts {
            let kind = match contact.kind {
                ContactKind::Static => "static",
                ContactKind::Dynamic => "dynamic",
                ContactKind::Grip => "grip",
                ContactKind::Stand => "stand",
            };
            let texts = [&contact.name, &contact.body, &contact.surface, kind].map(str::to_string);
            let vectors = [contact.point, contact.normal, contact.force].concat();
            let numbers = vectors.into_iter().chain([contact.friction, contact.gap]).map(number);
            let carried =
                next.map(|next| contact.surface_velocity(&trace.header, frame, next, trace.header.dt));
            let carried = (0..3).map(|axis| carried.map_or(String::new(), |velocity| number(velocity[axis])));
            table.write_record(stamp(frame).into_iter().chain(texts).chain(numbers).chain(carried))?;
        }
    }
    Ok(())
}

fn external(trace: &Trace, table: &mut TableWriter<'_>) -> csv::Result<()> {
    table.write_record(external_columns().iter().map(title))?;
    for frame in &trace.frames {
        for external in &frame.external {
            let texts = [external.name.clone(), external.body.clone()];
            let numbers = [external.point, external.force, external.torque].concat().into_iter().map(number);
            table.write_record(stamp(frame).into_iter().chain(texts).chain(numbers))?;
        }
    }
    Ok(())
}

/// Whether parts of the body press on each other in any frame.
fn has_self_contacts(trace: &Trace) -> bool {
    trace.frames.iter().any(|frame| frame.self_contacts.iter().any(SelfContact::presses))
}

fn self_contacts(trace: &Trace, table: &mut TableWriter<'_>) -> csv::Result<()> {
    table.write_record(self_contact_columns().iter().map(title))?;
    for frame in &trace.frames {
        for pressed in frame.self_contacts.iter().filter(|pressed| pressed.presses()) {
            let texts = [pressed.body.clone(), pressed.other.clone()];
            let numbers = [pressed.point, pressed.other_point, pressed.force].concat();
            table
                .write_record(stamp(frame).into_iter().chain(texts).chain(numbers.into_iter().map(number)))?;
        }
    }
    Ok(())
}

/// Writes a row per part of each passive object and frame.
fn objects(trace: &Trace, table: &mut TableWriter<'_>) -> csv::Result<()> {
    table.write_record(object_columns().iter().map(title))?;
    for frame in &trace.frames {
        for (object, state) in trace.header.passive.iter().zip(&frame.passive) {
            for part in in_order(&object.parts) {
                let name = &object.parts[part];
                let texts = [object.name.clone(), name.clone()];
                let turn = state.orientations.get(part).map_or(vec![], |turn| turn.to_vec());
                let spin = state.angular_velocities.get(part).map_or(vec![], |spin| spin.to_vec());
                let optional = |numbers: Vec<f64>, count: usize| {
                    let mut cells: Vec<String> = numbers.into_iter().map(number).collect();
                    cells.resize(count, String::new());
                    cells
                };
                let numbers = optional(state.positions[part].to_vec(), 3).into_iter();
                let numbers = numbers.chain(optional(turn, 4));
                let numbers = numbers.chain(optional(state.velocities[part].to_vec(), 3));
                table.write_record(
                    stamp(frame).into_iter().chain(texts).chain(numbers).chain(optional(spin, 3)),
                )?;
            }
        }
    }
    Ok(())
}

/// Parts in the order in which they are listed. Particles of a cloth are stored in the order of the solver, every
/// second one first; a table lists them row by row.
fn in_order(names: &[String]) -> Vec<usize> {
    let place =
        |name: &String| name.split('_').map(|number| number.parse().ok()).collect::<Option<Vec<usize>>>();
    let mut order: Vec<usize> = (0..names.len()).collect();
    if let Some(places) = names.iter().map(place).collect::<Option<Vec<_>>>() {
        order.sort_by_key(|part| &places[*part]);
    }
    order
}

/// Writes the table that describes the columns of the other tables.
fn columns(trace: &Trace, table: &mut TableWriter<'_>) -> csv::Result<()> {
    table.write_record(["file", "column", "unit", "meaning"])?;
    let mut tables = vec![
        ("frames.csv", frame_texts()),
        ("contacts.csv", contact_columns()),
        ("external.csv", external_columns()),
    ];
    if !trace.header.passive.is_empty() {
        tables.push(("objects.csv", object_columns()));
    }
    if has_self_contacts(trace) {
        tables.push(("self_contacts.csv", self_contact_columns()));
    }
    for (file, columns) in &tables {
        for column in columns {
            table.write_record([file, title(column).as_str(), column.unit, column.doc])?;
        }
        if *file == "frames.csv" {
            for channel in channels(&trace.header) {
                table.write_record([file, channel_title(&channel).as_str(), &channel.unit, &channel.doc])?;
            }
        }
    }
    Ok(())
}

fn frame_texts() -> Vec<ColumnDescription> {
    vec![
        text("frame", "Number of the frame, from 0."),
        text("state", "State of the controller."),
        text(
            "solved",
            "How the frame's optimisation ended: solved, relaxed, failed or limp; empty where nothing was solved, \
             as in the last row, the state at the end.",
        ),
        text("events", "Events active in the frame, with a space between."),
        text("roles", "Names the controller gave, and what they stand for."),
        text("bias_velocity", "Velocity the bias force was taken at."),
        text("parts", "Number of parts the frame was computed in; 1 for a whole frame."),
    ]
}

fn contact_columns() -> Vec<ColumnDescription> {
    let mut columns = vec![
        text("frame", "Number of the frame, from 0."),
        quantity("time", "s", "Time of the frame."),
        text("name", "Name of the contact point."),
        text("body", "Body the force acts on."),
        text("surface", "What it touches."),
        text("kind", "static, dynamic, or of holds grip or stand."),
    ];
    columns.extend(vector("point", "m", "Where the force acts, world axes."));
    columns.extend(vector("normal", "1", "Unit normal of the surface, world axes."));
    columns.extend(vector("force", "N", "Force on the body, world axes."));
    columns.push(quantity("friction", "1", "Friction coefficient."));
    columns.push(quantity("gap", "m", "Gap between body and surface; negative: penetration."));
    let carried = "Of the surface at the point, world axes; empty in the last frame.";
    columns.extend(vector("surface_velocity", "m/s", carried));
    columns
}

fn external_columns() -> Vec<ColumnDescription> {
    let mut columns = vec![
        text("frame", "Number of the frame, from 0."),
        quantity("time", "s", "Time of the frame."),
        text("name", "Name of the event, the passive object or the other character."),
        text("body", "Body the force acts on."),
    ];
    columns.extend(vector("point", "m", "Where the force acts, world axes."));
    columns.extend(vector("force", "N", "Force on the body, world axes."));
    columns.extend(vector("torque", "N m", "Torque on the body, world axes."));
    columns
}

fn self_contact_columns() -> Vec<ColumnDescription> {
    let mut columns = vec![
        text("frame", "Number of the frame, from 0."),
        quantity("time", "s", "Time of the frame."),
        text("body", "Body the force acts on."),
        text("other", "Body that presses on it; on this one acts the opposite."),
    ];
    columns.extend(vector("point", "m", "Where the force acts on the body, world axes."));
    columns.extend(vector("other_point", "m", "Where the opposite acts on the other, world axes."));
    columns.extend(vector("force", "N", "Force on the body, world axes."));
    columns
}

fn object_columns() -> Vec<ColumnDescription> {
    let mut columns = vec![
        text("frame", "Number of the frame, from 0."),
        quantity("time", "s", "Time of the frame."),
        text("object", "Name of the passive object."),
        text("part", "Name of its part."),
    ];
    columns.extend(vector("position", "m", "Origin of the part, world axes."));
    columns.extend(["w", "x", "y", "z"].map(|axis| {
        quantity(&format!("orientation.{axis}"), "1", "Quaternion of the part; 1, 0, 0, 0 for particles.")
    }));
    columns.extend(vector("velocity", "m/s", "Velocity of the part's origin, world axes."));
    columns.extend(vector("angular_velocity", "rad/s", "Of the part, world axes; 0 for particles."));
    columns
}

fn text(name: &str, doc: &'static str) -> ColumnDescription {
    quantity(name, "", doc)
}

fn quantity(name: &str, unit: &'static str, doc: &'static str) -> ColumnDescription {
    ColumnDescription { name: name.to_string(), unit, doc }
}

fn vector(name: &str, unit: &'static str, doc: &'static str) -> [ColumnDescription; 3] {
    ["x", "y", "z"].map(|axis| quantity(&format!("{name}.{axis}"), unit, doc))
}

fn title(column: &ColumnDescription) -> String {
    if column.unit.is_empty() { column.name.clone() } else { format!("{} [{}]", column.name, column.unit) }
}

fn channel_title(channel: &Channel) -> String {
    format!("{} [{}]", channel.name, channel.unit)
}

/// Number and time of the frame, the first cells of a row.
fn stamp(frame: &Frame) -> [String; 2] {
    [frame.index.to_string(), number(frame.time)]
}

fn outcome(frame: &Frame) -> &'static str {
    match frame.outcome {
        _ if !frame.has_forces() => "",
        Outcome::Solved => "solved",
        Outcome::Relaxed { .. } => "relaxed",
        Outcome::Failed { .. } => "failed",
        Outcome::Limp => "limp",
    }
}

/// The shortest text that parses to the same number.
fn number(value: f64) -> String {
    format!("{value:?}")
}
