//! Records of passive objects.

use super::{resize, set};
use crate::contact::Surface;
use crate::model::Model;
use crate::passive::{Other, Outline, PartId, PassiveWorld, StepStatus};
use crate::trace::{PassiveSegment, PassiveSolid, PassiveState, PassiveThing, PassiveTouch, SolidShape};
use nalgebra::UnitQuaternion;

/// What the header says of them.
pub fn things(things: &PassiveWorld) -> Vec<PassiveThing> {
    let outlines: Vec<Vec<Outline>> = things.systems.iter().map(|system| system.outline()).collect();
    let described = things.objects.iter().enumerate().map(|(index, thing)| {
        let inside = |part: PartId| thing.parts.contains(&part.0).then(|| part.0 - thing.parts.start);
        let (mut solids, mut segments) = (Vec::new(), Vec::new());
        for outline in &outlines[thing.system] {
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
        PassiveThing {
            name: thing.name.clone(),
            kind: thing.kind.into(),
            mass: things.whole(index).mass,
            parts: thing.part_names.clone(),
            solids,
            segments,
        }
    });
    described.collect()
}

/// Names for what passive objects touch.
pub struct Named<'a> {
    pub model: &'a Model,
    pub surfaces: &'a [Surface],
}

/// Fills the records of all passive objects in place.
pub fn states(
    things: &PassiveWorld,
    named: &Named<'_>,
    states: &mut Vec<PassiveState>,
    spare: &mut Vec<PassiveTouch>,
) {
    states.resize_with(things.objects.len(), PassiveState::default);
    for (index, (thing, state)) in things.objects.iter().zip(states).enumerate() {
        let system = &things.systems[thing.system];
        state.positions.clear();
        state.orientations.clear();
        state.velocities.clear();
        state.angular_velocities.clear();
        for part in thing.parts.clone() {
            let part = system.part(PartId(part));
            state.positions.push(part.position.into());
            state.orientations.push(numbers(&part.orientation));
            state.velocities.push(part.velocity.into());
            state.angular_velocities.push(part.angular_velocity.into());
        }
        let whole = things.whole(index);
        (state.com, state.com_velocity) = (whole.com.into(), whole.com_velocity.into());
        (state.kinetic_energy, state.potential_energy) = (whole.energy.kinetic, whole.energy.potential);
        state.stretch = whole.stretch;
        let stats = system.solver_stats();
        (state.iterations, state.residual) = (stats.iterations as u32, stats.residual);
        state.failed = things.status[thing.system] == StepStatus::Failed;
        let mut count = 0;
        system.each_touch(&mut |touch| count += usize::from(thing.parts.contains(&touch.part.0)));
        resize(&mut state.touches, spare, count);
        let mut records = state.touches.iter_mut();
        system.each_touch(&mut |touch| {
            if !thing.parts.contains(&touch.part.0) {
                return;
            }
            let Some(record) = records.next() else { return };
            record.part = touch.part.0 - thing.parts.start;
            let other = match touch.other {
                Other::Part(part) => things.part_name(thing.system, part),
                Other::Scenery(surface) => named.surfaces.get(surface).map_or("", |surface| &surface.name),
                Other::Character(_, body) => &named.model.bodies[body.0].name,
            };
            set(&mut record.other, other);
            (record.point, record.normal) = (touch.point.into(), touch.normal.into());
            record.force = touch.force.into();
        });
    }
}

fn numbers(turn: &UnitQuaternion<f64>) -> [f64; 4] {
    [turn.w, turn.i, turn.j, turn.k]
}
