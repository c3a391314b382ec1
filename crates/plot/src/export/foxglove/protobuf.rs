//! Messages in the wire format of protobuf, and the descriptions of them that the file contains.

/// An encoded message.
#[derive(Clone, Debug, Default)]
pub(super) struct EncodedMessage(pub Vec<u8>);

impl EncodedMessage {
    fn key(&mut self, number: u32, wire: u32) {
        self.raw(u64::from(number << 3 | wire));
    }

    /// Appends a number in groups of seven bits.
    fn raw(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Appends an integer, a flag or an enumerator.
    pub(super) fn whole(&mut self, number: u32, value: u64) {
        self.key(number, 0);
        self.raw(value);
    }

    pub(super) fn double(&mut self, number: u32, value: f64) {
        self.key(number, 1);
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn text(&mut self, number: u32, value: &str) {
        self.bytes(number, value.as_bytes());
    }

    pub(super) fn message(&mut self, number: u32, value: &EncodedMessage) {
        self.bytes(number, &value.0);
    }

    fn bytes(&mut self, number: u32, value: &[u8]) {
        self.key(number, 2);
        self.raw(value.len() as u64);
        self.0.extend(value);
    }

    /// A message of doubles in the fields 1, 2, …
    pub(super) fn of_doubles(values: &[f64]) -> EncodedMessage {
        let mut message = EncodedMessage::default();
        (1..).zip(values).for_each(|(number, value)| message.double(number, *value));
        message
    }
}

/// Type of a field, numbered as in descriptors.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldType {
    Double,
    Signed64,
    Signed32,
    Fixed32,
    Flag,
    Text,
    Bytes,
    /// A message by its full name.
    Message(&'static str),
    /// An enumeration by its full name.
    Choice(&'static str),
}

impl FieldType {
    fn number(self) -> u64 {
        match self {
            FieldType::Double => 1,
            FieldType::Signed64 => 3,
            FieldType::Signed32 => 5,
            FieldType::Fixed32 => 7,
            FieldType::Flag => 8,
            FieldType::Text => 9,
            FieldType::Message(_) => 11,
            FieldType::Bytes => 12,
            FieldType::Choice(_) => 14,
        }
    }
}

/// A field: number, name, type, and whether it is repeated.
pub(super) type FieldDescriptor = (u32, &'static str, FieldType, bool);

/// A kind of message: its name, its fields, and a nested enumeration with the names of its values.
pub(super) struct MessageDescriptor {
    pub name: &'static str,
    pub fields: &'static [FieldDescriptor],
    pub choice: Option<(&'static str, &'static [&'static str])>,
}

/// A descriptor of a file with these messages in proto3, which imports the files `imported`.
pub(super) fn file(
    name: &str,
    package: &str,
    imported: &[&str],
    kinds: &[MessageDescriptor],
) -> EncodedMessage {
    let mut file = EncodedMessage::default();
    file.text(1, name);
    file.text(2, package);
    imported.iter().for_each(|other| file.text(3, other));
    kinds.iter().for_each(|kind| file.message(4, &described(kind)));
    file.text(12, "proto3");
    file
}

fn described(kind: &MessageDescriptor) -> EncodedMessage {
    let mut message = EncodedMessage::default();
    message.text(1, kind.name);
    for (number, name, of, is_many) in kind.fields {
        let mut field = EncodedMessage::default();
        field.text(1, name);
        field.whole(3, u64::from(*number));
        field.whole(4, if *is_many { 3 } else { 1 });
        field.whole(5, of.number());
        if let FieldType::Message(name) | FieldType::Choice(name) = of {
            field.text(6, name);
        }
        message.message(2, &field);
    }
    if let Some((name, values)) = kind.choice {
        let mut choice = EncodedMessage::default();
        choice.text(1, name);
        for (number, value) in (0..).zip(values) {
            let mut entry = EncodedMessage::default();
            entry.text(1, value);
            entry.whole(2, number);
            choice.message(2, &entry);
        }
        message.message(4, &choice);
    }
    message
}
