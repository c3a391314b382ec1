//! Rates as JUnit XML: one suite per scene, a test for the promised rate and one for each criterion.

use super::{ExperimentResult, text};
use crate::analysis::trials::RateVerdict;
use std::fmt::Write;

/// All suites in one document. Only a promised rate that is missed is a failure.
pub(super) fn suites(all: &[ExperimentResult]) -> String {
    let missed = |tried: &&ExperimentResult| tried.report.verdict == Some(RateVerdict::Missed);
    let tests: usize = all.iter().map(|tried| 1 + tried.report.criteria.len()).sum();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let failures = all.iter().filter(missed).count();
    let _ = writeln!(xml, "<testsuites name=\"aplomb test\" tests=\"{tests}\" failures=\"{failures}\">");
    for tried in all {
        suite(&mut xml, tried, missed(&tried));
    }
    xml + "</testsuites>\n"
}

fn suite(xml: &mut String, tried: &ExperimentResult, is_missed: bool) {
    let report = &tried.report;
    let scene = escaped(&report.scene);
    let (tests, failures) = (1 + report.criteria.len(), usize::from(is_missed));
    let _ = writeln!(xml, "  <testsuite name=\"{scene}\" tests=\"{tests}\" failures=\"{failures}\">");
    let rate = escaped(&text::rate(&report.all));
    let _ = writeln!(xml, "    <testcase classname=\"{scene}\" name=\"promised rate\">");
    if is_missed {
        let promised = report.promised.map(text::percent).unwrap_or_default();
        let _ = writeln!(xml, "      <failure message=\"{rate}; promised: {promised}\"/>");
    }
    let said = escaped(&text::report(tried));
    let _ = writeln!(xml, "      <system-out>{said}</system-out>\n    </testcase>");
    for criterion in &report.criteria {
        let (name, rate) = (escaped(&criterion.name), escaped(&text::rate(&criterion.rate)));
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{scene}\" name=\"{name}\"><system-out>{rate}</system-out></testcase>"
        );
    }
    xml.push_str("  </testsuite>\n");
}

/// Escapes text for XML, and removes characters that XML does not allow.
fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => made += "&amp;",
            '<' => made += "&lt;",
            '>' => made += "&gt;",
            '"' => made += "&quot;",
            '\n' | '\t' => made.push(character),
            control if control.is_control() => made.push('\u{fffd}'),
            other => made.push(other),
        }
    }
    made
}
