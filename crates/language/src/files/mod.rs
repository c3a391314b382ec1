//! Files: how they are found and parsed, and how the command line changes their values.

mod absent;
pub mod border;
mod carried;
mod document;
mod finite;
mod lay;
mod locate;
mod mend;
mod overrides;
mod part;
mod put;
mod stand_in;
mod toml_error;
mod unsaved;
mod written;

pub use document::{Document, Piece, Read, read, read_all};
pub use document::{Format, Keys, Unfold};
pub use locate::{
    Folder, Located, Locator, NotFound, ReadError, ends_in, find, find_from, find_shipped, open, shadowed,
    shipped,
};
pub use overrides::{Override, OverrideTarget, in_quotes, quoted};
pub use unsaved::{Unsaved, with_unsaved};
pub use written::{Written, written};
