//! The camera: it orbits a point on a sphere, z up.

use glam::{Mat4, Vec2, Vec3, camera};

/// An orbiting camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Point at the centre of the picture, m.
    pub target: Vec3,
    /// Direction of view from above: 0 along x, rad.
    pub azimuth: f32,
    /// Angle of view below the horizon, rad.
    pub elevation: f32,
    /// Distance from the target, m.
    pub distance: f32,
}

/// A ray from the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Position of the eye, m.
    pub origin: Vec3,
    /// Unit vector of its direction.
    pub direction: Vec3,
}

/// Vertical field of view, rad.
const FIELD_OF_VIEW: f32 = 0.75;
/// Distances of the near and far planes, as shares of the distance from the target.
const NEAR: f32 = 0.02;
const FAR: f32 = 40.0;
/// Largest elevation, rad.
const STEEPEST: f32 = 1.54;
/// Initial azimuths, the best one first, rad.
const AZIMUTHS: [f32; 4] = [2.3, 0.85, -2.3, -0.85];
/// Rotation by a drag across the height of the picture, rad.
const TURN: f32 = 4.0;
/// Bounds of the distance, m.
const DISTANCES: [f32; 2] = [0.05, 200.0];

impl Camera {
    /// A view from the front, right and above, where a character that faces x is well visible; from another
    /// azimuth if the target is hidden from there.
    pub fn about(target: Vec3, distance: f32, is_hidden: impl Fn(Ray) -> bool) -> Self {
        let from = |azimuth| Camera { target, azimuth, elevation: 0.25, distance };
        let sees = |camera: &Camera| !is_hidden(Ray { origin: camera.eye(), direction: camera.forward() });
        AZIMUTHS.map(from).into_iter().find(sees).unwrap_or_else(|| from(AZIMUTHS[0]))
    }

    /// Views the character's right side.
    pub fn side(&mut self) {
        (self.azimuth, self.elevation) = (std::f32::consts::FRAC_PI_2, 0.05);
    }

    /// Views the character from the front.
    pub fn front(&mut self) {
        (self.azimuth, self.elevation) = (std::f32::consts::PI, 0.05);
    }

    /// Direction of view.
    pub fn forward(&self) -> Vec3 {
        let (sin, cos) = self.azimuth.sin_cos();
        let (down, level) = self.elevation.sin_cos();
        Vec3::new(level * cos, level * sin, -down)
    }

    /// Unit vector to the right of the picture.
    pub fn right(&self) -> Vec3 {
        let (sin, cos) = self.azimuth.sin_cos();
        Vec3::new(sin, -cos, 0.0)
    }

    /// Unit vector to the top of the picture.
    pub fn up(&self) -> Vec3 {
        self.right().cross(self.forward())
    }

    /// Position of the eye, m.
    pub fn eye(&self) -> Vec3 {
        self.target - self.distance * self.forward()
    }

    /// View–projection matrix; `aspect` is width over height.
    pub fn matrix(&self, aspect: f32) -> Mat4 {
        let (near, far) = (NEAR * self.distance, FAR * self.distance);
        let lens = camera::rh::proj::opengl::perspective(FIELD_OF_VIEW, aspect, near, far);
        lens * camera::rh::view::look_to_mat4(self.eye(), self.forward(), Vec3::Z)
    }

    /// The ray through a position in the picture, both axes from −1 to 1, y up.
    pub fn ray(&self, place: Vec2, aspect: f32) -> Ray {
        let half = (0.5 * FIELD_OF_VIEW).tan();
        let aside = place.x * half * aspect * self.right() + place.y * half * self.up();
        Ray { origin: self.eye(), direction: (self.forward() + aside).normalize() }
    }

    /// Orbits the target by a drag, in heights of the picture, y down.
    pub fn orbit(&mut self, drag: Vec2) {
        self.azimuth -= TURN * drag.x;
        self.elevation = (self.elevation + TURN * drag.y).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves the target so that points in its plane stay under the mouse.
    pub fn pan(&mut self, drag: Vec2) {
        self.target += self.along_picture(drag, self.distance) * -1.0;
    }

    /// The displacement, m, of a drag in the plane parallel to the picture at a distance from the eye; drags
    /// in heights of the picture, y down.
    pub fn along_picture(&self, drag: Vec2, distance: f32) -> Vec3 {
        let height = 2.0 * distance * (0.5 * FIELD_OF_VIEW).tan();
        height * (drag.x * self.right() - drag.y * self.up())
    }

    /// Zooms in (above 0) or out.
    pub fn zoom(&mut self, steps: f32) {
        self.distance = (self.distance * (-0.12 * steps).exp()).clamp(DISTANCES[0], DISTANCES[1]);
    }

    /// Position of a point in the picture, both axes from −1 to 1, y up; `None` behind the eye.
    pub fn project(&self, point: Vec3, aspect: f32) -> Option<Vec2> {
        let seen = self.matrix(aspect) * point.extend(1.0);
        (seen.w > 0.0).then(|| Vec2::new(seen.x, seen.y) / seen.w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_goes_through_what_is_projected_there() {
        let camera = Camera::about(Vec3::new(0.2, -0.1, 0.9), 3.0, |_| false);
        for point in [Vec3::new(0.5, 0.3, 1.2), Vec3::new(-0.4, 0.2, 0.1)] {
            let ray = camera.ray(camera.project(point, 1.6).unwrap(), 1.6);
            let off = (point - ray.origin).cross(ray.direction).length();
            assert!(off < 1e-4, "{off}");
        }
        assert_eq!(camera.project(camera.eye() - camera.forward(), 1.6), None);
    }

    #[test]
    fn from_its_right_a_character_walks_to_the_right_and_from_the_front_its_left_is_right() {
        let mut camera = Camera::about(Vec3::ZERO, 3.0, |ray| ray.origin.x > 0.0);
        assert!(camera.eye().x < 0.0, "from where it is not hidden");
        camera.side();
        assert!(camera.right().dot(Vec3::X) > 0.99 && camera.eye().y < 0.0);
        camera.front();
        assert!(camera.right().dot(Vec3::Y) > 0.99 && camera.eye().x > 0.0);
        assert!(camera.up().dot(Vec3::Z) > 0.99);
    }

    #[test]
    fn what_is_dragged_stays_under_the_mouse() {
        let mut camera = Camera::about(Vec3::ZERO, 3.0, |_| false);
        let before = camera.project(Vec3::ZERO, 1.0).unwrap();
        camera.pan(Vec2::new(0.25, -0.1));
        let after = camera.project(Vec3::ZERO, 1.0).unwrap();
        assert!((after - before - Vec2::new(0.5, 0.2)).length() < 1e-4, "{before} {after}");
    }
}
