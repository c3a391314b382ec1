// Forces as arrows.

import * as THREE from 'three';
import { rod } from './shapes.js';

const Z = new THREE.Vector3(0, 0, 1);

/** A supply of arrows of one colour. */
export class Arrows {
  constructor(scene, material, thickness) {
    Object.assign(this, { scene, material, thickness, all: [] });
    this.shaft = rod().translate(0, 0, 0.5);
    this.head = new THREE.ConeGeometry(2.6, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
  }

  add() {
    const group = new THREE.Group();
    const [shaft, head] = [this.shaft, this.head].map((geometry) => new THREE.Mesh(geometry, this.material));
    group.add(shaft, head);
    this.scene.add(group);
    this.all.push({ group, shaft, head });
  }

  /** Shows one arrow for each point, way from there, m, and body that it acts on. */
  show(pairs) {
    while (this.all.length < pairs.length) this.add();
    this.all.forEach(({ group, shaft, head }, number) => {
      const [point, way, body] = pairs[number] ?? [];
      const length = way ? Math.hypot(...way) : 0;
      group.visible = length > 0.004;
      group.userData.body = body;
      if (!group.visible) return;
      const tip = Math.min(0.5 * length, 7 * this.thickness);
      group.position.set(...point);
      group.quaternion.setFromUnitVectors(Z, new THREE.Vector3(...way).divideScalar(length));
      shaft.scale.set(this.thickness, this.thickness, length - tip);
      head.position.z = length - tip;
      head.scale.set(this.thickness, this.thickness, tip);
    });
  }
}
