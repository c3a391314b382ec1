//! Explanation of a rule of `check`.

use crate::analysis::lint::{self, Rule};
use crate::cli::{Done, Failure, output, plot};
use std::path::Path;

/// # Errors
/// If `what` is neither a run nor a rule.
pub(crate) fn run(what: &str) -> Result<Done, Failure> {
    let Some(rule) = lint::explain(what) else {
        if let Some(failure) = plot::of_scene(Path::new(what)) {
            return Err(failure);
        }
        let run = Path::new("runs").join(what);
        let help = match lint::nearest_name(what) {
            _ if run.exists() => format!("there is a run `{}`", run.display()),
            Some(near) => format!("did you mean `{near}`?"),
            None => "`aplomb list rules` names them".into(),
        };
        let message = format!("`{what}` is neither a run nor a rule");
        return Err(Failure::Usage { message, help: Some(help) });
    };
    output::print(&text(rule))?;
    Ok(Done::Well)
}

/// Text of the explanation.
fn text(rule: &Rule) -> String {
    let Rule { name, about, why, wrong, right, bodies, .. } = rule;
    let [bad, good] = bodies;
    let mut marks = "`# here`".to_string();
    if !bad.is_empty() {
        marks += " or `<!-- here -->`";
    }
    format!(
        "{name}: {about}\n\n{why}\n\nFinds something in the lines that end with {marks}:\n\n{}{}\nFinds \
         nothing in:\n\n{}{}\n\
         To leave it out of a file, write at its top, with the reason:\n\n    allow = [\"{name}\"]\n",
        indented(wrong),
        excerpts(bad, good),
        indented(right),
        excerpts(good, bad)
    )
}

/// The lines of each body that are not in all other bodies.
fn excerpts(bodies: &[(&str, &str)], others: &[(&str, &str)]) -> String {
    let is_shared = |line: &str| others.iter().all(|(_, text)| text.lines().any(|other| other == line));
    let excerpt = |(name, text): &(&str, &str)| {
        let mut shown = String::new();
        let mut left_out = false;
        for line in text.lines() {
            if is_shared(line) {
                left_out = true;
                continue;
            }
            if left_out && !shown.is_empty() {
                shown += "      …\n";
            }
            left_out = false;
            shown += &indented(line);
        }
        format!("\n  where `{name}` has\n\n{shown}")
    };
    bodies.iter().map(excerpt).collect()
}

fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_bodies_show_what_they_find_in_them() {
        for (name, bad, good) in [
            ("implausible-range", "range=\"-57 57\"", "<compiler angle=\"radian\"/>"),
            ("implausible-mass", "mass=\"1000\"", "mass=\"1\""),
            ("second-root", "<freejoint/>", "biped.xml"),
        ] {
            let text = lint::explain(name).map(text).unwrap_or_default();
            let (wrong, right) = text.split_once("Finds nothing in").unwrap_or_default();
            assert!(wrong.contains(bad) && wrong.contains("<!-- here -->"), "{text}");
            assert!(right.contains(good), "{text}");
            assert!(text.lines().count() < 80, "{text}");
        }
    }
}
