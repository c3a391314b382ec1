//! `aplomb lsp`: the language server, for editors.

use super::{Done, Failure};
#[cfg(feature = "lsp")]
use std::io::IsTerminal;

/// Serve an editor: errors, completion, documentation and renaming in the files it has open
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Speak over standard input and output, as is done anyway: many editors add this
    #[arg(long)]
    stdio: bool,
}

const AFTER_HELP: &str = "\
An editor starts it and speaks the Language Server Protocol with it. It serves controllers, scenes and plots \
(TOML) and bodies (MJCF, URDF). docs/editors.md has set-ups for VS Code, Zed, Helix and Neovim; another editor \
needs to know that the command `aplomb lsp` is a language server for TOML files.

Examples:
  hx my_controller.toml          Helix, with `command = \"aplomb\"` and `args = [\"lsp\"]` in languages.toml
  code --extensionDevelopmentPath=\"$PWD/editors/vscode\" my_scene.toml

Exit codes: 0 the editor ended it, 2 what the editor sends is not the protocol, or this program was built \
without it.";

#[cfg(feature = "lsp")]
pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    // `--stdio` has no effect: it is the only transport.
    let Arguments { stdio: _ } = arguments;
    if std::io::stdin().is_terminal() {
        return Err(Failure::Usage {
            message: "the language server is started by an editor, not in a terminal".into(),
            help: Some(
                "docs/editors.md says how editors are set up; `aplomb check FILE` checks by hand".into(),
            ),
        });
    }
    aplomb_lsp::serve_stdio().map_err(|error| Failure::usage(error.to_string()))?;
    Ok(Done::Well)
}

#[cfg(not(feature = "lsp"))]
pub fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let Arguments { stdio: _ } = arguments;
    Err(Failure::Usage {
        message: "this program was built without its language server".into(),
        help: Some("build it with `cargo install --path . --features lsp`".into()),
    })
}
