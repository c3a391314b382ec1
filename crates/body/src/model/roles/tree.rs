//! The tree of moving bodies of a model: welded bodies are one.

use crate::model::{BodyId, Geom, Model};
use nalgebra::{Isometry3, Vector3};

/// The bodies that move relative to each other, in the rest pose.
pub(super) struct MovingTree<'a> {
    pub model: &'a Model,
    pub poses: Vec<Isometry3<f64>>,
    /// For each body, the moving body it is welded to; the outermost for those that do not move.
    carrier: Vec<usize>,
}

impl<'a> MovingTree<'a> {
    pub fn new(model: &'a Model) -> Self {
        let poses = model.body_poses(&model.rest_configuration());
        let mut carrier: Vec<usize> = Vec::with_capacity(model.bodies.len());
        for (index, body) in model.bodies.iter().enumerate() {
            carrier.push(match body.parent {
                Some(parent) if body.joints.is_empty() => carrier[parent.0],
                _ => index,
            });
        }
        MovingTree { model, poses, carrier }
    }

    /// The bodies that move, and outermost ones.
    pub fn bodies(&self) -> impl Iterator<Item = usize> {
        (0..self.carrier.len()).filter(|&body| self.carrier[body] == body)
    }

    /// The one that moves it: itself, unless it is welded to another.
    pub fn carrier(&self, body: usize) -> usize {
        self.carrier[body]
    }

    /// The one it hangs on.
    pub fn parent(&self, body: usize) -> Option<usize> {
        self.model.bodies[body].parent.map(|parent| self.carrier[parent.0])
    }

    /// Those that hang on it.
    pub fn children(&self, body: usize) -> impl Iterator<Item = usize> {
        self.bodies().filter(move |&child| self.parent(child) == Some(body))
    }

    /// It and what it hangs on, outwards in.
    pub fn ancestors(&self, body: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(body), |&body| self.parent(body))
    }

    /// How many bodies it hangs on.
    pub fn depth(&self, body: usize) -> usize {
        self.ancestors(body).count()
    }

    /// Whether `body` is `above` or hangs below it.
    pub fn is_within(&self, body: usize, above: usize) -> bool {
        self.ancestors(body).any(|ancestor| ancestor == above)
    }

    /// The innermost body that all of these hang on.
    pub fn common_ancestor(&self, bodies: &[usize]) -> Option<usize> {
        let first = *bodies.first()?;
        self.ancestors(first).find(|&above| bodies.iter().all(|&body| self.is_within(body, above)))
    }

    /// The first body on the way from `above` (which it hangs below) to `body`.
    pub fn first_below(&self, above: usize, body: usize) -> Option<usize> {
        self.ancestors(body).find(|&between| self.parent(between) == Some(above))
    }

    /// The shapes of a body and of all welded to it.
    pub fn geoms(&self, body: usize) -> impl Iterator<Item = &'a Geom> {
        let geoms = self.model.geoms.iter();
        geoms.filter(move |geom| geom.body.is_some_and(|BodyId(own)| self.carrier[own] == body))
    }

    /// Where a shape is in the world.
    pub fn pose(&self, geom: &Geom) -> Isometry3<f64> {
        let body = geom.body.map_or(Isometry3::identity(), |body| self.poses[body.0]);
        body * Isometry3::from_parts(geom.position.into(), geom.orientation)
    }

    /// Mass (kg) and centre of mass (m, world) of a body and all welded to it.
    pub fn mass(&self, body: usize) -> (f64, Vector3<f64>) {
        let mut mass = 0.0;
        let mut moment = Vector3::zeros();
        for (part, pose) in self.poses.iter().enumerate().filter(|(part, _)| self.carrier[*part] == body) {
            let inertia = &self.model.bodies[part].inertia;
            mass += inertia.mass;
            moment += inertia.mass * (pose.translation.vector + pose.rotation * inertia.centre);
        }
        let centre = if mass > 0.0 { moment / mass } else { self.poses[body].translation.vector };
        (mass, centre)
    }
}
