//! Numbers that are not finite, and frames without solutions, are reported in the verdict on a run.

use super::*;

fn run(folder: &Path, more: &[&str]) -> Output {
    aplomb(folder, &[&["run", "scene.toml", "--no-plots", "--out", "o"][..], more].concat())
}

#[test]
fn a_target_that_is_not_finite_ends_the_run_with_a_summary_that_says_where() {
    for of in [
        "{ com_height = { target = \"0.9/(0.2-time)\" } }",
        "{ com_height = { target = \"0.9 + 0 * sqrt(0.2 - 1.0001 * time)\" } }",
        "{ com_position = { target = [0, 0, \"0.9/(0.2-time)\"] } }",
        "{ com_velocity = { target = [0, 0, \"1/(0.2-time)\"] } }",
        "{ body_orientation = { body = \"pelvis\", target = [0, 0, \"1/(0.2-time)\"] } }",
        "{ pose = { angles = { left_knee = \"0.2/(0.2-time)\" } } }",
    ] {
        let folder = folder();
        scene_with(folder.path(), of);
        let ran = run(folder.path(), &[]);
        assert_eq!(code(&ran), Some(2), "{of}: {}", err(&ran));
        let said = err(&ran);
        assert!(said.contains("objective `wish` (controller.toml:4)"), "{of}: {said}");
        let summary = summary(&folder.path().join("o"));
        assert_eq!(
            (&summary["verdict"], &summary["stopped"]["by"]),
            (&"fail".into(), &"value".into()),
            "{of}"
        );
        assert!(
            summary["reason"].as_str().is_some_and(|reason| reason.contains("controller.toml:4")),
            "{summary}"
        );
        let frames = summary["frames"].as_u64().expect("a number");
        assert!((19..=21).contains(&frames), "{of}: {frames}");
        let trace = aplomb::trace::read(folder.path().join("o/trace.mcap")).expect("a trace");
        assert_eq!(trace.torn, None);
    }
}

#[test]
fn a_target_that_is_never_a_number_is_no_target_that_is_not_there() {
    for of in
        ["{ com_height = { target = \"0.9 + 0/0\" } }", "{ com_position = { target = [\"0/0\", 0, 0.9] } }"]
    {
        let folder = folder();
        scene_with(folder.path(), of);
        let ran = run(folder.path(), &[]);
        assert_eq!(code(&ran), Some(2), "{of}: {}", err(&ran));
        assert!(err(&ran).contains("target of objective `wish` (controller.toml:4) is NaN"), "{}", err(&ran));
    }
}

#[test]
fn a_run_whose_frames_have_no_solutions_does_not_pass() {
    let folder = folder();
    scene_with(folder.path(), "{ com_height = {  target = 0.9 } }");
    // No controller can stand under a gravity of that size, and the run has no criteria.
    let ran = run(folder.path(), &["--set", "gravity=[0,0,-1e6]", "--set", "duration=0.03"]);
    let summary = summary(&folder.path().join("o"));
    assert!(summary["failed_frames"].as_u64().expect("a number") > 0, "{summary}");
    assert_eq!((code(&ran), &summary["verdict"]), (Some(1), &"fail".into()), "{}", out(&ran));
    assert!(summary["reason"].as_str().is_some_and(|reason| reason.contains("had no solution")), "{summary}");
}
