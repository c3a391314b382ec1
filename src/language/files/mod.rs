//! Files: where they are found, how they are read, and how the command line changes values in them.

mod document;
mod locate;
mod overrides;
mod toml_error;

pub use document::read;
pub use locate::{Folder, Located, Locator, NotFound, find, find_from, shipped};
pub use overrides::{Override, Target};
