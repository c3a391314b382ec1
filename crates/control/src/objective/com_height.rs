//! Height of the COM.

use super::{
    Axes, Binder, BoundObjective, Evaluated, Marker, Now, Objective, Residual, Statement, Subject, Target,
};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{ScalarField, Unit};
use aplomb_math::interpolation::Rates;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = c_z⁺ − footing − target, m, above the footing, the surface that the feet stand on
/// ([`Snapshot::footing_height`]), or above a given world height. Rates are relative to a footing that rises or
/// sinks.
///
/// [`Snapshot::footing_height`]: crate::snapshot::Snapshot::footing_height
#[doc(alias = "center of mass height")]
#[derive(Clone, Copy, Debug)]
pub struct ComHeight {
    /// Target height above the footing or above `over`, m.
    pub target: Target<f64>,
    /// Height that the target is relative to instead of the footing, world, m.
    pub over: Option<Target<f64>>,
}

impl ComHeight {
    /// Height that the target is relative to, world, m.
    fn base(&self, now: &Now<'_>) -> f64 {
        self.over.map_or(now.footing_height, |over| over.value)
    }
}

impl Objective for ComHeight {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let goal = self.base(now) + self.target.value;
        let residual = Residual::position(next.com().component(2) - goal);
        let mut rates = self.target.rates.unwrap_or_default();
        match self.over {
            None => rates.velocity += now.footing_rate,
            Some(over) => {
                let more = over.rates.unwrap_or_default();
                rates.velocity += more.velocity;
                rates.acceleration += more.acceleration;
            }
        }
        Some(if rates == Rates::default() { residual } else { residual.moving(next, [rates]) })
    }

    fn follows(&self) -> Option<&'static str> {
        self.target.is_followed().then_some("m")
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Height)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        pairs.push([self.target.value, now.com.z - self.base(now)]);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        let target = Vector3::new(0.0, 0.0, self.base(now) + self.target.value);
        Some(Axes::Vertical.towards(now.com, target, Some("of.com_height.target")))
    }
}

/// r = c_z⁺ − footing − target, m. The footing is the height of the surface that the feet stand on (the
/// ground, a tread, a moving floor), or of the highest surface under the COM if no foot is loaded.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComHeightSpec {
    /// Target height over the footing, m; e.g. `"0.985 * standing_height"`.
    target: ScalarField,
    /// World height that the target is relative to, m, in place of the footing, which jumps at each step up
    /// or down; e.g. `"lerp(here, there, smoothstep(0, 1, state_time))"`. `follow` applies to it as well.
    over: Option<ScalarField>,
    /// Feed the target's velocity and acceleration forward, which avoids a lag. Default: `true` for a target
    /// that depends only on `time`, `state_time` or keyframes.
    follow: Option<bool>,
}

impl ComHeightSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(String::new()),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::METRE),
            others: self.over.iter().map(|over| over.written_as(source)).collect(),
            // The base may move while the target is constant.
            follow: self.follow.filter(|_| self.over.is_none()),
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let target = binder.number_target(&self.target, self.follow)?;
        let follow = target.follow;
        let over = self.over.as_ref().map(|over| binder.number_target(over, self.follow)).transpose()?;
        let made = Evaluated::new(Subject::Height, move |_, values, now| {
            let over = match &over {
                None => None,
                Some(over) => Some(over.known(values, now)?),
            };
            Some(ComHeight { target: target.known(values, now)?, over })
        });
        Ok(made.following(follow, "m"))
    }
}
