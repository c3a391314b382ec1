//! Elements of arrays by name or index.

use toml::de::DeArray;

/// The element with that `name`, else with that index.
pub(super) fn element(array: &DeArray<'_>, key: &str) -> Option<usize> {
    let named = array.iter().position(|element| {
        element.get_ref().get("name").is_some_and(|name| name.get_ref().as_str() == Some(key))
    });
    named.or_else(|| key.parse().ok().filter(|index| *index < array.len()))
}
