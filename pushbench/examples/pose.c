/* A controller for pushbench in C: springs and dampers that hold the pose of the start. */
#include "pushbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int joints;
    double *start, *limits;
} controller;

int pushbench_reset(const pushbench_robot *robot, void **state, double *period, char *message) {
    if (robot->version != PUSHBENCH_VERSION) {
        snprintf(message, PUSHBENCH_MESSAGE, "made for version %d, not %d", PUSHBENCH_VERSION, robot->version);
        return PUSHBENCH_ERROR;
    }
    controller *mine = malloc(sizeof *mine);
    int joints = robot->joints;
    if (!mine) return PUSHBENCH_ERROR;
    mine->joints = joints;
    mine->start = malloc(sizeof(double) * (size_t)joints);
    mine->limits = malloc(sizeof(double) * (size_t)joints);
    if (!mine->start || !mine->limits) {
        pushbench_close(mine);
        return PUSHBENCH_ERROR;
    }
    memcpy(mine->start, robot->start + 7, sizeof(double) * (size_t)joints);
    for (int joint = 0; joint < joints; joint++) mine->limits[joint] = robot->torque_limits[2 * joint + 1];
    *period = 0.001;
    *state = mine;
    return PUSHBENCH_OK;
}

int pushbench_command(void *state, const double *velocity, double turn, char *message) {
    (void)state;
    if (velocity[0] != 0 || velocity[1] != 0 || turn != 0) {
        snprintf(message, PUSHBENCH_MESSAGE, "it holds a pose and does not walk");
        return PUSHBENCH_CANNOT;
    }
    return PUSHBENCH_OK;
}

int pushbench_act(void *state, double time, const double *q, const double *v, const pushbench_contact *contacts, int32_t count,
                  double *torques, char *message) {
    const controller *mine = state;
    (void)time, (void)contacts, (void)count, (void)message;
    for (int joint = 0; joint < mine->joints; joint++) {
        /* The greatest torque at a quarter of a radian; damping that a wrist can take at this rate. */
        double error = mine->start[joint] - q[7 + joint], limit = mine->limits[joint];
        torques[joint] = 4 * limit * error - 0.04 * limit * v[6 + joint];
    }
    return PUSHBENCH_OK;
}

void pushbench_close(void *state) {
    controller *mine = state;
    free(mine->start);
    free(mine->limits);
    free(mine);
}
