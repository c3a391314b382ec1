//! Reads files that other files refer to, and guards against panics in other libraries' readers.

use std::cell::Cell;
use std::fs::{File, metadata};
use std::io::{Error, ErrorKind, Read, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

/// Largest file that is read, bytes.
pub(crate) const LARGEST: u64 = 256 << 20;

/// The bytes of a regular file. Pipes and devices are rejected: reading them may never end or may have
/// effects.
///
/// # Errors
/// Not a regular file, one larger than `LARGEST`, or one that cannot be read.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    // Checked before opening, because opening a pipe waits for its writer.
    let found = metadata(path)?;
    if found.is_dir() {
        return Err(Error::other("it is a directory"));
    }
    if !found.is_file() {
        return Err(Error::other("it is not a regular file"));
    }
    let too_large =
        || Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MiB", LARGEST >> 20));
    if found.len() > LARGEST {
        return Err(too_large());
    }
    // Endless files report a length of 0.
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST { Err(too_large()) } else { Ok(bytes) }
}

/// The result of another library's reader; `None` if it panics. The panic message is suppressed.
pub fn guarded<T>(read: impl FnOnce() -> T) -> Option<T> {
    thread_local!(static IS_GUARDED: Cell<bool> = const { Cell::new(false) });
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                usual(panic);
            }
        }));
    });
    let before = IS_GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(before);
    done.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, "text").expect("written");
        assert_eq!(bytes(&path).expect("a file"), b"text");
        assert!(bytes(folder.path()).unwrap_err().to_string().contains("directory"));
        assert_eq!(bytes(&folder.path().join("none")).unwrap_err().kind(), ErrorKind::NotFound);
        #[cfg(unix)]
        assert!(bytes(Path::new("/dev/zero")).unwrap_err().to_string().contains("not a regular file"));
        File::create(&path).and_then(|file| file.set_len(LARGEST + 1)).expect("a file with a hole");
        assert_eq!(bytes(&path).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_panic_ends_at_the_border() {
        assert_eq!(guarded(|| 1), Some(1));
        assert_eq!(guarded(|| Vec::<u8>::new()[std::hint::black_box(0)]), None);
    }
}
