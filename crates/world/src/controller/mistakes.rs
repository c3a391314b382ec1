//! Tests of the exact messages about errors in controllers, which are in `tests/data/mistakes/`, and about valid but
//! suspicious contents, in `tests/data/warnings/`, for the controller of `tests/data/balance.toml`.

#[allow(unreachable_pub)] // several test programs share the file
#[path = "../../../../tests/support/mistakes.rs"]
mod support;

use super::check;
use super::tests::{CONTROLLER, bound, controller};
use aplomb_language::rendered::{Rendered, render};

fn told<T: Into<Rendered>>(messages: impl IntoIterator<Item = T>) -> String {
    messages.into_iter().map(render).collect::<Vec<_>>().join("\n")
}

#[test]
fn mistakes_in_a_controller_are_said_where_they_stand() {
    support::assert_told(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mistakes"), |mistake| {
        told(bound(&mistake.made_in(CONTROLLER)).expect_err("a mistake").iter())
    });
}

#[test]
fn what_is_legal_and_looks_wrong_is_a_warning() {
    let (source, spec) = controller(CONTROLLER).unwrap();
    assert!(check(&spec, &source).warnings.is_empty());
    support::assert_told(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/warnings"), |oddity| {
        let (source, spec) = controller(&oddity.made_in(CONTROLLER)).unwrap();
        let found = check(&spec, &source);
        assert!(found.errors.is_empty());
        told(&found.warnings)
    });
}
