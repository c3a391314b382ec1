//! Audit: whether a trace obeys the physics it claims, measured from the records alone.
//!
//! No code of the solver is used. Motion is differenced from the configurations, forces are those of the
//! records, and the equations of motion are checked against both by recursive Newton–Euler. What a trace does
//! not contain cannot be audited, and is listed.
//!
//! A check is one file and one line in `CHECKS`; it measures in `Gauge`s, each with its bound.

mod bench;
mod contact_place;
mod contact_slip;
mod couplings;
mod derived;
mod dry_friction;
mod energy;
mod equations;
mod fallback;
mod friction_cone;
mod gauge;
mod grip_place;
mod integration;
mod joint_limits;
mod momentum;
mod parts;
mod passive;
mod penetration;
mod ragdoll;
mod self_contact;
mod self_penetration;
mod sequence;
mod torque;

pub(crate) use gauge::Gauge;
pub use gauge::{GaugeResult, Spot};

use aplomb_body::dynamics::BiasVelocity;
use aplomb_trace::{Ending, Outcome, Trace};
use bench::{Bench, Passage, Poses};
use serde::Serialize;

/// A property of a run, measured frame by frame.
trait AuditCheck {
    /// Checks a frame and the next one.
    fn look(&mut self, passage: &Passage<'_>);

    /// Checks the whole run, after all frames.
    fn close(&mut self, _: &Trace, _: Option<&Ending>) {}

    /// Its gauges.
    fn gauges(&self) -> Vec<&Gauge>;

    /// Properties that it could not check, in plain sentences.
    fn unseen(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A check's name and constructor.
struct CheckKind {
    name: &'static str,
    make: fn(&Bench<'_>) -> Box<dyn AuditCheck>,
}

/// All checks, in the order of the report.
const CHECKS: [CheckKind; 19] = [
    CheckKind { name: "sequence", make: sequence::make },
    CheckKind { name: "parts", make: parts::make },
    CheckKind { name: "integration", make: integration::make },
    CheckKind { name: "derived", make: derived::make },
    CheckKind { name: "equations", make: equations::make },
    CheckKind { name: "momentum", make: momentum::make },
    CheckKind { name: "fallback", make: fallback::make },
    CheckKind { name: "ragdoll", make: ragdoll::make },
    CheckKind { name: "torque", make: torque::make },
    CheckKind { name: "joint_limits", make: joint_limits::make },
    CheckKind { name: "dry_friction", make: dry_friction::make },
    CheckKind { name: "couplings", make: couplings::make },
    CheckKind { name: "friction_cone", make: friction_cone::make },
    CheckKind { name: "contact_place", make: contact_place::make },
    CheckKind { name: "grip_place", make: grip_place::make },
    CheckKind { name: "contact_slip", make: contact_slip::make },
    CheckKind { name: "penetration", make: penetration::make },
    CheckKind { name: "self_penetration", make: self_penetration::make },
    CheckKind { name: "self_contact", make: self_contact::make },
];

/// The checks of passive objects, which need no character.
const PASSIVE: [CheckKind; 2] =
    [CheckKind { name: "passive", make: passive::make }, CheckKind { name: "energy", make: energy::make }];

/// Result of an audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// Name of the scene.
    pub scene: String,
    /// Number of records.
    pub frames: usize,
    /// Whether every measure is within its bound, and the body is that of the header.
    pub passed: bool,
    /// All measures.
    pub measures: Vec<GaugeResult>,
    /// Facts that could not be audited, with reasons.
    pub not_audited: Vec<String>,
    /// Settings of the scene that may help against a violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<&'static str>,
}

/// Hint for momentum that no force explains: the scene may request the momentum balances, or smaller parts.
const BALANCE: &str = "`bias_velocity = \"momentum\"` in the scene balances momentum at any time step; others are of \
                       first or second order in it, and limbs are flung here: a smaller `momentum_tolerance` \
                       divides more frames";
/// Hint for momentum that no force explains in a frame in which no muscle works.
const LIMP: &str = "limbs of a limp body are flung here: a shorter frame (`dt`) makes the error smaller, and a limp \
                    body that is a `ragdoll` has steps of its own (`passive_settings.dt`)";
/// Hint for a scene that turns division into parts off.
const UNDIVIDED: &str = "`momentum_tolerance = 0` in the scene turns division into parts off; with the default, frames \
                         in which limbs are flung are divided, and `bias_velocity = \"momentum\"` balances momentum \
                         in any case";

impl Audit {
    /// The measures beyond their bounds.
    pub fn broken(&self) -> impl Iterator<Item = &GaugeResult> {
        self.measures.iter().filter(|measure| !measure.held)
    }
}

/// Tolerance of momentum in the scene of a trace; `None` if its texts do not load.
fn momentum_tolerance(trace: &Trace) -> Option<f64> {
    let files = aplomb_scene::load_kept(&trace.header, &[]).ok()?;
    Some(*files.scene.momentum_tolerance.get_ref())
}

/// Settings that may help against momentum that no force explains.
fn help(trace: &Trace, measures: &[GaugeResult]) -> Option<&'static str> {
    let mut broken = measures.iter().filter(|measure| !measure.held);
    let first = broken.find_map(|measure| {
        let is_momentum = measure.check == "momentum" || measure.check == "ragdoll";
        measure.first_beyond.as_ref().filter(|_| is_momentum)
    })?;
    let frame = trace.frames.iter().find(|frame| frame.index == first.frame)?;
    if matches!(frame.outcome, Outcome::Limp) || frame.torque.iter().all(|torque| *torque == 0.0) {
        return Some(LIMP);
    }
    if trace.header.bias_velocity == BiasVelocity::Momentum.name() {
        return None;
    }
    Some(if momentum_tolerance(trace) == Some(0.0) { UNDIVIDED } else { BALANCE })
}

/// Audits a trace. `ending`: the end of the run, if the file has it.
pub fn audit(trace: &Trace, ending: Option<&Ending>) -> Audit {
    let bench = Bench::of(trace);
    let kinds = CHECKS.iter().filter(|kind| bench.acts() || kind.name == CHECKS[0].name).chain(&PASSIVE);
    let mut checks: Vec<(&str, Box<dyn AuditCheck>)> =
        kinds.map(|kind| (kind.name, (kind.make)(&bench))).collect();
    let mut poses = Poses::new(&bench);
    let steps = trace.steps();
    for number in 0..steps.len() {
        let passage = poses.passage(&bench, &steps, number);
        checks.iter_mut().for_each(|(_, check)| check.look(&passage));
    }
    checks.iter_mut().for_each(|(_, check)| check.close(trace, ending));
    let measures: Vec<GaugeResult> = checks
        .iter()
        .flat_map(|(name, check)| check.gauges().into_iter().map(|gauge| gauge.measure(name)))
        .filter(|measure| measure.looks > 0)
        .collect();
    let unseen = checks.iter().flat_map(|(_, check)| check.unseen());
    Audit {
        help: help(trace, &measures),
        scene: trace.header.scene.clone(),
        frames: trace.frames.len(),
        passed: measures.iter().all(|measure| measure.held) && !bench.lacks_its_body(),
        not_audited: bench.unseen(trace, ending).into_iter().chain(unseen).collect(),
        measures,
    }
}
