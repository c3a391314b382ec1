//! Documentation of the keys of files: the JSON Schemas of `aplomb schema`, looked up by path.

mod expected;
mod key;

pub(crate) use expected::{Expected, expected};
pub(crate) use key::{AllowedValue, KeyDoc, ValueForm};

use crate::outline::PathStep;
use aplomb_analysis::check::Kind;
use aplomb_plot::plot::figure::Figure;
use aplomb_scene::SceneSpec;
use aplomb_world::controller::ControllerSpec;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::LazyLock;

static CONTROLLER: LazyLock<Schema> = LazyLock::new(Schema::of::<ControllerSpec>);
static SCENE: LazyLock<Schema> = LazyLock::new(Schema::of::<SceneSpec>);
static PLOT: LazyLock<Schema> = LazyLock::new(Schema::of::<Figure>);

/// Deepest nesting of choices that is followed.
const DEEPEST: usize = 12;

/// The schema of a kind of file.
pub(crate) struct Schema {
    root: Value,
}

/// A part of a schema, with the name of the type that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct SchemaNode<'s> {
    /// The part.
    pub value: &'s Value,
    /// Name of its type, if it has one.
    pub name: Option<Cow<'s, str>>,
}

/// The schema of a kind of file; `None` for bodies, which are not TOML.
pub(crate) fn of(kind: Kind) -> Option<&'static Schema> {
    match kind {
        Kind::Controller => Some(&CONTROLLER),
        Kind::Scene => Some(&SCENE),
        Kind::Plot => Some(&PLOT),
        Kind::Model => None,
    }
}

impl Schema {
    fn of<T: JsonSchema>() -> Self {
        let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
        Schema { root: schema.to_value() }
    }

    /// Whether a document may have a key at its root.
    pub(crate) fn has_root_key(&self, key: &str) -> bool {
        self.root.get("properties").is_some_and(|properties| properties.get(key).is_some())
    }

    /// The parts that a path leads to: several where there are choices.
    pub(crate) fn at(&self, path: &[PathStep]) -> Vec<SchemaNode<'_>> {
        let mut nodes = self.alternatives(&self.root);
        for step in self.in_its_file(path) {
            let below = nodes.iter().flat_map(|node| self.below(node, step));
            nodes = below.collect();
        }
        nodes
    }

    /// The path in an included controller of a key that is written under `include`: the two have the same keys.
    pub(super) fn in_its_file<'p>(&self, path: &'p [PathStep]) -> &'p [PathStep] {
        let own = ["file", "mirror", "start"];
        match path {
            [include, _, rest @ ..]
                if *include == PathStep::from("include")
                    && self.has_root_key("include")
                    && rest.first().and_then(PathStep::key).is_some_and(|key| !own.contains(&key)) =>
            {
                self.in_its_file(rest)
            }
            _ => path,
        }
    }

    fn below<'s>(&'s self, node: &SchemaNode<'s>, step: &PathStep) -> Vec<SchemaNode<'s>> {
        let next = match step {
            PathStep::Key(key) => child(node, key),
            PathStep::Index(_) => node.value.get("items"),
        };
        // An included file's objectives are named, not numbered.
        let next = next.or_else(|| node.value.get("items").filter(|_| step.key().is_some()));
        next.map(|next| self.alternatives(next)).unwrap_or_default()
    }

    /// A part with everything that it refers to, and all its alternatives.
    fn alternatives<'s>(&'s self, part: &'s Value) -> Vec<SchemaNode<'s>> {
        let mut all = Vec::new();
        self.collect(part, None, 0, &mut all);
        all
    }

    fn collect<'s>(
        &'s self,
        part: &'s Value,
        name: Option<Cow<'s, str>>,
        depth: usize,
        all: &mut Vec<SchemaNode<'s>>,
    ) {
        if depth > DEEPEST {
            return;
        }
        all.push(SchemaNode { value: part, name: name.clone() });
        if let Some((target, of)) = self.target(part) {
            self.collect(target, Some(of), depth + 1, all);
        }
        for choice in ["anyOf", "oneOf", "allOf"] {
            for part in part.get(choice).and_then(Value::as_array).into_iter().flatten() {
                self.collect(part, name.clone(), depth + 1, all);
            }
        }
    }

    /// The schema that a part refers to, with its name.
    fn target<'s>(&'s self, part: &'s Value) -> Option<(&'s Value, Cow<'s, str>)> {
        let reference = part.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
        let name = match reference.contains('%') {
            true => Cow::Owned(reference.replace("%20", " ")),
            false => Cow::Borrowed(reference),
        };
        Some((self.root.get("$defs")?.get(name.as_ref())?, name))
    }

    /// The keys of the table at a path.
    pub(crate) fn keys(&self, table: &[PathStep]) -> Vec<KeyDoc> {
        let mut keys: Vec<KeyDoc> = Vec::new();
        for node in self.at(table) {
            let Some(properties) = node.value.get("properties").and_then(Value::as_object) else { continue };
            for (name, part) in properties {
                if keys.iter().all(|known| known.name != *name) {
                    keys.push(self.key(&node, name, part));
                }
            }
        }
        keys
    }

    /// The documentation of the key at a path.
    pub(crate) fn doc(&self, path: &[PathStep]) -> Option<KeyDoc> {
        let (last, table) = path.split_last()?;
        let name = last.key()?;
        let found = self.at(table).into_iter().find_map(|node| {
            let part = node.value.get("properties")?.get(name)?;
            Some(self.key(&node, name, part))
        });
        found.or_else(|| {
            let node = self.at(table).into_iter().find(|node| child(node, name).is_some())?;
            Some(self.key(&node, name, child(&node, name)?))
        })
    }
}

/// The schema of a key of a table: its own, else that of any key.
fn child<'s>(node: &SchemaNode<'s>, key: &str) -> Option<&'s Value> {
    let own = node.value.get("properties").and_then(|properties| properties.get(key));
    own.or_else(|| node.value.get("additionalProperties").filter(|any| any.is_object()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::key_path;

    fn keys(kind: Kind, path: &[&str]) -> Vec<String> {
        let path: Vec<PathStep> = path
            .iter()
            .map(|key| key.parse().map_or_else(|_| PathStep::from(*key), PathStep::Index))
            .collect();
        of(kind).expect("a schema").keys(&path).into_iter().map(|key| key.name).collect()
    }

    #[test]
    fn keys_are_found_by_path_through_choices_and_lists() {
        assert!(keys(Kind::Controller, &["states", "a", "objectives", "0"]).contains(&"weight".into()));
        assert!(keys(Kind::Controller, &["objectives", "1", "of"]).contains(&"upright".into()));
        assert_eq!(keys(Kind::Controller, &["objectives", "1", "of", "upright"]), ["body", "axis"]);
        assert!(keys(Kind::Scene, &["events", "push"]).contains(&"impulse".into()));
        assert!(keys(Kind::Scene, &["holds", "at", "left"]).contains(&"kind".into()));
        assert!(keys(Kind::Plot, &["panels", "0", "of", "lines"]).contains(&"channels".into()));
        assert!(
            keys(Kind::Controller, &["include", "step", "objectives", "rest"]).contains(&"weight".into())
        );
        assert!(keys(Kind::Controller, &["include", "step"]).contains(&"mirror".into()));
        assert_eq!(keys(Kind::Scene, &["no", "such", "table"]), [""; 0]);
    }

    #[test]
    fn a_key_says_what_it_is_for() {
        let controller = of(Kind::Controller).expect("a schema");
        let doc = controller.doc(&key_path(&["start"])).expect("a key");
        assert!(doc.is_required && doc.form == ValueForm::Text, "{doc:?}");
        let doc = controller.doc(&key_path(&["states", "a", "drive"])).expect("a key");
        assert_eq!(
            doc.choices.iter().map(|choice| &choice.name).collect::<Vec<_>>(),
            ["torques", "limp", "ragdoll"]
        );
        let doc = controller.doc(&key_path(&["states", "a", "while"])).expect("a key");
        assert_eq!(doc.form, ValueForm::Expression);
        assert!(controller.doc(&key_path(&["states", "a", "nothing"])).is_none());
    }
}
