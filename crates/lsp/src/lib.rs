//! Language server for the files of aplomb: controllers, scenes, plots and bodies.
//!
//! An editor starts `aplomb lsp` and communicates with it by the Language Server Protocol. [`serve`] is one session
//! over any connection. Requests are answered from the texts in the editor, whether they parse or not (`outline`);
//! diagnostics (`diagnostics`) and values of the last run (`last_run`) are computed in parallel.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod actions;
mod completion;
mod diagnostics;
mod document;
mod expression;
mod hover;
mod last_run;
mod lookup;
mod names;
mod navigation;
mod outline;
mod position;
mod rename;
mod run_values;
mod schema;
mod server;
mod subject;
mod units;
mod workspace;

pub use server::{ServeError, serve, serve_stdio};
