//! The kinds of passive objects that files can name, and how they are read.

use super::articulated::ArticulatedSpec;
use super::chain::{ChainSpec, SkeletonSpec};
use super::constrained::ConstrainedSpec;
use super::particles::{ClothSpec, LooseSpec, RopeSpec};
use super::{Built, FileEnvironment, NoPart, ObjectRequest, ObjectSurface, PassiveMethod, RestingPoint};
use aplomb_body::model::Model;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use nalgebra::Vector3;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;

/// Defines the enum that `[passive.NAME]` tables are read into, by their key `kind`, and dispatches to all
/// kinds.
macro_rules! passive_kinds {
    ($(#[doc = $doc:literal] $key:literal $Variant:ident($Spec:ty),)*) => {
        /// Specification of a passive object in a scene.
        #[derive(Clone, Debug)]
        pub enum PassiveSpec {
            $(#[doc = $doc] $Variant($Spec),)*
        }

        /// The values of `kind`.
        #[derive(Deserialize)]
        enum Name {
            $(#[serde(rename = $key)] $Variant,)*
        }

        impl PassiveSpec {
            /// Name in files and one sentence for each kind.
            pub fn list() -> &'static [(&'static str, &'static str)] {
                &[$(($key, $doc)),*]
            }

            /// Name of the kind in files.
            pub fn kind(&self) -> &'static str {
                match self { $(PassiveSpec::$Variant(_) => $key,)* }
            }

            /// The MJCF files it names.
            pub fn models(&self) -> Vec<&Spanned<String>> {
                match self { $(PassiveSpec::$Variant(spec) => spec.models(),)* }
            }

            /// Length along which it can be held, m: [`PassiveMethod::length`].
            pub fn length(&self) -> Option<f64> {
                match self { $(PassiveSpec::$Variant(spec) => spec.length(),)* }
            }

            /// Point at a share of the length: [`PassiveMethod::point_along`].
            pub fn point_along(&self, along: f64) -> Option<RestingPoint> {
                match self { $(PassiveSpec::$Variant(spec) => spec.point_along(along),)* }
            }

            /// Point of a part: [`PassiveMethod::point_on`].
            pub fn point_on(
                &self,
                part: Option<&str>,
                local: Vector3<f64>,
                models: &[Model],
                source: &Source,
            ) -> Option<Result<RestingPoint, NoPart>> {
                match self { $(PassiveSpec::$Variant(spec) => spec.point_on(part, local, models, source),)* }
            }

            /// Surfaces that characters press on: [`PassiveMethod::surfaces`].
            pub fn surfaces(&self, models: &[Model], source: &Source) -> Vec<ObjectSurface> {
                match self { $(PassiveSpec::$Variant(spec) => spec.surfaces(models, source),)* }
            }

            /// Whether characters push it deliberately: [`PassiveMethod::is_pushed`].
            pub fn is_pushed(&self) -> bool {
                match self { $(PassiveSpec::$Variant(spec) => spec.is_pushed(),)* }
            }

            /// Whether anything but contact and gravity may give it energy: [`PassiveMethod::is_driven`].
            pub fn is_driven(&self) -> bool {
                match self { $(PassiveSpec::$Variant(spec) => spec.is_driven(),)* }
            }

            /// The change of a key that sets it aside: [`PassiveMethod::aside`].
            pub fn aside(&self, by: f64) -> Option<String> {
                match self { $(PassiveSpec::$Variant(spec) => spec.aside(by),)* }
            }

            /// Checks the specification on its own.
            pub fn check(&self, source: &Source) -> Vec<FileError> {
                match self { $(PassiveSpec::$Variant(spec) => spec.check(source),)* }
            }

            fn read<'de, A: MapAccess<'de>>(name: Name, rest: A) -> Result<Self, A::Error> {
                let rest = MapAccessDeserializer::new(rest);
                match name { $(Name::$Variant => <$Spec>::deserialize(rest).map(PassiveSpec::$Variant),)* }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for PassiveSpec {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "PassiveSpec".into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let kinds = [$(of_kind::<$Spec>(generator, $key, $doc)),*];
                schemars::json_schema!({ "oneOf": kinds })
            }
        }

        /// Makes the passive objects of a scene, kind by kind; `models` are the bodies in the
        /// files that each object names.
        pub(crate) fn build(
            objects: &[&PassiveSpec],
            models: &[Vec<Model>],
            around: &FileEnvironment<'_>,
        ) -> Result<Vec<Built>, FileErrors> {
            let mut built = Vec::new();
            let mut errors = Vec::new();
            $(
                let numbered = objects.iter().zip(models).enumerate();
                let members: Vec<ObjectRequest<'_, $Spec>> = numbered
                    .filter_map(|(object, (spec, models))| match spec {
                        PassiveSpec::$Variant(spec) => Some(ObjectRequest { object, spec, models }),
                        _ => None,
                    })
                    .collect();
                if !members.is_empty() || <$Spec>::is_needed(around) {
                    match <$Spec>::build(&members, around) {
                        Ok(systems) => built.extend(systems),
                        Err(mistakes) => errors.extend(mistakes),
                    }
                }
            )*
            if errors.is_empty() { Ok(built) } else { Err(errors.into()) }
        }
    };
}

passive_kinds! {
    #[doc = "Bodies on joints, from an MJCF file: a ragdoll, a ball, a crate, a pendulum, a door."]
    "articulated" Articulated(ArticulatedSpec),
    #[doc = "Rigid links with stiff joints, integrated implicitly in linear time: a chain, a hair, a cable."]
    "chain" Chain(ChainSpec),
    #[doc = "Bones with stiff joints, from an MJCF file, integrated like chains: a hand, a spine, a branch."]
    "skeleton" Skeleton(SkeletonSpec),
    #[doc = "A rectangular cloth of Verlet particles."]
    "cloth" Cloth(ClothSpec),
    #[doc = "A rope of Verlet particles."]
    "rope" Rope(RopeSpec),
    #[doc = "Plants, boxes and figures made of Verlet particles."]
    "particles" Particles(LooseSpec),
    #[doc = "Particles held by constraint forces: beads on wires, pendulums, linkages."]
    "constrained" Constrained(ConstrainedSpec),
}

impl<'de> Deserialize<'de> for PassiveSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ByKind)
    }
}

/// Reads `kind` first ([`Format::first`](aplomb_language::files::Format) puts it there), because the valid
/// keys depend on it.
struct ByKind;

impl<'de> Visitor<'de> for ByKind {
    type Value = PassiveSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PassiveSpec, A::Error> {
        match map.next_key::<String>()? {
            Some(key) if key == "kind" => {
                let name = map.next_value::<Name>()?;
                PassiveSpec::read(name, map)
            }
            _ => Err(A::Error::missing_field("kind")),
        }
    }
}

/// A reference to the schema of a kind, with its `kind` among the keys.
#[cfg(feature = "schema")]
fn of_kind<S: schemars::JsonSchema>(
    generator: &mut schemars::SchemaGenerator,
    key: &str,
    about: &str,
) -> schemars::Schema {
    let reference = generator.subschema_for::<S>();
    let definition = generator.definitions_mut().get_mut(&*S::schema_name());
    if let Some(definition) = definition.and_then(|schema| schema.as_object_mut()) {
        let kind = serde_json::json!({ "const": key, "description": about });
        if let Some(keys) = definition.get_mut("properties").and_then(|keys| keys.as_object_mut()) {
            keys.shift_insert(0, "kind".into(), kind);
        }
        let required = definition.entry("required").or_insert_with(|| serde_json::json!([]));
        if let Some(required) = required.as_array_mut() {
            required.insert(0, "kind".into());
        }
    }
    reference
}
