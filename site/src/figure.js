// The character: shapes that go with its bodies.

import * as THREE from 'three';
import { geometryOf, place } from './shapes.js';

export class Figure {
  constructor(geoms, count, material) {
    this.group = new THREE.Group();
    this.bodies = Array.from({ length: count }, () => new THREE.Group());
    for (const body of this.bodies) this.group.add(body);
    for (const geom of geoms) {
      const mesh = new THREE.Mesh(geometryOf(geom.shape), material(geom.part));
      place(mesh, geom.position, geom.orientation);
      mesh.castShadow = !mesh.material.transparent;
      mesh.receiveShadow = !mesh.material.transparent;
      mesh.userData.body = geom.part;
      this.bodies[geom.part].add(mesh);
    }
  }

  show(frame) {
    this.bodies.forEach((body, number) => {
      const pose = frame.bodies[number];
      body.visible = Boolean(pose);
      if (pose) place(body, pose.subarray(0, 3), pose.subarray(3, 7));
    });
  }

  dispose() {
    this.group.traverse((object) => object.geometry?.dispose());
    this.group.removeFromParent();
  }
}
