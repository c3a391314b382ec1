//! The contents of exported traces.

use super::*;
use crate::export::bvh::y_up;
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::{BodyId, bvh};
use aplomb_language::diagnostic::Source;
use aplomb_trace::{Frame, channels, example};
use nalgebra::Vector3;
use serde_json::Value;
use tempfile::TempDir;

fn exported(format: ExportFormat) -> (TempDir, Trace) {
    let folder = TempDir::new().unwrap();
    let trace = example::trace(4);
    let paths = export(&trace, folder.path().join("out"), format).unwrap();
    assert!(paths.iter().all(|path| path.is_file()));
    (folder, trace)
}

fn lines() -> (Vec<Value>, Trace) {
    let (folder, trace) = exported(ExportFormat::Jsonl);
    let text = fs::read_to_string(folder.path().join("out/trace.jsonl")).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), trace)
}

/// Rows of a table, the titles first.
fn rows(folder: &TempDir, name: &str) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .from_path(folder.path().join("out").join(name))
        .unwrap();
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}

#[test]
fn the_first_line_says_under_which_law_the_others_are() {
    let (lines, _) = lines();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0]["type"], "header");
    assert_eq!(lines[0]["gravity"], serde_json::json!([0.0, 0.0, -9.81]));
    assert_eq!(lines[0]["mu"], 0.8);
    assert_eq!(lines[0]["bias_velocity"], "extrapolated");
}

#[test]
fn a_line_has_the_frames_numbers_exactly() {
    let (lines, trace) = lines();
    let frame = &trace.frames[2];
    let line = &lines[3];
    assert_eq!(line["t"].as_f64(), Some(frame.time));
    let q: Vec<f64> = line["qpos"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    assert_eq!(q, frame.q);
    assert_eq!(line["bias_velocity"], "extrapolated");
    assert_eq!(line["external"][0]["body"], "shin");
    assert_eq!(line["external"][0]["torque_world"][2].as_f64(), Some(frame.external[0].torque[2]));
    // Forces between parts of the body act on both.
    let pressed = &frame.self_contacts[0];
    for (number, body, sign) in [(1, &pressed.body, 1.0), (2, &pressed.other, -1.0)] {
        assert_eq!(line["external"][number]["body"], **body);
        let by = if sign > 0.0 { &pressed.other } else { &pressed.body };
        assert_eq!(line["external"][number]["pressed_by"], **by);
        assert_eq!(line["external"][number]["force_world"][2].as_f64(), Some(sign * pressed.force[2]));
    }
}

#[test]
fn a_line_has_what_couplings_and_dry_friction_do_where_there_are_any() {
    let (without, mut trace) = lines();
    for key in ["coupled", "rough", "coupling_reaction", "coupling_error", "dry_friction"] {
        assert!(without.iter().all(|line| line.get(key).is_none()), "{key}");
    }
    let count = trace.header.coordinate_names.len();
    (trace.header.coupled, trace.header.rough) = (vec![count - 2, count - 1], vec![count - 1]);
    for frame in &mut trace.frames {
        let with = |value: f64| (0..count).map(|k| value * k as f64).collect::<Vec<f64>>();
        (frame.coupling_reaction, frame.coupling_error, frame.dry_friction) =
            (with(1.5), with(1e-9), with(-0.25));
    }
    let mut text = Vec::new();
    jsonl::write(&trace, &mut text).unwrap();
    let lines: Vec<Value> =
        text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let names = &trace.header.coordinate_names;
    assert_eq!(lines[0]["coupled"], serde_json::json!([names[count - 2], names[count - 1]]));
    assert_eq!(lines[0]["rough"], serde_json::json!([names[count - 1]]));
    let last = |key: &str| lines[2][key][count - 1].as_f64();
    let ends = [1.5, 1e-9, -0.25].map(|value| Some(value * (count - 1) as f64));
    assert_eq!(["coupling_reaction", "coupling_error", "dry_friction"].map(last), ends);
}

#[test]
fn a_line_has_the_contacts_that_bear() {
    let (lines, trace) = lines();
    let contacts = lines[1]["contacts"].as_array().unwrap();
    assert_eq!(contacts.len(), 1);
    assert_eq!(contacts[0]["kind"], "static");
    assert_eq!(contacts[0]["normal"], serde_json::json!([0.0, 0.0, 1.0]));
    assert_eq!(contacts[0]["mu"], 0.8);
    assert_eq!(contacts[0]["force_world"][1].as_f64(), Some(trace.frames[0].contacts[0].force[1]));
    assert_eq!(lines[4]["contacts"], serde_json::json!([]));
    assert_eq!(lines[4]["external"], serde_json::json!([]));
}

#[test]
fn what_sticks_to_a_surface_that_moves_is_carried_with_its_velocity() {
    let (_, mut trace) = lines();
    let moving = trace.header.obstacles.iter().find(|obstacle| obstacle.moves).unwrap().name.clone();
    trace.frames[0].contacts[0].surface = moving;
    let from = trace.frames[0].moving[0].clone();
    trace.frames[1].moving[0] = from.clone();
    let contact = |trace: &Trace| {
        let mut text = Vec::new();
        jsonl::write(trace, &mut text).unwrap();
        let line = text.split(|byte| *byte == b'\n').nth(1).unwrap();
        serde_json::from_slice::<Value>(line).unwrap()["contacts"][0].clone()
    };
    let at_rest = contact(&trace);
    assert_eq!(at_rest["kind"], "static");
    assert!(at_rest.get("surface_velocity_world").is_none(), "{at_rest}");

    trace.frames[1].moving[0].position[0] += 0.005;
    let carried = contact(&trace);
    assert_eq!(carried["kind"], "carried");
    let speed = carried["surface_velocity_world"][0].as_f64().unwrap();
    assert!((speed - 0.005 / trace.header.dt).abs() < 1e-9, "{carried}");
}

#[test]
fn what_is_thrown_later_waits_out_of_the_way() {
    let (_, mut trace) = lines();
    trace.frames[0].passive.clear();
    let (scene, mut text) = (super::scene::xml(&trace).unwrap(), Vec::new());
    assert!(scene.contains("pos=\"0 0 10\""), "{scene}");
    jsonl::write(&trace, &mut text).unwrap();
    let line = text.split(|byte| *byte == b'\n').nth(1).unwrap();
    let line: Value = serde_json::from_slice(line).unwrap();
    assert_eq!(line["mocap_pos"][0], serde_json::json!([0.0, 0.0, 10.0]));
}

#[test]
fn the_scene_has_the_character_and_what_stood_around_it() {
    let (folder, trace) = exported(ExportFormat::Jsonl);
    let text = fs::read_to_string(folder.path().join("out/scene.xml")).unwrap();
    // The MJCF reader of this project does not support mocap bodies.
    let (text, shown) = text.split_once("    <body name=\"ball.ball\" mocap=\"true\"").unwrap();
    let [x, y, z] = trace.frames[0].passive[0].positions[0];
    assert!(shown.starts_with(&format!(" pos=\"{x} {y} {z}\">")), "{shown}");
    let (geom, end) = shown.split_once("</body>\n").unwrap();
    assert!(geom.contains("type=\"sphere\" size=\"0.1\"") && geom.contains("contype=\"0\""), "{geom}");
    let text = [text, end].concat();
    let model =
        aplomb_body::model::mjcf::read(&aplomb_language::diagnostic::Source::new("scene.xml", text)).unwrap();
    assert_eq!(model.nq, trace.frames[0].q.len());
    let fixed: Vec<&str> =
        model.geoms.iter().filter(|geom| geom.body.is_none()).map(|geom| geom.name.as_str()).collect();
    assert_eq!(fixed, ["ground", "step"]);
}

#[test]
fn a_trace_without_its_model_has_no_scene() {
    let folder = TempDir::new().unwrap();
    let mut trace = example::trace(1);
    trace.header.texts.clear();
    let error = export(&trace, folder.path(), ExportFormat::Jsonl).unwrap_err();
    assert_eq!(error.to_string(), "the trace does not hold the text of its model");
}

#[test]
fn frames_have_a_row_each_and_a_column_for_every_channel() {
    let (folder, trace) = exported(ExportFormat::Csv);
    let rows = rows(&folder, "frames.csv");
    assert_eq!(rows.len(), 1 + trace.frames.len());
    for channel in channels(&trace.header) {
        let title = format!("{} [{}]", channel.name, channel.unit);
        let column = rows[0].iter().position(|name| *name == title).unwrap();
        let values: Vec<Option<f64>> = rows[1..].iter().map(|row| row[column].parse().ok()).collect();
        assert_eq!(trace.series(&channel.name), Some(values), "{title}");
    }
    assert_eq!(rows[1][..4], ["0", "balance", "solved", "push"]);
}

/// A trace of three frames, the second of which was computed in two parts.
fn divided() -> Trace {
    let mut trace = example::trace(3);
    let (dt, second) = (trace.header.dt, trace.frames[1].clone());
    let half = Frame { time: second.time + 0.5 * dt, ..second.clone() };
    trace.parts = vec![second, half];
    trace.frames[1].solve_events = vec![aplomb_trace::FrameEvent::Divided];
    trace
}

#[test]
fn a_line_says_of_which_frame_and_part_it_is_and_how_long_that_lasts() {
    let trace = divided();
    let mut text = Vec::new();
    jsonl::write(&trace, &mut text).unwrap();
    let lines = text.split(|byte| *byte == b'\n').skip(1);
    let lines = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let said: Vec<(u64, Option<u64>, f64)> = lines
        .map(|line| (line["frame"].as_u64().unwrap(), line["part"].as_u64(), line["dt"].as_f64().unwrap()))
        .collect();
    let dt = trace.header.dt;
    assert_eq!(said, [(0, None, dt), (1, Some(0), 0.5 * dt), (1, Some(1), 0.5 * dt), (2, None, dt)]);
}

#[test]
fn a_table_says_in_how_many_parts_a_frame_was_computed_and_where_nothing_was_solved() {
    let mut trace = divided();
    trace.frames[2].torque.clear();
    let folder = TempDir::new().unwrap();
    export(&trace, folder.path().join("out"), ExportFormat::Csv).unwrap();
    let rows = rows(&folder, "frames.csv");
    let column = |title: &str| {
        let column = rows[0].iter().position(|name| name == title).unwrap();
        rows[1..].iter().map(|row| &*row[column]).collect::<Vec<_>>()
    };
    assert_eq!(column("parts"), ["1", "2", "1"]);
    assert_eq!(column("divided [1]"), ["0.0", "1.0", ""]);
    assert_eq!(column("solved")[2], "");
    assert_eq!(column("outcome [1]")[2], "");
}

#[test]
fn contacts_and_external_forces_have_a_row_each() {
    let (folder, trace) = exported(ExportFormat::Csv);
    let contacts = rows(&folder, "contacts.csv");
    assert_eq!(contacts.len(), 1 + 3 * 2);
    assert_eq!(contacts[0][..7], ["frame", "time [s]", "name", "body", "surface", "kind", "point.x [m]"]);
    assert_eq!(contacts[4][..6], ["1", "0.01", "foot.sole.1", "foot", "ground", "dynamic"]);
    let external = rows(&folder, "external.csv");
    let [.., x, y, z] = &contacts[0][..] else { panic!("columns") };
    assert_eq!(
        [x, y, z].map(|title| &**title),
        ["x", "y", "z"].map(|axis| format!("surface_velocity.{axis} [m/s]"))
    );
    assert_eq!(external.len(), 1 + 3);
    assert_eq!(external[0].last().map(String::as_str), Some("torque.z [N m]"));
    assert_eq!(external[1].last().unwrap().parse(), Ok(trace.frames[0].external[0].torque[2]));
    let pressed = rows(&folder, "self_contacts.csv");
    assert_eq!(pressed.len(), 1 + 3);
    assert_eq!(pressed[1][..4], ["0", "0.0", "shin", "foot"]);
    assert_eq!(pressed[1].last().unwrap().parse(), Ok(trace.frames[0].self_contacts[0].force[2]));
}

#[test]
fn particles_are_listed_row_by_row_and_named_parts_as_they_are() {
    let listed = |names: &[&str]| -> Vec<String> {
        let mut trace = example::trace(1);
        trace.header.passive[0].parts = names.iter().map(|name| name.to_string()).collect();
        let state = &mut trace.frames[0].passive[0];
        state.positions = (0..names.len()).map(|part| [part as f64, 0.0, 0.0]).collect();
        state.velocities = vec![[0.0; 3]; names.len()];
        let folder = TempDir::new().unwrap();
        export(&trace, folder.path().join("out"), ExportFormat::Csv).unwrap();
        let rows = rows(&folder, "objects.csv").into_iter().skip(1);
        rows.map(|row| format!("{} at {}", row[3], row[4])).collect()
    };
    let cloth = listed(&["0_0", "0_2", "0_10", "1_0", "0_1", "0_9"]);
    assert_eq!(cloth, ["0_0 at 0.0", "0_1 at 4.0", "0_2 at 1.0", "0_9 at 5.0", "0_10 at 2.0", "1_0 at 3.0"]);
    assert_eq!(listed(&["upper", "lower"]), ["upper at 0.0", "lower at 1.0"]);
}

#[test]
fn there_is_no_table_of_what_presses_where_nothing_does() {
    let mut trace = example::trace(3);
    trace
        .frames
        .iter_mut()
        .for_each(|frame| frame.self_contacts[..].iter_mut().for_each(|one| one.force = [0.0; 3]));
    let folder = TempDir::new().unwrap();
    export(&trace, folder.path(), ExportFormat::Csv).unwrap();
    assert!(folder.path().join("external.csv").exists() && !folder.path().join("self_contacts.csv").exists());
}

#[test]
fn every_column_is_explained() {
    let (folder, _) = exported(ExportFormat::Csv);
    let explained = rows(&folder, "columns.csv");
    for file in ["frames.csv", "contacts.csv", "external.csv", "self_contacts.csv"] {
        let titles = explained.iter().filter(|row| row[0] == file).map(|row| row[1].clone());
        assert_eq!(titles.collect::<Vec<_>>(), rows(&folder, file)[0], "{file}");
    }
}

#[test]
fn a_motion_in_bvh_has_the_bodies_where_the_trace_has_them() {
    let trace = example::trace(4);
    let folder = TempDir::new().unwrap();
    let paths = export(&trace, folder.path(), ExportFormat::Bvh).unwrap();
    let text = fs::read_to_string(&paths[0]).unwrap();
    let motion = bvh::read(&Source::new("motion.bvh", text)).unwrap();
    let model = scene::character(&trace.header).unwrap();
    assert_eq!(motion.joints.iter().map(|joint| &joint.name).collect::<Vec<_>>(), ["foot", "shin"]);
    let mut kinematics = Kinematics::new(&model);
    kinematics.update_poses(&model, &model.neutral_configuration());
    let rest = kinematics.rotation.clone();
    for (frame, numbers) in trace.frames.iter().zip(&motion.frames) {
        kinematics.update_poses(&model, &frame.q);
        let poses = motion.poses(numbers);
        for (index, body) in model.bodies.iter().enumerate() {
            let anchor =
                model.joints[body.joints.clone()].first().map_or(Vector3::zeros(), |joint| joint.anchor);
            let joint = y_up() * kinematics.point(BodyId(index), &anchor);
            assert!((poses[index].translation.vector - joint).norm() < 1e-5);
            let x = kinematics.rotation[index] * rest[index].transpose() * Vector3::x();
            let turned = poses[index].rotation * (y_up() * Vector3::x());
            assert!((turned - y_up() * x).norm() < 1e-6);
        }
    }
}

#[test]
fn where_nobody_moves_there_is_no_skeleton() {
    let mut trace = example::trace(2);
    trace.header.character.clear();
    trace.header.bodies.clear();
    let folder = TempDir::new().unwrap();
    assert!(matches!(export(&trace, folder.path(), ExportFormat::Bvh), Err(ExportError::NoCharacter)));
}
