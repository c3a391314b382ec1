//! Includes: other controllers, and the values that a controller sets in them.

use aplomb_language::Spanned;
use aplomb_language::expression::ExpressionField;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// Another controller that this one includes under a name, as a separate state machine.
///
/// Exits refer to its states as `NAME.STATE`, and expressions to its parameters, definitions, roles, planners
/// and objectives as `NAME.…`. `NAME` itself is a state that contains the machine, unless a state of this
/// file has `machine = "NAME"`. The other keys of this table replace those of the included file; names in
/// them are those of this file.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "most keys are read where files are laid together; here they only have names")]
pub(crate) struct IncludeSpec {
    /// Controller file, relative to this file, or the name of a shipped controller.
    pub(crate) file: Spanned<String>,
    /// Exchange left and right: in the names of states, parameters, definitions, roles, objectives, bodies,
    /// joints, sites and holds; angles of `pose` and y of `offset` and `axis` are mirrored.
    #[serde(default)]
    pub(crate) mirror: bool,
    /// Name of its initial state.
    pub(crate) start: Option<Spanned<String>>,
    /// Values that replace its parameters.
    #[serde(default)]
    pub(crate) parameters: IndexMap<String, Laid>,
    /// Values of its commands, set in each frame while it runs: numbers, vectors or expressions, with names of this
    /// file. Nothing else can set these commands, and each value is clamped to the command's range.
    #[serde(default)]
    pub(crate) commands: IndexMap<Spanned<String>, ExpressionField>,
    /// Expressions that replace its definitions. They may use names of the file in which they are written, also its
    /// definitions.
    #[serde(default)]
    pub(crate) define: IndexMap<String, ExpressionField>,
    /// Keys that replace those of its planners.
    #[serde(default)]
    pub(crate) planner: Laid,
    /// Keys that replace those of its objectives for every state, by name; or a list of additional objectives.
    #[serde(default)]
    pub(crate) objectives: Laid,
    /// Keys that replace those of its states, by name: `[include.NAME.states.STATE]`.
    #[serde(default)]
    pub(crate) states: IndexMap<String, Laid>,
    /// Keys that replace those of its own includes, by name.
    #[serde(default)]
    pub(crate) include: IndexMap<String, Laid>,
}

/// Values for another file, which are checked there.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Laid(IgnoredAny);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Laid {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Laid".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "description": "What is said of another file." })
    }
}
