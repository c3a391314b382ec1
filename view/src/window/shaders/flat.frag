#version 330 core
in vec4 colour;
out vec4 pixel;

void main() {
    pixel = colour;
}
