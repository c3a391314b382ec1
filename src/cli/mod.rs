//! The command line: one file per command. Commands neither parse arguments nor exit; both happen here.

mod audit;
mod branch;
mod check;
mod compare;
mod convert;
mod explain;
mod export;
mod failure;
mod film;
mod fit;
mod graph;
mod list;
mod lsp;
mod new;
mod output;
mod pictures;
mod plot;
mod repair;
mod resume;
mod roles;
mod run;
mod schema;
mod shell;
mod show;
mod signal;
mod soak;
mod summary;
mod sweep;
mod table;
mod test;
mod tune;
mod verify;
mod view;

pub use failure::Failure;
pub use new::read_clip;
pub use view::rendered;

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Exit code of a run whose criteria did not all hold.
const CRITERIA_FAILED: u8 = 1;
/// Exit code if the audit rejects a trace.
const REFUSED: u8 = 6;

/// Characters that move because an optimiser decides their next frame.
#[derive(Debug, Parser)]
#[command(name = "aplomb", version, propagate_version = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb run balance_push                 run a shipped scene into runs/balance_push
  aplomb explain runs/balance_push        why it failed, and what would have saved it
  aplomb branch runs/step_push --time 0.6 what it bears at that moment, from every side
  aplomb sweep step_push                  push it from every side, and map what it survives
  aplomb test step_push                   its rate over random pushes, and what failures share
  aplomb test climb --mutants             which of its criteria can fail at all
  aplomb tune step_push --over parameters.outward=0.02:0.2   find values that survive more
  aplomb new controller mine              a controller to start from
  aplomb show climb --kind controller     how a shipped one is written
  aplomb list objectives                  what a controller can ask for

Exit codes: 0 done, 1 a criterion of the scene did not hold or a promised rate is missed, 2 usage, a bad \
file or a bad value, 3 could not write, 5 another aplomb writes in that folder, 6 the audit refuses a trace; 130 \
and 143 a run that was interrupted (Ctrl-C, SIGTERM).";

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Arguments),
    Summary(summary::Arguments),
    Audit(audit::Arguments),
    Verify(verify::Arguments),
    Explain(explain::Arguments),
    Branch(branch::Arguments),
    Sweep(sweep::Arguments),
    Test(test::Arguments),
    Tune(tune::Arguments),
    Check(check::Arguments),
    Plot(plot::Arguments),
    Film(film::Arguments),
    Compare(compare::Arguments),
    Graph(graph::Arguments),
    List(list::Arguments),
    Lsp(lsp::Arguments),
    Export(export::Arguments),
    New(new::Arguments),
    Show(show::Arguments),
    Roles(roles::Arguments),
    Convert(convert::Arguments),
    Schema(schema::Arguments),
    Completions(shell::Completions),
    Man(shell::Man),
    Repair(repair::Arguments),
    Soak(soak::Arguments),
    View(view::Arguments),
}

/// Result of a completed command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Well,
    /// The scene's criteria did not all hold.
    CriteriaFailed,
    /// The audit rejected a trace.
    Refused,
    /// A run was interrupted by the signal with this number.
    Interrupted(u8),
    /// Mistakes were found and reported.
    MistakesFound,
    /// Another program executed the command, with this exit code.
    Elsewhere(u8),
}

/// Parses the arguments, runs the command, and reports errors.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    signal::outlive_size_limits();
    ExitCode::from(exit_code(arguments))
}

/// [`main`] with the exit code as a number, for a caller that continues.
pub fn exit_code(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Failure to print is ignored.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(failure::USAGE);
        }
    };
    output::set_quiet(cli.command.as_ref().is_some_and(Command::is_quiet));
    let done = match cli.command {
        Some(command) => command.run(),
        None => output::print(&Cli::command().render_help().to_string()).map(|()| Done::Well),
    };
    match done {
        Ok(Done::Well) => 0,
        Ok(Done::CriteriaFailed) => CRITERIA_FAILED,
        Ok(Done::Refused) => REFUSED,
        // The convention of shells for a process ended by a signal.
        Ok(Done::Interrupted(signal)) => 128 + signal,
        Ok(Done::MistakesFound) => failure::USAGE,
        Ok(Done::Elsewhere(code)) => code,
        Err(failure) => {
            output::print_findings(failure.said());
            failure.exit_code()
        }
    }
}

/// Reports an error on standard error, and returns its exit code.
pub fn tell(failure: &Failure) -> ExitCode {
    output::print_findings(failure.said());
    ExitCode::from(failure.exit_code())
}

impl Command {
    /// Whether only errors and JSON are printed. Commands with a progress bar handle this themselves.
    fn is_quiet(&self) -> bool {
        match self {
            Command::Summary(arguments) => arguments.is_quiet(),
            Command::Check(arguments) => arguments.is_quiet(),
            Command::Plot(arguments) => arguments.is_quiet(),
            Command::Film(arguments) => arguments.is_quiet(),
            Command::Compare(arguments) => arguments.is_quiet(),
            Command::Export(arguments) => arguments.is_quiet(),
            Command::New(arguments) => arguments.is_quiet(),
            _ => false,
        }
    }

    fn run(self) -> Result<Done, Failure> {
        match self {
            Command::Run(arguments) => run::run(&arguments),
            Command::Summary(arguments) => summary::run(&arguments),
            Command::Audit(arguments) => audit::run(&arguments),
            Command::Verify(arguments) => verify::run(&arguments),
            Command::Explain(arguments) => explain::run(&arguments),
            Command::Branch(arguments) => branch::run(&arguments),
            Command::Sweep(arguments) => sweep::run(&arguments),
            Command::Test(arguments) => test::run(&arguments),
            Command::Tune(arguments) => tune::run(&arguments),
            Command::Check(arguments) => check::run(&arguments),
            Command::Plot(arguments) => plot::run(&arguments),
            Command::Film(arguments) => film::run(&arguments),
            Command::Compare(arguments) => compare::run(&arguments),
            Command::Graph(arguments) => graph::run(&arguments),
            Command::List(arguments) => list::run(&arguments),
            Command::Lsp(arguments) => lsp::run(&arguments),
            Command::Export(arguments) => export::run(&arguments),
            Command::New(arguments) => new::run(&arguments),
            Command::Show(arguments) => show::run(&arguments),
            Command::Roles(arguments) => roles::run(&arguments),
            Command::Convert(arguments) => convert::run(&arguments),
            Command::Schema(arguments) => schema::run(&arguments),
            Command::Completions(arguments) => shell::completions(&arguments),
            Command::Man(arguments) => shell::man(&arguments),
            Command::Repair(arguments) => repair::run(&arguments),
            Command::Soak(arguments) => soak::run(&arguments),
            Command::View(arguments) => view::run(&arguments),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
