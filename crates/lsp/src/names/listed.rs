//! Names available in every expression: quantities, functions, sets.

use super::Word;
use aplomb_language::expression::{Type, list_folds, list_functions, list_sets};
use aplomb_world::controller::{OF_MACHINE, quantity};
use std::sync::LazyLock;

static LISTED: LazyLock<Vec<Word>> = LazyLock::new(make);

/// Names that no file defines: those of `aplomb list quantities`, `conditions` and `functions`.
pub(crate) fn listed() -> &'static [Word] {
    &LISTED
}

fn make() -> Vec<Word> {
    let mut all: Vec<Word> = quantity::list()
        .into_iter()
        .map(|quantity| Word {
            name: quantity.name.to_owned(),
            written: (!quantity.arguments.is_empty()).then(|| quantity.signature()),
            what: if quantity.is_condition() { "condition" } else { "quantity" },
            result: Some(quantity.result),
            arguments: quantity.arguments,
            unit: quantity.unit.to_owned(),
            about: quantity.about.to_owned(),
        })
        .collect();
    for (name, written, about) in OF_MACHINE {
        let is_count = name == "visits";
        all.push(Word {
            written: (written != name).then(|| written.to_owned()),
            arguments: if is_count { &[Type::State] } else { &[] },
            ..Word::new(name, "quantity", about).of_type(if is_count { Type::Number } else { Type::State })
        });
    }
    let functions = list_functions().map(|(name, written, formula)| (name, written, formula.to_owned()));
    let folds = list_folds().map(|(name, written, about)| (name, written, about.to_owned()));
    for (name, written, about) in functions.chain(folds) {
        // Some functions apply both to numbers and to all members of a set.
        match all.iter_mut().find(|known| known.name == name && known.what == "function") {
            Some(known) => known.about = format!("{}\n\n`{written}`: {about}", known.about),
            None => {
                all.push(Word { written: Some(written.to_owned()), ..Word::new(name, "function", about) })
            }
        }
    }
    all.extend(list_sets().map(|(name, about)| Word::new(name, "set", about)));
    let second = |name, about: &str| Word {
        unit: "s".into(),
        ..Word::new(name, "quantity", about).of_type(Type::Number)
    };
    all.push(second("time", "Time since the run began."));
    all.push(second(
        "state_time",
        "Time since the controller's state was entered, on the controller's own clock.",
    ));
    all.push(Word::new("pi", "constant", "π, 3.14159…").of_type(Type::Number));
    all
}
