//! Entry point: the implementation is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    aplomb::cli::main(std::env::args_os())
}
