use super::page::{Page, Section, SectionItem};
use super::{html, markdown, text};

fn example() -> Page {
    Page {
        title: "Why it failed: a < b".into(),
        answer: "In state `take_step`: slipped.".into(),
        sections: vec![Section {
            heading: "What was seen".into(),
            items: vec![
                SectionItem::Text("word ".repeat(40)),
                SectionItem::List(vec!["a point".into()]),
                SectionItem::Command {
                    about: "Less".into(),
                    command: "aplomb run x --set 'a=[1, 2]'".into(),
                },
            ],
        }],
    }
}

#[test]
fn a_page_is_told_as_text_markdown_and_html() {
    let page = example();
    let plain = text(&page);
    assert!(plain.lines().all(|line| line.chars().count() <= 100), "{plain}");
    assert!(plain.contains("\n    aplomb run x --set 'a=[1, 2]'\n"), "{plain}");
    let marked = markdown(&page);
    assert!(marked.contains("# Why it failed: a \\< b\n"), "{marked}");
    assert!(marked.contains("In state `take_step`: slipped.") && marked.contains("* a point\n"), "{marked}");
    assert!(marked.contains("```sh\naplomb run x --set 'a=[1, 2]'\n```"), "{marked}");
    let page = html(&page, None).unwrap();
    assert!(page.contains("a &lt; b") && page.contains("<code>take_step</code>"), "{page}");
}
