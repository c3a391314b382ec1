//! Contacts of boxes: found once in a step, and corrected in every pass together with the sticks.
//!
//! All of this is an addition to [Jakobsen 2001], whose available text ends before it; a stack of boxes needs
//! it. A push on a box moves its four particles as its sticks would: translated, and rotated about the
//! centre. The pushes of a contact in a step are accumulated, so that a later pass can undo an excess, and
//! friction never exceeds its share of the pressure. Sums carry over from step to step, and overlaps are
//! separated without adding velocity.

use super::body::BoxBody;
use super::collide::{Container, Given, Movable, Walls};
use super::state::VectorArrays;
use crate::encounter::Pushed;
use crate::obstacle::Obstacle;
use aplomb_math::geometry::{OrientedBox, SignedDistance, WorldShape, overlap_of_boxes, overlap_of_round};
use nalgebra::{Matrix3, Vector3};

/// Boxes within this distance, relative to their smallest half edge, can collide in a step.
const MARGIN: f64 = 0.05;

/// Share of an overlap that a step removes without adding velocity.
const SEPARATED: f64 = 0.2;

/// Pose and mobility of a box before a relaxation.
#[derive(Clone, Copy, Debug)]
struct Stand {
    frame: OrientedBox,
    first: usize,
    /// Positions of its particles relative to the centre, m.
    arms: [Vector3<f64>; 4],
    /// Inverse mass, 1/kg; zero for a box with a pinned particle.
    inverse_mass: f64,
    inverse_inertia: Vector3<f64>,
}

impl Stand {
    fn new(body: &BoxBody, points: &VectorArrays, inverse_mass: &[f64]) -> Stand {
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

    /// Displacement and rotation of the box by a push at a lever.
    fn answer(&self, lever: &Vector3<f64>, push: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let moment = self.frame.axes.tr_mul(&lever.cross(push));
        [self.inverse_mass * push, self.frame.axes * self.inverse_inertia.component_mul(&moment)]
    }
}

/// A point of a box.
#[derive(Clone, Copy, Debug)]
struct BoxPoint {
    stand: usize,
    shares: [f64; 4],
    /// Lever from the centre, m.
    lever: Vector3<f64>,
}

impl BoxPoint {
    fn at(&self, stands: &[Stand], points: &VectorArrays) -> Vector3<f64> {
        let first = stands[self.stand].first;
        (0..4).map(|k| self.shares[k] * points.get(first + k)).sum()
    }

    /// Displacement along `way` by a unit push along it.
    fn give(&self, stands: &[Stand], way: &Vector3<f64>) -> f64 {
        let [shift, turn] = stands[self.stand].answer(&self.lever, way);
        way.dot(&(shift + turn.cross(&self.lever)))
    }

    fn push(&self, stands: &[Stand], points: &mut VectorArrays, push: &Vector3<f64>) {
        let stand = &stands[self.stand];
        let [shift, turn] = stand.answer(&self.lever, push);
        for (k, arm) in stand.arms.iter().enumerate() {
            points.add(stand.first + k, &(shift + turn.cross(arm)));
        }
    }
}

/// The other side of a contact.
#[derive(Clone, Copy, Debug)]
enum Against {
    Box(BoxPoint),
    /// A point of a solid, and the displacement of its material in the step.
    Solid {
        place: Vector3<f64>,
        moved: Vector3<f64>,
        obstacle: Option<usize>,
    },
}

#[derive(Clone, Copy, Debug)]
struct BoxContact {
    /// The box, the other side, and the point between them: the sort key of contacts.
    key: [usize; 3],
    spot: BoxPoint,
    against: Against,
    /// Unit normal, towards the box.
    normal: Vector3<f64>,
    friction: f64,
    /// Depth before the step, m, which is removed without adding velocity.
    old: f64,
    /// Accumulated push along the normal, kg m.
    pressed: f64,
    rubbed: Vector3<f64>,
}

/// All contacts of boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxContacts {
    contacts: Vec<BoxContact>,
    last: Vec<BoxContact>,
    last_dt: f64,
    stands: Vec<Stand>,
}

impl BoxContacts {
    /// Finds the contacts of boxes in their positions after a step without contacts.
    pub(super) fn find(
        &mut self,
        bodies: &[BoxBody],
        points: &VectorArrays,
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

    /// Adds contacts of a box with the walls around it, which have the index `first` and the following ones.
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
                    self.contacts.push(BoxContact::new(
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
            self.contacts.push(BoxContact::new(key, spots[0], against, found.normal, friction));
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
                let contact = BoxContact::new([index, what, k], spot, against, normal, obstacle.friction);
                self.contacts.push(contact);
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
            WorldShape::HalfSpace { .. } | WorldShape::Field { .. } => {
                for (k, corner) in body.corners().into_iter().enumerate() {
                    let corner = frame.to_world(&corner);
                    let (place, normal) = nearest_on_ground(&obstacle.shape, &corner);
                    push(k, &corner, place, normal);
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

    /// Begins with the pushes of the previous step where the same points still touch, so that resting boxes
    /// are held at once and do not creep because of too few passes.
    #[doc(alias = "warm start")]
    pub(super) fn start(
        &mut self,
        now: &mut VectorArrays,
        before: &VectorArrays,
        movable: &mut Movable,
        dt: f64,
    ) {
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

    /// Corrects all contacts once, in order.
    pub(super) fn relax(&mut self, now: &mut VectorArrays, before: &VectorArrays, movable: &mut Movable) {
        for contact in &mut self.contacts {
            contact.relax(&self.stands, now, before, movable);
        }
    }

    /// Removes a share of the remaining overlap, from both present and previous positions, so that no
    /// velocity is added.
    pub(super) fn part(&mut self, now: &mut VectorArrays, before: &mut VectorArrays, movable: &mut Movable) {
        for contact in &self.contacts {
            let depth = contact.depth(&self.stands, now, movable, false);
            if depth > 0.0 {
                // A body of another system is not moved without velocity: only the box moves.
                let give = contact.give(&self.stands, None, &contact.normal);
                if give > 0.0 {
                    let push = SEPARATED * depth / give * contact.normal;
                    contact.push_boxes(&self.stands, now, &push);
                    contact.push_boxes(&self.stands, before, &push);
                }
            }
        }
    }

    /// Adds the impulses of boxes on solids in a step of `dt`.
    pub(super) fn give(&self, given: &mut [Given], dt: f64) {
        for contact in &self.contacts {
            if let Against::Solid { place, obstacle: Some(obstacle), .. } = contact.against {
                given[obstacle].add(&place, &(-(contact.pressed * contact.normal + contact.rubbed) / dt));
            }
        }
    }
}

/// The point of a plane or of uneven ground that is nearest to a corner, with the normal there.
fn nearest_on_ground(shape: &WorldShape, corner: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    if let WorldShape::HalfSpace { normal, offset } = shape {
        return (corner - (normal.dot(corner) - offset) * normal, *normal);
    }
    let SignedDistance { distance, normal } = shape.distance(corner);
    (corner - distance * normal, normal)
}

fn spot(body: &BoxBody, stand: usize, frame: &OrientedBox, point: &Vector3<f64>) -> BoxPoint {
    BoxPoint { stand, shares: body.shares(&frame.to_local(point)), lever: point - frame.center }
}

impl BoxContact {
    /// A contact that has not pushed yet.
    fn new(key: [usize; 3], spot: BoxPoint, against: Against, normal: Vector3<f64>, friction: f64) -> Self {
        BoxContact { key, spot, against, normal, friction, old: 0.0, pressed: 0.0, rubbed: Vector3::zeros() }
    }

    /// The body that it pushes, if it belongs to another system.
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

    /// Depth, m; if the points are from an `earlier` time, the displacement of a moving solid is subtracted.
    fn depth(&self, stands: &[Stand], points: &VectorArrays, movable: &Movable, earlier: bool) -> f64 {
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
        now: &mut VectorArrays,
        before: &VectorArrays,
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

    fn push(&self, stands: &[Stand], now: &mut VectorArrays, movable: &mut Movable, push: &Vector3<f64>) {
        self.push_boxes(stands, now, push);
        if let Against::Solid { place, obstacle: Some(obstacle), .. } = &self.against
            && let Some(body) = movable.of(*obstacle)
        {
            body.push(place, &-push);
        }
    }

    fn push_boxes(&self, stands: &[Stand], now: &mut VectorArrays, push: &Vector3<f64>) {
        self.spot.push(stands, now, push);
        if let Against::Box(other) = &self.against {
            other.push(stands, now, &-push);
        }
    }
}
