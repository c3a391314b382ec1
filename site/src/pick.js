// What is under the pointer, and where.

import * as THREE from 'three';

const ray = new THREE.Raycaster();

/** The ray from the eye through a point of the canvas. */
export function rayAt(stage, { clientX, clientY }) {
  const { left, top, width, height } = stage.canvas.getBoundingClientRect();
  const point = new THREE.Vector2(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2);
  ray.setFromCamera(point, stage.camera);
  return ray;
}

/** The body or part under the pointer: its target for requests, the point, and that in its frame; `null` for none. */
export function pick(stage, pointer) {
  const from = rayAt(stage, pointer);
  const [hit] = from.intersectObjects([stage.figure.group, stage.objects.group], true);
  if (!hit) return null;
  const { body } = hit.object.userData;
  const ofBody = () => ({ target: { body: [0, body] }, pose: stage.frame.bodies[body] });
  const found = body === undefined ? ofObject(stage, hit) : ofBody();
  return found.pose ? { ...found, point: hit.point, local: inFrame(hit.point, found.pose) } : null;
}

/** The body of the character whose contact force is under the pointer, by number; `undefined` for none. */
export function pickForce(stage, pointer) {
  const shown = stage.arrows[0].all.map(({ group }) => group).filter((group) => group.visible);
  const [hit] = rayAt(stage, pointer).intersectObjects(shown, true);
  return hit?.object.parent.userData.body;
}

/** The target of an instance. The other characters are listed as objects, before the passive ones. */
function ofObject(stage, hit) {
  const { object, part } = hit.object.userData.targets[hit.instanceId];
  const others = stage.headers.filter((header) => header.kind === 'character').length;
  const target = object < others ? { body: [object + 1, part] } : { part: [object - others, part] };
  return { target, pose: stage.frame.objects[object]?.[part] };
}

function inFrame(point, pose) {
  const [w, x, y, z] = pose.subarray(3, 7);
  const turn = new THREE.Quaternion(x, y, z, w).invert();
  return point.clone().sub(new THREE.Vector3(...pose.subarray(0, 3))).applyQuaternion(turn);
}

/** The point under the pointer in the plane through a point that faces the eye. */
export function pointInPlane(stage, pointer, through) {
  const normal = stage.camera.getWorldDirection(new THREE.Vector3());
  const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, through);
  return rayAt(stage, pointer).ray.intersectPlane(plane, new THREE.Vector3()) ?? through.clone();
}

/** The level direction in which the eye looks. */
export function ahead(stage) {
  const way = stage.camera.getWorldDirection(new THREE.Vector3());
  way.z = 0;
  return way.lengthSq() > 1e-9 ? way.normalize() : new THREE.Vector3(1, 0, 0);
}
