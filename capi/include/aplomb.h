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
 * How a call ended.
 */
typedef enum AplombStatus {
  /**
   * It did what it says.
   */
  APLOMB_STATUS_OK = 0,
  /**
   * A pointer is NULL that must not be, or a text is no UTF-8.
   */
  APLOMB_STATUS_ARGUMENT = 1,
  /**
   * A file is nowhere, or cannot be read.
   */
  APLOMB_STATUS_NOT_FOUND = 2,
  /**
   * There are mistakes in a file or text: a line each in the error's text, `file:line:column: what is wrong`.
   */
  APLOMB_STATUS_FILE = 3,
  /**
   * A name that nothing has, a number out of its range, a character or object that there is not.
   */
  APLOMB_STATUS_VALUE = 4,
  /**
   * A frame cannot be computed. The world is where the frame began; restore a snapshot to go on.
   */
  APLOMB_STATUS_STEP = 5,
  /**
   * The caller's array is too small; how many numbers it needs is in the error's text.
   */
  APLOMB_STATUS_SIZE = 6,
  /**
   * A defect of the engine. The world should be freed; please report it.
   */
  APLOMB_STATUS_DEFECT = 7,
} AplombStatus;

/**
 * How a frame ended.
 */
typedef enum AplombOutcome {
  /**
   * Its QP was solved.
   */
  APLOMB_OUTCOME_SOLVED = 0,
  /**
   * Solved after rows gave way.
   */
  APLOMB_OUTCOME_RELAXED = 1,
  /**
   * There is no solution.
   */
  APLOMB_OUTCOME_FAILED = 2,
  /**
   * No problem was solved: the body was a ragdoll.
   */
  APLOMB_OUTCOME_LIMP = 3,
} AplombOutcome;

/**
 * How a contact bears force.
 */
typedef enum AplombContactKind {
  /**
   * Sticks.
   */
  APLOMB_CONTACT_KIND_STATIC = 0,
  /**
   * Slides.
   */
  APLOMB_CONTACT_KIND_DYNAMIC = 1,
  /**
   * Grasps a hold.
   */
  APLOMB_CONTACT_KIND_GRIP = 2,
  /**
   * Stands on a hold.
   */
  APLOMB_CONTACT_KIND_STAND = 3,
} AplombContactKind;

/**
 * How far a world among many has come.
 */
typedef enum AplombWorldOutcome {
  /**
   * It has frames left.
   */
  APLOMB_WORLD_OUTCOME_RUNNING = 0,
  /**
   * All frames of its scene are done, and no criterion that must always hold is broken.
   */
  APLOMB_WORLD_OUTCOME_FINISHED = 1,
  /**
   * A criterion that must always hold is broken.
   */
  APLOMB_WORLD_OUTCOME_VIOLATED = 2,
  /**
   * Its next frame cannot be computed; it stays as it is until it is reset.
   */
  APLOMB_WORLD_OUTCOME_FAILED = 3,
} AplombWorldOutcome;

/**
 * A controller without a plant: it is told the measured state once a call and says what the joints should do until the next.
 */
typedef struct AplombFeedback AplombFeedback;

/**
 * Everything of a world that changes.
 */
typedef struct AplombSnapshot AplombSnapshot;

/**
 * A world, of a scene or put together by the program.
 */
typedef struct AplombWorld AplombWorld;

/**
 * Many worlds of a scene. What is said of numbers is of the scene's first character in each; arrays have a row a world.
 */
typedef struct AplombWorlds AplombWorlds;

/**
 * What a world is made with. `aplomb_settings_default()` has the values of a scene file that says nothing.
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
 * A contact that bore in the last frame, or a grip.
 */
typedef struct AplombContact {
  /**
   * Number of the body that the force acts on.
   */
  size_t body;
  /**
   * Where it acts, world axes, m.
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
   * Gap, m; negative where it penetrates.
   */
  double gap;
  /**
   * How it bears.
   */
  enum AplombContactKind kind;
} AplombContact;

/**
 * How a controller meets its plant. `aplomb_feedback_settings_default()` has a plant that acts at once, with contacts as soft
 * as those of simulators.
 */
typedef struct AplombFeedbackSettings {
  /**
   * What it reckons with: `dt` is the time from one call to the next, s; gravity and the ground's friction and height.
   */
  struct AplombSettings world;
  /**
   * How far each call looks ahead, s, from `world.dt` to 0.05; 0 is `world.dt`. 0.01 is good for people, however often
   * the controller is asked.
   */
  double horizon;
  /**
   * From the measurement of a state to the moment from which on the torques that answer it act, s, 0 to 0.1. Each call
   * begins where the body will be then under the torques that are under way.
   */
  double latency;
  /**
   * Stiffness of drives that add K (expected q - q) + D (expected v - v) to the torques, `drives` numbers, N m/rad or N/m;
   * NULL where the plant has none. Only what is under way depends on it. Copied.
   */
  const double *stiffness;
  /**
   * Their damping, `drives` numbers, N m s/rad or N s/m; NULL where the plant has none.
   */
  const double *damping;
  /**
   * Numbers in `stiffness` and in `damping`: nv, zeros for a floating root.
   */
  size_t drives;
  /**
   * How far the plant's ground gives way under a point, m/N, 0 to 0.001: what is no deeper in it than the whole weight
   * would press it penetrates nothing. With too little the body is thrown off the ground.
   */
  double compliance;
  /**
   * Time constant with which forces that nobody told it of are estimated, s; 0: never.
   */
  double disturbance_time;
} AplombFeedbackSettings;

/**
 * A contact that is measured to bear.
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
   * Whether the force is measured as well: 0 or 1.
   */
  int32_t has_force;
} AplombMeasuredContact;

/**
 * What is known of the body at a call.
 */
typedef struct AplombMeasurement {
  /**
   * Configuration, m and rad; of a floating root x, y, z and a quaternion.
   */
  const double *q;
  /**
   * Numbers in `q`.
   */
  size_t nq;
  /**
   * Velocity, m/s and rad/s.
   */
  const double *v;
  /**
   * Numbers in `v`, and in `torque` where that is not NULL.
   */
  size_t nv;
  /**
   * What the joints really had since the call before, in the mean, N m or N; NULL: what was asked for.
   */
  const double *torque;
  /**
   * The contacts that bear. NULL: what is within 1 mm of the ground, and what bore until it is lifted.
   */
  const struct AplombMeasuredContact *contacts;
  /**
   * Number of `contacts`; 0 where nothing bears, which is not the same as NULL. What would touch within the frame is reckoned
   * with all the same.
   */
  size_t contact_count;
} AplombMeasurement;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * In words, why the last call of this thread that failed did so. The text stays until the next call of this thread that
 * fails; it is empty where none has.
 */
const char *aplomb_last_error(void);

/**
 * Version of the library, such as `0.2.0`.
 */
const char *aplomb_version(void);

/**
 * A frame of 10 ms, gravity of -9.81 m/s² along z, a ground of friction 1 at height 0.
 */
struct AplombSettings aplomb_settings_default(void);

/**
 * A scene by path, or by the name of a shipped one, such as `balance_push`. Free the world with aplomb_world_free().
 *
 * What it needs:
 * `scene` is a text; `out` is a place for a pointer.
 */
enum AplombStatus aplomb_scene_open(const char *scene,
                                    struct AplombWorld **out);

/**
 * A scene from a text in TOML; `name` is what messages call it. What it refers to is looked for among the shipped files,
 * then on disk.
 *
 * What it needs:
 * `name` and `scene` are texts; `out` is a place for a pointer.
 */
enum AplombStatus aplomb_scene_parse(const char *name,
                                     const char *scene,
                                     struct AplombWorld **out);

/**
 * An empty world; NULL for `settings` is aplomb_settings_default(). Free it with aplomb_world_free().
 *
 * What it needs:
 * `settings` is NULL or settings; `out` is a place for a pointer.
 */
enum AplombStatus aplomb_world_new(const struct AplombSettings *settings,
                                   struct AplombWorld **out);

/**
 * Frees a world; NULL is nothing, and the world of a feedback controller stays with it.
 *
 * What it needs:
 * NULL, or a world of this library, which is not used after.
 */
void aplomb_world_free(struct AplombWorld *world);

/**
 * Adds a character before the first frame: `model` and `controller` are paths or names of shipped ones (`adult`,
 * `balance`). It stands at x and y (m), turned about the vertical by `heading` (rad; 0 faces along x). Its number comes
 * into `number`, if that is not NULL.
 *
 * What it needs:
 * `world` is a world; `model` and `controller` are texts; `number` is NULL or a place.
 */
enum AplombStatus aplomb_world_add_character(struct AplombWorld *world,
                                             const char *model,
                                             const char *controller,
                                             double x,
                                             double y,
                                             double heading,
                                             size_t *number);

/**
 * As aplomb_world_add_character(), from texts: a model in MJCF and a controller in TOML.
 *
 * What it needs:
 * `world` is a world; `model` and `controller` are texts; `number` is NULL or a place.
 */
enum AplombStatus aplomb_world_add_character_from_text(struct AplombWorld *world,
                                                       const char *model,
                                                       const char *controller,
                                                       double x,
                                                       double y,
                                                       double heading,
                                                       size_t *number);

/**
 * Computes so many frames.
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
 * Whether a scene is over, and whether all its criteria hold so far: 1 or 0 into each that is not NULL. A world without a
 * scene is never over, and passes.
 *
 * What it needs:
 * `world` is a world; `over` and `passes` are NULL or places.
 */
enum AplombStatus aplomb_world_judge(struct AplombWorld *world,
                                     int32_t *over,
                                     int32_t *passes);

/**
 * Moves the ground (`ground`) or an obstacle in the coming frame to a position, m, and an orientation; NULL for the
 * orientation is none.
 *
 * What it needs:
 * `world` is a world; `name` is a text; `position` has 3 numbers; `orientation` is NULL or 4 numbers.
 */
enum AplombStatus aplomb_world_move_obstacle(struct AplombWorld *world,
                                             const char *name,
                                             const double *position,
                                             const double *orientation);

/**
 * Sizes of a character: numbers of its configuration q and velocity v, and bodies. What is NULL is left out.
 *
 * What it needs:
 * `of` is a world; the others are NULL or places.
 */
enum AplombStatus aplomb_character_sizes(struct AplombWorld *of,
                                         size_t number,
                                         size_t *nq,
                                         size_t *nv,
                                         size_t *bodies);

/**
 * Number of the body of that name, among the rows of aplomb_character_poses().
 *
 * What it needs:
 * `of` is a world; `body` is a text; `index` is a place.
 */
enum AplombStatus aplomb_character_body(struct AplombWorld *of,
                                        size_t number,
                                        const char *body,
                                        size_t *index);

/**
 * Name of a body by its number, copied with its end into `name`, which has room for `capacity` bytes.
 *
 * What it needs:
 * `of` is a world; `name` has that room.
 */
enum AplombStatus aplomb_character_body_name(struct AplombWorld *of,
                                             size_t number,
                                             size_t body,
                                             char *name,
                                             size_t capacity);

/**
 * How the last frame ended.
 *
 * What it needs:
 * `of` is a world; `outcome` is a place.
 */
enum AplombStatus aplomb_character_outcome(struct AplombWorld *of,
                                           size_t number,
                                           enum AplombOutcome *outcome);

/**
 * State that its controller is in, copied with its end into `name`, which has room for `capacity` bytes.
 *
 * What it needs:
 * `of` is a world; `name` has that room.
 */
enum AplombStatus aplomb_character_state(struct AplombWorld *of,
                                         size_t number,
                                         char *name,
                                         size_t capacity);

/**
 * What each objective cost in the last frame, in the order of aplomb_character_objective_name(); 0 where it was not in force.
 * `capacity` is the room of `costs`; how many there are comes into `count`, if that is not NULL. With NULL and no room only
 * they are counted. None before the first frame.
 *
 * What it needs:
 * `of` is a world; `costs` is NULL or has that room; `count` is NULL or a place.
 */
enum AplombStatus aplomb_character_costs(struct AplombWorld *of,
                                         size_t number,
                                         double *costs,
                                         size_t capacity,
                                         size_t *count);

/**
 * Name of an objective by its number among aplomb_character_costs(), copied with its end into `name`, which has room for
 * `capacity` bytes.
 *
 * What it needs:
 * `of` is a world; `name` has that room.
 */
enum AplombStatus aplomb_character_objective_name(struct AplombWorld *of,
                                                  size_t number,
                                                  size_t objective,
                                                  char *name,
                                                  size_t capacity);

/**
 * Where the frames of its bodies are: x, y, z, w, qx, qy, qz each, in the order of the model, m. `capacity` is the room of
 * `poses` in numbers, seven a body.
 *
 * What it needs:
 * `of` is a world; `poses` has that room.
 */
enum AplombStatus aplomb_character_poses(struct AplombWorld *of,
                                         size_t number,
                                         double *poses,
                                         size_t capacity);

/**
 * Configuration q: nq numbers, m and rad; of a floating root x, y, z and a quaternion.
 *
 * What it needs:
 * `of` is a world; `q` has room for `capacity` numbers.
 */
enum AplombStatus aplomb_character_q(struct AplombWorld *of,
                                     size_t number,
                                     double *q,
                                     size_t capacity);

/**
 * Velocity v: nv numbers, m/s and rad/s.
 *
 * What it needs:
 * `of` is a world; `v` has room for `capacity` numbers.
 */
enum AplombStatus aplomb_character_v(struct AplombWorld *of,
                                     size_t number,
                                     double *v,
                                     size_t capacity);

/**
 * Joint torques of the last frame: nv numbers, N m and N; of a floating root zeros. None before the first frame, which is an
 * error of size for nobody.
 *
 * What it needs:
 * `of` is a world; `torque` has room for `capacity` numbers.
 */
enum AplombStatus aplomb_character_torque(struct AplombWorld *of,
                                          size_t number,
                                          double *torque,
                                          size_t capacity);

/**
 * Centre of mass: 3 numbers, m.
 *
 * What it needs:
 * `of` is a world; `com` has room for 3 numbers.
 */
enum AplombStatus aplomb_character_com(struct AplombWorld *of, size_t number, double *com);

/**
 * Puts a character into a state at once: contacts and forces begin anew, the controller keeps its state.
 *
 * What it needs:
 * `of` is a world; `q` and `v` have so many numbers.
 */
enum AplombStatus aplomb_character_set_state(struct AplombWorld *of,
                                             size_t number,
                                             const double *q,
                                             size_t nq,
                                             const double *v,
                                             size_t nv);

/**
 * Pushes a body from the next frame on for `duration` seconds (at least a frame): a force at its centre of mass, N, and a
 * torque, N m, in world axes; either may be NULL.
 *
 * What it needs:
 * `of` is a world; `body` is a text; `force` and `torque` are NULL or 3 numbers.
 */
enum AplombStatus aplomb_character_push(struct AplombWorld *of,
                                        size_t number,
                                        const char *body,
                                        const double *force,
                                        const double *torque,
                                        double duration);

/**
 * Gives a parameter of the controller another value, from the next frame on. Takes about as long as a few frames.
 *
 * What it needs:
 * `of` is a world; `name` is a text.
 */
enum AplombStatus aplomb_character_set_parameter(struct AplombWorld *of,
                                                 size_t number,
                                                 const char *name,
                                                 double value);

/**
 * Value of a parameter of the controller.
 *
 * What it needs:
 * `of` is a world; `name` is a text; `value` is a place.
 */
enum AplombStatus aplomb_character_parameter(struct AplombWorld *of,
                                             size_t number,
                                             const char *name,
                                             double *value);

/**
 * Sets a command of the controller (`[commands]` in its file) from the next frame on: 1 number, or 3 of a vector. Beyond its
 * range the nearest end is taken.
 *
 * What it needs:
 * `of` is a world; `name` is a text; `values` are `count` numbers.
 */
enum AplombStatus aplomb_character_command(struct AplombWorld *of,
                                           size_t number,
                                           const char *name,
                                           const double *values,
                                           size_t count);

/**
 * Gives any value of the controller another one by its path of keys; `value` is in TOML.
 *
 * What it needs:
 * `of` is a world; `path` and `value` are texts.
 */
enum AplombStatus aplomb_character_set_value(struct AplombWorld *of,
                                             size_t number,
                                             const char *path,
                                             const char *value);

/**
 * Contacts of the last frame. `capacity` is the room of `contacts`; how many there are comes into `count`, if that is not
 * NULL. With NULL and no room only they are counted.
 *
 * What it needs:
 * `of` is a world; `contacts` is NULL or has that room; `count` is NULL or a place.
 */
enum AplombStatus aplomb_character_contacts(struct AplombWorld *of,
                                            size_t number,
                                            struct AplombContact *contacts,
                                            size_t capacity,
                                            size_t *count);

/**
 * Adds a passive object of bodies on joints (`ball`, `crate`, a path), moved by `position` (m) from where its model puts it,
 * with a velocity of its centre of mass (m/s); either may be NULL. Its number comes into `number`, if that is not NULL.
 *
 * What it needs:
 * `of` is a world; `name` and `model` are texts; `position` and `velocity` are NULL or 3 numbers; `number` is NULL or a
 * place.
 */
enum AplombStatus aplomb_world_add_passive(struct AplombWorld *of,
                                           const char *name,
                                           const char *model,
                                           const double *position,
                                           const double *velocity,
                                           size_t *number);

/**
 * Where the parts of a passive object are: x, y, z, w, qx, qy, qz each, m. `capacity` is the room of `poses` in numbers; how
 * many there are comes into `count`, if that is not NULL. With NULL and no room only they are counted.
 *
 * What it needs:
 * `of` is a world; `poses` is NULL or has that room; `count` is NULL or a place.
 */
enum AplombStatus aplomb_passive_poses(struct AplombWorld *of,
                                       size_t number,
                                       double *poses,
                                       size_t capacity,
                                       size_t *count);

/**
 * Keeps everything of a world that changes. Free it with aplomb_snapshot_free().
 *
 * What it needs:
 * `of` is a world; `out` is a place for a pointer.
 */
enum AplombStatus aplomb_snapshot_take(struct AplombWorld *of, struct AplombSnapshot **out);

/**
 * Has a world go back to a moment of it, or of another that was made in the same way; it goes on from there to the same bits,
 * as often as one likes.
 *
 * What it needs:
 * `of` is a world; `snapshot` is a snapshot.
 */
enum AplombStatus aplomb_snapshot_restore(struct AplombWorld *of,
                                          const struct AplombSnapshot *snapshot);

/**
 * Frees a snapshot; NULL is nothing.
 *
 * What it needs:
 * NULL, or a snapshot of this library, which is not used after.
 */
void aplomb_snapshot_free(struct AplombSnapshot *snapshot);

/**
 * A frame of 10 ms that looks 10 ms ahead, no latency, no drives, a compliance of 2e-5 m/N, no estimate of disturbances.
 */
struct AplombFeedbackSettings aplomb_feedback_settings_default(void);

/**
 * A controller for a body that the caller moves: `model` and `controller` are paths or names of shipped ones (`adult`,
 * `balance`); NULL for `settings` is aplomb_feedback_settings_default(). Free it with aplomb_feedback_free().
 *
 * What it needs:
 * `model` and `controller` are texts; `settings` is NULL or settings; `out` is a place for a pointer.
 */
enum AplombStatus aplomb_feedback_new(const char *model,
                                      const char *controller,
                                      const struct AplombFeedbackSettings *settings,
                                      struct AplombFeedback **out);

/**
 * Frees a controller, and the world that it reckons in; NULL is nothing.
 *
 * What it needs:
 * NULL, or a controller of this library, which is not used after.
 */
void aplomb_feedback_free(struct AplombFeedback *feedback);

/**
 * The world that it reckons in, of which it is character 0: for aplomb_character_sizes(), aplomb_character_q() (where it would
 * begin; after a call the configuration that it expects at the next, or by as much later as the latency is),
 * aplomb_character_v(), aplomb_character_contacts() (the forces that it reckons with), aplomb_character_costs(),
 * aplomb_character_push() (a push that it is to know of), aplomb_character_set_parameter() and their like. It lives as long as
 * the controller: aplomb_world_free() leaves it alone, and aplomb_world_step() refuses it. NULL for NULL.
 *
 * What it needs:
 * NULL, or a controller.
 */
struct AplombWorld *aplomb_feedback_world(struct AplombFeedback *feedback);

/**
 * What the joints should do for dt seconds, from now on or once the latency is over: joint torques into `torque`, nv numbers,
 * N m or N, zeros for a floating root. `capacity` is the room of `torque`.
 *
 * What it needs:
 * `of` is a controller; `measured` is a measurement with so many numbers and contacts as it says; `torque` has that room.
 */
enum AplombStatus aplomb_feedback_observe(struct AplombFeedback *of,
                                          const struct AplombMeasurement *measured,
                                          double *torque,
                                          size_t capacity);

/**
 * Generalised force that nobody told it of, as it is estimated: nv numbers, N or N m; none where `disturbance_time` is 0.
 * `capacity` is the room of `force`; how many there are comes into `count`, if that is not NULL. With NULL and no room only
 * they are counted.
 *
 * What it needs:
 * `of` is a controller; `force` is NULL or has that room; `count` is NULL or a place.
 */
enum AplombStatus aplomb_feedback_disturbance(struct AplombFeedback *of,
                                              double *force,
                                              size_t capacity,
                                              size_t *count);

/**
 * Has it begin anew, as it was made: state, parameters, contacts and what is under way.
 *
 * What it needs:
 * `of` is a controller.
 */
enum AplombStatus aplomb_feedback_reset(struct AplombFeedback *of);

/**
 * So many worlds of a scene, by path or by the name of a shipped one. Free them with aplomb_worlds_free().
 *
 * What it needs:
 * `scene` is a text; `out` is a place for a pointer.
 */
enum AplombStatus aplomb_worlds_open(const char *scene,
                                     size_t count,
                                     struct AplombWorlds **out);

/**
 * Frees worlds; NULL is nothing.
 *
 * What it needs:
 * NULL, or worlds of this library, which are not used after.
 */
void aplomb_worlds_free(struct AplombWorlds *worlds);

/**
 * Number of worlds, and numbers of a row of aplomb_worlds_q() and aplomb_worlds_v(). What is NULL is left out.
 *
 * What it needs:
 * `of` is worlds; the others are NULL or places.
 */
enum AplombStatus aplomb_worlds_sizes(struct AplombWorlds *of,
                                      size_t *count,
                                      size_t *nq,
                                      size_t *nv);

/**
 * Computes at most so many frames of each world that is running, on so many threads: 0 are as many as there are cores, 1 is
 * the caller's own. The numbers are the same for any number of threads. A world that ends or fails is no error, and does not
 * keep the others from their frames: aplomb_worlds_outcome() says it. How many worlds have frames left comes into `running`,
 * if that is not NULL.
 *
 * What it needs:
 * `of` is worlds; `running` is NULL or a place.
 */
enum AplombStatus aplomb_worlds_step(struct AplombWorlds *of,
                                     uint64_t frames,
                                     size_t threads,
                                     size_t *running);

/**
 * How far the world of that index has come. Why a frame cannot be computed is copied with its end into `reason`, which has
 * room for `capacity` bytes, or NULL; of other outcomes it is empty.
 *
 * What it needs:
 * `of` is worlds; `outcome` is a place; `reason` is NULL or has that room.
 */
enum AplombStatus aplomb_worlds_outcome(struct AplombWorlds *of,
                                        size_t world,
                                        enum AplombWorldOutcome *outcome,
                                        char *reason,
                                        size_t capacity);

/**
 * Has the world of that index go back to its beginning; what it was told is taken back.
 *
 * What it needs:
 * `of` is worlds.
 */
enum AplombStatus aplomb_worlds_reset(struct AplombWorlds *of, size_t world);

/**
 * Pushes the first character of the world of that index at the centre of mass of a body with a force, N, from now on for
 * `duration` seconds.
 *
 * What it needs:
 * `of` is worlds; `body` is a text; `force` has 3 numbers.
 */
enum AplombStatus aplomb_worlds_push(struct AplombWorlds *of,
                                     size_t world,
                                     const char *body,
                                     const double *force,
                                     double duration);

/**
 * Gives a parameter of each world's controller a value of its own: `count` values, one a world.
 *
 * What it needs:
 * `of` is worlds; `name` is a text; `values` has `count` numbers.
 */
enum AplombStatus aplomb_worlds_set_parameter(struct AplombWorlds *of,
                                              const char *name,
                                              const double *values,
                                              size_t count);

/**
 * Configurations after the last step or reset: a row of nq numbers a world, m and rad; of a floating root x, y, z and a
 * quaternion.
 *
 * What it needs:
 * `of` is worlds; `q` has room for `capacity` numbers.
 */
enum AplombStatus aplomb_worlds_q(struct AplombWorlds *of,
                                  double *q,
                                  size_t capacity);

/**
 * Velocities: a row of nv numbers a world, m/s and rad/s.
 *
 * What it needs:
 * `of` is worlds; `v` has room for `capacity` numbers.
 */
enum AplombStatus aplomb_worlds_v(struct AplombWorlds *of, double *v, size_t capacity);

/**
 * Joint torques of the last frames: a row of nv numbers a world, N m and N; zeros before a world's first frame.
 *
 * What it needs:
 * `of` is worlds; `torque` has room for `capacity` numbers.
 */
enum AplombStatus aplomb_worlds_torque(struct AplombWorlds *of,
                                       double *torque,
                                       size_t capacity);

/**
 * Centres of mass: a row of 3 numbers a world, m.
 *
 * What it needs:
 * `of` is worlds; `com` has room for `capacity` numbers.
 */
enum AplombStatus aplomb_worlds_com(struct AplombWorlds *of, double *com, size_t capacity);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* APLOMB_H */
