use super::*;
use aplomb_body::model::BodyId;
use aplomb_trace::example;
use nalgebra::{Quaternion, Vector3};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

type Numbers = BTreeMap<String, (Vec<usize>, Vec<f64>)>;

/// The contents according to a reader of NumPy's files: shape and numbers of each array, and the strings.
fn read(bytes: &[u8]) -> (Numbers, BTreeMap<String, Vec<String>>) {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let (mut numbers, mut texts) = (BTreeMap::new(), BTreeMap::new());
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let name = file.name().unwrap().strip_suffix(".npy").unwrap().to_string();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        assert_eq!(content[..8], *b"\x93NUMPY\x01\x00");
        let start = 10 + usize::from(u16::from_le_bytes(content[8..10].try_into().unwrap()));
        assert!(start.is_multiple_of(64) && content[start - 1] == b'\n', "{name}");
        let header = String::from_utf8(content[10..start].to_vec()).unwrap();
        let between =
            |from: &str, to: &str| header.split_once(from).unwrap().1.split_once(to).unwrap().0.to_string();
        let shape: Vec<usize> =
            between("'shape': (", ")").split(',').filter_map(|length| length.trim().parse().ok()).collect();
        let kind = between("'descr': '", "'");
        if let Some(width) = kind.strip_prefix("<U") {
            let letters = content[start..].chunks(4).map(|code| u32::from_le_bytes(code.try_into().unwrap()));
            let letters: Vec<char> = letters.map(|code| char::from_u32(code).unwrap()).collect();
            let words = letters.chunks(width.parse().unwrap());
            let words: Vec<String> =
                words.map(|word| word.iter().filter(|letter| **letter != '\0').collect()).collect();
            assert_eq!(shape, [words.len()], "{name}");
            texts.insert(name, words);
        } else {
            assert_eq!(kind, "<f8");
            let all = content[start..].chunks(8).map(|number| f64::from_le_bytes(number.try_into().unwrap()));
            let all: Vec<f64> = all.collect();
            assert_eq!(shape.iter().product::<usize>(), all.len(), "{name}");
            numbers.insert(name, (shape, all));
        }
    }
    (numbers, texts)
}

fn exported(trace: &Trace, fps: Option<f64>) -> (Numbers, BTreeMap<String, Vec<String>>) {
    let mut bytes = Cursor::new(Vec::new());
    NpzFile::of(trace, fps).unwrap().write(&mut bytes).unwrap();
    read(&bytes.into_inner())
}

fn vector(numbers: &Numbers, name: &str, row: usize, body: usize) -> Vector3<f64> {
    let (shape, all) = &numbers[name];
    assert_eq!(shape[2], 3);
    Vector3::from_column_slice(&all[3 * (row * shape[1] + body)..][..3])
}

#[test]
fn there_is_every_array_of_motion_tracking_with_a_row_a_frame() {
    let (numbers, texts) = exported(&example::trace(4), None);
    let shapes: BTreeMap<&str, &[usize]> =
        numbers.iter().map(|(name, (shape, _))| (name.as_str(), shape.as_slice())).collect();
    let expected: [(&str, &[usize]); 9] = [
        ("body_ang_vel_w", &[4, 2, 3]),
        ("body_lin_vel_w", &[4, 2, 3]),
        ("body_pos_w", &[4, 2, 3]),
        ("body_quat_w", &[4, 2, 4]),
        ("contact_force", &[4, 2, 3]),
        ("fps", &[1]),
        ("joint_pos", &[4, 1]),
        ("joint_torque", &[4, 1]),
        ("joint_vel", &[4, 1]),
    ];
    assert_eq!(shapes, expected.into_iter().collect());
    assert_eq!(numbers["fps"].1, [100.0]);
    // The first body is the root; its joint is not listed.
    assert_eq!(texts["body_names"], ["foot", "shin"]);
    assert_eq!(texts["joint_names"], ["knee"]);
}

#[test]
fn bodies_are_where_root_and_joints_have_them() {
    let trace = example::trace(4);
    let (numbers, _) = exported(&trace, None);
    let model = character(&trace.header).unwrap();
    let mut kinematics = Kinematics::new(&model);
    for (row, frame) in trace.frames.iter().enumerate() {
        // The configuration as assembled by a reader: pose of body 0, then joints.
        let root = vector(&numbers, "body_pos_w", row, 0);
        let quaternions = &numbers["body_quat_w"].1;
        let turn = |body: usize| &quaternions[4 * (2 * row + body)..][..4];
        let q: Vec<f64> =
            root.iter().chain(turn(0)).chain(&numbers["joint_pos"].1[row..=row]).copied().collect();
        assert_eq!(q[..3], frame.q[..3]);
        kinematics.update_poses(&model, &q);
        for body in 0..2 {
            let away =
                vector(&numbers, "body_pos_w", row, body) - kinematics.point(BodyId(body), &Vector3::zeros());
            assert!(away.norm() < 1e-6, "{} m", away.norm());
            let [w, x, y, z] = *turn(body) else { panic!("four numbers") };
            let turn = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z)).to_rotation_matrix();
            assert!((turn.matrix() - kinematics.rotation[body]).norm() < 1e-6);
        }
        assert_eq!(numbers["joint_vel"].1[row], frame.v[6]);
    }
}

#[test]
fn velocities_are_rates_of_the_poses_in_world_axes() {
    const STEP: f64 = 1e-6;
    let trace = example::trace(3);
    let (numbers, _) = exported(&trace, None);
    let model = character(&trace.header).unwrap();
    let poses = |frame: &Frame, along: f64| {
        let way: Vec<f64> = frame.v.iter().map(|rate| along * rate).collect();
        let (mut q, mut kinematics) = (frame.q.clone(), Kinematics::new(&model));
        integrate(&model, &frame.q, &way, &mut q);
        kinematics.update_poses(&model, &q);
        kinematics
    };
    for (row, frame) in trace.frames.iter().enumerate() {
        let (before, after) = (poses(frame, -STEP), poses(frame, STEP));
        for body in 0..2 {
            let rate = (after.position[body] - before.position[body]) / (2.0 * STEP);
            assert!((vector(&numbers, "body_lin_vel_w", row, body) - rate).norm() < 1e-6);
            let turned = after.rotation[body] * before.rotation[body].transpose();
            // The skew part of a small rotation.
            let spin = Vector3::new(
                turned[(2, 1)] - turned[(1, 2)],
                turned[(0, 2)] - turned[(2, 0)],
                turned[(1, 0)] - turned[(0, 1)],
            ) / (4.0 * STEP);
            assert!((vector(&numbers, "body_ang_vel_w", row, body) - spin).norm() < 1e-6);
        }
    }
}

#[test]
fn forces_on_a_body_are_summed_and_the_last_record_has_none() {
    let trace = example::trace(3);
    let (numbers, _) = exported(&trace, None);
    let sum = |frame: &Frame, body: &str| {
        let contacts = frame.contacts.iter().filter(|contact| contact.body == body);
        let contacts: Vector3<f64> = contacts.map(|contact| Vector3::from(contact.force)).sum();
        let pressed = frame.self_contacts.iter().map(|pressed| {
            let sign = f64::from(pressed.body == body) - f64::from(pressed.other == body);
            sign * Vector3::from(pressed.force)
        });
        contacts + pressed.sum::<Vector3<f64>>()
    };
    for row in 0..2 {
        let frame = &trace.frames[row];
        for (index, body) in ["foot", "shin"].into_iter().enumerate() {
            let wrong = vector(&numbers, "contact_force", row, index) - sum(frame, body);
            assert!(wrong.norm() < 1e-12 && sum(frame, body).norm() > 0.0);
        }
        assert_eq!(numbers["joint_torque"].1[row], frame.torque[6]);
    }
    assert!(vector(&numbers, "contact_force", 2, 0).iter().all(|force| force.is_nan()));
    assert!(numbers["joint_torque"].1[2].is_nan());
}

#[test]
fn half_the_rate_is_every_second_frame_and_twice_the_rate_is_between_them() {
    let trace = example::trace(5);
    let (whole, _) = exported(&trace, None);
    let (half, _) = exported(&trace, Some(50.0));
    assert_eq!(half["fps"].1, [50.0]);
    assert_eq!(half["joint_pos"].0, [3, 1]);
    let (twice, _) = exported(&trace, Some(200.0));
    assert_eq!(twice["joint_pos"].0, [9, 1]);
    for row in 0..3 {
        assert_eq!(half["joint_pos"].1[row], whole["joint_pos"].1[2 * row]);
        let [here, there] = [&half, &whole].map(|numbers| &numbers["body_pos_w"].1);
        assert_eq!(here[6 * row..6 * row + 6], there[12 * row..12 * row + 6]);
    }
    for row in 0..4 {
        let between = 0.5 * (whole["joint_pos"].1[row] + whole["joint_pos"].1[row + 1]);
        assert!((twice["joint_pos"].1[2 * row + 1] - between).abs() < 1e-12);
        assert_eq!(twice["joint_pos"].1[2 * row], whole["joint_pos"].1[row]);
    }
    assert_eq!(exported(&trace, Some(30.0)).0["joint_pos"].0, [2, 1]);
}

#[test]
fn a_rate_that_is_none_is_refused() {
    for fps in [0.0, -50.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(matches!(NpzFile::of(&example::trace(2), Some(fps)), Err(ExportError::Rate { .. })));
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let bytes = || {
        let mut bytes = Cursor::new(Vec::new());
        NpzFile::of(&example::trace(3), None).unwrap().write(&mut bytes).unwrap();
        bytes.into_inner()
    };
    assert_eq!(bytes(), bytes());
}
