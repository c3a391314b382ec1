//! `aplomb explain`: what a rule of `check` finds, and why it matters.

use super::{Done, Failure, output};
use crate::analysis::lint::{self, Rule};

/// Explain a rule of `check`: what it finds, why it matters, an example, and how to leave it out.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Name of a rule (`aplomb list rules`)
    #[arg(value_name = "WHAT")]
    what: String,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb explain shadowed-exit
  aplomb list rules";

pub fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let Some(rule) = lint::explain(&arguments.what) else {
        let help = match lint::nearest_name(&arguments.what) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`aplomb list rules` names them".into(),
        };
        let message = format!("there is no rule `{}`", arguments.what);
        return Err(Failure::Usage { message, help: Some(help) });
    };
    output::print(&text(rule))?;
    Ok(Done::Well)
}

/// What there is to say of a rule.
fn text(rule: &Rule) -> String {
    let Rule { name, about, why, wrong, right, .. } = rule;
    format!(
        "{name}: {about}\n\n{why}\n\nFinds something in the lines that end with `# here`:\n\n{}\nFinds nothing in:\n\n{}\n\
         To leave it out of a file, write at its top, with the reason:\n\n    allow = [\"{name}\"]\n",
        indented(wrong),
        indented(right)
    )
}

fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}
