//! Contacts of boxes: found once a step, put right in every pass together with the sticks.
//!
//! All of this is an addition to [Jakobsen 2001], whose text at hand ends before it; a stack of boxes needs it. A push
//! on a box moves its four particles as its sticks would have them move, together: straight, and turned about the
//! centre. What a contact has pushed in a step is summed up, so that a later pass can take back what an earlier one
//! did too much, and friction never exceeds its part of what presses. Sums are kept from step to step, and overlaps
//! part without speed.

use super::body::BoxBody;
use super::collide::{Container, Given, Movable, Walls};
use super::state::Coordinates;
use crate::encounter::Pushed;
use crate::obstacle::Obstacle;
use aplomb_math::geometry::{OrientedBox, SignedDistance, WorldShape, overlap_of_boxes, overlap_of_round};
use nalgebra::{Matrix3, Vector3};

/// Boxes this near, relative to their smallest half edge, may come to touch within a step.
const MARGIN: f64 = 0.05;

/// Part of an overlap that a step takes away without giving speed.
const SEPARATED: f64 = 0.2;

/// A box as it stands before a relaxation.
#[derive(Clone, Copy, Debug)]
struct Stand {
    frame: OrientedBox,
    first: usize,
    /// Particles from the centre, m.
    arms: [Vector3<f64>; 4],
    /// 1/kg, and about the box's axes 1/(kg m²); zero for one of which a particle is pinned.
    inverse_mass: f64,
    inverse_inertia: Vector3<f64>,
}

impl Stand {
    fn new(body: &BoxBody, points: &Coordinates, inverse_mass: &[f64]) -> Stand {
        let frame = body.frame(points);
        let all = &inverse_mass[body.first..body.first + 4];
        let whole =
            if all.contains(&0.0) { 0.0 } else { 1.0 / all.iter().map(|each| 1.0 / each).sum::<f64>() };
        let square = body.half.component_mul(&body.half);
        let across = Vector3::new(square.y + square.z, square.z + square.x, square.x + square.y);
        Stand {
            frame,
            first: body.first,
            arms: body.places().map(|local| frame.axes * local),
            inverse_mass: whole,
            inverse_inertia: across.map(|sum| 3.0 * whole / sum),
        }
    }

    /// How the box moves and turns by a push at a lever.
    fn answer(&self, lever: &Vector3<f64>, push: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let moment = self.frame.axes.tr_mul(&lever.cross(push));
        [self.inverse_mass * push, self.frame.axes * self.inverse_inertia.component_mul(&moment)]
    }
}

/// A point of a box.
#[derive(Clone, Copy, Debug)]
struct Spot {
    stand: usize,
    shares: [f64; 4],
    /// From the centre, m.
    lever: Vector3<f64>,
}

impl Spot {
    fn at(&self, stands: &[Stand], points: &Coordinates) -> Vector3<f64> {
        let first = stands[self.stand].first;
        (0..4).map(|k| self.shares[k] * points.get(first + k)).sum()
    }

    /// How far a push of size one moves it that way.
    fn give(&self, stands: &[Stand], way: &Vector3<f64>) -> f64 {
        let [shift, turn] = stands[self.stand].answer(&self.lever, way);
        way.dot(&(shift + turn.cross(&self.lever)))
    }

    fn push(&self, stands: &[Stand], points: &mut Coordinates, push: &Vector3<f64>) {
        let stand = &stands[self.stand];
        let [shift, turn] = stand.answer(&self.lever, push);
        for (k, arm) in stand.arms.iter().enumerate() {
            points.add(stand.first + k, &(shift + turn.cross(arm)));
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
    /// Which box against what, and which of the points between them; contacts are in this order.
    key: [usize; 3],
    spot: Spot,
    against: Against,
    /// Towards the spot.
    normal: Vector3<f64>,
    friction: f64,
    /// Depth before the step, m: taken out of it without giving velocity.
    old: f64,
    /// Sums over the passes, kg m: along the normal and across it.
    pressed: f64,
    rubbed: Vector3<f64>,
}

/// All contacts of boxes.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    contacts: Vec<Contact>,
    last: Vec<Contact>,
    last_dt: f64,
    stands: Vec<Stand>,
}

impl Contacts {
    /// Finds the contacts of boxes where they would be after a step without contacts.
    pub fn find(
        &mut self,
        bodies: &[BoxBody],
        points: &Coordinates,
        inverse_mass: &[f64],
        (obstacles, container): (&[Obstacle], Option<&Container>),
        dt: f64,
    ) {
        std::mem::swap(&mut self.contacts, &mut self.last);
        self.contacts.clear();
        self.stands.clear();
        self.stands.extend(bodies.iter().map(|body| Stand::new(body, points, inverse_mass)));
        for (index, body) in bodies.iter().enumerate() {
            for (k, obstacle) in obstacles.iter().enumerate() {
                self.touch(body, [index, k], obstacle, Some(k), dt);
            }
            if let Some(container) = container {
                self.stay(body, [index, obstacles.len()], container, dt);
            }
            for (other_index, other) in bodies.iter().enumerate().skip(index + 1) {
                self.meet([body, other], [index, other_index], obstacles.len() + 6);
            }
        }
    }

    /// Contacts of a box with the walls around it, which are `first` and the numbers after it among what it touches.
    fn stay(&mut self, body: &BoxBody, [index, first]: [usize; 2], container: &Container, dt: f64) {
        match container.walls {
            Walls::Box { low, high } => {
                for axis in 0..3 {
                    let unit = Vector3::ith(axis, 1.0);
                    let sides = [(unit, low[axis]), (-unit, -high[axis])];
                    for (side, (normal, offset)) in sides.into_iter().enumerate() {
                        let solid =
                            Obstacle::fixed(WorldShape::HalfSpace { normal, offset }, container.friction);
                        self.touch(body, [index, first + 2 * axis + side], &solid, None, dt);
                    }
                }
            }
            Walls::Sphere { center, radius } => {
                let frame = self.stands[index].frame;
                for (k, corner) in body.corners().into_iter().enumerate() {
                    let corner = frame.to_world(&corner);
                    let out = corner - center;
                    if out.norm() < radius - MARGIN * frame.half.min() {
                        continue;
                    }
                    let out = out.normalize();
                    let place = center + radius * out;
                    let against = Against::Solid { place, moved: Vector3::zeros(), obstacle: None };
                    let spot = spot(body, index, &frame, &corner);
                    self.contacts.push(Contact::new(
                        [index, first, k],
                        spot,
                        against,
                        -out,
                        container.friction,
                    ));
                }
            }
        }
    }

    fn meet(&mut self, bodies: [&BoxBody; 2], indices: [usize; 2], solids: usize) {
        let [first, second] = indices.map(|index| self.stands[index].frame);
        let margin = MARGIN * first.half.min().min(second.half.min());
        if (first.center - second.center).norm() > first.half.norm() + second.half.norm() + margin {
            return;
        }
        let Some(found) = overlap_of_boxes(&first, &second, margin) else { return };
        for (k, pair) in found.points[..found.count].iter().enumerate() {
            let spots = [0, 1].map(|k| spot(bodies[k], indices[k], &[first, second][k], &pair[k]));
            let key = [indices[0], solids + indices[1], k];
            let friction = (bodies[0].friction * bodies[1].friction).sqrt();
            let against = Against::Box(spots[1]);
            self.contacts.push(Contact::new(key, spots[0], against, found.normal, friction));
        }
    }

    fn touch(
        &mut self,
        body: &BoxBody,
        [index, what]: [usize; 2],
        obstacle: &Obstacle,
        number: Option<usize>,
        dt: f64,
    ) {
        let frame = self.stands[index].frame;
        let margin = MARGIN * frame.half.min();
        let mut push = |k: usize, on_body: &Vector3<f64>, place: Vector3<f64>, normal: Vector3<f64>| {
            if normal.dot(&(on_body - place)) <= margin {
                let moved = dt * obstacle.velocity_at(&place);
                let spot = spot(body, index, &frame, on_body);
                let against = Against::Solid { place, moved, obstacle: number };
                self.contacts.push(Contact::new([index, what, k], spot, against, normal, obstacle.friction));
            }
        };
        let mut push_round = |ends: &[Vector3<f64>; 2], radius: f64| {
            let found = overlap_of_round(&frame, ends, radius);
            let count = if ends[0] == ends[1] { 1 } else { 2 };
            for (k, ([on_body, place], normal)) in found.into_iter().take(count).enumerate() {
                push(k, &on_body, place, normal);
            }
        };
        match &obstacle.shape {
            WorldShape::Sphere { center, radius } => push_round(&[*center; 2], *radius),
            WorldShape::Capsule { ends, radius } => push_round(ends, *radius),
            WorldShape::HalfSpace { normal, offset } => {
                for (k, corner) in body.corners().into_iter().enumerate() {
                    let corner = frame.to_world(&corner);
                    push(k, &corner, corner - (normal.dot(&corner) - offset) * normal, *normal);
                }
            }
            WorldShape::Field { .. } => {
                for (k, corner) in body.corners().into_iter().enumerate() {
                    let corner = frame.to_world(&corner);
                    let SignedDistance { distance, normal } = obstacle.shape.distance(&corner);
                    push(k, &corner, corner - distance * normal, normal);
                }
            }
            WorldShape::Empty => {}
            WorldShape::Cuboid { center, orientation, half } => {
                let axes: Matrix3<f64> = *orientation.to_rotation_matrix().matrix();
                let solid = OrientedBox { center: *center, axes, half: *half };
                if let Some(found) = overlap_of_boxes(&frame, &solid, margin) {
                    for (k, [on_body, place]) in found.points[..found.count].iter().enumerate() {
                        push(k, on_body, *place, found.normal);
                    }
                }
            }
        }
    }

    /// Begins with the pushes of the step before, where the same points touch still: what rests is held at once, and does
    /// not creep for want of passes.
    pub fn start(&mut self, now: &mut Coordinates, before: &Coordinates, movable: &mut Movable, dt: f64) {
        let ratio = if self.last_dt > 0.0 { (dt / self.last_dt).powi(2) } else { 0.0 };
        self.last_dt = dt;
        let mut earlier = self.last.iter().peekable();
        for contact in &mut self.contacts {
            contact.old = contact.depth(&self.stands, before, movable, true).max(0.0);
            while earlier.next_if(|last| last.key < contact.key).is_some() {}
            if let Some(last) = earlier.next_if(|last| last.key == contact.key)
                && last.normal.dot(&contact.normal) > 0.99
            {
                let rubbed = ratio * last.rubbed;
                contact.pressed = ratio * last.pressed;
                contact.rubbed = rubbed - contact.normal.dot(&rubbed) * contact.normal;
                let push = contact.pressed * contact.normal + contact.rubbed;
                contact.push(&self.stands, now, movable, &push);
            }
        }
    }

    /// Puts all of them right once, in their order.
    pub fn relax(&mut self, now: &mut Coordinates, before: &Coordinates, movable: &mut Movable) {
        for contact in &mut self.contacts {
            contact.relax(&self.stands, now, before, movable);
        }
    }

    /// Takes a part of what overlaps still out of it, now and before alike, so that nothing gains speed.
    pub fn part(&mut self, now: &mut Coordinates, before: &mut Coordinates, movable: &mut Movable) {
        for contact in &self.contacts {
            let depth = contact.depth(&self.stands, now, movable, false);
            if depth > 0.0 {
                // A body of another system is not put elsewhere without speed: the box alone gives way.
                let give = contact.give(&self.stands, None, &contact.normal);
                if give > 0.0 {
                    let push = SEPARATED * depth / give * contact.normal;
                    contact.push_boxes(&self.stands, now, &push);
                    contact.push_boxes(&self.stands, before, &push);
                }
            }
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

fn spot(body: &BoxBody, stand: usize, frame: &OrientedBox, point: &Vector3<f64>) -> Spot {
    Spot { stand, shares: body.shares(&frame.to_local(point)), lever: point - frame.center }
}

impl Contact {
    /// One that has pushed nothing yet.
    fn new(key: [usize; 3], spot: Spot, against: Against, normal: Vector3<f64>, friction: f64) -> Self {
        Contact { key, spot, against, normal, friction, old: 0.0, pressed: 0.0, rubbed: Vector3::zeros() }
    }

    /// The body that it pushes, if it is another system's.
    fn body<'a>(&self, movable: &'a Movable) -> Option<&'a Pushed> {
        match self.against {
            Against::Solid { obstacle: Some(obstacle), .. } => movable.seen(obstacle),
            _ => None,
        }
    }

    fn give(&self, stands: &[Stand], body: Option<&Pushed>, way: &Vector3<f64>) -> f64 {
        self.spot.give(stands, way)
            + match (&self.against, body) {
                (Against::Box(other), _) => other.give(stands, way),
                (Against::Solid { place, .. }, Some(body)) => body.give(place, way),
                (Against::Solid { .. }, None) => 0.0,
            }
    }

    /// m; of points `earlier` than now a moving solid is taken back by its movement.
    fn depth(&self, stands: &[Stand], points: &Coordinates, movable: &Movable, earlier: bool) -> f64 {
        let place = match (&self.against, self.body(movable)) {
            (Against::Box(other), _) => other.at(stands, points),
            (Against::Solid { place, moved, .. }, _) if earlier => place - moved,
            (Against::Solid { place, .. }, Some(body)) => place + body.moved(place),
            (Against::Solid { place, .. }, None) => *place,
        };
        self.normal.dot(&(place - self.spot.at(stands, points)))
    }

    fn relax(
        &mut self,
        stands: &[Stand],
        now: &mut Coordinates,
        before: &Coordinates,
        movable: &mut Movable,
    ) {
        let body = self.body(movable);
        let give = self.give(stands, body, &self.normal);
        if give <= 0.0 {
            return;
        }
        let at = self.spot.at(stands, now);
        let (place, moved) = match (&self.against, body) {
            (Against::Box(other), _) => {
                let place = other.at(stands, now);
                (place, place - other.at(stands, before))
            }
            (Against::Solid { place, moved, .. }, None) => (*place, *moved),
            (Against::Solid { place, moved, .. }, Some(body)) => {
                let pushed = body.moved(place);
                (place + pushed, moved + pushed)
            }
        };
        let depth = -self.normal.dot(&(at - place)) - self.old;
        let press = (self.pressed + depth / give).max(0.0) - self.pressed;
        self.pressed += press;
        let slip = at - self.spot.at(stands, before) - moved;
        let across = slip - self.normal.dot(&slip) * self.normal;
        let wanted = match across.try_normalize(0.0) {
            Some(way) => self.rubbed - across / self.give(stands, body, &way),
            None => self.rubbed,
        };
        let most = self.friction * self.pressed;
        let size = wanted.norm();
        let rubbed = if size > most { wanted * (most / size) } else { wanted };
        let push = press * self.normal + (rubbed - self.rubbed);
        self.rubbed = rubbed;
        self.push(stands, now, movable, &push);
    }

    fn push(&self, stands: &[Stand], now: &mut Coordinates, movable: &mut Movable, push: &Vector3<f64>) {
        self.push_boxes(stands, now, push);
        if let Against::Solid { place, obstacle: Some(obstacle), .. } = &self.against
            && let Some(body) = movable.of(*obstacle)
        {
            body.push(place, &-push);
        }
    }

    fn push_boxes(&self, stands: &[Stand], now: &mut Coordinates, push: &Vector3<f64>) {
        self.spot.push(stands, now, push);
        if let Against::Box(other) = &self.against {
            other.push(stands, now, &-push);
        }
    }
}
