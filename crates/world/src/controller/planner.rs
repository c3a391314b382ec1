//! Planners: named tables of a controller whose outputs every expression of the file can use, such as
//! `capture_step.target`.
//!
//! A planner is a quantity with many arguments, each of them a key. Its outputs have the values of the frame
//! and state in which they are used, like definitions; they are evaluated after all definitions and may use
//! them.

mod preview;

pub use preview::PreviewStepSpec;

use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{
    Any, HoldField, Meaning, Names, PlaceField, ScalarField, SiteField, VectorField,
};
use indexmap::IndexMap;
use preview::Found;
use serde::Deserialize;

/// Planners of the controller; every expression can read their outputs by dotted names.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannerSpec {
    /// Plans a step that brings the body to rest: which foot, when and where.
    pub capture_step: Option<CaptureStepSpec>,
    /// The same, with a preview of up to three steps.
    pub preview_step: Option<PreviewStepSpec>,
    /// Searches for a free hold, by name: `next_hold.NAME` is the hold.
    #[serde(default)]
    pub next_hold: IndexMap<Spanned<String>, NextHoldSpec>,
}

/// Plans a step to the capture point with the linear inverted pendulum.
///
/// `capture_step.foot` is the foot with the lowest cost, `capture_step.time` (s) the swing time with the
/// lowest cost for a step of `swing`, and `capture_step.target` (m) the landing point of `swing` in
/// `time_left`. `capture_step.astray` (m) is the largest distance of a foot from its nominal place relative
/// to the others. The cost of a step is the distance of its target from the reachable region plus the costs
/// below, all in metres for a body whose COM is 0.93 m high.
///
/// With more than two feet, all others support, and the target of a foot is its nominal place under its hip,
/// shifted so that the mean of all nominal places is at the capture point at touchdown. The distance of that
/// capture point from the support is then a part of the cost.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CaptureStepSpec {
    /// Soles of the candidate feet, two or more; of equal costs, the first is chosen.
    pub(crate) feet: Vec<SiteField>,
    /// Sole of the swing foot: a binding of the state that selects it.
    pub swing: SiteField,
    /// Sole of the supporting foot; default: all `feet` that do not swing.
    pub(crate) support: Option<SiteField>,
    /// Whether each foot steps together with the one whose hip is farthest from its own, as in a trot. That
    /// foot is `capture_step.partner`, and its landing point `capture_step.partner_target`.
    #[serde(default)]
    pub(crate) pairs: bool,
    /// Three candidate swing times, s on the controller's clock.
    #[serde(default = "default_times")]
    pub(crate) swing_times: VectorField,
    /// Time until touchdown, s on the controller's clock.
    pub(crate) time_left: ScalarField,
    /// Distance of the target from the capture point at touchdown, to the side of the swing foot, m.
    #[serde(default = "zero")]
    pub(crate) outward: ScalarField,
    /// Near corner of the region of targets, m, from the supporting foot: x ahead, y to the side of the swing
    /// foot. If several feet support: from the point under the hip at touchdown.
    pub(crate) near: VectorField,
    /// Far corner of that region, m.
    pub(crate) far: VectorField,
    /// Cost per metre of step length, m; if several feet support, per metre of the distance of the supporting
    /// feet from their nominal places.
    #[serde(default = "zero")]
    pub(crate) length_price: ScalarField,
    /// Cost of lifting a foot that carries the whole weight, m.
    #[serde(default = "zero")]
    pub(crate) load_price: ScalarField,
    /// Cost per second by which a swing is shorter than the longest candidate, m.
    #[serde(default = "zero")]
    pub(crate) haste_price: ScalarField,
}

/// Searches for the free hold nearest to a site. `next_hold.NAME` is none if no hold is within reach and in
/// the box.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NextHoldSpec {
    /// Kind of holds: for hands or for feet.
    pub(crate) limb: Limb,
    /// Body or site that will take the hold.
    pub(crate) site: PlaceField,
    /// Origin of reach and box, world, m: a shoulder or a hip.
    pub(crate) from: VectorField,
    /// Largest distance of the hold from `from`, m.
    pub(crate) reach: ScalarField,
    /// Low corner of the box that contains the hold, relative to `from`, m: x ahead of the root body, y to
    /// its left, z up.
    pub(crate) low: VectorField,
    /// High corner of the box, m.
    pub(crate) high: VectorField,
    /// Hold that is excluded.
    pub(crate) except: HoldField,
}

/// Limb that takes a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Limb {
    /// A hand.
    Hand,
    /// A foot.
    Foot,
}

/// Largest number of feet in a step plan.
const MOST_FEET: usize = 8;

fn zero() -> ScalarField {
    ScalarField::number(0.0)
}

fn default_times() -> VectorField {
    VectorField::constant([0.30, 0.25, 0.20])
}

/// An output of a planner.
pub(super) enum Output<'a> {
    Foot(&'a CaptureStepSpec),
    Time(&'a CaptureStepSpec),
    Target(&'a CaptureStepSpec),
    Astray(&'a CaptureStepSpec),
    Partner(&'a CaptureStepSpec),
    PartnerTarget(&'a CaptureStepSpec),
    Preview(Found, &'a PreviewStepSpec),
    Hold(&'a NextHoldSpec),
}

/// The outputs of a controller's planner with their names, in the order of the file.
pub(super) fn outputs(planner: &PlannerSpec) -> impl Iterator<Item = (String, Output<'_>)> {
    let steps = planner.capture_step.iter().flat_map(|step| {
        let named = |name: &str, output| (format!("capture_step.{name}"), output);
        let partner = step.pairs.then(|| {
            [named("partner", Output::Partner(step)), named("partner_target", Output::PartnerTarget(step))]
        });
        let single = [
            named("foot", Output::Foot(step)),
            named("time", Output::Time(step)),
            named("target", Output::Target(step)),
            named("astray", Output::Astray(step)),
        ];
        single.into_iter().chain(partner.into_iter().flatten())
    });
    let previews = planner.preview_step.iter().flat_map(|step| {
        Found::ALL.into_iter().map(move |(name, found)| (name.to_owned(), Output::Preview(found, step)))
    });
    let holds = planner.next_hold.iter();
    steps.chain(previews).chain(holds.map(|(name, hold)| (format!("next_hold.{name}"), Output::Hold(hold))))
}

impl Output<'_> {
    /// The expression of the output. `frame` has the quantities, `names` the other names that the keys may use.
    pub(super) fn bind(
        &self,
        source: &Source,
        frame: &dyn Names,
        names: &dyn Names,
    ) -> Result<Any, FileError> {
        let keys = KeyBinder { source, names };
        let (quantity, arguments) = match self {
            Output::Foot(step) => ("[capture_step] foot", keys.prices(step, keys.feet(step)?)?),
            Output::Time(step) => ("[capture_step] time", keys.prices(step, keys.swinging(step)?)?),
            Output::Target(step) => ("[capture_step] target", keys.landing(step)?),
            Output::Astray(step) => ("[capture_step] astray", keys.feet(step)?),
            Output::Partner(step) => ("[capture_step] partner", keys.swinging(step)?),
            Output::PartnerTarget(step) => ("[capture_step] partner_target", keys.landing(step)?),
            Output::Preview(found, step) => (found.quantity(), found.arguments(&keys, step)?),
            Output::Hold(hold) => {
                let quantity = if hold.limb == Limb::Hand { "[next_hold] hand" } else { "[next_hold] foot" };
                let mut arguments = vec![hold.site.bind(source, names)?.into(), keys.vector(&hold.from)?];
                arguments.extend([
                    keys.number(&hold.reach)?,
                    keys.vector(&hold.low)?,
                    keys.vector(&hold.high)?,
                ]);
                arguments.push(hold.except.bind(source, names)?.into());
                (quantity, arguments)
            }
        };
        match frame.meaning(quantity) {
            Some(Meaning::Quantity { slot, result, .. }) => Ok(Any::call(slot, result, arguments)),
            _ => Err(FileError::new(source, 0..0, format!("planners need the quantity `{quantity}`"))),
        }
    }
}

/// Binds keys to arguments.
struct KeyBinder<'a> {
    source: &'a Source,
    names: &'a dyn Names,
}

impl KeyBinder<'_> {
    fn site(&self, field: &SiteField) -> Result<Any, FileError> {
        Ok(field.bind(self.source, self.names)?.into())
    }

    fn number(&self, field: &ScalarField) -> Result<Any, FileError> {
        field.bind(self.source, self.names)?.expression().ok_or_else(|| self.keyframed(field.span()))
    }

    fn vector(&self, field: &VectorField) -> Result<Any, FileError> {
        field.bind(self.source, self.names)?.expression().ok_or_else(|| self.keyframed(field.span()))
    }

    fn keyframed(&self, span: std::ops::Range<usize>) -> FileError {
        FileError::new(self.source, span, "a planner takes no keyframes")
            .help("write an expression of `time`")
    }

    /// All feet that the planner may choose from.
    fn feet(&self, step: &CaptureStepSpec) -> Result<Vec<Any>, FileError> {
        let (least, most) = (if step.pairs { 4 } else { 2 }, MOST_FEET);
        if !(least..=most).contains(&step.feet.len()) {
            let message = format!("a step is planned with {least} to {most} feet, not {}", step.feet.len());
            return Err(FileError::new(self.source, step.swing.span(), message));
        }
        step.feet.iter().map(|foot| self.site(foot)).collect()
    }

    /// The swinging foot, then the supporting ones or, in the list of all, the candidates.
    fn swinging(&self, step: &CaptureStepSpec) -> Result<Vec<Any>, FileError> {
        let mut arguments = vec![self.site(&step.swing)?];
        match &step.support {
            Some(support) => arguments.push(self.site(support)?),
            None => arguments.extend(self.feet(step)?),
        }
        Ok(arguments)
    }

    /// Swinging and supporting feet, time, outward distance and region.
    fn landing(&self, step: &CaptureStepSpec) -> Result<Vec<Any>, FileError> {
        let mut arguments = self.swinging(step)?;
        arguments.extend([self.number(&step.time_left)?, self.number(&step.outward)?]);
        arguments.extend([self.vector(&step.near)?, self.vector(&step.far)?]);
        self.in_pairs(step, &mut arguments)?;
        Ok(arguments)
    }

    /// A last argument marks that feet step in pairs.
    fn in_pairs(&self, step: &CaptureStepSpec, arguments: &mut Vec<Any>) -> Result<(), FileError> {
        if step.pairs {
            arguments.push(self.number(&ScalarField::number(1.0))?);
        }
        Ok(())
    }

    /// Feet, swing times, outward distance, region and prices.
    fn prices(&self, step: &CaptureStepSpec, feet: Vec<Any>) -> Result<Vec<Any>, FileError> {
        let prices = [&step.length_price, &step.load_price, &step.haste_price];
        let [length, load, haste] = prices.map(|price| self.number(price));
        let mut arguments = feet;
        arguments.extend([
            self.vector(&step.swing_times)?,
            self.number(&step.outward)?,
            self.vector(&step.near)?,
            self.vector(&step.far)?,
            Any::of_parts([length?, load?, haste?]),
        ]);
        self.in_pairs(step, &mut arguments)?;
        Ok(arguments)
    }
}
