//! Content of a run for viewers: objects with shapes, their poses in every frame, and threads between them.

use crate::export::{ExportError, unit};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::{BodyId, Model};
use aplomb_math::geometry::Shape;
use aplomb_trace::{Frame, Holdable, Obstacle, PassiveHeader, Trace};
use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion, Vector3};

/// Red, green and blue, linear, 0 to 1.
pub(super) type LinearRgb = [f32; 3];
const BODY: LinearRgb = [0.23, 0.32, 0.45];
const OBJECT: LinearRgb = [0.71, 0.30, 0.05];
const SOLID: LinearRgb = [0.57, 0.50, 0.42];
const HOLD: LinearRgb = [0.25, 0.15, 0.04];
/// Half-extents of the box that represents the ground, m.
const GROUND: [f64; 3] = [10.0, 10.0, 0.01];
/// Radius of a hold that is a point, m.
const POINT: f64 = 0.02;

/// A shape in the axes of its object.
pub(super) struct Placed {
    pub shape: Shape,
    pub pose: Isometry3<f64>,
}

/// An object with its own pose.
pub(super) struct Thing {
    pub name: String,
    /// Index of the object to which its pose is relative; `None` for the world.
    pub parent: Option<usize>,
    /// Pose in each frame; `None` while it is absent.
    pub course: Vec<Option<Isometry3<f64>>>,
    pub shapes: Vec<Placed>,
    pub colour: LinearRgb,
}

/// Threads of one passive object between parts of it.
pub(super) struct Threads {
    pub name: String,
    /// Indices of the objects at both ends.
    pub ends: Vec<[usize; 2]>,
    /// Radius of a thread, m.
    pub radius: f64,
    pub colour: LinearRgb,
}

/// Everything visible in a run.
pub(super) struct GltfStage {
    /// The objects; a parent precedes its children.
    pub things: Vec<Thing>,
    pub threads: Vec<Threads>,
}

impl GltfStage {
    /// The objects of a run with this character.
    pub(super) fn new(trace: &Trace, model: &Model) -> Result<GltfStage, ExportError> {
        let mut stage = GltfStage { things: Vec::new(), threads: Vec::new() };
        stage.character(trace, model)?;
        for (index, object) in trace.header.passive.iter().enumerate() {
            stage.passive(trace, object, index);
        }
        for (index, obstacle) in trace.header.obstacles.iter().enumerate() {
            stage.obstacle(trace, obstacle, index);
        }
        let holds: Vec<Vec<Holdable>> = trace.frames.iter().map(|frame| frame.holds(&trace.header)).collect();
        stage
            .things
            .extend(trace.header.holds.iter().enumerate().map(|(index, hold)| held(hold, index, &holds)));
        Ok(stage)
    }

    /// Adds the bodies with their parents, so that other programs show a skeleton.
    fn character(&mut self, trace: &Trace, model: &Model) -> Result<(), ExportError> {
        for (index, body) in model.bodies.iter().enumerate() {
            let own = model.geoms.iter().filter(|geom| geom.body == Some(BodyId(index)));
            self.things.push(Thing {
                name: body.name.clone(),
                parent: body.parent.map(|parent| parent.0),
                course: Vec::with_capacity(trace.frames.len()),
                shapes: own
                    .map(|geom| placed(geom.shape.clone(), &geom.position, geom.orientation))
                    .collect(),
                colour: BODY,
            });
        }
        let mut kinematics = Kinematics::new(model);
        for frame in &trace.frames {
            if frame.q.len() != model.nq {
                return Err(ExportError::Misfit { frame: frame.index });
            }
            kinematics.update_poses(model, &frame.q);
            let world = |body: usize| {
                let turn = Rotation3::from_matrix_unchecked(kinematics.rotation[body]);
                pose(&kinematics.position[body], UnitQuaternion::from_rotation_matrix(&turn))
            };
            for (index, thing) in self.things.iter_mut().enumerate() {
                let place = thing.parent.map_or_else(Isometry3::identity, world).inv_mul(&world(index));
                thing.course.push(Some(place));
            }
        }
        Ok(())
    }

    fn passive(&mut self, trace: &Trace, object: &PassiveHeader, index: usize) {
        let first = self.things.len();
        for (part, name) in object.parts.iter().enumerate() {
            let place = |frame: &Frame| {
                let state = frame.passive.get(index)?;
                let turn = state.orientations.get(part).copied().map_or_else(UnitQuaternion::identity, unit);
                Some(pose(&Vector3::from(*state.positions.get(part)?), turn))
            };
            let solids = object.solids.iter().filter(|solid| solid.part == part);
            self.things.push(Thing {
                name: format!("{}.{name}", object.name),
                parent: None,
                course: trace.frames.iter().map(place).collect(),
                shapes: solids
                    .map(|solid| {
                        placed(solid.shape.shape(), &Vector3::from(solid.position), unit(solid.orientation))
                    })
                    .collect(),
                colour: OBJECT,
            });
        }
        if let Some(segment) = object.segments.first() {
            self.threads.push(Threads {
                name: object.name.clone(),
                ends: object.segments.iter().map(|segment| segment.ends.map(|end| first + end)).collect(),
                radius: segment.radius,
                colour: OBJECT,
            });
        }
    }

    fn obstacle(&mut self, trace: &Trace, obstacle: &Obstacle, index: usize) {
        let own = |obstacle: &Obstacle| pose(&Vector3::from(obstacle.position), unit(obstacle.orientation));
        // Frames list only the obstacles that move, in the order of the header.
        let moving = trace.header.obstacles[..index].iter().filter(|obstacle| obstacle.moves).count();
        let place = |frame: &Frame| match (obstacle.moves, frame.moving.get(moving)) {
            (false, _) => Some(own(obstacle)),
            (true, Some(place)) if place.present => {
                Some(pose(&Vector3::from(place.position), unit(place.orientation)))
            }
            (true, _) => None,
        };
        let (shape, below) = match obstacle.shape() {
            Shape::Plane => (Shape::Box { half_lengths: GROUND.into() }, GROUND[2]),
            shape => (shape, 0.0),
        };
        self.things.push(Thing {
            name: obstacle.name.clone(),
            parent: None,
            course: trace.frames.iter().map(place).collect(),
            shapes: vec![placed(shape, &(-Vector3::z() * below), UnitQuaternion::identity())],
            colour: SOLID,
        });
    }
}

/// A bar or a point at its rest length.
fn held(hold: &Holdable, index: usize, frames: &[Vec<Holdable>]) -> Thing {
    let place = |hold: &Holdable| match hold.ends[..] {
        [a, b] => {
            let (a, b) = (Vector3::from(a), Vector3::from(b));
            let turn = UnitQuaternion::rotation_between(&Vector3::z(), &(b - a)).unwrap_or_default();
            Some(pose(&(0.5 * (a + b)), turn))
        }
        [at] => Some(pose(&Vector3::from(at), UnitQuaternion::identity())),
        _ => None,
    };
    let shape = match hold.ends[..] {
        [a, b] => Shape::Capsule {
            radius: hold.radius,
            half_length: 0.5 * (Vector3::from(b) - Vector3::from(a)).norm(),
        },
        _ => Shape::Sphere { radius: POINT },
    };
    Thing {
        name: hold.name.clone(),
        parent: None,
        course: frames.iter().map(|holds| holds.get(index).and_then(place)).collect(),
        shapes: vec![placed(shape, &Vector3::zeros(), UnitQuaternion::identity())],
        colour: HOLD,
    }
}

fn placed(shape: Shape, position: &Vector3<f64>, orientation: UnitQuaternion<f64>) -> Placed {
    Placed { shape, pose: pose(position, orientation) }
}

fn pose(position: &Vector3<f64>, orientation: UnitQuaternion<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(*position), orientation)
}
