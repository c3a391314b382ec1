//! Overlays of a frame: forces, balance points, targets and limits.

use super::shape::{Solid, vec};
use super::{ScenePicture, Stage, colour};
use aplomb::trace::{Contact, ContactKind, Frame};
use nalgebra::Vector3;

/// Overlays that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Contact and grip forces.
    pub contact_forces: bool,
    /// Friction cones of contacts.
    pub friction_cones: bool,
    /// Centre of mass and its projection to the ground.
    pub centre_of_mass: bool,
    /// Instantaneous capture point.
    pub capture_point: bool,
    /// Centre of pressure of the contacts.
    pub centre_of_pressure: bool,
    /// Convex hull of the contacts that carry load.
    pub support_polygon: bool,
    /// External forces: events, passive objects, pushes.
    pub external_forces: bool,
    /// Points of the controller's bindings.
    pub goals: bool,
    /// Targets of objectives of points.
    pub targets: bool,
    /// Target pose of joint objectives.
    pub goal_pose: bool,
    /// Joints near their position or torque limits.
    pub limits: bool,
    /// The character in the dropped branch.
    pub ghost: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Switches {
            contact_forces: true,
            friction_cones: false,
            centre_of_mass: true,
            capture_point: true,
            centre_of_pressure: true,
            support_polygon: true,
            external_forces: true,
            goals: true,
            targets: true,
            goal_pose: false,
            limits: true,
            ghost: true,
        }
    }
}

impl Switches {
    /// Names and switches, for a panel.
    pub fn list(&mut self) -> [(&'static str, &mut bool); 12] {
        [
            ("contact forces", &mut self.contact_forces),
            ("friction cones", &mut self.friction_cones),
            ("centre of mass", &mut self.centre_of_mass),
            ("capture point", &mut self.capture_point),
            ("centre of pressure", &mut self.centre_of_pressure),
            ("support polygon", &mut self.support_polygon),
            ("forces from outside", &mut self.external_forces),
            ("points of roles", &mut self.goals),
            ("targets of objectives", &mut self.targets),
            ("ghost of the pose that is wanted", &mut self.goal_pose),
            ("joints near limits", &mut self.limits),
            ("ghost of the other branch", &mut self.ghost),
        ]
    }
}

/// Sizes, as shares of the height of the centre of mass.
const ARROW: f64 = 0.0085;
const MARK: f64 = 0.03;
const EDGE: f64 = 0.005;
const CONE_HEIGHT: f64 = 0.15;
const JOINT: f64 = 0.038;
/// Distance of areas above the ground, m, so that they are visible.
const ABOVE: f64 = 0.003;
/// Least force that is drawn, N.
pub const LEAST_FORCE: f64 = 0.5;
/// Share of a limit from which a joint is near it.
const NEAR: f64 = 0.8;

impl Stage {
    pub(super) fn overlay(&self, frame: &Frame, switches: &Switches, picture: &mut ScenePicture) {
        if self.model().bodies.is_empty() {
            return;
        }
        for contact in &frame.contacts {
            if switches.friction_cones {
                picture.overlays.extend(friction_cone(contact, self.height));
            }
            if switches.contact_forces {
                self.force(&contact.point, &contact.force, colour::CONTACT, picture);
            }
        }
        if switches.external_forces {
            for external in &frame.external {
                self.force(&external.point, &external.force, colour::EXTERNAL, picture);
            }
        }
        let ground = f64::from(picture.ground.unwrap_or(0.0));
        // Balance points are not drawn while no force comes from the ground.
        let stands = frame.centre_of_pressure.is_some();
        let is_on_ground = stands && picture.ground.is_some();
        balance(frame, switches, self.height, (ground + ABOVE, is_on_ground), picture);
        if switches.goals {
            for (name, value) in &frame.roles {
                if let Some(point) = point(value) {
                    picture.overlays.push(Solid::ball(&point, MARK * self.height, colour::GOAL));
                    picture.labels.push((vec(&point), name.clone()));
                }
            }
        }
        if switches.limits {
            self.limits(frame, picture);
        }
    }

    pub(super) fn force(
        &self,
        at: &[f64; 3],
        force: &[f64; 3],
        colour: colour::Colour,
        picture: &mut ScenePicture,
    ) {
        let force = Vector3::from(*force);
        if force.norm() > LEAST_FORCE {
            let way = self.force_scale * force;
            picture.overlays.extend(Solid::arrow(&Vector3::from(*at), &way, ARROW * self.height, colour));
        }
    }

    /// Draws balls at joints: from amber near a limit to red at it.
    fn limits(&self, frame: &Frame, picture: &mut ScenePicture) {
        for joint in &self.model().joints {
            let share = self.load(frame, joint);
            if share > NEAR {
                let at = self.kinematics().point(joint.body, &joint.anchor);
                let hot = ((share - NEAR) / (1.0 - NEAR)) as f32;
                let colour = colour::mixed(colour::CAUTION, colour::ALARM, hot);
                picture.overlays.push(Solid::ball(&at, JOINT * self.height, colour));
            }
        }
    }

    /// Load of a joint: its largest share of a torque limit, or its nearness to a position limit; 1 at the limit.
    fn load(&self, frame: &Frame, joint: &aplomb::model::Joint) -> f64 {
        let coordinates = joint.v_index..joint.v_index + joint.kind.nv();
        let torques = coordinates.filter_map(|index| {
            let (torque, limits) = (*frame.torque.get(index)?, (*self.header.torque_limits.get(index)?)?);
            Some(if torque > 0.0 { torque / limits[1] } else { torque / limits[0] })
        });
        let stop = joint.range.filter(|_| joint.kind.nq() == 1).map(|[low, high]| {
            let middle = 0.5 * (low + high);
            (frame.q[joint.q_index] - middle).abs() / (0.5 * (high - low)).max(1e-9)
        });
        // Many joints rest near an end of a wide range: only the last hundredth of half the range counts as
        // near.
        let stop = stop.map(|share| 1.0 - 20.0 * (1.0 - share));
        torques.chain(stop).filter(|share| share.is_finite()).fold(0.0, f64::max)
    }
}

/// The cone |f_t| ≤ μ f_n; `None` for grips, which hold in any direction.
fn friction_cone(contact: &Contact, height: f64) -> Option<Solid> {
    let normal = Vector3::from(contact.normal);
    (contact.kind != ContactKind::Grip && contact.friction > 0.0).then(|| {
        let length = CONE_HEIGHT * height;
        let radius = length * contact.friction;
        Solid::cone(&Vector3::from(contact.point), &normal, length, radius, colour::CONE)
    })
}

/// Draws points and areas on the ground, given its height and whether the character stands on it, and the
/// centre of mass.
fn balance(
    frame: &Frame,
    switches: &Switches,
    height: f64,
    (ground, stands): (f64, bool),
    picture: &mut ScenePicture,
) {
    let (mark, edge) = (MARK * height, EDGE * height);
    let on_ground = |[x, y]: [f64; 2]| Vector3::new(x, y, ground);
    let up = Vector3::z();
    if switches.support_polygon && frame.support_polygon.len() > 2 {
        let corners: Vec<Vector3<f64>> =
            frame.support_polygon.iter().map(|corner| on_ground(*corner)).collect();
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            picture.overlays.push(Solid::rod(from, to, edge, colour::SUPPORT_EDGE));
        }
        picture.areas.push((corners.iter().map(vec).collect(), colour::SUPPORT));
    }
    if switches.centre_of_mass {
        let com = Vector3::from(frame.com);
        picture.overlays.push(Solid::ball(&com, mark, colour::CENTRE_OF_MASS));
        if stands {
            let below = on_ground([com.x, com.y]);
            picture.overlays.push(Solid::rod(&com, &below, 0.4 * edge, colour::CENTRE_OF_MASS));
            picture.overlays.push(Solid::disc(&below, &up, 0.6 * mark, colour::CENTRE_OF_MASS));
        }
    }
    if switches.capture_point && stands {
        let at = on_ground(frame.capture_point);
        picture.overlays.push(Solid::disc(&at, &up, mark, colour::CAPTURE_POINT));
    }
    if let Some(at) = frame.centre_of_pressure.filter(|_| switches.centre_of_pressure && stands) {
        picture.overlays.push(Solid::disc(&on_ground(at), &up, mark, colour::CENTRE_OF_PRESSURE));
    }
}

/// Parses a point of a record: three numbers in brackets, separated by commas.
fn point(text: &str) -> Option<Vector3<f64>> {
    let inner = text.trim().strip_prefix(['[', '('])?.strip_suffix([']', ')'])?;
    let numbers: Vec<f64> =
        inner.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?;
    match numbers[..] {
        [x, y, z] if numbers.iter().all(|number| number.is_finite()) => Some(Vector3::new(x, y, z)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_that_are_points_are_read() {
        assert_eq!(point("[0.5, -1, 2e-1]"), Some(Vector3::new(0.5, -1.0, 0.2)));
        assert_eq!(point("left_foot"), None);
        assert_eq!(point("[1, 2]"), None);
    }
}
