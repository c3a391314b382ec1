//! `kind = "particles"`: plants, boxes, figures.

use super::{Making, RelaxSpec, mistake};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, FileErrors, Source};
use crate::passive::checks::defaults::given;
use crate::passive::checks::{Checks, defaults};
use crate::passive::method::{Built, FileEnvironment, Member, PassiveMethod};
use crate::passive::particles::thread::Plant;
use crate::passive::particles::wind::Wind;
use crate::passive::particles::{Hold, ParticlesSpec};
use nalgebra::{UnitQuaternion, Vector3};
use serde::Deserialize;

/// Plants, boxes and figures of Verlet particles.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LooseSpec {
    /// Stalks that stand on the ground.
    #[serde(default)]
    pub plants: Vec<PlantSpec>,
    /// Boxes that fall, slide and stack.
    #[serde(default)]
    pub boxes: Vec<BoxSpec>,
    /// Human figures that fall.
    #[serde(default)]
    pub figures: Vec<FigureSpec>,
    /// Radius of sticks in pictures, m.
    #[serde(default = "thickness")]
    pub thickness: Spanned<f64>,
    /// How stick constraints are relaxed.
    #[serde(default)]
    pub relax: RelaxSpec,
}

/// A stalk of three sides that tapers to its tip, and bends.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlantSpec {
    /// Where it is rooted, m.
    pub foot: Spanned<[f64; 3]>,
    /// m
    pub height: Spanned<f64>,
    /// At the ground, m.
    pub radius: Spanned<f64>,
    /// Number of rings between the ground and the tip.
    pub rings: Spanned<u32>,
    /// kg
    pub mass: Spanned<f64>,
    /// Initial velocity of its tip, m/s.
    #[serde(default = "defaults::origin")]
    pub tip_velocity: Spanned<[f64; 3]>,
}

/// A solid box of even density.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoxSpec {
    /// Of its centre, m.
    pub position: Spanned<[f64; 3]>,
    /// Roll, pitch and yaw, rad.
    #[serde(default = "defaults::origin")]
    pub rotation: Spanned<[f64; 3]>,
    /// m
    pub half_lengths: Spanned<[f64; 3]>,
    /// kg
    pub mass: Spanned<f64>,
    /// Coulomb friction; of two boxes the root of the product counts.
    #[serde(default = "friction")]
    pub friction: Spanned<f64>,
}

/// A human figure whose limbs share particles.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FigureSpec {
    /// Between its feet, m.
    pub feet: Spanned<[f64; 3]>,
    /// m
    pub height: Spanned<f64>,
    /// kg
    pub mass: Spanned<f64>,
    /// Initial velocity of its head, m/s: an impact.
    #[serde(default = "defaults::origin")]
    pub head_velocity: Spanned<[f64; 3]>,
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
        if self.plants.is_empty() && self.boxes.is_empty() && self.figures.is_empty() {
            let message = "a thing of particles needs `plants`, `boxes` or `figures`";
            checks.wrong(self.thickness.span(), message.into());
        }
        self.relax.check(&mut checks);
        checks.errors
    }

    fn build(members: &[Member<'_, Self>], around: &FileEnvironment<'_>) -> Result<Vec<Built>, FileErrors> {
        members.iter().map(|member| member.spec.build_one(member.thing, around)).collect()
    }
}

impl LooseSpec {
    fn build_one(&self, thing: usize, around: &FileEnvironment<'_>) -> Result<Built, FileErrors> {
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
        let soft = spec.sticks.iter().filter(|stick| stick.hold == Hold::Exactly);
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
        let making = Making { spec, names, rods, thickness: *self.thickness.get_ref(), wind: Wind::NONE };
        making.finish(thing, &self.relax, around).map_err(|error| mistake(&self.thickness, &error, around))
    }
}
