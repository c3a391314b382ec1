//! The tuned files: the original texts with other numbers; everything else, including comments, is unchanged.

use super::problem::Problem;
use aplomb_language::diagnostic::Source;
use std::fmt::Write;
use std::ops::Range;

/// Number of lines before and after a change that a diff shows.
const AROUND: usize = 3;

/// A file with other numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TunedFile {
    /// File name without folders, with its extension.
    pub name: String,
    /// New text.
    pub text: String,
    /// The change as a unified diff.
    pub diff: String,
}

/// The output for a set of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuned {
    /// Changed files, in the order of the variables.
    pub files: Vec<TunedFile>,
    /// `PATH=VALUE` of values that no file contains, such as defaults.
    pub unwritten: Vec<String>,
}

struct Edits {
    source: Source,
    edits: Vec<(Range<usize>, String)>,
}

/// The files with these values.
pub fn tuned(problem: &Problem, values: &[f64]) -> Tuned {
    let mut files: Vec<Edits> = Vec::new();
    let mut unwritten: Vec<String> = Vec::new();
    for scene in &problem.scenes {
        for (variable, value) in problem.variables.iter().zip(values) {
            let place = variable.item(*value).ok().and_then(|item| scene.files.written(&item));
            let Some((source, span)) = place else {
                let set = variable.set(*value);
                if !unwritten.contains(&set) {
                    unwritten.push(set);
                }
                continue;
            };
            let is_same = |file: &Edits| {
                let other = &file.source;
                other.name == source.name && other.path == source.path && other.text == source.text
            };
            let index = files.iter().position(is_same).unwrap_or_else(|| {
                files.push(Edits { source, edits: Vec::new() });
                files.len() - 1
            });
            let Edits { source, edits } = &mut files[index];
            let says_so = source.text.get(span.clone()).is_some_and(|text| text.parse() == Ok(*value));
            if !says_so && edits.iter().all(|(known, _)| *known != span) {
                edits.push((span, format!("{value:?}")));
            }
        }
    }
    let mut names: Vec<String> = Vec::new();
    let mut changed = Vec::new();
    for Edits { source, mut edits } in files.into_iter().filter(|file| !file.edits.is_empty()) {
        edits.sort_by_key(|(span, _)| span.start);
        let stem = source.name.rsplit(['/', '\\']).next().unwrap_or(&source.name).trim_end_matches(".toml");
        let mut name = format!("{stem}.toml");
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{stem}-{number}.toml");
            number += 1;
        }
        names.push(name.clone());
        let diff = diff(&name, &source.text, &edits);
        changed.push(TunedFile { name, text: replaced(&source.text, 0..source.text.len(), &edits), diff });
    }
    Tuned { files: changed, unwritten }
}

/// A range of the text with its edits applied.
fn replaced(text: &str, stretch: Range<usize>, edits: &[(Range<usize>, String)]) -> String {
    let mut made = String::new();
    let mut from = stretch.start;
    for (span, value) in edits.iter().filter(|(span, _)| stretch.contains(&span.start)) {
        made += &text[from..span.start];
        made += value;
        from = span.end;
    }
    made + &text[from..stretch.end]
}

/// Unified diff: the changes with a few lines around them.
fn diff(name: &str, text: &str, edits: &[(Range<usize>, String)]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut starts = vec![0];
    for line in &lines {
        starts.push(starts.last().copied().unwrap_or(0) + line.len());
    }
    let line_of = |offset: usize| starts.partition_point(|start| *start <= offset) - 1;
    // Changed lines; adjacent ones are merged.
    let mut changes: Vec<Range<usize>> = Vec::new();
    for (span, _) in edits {
        let lines = line_of(span.start)..line_of(span.end.max(span.start + 1) - 1) + 1;
        match changes.last_mut() {
            Some(last) if lines.start <= last.end => last.end = last.end.max(lines.end),
            _ => changes.push(lines),
        }
    }
    let mut made = format!("--- a/{name}\n+++ b/{name}\n");
    let mut grown: isize = 0;
    let mut rest = changes.as_slice();
    while !rest.is_empty() {
        let near = rest.windows(2).take_while(|pair| pair[1].start <= pair[0].end + 2 * AROUND).count();
        let (hunk, after) = rest.split_at(near + 1);
        rest = after;
        let from = hunk[0].start.saturating_sub(AROUND);
        let to = (hunk[near].end + AROUND).min(lines.len());
        let (mut body, mut at, mut new_lines) = (String::new(), from, 0);
        for change in hunk {
            lines[at..change.start].iter().for_each(|line| put(&mut body, ' ', line));
            lines[change.clone()].iter().for_each(|line| put(&mut body, '-', line));
            let new = replaced(text, starts[change.start]..starts[change.end], edits);
            new.split_inclusive('\n').for_each(|line| put(&mut body, '+', line));
            new_lines += change.start - at + new.split_inclusive('\n').count();
            at = change.end;
        }
        lines[at..to].iter().for_each(|line| put(&mut body, ' ', line));
        new_lines += to - at;
        let begins = (from as isize + 1 + grown).max(1);
        // Writing to a string cannot fail.
        let _ = writeln!(made, "@@ -{},{} +{begins},{new_lines} @@", from + 1, to - from);
        made += &body;
        grown += new_lines as isize - (to - from) as isize;
    }
    made
}

/// Adds a line of a hunk.
fn put(body: &mut String, mark: char, line: &str) {
    body.push(mark);
    body.push_str(line);
    if !line.ends_with('\n') {
        body.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_the_lines_that_change_with_three_around_them_and_comments_stay() {
        let text =
            (1..=30).fold(String::new(), |text, line| text + &format!("key{line} = {line}.5 # of {line}\n"));
        let place = |line: usize| {
            let at = text.find(&format!("key{line} ")).unwrap() + format!("key{line} = ").len();
            at..at + format!("{line}.5").len()
        };
        let edits = [(place(2), "7.0".to_string()), (place(8), "8.25".into()), (place(25), "1e-3".into())];
        let diff = diff("a.toml", &text, &edits);
        assert!(
            diff.starts_with("--- a/a.toml\n+++ b/a.toml\n@@ -1,11 +1,11 @@\n key1 = 1.5 # of 1\n-key2"),
            "{diff}"
        );
        assert!(diff.contains("\n-key2 = 2.5 # of 2\n+key2 = 7.0 # of 2\n"), "{diff}");
        assert!(diff.contains("\n@@ -22,7 +22,7 @@\n key22 "), "{diff}");
        assert_eq!(diff.matches('\n').count(), 2 + 1 + 13 + 1 + 8);
        let whole = replaced(&text, 0..text.len(), &edits);
        assert!(whole.contains("key8 = 8.25 # of 8\n") && whole.ends_with("key30 = 30.5 # of 30\n"));
    }
}
