//! One implicit step: backward Euler with constraints on the positions at its end [Hernandez 2011, eq. 3 and
//! 4].
//!
//! With q⁺ = q ⊕ h v⁺, the unknowns v⁺ and the impulses λ of the joints solve, linearised at the start of the
//! step,
//!
//! - m v⁺ = m v + h F,
//! - I(q⁺) ω⁺ = I(q) ω + h T(q⁺, v⁺),
//! - C(q⁺) = 0, that is J v⁺ = −C(q)/h.
//!
//! Beyond the paper:
//!
//! - The state of rotation is angular momentum, not angular velocity: the ω at the end of a step is I(q⁺)⁻¹
//!   of the momentum that results from the torques. Since joint forces and torques are equal and opposite,
//!   momentum is conserved to rounding, and the gyroscopic torque, which is implicit in this form, is damped
//!   like everything else and cannot amplify the twist of a thin body.
//! - A joint under a force f stiffens the rotation of its bodies by f times their levers. The paper's
//!   system omits this term, and diverges where the links of a taut chain swing faster than the step
//!   resolves. Here it damps the angular velocity of neighbours relative to each other; [Tournier 2015] has
//!   the stiffness itself, which also slows swing and flight.
//! - Projection passes solve again for the gaps remaining after the linearised constraints, with the same
//!   factors.

use super::block::Six;
use super::body::BodyVelocity;
use super::factor::{Slot, TreeFactor, TreeVector};
use super::link::Rising;
use super::{Chain, Parent};
use aplomb_math::dispatch::Work;
use aplomb_math::rotation::cross_matrix;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Number of coordinates along which joints couple bodies: rotation.
pub(super) const COUPLED: usize = 3;

/// Factor by which the largest impulse of a joint so far decays in a step: a load that bounces pulls
/// intermittently.
const PULL_MEMORY: f64 = 0.9;

/// Builds and eliminates the system from the leaves to the roots. Fails with the first body whose pivot
/// vanishes.
pub(super) struct Assemble<'a> {
    pub chain: &'a mut Chain,
    pub dt: f64,
}

/// Solves from the roots to the leaves and moves the bodies; their angular velocities are final in the `last`
/// pass.
pub(super) struct AdvancePass<'a> {
    pub chain: &'a mut Chain,
    pub dt: f64,
    pub last: bool,
}

/// Closes the joints at the end of the step, with the factors of its start.
pub(super) struct Close<'a> {
    pub chain: &'a mut Chain,
    pub dt: f64,
    pub last: bool,
}

/// d(I ω)/dδ for a rotation of the body by δ with ω constant: I [ω ×] − [I ω ×].
#[inline(always)]
fn momentum_derivative(inertia: &Matrix3<f64>, spin: &Vector3<f64>) -> Matrix3<f64> {
    inertia * cross_matrix(spin) - cross_matrix(&(inertia * spin))
}

/// Adds a 3 × 3 block to the last rows and columns.
#[inline(always)]
fn add_turning(block: &mut [Six; 6], turning: &Matrix3<f64>) {
    for c in 0..3 {
        for r in 0..3 {
            block[3 + c][3 + r] += turning[(r, c)];
        }
    }
}

impl Work for Assemble<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> Result<(), usize> {
        let Assemble { chain, dt } = self;
        for place in (0..chain.bodies.len()).rev() {
            if chain.has_no_child[place] {
                own_terms(chain, place, dt);
            }
            if let Parent::Body(parent) = chain.parents[place]
                && chain.is_last_child[place]
            {
                own_terms(chain, parent, dt);
            }
            match chain.factor.slots[place] {
                Slot::Three(link) => joint_terms(chain, place, dt, |factor| factor.three.rising_mut(link)),
                Slot::Five(link) => joint_terms(chain, place, dt, |factor| factor.five.rising_mut(link)),
                Slot::Six(link) => joint_terms(chain, place, dt, |factor| factor.six.rising_mut(link)),
                Slot::Free => (),
            }
            if !chain.factor.eliminate::<FUSED>(place) {
                return Err(place);
            }
            chain.factor.forward::<FUSED>(place, &mut chain.unknowns);
        }
        Ok(())
    }
}

impl Work for AdvancePass<'_> {
    /// Whether all numbers are finite.
    type Output = bool;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> bool {
        let AdvancePass { chain, dt, last } = self;
        let mut sum = 0.0;
        for place in 0..chain.bodies.len() {
            chain.factor.backward::<FUSED>(place, &mut chain.unknowns);
            let solved = BodyVelocity::from_six(&chain.unknowns.bodies[place]);
            let start = &chain.poses[place];
            let end = &mut chain.next_poses[place];
            end.position = start.position + dt * solved.velocity;
            end.orientation = UnitQuaternion::new(dt * solved.spin) * start.orientation;
            if last {
                finish(chain, place, dt);
            }
            sum += (solved.velocity + solved.spin).sum();
        }
        sum.is_finite()
    }
}

impl Work for Close<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> bool {
        let Close { chain, dt, last } = self;
        let mut sum = 0.0;
        chain.closing.bodies.fill([0.0; 6]);
        for place in (0..chain.bodies.len()).rev() {
            let parent = match chain.parents[place] {
                Parent::Body(parent) => Some(&chain.next_poses[parent]),
                Parent::Mount(mount) => Some(&chain.mounts[mount].pose),
                Parent::Nothing => None,
            };
            if let Some(parent) = parent {
                let gap = chain.joints[place].gap(&chain.next_poses[place], parent);
                chain.closing.joints[place] = gap.map(|gap| -gap / dt);
            }
            chain.factor.forward::<FUSED>(place, &mut chain.closing);
        }
        for place in 0..chain.bodies.len() {
            chain.factor.backward::<FUSED>(place, &mut chain.closing);
            let TreeVector { bodies, joints } = &chain.closing;
            for k in 0..6 {
                chain.unknowns.bodies[place][k] += bodies[place][k];
                chain.unknowns.joints[place][k] += joints[place][k];
            }
            let more = BodyVelocity::from_six(&bodies[place]);
            let end = &mut chain.next_poses[place];
            end.position += dt * more.velocity;
            end.orientation = UnitQuaternion::new(dt * more.spin) * end.orientation;
            if last {
                finish(chain, place, dt);
            }
            sum += (more.velocity + more.spin).sum();
        }
        sum.is_finite()
    }
}

/// Computes a body's velocity and angular velocity at the end of a step.
#[inline(always)]
fn finish(chain: &mut Chain, place: usize, dt: f64) {
    let (body, start, before) = (&chain.bodies[place], &chain.poses[place], &chain.motions[place].spin);
    let end = &mut chain.next_poses[place];
    let solved = BodyVelocity::from_six(&chain.unknowns.bodies[place]);
    let turn = dt * solved.spin;
    // I ω⁺ + d(I ω), both at the start
    let momentum = body.turn(start, &body.inertia, &(solved.spin + before.cross(&turn)))
        - body.turn(start, &body.inertia, before).cross(&turn);
    end.orientation.renormalize_fast();
    let spin = body.turn(end, &body.inverse_inertia, &momentum);
    chain.next_motions[place] = BodyVelocity { velocity: solved.velocity, spin };
    let [x, y, z, ..] = chain.unknowns.joints[place];
    chain.pulls[place] = Vector3::new(x, y, z).norm().max(PULL_MEMORY * chain.pulls[place]);
}

/// Adds a body's own terms: inertia, gravity, air drag, external forces, contacts and drives.
#[inline(always)]
fn own_terms(chain: &mut Chain, place: usize, dt: f64) {
    let body = &chain.bodies[place];
    let BodyVelocity { velocity, spin } = &chain.motions[place];
    let external = &chain.external[place];
    let inertia = body.world_inertia(&chain.poses[place]);
    let momentum = inertia * spin;
    let force = body.mass * chain.gravity + body.drag * chain.wind;
    let block = chain.factor.diagonal_mut(place);
    let right = &mut chain.unknowns.bodies[place];
    *block = [[0.0; 6]; 6];
    add_turning(block, &(inertia + dt * momentum_derivative(&inertia, spin)));
    for k in 0..3 {
        block[k][k] = body.mass + dt * body.drag;
        right[k] = body.mass * velocity[k] + dt * (force[k] + external[k]);
        right[3 + k] = momentum[k] + dt * external[3 + k];
    }
    if let Some(extra) = body.extra {
        chain.extras[extra].add_to(block, right);
    }
}

/// Adds a joint's terms: its rows, and its torques on both bodies.
#[inline(always)]
fn joint_terms<const M: usize>(
    chain: &mut Chain,
    place: usize,
    dt: f64,
    link: impl FnOnce(&mut TreeFactor<COUPLED>) -> &mut Rising<M, COUPLED>,
) {
    let (joint, parent, pose) = (&chain.joints[place], chain.parents[place], &chain.poses[place]);
    let (parent_pose, parent_spin) = match parent {
        Parent::Body(parent) => (&chain.poses[parent], Vector3::zeros()),
        Parent::Mount(mount) => (&chain.mounts[mount].pose, chain.mounts[mount].motion.spin),
        Parent::Nothing => return,
    };
    let across = pose.position + pose.orientation * joint.anchor - parent_pose.position;
    let rows = joint.constraint::<M>(pose, parent_pose, &across);
    let right = &mut chain.unknowns.joints[place];
    let pull = chain.pulls[place];
    right[..M].copy_from_slice(&rows.gap.map(|gap| -gap / dt));
    let damping = dt * joint.damping + joint.tension_damping(pull, dt);
    let (mut own, mut up) =
        (Matrix3::from_diagonal_element(damping), Matrix3::from_diagonal_element(-damping));
    let mut push = damping * parent_spin;
    if let Some(torque) = joint.torque(pose, parent_pose) {
        own -= dt * dt * torque.by_child;
        up -= dt * dt * torque.by_parent;
        push += dt * torque.value;
    }
    add_turning(chain.factor.diagonal_mut(place), &own);
    let link = link(&mut chain.factor);
    (link.child, link.parent) = (rows.child, rows.parent);
    (link.up, link.down) = (up.data.0, (-own).data.0);
    if let Parent::Body(parent) = parent {
        add_turning(chain.factor.diagonal_mut(parent), &-up);
        for k in 0..3 {
            chain.unknowns.bodies[parent][3 + k] -= push[k];
        }
    }
    for k in 0..3 {
        chain.unknowns.bodies[place][3 + k] += push[k];
    }
}
