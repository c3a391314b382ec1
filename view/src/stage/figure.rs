//! A character's body as solids.

use super::colour::{self, Colour};
use super::{Solid, turn};
use crate::session::PushTarget;
use aplomb::dynamics::kinematics::Kinematics;
use aplomb::model::{BodyId, Model};
use nalgebra::Vector3;
use std::sync::Arc;

/// Distance of a body's centre from the median plane from which it has a side, as a share of the height of
/// the centre of mass.
const OFF_MIDDLE: f64 = 0.02;

/// A character's body, with its kinematics in the frame drawn last.
pub struct CharacterFigure {
    /// Number of the character.
    number: usize,
    /// Name; empty for the scene's own character.
    pub name: Arc<str>,
    pub model: Arc<Model>,
    pub kinematics: Kinematics,
    colours: Vec<Colour>,
}

impl CharacterFigure {
    /// A figure of the model, whose centre of mass is `height` above the ground at rest, m.
    pub fn new(number: usize, model: Arc<Model>, height: f64) -> Self {
        let (kinematics, colours) = (Kinematics::new(&model), sides(&model, OFF_MIDDLE * height));
        CharacterFigure { number, name: "".into(), model, kinematics, colours }
    }

    /// Updates the kinematics to a configuration; false if it is not one of this model.
    pub fn stand(&mut self, q: &[f64]) -> bool {
        let fits = q.len() == self.model.nq && !self.model.bodies.is_empty();
        if fits {
            self.kinematics.update_poses(&self.model, q);
        }
        fits
    }

    /// Appends its solids to a list.
    pub fn draw(&mut self, q: &[f64], selected: Option<PushTarget>, solids: &mut Vec<Solid>) {
        if !self.stand(q) {
            return;
        }
        let CharacterFigure { number, model, kinematics, colours, .. } = self;
        for geom in &model.geoms {
            let Some(body) = geom.body else { continue };
            let target = PushTarget::Body { character: *number, body };
            let rotation = kinematics.rotation[body.0] * geom.orientation.to_rotation_matrix().matrix();
            let colour = if selected == Some(target) { colour::SELECTED } else { colours[body.0] };
            let position = kinematics.point(body, &geom.position);
            let solid = Solid::of(&geom.shape, &position, turn(&rotation), colour);
            solids.push(Solid { target: Some(target), ..solid });
        }
    }

    /// A world point in the frame of a body, m.
    pub fn local(&self, body: BodyId, point: &Vector3<f64>) -> Vector3<f64> {
        self.kinematics.rotation[body.0].transpose() * (point - self.kinematics.position[body.0])
    }

    /// Readable name of a body.
    pub fn body_name(&self, body: BodyId) -> String {
        let name = &self.model.bodies[body.0].name;
        if self.name.is_empty() { name.clone() } else { format!("{}.{name}", self.name) }
    }
}

/// Colours by the side of each body in the rest pose: the sign of its y when it faces x.
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
