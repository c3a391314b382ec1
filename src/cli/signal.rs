//! Being asked to stop: Ctrl-C and SIGTERM end a run after its frame, so that what it leaves is whole.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Notes the first signal; the second ends the process at once.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    caught: Arc<AtomicUsize>,
}

impl Signals {
    /// Catches signals from now on. Where that is not allowed they do what they always did.
    pub fn catch() -> Self {
        let signals = Signals::default();
        for signal in [SIGINT, SIGTERM] {
            let second = Arc::new(AtomicBool::new(false));
            let number = signal as usize;
            // In the order in which they are to act: the second signal finds what the first one left.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, second.clone());
            let _ = flag::register(signal, second);
            let _ = flag::register_usize(signal, signals.caught.clone(), number);
        }
        signals
    }

    /// Number and name of the signal that came, if one did.
    pub fn caught(&self) -> Option<(u8, &'static str)> {
        match i32::try_from(self.caught.load(Ordering::Relaxed)) {
            Ok(SIGINT) => Some((SIGINT as u8, "SIGINT")),
            Ok(SIGTERM) => Some((SIGTERM as u8, "SIGTERM")),
            _ => None,
        }
    }
}
