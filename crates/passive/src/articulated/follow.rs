//! Specification of joints and points of an object that follow a trajectory.

use super::trajectory::SplineTrajectory;
use super::{Articulated, Follower, Gains, MotionTarget};
use aplomb_body::model::JointKind;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_math::extent;
use nalgebra::Vector3;
use serde::Deserialize;

/// A joint or a point that follows a trajectory, by constraints on its acceleration with forces up to
/// `strength`. Either `joint` with `angles`, or `body` with `points`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FollowSpec {
    /// A hinge or slide.
    pub joint: Option<Spanned<String>>,
    /// Joint position at each of the times, rad or m.
    pub(crate) angles: Option<Spanned<Vec<f64>>>,
    /// A body.
    pub body: Option<Spanned<String>>,
    /// Point of the body, in its frame, m.
    #[serde(default = "defaults::origin")]
    pub point: Spanned<[f64; 3]>,
    /// Position of the point at each of the times, world, m.
    pub(crate) points: Option<Spanned<Vec<[f64; 3]>>>,
    /// Times, s, increasing. The trajectory is a cubic spline that begins and ends at rest.
    pub(crate) at: Spanned<Vec<f64>>,
    /// Whether the trajectory repeats; it must end where it begins.
    #[serde(default)]
    pub(crate) repeat: bool,
    /// Time in which an error decays to a tenth, critically damped, s.
    #[serde(default = "defaults::settle")]
    pub(crate) settle: Spanned<f64>,
    /// Damping ratio of the error: underdamped below 1, overdamped above 1.
    #[serde(default = "defaults::one")]
    pub(crate) damping_ratio: Spanned<f64>,
    /// Largest force or torque it applies, N or N m; default: unlimited.
    pub(crate) strength: Option<Spanned<f64>>,
}

impl FollowSpec {
    /// Checks the specification on its own.
    pub(crate) fn check(&self, source: &Source, errors: &mut Vec<FileError>) {
        let mut say = |span, message: String| errors.push(FileError::new(source, span, message));
        let times = self.at.get_ref();
        if times.is_empty() || times.iter().any(|time| !extent::is_usable(*time)) {
            say(self.at.span(), "`at` needs one or more finite times".into());
        } else if times.windows(2).any(|pair| pair[1] <= pair[0]) {
            say(self.at.span(), "times of a trajectory must increase".into());
        }
        match (&self.joint, &self.body) {
            (Some(_), None) if self.angles.is_some() && self.points.is_none() => {}
            (None, Some(_)) if self.points.is_some() && self.angles.is_none() => {}
            _ => say(
                self.at.span(),
                "a trajectory needs a `joint` with `angles`, or a `body` with `points`".into(),
            ),
        }
        let joint = self.angles.as_ref().map(|angles| (angles.span(), angles.get_ref().len()));
        let point = self.points.as_ref().map(|points| (points.span(), points.get_ref().len()));
        for (span, count) in joint.into_iter().chain(point) {
            if count != times.len() {
                say(span.clone(), format!("{} times need as many targets, not {count}", times.len()));
            }
            let targets = self.targets();
            if targets.iter().flatten().any(|target| !target.iter().all(|x| extent::is_usable(*x))) {
                say(span.clone(), "targets must be finite, and at most 1e9".into());
            }
            let closed = targets.as_ref().is_none_or(|targets| targets.first() == targets.last());
            if self.repeat && (count < 3 || !closed) {
                say(
                    span,
                    "a repeating trajectory needs three or more targets and must end where it begins".into(),
                );
            }
        }
        let positive = [("settle", Some(&self.settle)), ("damping_ratio", Some(&self.damping_ratio))];
        for (name, value) in positive.into_iter().chain([("strength", self.strength.as_ref())]) {
            if let Some(value) = value
                && !(extent::is_usable(*value.get_ref()) && *value.get_ref() > 0.0)
            {
                say(value.span(), format!("{name} must be more than 0, not {}", value.get_ref()));
            }
        }
        if !self.point.get_ref().iter().all(|x| extent::is_usable(*x)) {
            say(self.point.span(), "point must be finite, and at most 1e9".into());
        }
    }

    /// The motion of the system with index `index`, and its trajectory.
    pub(crate) fn bind(
        &self,
        index: usize,
        system: &Articulated,
        source: &Source,
        errors: &mut Vec<FileError>,
    ) -> Option<(MotionTarget, SplineTrajectory)> {
        let model = &system.model;
        let follower = match (&self.joint, &self.body) {
            (Some(name), _) => {
                let joint = model.joints.iter().find(|joint| joint.name == *name.get_ref());
                match joint {
                    Some(joint)
                        if matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slide { .. }) =>
                    {
                        Some(Follower::Joint { coordinate: joint.v_index, q_index: joint.q_index })
                    }
                    Some(_) => {
                        let message = "only a hinge or a slide follows `angles`";
                        errors.push(FileError::new(source, name.span(), message));
                        None
                    }
                    None => {
                        let names = model.joints.iter().map(|joint| joint.name.as_str());
                        let message = format!("unknown joint `{name}`");
                        let mistake = FileError::new(source, name.span(), message);
                        errors.push(mistake.suggest(name.get_ref(), names));
                        None
                    }
                }
            }
            (None, Some(name)) => {
                let local = Vector3::from(*self.point.get_ref());
                let body = model.body(name.get_ref());
                if body.is_none() {
                    let names = model.bodies.iter().map(|body| body.name.as_str());
                    let mistake = FileError::new(source, name.span(), format!("unknown body `{name}`"));
                    errors.push(mistake.suggest(name.get_ref(), names));
                }
                body.map(|body| Follower::Point { body, local })
            }
            (None, None) => None,
        };
        let course = SplineTrajectory::new(self.at.get_ref().clone(), self.targets()?, self.repeat);
        let critical = Gains::settling(*self.settle.get_ref());
        let gains = Gains::damped(critical.kp.sqrt(), *self.damping_ratio.get_ref());
        let mut motion = MotionTarget::new(index, follower?, gains, course.at(0.0)[0]);
        motion.strength = self.strength.as_ref().map_or(f64::INFINITY, |strength| *strength.get_ref());
        Some((motion, course))
    }

    /// Where the trajectory is as the run begins; that of a joint is in the first component. `None` without targets.
    pub fn start(&self) -> Option<Vector3<f64>> {
        let targets = self.targets().filter(|targets| targets.len() == self.at.get_ref().len())?;
        if targets.is_empty() {
            return None;
        }
        Some(SplineTrajectory::new(self.at.get_ref().clone(), targets, self.repeat).at(0.0)[0])
    }

    /// Targets point by point; that of a joint is in the first component.
    fn targets(&self) -> Option<Vec<Vector3<f64>>> {
        let angles = self
            .angles
            .as_ref()
            .map(|angles| angles.get_ref().iter().map(|angle| Vector3::new(*angle, 0.0, 0.0)).collect());
        let points =
            || Some(self.points.as_ref()?.get_ref().iter().map(|point| Vector3::from(*point)).collect());
        angles.or_else(points)
    }
}

mod defaults {
    use aplomb_language::Spanned;

    fn given<T>(value: T) -> Spanned<T> {
        Spanned::new(0..0, value)
    }

    pub(super) fn origin() -> Spanned<[f64; 3]> {
        given([0.0; 3])
    }

    pub(super) fn settle() -> Spanned<f64> {
        given(0.2)
    }

    pub(super) fn one() -> Spanned<f64> {
        given(1.0)
    }
}
