//! A page as plain text.

use super::page::{Page, SectionItem, of_numbers};

/// Largest number of characters in a line.
const WIDTH: usize = 100;

/// A page as plain text; commands are on lines of their own, whatever their length.
pub fn text(page: &Page) -> String {
    let mut text = format!("{}\n\n", page.title);
    fold(&mut text, "", "", &page.answer);
    for section in &page.sections {
        text += &format!("\n{}\n", section.heading);
        for item in &section.items {
            match item {
                SectionItem::Text(words) => fold(&mut text, "  ", "  ", words),
                SectionItem::List(points) => {
                    points.iter().for_each(|point| fold(&mut text, "  - ", "    ", point))
                }
                SectionItem::Table { about, head, rows } => {
                    text += &format!("  {about}:\n");
                    table(&mut text, head, rows);
                }
                SectionItem::Command { about, command } => {
                    fold(&mut text, "  - ", "    ", about);
                    text += &format!("    {command}\n");
                }
            }
        }
    }
    text
}

/// Appends the rows of a table with aligned columns.
fn table(text: &mut String, head: &[String], rows: &[Vec<String>]) {
    let lines = || std::iter::once(head).chain(rows.iter().map(Vec::as_slice));
    let width =
        |column: usize| lines().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..head.len()).map(|column| width(column).unwrap_or(0)).collect();
    let numbers = of_numbers(head.len(), rows);
    for line in lines() {
        let cell = |((cell, width), is_number): ((&String, &usize), &bool)| match is_number {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        };
        let cells: Vec<String> = line.iter().zip(&widths).zip(&numbers).map(cell).collect();
        text.push_str(format!("    {}", cells.join("  ")).trim_end());
        text.push('\n');
    }
}

/// Appends words in lines of at most [`WIDTH`] characters, where words allow.
fn fold(text: &mut String, first: &str, others: &str, words: &str) {
    let mut line = first.to_string();
    let mut is_empty = true;
    for word in words.split_whitespace() {
        let length = line.chars().count() + usize::from(!is_empty) + word.chars().count();
        if !is_empty && length > WIDTH {
            text.push_str(line.trim_end());
            text.push('\n');
            line = others.to_string();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    text.push_str(line.trim_end());
    text.push('\n');
}
