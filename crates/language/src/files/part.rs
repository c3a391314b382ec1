//! Parts of a document as serde reads them into types.
//!
//! The crate `toml` parses; its own deserialisation of the parsed values into types is not used, for two reasons: it
//! accepts extra elements in arrays of a fixed length, which are a mistake here, and it is generic code that the
//! compiler would instantiate for each type of the files. Here all types share one deserialiser, one list of elements
//! and one list of entries.

use crate::spanned;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// The key of a date's text where serde asks for a table, as the `toml` types expect it.
const DATE: &str = "$__toml_private_datetime";

/// A value or key of a document with its place.
pub(super) struct DocumentPart<'t> {
    content: PartContent<'t>,
    span: Range<usize>,
    /// Whether unknown keys are reported before anything is read, as in variants of enums.
    strict: bool,
}

enum PartContent<'t> {
    Value(DeValue<'t>),
    /// A byte of the file.
    Byte(usize),
}

/// Why a part is not of the required type.
#[derive(Debug)]
pub(super) struct TypeMismatch {
    pub message: String,
    /// `None` until the affected part is known.
    pub span: Option<Range<usize>>,
}

impl TypeMismatch {
    fn at(span: Range<usize>, message: String) -> Self {
        TypeMismatch { message, span: Some(span) }
    }

    #[cold]
    fn or_at(self, span: Range<usize>) -> Self {
        TypeMismatch { span: Some(self.span.unwrap_or(span)), ..self }
    }
}

impl fmt::Display for TypeMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TypeMismatch {}

impl de::Error for TypeMismatch {
    fn custom<T: fmt::Display>(message: T) -> Self {
        TypeMismatch { message: message.to_string(), span: None }
    }
}

impl<'t> DocumentPart<'t> {
    fn new(value: Spanned<DeValue<'t>>) -> Self {
        let span = value.span();
        DocumentPart { content: PartContent::Value(value.into_inner()), span, strict: false }
    }

    fn byte(byte: usize, span: &Range<usize>) -> Self {
        DocumentPart { content: PartContent::Byte(byte), span: span.clone(), strict: false }
    }

    /// The whole document.
    pub(super) fn document(table: Spanned<DeTable<'t>>) -> Self {
        let span = table.span();
        DocumentPart { content: PartContent::Value(DeValue::Table(table.into_inner())), span, strict: false }
    }

    /// The mismatch of a part whose type is not `expected`.
    #[cold]
    fn other(&self, expected: &dyn Expected) -> TypeMismatch {
        let found = match &self.content {
            PartContent::Byte(byte) => Unexpected::Unsigned(*byte as u64),
            PartContent::Value(DeValue::String(text)) => Unexpected::Str(text),
            PartContent::Value(DeValue::Boolean(value)) => Unexpected::Bool(*value),
            PartContent::Value(DeValue::Array(_)) => Unexpected::Seq,
            PartContent::Value(DeValue::Table(_) | DeValue::Datetime(_)) => Unexpected::Map,
            PartContent::Value(DeValue::Float(_)) => match self.number() {
                Ok(TomlNumber::Float(value)) => Unexpected::Float(value),
                _ => return self.too_large("floating-point"),
            },
            PartContent::Value(DeValue::Integer(value)) => match self.number() {
                Ok(TomlNumber::Signed(value)) => Unexpected::Signed(value),
                Ok(TomlNumber::Unsigned(value)) => Unexpected::Unsigned(value),
                _ => return self.huge(value, expected),
            },
        };
        TypeMismatch { span: Some(self.span.clone()), ..de::Error::invalid_type(found, expected) }
    }

    fn too_large(&self, kind: &str) -> TypeMismatch {
        TypeMismatch::at(self.span.clone(), format!("{kind} number overflowed"))
    }

    /// The mismatch of an integer that does not fit in 64 bits.
    fn huge(&self, number: &DeInteger<'_>, expected: &dyn Expected) -> TypeMismatch {
        let (digits, radix) = (number.as_str(), number.radix());
        let text = match (i128::from_str_radix(digits, radix), u128::from_str_radix(digits, radix)) {
            (Ok(value), _) => format!("integer `{value}` as i128"),
            (_, Ok(value)) => format!("integer `{value}` as u128"),
            _ => return self.too_large("integer"),
        };
        let error: TypeMismatch = de::Error::invalid_type(Unexpected::Other(&text), expected);
        error.or_at(self.span.clone())
    }

    fn number(&self) -> Result<TomlNumber, NoNumber> {
        match &self.content {
            PartContent::Byte(byte) => Ok(TomlNumber::Unsigned(*byte as u64)),
            PartContent::Value(DeValue::Integer(value)) => {
                let (digits, radix) = (value.as_str(), value.radix());
                i64::from_str_radix(digits, radix)
                    .map(TomlNumber::Signed)
                    .or_else(|_| u64::from_str_radix(digits, radix).map(TomlNumber::Unsigned))
                    .map_err(|_| NoNumber)
            }
            PartContent::Value(DeValue::Float(value)) => match value.as_str().parse::<f64>() {
                Ok(number)
                    if number.is_finite() || !value.as_str().contains(|c: char| c.is_ascii_digit()) =>
                {
                    Ok(TomlNumber::Float(number))
                }
                _ => Err(NoNumber),
            },
            _ => Err(NoNumber),
        }
    }

    /// The elements of an array.
    fn elements(self, expected: &dyn Expected) -> Result<Elements<'t>, TypeMismatch> {
        let PartContent::Value(DeValue::Array(array)) = self.content else {
            return Err(self.other(expected));
        };
        Ok(Elements(array.into_iter().map(DocumentPart::new).collect::<Vec<_>>().into_iter()))
    }

    /// The entries of a table.
    fn entries(self, expected: &dyn Expected) -> Result<Entries<'t>, TypeMismatch> {
        let table = match self.content {
            PartContent::Value(DeValue::Table(table)) => table,
            PartContent::Value(DeValue::Datetime(date)) => {
                let text = Spanned::new(self.span.clone(), DeValue::String(date.to_string().into()));
                DeTable::from_iter([(Spanned::new(self.span, DATE.into()), text)])
            }
            _ => return Err(self.other(expected)),
        };
        let key = |key: Spanned<std::borrow::Cow<'t, str>>| {
            let span = key.span();
            DocumentPart::new(Spanned::new(span, DeValue::String(key.into_inner())))
        };
        let entries: Vec<_> =
            table.into_iter().map(|(name, value)| (key(name), DocumentPart::new(value))).collect();
        Ok(Entries { left: entries.into_iter(), value: None })
    }

    /// The enum variant named here.
    fn variant(self) -> Result<Variant<'t>, TypeMismatch> {
        let span = self.span.clone();
        if let PartContent::Value(DeValue::String(_)) = self.content {
            return Ok(Variant { name: self, content: None });
        }
        let PartContent::Value(DeValue::Table(table)) = &self.content else {
            return Err(TypeMismatch::at(span, "wanted string or table".into()));
        };
        match table.len() {
            0 => Err(TypeMismatch::at(span, "wanted exactly 1 element, found 0 elements".into())),
            1 => match self.entries(&"a table")?.left.next() {
                Some((name, content)) => Ok(Variant { name, content: Some(content) }),
                None => Err(TypeMismatch::at(span, "wanted string or table".into())),
            },
            _ => Err(TypeMismatch::at(span, "wanted exactly 1 element, more than 1 element".into())),
        }
    }

    /// The source of a structure's fields.
    fn fields(
        self,
        name: &str,
        fields: &[&str],
        expected: &dyn Expected,
    ) -> Result<FieldSource<'t>, TypeMismatch> {
        if name == spanned::NAME {
            let Range { start, end } = self.span;
            let place =
                vec![DocumentPart::byte(start, &self.span), DocumentPart::byte(end, &self.span), self];
            return Ok(FieldSource::Listed(Elements(place.into_iter())));
        }
        if self.strict {
            self.has_only(fields)?;
        }
        match &self.content {
            PartContent::Value(DeValue::Array(_)) => self.elements(expected).map(FieldSource::Listed),
            _ => self.entries(expected).map(FieldSource::Named),
        }
    }

    /// Checks that a variant's table has only these keys.
    fn has_only(&self, known: &[&str]) -> Result<(), TypeMismatch> {
        let PartContent::Value(DeValue::Table(table)) = &self.content else { return Ok(()) };
        let others: Vec<_> = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())).collect();
        let Some(first) = others.first() else { return Ok(()) };
        let names: Vec<&str> = others.iter().map(|key| key.get_ref().as_ref()).collect();
        let (names, known) = (names.join(", "), known.join(", "));
        Err(TypeMismatch::at(
            first.span(),
            format!("unexpected keys in table: {names}, available keys: {known}"),
        ))
    }
}

enum TomlNumber {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

/// A value that is not a number, or not one that fits in 64 bits.
struct NoNumber;

/// Reads the integer types and all other numbers.
macro_rules! numbers {
    ($($method:ident),*) => {
        $(fn $method<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
            self.deserialize_f64(visitor)
        })*
    };
}

/// Methods that forward any value to the visitor.
macro_rules! any {
    ($($method:ident($($name:ident: $type:ty),*)),*) => {
        $(fn $method<V: Visitor<'t>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, TypeMismatch> {
            self.deserialize_any(visitor)
        })*
    };
}

impl<'t> Deserializer<'t> for DocumentPart<'t> {
    type Error = TypeMismatch;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        match &self.content {
            PartContent::Value(DeValue::String(_)) => self.deserialize_str(visitor),
            PartContent::Value(DeValue::Boolean(_)) => self.deserialize_bool(visitor),
            PartContent::Value(DeValue::Array(_)) => self.deserialize_seq(visitor),
            PartContent::Value(DeValue::Table(_) | DeValue::Datetime(_)) => self.deserialize_map(visitor),
            PartContent::Value(DeValue::Integer(_) | DeValue::Float(_)) | PartContent::Byte(_) => {
                self.deserialize_f64(visitor)
            }
        }
    }

    fn deserialize_bool<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        match self.content {
            PartContent::Value(DeValue::Boolean(value)) => {
                visitor.visit_bool(value).map_err(|error: TypeMismatch| error.or_at(self.span))
            }
            _ => Err(self.other(&visitor)),
        }
    }

    fn deserialize_f64<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        match self.number() {
            Ok(TomlNumber::Signed(value)) => visitor.visit_i64(value),
            Ok(TomlNumber::Unsigned(value)) => visitor.visit_u64(value),
            Ok(TomlNumber::Float(value)) => visitor.visit_f64(value),
            Err(NoNumber) => Err(self.other(&visitor)),
        }
        .map_err(|error: TypeMismatch| error.or_at(self.span))
    }

    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        match &self.content {
            PartContent::Value(DeValue::String(text)) => {
                visitor.visit_str(text).map_err(|error: TypeMismatch| error.or_at(self.span))
            }
            _ => Err(self.other(&visitor)),
        }
    }

    // An absent field is `None`; a present one never is.
    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        let span = self.span.clone();
        visitor.visit_some(self).map_err(|error: TypeMismatch| error.or_at(span))
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TypeMismatch> {
        let span = self.span.clone();
        visitor.visit_newtype_struct(self).map_err(|error: TypeMismatch| error.or_at(span))
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        let span = self.span.clone();
        let elements = self.elements(&visitor)?;
        visitor.visit_seq(elements).map_err(|error: TypeMismatch| error.or_at(span))
    }

    fn deserialize_tuple<V: Visitor<'t>>(self, length: usize, visitor: V) -> Result<V::Value, TypeMismatch> {
        let found = match &self.content {
            PartContent::Value(DeValue::Array(array)) => array.len(),
            _ => 0,
        };
        let span = self.span.clone();
        let value = self.deserialize_seq(visitor)?;
        if found > length { Err(too_long(found, length, span)) } else { Ok(value) }
    }

    fn deserialize_tuple_struct<V: Visitor<'t>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, TypeMismatch> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        let span = self.span.clone();
        let entries = self.entries(&visitor)?;
        visitor.visit_map(entries).map_err(|error: TypeMismatch| error.or_at(span))
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeMismatch> {
        let span = self.span.clone();
        match self.fields(name, fields, &visitor)? {
            FieldSource::Listed(elements) => visitor.visit_seq(elements),
            FieldSource::Named(entries) => visitor.visit_map(entries),
        }
        .map_err(|error: TypeMismatch| error.or_at(span))
    }

    fn deserialize_enum<V: Visitor<'t>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeMismatch> {
        let span = self.span.clone();
        visitor.visit_enum(self.variant()?).map_err(|error: TypeMismatch| error.or_at(span))
    }

    fn deserialize_identifier<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        self.deserialize_str(visitor)
    }

    fn deserialize_string<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, TypeMismatch> {
        visitor.visit_unit()
    }

    numbers!(
        deserialize_i8,
        deserialize_i16,
        deserialize_i32,
        deserialize_i64,
        deserialize_u8,
        deserialize_u16,
        deserialize_u32,
        deserialize_u64,
        deserialize_f32
    );

    any!(
        deserialize_char(),
        deserialize_bytes(),
        deserialize_byte_buf(),
        deserialize_unit(),
        deserialize_unit_struct(_name: &'static str)
    );
}

#[cold]
fn too_long(found: usize, length: usize, span: Range<usize>) -> TypeMismatch {
    let error: TypeMismatch = de::Error::invalid_length(found, &Length(length));
    error.or_at(span)
}

/// This number of elements, worded as serde does.
struct Length(usize);

impl Expected for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of length {}", self.0)
    }
}

/// The source of a structure's fields.
enum FieldSource<'t> {
    Listed(Elements<'t>),
    Named(Entries<'t>),
}

/// The remaining elements of an array.
struct Elements<'t>(std::vec::IntoIter<DocumentPart<'t>>);

impl<'t> SeqAccess<'t> for Elements<'t> {
    type Error = TypeMismatch;

    fn next_element_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, TypeMismatch> {
        self.0.next().map(|part| seed.deserialize(part)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The remaining entries of a table.
struct Entries<'t> {
    left: std::vec::IntoIter<(DocumentPart<'t>, DocumentPart<'t>)>,
    /// The value of the key that was read last.
    value: Option<DocumentPart<'t>>,
}

impl<'t> MapAccess<'t> for Entries<'t> {
    type Error = TypeMismatch;

    fn next_key_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<Option<S::Value>, TypeMismatch> {
        let Some((key, value)) = self.left.next() else { return Ok(None) };
        self.value = Some(value);
        let span = key.span.clone();
        seed.deserialize(key).map(Some).map_err(|error: TypeMismatch| error.or_at(span))
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<S::Value, TypeMismatch> {
        let value = self
            .value
            .take()
            .ok_or_else(|| <TypeMismatch as de::Error>::custom("a value without its key"))?;
        let span = value.span.clone();
        seed.deserialize(value).map_err(|error: TypeMismatch| error.or_at(span))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// A variant of an enum: its name, and its content unless it is given by its name alone.
struct Variant<'t> {
    name: DocumentPart<'t>,
    content: Option<DocumentPart<'t>>,
}

/// The content of a variant.
struct VariantContent<'t>(Option<DocumentPart<'t>>);

impl<'t> EnumAccess<'t> for Variant<'t> {
    type Error = TypeMismatch;
    type Variant = VariantContent<'t>;

    fn variant_seed<S: DeserializeSeed<'t>>(
        self,
        seed: S,
    ) -> Result<(S::Value, VariantContent<'t>), TypeMismatch> {
        let span = self.name.span.clone();
        let name = seed.deserialize(self.name).map_err(|error: TypeMismatch| error.or_at(span))?;
        Ok((name, VariantContent(self.content)))
    }
}

impl<'t> VariantContent<'t> {
    fn given(self, expected: &str) -> Result<DocumentPart<'t>, TypeMismatch> {
        self.0.ok_or_else(|| de::Error::invalid_type(Unexpected::UnitVariant, &expected))
    }
}

impl<'t> VariantAccess<'t> for VariantContent<'t> {
    type Error = TypeMismatch;

    fn unit_variant(self) -> Result<(), TypeMismatch> {
        let Some(DocumentPart { content, span, .. }) = self.0 else { return Ok(()) };
        let message = match content {
            PartContent::Value(DeValue::Array(values)) if values.is_empty() => return Ok(()),
            PartContent::Value(DeValue::Table(values)) if values.is_empty() => return Ok(()),
            PartContent::Value(DeValue::Array(_)) => "expected empty array".into(),
            PartContent::Value(DeValue::Table(_)) => "expected empty table".into(),
            PartContent::Value(other) => format!("expected table, found {}", other.type_str()),
            PartContent::Byte(_) => "expected table, found integer".into(),
        };
        Err(TypeMismatch::at(span, message))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'t>>(self, seed: S) -> Result<S::Value, TypeMismatch> {
        seed.deserialize(self.given("newtype variant")?)
    }

    fn tuple_variant<V: Visitor<'t>>(self, length: usize, visitor: V) -> Result<V::Value, TypeMismatch> {
        self.given("tuple variant")?.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'t>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeMismatch> {
        let part = DocumentPart { strict: true, ..self.given("struct variant")? };
        part.deserialize_struct("", fields, visitor)
    }
}
