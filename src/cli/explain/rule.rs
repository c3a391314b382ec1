//! Explanation of a rule of `check`.

use crate::analysis::lint::{self, Rule};
use crate::cli::{Done, Failure, output, plot};
use std::path::Path;

/// # Errors
/// A name that is neither a run nor a rule.
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
    let Rule { name, about, why, wrong, right, .. } = rule;
    format!(
        "{name}: {about}\n\n{why}\n\nFinds something in the lines that end with `# here`:\n\n{}\nFinds \
         nothing in:\n\n{}\n\
         To leave it out of a file, write at its top, with the reason:\n\n    allow = [\"{name}\"]\n",
        indented(wrong),
        indented(right)
    )
}

fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}
