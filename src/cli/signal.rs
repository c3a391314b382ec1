//! Being asked to stop: Ctrl-C and SIGTERM end a run after its frame, so that what it leaves is whole; where a frame
//! does not end, without it.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// How long a frame may go on once a signal came.
const PATIENCE: Duration = Duration::from_millis(700);
/// How often it is looked.
const LOOK: Duration = Duration::from_millis(50);

/// Ends its watch when it is dropped.
pub struct Watch(Arc<AtomicBool>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

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

    /// Ends the process where what is going on does not end soon after a signal, until the watch is dropped. What it
    /// has written is as after any other end of a process.
    pub fn watch(&self) -> Watch {
        let (signals, is_over) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let watch = Watch(is_over.clone());
        thread::spawn(move || {
            let mut waited = Duration::ZERO;
            while !is_over.load(Ordering::Relaxed) {
                match signals.caught() {
                    Some((number, name)) if waited >= PATIENCE => {
                        super::output::remark(&format!("interrupted by {name} within a frame"));
                        std::process::exit(128 + i32::from(number));
                    }
                    Some(_) => waited += LOOK,
                    None => {}
                }
                thread::sleep(LOOK);
            }
        });
        watch
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
