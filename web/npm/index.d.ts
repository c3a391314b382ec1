// Types of the package. Units are SI, axes are the world's, z is up, unless said otherwise.
// `web/src/request.rs` and `web/src/numbers.rs` of the sources are what they describe.

export type Vector = [x: number, y: number, z: number];
/** Quaternion. */
export type Quaternion = [w: number, x: number, y: number, z: number];

/** Target of a push or a pull, by indices: of a character and its body, or of a passive object and its part. */
export type Target = { body: [character: number, body: number] } | { part: [object: number, part: number] };

export interface Open {
  /** Name of a shipped scene. */
  scene: string;
  /** Text of the controller of its first character; default: that of the scene. */
  controller?: string | null;
  /** `PATH=VALUE` overrides, as `aplomb run --set` takes them. */
  overrides?: string[];
}

/** A parameter of the controller; a component of a vector has `.x`, `.y` or `.z` after its name. */
export interface SetParameter {
  name: string;
  value: number;
}

/** A constant force for a duration, at a body's centre of mass or a part's origin. */
export interface Push {
  target: Target;
  /** N. */
  force: Vector;
  /** s. */
  duration: number;
}

/** A damped spring to a point of a body. */
export interface Pull {
  target: Target;
  /** Attachment point in the frame of the target, m. */
  local: Vector;
  /** Position of the other end, m. */
  anchor: Vector;
  /** N/m. */
  stiffness: number;
  /** N s/m. */
  damping: number;
}

/** A future of the current state. */
export interface Future {
  /** Prediction time, s. */
  seconds: number;
  push?: Push | null;
  set?: SetParameter | null;
}

/** Requests with values. */
export interface Requests {
  /** Opens a scene, in place of the one that is open. */
  open: Open;
  /** The text of a shipped controller. */
  text: { name: string };
  /** Checks the text of a controller for the body of the scene. */
  check: { text: string };
  /** Replaces the controller by that of a text. */
  replace: { text: string };
  /** Sets a parameter of the controller. */
  set: SetParameter;
  /** Sets a command of the controller: one number, or three. */
  command: { name: string; value: [number] | Vector };
  push: Push;
  /** Pulls until `release`. */
  pull: Pull;
  /** Pushes with a constant force until the next `press`; zero ends it. */
  press: { target: Target; force: Vector };
  /** Throws a ball: kg, m, m/s. */
  throw: { mass: number; radius: number; position: Vector; velocity: Vector };
  /** Predicts how long the first character stands; the world is not changed. */
  future: Future;
  /** Restores a checkpoint. */
  restore: number;
  /** Deletes a checkpoint. */
  forget: number;
}

/** Answers to requests without values. */
export interface Answers {
  /** The shipped scenes. */
  scenes: { name: string; title: string }[];
  /** Ends the pull. */
  release: null;
  /** The current controller; `null` without a character. */
  controller: Controller | null;
  /** The current passive objects. */
  objects: PassiveObject[];
  /** State, conditions and bindings of the first character's controller. */
  mind: Mind;
  /** Provenance of the contact forces in the next frame. */
  forces: BodyForce[];
  /** Saves everything that changes: the number of the checkpoint. */
  keep: number;
}

/** Answers to requests with values. */
export interface ValueAnswers {
  open: Scene;
  text: string;
  check: Finding[];
  replace: Controller | null;
  set: null;
  command: null;
  push: null;
  pull: null;
  press: null;
  throw: null;
  /** Time of the fall, s from now; `null` if it stands to the end. */
  future: number | null;
  restore: null;
  forget: null;
}

/** A shape; lengths in m. Capsules and cylinders are along z. */
export type Shape =
  | { sphere: { radius: number } }
  | { capsule: { radius: number; half_length: number } }
  | { cylinder: { radius: number; half_length: number } }
  | { box: { half_lengths: Vector } }
  | { ellipsoid: { radii: Vector } }
  | { hull: { corners: Vector[] } };

/** A shape fixed to a body or a part, by its index. */
export interface Solid {
  part: number;
  shape: Shape;
  /** In the frame of the part, m. */
  position: Vector;
  orientation: Quaternion;
}

export interface PassiveObject {
  name: string;
  /** Method that steps it; `character` is another character. */
  kind: string;
  /** kg. */
  mass: number;
  parts: string[];
  solids: Solid[];
  /** Rods between the origins of two parts. */
  segments: { ends: [number, number]; radius: number }[];
}

/** A surface of the world; without `half_lengths`, `field` and `solid` the half-space below it. */
export interface Obstacle {
  name: string;
  half_lengths: Vector | null;
  /** Heights of uneven ground, row by row, the row of the first y first. */
  field?: { x: number[]; y: number[]; z: number[] };
  solid?: Shape;
  position: Vector;
  orientation: Quaternion;
  friction: number;
  /** Whether frames have its pose. */
  moves: boolean;
}

/** Constants of a scene, as traces record them. */
export interface Header {
  scene: string;
  title: string;
  /** Length of a frame, s. */
  dt: number;
  /** Duration of the scene, s; a run goes on after it. */
  duration: number;
  gravity: Vector;
  /** Name of the first character; empty without one. */
  character: string;
  /** Names of its bodies. */
  bodies: string[];
  /** kg. */
  mass: number;
  /** Height of the centre of mass in the rest pose, m. */
  com_height: number;
  /** Names of the costs. */
  objectives: string[];
  /** Names of the controller's states. */
  states: string[];
  obstacles: Obstacle[];
  /** A hold is a bar with two ends, or a point. */
  holds: { name: string; ends: Vector[]; radius: number; normal: Vector; moves: boolean }[];
  passive?: PassiveObject[];
  /** What traces record besides. */
  [key: string]: unknown;
}

export interface Scene {
  header: Header;
  /** Shapes of the first character. */
  geoms: Solid[];
  /** Centres of mass of its bodies, in their frames, m. */
  centres: Vector[];
  /** Mass of the first character, or of the passive objects, kg. */
  mass: number;
  /** `null` without a character. */
  controller: Controller | null;
  /** Whether the scene has events of its own. */
  has_events: boolean;
}

export interface Controller {
  /** Name of its file. */
  file: string;
  /** Its text, without the files that it includes. */
  text: string;
  states: { name: string; to: string[] }[];
  parameters: [name: string, value: number][];
  commands: Command[];
  /** Names of the costs. */
  objectives: string[];
}

export interface Command {
  name: string;
  unit: string;
  /** One or three numbers. */
  default: number[];
  now: number[];
  /** Lower and upper limit of each number; `null` for none. */
  range: [number | null, number | null];
}

export interface Mind {
  /** Name of the state. */
  state: string;
  /** Time since it was entered, s. */
  state_time: number;
  guards: Guard[];
  /** Bindings and their values. */
  roles: [name: string, value: string][];
  commands: Command[];
}

/** A condition of a state. */
export interface Guard {
  role: 'while' | 'until' | 'to' | 'else';
  /** State that it leads to; empty for `while` and `until`. */
  to: string;
  text: string;
  holds: boolean;
  /** Operands of its comparisons, with their values. */
  operands: [text: string, value: string][];
}

/** The force on a body, and what each part of it is for, N. */
export interface BodyForce {
  body: string;
  force: Vector;
  parts: {
    /** An objective by its name, or a row. */
    name: string;
    of: 'objective' | 'row' | 'remainder';
    /** `FILE:LINE`. */
    place: string | null;
    multiplier: number;
    force: Vector;
    weight_slope: Vector | null;
    /** Change of the force if the source were removed. */
    without: Vector | null;
  }[];
}

/** A mistake or a warning. Lines and columns count from 1; 0 without a position. */
export interface Finding {
  severity: 'error' | 'warning';
  message: string;
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  help: string;
  rule: string;
}

/** What the engine did not do, with the findings that say why. The world is unchanged. */
export class Refusal extends Error {
  constructor(findings: Finding[]);
  findings: Finding[];
}

/** The instance is lost; a new one has to be made. */
export class Lost extends Error {}

/** Compiles the module of the engine; `address` is that of `aplomb.wasm` if it lies elsewhere. */
export function load(address?: string | URL): Promise<WebAssembly.Module>;

/** An instance of the engine, with one world at a time. */
export class Engine {
  constructor(module: WebAssembly.Module);
  /** Carries out a request without values. */
  ask<Name extends keyof Answers>(request: Name): Answers[Name];
  /** Carries out a request with values. */
  ask<Name extends keyof Requests>(request: { [Key in Name]: Requests[Key] }): ValueAnswers[Name];
  /** Computes frames (1). */
  step(frames?: number): void;
  /** The numbers of the present frame, which `frameOf` reads. */
  look(): Float64Array;
}

/** A pose: position, m, and quaternion: x, y, z, qw, qx, qy, qz. */
export type Pose = Float64Array;

/** A frame. Points are in m, forces in N; all are views of the numbers. */
export interface Frame {
  /** Time at which the last computed frame began, s: that of the other numbers. */
  time: number;
  /** Number of the next frame. */
  index: number;
  /** Index of the controller's state; −1 without one. */
  state: number;
  /** Poses of the first character's bodies. */
  bodies: Pose[];
  /** Body by its index. */
  contacts: { body: number; point: number[]; force: number[]; isGrip: boolean }[];
  /** Other forces on the character. */
  external: { point: Float64Array; force: Float64Array }[];
  /** In the order of `objectives`. */
  costs: Float64Array;
  /** Centre of mass. */
  com: Float64Array;
  /** Centre of pressure on the ground: x, y. */
  pressure: Float64Array | null;
  /** Corners of the support polygon: x, y. */
  support: Float64Array[];
  /** Moving obstacles. */
  moving: { present: boolean; pose: Pose }[];
  /** Displacements of moving holds. */
  holds: Float64Array[];
  /** Passive objects: poses of their parts. */
  objects: Pose[][];
  /** Attachment point and anchor of a pull. */
  pull: { point: Float64Array; anchor: Float64Array } | null;
}

/** Reads the numbers of a frame. */
export function frameOf(numbers: Float64Array): Frame;
