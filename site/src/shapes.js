// Shapes of bodies, obstacles and objects as meshes.

import * as THREE from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';

/** Geometry of a shape as records have it: `{sphere: {radius}}`, `{box: {half_lengths}}`, … */
export function geometryOf(shape) {
  const [[kind, size]] = Object.entries(shape);
  switch (kind) {
    case 'sphere':
      return new THREE.SphereGeometry(size.radius, 24, 16);
    case 'capsule':
      return new THREE.CapsuleGeometry(size.radius, 2 * size.half_length, 8, 20).rotateX(Math.PI / 2);
    case 'cylinder':
      return new THREE.CylinderGeometry(size.radius, size.radius, 2 * size.half_length, 32).rotateX(Math.PI / 2);
    case 'box':
      return new THREE.BoxGeometry(...size.half_lengths.map((half) => 2 * half));
    case 'ellipsoid':
      return new THREE.SphereGeometry(1, 24, 16).scale(...size.radii);
    case 'hull':
      return new ConvexGeometry(size.corners.map((corner) => new THREE.Vector3(...corner)));
    default:
      return new THREE.SphereGeometry(0.02);
  }
}

/** The surface of uneven ground: two triangles a cell, parted from the low corner to the high one. */
export function fieldGeometry({ x, y, z }) {
  const points = y.flatMap((b, row) => x.flatMap((a, column) => [a, b, z[row * x.length + column]]));
  const faces = [];
  for (let row = 0; row + 1 < y.length; row += 1) {
    for (let column = 0; column + 1 < x.length; column += 1) {
      const a = row * x.length + column;
      const d = a + x.length;
      faces.push(a, a + 1, d + 1, a, d + 1, d);
    }
  }
  const flat = new THREE.BufferGeometry();
  flat.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  flat.setIndex(faces);
  const geometry = flat.toNonIndexed();
  geometry.computeVertexNormals();
  return geometry;
}

/** Puts an object to a position and a quaternion w, x, y, z. */
export function place(object, position, [w, x, y, z]) {
  object.position.set(...position);
  object.quaternion.set(x, y, z, w);
}

const Z = new THREE.Vector3(0, 0, 1);

/** Has a mesh of unit length along z reach from one point to another. */
export function span(object, from, to, thickness) {
  const way = new THREE.Vector3().subVectors(to, from);
  const length = way.length();
  object.position.copy(from).addScaledVector(way, 0.5);
  object.quaternion.setFromUnitVectors(Z, length > 1e-9 ? way.divideScalar(length) : Z);
  object.scale.set(thickness, thickness, Math.max(length, 1e-6));
}

/** A rod of unit radius and length along z. */
export const rod = () => new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2);
