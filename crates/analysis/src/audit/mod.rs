//! Whether a trace obeys the physics it claims: everything an outside referee would measure, from what was recorded alone.
//!
//! Nothing of the solver is asked again. Motion is differenced from the configurations, forces are those of the records, and
//! the equations of motion are held against both by recursive Newton–Euler. What a trace does not hold cannot be audited, and
//! is said.
//!
//! A check is one file and one line in `CHECKS`; it measures in [`Gauge`]s, each with what it allows.

mod bench;
mod contact_place;
mod contact_slip;
mod couplings;
mod derived;
mod dry_friction;
mod equations;
mod fallback;
mod friction_cone;
mod gauge;
mod grip_place;
mod integration;
mod joint_limits;
mod momentum;
mod passive;
mod penetration;
mod ragdoll;
mod self_penetration;
mod sequence;
mod torque;

pub use gauge::{Gauge, Measure, Spot};

use aplomb_trace::{Ending, Trace};
use bench::{Bench, Passage, Poses};
use serde::Serialize;

/// One thing that must be true of a run, measured frame by frame.
trait Check {
    /// Looks at a frame and the one that it led to.
    fn look(&mut self, passage: &Passage<'_>);

    /// Once all frames were looked at: what the whole run says.
    fn close(&mut self, _: &Trace, _: Option<&Ending>) {}

    /// What was measured.
    fn gauges(&self) -> Vec<&Gauge>;

    /// What it could not look at, in plain sentences.
    fn unseen(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A check's name and how it is made.
struct Kind {
    name: &'static str,
    make: fn(&Bench<'_>) -> Box<dyn Check>,
}

/// All checks, in the order in which they are told of.
const CHECKS: [Kind; 17] = [
    Kind { name: "sequence", make: sequence::make },
    Kind { name: "integration", make: integration::make },
    Kind { name: "derived", make: derived::make },
    Kind { name: "equations", make: equations::make },
    Kind { name: "momentum", make: momentum::make },
    Kind { name: "fallback", make: fallback::make },
    Kind { name: "ragdoll", make: ragdoll::make },
    Kind { name: "torque", make: torque::make },
    Kind { name: "joint_limits", make: joint_limits::make },
    Kind { name: "dry_friction", make: dry_friction::make },
    Kind { name: "couplings", make: couplings::make },
    Kind { name: "friction_cone", make: friction_cone::make },
    Kind { name: "contact_place", make: contact_place::make },
    Kind { name: "grip_place", make: grip_place::make },
    Kind { name: "contact_slip", make: contact_slip::make },
    Kind { name: "penetration", make: penetration::make },
    Kind { name: "self_penetration", make: self_penetration::make },
];

/// The check of passive objects, which needs no character.
const PASSIVE: Kind = Kind { name: "passive", make: passive::make };

/// What an audit came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// Name of the scene.
    pub scene: String,
    /// Number of records.
    pub frames: usize,
    /// Whether every measure is within what it allows, and the body is the one that the header says.
    pub passed: bool,
    /// All that was measured.
    pub measures: Vec<Measure>,
    /// What could not be audited, and why.
    pub not_audited: Vec<String>,
}

impl Audit {
    /// The measures that are beyond what they allow.
    pub fn broken(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter().filter(|measure| !measure.held)
    }
}

/// Audits a trace. `ending`: what its file says of how the run ended, where it says it.
pub fn audit(trace: &Trace, ending: Option<&Ending>) -> Audit {
    let bench = Bench::of(trace);
    let kinds = CHECKS.iter().filter(|kind| bench.acts() || kind.name == CHECKS[0].name).chain([&PASSIVE]);
    let mut checks: Vec<(&str, Box<dyn Check>)> =
        kinds.map(|kind| (kind.name, (kind.make)(&bench))).collect();
    let mut poses = Poses::new(&bench);
    for number in 0..trace.frames.len() {
        let passage = poses.passage(&bench, &trace.frames, number);
        checks.iter_mut().for_each(|(_, check)| check.look(&passage));
    }
    checks.iter_mut().for_each(|(_, check)| check.close(trace, ending));
    let measures: Vec<Measure> = checks
        .iter()
        .flat_map(|(name, check)| check.gauges().into_iter().map(|gauge| gauge.measure(name)))
        .filter(|measure| measure.looks > 0)
        .collect();
    let unseen = checks.iter().flat_map(|(_, check)| check.unseen());
    Audit {
        scene: trace.header.scene.clone(),
        frames: trace.frames.len(),
        passed: measures.iter().all(|measure| measure.held) && !bench.lacks_its_body(),
        not_audited: bench.unseen(trace, ending).into_iter().chain(unseen).collect(),
        measures,
    }
}
