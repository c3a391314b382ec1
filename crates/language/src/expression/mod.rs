//! Expressions in files: a small typed language over named quantities of the frame.
//!
//! An expression is a TOML string such as `"0.1 if norm(capture_point - com) < 0.05 else 0.25"`. It is parsed
//! (`syntax.rs`), and its names are resolved and its types checked (`bind.rs`) once, when the file is read;
//! then it is evaluated in every frame without allocating and without errors (`tree.rs`). Arithmetic follows
//! IEEE 754: a division by zero gives an infinity, and the user of the value checks that it is finite.

mod bind;
mod bound;
mod field;
mod function;
mod interval;
mod keyframes;
mod logic;
mod names;
mod near_miss;
mod nesting;
mod operand;
mod range;
mod rates;
mod read;
#[cfg(feature = "schema")]
mod schema;
mod sets;
mod slack;
mod switch;
mod syntax;
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub mod testing;
#[cfg(test)]
mod tests;
mod token;
mod tree;
mod unit;
mod value;
mod written;

pub use bind::is_builtin;
pub use bound::{
    Any, BodyChoice, Condition, HoldChoice, ObjectChoice, PlaceChoice, Scalar, SiteChoice, VectorValue,
};
pub use field::{
    BodyField, ConditionField, ExpressionField, HoldField, ObjectField, PlaceField, ScalarField, SiteField,
    VectorField,
};
pub use function::list_functions;
pub use interval::Interval;
pub use keyframes::{Clock, Interpolation};
pub use logic::{Facts, Interpretation, Truth, always, implies, never, possible, term_range};
pub use names::{Meaning, Names};
pub use near_miss::{FailedPart, NearMiss, SignedTerm};
pub use operand::operands;
pub use range::interval;
pub use sets::{Set, list_folds, list_sets};
pub use slack::{Deciding, NearestDeciding};
pub use switch::Switch;
pub use syntax::{ChoiceNode, Members, Syntax, SyntaxNode, parse_expression};
pub use unit::{Unit, UnitMismatch, Units};
pub use value::{Lookup, MOST_ARGUMENTS, PartNames, StateId, Type, Value};
pub use written::{WrittenForm, WrittenValue};
