use super::*;
use std::f64::consts::TAU;

fn values(range: &str) -> Vec<f64> {
    Range::parse("--impulses", range, 0).unwrap().values
}

#[test]
fn ranges_have_both_ends_and_round_values() {
    assert_eq!(values("20:40:5"), [20.0, 25.0, 30.0, 35.0, 40.0]);
    assert_eq!(values("0:0.5:0.1"), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    assert_eq!(values("20:41:5").last(), Some(&40.0));
    assert_eq!(values("3:1:-1"), [3.0, 2.0, 1.0]);
    assert_eq!(values("-1:1:lin3"), [-1.0, 0.0, 1.0]);
    assert_eq!(values("1e-4:1:log5"), [1e-4, 1e-3, 1e-2, 0.1, 1.0]);
    assert_eq!(values("42"), [42.0]);
}

#[test]
fn a_range_that_leads_nowhere_is_a_mistake_with_its_place() {
    let cases = [
        ("20:80", "FROM:TO:STEP", 0),
        ("20:eighty:5", "`eighty`", 3),
        ("20:80:0", "does not lead", 6),
        ("80:20:5", "does not lead", 6),
        ("20:80:lin1", "2 or more", 6),
        ("0:80:log4", "more than 0", 0),
        ("0:1:1e-9", "more than 100000", 4),
        ("nan", "a number", 0),
        ("", "a number", 0),
    ];
    for (range, said, place) in cases {
        let mistake = Range::parse("--impulses", range, 0).unwrap_err();
        assert!(mistake.message.contains(said), "{range}: {}", mistake.message);
        assert_eq!(mistake.span.start, place, "{range}");
    }
}

#[test]
fn results_come_in_order_whatever_the_threads_do() {
    for threads in [1, 2, 7] {
        let mut seen = Vec::new();
        let slow_start = |index: usize| {
            std::thread::sleep(std::time::Duration::from_millis(if index == 0 { 20 } else { 0 }));
            index
        };
        let done = in_order(threads, 30, slow_start, |index| {
            seen.push(index);
            Ok::<(), ()>(())
        });
        assert!(done.is_ok());
        assert_eq!(seen, (0..30).collect::<Vec<_>>());
    }
}

#[test]
fn nothing_is_taken_after_an_error() {
    let mut seen = 0;
    let done = in_order(
        2,
        30,
        |index| index,
        |index| {
            seen += 1;
            if index == 3 { Err("full") } else { Ok(()) }
        },
    );
    assert!(matches!(done, Err(PoolError::Taken("full"))));
    assert_eq!(seen, 4);
}

/// The runs of a direction with 20, 30, 40 … N s: `+` survived, `-` not.
fn rows(direction: f64, fates: &str) -> Vec<Row> {
    let fates = fates.chars().enumerate();
    fates
        .map(|(k, fate)| Row {
            run: k,
            values: vec![direction, 20.0 + 10.0 * k as f64],
            ending: if fate == '+' {
                RunEnding::Pass
            } else {
                RunEnding::Fail { criteria: vec!["up".into()] }
            },
            figures: None,
            reason: String::new(),
            shown: Vec::new(),
        })
        .collect()
}

#[test]
fn the_area_counts_what_is_survived_below_the_first_isolated_failure() {
    let fates = [(0.0, "++-+"), (90.0, "++++"), (180.0, "----"), (270.0, "+---")];
    let rows: Vec<Row> = fates.into_iter().flat_map(|(direction, fates)| rows(direction, fates)).collect();
    let map = PushMap::new(&rows, 4);
    let limits: Vec<Option<f64>> = map.directions.iter().map(|bearing| bearing.limit).collect();
    assert_eq!(limits, [Some(30.0), Some(50.0), None, Some(20.0)]);
    let all: Vec<bool> = map.directions.iter().map(|bearing| bearing.all).collect();
    assert_eq!(all, [false, true, false, false]);
    assert_eq!(map.directions[0].isolated_failures, [40.0]);
    assert!(map.directions[1..].iter().all(|bearing| bearing.isolated_failures.is_empty()));
    assert_eq!((map.mean, map.least), (25.0, 0.0));
    assert!((map.area - TAU * 25.0).abs() < 1e-12);
}

#[test]
fn every_column_is_described_and_every_row_fills_them() {
    let manual = include_str!("../../../../docs/sweep.md");
    for column in COLUMNS {
        assert!(manual.contains(&format!("`{column}`")), "{column}");
    }
    let row = &rows(0.0, "-")[0];
    assert_eq!(row.cells().len(), 1 + row.values.len() + COLUMNS.len());
}
