#version 330 core
// A shape of unit size, scaled, extended, rotated and translated.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 outward;
layout(location = 2) in float end;
layout(location = 3) in vec4 place;
layout(location = 4) in vec4 turn;
layout(location = 5) in vec4 size;
layout(location = 6) in vec4 paint;
uniform mat4 view;
out vec3 world;
out vec3 normal;
out vec4 colour;

vec3 turned(vec3 v) {
    return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v);
}

void main() {
    world = place.xyz + turned(corner * size.xyz + vec3(0.0, 0.0, end * place.w));
    normal = turned(outward / max(size.xyz, vec3(1e-6)));
    colour = paint;
    gl_Position = view * vec4(world, 1.0);
}
