//! The contents of exported glTF files according to an independent reader.

use super::*;
use ::gltf::animation::util::ReadOutputs;
use ::gltf::{Document, Gltf};
use aplomb_body::dynamics::Kinematics;
use aplomb_trace::{Trace, example};
use nalgebra::{Isometry3, Translation3, Vector3};

fn read(trace: &Trace) -> (Document, Vec<u8>) {
    // Validates the whole document.
    let Gltf { document, blob } = Gltf::from_slice(&file(trace).unwrap()).unwrap();
    (document, blob.unwrap())
}

/// A few frames of a shipped scene.
fn run(name: &str, frames: usize) -> Trace {
    let files = aplomb_scene::load(name, &[]).unwrap();
    let mut run = aplomb_scene::Run::bind(&files).unwrap();
    let header = aplomb_scene::header(&files, &run);
    let frames = (0..frames).map(|_| run.step().unwrap().unwrap().frame()).collect();
    Trace { header, frames, parts: Vec::new(), torn: None }
}

fn isometry(translation: [f32; 3], rotation: [f32; 4]) -> Isometry3<f64> {
    let [x, y, z, w] = rotation.map(f64::from);
    let turn = nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Translation3::from(Vector3::from(translation.map(f64::from))), turn)
}

/// Positions of all nodes in a frame, by their names, world (y up).
fn places(document: &Document, blob: &[u8], frame: usize) -> Vec<(String, Isometry3<f64>)> {
    let local = |node: &::gltf::Node<'_>| {
        let (mut translation, mut rotation, _) = node.transform().decomposed();
        for channel in document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
            if channel.target().node().index() != node.index() {
                continue;
            }
            match channel.reader(|_| Some(blob)).read_outputs().unwrap() {
                ReadOutputs::Translations(mut all) => translation = all.nth(frame).unwrap(),
                ReadOutputs::Rotations(all) => rotation = all.into_f32().nth(frame).unwrap(),
                _ => {}
            }
        }
        isometry(translation, rotation)
    };
    let mut places = Vec::new();
    let mut open: Vec<(::gltf::Node<'_>, Isometry3<f64>)> =
        document.scenes().next().unwrap().nodes().map(|node| (node, Isometry3::identity())).collect();
    while let Some((node, parent)) = open.pop() {
        let own = parent * local(&node);
        places.extend(node.name().map(|name| (name.to_owned(), own)));
        open.extend(node.children().map(|child| (child, own)));
    }
    places
}

#[test]
fn bodies_are_where_the_trace_has_them() {
    let trace = run("balance_push", 40);
    let (document, blob) = read(&trace);
    let model = character(&trace.header).unwrap();
    let mut kinematics = Kinematics::new(&model);
    for frame in [0, 17, 39] {
        kinematics.update_poses(&model, &trace.frames[frame].q);
        let places = places(&document, &blob, frame);
        for (index, body) in model.bodies.iter().enumerate() {
            let (_, place) = places.iter().find(|(name, _)| *name == body.name).unwrap();
            let world = y_up() * kinematics.position[index];
            assert!((place.translation.vector - world).norm() < 1e-5, "{} in frame {frame}", body.name);
            let up = y_up() * (kinematics.rotation[index] * Vector3::z());
            assert!((place.rotation * Vector3::z() - up).norm() < 1e-5);
        }
    }
    assert!(document.meshes().count() >= model.geoms.len());
}

#[test]
fn up_is_y_and_forward_is_z() {
    assert!((y_up() * Vector3::z() - Vector3::y()).norm() < 1e-15);
    assert!((y_up() * Vector3::x() - Vector3::z()).norm() < 1e-15);
}

#[test]
fn cloth_goes_with_its_particles() {
    let trace = run("cloth_drape", 30);
    let (document, blob) = read(&trace);
    let skin = document.skins().next().unwrap();
    let mesh = document.nodes().find(|node| node.skin().is_some()).unwrap().mesh().unwrap();
    let reader = mesh.primitives().next().unwrap();
    let reader = reader.reader(|_| Some(&blob[..]));
    let joints: Vec<[u16; 4]> = reader.read_joints(0).unwrap().into_u16().collect();
    let points: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let back: Vec<[[f32; 4]; 4]> =
        skin.reader(|_| Some(&blob[..])).read_inverse_bind_matrices().unwrap().collect();
    let names: Vec<String> = skin.joints().map(|joint| joint.name().unwrap().to_owned()).collect();
    let places = places(&document, &blob, 29);
    let object = &trace.header.passive.iter().position(|object| !object.segments.is_empty()).unwrap();
    let header = &trace.header.passive[*object];
    for (corner, [joint, ..]) in joints.iter().enumerate().step_by(7) {
        let joint = usize::from(*joint);
        let (_, place) = places.iter().find(|(name, _)| *name == names[joint]).unwrap();
        let bind = back[joint];
        let local = Vector3::from_fn(|row, _| {
            let columns = (0..3).map(|column| f64::from(bind[column][row] * points[corner][column]));
            columns.sum::<f64>() + f64::from(bind[3][row])
        });
        let world = place * nalgebra::Point3::from(local);
        let part =
            header.parts.iter().position(|part| names[joint] == format!("{}.{part}", header.name)).unwrap();
        let truth = y_up() * Vector3::from(trace.frames[29].passive[*object].positions[part]);
        assert!((world.coords - truth).norm() < 1e-5, "{world} is not {truth}");
    }
    assert!(reader.read_indices().unwrap().into_u32().count() > 300);
}

#[test]
fn what_vanishes_has_no_size_and_a_trace_without_frames_does_not_move() {
    let mut trace = example::trace(4);
    let (document, _) = read(&trace);
    let lift = document.nodes().find(|node| node.name() == Some("lift")).unwrap();
    let present: Vec<bool> = trace.frames.iter().map(|frame| frame.moving[0].present).collect();
    let (_, _, scale) = lift.transform().decomposed();
    assert_eq!(scale == [1.0; 3], present[0]);
    trace.frames.clear();
    let (document, _) = read(&trace);
    assert_eq!(document.animations().count(), 0);
}
