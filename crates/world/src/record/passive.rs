//! Records of passive objects.

use super::{resize, set};
use crate::actor::Actor;
use aplomb_body::contact::Surface;
use aplomb_body::dynamics::momentum;
use aplomb_body::model::BodyId;
use aplomb_body::model::Model;
use aplomb_control::snapshot::Snapshot;
use aplomb_passive::{Other, Outline, PartId, PassiveSystem, PassiveWorld, StepStatus};
use aplomb_trace::{PassiveHeader, PassiveSegment, PassiveSolid, PassiveState, PassiveTouch, SolidShape};
use nalgebra::{Rotation3, UnitQuaternion};
use std::ops::Range;

/// The header's entries of passive objects.
pub(crate) fn objects(passive: &PassiveWorld) -> Vec<PassiveHeader> {
    let outlines: Vec<Vec<Outline>> = passive.systems.iter().map(|system| system.outline()).collect();
    let described = passive.objects.iter().enumerate().map(|(index, object)| {
        let inside = |part: PartId| object.parts.contains(&part.0).then(|| part.0 - object.parts.start);
        let (mut solids, mut segments) = (Vec::new(), Vec::new());
        for outline in &outlines[object.system] {
            match outline {
                Outline::Solid { part, shape, position, orientation } => {
                    if let (Some(part), Some(shape)) = (inside(*part), SolidShape::of(shape)) {
                        let (position, orientation) = ((*position).into(), numbers(orientation));
                        solids.push(PassiveSolid { part, shape, position, orientation });
                    }
                }
                Outline::Segment { ends: [a, b], radius } => {
                    if let (Some(a), Some(b)) = (inside(*a), inside(*b)) {
                        segments.push(PassiveSegment { ends: [a, b], radius: *radius });
                    }
                }
            }
        }
        PassiveHeader {
            name: object.name.clone(),
            kind: object.kind.into(),
            mass: passive.whole(index).mass,
            parts: object.part_names.clone(),
            solids,
            segments,
        }
    });
    described.collect()
}

/// The header's entry of a character in the record of another: its bodies.
pub(crate) fn character(name: &str, model: &Model) -> PassiveHeader {
    let solids = model.geoms.iter().filter_map(|geom| {
        let shape = SolidShape::of(&geom.shape)?;
        let (position, orientation) = (geom.position.into(), numbers(&geom.orientation));
        Some(PassiveSolid { part: geom.body?.0, shape, position, orientation })
    });
    PassiveHeader {
        name: name.into(),
        kind: PassiveHeader::CHARACTER.into(),
        mass: model.bodies.iter().map(|body| body.inertia.mass).sum(),
        parts: model.bodies.iter().map(|body| body.name.clone()).collect(),
        solids: solids.collect(),
        segments: Vec::new(),
    }
}

/// Fills the record of a character's bodies in place.
pub(super) fn bodies(model: &Model, snapshot: &Snapshot, state: &mut PassiveState) {
    let kinematics = &snapshot.kinematics;
    state.positions.clear();
    state.orientations.clear();
    state.velocities.clear();
    state.angular_velocities.clear();
    for body in 0..model.bodies.len() {
        let origin = kinematics.position[body];
        state.positions.push(origin.into());
        let turn = Rotation3::from_matrix_unchecked(kinematics.rotation[body]);
        state.orientations.push(numbers(&UnitQuaternion::from_rotation_matrix(&turn)));
        state.velocities.push(kinematics.point_velocity(BodyId(body), &origin).into());
        state.angular_velocities.push(kinematics.velocity[body].angular.into());
    }
    (state.com, state.com_velocity) = (snapshot.com.into(), snapshot.com_velocity.into());
    state.kinetic_energy = momentum::kinetic_energy(model, kinematics);
    state.potential_energy = momentum::potential_energy(kinematics, &snapshot.gravity);
}

/// Names of the contact partners of passive objects: surfaces of the world, and bodies of characters.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub surfaces: &'a [Surface],
    pub actors: &'a [Actor],
}

impl Named<'_> {
    fn surface(&self, index: usize) -> &str {
        self.surfaces.get(index).map_or("", |surface| &surface.name)
    }

    /// Bodies of characters are named like their surfaces: `NAME.BODY`.
    fn write_body(&self, character: usize, body: BodyId, text: &mut String) {
        text.clear();
        if let Some(Actor { character, .. }) = self.actors.get(character) {
            text.extend([&*character.name, ".", &*character.model.bodies[body.0].name]);
        }
    }
}

/// Writes poses and velocities of these parts of a system.
fn fill_parts(system: &dyn PassiveSystem, parts: Range<usize>, state: &mut PassiveState) {
    state.positions.clear();
    state.orientations.clear();
    state.velocities.clear();
    state.angular_velocities.clear();
    for part in parts {
        let part = system.part(PartId(part));
        state.positions.push(part.position.into());
        state.orientations.push(numbers(&part.orientation));
        state.velocities.push(part.velocity.into());
        state.angular_velocities.push(part.angular_velocity.into());
    }
}

/// Fills the records of all passive objects in place.
pub(super) fn states(
    passive: &PassiveWorld,
    named: Named<'_>,
    states: &mut [PassiveState],
    spare: &mut Vec<PassiveTouch>,
) {
    for (index, (object, state)) in passive.objects.iter().zip(states).enumerate() {
        let system = &passive.systems[object.system];
        fill_parts(&**system, object.parts.clone(), state);
        let whole = passive.whole(index);
        (state.com, state.com_velocity) = (whole.com.into(), whole.com_velocity.into());
        (state.kinetic_energy, state.potential_energy) = (whole.energy.kinetic, whole.energy.potential);
        state.stretch = whole.stretch;
        let stats = system.solver_stats();
        (state.iterations, state.residual) = (stats.iterations as u32, stats.residual);
        state.failed = passive.status[object.system] == StepStatus::Failed;
        let mut count = 0;
        system.each_touch(&mut |touch| count += usize::from(object.parts.contains(&touch.part.0)));
        resize(&mut state.touches, spare, count);
        let mut records = state.touches.iter_mut();
        system.each_touch(&mut |touch| {
            if !object.parts.contains(&touch.part.0) {
                return;
            }
            let Some(record) = records.next() else { return };
            record.part = touch.part.0 - object.parts.start;
            match touch.other {
                Other::Part(part) => set(&mut record.other, passive.part_name(object.system, part)),
                Other::Scenery(surface) => set(&mut record.other, named.surface(surface)),
                Other::Character(number, body) => named.write_body(number, body, &mut record.other),
            }
            (record.point, record.normal) = (touch.point.into(), touch.normal.into());
            record.force = touch.force.into();
        });
    }
}

fn numbers(turn: &UnitQuaternion<f64>) -> [f64; 4] {
    [turn.w, turn.i, turn.j, turn.k]
}
