use super::*;
use crate::plot::fixture;
use aplomb_language::diagnostic::Source;
use aplomb_trace::Contact;

fn plot(name: &str, text: &str) -> PlotSpec {
    PlotSpec::read(&Source::new(name, text)).unwrap_or_else(|error| panic!("{}: {error}", error.location()))
}

fn shipped() -> Vec<PlotSpec> {
    vec![
        plot("plots/costs.toml", include_str!("../../../../../plots/costs.toml")),
        plot("plots/contacts.toml", include_str!("../../../../../plots/contacts.toml")),
        plot("plots/balance.toml", include_str!("../../../../../plots/balance.toml")),
        plot("plots/torques.toml", include_str!("../../../../../plots/torques.toml")),
        plot("plots/tracking.toml", include_str!("../../../../../plots/tracking.toml")),
    ]
}

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let nodes = document.descendants().filter(|node| node.has_tag_name("text"));
    nodes.filter_map(|node| node.text()).map(|text| text.trim().to_string()).collect()
}

/// The column whose title starts with `title`, missing cells as `None`.
fn column(csv: &str, title: &str) -> Vec<Option<f64>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let titles = reader.headers().unwrap().clone();
    let at = titles.iter().position(|name| name.starts_with(title));
    let at = at.unwrap_or_else(|| panic!("no {title} in {titles:?}"));
    reader.records().map(|row| row.unwrap()[at].parse().ok()).collect()
}

fn lines(channels: &str) -> PlotSpec {
    plot(
        "mine.toml",
        &format!("title = \"Mine\"\n[[panels]]\nof = {{ lines = {{ channels = [{channels}] }} }}\n"),
    )
}

#[test]
fn the_shipped_figures_say_what_they_show() {
    let trace = fixture::trace(100);
    let expected: [(&str, &[&str]); 5] = [
        ("costs", &["Objective costs", "upright", "cost (dimensionless)", "sum"]),
        ("contacts", &["Contact forces", "normal contact force, N", "weight, 44 N", "limit", "other"]),
        ("balance", &["Balance", "x, m", "y, m", "capture point", "support polygon", "y (left), m"]),
        ("torques", &["Joint torques", "torque, N m", "knee (limits −100, 80)"]),
        (
            "tracking",
            &[
                "Targets of the ten objectives that cost most",
                "upright",
                "value, rad",
                "error, m",
                "target",
                "distance from target",
            ],
        ),
    ];
    for (plot, (name, wanted)) in shipped().iter().zip(expected) {
        assert_eq!(plot.name, name);
        let svg = draw(&trace, plot).unwrap().picture.svg().unwrap();
        let texts = texts(&svg);
        let everywhere = ["time, s", "balance", "fall", "push", "frames relaxed"];
        for text in wanted.iter().chain(&everywhere) {
            assert!(texts.iter().any(|there| there == text), "{name}: no «{text}» in {texts:?}");
        }
        assert!(texts.iter().any(|text| text.starts_with("A foot is pushed")), "{texts:?}");
    }
}

#[test]
fn figures_and_their_numbers_are_written_side_by_side() {
    let directory = tempfile::tempdir().unwrap();
    let files = render_all(&fixture::trace(30), &shipped()[..2], &directory.path().join("plots")).unwrap();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_string_lossy()).collect();
    assert_eq!(
        names,
        ["costs.svg", "costs.png", "costs.csv", "contacts.svg", "contacts.png", "contacts.csv"]
    );
    let svg = std::fs::read_to_string(&files[0]).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let png = std::fs::read(&files[1]).unwrap();
    for (at, side) in [(16, "width"), (20, "height")] {
        let size = u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!(document.root_element().attribute(side), Some(size.to_string().as_str()));
    }
}

#[test]
fn the_csv_holds_the_numbers_of_the_trace() {
    let trace = fixture::trace(40);
    let drawn = draw(&trace, &shipped()[2]).unwrap();
    let nanoseconds = |time: f64| (time * 1e9).round() / 1e9;
    let times: Vec<_> = trace.frames.iter().map(|frame| Some(nanoseconds(frame.time))).collect();
    assert_eq!(column(&drawn.csv, "time"), times);
    for (title, channel) in
        [("com.x [m]", "com.x"), ("cop.y [m]", "cop.y"), ("support_min.x", "support_min.x")]
    {
        assert_eq!(column(&drawn.csv, title), trace.series(channel).unwrap(), "{channel}");
    }
    assert_eq!(column(&drawn.csv, "cop.y").last(), Some(&None), "the last record has no forces");
}

#[test]
fn friction_use_of_a_group_is_the_sum_of_friction_over_the_sum_of_what_is_allowed() {
    let mut trace = fixture::trace(3);
    let one = trace.frames[0].contacts[0].clone();
    let on = |force| Contact { force, friction: 0.5, normal: [0.0, 0.0, 1.0], ..one.clone() };
    trace.frames[0].contacts = vec![on([3.0, 4.0, 30.0]), on([-5.0, 0.0, 10.0])];
    trace.frames[1].contacts = vec![on([0.0; 3])];
    let text = "title = \"t\"\n[[panels]]\nof.friction_use.groups = [{ name = \"foot\", members = [\"foot\"] }]\n\
                [[panels]]\nof.contact_force = {}\n";
    let csv = draw(&trace, &plot("f.toml", text)).unwrap().csv;
    assert_eq!(column(&csv, "friction use foot"), [Some(10.0 / 20.0), None]);
    assert_eq!(column(&csv, "normal force all"), [Some(40.0), Some(0.0)], "the last record has no forces");
}

#[test]
fn torque_use_is_over_the_limit_on_the_torques_side() {
    let mut trace = fixture::trace(3);
    trace.frames[0].torque[6] = 40.0;
    trace.frames[1].torque[6] = -25.0;
    let csv = draw(&trace, &shipped()[3]).unwrap().csv;
    assert_eq!(column(&csv, "largest torque over limit knees"), [Some(0.5), Some(0.25)]);
    assert_eq!(column(&csv, "torque.knee"), [Some(40.0), Some(-25.0)]);
}

#[test]
fn patterns_stand_for_channels_in_the_order_of_the_trace() {
    let csv = draw(&fixture::trace(3), &lines("\"com.*\", \"com.x\", \"no_such.*\"")).unwrap().csv;
    assert_eq!(csv.lines().next(), Some("time [s],com.x [m],com.y [m],com.z [m]"));
}

#[test]
fn a_channel_the_trace_lacks_is_shown_in_the_file_with_the_nearest_one() {
    let Err(PlotError::File(errors)) = draw(&fixture::trace(3), &lines("\"com.x\", \"capture_pont.x\""))
    else {
        panic!("must be refused")
    };
    let error = &errors[0];
    assert_eq!(error.location(), "mine.toml:3:39");
    assert_eq!(error.message, "the trace has no channel `capture_pont.x`");
    assert_eq!(error.help.as_deref(), Some("did you mean `capture_point.x`?"));
}

#[test]
fn a_body_the_trace_lacks_is_shown_in_the_file_with_the_nearest_one() {
    let text =
        "title = \"t\"\n[[panels]]\nof.contact_force.groups = [{ name = \"a\", members = [\"shinn\"] }]\n";
    let Err(PlotError::File(errors)) = draw(&fixture::trace(3), &plot("f.toml", text)) else {
        panic!("must be refused")
    };
    let error = &errors[0];
    assert_eq!(error.location(), "f.toml:3:53");
    assert_eq!(error.message, "the trace has no body `shinn`");
    assert_eq!(error.help.as_deref(), Some("did you mean `shin`?"));
}

#[test]
fn the_same_trace_gives_the_same_bytes() {
    for plot in shipped() {
        let twice = [0, 1].map(|_| draw(&fixture::trace(50), &plot).unwrap());
        assert_eq!(twice[0].picture.svg().unwrap(), twice[1].picture.svg().unwrap());
        assert_eq!(twice[0].picture.raster().unwrap(), twice[1].picture.raster().unwrap());
        assert_eq!(twice[0].csv, twice[1].csv);
    }
}

#[test]
fn runs_without_frames_or_with_senseless_numbers_are_drawn_too() {
    let mut senseless = fixture::trace(30);
    for frame in &mut senseless.frames {
        frame.com = [f64::NAN, f64::INFINITY, -1e300];
        frame.capture_point = [f64::NEG_INFINITY, 1e300];
        frame.costs.fill(f64::NAN);
        frame.torque.fill(f64::INFINITY);
        frame.support_polygon = vec![[f64::NAN, 0.0], [1.0, 1.0], [1e300, -1e300]];
        frame.time = f64::NAN;
    }
    let mut dt_zero = fixture::trace(2);
    dt_zero.header.dt = 0.0;
    dt_zero.frames[1].time = 0.0;
    for trace in [fixture::trace(0), fixture::trace(1), fixture::trace(2), senseless, dt_zero] {
        for plot in shipped() {
            let picture = draw(&trace, &plot).unwrap().picture;
            roxmltree::Document::parse(&picture.svg().unwrap()).unwrap();
            picture.raster().unwrap();
        }
    }
}

#[test]
fn a_cut_trace_says_so() {
    let mut trace = fixture::trace(3);
    trace.torn = Some("unfinished chunk".into());
    let svg = draw(&trace, &shipped()[0]).unwrap().picture.svg().unwrap();
    assert!(texts(&svg).iter().any(|text| text.starts_with("the trace is cut short")));
}

#[test]
fn no_row_of_a_csv_has_nothing_but_its_time() {
    let trace = fixture::trace(5);
    for plot in shipped() {
        let csv = draw(&trace, &plot).unwrap().csv;
        for row in csv.lines().skip(1) {
            assert!(row.split(',').skip(1).any(|cell| !cell.is_empty()), "{row}");
        }
    }
}

#[test]
fn the_force_of_another_character_has_a_line_whichever_of_them_has_the_contact() {
    let mut trace = fixture::trace(4);
    trace.header.others = vec!["friend".into()];
    let mut contact = trace.frames[0].contacts[0].clone();
    (contact.surface, contact.force) = ("friend.chest".into(), [3.0, 4.0, 0.0]);
    let load = aplomb_trace::External {
        name: "friend".into(),
        body: "foot".into(),
        force: [0.0, 0.0, 12.0],
        ..Default::default()
    };
    trace.frames.iter_mut().for_each(|frame| {
        frame.contacts.clear();
        frame.external.clear();
    });
    trace.frames[1].contacts = vec![contact.clone()];
    trace.frames[2].contacts = vec![contact];
    trace.frames[2].external = vec![load];
    let csv = draw(&trace, &shipped()[1]).unwrap().csv;
    assert_eq!(column(&csv, "force of friend"), [Some(0.0), Some(5.0), Some(13.0)]);
}

#[test]
fn all_names_that_the_trace_lacks_are_told_at_once() {
    let text = r#"title = "t"
        [[panels]]
        of.lines.channels = ["com.q", "com.x", "speed"]
        of.lines.extents = [{ low = "low", high = "com.y", label = "between" }]
        [[panels]]
        of.torque_use.groups = [{ name = "a", members = ["elbo", "wris", "knee"] }]
        [[panels]]
        of.stacked.channels = ["cost.upwards"]
    "#;
    let Err(PlotError::File(errors)) = draw(&fixture::trace(3), &plot("f.toml", text)) else {
        panic!("must be refused")
    };
    let mut lines: Vec<usize> = errors.iter().map(|error| error.place().1).collect();
    lines.sort_unstable();
    assert_eq!(lines, [3, 3, 4, 6, 6, 8]);
}

#[test]
fn of_several_units_each_stands_in_the_key() {
    let draw = |channels| draw(&fixture::trace(30), &lines(channels)).unwrap().picture.svg().unwrap();
    let mixed = texts(&draw("\"com.x\", \"com_velocity.x\", \"cost.*\""));
    for text in ["units in the key", "com.x, m", "com_velocity.x, m/s", "upright"] {
        assert!(mixed.iter().any(|there| there == text), "no «{text}» in {mixed:?}");
    }
    let one = texts(&draw("\"com.x\", \"com.y\""));
    assert!(["m", "com.x"].iter().all(|text| one.iter().any(|there| there == text)), "{one:?}");
}

#[test]
fn a_key_has_all_entries_of_many_lines() {
    let mut trace = fixture::trace(30);
    trace.header.objectives = (0..45).map(|k| format!("goal{k}")).collect();
    trace.frames.iter_mut().for_each(|frame| frame.costs = vec![1.0; 45]);
    let svg = draw(&trace, &lines("\"cost.*\"")).unwrap().picture.svg().unwrap();
    let texts = texts(&svg);
    let missing: Vec<String> =
        (0..45).map(|k| format!("goal{k}")).filter(|name| !texts.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_key_says_what_dashed_limits_are() {
    let mut trace = fixture::trace(30);
    trace.frames[3].torque[6] = 70.0;
    let texts = texts(&draw(&trace, &shipped()[3]).unwrap().picture.svg().unwrap());
    assert!(texts.iter().any(|text| text == "limits, in the colours of lines"), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("60 %")), "{texts:?}");
}

/// A plot of one panel of lines.
fn panel(content: &str) -> PlotSpec {
    plot("mine.toml", &format!("title = \"t\"\n[[panels]]\nof = {{ {content} }}\n"))
}

#[test]
fn of_many_channels_those_with_the_largest_values_are_named_and_all_are_in_the_table() {
    let drawn = |content: &str| draw(&fixture::trace(40), &panel(content)).unwrap();
    let com = drawn("lines = { channels = [\"com.*\"], count = 1 }");
    let key = texts(&com.picture.svg().unwrap());
    assert!(key.contains(&"com.z".into()) && key.contains(&"2 others".into()), "{key:?}");
    assert!(!key.contains(&"com.x".into()), "{key:?}");
    assert!(["com.x", "com.y", "com.z"].iter().all(|name| column(&com.csv, name).len() == 40), "{}", com.csv);
    let stacked = drawn("stacked = { channels = [\"com.*\"], count = 1 }");
    let key = texts(&stacked.picture.svg().unwrap());
    assert!(key.contains(&"com.z".into()) && key.contains(&"2 others".into()), "{key:?}");
    // A single remaining channel needs no more space with its name.
    let all = texts(&drawn("lines = { channels = [\"com.*\"], count = 2 }").picture.svg().unwrap());
    assert!(all.contains(&"com.x".into()) && !all.iter().any(|text| text.contains("other")), "{all:?}");
}

#[test]
fn channels_are_ranked_by_those_of_another_pattern() {
    // The centre of mass has its largest position along z, and moves only along x.
    let content = "lines = { channels = [\"com.*\"], count = 1, ranked_by = \"com_velocity.*\" }";
    let key = texts(&draw(&fixture::trace(40), &panel(content)).unwrap().picture.svg().unwrap());
    assert!(key.contains(&"com.x".into()) && key.contains(&"2 others".into()), "{key:?}");
}

#[test]
fn a_choice_of_channels_that_says_nothing_is_refused() {
    let mistake = |content: &str| {
        let text = format!("title = \"t\"\n[[panels]]\nof = {{ {content} }}\n");
        PlotSpec::read(&Source::new("mine.toml", &text)).unwrap_err()
    };
    let none = mistake("stacked = { channels = [\"cost.*\"], count = 0 }");
    assert_eq!(
        (none.location().as_str(), &*none.message),
        ("mine.toml:3:51", "a panel names between 1 and 24 channels",)
    );
    let alone = mistake("lines = { channels = [\"weight.*\"], ranked_by = \"cost.*\" }");
    assert_eq!(alone.message, "`ranked_by` chooses the `count` channels that are named, which is not given");
    for unclear in [
        "channels = [\"weight.*\"], count = 3, ranked_by = \"cost\"",
        "channels = [\"w*.*\"], count = 3, ranked_by = \"cost.*\"",
    ] {
        let error = mistake(&format!("lines = {{ {unclear} }}"));
        assert_eq!(error.message, "with `ranked_by`, each pattern has one `*`", "{unclear}");
    }
}

#[test]
fn of_many_objectives_the_targets_of_those_that_cost_most_are_shown() {
    let mut trace = fixture::trace(20);
    let names: Vec<String> = trace.header.measured.iter().map(|number| number.objective.clone()).collect();
    assert!(names.len() > 1);
    for frame in &mut trace.frames {
        frame.costs.iter_mut().for_each(|cost| *cost = 0.1);
    }
    let last = names.last().unwrap();
    let at = trace.header.objectives.iter().position(|name| name == last).unwrap();
    trace.frames[7].costs[at] = 5.0;
    let drawn =
        draw(&trace, &panel("tracking = { objectives = [\"*\"], count = 4, costliest = 1 }")).unwrap();
    let titles = texts(&drawn.picture.svg().unwrap());
    assert!(titles.contains(last), "{titles:?}");
    assert!(names.iter().filter(|name| *name != last).all(|name| !titles.contains(name)), "{titles:?}");
}

#[test]
fn the_key_says_once_how_many_lines_are_not_seen_and_of_objects_their_names() {
    let mut trace = fixture::trace(20);
    trace.frames.iter_mut().for_each(|frame| frame.torque.iter_mut().for_each(|torque| *torque = 0.0));
    let count = trace.header.coordinate_names.len();
    let drawn = draw(&trace, &panel("lines = { channels = [\"torque.*\"], scale = \"log\" }")).unwrap();
    let key = texts(&drawn.picture.svg().unwrap());
    assert!(count > 2 && key.contains(&format!("all {count} (0: no line)")), "{key:?}");
    let objects = draw(&trace, &panel("lines = { channels = [\"passive.*.energy\"] }")).unwrap();
    let key = texts(&objects.picture.svg().unwrap());
    assert!(key.contains(&trace.header.passive[0].name), "{key:?}");
}
