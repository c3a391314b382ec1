in vec3 world;
in vec3 normal;
in vec4 colour;
uniform float shadowed;
out vec4 pixel;

void main() {
    vec3 n = normalize(normal);
    vec3 to_eye = normalize(eye - world);
    float facing = max(dot(n, sun), 0.0);
    float light = shadowed > 0.5 && facing > 0.0 ? facing * sunlight(world, n) : facing;
    float ambient = mix(0.40, 0.60, 0.5 + 0.5 * n.z);
    float shine = 0.12 * pow(max(dot(n, normalize(sun + to_eye)), 0.0), 32.0) * light;
    pixel = vec4(colour.rgb * (ambient + 0.52 * light) + shine, colour.a);
}
