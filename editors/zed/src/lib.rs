//! Starts `aplomb lsp` for Zed.

use zed_extension_api::{register_extension, Command, Extension, LanguageServerId, Result, Worktree};

struct Aplomb;

impl Extension for Aplomb {
    fn new() -> Self {
        Aplomb
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree.which("aplomb").ok_or("`aplomb` is not on PATH: `cargo install --path .`")?;
        Ok(Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }
}

register_extension!(Aplomb);
