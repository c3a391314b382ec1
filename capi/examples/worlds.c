/* Many worlds of a scene, each with its own push, are stepped in parallel on threads; one of them is reset.
 *
 *   cargo build --release -p aplomb-capi
 *   cc -Icapi/include capi/examples/worlds.c target/release/libaplomb_c.a -lm -lpthread -ldl -o worlds && ./worlds
 */
#include "aplomb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4, FRAMES = 60 };

static void must(AplombStatus status, const char *what) {
    if (status != APLOMB_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", what, aplomb_last_error());
        exit(1);
    }
}

static void check(int is_right, const char *what) {
    if (!is_right) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

/* Configurations after the pushes, computed on `threads` threads. */
static double *pushed(size_t threads, size_t *size) {
    AplombWorlds *worlds = NULL;
    size_t count = 0, nq = 0, running = 0;
    must(aplomb_worlds_open("balance_push", COUNT, &worlds), "worlds");
    must(aplomb_worlds_sizes(worlds, &count, &nq, NULL), "their sizes");
    check(count == COUNT, "as many as were asked for");
    for (size_t k = 0; k < COUNT; k++) {
        const double force[3] = {0.0, 40.0 * (double)k, 0.0}; /* N, for 0.1 s */
        must(aplomb_worlds_push(worlds, k, "chest", force, 0.1), "a push");
    }
    must(aplomb_worlds_step(worlds, FRAMES, threads, &running), "steps");
    check(running == COUNT, "all have frames left");
    *size = count * nq;
    double *q = malloc(*size * sizeof *q);
    check(q != NULL, "there is memory");
    must(aplomb_worlds_q(worlds, q, *size), "configurations");

    /* World 3 is reset, without its push, and then moves as world 0 did. */
    double com[3 * COUNT];
    must(aplomb_worlds_com(worlds, com, 3 * COUNT), "centres of mass");
    printf("on %zu threads: y of the centres of mass %.4f %.4f %.4f %.4f m\n", threads, com[1], com[4], com[7], com[10]);
    check(com[10] > com[7] && com[7] > com[4] && com[4] > com[1], "those that are pushed harder are farther");
    must(aplomb_worlds_reset(worlds, 3), "a reset");
    AplombWorldOutcome outcome = APLOMB_WORLD_OUTCOME_FAILED;
    char reason[200] = "";
    must(aplomb_worlds_outcome(worlds, 3, &outcome, reason, sizeof reason), "its outcome");
    check(outcome == APLOMB_WORLD_OUTCOME_RUNNING && reason[0] == '\0', "it goes on");
    must(aplomb_worlds_step(worlds, FRAMES, threads, NULL), "steps");
    double *again = malloc(*size * sizeof *again);
    check(again != NULL, "there is memory");
    must(aplomb_worlds_q(worlds, again, *size), "configurations");
    check(memcmp(again + 3 * nq, q, nq * sizeof *q) == 0, "the same to the bit");
    free(again);

    /* Errors are codes. */
    const double two[2] = {1.0, 2.0};
    check(aplomb_worlds_reset(worlds, COUNT) == APLOMB_STATUS_VALUE, "there is no such world");
    check(aplomb_worlds_set_parameter(worlds, "x", two, 2) == APLOMB_STATUS_VALUE, "a value is for each world");
    check(aplomb_worlds_q(worlds, q, 1) == APLOMB_STATUS_SIZE, "there is no room");
    check(aplomb_worlds_step(NULL, 1, 1, NULL) == APLOMB_STATUS_ARGUMENT, "there are no worlds");
    aplomb_worlds_free(worlds);
    aplomb_worlds_free(NULL);
    return q;
}

int main(void) {
    size_t size = 0;
    double *one = pushed(1, &size), *two = pushed(2, &size);
    check(memcmp(one, two, size * sizeof *one) == 0, "the same numbers on one thread and on two");
    free(one);
    free(two);
    AplombWorlds *none = NULL;
    check(aplomb_worlds_open("no_such_scene", 2, &none) == APLOMB_STATUS_NOT_FOUND && none == NULL, "there is no such scene");
    return 0;
}
