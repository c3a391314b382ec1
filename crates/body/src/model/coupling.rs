//! Joints that follow others: MJCF `<equality><joint>` and URDF `<mimic>`, linear.

use super::{JointId, JointKind, Model};

/// Fastest return of a joint that is not where the one it follows has it, rad/s or m/s: an error is taken back in one frame
/// where that is slow enough.
pub const CATCH_UP_SPEED: f64 = 2.0;
/// By how much the value of a joint that is held may be outside of its range, rad or m.
const ROUND_OFF: f64 = 1e-9;

/// A hinge or slide F that follows another, L, or is held still: q_F − ref_F = offset + ratio (q_L − ref_L), with the
/// references of the joints. What a model keeps is resolved: leaders follow no one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// The joint that follows.
    pub follower: JointId,
    /// The joint it follows; `None`: it is held at `offset`.
    pub leader: Option<JointId>,
    /// rad or m.
    pub offset: f64,
    /// Rate of the follower over that of the leader.
    pub ratio: f64,
    /// Line of its element in the file, from 1.
    pub line: usize,
}

/// Why a coupling cannot be.
#[derive(Clone, Debug, PartialEq)]
pub enum CouplingError {
    /// The joint follows another already.
    Twice,
    /// The joint follows itself, on the way over these.
    Circle(Vec<JointId>),
    /// Where one of them is within its range, the other is outside of its own; the range of the leader, and where it would
    /// have to be for the follower's.
    Apart {
        /// Range of the leader, or the value at which the follower is held twice.
        leader: [f64; 2],
        /// The same for the range of the follower.
        follower: [f64; 2],
    },
}

impl Coupling {
    /// Where the follower is to be in the configuration `q`, rad or m.
    pub fn target(&self, model: &Model, q: &[f64]) -> f64 {
        let led = self.leader.map_or(0.0, |leader| {
            let leader = &model.joints[leader.0];
            self.ratio * (q[leader.q_index] - leader.reference)
        });
        model.joints[self.follower.0].reference + self.offset + led
    }

    /// By how much the follower is beyond where it is to be, rad or m.
    pub fn error(&self, model: &Model, q: &[f64]) -> f64 {
        q[model.joints[self.follower.0].q_index] - self.target(model, q)
    }

    /// v_F − ratio v_L that the coming frame of `dt` seconds asks for, rad/s or m/s: the error is gone at its end, or
    /// goes at [`CATCH_UP_SPEED`].
    pub fn return_rate(&self, model: &Model, q: &[f64], dt: f64) -> f64 {
        (-self.error(model, q) / dt).clamp(-CATCH_UP_SPEED, CATCH_UP_SPEED)
    }

    /// Velocity coordinates of the follower and of the leader.
    pub fn coordinates(&self, model: &Model) -> (usize, Option<usize>) {
        let coordinate = |joint: JointId| model.joints[joint.0].v_index;
        (coordinate(self.follower), self.leader.map(coordinate))
    }

    /// v_F − ratio v_L, of rates or of accelerations.
    pub fn of_rates(&self, model: &Model, v: &[f64]) -> f64 {
        let (follower, leader) = self.coordinates(model);
        v[follower] - leader.map_or(0.0, |leader| self.ratio * v[leader])
    }
}

impl Model {
    /// The coupling by which a joint follows.
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

    /// Puts joints that follow where those they follow have them.
    pub fn obey_couplings(&self, q: &mut [f64]) {
        for coupling in &self.couplings {
            q[self.joints[coupling.follower.0].q_index] = coupling.target(self, q);
        }
    }

    /// Gives joints that follow the rates that those they follow have in `v`.
    pub fn obey_couplings_at(&self, v: &mut [f64]) {
        for coupling in &self.couplings {
            let (follower, leader) = coupling.coordinates(self);
            v[follower] = leader.map_or(0.0, |leader| coupling.ratio * v[leader]);
        }
    }

    /// Hinges and slides with dry friction that follow no other: velocity coordinate and greatest torque, N m or N, with
    /// what the friction of those that follow comes to.
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

    /// Adds couplings as they are written, leaders that follow among them, and returns what is wrong with each: by its
    /// index. Followers have no actuator: the torque of one, where `driven` says that it has it, acts on its leader
    /// through the ratio. Ranges of followers bound those they follow.
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

    /// Narrows the range of the leader to where the follower is within its own.
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

/// The coupling to the joint at the end of the chain of those that are followed; those on the way where it is a circle.
fn resolved(coupling: &Coupling, written: &[Coupling]) -> Result<Coupling, Vec<JointId>> {
    let mut resolved = *coupling;
    let mut seen = vec![coupling.follower];
    loop {
        // A joint that follows at no rate is held.
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

/// Whether a joint can follow or be followed: it has one coordinate.
pub(super) fn can_be_coupled(kind: &JointKind) -> bool {
    matches!(kind, JointKind::Hinge { .. } | JointKind::Slide { .. })
}
