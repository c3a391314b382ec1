//! The numbers of a frame, in sequence. Lists begin with their length; points are in world axes, m; poses are x, y, z
//! and a quaternion w, x, y, z; forces are in N.
//!
//! | numbers | meaning |
//! |---|---|
//! | 1 | time, s |
//! | 1 | number of the next frame |
//! | 1 | index of the controller's state; −1 without one |
//! | list of 7 | poses of the first character's bodies |
//! | list of 8 | contacts: body, point, force, kind (0 contact, 1 grip) |
//! | list of 6 | other forces on the character: point, force |
//! | list of 1 | costs |
//! | 3 | centre of mass |
//! | 3 | whether there is a centre of pressure; its position on the ground |
//! | list of 2 | support polygon |
//! | list of 8 | moving obstacles: whether it is present, pose |
//! | list of 3 | displacements of moving holds |
//! | list of lists of 7 | passive objects: poses of their parts |
//! | 1 + 6 | whether the hand pulls; attachment point and anchor of its spring |

use crate::session::PageSession;
use aplomb::trace::{ContactKind, Frame};

/// Appends the numbers of the current frame.
pub fn write(session: &PageSession, out: &mut Vec<f64>) {
    let frame = session.frame();
    let world = &session.run.world;
    let (model, _) = world.sensed(session.run.hero());
    out.extend([frame.time, world.frame_index() as f64]);
    let states = session.run.hero().and_then(|hero| {
        let spec = &world.character(hero).controller.spec;
        spec.states.keys().position(|name| *name.get_ref() == frame.state)
    });
    out.push(states.map_or(-1.0, |index| index as f64));
    let poses = if model.bodies.is_empty() { Vec::new() } else { model.body_poses(&frame.q) };
    list(out, &poses, |out, pose| {
        let turn = pose.rotation;
        out.extend(pose.translation.vector.iter());
        out.extend([turn.w, turn.i, turn.j, turn.k]);
    });
    let body = |name: &str| model.body(name).map_or(-1.0, |body| body.0 as f64);
    list(out, &frame.contacts, |out, contact| {
        out.push(body(&contact.body));
        out.extend(contact.point);
        out.extend(contact.force);
        out.push(f64::from(u8::from(contact.kind == ContactKind::Grip)));
    });
    list(out, &frame.external, |out, external| {
        out.extend(external.point);
        out.extend(external.force);
    });
    list(out, &frame.costs, |out, cost| out.push(*cost));
    out.extend(frame.com);
    out.push(f64::from(u8::from(frame.centre_of_pressure.is_some())));
    out.extend(frame.centre_of_pressure.unwrap_or_default());
    list(out, &frame.support_polygon, |out, corner| out.extend(corner));
    list(out, &frame.moving, |out, place| {
        out.push(f64::from(u8::from(place.present)));
        out.extend(place.position);
        out.extend(place.orientation);
    });
    list(out, &frame.moving_holds, |out, way| out.extend(way));
    passive(frame, out);
    hand(session, out);
}

fn list<T>(out: &mut Vec<f64>, all: &[T], mut one: impl FnMut(&mut Vec<f64>, &T)) {
    out.push(all.len() as f64);
    all.iter().for_each(|item| one(out, item));
}

fn passive(frame: &Frame, out: &mut Vec<f64>) {
    list(out, &frame.passive, |out, object| {
        out.push(object.positions.len() as f64);
        for (part, position) in object.positions.iter().enumerate() {
            out.extend(position);
            out.extend(object.orientations.get(part).unwrap_or(&[1.0, 0.0, 0.0, 0.0]));
        }
    });
}

fn hand(session: &PageSession, out: &mut Vec<f64>) {
    let pulled = session.hand.pull.and_then(|pull| Some((crate::hand::point(&pull, session)?, pull.anchor)));
    out.push(f64::from(u8::from(pulled.is_some())));
    let (point, anchor) = pulled.unwrap_or_default();
    out.extend(point);
    out.extend(anchor);
}
