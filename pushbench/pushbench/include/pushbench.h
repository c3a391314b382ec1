/* A controller for pushbench in C: a shared library that exports the four functions below.
 *
 *     cc -std=c11 -O2 -shared -fPIC -I"$(pushbench include)" mine.c -o mine.so
 *     pushbench run standing --controller ./mine.so
 *
 * Each trial has one state: pushbench_reset makes it, pushbench_close frees it. Several processes may run trials, each with a
 * library of its own; within one, trials follow each other. Functions return PUSHBENCH_OK, PUSHBENCH_CANNOT (this controller
 * is not made for that body or task: the table says so, with the message, instead of a rate), or anything else: the trial has
 * failed by an error. `message` has room for 256 bytes with the ending zero.
 */
#ifndef PUSHBENCH_H
#define PUSHBENCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PUSHBENCH_VERSION 1
#define PUSHBENCH_OK 0
#define PUSHBENCH_CANNOT 1
#define PUSHBENCH_ERROR 2
#define PUSHBENCH_MESSAGE 256

/* What a controller is told before a trial; it may be read until pushbench_close. */
typedef struct {
    int32_t version;               /* PUSHBENCH_VERSION of who calls */
    int32_t nq, nv, joints;        /* nq = 7 + joints, nv = 6 + joints */
    const char *name;              /* of the body */
    const char *mjcf;              /* the body as an MJCF document, without a floor */
    const char *task;              /* "stand", "walk", "get_up" */
    const char *const *joint_names; /* joints of them, hinges and slides, in the order of q[7], v[6] and torques */
    const double *torque_limits;   /* least and greatest of each joint in turn, N m */
    const double *start;           /* nq: where the trial begins, at rest */
    const char *chest;             /* bodies by role */
    const char *head;              /* null where there is none */
    const char *const *left_foot;  /* bodies of a foot, and a null pointer behind them */
    const char *const *right_foot;
    double friction;               /* of the floor */
    double latency;                /* s from a measurement until the torques that answer it act */
    double step;                   /* of the plant, s */
} pushbench_robot;

typedef struct {
    const char *body;   /* the robot's body that is touched */
    double position[3]; /* world axes, m */
    double force[3];    /* on that body, world axes, N */
    int32_t floor;      /* 1: by the floor; 0: by another of its bodies */
} pushbench_contact;

/* Before a trial. `*period` is 0.01 and may be set: seconds from call to call of pushbench_act, a multiple of robot->step. */
int pushbench_reset(const pushbench_robot *robot, void **state, double *period, char *message);

/* Walk so: velocity[0] ahead and velocity[1] to the left, m/s; turn to the left, rad/s. All zero: stand. */
int pushbench_command(void *state, const double *velocity, double turn, char *message);

/* q (nq) and v (nv) as MuJoCo has them: place of the root in world axes, m; quaternion, w first; joints, rad; velocity of the
 * root's origin in world axes, m/s; angular velocity in root axes, rad/s; rates of joints, rad/s. x is forward at the start, z
 * up. Writes the torque of each joint, N m; they act until the next call's do, within the limits. */
int pushbench_act(void *state, double time, const double *q, const double *v, const pushbench_contact *contacts, int32_t count,
                  double *torques, char *message);

/* After a trial; not called where pushbench_reset left no state. */
void pushbench_close(void *state);

#ifdef __cplusplus
}
#endif

#endif
