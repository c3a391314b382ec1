#version 330 core
layout(location = 0) in vec3 corner;
layout(location = 1) in vec4 paint;
uniform mat4 view;
out vec3 world;
out vec4 colour;

void main() {
    world = corner;
    colour = paint;
    gl_Position = view * vec4(corner, 1.0);
}
