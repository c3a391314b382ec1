in vec3 world;
out vec4 pixel;

// 1 on lines of this spacing (m) and width (pixels), 0 elsewhere.
float lines(float spacing, float width) {
    vec2 place = world.xy / spacing;
    vec2 across = abs(fract(place - 0.5) - 0.5) / max(fwidth(place), vec2(1e-6));
    return 1.0 - min(min(across.x, across.y) / width, 1.0);
}

void main() {
    float away = length(world.xy - eye.xy) / far;
    vec3 floor_colour = vec3(0.80, 0.825, 0.85);
    vec2 field = floor(world.xy);
    floor_colour *= 1.0 - 0.025 * mod(field.x + field.y, 2.0);
    floor_colour = mix(floor_colour, vec3(0.62, 0.66, 0.70), 0.8 * lines(1.0, 1.3));
    float light = sunlight(world, vec3(0.0, 0.0, 1.0));
    floor_colour *= mix(0.66, 1.0, light);
    pixel = vec4(mix(floor_colour, sky, smoothstep(0.25, 0.85, away)), 1.0);
}
