/* A controller for an external plant: this program is the plant. It passes in measurements and gets torques.
 *
 *   cargo build --release -p aplomb-capi
 *   cc -Icapi/include capi/examples/feedback.c target/release/libaplomb_c.a -lm -lpthread -ldl -o feedback && ./feedback
 */
#include "aplomb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(AplombStatus status, const char *what) {
    if (status != APLOMB_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", what, aplomb_last_error());
        exit(1);
    }
}

static void check(int is_right, const char *what) {
    if (!is_right) {
        fprintf(stderr, "not so: %s (%s)\n", what, aplomb_last_error());
        exit(1);
    }
}

static double *array(size_t count) {
    double *numbers = calloc(count, sizeof *numbers);
    check(numbers != NULL, "there is memory");
    return numbers;
}

/* A body that moves as the controller expects, except for a knock to the left that is unknown to the controller. */
static void stands(void) {
    AplombFeedback *feedback = NULL;
    size_t nq = 0, nv = 0, count = 0;
    must(aplomb_feedback_new("adult", "balance", NULL, &feedback), "a controller");
    AplombWorld *world = aplomb_feedback_world(feedback); /* of its predictions; the body is character 0 */
    must(aplomb_character_sizes(world, 0, &nq, &nv, NULL), "its sizes");
    double *q = array(nq), *v = array(nv), *torque = array(nv), *first = array(nv);
    must(aplomb_character_q(world, 0, q, nq), "where it would begin");
    const double height = q[2];

    double farthest = 0.0;
    for (int call = 0; call < 150; call++) {
        const AplombMeasurement measured = {.q = q, .nq = nq, .v = v, .nv = nv};
        must(aplomb_feedback_observe(feedback, &measured, torque, nv), "a call");
        if (call == 0) memcpy(first, torque, nv * sizeof *torque);
        /* A real plant would apply the torques; this one moves exactly as expected. */
        must(aplomb_character_q(world, 0, q, nq), "the configuration that it expects");
        must(aplomb_character_v(world, 0, v, nv), "the velocity that it expects");
        if (call == 20) v[1] += 0.15; /* m/s */
        farthest = fmax(farthest, fabs(q[1]));
    }
    double speed = 0.0;
    for (size_t k = 0; k < nv; k++) speed = fmax(speed, fabs(v[k]));
    printf("after 150 calls it is %.3f m high (%.3f), was %.3f m to the side, and moves at most at %.3f rad/s\n", q[2],
           height, farthest, speed);
    check(fabs(q[2] - height) < 0.05 && speed < 0.3, "it stands");
    check(farthest > 0.003, "the knock was felt");
    for (size_t k = 0; k < 6; k++) check(torque[k] == 0.0, "nothing drives the root");

    /* The predicted contacts. */
    must(aplomb_character_contacts(world, 0, NULL, 0, &count), "how many contacts");
    AplombContact *contacts = malloc((count + 1) * sizeof *contacts);
    check(contacts != NULL, "there is memory");
    must(aplomb_character_contacts(world, 0, contacts, count, &count), "contacts");
    double weight = 0.0;
    for (size_t k = 0; k < count; k++) weight += contacts[k].force[2];
    check(weight > 500.0 && weight < 700.0, "contacts bear its weight");
    free(contacts);
    char name[64];
    AplombOutcome outcome = APLOMB_OUTCOME_FAILED;
    must(aplomb_character_outcome(world, 0, &outcome), "how it ended");
    must(aplomb_character_state(world, 0, name, sizeof name), "the state of its controller");
    check(outcome == APLOMB_OUTCOME_SOLVED && strcmp(name, "balance") == 0, "it was solved, in its only state");
    must(aplomb_character_costs(world, 0, NULL, 0, &count), "how many objectives");
    double *costs = array(count), all = 0.0;
    must(aplomb_character_costs(world, 0, costs, count, NULL), "costs");
    for (size_t k = 0; k < count; k++) {
        must(aplomb_character_objective_name(world, 0, k, name, sizeof name), "whose cost it is");
        check(costs[k] >= 0.0 && name[0] != '\0', "a cost is not negative and has a name");
        all += costs[k];
    }
    check(count > 3 && all > 0.0, "objectives cost something");
    check(aplomb_character_objective_name(world, 0, count, name, sizeof name) == APLOMB_STATUS_VALUE, "there are no more");
    must(aplomb_feedback_disturbance(feedback, NULL, 0, &count), "how many numbers");
    check(count == 0, "disturbances are not estimated");

    /* The response to a known push is immediate; a changed parameter stays changed until a reset. */
    const double force[3] = {0.0, 150.0, 0.0};
    double *calm = array(nv);
    memcpy(calm, torque, nv * sizeof *torque);
    must(aplomb_character_push(world, 0, "chest", force, NULL, 0.1), "a push");
    const AplombMeasurement measured = {.q = q, .nq = nq, .v = v, .nv = nv};
    must(aplomb_feedback_observe(feedback, &measured, torque, nv), "a call");
    double change = 0.0;
    for (size_t k = 0; k < nv; k++) change = fmax(change, fabs(torque[k] - calm[k]));
    check(change > 1.0, "a push is answered");
    free(calm);

    must(aplomb_feedback_reset(feedback), "a new beginning");
    check(aplomb_world_time(world) == 0.0, "it begins at 0 s");
    must(aplomb_character_q(world, 0, q, nq), "where it begins");
    memset(v, 0, nv * sizeof *v);
    must(aplomb_feedback_observe(feedback, &measured, torque, nv), "the first call again");
    check(memcmp(torque, first, nv * sizeof *torque) == 0, "it answers as the first time, to the bit");

    free(costs);
    free(first);
    free(torque);
    free(v);
    free(q);
    aplomb_feedback_free(feedback);
}

/* 500 Hz, latency, drives, measured contacts with their forces, and an estimate of unknown forces. */
static void knows_its_plant(void) {
    AplombFeedback *feedback = NULL;
    size_t nq = 0, nv = 0, left = 0, right = 0, count = 0;
    double stiffness[64] = {0}, damping[64] = {0};
    AplombFeedbackSettings settings = aplomb_feedback_settings_default();
    settings.world.dt = 0.002;
    settings.horizon = 0.01;
    settings.latency = 0.004;
    settings.disturbance_time = 0.1;
    settings.stiffness = stiffness;
    settings.damping = damping;
    settings.drives = 3;
    check(aplomb_feedback_new("adult", "balance", &settings, &feedback) == APLOMB_STATUS_VALUE && feedback == NULL,
          "drives are as many as velocities");
    printf("too few drives: %s\n", aplomb_last_error());
    settings.stiffness = settings.damping = NULL;
    must(aplomb_feedback_new("adult", "balance", &settings, &feedback), "a controller without drives");
    must(aplomb_character_sizes(aplomb_feedback_world(feedback), 0, &nq, &nv, NULL), "its sizes");
    aplomb_feedback_free(feedback);
    check(nv <= 64, "there is room");
    for (size_t k = 6; k < nv; k++) stiffness[k] = 50.0, damping[k] = 5.0;
    settings.stiffness = stiffness;
    settings.damping = damping;
    settings.drives = nv;
    must(aplomb_feedback_new("adult", "balance", &settings, &feedback), "a controller");
    AplombWorld *world = aplomb_feedback_world(feedback);

    double *q = array(nq), *v = array(nv), *torque = array(nv), *force = array(nv);
    must(aplomb_character_q(world, 0, q, nq), "where it would begin");
    must(aplomb_character_body(world, 0, "left_foot", &left), "its left foot");
    must(aplomb_character_body(world, 0, "right_foot", &right), "its right foot");
    const double half = 300.0; /* N */
    AplombMeasuredContact contacts[2] = {
        {.body = left, .point = {0.05, 0.1, 0.0}, .force = {0.0, 0.0, half}, .has_force = 1},
        {.body = right, .point = {0.05, -0.1, 0.0}, .force = {0.0, 0.0, half}, .has_force = 1},
    };
    AplombMeasurement measured = {.q = q, .nq = nq, .v = v, .nv = nv, .contacts = contacts, .contact_count = 2};
    for (int call = 0; call < 10; call++) {
        must(aplomb_feedback_observe(feedback, &measured, torque, nv), "a call");
        measured.torque = torque; /* the torques were applied */
    }
    must(aplomb_feedback_disturbance(feedback, force, nv, &count), "what pushes");
    check(count == nv, "the estimate has a number for each velocity");
    must(aplomb_character_contacts(world, 0, NULL, 0, &count), "how many contacts");
    check(count > 0, "it stands on what was measured");

    /* In the air there are no contacts. */
    measured.contact_count = 0;
    q[2] += 0.1;
    must(aplomb_feedback_observe(feedback, &measured, torque, nv), "a call in the air");
    q[2] -= 0.1;
    must(aplomb_character_contacts(world, 0, NULL, 0, &count), "how many contacts");
    check(count == 0, "nothing bears where nothing is measured to");

    /* An error is a code and a message, and the controller continues. */
    contacts[0].body = 10000;
    measured.contact_count = 2;
    check(aplomb_feedback_observe(feedback, &measured, torque, nv) == APLOMB_STATUS_VALUE, "it has no such body");
    contacts[0].body = left;
    contacts[0].force[2] = NAN;
    check(aplomb_feedback_observe(feedback, &measured, torque, nv) == APLOMB_STATUS_VALUE, "forces are finite");
    measured.contacts = NULL;
    check(aplomb_feedback_observe(feedback, &measured, torque, nv) == APLOMB_STATUS_ARGUMENT, "two contacts are somewhere");
    measured.contact_count = 0;
    measured.nq = nq - 1;
    check(aplomb_feedback_observe(feedback, &measured, torque, nv) == APLOMB_STATUS_VALUE, "q is of this body");
    measured.nq = nq;
    measured.v = NULL;
    check(aplomb_feedback_observe(feedback, &measured, torque, nv) == APLOMB_STATUS_ARGUMENT, "v is there");
    measured.v = v;
    const double fine = q[2];
    q[2] = NAN;
    check(aplomb_feedback_observe(feedback, &measured, torque, nv) == APLOMB_STATUS_VALUE, "q is finite");
    q[2] = fine;
    check(aplomb_feedback_observe(feedback, &measured, torque, nv - 1) == APLOMB_STATUS_SIZE, "there is room for torques");
    printf("a small array: %s\n", aplomb_last_error());
    check(aplomb_feedback_observe(feedback, &measured, NULL, nv) == APLOMB_STATUS_ARGUMENT, "NULL is no array");
    check(aplomb_feedback_observe(feedback, NULL, torque, nv) == APLOMB_STATUS_ARGUMENT, "NULL is no measurement");
    check(aplomb_feedback_observe(NULL, &measured, torque, nv) == APLOMB_STATUS_ARGUMENT, "NULL is no controller");
    check(aplomb_feedback_reset(NULL) == APLOMB_STATUS_ARGUMENT, "NULL does not begin anew");
    check(aplomb_feedback_world(NULL) == NULL, "NULL has no world");
    must(aplomb_feedback_observe(feedback, &measured, torque, nv), "it goes on");

    /* Its world is borrowed. */
    check(aplomb_world_step(world, 1) == APLOMB_STATUS_VALUE, "a world that is lent is not stepped");
    printf("a step too many: %s\n", aplomb_last_error());
    check(aplomb_world_add_character(world, "adult", "balance", 1.0, 0.0, 0.0, NULL) == APLOMB_STATUS_VALUE, "nor filled");
    aplomb_world_free(world);
    must(aplomb_feedback_observe(feedback, &measured, torque, nv), "nor freed");

    free(force);
    free(torque);
    free(v);
    free(q);
    aplomb_feedback_free(feedback);
    aplomb_feedback_free(NULL);
}

/* Invalid settings. */
static void mistakes(void) {
    AplombFeedback *feedback = NULL;
    AplombFeedbackSettings settings = aplomb_feedback_settings_default();
    double *const wrong[] = {&settings.horizon, &settings.latency, &settings.compliance, &settings.disturbance_time,
                             &settings.world.dt};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const double right = *wrong[k];
        *wrong[k] = -1.0;
        check(aplomb_feedback_new("adult", "balance", &settings, &feedback) == APLOMB_STATUS_VALUE && feedback == NULL,
              "a setting is in its range");
        *wrong[k] = right;
    }
    const double one = 1.0;
    settings.stiffness = &one;
    settings.drives = 1;
    check(aplomb_feedback_new("adult", "balance", &settings, &feedback) == APLOMB_STATUS_ARGUMENT,
          "who has stiffness has damping");
    check(aplomb_feedback_new("adult", "balance", NULL, NULL) == APLOMB_STATUS_ARGUMENT, "NULL is not a place");
    check(aplomb_feedback_new("nobody", "balance", NULL, &feedback) == APLOMB_STATUS_NOT_FOUND, "nobody is not found");
    check(aplomb_feedback_new(NULL, "balance", NULL, &feedback) == APLOMB_STATUS_ARGUMENT, "NULL is no text");
}

int main(void) {
    stands();
    knows_its_plant();
    mistakes();
    return 0;
}
