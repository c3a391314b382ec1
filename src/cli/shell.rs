//! `aplomb completions` and `aplomb man`: shell completions and manual pages from the list of commands.

use super::{Cli, Done, Failure, output};
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use std::fs;
use std::path::PathBuf;

/// Print a script that completes this command line.
#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub(crate) struct Completions {
    /// Shell that reads the script
    shell: Shell,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  aplomb completions bash > ~/.local/share/bash-completion/completions/aplomb
  aplomb completions zsh > \"${fpath[1]}/_aplomb\"
  aplomb completions fish > ~/.config/fish/completions/aplomb.fish";

/// Write manual pages, one a command.
#[derive(Debug, clap::Args)]
#[command(after_help = MAN_HELP)]
pub(crate) struct Man {
    /// Folder for aplomb.1, aplomb-run.1 and the rest
    folder: PathBuf,
}

const MAN_HELP: &str = "\
Examples:
  aplomb man ~/.local/share/man/man1 && man aplomb-run";

pub(crate) fn completions(arguments: &Completions) -> Result<Done, Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "aplomb", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Done::Well)
}

pub(crate) fn man(arguments: &Man) -> Result<Done, Failure> {
    let folder = &arguments.folder;
    let unwritten = |error| Failure::write(folder, error);
    fs::create_dir_all(folder).map_err(unwritten)?;
    let command = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).map_err(unwritten)?;
    output::print(&format!("written to {}\n", folder.display()))?;
    Ok(Done::Well)
}
