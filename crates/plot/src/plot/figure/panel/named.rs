//! Selection of the channels of a panel that have a colour and a name, if a key of all would be too long.

use super::binder::{PanelBinder, label, matches};
use crate::plot::figure::layer::Series;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use std::collections::BTreeMap;

/// Largest number of channels that a panel names.
const MOST: usize = 24;

/// How a panel chooses the channels that it names.
pub(super) struct NamedChannels<'a> {
    /// The names and patterns of the file.
    pub channels: &'a [Spanned<String>],
    /// Number of named channels; `None`: all.
    pub count: Option<&'a Spanned<usize>>,
    /// Pattern of the channels by whose values they are ranked; `None`: their own.
    pub ranked_by: Option<&'a Spanned<String>>,
    /// Text in the key instead of the name.
    pub labels: &'a BTreeMap<Spanned<String>, String>,
}

/// The channels of a panel.
pub(super) struct Chosen {
    /// Channels with a name, in the order of the trace, each with its text in the key.
    pub named: Vec<(Series, String)>,
    /// The other channels.
    pub others: Vec<Series>,
}

impl NamedChannels<'_> {
    /// # Errors
    /// If the count is out of range, `ranked_by` is given without it, or a pattern does not have exactly one `*`.
    pub(super) fn check(&self, source: &Source) -> Result<(), FileError> {
        if let Some(count) = self.count.filter(|count| !(1..=MOST).contains(count.get_ref())) {
            return Err(FileError::new(
                source,
                count.span(),
                format!("a panel names between 1 and {MOST} channels"),
            ));
        }
        let Some(ranked_by) = self.ranked_by else { return Ok(()) };
        if self.count.is_none() {
            let message = "`ranked_by` chooses the `count` channels that are named, which is not given";
            return Err(FileError::new(source, ranked_by.span(), message).help("for example count = 10"));
        }
        let stars = |pattern: &str| pattern.matches('*').count();
        let unclear =
            std::iter::once(ranked_by).chain(self.channels).find(|pattern| stars(pattern.get_ref()) != 1);
        unclear.map_or(Ok(()), |pattern| {
            let message = "with `ranked_by`, each pattern has one `*`";
            let help = "`weight.*` ranked by `cost.*`: what `*` stands for is the same in both";
            Err(FileError::new(source, pattern.span(), message).help(help))
        })
    }

    /// Divides the channels `names` into named ones and others. A single other channel is named too.
    pub(super) fn choose(&self, binder: &PanelBinder<'_>, names: &[&str]) -> Chosen {
        let count = self.count.map_or(names.len(), |count| *count.get_ref());
        let mut ranked: Vec<usize> = (0..names.len()).collect();
        if count + 1 < names.len() {
            let peaks: Vec<f64> = names.iter().map(|name| self.peak(binder, name)).collect();
            ranked.sort_by(|&a, &b| peaks[b].total_cmp(&peaks[a]).then(a.cmp(&b)));
            ranked.truncate(count);
        }
        let (mut named, mut others) = (Vec::new(), Vec::new());
        for (index, name) in names.iter().enumerate() {
            match ranked.contains(&index) {
                true => named.push((binder.series(name), label(name, self.channels, self.labels))),
                false => others.push(binder.series(name)),
            }
        }
        Chosen { named, others }
    }

    /// The largest magnitude of the channel that ranks `name`.
    fn peak(&self, binder: &PanelBinder<'_>, name: &str) -> f64 {
        let ranking = self.ranked_by.and_then(|by| {
            let pattern = self.channels.iter().find(|pattern| matches(pattern.get_ref(), name))?;
            let (head, tail) = pattern.get_ref().split_once('*')?;
            Some(by.get_ref().replace('*', name.strip_prefix(head)?.strip_suffix(tail)?))
        });
        binder.peak(ranking.as_deref().unwrap_or(name))
    }
}
