//! Pads: soft layers outside shapes, in which a landing takes some frames.

use crate::run::Run;
use aplomb::analysis::audit::audit;
use aplomb::language::diagnostic::Source;
use aplomb::model::mjcf;
use aplomb::scene;
use aplomb::trace::{Ending, Trace};
use nalgebra::Vector3;
use std::fs;

const STEP: &str = "step_push";
const PADS: [&str; 2] = [
    "characters.adult.pads.left_foot={ depth = 0.015, time = 0.03 }",
    "characters.adult.pads.right_foot={ depth = 0.015, time = 0.03 }",
];

/// A block of 11 kg that falls by 3 cm, the last two within its pad, if it has one, with frames of `dt` seconds.
fn falling_block(dt: f64, pad: &str) -> Run {
    block_from(0.03, dt, pad)
}

/// The same block from another height, m.
fn block_from(height: f64, dt: f64, pad: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "block.xml",
        &format!(
            "<mujoco model='block'><worldbody><body name='block' pos='0 0 0.1'><freejoint/>
               <geom type='box' size='0.1 0.1 0.1' mass='10'/>
               <body name='lid' pos='0 0 0.1'><joint name='lid' axis='0 1 0' range='-5 5'/>
                 <geom type='box' size='0.05 0.05 0.02' mass='1'/></body>
             </body></worldbody>{pad}</mujoco>"
        ),
    );
    write("rest.toml", "start = \"rest\"\n[states.rest]\n");
    let text = format!(
        "duration = 0.4\ndt = {dt}\n[characters.block]\nmodel = \"block.xml\"\ncontroller = \"rest.toml\"\n\
         height = {height}\nself_collision = false\n"
    );
    write("scene.toml", &text);
    Run::from(&scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap())
}

#[test]
fn who_arrives_fast_is_slowed_only_as_the_pad_asks() {
    let (depth, time, dt) = (0.02, 0.03, 0.01);
    for height in [0.24, 0.245, 0.25, 0.255, 0.26] {
        let pad = format!("<custom><numeric name='pad:block' data='{depth} {time}'/></custom>");
        let run = block_from(height, dt, &pad);
        let gap = |frame: &aplomb::trace::Frame| frame.com[2] - run.frames[0].com[2] + height;
        let first = loads(&run).iter().position(|load| *load > 0.0).unwrap();
        let [before, after] = [first, first + 1].map(|frame| gap(&run.frames[frame]));
        let least = before.min(depth) * (-dt / time).exp();
        assert!((after - least).abs() < 2e-4, "from {before} m to {after} m: {least} m would do");
    }
}

/// Upward contact forces of each frame, N.
fn loads(run: &Run) -> Vec<f64> {
    let load =
        |frame: &aplomb::trace::Frame| frame.contacts.iter().map(|contact| contact.force[2]).sum::<f64>();
    run.frames.iter().map(load).collect()
}

/// Largest mean load over `time` seconds, N.
fn peak(run: &Run, dt: f64, time: f64) -> f64 {
    let loads = loads(run);
    let count = (time / dt).round() as usize;
    loads.windows(count).map(|few| few.iter().sum::<f64>() / count as f64).fold(0.0, f64::max)
}

#[test]
fn a_block_on_a_pad_lands_over_some_frames_at_any_time_step() {
    let pad = "<custom><numeric name='pad:block' data='0.02 0.03'/></custom>";
    let peaks = [0.002, 0.005, 0.01].map(|dt| {
        let [hard, soft] = ["", pad].map(|pad| falling_block(dt, pad));
        // The rigid block stops in one frame or two: its momentum, 11 kg times 0.77 m/s, in them.
        let (stop, most) = (peak(&hard, dt, dt), peak(&soft, dt, dt));
        assert!(stop > 4.0 / dt, "{stop} N at {dt} s");
        assert!(most < 0.5 * stop, "{most} N of {stop} N at {dt} s");
        for run in [&hard, &soft] {
            let last = run.frames.last().unwrap();
            assert!((last.com[2] - run.frames[0].com[2] + 0.03).abs() < 1e-3, "{}", last.com[2]);
        }
        peak(&soft, dt, 0.02)
    });
    let [low, high] =
        [peaks.iter().fold(f64::INFINITY, |a, b| a.min(*b)), peaks.iter().fold(0.0_f64, |a, b| a.max(*b))];
    assert!(high < 1.3 * low, "{peaks:?} N over 20 ms do not depend on the time step");
}

#[test]
fn no_surface_comes_nearer_to_a_pad_than_it_yields() {
    let dt = 0.005;
    let run = falling_block(dt, "<custom><numeric name='pad:block' data='0.02 0.03'/></custom>");
    let mut slowed = 0;
    for pair in run.frames.windows(2) {
        let [gap, next] = [&pair[0], &pair[1]].map(|frame| frame.q[2] - 0.1);
        let least = gap.clamp(0.0, 0.02) * (-dt / 0.03_f64).exp();
        assert!(next > least - 1e-6, "{gap} to {next} m, least {least}");
        slowed += usize::from(next < least + 1e-6 && gap > 1e-4);
    }
    assert!(slowed > 5, "{slowed} frames in the pad");
}

#[test]
fn soles_make_the_steps_of_a_pushed_body_land_softer() {
    let largest =
        |run: &Run| loads(run).windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max) / (62.0 * 9.81);
    let [hard, soft] = [Run::of(STEP, &["characters.adult.pads={}"]), Run::of(STEP, &PADS)];
    assert!(soft.passes(), "it falls");
    let [hard, soft] = [&hard, &soft].map(largest);
    assert!(soft < 0.8 * hard, "{soft} of {hard} m g in one frame");
}

#[test]
fn a_trace_says_what_pads_its_body_has_and_the_audit_refuses_forces_beyond_them() {
    let overrides = PADS.map(str::to_owned);
    let files = scene::load(STEP, &[&overrides[..], &["duration=1.2".into()]].concat()).unwrap();
    let mut run = scene::Run::bind(&files).unwrap();
    let header = scene::header(&files, &run);
    let frames = crate::run::frames(&mut run);
    let mut trace = Trace { header, frames, parts: Vec::new(), torn: None };
    let sound = audit(&trace, Some(&Ending::default()));
    let away = "gap across which a contact force acts";
    let broken = |audit: &aplomb::analysis::audit::Audit| {
        audit.broken().any(|measure| measure.quantity.starts_with(away))
    };
    assert!(!broken(&sound));
    let text = trace.header.texts.iter_mut().find(|text| text.kind == "model").unwrap();
    assert!(text.text.contains("pad:left_foot") && text.text.contains("pad:left_toe"));
    text.text = text.text.replace("pad:", "other:");
    assert!(broken(&audit(&trace, Some(&Ending::default()))));
}

#[test]
fn the_pad_of_a_part_goes_before_that_of_the_whole_whatever_their_order_and_none_is_possible() {
    let depths = |pads: &str| {
        let run = scene::Run::bind(&scene::load(STEP, &[format!("characters.adult.pads={pads}")]).unwrap())
            .unwrap();
        let model = run.world.character(run.hero().unwrap()).model.clone();
        ["left_foot", "left_toe"]
            .map(|name| model.bodies[model.body(name).unwrap().0].pad.map(|pad| pad.depth))
    };
    let [foot, toe] = ["left_foot={ depth = 0.02, time = 0.03 }", "left_toe={ depth = 0.01, time = 0.03 }"];
    assert_eq!(depths(&format!("{{ {foot} }}")), [Some(0.02), Some(0.02)]);
    assert_eq!(depths(&format!("{{ {foot}, {toe} }}")), [Some(0.02), Some(0.01)]);
    assert_eq!(depths(&format!("{{ {toe}, {foot} }}")), [Some(0.02), Some(0.01)]);
    let none = "left_toe={ depth = 0, time = 0.03 }";
    assert_eq!(depths(&format!("{{ {foot}, {none} }}")), [Some(0.02), None]);
}

#[test]
fn impossible_pads_are_refused_where_they_stand() {
    for (pad, words, place) in [
        (
            "left_fot={ depth = 0.015, time = 0.03 }",
            "no body or role of a body is called `left_fot`",
            "left_foot",
        ),
        ("left_foot={ depth = 0.5, time = 0.03 }", "at most 0.04 m, not 0.5", ""),
        ("left_foot={ depth = 0.01, time = 0 }", "at most 0.1 s, not 0", ""),
    ] {
        let files = scene::load(STEP, &[format!("characters.adult.pads.{pad}")]).unwrap();
        let errors = scene::Run::bind(&files).map(|_| ()).unwrap_err();
        let said = format!("{:?}", errors.iter().next().unwrap());
        assert!(said.contains(words) && said.contains(place), "{said}");
    }
    for (numeric, words) in [
        ("name='pad:foot' data='0.01 0.03'", "unknown body `foot`"),
        ("name='pad:ball' data='0.01'", "depth (m) and a time (s)"),
        ("name='pad:ball' data='-1 0.03'", "more than 0 and at most"),
        ("name='pad:ball'", "needs the attribute `data`"),
        ("name='pad:ball' data='0.01 0.03'/><numeric name='pad:ball' data='0.02 0.03'", "is given twice"),
    ] {
        let text = format!(
            "<mujoco><worldbody><body name='ball'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>\
             </worldbody><custom><numeric {numeric}/></custom></mujoco>"
        );
        let errors = mjcf::read(&Source::new("ball.xml", text)).unwrap_err();
        assert!(format!("{errors:?}").contains(words), "{errors:?}");
    }
    let other = "<mujoco><worldbody><body name='ball'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>\
                 </worldbody><custom><numeric name='gain' data='1 2 3'/></custom></mujoco>";
    let model = mjcf::read(&Source::new("ball.xml", other)).unwrap();
    assert!(model.bodies[0].pad.is_none(), "numbers of other programs mean nothing");
    let written = aplomb::model::write::scene_xml(&model, &Vector3::zeros(), &[], &[]);
    assert!(!written.contains("custom"));
}
