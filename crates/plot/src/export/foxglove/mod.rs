//! A run in 3-D for Foxglove, Lichtblick and Rerun: shapes once, poses and forces in every frame.

mod protobuf;
mod schema;

use super::scene::character;
use super::{ExportError, unit};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::Model;
use aplomb_math::geometry::{Hull, Shape};
use aplomb_trace::{Frame, Header, Obstacle, PassiveState, Trace};
use mcap::records::MessageHeader;
use mcap::{McapError, WriteOptions, Writer};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use protobuf::EncodedMessage;
use std::collections::BTreeMap;
use std::io::{Seek, Write};

/// Root of the tree of coordinate frames.
const WORLD: &str = "world";
const SHAPES_TOPIC: &str = "/scene";
const POSES_TOPIC: &str = "/tf";
const FORCES_TOPIC: &str = "/forces";
/// Half-extents of the box that represents the ground, m.
const GROUND: [f64; 3] = [10.0, 10.0, 0.01];
/// Length of the arrow of a force equal to the weight, as a share of the height of the centre of mass.
const WEIGHT_LENGTH: f64 = 0.5;
/// Thickness of arrows and points, as a share of the height of the centre of mass.
const THICKNESS: f64 = 0.015;

type Rgba = [f64; 4];
const BODY: Rgba = [0.52, 0.60, 0.70, 1.0];
const OBJECT: Rgba = [0.86, 0.58, 0.24, 1.0];
const SOLID: Rgba = [0.78, 0.74, 0.68, 1.0];
const HOLD: Rgba = [0.54, 0.43, 0.23, 1.0];
const CONTACT: Rgba = [0.13, 0.55, 0.33, 1.0];
const PUSH: Rgba = [0.85, 0.15, 0.15, 1.0];
const COM: Rgba = [0.1, 0.1, 0.1, 1.0];

/// Writes the whole run as an MCAP file.
pub(super) fn write(trace: &Trace, sink: impl Write + Seek) -> Result<(), FoxgloveError> {
    let header = &trace.header;
    let messages = FoxgloveMessages::new(header.clone())?;
    let options = WriteOptions::new().profile("").library("aplomb");
    let mut file = FoxgloveFile::start(options.create(sink)?)?;
    file.write(file.shapes, 0.0, &messages.shapes(trace.frames.first()))?;
    for frame in &trace.frames {
        file.write(file.poses, frame.time, &messages.poses(frame)?)?;
        file.write(file.forces, frame.time, &messages.forces(frame))?;
    }
    file.writer.finish()?;
    Ok(())
}

/// Why an MCAP file could not be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum FoxgloveError {
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] McapError),
    /// The trace has no model that can be read, or frames that do not match it.
    #[error(transparent)]
    Trace(#[from] Box<ExportError>),
}

impl From<ExportError> for FoxgloveError {
    fn from(error: ExportError) -> Self {
        FoxgloveError::Trace(Box::new(error))
    }
}

/// The file with its three topics. Constant and changing content have different topics, so that a viewer that
/// jumps in time finds the last message of each.
struct FoxgloveFile<W: Write + Seek> {
    writer: Writer<W>,
    shapes: u16,
    poses: u16,
    forces: u16,
    sequence: u32,
}

impl<W: Write + Seek> FoxgloveFile<W> {
    fn start(mut writer: Writer<W>) -> Result<Self, McapError> {
        let description = schema::description();
        let scene = writer.add_schema(schema::SCENE, "protobuf", &description)?;
        let transforms = writer.add_schema(schema::TRANSFORMS, "protobuf", &description)?;
        let nothing = BTreeMap::new();
        let shapes = writer.add_channel(scene, SHAPES_TOPIC, "protobuf", &nothing)?;
        let poses = writer.add_channel(transforms, POSES_TOPIC, "protobuf", &nothing)?;
        let forces = writer.add_channel(scene, FORCES_TOPIC, "protobuf", &nothing)?;
        Ok(FoxgloveFile { writer, shapes, poses, forces, sequence: 0 })
    }

    fn write(&mut self, channel: u16, time: f64, message: &[u8]) -> Result<(), McapError> {
        let log_time = nanoseconds(time);
        let header =
            MessageHeader { channel_id: channel, sequence: self.sequence, log_time, publish_time: log_time };
        self.sequence += 1;
        self.writer.write_to_known_channel(&header, message)
    }
}

/// Messages with which 3-D viewers show a run in progress: those of `foxglove.mcap`, in protobuf.
pub struct FoxgloveMessages {
    header: Header,
    model: Model,
}

impl FoxgloveMessages {
    /// Topics, and the full name of the message of each: shapes, which are sent once; poses and forces of every
    /// frame.
    pub const TOPICS: [(&str, &str); 3] =
        [(SHAPES_TOPIC, schema::SCENE), (POSES_TOPIC, schema::TRANSFORMS), (FORCES_TOPIC, schema::SCENE)];

    /// Messages of the run of this header.
    ///
    /// # Errors
    ///
    /// If the header has a character whose model is missing or cannot be read.
    pub fn new(header: Header) -> Result<Self, ExportError> {
        let model = if header.has_character() { character(&header)? } else { Model::empty() };
        Ok(FoxgloveMessages { header, model })
    }

    /// The schema of all topics: a `google.protobuf.FileDescriptorSet`.
    pub fn schema() -> Vec<u8> {
        schema::description()
    }

    /// Shapes in the frames of their bodies and of the world; holds at their positions in this frame.
    pub fn shapes(&self, frame: Option<&Frame>) -> Vec<u8> {
        self.stage().shapes(frame).0
    }

    /// Poses of everything that moves.
    ///
    /// # Errors
    ///
    /// If the frame is not a configuration of the model.
    pub fn poses(&self, frame: &Frame) -> Result<Vec<u8>, ExportError> {
        if frame.q.len() != self.model.nq {
            return Err(ExportError::Misfit { frame: frame.index });
        }
        Ok(self.stage().transforms(frame).0)
    }

    /// Contact forces, external forces, the centre of mass, and objects without a shape.
    pub fn forces(&self, frame: &Frame) -> Vec<u8> {
        self.stage().forces(frame).0
    }

    fn stage(&self) -> FoxgloveStage<'_> {
        FoxgloveStage { header: &self.header, model: &self.model }
    }
}

/// Characters, objects and scenery of the run.
struct FoxgloveStage<'t> {
    header: &'t Header,
    model: &'t Model,
}

impl FoxgloveStage<'_> {
    /// Shapes in the frames of their bodies and of the world.
    fn shapes(&self, first: Option<&Frame>) -> EncodedMessage {
        let mut update = EncodedMessage::default();
        for (index, body) in self.model.bodies.iter().enumerate() {
            let mut entity = Entity::new(&body.name, &body.name, 0.0);
            let own = self.model.geoms.iter().filter(|geom| geom.body.is_some_and(|body| body.0 == index));
            own.for_each(|geom| entity.shape(&geom.shape, &geom.position, &geom.orientation, BODY));
            update.message(2, &entity.0);
        }
        for object in &self.header.passive {
            for (index, part) in object.parts.iter().enumerate() {
                let frame = format!("{}.{part}", object.name);
                let mut entity = Entity::new(&frame, &frame, 0.0);
                for solid in object.solids.iter().filter(|solid| solid.part == index) {
                    let orientation = unit(solid.orientation);
                    entity.shape(&solid.shape.shape(), &Vector3::from(solid.position), &orientation, OBJECT);
                }
                update.message(2, &entity.0);
            }
        }
        for obstacle in &self.header.obstacles {
            let frame = if obstacle.moves { obstacle.name.as_str() } else { WORLD };
            let mut entity = Entity::new(&format!("surface {}", obstacle.name), frame, 0.0);
            let (position, orientation) = if obstacle.moves {
                (Vector3::zeros(), UnitQuaternion::identity())
            } else {
                (Vector3::from(obstacle.position), unit(obstacle.orientation))
            };
            match obstacle.shape() {
                Shape::Field(field) => {
                    for (middle, half_lengths) in field.columns() {
                        let place = position + orientation * middle;
                        entity.shape(&Shape::Box { half_lengths }, &place, &orientation, SOLID);
                    }
                }
                shape if !obstacle.is_half_space() => entity.shape(&shape, &position, &orientation, SOLID),
                _ => {
                    let shape = Shape::Box { half_lengths: GROUND.into() };
                    entity.shape(&shape, &(position - Vector3::z() * GROUND[2]), &orientation, SOLID);
                }
            }
            update.message(2, &entity.0);
        }
        update.message(2, &self.holds(first).0);
        update
    }

    /// Holds at their initial positions.
    fn holds(&self, first: Option<&Frame>) -> Entity {
        let mut holds = Entity::new("holds", WORLD, 0.0);
        for hold in first.map(|frame| frame.holds(self.header)).unwrap_or_default() {
            match hold.ends[..] {
                [a, b] => holds.rod(&a.into(), &b.into(), hold.radius, HOLD),
                [at] => holds.ball(&at.into(), 2.0 * self.thickness(), HOLD),
                _ => {}
            }
        }
        holds
    }

    fn thickness(&self) -> f64 {
        if self.header.has_character() { THICKNESS * self.header.com_height } else { THICKNESS }
    }

    /// Poses of everything that moves.
    fn transforms(&self, frame: &Frame) -> EncodedMessage {
        let mut all = EncodedMessage::default();
        let mut add = |name: &str, position: &Vector3<f64>, orientation: &UnitQuaternion<f64>| {
            let mut one = EncodedMessage::default();
            one.message(1, &time(frame.time));
            one.text(2, WORLD);
            one.text(3, name);
            one.message(4, &vector(position));
            one.message(5, &quaternion(orientation));
            all.message(1, &one);
        };
        let mut kinematics = Kinematics::new(self.model);
        kinematics.update_poses(self.model, &frame.q);
        for (index, body) in self.model.bodies.iter().enumerate() {
            add(&body.name, &kinematics.position[index], &of_matrix(&kinematics.rotation[index]));
        }
        for (object, state) in self.header.passive.iter().zip(&frame.passive) {
            for (index, part) in object.parts.iter().enumerate() {
                let Some(position) = state.positions.get(index) else { continue };
                let turn = state.orientations.get(index).copied().map_or_else(UnitQuaternion::identity, unit);
                add(&format!("{}.{part}", object.name), &Vector3::from(*position), &turn);
            }
        }
        for Obstacle { name, position, orientation, .. } in
            frame.surroundings(self.header).iter().filter(|obstacle| obstacle.moves)
        {
            add(name, &Vector3::from(*position), &unit(*orientation));
        }
        all
    }

    /// Contact forces, external forces, the centre of mass, and objects without a shape.
    fn forces(&self, frame: &Frame) -> EncodedMessage {
        let weight = self.header.mass * Vector3::from(self.header.gravity).norm();
        let per_newton = if weight > 0.0 { WEIGHT_LENGTH * self.header.com_height / weight } else { 0.0 };
        let mut contacts = Entity::new("contact forces", WORLD, frame.time);
        for contact in &frame.contacts {
            let along = Vector3::from(contact.force) * per_newton;
            contacts.arrow(&Vector3::from(contact.point), &along, self.thickness(), CONTACT);
        }
        let mut pushes = Entity::new("pushes", WORLD, frame.time);
        for push in &frame.external {
            let along = Vector3::from(push.force) * per_newton;
            pushes.arrow(&(Vector3::from(push.point) - along), &along, self.thickness(), PUSH);
        }
        let mut middle = Entity::new("centre of mass", WORLD, frame.time);
        if self.header.has_character() {
            middle.ball(&Vector3::from(frame.com), 2.0 * self.thickness(), COM);
            middle.outline(&frame.support_polygon, self.thickness() / 3.0, CONTACT);
        }
        let mut rods = Entity::new("rods", WORLD, frame.time);
        for (object, state) in self.header.passive.iter().zip(&frame.passive) {
            let place =
                |state: &PassiveState, end: usize| state.positions.get(end).map(|p| Vector3::from(*p));
            for segment in &object.segments {
                if let [Some(a), Some(b)] = segment.ends.map(|end| place(state, end)) {
                    rods.rod(&a, &b, segment.radius.max(1e-3), OBJECT);
                }
            }
        }
        let mut update = EncodedMessage::default();
        [contacts, pushes, middle, rods].iter().for_each(|entity| update.message(2, &entity.0));
        update
    }
}

/// A `foxglove.SceneEntity`, which replaces the previous one with the same id.
struct Entity(EncodedMessage);

impl Entity {
    fn new(id: &str, frame: &str, at: f64) -> Self {
        let mut message = EncodedMessage::default();
        message.message(1, &time(at));
        message.text(2, frame);
        message.text(3, id);
        message.whole(5, 1);
        Entity(message)
    }

    fn shape(&mut self, shape: &Shape, position: &Vector3<f64>, turn: &UnitQuaternion<f64>, colour: Rgba) {
        match *shape {
            Shape::Plane | Shape::Field(_) => {}
            Shape::Sphere { radius } => self.ball(position, radius, colour),
            Shape::Ellipsoid { radii } => self.ellipsoid(position, turn, &radii, colour),
            Shape::Capsule { radius, half_length } => {
                let half = turn * Vector3::z() * half_length;
                self.cylinder(position, turn, radius, half_length, colour);
                [half, -half].iter().for_each(|end| self.ball(&(position + end), radius, colour));
            }
            Shape::Cylinder { radius, half_length } => {
                self.cylinder(position, turn, radius, half_length, colour)
            }
            Shape::Hull(ref hull) => self.hull(position, turn, hull, colour),
            Shape::Box { half_lengths } => {
                let mut cube = EncodedMessage::default();
                cube.message(1, &pose(position, turn));
                cube.message(2, &vector(&(2.0 * half_lengths)));
                cube.message(3, &EncodedMessage::of_doubles(&colour));
                self.0.message(8, &cube);
            }
        }
    }

    /// The surface of a convex hull, as triangles.
    fn hull(&mut self, at: &Vector3<f64>, turn: &UnitQuaternion<f64>, hull: &Hull, colour: Rgba) {
        let mut triangles = EncodedMessage::default();
        triangles.message(1, &pose(at, turn));
        for corner in hull.triangles().iter().flatten() {
            triangles.message(2, &vector(&hull.corners()[*corner]));
        }
        triangles.message(3, &EncodedMessage::of_doubles(&colour));
        self.0.message(12, &triangles);
    }

    fn ball(&mut self, at: &Vector3<f64>, radius: f64, colour: Rgba) {
        self.ellipsoid(at, &UnitQuaternion::identity(), &Vector3::repeat(radius), colour);
    }

    fn ellipsoid(
        &mut self,
        at: &Vector3<f64>,
        turn: &UnitQuaternion<f64>,
        radii: &Vector3<f64>,
        colour: Rgba,
    ) {
        let mut ellipsoid = EncodedMessage::default();
        ellipsoid.message(1, &pose(at, turn));
        ellipsoid.message(2, &vector(&(2.0 * radii)));
        ellipsoid.message(3, &EncodedMessage::of_doubles(&colour));
        self.0.message(9, &ellipsoid);
    }

    fn cylinder(
        &mut self,
        at: &Vector3<f64>,
        turn: &UnitQuaternion<f64>,
        radius: f64,
        half: f64,
        colour: Rgba,
    ) {
        let mut cylinder = EncodedMessage::default();
        cylinder.message(1, &pose(at, turn));
        cylinder.message(2, &EncodedMessage::of_doubles(&[2.0 * radius, 2.0 * radius, 2.0 * half]));
        cylinder.double(3, 1.0);
        cylinder.double(4, 1.0);
        cylinder.message(5, &EncodedMessage::of_doubles(&colour));
        self.0.message(10, &cylinder);
    }

    /// A capsule from `a` to `b`.
    fn rod(&mut self, a: &Vector3<f64>, b: &Vector3<f64>, radius: f64, colour: Rgba) {
        let turn = UnitQuaternion::rotation_between(&Vector3::z(), &(b - a)).unwrap_or_default();
        let shape = Shape::Capsule { radius, half_length: 0.5 * (b - a).norm() };
        self.shape(&shape, &(0.5 * (a + b)), &turn, colour);
    }

    /// Adds an arrow; none if its length is zero.
    fn arrow(&mut self, from: &Vector3<f64>, along: &Vector3<f64>, thickness: f64, colour: Rgba) {
        let length = along.norm();
        if !(length > 1e-6 && length.is_finite()) {
            return;
        }
        let turn = UnitQuaternion::rotation_between(&Vector3::x(), along)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI));
        let head = (2.0 * thickness).min(0.5 * length);
        let mut arrow = EncodedMessage::default();
        arrow.message(1, &pose(from, &turn));
        arrow.double(2, length - head);
        arrow.double(3, thickness);
        arrow.double(4, head);
        arrow.double(5, 2.0 * thickness);
        arrow.message(6, &EncodedMessage::of_doubles(&colour));
        self.0.message(7, &arrow);
    }

    /// A closed polyline on the ground.
    fn outline(&mut self, corners: &[[f64; 2]], thickness: f64, colour: Rgba) {
        if corners.len() < 2 {
            return;
        }
        let mut line = EncodedMessage::default();
        line.whole(1, 1);
        line.message(2, &pose(&Vector3::zeros(), &UnitQuaternion::identity()));
        line.double(3, thickness);
        corners.iter().for_each(|[x, y]| line.message(5, &EncodedMessage::of_doubles(&[*x, *y, 0.0])));
        line.message(6, &EncodedMessage::of_doubles(&colour));
        self.0.message(11, &line);
    }
}

fn pose(position: &Vector3<f64>, orientation: &UnitQuaternion<f64>) -> EncodedMessage {
    let mut pose = EncodedMessage::default();
    pose.message(1, &vector(position));
    pose.message(2, &quaternion(orientation));
    pose
}

fn vector(vector: &Vector3<f64>) -> EncodedMessage {
    EncodedMessage::of_doubles(vector.as_slice())
}

/// x, y, z, w
fn quaternion(turn: &UnitQuaternion<f64>) -> EncodedMessage {
    EncodedMessage::of_doubles(&[turn.i, turn.j, turn.k, turn.w])
}

fn of_matrix(rotation: &Matrix3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*rotation))
}

fn nanoseconds(time: f64) -> u64 {
    (time * 1e9).round().max(0.0) as u64
}

fn time(time: f64) -> EncodedMessage {
    let all = nanoseconds(time);
    let mut message = EncodedMessage::default();
    message.whole(1, all / 1_000_000_000);
    message.whole(2, all % 1_000_000_000);
    message
}

#[cfg(test)]
mod tests;
