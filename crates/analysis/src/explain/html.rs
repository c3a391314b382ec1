//! A page as standalone HTML, with pictures of the time around a moment.

use super::page::{Page, SectionItem, of_numbers};
use aplomb_language::files::{self, Folder};
use aplomb_plot::plot::figure::{self, PlotSpec};
use aplomb_plot::plot::strip::strip_of;
use aplomb_plot::plot::{Moments, PlotError};
use aplomb_trace::{Frame, Trace};

/// Time before and after the moment that pictures show, s.
const AROUND: [f64; 2] = [0.3, 0.8];
/// Number of poses in the strip.
const MOMENTS: usize = 6;
/// Plots that are shown, by name.
const PLOTS: [&str; 2] = ["balance", "torques"];

const STYLE: &str = "\
body{font:16px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #ccc}\
.answer{font-size:1.1rem;background:#f3f4f6;padding:.8rem 1rem;border-radius:.4rem}\
table{border-collapse:collapse}td,th{padding:.15rem .6rem;text-align:left}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
pre{background:#f3f4f6;padding:.6rem .8rem;overflow-x:auto;border-radius:.3rem}code{background:#f3f4f6}\
svg{max-width:100%;height:auto}figure{margin:1rem 0}figcaption{color:#555;font-size:.9rem}";

/// A page as HTML; with a trace, with its pictures around the moment, s.
///
/// # Errors
/// If a picture cannot be drawn.
pub fn html(page: &Page, trace: Option<(&Trace, f64)>) -> Result<String, PlotError> {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{plain}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n<p class=\"answer\">{answer}</p>\n",
        plain = escaped_text(&page.title.replace('`', "")),
        title = escaped(&page.title),
        answer = escaped(&page.answer)
    );
    if let Some((trace, moment)) = trace {
        text += &pictures(trace, moment)?;
    }
    for section in &page.sections {
        text += &format!("<h2>{}</h2>\n", escaped(&section.heading));
        for item in &section.items {
            match item {
                SectionItem::Text(words) => text += &format!("<p>{}</p>\n", escaped(words)),
                SectionItem::List(points) => {
                    let points: String =
                        points.iter().map(|point| format!("<li>{}</li>", escaped(point))).collect();
                    text += &format!("<ul>{points}</ul>\n");
                }
                SectionItem::Table { about, head, rows } => {
                    let numbers = of_numbers(head.len(), rows);
                    let line = |cells: &[String], tag: &str| {
                        let cell = |(cell, is_number): (&String, &bool)| {
                            let class = if *is_number { " class=\"n\"" } else { "" };
                            format!("<{tag}{class}>{}</{tag}>", escaped(cell))
                        };
                        format!("<tr>{}</tr>\n", cells.iter().zip(&numbers).map(cell).collect::<String>())
                    };
                    let rows: String = rows.iter().map(|row| line(row, "td")).collect();
                    text +=
                        &format!("<p>{}:</p>\n<table>\n{}{rows}</table>\n", escaped(about), line(head, "th"));
                }
                SectionItem::Command { about, command } => {
                    text += &format!("<p>{}</p>\n<pre>{}</pre>\n", escaped(about), escaped_text(command));
                }
            }
        }
    }
    text += "</body></html>\n";
    Ok(text)
}

fn pictures(trace: &Trace, moment: f64) -> Result<String, PlotError> {
    let near = |frame: &&Frame| (moment - AROUND[0]..=moment + AROUND[1]).contains(&frame.time);
    let frames: Vec<Frame> = trace.frames.iter().filter(near).cloned().collect();
    if frames.len() < 2 {
        return Ok(String::new());
    }
    let around = Trace { header: trace.header.clone(), frames, parts: Vec::new(), torn: None };
    let strip = strip_of(&around, &Moments::Even(MOMENTS))?.svg()?;
    let mut text = shown(&strip, "The body around the moment, with the forces on it");
    for name in PLOTS {
        let Ok(found) = files::find_shipped(Folder::Plots, name) else { continue };
        let Ok(plot) = PlotSpec::read(&found.source) else { continue };
        let drawn = figure::draw(&around, &plot)?;
        text += &shown(&drawn.picture.svg()?, &format!("The plot `{name}` around the moment"));
    }
    Ok(text)
}

/// A picture embedded in the page: without the prologue of a standalone SVG file.
fn shown(svg: &str, caption: &str) -> String {
    let inline = svg.find("<svg").map_or(svg, |start| &svg[start..]);
    format!("<figure>{inline}<figcaption>{}</figcaption></figure>\n", escaped(caption))
}

/// Escapes text for HTML, and puts the parts in backticks into `code` elements.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(k, part)| match k % 2 {
        0 => escaped_text(part),
        _ => format!("<code>{}</code>", escaped_text(part)),
    });
    parts.collect()
}

fn escaped_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
