/* A character recovers from a push; a possible future is computed and undone; errors are returned as codes.
 *
 *   cargo build --release -p aplomb-capi
 *   cc -Icapi/include capi/examples/push.c target/release/libaplomb_c.a -lm -lpthread -ldl -o push && ./push
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
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

/* A push with recovery, with the poses that a game would draw. */
static void push(void) {
    AplombWorld *world = NULL;
    size_t hero = 0, bodies = 0, nq = 0, nv = 0, chest = 0, count = 0;
    must(aplomb_world_new(NULL, &world), "a world");
    must(aplomb_world_add_character(world, "adult", "balance", 0.0, 0.0, 0.0, &hero), "a character");
    must(aplomb_character_sizes(world, hero, &nq, &nv, &bodies), "its sizes");
    must(aplomb_character_body(world, hero, "chest", &chest), "its chest");

    double *poses = malloc(7 * bodies * sizeof *poses);
    check(poses != NULL, "there is memory");
    const double force[3] = {0.0, 150.0, 0.0}; /* N, for 0.15 s */
    for (int frame = 0; frame < 200; frame++) {
        if (frame == 20) must(aplomb_character_push(world, hero, "chest", force, NULL, 0.15), "a push");
        must(aplomb_world_step(world, 1), "a step");
        must(aplomb_character_poses(world, hero, poses, 7 * bodies), "poses"); /* and draw them */
    }
    double com[3];
    must(aplomb_character_com(world, hero, com), "the centre of mass");
    printf("after %.2f s the chest is at %.3f %.3f %.3f m, the centre of mass at %.3f m\n", aplomb_world_time(world),
           poses[7 * chest], poses[7 * chest + 1], poses[7 * chest + 2], com[2]);
    check(com[2] > 0.8, "it stands");

    /* The contacts that support it. */
    must(aplomb_character_contacts(world, hero, NULL, 0, &count), "how many contacts");
    AplombContact *contacts = malloc((count + 1) * sizeof *contacts);
    check(contacts != NULL, "there is memory");
    must(aplomb_character_contacts(world, hero, contacts, count, &count), "contacts");
    double weight = 0.0;
    for (size_t k = 0; k < count; k++) weight += contacts[k].force[2];
    printf("%zu contacts bear %.0f N\n", count, weight);
    check(weight > 500.0 && weight < 700.0, "they bear its weight");

    /* A possible future is computed and undone, bit for bit. */
    AplombSnapshot *moment = NULL;
    double *q = malloc(nq * sizeof *q), *again = malloc(nq * sizeof *again);
    check(q != NULL && again != NULL, "there is memory");
    must(aplomb_snapshot_take(world, &moment), "a snapshot");
    for (int trial = 0; trial < 2; trial++) {
        must(aplomb_snapshot_restore(world, moment), "going back");
        must(aplomb_character_push(world, hero, "head", force, NULL, 0.05), "a push");
        must(aplomb_world_step(world, 30), "steps");
        must(aplomb_character_q(world, hero, trial == 0 ? q : again, nq), "its configuration");
    }
    check(memcmp(q, again, nq * sizeof *q) == 0, "both futures are the same");

    free(again);
    free(q);
    free(contacts);
    free(poses);
    aplomb_snapshot_free(moment);
    aplomb_world_free(world);
}

/* A scene and a controller from memory; parameters. */
static void from_memory(void) {
    static const char *scene = "duration = 1.0\n"
                               "[characters.hero]\n"
                               "model = \"adult\"\n"
                               "controller = \"step_recovery\"\n"
                               "[success]\n"
                               "upright = { always = \"com_height > 0.8 * standing_height\" }\n";
    AplombWorld *world = NULL;
    double outward = 0.0;
    int32_t over = 0, passes = 0;
    must(aplomb_scene_parse("memory.toml", scene, &world), "a scene from memory");
    must(aplomb_character_set_parameter(world, 0, "outward", 0.08), "a parameter");
    must(aplomb_character_parameter(world, 0, "outward", &outward), "its value");
    check(fabs(outward - 0.08) < 1e-12, "the parameter has its value");
    while (must(aplomb_world_judge(world, &over, &passes), "judging"), !over) must(aplomb_world_step(world, 1), "a step");
    check(passes, "it passes");
    aplomb_world_free(world);
}

/* An error is a code and a message. */
static void mistakes(void) {
    AplombWorld *world = NULL;
    check(aplomb_scene_parse("wrong.toml", "duration = 1.0\ngravty = [0, 0, 0]\n", &world) == APLOMB_STATUS_FILE,
          "a mistake in a file is one");
    printf("a mistake: %s\n", aplomb_last_error());
    check(strstr(aplomb_last_error(), "wrong.toml:2:1:") != NULL, "it says where");
    check(world == NULL, "there is no world");
    check(aplomb_scene_open("nowhere", &world) == APLOMB_STATUS_NOT_FOUND, "a scene that is nowhere is not found");
    check(aplomb_world_new(NULL, NULL) == APLOMB_STATUS_ARGUMENT, "NULL is not a place");
    check(aplomb_world_step(NULL, 1) == APLOMB_STATUS_ARGUMENT, "NULL is not a world");
    AplombSettings settings = aplomb_settings_default();
    settings.dt = -1.0;
    check(aplomb_world_new(&settings, &world) == APLOMB_STATUS_VALUE, "a step is more than 0");

    must(aplomb_world_new(NULL, &world), "a world");
    double few[3];
    check(aplomb_character_q(world, 0, few, 3) == APLOMB_STATUS_VALUE, "nobody is there");
    must(aplomb_world_add_character(world, "adult", "balance", 0.0, 0.0, 0.0, NULL), "a character");
    check(aplomb_character_q(world, 0, few, 3) == APLOMB_STATUS_SIZE, "an array that is too small is told of");
    printf("a small array: %s\n", aplomb_last_error());
    check(aplomb_character_push(world, 0, "tail", few, NULL, 0.1) == APLOMB_STATUS_VALUE, "it has no tail");
    check(aplomb_character_set_parameter(world, 0, "nothing", 1.0) == APLOMB_STATUS_VALUE, "nothing has that name");
    aplomb_world_free(world);
    aplomb_world_free(NULL);
    aplomb_snapshot_free(NULL);
}

int main(void) {
    printf("aplomb %s\n", aplomb_version());
    push();
    from_memory();
    mistakes();
    return 0;
}
