//! Fields of files as written, for checks of the form of an expression rather than its value.

use super::field::{
    AnyForm, BodyField, ConditionField, ConditionForm, ExpressionField, HoldField, KeyValue, NumberForm,
    ObjectField, PlaceField, ScalarField, SiteField, VectorField, VectorSyntax,
};
use super::keyframes::{Clock, Keyframes};
use super::syntax::{SyntaxNode, parse};
use crate::Spanned;
use crate::diagnostic::Source;
use std::ops::Range;

/// A value of a file as written.
#[derive(Clone, Debug)]
pub struct WrittenValue {
    /// Form of the value.
    pub said: WrittenForm,
    /// Bytes of the value in its file.
    pub span: Range<usize>,
    /// Offset at which the text of the expression starts; `None` if its characters have no fixed place.
    text: Option<usize>,
}

/// The forms of a value.
#[derive(Clone, Debug)]
pub enum WrittenForm {
    /// A plain number.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// An expression in quotes.
    Expression(SyntaxNode),
    /// A list of numbers and expressions.
    List(Vec<WrittenValue>),
    /// Values over time.
    Keyframes {
        /// Times, s.
        times: Vec<f64>,
        /// Span of the times.
        times_at: Range<usize>,
        /// Clock of the times; `None` if they are values of an expression.
        clock: Option<Clock>,
        /// The expression that the times refer to.
        over: Option<Box<WrittenValue>>,
        /// The components of each value.
        values: Vec<Vec<f64>>,
    },
    /// An invalid expression; the mistake is reported elsewhere.
    Unreadable,
}

impl WrittenValue {
    fn of_text(source: &Source, span: Range<usize>, text: &str) -> Self {
        let start = source.slice(span.clone()).find(text).map(|quote| span.start + quote);
        let of_file = source.namespace(span.start);
        let said = parse(text)
            .map_or(WrittenForm::Unreadable, |node| WrittenForm::Expression(node.in_whole(of_file)));
        WrittenValue { said, span, text: start.filter(|_| !text.is_empty()) }
    }

    fn of_keyframes<V>(
        source: &Source,
        keys: &Keyframes<V>,
        values: Vec<Vec<f64>>,
        span: Range<usize>,
    ) -> Self {
        let (times, times_at) = (keys.times.get_ref().clone(), keys.times.span());
        let over = keys.over.as_ref().map(|over| Box::new(WrittenValue::of_name(source, over)));
        let clock = over.is_none().then_some(keys.clock);
        WrittenValue::plain(WrittenForm::Keyframes { times, times_at, clock, over, values }, span)
    }

    fn plain(form: WrittenForm, span: Range<usize>) -> Self {
        WrittenValue { said: form, span, text: None }
    }

    /// The form of a name or an expression that is not in a separate field: a key, an element of a list of names.
    pub fn of_name(source: &Source, name: &Spanned<String>) -> Self {
        WrittenValue::of_text(source, name.span(), name.get_ref())
    }

    /// Span of a part of the expression in the file; that of the whole value if it is unknown.
    pub fn place(&self, node: &SyntaxNode) -> Range<usize> {
        match self.text {
            Some(start) => start + node.span.start..start + node.span.end,
            None => self.span.clone(),
        }
    }

    /// The expression; `None` for a list.
    pub fn expression(&self) -> Option<&SyntaxNode> {
        if let WrittenForm::Expression(node) = &self.said { Some(node) } else { None }
    }

    /// The value and its components, if it is a list, or the argument of keyframes, if that is an expression.
    pub fn parts(&self) -> Vec<&WrittenValue> {
        let below = match &self.said {
            WrittenForm::List(parts) => parts.iter().flat_map(|part| part.parts()).collect(),
            WrittenForm::Keyframes { over: Some(over), .. } => over.parts(),
            _ => Vec::new(),
        };
        [vec![self], below].concat()
    }
}

macro_rules! named {
    ($($field:ty),*) => {
        $(impl $field {
            /// The value as written in the file.
            pub fn written(&self, source: &Source) -> WrittenValue {
                WrittenValue::of_name(source, &self.0)
            }
        })*
    };
}

named!(BodyField, PlaceField, SiteField, HoldField, ObjectField);

impl ScalarField {
    /// The value as written in the file.
    pub fn written_as(&self, source: &Source) -> WrittenValue {
        match self.0.get_ref() {
            NumberForm::Number(value) => WrittenValue::plain(WrittenForm::Number(*value), self.span()),
            NumberForm::Text(text) => WrittenValue::of_text(source, self.span(), text),
            NumberForm::Keyframes(keys) => {
                let values = keys.values.get_ref().iter().map(|value| vec![*value]).collect();
                WrittenValue::of_keyframes(source, keys, values, self.span())
            }
        }
    }
}

impl VectorField {
    /// The value as written in the file.
    pub fn written_as(&self, source: &Source) -> WrittenValue {
        match self.0.get_ref() {
            VectorSyntax::Parts(parts) => {
                let parts = parts.iter().map(|part| part.written_as(source)).collect();
                WrittenValue::plain(WrittenForm::List(parts), self.span())
            }
            VectorSyntax::Text(text) => WrittenValue::of_text(source, self.span(), text),
            VectorSyntax::Keyframes(keys) => {
                let values = keys.values.get_ref().iter().map(|value| value.to_vec()).collect();
                WrittenValue::of_keyframes(source, keys, values, self.span())
            }
        }
    }
}

impl ConditionField {
    /// The value as written in the file.
    pub fn written_as(&self, source: &Source) -> WrittenValue {
        match self.0.get_ref() {
            ConditionForm::Boolean(value) => WrittenValue::plain(WrittenForm::Boolean(*value), self.span()),
            ConditionForm::Text(text) => WrittenValue::of_text(source, self.span(), text),
        }
    }
}

impl ExpressionField {
    /// The value as written in the file.
    pub fn written_as(&self, source: &Source) -> WrittenValue {
        match self.0.get_ref() {
            AnyForm::Number(value) => WrittenValue::plain(WrittenForm::Number(*value), self.span()),
            AnyForm::Boolean(value) => WrittenValue::plain(WrittenForm::Boolean(*value), self.span()),
            AnyForm::Text(text) => WrittenValue::of_text(source, self.span(), text),
            AnyForm::Parts(parts) => {
                let parts = parts.iter().map(|part| part.written_as(source)).collect();
                WrittenValue::plain(WrittenForm::List(parts), self.span())
            }
            AnyForm::Keyframes(keys) => {
                let values = keys.values.get_ref().iter().map(KeyValue::numbers).collect();
                WrittenValue::of_keyframes(source, keys, values, self.span())
            }
        }
    }
}
