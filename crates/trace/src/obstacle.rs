//! Obstacles of a trace: their shapes, as those of a model file, and their motion under a contact.

use super::{Contact, Frame, Header, Heights, Obstacle, Place};
use aplomb_body::model::{Geom, Shape};
use aplomb_math::geometry::{HeightField, HeightFieldError};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::sync::Arc;

impl Heights {
    /// The recorded data of a height field.
    pub fn of(field: &HeightField) -> Self {
        let [x, y] = field.lines();
        Heights { x: x.to_vec(), y: y.to_vec(), z: field.heights().to_vec() }
    }

    /// The height field of the record.
    ///
    /// # Errors
    /// Numbers that do not define a height field.
    pub(crate) fn field(&self) -> Result<HeightField, HeightFieldError> {
        HeightField::new(self.x.clone(), self.y.clone(), self.z.clone())
    }
}

impl Obstacle {
    /// Whether it is a half-space.
    pub fn is_half_space(&self) -> bool {
        self.half_lengths.is_none() && self.field.is_none() && self.solid.is_none()
    }

    /// Geometry in its own frame. Invalid heights, which every reader rejects, give a plane.
    pub fn shape(&self) -> Shape {
        if let Some(field) = self.field.as_ref().and_then(|heights| heights.field().ok()) {
            return Shape::Field(Arc::new(field));
        }
        match (&self.solid, self.half_lengths) {
            (Some(solid), _) => solid.shape(),
            (None, None) => Shape::Plane,
            (None, Some(half_lengths)) => Shape::Box { half_lengths: Vector3::from(half_lengths) },
        }
    }

    /// The obstacle as a geom of the fixed world.
    pub fn geom(&self) -> Geom {
        let [w, x, y, z] = self.orientation;
        Geom {
            name: self.name.clone(),
            body: None,
            shape: self.shape(),
            position: Vector3::from(self.position),
            orientation: UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)),
            friction: self.friction,
            collides: true,
            line: 0,
        }
    }
}

impl Contact {
    /// Velocity of the point of the contact's surface, m/s, world axes: its displacement to the next frame over the
    /// length of a frame; zero on surfaces that never move.
    pub fn surface_velocity(&self, header: &Header, now: &Frame, next: &Frame, dt: f64) -> Vector3<f64> {
        let mut moving = header.obstacles.iter().filter(|obstacle| obstacle.moves);
        let index = moving.position(|obstacle| obstacle.name == self.surface);
        let places = index.and_then(|index| Some([now.moving.get(index)?, next.moving.get(index)?]));
        let Some([from, to]) = places else { return Vector3::zeros() };
        if from == to {
            return Vector3::zeros();
        }
        let turn = |place: &Place| {
            let [w, x, y, z] = place.orientation;
            UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
        };
        let point = Vector3::from(self.point);
        let local = turn(from).inverse_transform_vector(&(point - Vector3::from(from.position)));
        (Vector3::from(to.position) + turn(to) * local - point) / dt
    }
}

#[cfg(test)]
mod tests {
    use crate::{Obstacle, example};
    use aplomb_body::model::Shape;
    use nalgebra::Vector3;

    #[test]
    fn an_obstacle_without_size_is_a_half_space() {
        let mut obstacle = Obstacle {
            name: "ground".into(),
            half_lengths: None,
            field: None,
            solid: None,
            position: [0.0, 0.0, -0.1],
            orientation: [1.0, 0.0, 0.0, 0.0],
            friction: 0.8,
            moves: false,
        };
        assert_eq!(obstacle.geom().shape, Shape::Plane);
        assert_eq!(obstacle.geom().position.z, -0.1);
        obstacle.half_lengths = Some([1.0, 2.0, 3.0]);
        assert_eq!(obstacle.geom().shape, Shape::Box { half_lengths: [1.0, 2.0, 3.0].into() });
    }

    #[test]
    fn a_surface_that_goes_and_turns_carries_what_is_on_it() {
        let mut trace = example::trace(2);
        let header = &trace.header;
        let [now, next] = &mut trace.frames[..2] else { panic!("two frames") };
        let of = header.obstacles.iter().position(|obstacle| obstacle.moves).expect("an obstacle that moves");
        let mut contact = now.contacts[0].clone();
        assert_eq!(
            contact.surface_velocity(header, now, next, header.dt),
            Vector3::zeros(),
            "the ground stays"
        );

        contact.surface.clone_from(&header.obstacles[of].name);
        let place = &mut now.moving[0];
        (place.position, place.orientation) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
        let half: f64 = 0.5 * 0.02;
        let place = &mut next.moving[0];
        (place.position, place.orientation) = ([0.0, 0.0, 0.01], [half.cos(), 0.0, 0.0, half.sin()]);
        contact.point = [1.0, 0.0, 0.0];
        let expected = Vector3::new(0.02_f64.cos() - 1.0, 0.02_f64.sin(), 0.01) / header.dt;
        let off = contact.surface_velocity(header, now, next, header.dt) - expected;
        assert!(off.norm() < 1e-12, "{off:?}");
    }
}
