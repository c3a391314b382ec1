//! Colours of the picture: red, green, blue and opacity, each from 0 to 1, in sRGB values.

/// Red, green, blue, opacity.
pub type Colour = [f32; 4];

const fn hex(code: u32, opacity: f32) -> Colour {
    [
        (code >> 16 & 255) as f32 / 255.0,
        (code >> 8 & 255) as f32 / 255.0,
        (code & 255) as f32 / 255.0,
        opacity,
    ]
}

/// Left side of a character.
pub const LEFT: Colour = hex(0x3C8FC4, 1.0);
/// Right side of a character.
pub const RIGHT: Colour = hex(0xE39A35, 1.0);
/// Middle of a character.
pub const MIDDLE: Colour = hex(0xB4BBC1, 1.0);
/// The selected target.
pub const SELECTED: Colour = hex(0xF2D03B, 1.0);
/// Boxes of the world.
pub const OBSTACLE: Colour = hex(0x8E9AA6, 1.0);
/// Holds.
pub const HOLD: Colour = hex(0x6B5B4B, 1.0);
/// Contact forces.
pub const CONTACT: Colour = hex(0x1E9E6A, 1.0);
/// Friction cones.
pub const CONE: Colour = hex(0x1E9E6A, 0.22);
/// External forces.
pub const EXTERNAL: Colour = hex(0xC1121F, 1.0);
/// Centre of mass.
pub const CENTRE_OF_MASS: Colour = hex(0x20262D, 1.0);
/// Capture point.
pub const CAPTURE_POINT: Colour = hex(0xB5287C, 1.0);
/// Centre of pressure.
pub const CENTRE_OF_PRESSURE: Colour = hex(0x0062A8, 1.0);
/// Support polygon.
pub const SUPPORT: Colour = hex(0x00A87C, 0.25);
/// The edge of the support polygon.
pub const SUPPORT_EDGE: Colour = hex(0x00A87C, 1.0);
/// Points of the controller's bindings.
pub const GOAL: Colour = hex(0x7A3FC4, 1.0);
/// A joint near a limit.
pub const CAUTION: Colour = hex(0xF0A202, 1.0);
/// A joint at a limit.
pub const ALARM: Colour = hex(0xD1121F, 1.0);

/// Colours of passive objects, in turn.
const OBJECTS: [Colour; 5] =
    [hex(0x9C6ADE, 1.0), hex(0x47A3A0, 1.0), hex(0xC7728F, 1.0), hex(0x8DA33B, 1.0), hex(0xB88352, 1.0)];

/// Colour of a passive object.
pub fn object(number: usize) -> Colour {
    OBJECTS[number % OBJECTS.len()]
}

/// Colour of a shape in the dropped branch.
pub fn ghost(colour: Colour) -> Colour {
    let [r, g, b, _] = mixed(colour, [1.0; 4], 0.35);
    [r, g, b, 0.28]
}

/// Linear mix of two colours.
pub fn mixed(from: Colour, to: Colour, share: f32) -> Colour {
    std::array::from_fn(|channel| from[channel] + share.clamp(0.0, 1.0) * (to[channel] - from[channel]))
}
