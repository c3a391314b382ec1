//! Goals that cannot hold together in a scene, and the conflicts that a frame reports.

use aplomb::analysis::explain;
use aplomb::scene::{self, Run, SceneFiles};
use aplomb::trace::{ConflictRow, Frame, RowOf};
use std::fs;

const BALANCE: &str = include_str!("../../../controllers/balance.toml");

/// Hard goals by name, and the names of those that contradict each other or another row.
struct Case {
    goals: Vec<(&'static str, &'static str)>,
    conflict: &'static [&'static str],
    /// Kinds of rows other than goals in the conflict.
    with: &'static [RowOf],
}

fn cases() -> Vec<Case> {
    let pose = |joint: &str, angle: f64| -> &'static str {
        Box::leak(format!("{{ pose = {{ angles = {{ {joint} = {angle} }} }} }}").into_boxed_str())
    };
    let com = |x: f64, y: f64| -> &'static str {
        Box::leak(
            format!("{{ com_position = {{ target = [{x}, {y}, 0], horizontal = true }} }}").into_boxed_str(),
        )
    };
    let height = |share: f64| -> &'static str {
        Box::leak(format!("{{ com_height = {{ target = \"{share} * standing_height\" }} }}").into_boxed_str())
    };
    let turned = |body: &str, pitch: f64| -> &'static str {
        let text = format!("{{ body_orientation = {{ body = \"{body}\", target = [0, {pitch}, 0] }} }}");
        Box::leak(text.into_boxed_str())
    };
    let hand = |z: f64| -> &'static str {
        let text = format!("{{ body_point = {{ point = \"left_hand_grip\", target = [0.3, 0.3, {z}] }} }}");
        Box::leak(text.into_boxed_str())
    };
    let pair = |first, second, decoy| Case {
        goals: vec![("this", first), ("other", decoy), ("that", second)],
        conflict: &["this", "that"],
        with: &[],
    };
    vec![
        pair(pose("left_elbow", -1.0), pose("left_elbow", -0.1), pose("right_elbow", -0.3)),
        pair(pose("right_elbow", -0.4), pose("right_elbow", -0.2), pose("left_elbow", -0.3)),
        pair(pose("left_shoulder_y", -0.4), pose("left_shoulder_y", 0.2), pose("head_y", 0.1)),
        pair(pose("abdomen_z", 0.1), pose("abdomen_z", -0.1), pose("left_elbow", -0.3)),
        pair(height(0.97), height(0.94), pose("right_elbow", -0.3)),
        pair(com(0.05, 0.0), com(-0.02, 0.0), pose("head_z", 0.1)),
        pair(com(0.02, 0.03), com(0.02, -0.03), height(0.97)),
        pair(turned("chest", 0.1), turned("chest", -0.1), pose("left_elbow", -0.3)),
        pair(turned("head", 0.2), "{ upright = { body = \"head\" } }", height(0.98)),
        pair(hand(1.0), hand(1.2), pose("right_elbow", -0.3)),
        // Goals that the floor prevents.
        Case {
            goals: vec![
                (
                    "down",
                    "{ body_point = { point = \"left_foot\", vertical = true, target = [0, 0, -0.3] } }",
                ),
                ("other", pose("right_elbow", -0.3)),
            ],
            conflict: &["down"],
            with: &[RowOf::Gap],
        },
        // Goals that fail in the air, into which the first frame throws the body and where nothing supports it.
        Case {
            goals: vec![
                ("up", "{ com_height = { target = \"4 * standing_height\" } }"),
                ("other", pose("left_elbow", -0.3)),
            ],
            conflict: &["up"],
            with: &[RowOf::Motion],
        },
    ]
}

fn files(goals: &[(&str, &str)], soft: Option<&str>) -> SceneFiles {
    let folder = tempfile::tempdir().unwrap();
    let mut controller = BALANCE.to_string();
    for (name, of) in goals {
        let hard = soft != Some(name);
        controller += &format!(
            "\n[[states.balance.objectives]]\nname = \"{name}\"\nweight = 1e-3\nresponse = 0.15\nhard = {hard}\nof = {of}\n"
        );
    }
    fs::write(folder.path().join("controller.toml"), controller).unwrap();
    let scene = "duration = 0.05\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"controller.toml\"\n";
    let path = folder.path().join("scene.toml");
    fs::write(&path, scene).unwrap();
    scene::load(path.to_str().unwrap(), &[]).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The frames of a short run, from the second on: the first is affected by the start.
fn frames(files: &SceneFiles) -> Vec<Frame> {
    let mut run = Run::bind(files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut frames = Vec::new();
    while !run.is_over() {
        frames.extend(run.step().unwrap().map(|result| result.frame()));
    }
    frames.split_off(1)
}

fn goals_of(rows: &[ConflictRow]) -> Vec<&str> {
    rows.iter().filter(|row| row.of == RowOf::Objective).map(|row| row.label.as_str()).collect()
}

#[test]
fn of_a_dozen_scenes_a_frame_names_the_goals_that_contradict_each_other_and_no_others() {
    let (mut right, mut wrong) = (0, Vec::new());
    for Case { goals, conflict, with } in cases() {
        let frames = frames(&files(&goals, None));
        let rows = &frames[0].conflict;
        let named = goals_of(rows);
        println!("{named:?}: {:?}", rows.iter().map(ToString::to_string).collect::<Vec<_>>());
        let places = rows.iter().filter(|row| row.of == RowOf::Objective);
        assert!(places.clone().all(|row| row.file.ends_with("controller.toml") && row.line > 0), "{rows:?}");
        let is_named = named == conflict && with.iter().all(|of| rows.iter().any(|row| row.of == *of));
        // The others can hold if one of them is no longer hard.
        let is_needed = |name: &&str| self::frames(&files(&goals, Some(name)))[0].conflict.is_empty();
        if is_named && conflict.iter().all(is_needed) {
            right += 1;
        } else {
            wrong.push((conflict, rows.clone()));
        }
    }
    println!("{right} of {} as known", cases().len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_frame_solved_again_says_by_how_much_a_row_would_have_to_give_for_all_others_to_hold() {
    let case = cases().swap_remove(0);
    let files = files(&case.goals, None);
    let frames = frames(&files);
    let run = Run::bind(&files).unwrap();
    let header = scene::header(&files, &run);
    let told = explain::explain_frame(&header, &frames, 2, None).unwrap();
    assert!(told.is_same, "{told:?}");
    assert_eq!(goals_of(&told.conflict), case.conflict);
    // Two goals that demand different accelerations of one joint: either is violated by the whole difference.
    let gives: Vec<f64> = told.conflict.iter().map(|row| row.give).collect();
    assert!(gives.iter().all(|give| (give - gives[0]).abs() < 1e-3 * gives[0] && *give > 0.0), "{gives:?}");
    let kept: Vec<f64> = frames[1].conflict.iter().map(|row| row.give).collect();
    assert!(kept.iter().zip(&gives).all(|(kept, give)| kept <= &(give * (1.0 + 1e-3))), "{kept:?} {gives:?}");
    let beyond = explain::explain_frame(&header, &frames, 99, None).unwrap_err();
    assert!(beyond.to_string().contains("no frame 99"), "{beyond}");
}
