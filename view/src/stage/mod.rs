//! What is to be seen of a frame, as shapes and colours: the world, and what the optimiser thinks of it.

mod colour;
mod goal;
mod overlay;
mod pick;
mod shape;

pub use goal::{GoalMark, GoalValue};
pub use overlay::Switches;
pub use pick::{Hit, is_hidden, pick};
pub use shape::{Primitive, Solid};

use crate::session::Target;
use aplomb::cli::Failure;
use aplomb::dynamics::kinematics::Kinematics;
use aplomb::language::diagnostic::Source;
use aplomb::model::{BodyId, Model, Shape, mjcf};
use aplomb::trace::{Frame, Header, PassiveHeader, PassiveState};
use aplomb::world::Mind;
use colour::Colour;
use glam::{Quat, Vec3};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use std::sync::Arc;

/// All that is to be seen of one frame; memory that is used again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Bodies and what stands around.
    pub solids: Vec<Solid>,
    /// The same in another branch, to be seen through.
    pub ghosts: Vec<Solid>,
    /// What is drawn over them: it is not hidden by bodies and has no shadow.
    pub overlays: Vec<Solid>,
    /// Flat convex polygons on the ground, by their corners.
    pub areas: Vec<(Vec<Vec3>, Colour)>,
    /// Texts at points.
    pub labels: Vec<(Vec3, String)>,
    /// Targets that can be moved.
    pub goals: Vec<GoalMark>,
    /// Height of the ground; `None` without one.
    pub ground: Option<f32>,
    /// What one looks at when one follows: the centre of mass of the character, or of the passive objects.
    pub focus: Vec3,
}

/// Draws the frames of one run.
pub struct Stage {
    header: Arc<Header>,
    model: Model,
    kinematics: Kinematics,
    colours: Vec<Colour>,
    /// Of the centre of mass as the character stands, m; of 1 m where nobody acts. Marks are in proportion to it.
    height: f64,
    /// Of forces in the picture, m/N.
    force_scale: f64,
}

/// An arrow as long as the centre of mass is high stands for this many times the weight.
const WEIGHTS_PER_HEIGHT: f64 = 1.5;
/// Distance of a body's centre from the middle plane from which it has a side, as a share of the height of the centre
/// of mass.
const OFF_MIDDLE: f64 = 0.02;

impl Stage {
    /// For frames with this header.
    ///
    /// # Errors
    /// A header whose model cannot be read.
    pub fn new(header: Arc<Header>) -> Result<Self, Failure> {
        let model = match header.text("model").filter(|_| header.has_character()) {
            Some(text) => mjcf::read(&Source::new(&text.name, &text.text))?,
            None => Model::empty(),
        };
        let kinematics = Kinematics::new(&model);
        let colours = sides(&model, OFF_MIDDLE * header.com_height);
        let objects: f64 = header.passive.iter().map(|object| object.mass).sum();
        let mass = if model.bodies.is_empty() { objects } else { header.mass };
        let weight = (mass * Vector3::from(header.gravity).norm()).max(1.0);
        let height = if model.bodies.is_empty() { 1.0 } else { header.com_height.max(0.1) };
        let force_scale = height / (WEIGHTS_PER_HEIGHT * weight);
        Ok(Stage { header, model, kinematics, colours, height, force_scale })
    }

    /// The character's body; empty where nobody acts.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where bodies were in the frame that was drawn last.
    pub fn kinematics(&self) -> &Kinematics {
        &self.kinematics
    }

    /// How long a force is in the picture, m/N.
    pub fn force_scale(&self) -> f64 {
        self.force_scale
    }

    /// A good distance to look from, m.
    pub fn distance(&self) -> f32 {
        if self.model.bodies.is_empty() { 4.0 } else { 3.6 * self.header.com_height.max(0.1) as f32 }
    }

    /// Fills the picture with a frame.
    pub fn draw(
        &mut self,
        frame: &Frame,
        mind: &Mind,
        switches: &Switches,
        selected: Option<Target>,
        picture: &mut Picture,
    ) {
        picture.solids.clear();
        picture.ghosts.clear();
        picture.overlays.clear();
        picture.areas.clear();
        picture.labels.clear();
        picture.goals.clear();
        self.surroundings(frame, picture);
        self.character(frame, selected, picture);
        for (number, (object, state)) in self.header.passive.iter().zip(&frame.passive).enumerate() {
            add_object(number, object, state, selected, &mut picture.solids);
        }
        picture.focus = match frame.passive.first() {
            Some(state) if self.model.bodies.is_empty() => shape::vec(&Vector3::from(state.com)),
            _ => shape::vec(&Vector3::from(frame.com)),
        };
        if switches.goal_pose
            && let Some(q) = self.goal_pose(frame, mind)
        {
            let wanted = Frame { q, ..Frame::default() };
            self.add_ghost(frame, &wanted, picture);
        }
        if switches.targets {
            self.goals(mind, picture);
        }
        self.overlay(frame, switches, picture);
    }

    /// Whether there is something of this kind to take hold of.
    pub fn has(&self, target: Target) -> bool {
        match target {
            Target::Body { body, .. } => body.0 < self.model.bodies.len(),
            Target::Part { object, part } => {
                self.header.passive.get(object).is_some_and(|object| part < object.parts.len())
            }
        }
    }

    /// Adds the character and the passive objects of another branch to the picture.
    pub fn add_ghost(&mut self, now: &Frame, ghost: &Frame, picture: &mut Picture) {
        let mut other = Picture::default();
        self.character(ghost, None, &mut other);
        for (number, (object, state)) in self.header.passive.iter().zip(&ghost.passive).enumerate() {
            add_object(number, object, state, None, &mut other.solids);
        }
        let seen_through =
            |solid: Solid| Solid { colour: colour::ghost(solid.colour), target: None, ..solid };
        picture.ghosts.extend(other.solids.into_iter().map(seen_through));
        if now.q.len() == self.model.nq && !self.model.bodies.is_empty() {
            self.kinematics.update_poses(&self.model, &now.q);
        }
    }

    fn surroundings(&self, frame: &Frame, picture: &mut Picture) {
        picture.ground = None;
        for obstacle in frame.surroundings(&self.header) {
            match obstacle.half_lengths {
                None => picture.ground = Some(obstacle.position[2] as f32),
                Some(half_lengths) => picture.solids.push(Solid::of(
                    &Shape::Box { half_lengths: half_lengths.into() },
                    &Vector3::from(obstacle.position),
                    quat(&unit(&obstacle.orientation)),
                    colour::OBSTACLE,
                )),
            }
        }
        for hold in frame.holds(&self.header) {
            let ends: Vec<Vector3<f64>> = hold.ends.iter().map(|end| Vector3::from(*end)).collect();
            match ends[..] {
                [from, to] => {
                    picture.solids.push(Solid::between(&from, &to, hold.radius.max(0.01), colour::HOLD));
                }
                [at] => picture.solids.push(Solid::ball(&at, hold.radius.max(0.025), colour::HOLD)),
                _ => {}
            }
        }
    }

    fn character(&mut self, frame: &Frame, selected: Option<Target>, picture: &mut Picture) {
        let Stage { model, kinematics, colours, .. } = self;
        if frame.q.len() != model.nq || model.bodies.is_empty() {
            return;
        }
        kinematics.update_poses(model, &frame.q);
        for geom in &model.geoms {
            let Some(body) = geom.body else { continue };
            let target = Target::Body { character: 0, body };
            let rotation = kinematics.rotation[body.0] * geom.orientation.to_rotation_matrix().matrix();
            let colour = if selected == Some(target) { colour::SELECTED } else { colours[body.0] };
            let position = kinematics.point(body, &geom.position);
            let solid = Solid::of(&geom.shape, &position, turn(&rotation), colour);
            picture.solids.push(Solid { target: Some(target), ..solid });
        }
    }

    /// A point of the world in the frame of a target, m, in the frame that was drawn last.
    pub fn local(&self, frame: &Frame, target: Target, point: &Vector3<f64>) -> Vector3<f64> {
        match target {
            Target::Body { body, .. } => {
                self.kinematics.rotation[body.0].transpose() * (point - self.kinematics.position[body.0])
            }
            Target::Part { object, part } => {
                let (origin, turn) = pose_of(frame, object, part);
                turn.inverse() * (point - origin)
            }
        }
    }

    /// A point in the frame of a target in the world, m, in the frame that was drawn last.
    pub fn world(&self, frame: &Frame, target: Target, local: &Vector3<f64>) -> Vector3<f64> {
        match target {
            Target::Body { body, .. } => self.kinematics.point(body, local),
            Target::Part { object, part } => {
                let (origin, turn) = pose_of(frame, object, part);
                origin + turn * local
            }
        }
    }

    /// What people call it.
    pub fn name(&self, target: Target) -> String {
        match target {
            Target::Body { body, .. } => self.header.bodies[body.0].clone(),
            Target::Part { object, part } => {
                let object = &self.header.passive[object];
                match object.parts.len() {
                    1 => object.name.clone(),
                    _ => format!("{}.{}", object.name, object.parts[part]),
                }
            }
        }
    }

    /// Where a push on a target acts when nothing else is said: a body's centre of mass, in its frame.
    pub fn centre(&self, target: Target) -> Vector3<f64> {
        match target {
            Target::Body { body, .. } => self.model.bodies[body.0].inertia.centre,
            Target::Part { .. } => Vector3::zeros(),
        }
    }
}

/// Where a part of an object is; at the origin, where it is not in this frame.
fn pose_of(frame: &Frame, object: usize, part: usize) -> (Vector3<f64>, UnitQuaternion<f64>) {
    let nowhere = || (Vector3::zeros(), UnitQuaternion::identity());
    frame.passive.get(object).map_or_else(nowhere, |state| part_pose(state, part))
}

fn part_pose(state: &PassiveState, part: usize) -> (Vector3<f64>, UnitQuaternion<f64>) {
    let origin = state.positions.get(part).map_or(Vector3::zeros(), |origin| Vector3::from(*origin));
    (origin, state.orientations.get(part).map_or(UnitQuaternion::identity(), unit))
}

fn add_object(
    number: usize,
    object: &PassiveHeader,
    state: &PassiveState,
    selected: Option<Target>,
    solids: &mut Vec<Solid>,
) {
    let coloured = |part: usize| {
        let target = Target::Part { object: number, part };
        (target, if selected == Some(target) { colour::SELECTED } else { colour::object(number) })
    };
    for solid in object.solids.iter().filter(|solid| solid.part < state.positions.len()) {
        let (origin, turn) = part_pose(state, solid.part);
        let position = origin + turn * Vector3::from(solid.position);
        let (target, colour) = coloured(solid.part);
        let shape =
            Solid::of(&solid.shape.shape(), &position, quat(&(turn * unit(&solid.orientation))), colour);
        solids.push(Solid { target: Some(target), ..shape });
    }
    for segment in &object.segments {
        let [Some(from), Some(to)] = segment.ends.map(|end| state.positions.get(end)) else { continue };
        let (target, colour) = coloured(segment.ends[1]);
        let rod = Solid::rod(&Vector3::from(*from), &Vector3::from(*to), segment.radius.max(0.004), colour);
        solids.push(Solid { target: Some(target), ..rod });
    }
}

fn unit([w, x, y, z]: &[f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(*w, *x, *y, *z))
}

fn quat(turn: &UnitQuaternion<f64>) -> Quat {
    Quat::from_xyzw(turn.i as f32, turn.j as f32, turn.k as f32, turn.w as f32)
}

fn turn(rotation: &Matrix3<f64>) -> Quat {
    quat(&UnitQuaternion::from_matrix(rotation))
}

/// Colours by the side of the rest pose a body is on: its y when it faces x.
fn sides(model: &Model, off_middle: f64) -> Vec<Colour> {
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, &model.rest_configuration(), &vec![0.0; model.nv]);
    let total = &kinematics.total_inertia;
    let middle = if total.mass > 0.0 { total.first_moment.y / total.mass } else { 0.0 };
    let side = |index: usize| {
        let centre = kinematics.point(BodyId(index), &model.bodies[index].inertia.centre);
        match centre.y - middle {
            side if side > off_middle => colour::LEFT,
            side if side < -off_middle => colour::RIGHT,
            _ => colour::MIDDLE,
        }
    };
    (0..model.bodies.len()).map(side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    #[test]
    fn a_frame_has_a_solid_for_each_shape_and_points_go_to_bodies_and_back() {
        let mut session = Session::load("throw_ball", &[]).unwrap();
        (0..30).for_each(|_| {
            session.advance().unwrap();
        });
        let mut stage = Stage::new(session.header().clone()).unwrap();
        let mut picture = Picture::default();
        let frame = session.shown().clone();
        stage.draw(&frame, &session.moment().mind, &Switches::default(), None, &mut picture);
        let geoms = stage.model().geoms.iter().filter(|geom| geom.body.is_some()).count();
        let of_body = |solid: &&Solid| matches!(solid.target, Some(Target::Body { .. }));
        assert_eq!(picture.solids.iter().filter(of_body).count(), geoms);
        assert!(picture.solids.iter().any(|solid| matches!(solid.target, Some(Target::Part { .. }))));
        assert_eq!(picture.ground, Some(0.0));
        assert!(!picture.overlays.is_empty(), "it stands, so contacts bear");
        for target in picture.solids.iter().filter_map(|solid| solid.target) {
            let local = Vector3::new(0.1, -0.2, 0.3);
            let there = stage.world(&frame, target, &local);
            assert!((stage.local(&frame, target, &there) - local).norm() < 1e-12);
        }
    }

    #[test]
    fn targets_are_drawn_where_objectives_want_their_points_and_move_by_their_values() {
        let mut session = Session::load("stand", &[]).unwrap();
        session.advance().unwrap();
        let mut stage = Stage::new(session.header().clone()).unwrap();
        let mut picture = Picture::default();
        let frame = session.shown().clone();
        let switches = Switches { goal_pose: true, ..Switches::default() };
        stage.draw(&frame, &session.moment().mind, &switches, None, &mut picture);
        let mark = picture.goals.iter().find(|mark| matches!(mark.value, GoalValue::Height(_))).unwrap();
        let GoalValue::Height(height) = mark.value else { unreachable!() };
        assert!((f64::from(mark.point.z) - height).abs() < 1e-5, "the ground is at 0");
        let (path, value) = (mark.path.clone(), mark.value.moved(&Vector3::new(0.3, 0.0, -0.1)));
        session.act(crate::session::Action::SetValue { path: path.clone(), value }).unwrap();
        session.advance().unwrap();
        stage.draw(session.shown(), &session.moment().mind, &switches, None, &mut picture);
        let moved = picture.goals.iter().find(|mark| mark.path == path).unwrap();
        assert!((f64::from(moved.point.z) - (height - 0.1)).abs() < 1e-5);
    }

    #[test]
    fn every_shipped_scene_can_be_drawn() {
        for name in ["cloth_drape", "chain_1000", "climb", "stack", "rope_swing", "ragdoll_stairs"] {
            let session = Session::load(name, &[]).unwrap();
            let mut stage = Stage::new(session.header().clone()).unwrap();
            let mut picture = Picture::default();
            stage.draw(session.shown(), &session.moment().mind, &Switches::default(), None, &mut picture);
            assert!(!picture.solids.is_empty(), "{name}");
            assert!(picture.solids.iter().all(|solid| solid.position.is_finite()), "{name}");
        }
    }
}
