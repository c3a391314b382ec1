/* aplomb for C: characters that move because an optimiser decides their next frame.
 *
 * Made by cbindgen from capi/src/; do not edit. Numbers are SI, world axes, z up. Quaternions are w, x, y, z. Texts are
 * UTF-8 and end with 0. A function that can fail returns an AplombStatus; aplomb_last_error() says in words what was wrong.
 * No function lets an error of the engine pass in any other way. A world may be used by one thread at a time; different
 * worlds, by different threads. */

#ifndef APLOMB_H
#define APLOMB_H

#include <stddef.h>
#include <stdint.h>

/**
 * Result of a call.
 */
typedef enum AplombStatus {
  /**
   * Success.
   */
  APLOMB_STATUS_OK = 0,
  /**
   * A pointer is NULL that must not be, or a string is not UTF-8.
   */
  APLOMB_STATUS_ARGUMENT = 1,
  /**
   * A file does not exist or cannot be read.
   */
  APLOMB_STATUS_NOT_FOUND = 2,
  /**
   * A file or text has mistakes. The error message has one line for each: `file:line:column: what is wrong`.
   */
  APLOMB_STATUS_FILE = 3,
  /**
   * An unknown name, a number out of range, or a character or object that does not exist.
   */
  APLOMB_STATUS_VALUE = 4,
  /**
   * A frame cannot be computed. The world is in the state at the beginning of that frame; restore a snapshot to
   * continue.
   */
  APLOMB_STATUS_STEP = 5,
  /**
   * An array of the caller is too small; the error message states the length that it needs.
   */
  APLOMB_STATUS_SIZE = 6,
  /**
   * An internal error of the engine. Free the world, and please report it.
   */
  APLOMB_STATUS_DEFECT = 7,
} AplombStatus;

/**
 * Outcome of a frame.
 */
typedef enum AplombOutcome {
  /**
   * The QP was solved.
   */
  APLOMB_OUTCOME_SOLVED = 0,
  /**
   * The QP was solved after some of its rows had been relaxed.
   */
  APLOMB_OUTCOME_RELAXED = 1,
  /**
   * The QP has no solution.
   */
  APLOMB_OUTCOME_FAILED = 2,
  /**
   * No QP was solved: the body was a ragdoll.
   */
  APLOMB_OUTCOME_LIMP = 3,
} AplombOutcome;

/**
 * Kind of a contact.
 */
typedef enum AplombContactKind {
  /**
   * It sticks.
   */
  APLOMB_CONTACT_KIND_STATIC = 0,
  /**
   * It slides.
   */
  APLOMB_CONTACT_KIND_DYNAMIC = 1,
  /**
   * A hand grips a hold.
   */
  APLOMB_CONTACT_KIND_GRIP = 2,
  /**
   * A foot stands on a hold.
   */
  APLOMB_CONTACT_KIND_STAND = 3,
} AplombContactKind;

/**
 * Progress of one of many worlds.
 */
typedef enum AplombWorldOutcome {
  /**
   * It has frames left.
   */
  APLOMB_WORLD_OUTCOME_RUNNING = 0,
  /**
   * All frames of its scene are computed, and no `always` criterion was violated.
   */
  APLOMB_WORLD_OUTCOME_FINISHED = 1,
  /**
   * An `always` criterion was violated.
   */
  APLOMB_WORLD_OUTCOME_VIOLATED = 2,
  /**
   * Its next frame cannot be computed; it stays in this state until it is reset.
   */
  APLOMB_WORLD_OUTCOME_FAILED = 3,
} AplombWorldOutcome;

/**
 * A controller without a plant: each call passes in the measured state and returns the joint torques to apply until
 * the next call.
 */
typedef struct AplombFeedback AplombFeedback;

/**
 * The whole state of a world at one moment.
 */
typedef struct AplombSnapshot AplombSnapshot;

/**
 * A world, read from a scene or built by the program.
 */
typedef struct AplombWorld AplombWorld;

/**
 * Many worlds of one scene. Arrays have one row per world, of the first character in the scene.
 */
typedef struct AplombWorlds AplombWorlds;

/**
 * Settings of a new world. `aplomb_settings_default()` has the defaults of scene files.
 */
typedef struct AplombSettings {
  /**
   * Length of a frame, s; 0.0001 to 0.05.
   */
  double dt;
  /**
   * m/s²
   */
  double gravity[3];
  /**
   * Coulomb friction of the ground.
   */
  double friction;
  /**
   * Height of the ground, m.
   */
  double ground_height;
} AplombSettings;

/**
 * A contact with a force in the last frame, or a grip.
 */
typedef struct AplombContact {
  /**
   * Index of the body on which the force acts.
   */
  size_t body;
  /**
   * Point of application, world axes, m.
   */
  double point[3];
  /**
   * Unit normal of the surface, world axes.
   */
  double normal[3];
  /**
   * Force on the body, world axes, N.
   */
  double force[3];
  /**
   * Gap, m; negative for penetration.
   */
  double gap;
  /**
   * Kind of the contact.
   */
  enum AplombContactKind kind;
} AplombContact;

/**
 * Properties of the plant. `aplomb_feedback_settings_default()` describes a plant without latency, with contacts as
 * compliant as those of common simulators.
 */
typedef struct AplombFeedbackSettings {
  /**
   * Settings for the prediction: `dt` is the time from one call to the next, s; gravity, friction and height of the
   * ground.
   */
  struct AplombSettings world;
  /**
   * How far each call predicts, s, from `world.dt` to 0.05; 0 means `world.dt`. 0.01 suits human bodies at any
   * calling rate.
   */
  double horizon;
  /**
   * Time from the measurement of a state until the torques computed from it act, s, 0 to 0.1. Each call starts from
   * the state predicted for that time under the torques already sent.
   */
  double latency;
  /**
   * Stiffness K of drives that add K (expected q - q) + D (expected v - v) to the torques, `drives` numbers, N m/rad
   * or N/m; NULL if the plant has none. Only used to predict over the latency. Copied.
   */
  const double *stiffness;
  /**
   * Damping D of the drives, `drives` numbers, N m s/rad or N s/m; NULL if the plant has none.
   */
  const double *damping;
  /**
   * Length of `stiffness` and of `damping`: nv, with zeros for a floating root.
   */
  size_t drives;
  /**
   * Compliance of the ground under a contact point, m/N, 0 to 0.001: a point that is no deeper than the whole weight
   * would press it does not count as penetrating. If it is too small, the body is thrown off the ground.
   */
  double compliance;
  /**
   * Time constant of the estimate of unknown external forces, s; 0 turns the estimate off.
   */
  double disturbance_time;
} AplombFeedbackSettings;

/**
 * A measured contact.
 */
typedef struct AplombMeasuredContact {
  /**
   * Number of the body (aplomb_character_body()).
   */
  size_t body;
  /**
   * Where it touches, world axes, m.
   */
  double point[3];
  /**
   * Force on the body, world axes, N; read only where `has_force` is not 0.
   */
  double force[3];
  /**
   * Whether the force is measured too: 0 or 1.
   */
  int32_t has_force;
} AplombMeasuredContact;

/**
 * Measured state of the body at a call.
 */
typedef struct AplombMeasurement {
  /**
   * Configuration, m and rad; a floating root has x, y, z and a quaternion.
   */
  const double *q;
  /**
   * Length of `q`.
   */
  size_t nq;
  /**
   * Velocity, m/s and rad/s.
   */
  const double *v;
  /**
   * Length of `v`, and of `torque` unless that is NULL.
   */
  size_t nv;
  /**
   * Mean joint torques since the previous call, N m or N; NULL: those that were asked for.
   */
  const double *torque;
  /**
   * The contacts with a force. NULL: points within 1 mm of the ground, and contacts of the previous call until they
   * separate.
   */
  const struct AplombMeasuredContact *contacts;
  /**
   * Length of `contacts`; 0 means that no contact has a force, which is not the same as NULL. Contacts predicted to
   * close within the frame are considered in any case.
   */
  size_t contact_count;
} AplombMeasurement;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Why the last failed call of this thread failed. The string is valid until the next failing call of this thread; it
 * is empty if none has failed.
 */
const char *aplomb_last_error(void);

/**
 * Version of the library, such as `0.2.0`.
 */
const char *aplomb_version(void);

/**
 * Frames of 10 ms, gravity of -9.81 m/s² along z, ground with friction 1 at height 0.
 */
struct AplombSettings aplomb_settings_default(void);

/**
 * Reads a scene by path or by the name of a shipped one, such as `balance_push`. Free the world with
 * aplomb_world_free().
 *
 * What it needs:
 * `scene` is a string; `out` is a valid pointer.
 */
enum AplombStatus aplomb_scene_open(const char *scene,
                                    struct AplombWorld **out);

/**
 * Reads a scene from a string in TOML; error messages call it `name`. Files that it refers to are looked up among the
 * shipped ones first, then on disk.
 *
 * What it needs:
 * `name` and `scene` are strings; `out` is a valid pointer.
 */
enum AplombStatus aplomb_scene_parse(const char *name,
                                     const char *scene,
                                     struct AplombWorld **out);

/**
 * An empty world; NULL for `settings` means aplomb_settings_default(). Free it with aplomb_world_free().
 *
 * What it needs:
 * `settings` is NULL or valid; `out` is a valid pointer.
 */
enum AplombStatus aplomb_world_new(const struct AplombSettings *settings,
                                   struct AplombWorld **out);

/**
 * Frees a world. NULL and the world of a feedback controller are ignored.
 *
 * What it needs:
 * NULL, or a world of this library that is not used afterwards.
 */
void aplomb_world_free(struct AplombWorld *world);

/**
 * Adds a character before the first frame. `model` and `controller` are paths or names of shipped files (`adult`,
 * `balance`). It stands at x and y (m), rotated about the vertical by `heading` (rad; 0 faces along x). Its index is
 * written to `number` unless that is NULL.
 *
 * What it needs:
 * `world` is a world; `model` and `controller` are strings; `number` is NULL or a valid pointer.
 */
enum AplombStatus aplomb_world_add_character(struct AplombWorld *world,
                                             const char *model,
                                             const char *controller,
                                             double x,
                                             double y,
                                             double heading,
                                             size_t *number);

/**
 * Like aplomb_world_add_character(), with a model in MJCF and a controller in TOML passed as strings.
 *
 * What it needs:
 * `world` is a world; `model` and `controller` are strings; `number` is NULL or a valid pointer.
 */
enum AplombStatus aplomb_world_add_character_from_text(struct AplombWorld *world,
                                                       const char *model,
                                                       const char *controller,
                                                       double x,
                                                       double y,
                                                       double heading,
                                                       size_t *number);

/**
 * Computes this many frames.
 *
 * What it needs:
 * `world` is a world.
 */
enum AplombStatus aplomb_world_step(struct AplombWorld *world, uint64_t frames);

/**
 * Simulated time at which the next frame begins, s; -1 for NULL.
 *
 * What it needs:
 * NULL, or a world.
 */
double aplomb_world_time(const struct AplombWorld *world);

/**
 * Number of characters; 0 for NULL.
 *
 * What it needs:
 * NULL, or a world.
 */
size_t aplomb_world_characters(const struct AplombWorld *world);

/**
 * Whether a scene is over, and whether all its criteria have held so far: 1 or 0; a NULL pointer is skipped. A world
 * without a scene is never over, and passes.
 *
 * What it needs:
 * `world` is a world; `over` and `passes` are NULL or valid pointers.
 */
enum AplombStatus aplomb_world_judge(struct AplombWorld *world,
                                     int32_t *over,
                                     int32_t *passes);

/**
 * Moves the ground (`ground`) or an obstacle during the next frame to a position, m, and an orientation (quaternion w,
 * x, y, z; NULL: not rotated).
 *
 * What it needs:
 * `world` is a world; `name` is a string; `position` is an array of 3 numbers; `orientation` is NULL or an array of 4.
 */
enum AplombStatus aplomb_world_move_obstacle(struct AplombWorld *world,
                                             const char *name,
                                             const double *position,
                                             const double *orientation);

/**
 * Sizes of a character: lengths of its configuration q (`nq`) and velocity v (`nv`), and its number of bodies. A NULL
 * pointer is skipped.
 *
 * What it needs:
 * `of` is a world; the other pointers are NULL or valid.
 */
enum AplombStatus aplomb_character_sizes(struct AplombWorld *of,
                                         size_t number,
                                         size_t *nq,
                                         size_t *nv,
                                         size_t *bodies);

/**
 * Index of the body with this name, as in aplomb_character_poses().
 *
 * What it needs:
 * `of` is a world; `body` is a string; `index` is a valid pointer.
 */
enum AplombStatus aplomb_character_body(struct AplombWorld *of,
                                        size_t number,
                                        const char *body,
                                        size_t *index);

/**
 * Copies the name of the body with this index as a NUL-terminated string into `name`, a buffer of `capacity` bytes.
 *
 * What it needs:
 * `of` is a world; `name` is a buffer of `capacity` bytes.
 */
enum AplombStatus aplomb_character_body_name(struct AplombWorld *of,
                                             size_t number,
                                             size_t body,
                                             char *name,
                                             size_t capacity);

/**
 * Outcome of the last frame.
 *
 * What it needs:
 * `of` is a world; `outcome` is a valid pointer.
 */
enum AplombStatus aplomb_character_outcome(struct AplombWorld *of,
                                           size_t number,
                                           enum AplombOutcome *outcome);

/**
 * Copies the name of the current state of the controller as a NUL-terminated string into `name`, a buffer of
 * `capacity` bytes.
 *
 * What it needs:
 * `of` is a world; `name` is a buffer of `capacity` bytes.
 */
enum AplombStatus aplomb_character_state(struct AplombWorld *of,
                                         size_t number,
                                         char *name,
                                         size_t capacity);

/**
 * Cost of each objective in the last frame, in the order of aplomb_character_objective_name(); 0 for an objective that
 * was not active. There are none before the first frame. `capacity` is the length of `costs`; the number of objectives
 * is written to `count` unless that is NULL. With `costs` NULL and `capacity` 0 it only returns that number.
 *
 * What it needs:
 * `of` is a world; `costs` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
 */
enum AplombStatus aplomb_character_costs(struct AplombWorld *of,
                                         size_t number,
                                         double *costs,
                                         size_t capacity,
                                         size_t *count);

/**
 * Copies the name of the objective with this index in aplomb_character_costs() as a NUL-terminated string into `name`,
 * a buffer of `capacity` bytes.
 *
 * What it needs:
 * `of` is a world; `name` is a buffer of `capacity` bytes.
 */
enum AplombStatus aplomb_character_objective_name(struct AplombWorld *of,
                                                  size_t number,
                                                  size_t objective,
                                                  char *name,
                                                  size_t capacity);

/**
 * Poses of the body frames in world axes: x, y, z (m) and the quaternion w, qx, qy, qz for each body, in the order of
 * the model. `capacity` is the length of `poses`, 7 numbers per body.
 *
 * What it needs:
 * `of` is a world; `poses` is an array of length `capacity`.
 */
enum AplombStatus aplomb_character_poses(struct AplombWorld *of,
                                         size_t number,
                                         double *poses,
                                         size_t capacity);

/**
 * Configuration q: nq numbers, m and rad; a floating root has x, y, z and a quaternion.
 *
 * What it needs:
 * `of` is a world; `q` is an array of length `capacity`.
 */
enum AplombStatus aplomb_character_q(struct AplombWorld *of,
                                     size_t number,
                                     double *q,
                                     size_t capacity);

/**
 * Velocity v: nv numbers, m/s and rad/s.
 *
 * What it needs:
 * `of` is a world; `v` is an array of length `capacity`.
 */
enum AplombStatus aplomb_character_v(struct AplombWorld *of,
                                     size_t number,
                                     double *v,
                                     size_t capacity);

/**
 * Joint torques of the last frame: nv numbers, N m and N; zeros for a floating root. There are none before the first
 * frame: then nothing is copied, and `capacity` does not matter.
 *
 * What it needs:
 * `of` is a world; `torque` is an array of length `capacity`.
 */
enum AplombStatus aplomb_character_torque(struct AplombWorld *of,
                                          size_t number,
                                          double *torque,
                                          size_t capacity);

/**
 * Centre of mass: 3 numbers, m.
 *
 * What it needs:
 * `of` is a world; `com` is an array of 3 numbers.
 */
enum AplombStatus aplomb_character_com(struct AplombWorld *of, size_t number, double *com);

/**
 * Sets configuration and velocity at once. Contacts and contact forces start anew; the controller keeps its state.
 *
 * What it needs:
 * `of` is a world; `q` has `nq` and `v` has `nv` numbers.
 */
enum AplombStatus aplomb_character_set_state(struct AplombWorld *of,
                                             size_t number,
                                             const double *q,
                                             size_t nq,
                                             const double *v,
                                             size_t nv);

/**
 * Applies a force (N) at the centre of mass of a body and a torque (N m), both in world axes, from the next frame on
 * for `duration` seconds (at least one frame). Either may be NULL.
 *
 * What it needs:
 * `of` is a world; `body` is a string; `force` and `torque` are NULL or arrays of 3 numbers.
 */
enum AplombStatus aplomb_character_push(struct AplombWorld *of,
                                        size_t number,
                                        const char *body,
                                        const double *force,
                                        const double *torque,
                                        double duration);

/**
 * Sets a parameter of the controller from the next frame on. Takes as long as a few frames, because the controller is
 * bound again.
 *
 * What it needs:
 * `of` is a world; `name` is a string.
 */
enum AplombStatus aplomb_character_set_parameter(struct AplombWorld *of,
                                                 size_t number,
                                                 const char *name,
                                                 double value);

/**
 * Value of a parameter of the controller.
 *
 * What it needs:
 * `of` is a world; `name` is a string; `value` is a valid pointer.
 */
enum AplombStatus aplomb_character_parameter(struct AplombWorld *of,
                                             size_t number,
                                             const char *name,
                                             double *value);

/**
 * Sets a command of the controller (`[commands]` in its file) from the next frame on: 1 number, or 3 for a vector. A
 * value outside the range of the command is clamped.
 *
 * What it needs:
 * `of` is a world; `name` is a string; `values` is an array of `count` numbers.
 */
enum AplombStatus aplomb_character_command(struct AplombWorld *of,
                                           size_t number,
                                           const char *name,
                                           const double *values,
                                           size_t count);

/**
 * Sets any value of the controller, addressed by its path of keys; `value` is written in TOML.
 *
 * What it needs:
 * `of` is a world; `path` and `value` are strings.
 */
enum AplombStatus aplomb_character_set_value(struct AplombWorld *of,
                                             size_t number,
                                             const char *path,
                                             const char *value);

/**
 * Contacts of the last frame. `capacity` is the length of `contacts`; the number of contacts is written to `count`
 * unless that is NULL. With `contacts` NULL and `capacity` 0 it only returns that number.
 *
 * What it needs:
 * `of` is a world; `contacts` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
 */
enum AplombStatus aplomb_character_contacts(struct AplombWorld *of,
                                            size_t number,
                                            struct AplombContact *contacts,
                                            size_t capacity,
                                            size_t *count);

/**
 * Adds an articulated passive object (`ball`, `crate`, or a path), moved by `position` (m) from the place that its
 * model states, with a velocity of its centre of mass (m/s); either may be NULL. Its index is written to `number`
 * unless that is NULL.
 *
 * What it needs:
 * `of` is a world; `name` and `model` are strings; `position` and `velocity` are NULL or arrays of 3 numbers; `number`
 * is NULL or a valid pointer.
 */
enum AplombStatus aplomb_world_add_passive(struct AplombWorld *of,
                                           const char *name,
                                           const char *model,
                                           const double *position,
                                           const double *velocity,
                                           size_t *number);

/**
 * Poses of the bodies of a passive object in world axes: x, y, z (m) and the quaternion w, qx, qy, qz for each.
 * `capacity` is the length of `poses`; the number of values is written to `count` unless that is NULL. With `poses`
 * NULL and `capacity` 0 it only returns that number.
 *
 * What it needs:
 * `of` is a world; `poses` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
 */
enum AplombStatus aplomb_passive_poses(struct AplombWorld *of,
                                       size_t number,
                                       double *poses,
                                       size_t capacity,
                                       size_t *count);

/**
 * Saves the whole state of a world. Free it with aplomb_snapshot_free().
 *
 * What it needs:
 * `of` is a world; `out` is a valid pointer.
 */
enum AplombStatus aplomb_snapshot_take(struct AplombWorld *of, struct AplombSnapshot **out);

/**
 * Restores a state that was saved from this world or from another one made in the same way. From there the world
 * continues bit for bit as before, any number of times.
 *
 * What it needs:
 * `of` is a world; `snapshot` is a snapshot.
 */
enum AplombStatus aplomb_snapshot_restore(struct AplombWorld *of,
                                          const struct AplombSnapshot *snapshot);

/**
 * Frees a snapshot; NULL is ignored.
 *
 * What it needs:
 * NULL, or a snapshot of this library that is not used afterwards.
 */
void aplomb_snapshot_free(struct AplombSnapshot *snapshot);

/**
 * Frames of 10 ms, a horizon of 10 ms, no latency, no drives, a compliance of 2e-5 m/N, no estimate of disturbances.
 */
struct AplombFeedbackSettings aplomb_feedback_settings_default(void);

/**
 * A controller for a body that the caller simulates or measures. `model` and `controller` are paths or names of
 * shipped files (`adult`, `balance`); NULL for `settings` means aplomb_feedback_settings_default(). Free it with
 * aplomb_feedback_free().
 *
 * What it needs:
 * `model` and `controller` are strings; `settings` is NULL or valid; `out` is a valid pointer.
 */
enum AplombStatus aplomb_feedback_new(const char *model,
                                      const char *controller,
                                      const struct AplombFeedbackSettings *settings,
                                      struct AplombFeedback **out);

/**
 * Frees a controller and its world; NULL is ignored.
 *
 * What it needs:
 * NULL, or a controller of this library that is not used afterwards.
 */
void aplomb_feedback_free(struct AplombFeedback *feedback);

/**
 * The world in which the controller predicts, with the body as character 0, for aplomb_character_sizes(),
 * aplomb_character_q() (before the first call the start configuration; afterwards the configuration expected at the
 * next call, or later by the latency), aplomb_character_v(), aplomb_character_contacts() (the predicted forces),
 * aplomb_character_costs(), aplomb_character_push() (an external force that the controller should know of),
 * aplomb_character_set_parameter() and so on. It lives as long as the controller: aplomb_world_free() ignores it, and
 * aplomb_world_step() refuses it. NULL for NULL.
 *
 * What it needs:
 * NULL, or a controller.
 */
struct AplombWorld *aplomb_feedback_world(struct AplombFeedback *feedback);

/**
 * Joint torques to apply for `dt` seconds, starting now or after the latency: nv numbers, N m or N, zeros for a
 * floating root. `capacity` is the length of `torque`.
 *
 * What it needs:
 * `of` is a controller; `measured` is a measurement with arrays of the lengths that it states; `torque` is an array of
 * length `capacity`.
 */
enum AplombStatus aplomb_feedback_observe(struct AplombFeedback *of,
                                          const struct AplombMeasurement *measured,
                                          double *torque,
                                          size_t capacity);

/**
 * Estimate of the unknown external generalised force: nv numbers, N or N m; none if `disturbance_time` is 0.
 * `capacity` is the length of `force`; the number of values is written to `count` unless that is NULL. With `force`
 * NULL and `capacity` 0 it only returns that number.
 *
 * What it needs:
 * `of` is a controller; `force` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
 */
enum AplombStatus aplomb_feedback_disturbance(struct AplombFeedback *of,
                                              double *force,
                                              size_t capacity,
                                              size_t *count);

/**
 * Resets the controller to its initial state: state machine, parameters, contacts and torques already sent.
 *
 * What it needs:
 * `of` is a controller.
 */
enum AplombStatus aplomb_feedback_reset(struct AplombFeedback *of);

/**
 * Opens `count` worlds of a scene, by path or by the name of a shipped one. Free them with aplomb_worlds_free().
 *
 * What it needs:
 * `scene` is a string; `out` is a valid pointer.
 */
enum AplombStatus aplomb_worlds_open(const char *scene,
                                     size_t count,
                                     struct AplombWorlds **out);

/**
 * Frees worlds; NULL is ignored.
 *
 * What it needs:
 * NULL, or worlds of this library that are not used afterwards.
 */
void aplomb_worlds_free(struct AplombWorlds *worlds);

/**
 * Number of worlds, and row lengths of aplomb_worlds_q() and aplomb_worlds_v(). A NULL pointer is skipped.
 *
 * What it needs:
 * `of` is worlds; the other pointers are NULL or valid.
 */
enum AplombStatus aplomb_worlds_sizes(struct AplombWorlds *of,
                                      size_t *count,
                                      size_t *nq,
                                      size_t *nv);

/**
 * Computes at most `frames` frames of each running world on `threads` threads: 0 means one per core, 1 the thread of
 * the caller. Results do not depend on the number of threads. A world that ends or fails is not an error and does not
 * stop the others: see aplomb_worlds_outcome(). The number of worlds with frames left is written to `running` unless
 * that is NULL.
 *
 * What it needs:
 * `of` is worlds; `running` is NULL or a valid pointer.
 */
enum AplombStatus aplomb_worlds_step(struct AplombWorlds *of,
                                     uint64_t frames,
                                     size_t threads,
                                     size_t *running);

/**
 * Progress of the world with this index. For a failed one the reason is copied as a NUL-terminated string into
 * `reason`, a buffer of `capacity` bytes or NULL; for others the string is empty.
 *
 * What it needs:
 * `of` is worlds; `outcome` is a valid pointer; `reason` is NULL or a buffer of `capacity` bytes.
 */
enum AplombStatus aplomb_worlds_outcome(struct AplombWorlds *of,
                                        size_t world,
                                        enum AplombWorldOutcome *outcome,
                                        char *reason,
                                        size_t capacity);

/**
 * Resets the world with this index to its initial state and undoes everything that was set in it.
 *
 * What it needs:
 * `of` is worlds.
 */
enum AplombStatus aplomb_worlds_reset(struct AplombWorlds *of, size_t world);

/**
 * Applies a force (N, world axes) at the centre of mass of a body of the first character in the world with this index,
 * from now on for `duration` seconds.
 *
 * What it needs:
 * `of` is worlds; `body` is a string; `force` is an array of 3 numbers.
 */
enum AplombStatus aplomb_worlds_push(struct AplombWorlds *of,
                                     size_t world,
                                     const char *body,
                                     const double *force,
                                     double duration);

/**
 * Sets a parameter of the controller to a different value in each world: `count` values, one per world.
 *
 * What it needs:
 * `of` is worlds; `name` is a string; `values` is an array of `count` numbers.
 */
enum AplombStatus aplomb_worlds_set_parameter(struct AplombWorlds *of,
                                              const char *name,
                                              const double *values,
                                              size_t count);

/**
 * Configurations after the last step or reset: one row of nq numbers per world, m and rad; a floating root has x, y, z
 * and a quaternion.
 *
 * What it needs:
 * `of` is worlds; `q` is an array of length `capacity`.
 */
enum AplombStatus aplomb_worlds_q(struct AplombWorlds *of,
                                  double *q,
                                  size_t capacity);

/**
 * Velocities: one row of nv numbers per world, m/s and rad/s.
 *
 * What it needs:
 * `of` is worlds; `v` is an array of length `capacity`.
 */
enum AplombStatus aplomb_worlds_v(struct AplombWorlds *of, double *v, size_t capacity);

/**
 * Joint torques of the last frames: one row of nv numbers per world, N m and N; zeros before the first frame of a
 * world.
 *
 * What it needs:
 * `of` is worlds; `torque` is an array of length `capacity`.
 */
enum AplombStatus aplomb_worlds_torque(struct AplombWorlds *of,
                                       double *torque,
                                       size_t capacity);

/**
 * Centres of mass: one row of 3 numbers per world, m.
 *
 * What it needs:
 * `of` is worlds; `com` is an array of length `capacity`.
 */
enum AplombStatus aplomb_worlds_com(struct AplombWorlds *of, double *com, size_t capacity);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* APLOMB_H */
