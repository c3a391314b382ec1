//! Words in the names of bodies and joints.

/// Words in names of bodies that carry arms and head.
pub(super) const TRUNK_WORDS: [&str; 4] = ["torso", "thorax", "chest", "trunk"];

/// The words of a name in lower case, split at signs, digits and capitals.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let is_new = letter.is_uppercase() && before.is_lowercase();
        if is_new || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a word of a name is among these, alone or after the letter of a side: `left_foot`, `lfoot`.
pub(super) fn says(name: &str, among: &[&str]) -> bool {
    words(name).iter().any(|word| {
        let sided = word.strip_prefix(['l', 'r']);
        among.contains(&word.as_str()) || sided.is_some_and(|rest| among.contains(&rest))
    })
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn a_word_is_found_alone_and_behind_the_letter_of_a_side() {
        for name in ["foot", "left_foot", "rfoot", "LeftFoot", "foot1_left"] {
            assert!(says(name, &["foot"]), "{name}");
        }
        for name in ["footing", "left_hand", "barefoot"] {
            assert!(!says(name, &["foot"]), "{name}");
        }
    }
}
