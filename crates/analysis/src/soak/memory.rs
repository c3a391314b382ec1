//! Whether the memory of a process grows without bound.

/// Number of cases after which the memory in use is the memory needed.
const WARM: u64 = 40;
/// Significant growth from there, bytes.
const ALLOWED: u64 = 200 << 20;

/// Monitors the memory of this process, where the system reports it (Linux).
#[derive(Debug, Default)]
pub struct MemoryWatch {
    looks: u64,
    warm: u64,
    most: u64,
}

impl MemoryWatch {
    /// Increase in memory since the first cases, bytes, if it is significant; to be called after each case.
    pub fn look(&mut self) -> Option<u64> {
        let resident = resident()?;
        self.looks += 1;
        self.most = self.most.max(resident);
        if self.looks <= WARM {
            self.warm = self.warm.max(resident);
            return None;
        }
        resident.checked_sub(self.warm + ALLOWED).map(|beyond| beyond + ALLOWED)
    }

    /// The peak so far, bytes; `None` if the system does not report it.
    pub fn most(&self) -> Option<u64> {
        (self.most > 0).then_some(self.most)
    }
}

/// Memory of this process that is in use, bytes.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}
