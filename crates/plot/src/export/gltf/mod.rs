//! A run as an animated scene in glTF 2.0, which Blender, three.js and game engines open.
//!
//! glTF has y up and z forward: one root node rotates everything into these axes. Bodies of the character are nodes
//! of a skeleton with their names; parts of ropes and cloth are joints of a skin.

mod buffer;
mod course;
mod stage;
mod threads;

use super::ExportError;
use super::bvh::y_up;
use super::scene::character;
use aplomb_body::model::Model;
use aplomb_math::geometry::{Shape, surface};
use aplomb_trace::Trace;
use buffer::GltfFile;
use course::Courses;
use gltf::binary::{Glb, Header};
use gltf::json::buffer::Target;
use gltf::json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::scene::{Node, Scene, UnitQuaternion};
use gltf::json::validation::Checked::{self, Valid};
use gltf::json::{Accessor, Index, Material, Mesh, Skin};
use stage::{GltfStage, LinearRgb, Placed};
use std::borrow::Cow;
use std::collections::BTreeMap;
use threads::Skinned;

/// The whole run as a binary glTF file.
pub(super) fn file(trace: &Trace) -> Result<Vec<u8>, ExportError> {
    let model = if trace.header.has_character() { character(&trace.header)? } else { Model::empty() };
    let stage = GltfStage::new(trace, &model)?;
    let (json, bytes) = document(trace, &stage).finish().map_err(|error| ExportError::Form(error.into()))?;
    let header = Header { magic: *b"glTF", version: 2, length: 0 };
    let file = Glb { header, json: Cow::Owned(json), bin: Some(Cow::Owned(bytes)) };
    file.to_vec().map_err(|error| ExportError::Form(error.into()))
}

fn document(trace: &Trace, stage: &GltfStage) -> GltfFile {
    let mut file = GltfFile::default();
    file.root.asset.generator = Some(format!("aplomb {}", trace.header.version));
    let mut courses = Courses::new(trace.frames.iter().map(|frame| [frame.time as f32]).collect());
    let mut look = Materials::default();
    let mut nodes: Vec<Index<Node>> = Vec::with_capacity(stage.things.len());
    let mut top = Vec::new();
    for thing in &stage.things {
        let shapes =
            thing.shapes.iter().filter_map(|shape| look.shape(&mut file, shape, thing.colour)).collect();
        let node = file.root.push(Node { children: some(shapes), ..named(&thing.name) });
        courses.follow(&mut file, node, &thing.course);
        match thing.parent {
            Some(parent) => {
                file.root.nodes[nodes[parent].value()].children.get_or_insert_default().push(node);
            }
            None => top.push(node),
        }
        nodes.push(node);
    }
    for threads in &stage.threads {
        for mesh in threads::skinned(threads, &stage.things) {
            top.push(look.skin(&mut file, &mesh, &nodes, &threads.name, threads.colour));
        }
    }
    let upright = UnitQuaternion(y_up().coords.map(|x| x as f32).into());
    let world = file.root.push(Node { children: some(top), rotation: Some(upright), ..named("world") });
    let scene = Scene {
        extensions: None,
        extras: Default::default(),
        name: Some(trace.header.scene.clone()),
        nodes: vec![world],
    };
    file.root.scene = Some(file.root.push(scene));
    file.root.animations.extend(courses.finish(trace.header.scene.clone()));
    file
}

fn named(name: &str) -> Node {
    Node { name: Some(name.to_owned()), ..Node::default() }
}

/// `None` for an empty list, which glTF does not allow.
fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

/// Appearance of objects.
#[derive(Default)]
struct Materials {
    materials: BTreeMap<[u32; 3], Index<Material>>,
}

impl Materials {
    fn material(&mut self, file: &mut GltfFile, [r, g, b]: LinearRgb) -> Index<Material> {
        let key = [r, g, b].map(f32::to_bits);
        *self.materials.entry(key).or_insert_with(|| {
            file.root.push(Material {
                double_sided: true,
                pbr_metallic_roughness: PbrMetallicRoughness {
                    base_color_factor: PbrBaseColorFactor([r, g, b, 1.0]),
                    metallic_factor: StrengthFactor(0.0),
                    roughness_factor: StrengthFactor(0.8),
                    ..Default::default()
                },
                ..Default::default()
            })
        })
    }

    /// Adds a node with a shape; `None` for a plane.
    fn shape(&mut self, file: &mut GltfFile, placed: &Placed, colour: LinearRgb) -> Option<Index<Node>> {
        let surface = surface(&placed.shape)?;
        let single = |rows: &[nalgebra::Vector3<f64>]| -> Vec<[f32; 3]> {
            rows.iter().map(|row| row.map(|x| x as f32).into()).collect()
        };
        let points = file.numbers(&single(&surface.points), Some(Target::ArrayBuffer));
        let mut attributes = BTreeMap::from([(Valid(Semantic::Positions), points)]);
        if let Some(normals) = &surface.normals {
            let normals = file.numbers(&single(normals), Some(Target::ArrayBuffer));
            attributes.insert(Valid(Semantic::Normals), normals);
        }
        let mesh = self.mesh(file, name(&placed.shape), attributes, &surface.triangles, colour);
        let turn = placed.pose.rotation.coords.map(|x| x as f32);
        Some(file.root.push(Node {
            mesh: Some(mesh),
            translation: Some(placed.pose.translation.vector.map(|x| x as f32).into()),
            rotation: Some(UnitQuaternion(turn.into())),
            ..Node::default()
        }))
    }

    fn mesh(
        &mut self,
        file: &mut GltfFile,
        name: &str,
        attributes: BTreeMap<Checked<Semantic>, Index<Accessor>>,
        triangles: &[[u32; 3]],
        colour: LinearRgb,
    ) -> Index<Mesh> {
        let primitive = Primitive {
            attributes,
            extensions: None,
            extras: Default::default(),
            indices: Some(file.corners(triangles)),
            material: Some(self.material(file, colour)),
            mode: Valid(Mode::Triangles),
            targets: None,
        };
        file.root.push(Mesh {
            extensions: None,
            extras: Default::default(),
            name: Some(name.to_owned()),
            primitives: vec![primitive],
            weights: None,
        })
    }

    /// Adds a node with triangles whose corners are bound to other nodes.
    fn skin(
        &mut self,
        file: &mut GltfFile,
        skinned: &Skinned,
        nodes: &[Index<Node>],
        name: &str,
        colour: LinearRgb,
    ) -> Index<Node> {
        let places: Vec<[f32; 3]> =
            skinned.points.iter().map(|point| point.map(|x| x as f32).into()).collect();
        let joints: Vec<[u16; 4]> = skinned.joint.iter().map(|&joint| [joint, 0, 0, 0]).collect();
        let weights = vec![[1.0_f32, 0.0, 0.0, 0.0]; joints.len()];
        let target = Some(Target::ArrayBuffer);
        let attributes = BTreeMap::from([
            (Valid(Semantic::Positions), file.numbers(&places, target)),
            (Valid(Semantic::Joints(0)), file.joints(&joints)),
            (Valid(Semantic::Weights(0)), file.numbers(&weights, target)),
        ]);
        let mesh = self.mesh(file, name, attributes, &skinned.triangles, colour);
        let inverse_bind_matrices = Some(file.numbers(&skinned.inverse_bind(), None));
        let skin = file.root.push(Skin {
            extensions: None,
            extras: Default::default(),
            inverse_bind_matrices,
            joints: skinned.joints.iter().map(|&thing| nodes[thing]).collect(),
            name: Some(name.to_owned()),
            skeleton: None,
        });
        file.root.push(Node { mesh: Some(mesh), skin: Some(skin), ..named(name) })
    }
}

fn name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Plane => "plane",
        Shape::Field(_) => "terrain",
        Shape::Sphere { .. } => "sphere",
        Shape::Capsule { .. } => "capsule",
        Shape::Cylinder { .. } => "cylinder",
        Shape::Box { .. } => "box",
        Shape::Ellipsoid { .. } => "ellipsoid",
        Shape::Hull(_) => "hull",
    }
}

#[cfg(test)]
mod tests;
