//! `aplomb explain`: failures of a known kind, and the explanations of them.

mod command;
mod conflicts;
mod failures;
mod forces;

use aplomb::analysis::explain::{self, Explanation, ExplanationBudget, FailureKind};
use aplomb::language::diagnostic::Source;
use aplomb::scene::{self, Run, SceneFiles};
use failures::{Failure, KINDS};

/// The explanation of a scene, within `budget` runs.
fn explained(files: &SceneFiles, budget: usize) -> Explanation {
    let run = Run::bind(files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let header = scene::header(files, &run);
    let settings = ExplanationBudget { budget, threads: 2 };
    explain::explain(&header, &[], settings, &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// Whether the kind that is ranked first is that of the failure.
fn is_found(failure: &Failure) -> bool {
    let explained = explained(&failure.files(), 24);
    let first = explained.kinds.first().map(|ranked| ranked.kind);
    let kinds: Vec<(FailureKind, f64)> =
        explained.kinds.iter().map(|ranked| (ranked.kind, ranked.score)).collect();
    println!("{:?} ({}): {kinds:?}", failure.kind, failure.about);
    for ranked in explained.kinds.iter().filter(|_| first != Some(failure.kind)) {
        println!("    {}: {}", ranked.kind.name(), ranked.because.join(" "));
    }
    first == Some(failure.kind)
}

#[test]
fn of_failures_made_on_purpose_the_kind_is_named_first() {
    let found: Vec<FailureKind> =
        KINDS.into_iter().filter(|kind| is_found(&Failure::new(*kind, 0))).collect();
    assert_eq!(found, KINDS);
}

#[test]
fn a_criterion_that_the_target_of_an_objective_misses_is_a_wrong_target() {
    let high = "success={ high = { at_end = \"com_height > 1.02 * standing_height\" } }";
    let files = scene::load("balance_push", &["duration=1".into(), "events={}".into(), high.into()]).unwrap();
    let explained = explained(&files, 2);
    assert_eq!(explained.kinds[0].kind, FailureKind::WrongTarget, "{:?}", explained.kinds);
    let because = &explained.kinds[0].because[0];
    assert!(because.starts_with("`com height` has the target 0.9"), "{because}");
    assert!(because.contains("`high` (com_height > 1.02 * standing_height) does not hold"), "{because}");
}

#[test]
fn of_two_characters_the_one_that_failed_is_explained() {
    let one = |name: &str, y: f64| {
        format!(
            "[characters.{name}]\nmodel = \"adult\"\ncontroller = \"balance\"\nposition = [0.0, {y:?}]\n\
             [characters.{name}.success]\nup = {{ always = \"com_height > 0.6 * standing_height\" }}\n"
        )
    };
    let push = "[events.shove]\ncharacter = \"right\"\nat = 0.2\nduration = 0.15\nbody = \"chest\"\nimpulse = \
                [60, 0, 0]\n";
    let text = format!("duration = 1.5\n{}{}{push}", one("left", 1.0), one("right", -1.0));
    let explained = explained(&scene::load_text(&Source::new("two.toml", &text)).unwrap(), 40);
    assert_eq!(explained.kinds[0].kind, FailureKind::PushedTooHard, "{:?}", explained.kinds);
    let page = explain::text(&explain::page(&explained));
    assert!(page.starts_with("Why `right` failed") && page.contains("after `shove` began (1"), "{page}");
    assert!(page.contains("A weaker push (×"), "{page}");
    // A scene criterion that depends on the second character, and a push on the first that is not varied.
    let both = "[events.nudge]\ncharacter = \"left\"\nat = 0.1\nduration = 0.1\nbody = \"chest\"\nimpulse = [3, 0, \
                0]\n[success]\nboth = { always = \
                \"com_height > 0.5 and height(right) > 0.6\" }\n";
    let text = text.replace("[characters.left.success]\n", "").replace("[characters.right.success]\n", "");
    let text = text.replace("up = { always = \"com_height > 0.6 * standing_height\" }\n", "");
    let explained = self::explained(&scene::load_text(&Source::new("two.toml", text + both)).unwrap(), 40);
    let page = explain::text(&explain::page(&explained));
    assert!(page.starts_with("Why `right` failed") && !page.contains("events.nudge"), "{page}");
    assert_eq!(explained.kinds[0].kind, FailureKind::PushedTooHard, "{:?}", explained.kinds);
}

#[test]
fn a_thrown_ball_is_a_cause_that_is_tried_without_and_lighter() {
    let text = "duration = 2.0\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\n[events.ball]\nkind = \
                \"throw\"\nat = 0.1\nmass = 6.0\nradius = 0.1\naimed = { at = [0, 0, 1.2], bearing = 0.4, distance = \
                2.0, height = 1.2, speed = 8.0 }\n[success]\nup = { always = \"com_height > 0.6 * standing_height\" \
                }\n";
    let explained = explained(&scene::load_text(&Source::new("ball.toml", text)).unwrap(), 24);
    let page = explain::text(&explain::page(&explained));
    let pushed = explained.kinds.iter().find(|ranked| ranked.kind == FailureKind::PushedTooHard).unwrap();
    assert!(pushed.because.iter().any(|text| text == "it does not fail without the ball."), "{pushed:?}");
    assert!(page.contains("A lighter ball (×") && page.contains("--set events.ball.mass="), "{page}");
    assert!(page.contains("after `ball` hit"), "{page}");
}

#[test]
fn a_cause_is_judged_by_the_criterion_that_is_explained() {
    // A character that is held back on its soles does not fall, but its heels never rise either.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tip.toml"), TIP).unwrap();
    std::fs::write(folder.path().join("scene.toml"), TIP_SCENE).unwrap();
    let scene = folder.path().join("scene.toml");
    let explained = explained(&scene::load(scene.to_str().unwrap(), &[]).unwrap(), 6);
    let exit = explained.kinds.iter().find(|ranked| ranked.kind == FailureKind::WrongExit).unwrap();
    assert!(exit.because.iter().any(|text| text.contains("what is explained here holds")), "{exit:?}");
    assert_eq!(explained.kinds[0].kind, FailureKind::WrongExit, "{:?}", explained.kinds);
    let said = explain::text(&explain::page(&explained)).replace("\n  ", " ");
    assert!(said.contains("only another criterion fails where it stays in `stand`"), "{said}");
    // A later push explains nothing.
    assert!(!said.contains("push"), "{said}");
}

const TIP_SCENE: &str = r#"
duration = 3
[characters.hero]
model = "adult"
controller = "tip.toml"
[success]
upright = { always = "com_height > 0.9 * standing_height" }
heels_up = { once = "height(left_foot) > 0.1" }
[events.late]
at = 2.9
duration = 0.1
body = "chest"
impulse = [5, 0, 0]
"#;

const TIP: &str = r#"
start = "stand"
[states.stand]
until = "state_time > 0.8"
to = ["toes"]
[states.toes]
release_heels = ["left_foot", "right_foot"]
[[objectives]]
name = "over feet"
weight = 100
response = 0.3
of = { com_over_support = {} }
[[objectives]]
name = "height"
weight = 20
response = 0.3
of = { com_height = { target = "standing_height" } }
[[objectives]]
name = "chest upright"
weight = 10
response = 0.25
of = { upright = { body = "chest" } }
[[objectives]]
name = "rest"
weight = 0.05
response = 0.4
of = { pose = {} }
"#;

/// Run it with `cargo test --release --test it of_50_failures -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn of_50_failures_of_6_kinds_made_on_purpose_at_least_80_percent_are_named_first() {
    let all: Vec<(FailureKind, u64)> =
        (0..9).flat_map(|number| KINDS.map(|kind| (kind, number))).take(50).collect();
    let found: Vec<bool> = all.iter().map(|(kind, number)| is_found(&Failure::new(*kind, *number))).collect();
    for kind in KINDS {
        let of_kind = || all.iter().zip(&found).filter(|((made, _), _)| *made == kind);
        let right = of_kind().filter(|(_, found)| **found).count();
        println!("{}: {right} of {}", kind.name(), of_kind().count());
    }
    let share = found.iter().filter(|found| **found).count() as f64 / all.len() as f64;
    println!("{:.0} % named first", 100.0 * share);
    assert!(share >= 0.8, "{share}");
}

#[test]
fn of_several_pushes_the_one_that_makes_it_fall_is_named_and_weakened() {
    let text = "duration = 3\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"balance\"\n[events.breeze]\nat = \
                0.2\nduration = 2.5\nbody = \"chest\"\nforce = [12, 0, 0]\n[events.kick]\nat = 1.0\nduration = \
                0.1\nbody = \"pelvis\"\nimpulse = [0, 45, 0]\n[success]\nup = { always = \"com_height > 0.8 * \
                standing_height\" }\n";
    let explained = explained(&scene::load_text(&Source::new("wind.toml", text)).unwrap(), 40);
    let page = explain::text(&explain::page(&explained));
    assert!(page.contains("It does not fail without `kick`"), "{page}");
    assert!(
        page.contains("a weaker `kick` (×") && page.contains("It still fails without `breeze`"),
        "{page}"
    );
}

#[test]
fn a_hand_that_came_to_no_hold_is_told_its_least_distance() {
    let text = "duration = 0.5\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"balance\"\nhold_on = { left_palm = \
                \"knob\" }\n[holds.at.knob]\nposition = [0.9, 0.25, 1.4]\n[success]\nheld = { at_end = \
                \"grips(left_palm)\" }\n";
    let explained = explained(&scene::load_text(&Source::new("reach.toml", text)).unwrap(), 2);
    assert_eq!(explained.kinds[0].kind, FailureKind::MissedHold, "{:?}", explained.kinds);
    let because = &explained.kinds[0].because[0];
    assert!(because.contains("came no nearer to a hold than ") && because.contains("`knob`"), "{because}");
}

#[test]
fn changes_with_which_it_never_comes_to_the_state_where_it_failed_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let controller = "title = \"Tips\"\nstart = \"stand\"\n[parameters]\nwait = 0.3 # s\n\
        [[objectives]]\nname = \"com\"\nweight = 20\nresponse = 0.3\nof = { com_position = { target = \"goal\" } }\n\
        [[objectives]]\nname = \"pose\"\nweight = 0.5\nresponse = 0.2\nof = { pose = {} }\n\
        [states.stand]\nlet = { goal = \"com\" }\nuntil = \"state_time > wait\"\nto = [\"tip\"]\n\
        [states.tip]\nlet = { goal = \"com + [0.8, 0, 0]\" }\n";
    std::fs::write(folder.path().join("tips.toml"), controller).unwrap();
    let scene = "duration = 2\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"tips.toml\"\n\
        [success]\nup = { always = \"com_height > 0.7 * standing_height\" }\n";
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, scene).unwrap();
    let explained = explained(&scene::load(path.to_str().unwrap(), &[]).unwrap(), 60);
    let told = explain::text(&explain::page(&explained));
    let flat = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("; but it then never comes to `tip`, where it failed"), "{told}");
    let avoids = flat.find("never comes to `tip`").unwrap();
    assert!(!flat[avoids..].contains("The weight of"), "what avoids the state comes last: {told}");
}

#[test]
fn a_post_that_runs_somebody_over_is_the_cause() {
    let text = "duration = 2\n[obstacles.post]\nhalf_lengths = [0.05, 0.05, 0.4]\nposition = [2, 0, 0.4]\n[events.run]\nkind \
                = \"move\"\nobstacle = \"post\"\nat = 0.3\nduration = 1.5\nby = [-4, 0, 0]\n[characters.hero]\nmodel = \
                \"adult\"\ncontroller = \"balance\"\n[success]\nup = { always = \"com_height > 0.8 * standing_height\" }\n";
    let explained = explained(&scene::load_text(&Source::new("post.toml", text)).unwrap(), 30);
    assert_eq!(explained.kinds[0].kind, FailureKind::Surroundings, "{:?}", explained.kinds);
    assert!(explained.kinds[0].because[0].contains("without `run`"), "{:?}", explained.kinds);
}

#[test]
fn what_is_in_the_way_is_named() {
    let scene = "duration = 5\nbias_velocity = \"extrapolated\"\ncontact_response = 0.01\n\
                 [characters.hero]\nmodel = \"adult\"\ncontroller = \"drive\"\n\
                 [passive.low]\nkind = \"articulated\"\nmodel = \"box\"\nposition = [1.0, 0.0, 0.1]\n\
                 [passive.far]\nkind = \"articulated\"\nmodel = \"box\"\nposition = [1.0, 3.0, 0.1]\n\
                 [passive.curtain]\nkind = \"chain\"\npoints = [[1.0, 0.1, 2.2], [1.0, 0.1, 0.4]]\n\
                 links = 12\nmass = 1.5\n\
                 [events.go]\nkind = \"command\"\nat = 0.5\ncommand = \"walk_velocity\"\nto = [0.6, 0.0, 0.0]\n\
                 [success]\npast = { at_end = \"com.x > 1.8\" }\n";
    let explained = explained(&scene::load_text(&Source::new("s.toml", scene)).unwrap(), 5);
    assert_eq!(explained.kinds[0].kind, FailureKind::Surroundings, "{:?}", explained.kinds);
    let because = &explained.kinds[0].because[0];
    assert!(because.contains("`low`") || because.contains("`curtain`"), "{because}");
    assert!(!because.contains("`far`"), "the character never touched that object: {because}");
}

#[test]
fn what_had_to_hold_once_is_explained_where_it_came_nearest() {
    let scene = |criterion: &str| {
        format!(
            "duration = 4\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
             [events.shove]\nat = 0.5\nduration = 0.1\nbody = \"chest\"\nimpulse = [15, 0, 0]\n\
             [success]\nthere = {{ once = \"{criterion}\" }}\n"
        )
    };
    let moment = |criterion: &str| {
        let text = scene(criterion);
        explained(&scene::load_text(&Source::new("s.toml", &text)).unwrap(), 2).evidence.moment
    };
    // The shove brings the COM nearest; one that is never nearer than at the beginning is looked at in the end.
    let nearest = moment("com.x > 1");
    assert!((0.6..1.6).contains(&nearest), "{nearest}");
    let never = moment("com.x > 1 + time");
    assert!(never > 3.9, "{never}");
}

#[test]
fn a_ball_that_only_touches_has_not_pushed_too_hard() {
    let scene = "duration = 2\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
                 [events.one]\nkind = \"throw\"\nat = 0.2\nmass = 0.1\nradius = 0.1\nposition = [3.0, 0.0, 1.3]\n\
                 velocity = [-8.0, 0.0, 2.0]\n\
                 [success]\nmissed = { always = \"not any(touches_object(chest, one) for one in objects)\" }\n";
    let explained = explained(&scene::load_text(&Source::new("s.toml", scene)).unwrap(), 12);
    assert_eq!(explained.kinds[0].kind, FailureKind::Surroundings, "{:?}", explained.kinds);
}
