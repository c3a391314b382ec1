//! Hands and feet that grip: swinging, climbing, breaking grips.

use crate::run::Run;
use aplomb::analysis::check::Finding;
use aplomb::language::diagnostic::Source;
use aplomb::scene;
use aplomb::trace::{Contact, ContactKind, Frame, Outcome};
use nalgebra::Vector3;

impl Run {
    /// Checks every run with grips: no frame failed, torques and grip forces are within their limits, and grips stay
    /// where they were made.
    fn check(&self) {
        let character = &self.simulation.character();
        let limits = character.snapshot.grips.limits;
        let settled = (0.2 / self.simulation.world.settings().dt) as usize;
        for (index, frame) in self.frames.iter().enumerate() {
            let time = frame.time;
            assert!(!matches!(frame.outcome, Outcome::Failed { .. }), "failed at {time} s");
            for (k, torque) in frame.torque.iter().enumerate() {
                let [low, high] = character.model.torque_limits[k];
                assert!((low - 1e-6..=high + 1e-6).contains(torque), "torque {k} at {time} s");
            }
            for contact in frame.contacts.iter().filter(|contact| is_hold(contact)) {
                let force = Vector3::from(contact.force).norm();
                assert!(force <= limits.force, "{} bears {force} N at {time} s", contact.name);
                let before = &self.frames[index.saturating_sub(settled)..index];
                let is_old = before.len() == settled
                    && before.iter().all(|frame| frame.contacts.iter().any(|old| same(old, contact)));
                assert!(
                    !is_old || contact.gap <= 1e-4,
                    "{} is {} m from its hold at {time} s",
                    contact.name,
                    contact.gap
                );
            }
        }
    }

    /// Largest amplitude of the swing from `from` to `to`, s, about a bar at this height, rad.
    fn amplitude(&self, bar: f64, from: f64, to: f64) -> f64 {
        let frames = self.frames.iter().filter(|frame| (from..to).contains(&frame.time));
        frames.map(|frame| frame.com[0].atan2(bar - frame.com[2]).abs()).fold(0.0, f64::max)
    }
}

fn is_hold(contact: &Contact) -> bool {
    matches!(contact.kind, ContactKind::Grip | ContactKind::Stand)
}

fn same(a: &Contact, b: &Contact) -> bool {
    is_hold(a) && a.name == b.name && a.surface == b.surface
}

#[test]
fn from_rest_a_swing_grows_past_18_degrees_and_no_further_than_it_is_driven() {
    let run = Run::of("swing_rest", &[]);
    assert!(run.passes());
    run.check();
    assert!(run.amplitude(2.4, 0.0, 0.005) < 1e-3, "it begins at rest");
    // The controller pumps up to 0.4 rad, and again when the amplitude is below 0.8 of that.
    let wide = 0.4;
    for from in [25.0, 30.0, 35.0] {
        let amplitude = run.amplitude(2.4, from, from + 5.0);
        assert!((0.8 * wide..1.05 * wide).contains(&amplitude), "{amplitude} rad from {from} s on");
        assert!(amplitude > 18f64.to_radians());
    }
}

#[test]
fn a_high_swing_fades_without_a_pose_and_stays_with_one() {
    let fading = Run::of("swing_high", &["duration=15"]);
    fading.check();
    assert!(fading.amplitude(2.4, 0.0, 0.1) > 1.0);
    assert!(fading.amplitude(2.4, 10.0, 15.0) < 0.65);
    let kept = Run::of("swing_improved", &[]);
    assert!(kept.passes());
    kept.check();
    let start = kept.amplitude(2.4, 0.0, 0.1);
    // Ten periods of 2.3 s.
    assert!(kept.amplitude(2.4, 23.0, 25.5) > 0.9 * start);
}

#[test]
fn a_limp_swing_keeps_its_energy() {
    for bias in ["extrapolated", "midpoint"] {
        let text = format!(
            "duration = 10\nbias_velocity = \"{bias}\"\n\
             [bars.bar]\nends = [[0, -0.5, 3], [0, 0.5, 3]]\n\
             [characters.hero]\nmodel = \"tests/data/grips/swinger.xml\"\n\
             controller = \"tests/data/grips/hang.toml\"\ndrive = \"limp\"\n\
             reach = {{ left_grip = [0, 0.18, 3], right_grip = [0, -0.18, 3] }}\n\
             orientation = {{ pelvis = [0, -1.05, 0] }}\n"
        );
        let files = scene::load_text(&Source::new("limp.toml", text)).unwrap_or_else(|_| panic!("a scene"));
        let run = Run::from(&files);
        let model = &run.simulation.character().model;
        // Recorded velocities are those of the step that leads to q^k: the mean with those of the next step is the
        // velocity at q^k.
        let energy = |two: &[Frame]| {
            let springs = model.joints.iter().map(|joint| {
                let stretch = two[0].q[joint.q_index] - joint.spring_reference;
                0.5 * joint.stiffness * stretch * stretch
            });
            let kinetic = 0.5 * (two[0].kinetic_energy + two[1].kinetic_energy);
            kinetic + two[0].potential_energy + springs.sum::<f64>()
        };
        let (first, last) = (energy(&run.frames[1..3]), energy(&run.frames[run.frames.len() - 2..]));
        // Relative to the energy above the ground; of the swing alone, which is a ninth of that, it is under 1 %.
        assert!((last - first).abs() < 1e-3 * first, "{bias}: {first} J to {last} J");
        assert!(run.amplitude(3.0, 0.0, 10.0) > 0.7, "it swings");
        assert!(run.frames.iter().all(|frame| frame.torque.iter().all(|torque| torque.abs() < 1e-9)));
        assert_eq!(run.frames[run.frames.len() - 2].contacts.len(), 2, "both hands hold on");
    }
}

#[test]
fn hands_hold_on_when_the_platform_goes() {
    let run = Run::of("hang_drop", &["duration=13"]);
    run.check();
    let weight = run.simulation.character().model.mass() * 9.81;
    let force = |frame: &Frame| {
        frame.contacts.iter().map(|contact| Vector3::from(contact.force)).sum::<Vector3<f64>>()
    };
    for frame in run.frames.iter().filter(|frame| frame.time > 1.5 && frame.has_forces()) {
        assert!(frame.contacts.len() == 2 && frame.contacts.iter().all(is_hold), "at {} s", frame.time);
        assert!(force(frame).norm() < 2.0 * weight, "at {} s", frame.time);
    }
    assert!(run.frames[50].contacts.iter().any(|contact| !is_hold(contact)), "it stood before");
}

#[test]
fn who_lets_go_of_everything_is_stopped_by_the_ground_all_the_same() {
    let text = "duration = 2\n[characters.hero]\nmodel = \"characters/adult.xml\"\n\
                controller = \"tests/data/grips/let_go.toml\"\nheight = 1\nself_collision = false\n";
    let files = scene::load_text(&Source::new("drop.toml", text)).unwrap_or_else(|_| panic!("a scene"));
    let run = Run::from(&files);
    run.check();
    assert!(run.frames.iter().all(|frame| frame.outcome == Outcome::Solved), "nothing gave way");
    assert!(run.frames.iter().filter(|frame| frame.time > 1.5).all(|frame| frame.com[2] < 0.5), "it lies");
}

#[test]
fn twelve_moves_of_the_hands_up_a_wall_never_seen() {
    let run = Run::of("climb", &["holds.seed=4711"]);
    assert!(run.passes());
    run.check();
    let begins = |two: &&[Frame]| two[0].state != "move_hand" && two[1].state == "move_hand";
    assert!(run.frames.windows(2).filter(begins).count() >= 12);
    let (start, end) = (&run.frames[0], &run.frames[run.frames.len() - 1]);
    assert!(end.com[2] - start.com[2] > 2.0);
    let hips = run.frames.iter().map(|frame| 0.6 - frame.q[0]).fold(0.0, f64::max);
    assert!(hips < 0.35, "hips {hips} m from the wall");
}

#[test]
fn a_grip_that_would_have_to_bear_too_much_breaks_before_it_does() {
    // Each hand supports half of 608 N at rest.
    let run = Run::of("swing_rest", &["characters.adult.grip.force=250", "duration=1.0"]);
    let hangs = run.simulation.criteria.iter().find(|criterion| criterion.name == "hangs").unwrap();
    assert!(!hangs.holds);
    let events: Vec<&str> = run.frames.iter().flat_map(|frame| &frame.events).map(String::as_str).collect();
    assert!(events.contains(&"left_hand_grip breaks off bar"), "{events:?}");
    for contact in run.frames.iter().flat_map(|frame| &frame.contacts) {
        assert!(Vector3::from(contact.force).norm() <= 250.0);
    }
}

/// Names of the bodies that touched or gripped in a frame.
fn bearing(frame: &Frame) -> Vec<&str> {
    frame.contacts.iter().map(|contact| contact.body.as_str()).collect()
}

#[test]
fn a_foot_that_is_released_as_a_part_keeps_its_toe_on_the_ground() {
    let of = |key: &str| {
        let release = format!("controller.states.balance.{key}=['left_foot']");
        let at_once = "controller.states.balance.release_rate=inf";
        Run::of("stand", &[&release, at_once, "duration=0.3", "success={}"])
    };
    let (limb, part) = (of("release"), of("release_parts"));
    for frame in &limb.frames[1..25] {
        let left: Vec<&str> = bearing(frame).into_iter().filter(|body| body.starts_with("left")).collect();
        assert_eq!(left, [""; 0], "at {} s", frame.time);
    }
    let toe = |frame: &Frame| {
        let of_toe = frame.contacts.iter().filter(|contact| contact.body == "left_toe");
        of_toe.map(|contact| contact.force[2]).sum::<f64>()
    };
    let frames = &part.frames[1..25];
    assert!(frames.iter().all(|frame| !bearing(frame).contains(&"left_foot")));
    assert!(frames.iter().all(|frame| toe(frame) > 5.0), "{:?}", frames.iter().map(toe).collect::<Vec<_>>());
}

#[test]
fn a_heel_that_is_released_leaves_the_load_to_ball_and_toes() {
    let run = Run::of(
        "stand",
        &[
            "controller.states.balance.release_heels=['left_foot']",
            "controller.states.balance.release_heels_while='state_time > 0.095'",
            "controller.states.balance.release_rate=inf",
            "duration=0.4",
            "success={}",
        ],
    );
    let load = |frame: &Frame, is_wanted: &dyn Fn(&str) -> bool| {
        let of_it = frame.contacts.iter().filter(|contact| is_wanted(&contact.name));
        of_it.map(|contact| contact.force[2]).sum::<f64>()
    };
    // Corners 4 and 6 of the sole are at the ball of the foot, 5 and 7 at the heel.
    let heel = |frame: &Frame| {
        load(frame, &|name| name == "left_foot.left_foot.5" || name == "left_foot.left_foot.7")
    };
    let ball = |frame: &Frame| load(frame, &|name| name.starts_with("left_")) - heel(frame);
    assert!(run.frames[..9].iter().all(|frame| heel(frame) > 5.0));
    assert!(run.frames[11..40].iter().all(|frame| heel(frame) == 0.0));
    assert!(run.frames[11..40].iter().all(|frame| ball(frame) > 20.0), "the foot goes on bearing");
}

#[test]
fn a_hold_that_a_released_hand_does_not_take_is_told_once_and_taken_when_it_may() {
    let overrides = [
        "controller.states.stand.release=['left_hand']",
        "controller.states.stand.release_while='state_time < 0.105'",
        "duration=0.3",
        "success={}",
    ];
    let run = Run::of("hang_drop", &overrides);
    let of = |word: &str| -> Vec<(f64, &str)> {
        let events = run.frames.iter().flat_map(|frame| {
            frame.events.iter().map(move |event| ((frame.time * 100.0).round() / 100.0, event.as_str()))
        });
        events.filter(|(_, event)| event.contains(word)).collect()
    };
    assert_eq!(of("does not take"), [(0.0, "left_hand_grip is released and does not take bar")]);
    assert_eq!(of("takes"), [(0.11, "left_hand_grip takes bar")]);
    assert!(bearing(&run.frames[5]).contains(&"right_hand"));
    assert!(!bearing(&run.frames[5]).contains(&"left_hand"));
}

#[test]
fn a_state_that_grips_with_what_it_releases_is_warned_of_where_the_grip_stands() {
    let controller = |head: &str, tail: &str| {
        format!("start = \"hang\"\n[states.hang]\n{head}\ngrip = {{ left_hand_grip = \"bar\" }}\n{tail}\n")
    };
    let warnings = |text: &str| -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("hands.toml"), text).unwrap();
        let scene = "duration = 0.1\n[bars.bar]\nends = [[0, -1, 2], [0, 1, 2]]\nradius = 0.02\n\
                     [characters.one]\nmodel = \"adult\"\ncontroller = \"hands.toml\"\n";
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, scene).unwrap();
        let found = aplomb::analysis::check::scene(path.to_str().unwrap(), &[]);
        let found = found.iter().map(|finding| match finding {
            Finding::Warning(warning) => {
                let place = warning.0.location();
                format!("{}: {}", place.rsplit('/').next().unwrap(), warning.0.message)
            }
            other => panic!("{other:?}"),
        });
        found.collect()
    };
    let said = |body: &str| {
        vec![format!("hands.toml:4:10: `left_hand_grip` cannot grip here: state `hang` releases `{body}`")]
    };
    let clashing = [
        ("release = [\"left_hand\"]", "", "left_hand"),
        ("release = [\"left_upper_arm\"]", "", "left_upper_arm"),
        ("release_parts = [\"left_hand\"]", "", "left_hand"),
        ("release = [\"arm\"]", "let = { arm = \"left_forearm\" }", "arm"),
        ("release = [\"arm\"]", "let = { arm = \"left_forearm if com.x > 0 else left_hand\" }", "arm"),
    ];
    for (head, tail, body) in clashing {
        assert_eq!(warnings(&controller(head, tail)), said(body), "{head} {tail}");
    }
    let fine = [
        ("release = [\"right_hand\"]", ""),
        ("release_parts = [\"left_upper_arm\"]", ""),
        ("release = [\"left_hand\"]", "release_while = \"state_time < 0.2\""),
        ("release = [\"arm\"]", "let = { arm = \"left_hand if com.x > 0 else right_hand\" }"),
    ];
    for (head, tail) in fine {
        assert_eq!(warnings(&controller(head, tail)), [""; 0], "{head} {tail}");
    }
}

/// A bar over the hands of an adult that tries to grip it, with `grip` and `bar` keys of the scene.
fn under_a_bar(grip: &str, bar: &str) -> Run {
    let text = format!(
        "title = \"under a bar\"\nduration = 1.0\nforce_weight = 1e-8\n\
         [bars.bar]\nends = [[0, -0.6, 2.4], [0, 0.6, 2.4]]\n{bar}\n\
         [characters.adult]\nmodel = \"adult\"\ncontroller = \"swing\"\nheight = 0.15\ngrip = {{ {grip} }}\n\
         pose = {{ left_shoulder_y = -2.9, right_shoulder_y = -2.9 }}\n"
    );
    Run::from(&scene::load_text(&Source::new("scene.toml", text)).unwrap())
}

#[test]
fn nothing_bears_across_air() {
    let run = under_a_bar("reach = 0.4, speed = 0.01", "");
    let holds = run.frames.iter().flat_map(|frame| &frame.contacts).filter(|contact| is_hold(contact));
    assert_eq!(holds.count(), 0, "a bar that is a foot over the hands holds nobody");
    assert!(run.frames.last().unwrap().com[2] < 1.1, "it falls");
}

#[test]
fn a_grip_begins_where_hand_and_bar_touch() {
    for scene in ["monkey_bars", "catch_ball", "cable_car"] {
        let run = Run::of(scene, &[]);
        let character = &run.simulation.character();
        let mut first = true;
        let mut grips = 0;
        for frame in &run.frames {
            for contact in frame.contacts.iter().filter(|contact| is_hold(contact)) {
                let hold = character.snapshot.grips.holds.iter().find(|hold| *hold.name == *contact.surface);
                let site = character.model.sites.iter().find(|site| site.name == contact.name);
                let touch = hold.unwrap().radius() + site.unwrap().radius;
                assert!(touch <= 0.045, "{scene}: nobody's hands are so thick: {touch} m");
                assert!(
                    contact.gap <= touch + 1e-9,
                    "{scene}: {} bears at {} s across {} m",
                    contact.name,
                    frame.time,
                    contact.gap - touch
                );
                first &= contact.gap <= 1e-9;
                grips += 1;
            }
        }
        assert!(grips > 0 && !first, "{scene}: hands come to what they hold");
    }
}
