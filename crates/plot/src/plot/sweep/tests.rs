use super::*;
use crate::plot::figure::Scale;
use crate::plot::picture::{Mark, Picture};

/// The position of a text.
fn place(picture: &Picture, wanted: &str) -> [f64; 2] {
    let found = picture.marks.iter().find_map(|mark| match mark {
        Mark::Text { at, text, .. } if text == wanted => Some(*at),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("there is no `{wanted}`"))
}

fn polar(heading: f64) -> Picture {
    let cells = [Cell::Steps(7), Cell::Steps(8), Cell::Lost(0), Cell::Lost(0), Cell::Steps(9), Cell::Error];
    Polar {
        title: "t".into(),
        subtitle: String::new(),
        directions: &[0.0, 90.0, 180.0, 270.0],
        impulses: &[20.0, 40.0],
        cells: &cells,
        marked: &[false; 8],
        limits: &[2, 0, 1, 0],
        criteria: &["upright".into()],
        steps: "step",
        heading,
        notes: &[],
    }
    .picture()
}

#[test]
fn the_character_faces_up_and_its_left_is_on_the_left() {
    for heading in [0.0, 90.0] {
        let picture = polar(heading);
        let [front, left, back, right] =
            ["forward", "to its left", "backward", "to its right"].map(|side| place(&picture, side));
        assert!(front[1] < left[1] && left[1] < back[1]);
        assert!(left[0] < front[0] && front[0] < right[0]);
    }
    // Along the world's x: to the front of a character that faces along x, to the right of one that faces
    // along y.
    let [near, far] = ["7", "8"].map(|steps| place(&polar(0.0), steps));
    assert!(far[1] < near[1] && (far[0] - near[0]).abs() < 1e-9);
    let [near, far] = ["7", "8"].map(|steps| place(&polar(90.0), steps));
    assert!(far[0] > near[0]);
}

#[test]
fn the_line_around_what_is_survived_is_at_the_limits_of_the_table() {
    let marks = polar(0.0).marks;
    let limit = marks.iter().find_map(|mark| match mark {
        Mark::Stroke { points, width, .. } if *width == 3.0 && points.len() > 2 => Some(points),
        _ => None,
    });
    let radius = |[x, y]: &[f64; 2]| (x - 450.0).hypot(y - 500.0);
    let radii: Vec<f64> = limit.expect("a line").iter().map(radius).collect();
    // Of the impulses 20 and 40 N s, 40, none, 20 and none are survived; the largest is at the edge.
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let is_at = |radius: &f64| [0.0, 0.5, 1.0].iter().any(|share| (radius - share * largest).abs() < 1e-6);
    assert!(radii.iter().all(is_at), "{radii:?}");
    assert!((largest - 350.0).abs() < 1e-9);
}

#[test]
fn the_legend_says_what_there_is() {
    let picture = polar(0.0);
    for text in ["no step", "1", "5 or more", "`upright` did not hold", "the run stopped with an error"] {
        place(&picture, text);
    }
}

#[test]
fn values_over_decades_are_drawn_on_a_logarithmic_axis() {
    let panel =
        |series| CurvePanel { title: "error".into(), unit: "m", scale: None, from_zero: true, series };
    let curves = Curves {
        title: "t".into(),
        subtitle: String::new(),
        key: "weight".into(),
        scale: Scale::Log,
        values: vec![0.01, 0.1, 1.0],
        marked: Some(0.1),
        lines: vec![String::new()],
        panels: vec![panel(vec![vec![1e-3, f64::NAN, 1.0]]), panel(vec![vec![1.0, 2.0, 3.0]])],
        passed: vec![vec![true, false, false]],
    };
    let picture = curves.picture();
    let [low, high] = ["0.01", "1"].map(|tick| place(&picture, tick));
    assert!(low[0] < high[0]);
    place(&picture, "as it is: 0.1");
    let is_dot = |mark: &&Mark| matches!(mark, Mark::Disc { radius, .. } if *radius == 5.0);
    let discs = picture.marks.iter().filter(is_dot).count();
    assert_eq!(discs, 3, "one run passed, in two panels and the legend; the missing value has no mark");
}

fn curves(passed: Vec<bool>) -> Picture {
    Curves {
        title: "t".into(),
        subtitle: String::new(),
        key: "ground.friction".into(),
        scale: Scale::Linear,
        values: vec![0.1, 0.3],
        marked: None,
        lines: vec![String::new()],
        panels: ["com.y", "com.x"]
            .map(|title| CurvePanel {
                title: title.into(),
                unit: "",
                scale: Some(Scale::Linear),
                from_zero: false,
                series: vec![vec![2e-17, 1e-17]],
            })
            .into(),
        passed: vec![passed],
    }
    .picture()
}

#[test]
fn the_key_has_the_marks_that_there_are_and_titles_are_clear_of_the_axis_above() {
    let has = |picture: &Picture, wanted: &str| {
        picture.marks.iter().any(|mark| matches!(mark, Mark::Text { text, .. } if text == wanted))
    };
    let all = curves(vec![true, true]);
    assert!(has(&all, "every criterion held") && !has(&all, "one did not"));
    assert!(
        has(&curves(vec![true, false]), "one did not")
            && !has(&curves(vec![false, false]), "every criterion held")
    );
    // Labels of the axis of the first panel are 20 px below it, the title of the second 9 px above its own.
    let [first, second] = ["com.y", "com.x"].map(|title| place(&all, title)[1]);
    assert!(second - first - PANEL - 9.0 - 20.0 > 1.5 * SMALL, "{first} {second}");
}

#[test]
fn a_key_with_more_lines_than_room_says_how_many_are_left_out() {
    let names: Vec<String> = (0..60).map(|k| format!("mass = {k}")).collect();
    let panel = CurvePanel {
        title: "com.x".into(),
        unit: "m",
        scale: None,
        from_zero: false,
        series: vec![vec![0.0, 1.0]; 60],
    };
    let picture = Curves {
        title: "t".into(),
        subtitle: String::new(),
        key: "dt [s]".into(),
        scale: Scale::Linear,
        values: vec![0.1, 0.3],
        marked: None,
        lines: names.clone(),
        panels: vec![panel],
        passed: vec![vec![true, false]; 60],
    }
    .picture();
    let texts = picture.marks.iter().filter_map(|mark| match mark {
        Mark::Text { text, at, .. } => Some((text.as_str(), at[1])),
        _ => None,
    });
    let texts: Vec<(&str, f64)> = texts.collect();
    let shown = texts.iter().filter(|(text, _)| text.starts_with("mass = ")).count();
    assert!(texts.iter().all(|(_, y)| *y < f64::from(picture.height)), "{texts:?}");
    assert!(
        texts.iter().any(|(text, _)| *text == format!("and {} more, in the CSV", 60 - shown)),
        "{texts:?}"
    );
}
