//! Each rule with a file in which it finds something and one in which it does not, and shipped files, in which no
//! rule finds anything.

use crate::architecture::root;
use aplomb::analysis::check::{self, Finding, Kind};
use aplomb::analysis::lint;
use aplomb::language::diagnostic::{FileError, Source, Warning};
use aplomb::language::files::{self, Folder};
use aplomb::model::mjcf::Options;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The body for which a shipped controller is made.
pub fn body_of(controller: &str) -> &'static str {
    if controller.contains("quadruped") || controller.contains("trot") { "quadruped" } else { "adult" }
}

pub fn body(name: &str) -> Source {
    files::find(Folder::Characters, name, None).expect("it ships").source
}

/// The findings in a file.
pub fn found(path: &Path, model: &Source) -> Vec<Finding> {
    let name = path.to_str().expect("paths are text");
    let (kind, located) = check::find(name).expect("the file is there");
    match kind {
        Kind::Scene => check::scene(name, &[]),
        Kind::Controller => check::controller(&located.source, model, &[]),
        Kind::Plot | Kind::Model => panic!("{name} is no scene and no controller"),
    }
}

fn error(finding: &Finding) -> &FileError {
    match finding {
        Finding::Mistake(error) | Finding::Warning(Warning(error)) => error,
        Finding::Missing(missing) => panic!("{missing:?}"),
    }
}

#[test]
fn every_rule_finds_its_mistake_where_it_stands_and_nothing_once_it_is_mended() {
    let folder = root().join("tests/data/lint");
    let names: BTreeSet<String> = lint::rules().map(|rule| rule.name.to_string()).collect();
    let folders =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names, folders.collect(), "left: rules; right: folders of examples");
    assert!(names.len() >= 25);
    let mut wrong = Vec::new();
    for name in &names {
        let own = folder.join(name).join("body.xml");
        let model = match fs::read_to_string(&own) {
            Ok(text) => Source::new("body.xml", text).from_file(&own),
            Err(_) => body("adult"),
        };
        let bad = folder.join(name).join("wrong.toml");
        let findings = found(&bad, &model);
        let marked = marked(&folder.join(name));
        let place = |finding: &Finding| {
            let (file, line, _) = error(finding).place();
            (file.rsplit('/').next().unwrap_or_default().to_string(), line)
        };
        let here = |finding: &&Finding| error(finding).file.contains("data/lint");
        let lines: BTreeSet<(String, usize)> = findings.iter().filter(here).map(place).collect();
        let is_it = |finding: &Finding| finding.is_warning() && error(finding).rule == Some(name);
        if findings.is_empty() || !findings.iter().all(is_it) || lines != marked {
            wrong.push(format!("{name}: marked {marked:?}, found {:#?}", told(&findings)));
        }
        let mended = found(&folder.join(name).join("right.toml"), &model);
        if !mended.is_empty() {
            wrong.push(format!("{name}, mended: {:#?}", told(&mended)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files and lines with a mark, in a folder of examples.
fn marked(folder: &Path) -> BTreeSet<(String, usize)> {
    let mut marked = BTreeSet::new();
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let is_marked = |line: &str| ["# here", "<!-- here -->"].iter().any(|mark| line.ends_with(mark));
        let lines = (1..).zip(text.lines()).filter(|(_, line)| is_marked(line));
        marked.extend(lines.map(|(number, _)| (name.clone(), number)));
    }
    marked
}

pub fn told(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{:?} {:#}", error(finding).rule, error(finding))).collect()
}

#[test]
fn no_rule_finds_anything_in_a_shipped_file() {
    let mut wrong = Vec::new();
    for name in files::shipped(Folder::Controllers) {
        let located = files::find(Folder::Controllers, &name, None).unwrap();
        let findings = check::controller(&located.source, &body(body_of(&name)), &[]);
        wrong.extend(told(&findings));
    }
    for name in files::shipped(Folder::Scenes) {
        wrong.extend(told(&check::scene(&name, &[])));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_rule_finds_anything_in_a_shipped_file_that_another_file_commands() {
    for (file, commands) in [
        ("drive", "turn = 0"),
        ("drive", "turn = 0.3"),
        ("walk", "turn = 0"),
        ("walk", "walk_velocity = [1, 0, 0]\nturn = \"clamp(com.y, 0.1, 0.2)\""),
    ] {
        let text = format!(
            "start = \"walk\"\n\n[include.walk]\nfile = \"{file}\"\n\n[include.walk.commands]\n{commands}\n"
        );
        let findings = check::controller(&Source::new("mine.toml", text), &body("adult"), &[]);
        assert!(findings.is_empty(), "{file}, {commands}: {:#?}", told(&findings));
    }
}

#[test]
fn an_event_and_a_criterion_that_compare_an_angle_with_degrees_are_told_the_radians() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let scene = "duration = 1\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n[success]\n\
                 upright = { always = \"tilt(chest) < 45\" }\n[events.push]\nduration = 0.1\nbody = \"chest\"\n\
                 impulse = [5, 0, 0]\nwhen = \"angle(left_knee) > 30\"\n";
    fs::write(&path, scene).unwrap();
    let findings = check::scene(path.to_str().unwrap(), &[]);
    let helps: Vec<_> = findings.iter().map(error).map(|error| (error.rule, error.help.as_deref())).collect();
    let rule = Some("angle-in-degrees");
    assert_eq!(
        helps,
        [(rule, Some("angles are in rad: 45° is 0.7854")), (rule, Some("angles are in rad: 30° is 0.5236"))]
    );
}

#[test]
fn an_angle_beyond_the_range_of_a_joint_is_told_the_range_with_its_units_and_what_it_is_in_degrees() {
    let wrong = fs::read_to_string(root().join("tests/data/lint/joint-out-of-range/wrong.toml")).unwrap();
    let text = wrong.replacen("left_knee = -1.2", "left_knee = 5", 1);
    let findings = check::controller(&Source::new("mine.toml", text), &body("adult"), &[]);
    let help = error(&findings[0]).help.clone().unwrap();
    assert!(help.contains(" rad (") && help.ends_with("; angles are in rad: 5° is 0.0873"), "{help}");
}

#[test]
fn a_file_allows_a_rule_by_its_name_and_names_only_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stand.toml");
    let text = fs::read_to_string(root().join("tests/data/lint/zero-weight/wrong.toml")).unwrap();
    let with = |allow: &str| {
        fs::write(&path, format!("allow = [{allow}]\n{text}")).unwrap();
        found(&path, &body("adult"))
    };
    assert_eq!(with("").len(), 1);
    assert!(with("\"zero-weight\"").is_empty());
    assert_eq!(with("\"idle-event\"").len(), 1, "another rule");
    let unknown = with("\"zero-wieght\"");
    let mistake = unknown.iter().find(|finding| !finding.is_warning()).expect("no rule has this name");
    assert_eq!(error(mistake).help.as_deref(), Some("did you mean `zero-weight`?"));
    assert_eq!(error(mistake).place().1, 1);
}

/// Line and help of the findings about the start of a scene.
fn starts(scene: &str) -> Vec<(usize, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    fs::write(&path, scene).unwrap();
    let findings = check::scene(path.to_str().unwrap(), &[]);
    let told = findings.iter().map(error).filter(|error| error.rule == Some("begins-inside"));
    told.map(|error| (error.place().1, error.help.clone().unwrap_or_default())).collect()
}

#[test]
fn who_begins_inside_of_something_is_told_the_shortest_way_out_and_is_out_there() {
    // A slab that the feet penetrate, a wall to the left of the shoulder, a low block beside one foot.
    let cases = [
        ("position = [0, 0, 0.05]\nhalf_lengths = [0.5, 0.5, 0.05]", "height = 0.1"),
        ("position = [0, 0.5, 1]\nhalf_lengths = [3, 0.3, 1]", "along -y: `position = ["),
        // Legs reach through it, and all their points are outside.
        ("position = [0, 0, 0.3]\nhalf_lengths = [1, 1, 0.1]", "stand on it: `height = 0."),
        ("position = [-0.4, 0, 1]\nhalf_lengths = [0.4, 3, 1]", "along x: `position = ["),
    ];
    for (obstacle, wanted) in cases {
        let scene = |more: &str| {
            format!(
                "duration = 1\n[obstacles.block]\n{obstacle}\n[characters.a]\nmodel = \"adult\"\n\
                 controller = \"balance\"\n{more}\n"
            )
        };
        let found = starts(&scene(""));
        assert_eq!(found.len(), 1, "{obstacle}: {found:?}");
        assert!(found[0].1.contains(wanted), "{obstacle}: {found:?}");
        let key = found[0].1.split('`').nth(1).unwrap();
        assert_eq!(starts(&scene(key)), [], "{obstacle}: {key}");
    }
}

#[test]
fn an_object_that_begins_inside_of_a_character_is_told() {
    let scene = |position: &str| {
        format!(
            "duration = 1\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n[passive.ball]\n\
             kind = \"articulated\"\nmodel = \"ball\"\nposition = {position}\n"
        )
    };
    assert_eq!(starts(&scene("[0, 0, 0.9]")), [(8, "begin elsewhere: `position`".into())]);
    assert_eq!(starts(&scene("[1, 0, 0.9]")), []);
}

#[test]
fn a_draw_that_ends_inside_of_something_or_beyond_the_range_of_a_joint_is_reported_there() {
    let scene = |draw: &str| {
        format!(
            "duration = 1\n[success]\nup = {{ always = \"com_height > 0.5\" }}\n[obstacles.block]\n\
             position = [1, 0, 1]\nhalf_lengths = [0.4, 3, 1]\n[characters.a]\nmodel = \"adult\"\n\
             controller = \"balance\"\nposition = [0, 0]\npose = {{ left_knee = 0.1 }}\n[trials.draw]\n{draw}\n"
        )
    };
    let reported = |draw: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        fs::write(&path, scene(draw)).unwrap();
        let findings = check::scene(path.to_str().unwrap(), &[]);
        findings.iter().map(error).map(|found| (found.place().1, found.message.clone())).collect::<Vec<_>>()
    };
    let of_draw = |draw: &str| reported(draw).into_iter().filter(|(line, _)| *line == 13).collect::<Vec<_>>();
    let found = of_draw("'characters.a.position.0' = { uniform = [-0.1, 0.6] }");
    assert!(
        matches!(&found[..], [(_, text)] if text.starts_with("at a bound of this draw, `a` begins with")),
        "{found:?}"
    );
    let found = of_draw("'characters.a.pose.left_knee' = { uniform = [0, 0.2] }");
    assert!(
        matches!(&found[..], [(_, text)] if text.contains("0 is outside the range of `left_knee`")),
        "{found:?}"
    );
    assert_eq!(of_draw("'characters.a.position.0' = { uniform = [-0.1, 0.1] }"), []);
}

#[test]
fn a_rigid_object_that_begins_in_the_ground_or_in_a_wall_is_told_its_way_out() {
    let scene = |position: &str| {
        format!(
            "duration = 1\n[obstacles.wall]\nposition = [0, 2, 1]\nhalf_lengths = [1, 0.1, 1]\n\
             [passive.crate]\nkind = \"articulated\"\nmodel = \"crate\"\n{position}\n"
        )
    };
    assert_eq!(starts(&scene("position = [0, 0, 0.1]")), [], "it stands on the ground");
    let buried = starts(&scene("position = [3, 0, 0.04]"));
    assert_eq!(buried, [(8, "raise it by 0.06 m: `position = [3, 0, 0.1]`".to_string())]);
    let walled = starts(&scene("position = [0, 1.75, 0.3]"));
    assert_eq!(walled, [(8, "move it by 0.05 m along -y: `position = [0, 1.7, 0.3]`".to_string())]);
}

#[test]
fn a_condition_on_a_parameter_that_an_event_changes_is_not_constant() {
    let folder = tempfile::tempdir().unwrap();
    let controller = "start = \"stand\"\nparameters = { mood = 0, way = [0, 0, 0] }\n[states.stand]\n\
                      until = \"mood > 0.5 or way.x > 0.5\"\nto = [\"stand\"]\n[[states.stand.objectives]]\nname = \"pose\"\n\
                      weight = 1\nresponse = 0.5\nof = { pose = {} }\n";
    fs::write(folder.path().join("c.toml"), controller).unwrap();
    let path = folder.path().join("scene.toml");
    let found = |events: &str| {
        let scene =
            format!("duration = 1\n[characters.a]\nmodel = \"adult\"\ncontroller = \"c.toml\"\n{events}");
        fs::write(&path, scene).unwrap();
        told(&check::scene(path.to_str().unwrap(), &[]))
    };
    let event = |name: &str, path: &str, value: &str| {
        format!("[events.{name}]\nkind = \"set\"\nat = 0.5\npath = \"parameters.{path}\"\nvalue = {value}\n")
    };
    let constant = found("");
    assert!(constant.iter().any(|said| said.contains("never holds")), "{constant:#?}");
    let changed = found(&(event("cheer", "mood", "1") + &event("go", "way", "\"[1, 0, 0]\"")));
    assert!(!changed.iter().any(|said| said.contains("never holds")), "{changed:#?}");
}

#[test]
fn a_body_alone_is_told_what_scenes_with_it_are() {
    let folder = root().join("tests/data/lint");
    for file in [
        "implausible-mass/grams.xml",
        "implausible-mass/foot.xml",
        "implausible-range/degrees.xml",
        "implausible-range/radians.xml",
        "second-root/with_ball.xml",
        "fixed-to-the-world/biped.xml",
        "implausible-range/biped.xml",
    ] {
        let rule = file.split('/').next().unwrap();
        let (_, located) = check::find(folder.join(file).to_str().unwrap()).unwrap();
        let findings = check::model(&located.source, &Options::default());
        let mut rules: Vec<_> = findings.iter().filter_map(|finding| error(finding).rule).collect();
        // Scenes with these files free their root.
        assert!(rules.contains(&"fixed-to-the-world"), "{file}: {:#?}", told(&findings));
        rules.retain(|rule| *rule != "fixed-to-the-world");
        let is_sound = file.ends_with("biped.xml");
        assert_eq!(rules, if is_sound { vec![] } else { vec![rule] }, "{file}: {:#?}", told(&findings));
    }
    for name in files::shipped(Folder::Characters) {
        let findings = check::model(&body(&name), &Options::default());
        assert!(findings.is_empty(), "{name}: {:#?}", told(&findings));
    }
}

#[test]
fn degrees_are_told_where_a_scene_turns_something() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let with = |more: &str| {
        let scene = "duration = 4\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n";
        fs::write(&path, format!("{scene}{more}")).unwrap();
        let findings = check::scene(path.to_str().unwrap(), &[]);
        findings.iter().map(error).filter(|error| error.rule == Some("angle-in-degrees")).count()
    };
    let plank = "[obstacles.plank]\nposition = [3, 0, 0.5]\nhalf_lengths = [0.3, 0.3, 0.1]\n";
    for (key, wrong, right) in [
        ("", "orientation = { pelvis = [0, 90, 0] }", "orientation = { pelvis = [0, 0.1, 0] }"),
        (
            "[events.m]\nkind = \"move\"\nobstacle = \"plank\"\nat = 1\nduration = 1\n",
            "turn = [0, 30, 0]",
            "turn = [0, 0.5, 0]",
        ),
        (
            "[events.s]\nkind = \"shake\"\nobstacle = \"plank\"\nat = 1\nduration = 1\nfrequency = 1\n",
            "sway = [30, 0, 0]",
            "sway = [0.5, 0, 0]",
        ),
        ("[ground.motion.sine]\namplitude = [0.01, 0, 0]\nfrequency = 1\n", "phase = 90", "phase = 1.5"),
    ] {
        let at = |value: &str| {
            if key.is_empty() { format!("{value}\n{plank}") } else { format!("{plank}{key}{value}\n") }
        };
        assert_eq!((with(&at(wrong)), with(&at(right))), (1, 0), "{wrong}");
    }
}

#[test]
fn the_height_that_is_told_clears_all_stairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let with = |height: &str| {
        let text = format!(
            "duration = 1\n[terrain.s]\nstairs = {{ number = 5, rise = 0.17, tread = 0.29, start = [0.5, 0], landing = 1.2, \
             down = true }}\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\nposition = [0.9, 0]\n{height}"
        );
        fs::write(&path, text).unwrap();
        let findings = check::scene(path.to_str().unwrap(), &[]);
        let found = findings.iter().map(error).find(|error| error.rule == Some("begins-inside"));
        found.map(|error| error.help.clone().unwrap())
    };
    let help = with("").expect("it begins in the stairs");
    let height = help.split('`').nth(1).expect("a key");
    assert!(height.starts_with("height = "), "{help}");
    assert_eq!(with(height), None, "{help}");
}
