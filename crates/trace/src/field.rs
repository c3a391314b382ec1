//! Fields of records: names, units and descriptions.
//!
//! `record!` declares a struct once; its encoding, the description in every file, and the search for numbers
//! that are not finite are derived from that declaration.

/// A field of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// Name of the field in the struct and in exports.
    pub(crate) name: &'static str,
    /// Lines of its doc comment.
    pub(crate) doc: &'static [&'static str],
    /// Unit of its numbers; `None` for strings, flags and records. If each number has its own unit, the name of the
    /// header's list of units.
    pub(crate) unit: Option<&'static str>,
    /// Type and number of its items.
    pub(crate) kind: FieldKind,
}

impl Field {
    /// Its doc comment as one line.
    pub(crate) fn sentence(&self) -> String {
        self.doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }
}

/// Type of a field's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldKind {
    /// Type of each item.
    pub(crate) item: Item,
    /// How many items there are.
    pub(crate) count: Count,
}

/// Type of an item of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item {
    /// A 64-bit floating-point number.
    Float,
    /// A 64-bit whole number that is not negative.
    Long,
    /// A 32-bit whole number that is not negative.
    Whole,
    /// True or false.
    Flag,
    /// UTF-8 text.
    Text,
    /// A nested record.
    Record(&'static Description),
}

/// How many items a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// One item.
    One,
    /// This many items.
    Exactly(usize),
    /// Any number of items, which is stored before them.
    Any,
}

/// A kind of record.
#[derive(Debug)]
pub(crate) struct Description {
    /// Name of the record type.
    pub(crate) name: &'static str,
    /// Lines of its documentation.
    pub(crate) doc: &'static [&'static str],
    /// Its fields, in the order in which they are written.
    pub(crate) fields: &'static [Field],
}

/// Receives the numbers, strings and flags of a value, in order.
pub(crate) trait Sink {
    /// Receives floating-point numbers.
    fn floats(&mut self, values: &[f64]);
    /// Receives a missing number.
    fn no_float(&mut self);
    /// Receives a 64-bit whole number.
    fn long(&mut self, value: u64);
    /// Receives a 32-bit whole number.
    fn whole(&mut self, value: u32);
    /// Receives a flag.
    fn flag(&mut self, value: bool);
    /// Receives a string.
    fn text(&mut self, value: &str);
    /// Receives the number of items that follow.
    fn count(&mut self, count: usize);
}

/// The reverse of a [`Sink`]; methods return `None` if the bytes are invalid.
pub(crate) trait Supply {
    /// The next floating-point number.
    fn float(&mut self) -> Option<f64>;
    /// The next 64-bit whole number.
    fn long(&mut self) -> Option<u64>;
    /// The next 32-bit whole number.
    fn whole(&mut self) -> Option<u32>;
    /// The next flag.
    fn flag(&mut self) -> Option<bool>;
    /// The next string.
    fn text(&mut self) -> Option<&str>;
    /// The number of items that follow: at most the number of bytes left.
    fn count(&mut self) -> Option<usize>;
    /// Indices of the fields of the record that follow in the bytes, in order.
    fn fields(&self, record: &Description) -> Option<std::rc::Rc<[usize]>>;
}

/// A type that a field of a record can have.
pub(crate) trait FieldValue: Sized {
    /// Type and number of items of a field with this value.
    const KIND: FieldKind;
    /// Passes the value to `sink`.
    fn give(&self, sink: &mut impl Sink);
    /// Reads the value from `supply`; `None` if the bytes are invalid.
    fn take(supply: &mut impl Supply) -> Option<Self>;
}

/// A struct that `record!` declared.
pub(crate) trait Record: Default {
    /// Name, documentation and fields of the record.
    const DESCRIPTION: &'static Description;
    /// Passes all fields to `sink`, in order.
    fn give_all(&self, sink: &mut impl Sink);
    /// Passes the field of index `field` to `sink`.
    fn give_field(&self, field: usize, sink: &mut impl Sink);
    /// Reads the field of index `field` from `supply`; `None` if the bytes are invalid.
    fn take_field(&mut self, field: usize, supply: &mut impl Supply) -> Option<()>;
}

impl<R: Record> FieldValue for R {
    const KIND: FieldKind = FieldKind { item: Item::Record(R::DESCRIPTION), count: Count::One };

    fn give(&self, sink: &mut impl Sink) {
        self.give_all(sink);
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        let mut record = R::default();
        for field in supply.fields(R::DESCRIPTION)?.iter() {
            record.take_field(*field, supply)?;
        }
        Some(record)
    }
}

/// Declares structs of a trace: each field with its doc comment, its type and, in brackets, its unit.
macro_rules! record {
    ($(
        $(#[doc = $doc:literal])+
        $(pub)? struct $name:ident {
            $( $(#[doc = $field_doc:literal])+ pub $field:ident: $type:ty $([$unit:literal])?, )+
        }
    )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
            #[serde(default)]
            pub struct $name {
                $( $(#[doc = $field_doc])+ $(#[doc = concat!("\n\nUnit: ", $unit, ".")])? pub $field: $type, )+
            }
        )+
        $crate::field::describe! {$(
            $(#[doc = $doc])+
            struct $name {
                $( $(#[doc = $field_doc])+ pub $field: $type $([$unit])?, )+
            }
        )+}
    };
}
pub(super) use record;

/// Implements the record trait for structs that are declared elsewhere, with the syntax of `record!`.
macro_rules! describe {
    ($(
        $(#[doc = $doc:literal])+
        struct $name:ident {
            $( $(#[doc = $field_doc:literal])+ pub $field:ident: $type:ty $([$unit:literal])?, )+
        }
    )+) => {$(
        impl $crate::field::Record for $name {
            const DESCRIPTION: &'static $crate::field::Description = &$crate::field::Description {
                name: stringify!($name),
                doc: &[$($doc),+],
                fields: &[$($crate::field::Field {
                    name: stringify!($field),
                    doc: &[$($field_doc),+],
                    unit: $crate::field::unit([$($unit)?]),
                    kind: <$type as $crate::field::FieldValue>::KIND,
                }),+],
            };

            fn give_all(&self, sink: &mut impl $crate::field::Sink) {
                $( $crate::field::FieldValue::give(&self.$field, sink); )+
            }

            fn give_field(&self, field: usize, sink: &mut impl $crate::field::Sink) {
                let mut index = 0;
                $(
                    if field == index {
                        return $crate::field::FieldValue::give(&self.$field, sink);
                    }
                    index += 1;
                )+
                let _ = index;
            }

            fn take_field(&mut self, field: usize, supply: &mut impl $crate::field::Supply) -> Option<()> {
                let mut index = 0;
                $(
                    if field == index {
                        self.$field = $crate::field::FieldValue::take(supply)?;
                        return Some(());
                    }
                    index += 1;
                )+
                let _ = index;
                None
            }
        }
    )+};
}
pub(super) use describe;

/// The unit; `None` if none is given.
pub(crate) const fn unit<const N: usize>(given: [&'static str; N]) -> Option<&'static str> {
    if N == 0 { None } else { Some(given[0]) }
}

impl FieldKind {
    const fn one(item: Item) -> Self {
        FieldKind { item, count: Count::One }
    }

    const fn list(self) -> Self {
        FieldKind { item: self.item, count: Count::Any }
    }
}

macro_rules! plain {
    ($($type:ty: $item:ident, |$value:ident, $sink:ident| $give:expr, |$supply:ident| $take:expr;)+) => {$(
        impl FieldValue for $type {
            const KIND: FieldKind = FieldKind::one(Item::$item);

            fn give(&self, $sink: &mut impl Sink) {
                let $value = self;
                $give
            }

            fn take($supply: &mut impl Supply) -> Option<Self> {
                $take
            }
        }

        impl FieldValue for Vec<$type> {
            const KIND: FieldKind = FieldKind::one(Item::$item).list();

            fn give(&self, sink: &mut impl Sink) {
                give_list(self, sink);
            }

            fn take(supply: &mut impl Supply) -> Option<Self> {
                take_list(supply)
            }
        }
    )+};
}

plain! {
    u64: Long, |value, sink| sink.long(*value), |supply| supply.long();
    u32: Whole, |value, sink| sink.whole(*value), |supply| supply.whole();
    usize: Whole, |value, sink| sink.whole(u32::try_from(*value).unwrap_or(u32::MAX)),
        |supply| supply.whole().map(|value| value as usize);
    bool: Flag, |value, sink| sink.flag(*value), |supply| supply.flag();
    String: Text, |value, sink| sink.text(value), |supply| supply.text().map(str::to_owned);
    // A missing number is stored as NaN, which no other number of a trace can be.
    Option<f64>: Float, |value, sink| match value {
            Some(value) => sink.floats(&[*value]),
            None => sink.no_float(),
        },
        |supply| supply.float().map(|value| (!value.is_nan()).then_some(value));
}

pub(super) fn give_list(list: &[impl FieldValue], sink: &mut impl Sink) {
    sink.count(list.len());
    list.iter().for_each(|value| value.give(sink));
}

fn take_list<T: FieldValue>(supply: &mut impl Supply) -> Option<Vec<T>> {
    (0..supply.count()?).map(|_| T::take(supply)).collect()
}

impl FieldValue for f64 {
    const KIND: FieldKind = FieldKind::one(Item::Float);

    fn give(&self, sink: &mut impl Sink) {
        sink.floats(&[*self]);
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        supply.float()
    }
}

impl FieldValue for Vec<f64> {
    const KIND: FieldKind = f64::KIND.list();

    fn give(&self, sink: &mut impl Sink) {
        sink.count(self.len());
        sink.floats(self);
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        take_list(supply)
    }
}

impl<const N: usize> FieldValue for [f64; N] {
    const KIND: FieldKind = FieldKind { item: Item::Float, count: Count::Exactly(N) };

    fn give(&self, sink: &mut impl Sink) {
        sink.floats(self);
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = supply.float()?;
        }
        Some(numbers)
    }
}

/// A point that may be missing is stored as a list of two numbers or none.
impl FieldValue for Option<[f64; 2]> {
    const KIND: FieldKind = f64::KIND.list();

    fn give(&self, sink: &mut impl Sink) {
        let numbers = self.as_ref().map_or(&[][..], |point| &point[..]);
        sink.count(numbers.len());
        sink.floats(numbers);
    }

    fn take(supply: &mut impl Supply) -> Option<Self> {
        match supply.count()? {
            0 => Some(None),
            2 => FieldValue::take(supply).map(Some),
            _ => None,
        }
    }
}

/// Lists of vectors; an item is a record, because few formats have lists of lists.
macro_rules! vectors {
    ($($length:literal: $name:literal, $($axis:literal)+;)+) => {$(
        impl FieldValue for Vec<[f64; $length]> {
            const KIND: FieldKind = FieldKind::one(Item::Record(&Description {
                name: $name,
                doc: &[],
                fields: &[$(Field { name: $axis, doc: &[], unit: None, kind: f64::KIND }),+],
            })).list();

            fn give(&self, sink: &mut impl Sink) {
                sink.count(self.len());
                sink.floats(self.as_flattened());
            }

            fn take(supply: &mut impl Supply) -> Option<Self> {
                (0..supply.count()?).map(|_| FieldValue::take(supply)).collect()
            }
        }
    )+};
}

vectors! {
    2: "Vector2", "x" "y";
    3: "Vector3", "x" "y" "z";
    4: "Quaternion", "w" "x" "y" "z";
}

/// Lists of records.
macro_rules! lists {
    ($($record:ty),+) => {$(
        impl $crate::field::FieldValue for Vec<$record> {
            const KIND: $crate::field::FieldKind = $crate::field::FieldKind {
                item: <$record as $crate::field::FieldValue>::KIND.item,
                count: $crate::field::Count::Any,
            };

            fn give(&self, sink: &mut impl $crate::field::Sink) {
                sink.count(self.len());
                self.iter().for_each(|record| $crate::field::FieldValue::give(record, sink));
            }

            fn take(supply: &mut impl $crate::field::Supply) -> Option<Self> {
                (0..supply.count()?).map(|_| $crate::field::FieldValue::take(supply)).collect()
            }
        }
    )+};
}
pub(super) use lists;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    fn check(record: &Description) {
        assert!(!record.doc.is_empty(), "{}", record.name);
        for field in record.fields {
            let name = format!("{}.{}", record.name, field.name);
            assert!(field.sentence().ends_with('.'), "{name} says no sentence");
            let vectors = matches!(field.kind.item, Item::Record(inner) if inner.doc.is_empty());
            let has_numbers = vectors || matches!(field.kind.item, Item::Float | Item::Long | Item::Whole);
            assert_eq!(field.unit.is_some(), has_numbers, "unit of {name}");
            match field.kind.item {
                Item::Record(inner) if !vectors => check(inner),
                _ => {}
            }
        }
    }

    #[test]
    fn every_field_of_a_frame_says_what_it_is_and_in_which_unit() {
        check(Frame::DESCRIPTION);
    }
}
