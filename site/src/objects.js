// Passive objects and other characters: many equal shapes are one mesh of many instances.

import * as THREE from 'three';
import { geometryOf, place, rod, span } from './shapes.js';

const at = new THREE.Object3D();
const within = new THREE.Matrix4();
const wide = new THREE.Vector3();
const points = [new THREE.Vector3(), new THREE.Vector3()];

/** The objects of a scene. */
export class Objects {
  /** @param headers the objects, in the order of the frames */
  constructor(headers, material) {
    this.group = new THREE.Group();
    this.parts = [];
    this.rods = [];
    headers.forEach((header, object) => this.add(header, object, material(header)));
  }

  add(header, object, material) {
    const byShape = Map.groupBy?.(header.solids, (solid) => JSON.stringify(solid.shape))
      ?? header.solids.reduce((all, solid) => {
        const key = JSON.stringify(solid.shape);
        return all.set(key, [...(all.get(key) ?? []), solid]);
      }, new Map());
    for (const solids of byShape.values()) {
      const mesh = this.instances(geometryOf(solids[0].shape), material, solids.length);
      mesh.userData.targets = solids.map((solid) => ({ object, part: solid.part }));
      const local = solids.map((solid) => {
        place(at, solid.position, solid.orientation);
        at.scale.set(1, 1, 1);
        at.updateMatrix();
        return at.matrix.clone();
      });
      const [{ radius }] = Object.values(solids[0].shape);
      this.parts.push({ object, mesh, solids, local, radius });
    }
    if (header.segments.length) {
      const mesh = this.instances(rod(), material, header.segments.length);
      mesh.userData.targets = header.segments.map((segment) => ({ object, part: segment.ends[1] }));
      this.rods.push({ object, mesh, segments: header.segments });
    }
  }

  instances(geometry, material, count) {
    const mesh = new THREE.InstancedMesh(geometry, material, count);
    mesh.castShadow = !material.transparent;
    mesh.receiveShadow = !material.transparent;
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  /** Puts them to where they are in a frame, no thinner than this, m; those that are not in it yet are hidden. */
  show(frame, thin) {
    for (const { object, mesh, solids, local, radius } of this.parts) {
      const poses = frame.objects[object];
      mesh.visible = Boolean(poses);
      if (!poses) continue;
      solids.forEach((solid, number) => {
        const pose = poses[solid.part];
        place(at, pose.subarray(0, 3), pose.subarray(3, 7));
        at.scale.set(1, 1, 1);
        at.updateMatrix();
        within.multiplyMatrices(at.matrix, local[number]);
        if (radius < thin) within.scale(wide.set(thin / radius, thin / radius, 1));
        mesh.setMatrixAt(number, within);
      });
      this.changed(mesh);
    }
    for (const { object, mesh, segments } of this.rods) {
      const poses = frame.objects[object];
      mesh.visible = Boolean(poses);
      if (!poses) continue;
      segments.forEach(({ ends, radius }, number) => {
        points.forEach((point, end) => point.set(...poses[ends[end]].subarray(0, 3)));
        span(at, ...points, Math.max(radius, thin));
        at.updateMatrix();
        mesh.setMatrixAt(number, at.matrix);
      });
      this.changed(mesh);
    }
  }

  changed(mesh) {
    mesh.instanceMatrix.needsUpdate = true;
    mesh.boundingSphere = null;
  }

  dispose() {
    for (const { mesh } of [...this.parts, ...this.rods]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.group.removeFromParent();
  }
}
