//! The examples run, and what they assert holds.

#[path = "../../examples/game_loop.rs"]
mod game_loop;
#[path = "../../examples/hold_hands.rs"]
mod hold_hands;
#[path = "../../examples/many_worlds.rs"]
mod many_worlds;
#[path = "../../examples/own_objective.rs"]
mod own_objective;
#[path = "../../examples/passive_method.rs"]
mod passive_method;
#[path = "../../examples/snapshot_and_branch.rs"]
mod snapshot_and_branch;
#[path = "../../examples/two_characters.rs"]
mod two_characters;

#[test]
fn an_objective_written_by_hand_is_met() {
    own_objective::main().unwrap();
}

#[test]
fn a_passive_method_written_by_hand_falls_as_far_as_its_spring_lets_it() {
    passive_method::main().unwrap();
}

#[test]
fn a_game_pushes_a_character_on_a_platform_that_it_moves() {
    game_loop::main().unwrap();
}

#[test]
fn two_characters_recover_side_by_side() {
    two_characters::main().unwrap();
}

#[test]
fn a_child_stands_where_it_holds_an_adults_hand() {
    hold_hands::main().unwrap();
}

#[test]
fn futures_branch_off_one_moment() {
    snapshot_and_branch::main().unwrap();
}

#[test]
fn sixteen_worlds_each_have_a_push_of_their_own() {
    many_worlds::main().unwrap();
}
