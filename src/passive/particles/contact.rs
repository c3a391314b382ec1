//! Contacts of boxes: found once a step, put right in every pass together with the sticks.
//!
//! A contact moves the particles of a box by their shares in the point it is at. What it has moved in a step is
//! summed up, so that a later pass can take back what an earlier one did too much, and friction never exceeds
//! its part of what presses. That is an addition to [Jakobsen 2001].

use super::body::{BoxBody, Frame};
use super::collide::{Container, Given};
use super::overlap;
use super::state::Coordinates;
use crate::passive::obstacle::{Obstacle, Shape};
use nalgebra::{Matrix3, Vector3};

/// Boxes this near, relative to their smallest half edge, may come to touch within a step.
const MARGIN: f64 = 0.05;

/// A point of a box.
#[derive(Clone, Copy, Debug)]
struct Spot {
    first: usize,
    shares: [f64; 4],
}

impl Spot {
    fn at(&self, points: &Coordinates) -> Vector3<f64> {
        (0..4).map(|k| self.shares[k] * points.get(self.first + k)).sum()
    }

    /// How far a push of size one moves it.
    fn give(&self, inverse_mass: &[f64]) -> f64 {
        (0..4).map(|k| inverse_mass[self.first + k] * self.shares[k] * self.shares[k]).sum()
    }

    fn push(&self, points: &mut Coordinates, inverse_mass: &[f64], push: &Vector3<f64>) {
        for k in 0..4 {
            points.add(self.first + k, &(inverse_mass[self.first + k] * self.shares[k] * push));
        }
    }
}

/// What the spot of a box is against.
#[derive(Clone, Copy, Debug)]
enum Against {
    Box(Spot),
    /// A place of a solid, and how far its material moves in the step.
    Solid {
        place: Vector3<f64>,
        moved: Vector3<f64>,
        obstacle: Option<usize>,
    },
}

#[derive(Clone, Copy, Debug)]
struct Contact {
    spot: Spot,
    against: Against,
    /// Towards the spot.
    normal: Vector3<f64>,
    friction: f64,
    /// Sums over the passes, kg m: along the normal and across it.
    pressed: f64,
    rubbed: Vector3<f64>,
}

/// All contacts of boxes.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    contacts: Vec<Contact>,
    frames: Vec<Frame>,
}

impl Contacts {
    /// Of boxes where they would be after a step without contacts.
    pub fn find(
        &mut self,
        bodies: &[BoxBody],
        points: &Coordinates,
        (obstacles, container): (&[Obstacle], Option<&Container>),
        dt: f64,
    ) {
        self.contacts.clear();
        self.frames.clear();
        self.frames.extend(bodies.iter().map(|body| body.frame(points)));
        for (index, body) in bodies.iter().enumerate() {
            for (k, obstacle) in obstacles.iter().enumerate() {
                self.touch(body, index, obstacle, Some(k), dt);
            }
            if let Some(container) = container {
                for axis in 0..3 {
                    let unit = Vector3::ith(axis, 1.0);
                    for (normal, offset) in [(unit, container.low[axis]), (-unit, -container.high[axis])] {
                        let wall = Obstacle::fixed(Shape::HalfSpace { normal, offset }, container.friction);
                        self.touch(body, index, &wall, None, dt);
                    }
                }
            }
            for (other_index, other) in bodies.iter().enumerate().skip(index + 1) {
                self.meet([body, other], [index, other_index]);
            }
        }
    }

    fn meet(&mut self, bodies: [&BoxBody; 2], indices: [usize; 2]) {
        let [first, second] = indices.map(|index| self.frames[index]);
        let margin = MARGIN * first.half.min().min(second.half.min());
        if (first.center - second.center).norm() > first.half.norm() + second.half.norm() + margin {
            return;
        }
        let Some(found) = overlap::boxes(&first, &second, margin) else { return };
        for pair in &found.points[..found.count] {
            let spots = [0, 1].map(|k| Spot {
                first: bodies[k].first,
                shares: bodies[k].shares(&[first, second][k].to_local(&pair[k])),
            });
            self.contacts.push(Contact {
                spot: spots[0],
                against: Against::Box(spots[1]),
                normal: found.normal,
                friction: (bodies[0].friction * bodies[1].friction).sqrt(),
                pressed: 0.0,
                rubbed: Vector3::zeros(),
            });
        }
    }

    fn touch(&mut self, body: &BoxBody, index: usize, obstacle: &Obstacle, number: Option<usize>, dt: f64) {
        let frame = self.frames[index];
        let margin = MARGIN * frame.half.min();
        let mut push = |on_body: &Vector3<f64>, place: Vector3<f64>, normal: Vector3<f64>| {
            if normal.dot(&(on_body - place)) <= margin {
                let moved = dt * obstacle.velocity_at(&place);
                self.contacts.push(Contact {
                    spot: Spot { first: body.first, shares: body.shares(&frame.to_local(on_body)) },
                    against: Against::Solid { place, moved, obstacle: number },
                    normal,
                    friction: obstacle.friction,
                    pressed: 0.0,
                    rubbed: Vector3::zeros(),
                });
            }
        };
        let mut push_round = |ends: &[Vector3<f64>; 2], radius: f64| {
            let ([on_body, place], normal) = overlap::round(&frame, ends, radius);
            push(&on_body, place, normal);
        };
        match &obstacle.shape {
            Shape::Sphere { center, radius } => push_round(&[*center; 2], *radius),
            Shape::Capsule { ends, radius } => push_round(ends, *radius),
            Shape::HalfSpace { normal, offset } => {
                for corner in body.corners() {
                    let corner = frame.to_world(&corner);
                    push(&corner, corner - (normal.dot(&corner) - offset) * normal, *normal);
                }
            }
            Shape::Cuboid { center, orientation, half } => {
                let axes: Matrix3<f64> = *orientation.to_rotation_matrix().matrix();
                let solid = Frame { center: *center, axes, half: *half };
                if let Some(found) = overlap::boxes(&frame, &solid, margin) {
                    found.points[..found.count]
                        .iter()
                        .for_each(|[on_body, place]| push(on_body, *place, found.normal));
                }
            }
        }
    }

    /// Puts all of them right once, in their order.
    pub fn relax(&mut self, now: &mut Coordinates, before: &Coordinates, inverse_mass: &[f64]) {
        for contact in &mut self.contacts {
            contact.relax(now, before, inverse_mass);
        }
    }

    /// Adds up what boxes gave to solids in a step of `dt`.
    pub fn give(&self, given: &mut [Given], dt: f64) {
        for contact in &self.contacts {
            if let Against::Solid { place, obstacle: Some(obstacle), .. } = contact.against {
                given[obstacle].add(&place, &(-(contact.pressed * contact.normal + contact.rubbed) / dt));
            }
        }
    }
}

impl Contact {
    fn relax(&mut self, now: &mut Coordinates, before: &Coordinates, inverse_mass: &[f64]) {
        let give = self.spot.give(inverse_mass)
            + match &self.against {
                Against::Box(other) => other.give(inverse_mass),
                Against::Solid { .. } => 0.0,
            };
        if give <= 0.0 {
            return;
        }
        let at = self.spot.at(now);
        let (place, moved) = match &self.against {
            Against::Box(other) => {
                let place = other.at(now);
                (place, place - other.at(before))
            }
            Against::Solid { place, moved, .. } => (*place, *moved),
        };
        let depth = -self.normal.dot(&(at - place));
        let press = (self.pressed + depth / give).max(0.0) - self.pressed;
        self.pressed += press;
        let slip = at - self.spot.at(before) - moved;
        let across = slip - self.normal.dot(&slip) * self.normal;
        let wanted = self.rubbed - across / give;
        let most = self.friction * self.pressed;
        let size = wanted.norm();
        let rubbed = if size > most { wanted * (most / size) } else { wanted };
        let push = press * self.normal + (rubbed - self.rubbed);
        self.rubbed = rubbed;
        self.spot.push(now, inverse_mass, &push);
        if let Against::Box(other) = &self.against {
            other.push(now, inverse_mass, &-push);
        }
    }
}
