//! The life cycle of contacts: they are made before they have a force, stick or slide, and end when they
//! separate ([Jain 2009] §4.2, with the thresholds in the module's constants).

use super::measured::MeasuredTouches;
use super::point::{ContactMode, ContactPoint, FrictionStep, MOST_ROUNDS};
use super::{
    Candidate, Feature, Release, Released, Surface, SurfaceShape, UnloadingBody, candidates, closest,
};
use crate::dynamics::kinematics::Kinematics;
use crate::model::{BodyId, Model};
use nalgebra::Vector3;

/// Gap after a frame at the present velocity below which a distant point is in contact, m (× length scale), beyond
/// the body's pad.
pub(super) const REACH: f64 = 0.02;
/// Gap below which a point is in contact at any velocity, m (× length scale).
pub const TOUCH: f64 = 0.001;
/// Gap above which a contact ends at any velocity, m (× length scale), in addition to the depth of the body's pad.
pub const PART: f64 = 0.005;
/// Separation speed above which a contact beyond `TOUCH` ends, m/s.
pub const PART_SPEED: f64 = 0.02;
/// Tangential speed above which a frame is first solved with a contact sliding that stuck before, and below
/// which with a contact sticking that slid before, m/s. Its motion in the frame finally decides: see
/// `STATIC_SLIP`.
pub(super) const SLIDE_SPEED: f64 = 0.05;
pub(super) const STICK_SPEED: f64 = 0.025;
/// Minimum age of a static contact before it may slide, s.
pub(super) const SLIDE_AGE: f64 = 0.02;
/// Shortest duration of a contact, wherever its point is, s.
pub(super) const LEAST_AGE: f64 = 0.01;
/// Two ages are equal if they differ by less than this, s.
const SAME_AGE: f64 = 1e-6;
/// Gap after a frame at the present velocity below which a point may touch the surface within that frame, m (× length
/// scale): an acceleration of 40 g is 20 mm in 10 ms.
const NEAR: f64 = 0.02;
/// Gap below which a candidate gets a non-penetration row, m (× length scale), beyond the body's pad.
pub(super) const WATCH: f64 = 0.10;

/// Distance within which two contact points of a body on a flat surface count as one, m (× length scale).
pub(super) const SAME_POINT: f64 = 0.02;
/// The same distance for a round shape, which curves away from the surface next to the nearest point.
pub(super) const SAME_POINT_OF_ROUND: f64 = 0.005;
/// How much farther from the surface the selected one of two such points may be, m (× length scale).
const SAME_GAP: f64 = 1e-3;

/// Distance from a grip within which its body has no contact, m (× length scale).
pub(super) const HELD: f64 = 0.05;

/// Persistent state of one candidate over one surface.
#[derive(Clone, Copy, Debug)]
struct CandidateState {
    candidate: usize,
    surface: usize,
    bearing: ContactMode,
    /// Age of the contact, s.
    age: f64,
    /// Contact point of a whole shape in the previous frame, body frame, m: the nearest point of a face or an
    /// edge moves over the shape.
    local: Vector3<f64>,
}

/// All contacts of one character with the world.
#[derive(Clone, Debug)]
pub struct Contacts {
    /// Points and curves of the character that can touch.
    pub candidates: Vec<Candidate>,
    /// Solid surfaces of the world.
    pub surfaces: Vec<Surface>,
    /// Surfaces of the bodies of other characters.
    pub bodies: Vec<Surface>,
    slots: Vec<CandidateState>,
    /// Candidates near a surface in this frame, in slot order.
    pub touches: Vec<ContactPoint>,
    /// Number of contacts made so far.
    pub(crate) made: usize,
    /// Number of contacts that ended so far.
    pub(crate) broken: usize,
    length_scale: f64,
    /// For each body, forward distance of the centre of its contact points from its origin in the rest pose, m.
    middles: Vec<f64>,
    /// Contacts that the controller released.
    released: Released,
    /// Bodies and their points, world, that grips hold: the rows of the grips fully determine their motion.
    held: Vec<(BodyId, Vector3<f64>)>,
    /// Measured data of the contacts, in addition to the geometry.
    pub(super) measured: MeasuredTouches,
}

/// The nearest point of a candidate to a surface.
struct Approach {
    point: Vector3<f64>,
    /// Distance, m; negative if they overlap.
    gap: f64,
    normal: Vector3<f64>,
    /// Velocity of the point, m/s.
    velocity: Vector3<f64>,
    /// Displacement of the surface over the frame, m.
    way_ahead: Vector3<f64>,
}

impl Contacts {
    /// Contacts of `model` on `surfaces`, which are in order of precedence; thresholds are multiplied by
    /// `length_scale`.
    pub fn new(model: &Model, surfaces: Vec<Surface>, length_scale: f64) -> Self {
        let candidates = candidates(model);
        let middles = middles(model, &candidates);
        let mut slots = Vec::new();
        for (surface, solid) in surfaces.iter().enumerate() {
            for (candidate, part) in candidates.iter().enumerate() {
                if closest::applies(&part.feature, &solid.shape) {
                    let (bearing, local) = (ContactMode::Off, Vector3::zeros());
                    slots.push(CandidateState { candidate, surface, bearing, age: 0.0, local });
                }
            }
        }
        let touches = Vec::with_capacity(slots.len());
        Contacts {
            candidates,
            surfaces,
            bodies: Vec::new(),
            slots,
            touches,
            made: 0,
            broken: 0,
            length_scale,
            middles,
            released: Released::none(model),
            held: Vec::with_capacity(model.sites.len()),
            measured: MeasuredTouches::default(),
        }
    }

    /// Adds surfaces of other characters, which can also be touched.
    pub fn with_bodies(mut self, bodies: Vec<Surface>) -> Self {
        for (body, solid) in bodies.iter().enumerate() {
            let surface = self.surfaces.len() + self.bodies.len() + body;
            for (candidate, part) in self.candidates.iter().enumerate() {
                if closest::applies(&part.feature, &solid.shape) {
                    let (bearing, local) = (ContactMode::Off, Vector3::zeros());
                    self.slots.push(CandidateState { candidate, surface, bearing, age: 0.0, local });
                }
            }
        }
        self.bodies.extend(bodies);
        self.touches.reserve(self.slots.len());
        self
    }

    /// A surface by its index: those of the world first, then those of other characters.
    pub fn surface(&self, number: usize) -> &Surface {
        surface(&self.surfaces, &self.bodies, number)
    }

    /// Whether the contact point is the point of a shape over a ridge of the ground, rather than a point that is
    /// fixed in the body.
    pub fn is_on_ridge(&self, touch: &ContactPoint) -> bool {
        matches!(self.candidates[touch.candidate].feature, Feature::Shape { .. })
            && matches!(self.surface(touch.surface).shape, SurfaceShape::Field(_))
    }

    /// Ignores the surfaces of a character, by number, because it is a ragdoll whose dynamics handles its
    /// contacts.
    pub fn leave_character(&mut self, character: usize) {
        let Contacts { touches, slots, broken, .. } = self;
        touches.retain(|touch| {
            let stays = touch.on_character() != Some(character);
            if !stays {
                *broken += usize::from(touch.bears());
                slots[touch.slot].bearing = ContactMode::Off;
            }
            stays
        });
    }

    /// h/0.93 m of the character, by which lengths are multiplied.
    pub fn length_scale(&self) -> f64 {
        self.length_scale
    }

    /// Removes the force of a contact, in this frame and until it is made again.
    #[doc(alias = "separate")]
    pub fn part(&mut self, index: usize) {
        let touch = &mut self.touches[index];
        touch.bearing = ContactMode::Off;
        touch.parted = true;
        self.slots[touch.slot].bearing = ContactMode::Off;
        self.broken += 1;
    }

    /// Enters impact mode: every point near a surface may have a force in this frame, including released ones,
    /// because the ground stops a character that releases its contacts and falls.
    #[doc(alias = "impact")]
    pub fn brace(&mut self) {
        for touch in self.touches.iter_mut().filter(|touch| touch.may_be_loaded()) {
            touch.bearing = ContactMode::Impact;
            touch.parted = false;
            touch.smooth = false;
            touch.friction_step = FrictionStep::AsBefore;
            touch.barred.fill(Vector3::zeros());
            touch.slip = Vector3::zeros();
        }
    }

    /// Makes a contact slide in this frame with full friction against the slip of the last solve.
    pub fn slide(&mut self, index: usize, slip: Vector3<f64>) {
        let touch = &mut self.touches[index];
        (touch.slip, touch.friction_step) = (slip, FrictionStep::Slid);
        touch.bearing = ContactMode::Sliding;
        self.slots[touch.slot].bearing = touch.bearing;
    }

    /// Makes a contact stick in this frame, as far as friction allows.
    pub fn keep(&mut self, index: usize, step: FrictionStep) {
        let touch = &mut self.touches[index];
        touch.friction_step = step;
        touch.bearing = ContactMode::Sticking { anchor: touch.point - touch.normal * touch.gap };
        self.slots[touch.slot].bearing = touch.bearing;
    }

    /// Number of candidate–surface pairs.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Candidate and surface of a slot.
    pub fn pair(&self, slot: usize) -> (&Candidate, &Surface) {
        let slot = &self.slots[slot];
        (&self.candidates[slot.candidate], self.surface(slot.surface))
    }

    /// Index of the surface of a slot.
    pub fn surface_of(&self, slot: usize) -> usize {
        self.slots[slot].surface
    }

    /// Bodies that should be released and still carry load.
    pub fn unloading(&self) -> &[UnloadingBody] {
        self.released.unloading()
    }

    /// Releases the contacts of bodies, from now until the next call. A body whose load exceeds `step` (of
    /// `weight`, N) is released only after its load has fallen by that step in each frame. `forces`: of each
    /// slot in the previous frame, world, N.
    pub fn release(
        &mut self,
        model: &Model,
        releases: &[Release],
        step: f64,
        forces: &[Vector3<f64>],
        weight: f64,
    ) {
        let touches = &self.touches;
        self.released.set(model, releases, step, |release| {
            let is_of =
                |touch: &&ContactPoint| touch.bears() && release.is_at(model, touch.body, touch.is_behind);
            touches.iter().filter(is_of).map(|touch| touch.normal.dot(&forces[touch.slot])).sum::<f64>()
                / weight
        });
        for touch in &mut self.touches {
            touch.released = self.released.contains_contact(touch.body, touch.is_behind);
            if touch.released && touch.bears() {
                touch.bearing = ContactMode::Off;
                self.slots[touch.slot].bearing = ContactMode::Off;
                self.broken += 1;
            }
        }
    }

    /// Moves every surface to its pose in the frame at `time`, s.
    pub fn move_surfaces(&mut self, time: f64, dt: f64) {
        for surface in &mut self.surfaces {
            surface.advance(time, dt);
        }
    }

    /// Excludes contacts near these points of these bodies, where grips act, in this frame and until the next
    /// call.
    pub fn leave_to_grips(&mut self, held: impl Iterator<Item = (BodyId, Vector3<f64>)>) {
        self.held.clear();
        self.held.extend(held);
        let near = HELD * self.length_scale;
        let Contacts { touches, slots, held, broken, .. } = self;
        touches.retain(|touch| {
            let leaves = is_held(held, touch.body, &touch.point, near);
            if leaves {
                *broken += usize::from(touch.bears());
                slots[touch.slot].bearing = ContactMode::Off;
            }
            !leaves
        });
    }

    /// Updates every contact to the kinematics of this frame and the positions of the surfaces. `dt`: the
    /// horizon of the frame, `elapsed`: time since the previous frame, s.
    pub fn update(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        gravity: &Vector3<f64>,
        dt: f64,
        elapsed: f64,
    ) {
        self.touches.clear();
        for index in 0..self.slots.len() {
            let Some((mut touch, local)) = self.touching(index, model, kinematics, dt) else {
                self.leave(index);
                continue;
            };
            self.live(&mut touch, gravity, dt, elapsed);
            let slot = &mut self.slots[index];
            (slot.bearing, slot.age) = (touch.bearing, touch.age);
            slot.local = local;
            self.touches.push(touch);
        }
    }

    /// Depth to which the body is in a surface, whether that is present or not, m; 0 if it is outside.
    pub fn depth_in(&self, surface: usize, model: &Model, kinematics: &Kinematics) -> f64 {
        let candidates = self.slots.iter().filter(|slot| slot.surface == surface);
        let depths = candidates.filter_map(|slot| {
            let candidate = &self.candidates[slot.candidate];
            let (_, gap, _) = closest::point(model, candidate, self.surface(surface), kinematics, 0.0)?;
            Some(-gap)
        });
        depths.fold(0.0, f64::max)
    }

    /// The contact of a candidate and a surface, with the touched point in the body's axes.
    fn touching(
        &self,
        index: usize,
        model: &Model,
        kinematics: &Kinematics,
        dt: f64,
    ) -> Option<(ContactPoint, Vector3<f64>)> {
        let slot = self.slots[index];
        let candidate = &self.candidates[slot.candidate];
        let surface = surface(&self.surfaces, &self.bodies, slot.surface);
        let body = candidate.body;
        let Approach { point, gap, normal, velocity, way_ahead } =
            self.approach(index, model, kinematics, dt)?;
        // The anchor of the contact moves with the contact point over the shape.
        let wandered = match candidate.feature {
            Feature::Shape { .. } => point - kinematics.point(body, &slot.local),
            _ => Vector3::zeros(),
        };
        let bearing = self.follow(slot.bearing, surface, point - normal * gap, wandered);
        let local = kinematics.rotation[body.0].tr_mul(&(point - kinematics.position[body.0]));
        let is_behind = ahead(model, body, &local) < self.middles[body.0];
        let pad = model.bodies[body.0].pad;
        let touch = ContactPoint {
            slot: index,
            candidate: slot.candidate,
            surface: slot.surface,
            body,
            point,
            normal,
            gap,
            velocity,
            bias_acceleration: kinematics.point_bias_acceleration(body, &point),
            surface_velocity: surface.way_here(&point) / dt,
            next_surface_velocity: way_ahead / dt,
            next_normal: surface.turned_ahead(&normal),
            friction: surface.friction,
            bearing,
            barred: [Vector3::zeros(); MOST_ROUNDS],
            age: slot.age,
            smooth: false,
            slip: Vector3::zeros(),
            friction_step: FrictionStep::AsBefore,
            parted: false,
            is_behind,
            released: self.released.contains_contact(body, is_behind),
            on: surface.seat.map(|seat| seat.of),
            pad_depth: pad_depth(model, body),
            least_gap: pad.map_or(0.0, |pad| pad.least_gap(gap, dt)),
            is_near: gap + normal.dot(&(dt * velocity - way_ahead))
                <= NEAR * self.length_scale + pad_depth(model, body),
        };
        Some((touch, local))
    }

    /// The mode of a contact whose surface, and the point on it, have moved.
    fn follow(
        &self,
        mode: ContactMode,
        surface: &Surface,
        touched: Vector3<f64>,
        wandered: Vector3<f64>,
    ) -> ContactMode {
        match mode {
            ContactMode::Sticking { .. } if self.measured.is_on => ContactMode::Sticking { anchor: touched },
            ContactMode::Sticking { anchor } => {
                ContactMode::Sticking { anchor: surface.carried(&anchor) + wandered }
            }
            other => other,
        }
    }

    /// How a candidate and a surface approach each other; `None` if they stay too far apart, or if another contact
    /// already represents them.
    fn approach(&self, index: usize, model: &Model, kinematics: &Kinematics, dt: f64) -> Option<Approach> {
        let slot = self.slots[index];
        let candidate = &self.candidates[slot.candidate];
        let surface = surface(&self.surfaces, &self.bodies, slot.surface);
        let body = candidate.body;
        if !surface.present {
            return None;
        }
        let pad = pad_depth(model, body);
        let reach = 2.0 * WATCH * self.length_scale + pad;
        let (point, gap, normal) = closest::point(model, candidate, surface, kinematics, reach)?;
        let gap = self.measured.gap(index, gap);
        if is_held(&self.held, body, &point, HELD * self.length_scale) {
            return None;
        }
        let velocity = kinematics.point_velocity(body, &point);
        let way_ahead = surface.way_ahead(&point);
        let approach = gap + normal.dot(&(dt * velocity - way_ahead));
        if gap > WATCH * self.length_scale + pad && approach > REACH * self.length_scale + pad {
            return None;
        }
        let is_shape = matches!(candidate.feature, Feature::Shape { .. });
        if is_shape && self.has_point_near(body, slot.surface, &point, gap) {
            return None;
        }
        Some(Approach { point, gap, normal, velocity, way_ahead })
    }

    /// Whether a corner, end or rim of the body already represents this point of the surface: one that is not
    /// farther from it.
    fn has_point_near(&self, body: BodyId, surface: usize, point: &Vector3<f64>, gap: f64) -> bool {
        let is_round = matches!(self.surface(surface).shape, SurfaceShape::Solid(_));
        let near = if is_round { SAME_POINT_OF_ROUND } else { SAME_POINT } * self.length_scale;
        self.touches.iter().any(|touch| {
            touch.body == body
                && touch.surface == surface
                && touch.gap <= gap + SAME_GAP * self.length_scale
                && (touch.point - point).norm() < near
        })
    }

    fn leave(&mut self, index: usize) {
        if self.slots[index].bearing != ContactMode::Off {
            self.broken += 1;
        }
        self.slots[index].bearing = ContactMode::Off;
        self.slots[index].age = 0.0;
    }

    /// Updates one contact for one frame.
    fn live(&mut self, touch: &mut ContactPoint, gravity: &Vector3<f64>, dt: f64, elapsed: f64) {
        let scale = self.length_scale;
        let was_bearing = touch.bears();
        let normal_speed = touch.normal.dot(&touch.relative_velocity());
        let slide = touch.tangential_velocity().norm();
        let anchor = touch.point - touch.normal * touch.gap;
        let ahead = touch.velocity + dt * gravity - touch.next_surface_velocity;
        let falls_to = touch.gap + dt * touch.normal.dot(&ahead);
        let measured = self.measured.bears(touch.slot);
        if touch.released {
            touch.bearing = ContactMode::Off;
        } else if !was_bearing {
            let touches = measured.unwrap_or(touch.gap <= TOUCH * scale);
            // At any distance: without a contact force, only joint torques would stop the point.
            if touches || falls_to <= touch.least_gap {
                touch.bearing = ContactMode::Sticking { anchor };
                touch.age = 0.0;
            }
        } else {
            touch.age += elapsed;
            let parts = touch.gap > TOUCH * scale && normal_speed > PART_SPEED;
            let is_gone = match measured {
                Some(bears) => !bears && falls_to > 0.0,
                None => {
                    parts || touch.gap > PART * scale + touch.pad_depth && touch.age > LEAST_AGE + SAME_AGE
                }
            };
            if is_gone {
                touch.bearing = ContactMode::Off;
            }
        }
        match touch.bearing {
            ContactMode::Sticking { .. } if slide > SLIDE_SPEED && touch.age >= SLIDE_AGE - SAME_AGE => {
                touch.bearing = ContactMode::Sliding;
            }
            ContactMode::Sliding if slide < STICK_SPEED => touch.bearing = ContactMode::Sticking { anchor },
            _ => {}
        }
        self.made += usize::from(!was_bearing && touch.bears());
        self.broken += usize::from(was_bearing && !touch.bears());
    }

    /// Removes all contacts, for a jump of the state.
    pub fn reset(&mut self) {
        for slot in &mut self.slots {
            slot.bearing = ContactMode::Off;
            slot.age = 0.0;
        }
        self.touches.clear();
        self.released.clear();
        (self.made, self.broken) = (0, 0);
    }
}

/// Depth of the pad of a body, m; 0 without one.
fn pad_depth(model: &Model, body: BodyId) -> f64 {
    model.bodies[body.0].pad.map_or(0.0, |pad| pad.depth)
}

/// Forward distance of a point from a body's origin in the rest pose, m; the point is in body axes.
fn ahead(model: &Model, body: BodyId, point: &Vector3<f64>) -> f64 {
    model.rest_axes(body).map_or(point.x, |axes| axes.inverse_transform_vector(point).x)
}

/// For each body, forward distance of the centre of its corners, ends and rims from its origin in the rest
/// pose, m.
fn middles(model: &Model, candidates: &[Candidate]) -> Vec<f64> {
    let mut extents = vec![(f64::INFINITY, f64::NEG_INFINITY); model.bodies.len()];
    for candidate in candidates {
        let (Feature::Ball { centre, .. } | Feature::Rim { centre, .. } | Feature::Ellipsoid { centre, .. }) =
            candidate.feature
        else {
            continue;
        };
        let at = ahead(model, candidate.body, &centre);
        let (low, high) = &mut extents[candidate.body.0];
        (*low, *high) = (low.min(at), high.max(at));
    }
    extents.into_iter().map(|(low, high)| 0.5 * (low + high)).collect()
}

/// A surface of the world or of another character, by its index in this order.
fn surface<'s>(surfaces: &'s [Surface], bodies: &'s [Surface], number: usize) -> &'s Surface {
    surfaces.get(number).unwrap_or_else(|| &bodies[number - surfaces.len()])
}

/// Whether a grip holds the body within `near` (m) of `point`.
fn is_held(held: &[(BodyId, Vector3<f64>)], body: BodyId, point: &Vector3<f64>, near: f64) -> bool {
    held.iter().any(|(part, at)| *part == body && (at - point).norm() < near)
}
