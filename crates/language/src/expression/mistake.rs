//! Mistakes in expressions.

use std::ops::Range;

/// A mistake in an expression, with a span in bytes of its text.
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    pub span: Range<usize>,
    pub message: String,
    pub label: Option<String>,
    pub help: Option<String>,
}

impl Mistake {
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Mistake { span, message: message.into(), label: None, help: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }
}
