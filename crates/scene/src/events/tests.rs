//! When events begin, and what they do.

use crate::{LoadError, Run, header};
use aplomb_language::diagnostic::Source;

const STAND: &str = "duration = 1\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n";

fn run(events: &str) -> Run {
    let files = crate::load_text(&Source::new("scenes/own.toml", format!("{STAND}{events}"))).unwrap();
    Run::bind(&files).unwrap()
}

fn mistake(events: &str) -> String {
    match crate::load_text(&Source::new("scenes/own.toml", format!("{STAND}{events}"))) {
        Ok(files) => Run::bind(&files).err().map(|errors| errors.to_string()).unwrap_or_default(),
        Err(LoadError::Mistakes(errors)) => errors.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn values_are_set_and_controllers_replaced_from_their_frame_on() {
    let mut changed =
        run("[events.lower]\nkind = \"set\"\nat = 0.1\npath = \"title\"\nvalue = \"'other'\"\n\
         [events.other]\nkind = \"replace\"\nat = 0.2\ncontroller = \"limp\"\n");
    let mut straight = run("");
    for frame in 0..30 {
        let states = [&mut changed, &mut straight].map(|run| {
            let state = run.step().unwrap().unwrap().frame().state;
            (state, run.character().controller.spec.title.clone())
        });
        let [(state, title), (before, _)] = states;
        assert_eq!(title.as_deref() == Some("'other'"), (10..20).contains(&frame), "{title:?}");
        assert_eq!(state == before, frame < 20, "frame {frame}: {state}");
    }
    assert!(
        header(&crate::load_text(&Source::new("scenes/own.toml", STAND)).unwrap(), &changed).objectives.len()
            >= straight.character().objectives.len()
    );
}

#[test]
fn a_ball_is_there_from_its_frame_on_and_hits() {
    let events = "[events.ball]\nkind = \"throw\"\nat = 0.1\nmass = 2\nradius = 0.1\n\
         position = [1.0, 0, 1.3]\nvelocity = [-5, 0, 1]\n";
    let files = crate::load_text(&Source::new("scenes/own.toml", format!("{STAND}{events}"))).unwrap();
    let mut thrown = Run::bind(&files).unwrap();
    let header = header(&files, &thrown);
    assert_eq!((header.passive.len(), header.passive[0].name.as_str()), (1, "ball"));
    let mut hit = false;
    for frame in 0..60 {
        let frame_now = thrown.step().unwrap().unwrap().frame();
        assert_eq!(frame_now.passive.len(), usize::from(frame >= 10));
        hit |= frame_now.external.iter().any(|force| force.name == "ball");
    }
    assert!(hit);
    assert_eq!(crate::header(&files, &thrown).passive, header.passive, "as it was announced");
}

#[test]
fn an_aimed_ball_arrives_where_it_is_aimed_at() {
    let events = "[events.ball]\nkind = \"throw\"\nat = 0\nmass = 2\nradius = 0.1\n\
         aimed = { at = [2, -1, 1.6], bearing = 2, distance = 4, height = 1.2, speed = 5 }\n";
    let files = crate::load_text(&Source::new("scenes/own.toml", format!("{STAND}{events}"))).unwrap();
    let mut thrown = Run::bind(&files).unwrap();
    let mut place = nalgebra::Vector3::zeros();
    for frame in 0..=80 {
        place = nalgebra::Vector3::from(thrown.step().unwrap().unwrap().frame().passive[0].com);
        let way = place - nalgebra::Vector3::new(2.0 + 4.0 * 2.0_f64.cos(), -1.0 + 4.0 * 2.0_f64.sin(), 1.2);
        assert!(frame > 0 || way.norm() < 1e-9, "it begins {way} from there");
    }
    let off = (place - nalgebra::Vector3::new(2.0, -1.0, 1.6)).norm();
    assert!(off < 0.01, "{off} m off after 4 m at 5 m/s");
    let short = events.replace("distance = 4", "distance = 0").replace("at = 0\n", "at = 0.1\n");
    assert!(mistake(&short).contains("distance must be more than 0 m"), "{}", mistake(&short));
    let nowhere: String =
        events.lines().filter(|line| !line.contains("aimed =")).map(|line| format!("{line}\n")).collect();
    let told = mistake(&nowhere);
    assert!(told.contains("a throw needs `position` and `velocity`, or `aimed`"), "{told}");
    let both = events.replace("aimed =", "velocity = [1, 0, 0]\naimed =");
    assert!(mistake(&both).contains("a throw has `aimed` or `velocity`, not both"), "{}", mistake(&both));
}

#[test]
fn what_cannot_be_is_a_mistake_before_the_first_frame() {
    let set = |path: &str, value: &str| {
        mistake(&format!("[events.e]\nkind = \"set\"\nat = 0.1\npath = \"{path}\"\nvalue = {value}\n"))
    };
    assert!(
        set("parameters.nothing", "1").contains("scenes/own.toml:8:8: the file has no `nothing`"),
        "{}",
        set("parameters.nothing", "1")
    );
    assert!(set("nonsense", "1").contains("own.toml:8:8"));
    let prefixed = set("controller.parameters.stiff", "1");
    assert!(prefixed.contains("own.toml:8:8: this path begins within the controller"), "{prefixed}");
    let replace = "[events.e]\nkind = \"replace\"\nat = 0.1\ncontroller = \"balnce\"\n";
    assert!(mistake(replace).contains("there is no controller `balnce`"));
    let throw = "[events.e]\nkind = \"throw\"\nat = 0.1\nmass = 0\nradius = 0.1\nposition = [1, 0, \
                 1]\nvelocity = [0, 0, 0]\n";
    assert!(mistake(throw).contains("mass must be more than 0 kg"), "{}", mistake(throw));
}

/// Frames in which each of the events acts within half a second.
fn acting(events: &str, names: &[&str]) -> Vec<Vec<u64>> {
    let mut run = run(events);
    let mut frames = vec![Vec::new(); names.len()];
    for _ in 0..50 {
        let frame = run.step().unwrap().unwrap().frame();
        for (name, frames) in names.iter().zip(&mut frames) {
            frames.extend(frame.events.iter().any(|event| event == name).then_some(frame.index));
        }
    }
    frames
}

#[test]
fn an_event_begins_when_its_condition_first_holds_or_another_is_over() {
    let events = "[events.third]\nduration = 0.02\nbody = \"chest\"\nforce = [0, 0, 1]\nafter = \
         \"second\"\n\
         [events.first]\nduration = 0.03\nbody = \"chest\"\nforce = [1, 0, 0]\nwhen = \"time > \
         0.095\"\ndelay = 0.02\n\
         [events.second]\nduration = 0.01\nbody = \"chest\"\nforce = [0, 1, 0]\nafter = \
         \"first\"\ndelay = 0.05\n\
         [events.both]\nduration = 0.02\nbody = \"chest\"\nforce = [0, 1, 0]\nafter = \"first\"\nwhen \
         = \"time < 0.165 or time > 0.295\"\n\
         [events.late]\nduration = 0.02\nbody = \"chest\"\nforce = [0, 1, 0]\nat = 0.4\nwhen = \
         \"contacts > 0\"\n\
         [events.never]\nduration = 0.02\nbody = \"chest\"\nforce = [0, 1, 0]\nwhen = \"com.z > 9\"\n";
    let frames = acting(events, &["first", "second", "third", "both", "late", "never"]);
    // A condition that becomes true within a frame of an event above it starts its event in the next
    // frame.
    let expected: [&[u64]; 6] = [&[12, 13, 14], &[20], &[21, 22], &[15, 16], &[40, 41], &[]];
    assert_eq!(frames, expected);
}

#[test]
fn a_push_that_waits_has_its_whole_impulse_and_goes_on_after_a_checkpoint() {
    let event =
        "[events.shove]\nduration = 0.1\nbody = \"chest\"\nimpulse = [0, 8, 0]\nwhen = \"time > 0.195\"\n";
    let mut run = run(event);
    let mut impulse = 0.0;
    let mut kept = Vec::new();
    for frame in 0..40 {
        if frame == 10 || frame == 25 {
            kept.push(run.world.checkpoint());
        }
        let record = run.step().unwrap().unwrap().frame();
        impulse += 0.01 * record.external.iter().map(|force| force.force[1]).sum::<f64>();
    }
    assert!((impulse - 8.0).abs() < 1e-9, "{impulse} N s");
    let end = run.frame();
    for (checkpoint, frames) in kept.iter().zip([30, 15]) {
        run.world.restore(checkpoint).unwrap();
        for _ in 0..frames {
            run.step().unwrap();
        }
        assert_eq!(run.frame(), end);
    }
}

#[test]
fn conditions_of_events_speak_of_states_and_of_whom_they_happen_to() {
    let two = "[characters.b]\nmodel = \"child\"\ncontroller = \"balance\"\nposition = [2, 0]\n\
         [events.told]\nkind = \"set\"\ncharacter = \"b\"\nwhen = \"mass < 50 and state_time > 0.1\"\n\
         path = \"title\"\nvalue = \"'other'\"\n";
    let mut run = run(two);
    for _ in 0..30 {
        run.step().unwrap();
    }
    let titles = run.world.characters().map(|id| run.world.character(id).controller.spec.title.clone());
    let told: Vec<bool> = titles.map(|title| title.as_deref() == Some("'other'")).collect();
    assert_eq!(told, [false, true]);
}

#[test]
fn of_what_never_came_the_first_cause_is_told() {
    let push = |name: &str, more: &str| {
        format!("[events.{name}]\nduration = 0.02\nbody = \"chest\"\nforce = [0, 1, 0]\n{more}\n")
    };
    let events = [
        push("first", "at = 0.1"),
        push("second", "after = \"first\"\ndelay = 0.9"),
        push("third", "after = \"second\"\nwhen = \"com.z > 0.1\""),
        push("fourth", "after = \"first\"\nwhen = \"com.z > 9\""),
        push("fifth", "after = \"first\"\nwhen = \"com.z > 0.1\""),
    ];
    let mut run = run(&events.concat());
    for _ in 0..100 {
        run.step().unwrap();
    }
    let missed: Vec<String> =
        run.world.missed_events().map(|(name, missed)| format!("{name}: {missed}")).collect();
    let expected = [
        "second: the run ended before it could begin",
        "third: `second` did not come before it",
        "fourth: `com.z > 9` did not hold when it could begin",
    ];
    assert_eq!(missed, expected);
}

#[test]
fn what_an_event_waits_for_is_checked_before_the_first_frame() {
    let push = "[events.push]\nduration = 0.1\nbody = \"chest\"\nimpulse = [0, 8, 0]\n";
    for (more, said) in [
        ("", "this push does not say when it begins: add `at`, `when` or `after`"),
        ("delay = 1\nat = 1", "`delay` is the time after `when` or `after`"),
        ("after = \"shove\"", "there is no event `shove`"),
        ("after = \"push\"", "`push` would begin after itself"),
        ("when = \"com.q > 1\"", "own.toml:9:"),
        ("when = \"com.z\"", "expected true or false, found a number"),
        ("after = \"push\"\ndelay = -1", "delay must be 0 s or more"),
    ] {
        let mistake = mistake(&format!("{push}{more}\n"));
        assert!(mistake.contains(said), "{more}: {mistake}");
    }
    let circle = format!("{push}after = \"b\"\n{}", push.replace("push]", "b]\nafter = \"push\""));
    assert!(mistake(&circle).contains("these events wait for each other"), "{}", mistake(&circle));
    let throw = |name: &str, when: &str| {
        format!(
            "[events.{name}]\nkind = \"throw\"\n{when}\nmass = 1\nradius = 0.1\nposition = [1, 0, 1]\n\
             velocity = [0, 0, 0]\n"
        )
    };
    let first = throw("first", "at = 0.3");
    let second = throw("second", "when = \"time > 0.1\"");
    let said = mistake(&format!("{first}{second}"));
    assert!(said.contains("which of `first` and `second` is thrown first is not certain"), "{said}");
    let in_order = throw("second", "when = \"time > 0.1\"\nafter = \"first\"");
    assert_eq!(mistake(&format!("{first}{in_order}")), "");
    let third = throw("third", "after = \"first\"\ndelay = 0.1");
    let said = mistake(&format!("{first}{in_order}{third}"));
    assert!(said.contains("which of `second` and `third`"), "{said}");
}

/// For each frame of half a second: whether the obstacle is present, and its height.
fn of_the_box(events: &str) -> Vec<(bool, f64)> {
    let scene = format!("[obstacles.box]\nhalf_lengths = [0.2, 0.2, 0.1]\nposition = [3, 0, 0.5]\n{events}");
    let mut run = run(&scene);
    let look = |run: &Run| {
        let surface = run.world.surfaces().iter().find(|surface| *surface.name == *"box").unwrap();
        (surface.present, surface.pose().position.z)
    };
    (0..50)
        .map(|_| {
            run.step().unwrap();
            look(&run)
        })
        .collect()
}

#[test]
fn surfaces_move_vanish_and_appear_when_a_condition_holds_as_at_the_same_time() {
    for kind in [
        "kind = \"move\"\nduration = 0.1\nby = [0, 0, 0.3]",
        "kind = \"shake\"\nduration = 0.2\namplitude = [0, 0, 0.02]\nfrequency = 10",
        "kind = \"vanish\"",
        "kind = \"appear\"",
        "kind = \"vanish\"\nduration = 0.1",
    ] {
        let event = |time: &str| format!("[events.it]\n{time}\nobstacle = \"box\"\n{kind}\n");
        let [at, when, never] = ["at = 0.15", "when = \"time > 0.145\"", "when = \"time > 9\""]
            .map(|time| of_the_box(&event(time)));
        assert_eq!(at, when, "{kind}");
        assert_ne!(at[20..], never[20..], "{kind}");
        assert_eq!(at[..14], never[..14], "{kind}");
    }
}

#[test]
fn objectives_are_disabled_when_a_condition_holds_for_the_duration() {
    let event = |time: &str| {
        format!("[events.off]\n{time}\nkind = \"disable\"\nobjective = \"com height\"\nduration = 0.1\n")
    };
    let weights = |events: &str| -> Vec<bool> {
        let mut run = run(events);
        let place = run.character().objectives.iter().position(|name| name == "com height").unwrap();
        (0..40).map(|_| run.step().unwrap().unwrap().frame().weights[place] > 0.0).collect()
    };
    let off = weights(&event("when = \"time > 0.095\""));
    assert_eq!(off, weights(&event("at = 0.1")));
    let expected: Vec<bool> = (0..40).map(|frame| !(10..20).contains(&frame)).collect();
    assert_eq!(off, expected);
    let said = mistake(&event("when = \"time > 0.1\"").replace("com height", "com hight"));
    assert!(said.contains("the controller has no objective `com hight`"), "{said}");
}

#[test]
fn a_ball_is_thrown_when_a_condition_holds_and_a_checkpoint_before_it_goes_on_alike() {
    let events = "[events.ball]\nkind = \"throw\"\nwhen = \"time > 0.095\"\nmass = 2\nradius = 0.1\n\
         position = [1.0, 0, 1.3]\nvelocity = [-5, 0, 1]\n\
         [events.gone]\nkind = \"vanish\"\nobstacle = \"ground\"\nafter = \"ball\"\ndelay = 0.1\n";
    let mut run = run(events);
    let start = run.world.checkpoint();
    let balls = |run: &mut Run| -> Vec<(usize, Vec<f64>)> {
        let mut frame = || run.step().unwrap().unwrap().frame();
        (0..40).map(|_| frame()).map(|frame| (frame.passive.len(), frame.v)).collect()
    };
    let all = balls(&mut run);
    let counts: Vec<usize> = all.iter().map(|(count, _)| *count).collect();
    assert_eq!(counts, [vec![0; 10], vec![1; 30]].concat());
    assert!(!run.world.surfaces()[0].present);
    run.world.restore(&start).unwrap();
    assert!(run.world.surfaces()[0].present);
    assert_eq!(balls(&mut run), all);
}
