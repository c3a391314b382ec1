//! Preview of the next steps: `[planner.preview_step]`.

use super::KeyBinder;
use aplomb_language::diagnostic::FileError;
use aplomb_language::expression::{Any, ScalarField, SiteField, VectorField};
use serde::Deserialize;

/// Plans up to three steps ahead with the linear inverted pendulum.
///
/// The planner enumerates both feet, seven swing times for the first step and three for each later one, and
/// one to three steps; for each candidate, a convex problem gives footholds and centres of pressure. The cost
/// is a sum of squared lengths, in m² for a body whose COM is 0.93 m high: the distance of the capture point
/// from the last sole, the distance of footholds from the region and from what the foot can reach in its time
/// (weighted by 100), and the costs below.
///
/// `preview_step.foot` is the first foot of the plan with the lowest cost, `preview_step.time` (s) the swing
/// time of its first step for a step of `swing`. With `time_left` until touchdown, `preview_step.target` (m)
/// is the landing point of `swing`, `preview_step.next_target` (m) that of the other foot after it,
/// `preview_step.steps` the number of steps in the plan, `preview_step.com` and `preview_step.capture_point`
/// (m) the COM and the capture point at touchdown, and `preview_step.cost` the cost of the plan.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PreviewStepSpec {
    /// Soles of the two feet; of equal costs, the first is chosen.
    pub(crate) feet: Vec<SiteField>,
    /// Sole of the swing foot: a binding of the state that selects it.
    pub swing: SiteField,
    /// Sole of the supporting foot.
    pub(crate) support: SiteField,
    /// Time until touchdown, s on the controller's clock.
    pub(crate) time_left: ScalarField,
    /// Shortest swing time, s on the controller's clock.
    #[serde(default = "shortest")]
    pub(crate) shortest: ScalarField,
    /// Longest swing time, s on the controller's clock.
    #[serde(default = "longest")]
    pub(crate) longest: ScalarField,
    /// Time from a touchdown until the other foot is lifted, s on the controller's clock.
    #[serde(default = "pause")]
    pub(crate) pause: ScalarField,
    /// Largest acceleration of the swing foot, m/s²: ahead, sideways, and 0.
    pub(crate) acceleration: VectorField,
    /// Preferred distance of a foothold from the capture point at touchdown, to the side of the swing foot,
    /// m; it has no cost.
    #[serde(default = "super::zero")]
    pub(crate) outward: ScalarField,
    /// How far beyond the edge of a sole the effective centre of pressure can be moved by rotating trunk and
    /// arms (a flywheel), m.
    #[serde(default = "super::zero")]
    pub(crate) lean: ScalarField,
    /// Near corner of the region of targets, m, from the supporting foot: x ahead, y to the side of the swing foot.
    pub(crate) near: VectorField,
    /// Far corner of that region, m.
    pub(crate) far: VectorField,
    /// Cost of a swing over the largest distance that `acceleration` allows, m².
    #[serde(default = "super::zero")]
    pub(crate) effort_price: ScalarField,
    /// Cost per m² of the squared deviation of a foothold from its preferred distance.
    #[serde(default = "super::zero")]
    pub(crate) offset_price: ScalarField,
    /// Cost of each step, m².
    #[serde(default = "super::zero")]
    pub(crate) step_price: ScalarField,
    /// Cost of lifting a foot that carries the whole weight, m².
    #[serde(default = "super::zero")]
    pub(crate) load_price: ScalarField,
}

fn shortest() -> ScalarField {
    ScalarField::number(0.16)
}

fn longest() -> ScalarField {
    ScalarField::number(0.34)
}

fn pause() -> ScalarField {
    ScalarField::number(0.04)
}

/// An output of the planner, by the last part of its name.
#[derive(Clone, Copy)]
pub(in crate::controller) enum Found {
    Foot,
    Time,
    Target,
    NextTarget,
    Steps,
    CapturePoint,
    Com,
    Cost,
}

impl Found {
    pub(in crate::controller) const ALL: [(&'static str, Found); 8] = [
        ("preview_step.foot", Found::Foot),
        ("preview_step.time", Found::Time),
        ("preview_step.target", Found::Target),
        ("preview_step.next_target", Found::NextTarget),
        ("preview_step.steps", Found::Steps),
        ("preview_step.capture_point", Found::CapturePoint),
        ("preview_step.com", Found::Com),
        ("preview_step.cost", Found::Cost),
    ];

    /// The quantity of the output.
    pub(super) fn quantity(self) -> &'static str {
        match self {
            Found::Foot => "[preview_step] foot",
            Found::Time => "[preview_step] time",
            Found::Target => "[preview_step] target",
            Found::NextTarget => "[preview_step] next_target",
            Found::Steps => "[preview_step] steps",
            Found::CapturePoint => "[preview_step] capture_point",
            Found::Com => "[preview_step] com",
            Found::Cost => "[preview_step] cost",
        }
    }

    /// Feet, times, outward distance, acceleration, near and far end of the region, prices; then, if it is
    /// fixed, the time until touchdown.
    pub(super) fn arguments(
        self,
        keys: &KeyBinder<'_>,
        step: &PreviewStepSpec,
    ) -> Result<Vec<Any>, FileError> {
        let [one, other] = &step.feet[..] else {
            let message = format!("steps are previewed with 2 feet, not {}", step.feet.len());
            return Err(FileError::new(keys.source, step.swing.span(), message));
        };
        let feet = match self {
            Found::Foot => [one, other],
            _ => [&step.swing, &step.support],
        };
        let time = match self {
            Found::Foot | Found::Time => None,
            _ => Some(keys.number(&step.time_left)?),
        };
        let [shortest, longest, pause] =
            [&step.shortest, &step.longest, &step.pause].map(|field| keys.number(field));
        let [outward, lean, load] =
            [&step.outward, &step.lean, &step.load_price].map(|field| keys.number(field));
        let [effort, offset, price] =
            [&step.effort_price, &step.offset_price, &step.step_price].map(|field| keys.number(field));
        let mut arguments = vec![
            keys.site(feet[0])?,
            keys.site(feet[1])?,
            Any::of_parts([shortest?, longest?, pause?]),
            Any::of_parts([outward?, lean?, load?]),
            keys.vector(&step.acceleration)?,
            keys.vector(&step.near)?,
            keys.vector(&step.far)?,
            Any::of_parts([effort?, offset?, price?]),
        ];
        arguments.extend(time);
        Ok(arguments)
    }
}
