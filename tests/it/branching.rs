//! Several continuations of one moment of a run: `aplomb branch`.

use aplomb::analysis::branch::{self, Answer, BranchFate, Moment, PushMargin};
use aplomb::scene::{self, Run};
use aplomb::trace::{ContactKind, Header};
use std::path::Path;
use std::process::{Command, Output};

fn header(name: &str, overrides: &[String]) -> Header {
    let files = scene::load(name, overrides).unwrap();
    let run = Run::bind(&files).unwrap();
    scene::header(&files, &run)
}

/// A standing body, for 2 s.
fn standing() -> Header {
    header("balance_push", &["duration=2".into(), "events={}".into()])
}

/// The contacts of a kind in a frame of the scene with an event that applies an impulse, N s.
fn contacts(frame: u64, impulse: [f64; 3], kind: ContactKind) -> Vec<String> {
    let dt = 0.01;
    let [x, y, z] = impulse;
    let event = format!(
        "events={{ blow = {{ at = {}, duration = {dt}, body = \"chest\", impulse = [{x}, {y}, {z}] }} }}",
        frame as f64 * dt
    );
    let files = scene::load("balance_push", &["duration=2".into(), event]).unwrap();
    let mut run = Run::bind(&files).unwrap();
    loop {
        let record = run.step().unwrap().expect("it stands").frame();
        if record.index == frame {
            let bearing = record.contacts.into_iter().filter(|contact| contact.kind == kind);
            return bearing.map(|contact| contact.name).collect();
        }
    }
}

#[test]
fn what_a_moment_bears_is_what_the_scene_bears_with_a_blow_at_that_moment() {
    let header = standing();
    let moment = Moment { header: &header, frame: 50, seconds: Some(0.5), threads: 2 };
    let margins = branch::push_margins(&moment, "chest", 4, &|_| {}).unwrap();
    for margin in &margins {
        println!("{margin:?}");
        let least = margin.answered_from.expect("a blow that is strong enough is answered");
        assert!(matches!(margin.answer, Some(Answer::Slips { .. })), "{margin:?}");
        let (sin, cos) = margin.direction.to_radians().sin_cos();
        let blow = |share: f64| [share * least * cos, share * least * sin, 0.0];
        let sticks = contacts(50, blow(0.0), ContactKind::Static);
        let slides = |share: f64| -> Vec<String> {
            let sliding = contacts(50, blow(share), ContactKind::Dynamic);
            sliding.into_iter().filter(|name| sticks.contains(name)).collect()
        };
        assert!(slides(0.95).is_empty(), "{margin:?}");
        // A stronger impact may be divided into parts, in which other points slide.
        assert!(!slides(1.0).is_empty(), "{margin:?}");
        let survived = margin.survived_to.unwrap();
        assert!((15.0..60.0).contains(&survived), "what stands without a step bears some 25 N s: {survived}");
    }
    // A body that is symmetric withstands the same pushes from the left and from the right.
    let [left, right] = [1, 3].map(|side| margins[side].answered_from.unwrap());
    assert!((left / right - 1.0).abs() < 0.02, "{left} {right}");
}

#[test]
fn a_value_as_it_was_leads_to_the_end_of_the_run_and_others_elsewhere() {
    let header = header("step_push", &["duration=3".into()]);
    let moment = |threads| Moment { header: &header, frame: 60, seconds: Some(1.0), threads };
    let changes: Vec<String> =
        [0.02, 1.0, 0.9].map(|friction| format!("ground.friction={friction}")).to_vec();
    let ends = branch::changed(&moment(2), &changes, &|_| {}).unwrap();
    assert_eq!(
        ends,
        branch::changed(&moment(1), &changes, &|_| {}).unwrap(),
        "whatever the number of threads"
    );
    let mut run = Run::bind(&scene::load("step_push", &["duration=3".into()]).unwrap()).unwrap();
    while run.world.frame_index() < 160 {
        run.step().unwrap().expect("it stands");
    }
    let com: [f64; 3] = run.character().snapshot.com.into();
    let away = |of: &[f64; 3]| of.iter().zip(com).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("{ends:?}, {com:?}");
    assert!(away(&ends[1].com) < 1e-3, "{:?} is not {com:?}", ends[1].com);
    assert!(away(&ends[0].com) > 1e-2, "on ice it goes elsewhere");
    assert_eq!((ends[1].time * 100.0).round(), 160.0);
    let wrong = branch::changed(&moment(1), &["ground.friction=-1".into()], &|_| {}).unwrap();
    let because = "friction must be from 0 to 1e6, not -1".to_string();
    assert_eq!(wrong[0].fate, BranchFate::Impossible { because });
}

#[test]
fn where_no_criterion_can_be_judged_before_the_end_who_falls_does_not_hold() {
    let still = "success={ still = { at_end = \"com_speed < 1\" } }".to_string();
    let header = header("balance_push", &["duration=4".into(), "events={}".into(), still]);
    let moment = |seconds| Moment { header: &header, frame: 20, seconds: Some(seconds), threads: 1 };
    let judged = branch::judged(&moment(1.5)).unwrap();
    assert_eq!((judged.criteria.len(), &*judged.not_judged), (0, &["still".to_string()][..]));
    assert!(!judged.is_short() && judged.notes()[0].contains("does not fall"), "{judged:?}");
    let margin = &branch::push_margins(&moment(1.5), "chest", 1, &|_| {}).unwrap()[0];
    assert!(!margin.survives_all && margin.fails.as_deref() == Some("fall"), "{margin:?}");
    let judged = branch::judged(&moment(10.0)).unwrap();
    assert_eq!((&*judged.criteria, judged.not_judged.len()), (&["still".to_string()][..], 0));
    assert!(branch::judged(&moment(0.05)).unwrap().is_short());
}

#[test]
fn the_value_that_a_run_began_with_is_the_one_that_was_set_last_else_that_of_the_file() {
    let header = header("balance_push", &["ground.friction=0.4".into()]);
    let moment = Moment { header: &header, frame: 20, seconds: None, threads: 1 };
    assert_eq!(branch::value_now(&moment, "ground.friction"), Some(0.4));
    let as_shipped = standing();
    let default = Moment { header: &as_shipped, ..moment };
    assert_eq!(branch::value_now(&default, "ground.friction"), Some(as_shipped.ground_friction));
    assert_eq!(branch::value_now(&moment, "events.push.duration"), Some(0.15));
    assert_eq!(branch::value_now(&moment, "torque_change_weight"), None);
}

fn aplomb(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let program = env!("CARGO_BIN_EXE_aplomb");
    let Output { status, stdout, stderr } =
        Command::new(program).args(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code().unwrap(), text(&stdout), text(&stderr))
}

#[test]
fn the_command_writes_tables_and_pictures_and_says_what_it_cannot_do() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let upright = "success={ up = { always = \"com_height > 0.5 * standing_height\" } }";
    let run = [
        "run",
        "balance_push",
        "--set",
        "duration=1.2",
        "--set",
        upright,
        "--no-plots",
        "--quiet",
        "--out",
        "r",
    ];
    assert_eq!(aplomb(folder, &run).0, 0);
    let pushes = ["branch", "r", "--time", "0.3", "--for", "0.2", "--directions", "3", "--threads", "1"];
    let (code, said, error) = aplomb(folder, &pushes);
    assert_eq!(code, 0, "{error}");
    assert!(said.contains("slips") && said.contains("least answered from"), "{said}");
    let table = std::fs::read_to_string(folder.join("r/branch_0.300_chest/branch.csv")).unwrap();
    assert_eq!(table.lines().count(), 4, "{table}");
    for picture in ["branch.svg", "branch.png"] {
        assert!(folder.join("r/branch_0.300_chest").join(picture).exists());
    }
    let over =
        ["branch", "r", "--time", "0.3", "--over", "ground.friction=0.2:0.8:lin4", "--out", "b", "--json"];
    let (code, said, error) = aplomb(folder, &over);
    assert_eq!(code, 0, "{error}");
    let futures: serde_json::Value = serde_json::from_str(&said).unwrap();
    let futures = &futures["found"];
    assert_eq!(futures.as_array().unwrap().len(), 4, "{said}");
    assert_eq!(futures[3]["fate"], "held", "{said}");
    let same = ["branch", "r", "--time", "0.3", "--over", "duration=1.2:2.2:lin2", "--out", "b"];
    let (code, said, _) = aplomb(folder, &same);
    assert!(code == 0 && said.contains("`duration` has no effect from 0.300 s on"), "{said}");
    let (code, said, _) =
        aplomb(folder, &["branch", "r", "--time", "0.3", "--for", "0.05", "--directions", "1", "--out", "b"]);
    assert!(code == 0 && said.contains("too short to judge: a fall takes about 0.9 s"), "{said}");
    assert!(!said.contains("it fails too"), "{said}");
    // The push is so strong that it falls whatever is changed.
    let hard =
        ["run", "balance_push", "--set", "events.push.impulse=[80, 0, 0]", "--set", upright, "--no-plots"];
    assert_eq!(aplomb(folder, &[&hard[..], &["--quiet", "--out", "hard"]].concat()).0, 1);
    let (code, said, error) = aplomb(
        folder,
        &["branch", "hard", "--time", "0.7", "--over", "ground.friction=0.7:0.8:lin2", "--out", "b"],
    );
    assert!(code == 0 && said.contains("with nothing changed it fails too: `up` at 1."), "{said}{error}");
    for (arguments, words) in [
        (&["branch", "r", "--time", "5"][..], "from 0 to 1.200 s"),
        (&["branch", "r", "--time", "0.3", "--push", "chst", "--quiet"], "there is no body `chst`"),
        (&["branch", "r", "--time", "0.3", "--push", "chst", "--quiet"], "did you mean `chest`?"),
        (&["branch", "r", "--time", "0.3", "--directions", "-3"], "-3 is not in 1..=3600"),
        (&["branch", "balance_push", "--time", "0.3"], "`aplomb run balance_push` makes a run of it"),
        (&["explain", "balance_push"], "is the name of a scene"),
        (
            &["branch", "r", "--time", "0.3", "--over", "ground.fiction=0.2:0.8:lin4"],
            "did you mean `friction`?",
        ),
        (&["branch", "r", "--time", "0.3", "--over", "ground.fiction=0.2:0.8:lin4"], "--over:1:8"),
        (
            &["branch", "r", "--time", "0.3", "--over", "parameters.a=0.2:0.8:lin4"],
            "`controller.parameters.a`",
        ),
        (&["branch", "r", "--time", "0.3", "--for", "0"], "more than 0 s"),
        (&["branch", "r", "--time", "0.3", "--directions", "100000"], "1..=3600"),
        (&["branch", "r", "--time", "0.3", "--over", "ground.fiction=0.2:0.8:lin4"], "fiction"),
    ] {
        let (code, _, error) = aplomb(folder, arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn of_two_characters_the_one_of_the_trace_is_pushed() {
    // A criterion that fails at a gentle push: simulating characters that are thrown about is expensive.
    let still = "success.upright.always=com_speed < 0.3";
    let files = scene::load("reach_for_hand", &[still.into(), format!("characters.adult.{still}")]).unwrap();
    let run = Run::bind(&files).unwrap();
    let first = scene::header(&files, &run);
    assert!(!first.others.is_empty(), "two of them");
    let second = Header { character: first.others[0].clone(), ..first.clone() };
    let margins = |header: &Header| {
        let moment = Moment { header, frame: 20, seconds: Some(0.1), threads: 1 };
        branch::push_margins(&moment, "chest", 1, &|_| {}).unwrap()
    };
    let (child, adult) = (margins(&first), margins(&second));
    let survived = |margins: &[PushMargin]| margins[0].survived_to.expect("a gentle push is survived");
    assert!(survived(&child) < 0.7 * survived(&adult), "{child:?} {adult:?}");
}
