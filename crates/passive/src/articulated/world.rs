//! Articulated bodies among fixed or moving surfaces.

mod carry;
mod characters;
mod couplings;
mod dry_friction;
mod environment;
mod hold;
mod loops;
mod renew;
mod show;
mod step;
mod switch;
mod system;
mod trial;

use super::character::WorldCharacter;
use super::collision::{Collision, CollisionSolid, SolidOwner};
use super::saved::SavedWorld;
use super::surface::CollisionSurface;
use super::{
    Articulated, ArticulatedSettings, Constraints, JointCoupling, JointDryFriction, JointLimit, LoopJoint,
    MotionTarget, SolidContact, SplineTrajectory,
};
use crate::{Hit, PartId};
use aplomb_body::model::{BodyId, Geom};
use aplomb_math::spatial::Force;
use nalgebra::Vector3;
use std::ops::Range;

/// Articulated bodies, surfaces, and their constraints.
#[derive(Clone, Debug)]
pub struct ArticulatedWorld {
    /// Solver settings for contacts, limits and motions.
    pub settings: ArticulatedSettings,
    /// Gravity, m/s², world axes.
    pub gravity: Vector3<f64>,
    /// Joints and points that follow targets.
    pub motions: Vec<MotionTarget>,
    pub(super) loops: Vec<LoopJoint>,
    /// Trajectories of some of the motions, by index.
    pub(super) courses: Vec<(usize, SplineTrajectory)>,
    pub(super) systems: Vec<Articulated>,
    pub(super) surfaces: Vec<CollisionSurface>,
    pub(super) limits: Vec<JointLimit>,
    pub(super) dry_friction: Vec<JointDryFriction>,
    pub(super) couplings: Vec<JointCoupling>,
    pub(super) collision: Collision,
    pub(super) contacts: Vec<SolidContact>,
    pub(super) contacts_before: Vec<SolidContact>,
    pub(super) constraints: Constraints,
    pub(super) report: Report,
    pub(super) time: f64,
    pub(super) parts: Vec<(usize, BodyId)>,
    /// Disabled springs: system, joint and stiffness.
    pub(super) slack: Vec<(usize, usize, f64)>,
    /// Scratch memory.
    pub(super) path: Vec<f64>,
    pub(super) characters: Vec<WorldCharacter>,
    /// Impulses that characters received since hits were last cleared.
    pub(super) hits: Vec<Hit>,
    /// The state at the start of the last trial of held objects.
    pub(super) saved: SavedWorld,
}

impl ArticulatedWorld {
    /// A world without bodies; `gravity` in m/s², world axes.
    pub fn new(gravity: Vector3<f64>, settings: ArticulatedSettings) -> Self {
        ArticulatedWorld {
            settings,
            gravity,
            motions: Vec::new(),
            loops: Vec::new(),
            courses: Vec::new(),
            systems: Vec::new(),
            surfaces: Vec::new(),
            limits: Vec::new(),
            dry_friction: Vec::new(),
            couplings: Vec::new(),
            collision: Collision::default(),
            contacts: Vec::new(),
            contacts_before: Vec::new(),
            constraints: Constraints::default(),
            report: Report::default(),
            time: 0.0,
            parts: Vec::new(),
            slack: Vec::new(),
            path: Vec::new(),
            characters: Vec::new(),
            hits: Vec::new(),
            saved: SavedWorld::default(),
        }
    }

    /// Adds a system in its present state, with the geometry that its model fixes to the world, and returns
    /// its index. Its bodies that overlap in this configuration may always overlap.
    pub fn add(&mut self, system: Articulated) -> usize {
        let index = self.systems.len();
        self.parts.extend((0..system.model.bodies.len()).map(|body| (index, BodyId(body))));
        self.limits.extend(JointLimit::of(index, &system.model));
        self.dry_friction.extend(JointDryFriction::of(index, &system.model));
        self.couplings.extend(JointCoupling::of(index, &system.model));
        self.take_in(system);
        index
    }

    pub(super) fn take_in(&mut self, system: Articulated) {
        let index = self.systems.len();
        for geom in system.model.geoms.iter().filter(|geom| geom.collides) {
            match geom.body {
                None => {
                    self.add_surface(geom);
                }
                Some(body) => {
                    let parent = system.model.bodies[body.0].parent;
                    let root = system.root(body);
                    let owner = match system.is_kinematic {
                        true => SolidOwner::Kinematic { system: index, body },
                        false => SolidOwner::Body { system: index, body, parent, root },
                    };
                    self.add_solid(geom, owner, system.restitution);
                }
            }
        }
        self.systems.push(system);
        self.place_solids();
        self.ignore_overlaps(|solids| {
            solids
                .iter()
                .all(|solid| matches!(solid.owner, SolidOwner::Body { system, .. } if system == index))
        });
        self.refresh();
    }

    /// Adds a shape fixed to the world and returns the surface's index.
    pub(crate) fn add_surface(&mut self, geom: &Geom) -> usize {
        let index = self.surfaces.len();
        let solid = self.add_solid(geom, SolidOwner::Surface(index), 0.0);
        self.surfaces.push(CollisionSurface { solid, carrier: None, received: Force::default() });
        index
    }

    /// Makes contacts with the surface use its own coefficient of friction.
    pub(crate) fn rule_friction(&mut self, surface: usize) {
        self.collision.solids[self.surfaces[surface].solid].rules_friction = true;
    }

    /// Adds a motion whose target follows a trajectory in simulated time.
    pub(crate) fn follow(&mut self, motion: MotionTarget, course: SplineTrajectory) {
        self.courses.push((self.motions.len(), course));
        self.motions.push(motion);
    }

    /// The first part of a system. Parts of one system are consecutive, in the order of its bodies.
    pub(super) fn first_part(&self, system: usize) -> PartId {
        PartId(self.parts.partition_point(|(other, _)| *other < system))
    }

    /// The articulated systems, in the order in which they were added.
    pub fn systems(&self) -> &[Articulated] {
        &self.systems
    }

    /// A system, for setting torques or its state; call [`ArticulatedWorld::refresh`] after a change of the
    /// state.
    pub fn system_mut(&mut self, system: usize) -> &mut Articulated {
        &mut self.systems[system]
    }

    /// Contacts, touching or nearly so, with the forces of the last step.
    pub fn contacts(&self) -> &[SolidContact] {
        &self.contacts
    }

    /// The joint limits of all systems.
    pub fn limits(&self) -> &[JointLimit] {
        &self.limits
    }

    /// Statistics of the last step.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Computes poses, velocities and contacts from the states, after a change from outside.
    pub fn refresh(&mut self) {
        self.systems.iter_mut().for_each(Articulated::refresh);
        self.place_solids();
        self.find_contacts();
        self.measure_limits();
    }

    fn add_solid(&mut self, geom: &Geom, owner: SolidOwner, restitution: f64) -> usize {
        let rotation = geom.orientation.to_rotation_matrix().into_inner();
        let mut solid = CollisionSolid::new(owner, geom.shape.clone(), geom.position, rotation);
        solid.friction = geom.friction;
        solid.restitution = restitution;
        self.collision.add(solid)
    }

    /// Allows the pairs of solids that overlap now to do so from now on, where `may` holds.
    pub(super) fn ignore_overlaps(&mut self, may: impl Fn([&CollisionSolid; 2]) -> bool) {
        self.collision.update(0.0, true);
        let deep = |touch: &&super::collision::Touch| touch.gap < -self.settings.tolerance;
        let overlaps: Vec<[u32; 3]> = self.collision.touches().iter().filter(deep).map(|t| t.key).collect();
        for [a, b, _] in overlaps {
            if may([a, b].map(|solid| self.collision.solid(solid))) {
                self.collision.ignore(a as usize, b as usize);
            }
        }
    }

    /// Systems that have any of these parts.
    fn systems_of(&self, parts: Range<usize>) -> impl Iterator<Item = &Articulated> {
        let mut last = None;
        let systems = self.parts[parts].iter().map(|(system, _)| *system);
        systems
            .filter(move |system| last.replace(*system) != Some(*system))
            .map(|system| &self.systems[system])
    }

    /// Sets the poses of the solids from those of their bodies.
    pub(super) fn place_solids(&mut self) {
        for solid in &mut self.collision.solids {
            if let Some((system, body)) = solid.owner.body() {
                let kinematics = &self.systems[system].kinematics;
                solid.place(&kinematics.position[body.0], &kinematics.rotation[body.0]);
            }
        }
    }

    /// Velocity of the point of an owner that is at `point`, m/s.
    pub(super) fn velocity_at(&self, owner: &SolidOwner, point: &Vector3<f64>) -> Vector3<f64> {
        match owner {
            SolidOwner::Body { system, body, .. } | SolidOwner::Kinematic { system, body } => {
                self.systems[*system].kinematics.point_velocity(*body, point)
            }
            SolidOwner::Surface(surface) => self.surfaces[*surface].velocity_at(point),
        }
    }
}

/// Statistics of a step.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Report {
    /// Number of substeps taken.
    pub substeps: usize,
    /// Number of attempts that were shortened.
    #[doc(alias = "backtracking")]
    pub(crate) backtracks: usize,
    /// Number of impacts.
    pub impacts: usize,
    /// Simulated time of the first impact of the step, s; `None` without an impact.
    pub first_impact: Option<f64>,
    /// Simulated time of the last impact of the step, s; `None` without an impact.
    pub last_impact: Option<f64>,
    /// Number of constraints of the last substep.
    pub constraints: usize,
    /// Number of solver sweeps of all substeps and impacts.
    pub iterations: usize,
    /// Largest residual of a constraint on accelerations, m/s² or rad/s²; that of a substep is scaled by its
    /// length.
    pub(crate) residual: f64,
    /// Largest residual of an impact, m/s or rad/s.
    pub(crate) impact_residual: f64,
    /// Largest overlap at the end of the step, m.
    #[doc(alias = "penetration depth")]
    pub(crate) overlap: f64,
}
