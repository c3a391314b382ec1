//! The engine as a WebAssembly module: plain `extern "C"` functions ([`border`]) over `aplomb_web`. It
//! imports nothing.

#![deny(missing_docs)]

pub mod border;
mod buffer;
