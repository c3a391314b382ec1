//! Motion and forces of contact points and grips in the next frame.

use super::Prediction;
use super::equations::separation;
use crate::snapshot::Snapshot;
use aplomb_body::contact::{ContactPoint, Party};
use aplomb_body::model::BodyId;
use aplomb_math::affine::{Affine, Dimension};
use aplomb_math::kernel::dot;
use nalgebra::Vector3;

impl<'a> Prediction<'a> {
    /// World position of a contact point (by index in the snapshot's list), m.
    pub fn touch_point(&self, index: usize) -> Affine<'a> {
        let jacobian = self.linearisation.touch_jacobians.row(index);
        self.three_rows(&self.now.contacts.touches[index].point, jacobian, Dimension::Length)
    }

    /// Position of a contact point relative to the unknown part of the surface's displacement in this frame: p⁺ + dt
    /// Σ_j G_j f_j for a passive object, which moves under the forces f, and p⁺ − dt u for another character's body,
    /// m.
    pub fn touch_way(&self, index: usize) -> Affine<'a> {
        let party = Party::Touch(self.now.contacts.touches[index].slot);
        let unknown = self.way_of(index);
        if !self.gives(party) && unknown.is_none() {
            return self.touch_point(index);
        }
        let (nv, point) = (self.model.nv, self.touch_point(index));
        let mut way = self.linearisation.pool.affine(self.unknowns());
        for axis in 0..3 {
            let row = way.push(Dimension::Length, point.constant(axis));
            row[..nv].copy_from_slice(point.coefficients(axis));
            self.add_give(party, &Vector3::ith(axis, self.dt()), row);
            if let Some(unknown) = unknown {
                row[unknown + axis] -= self.dt();
            }
        }
        way
    }

    /// First unknown of the velocity u of the surface under a contact point, by index, if that is another
    /// character's body.
    fn way_of(&self, touch: usize) -> Option<usize> {
        let way = self.way_columns().iter().position(|way| way.touch == touch)?;
        Some(self.way_unknown(way))
    }

    /// Velocity of that surface at the unknowns `x`, world, m/s; zero if it is not another character's body.
    pub fn surface_velocity(&self, touch: usize, x: &[f64]) -> Vector3<f64> {
        self.way_of(touch).map_or_else(Vector3::zeros, |first| Vector3::from_fn(|axis, _| x[first + axis]))
    }

    /// Whether the object under a contact point or grip moves under the forces of this frame.
    fn gives(&self, party: Party) -> bool {
        self.now.gives.iter().any(|give| give.of == party)
    }

    /// Adds along · Σ_j G_j f_j, m/s: the velocity that the reactions to the forces on the body give the object under
    /// a contact point or grip, with the opposite sign.
    fn add_give(&self, party: Party, along: &Vector3<f64>, row: &mut [f64]) {
        let unit = self.now.scales.contact_force();
        for give in self.now.gives.iter().filter(|give| give.of == party) {
            let answer = give.compliance.tr_mul(along) * unit;
            match give.by {
                Party::Grip(site) => {
                    let columns = self.grip_columns().iter().enumerate();
                    let of_site = |grip: usize| self.now.grips.list[grip].site == site;
                    for (k, column) in columns.filter(|(_, column)| of_site(column.grip)) {
                        row[self.grip_unknown(k)] += answer.dot(&column.direction);
                    }
                }
                Party::Object(_) | Party::Arm(..) => {}
                Party::Touch(slot) => {
                    let columns = self.contact_columns().iter().enumerate();
                    let of_slot = |touch: usize| self.now.contacts.touches[touch].slot == slot;
                    for (k, column) in columns.filter(|(_, column)| of_slot(column.touch)) {
                        row[self.contact_unknown(k)] += answer.dot(&column.direction);
                    }
                }
            }
        }
    }

    /// Mean velocity over the frame of the centre of mass of a passive object, by index, under the forces f of this
    /// frame: v_free − Σ_j G_j f_j, world, m/s. `None` if the character neither holds nor touches it, or if no
    /// objective needs it.
    pub fn object_velocity(&self, object: usize) -> Option<Affine<'a>> {
        let party = Party::Object(object);
        let free = self.free_velocity(party)?;
        let mut velocity = self.linearisation.pool.affine(self.unknowns());
        for axis in 0..3 {
            let row = velocity.push(Dimension::Length, free[axis]);
            self.add_give(party, &-Vector3::ith(axis, 1.0), row);
        }
        Some(velocity)
    }

    /// Mean angular velocity over the frame of the first part of a passive object, by index, world, rad/s: ½ Σ_i e_i ×
    /// (v_i − v)/l, with the velocities v_i of its points that are l from the centre of mass along each axis e_i.
    /// `None` as for [`object_velocity`](Self::object_velocity).
    pub fn object_turn(&self, object: usize) -> Option<Affine<'a>> {
        let centre = Party::Object(object);
        let centre_free = self.free_velocity(centre)?;
        let mut turn = self.linearisation.pool.affine(self.unknowns());
        for axis in 0..3 {
            // (e_i × u) · e is u · (e × e_i).
            let along = |arm| Vector3::ith(axis, 0.5 / Party::ARM).cross(&Vector3::ith(arm, 1.0));
            let free = |arm| Some(self.free_velocity(Party::Arm(object, arm))? - centre_free);
            let free = (0..3).map(|arm| Some(along(arm).dot(&free(arm)?))).sum::<Option<f64>>()?;
            let row = turn.push(Dimension::Angle, free);
            for arm in 0..3 {
                self.add_give(Party::Arm(object, arm), &-along(arm), row);
                self.add_give(centre, &along(arm), row);
            }
        }
        Some(turn)
    }

    /// v_free of a point of a passive object on which no force acts, world, m/s.
    fn free_velocity(&self, party: Party) -> Option<Vector3<f64>> {
        self.now.free_objects.iter().find(|(point, _)| *point == party).map(|(_, free)| *free)
    }

    /// Gap of a contact point (by index in the snapshot's list) after the frame, over dt: gap/dt + n⁺·(J v⁺ + ½ dt
    /// J̇v − u), m/s. The displacement of the body is accurate to second order; that of the surface, u dt, and its
    /// final normal, n⁺, are exact. For a passive object under forces f, u is replaced by u − Σ_j G_j f_j; for
    /// another character's body, u is unknown.
    #[doc(alias = "non-penetration")]
    pub fn gap_rate(&self, index: usize) -> Affine<'a> {
        let touch = &self.now.contacts.touches[index];
        let party = Party::Touch(touch.slot);
        let unknown = self.way_of(index);
        let is_wide = self.gives(party) || unknown.is_some();
        let width = if is_wide { self.unknowns() } else { self.model.nv };
        let known = 0.5 * self.dt() * touch.bias_acceleration - touch.next_surface_velocity;
        let known = touch.next_normal.dot(&known);
        let nv = self.model.nv;
        let jacobian = self.linearisation.touch_jacobians.row(index);
        let mut rate = self.linearisation.pool.affine(width);
        let row = rate.push(Dimension::Length, touch.gap / self.dt() + known);
        let (x, rest) = jacobian.split_at(nv);
        let (y, z) = rest.split_at(nv);
        let normal = &touch.next_normal;
        for (((a, x), y), z) in row.iter_mut().zip(x).zip(y).zip(z) {
            *a = x * normal.x + y * normal.y + z * normal.z;
        }
        self.add_give(party, &touch.next_normal, row);
        if let Some(unknown) = unknown {
            for axis in 0..3 {
                row[unknown + axis] -= touch.next_normal[axis];
            }
        }
        rate
    }

    /// Displacement of a grip's site (by index in the snapshot's list) over the frame with its second-order
    /// term, over dt, relative to the displacement of its hold under the forces f of this frame: J v⁺ + ½ dt
    /// J̇v + Σ_j G_j f_j, m/s.
    pub fn grip_rate(&self, index: usize) -> Affine<'a> {
        let Snapshot { grips, .. } = self.now;
        let (nv, grip) = (self.model.nv, &grips.list[index]);
        let party = Party::Grip(grip.site);
        let jacobian = self.linearisation.grip_jacobians.row(index);
        let width = if self.gives(party) { self.unknowns() } else { nv };
        let mut rate = self.linearisation.pool.affine(width);
        for axis in 0..3 {
            let second_order = 0.5 * self.dt() * grip.bias_acceleration[axis];
            let row = rate.push(Dimension::Length, second_order);
            row[..nv].copy_from_slice(&jacobian[axis * nv..(axis + 1) * nv]);
            self.add_give(party, &Vector3::ith(axis, 1.0), row);
        }
        rate
    }

    /// Force of a grip (by index in the snapshot's list), world, in m g/8.
    pub fn grip_force(&self, index: usize) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.unknowns());
        for axis in 0..3 {
            let row = affine.push(Dimension::Pure, 0.0);
            for (k, column) in self.grip_columns().iter().enumerate() {
                if column.grip == index {
                    row[self.grip_unknown(k)] = column.direction[axis];
                }
            }
        }
        affine
    }

    /// Sum of the forces of contacts and grips on bodies for which `is_part` holds, world, in m g/8.
    pub fn surrounding_force(&self, is_part: impl Fn(BodyId) -> bool) -> Affine<'a> {
        self.forces(is_part, |_, direction| *direction)
    }

    /// Sum of the moments of these forces about a point, world axes, in m g/8 m.
    pub fn surrounding_torque(&self, is_part: impl Fn(BodyId) -> bool, about: &Vector3<f64>) -> Affine<'a> {
        self.forces(is_part, |point, direction| (point - about).cross(direction))
    }

    /// Three rows: the sum, over the contacts and grips on bodies for which `is_part` holds, of the vector that `of`
    /// returns for the point (world, m) and the direction of a coefficient.
    fn forces(
        &self,
        is_part: impl Fn(BodyId) -> bool,
        of: impl Fn(&Vector3<f64>, &Vector3<f64>) -> Vector3<f64>,
    ) -> Affine<'a> {
        let Snapshot { contacts, grips, .. } = self.now;
        let mut sum = self.linearisation.pool.affine(self.unknowns());
        for axis in 0..3 {
            let row = sum.push(Dimension::Pure, 0.0);
            for (k, column) in self.contact_columns().iter().enumerate() {
                let touch = &contacts.touches[column.touch];
                if is_part(touch.body) {
                    row[self.contact_unknown(k)] = of(&touch.point, &column.direction)[axis];
                }
            }
            for (k, column) in self.grip_columns().iter().enumerate() {
                let grip = &grips.list[column.grip];
                if is_part(grip.body) {
                    row[self.grip_unknown(k)] = of(&grip.point, &column.direction)[axis];
                }
            }
        }
        sum
    }

    /// n·(J₂ − J₁) v⁺: velocity at which two points (world) of two bodies separate along `normal`, m/s.
    pub fn separation_rate(
        &self,
        bodies: [BodyId; 2],
        points: &[Vector3<f64>; 2],
        normal: &Vector3<f64>,
    ) -> Affine<'a> {
        let mut rate = self.linearisation.pool.affine(self.model.nv);
        let row = rate.push(Dimension::Length, 0.0);
        separation(self.model, &self.now.kinematics, bodies, points, normal, |j, share| row[j] += share);
        rate
    }

    /// Velocity of a contact point under v⁺ (the first of the unknowns `x`), world, m/s.
    pub fn touch_velocity(&self, index: usize, x: &[f64]) -> Vector3<f64> {
        let nv = self.model.nv;
        let jacobian = self.linearisation.touch_jacobians.row(index);
        Vector3::from_fn(|k, _| dot(&jacobian[k * nv..(k + 1) * nv], &x[..nv]))
    }

    /// Velocity J v⁺ of a grip's site (by index in the snapshot's list) under v⁺ (the first of the unknowns
    /// `x`), world, m/s.
    pub fn grip_velocity(&self, index: usize, x: &[f64]) -> Vector3<f64> {
        let nv = self.model.nv;
        let jacobian = self.linearisation.grip_jacobians.row(index);
        Vector3::from_fn(|axis, _| dot(&jacobian[axis * nv..(axis + 1) * nv], &x[..nv]))
    }

    /// Jacobian of a point that another character acts on (by index in the snapshot's list): 3 × nv numbers,
    /// row by row.
    pub(crate) fn borne_jacobian(&self, index: usize) -> &'a [f64] {
        self.linearisation.borne_jacobians.row(index)
    }

    /// Velocity J v⁺ of such a point under v⁺ (the first of the unknowns `x`), world, m/s.
    pub(crate) fn borne_velocity(&self, index: usize, x: &[f64]) -> Vector3<f64> {
        let (nv, jacobian) = (self.model.nv, self.borne_jacobian(index));
        Vector3::from_fn(|axis, _| dot(&jacobian[axis * nv..(axis + 1) * nv], &x[..nv]))
    }

    /// Normal force of all contacts for which `loads` is true, in m g/8.
    pub fn normal_force(&self, loads: impl Fn(&ContactPoint) -> bool) -> Affine<'a> {
        self.sum_of_forces(|touch, direction| if loads(touch) { direction.dot(&touch.normal) } else { 0.0 })
    }

    /// Sum of the vertical forces of all contacts, each times its `arm`, in m g/8.
    pub fn vertical_moment(&self, arm: impl Fn(&ContactPoint) -> f64) -> Affine<'a> {
        self.sum_of_forces(|touch, direction| arm(touch) * direction.z)
    }

    /// Sum over all contacts of what a force of m g/8 along an edge of the friction cone adds.
    fn sum_of_forces(&self, adds: impl Fn(&ContactPoint, &Vector3<f64>) -> f64) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.unknowns());
        let row = affine.push(Dimension::Pure, 0.0);
        for (k, column) in self.contact_columns().iter().enumerate() {
            row[self.model.nv + k] = adds(&self.now.contacts.touches[column.touch], &column.direction);
        }
        affine
    }
}
