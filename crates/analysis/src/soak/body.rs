//! Random changes of a shipped body: larger, heavier, or differently built.

use crate::dice::Dice;
use aplomb_body::model::{JointKind, Model, Shape, mjcf, write};
use aplomb_language::diagnostic::Source;
use aplomb_language::files::{Folder, find_shipped};

/// A shipped body changed at random, as MJCF, and the changes; `None` if there is no such body, or it has
/// shapes that cannot be scaled.
pub(super) fn draw(name: &str, dice: &mut Dice) -> Option<(String, String)> {
    let found = find_shipped(Folder::Characters, name).ok()?;
    let mut model = mjcf::read(&Source::new(&found.source.name, &found.source.text)).ok()?;
    let (length, mass) = (dice.ratio(0.5, 2.0), dice.ratio(0.4, 2.5));
    scale(&mut model, length, mass)?;
    for body in &mut model.bodies {
        let own = dice.ratio(0.8, 1.25);
        body.inertia.mass *= own;
        body.inertia.about_centre *= own;
    }
    let text = write::scene_xml(&model, &model.gravity, &[], &[]);
    Some((text, format!("{name} × {length:.2} long, × {mass:.2} heavy")))
}

/// Scales lengths and masses, and torques, springs and rotors accordingly, for the same motion.
fn scale(model: &mut Model, length: f64, mass: f64) -> Option<()> {
    let inertia = mass * length * length;
    for body in &mut model.bodies {
        body.position *= length;
        body.inertia.mass *= mass;
        body.inertia.centre *= length;
        body.inertia.about_centre *= inertia;
    }
    for geom in &mut model.geoms {
        geom.position *= length;
        match &mut geom.shape {
            Shape::Plane | Shape::Field(_) => {}
            Shape::Sphere { radius } => *radius *= length,
            Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
                *radius *= length;
                *half_length *= length;
            }
            Shape::Box { half_lengths } => *half_lengths *= length,
            Shape::Ellipsoid { radii } => *radii *= length,
            Shape::Hull(_) => return None,
        }
    }
    model.sites.iter_mut().for_each(|site| site.position *= length);
    let torque = mass * length;
    for joint in &mut model.joints {
        joint.anchor *= length;
        joint.stiffness *= torque;
        joint.damping *= torque;
        joint.friction *= torque;
        match joint.kind {
            // The height at which a body stands follows from its shapes.
            JointKind::Free | JointKind::Ball | JointKind::Hinge { .. } => {}
            JointKind::Slide { .. } => return None,
        }
        for keyframe in model.keyframes.iter_mut().filter(|_| joint.kind == JointKind::Free) {
            keyframe.q[joint.q_index..joint.q_index + 3].iter_mut().for_each(|x| *x *= length);
        }
    }
    model.armature.iter_mut().for_each(|armature| *armature *= inertia);
    model.torque_limits.iter_mut().flatten().for_each(|limit| *limit *= torque);
    Some(())
}
