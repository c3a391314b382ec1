//! The balances of linear and angular momentum from half step to half step, from configurations and forces alone:
//! they hold exactly where frames have the bias velocity `momentum`, and to the order of the frame's bias force
//! elsewhere. No window of 0.1 s is excluded: impacts, fast motion, ragdolls and frames without a solution are
//! checked too.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::dynamics::half_step::floats_as_one;
use aplomb_body::dynamics::{BiasVelocity, HalfStep, Kinematics, momentum};
use aplomb_body::model::state;
use aplomb_math::spatial::Force;
use aplomb_trace::Outcome;
use aplomb_world::Advance;
use std::collections::VecDeque;

struct Momentum {
    balance: Gauge,
    linear: Gauge,
    angular: Gauge,
    half: HalfStep,
    poses: Kinematics,
    q: Vec<f64>,
    step: Vec<f64>,
    /// Length, s, and residuals of the balances over it, N s and N m s, of the last frames, if these are consecutive.
    window: VecDeque<(f64, Force)>,
    /// Length of the window, s, and its sum.
    length: f64,
    sum: Force,
    /// Length of a full window in whole frames, s.
    full: f64,
    is_possible: bool,
}

/// Length of a window, s.
const WINDOW: f64 = 0.1;
/// Tolerance, m g and m g h: the first-order error that impacts and fast limbs cause.
const MISSING: f64 = 0.1;

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    let model = &bench.model;
    Box::new(Momentum {
        balance: Gauge::new("momentum that no force gave, in a frame that balances it", "m g, m g h", 1e-6),
        linear: Gauge::new("linear momentum that no force gave in 0.1 s", "m g", MISSING),
        angular: Gauge::new("angular momentum that no force gave in 0.1 s", "m g h", MISSING),
        half: HalfStep::new(model),
        poses: Kinematics::new(model),
        q: vec![0.0; model.nq],
        step: vec![0.0; model.nv],
        window: VecDeque::new(),
        length: 0.0,
        sum: Force::default(),
        full: (WINDOW / bench.header.dt).round().max(1.0) * bench.header.dt,
        is_possible: floats_as_one(model),
    })
}

impl AuditCheck for Momentum {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let (model, dt) = (&bench.model, passage.dt);
        let is_limp = matches!(now.outcome, Outcome::Limp) && passage.next.is_some();
        if !self.is_possible || passage.next.is_none() {
            return self.clear_window();
        }
        let missing = if is_limp { missing_of_a_ragdoll(passage) } else { self.missing(passage) };
        let (force, moment) = (missing.force.norm() / bench.weight, missing.moment.norm() / bench.torque);
        // Dampers of the root are external forces that are not recorded.
        let is_damped = model.joints.iter().any(|joint| model.is_root(joint.v_index) && joint.damping != 0.0);
        if !is_limp
            && now.bias_velocity == BiasVelocity::Momentum.name()
            && bench.advance == Advance::Predicted
            && !is_damped
        {
            self.balance.read(force.max(moment), now, || "root".into());
        }
        if is_damped {
            return;
        }
        let missing = missing * passage.turning_time();
        self.window.push_back((dt, missing));
        self.length += dt;
        self.sum += missing;
        // The small tolerance keeps round-off from removing a frame.
        while self.length > self.full + 1e-9 {
            let Some((dt, old)) = self.window.pop_front() else { break };
            self.length -= dt;
            self.sum -= old;
        }
        if self.length > self.full - 1e-9 {
            self.linear.read(self.sum.force.norm() / bench.weight / self.length, now, || "root".into());
            self.angular.read(self.sum.moment.norm() / bench.torque / self.length, now, || "root".into());
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.balance, &self.linear, &self.angular]
    }

    fn unseen(&self) -> Vec<String> {
        let reason = "balances of momentum: the body does not hang from one free joint";
        (!self.is_possible).then(|| reason.into()).into_iter().collect()
    }
}

impl Momentum {
    fn clear_window(&mut self) {
        self.window.clear();
        self.length = 0.0;
        self.sum = Force::default();
    }

    /// The rate of momentum from half step to half step that neither the frame's forces nor gravity explain,
    /// N and N m about the centre of mass.
    fn missing(&mut self, passage: &Passage<'_>) -> Force {
        let (bench, now) = (passage.bench, passage.now);
        let (model, dt) = (&bench.model, passage.dt);
        let mut dt_before = passage.dt_before;
        // After a frame of a ragdoll the velocity is that at its end, not the mean over it.
        match passage.before.filter(|before| !matches!(before.outcome, Outcome::Limp)) {
            Some(before) => self.q.clone_from(&before.q),
            None => {
                dt_before = dt;
                self.step.iter_mut().zip(&now.v).for_each(|(step, v)| *step = -dt * v);
                state::integrate(model, &now.q, &self.step, &mut self.q);
            }
        }
        self.poses.update_poses(model, &self.q);
        self.half.begin(model, &self.poses);
        let before = self.half.end(model, &self.poses, passage.here);
        self.half.begin(model, passage.here);
        let after = self.half.end(model, passage.here, passage.there);
        let com = momentum::com(passage.here);
        let acting = passage.forces().into_iter().sum::<Force>().about(&com);
        let rate = (after * (1.0 / dt) - before * (1.0 / dt_before)) * (1.0 / passage.turning_time());
        let weight = bench.gravity * model.mass();
        Force::new(rate.moment - acting.moment, rate.force - acting.force - weight)
    }
}

/// The rate of momentum over a frame of a ragdoll that neither its forces nor gravity explain, N and N m about the mean
/// of its centres of mass: its velocities are those at the ends of the frame, not means over it.
fn missing_of_a_ragdoll(passage: &Passage<'_>) -> Force {
    let bench = passage.bench;
    let [before, after] = [passage.here, passage.there].map(momentum::centroidal_momentum);
    let com = (momentum::com(passage.here) + momentum::com(passage.there)) / 2.0;
    let acting = passage.forces().into_iter().sum::<Force>().about(&com);
    let rate = (after - before) * (1.0 / passage.dt);
    Force::new(rate.moment - acting.moment, rate.force - acting.force - bench.gravity * bench.model.mass())
}
