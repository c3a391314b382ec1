//! A page as Markdown.

use super::page::{Page, SectionItem, of_numbers};

/// A page as Markdown; code in it is in backticks already.
pub fn markdown(page: &Page) -> String {
    let mut text = format!("# {}\n\n{}\n", escaped(&page.title), escaped(&page.answer));
    for section in &page.sections {
        text += &format!("\n## {}\n\n", section.heading);
        for (place, item) in section.items.iter().enumerate() {
            if place > 0 && !text.ends_with("\n\n") {
                text.push('\n');
            }
            match item {
                SectionItem::Text(words) => text += &format!("{}\n", escaped(words)),
                SectionItem::List(points) => {
                    points.iter().for_each(|point| text += &format!("* {}\n", escaped(point)));
                }
                SectionItem::Table { about, head, rows } => {
                    text += &format!("{}:\n\n", escaped(about));
                    let line = |cells: &[String]| {
                        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell.trim())).collect();
                        format!("| {} |\n", cells.join(" | "))
                    };
                    text += &line(head);
                    let rule = |is_number: &bool| if *is_number { "---:|" } else { "---|" };
                    let rules: String = of_numbers(head.len(), rows).iter().map(rule).collect();
                    text += &format!("|{rules}\n");
                    rows.iter().for_each(|row| text += &line(row));
                }
                SectionItem::Command { about, command } => {
                    text += &format!("{}:\n\n```sh\n{command}\n```\n", escaped(about));
                }
            }
        }
    }
    text
}

/// Escapes the special characters of Markdown outside backticks.
fn escaped(text: &str) -> String {
    let mut is_code = false;
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == '`' {
            is_code = !is_code;
        } else if !is_code && matches!(letter, '*' | '_' | '<' | '[' | '#') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
