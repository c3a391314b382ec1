//! Bounding spheres of the shapes of a body: a quick test whether two shapes are far from each other.

use super::{Damper, SUDDEN};
use aplomb_body::contact::{ShapePair, centre_of};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::Model;
use nalgebra::Vector3;

/// Amount by which two shapes may be nearer than their bounding spheres indicate, m: iterated distances are not
/// exact.
const DOUBT: f64 = 1e-3;

/// Bounding spheres of the shapes of a body at the beginning of a frame.
#[derive(Default)]
pub(super) struct Balls {
    /// Whether they are up to date for this frame.
    pub are_new: bool,
    list: Vec<BoundingSphere>,
    /// Distance of each shape at the end of the frame from its predicted position, m; empty if the end of the frame
    /// was not evaluated.
    stray: Vec<f64>,
}

/// The bounding sphere of a shape.
#[derive(Clone, Copy)]
struct BoundingSphere {
    /// Centre, world, m.
    centre: Vector3<f64>,
    /// Radius, m.
    radius: f64,
    /// Upper bound on the speed of the shape's points relative to the root, m/s.
    speed: f64,
}

impl Balls {
    pub(super) fn update(&mut self, model: &Model, kinematics: &Kinematics) {
        self.list.clear();
        let root = kinematics.velocity.first().copied().unwrap_or_default();
        self.list.extend(model.geoms.iter().map(|geom| {
            let centre = centre_of(geom, kinematics);
            let radius = geom.shape.bounding_radius();
            let speed = geom.body.map_or(0.0, |body| {
                let velocity = kinematics.velocity[body.0];
                let slip = kinematics.point_velocity(body, &centre) - root.velocity_at(&centre);
                slip.norm() + (velocity.angular - root.angular).norm() * radius
            });
            BoundingSphere { centre, radius, speed }
        }));
    }

    /// Whether two shapes cannot come nearer than the clearance in this frame. Distances between parts of a body do
    /// not change with a rotation of its root.
    pub(super) fn are_far(&self, pair: &ShapePair, damper: Damper) -> bool {
        let [a, b] = pair.geoms.map(|geom| self.list[geom]);
        let near = a.radius + b.radius + damper.clearance + DOUBT;
        let reach = near + (a.speed + b.speed + SUDDEN) * damper.response;
        (b.centre - a.centre).norm_squared() > reach * reach
    }

    /// Measures the distance of each shape, at the end of a frame of `dt`, s, from the position predicted by its
    /// velocity before the frame.
    pub(super) fn measure_strays(&mut self, model: &Model, now: &Kinematics, ahead: &Kinematics, dt: f64) {
        self.stray.clear();
        let list = &self.list;
        self.stray.extend(model.geoms.iter().zip(list).map(|(geom, ball)| {
            let Some(body) = geom.body else { return 0.0 };
            let expected = ball.centre + dt * now.point_velocity(body, &ball.centre);
            let turn = dt * now.velocity[body.0].angular.cross_matrix() * now.rotation[body.0];
            let turned = ahead.rotation[body.0] - now.rotation[body.0] - turn;
            (centre_of(geom, ahead) - expected).norm() + turned.norm() * ball.radius
        }));
    }

    /// Whether two shapes end a frame so far from their predicted positions that they may have collided although they
    /// were not near: the change of speed exceeds that assumed for a frame.
    pub(super) fn may_have_met(&self, model: &Model, pair: &ShapePair, ahead: &Kinematics, dt: f64) -> bool {
        let [a, b] = pair.geoms;
        if self.stray[a] + self.stray[b] < SUDDEN * dt {
            return false;
        }
        let [from, to] = [a, b].map(|geom| centre_of(&model.geoms[geom], ahead));
        let reach = self.list[a].radius + self.list[b].radius + DOUBT;
        (to - from).norm_squared() < reach * reach
    }
}
