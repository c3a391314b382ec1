use super::page::{Page, Section, SectionItem, page};
use super::{Evidence, Explanation, Rescue, TriedChange, Verdict, html, markdown, text};

/// A failed run about which nothing is known.
fn failed() -> Explanation {
    Explanation {
        character: None,
        scene: "s".into(),
        file: "s.toml".into(),
        title: "s".into(),
        command: "aplomb run s.toml".into(),
        overrides: Vec::new(),
        failed: true,
        verdict: Verdict::Fail,
        departs_at: None,
        cut_off: None,
        reason: None,
        evidence: Evidence::default(),
        kinds: Vec::new(),
        conflicts: Vec::new(),
        tried: Vec::new(),
        rescues: Vec::new(),
        changes: Vec::new(),
        factors_tried: 0,
        runs: 1,
        cut_short: false,
    }
}

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

#[test]
fn the_last_moment_that_saves_and_the_first_that_does_not_are_told_apart() {
    let told = |until, too_late| {
        let rescues =
            vec![Rescue { about: "without torque limits".into(), changes: Vec::new(), until, too_late }];
        let explained = Explanation { rescues, ..failed() };
        text(&page(&explained))
    };
    let near = told(Some(1.31), 1.314);
    assert!(near.contains("saved where that begins at 1.310 s, not at 1.314 s"), "{near}");
    let far = told(Some(1.3), 1.4);
    assert!(far.contains("saved where that begins at 1.30 s, not at 1.40 s"), "{far}");
}

#[test]
fn objectives_that_were_left_out_are_listed_together() {
    let tried = |without: &str, saves| TriedChange {
        about: format!("without the objective {without}"),
        without: Some(without.into()),
        saves,
        only_another_fails: false,
    };
    let tried = vec![tried("`a`", true), tried("`b`", true), tried("`c`", false)];
    let told = text(&page(&Explanation { tried, ..failed() }));
    assert!(told.contains("It does not fail without any one of the objectives `a`, `b`."), "{told}");
    assert!(told.contains("It still fails without the objective `c`."), "{told}");
}
