//! The standard messages of 3-D panels, foxglove.SceneUpdate and foxglove.FrameTransforms
//! (<https://docs.foxglove.dev/docs/sdk/schemas>), as a descriptor that readers find in the file.

use super::protobuf::{EncodedMessage, FieldDescriptor, FieldType, MessageDescriptor, file};
use FieldType::{Bytes, Choice, Double, Fixed32, Flag, Signed32, Signed64, Text};

const TIME: FieldType = FieldType::Message(".google.protobuf.Timestamp");
const DURATION: FieldType = FieldType::Message(".google.protobuf.Duration");
const POSE: FieldType = FieldType::Message(".foxglove.Pose");
const VECTOR: FieldType = FieldType::Message(".foxglove.Vector3");
const POINT: FieldType = FieldType::Message(".foxglove.Point3");
const COLOUR: FieldType = FieldType::Message(".foxglove.Color");

const SECONDS: &[FieldDescriptor] = &[(1, "seconds", Signed64, false), (2, "nanos", Signed32, false)];
const XYZ: &[FieldDescriptor] = &[(1, "x", Double, false), (2, "y", Double, false), (3, "z", Double, false)];

const fn plain(name: &'static str, fields: &'static [FieldDescriptor]) -> MessageDescriptor {
    MessageDescriptor { name, fields, choice: None }
}

const KINDS: &[MessageDescriptor] = &[
    plain("Vector3", XYZ),
    plain("Point3", XYZ),
    plain(
        "Quaternion",
        &[(1, "x", Double, false), (2, "y", Double, false), (3, "z", Double, false), (4, "w", Double, false)],
    ),
    plain(
        "Color",
        &[(1, "r", Double, false), (2, "g", Double, false), (3, "b", Double, false), (4, "a", Double, false)],
    ),
    plain("KeyValuePair", &[(1, "key", Text, false), (2, "value", Text, false)]),
    plain(
        "Pose",
        &[
            (1, "position", VECTOR, false),
            (2, "orientation", FieldType::Message(".foxglove.Quaternion"), false),
        ],
    ),
    plain(
        "ArrowPrimitive",
        &[
            (1, "pose", POSE, false),
            (2, "shaft_length", Double, false),
            (3, "shaft_diameter", Double, false),
            (4, "head_length", Double, false),
            (5, "head_diameter", Double, false),
            (6, "color", COLOUR, false),
        ],
    ),
    plain(
        "CubePrimitive",
        &[(1, "pose", POSE, false), (2, "size", VECTOR, false), (3, "color", COLOUR, false)],
    ),
    plain(
        "SpherePrimitive",
        &[(1, "pose", POSE, false), (2, "size", VECTOR, false), (3, "color", COLOUR, false)],
    ),
    plain(
        "CylinderPrimitive",
        &[
            (1, "pose", POSE, false),
            (2, "size", VECTOR, false),
            (3, "bottom_scale", Double, false),
            (4, "top_scale", Double, false),
            (5, "color", COLOUR, false),
        ],
    ),
    MessageDescriptor {
        name: "LinePrimitive",
        fields: &[
            (1, "type", Choice(".foxglove.LinePrimitive.Type"), false),
            (2, "pose", POSE, false),
            (3, "thickness", Double, false),
            (4, "scale_invariant", Flag, false),
            (5, "points", POINT, true),
            (6, "color", COLOUR, false),
            (7, "colors", COLOUR, true),
            (8, "indices", Fixed32, true),
        ],
        choice: Some(("Type", &["LINE_STRIP", "LINE_LOOP", "LINE_LIST"])),
    },
    plain(
        "TriangleListPrimitive",
        &[
            (1, "pose", POSE, false),
            (2, "points", POINT, true),
            (3, "color", COLOUR, false),
            (4, "colors", COLOUR, true),
            (5, "indices", Fixed32, true),
        ],
    ),
    plain(
        "TextPrimitive",
        &[
            (1, "pose", POSE, false),
            (2, "billboard", Flag, false),
            (3, "font_size", Double, false),
            (4, "scale_invariant", Flag, false),
            (5, "color", COLOUR, false),
            (6, "text", Text, false),
        ],
    ),
    plain(
        "ModelPrimitive",
        &[
            (1, "pose", POSE, false),
            (2, "scale", VECTOR, false),
            (3, "color", COLOUR, false),
            (4, "override_color", Flag, false),
            (5, "url", Text, false),
            (6, "media_type", Text, false),
            (7, "data", Bytes, false),
        ],
    ),
    MessageDescriptor {
        name: "SceneEntityDeletion",
        fields: &[
            (1, "timestamp", TIME, false),
            (2, "type", Choice(".foxglove.SceneEntityDeletion.Type"), false),
            (3, "id", Text, false),
        ],
        choice: Some(("Type", &["MATCHING_ID", "ALL"])),
    },
    plain(
        "SceneEntity",
        &[
            (1, "timestamp", TIME, false),
            (2, "frame_id", Text, false),
            (3, "id", Text, false),
            (4, "lifetime", DURATION, false),
            (5, "frame_locked", Flag, false),
            (6, "metadata", FieldType::Message(".foxglove.KeyValuePair"), true),
            (7, "arrows", FieldType::Message(".foxglove.ArrowPrimitive"), true),
            (8, "cubes", FieldType::Message(".foxglove.CubePrimitive"), true),
            (9, "spheres", FieldType::Message(".foxglove.SpherePrimitive"), true),
            (10, "cylinders", FieldType::Message(".foxglove.CylinderPrimitive"), true),
            (11, "lines", FieldType::Message(".foxglove.LinePrimitive"), true),
            (12, "triangles", FieldType::Message(".foxglove.TriangleListPrimitive"), true),
            (13, "texts", FieldType::Message(".foxglove.TextPrimitive"), true),
            (14, "models", FieldType::Message(".foxglove.ModelPrimitive"), true),
        ],
    ),
    plain(
        "SceneUpdate",
        &[
            (1, "deletions", FieldType::Message(".foxglove.SceneEntityDeletion"), true),
            (2, "entities", FieldType::Message(".foxglove.SceneEntity"), true),
        ],
    ),
    plain(
        "FrameTransform",
        &[
            (1, "timestamp", TIME, false),
            (2, "parent_frame_id", Text, false),
            (3, "child_frame_id", Text, false),
            (4, "translation", VECTOR, false),
            (5, "rotation", FieldType::Message(".foxglove.Quaternion"), false),
        ],
    ),
    plain("FrameTransforms", &[(1, "transforms", FieldType::Message(".foxglove.FrameTransform"), true)]),
];

/// The two messages by their full names.
pub(super) const SCENE: &str = "foxglove.SceneUpdate";
pub(super) const TRANSFORMS: &str = "foxglove.FrameTransforms";

/// A set of file descriptors with all messages.
pub(super) fn description() -> Vec<u8> {
    const TIMESTAMP: &str = "google/protobuf/timestamp.proto";
    const DURATION: &str = "google/protobuf/duration.proto";
    let mut set = EncodedMessage::default();
    set.message(1, &file(TIMESTAMP, "google.protobuf", &[], &[plain("Timestamp", SECONDS)]));
    set.message(1, &file(DURATION, "google.protobuf", &[], &[plain("Duration", SECONDS)]));
    set.message(1, &file("foxglove/messages.proto", "foxglove", &[TIMESTAMP, DURATION], KINDS));
    set.0
}
