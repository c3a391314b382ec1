//! The command line of `aplomb explain`.

use std::path::Path;
use std::process::{Command, Output};

fn aplomb(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let program = env!("CARGO_BIN_EXE_aplomb");
    let Output { status, stdout, stderr } =
        Command::new(program).args(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code().unwrap(), text(&stdout), text(&stderr))
}

const PUSHED: [&str; 9] = [
    "run",
    "balance_push",
    "--set",
    "events.push={ at = 0.05, duration = 0.1, body = \"chest\", impulse = [70, 0, 0] }",
    "--set",
    "duration=1",
    "--no-plots",
    "--out",
    "fall",
];

#[test]
fn a_fall_is_explained_the_same_on_any_number_of_threads_with_commands_that_save_it() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said, _) = aplomb(folder.path(), &PUSHED);
    assert_eq!(code, 1);
    assert!(said.contains("`aplomb explain fall` says why"), "{said}");
    let told = |threads: &str| {
        let (code, said, error) = aplomb(
            folder.path(),
            &["explain", "fall", "--budget", "20", "--json", "--quiet", "--threads", threads],
        );
        assert_eq!(code, 0, "{error}");
        said
    };
    let json = told("1");
    assert_eq!(json, told("3"));
    let told: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(told["kinds"][0]["kind"], "pushed_too_hard", "{json}");
    assert_eq!(told["departs_at"], serde_json::Value::Null);
    assert!(told["runs"].as_u64().unwrap() <= 20);
    let weaker =
        told["changes"].as_array().unwrap().iter().find(|change| change["about"] == "a weaker push").unwrap();
    let change = weaker["changes"][0].as_str().unwrap();
    assert!(change.starts_with("events.push.impulse=["), "{change}");
    let mut again: Vec<&str> = PUSHED.to_vec();
    again.extend(["--set", change]);
    assert_eq!(aplomb(folder.path(), &again).0, 0, "{change}");
}

#[test]
fn a_run_that_did_not_fail_says_so_and_what_cannot_be_explained_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = [
        "run",
        "stand",
        "--set",
        "duration=0.1",
        "--set",
        "success={}",
        "--no-plots",
        "--quiet",
        "--out",
        "stood",
    ];
    assert_eq!(aplomb(folder.path(), &run).0, 0);
    let (code, said, _) = aplomb(folder.path(), &["explain", "stood"]);
    assert!(code == 0 && said.contains("This run did not fail"), "{said}");
    let (code, said, _) = aplomb(folder.path(), &["explain", "stood", "--frame", "3"]);
    assert!(code == 0 && said.contains("It was solved without relaxation."), "{said}");
    assert!(said.contains("`left_foot` + `left_toe`") && said.contains("z, N"), "{said}");
    assert!(said.contains("equations of motion") && said.contains("built in"), "{said}");
    let page = ["explain", "stood", "--frame", "3", "--to", "html", "--out", "why.html"];
    assert_eq!(aplomb(folder.path(), &page).0, 0);
    let page = std::fs::read_to_string(folder.path().join("why.html")).unwrap();
    assert!(
        page.contains("<svg") && page.contains("state balance</title>"),
        "pictures, and a title without tags"
    );
    for (wrong, words) in [
        (&["explain", "stood", "--frame", "99"][..], "no frame 99"),
        (&["explain", "stood", "--frame", "-1"][..], "frames are counted from 0"),
        (&["explain", "stood", "--time", "7"], "not to 7 s"),
        (&["explain", "nowhere"], "nowhere"),
    ] {
        let (code, _, error) = aplomb(folder.path(), wrong);
        assert!(code == 2 && error.contains(words), "{error}");
    }
}

#[test]
fn the_pictures_of_a_page_are_of_the_character_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let one = |name: &str, y: f64| {
        format!("[characters.{name}]\nmodel = \"adult\"\ncontroller = \"balance\"\nposition = [0.0, {y:?}]\n")
    };
    let rest = "[characters.right.success]\nup = { always = \"com_height > 0.6 * standing_height\" }\n[events.shove]\n\
                character = \"right\"\nat = 0.1\nduration = 0.15\nbody = \"chest\"\nimpulse = [70, 0, 0]\n";
    let text = format!("title = \"two\"\nduration = 1.2\n{}{}{rest}", one("left", 1.0), one("right", -1.0));
    std::fs::write(folder.path().join("two.toml"), text).unwrap();
    let (code, _, error) =
        aplomb(folder.path(), &["run", "two.toml", "--out", "two", "--no-plots", "--quiet"]);
    assert_eq!(code, 1, "{error}");
    let pictures = |of: &str| {
        let page = ["explain", of, "--budget", "1", "--to", "html", "--out", "why.html", "--quiet"];
        assert_eq!(aplomb(folder.path(), &page).0, 0);
        let page = std::fs::read_to_string(folder.path().join("why.html")).unwrap();
        let figures = page.find("<figure>").zip(page.rfind("</figure>"));
        figures.map(|(first, last)| page[first..last].to_owned()).expect("pictures")
    };
    let of_the_run = pictures("two");
    assert!(of_the_run == pictures("two/trace-right.mcap"), "not those of `right`");
    std::fs::remove_file(folder.path().join("two/trace-right.mcap")).unwrap();
    assert!(of_the_run != pictures("two"), "those of `left` are others");
}
