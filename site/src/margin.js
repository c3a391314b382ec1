// How hard it can be pushed now: a polygon on the ground. Its corners are where the capture point would be after the
// largest pushes that it stands.

import * as THREE from 'three';

export class Margin {
  constructor(scene, material) {
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.edge = new THREE.LineLoop(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: material.color }));
    for (const part of [this.mesh, this.edge]) {
      part.frustumCulled = false;
      part.visible = false;
      scene.add(part);
    }
    this.edge.material.color = material.color;
  }

  /** Shows pushes `[direction, impulse]` from a point on the ground; `shift` is the way of it by 1 N s, m. */
  show([x, y, z], pushes, shift) {
    const corners = pushes.map(([direction, impulse]) => [
      x + Math.cos(direction) * impulse * shift, y + Math.sin(direction) * impulse * shift, z,
    ]);
    const fan = corners.flatMap((corner, number) => [[x, y, z], corner, corners[(number + 1) % corners.length]]);
    const isWhole = corners.length > 2;
    this.mesh.geometry.setAttribute('position', new THREE.Float32BufferAttribute(fan.flat(), 3));
    this.edge.geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners.flat(), 3));
    this.mesh.visible = this.edge.visible = isWhole;
  }

  hide() {
    this.mesh.visible = this.edge.visible = false;
  }
}
