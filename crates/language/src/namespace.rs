//! Mapping of the names of an included file to names in the including file.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Time in the state of a level, as the files of outer levels write it.
const STATE_TIME: &str = "state_time";

/// Mapping of the names of a file to names in the including file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Namespace {
    /// Names of the includes that lead to the file, joined by dots; empty for the outermost file.
    pub prefix: String,
    /// The file's own names: parameters, definitions, roles, planners, includes. Empty for the outermost
    /// file, whose names are not changed.
    pub own: BTreeSet<String>,
    /// Whether left and right are exchanged in it.
    pub is_mirrored: bool,
    /// Number of includes that lead to it, if it has includes itself: its `state_time` is not that of the
    /// innermost state.
    pub level: Option<usize>,
}

impl Namespace {
    /// Name in the including file for a name of the file.
    pub fn whole<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if name == STATE_TIME && self.level.is_some() {
            return Cow::Owned(format!("{}.{STATE_TIME}", self.prefix));
        }
        let name = self.mirrored(name);
        if self.own.contains(name.as_ref()) { Cow::Owned(joined(&self.prefix, &name)) } else { name }
    }

    /// The name with left and right exchanged, if the file is mirrored.
    pub(crate) fn mirrored<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.is_mirrored { mirrored(name) } else { Cow::Borrowed(name) }
    }
}

/// The level whose `state_time` a name denotes, in the form given by [`Namespace::whole`]; `None` for other names.
pub fn level_of_time(name: &str) -> Option<usize> {
    let prefix = name.strip_suffix(STATE_TIME)?.strip_suffix('.')?;
    Some(if prefix.is_empty() { 0 } else { prefix.split('.').count() })
}

/// Whether a name is the time in a state of any level.
pub fn is_state_time(name: &str) -> bool {
    name == STATE_TIME || level_of_time(name).is_some()
}

/// A name qualified by an outer one.
pub fn joined(outer: &str, name: &str) -> String {
    if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") }
}

/// Whether a name can be written in an expression without quotes.
pub fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
}

/// A name with its words `left` and `right` exchanged: `left_foot`, `step.left`, `left foot down`.
pub fn mirrored(name: &str) -> Cow<'_, str> {
    if !name.contains("left") && !name.contains("right") {
        return Cow::Borrowed(name);
    }
    let mut mirrored = String::with_capacity(name.len() + 1);
    let mut rest = name;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        mirrored += match word {
            "left" => "right",
            "right" => "left",
            other => other,
        };
        let next = after.find(|c: char| c.is_alphanumeric()).unwrap_or(after.len());
        mirrored += &after[..next];
        rest = &after[next..];
    }
    Cow::Owned(mirrored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_and_right_change_places_as_words_alone() {
        for (one, other) in [
            ("left_foot", "right_foot"),
            ("swing.left", "swing.right"),
            ("left sole flat", "right sole flat"),
            ("upright", "upright"),
            ("leftover", "leftover"),
            ("_left_", "_right_"),
        ] {
            assert_eq!(mirrored(one), other);
            assert_eq!(mirrored(other), one);
        }
    }

    #[test]
    fn names_of_a_file_have_its_prefix_and_others_do_not() {
        let own = ["gain", "right_gain"].map(String::from).into();
        let of_file = Namespace { prefix: "a.b".into(), own, ..Namespace::default() };
        assert_eq!(of_file.whole("gain"), "a.b.gain");
        assert_eq!(of_file.whole("left_foot"), "left_foot");
        assert_eq!(of_file.whole("state_time"), "state_time");
        let mirrored = Namespace { is_mirrored: true, level: Some(2), ..of_file };
        assert_eq!(mirrored.whole("left_gain"), "a.b.right_gain");
        assert_eq!(mirrored.whole("left_foot"), "right_foot");
        assert_eq!(level_of_time(&mirrored.whole("state_time")), Some(2));
        assert_eq!(
            level_of_time(&Namespace { level: Some(0), ..Namespace::default() }.whole("state_time")),
            Some(0)
        );
        assert_eq!(level_of_time("state_time"), None);
    }
}
