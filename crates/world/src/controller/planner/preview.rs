//! Preview of the next steps: `[planner.preview_step]`.

use super::KeyBinder;
use aplomb_language::diagnostic::FileError;
use aplomb_language::expression::{Any, ScalarField, SiteField, VectorField};
use serde::Deserialize;

/// The next steps, up to three, previewed with the linear inverted pendulum.
///
/// Both feet, seven swing times of the first step and three of each later one, and one, two or three steps
/// are tried; footholds and centres of pressure are those of a convex problem, solved for each. Squared
/// lengths add up to its cost, in m² for a body whose COM stands 0.93 m high: of what the capture point is
/// beyond the sole that lands last, of what footholds are beyond the region or what a foot reaches in its
/// time (a hundred times that), and the prices below.
///
/// `preview_step.foot` is the foot of the cheapest plan, `preview_step.time` (s) the time of its first step
/// for a step of `swing`. With `time_left` until touchdown, `preview_step.target` (m) is where `swing` should
/// land, `preview_step.next_target` (m) where the other foot does after it, `preview_step.steps` how many
/// steps there are in the plan, `preview_step.com` and `preview_step.capture_point` (m) where the COM and the
/// capture point are at touchdown, `preview_step.cost` what the plan costs.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PreviewStepSpec {
    /// The soles of the two feet; the first of those that cost the same.
    pub feet: Vec<SiteField>,
    /// The sole that swings: a binding of the state that chooses it.
    pub swing: SiteField,
    /// The sole that supports.
    pub support: SiteField,
    /// Time until touchdown, s on the controller's clock.
    pub time_left: ScalarField,
    /// Shortest swing time, s on the controller's clock.
    #[serde(default = "shortest")]
    pub shortest: ScalarField,
    /// Longest swing time, s on the controller's clock.
    #[serde(default = "longest")]
    pub longest: ScalarField,
    /// From a touchdown until the other foot is lifted, s on the controller's clock.
    #[serde(default = "pause")]
    pub pause: ScalarField,
    /// Largest acceleration of a swinging foot, m/s²: ahead, across, and 0.
    pub acceleration: VectorField,
    /// Distance of a foothold from the capture point at touchdown that costs nothing, to the side of the
    /// swing foot, m.
    #[serde(default = "super::zero")]
    pub outward: ScalarField,
    /// How far beyond a sole the force on the body can be led by turning trunk and arms (a flywheel), m.
    #[serde(default = "super::zero")]
    pub lean: ScalarField,
    /// Near corner of the region of targets: from the supporting foot, x ahead and y to the side of the swing
    /// foot, m.
    pub near: VectorField,
    /// Far corner of that region, m.
    pub far: VectorField,
    /// Price of a foot that swings as far as its acceleration lets it, m².
    #[serde(default = "super::zero")]
    pub effort_price: ScalarField,
    /// Price of each m² by which a foothold is off its distance from the capture point.
    #[serde(default = "super::zero")]
    pub offset_price: ScalarField,
    /// Price of each step, m².
    #[serde(default = "super::zero")]
    pub step_price: ScalarField,
    /// Price of the whole weight on the foot that is lifted, m².
    #[serde(default = "super::zero")]
    pub load_price: ScalarField,
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
