//! Terms.
