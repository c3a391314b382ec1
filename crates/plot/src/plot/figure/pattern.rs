//! Name patterns with `*`.

/// Whether `pattern` contains `*`.
pub fn is_pattern(pattern: &str) -> bool {
    pattern.contains('*')
}

/// Whether `name` matches `pattern`, where each `*` matches any letters or none.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return pattern == name };
    let Some(rest) = name.strip_prefix(head) else { return false };
    rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| matches(tail, &rest[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        assert!(matches("cost.*", "cost.upright"));
        assert!(matches("*left*foot", "the_left_big_foot"));
        assert!(matches("a*", "a"));
        assert!(!matches("cost.*", "costs"));
        assert!(!matches("*.x", "com.xy"));
        assert!(matches("com.x", "com.x"));
        assert!(matches("*é", "ééé"));
    }
}
