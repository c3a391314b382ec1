//! The message of the header, each text with its hash.

use super::validate;
use crate::Header;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The message that makes a trace self-contained.
#[derive(Serialize, Deserialize)]
struct HeaderMessage {
    format: u64,
    header: Value,
}

/// Encodes the header's message, with hashes of its texts.
pub(super) fn encode(format: u64, header: &Header, out: &mut Vec<u8>) -> serde_json::Result<()> {
    let mut value = serde_json::to_value(header)?;
    for (entry, text) in texts(&mut value).iter_mut().zip(&header.texts) {
        entry["sha256"] = Value::String(sha256(&text.text));
    }
    serde_json::to_writer(out, &HeaderMessage { format, header: value })
}

/// Why a header's message cannot be used.
#[derive(Debug, PartialEq)]
pub(super) enum Refused {
    /// The file has another format version.
    Format(u64),
    Damaged(String),
}

/// Reads the header's message, which must be of the format `known`.
pub(super) fn decode(data: &[u8], known: u64) -> Result<Header, Refused> {
    let damaged = |error: &dyn std::fmt::Display| Refused::Damaged(format!("the header: {error}"));
    let HeaderMessage { format, mut header } =
        serde_json::from_slice(data).map_err(|error| damaged(&error))?;
    if format != known {
        return Err(Refused::Format(format));
    }
    let hashes: Vec<Value> = texts(&mut header).iter().map(|entry| entry["sha256"].clone()).collect();
    let header: Header = serde_json::from_value(header).map_err(|error| damaged(&error))?;
    validate::header(&header).map_err(|error| damaged(&error))?;
    for (text, hash) in header.texts.iter().zip(hashes) {
        if hash != sha256(&text.text) {
            return Err(Refused::Damaged(format!("the text of {} does not match its SHA-256", text.name)));
        }
    }
    Ok(header)
}

fn texts(header: &mut Value) -> &mut [Value] {
    header.get_mut("texts").and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}

/// SHA-256 of the text's UTF-8 bytes, 64 lower-case hexadecimal digits.
pub(super) fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn message() -> String {
        let mut bytes = Vec::new();
        encode(1, &example::header(), &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_header_comes_back_from_its_message() {
        assert_eq!(decode(message().as_bytes(), 1), Ok(example::header()));
        assert_eq!(decode(message().as_bytes(), 2), Err(Refused::Format(1)));
    }

    #[test]
    fn a_text_that_was_changed_is_noticed() {
        let changed =
            message().replace("A foot is pushed", "A foot is pulled").replace("dt = 0.01", "dt = 0.02");
        let said = "the text of hop.toml does not match its SHA-256".into();
        assert_eq!(decode(changed.as_bytes(), 1), Err(Refused::Damaged(said)));
    }
}
