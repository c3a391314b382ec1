//! [Jain 2009] §6.1.1 (1): G_cp = proj(COM) − C_sp.

use super::{
    Axes, Binder, BoundObjective, Evaluated, Marker, Now, Objective, Rates, Residual, Statement, Subject,
};
use crate::predict::Prediction;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::BodyField;
use aplomb_math::geometry::Polygon;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = proj(c⁺) − centroid of the support polygon, m.
#[doc(alias = "balance task")]
#[doc(alias = "center of mass")]
#[derive(Clone, Debug, Default)]
pub struct ComOverSupport {
    /// Bodies whose contacts, and those of their subtrees, form the support; all bodies if empty.
    pub feet: Vec<BodyId>,
    /// Whether rates are relative to the supporting surface, so that a moving floor carries the character along. If
    /// not, the character compensates the motion of an oscillating floor.
    pub follow: bool,
}

impl ComOverSupport {
    /// Centroid of the support polygon, at height 0, m.
    fn centre(&self, now: &Now<'_>) -> Option<Vector3<f64>> {
        let centre = if self.feet.is_empty() {
            now.support.centre()?
        } else {
            let is_foot = |body| self.feet.iter().any(|foot| now.model.is_within(body, *foot));
            now.support_of(is_foot, Polygon::centre)?
        };
        Some(Vector3::new(centre.x, centre.y, 0.0))
    }
}

impl Objective for ComOverSupport {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let residual = Residual::position(next.com().horizontal() - self.centre(now)?);
        if !self.follow {
            return Some(residual);
        }
        let velocity = now.support_velocity;
        Some(residual.moving(next, (0..2).map(|row| Rates { velocity: velocity[row], acceleration: 0.0 })))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Point(Axes::Horizontal))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        Axes::Horizontal.compare(self.centre(now)?, now.com, pairs);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        Some(Axes::Horizontal.towards(now.com, self.centre(now)?, None))
    }
}

/// r = proj(c⁺) − centroid of the support polygon, m.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComOverSupportSpec {
    /// Bodies whose contacts, including those of their descendants, form the support; default: all contacts.
    #[serde(default)]
    feet: Vec<BodyField>,
    /// Measure velocities relative to the support, so that the COM moves along with a moving floor. Otherwise
    /// a shaking floor moves beneath the COM.
    #[serde(default)]
    follow: bool,
}

impl ComOverSupportSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            others: self.feet.iter().map(|foot| foot.written(source)).collect(),
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let feet = self.feet.iter().map(|foot| foot.bind(binder.source, binder.names));
        let (bound, follow) = (feet.collect::<Result<Vec<_>, _>>()?, self.follow);
        Ok(Evaluated::new(
            Subject::Point(Axes::Horizontal),
            move |before: Option<ComOverSupport>, values, _| {
                let mut feet = before.map(|before| before.feet).unwrap_or_default();
                feet.clear();
                feet.extend(bound.iter().map(|foot| foot.value(values)));
                Some(ComOverSupport { feet, follow })
            },
        ))
    }
}
