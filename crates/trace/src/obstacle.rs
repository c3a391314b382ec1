//! Obstacles of a trace as shapes of a model file.

use super::{Heights, Obstacle};
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

    /// The height field that was written.
    ///
    /// # Errors
    /// Numbers that make no ground.
    pub(crate) fn field(&self) -> Result<HeightField, HeightFieldError> {
        HeightField::new(self.x.clone(), self.y.clone(), self.z.clone())
    }
}

impl Obstacle {
    /// Whether all below it is solid, without end.
    pub fn is_half_space(&self) -> bool {
        self.half_lengths.is_none() && self.field.is_none() && self.solid.is_none()
    }

    /// Geometry in its own frame. Heights that make no ground, which no reader lets pass, are a plane.
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

#[cfg(test)]
mod tests {
    use crate::Obstacle;
    use aplomb_body::model::Shape;

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
}
