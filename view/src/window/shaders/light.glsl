#version 330 core
uniform mat4 sun_view;
uniform vec3 sun;
uniform vec3 eye;
uniform vec3 sky;
uniform float far;
uniform float texel;
uniform int softness;
uniform sampler2DShadow shadows;

// Share of the sun's light that reaches a point: the mean of 1 or 3 x 3 samples of the shadow map, each interpolated.
float sunlight(vec3 world, vec3 normal) {
    vec3 place = (sun_view * vec4(world + 0.012 * normal, 1.0)).xyz * 0.5 + 0.5;
    if (any(lessThan(place.xy, vec2(0.01))) || any(greaterThan(place.xy, vec2(0.99))) || place.z > 1.0) return 1.0;
    float sum = 0.0;
    for (int i = -softness; i <= softness; i++)
        for (int j = -softness; j <= softness; j++)
            sum += texture(shadows, vec3(place.xy + 1.7 * texel * vec2(i, j), place.z - 0.0012));
    int across = 2 * softness + 1;
    return sum / float(across * across);
}
