//! Coupled joints: linear MJCF `<equality><joint>` and URDF `<mimic>`.

use super::{JointId, JointKind, Model};

/// Largest rate at which a coupled joint with an error returns, rad/s or m/s: smaller errors are removed in
/// one frame.
pub const CATCH_UP_SPEED: f64 = 2.0;
/// Tolerance of a held joint beyond its range, rad or m.
const ROUND_OFF: f64 = 1e-9;

/// A hinge or slide F that follows another, L, or is held still: q_F − ref_F = offset + ratio (q_L − ref_L),
/// with the references of the joints. The couplings of a model are resolved: no leader follows another joint.
#[doc(alias = "mimic joint")]
#[doc(alias = "joint equality")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// The joint that follows.
    pub follower: JointId,
    /// The joint it follows; `None` if it is held at `offset`.
    pub leader: Option<JointId>,
    /// Offset, rad or m.
    pub offset: f64,
    /// Rate of the follower over that of the leader.
    pub ratio: f64,
    /// Line of its element in the file, from 1.
    pub line: usize,
}

/// Why a coupling is invalid.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CouplingError {
    /// The joint has a coupling already.
    Twice,
    /// The joint follows itself, through these joints.
    Circle(Vec<JointId>),
    /// The ranges do not overlap: the range of the leader, and the range that the follower's range implies
    /// for it.
    Apart {
        /// Range of the leader; for a held follower, the value at which it is held, as both ends.
        leader: [f64; 2],
        /// Range that the follower's range implies for the leader; for a held follower, its own range.
        follower: [f64; 2],
    },
}

impl Coupling {
    /// Value of the follower in the configuration `q`, rad or m.
    pub(crate) fn target(&self, model: &Model, q: &[f64]) -> f64 {
        let led = self.leader.map_or(0.0, |leader| {
            let leader = &model.joints[leader.0];
            self.ratio * (q[leader.q_index] - leader.reference)
        });
        model.joints[self.follower.0].reference + self.offset + led
    }

    /// Excess of the follower over that value, rad or m.
    pub fn error(&self, model: &Model, q: &[f64]) -> f64 {
        q[model.joints[self.follower.0].q_index] - self.target(model, q)
    }

    /// v_F − ratio v_L for the coming frame of `dt` seconds, rad/s or m/s: the error is removed at its end,
    /// or decreases at [`CATCH_UP_SPEED`].
    pub fn return_rate(&self, model: &Model, q: &[f64], dt: f64) -> f64 {
        (-self.error(model, q) / dt).clamp(-CATCH_UP_SPEED, CATCH_UP_SPEED)
    }

    /// Velocity coordinates of the follower and of the leader.
    pub fn coordinates(&self, model: &Model) -> (usize, Option<usize>) {
        let coordinate = |joint: JointId| model.joints[joint.0].v_index;
        (coordinate(self.follower), self.leader.map(coordinate))
    }

    /// v_F − ratio v_L for rates or accelerations `v`.
    pub fn of_rates(&self, model: &Model, v: &[f64]) -> f64 {
        let (follower, leader) = self.coordinates(model);
        v[follower] - leader.map_or(0.0, |leader| self.ratio * v[leader])
    }
}

impl Model {
    /// The coupling of a joint that follows.
    pub fn coupling_of(&self, joint: JointId) -> Option<&Coupling> {
        self.couplings.iter().find(|coupling| coupling.follower == joint)
    }

    /// Whether the joint of a velocity coordinate follows another, or is held.
    pub fn is_follower(&self, coordinate: usize) -> bool {
        self.couplings.iter().any(|coupling| coupling.coordinates(self).0 == coordinate)
    }

    /// Whether the joint of a velocity coordinate follows or leads.
    pub fn is_coupled(&self, coordinate: usize) -> bool {
        self.couplings.iter().any(|coupling| {
            let (follower, leader) = coupling.coordinates(self);
            follower == coordinate || leader == Some(coordinate)
        })
    }

    /// Sets coupled joints to the values that their leaders give.
    pub fn obey_couplings(&self, q: &mut [f64]) {
        for coupling in &self.couplings {
            q[self.joints[coupling.follower.0].q_index] = coupling.target(self, q);
        }
    }

    /// Sets the rates of coupled joints to those that their leaders give in `v`.
    pub fn obey_couplings_at(&self, v: &mut [f64]) {
        for coupling in &self.couplings {
            let (follower, leader) = coupling.coordinates(self);
            v[follower] = leader.map_or(0.0, |leader| coupling.ratio * v[leader]);
        }
    }

    /// Hinges and slides with dry friction that follow no other joint: velocity coordinate and largest
    /// torque, N m or N, including that of their followers.
    pub fn dry_friction(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let single = self.joints.iter().filter(|joint| can_be_coupled(&joint.kind));
        let free = single.filter(|joint| !self.is_follower(joint.v_index));
        let all = free.map(|joint| {
            let led =
                self.couplings.iter().filter(|coupling| coupling.coordinates(self).1 == Some(joint.v_index));
            let of_led = led.map(|led| led.ratio.abs() * self.joints[led.follower.0].friction);
            (joint.v_index, joint.friction + of_led.sum::<f64>())
        });
        all.filter(|(_, limit)| *limit > 0.0)
    }

    /// Adds couplings as written, in which leaders may be followers, and returns the errors by index. A follower has
    /// no actuator: the torque of one, if `driven` is true for it, acts on its leader through the ratio. Ranges of
    /// followers bound their leaders.
    pub(super) fn couple(
        &mut self,
        written: &[Coupling],
        driven: impl Fn(usize) -> bool,
    ) -> Vec<(usize, CouplingError)> {
        let mut errors = Vec::new();
        for (index, coupling) in written.iter().enumerate() {
            if written[..index].iter().any(|earlier| earlier.follower == coupling.follower) {
                errors.push((index, CouplingError::Twice));
                continue;
            }
            match resolved(coupling, written) {
                Ok(coupling) => self.couplings.push(coupling),
                Err(circle) => errors.push((index, CouplingError::Circle(circle))),
            }
        }
        if !errors.is_empty() {
            return errors;
        }
        for (index, coupling) in self.couplings.clone().iter().enumerate() {
            errors.extend(self.bound_leader(coupling).err().map(|error| (index, error)));
            self.hand_actuator_over(coupling, &driven);
        }
        errors
    }

    /// Narrows the range of the leader to the values at which the follower is within its own.
    fn bound_leader(&mut self, coupling: &Coupling) -> Result<(), CouplingError> {
        let follower = &self.joints[coupling.follower.0];
        let Some(own) = follower.range else { return Ok(()) };
        let relative = own.map(|end| end - follower.reference - coupling.offset);
        let Some(leader) = coupling.leader else {
            let is_within = relative[0] <= ROUND_OFF && relative[1] >= -ROUND_OFF;
            let at = follower.reference + coupling.offset;
            let apart = CouplingError::Apart { leader: [at, at], follower: own };
            return if is_within { Ok(()) } else { Err(apart) };
        };
        let leader = &mut self.joints[leader.0];
        let ends = relative.map(|end| leader.reference + end / coupling.ratio);
        let led = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let both = leader.range.map_or(led, |[low, high]| [low.max(led[0]), high.min(led[1])]);
        if both[0] > both[1] {
            let leader = leader.range.unwrap_or(led);
            return Err(CouplingError::Apart { leader, follower: led });
        }
        leader.range = Some(both);
        Ok(())
    }

    fn hand_actuator_over(&mut self, coupling: &Coupling, driven: impl Fn(usize) -> bool) {
        let (follower, leader) = coupling.coordinates(self);
        let own = std::mem::replace(&mut self.torque_limits[follower], [f64::NEG_INFINITY, f64::INFINITY]);
        if std::mem::take(&mut self.is_actuated[follower])
            && driven(follower)
            && let Some(leader) = leader
        {
            let through = own.map(|limit| coupling.ratio * limit);
            let added = [through[0].min(through[1]), through[0].max(through[1])];
            let was = if self.is_actuated[leader] { self.torque_limits[leader] } else { [0.0; 2] };
            self.torque_limits[leader] = [was[0] + added[0], was[1] + added[1]];
            self.is_actuated[leader] = true;
        }
    }
}

/// The coupling to the last leader of the chain, or the joints of the chain if it is a cycle.
fn resolved(coupling: &Coupling, written: &[Coupling]) -> Result<Coupling, Vec<JointId>> {
    let mut resolved = *coupling;
    let mut seen = vec![coupling.follower];
    loop {
        // A follower with ratio 0 is held.
        if resolved.ratio == 0.0 {
            resolved.leader = None;
        }
        let Some(leader) = resolved.leader else { break };
        seen.push(leader);
        if seen[..seen.len() - 1].contains(&leader) {
            return Err(seen);
        }
        let Some(next) = written.iter().find(|next| next.follower == leader) else { break };
        resolved.offset += resolved.ratio * next.offset;
        resolved.ratio *= next.ratio;
        resolved.leader = next.leader;
    }
    if resolved.leader.is_none() {
        resolved.ratio = 0.0;
    }
    Ok(resolved)
}

/// Whether a joint can follow or lead: it has one coordinate.
pub(super) fn can_be_coupled(kind: &JointKind) -> bool {
    matches!(kind, JointKind::Hinge { .. } | JointKind::Slide { .. })
}
