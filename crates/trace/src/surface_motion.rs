//! Motion of the surface under a contact.

use super::{Contact, Frame, Header, Place};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

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
    use crate::example;
    use nalgebra::Vector3;

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
