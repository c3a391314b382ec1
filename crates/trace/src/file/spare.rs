//! The header a second time, outside of any chunk: the data that would be lost with a damaged first chunk.

use mcap::records::Metadata;
use std::collections::BTreeMap;

/// Name of the metadata record.
pub(super) const NAME: &str = "aplomb.header";

const HEADER: &str = "header";
const SCHEMA: &str = "frame schema";
const CHANNEL: &str = "frame channel";
const CHECKSUM: &str = "crc32";

/// Data needed to read frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spare<'a> {
    /// The message of the header.
    pub header: &'a str,
    /// Definition of the frames' messages.
    pub schema: &'a str,
    /// Number of the channel that frames are on.
    pub channel: u16,
}

impl<'a> Spare<'a> {
    /// The record in a file.
    pub(super) fn to_record(self) -> Metadata {
        let entries = [
            (HEADER, self.header.to_string()),
            (SCHEMA, self.schema.to_string()),
            (CHANNEL, self.channel.to_string()),
            (CHECKSUM, self.checksum().to_string()),
        ];
        let metadata = entries.into_iter().map(|(key, text)| (key.to_string(), text));
        Metadata { name: NAME.into(), metadata: metadata.collect::<BTreeMap<_, _>>() }
    }

    /// The values of the entries of a record; `None` if they do not match their checksum.
    pub(super) fn of_record(entries: &[(&'a str, &'a str)]) -> Option<Self> {
        let entry = |name: &str| Some(entries.iter().find(|(key, _)| *key == name)?.1);
        let spare =
            Spare { header: entry(HEADER)?, schema: entry(SCHEMA)?, channel: entry(CHANNEL)?.parse().ok()? };
        (entry(CHECKSUM)?.parse() == Ok(spare.checksum())).then_some(spare)
    }

    fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(self.header.as_bytes());
        hasher.update(self.schema.as_bytes());
        hasher.update(&self.channel.to_le_bytes());
        hasher.finalize()
    }
}
