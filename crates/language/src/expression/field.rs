//! Fields of files with expressions. They are read as TOML values, keep their places, and are bound to the
//! names in scope.

use super::bind;
use super::bound::{
    Any, BodyChoice, Condition, ExpressionText, HoldChoice, ObjectChoice, PlaceChoice, Scalar, ScalarForm,
    SiteChoice, VectorForm, VectorValue,
};
use super::interval::Interval;
use super::keyframes::Keyframes;
use super::names::{Meaning, Names};
use super::range::interval;
use super::syntax::{SyntaxNode, parse};
use super::token::Mistake;
use super::tree::{Boolean, Expression, Number, Reference, Vector};
use super::value::{Type, Value};
use crate::Spanned;
use crate::diagnostic::{FileError, Source};
use crate::namespace::Namespace;
use nalgebra::Vector3;
use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;

/// A number, an expression in quotes, or keyframes.
#[derive(Clone, Debug)]
pub struct ScalarField(pub(super) Spanned<NumberForm>);

/// Three numbers or expressions, one expression that is a vector, or keyframes.
#[derive(Clone, Debug)]
pub struct VectorField(pub(super) Spanned<VectorSyntax>);

/// `true`, `false`, or an expression in quotes.
#[derive(Clone, Debug)]
pub struct ConditionField(pub(super) Spanned<ConditionForm>);

/// The name of a body or a role, or an expression that chooses one.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct BodyField(pub(super) Spanned<String>);

/// The name of a body, a site or a role, or an expression that chooses one.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct PlaceField(pub(super) Spanned<String>);

/// The name of a site or a role, or an expression that chooses one.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct SiteField(pub(super) Spanned<String>);

/// The name of a hold, a bar or a role, or an expression that chooses one.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct HoldField(pub(super) Spanned<String>);

/// The name of a passive object or a role, or an expression that chooses one.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct ObjectField(pub(super) Spanned<String>);

/// A number, `true`, `false`, an expression of any type in quotes, three numbers or expressions, or keyframes.
#[derive(Clone, Debug)]
pub struct ExpressionField(pub(super) Spanned<AnyForm>);

#[derive(Clone, Debug)]
pub(super) enum NumberForm {
    Number(f64),
    Text(String),
    Keyframes(Keyframes<f64>),
}

#[derive(Clone, Debug)]
pub(super) enum VectorSyntax {
    Parts(Vec<ScalarField>),
    Text(String),
    Keyframes(Keyframes<[f64; 3]>),
}

#[derive(Clone, Debug)]
pub(super) enum ConditionForm {
    Boolean(bool),
    Text(String),
}

#[derive(Clone, Debug)]
pub(super) enum AnyForm {
    Number(f64),
    Boolean(bool),
    Text(String),
    Parts(Vec<ScalarField>),
    Keyframes(Keyframes<KeyValue>),
}

/// A value of keyframes whose type is that of their values.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum KeyValue {
    Number(f64),
    Vector([f64; 3]),
}

impl KeyValue {
    fn number(&self) -> Option<f64> {
        if let KeyValue::Number(value) = self { Some(*value).filter(|value| value.is_finite()) } else { None }
    }

    fn vector(&self) -> Option<Vector3<f64>> {
        let KeyValue::Vector(value) = self else { return None };
        value.iter().all(|part| part.is_finite()).then(|| Vector3::from(*value))
    }

    /// The numbers of the value.
    pub(super) fn numbers(&self) -> Vec<f64> {
        match self {
            KeyValue::Number(value) => vec![*value],
            KeyValue::Vector(value) => value.to_vec(),
        }
    }
}

impl ScalarField {
    /// A default number, without a place in a file.
    pub fn number(value: f64) -> Self {
        ScalarField(Spanned::new(0..0, NumberForm::Number(value)))
    }

    /// An expression whose text is all of its source.
    pub fn of_text(text: &str) -> Self {
        ScalarField(Spanned::new(0..text.len(), NumberForm::Text(text.into())))
    }

    /// The number, or the text of the expression (empty for keyframes), as written.
    #[cfg(feature = "schema")]
    pub(super) fn written(&self) -> Result<f64, &str> {
        match self.0.get_ref() {
            NumberForm::Number(value) => Ok(*value),
            NumberForm::Text(text) => Err(text),
            NumberForm::Keyframes(_) => Err(""),
        }
    }

    /// Byte range of the value in its file.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The number, where a plain number was written.
    pub fn plain(&self) -> Option<f64> {
        if let NumberForm::Number(value) = self.0.get_ref() { Some(*value) } else { None }
    }

    /// Resolves the names of the expression and checks its type.
    ///
    /// # Errors
    ///
    /// If a name is unknown or a type is wrong.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<Scalar, FileError> {
        let (form, range) = match self.0.get_ref() {
            NumberForm::Number(value) if value.is_finite() => {
                (ScalarForm::Expression(Number::Constant(*value)), Interval::of(*value))
            }
            NumberForm::Number(value) => {
                return Err(FileError::new(source, self.span(), format!("{value} is not a finite number")));
            }
            NumberForm::Text(text) => bind_text(source, self.span(), text, names, |node| {
                let tree = bind::number(node, names)?;
                Ok((ScalarForm::Expression(tree), interval(node, names)))
            })?,
            NumberForm::Keyframes(keyframes) => {
                let track = keyframes.bind(source, names, |value| value.is_finite().then_some(*value))?;
                let range = track.range();
                (ScalarForm::Keyframes(track), range)
            }
        };
        Ok(Scalar { form, range, origin: origin(source, self.span()) })
    }
}

impl VectorField {
    /// A default vector, without a place in a file.
    pub fn constant(value: [f64; 3]) -> Self {
        VectorField(Spanned::new(0..0, VectorSyntax::Parts(value.map(ScalarField::number).to_vec())))
    }

    /// The components, or the text of the expression (empty for keyframes), as written.
    #[cfg(feature = "schema")]
    pub(super) fn written(&self) -> Result<&[ScalarField], &str> {
        match self.0.get_ref() {
            VectorSyntax::Parts(parts) => Ok(parts),
            VectorSyntax::Text(text) => Err(text),
            VectorSyntax::Keyframes(_) => Err(""),
        }
    }

    /// Byte range of the value in its file.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// Resolves the names of the expression and checks its type.
    ///
    /// # Errors
    ///
    /// If a name is unknown or a type is wrong.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<VectorValue, FileError> {
        let form = match self.0.get_ref() {
            VectorSyntax::Parts(parts) => {
                VectorForm::Expression(bind_parts(parts, source, self.span(), names)?)
            }
            VectorSyntax::Text(text) => {
                VectorForm::Expression(bind_text(source, self.span(), text, names, |node| {
                    bind::vector(node, names)
                })?)
            }
            VectorSyntax::Keyframes(keyframes) => {
                VectorForm::Keyframes(keyframes.bind(source, names, |value| {
                    let vector = Vector3::from(*value);
                    vector.iter().all(|part| part.is_finite()).then_some(vector)
                })?)
            }
        };
        Ok(VectorValue { form, origin: origin(source, self.span()) })
    }
}

impl ConditionField {
    /// Byte range of the value in its file.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// Resolves the names of the expression and checks its type.
    ///
    /// # Errors
    ///
    /// If a name is unknown or a type is wrong.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<Condition, FileError> {
        let tree = match self.0.get_ref() {
            ConditionForm::Boolean(value) => Boolean::Constant(*value),
            ConditionForm::Text(text) => {
                bind_text(source, self.span(), text, names, |node| bind::boolean(node, names))?
            }
        };
        Ok(Condition { tree, origin: origin(source, self.span()) })
    }
}

impl BodyField {
    /// Byte range of the value in its file.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The value as the file writes it.
    pub fn text(&self) -> &str {
        self.0.get_ref()
    }

    /// Resolves the names of the expression and checks its type.
    ///
    /// # Errors
    ///
    /// If a name is unknown or a type is wrong.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<BodyChoice, FileError> {
        let tree = bind_reference(source, &self.0, Type::Body, names)?;
        Ok(BodyChoice { tree, origin: origin(source, self.span()) })
    }
}

impl PlaceField {
    /// Byte range of the value in its file.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The value as the file writes it.
    pub fn text(&self) -> &str {
        self.0.get_ref()
    }

    /// Resolves the names of the expression and checks its type.
    ///
    /// # Errors
    ///
    /// If a name is unknown or a type is wrong.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<PlaceChoice, FileError> {
        let tree = bind_reference(source, &self.0, Type::Place, names)?;
        Ok(PlaceChoice { tree, origin: origin(source, self.span()) })
    }
}

impl SiteField {
    /// The field of a key.
    pub fn of_key(key: &Spanned<String>) -> Self {
        SiteField(key.clone())
    }

    /// Byte range of the value in its file.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// Resolves the names of the expression and checks its type.
    ///
    /// # Errors
    ///
    /// If a name is unknown or a type is wrong.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<SiteChoice, FileError> {
        let tree = bind_reference(source, &self.0, Type::Site, names)?;
        Ok(SiteChoice { tree, origin: origin(source, self.span()) })
    }
}

impl HoldField {
    /// Byte range of the value in its file.
    pub(crate) fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// Resolves the names of the expression and checks its type.
    ///
    /// # Errors
    ///
    /// If a name is unknown or a type is wrong.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<HoldChoice, FileError> {
        let tree = bind_reference(source, &self.0, Type::Hold, names)?;
        Ok(HoldChoice { tree, origin: origin(source, self.span()) })
    }
}

impl ObjectField {
    /// Byte range of the value in its file.
    pub(crate) fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The value as the file writes it.
    pub fn text(&self) -> &str {
        self.0.get_ref()
    }

    /// Resolves the names of the expression and checks its type.
    ///
    /// # Errors
    ///
    /// If a name is unknown or a type is wrong.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<ObjectChoice, FileError> {
        let tree = bind_reference(source, &self.0, Type::Passive, names)?;
        Ok(ObjectChoice { tree, origin: origin(source, self.span()) })
    }
}

impl ExpressionField {
    /// Byte range of the value in its file.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// Resolves the names of the expression; any type is accepted.
    ///
    /// # Errors
    ///
    /// If a name is unknown or types do not match.
    pub fn bind(&self, source: &Source, names: &dyn Names) -> Result<Any, FileError> {
        let tree = match self.0.get_ref() {
            AnyForm::Number(value) if value.is_finite() => Expression::Number(Number::Constant(*value)),
            AnyForm::Number(value) => {
                return Err(FileError::new(source, self.span(), format!("{value} is not a finite number")));
            }
            AnyForm::Boolean(value) => Expression::Boolean(Boolean::Constant(*value)),
            AnyForm::Text(text) => {
                bind_text(source, self.span(), text, names, |node| bind::bind(node, names))?
            }
            AnyForm::Parts(parts) => Expression::Vector(bind_parts(parts, source, self.span(), names)?),
            AnyForm::Keyframes(keys) => bind_keyframes(keys, source, names)?,
        };
        Ok(Any { tree, origin: origin(source, self.span()) })
    }

    /// Interval that contains its value in every frame, from its form alone, if it is a number.
    pub fn range(&self, source: &Source, names: &dyn Names) -> Interval {
        match self.0.get_ref() {
            AnyForm::Number(value) => Interval::of(*value),
            AnyForm::Boolean(_) | AnyForm::Parts(_) => Interval::ANY,
            AnyForm::Keyframes(keys) => match bind_keyframes(keys, source, names) {
                Ok(Expression::Number(Number::Keyframes(track))) => track.range(),
                _ => Interval::ANY,
            },
            AnyForm::Text(text) => parse(text).map_or(Interval::ANY, |node| {
                interval(&node.in_whole(source.namespace(self.span().start)), names)
            }),
        }
    }
}

/// Numbers, or vectors, over time or an expression.
fn bind_keyframes(
    keys: &Keyframes<KeyValue>,
    source: &Source,
    names: &dyn Names,
) -> Result<Expression, FileError> {
    let values = keys.values.get_ref();
    let vectors = values.iter().filter(|value| matches!(value, KeyValue::Vector(_))).count();
    if vectors > 0 && vectors < values.len() {
        let message = "the values of keyframes are all numbers, or all `[x, y, z]`";
        return Err(FileError::new(source, keys.values.span(), message));
    }
    Ok(if vectors > 0 {
        Expression::Vector(Vector::Keyframes(Box::new(keys.bind(source, names, KeyValue::vector)?)))
    } else {
        Expression::Number(Number::Keyframes(Box::new(keys.bind(source, names, KeyValue::number)?)))
    })
}

/// A vector of which each component is given.
fn bind_parts(
    parts: &[ScalarField],
    source: &Source,
    span: Range<usize>,
    names: &dyn Names,
) -> Result<Vector, FileError> {
    let mut trees = Vec::with_capacity(3);
    let (bound, wrong): (Vec<_>, Vec<_>) =
        parts.iter().map(|part| Ok((part, part.bind(source, names)?))).partition(Result::is_ok);
    if let Some(mistake) = FileError::joined(wrong.into_iter().filter_map(Result::err)) {
        return Err(mistake);
    }
    for (part, value) in bound.into_iter().filter_map(Result::ok) {
        match value.form {
            ScalarForm::Expression(tree) => trees.push(tree),
            ScalarForm::Keyframes(_) => {
                let message = "a component cannot have keyframes of its own";
                return Err(FileError::new(source, part.span(), message).help(
                    "give the whole vector keyframes: `{ keyframes = { times = […], values = [[x, y, z], …] } }`",
                ));
            }
        }
    }
    match <[Number; 3]>::try_from(trees) {
        Ok([Number::Constant(x), Number::Constant(y), Number::Constant(z)]) => {
            Ok(Vector::Constant(Vector3::new(x, y, z)))
        }
        Ok(trees) => Ok(Vector::Components(Box::new(trees))),
        Err(trees) => {
            let message = format!("a vector has 3 components, not {}", trees.len());
            Err(FileError::new(source, span, message).help("write `[x, y, z]`"))
        }
    }
}

fn bind_reference(
    source: &Source,
    field: &Spanned<String>,
    wanted: Type,
    names: &dyn Names,
) -> Result<Reference, FileError> {
    let text = field.get_ref();
    let of_file = source.namespace(field.span().start);
    let whole = of_file.map_or(Cow::Borrowed(text.as_str()), |of_file| of_file.whole(text));
    // A body's own name is used unchanged, with any characters.
    if let Some(Meaning::Constant(value @ (Value::Body(_) | Value::Site(_) | Value::Hold(_)))) =
        names.meaning(&whole)
        && wanted.accepts(value.kind())
    {
        return Ok(Reference::Constant(value));
    }
    bind_text(source, field.span(), text, names, |node| match bind::bind_as(wanted, node, names)? {
        Expression::Reference(kind, tree) if wanted.accepts(kind) => Ok(tree),
        other => Err(bind::wrong(node, &bind::with_article(wanted), other.kind())),
    })
}

/// The text as written, without its quotes, and its line.
fn origin(source: &Source, span: Range<usize>) -> ExpressionText {
    let place = source.place(span.start);
    let written = source.slice(span);
    let text = match written.as_bytes() {
        [first @ (b'"' | b'\''), middle @ .., last] if first == last && !middle.contains(first) => {
            &written[1..written.len() - 1]
        }
        _ => written,
    };
    ExpressionText { text: text.into(), place }
}

/// Parses and binds an expression in a TOML string at `span`, and places mistakes in the file.
pub(super) fn bind_text<T>(
    source: &Source,
    span: Range<usize>,
    text: &str,
    names: &dyn Names,
    bind: impl FnOnce(&SyntaxNode) -> Result<T, Mistake>,
) -> Result<T, FileError> {
    let of_file = source.namespace(span.start);
    let placed = |mistake| place(source, span.clone(), text, of_a_mirrored(mistake, of_file));
    let node = parse(text).map_err(&placed)?.in_whole(of_file);
    bind(&node).map_err(|mistake| {
        let others = bind::others(&node, &mistake, names);
        FileError { others: others.into_iter().map(&placed).collect(), ..placed(mistake) }
    })
}

/// Adds the origin of the names of a mistake, in a file that is mirrored.
fn of_a_mirrored(mistake: Mistake, of_file: Option<&Namespace>) -> Mistake {
    let names_a_side = mistake.message.contains("left") || mistake.message.contains("right");
    if mistake.help.is_some() && !mistake.message.starts_with("unknown")
        || !names_a_side
        || !of_file.is_some_and(|of_file| of_file.is_mirrored)
    {
        return mistake;
    }
    let help = mistake.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    mistake.help(format!("the file is included mirrored: left stands for right{help}"))
}

fn place(source: &Source, span: Range<usize>, text: &str, mistake: Mistake) -> FileError {
    // Where the string has escapes, its characters have no fixed place and the whole string is shown.
    let span = match source.slice(span.clone()).find(text) {
        Some(quotes) if !text.is_empty() => {
            span.start + quotes + mistake.span.start..span.start + quotes + mistake.span.end
        }
        _ => span,
    };
    let mut error = FileError::new(source, span, mistake.message);
    if let Some(label) = mistake.label {
        error = error.label(label);
    }
    error.help = mistake.help;
    error
}
