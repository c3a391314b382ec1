//! The content of a picture, as shapes and colours: the world, and the optimiser's forces and targets.

mod colour;
mod figure;
mod goal;
mod overlay;
mod pick;
mod shape;

pub use goal::{GoalMark, GoalValue};
pub use overlay::{LEAST_FORCE, Switches};
pub use pick::{RayHit, is_hidden, pick};
pub use shape::{Primitive, Solid};

use crate::session::{AddedCharacter, PushTarget};
use aplomb::cli::Failure;
use aplomb::dynamics::kinematics::Kinematics;
use aplomb::language::diagnostic::Source;
use aplomb::model::scales::Scales;
use aplomb::model::{Model, Shape, mjcf};
use aplomb::trace::{Frame, Header, PassiveHeader, PassiveState};
use aplomb::world::Mind;
use colour::Colour;
use figure::CharacterFigure;
use glam::{Quat, Vec3};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use std::sync::Arc;

/// The content of one frame's picture; its memory is reused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenePicture {
    /// Bodies and scenery.
    pub solids: Vec<Solid>,
    /// Bodies of the dropped branch, translucent.
    pub ghosts: Vec<Solid>,
    /// Solids that bodies do not hide and that have no shadow.
    pub overlays: Vec<Solid>,
    /// Convex polygons on the ground, by their corners.
    pub areas: Vec<(Vec<Vec3>, Colour)>,
    /// Texts at points.
    pub labels: Vec<(Vec3, String)>,
    /// Targets that can be dragged.
    pub goals: Vec<GoalMark>,
    /// Height of the ground; `None` without one.
    pub ground: Option<f32>,
    /// Point the camera follows: the centre of mass of the character, or of the passive objects.
    pub focus: Vec3,
}

/// Input of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// Frame of the scene's character.
    pub frame: &'a Frame,
    /// The other characters.
    pub others: &'a [AddedCharacter],
    /// State of the controller at the beginning of the frame.
    pub mind: &'a Mind,
}

/// Makes pictures of the frames of one run.
pub struct Stage {
    header: Arc<Header>,
    /// The scene's character; an empty model without one.
    hero: CharacterFigure,
    /// Characters that a program added to the scene.
    others: Vec<CharacterFigure>,
    /// Height of the centre of mass at rest, m; 1 m without a character. Marks are in proportion to it.
    height: f64,
    /// Scale of forces, m/N.
    force_scale: f64,
}

/// Weights of a force whose arrow is as long as the centre of mass is high.
const WEIGHTS_PER_HEIGHT: f64 = 1.5;
impl Stage {
    /// A stage for frames with this header.
    ///
    /// # Errors
    /// A header whose model cannot be read.
    pub fn new(header: Arc<Header>) -> Result<Self, Failure> {
        let model = Arc::new(match header.text("model").filter(|_| header.has_character()) {
            Some(text) => mjcf::read(&Source::new(&text.name, &text.text))?,
            None => Model::empty(),
        });
        let objects: f64 = header.passive.iter().map(|object| object.mass).sum();
        let mass = if model.bodies.is_empty() { objects } else { header.mass };
        let weight = (mass * Vector3::from(header.gravity).norm()).max(1.0);
        let height = if model.bodies.is_empty() { 1.0 } else { header.com_height.max(0.1) };
        let force_scale = height / (WEIGHTS_PER_HEIGHT * weight);
        let hero = CharacterFigure::new(0, model, header.com_height);
        Ok(Stage { header, hero, others: Vec::new(), height, force_scale })
    }

    /// The character's model; empty without a character.
    pub fn model(&self) -> &Model {
        &self.hero.model
    }

    /// Kinematics in the frame drawn last.
    pub fn kinematics(&self) -> &Kinematics {
        &self.hero.kinematics
    }

    /// Scale of forces, m/N.
    pub fn force_scale(&self) -> f64 {
        self.force_scale
    }

    /// A suitable distance of the camera, m.
    pub fn distance(&self) -> f32 {
        if self.model().bodies.is_empty() { 4.0 } else { 3.6 * self.header.com_height.max(0.1) as f32 }
    }

    /// Fills the picture from a frame.
    pub fn draw(
        &mut self,
        Shown { frame, others, mind }: Shown<'_>,
        switches: &Switches,
        selected: Option<PushTarget>,
        picture: &mut ScenePicture,
    ) {
        picture.solids.clear();
        picture.ghosts.clear();
        picture.overlays.clear();
        picture.areas.clear();
        picture.labels.clear();
        picture.goals.clear();
        self.surroundings(frame, picture);
        self.hero.draw(&frame.q, selected, &mut picture.solids);
        self.others(others, selected, switches, picture);
        for (number, (object, state)) in self.header.passive.iter().zip(&frame.passive).enumerate() {
            add_object(number, object, state, selected, &mut picture.solids);
        }
        picture.focus = match frame.passive.first() {
            Some(state) if self.model().bodies.is_empty() => shape::vec(&Vector3::from(state.com)),
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

    /// Whether the target exists.
    pub fn has(&self, target: PushTarget) -> bool {
        match target {
            PushTarget::Body { character, body } => {
                self.figure(character).is_some_and(|figure| body.0 < figure.model.bodies.len())
            }
            PushTarget::Part { object, part } => {
                self.header.passive.get(object).is_some_and(|object| part < object.parts.len())
            }
        }
    }

    /// The figure with this number.
    fn figure(&self, character: usize) -> Option<&CharacterFigure> {
        match character.checked_sub(1) {
            None => Some(&self.hero),
            Some(number) => self.others.get(number),
        }
    }

    /// Draws the other characters and their contact forces.
    fn others(
        &mut self,
        others: &[AddedCharacter],
        selected: Option<PushTarget>,
        switches: &Switches,
        picture: &mut ScenePicture,
    ) {
        let is_same =
            |(figure, other): (&CharacterFigure, &AddedCharacter)| Arc::ptr_eq(&figure.model, &other.model);
        if self.others.len() != others.len() || !self.others.iter().zip(others).all(is_same) {
            let height = |model: &Model| Scales::new(model, self.header.dt).height;
            let cast = others.iter().map(|other| other.model.clone()).zip(1..);
            self.others = cast
                .map(|(model, number)| {
                    let height = height(&model);
                    CharacterFigure::new(number, model, height)
                })
                .collect();
        }
        for (figure, other) in self.others.iter_mut().zip(others) {
            figure.name = other.name.clone();
            figure.draw(&other.q, selected, &mut picture.solids);
        }
        if switches.contact_forces {
            for [point, force] in others.iter().flat_map(|other| &other.forces) {
                self.force(point, force, colour::CONTACT, picture);
            }
        }
    }

    /// Adds the scene's character and the passive objects of the dropped branch to the picture.
    pub fn add_ghost(&mut self, now: &Frame, ghost: &Frame, picture: &mut ScenePicture) {
        let mut solids = Vec::new();
        self.hero.draw(&ghost.q, None, &mut solids);
        for (number, (object, state)) in self.header.passive.iter().zip(&ghost.passive).enumerate() {
            add_object(number, object, state, None, &mut solids);
        }
        let seen_through =
            |solid: Solid| Solid { colour: colour::ghost(solid.colour), target: None, ..solid };
        picture.ghosts.extend(solids.into_iter().map(seen_through));
        self.hero.stand(&now.q);
    }

    fn surroundings(&self, frame: &Frame, picture: &mut ScenePicture) {
        picture.ground = None;
        for obstacle in frame.surroundings(&self.header) {
            let (position, turn) = (Vector3::from(obstacle.position), unit(&obstacle.orientation));
            let mut solid = |shape: &Shape, place: &Vector3<f64>| {
                picture.solids.push(Solid::of(shape, place, quat(&turn), colour::OBSTACLE));
            };
            match obstacle.shape() {
                Shape::Plane => picture.ground = Some(obstacle.position[2] as f32),
                Shape::Field(field) => {
                    for (middle, half_lengths) in field.columns() {
                        solid(&Shape::Box { half_lengths }, &(position + turn * middle));
                    }
                }
                shape => solid(&shape, &position),
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

    /// A world point in the frame of a target, m, in the frame drawn last.
    pub fn local(&self, frame: &Frame, target: PushTarget, point: &Vector3<f64>) -> Vector3<f64> {
        match target {
            PushTarget::Body { character, body } => {
                self.figure(character).map_or(*point, |figure| figure.local(body, point))
            }
            PushTarget::Part { object, part } => {
                let (origin, turn) = pose_of(frame, object, part);
                turn.inverse() * (point - origin)
            }
        }
    }

    /// A point of a target's frame in the world, m, in the frame drawn last.
    pub fn world(&self, frame: &Frame, target: PushTarget, local: &Vector3<f64>) -> Vector3<f64> {
        match target {
            PushTarget::Body { character, body } => {
                self.figure(character).map_or(*local, |figure| figure.kinematics.point(body, local))
            }
            PushTarget::Part { object, part } => {
                let (origin, turn) = pose_of(frame, object, part);
                origin + turn * local
            }
        }
    }

    /// Readable name of the target.
    pub fn name(&self, target: PushTarget) -> String {
        match target {
            PushTarget::Body { character, body } => {
                self.figure(character).map_or_else(String::new, |figure| figure.body_name(body))
            }
            PushTarget::Part { object, part } => {
                let object = &self.header.passive[object];
                match object.parts.len() {
                    1 => object.name.clone(),
                    _ => format!("{}.{}", object.name, object.parts[part]),
                }
            }
        }
    }

    /// Default point of a push on the target: a body's centre of mass, in its frame.
    pub fn centre(&self, target: PushTarget) -> Vector3<f64> {
        match target {
            PushTarget::Body { character, body } => self
                .figure(character)
                .map_or_else(Vector3::zeros, |figure| figure.model.bodies[body.0].inertia.centre),
            PushTarget::Part { .. } => Vector3::zeros(),
        }
    }
}

/// Pose of a part of an object; the origin if it is not in this frame.
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
    selected: Option<PushTarget>,
    solids: &mut Vec<Solid>,
) {
    let coloured = |part: usize| {
        let target = PushTarget::Part { object: number, part };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Company, Session};
    use aplomb::controller::ControllerFile;
    use aplomb::scene;
    use aplomb::world::StartPose;

    fn shown(session: &Session) -> Shown<'_> {
        let moment = session.moment();
        Shown { frame: &moment.frame, others: &moment.others, mind: &moment.mind }
    }

    #[test]
    fn a_frame_has_a_solid_for_each_shape_and_points_go_to_bodies_and_back() {
        let mut session = Session::load("throw_ball", &[]).unwrap();
        (0..30).for_each(|_| {
            session.advance().unwrap();
        });
        let mut stage = Stage::new(session.header().clone()).unwrap();
        let mut picture = ScenePicture::default();
        let frame = session.shown().clone();
        stage.draw(shown(&session), &Switches::default(), None, &mut picture);
        let geoms = stage.model().geoms.iter().filter(|geom| geom.body.is_some()).count();
        let of_body = |solid: &&Solid| matches!(solid.target, Some(PushTarget::Body { .. }));
        assert_eq!(picture.solids.iter().filter(of_body).count(), geoms);
        assert!(picture.solids.iter().any(|solid| matches!(solid.target, Some(PushTarget::Part { .. }))));
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
        let mut picture = ScenePicture::default();
        let switches = Switches { goal_pose: true, ..Switches::default() };
        stage.draw(shown(&session), &switches, None, &mut picture);
        let mark = picture.goals.iter().find(|mark| matches!(mark.value, GoalValue::Height(_))).unwrap();
        let GoalValue::Height(height) = mark.value else { unreachable!() };
        assert!((f64::from(mark.point.z) - height).abs() < 1e-5, "the ground is at 0");
        let (path, value) = (mark.path.clone(), mark.value.moved(&Vector3::new(0.3, 0.0, -0.1)));
        session.act(crate::session::SessionAction::SetValue { path: path.clone(), value }).unwrap();
        session.advance().unwrap();
        stage.draw(shown(&session), &switches, None, &mut picture);
        let moved = picture.goals.iter().find(|mark| mark.path == path).unwrap();
        assert!((f64::from(moved.point.z) - (height - 0.1)).abs() < 1e-5);
    }

    #[test]
    fn characters_that_a_program_adds_are_drawn_and_taken_hold_of() {
        let (model, controller) =
            (Model::shipped("child").unwrap(), ControllerFile::shipped("balance").unwrap());
        let (body, shapes) = (model.body("left_hand").unwrap(), model.geoms.iter());
        let shapes = shapes.filter(|geom| geom.body.is_some()).count();
        let company: Company = Arc::new(move |world| {
            let pose = StartPose::standing().at(0.0, 2.0);
            world.add_character(model.clone(), controller.clone(), pose).map(drop)
        });
        let mut session = Session::new(scene::load("stand", &[]).unwrap(), Some(company)).unwrap();
        session.advance().unwrap();
        let mut stage = Stage::new(session.header().clone()).unwrap();
        let hand = PushTarget::Body { character: 1, body };
        assert!(!stage.has(hand));
        let mut picture = ScenePicture::default();
        stage.draw(shown(&session), &Switches::default(), Some(hand), &mut picture);
        let is_other = |solid: &&Solid| matches!(solid.target, Some(PushTarget::Body { character: 1, .. }));
        assert_eq!(picture.solids.iter().filter(is_other).count(), shapes);
        assert_eq!((stage.has(hand), stage.name(hand)), (true, "character 2.left_hand".to_owned()));
        let at = stage.world(session.shown(), hand, &Vector3::zeros());
        assert!(at.y > 1.5, "{at}");
        assert!(stage.local(session.shown(), hand, &at).norm() < 1e-12);
        let feet = |arrows: &[Solid]| arrows.iter().filter(|arrow| arrow.position.y > 1.5).count();
        assert!(feet(&picture.overlays) > 0, "forces at its feet");
    }

    #[test]
    fn every_shipped_scene_can_be_drawn() {
        for name in ["cloth_drape", "chain_1000", "climb", "stack", "rope_swing", "ragdoll_stairs"] {
            let session = Session::load(name, &[]).unwrap();
            let mut stage = Stage::new(session.header().clone()).unwrap();
            let mut picture = ScenePicture::default();
            stage.draw(shown(&session), &Switches::default(), None, &mut picture);
            assert!(!picture.solids.is_empty(), "{name}");
            assert!(picture.solids.iter().all(|solid| solid.position.is_finite()), "{name}");
        }
    }
}
