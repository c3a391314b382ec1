//! Includes: other controllers, and the values that a controller sets in them.

use aplomb_language::Spanned;
use aplomb_language::expression::ExpressionField;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// Another controller that this one includes under a name, as a machine of its own.
///
/// Its states are `NAME.STATE` where exits name them, its parameters, definitions, roles, planners and
/// objectives `NAME.…` in expressions. `NAME` itself is a state that has them in it, unless a state of this
/// file says `machine = "NAME"`. Whatever else this table says replaces what stands there in that file; names
/// in it are those of this file.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IncludeSpec {
    /// A controller by its path from this file, or the name of a shipped one.
    pub file: Spanned<String>,
    /// Left stands for right in it: in the names of states, parameters, definitions, roles, objectives,
    /// bodies, joints, sites and holds; angles of `pose` and y of `offset` and `axis` are those of the mirror
    /// image.
    #[serde(default)]
    pub mirror: bool,
    /// The state that it begins in.
    pub start: Option<Spanned<String>>,
    /// Other numbers for its parameters.
    #[serde(default)]
    pub parameters: IndexMap<String, Laid>,
    /// Values of its commands, set in each frame while it runs: numbers, vectors or expressions, with names of this
    /// file. Nothing else can set these commands, and each value is clamped to the command's range.
    #[serde(default)]
    pub commands: IndexMap<Spanned<String>, ExpressionField>,
    /// Other expressions for its definitions.
    #[serde(default)]
    pub define: IndexMap<String, ExpressionField>,
    /// Other keys of its planners.
    #[serde(default)]
    pub planner: Laid,
    /// Other keys of its objectives for every state, by name; or a list of more of them.
    #[serde(default)]
    pub objectives: Laid,
    /// Other keys of its states, by name: `[include.NAME.states.STATE]`.
    #[serde(default)]
    pub states: IndexMap<String, Laid>,
    /// What it says of the controllers that it includes itself, by name.
    #[serde(default)]
    pub include: IndexMap<String, Laid>,
}

/// Values for another file, which are checked there.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Laid(IgnoredAny);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Laid {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Laid".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "description": "What is said of another file." })
    }
}
