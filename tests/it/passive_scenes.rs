//! Shipped scenes of soft and stiff objects meet their criteria.

use crate::run::Run;
use aplomb::language::diagnostic::Source;
use aplomb::scene::{self, LoadError};

/// Checks that all criteria of `scene` hold and that no object diverged.
fn keeps_its_promise(scene: &str) {
    let run = Run::of(scene, &[]);
    for criterion in &run.simulation.criteria {
        assert!(criterion.holds, "{scene}: {}", criterion.name);
    }
    for frame in &run.frames {
        let finite =
            frame.passive.iter().all(|object| object.positions.as_flattened().iter().all(|x| x.is_finite()));
        assert!(finite, "{scene} at {} s", frame.time);
    }
}

#[test]
fn beads_stay_on_their_wires_and_keep_their_energy() {
    keeps_its_promise("bead_on_wire");
}

#[test]
fn a_double_pendulum_of_sticks_moves_as_one_of_angles() {
    keeps_its_promise("double_pendulum_constrained");
}

#[test]
fn stalks_that_were_drawn_aside_come_back() {
    keeps_its_promise("plant");
}

#[test]
fn a_stiff_arm_that_was_pulled_stands_up_and_a_limp_one_falls() {
    keeps_its_promise("robot_drag");
}

#[test]
fn hair_bends_in_the_wind_and_stands_up_after_it() {
    keeps_its_promise("wind_hair");
}

#[test]
fn a_cloth_lies_over_a_character_that_stands_and_its_threads_keep_their_length() {
    keeps_its_promise("cloth_drape");
}

#[test]
fn figures_of_particles_fall_the_way_they_are_struck() {
    keeps_its_promise("struck_figures");
}

/// A scene given as text.
fn written(text: &str) -> Run {
    Run::from(&scene::load_text(&Source::new("scene.toml", text)).unwrap())
}

#[test]
fn a_rope_hangs_from_its_end_and_a_box_lies_on_the_ground() {
    let run = written(
        r#"
title = "A rope, and a box"
duration = 4.0
[passive.rope]
kind = "rope"
ends = [[0, 0, 2], [0.6, 0, 1.2]]
sticks = 20
mass = 0.5
fixed = ["first"]
[passive.crate]
kind = "particles"
boxes = [{ position = [2, 0, 0.4], half_lengths = [0.2, 0.2, 0.2], mass = 3 }]
[success]
rope_held = { always = "height(rope) > 1.4 and height(rope) < 2" }
rope_keeps_its_length = { at_end = "stretch(rope) < 0.02" }
crate_lies = { at_end = "abs(height(crate) - 0.2) < 0.01 and speed(crate) < 0.05" }
"#,
    );
    for criterion in &run.simulation.criteria {
        assert!(criterion.holds, "{}", criterion.name);
    }
}

#[test]
fn an_unknown_kind_of_object_is_named_and_the_right_one_offered() {
    let text = "title = \"T\"\nduration = 1.0\n[passive.object]\nkind = \"roap\"\n";
    let Err(LoadError::Mistakes(mistakes)) = scene::load_text(&Source::new("scene.toml", text)) else {
        panic!("the scene was taken");
    };
    let shown = format!("{:?}", mistakes[0]);
    assert!(shown.contains("roap") && shown.contains("rope"), "{shown}");
}

#[test]
fn a_cloth_catches_a_ball() {
    keeps_its_promise("cloth_catch");
}

#[test]
fn a_linkage_goes_round() {
    keeps_its_promise("four_bar");
}

#[test]
fn a_figure_is_drawn_up_by_its_hand() {
    keeps_its_promise("drag_figure");
}
