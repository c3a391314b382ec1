//! The balances of linear and angular momentum from half step to half step, of configurations and forces
//! alone: they keep exactly where frames say `momentum`, and to the order of the frame's bias force
//! elsewhere: windows of a tenth of a second of calm motion are for gross mistakes.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::dynamics::half_step::floats_as_one;
use aplomb_body::dynamics::{BiasVelocity, HalfStep, Kinematics, momentum};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_body::model::state;
use aplomb_math::spatial::Force;
use aplomb_trace::FrameEvent;
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
    /// What the balances of the last frames missed, over their length, N s and N m s; where they are of one
    /// run of frames.
    window: VecDeque<Force>,
    sum: Force,
    frames: usize,
    is_possible: bool,
    fast: u64,
}

/// Length of a window, s.
const WINDOW: f64 = 0.1;
/// Error of a difference up to which motion is calm, as a share of gravity.
const CALM: f64 = 0.05;

pub fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    let model = &bench.model;
    Box::new(Momentum {
        balance: Gauge::new("momentum that no force gave, in a frame that balances it", "m g, m g h", 1e-6),
        linear: Gauge::new("linear momentum that no force gave in 0.1 s of calm motion", "m g", 0.1),
        angular: Gauge::new("angular momentum that no force gave in 0.1 s of calm motion", "m g h", 0.1),
        half: HalfStep::new(model),
        poses: Kinematics::new(model),
        q: vec![0.0; model.nq],
        step: vec![0.0; model.nv],
        window: VecDeque::new(),
        sum: Force::default(),
        frames: (WINDOW / bench.header.dt).round().max(1.0) as usize,
        is_possible: floats_as_one(model),
        fast: 0,
    })
}

impl AuditCheck for Momentum {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let (model, dt) = (&bench.model, bench.header.dt);
        // What is struck turns within the frame: its momentum of after is known from the next on alone.
        let is_impact = now.solve_events.iter().any(|event| matches!(event, FrameEvent::Impact { .. }));
        // Differences of first order in dt are some ω² r × ω dt of the acceleration.
        let fastest = now.v.iter().fold(0.0, |fastest: f64, rate| fastest.max(rate.abs()));
        let is_calm = fastest.powi(3) * dt * bench.header.com_height / STANDARD_GRAVITY <= CALM;
        if passage.solved().is_none() || !self.is_possible {
            return self.clear_window();
        }
        if is_impact || !is_calm {
            self.fast += 1;
            self.clear_window();
        }
        let missing = self.missing(passage);
        let (force, moment) = (missing.force.norm() / bench.weight, missing.moment.norm() / bench.torque);
        // Dampers of the root are forces of the world that no record has.
        let is_damped = model.joints.iter().any(|joint| model.is_root(joint.v_index) && joint.damping != 0.0);
        if now.bias_velocity == BiasVelocity::Momentum.name()
            && bench.advance == Advance::Predicted
            && !is_damped
        {
            self.balance.read(force.max(moment), now, || "root".into());
        }
        if is_impact || !is_calm {
            return;
        }
        self.window.push_back(missing * dt);
        self.sum += missing * dt;
        if self.window.len() > self.frames {
            let old = self.window.pop_front().unwrap_or_default();
            self.sum -= old;
        }
        if self.window.len() == self.frames && !is_damped {
            let time = self.frames as f64 * dt;
            self.linear.read(self.sum.force.norm() / bench.weight / time, now, || "root".into());
            self.angular.read(self.sum.moment.norm() / bench.torque / time, now, || "root".into());
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.balance, &self.linear, &self.angular]
    }

    fn unseen(&self) -> Vec<String> {
        let said = "balances of momentum: the body does not hang from one free joint";
        let fast =
            format!("balances of momentum over 0.1 s around {} frames of impacts and fast motion", self.fast);
        let fast = (self.fast > 0).then_some(fast);
        (!self.is_possible).then(|| said.into()).into_iter().chain(fast).collect()
    }
}

impl Momentum {
    fn clear_window(&mut self) {
        self.window.clear();
        self.sum = Force::default();
    }

    /// The rate of momentum from half step to half step that neither the frame's forces nor gravity give, N
    /// and N m about the centre of mass.
    fn missing(&mut self, passage: &Passage<'_>) -> Force {
        let (bench, now) = (passage.bench, passage.now);
        let (model, dt) = (&bench.model, bench.header.dt);
        match passage.before {
            Some(before) => self.q.clone_from(&before.q),
            None => {
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
        let acting = bench.forces(now).into_iter().sum::<Force>().about(&com);
        let rate = (after - before) * (1.0 / (dt * dt));
        Force::new(rate.moment - acting.moment, rate.force - acting.force - bench.gravity * model.mass())
    }
}
