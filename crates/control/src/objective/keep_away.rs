//! [Jain 2009] §6.1.4: G_dodge, a point away from a line or a point. The paper maximises the distance by a
//! negative weight; here a point nearer than the clearance is driven away, which keeps the problem convex.

use super::{Binder, BoundObjective, Evaluated, Marker, Now, Objective, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::contact::tangents;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{PlaceField, ScalarField, VectorField};
use nalgebra::Vector3;
use serde::Deserialize;

/// r = n·(p⁺ − o) − clearance, m, if p is nearer than that to a line or a point; o is the nearest point of the line
/// to p now, and n the unit direction from o to p. If p is farther away, the objective has no rows.
#[doc(alias = "obstacle avoidance")]
#[derive(Clone, Copy, Debug)]
pub struct KeepAway {
    /// The body that the point is fixed to.
    pub body: BodyId,
    /// The point in the body frame, m.
    pub point: Vector3<f64>,
    /// The point to keep away from, or a point of the line, world, m.
    pub from: Vector3<f64>,
    /// Direction of the line, world; its length does not matter. `None` or zero: only the point `from`.
    pub along: Option<Vector3<f64>>,
    /// Smallest distance desired, m.
    pub clearance: f64,
}

impl KeepAway {
    /// Distance of the point, m, and the unit direction away from the line or point.
    fn away(&self, now: &Now<'_>) -> (f64, Vector3<f64>) {
        let way = now.kinematics.point(self.body, &self.point) - self.from;
        let line = self.along.and_then(|along| along.try_normalize(1e-9));
        let across = line.map_or(way, |line| way - line * line.dot(&way));
        let distance = across.norm();
        let away = across.try_normalize(1e-6);
        // On the line itself the direction is selected by a fixed rule.
        (distance, away.unwrap_or_else(|| line.map_or(Vector3::z(), |line| tangents(&line).0)))
    }
}

impl Objective for KeepAway {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let (distance, away) = self.away(now);
        if distance >= self.clearance {
            return None;
        }
        let point = now.kinematics.point(self.body, &self.point);
        // n·(p⁺ − o) = |p − o| + n·(p⁺ − p).
        let error = (next.point(self.body, &point) - point).dot(&away) - (self.clearance - distance);
        Some(Residual::position(error))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::number("m"))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let distance = self.away(now).0;
        pairs.push([self.clearance.max(distance), distance]);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        let (distance, away) = self.away(now);
        let actual = now.kinematics.point(self.body, &self.point);
        let wanted = actual + away * (self.clearance - distance).max(0.0);
        Some(Marker { actual, wanted, key: None })
    }
}

/// r = n·(p⁺ − o) − clearance, m, while p is closer than `clearance` to a line or a point; no residual otherwise.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KeepAwaySpec {
    /// A body (its frame's origin) or a site.
    point: PlaceField,
    /// Offset from `point`, in the axes of its body, m.
    #[serde(default)]
    offset: [f64; 3],
    /// Point to keep away from, or a point of the line, world, m; e.g. `"position(ball)"`.
    from: VectorField,
    /// Direction of the line, world axes, of any length; e.g. `"velocity(ball)"`. Default: no line, only the
    /// point `from`.
    along: Option<VectorField>,
    /// m
    clearance: ScalarField,
}

impl KeepAwaySpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        let along = self.along.iter().map(|along| along.written_as(source));
        let mut others = vec![self.point.written(source), self.from.written_as(source)];
        others.push(self.clearance.written_as(source));
        others.extend(along);
        Statement { others, ..Statement::default() }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let place = self.point.bind(binder.source, binder.names)?;
        let offset = Vector3::from(binder.local(self.offset, self.point.span()));
        let from = self.from.bind(binder.source, binder.names)?;
        let along = self.along.as_ref().map(|along| along.bind(binder.source, binder.names)).transpose()?;
        let clearance = self.clearance.bind(binder.source, binder.names)?;
        Ok(Evaluated::new(Subject::number("m"), move |_, values, now| {
            let (body, local) = now.place(now.model, place.value(values))?;
            let along = match &along {
                Some(along) => Some(along.known(values)?),
                None => None,
            };
            let (from, clearance) = (from.known(values)?, clearance.known(values)?);
            Some(KeepAway { body, point: local + offset, from, along, clearance })
        }))
    }
}
