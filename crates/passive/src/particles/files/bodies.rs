//! `kind = "particles"` in scene files: plants, boxes, figures.

use super::builder::{ParticleBuilder, mistake};
use super::extras::{ContainerSpec, DragSpec, Extras};
use super::relax::RelaxSpec;
use crate::checks::defaults::given;
use crate::checks::{Checks, defaults};
use crate::particles::thread::Plant;
use crate::particles::wind::Wind;
use crate::particles::{ParticlesSpec, StickConstraint};
use crate::{Built, FileEnvironment, ObjectRequest, PassiveMethod};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use indexmap::IndexMap;
use nalgebra::{UnitQuaternion, Vector3};
use serde::Deserialize;

/// Plants, boxes and figures made of Verlet particles.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LooseSpec {
    /// Stalks rooted in the ground.
    #[serde(default)]
    pub(crate) plants: Vec<PlantSpec>,
    /// Boxes that fall, slide and stack.
    #[serde(default)]
    pub(crate) boxes: Vec<BoxSpec>,
    /// Human figures that fall.
    #[serde(default)]
    pub(crate) figures: Vec<FigureSpec>,
    /// Particles of a network, by name.
    #[serde(default)]
    pub(crate) points: IndexMap<Spanned<String>, PointSpec>,
    /// Sticks between the points of the network.
    #[serde(default)]
    pub(crate) sticks: Vec<RodSpec>,
    /// Radius of sticks when drawn, m.
    #[serde(default = "thickness")]
    pub(crate) thickness: Spanned<f64>,
    /// How stick constraints are relaxed.
    #[serde(default)]
    pub(crate) relax: RelaxSpec,
    /// Container that its particles stay inside.
    pub(crate) container: Option<ContainerSpec>,
    /// Particles that follow a prescribed motion: moving pins and drags.
    #[serde(default)]
    pub(crate) drags: Vec<DragSpec>,
}

/// A flexible three-sided stalk that tapers to its tip.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PlantSpec {
    /// Position of its root, m.
    pub(crate) foot: Spanned<[f64; 3]>,
    /// m
    pub(crate) height: Spanned<f64>,
    /// Radius at the ground, m.
    pub(crate) radius: Spanned<f64>,
    /// Number of particle rings between the ground and the tip.
    pub(crate) rings: Spanned<u32>,
    /// kg
    pub(crate) mass: Spanned<f64>,
    /// Initial velocity of its tip, m/s.
    #[serde(default = "defaults::origin")]
    pub(crate) tip_velocity: Spanned<[f64; 3]>,
}

/// A solid box of uniform density.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct BoxSpec {
    /// Position of its centre, m.
    pub(crate) position: Spanned<[f64; 3]>,
    /// Roll, pitch and yaw, rad.
    #[serde(default = "defaults::origin")]
    pub(crate) rotation: Spanned<[f64; 3]>,
    /// m
    pub(crate) half_lengths: Spanned<[f64; 3]>,
    /// kg
    pub(crate) mass: Spanned<f64>,
    /// Coulomb friction coefficient; between two boxes, the geometric mean applies.
    #[serde(default = "friction")]
    pub(crate) friction: Spanned<f64>,
}

/// A human figure whose limbs share particles.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FigureSpec {
    /// Position of the midpoint between its feet, m.
    pub(crate) feet: Spanned<[f64; 3]>,
    /// m
    pub(crate) height: Spanned<f64>,
    /// kg
    pub(crate) mass: Spanned<f64>,
    /// Initial velocity of its head, m/s, as from an impact.
    #[serde(default = "defaults::origin")]
    pub(crate) head_velocity: Spanned<[f64; 3]>,
}

/// A particle of a network.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PointSpec {
    /// m
    pub(crate) position: Spanned<[f64; 3]>,
    /// Initial velocity, m/s.
    #[serde(default = "defaults::origin")]
    pub(crate) velocity: Spanned<[f64; 3]>,
    /// kg
    #[serde(default = "defaults::one")]
    pub(crate) mass: Spanned<f64>,
    /// Whether it is fixed at its initial position.
    #[serde(default)]
    pub(crate) fixed: bool,
}

/// A stick of a network.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RodSpec {
    /// Names of the two points that it joins.
    pub(crate) of: Spanned<Vec<String>>,
    /// Length, m; default: the initial distance of the points.
    pub(crate) length: Option<Spanned<f64>>,
    /// Constraint on the distance of the two points.
    #[serde(default)]
    pub(crate) keeps: Keeps,
}

/// Constraint of a stick on the distance of its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Keeps {
    /// Equal to the length: a rod.
    #[default]
    Exactly,
    /// At most the length: a string.
    AtMost,
    /// At least the length: an angle limit.
    AtLeast,
}

fn thickness() -> Spanned<f64> {
    given(0.01)
}

fn friction() -> Spanned<f64> {
    given(0.5)
}

impl PassiveMethod for LooseSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        Vec::new()
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut checks = Checks::new(source);
        for plant in &self.plants {
            checks.vector("foot", &plant.foot);
            checks.positive("height", &plant.height);
            checks.positive("radius", &plant.radius);
            checks.count("rings", &plant.rings, 1..=1000);
            checks.positive("mass", &plant.mass);
            checks.vector("tip_velocity", &plant.tip_velocity);
        }
        for solid in &self.boxes {
            checks.vector("position", &solid.position);
            checks.vector("rotation", &solid.rotation);
            let lengths = solid.half_lengths.get_ref();
            if !lengths.iter().all(|length| *length > 0.0 && length.is_finite()) {
                checks.wrong(solid.half_lengths.span(), "half_lengths must be more than 0".into());
            }
            checks.positive("mass", &solid.mass);
            checks.not_negative("friction", &solid.friction);
        }
        for figure in &self.figures {
            checks.vector("feet", &figure.feet);
            checks.positive("height", &figure.height);
            checks.positive("mass", &figure.mass);
            checks.vector("head_velocity", &figure.head_velocity);
        }
        checks.positive("thickness", &self.thickness);
        for point in self.points.values() {
            checks.vector("position", &point.position);
            checks.vector("velocity", &point.velocity);
            checks.positive("mass", &point.mass);
        }
        for stick in &self.sticks {
            if stick.of.get_ref().len() != 2 {
                checks.wrong(stick.of.span(), "a stick joins two points".into());
            }
            stick.length.iter().for_each(|length| checks.positive("length", length));
        }
        let none = self.plants.is_empty() && self.boxes.is_empty() && self.figures.is_empty();
        if none && self.points.is_empty() {
            let message = "a passive object of particles needs `plants`, `boxes`, `figures` or `points`";
            checks.wrong(self.thickness.span(), message.into());
        }
        self.relax.check(&mut checks);
        self.extras().check(&mut checks);
        checks.errors
    }

    fn build(
        members: &[ObjectRequest<'_, Self>],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<Built>, FileErrors> {
        members.iter().map(|member| member.spec.build_one(member.object, around)).collect()
    }
}

impl LooseSpec {
    fn extras(&self) -> Extras<'_> {
        Extras { place: self.thickness.span(), container: self.container.as_ref(), drags: &self.drags }
    }

    fn build_one(&self, object: usize, around: &FileEnvironment<'_>) -> Result<Built, FileErrors> {
        let mut spec = ParticlesSpec::default();
        let (mut names, mut boxes) = (Vec::new(), Vec::new());
        for (number, plant) in self.plants.iter().enumerate() {
            let rings = *plant.rings.get_ref() as usize;
            let foot = Vector3::from(*plant.foot.get_ref());
            let stalk = Plant::stalk(foot, *plant.height.get_ref(), *plant.radius.get_ref(), rings);
            let wrong = |error| mistake(&plant.foot, &error, around);
            let first = spec.add_plant(&stalk, *plant.mass.get_ref()).map_err(wrong)?;
            let tip = spec.particles.len() - 1;
            spec.particles[tip].velocity = Vector3::from(*plant.tip_velocity.get_ref());
            names.extend((first..tip).map(|k| format!("plant{number}.{}", k - first)));
            names.push(format!("plant{number}.tip"));
        }
        for (number, figure) in self.figures.iter().enumerate() {
            let feet = Vector3::from(*figure.feet.get_ref());
            let wrong = |error| mistake(&figure.feet, &error, around);
            let made =
                spec.add_figure(feet, *figure.height.get_ref(), *figure.mass.get_ref()).map_err(wrong)?;
            spec.particles[made.head].velocity = Vector3::from(*figure.head_velocity.get_ref());
            names.extend(made.particles().map(|k| format!("figure{number}.{}", k - made.head)));
        }
        self.add_network(&mut spec, &mut names, around)?;
        let soft = spec.sticks.iter().filter(|stick| stick.hold == StickConstraint::Exactly);
        let rods = soft.map(|stick| stick.ends).collect();
        for (number, solid) in self.boxes.iter().enumerate() {
            let [roll, pitch, yaw] = *solid.rotation.get_ref();
            let made = spec.add_box(
                Vector3::from(*solid.position.get_ref()),
                UnitQuaternion::from_euler_angles(roll, pitch, yaw),
                Vector3::from(*solid.half_lengths.get_ref()),
                *solid.mass.get_ref(),
                *solid.friction.get_ref(),
            );
            made.map_err(|error| mistake(&solid.position, &error, around))?;
            names.extend((0..4).map(|k| format!("box{number}.{k}")));
            boxes.push(format!("box{number}"));
        }
        names.extend(boxes);
        let builder =
            ParticleBuilder { spec, names, rods, thickness: *self.thickness.get_ref(), wind: Wind::NONE };
        builder.finish(object, &self.relax, &self.extras(), around)
    }

    /// Points and the sticks between them.
    fn add_network(
        &self,
        spec: &mut ParticlesSpec,
        names: &mut Vec<String>,
        around: &FileEnvironment<'_>,
    ) -> Result<(), FileErrors> {
        let first = spec.particles.len();
        for (name, point) in &self.points {
            let particle = spec.add(Vector3::from(*point.position.get_ref()), Some(*point.mass.get_ref()));
            spec.particles[particle].velocity = Vector3::from(*point.velocity.get_ref());
            if point.fixed {
                spec.pin(particle);
            }
            names.push(name.get_ref().clone());
        }
        let mut errors = Vec::new();
        for stick in &self.sticks {
            let mut ends = Vec::new();
            for name in stick.of.get_ref() {
                match self.points.get_index_of(name.as_str()) {
                    Some(index) => ends.push(first + index),
                    None => {
                        let message = format!("there is no point `{name}`");
                        let mistake = FileError::new(around.source, stick.of.span(), message);
                        let known = self.points.keys().map(|name| name.get_ref().as_str());
                        errors.push(mistake.suggest(name, known));
                    }
                }
            }
            let &[a, b] = &ends[..] else { continue };
            let apart = (spec.particles[a].position - spec.particles[b].position).norm();
            let length = stick.length.as_ref().map_or(apart, |length| *length.get_ref());
            if a == b || length == 0.0 {
                let message = "a stick joins two points that are apart, or has a `length`";
                errors.push(FileError::new(around.source, stick.of.span(), message));
                continue;
            }
            let hold = match stick.keeps {
                Keeps::Exactly => StickConstraint::Exactly,
                Keeps::AtMost => StickConstraint::AtMost,
                Keeps::AtLeast => StickConstraint::AtLeast,
            };
            spec.limit(a, b, hold, length);
        }
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    }
}
