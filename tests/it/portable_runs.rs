//! The guarantee of `--portable`: the same bytes on another machine.

use std::path::Path;
use std::process::Command;

/// The trace of a portable run, with `GLIBC_TUNABLES` describing the processor to the C library.
fn trace(scene: &str, folder: &Path, tunables: Option<&str>) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.args(["run", scene, "--portable", "--no-plots", "--quiet", "--out"]).arg(folder);
    if let Some(tunables) = tunables {
        command.env("GLIBC_TUNABLES", tunables);
    }
    let done = command.output().expect("the program");
    assert!(done.status.success(), "{scene}: {}", String::from_utf8_lossy(&done.stderr));
    std::fs::read(folder.join("trace.mcap")).expect("a trace")
}

/// A C library other than glibc ignores the variable, and both runs are then trivially equal.
#[test]
fn portable_runs_do_not_depend_on_the_platforms_sines() {
    let folder = tempfile::tempdir().unwrap();
    for scene in ["fall_limp", "ragdoll_stairs", "catch_ball"] {
        let without = Some("glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4");
        let [a, b] = [("a", None), ("b", without)]
            .map(|(name, tunables)| trace(scene, &folder.path().join(name).join(scene), tunables));
        assert!(a == b, "{scene} differs where the processor has no fused products");
    }
}
