use super::cast::{Cast, OutlinePart};
use super::outline::ViewDirection;
use super::*;
use crate::plot::colour::{self, Colour};
use crate::plot::fixture;
use crate::plot::picture::{Mark, PagePoint, Picture};
use aplomb_trace::{Contact, Holdable, SourceText};

/// A ball of radius 0.1 m with its centre of mass at its centre, at the given positions.
fn ball(places: &[[f64; 3]]) -> Trace {
    let text = r#"<mujoco model="ball"><compiler angle="radian"/><worldbody><body name="ball">
        <freejoint name="root"/><inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
        <geom name="ball" type="sphere" size="0.1"/></body></worldbody></mujoco>"#;
    let mut trace = fixture::trace(places.len() + 1);
    trace.frames.truncate(places.len());
    trace.header.texts = vec![SourceText::new("model", "ball.xml", text)];
    trace.header.obstacles.clear();
    for (frame, place) in trace.frames.iter_mut().zip(places) {
        frame.q = [place.as_slice(), &[1.0, 0.0, 0.0, 0.0]].concat();
        frame.com = *place;
        frame.contacts.clear();
        frame.support_polygon.clear();
        frame.centre_of_pressure = None;
    }
    trace
}

/// Centre and radius of the outlines with as many corners as a disc, px.
fn discs(picture: &Picture) -> Vec<(PagePoint, f64)> {
    let of = |corners: &Vec<PagePoint>| {
        let middle = |axis: usize| corners.iter().map(|c| c[axis]).sum::<f64>() / corners.len() as f64;
        let middle = [middle(0), middle(1)];
        (middle, (corners[0][0] - middle[0]).hypot(corners[0][1] - middle[1]))
    };
    let fills = picture.marks.iter().filter_map(|mark| match mark {
        Mark::Fill { corners, .. } if corners.len() == 40 => Some(of(corners)),
        _ => None,
    });
    fills.collect()
}

fn texts(picture: &Picture) -> Vec<&str> {
    let texts = picture.marks.iter().filter_map(|mark| match mark {
        Mark::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn a_ball_is_where_its_centre_of_mass_is_and_as_large_as_it_is() {
    let picture = pose_strip(&ball(&[[0.30, 0.0, 0.5], [0.35, 0.0, 0.5]]), 8).unwrap();
    let discs = discs(&picture);
    assert_eq!(discs.len(), 4, "two moments from two sides");
    let (first, second) = (discs[0], discs[2]);
    // The pictures do not move, and are as wide as the column that contains them.
    let columns = 428.0;
    let moved = second.0[0] - first.0[0] - columns;
    assert!((moved / first.1 - 0.5).abs() < 1e-6, "moved {moved} px with a radius of {} px", first.1);
    let page = picture.raster().unwrap();
    let pixel = |x: f64, y: f64| fixture::pixel(&page, x as u32, y as u32);
    let ([x, y], radius) = first;
    let body = colour::MIDDLE.lightened(0.1).rgb;
    for angle in [0.3f64, 1.2, 2.6, 4.0, 5.5] {
        let at = |share: f64| pixel(x + share * radius * angle.cos(), y + share * radius * angle.sin());
        assert_eq!(at(0.85), body, "inside at {angle}");
        assert_ne!(at(1.1), body, "outside at {angle}");
    }
    assert_eq!(pixel(x - 3.0, y + 3.0), [255; 3], "the mark of the centre of mass");
}

#[test]
fn a_metre_is_as_long_to_the_side_as_upwards() {
    let picture = pose_strip(&ball(&[[0.0, 0.02, 0.5], [0.03, 0.02, 0.54]]), 8).unwrap();
    let discs = discs(&picture);
    let (first, second) = (discs[0].0, discs[2].0);
    let [across, up] = [second[0] - first[0] - 428.0, first[1] - second[1]];
    assert!((up / across - 4.0 / 3.0).abs() < 1e-6, "{across} {up}");
}

#[test]
fn an_arrow_that_goes_beyond_its_picture_is_marked_and_the_key_says_so() {
    let is_marked = |force: f64| {
        let mut trace = ball(&[[0.0, 0.0, 0.5], [0.0, 0.0, 0.6]]);
        trace.frames[0].contacts.push(Contact {
            body: "ball".into(),
            point: [0.0, 0.0, 0.45],
            normal: [0.0, 0.0, 1.0],
            force: [0.0, 0.0, force],
            ..Contact::default()
        });
        texts(&pose_strip(&trace, 8).unwrap()).contains(&"shortened")
    };
    assert!(!is_marked(1.0), "it ends within");
    assert!(is_marked(1e5));
}

#[test]
fn each_moment_has_its_time_state_and_push() {
    let trace = fixture::trace(101);
    let picture = pose_strip(&trace, PICTURES).unwrap();
    let texts = texts(&picture);
    for wanted in
        ["A foot is pushed", "0.00 s", "0.25 s", "0.60 s", "0.99 s", "fall", "push 160 N", "support"]
    {
        assert!(texts.contains(&wanted), "no «{wanted}» in {texts:?}");
    }
    assert_eq!(texts.iter().filter(|text| text.ends_with(" s")).count(), 8);
    roxmltree::Document::parse(&picture.svg().unwrap()).unwrap();
}

#[test]
fn what_pushes_several_bodies_is_named_once_with_the_sum() {
    let mut trace = fixture::trace(101);
    for frame in trace.frames.iter_mut().filter(|frame| !frame.external.is_empty()) {
        let mut other = frame.external[0].clone();
        other.body = "another".into();
        frame.external.push(other);
    }
    let picture = pose_strip(&trace, PICTURES).unwrap();
    let texts = texts(&picture);
    assert!(texts.contains(&"push 320 N") && !texts.iter().any(|text| text.contains("160")), "{texts:?}");
}

#[test]
fn the_strip_is_written_as_svg_and_png_of_one_size() {
    let directory = tempfile::tempdir().unwrap();
    let files = render_strip(&fixture::trace(30), &Moments::Telling(4), directory.path()).unwrap();
    assert_eq!(files, [directory.path().join("strip.svg"), directory.path().join("strip.png")]);
    let png = std::fs::read(&files[1]).unwrap();
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    let svg = std::fs::read_to_string(&files[0]).unwrap();
    assert!(svg.starts_with(&format!("<svg width=\"{width}\"")), "{width}");
}

#[test]
fn the_same_trace_gives_the_same_strip() {
    let twice = [0, 1].map(|_| pose_strip(&fixture::trace(60), 8).unwrap());
    assert_eq!(twice[0].svg().unwrap(), twice[1].svg().unwrap());
    assert_eq!(twice[0].raster().unwrap(), twice[1].raster().unwrap());
}

#[test]
fn a_trace_without_its_model_or_with_another_one_is_refused_with_the_reason() {
    let mut trace = fixture::trace(3);
    trace.frames[2].q.pop();
    let error = pose_strip(&trace, 8).unwrap_err().to_string();
    assert_eq!(error, "no shapes to draw: frame 2 has 7 configuration numbers, the model 8");
    trace.header.texts.clear();
    assert_eq!(pose_strip(&trace, 8).unwrap_err().to_string(), "no shapes to draw: the trace holds no model");
}

#[test]
fn strips_of_nothing_and_of_senseless_numbers_are_drawn_too() {
    assert!(texts(&pose_strip(&fixture::trace(0), 8).unwrap()).contains(&"The run has no frames."));
    assert!(pose_strip(&fixture::trace(1), 8).is_ok());
    assert!(pose_strip(&fixture::trace(20), 0).is_ok());
    let mut trace = fixture::trace(20);
    for frame in &mut trace.frames {
        frame.q.fill(f64::NAN);
        frame.com = [f64::NAN; 3];
        frame.com_velocity = [f64::INFINITY; 3];
        frame.support_polygon = vec![[f64::NAN; 2]; 3];
        frame.capture_point = [1e300, f64::NAN];
        frame.contacts.iter_mut().for_each(|contact| contact.force = [f64::NAN; 3]);
    }
    trace.header.mass = f64::NAN;
    trace.header.com_height = 0.0;
    trace.header.dt = 0.0;
    let picture = pose_strip(&trace, 8).unwrap();
    assert!(picture.svg().is_ok() && picture.raster().is_ok());
    let mut far = ball(&[[1e12, 0.0, 0.5], [0.0, 0.0, -1e12]]);
    far.header.mass = 0.0;
    let picture = pose_strip(&far, 8).unwrap();
    assert!(picture.svg().is_ok() && picture.width <= 1800);
}

#[test]
fn a_page_is_as_wide_as_its_pictures_and_its_key_takes_the_lines_it_needs() {
    let page = |moments: usize| pose_strip(&fixture::trace(60), moments).unwrap();
    let (few, many) = (page(2), page(8));
    assert_eq!(many.width, 1800);
    assert!(few.width < 1100, "{}", few.width);
    let of = |picture: &Picture, wanted: &str| -> PagePoint {
        let mut places = picture.marks.iter().filter_map(|mark| match mark {
            Mark::Text { text, at, .. } if text == wanted => Some(*at),
            _ => None,
        });
        places.next_back().unwrap()
    };
    for picture in [&few, &many] {
        let [[_, first], [x, last]] = ["left", "support"].map(|name| of(picture, name));
        assert!(x + 60.0 < f64::from(picture.width) && last + 20.0 < f64::from(picture.height));
        assert_eq!(first < last, picture.width < 1100, "one line is enough for many pictures");
    }
}

#[test]
fn a_ball_at_the_edge_of_a_picture_is_shown_whole_and_one_farther_away_is_cut_off() {
    let corners_with_ball_at = |x: f64| -> Vec<usize> {
        let mut trace = fixture::trace(20);
        for frame in &mut trace.frames {
            frame.passive[0].positions[0] = [x, 0.0, 0.5];
        }
        let picture = pose_strip(&trace, 2).unwrap();
        let fills = picture.marks.iter().filter_map(|mark| match mark {
            Mark::Fill { corners, colour } if *colour == colour::object(0) => Some(corners.len()),
            _ => None,
        });
        fills.collect()
    };
    let counts: Vec<Vec<usize>> = (0..60).map(|k| corners_with_ball_at(0.02 * f64::from(k))).collect();
    assert_eq!((counts[0].len(), counts[59].len()), (4, 2), "from the side and from the front");
    // Pictures grow by at most two fifths: at 0.10 to 0.16 m the ball would have been cut off.
    let is_whole = |k: usize| counts[k].iter().all(|corners| *corners == counts[0][0]);
    assert!((0..=8).all(is_whole) && !is_whole(12), "{counts:?}");
}

#[test]
fn the_key_names_the_other_characters() {
    let mut trace = fixture::trace(20);
    assert!(!texts(&pose_strip(&trace, 4).unwrap()).contains(&"ball"), "a ball is no character");
    trace.header.passive[0].kind = aplomb_trace::PassiveHeader::CHARACTER.into();
    let picture = pose_strip(&trace, 4).unwrap();
    assert!(texts(&picture).contains(&"ball"), "{:?}", texts(&picture));
}

#[test]
fn a_hold_that_moves_is_where_it_is_in_the_frame() {
    let mut trace = ball(&[[0.30, 0.0, 0.5], [0.30, 0.0, 0.5]]);
    trace.header.holds = vec![Holdable {
        name: "hold".into(),
        ends: vec![[0.25, 0.0, 0.5]],
        radius: 0.0,
        normal: [0.0, 0.0, 1.0],
        moves: true,
    }];
    for (frame, way) in trace.frames.iter_mut().zip([0.0, 0.05]) {
        frame.moving_holds = vec![[way, 0.0, 0.0]];
    }
    let picture = pose_strip(&trace, 8).unwrap();
    let balls = discs(&picture);
    let held: Vec<PagePoint> = (picture.marks.iter())
        .filter_map(|mark| match mark {
            Mark::Disc { centre, colour, .. } if *colour == Colour::hex(0x8A6D3B) => Some(*centre),
            _ => None,
        })
        .collect();
    assert_eq!((held.len(), balls.len()), (4, 4), "two moments from two sides");
    let beside = |moment: usize| (held[moment][0] - balls[moment].0[0]) / balls[moment].1;
    assert!((beside(0) + 0.5).abs() < 1e-6 && beside(2).abs() < 1e-6, "{} and {}", beside(0), beside(2));
}

#[test]
fn a_thigh_is_drawn_over_the_pelvis_in_every_pose_and_behind_it_from_the_other_side() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody><body name="pelvis">
        <freejoint name="root"/><geom type="sphere" size="0.12" mass="10"/>
        <body name="thigh" pos="0 0.1 -0.05"><joint name="hip" type="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.08" mass="5"/></body></body></worldbody></mujoco>"#;
    let source = aplomb_language::diagnostic::Source::new("legs.xml", text);
    let cast = Cast::of_model(aplomb_body::model::mjcf::read(&source).unwrap(), 0.9);
    let lowest =
        |part: &OutlinePart| part.corners.iter().map(|corner| corner[1]).fold(f64::INFINITY, f64::min);
    for angle in [-0.3, -0.1, -1e-9, 0.0, 1e-9, 0.1, 0.3] {
        let q = [0.0, 0.0, 0.9, 1.0, 0.0, 0.0, 0.0, angle];
        let is_thigh =
            |view| -> Vec<bool> { cast.figure(&q, view).iter().map(|part| lowest(part) < 0.7).collect() };
        assert_eq!(is_thigh(ViewDirection::Front), [false, true], "{angle}");
        assert_eq!(
            is_thigh(ViewDirection::Side),
            [true, false],
            "its left thigh, from its right, at {angle}"
        );
    }
}
