//! Construction of a world from an environment.

use crate::articulated::lcp::Tolerance;
use crate::articulated::{ArticulatedSettings, ArticulatedWorld, Backtracking, Friction};
use crate::{BacktrackingForm, Environment, FrictionForm, KinematicColliders, PassiveSettings};
use aplomb_body::contact::{Surface, SurfaceShape};
use aplomb_body::model::{Geom, Shape};

impl ArticulatedWorld {
    /// A world with the surfaces of an environment, without its characters.
    pub(crate) fn among(around: &Environment<'_>) -> Self {
        let mut world = ArticulatedWorld::new(around.gravity, settings(around.settings));
        for surface in around.surfaces {
            let index = world.add_surface(&geom(surface));
            world.rule_friction(index);
            if !surface.is_still() {
                world.carry_surface(index, surface.clone());
            }
        }
        world
    }

    /// Adds the characters of an environment.
    pub(crate) fn add_characters(&mut self, around: &Environment<'_>) {
        for character in around.characters {
            self.add_character(character);
        }
    }
}

fn settings(given: &PassiveSettings) -> ArticulatedSettings {
    let defaults = ArticulatedSettings::default();
    let iterations = given.iterations;
    ArticulatedSettings {
        stop: Tolerance { iterations, residual: given.residual },
        impact_stop: Tolerance { iterations: 2 * iterations, ..defaults.impact_stop },
        friction: match given.friction {
            FrictionForm::Cone => Friction::Cone,
            FrictionForm::Pyramid => Friction::Pyramid,
            FrictionForm::SixConditions => Friction::SixConditions,
            FrictionForm::OneTangent => Friction::OneTangent { seed: given.seed },
        },
        backtracking: match given.backtracking {
            BacktrackingForm::Predicted => Backtracking::Predicted,
            BacktrackingForm::Halving => Backtracking::Halving,
        },
        limit_restitution: given.limit_restitution,
        self_contact: given.self_contact,
        ..defaults
    }
}

fn geom(surface: &Surface) -> Geom {
    Geom {
        name: surface.name.to_string(),
        body: None,
        shape: match &surface.shape {
            SurfaceShape::HalfSpace => Shape::Plane,
            SurfaceShape::Box { half_lengths } => Shape::Box { half_lengths: *half_lengths },
            SurfaceShape::Field(field) => Shape::Field(field.clone()),
            SurfaceShape::Solid(shape) => (**shape).clone(),
        },
        position: surface.position,
        orientation: surface.orientation,
        friction: surface.friction,
        collides: true,
        line: 0,
    }
}
