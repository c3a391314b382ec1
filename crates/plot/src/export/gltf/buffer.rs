//! Numbers of a glTF file: one binary buffer, and the accessors to its parts.

use gltf::json::accessor::{ComponentType, GenericComponentType, Type};
use gltf::json::buffer::{Target, View};
use gltf::json::validation::{Checked::Valid, USize64};
use gltf::json::{Accessor, Buffer, Index, Root};
use serde_json::Value;

/// A glTF file under construction.
#[derive(Default)]
pub(super) struct GltfFile {
    pub root: Root,
    pub bytes: Vec<u8>,
}

impl GltfFile {
    /// Adds rows of N numbers (1, 3, 4 or 16).
    pub(super) fn numbers<const N: usize>(
        &mut self,
        rows: &[[f32; N]],
        target: Option<Target>,
    ) -> Index<Accessor> {
        let kind = match N {
            1 => Type::Scalar,
            3 => Type::Vec3,
            4 => Type::Vec4,
            _ => Type::Mat4,
        };
        let bytes = rows.iter().flatten().flat_map(|number| number.to_le_bytes());
        let view = self.view(bytes, target);
        let mut accessor = accessor(view, rows.len(), ComponentType::F32, kind);
        // glTF requires the bounds of positions and times.
        if N <= 3 && !rows.is_empty() {
            let bound = |least: fn(f32, f32) -> f32| -> Value {
                (0..N).map(|axis| rows.iter().map(|row| row[axis]).reduce(least)).collect()
            };
            (accessor.min, accessor.max) = (Some(bound(f32::min)), Some(bound(f32::max)));
        }
        self.root.push(accessor)
    }

    /// Adds triangles by the indices of their corners.
    pub(super) fn corners(&mut self, triangles: &[[u32; 3]]) -> Index<Accessor> {
        let bytes = triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes());
        let view = self.view(bytes, Some(Target::ElementArrayBuffer));
        self.root.push(accessor(view, 3 * triangles.len(), ComponentType::U32, Type::Scalar))
    }

    /// Adds rows of four joint indices.
    pub(super) fn joints(&mut self, rows: &[[u16; 4]]) -> Index<Accessor> {
        let bytes = rows.iter().flatten().flat_map(|joint| joint.to_le_bytes());
        let view = self.view(bytes, Some(Target::ArrayBuffer));
        self.root.push(accessor(view, rows.len(), ComponentType::U16, Type::Vec4))
    }

    /// Rows are multiples of four bytes, so that each view is aligned.
    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<Target>) -> Index<View> {
        let begin = self.bytes.len();
        self.bytes.extend(bytes);
        self.root.push(View {
            buffer: Index::new(0),
            byte_length: USize64::from(self.bytes.len() - begin),
            byte_offset: Some(USize64::from(begin)),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: Default::default(),
        })
    }

    /// The JSON text and the binary chunk.
    pub(super) fn finish(mut self) -> serde_json::Result<(Vec<u8>, Vec<u8>)> {
        self.root.buffers = vec![Buffer {
            byte_length: USize64::from(self.bytes.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        }];
        Ok((serde_json::to_vec(&self.root)?, self.bytes))
    }
}

fn accessor(view: Index<View>, count: usize, component: ComponentType, kind: Type) -> Accessor {
    Accessor {
        buffer_view: Some(view),
        byte_offset: None,
        count: USize64::from(count),
        component_type: Valid(GenericComponentType(component)),
        extensions: None,
        extras: Default::default(),
        type_: Valid(kind),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}
