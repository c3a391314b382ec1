//! `kind = "skeleton"` in scene files: a tree of bones from an MJCF file.

use super::bones::{BoneSettings, Bones};
use super::files::check_course;
use super::system::{ChainThing, DriveTrajectory, surround};
use super::{BodyVelocity, Chain, PoseDrive, RigidPose};
use crate::checks::{Checks, defaults};
use crate::particles::WindSpec;
use crate::particles::wind::Wind;
use crate::{Built, BuiltObject, FileEnvironment, ObjectRequest, PassiveMethod};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_math::extent;
use indexmap::IndexMap;
use nalgebra::Vector3;
use serde::Deserialize;

/// Rigid bones with stiff joints, integrated implicitly in linear time.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SkeletonSpec {
    /// MJCF file, relative to this file, or the name of a shipped passive object. Each body has one hinge or
    /// ball joint, or none, and is then fixed to its parent or the world. Springs are slack in the pose of
    /// the file. Shapes fixed to the world are ignored.
    pub(crate) model: Spanned<String>,
    /// Displacement from the position in its model file, m.
    #[serde(default = "defaults::origin")]
    pub(crate) position: Spanned<[f64; 3]>,
    /// Rotation about the origin of its first body: roll, pitch and yaw about the world's x, y and z axes, in
    /// that order, rad.
    #[serde(default = "defaults::origin")]
    pub(crate) rotation: Spanned<[f64; 3]>,
    /// Stiffness of a joint limit, N m/rad.
    #[serde(default = "own::stop")]
    pub(crate) limit_stiffness: Spanned<f64>,
    /// Air drag of a bone, N s/m.
    #[serde(default = "defaults::zero")]
    pub(crate) drag: Spanned<f64>,
    /// Wind; default: still air. Its density is ignored.
    pub(crate) wind: Option<WindSpec>,
    /// Whether bones have contacts with surfaces and characters, by contact springs at spheres, at the ends
    /// and the middle of capsules, and at the corners of boxes.
    #[serde(default = "defaults::yes")]
    pub(crate) touches: bool,
    /// Stiffness of a contact spring, N/m.
    #[serde(default = "own::contact_stiffness")]
    pub(crate) contact_stiffness: Spanned<f64>,
    /// Projection passes per step, which remove the joint gaps left by the linearised equations.
    #[serde(default = "defaults::no_times")]
    pub(crate) projection_passes: Spanned<u32>,
    /// Springs that drive its bones along a recorded motion.
    pub(crate) driven: Option<DrivenSpec>,
    /// Springs that pull single bones along paths.
    #[serde(default)]
    pub(crate) pulled: Vec<PulledBoneSpec>,
}

/// Spring from a point of a bone to a moving point.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PulledBoneSpec {
    /// Name of the bone.
    pub(crate) bone: Spanned<String>,
    /// Point of the bone, from its centre of mass, in its own axes, m.
    #[serde(default = "defaults::origin")]
    pub(crate) point: Spanned<[f64; 3]>,
    /// Position of the moving point at each of the times, m.
    pub(crate) points: Spanned<Vec<[f64; 3]>>,
    /// Times, s, increasing; positions are interpolated linearly.
    pub(crate) at: Spanned<Vec<f64>>,
    /// Whether the motion repeats.
    #[serde(default)]
    pub(crate) repeat: bool,
    /// Stiffness of the spring, N/m.
    pub(crate) stiffness: Spanned<f64>,
    /// Damping of the spring, N s/m.
    #[serde(default = "defaults::zero")]
    pub(crate) damping: Spanned<f64>,
    /// When the spring is removed, s.
    pub(crate) until: Option<Spanned<f64>>,
}

/// Springs that pull each bone to its pose in a recorded motion.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DrivenSpec {
    /// Times of the recorded motion, s, increasing; joint angles are interpolated linearly. Bones start in
    /// its pose at 0 s.
    pub(crate) at: Spanned<Vec<f64>>,
    /// Angles of hinges at these times, by joint, rad; other joints stay as in the file.
    #[serde(default)]
    pub(crate) angles: IndexMap<Spanned<String>, Spanned<Vec<f64>>>,
    /// Displacement of the whole skeleton from its start at these times, m; default: none.
    pub(crate) offsets: Option<Spanned<Vec<[f64; 3]>>>,
    /// Whether the motion repeats.
    #[serde(default)]
    pub(crate) repeat: bool,
    /// Stiffness of the spring to each bone's centre of mass, N/m.
    #[serde(default = "defaults::zero")]
    pub(crate) stiffness: Spanned<f64>,
    /// Damping of the spring to each bone's centre of mass, N s/m.
    #[serde(default = "defaults::zero")]
    pub(crate) damping: Spanned<f64>,
    /// Stiffness of the spring to each bone's orientation, N m/rad.
    #[serde(default = "defaults::zero")]
    pub(crate) turn_stiffness: Spanned<f64>,
    /// Damping of the spring to each bone's orientation, N m s/rad.
    #[serde(default = "defaults::zero")]
    pub(crate) turn_damping: Spanned<f64>,
    /// When the spring is removed, s.
    pub(crate) until: Option<Spanned<f64>>,
}

/// Longest time between two poses of a recording, s: bones move linearly between them.
const FINEST: f64 = 0.01;
/// Largest number of poses of a recording.
const MOST_POSES: usize = 100_000;

impl PassiveMethod for SkeletonSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        vec![&self.model]
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut checks = Checks::new(source);
        checks.vector("position", &self.position);
        checks.vector("rotation", &self.rotation);
        let numbers = [
            ("limit_stiffness", &self.limit_stiffness),
            ("drag", &self.drag),
            ("contact_stiffness", &self.contact_stiffness),
        ];
        numbers.iter().for_each(|(name, value)| checks.not_negative(name, value));
        checks.count("projection_passes", &self.projection_passes, 0..=100);
        self.wind.iter().for_each(|wind| wind.check(&mut checks));
        self.driven.iter().for_each(|driven| driven.check(&mut checks));
        self.pulled.iter().for_each(|pulled| pulled.check(&mut checks));
        checks.errors
    }

    fn build(
        members: &[ObjectRequest<'_, Self>],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<Built>, FileErrors> {
        members.iter().map(|member| member.spec.build_one(member, around)).collect()
    }
}

impl DrivenSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        let times = self.at.get_ref();
        let rise = times.windows(2).all(|pair| pair[0] < pair[1]);
        if times.is_empty() || !rise || !times.iter().all(|time| time.is_finite()) {
            checks.wrong(self.at.span(), "`at` needs finite, increasing times".into());
        } else if times[times.len() - 1] - times[0] > FINEST * MOST_POSES as f64 {
            let message = format!("a record lasts at most {} s", FINEST * MOST_POSES as f64);
            checks.wrong(self.at.span(), message);
        }
        let mut need = |count: usize, finite: bool, what: &str, span| {
            if count != times.len() || !finite {
                let message = format!("{} times need as many finite {what}, not {count}", times.len());
                checks.wrong(span, message);
            }
        };
        for angles in self.angles.values() {
            let list = angles.get_ref();
            need(list.len(), list.iter().all(|angle| angle.is_finite()), "angles", angles.span());
        }
        if let Some(offsets) = &self.offsets {
            let list = offsets.get_ref();
            need(list.len(), list.iter().flatten().all(|x| extent::is_usable(*x)), "offsets", offsets.span());
        }
        checks.not_negative("stiffness", &self.stiffness);
        checks.not_negative("damping", &self.damping);
        checks.not_negative("turn_stiffness", &self.turn_stiffness);
        checks.not_negative("turn_damping", &self.turn_damping);
        if let Some(until) = &self.until {
            checks.not_negative("until", until);
        }
    }

    /// Sets a body to the start of its track, and adds a drive along it.
    fn drive(&self, chain: &mut Chain, body: usize, track: &mut DriveTrajectory) {
        chain.set_state(body, track.at(0.0).0, BodyVelocity::default());
        track.drive = chain.add_drive(PoseDrive {
            body,
            point: Vector3::zeros(),
            stiffness: *self.stiffness.get_ref(),
            damping: *self.damping.get_ref(),
            turn_stiffness: *self.turn_stiffness.get_ref(),
            turn_damping: *self.turn_damping.get_ref(),
            target: chain.pose(body),
            target_motion: BodyVelocity::default(),
        });
    }

    /// The recording, as poses of each bone's centre of mass. Times increase, and all lists have the same
    /// length.
    fn tracks(&self, bones: &Bones, source: &Source) -> Result<Vec<DriveTrajectory>, FileErrors> {
        let times = self.at.get_ref();
        let mut errors = Vec::new();
        let mut turned = Vec::new();
        for (name, angles) in &self.angles {
            match bones.hinge(name.get_ref()) {
                Some(q_index) => turned.push((q_index, angles.get_ref())),
                None => {
                    let message = format!("there is no hinge `{}`", name.get_ref());
                    let error = FileError::new(source, name.span(), message);
                    errors.push(error.suggest(name.get_ref(), bones.hinges()));
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors.into());
        }
        let mut track =
            DriveTrajectory { times: Vec::new(), repeat: self.repeat, ..DriveTrajectory::default() };
        track.until = self.until.as_ref().map(|until| *until.get_ref());
        let mut tracks = vec![track; bones.bodies.len()];
        let mut q = bones.q.clone();
        for k in 0..times.len() {
            let next = (k + 1).min(times.len() - 1);
            let pieces = ((times[next] - times[k]) / FINEST - 1e-9).ceil().max(1.0);
            for piece in 0..pieces as usize {
                let share = piece as f64 / pieces;
                let between = |list: &dyn Fn(usize) -> f64| list(k) + share * (list(next) - list(k));
                for (q_index, angles) in &turned {
                    q[*q_index] = between(&|at| angles[at]);
                }
                let offset = self.offsets.as_ref().map_or_else(Vector3::zeros, |offsets| {
                    Vector3::from_fn(|axis, _| between(&|at| offsets.get_ref()[at][axis]))
                });
                for (track, pose) in tracks.iter_mut().zip(bones.poses(&q)) {
                    track.times.push(between(&|at| times[at]));
                    track.poses.push(RigidPose { position: pose.position + offset, ..pose });
                }
            }
        }
        Ok(tracks)
    }
}

impl PulledBoneSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        checks.vector("point", &self.point);
        check_course(checks, &self.at, &self.points);
        checks.not_negative("stiffness", &self.stiffness);
        checks.not_negative("damping", &self.damping);
        self.until.iter().for_each(|until| checks.not_negative("until", until));
    }

    fn bind(&self, chain: &mut Chain, source: &Source) -> Result<DriveTrajectory, FileError> {
        let Some(body) = (0..chain.len()).find(|body| chain.name(*body) == self.bone.get_ref()) else {
            let message = format!("there is no bone `{}`", self.bone.get_ref());
            let error = FileError::new(source, self.bone.span(), message);
            return Err(error.suggest(self.bone.get_ref(), (0..chain.len()).map(|body| chain.name(body))));
        };
        let orientation = chain.pose(body).orientation;
        let pose = |point: &[f64; 3]| RigidPose { position: Vector3::from(*point), orientation };
        let drive = chain.add_drive(PoseDrive {
            body,
            point: Vector3::from(*self.point.get_ref()),
            stiffness: *self.stiffness.get_ref(),
            damping: *self.damping.get_ref(),
            turn_stiffness: 0.0,
            turn_damping: 0.0,
            target: chain.pose(body),
            target_motion: BodyVelocity::default(),
        });
        Ok(DriveTrajectory {
            drive,
            times: self.at.get_ref().clone(),
            poses: self.points.get_ref().iter().map(pose).collect(),
            repeat: self.repeat,
            until: self.until.as_ref().map(|until| *until.get_ref()),
        })
    }
}

impl SkeletonSpec {
    fn build_one(
        &self,
        member: &ObjectRequest<'_, Self>,
        around: &FileEnvironment<'_>,
    ) -> Result<Built, FileErrors> {
        let model = member.models[0].clone();
        let wrong = |message: String| vec![FileError::new(around.source, self.model.span(), message)];
        let place = (Vector3::from(*self.position.get_ref()), *self.rotation.get_ref());
        let settings = BoneSettings {
            drag: *self.drag.get_ref(),
            limit_stiffness: *self.limit_stiffness.get_ref(),
            touches: self.touches,
        };
        let bones = Bones::new(model, place, &settings).map_err(wrong)?;
        let mut chain = bones.chain().map_err(|error| wrong(error.to_string()))?;
        chain.closings = *self.projection_passes.get_ref() as usize;
        let solids = surround(&mut chain, around);
        chain.penalty.stiffness = *self.contact_stiffness.get_ref();
        let mut balls = Vec::new();
        if self.touches {
            for ball in &bones.balls {
                chain.add_ball(*ball);
                balls.push(ball.body);
            }
        }
        let tracks = self.tracks(&bones, &mut chain, around)?;
        let masses: Vec<f64> = bones.bodies.iter().map(|body| body.mass).collect();
        let part_names: Vec<String> = bones.bodies.iter().map(|body| body.name.clone()).collect();
        let system = ChainThing {
            shapes: bones.shapes,
            link: bones.shortest,
            balls,
            wind: self.wind.as_ref().map_or(Wind::NONE, WindSpec::wind),
            tracks,
            ..ChainThing::new(chain, solids, masses)
        };
        let objects = vec![BuiltObject { object: member.object, parts: 0..part_names.len(), part_names }];
        Ok(Built { system: Box::new(system), objects })
    }

    /// The trajectories along which bodies are driven and pulled.
    fn tracks(
        &self,
        bones: &Bones,
        chain: &mut Chain,
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<DriveTrajectory>, FileErrors> {
        let mut tracks = Vec::new();
        if let Some(driven) = &self.driven {
            tracks = driven.tracks(bones, around.source)?;
            tracks.iter_mut().enumerate().for_each(|(body, track)| driven.drive(chain, body, track));
        }
        let mut errors = Vec::new();
        for pulled in &self.pulled {
            match pulled.bind(chain, around.source) {
                Ok(track) => tracks.push(track),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(tracks) } else { Err(errors.into()) }
    }
}

mod own {
    use crate::checks::defaults::given;
    use aplomb_language::Spanned;

    pub(super) fn stop() -> Spanned<f64> {
        given(10.0)
    }

    pub(super) fn contact_stiffness() -> Spanned<f64> {
        given(1e4)
    }
}
