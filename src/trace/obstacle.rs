//! Obstacles of a trace as shapes of a model file.

use super::Obstacle;
use crate::model::{Geom, Shape};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

impl Obstacle {
    /// The obstacle as a geom of the fixed world.
    pub fn geom(&self) -> Geom {
        let [w, x, y, z] = self.orientation;
        Geom {
            name: self.name.clone(),
            body: None,
            shape: match self.half_lengths {
                None => Shape::Plane,
                Some(half_lengths) => Shape::Box { half_lengths: Vector3::from(half_lengths) },
            },
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
    use crate::model::Shape;
    use crate::trace::Obstacle;

    #[test]
    fn an_obstacle_without_size_is_a_half_space() {
        let mut obstacle = Obstacle {
            name: "ground".into(),
            half_lengths: None,
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
