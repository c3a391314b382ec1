// The world around the characters: ground, obstacles, terrain, bars and holds.

import * as THREE from 'three';
import { fieldGeometry, geometryOf, place, rod, span } from './shapes.js';

/** Edge of the ground that is drawn, m. */
const WIDE = 120;

/** Lines a metre apart, and thin ones between them. */
function tiles(colours) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 256;
  const pen = canvas.getContext('2d');
  const paint = (colour) => `#${colour.toString(16).padStart(6, '0')}`;
  pen.fillStyle = paint(colours.ground);
  pen.fillRect(0, 0, 256, 256);
  pen.strokeStyle = paint(colours.line);
  pen.lineWidth = 5;
  pen.strokeRect(0, 0, 256, 256);
  pen.lineWidth = 1.2;
  for (const middle of [64, 128, 192]) {
    pen.strokeRect(middle, -9, 300, 300);
    pen.strokeRect(-9, middle, 300, 300);
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.repeat.set(WIDE, WIDE);
  texture.anisotropy = 8;
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

export class Surroundings {
  constructor(header, materials, colours) {
    this.group = new THREE.Group();
    this.moving = [];
    this.bars = [];
    this.height = 0;
    for (const obstacle of header.obstacles) this.obstacle(obstacle, materials.obstacle, colours);
    for (const hold of header.holds) this.hold(hold, materials.hold);
  }

  obstacle(obstacle, material, colours) {
    const isPlane = !obstacle.half_lengths && !obstacle.field && !obstacle.solid;
    const geometry = () => {
      if (isPlane) return new THREE.PlaneGeometry(WIDE, WIDE);
      if (obstacle.field) return fieldGeometry(obstacle.field);
      return geometryOf(obstacle.solid ?? { box: obstacle });
    };
    const own = isPlane ? new THREE.MeshLambertMaterial({ map: tiles(colours) }) : material;
    const mesh = new THREE.Mesh(geometry(), own);
    mesh.receiveShadow = true;
    mesh.castShadow = !isPlane && !obstacle.field;
    place(mesh, obstacle.position, obstacle.orientation);
    if (isPlane) this.height = obstacle.position[2];
    if (obstacle.moves) this.moving.push(mesh);
    this.group.add(mesh);
  }

  hold({ ends, radius, moves }, material) {
    if (!ends.length) return;
    const points = ends.map((end) => new THREE.Vector3(...end));
    const mesh = points.length === 2
      ? new THREE.Mesh(rod(), material)
      : new THREE.Mesh(new THREE.SphereGeometry(Math.max(radius, 0.025), 16, 12), material);
    if (points.length === 2) span(mesh, points[0], points[1], Math.max(radius, 0.01));
    else mesh.position.copy(points[0]);
    mesh.castShadow = true;
    this.group.add(mesh);
    if (moves) this.bars.push({ mesh, home: mesh.position.clone() });
  }

  show(frame) {
    this.moving.forEach((mesh, number) => {
      const { present, pose } = frame.moving[number] ?? { present: true };
      mesh.visible = present;
      if (pose) place(mesh, pose.subarray(0, 3), pose.subarray(3, 7));
    });
    this.bars.forEach(({ mesh, home }, number) => {
      const way = frame.holds[number];
      if (way) mesh.position.set(home.x + way[0], home.y + way[1], home.z + way[2]);
    });
  }

  dispose() {
    this.group.traverse((object) => {
      object.geometry?.dispose();
      object.material?.map?.dispose();
    });
    this.group.removeFromParent();
  }
}
