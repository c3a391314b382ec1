//! The tree of moving bodies: welded bodies count as one.

use crate::model::{BodyId, Geom, Model};
use nalgebra::{Isometry3, Vector3};

/// Bodies that move relative to each other, in the rest pose.
pub(super) struct MovingTree<'a> {
    pub model: &'a Model,
    pub poses: Vec<Isometry3<f64>>,
    /// For each body, the moving body it is welded to; the outermost body for fixed ones.
    carrier: Vec<usize>,
}

impl<'a> MovingTree<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
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

    /// Moving bodies and outermost bodies.
    pub(super) fn bodies(&self) -> impl Iterator<Item = usize> {
        (0..self.carrier.len()).filter(|&body| self.carrier[body] == body)
    }

    /// The moving body that it is welded to, or itself.
    pub(super) fn carrier(&self, body: usize) -> usize {
        self.carrier[body]
    }

    /// Parent in the tree.
    pub(super) fn parent(&self, body: usize) -> Option<usize> {
        self.model.bodies[body].parent.map(|parent| self.carrier[parent.0])
    }

    /// Children in the tree.
    pub(super) fn children(&self, body: usize) -> impl Iterator<Item = usize> {
        self.bodies().filter(move |&child| self.parent(child) == Some(body))
    }

    /// The body and its ancestors, up to the root.
    pub(super) fn ancestors(&self, body: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(body), |&body| self.parent(body))
    }

    /// Number of ancestors.
    pub(super) fn depth(&self, body: usize) -> usize {
        self.ancestors(body).count()
    }

    /// Whether `body` is `above` or in its subtree.
    pub(super) fn is_within(&self, body: usize, above: usize) -> bool {
        self.ancestors(body).any(|ancestor| ancestor == above)
    }

    /// The innermost common ancestor.
    pub(super) fn common_ancestor(&self, bodies: &[usize]) -> Option<usize> {
        let first = *bodies.first()?;
        self.ancestors(first).find(|&above| bodies.iter().all(|&body| self.is_within(body, above)))
    }

    /// The child of `above` whose subtree contains `body`.
    pub(super) fn first_below(&self, above: usize, body: usize) -> Option<usize> {
        self.ancestors(body).find(|&between| self.parent(between) == Some(above))
    }

    /// Shapes of a body and of those welded to it.
    pub(super) fn geoms(&self, body: usize) -> impl Iterator<Item = &'a Geom> {
        let geoms = self.model.geoms.iter();
        geoms.filter(move |geom| geom.body.is_some_and(|BodyId(own)| self.carrier[own] == body))
    }

    /// World pose of a shape.
    pub(super) fn pose(&self, geom: &Geom) -> Isometry3<f64> {
        let body = geom.body.map_or(Isometry3::identity(), |body| self.poses[body.0]);
        body * Isometry3::from_parts(geom.position.into(), geom.orientation)
    }

    /// Mass (kg) and centre of mass (m, world axes) of a body and of those welded to it.
    pub(super) fn mass(&self, body: usize) -> (f64, Vector3<f64>) {
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
