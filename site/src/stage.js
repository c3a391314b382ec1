// The picture of a frame: bodies, surroundings, forces, and the other future as a ghost.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Arrows } from './arrows.js';
import { colours, onColours } from './colours.js';
import { Figure } from './figure.js';
import { Margin } from './margin.js';
import { Objects } from './objects.js';
import { Surroundings } from './surroundings.js';
import { rod, span } from './shapes.js';

/** Weights of a force whose arrow is as long as the centre of mass is high. */
const WEIGHTS_PER_HEIGHT = 1.5;
/** Least force that is drawn, N. */
const LEAST = 0.5;
/** Directions of the eye from the character, rad, the best first: from the front right of one that faces +x. */
const ANGLES = [-0.86, 0.86, -2.28, 2.28, -1.57, 1.57, 0, 3.14];
/** Thickness of the thinnest rod that is drawn, as a share of the distance of the eye. */
const THIN = 0.0011;

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.05, 200);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.52 * Math.PI;
    this.controls.minDistance = 0.3;
    this.controls.maxDistance = 40;
    this.lights();
    this.materials = {};
    for (const name of ['middle', 'left', 'right', 'object', 'other', 'obstacle', 'hold']) {
      this.materials[name] = new THREE.MeshStandardMaterial({ roughness: 0.75, metalness: 0 });
    }
    this.materials.obstacle.flatShading = true;
    for (const name of ['contact', 'external', 'pull', 'support', 'margin']) {
      this.materials[name] = new THREE.MeshBasicMaterial();
    }
    const seenThrough = { transparent: true, opacity: 0.28, depthWrite: false };
    this.materials.ghost = new THREE.MeshStandardMaterial(seenThrough);
    for (const [name, opacity] of [['support', 0.25], ['margin', 0.16]]) {
      Object.assign(this.materials[name], { transparent: true, opacity, depthWrite: false });
    }
    this.materials.margin.side = THREE.DoubleSide;
    this.spring = new THREE.Mesh(rod(), this.materials.pull);
    this.pressure = new THREE.Mesh(new THREE.CircleGeometry(1, 24), this.materials.contact);
    this.polygon = new THREE.Mesh(new THREE.BufferGeometry(), this.materials.support);
    this.polygon.frustumCulled = false;
    this.scene.add(this.spring, this.pressure, this.polygon);
    this.margin = new Margin(this.scene, this.materials.margin);
    this.switches = { forces: true, support: true, ghost: true };
    this.paint();
    onColours(() => this.paint());
  }

  lights() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0x8a94a0, 1.9);
    this.sky.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    Object.assign(this.sun.shadow.camera, { left: -3, right: 3, top: 3, bottom: -3, near: 0.5, far: 20 });
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  /** Colours for light and dark. */
  paint() {
    const all = colours();
    this.scene.background = new THREE.Color(all.sky);
    this.scene.fog = new THREE.Fog(all.sky, 14, 45);
    for (const [name, material] of Object.entries(this.materials)) material.color.setHex(all[name]);
    if (this.description) this.surround();
  }

  surround() {
    this.surroundings?.dispose();
    this.surroundings = new Surroundings(this.description.header, this.materials, colours());
    this.scene.add(this.surroundings.group);
  }

  /** Sets the stage for a scene. */
  open(description, objects) {
    this.description = description;
    const { header, geoms, centres, mass } = description;
    this.height = header.bodies.length ? Math.max(header.com_height, 0.1) : 1;
    const weight = Math.max(mass * Math.hypot(...header.gravity), 1);
    this.scale = this.height / (WEIGHTS_PER_HEIGHT * weight);
    this.surround();
    for (const name of ['figure', 'ghost']) this[name]?.dispose();
    const side = (part) => {
      const name = header.bodies[part];
      if (/left/i.test(name)) return this.materials.left;
      return /right/i.test(name) ? this.materials.right : this.materials.middle;
    };
    this.figure = new Figure(geoms, centres.length, side);
    this.ghost = new Figure(geoms, centres.length, () => this.materials.ghost);
    this.scene.add(this.figure.group, this.ghost.group);
    this.setObjects(objects);
    this.arrows?.forEach((arrows) => arrows.show([]));
    this.margin.hide();
    const thickness = 0.0085 * this.height;
    this.arrows = ['contact', 'external'].map((name) => new Arrows(this.scene, this.materials[name], thickness));
    this.focus = null;
  }

  /** The passive objects changed: one was thrown, or is not there yet. */
  setObjects(headers) {
    this.headers = headers;
    this.objects?.dispose();
    this.ghosts?.dispose();
    const { object, other, ghost } = this.materials;
    this.objects = new Objects(headers, (header) => (header.kind === 'character' ? other : object));
    this.ghosts = new Objects(headers, () => ghost);
    this.scene.add(this.objects.group, this.ghosts.group);
  }

  /** Point that the camera follows. */
  centre(frame) {
    if (frame.bodies.length) return new THREE.Vector3(...frame.com);
    const parts = frame.objects.flat();
    const sum = new THREE.Vector3();
    for (const pose of parts) sum.add(new THREE.Vector3(...pose.subarray(0, 3)));
    return parts.length ? sum.divideScalar(parts.length) : new THREE.Vector3(0, 0, 1);
  }

  /** Puts the camera before the scene. */
  frameUp(frame) {
    const centre = this.centre(frame);
    const box = new THREE.Box3().makeEmpty();
    for (const pose of [...frame.bodies, ...frame.objects.flat()]) {
      box.expandByPoint(new THREE.Vector3(...pose.subarray(0, 3)));
    }
    const size = frame.bodies.length ? 1.7 * this.height : Math.max(0.5, box.getSize(new THREE.Vector3()).length());
    this.focus = centre.clone();
    this.controls.target.copy(centre);
    if (frame.bodies.length) this.controls.target.z = centre.z - 0.08 * this.height;
    this.surroundings.group.updateMatrixWorld(true);
    const ways = ANGLES.map((angle) => new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0.24).normalize());
    const free = ways.find((way) => this.isFree(centre, way, 2.3 * size));
    this.camera.position.copy(centre).addScaledVector(free ?? ways[0], 2.3 * size);
  }

  /** Whether no obstacle stands between the eye and the character. */
  isFree(centre, way, distance) {
    const eye = centre.clone().addScaledVector(way, distance);
    return [-0.4, 0, 0.6].every((share) => {
      const from = centre.clone().add(new THREE.Vector3(0, 0, share * this.height));
      const length = from.distanceTo(eye) - 0.3 * this.height;
      const ray = new THREE.Raycaster(eye, from.clone().sub(eye).normalize(), 0, length);
      return !ray.intersectObject(this.surroundings.group, true).length;
    });
  }

  /** Has the camera follow. */
  follow(frame) {
    if (!frame.bodies.length) return;
    const way = this.centre(frame).sub(this.focus ?? this.centre(frame));
    // Feet going up and down are not to shake the picture.
    way.z *= 0.05;
    way.multiplyScalar(0.15);
    this.focus.add(way);
    this.controls.target.add(way);
    this.camera.position.add(way);
  }

  /** Shows a frame, and the same moment of the other future. */
  show(frame, other) {
    this.frame = frame;
    if (!this.focus) this.frameUp(frame);
    this.follow(frame);
    this.surroundings.show(frame);
    this.figure.show(frame);
    const distance = this.controls.getDistance();
    Object.assign(this.scene.fog, { near: Math.max(14, 1.5 * distance), far: Math.max(45, 4 * distance) });
    const thin = THIN * distance;
    this.objects.show(frame, thin);
    const isGhost = Boolean(other) && this.switches.ghost;
    this.ghost.group.visible = this.ghosts.group.visible = isGhost;
    if (isGhost) {
      this.ghost.show(other);
      this.ghosts.show(other, thin);
    }
    this.forces(frame);
    this.balance(frame);
    this.sun.target.position.copy(this.controls.target);
    this.sun.position.copy(this.controls.target).add(new THREE.Vector3(2.5, -3.5, 6));
    this.controls.update();
    this.renderer.render(this.scene, this.camera);
  }

  forces(frame) {
    const arrows = (all) => all
      .filter(({ force }) => this.switches.forces && Math.hypot(...force) > LEAST)
      .map(({ point, force, body }) => [point, Array.from(force, (number) => number * this.scale), body]);
    this.arrows[0].show(arrows(frame.contacts));
    this.arrows[1].show(arrows(frame.external));
    this.spring.visible = Boolean(frame.pull);
    if (frame.pull) {
      const [from, to] = [frame.pull.point, frame.pull.anchor].map((point) => new THREE.Vector3(...point));
      span(this.spring, from, to, 0.006 * this.height);
    }
  }

  /** Where the ground presses, and between which points it can. */
  balance(frame) {
    const above = this.surroundings.height + 0.004;
    const isShown = this.switches.support && frame.support.length > 2 && frame.pressure;
    this.polygon.visible = this.pressure.visible = Boolean(isShown);
    if (!isShown) return;
    const corners = frame.support.map(([x, y]) => [x, y, above]);
    const points = corners.slice(2).flatMap((corner, number) => [corners[0], corners[number + 1], corner]);
    this.polygon.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points.flat(), 3));
    this.pressure.position.set(...frame.pressure, above + 0.002);
    this.pressure.scale.setScalar(0.022 * this.height);
  }

  /** Draws with less care: no shadows, then fewer points. False where there is nothing left to leave out. */
  lighten() {
    if (this.renderer.shadowMap.enabled) {
      this.renderer.shadowMap.enabled = false;
      this.sun.castShadow = false;
      return true;
    }
    const ratio = this.renderer.getPixelRatio();
    if (ratio <= 0.5) return false;
    this.renderer.setPixelRatio(ratio > 1 ? 1 : ratio * 0.75);
    this.resize();
    return true;
  }

  /** Fits the picture to its place. */
  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // Of a narrow picture the width is what has to suffice.
    this.camera.fov = width < height ? 52 : 38;
    this.camera.updateProjectionMatrix();
  }
}
