//! Skeletons in scenes: objects made from files of bones, their drives, and rejected input.

use crate::run::Run;
use aplomb::language::diagnostic::{FileErrors, Source};
use aplomb::scene::Run as SceneRun;
use aplomb::scene::{self, LoadError};
use nalgebra::Vector3;

fn bind(text: &str) -> Result<Run, FileErrors> {
    match scene::load_text(&Source::new("bones.toml", text)) {
        Err(LoadError::Mistakes(errors)) => Err(errors),
        Err(LoadError::NotFound(missing)) => panic!("{missing}"),
        Ok(files) => SceneRun::bind(&files).map(|_| Run::from(&files)),
    }
}

#[test]
fn a_skeleton_of_one_hinge_swings_as_the_articulated_body_of_the_same_file() {
    let scene = |kind: &str| {
        format!(
            "duration = 1.5\n[passive_settings]\ndt = 0.0005\n[passive.bob]\nkind = \"{kind}\"\nmodel = \"pendulum\"\n\
             rotation = [0, 0.6, 0]\n"
        )
    };
    let [chain, tree] = ["skeleton", "articulated"]
        .map(|kind| bind(&scene(kind)).unwrap_or_else(|e| panic!("{}", e[0].message)));
    let mut far: f64 = 0.0;
    for (one, other) in chain.frames.iter().zip(&tree.frames) {
        let [a, b] = [one, other].map(|frame| Vector3::from(frame.passive[0].com));
        assert!((a - b).norm() < 4e-3, "{} m at {} s", (a - b).norm(), one.time);
        far = far.max((a - Vector3::from(chain.frames[0].passive[0].com)).norm());
    }
    assert!(far > 0.6, "it swings through");
}

/// Number of frames in which a bone of the hand touches the bar, and the largest of those forces, N.
fn touches(run: &Run) -> (usize, f64) {
    let of_bar = |frame: &aplomb::trace::Frame| -> f64 {
        let touches = frame.passive[0].touches.iter().filter(|touch| touch.other == "bar");
        touches.map(|touch| Vector3::from(touch.force).norm()).sum()
    };
    let forces: Vec<f64> = run.frames.iter().map(of_bar).filter(|force| *force > 0.0).collect();
    (forces.len(), forces.iter().fold(0.0, |most, force| most.max(*force)))
}

/// Position of the tip bone of the index finger, m, frame by frame.
fn tip(run: &Run) -> Vec<Vector3<f64>> {
    let part = run.simulation.world.passive().objects[0]
        .part_names
        .iter()
        .position(|name| name == "index_3")
        .unwrap();
    run.frames.iter().map(|frame| frame.passive[0].positions[part].into()).collect()
}

#[test]
fn a_stiff_hand_closes_on_a_bar_and_not_through_it() {
    let held = Run::of("stiff_hand", &[]);
    assert!(held.passes());
    let (frames, force) = touches(&held);
    assert!(frames > 100 && force > 1.0 && force < 200.0, "{frames} frames, {force} N");
    let free = Run::of("stiff_hand", &["obstacles.bar.position=[0.069, 0, -1]"]);
    assert!(free.passes());
    assert_eq!(touches(&free).0, 0);
    // Closed, the finger is stopped by the bar; open again, it has the same position as without the bar.
    let (held, free) = (tip(&held), tip(&free));
    assert!((held[180] - free[180]).norm() > 5e-3, "{}", (held[180] - free[180]).norm());
    assert!((held[330] - free[330]).norm() < 1e-3, "{}", (held[330] - free[330]).norm());
    assert!((free[180] - free[330]).norm() > 0.05, "it opens and closes");
}

#[test]
fn steps_of_any_length_and_springs_of_any_stiffness_keep_a_driven_hand_together() {
    for (dt, stiffness) in [(0.002, 0.3), (0.005, 0.3), (0.01, 0.3), (0.01, 30.0), (0.01, 3000.0)] {
        let dt = format!("passive_settings.dt={dt}");
        let stiffness = format!("passive.hand.driven.turn_stiffness={stiffness}");
        let run = Run::of("stiff_hand", &[&dt, &stiffness]);
        assert!(run.passes(), "{dt} {stiffness}");
    }
}

/// The message of the only mistake in a scene with a skeleton of these keys.
fn refused(keys: &str) -> String {
    let text = format!("duration = 1\n[passive.bones]\nkind = \"skeleton\"\n{keys}\n");
    let Err(errors) = bind(&text) else { panic!("`{keys}` is accepted") };
    assert_eq!(errors.len(), 1, "{:?}", errors.iter().map(|error| &error.message).collect::<Vec<_>>());
    let error = &errors[0];
    format!("{}: {}\n{}", error.location(), error.message, error.help.as_deref().unwrap_or_default())
}

#[test]
fn mistakes_in_skeletons_are_said_where_they_stand() {
    let hand = "model = \"hand\"\n";
    let driven = |keys: &str| format!("{hand}driven = {{ {keys} }}");
    let mistakes = [
        (
            "model = \"adult\"".to_string(),
            "bones.toml:4:9: body `abdomen` (line 47) has 3 joints: bones have one\n",
        ),
        (
            format!("{hand}limit_stiffness = -1"),
            "bones.toml:5:19: limit_stiffness must be 0 or more, not -1\n",
        ),
        (driven("at = [1, 0]"), "bones.toml:5:17: `at` needs finite, increasing times\n"),
        (
            driven("at = [0, 1], angles = { index_1 = [0] }"),
            "bones.toml:5:46: 2 times need as many finite angles, not 1\n",
        ),
        (
            driven("at = [0, 1], offsets = [[0, 0, 0]]"),
            "bones.toml:5:35: 2 times need as many finite offsets, not 1\n",
        ),
        (
            driven("at = [0, 1], angles = { indx_1 = [0, 1] }"),
            "bones.toml:5:36: there is no hinge `indx_1`\ndid you mean `index_1`?",
        ),
        (driven("at = [0], damping = -1"), "bones.toml:5:32: damping must be 0 or more, not -1\n"),
        (driven("at = [0, 20000]"), "bones.toml:5:17: a record lasts at most 1000 s\n"),
    ];
    for (keys, said) in mistakes {
        assert_eq!(refused(&keys), said, "{keys}");
    }
}
