//! Tests of the meaning of expressions, and of the messages about invalid ones.

use super::testing::{FRAME, Frame, TestNames};
use super::*;
use crate::BodyId;
use crate::diagnostic::{FileError, Source};
use nalgebra::Vector3;
use serde::Deserialize;

#[derive(Deserialize)]
struct Fields {
    number: Option<ScalarField>,
    vector: Option<VectorField>,
    holds: Option<ConditionField>,
    body: Option<BodyField>,
    place: Option<PlaceField>,
    any: Option<ExpressionField>,
}

fn read(text: &str) -> (Source, Fields) {
    let mut source = Source::new("file.toml", text);
    let fields = crate::files::read(&mut source, &[], &crate::files::Format::default()).unwrap();
    (source, fields)
}

fn number(expression: &str) -> Result<f64, FileError> {
    let (source, fields) = read(&format!("number = \"{expression}\""));
    Ok(fields.number.unwrap().bind(&source, &TestNames)?.value(&FRAME))
}

/// The value of an expression in a frame.
pub(crate) fn number_in(expression: &str, frame: &Frame) -> f64 {
    let (source, fields) = read(&format!("number = \"{expression}\""));
    fields.number.unwrap().bind(&source, &TestNames).unwrap().value(frame)
}

fn vector(value: &str) -> Result<Vector3<f64>, FileError> {
    let (source, fields) = read(&format!("vector = {value}"));
    Ok(fields.vector.unwrap().bind(&source, &TestNames)?.value(&FRAME))
}

/// A condition bound to the names of the small frame.
pub(crate) fn condition(expression: &str) -> Condition {
    let (source, fields) = read(&format!("holds = \"{expression}\""));
    fields.holds.unwrap().bind(&source, &TestNames).unwrap()
}

fn holds(expression: &str) -> bool {
    condition(expression).value(&FRAME)
}

/// Line and column, the underlined text, the message and the help.
fn mistake(expression: &str) -> (String, String, String, String) {
    described(number(expression).unwrap_err())
}

fn described(error: FileError) -> (String, String, String, String) {
    let marked = &error.text[error.span.clone()];
    (error.location(), marked.to_owned(), error.message.clone(), error.help.unwrap_or_default())
}

fn said(at: &str, marked: &str, message: &str, help: &str) -> (String, String, String, String) {
    (at.into(), marked.into(), message.into(), help.into())
}

#[test]
fn operators_bind_as_in_mathematics() {
    for (expression, value) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("2 - 3 - 4", -5.0),
        ("12/3/2", 2.0),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2^-1*8", 4.0),
        ("--3", 3.0),
        (".5 + 1e3 + 2.5E-1", 1000.75),
        ("1 if signal > 0 else 2", 1.0),
        ("1 if false else 2 if false else 3", 3.0),
        ("pi", std::f64::consts::PI),
        ("time", 2.0),
    ] {
        assert_eq!(number(expression).unwrap(), value, "{expression}");
    }
}

#[test]
fn functions_take_numbers_and_vectors() {
    for (expression, value) in [
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 2)", 3.0),
        ("abs(-2) + sqrt(9) + exp(0) + sin(0) + cos(0) + tan(0)", 7.0),
        ("atan2(1, 1)*4/pi", 1.0),
        ("clamp(5, 0, 2)", 2.0),
        ("sign(-3) + sign(0)", -1.0),
        ("floor(-0.5)", -1.0),
        ("norm(com)", 13.0),
        ("dot(com, [1, 0, 1])", 15.0),
        ("lerp(2, 4, 0.25)", 2.5),
        ("lerp(com, 2*com, 0.5).z", 18.0),
        ("smoothstep(0, 2, 1)", 0.5),
        ("smoothstep(0, 2, 7)", 1.0),
        ("com.y", 4.0),
        ("(com - [1, 1, 1]).x", 2.0),
        ("(com/2).z", 6.0),
        ("(-com).x", -3.0),
        ("height(left_foot)", 3.0),
        ("height('left toe')", 101.0),
        ("height(nearest_foot(com))", 3.0),
        ("height(left_foot if other > 0 else right_foot)", 4.0),
    ] {
        assert_eq!(number(expression).unwrap(), value, "{expression}");
    }
}

#[test]
fn conditions_join_comparisons() {
    assert!(holds("1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3 and 1 == 1 and 1 != 2"));
    assert!(holds("not 1 > 2 or false"));
    assert!(holds("not (true and false)"));
    assert!(holds("nearest_foot(com) == left_foot and left_foot != right_foot"));
    assert!(holds("in_contact(left_foot) != in_contact(right_foot)"));
    assert!(!holds("0/0 == 0/0"), "NaN equals nothing");
}

#[test]
fn vectors_are_three_numbers_an_expression_or_keyframes() {
    assert_eq!(vector("[1, 'signal + 1', 2.5]").unwrap(), Vector3::new(1.0, 2.0, 2.5));
    assert_eq!(vector("'com - [3, 4, 0]'").unwrap(), Vector3::new(0.0, 0.0, 12.0));
    let keyframes = "{ keyframes = { times = [1, 3], values = [[0, 0, 0], [2, 4, 6]] } }";
    assert_eq!(vector(keyframes).unwrap(), Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(
        described(vector("[1, 2]").unwrap_err()),
        said("file.toml:1:10", "[1, 2]", "a vector has 3 components, not 2", "write `[x, y, z]`")
    );
}

#[test]
fn keyframes_hold_their_ends_and_follow_either_clock() {
    let value = |rest: &str, frame: &Frame| {
        let (source, fields) =
            read(&format!("number = {{ keyframes = {{ times = [0, 1, 2], values = [5, 7, 1]{rest} }} }}"));
        fields.number.unwrap().bind(&source, &TestNames).unwrap().value(frame)
    };
    let at = |time| Frame { time, state_time: time + 10.0, ..FRAME };
    assert_eq!(value("", &at(-1.0)), 5.0);
    assert_eq!(value("", &at(0.25)), 5.5);
    assert_eq!(value("", &at(1.0)), 7.0);
    assert_eq!(value("", &at(3.0)), 1.0);
    assert_eq!(value(", interpolation = 'step'", &at(0.99)), 5.0);
    assert_eq!(value(", interpolation = 'smooth'", &at(0.25)), 5.3125);
    // Rates 0 and −2 at the ends of the first second: 6 + (0 + 2)/8.
    assert_eq!(value(", interpolation = 'curve'", &at(0.5)), 6.25);
    assert_eq!(value(", interpolation = 'curve'", &at(1.0)), 7.0);
    assert_eq!(value(", clock = 'state'", &at(0.25)), 1.0);
    assert_eq!(value(", over = '2 * time'", &at(0.25)), 6.0);
    assert_eq!(value(", over = 'max(0, time - 2)'", &at(2.25)), 5.5);
    assert!(value(", over = '0 / 0'", &at(0.25)).is_nan());
}

#[test]
fn keyframes_over_an_expression_are_refused_at_its_place() {
    for (rest, message) in [
        ("over = 'tme'", "unknown name `tme`"),
        (
            "over = 'time', clock = 'state'",
            "these keyframes are over an expression and over the time in a state",
        ),
    ] {
        let (source, fields) =
            read(&format!("number = {{ keyframes = {{ times = [0], values = [1], {rest} }} }}"));
        let error = fields.number.unwrap().bind(&source, &TestNames).unwrap_err();
        assert!(error.message.contains(message), "{}", error.message);
    }
}

#[test]
fn keyframes_that_do_not_fit_together_are_refused() {
    for (keyframes, message) in [
        ("times = [], values = []", "keyframes need at least one time"),
        ("times = [0, 2, 1], values = [1, 1, 1]", "times must increase, but 1 follows 2"),
        ("times = [0, 1], values = [1]", "2 times need as many values, not 1"),
    ] {
        let (source, fields) = read(&format!("number = {{ keyframes = {{ {keyframes} }} }}"));
        assert_eq!(fields.number.unwrap().bind(&source, &TestNames).unwrap_err().message, message);
    }
}

#[test]
fn a_body_field_takes_a_name_or_a_choice_and_a_place_field_sites_too() {
    let (source, fields) = read("body = 'left_foot'\nplace = 'left toe'");
    assert_eq!(fields.body.unwrap().bind(&source, &TestNames).unwrap().fixed(), Some(BodyId(3)));
    assert_eq!(fields.place.unwrap().bind(&source, &TestNames).unwrap().value(&FRAME), Value::Site(1));
    let (source, fields) =
        read("body = 'left_foot if signal < 0 else right_foot'\nplace = 'nearest_foot(com)'");
    assert_eq!(fields.body.unwrap().bind(&source, &TestNames).unwrap().value(&FRAME), BodyId(4));
    let place = fields.place.unwrap().bind(&source, &TestNames).unwrap();
    assert_eq!((place.value(&FRAME), place.is_constant()), (Value::Body(BodyId(3)), false));
    let (source, fields) = read("body = 'left_fot'");
    assert_eq!(
        described(fields.body.unwrap().bind(&source, &TestNames).unwrap_err()),
        said("file.toml:1:9", "left_fot", "unknown name `left_fot`", "did you mean `left_foot`?")
    );
    let (source, fields) = read("body = 'com'");
    assert_eq!(
        described(fields.body.unwrap().bind(&source, &TestNames).unwrap_err()),
        said("file.toml:1:9", "com", "expected a body, found a vector", "")
    );
}

#[test]
fn an_expression_of_any_type_keeps_its_type() {
    for (value, kind) in [
        ("1", Type::Number),
        ("true", Type::Boolean),
        ("'com'", Type::Vector),
        ("'left_foot'", Type::Body),
        ("'knee.left'", Type::Joint),
    ] {
        let (source, fields) = read(&format!("any = {value}"));
        assert_eq!(fields.any.unwrap().bind(&source, &TestNames).unwrap().kind(), kind);
    }
}

#[test]
fn numbers_and_vectors_know_whether_they_are_constant() {
    let constant = |text: &str| {
        let (source, fields) = read(text);
        fields.number.unwrap().bind(&source, &TestNames).unwrap().is_constant()
    };
    assert!(constant("number = 3"));
    assert!(constant("number = '2*pi'"));
    assert!(!constant("number = 'signal'"));
    assert!(!constant("number = { keyframes = { times = [0, 1], values = [1, 2] } }"));
}

#[test]
fn a_bound_condition_remembers_its_text_and_line() {
    let (source, fields) = read("\nholds = \"signal > 0\"");
    let condition = fields.holds.unwrap().bind(&source, &TestNames).unwrap();
    assert_eq!(&**condition.text(), "signal > 0");
    assert_eq!(condition.place().to_string(), "file.toml:2");
}

#[test]
fn mistakes_point_at_the_word_that_is_wrong() {
    for (expression, at, marked, message, help) in [
        ("signl + 1", 11, "signl", "unknown name `signl`", "did you mean `signal`?"),
        ("1 + heigth(left_foot)", 15, "heigth", "unknown function `heigth`", "did you mean `height`?"),
        ("sqr(2)", 11, "sqr", "unknown function `sqr`", "did you mean `sqrt`?"),
        ("1 + com", 11, "1 + com", "`+` cannot join a number and a vector", ""),
        (
            "com*com",
            11,
            "com*com",
            "`*` cannot join a vector and a vector",
            "the scalar product is `dot(v, w)`",
        ),
        (
            "com.w",
            15,
            "w",
            "a vector has no component `w`",
            "a vector has the components `.x`, `.y` and `.z`",
        ),
        ("knee.lft", 11, "knee.lft", "unknown name `knee.lft`", "did you mean `knee.left`?"),
        (
            "(2*com).w",
            19,
            "w",
            "a vector has no component `w`",
            "a vector has the components `.x`, `.y` and `.z`",
        ),
        ("height", 11, "height", "`height` needs arguments", "write `height(body or site)`"),
        ("signal(1)", 11, "signal(1)", "`signal` takes no arguments", "write `signal`"),
        (
            "height(com)",
            18,
            "com",
            "expected a body or site, found a vector",
            "it is used as `height(body or site)`",
        ),
        (
            "height(left_foot, 2)",
            11,
            "height(left_foot, 2)",
            "`height` cannot take 2 arguments",
            "write `height(body or site)`",
        ),
        ("left_foot(1)", 11, "left_foot", "`left_foot` is a body and cannot be called", ""),
        ("atan2(1)", 11, "atan2(1)", "`atan2` cannot take 1 argument", "write `atan2(y, x)`"),
        ("norm", 11, "norm", "`norm` is a function", "write `norm(v)`"),
        ("norm(3)", 16, "3", "expected a vector, found a number", ""),
        ("signal > 0", 11, "signal > 0", "expected a number, found true or false", ""),
        ("1 if signal else 2", 16, "signal", "expected true or false, found a number", ""),
        ("1 if true else com", 26, "com", "expected a number, found a vector", ""),
        ("1 if true", 20, "", "the expression ends too soon", "write `a if condition else b`"),
        ("1 +", 14, "", "the expression ends too soon", ""),
        ("(1 + 2", 17, "", "the expression ends too soon", "the bracket opened at character 1 is not closed"),
        ("1 + 2)", 16, ")", "this closes a bracket that was not opened", ""),
        ("1 2", 13, "2", "the expression should have ended before this", ""),
        (
            "signal > 0.25 s",
            25,
            "s",
            "the expression should have ended before this",
            "numbers have no units here, they are in s: write `0.25` for `0.25 s`",
        ),
        (
            "norm([0, 0, 90 deg])",
            26,
            "deg",
            "expected `]` here",
            "numbers have no units here, they are in rad: write `1.5708` for `90 deg`",
        ),
        (
            "signal > 123456.25 s",
            30,
            "s",
            "the expression should have ended before this",
            "numbers have no units here, they are in s: write `123456.25` for `123456.25 s`",
        ),
        (
            "-45 deg",
            15,
            "deg",
            "the expression should have ended before this",
            "numbers have no units here, they are in rad: write `0.7854` for `45 deg`",
        ),
        (
            "20 cm/s",
            14,
            "cm",
            "the expression should have ended before this",
            "numbers have no units here, they are in m/s: write `0.2` for `20 cm/s`",
        ),
        ("90%", 13, "%", "`%` has no meaning in an expression", "a share is a plain number: 90 % is `0.9`"),
        ("90°", 13, "°", "`°` has no meaning in an expression", "angles are in rad: 45° is `45*pi/180`"),
        ("", 10, "\"\"", "this expression is empty", ""),
        ("signal = 2", 18, "=", "`=` has no meaning in an expression", "write `==` to compare"),
        ("signal => 2", 18, "=>", "`=>` has no meaning in an expression", "write `>=`"),
        ("signal <> 2", 18, "<>", "`<>` has no meaning in an expression", "write `!=`"),
        ("true && false", 16, "&&", "`&&` has no meaning in an expression", "write `and`"),
        ("2 ** 3", 13, "**", "`**` has no meaning in an expression", "write `^` for a power"),
        ("2 # 3", 13, "#", "`#` has no meaning in an expression", ""),
        ("0 < signal < 2", 13, "< signal <", "comparisons cannot be chained", "write `a < b and b < c`"),
        ("1e999", 11, "1e999", "this number is too large", ""),
        ("'left toe", 11, "'left toe", "this quoted name has no closing `'`", ""),
        ("[1, 2]", 11, "[1, 2]", "a vector has 3 components, not 2", "write `[x, y, z]`"),
    ] {
        let expected = said(&format!("file.toml:1:{at}"), marked, message, help);
        assert_eq!(mistake(expression), expected, "{expression}");
    }
}

#[test]
fn a_mistake_in_a_string_with_escapes_marks_the_whole_string() {
    assert_eq!(
        mistake(r"1 +\tsignl"),
        said("file.toml:1:10", "\"1 +\\tsignl\"", "unknown name `signl`", "did you mean `signal`?")
    );
}

#[test]
fn a_mistake_in_a_long_string_is_found_on_its_line() {
    let (source, fields) = read("number = '''\n1 +\nsignl'''");
    let error = fields.number.unwrap().bind(&source, &TestNames).unwrap_err();
    assert_eq!(error.location(), "file.toml:3:1");
}

#[test]
fn fields_deep_inside_tables_and_variants_keep_their_places() {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Deep {
        outer: Vec<Kind>,
    }
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case", deny_unknown_fields)]
    enum Kind {
        Goal { target: VectorField, share: Option<ScalarField> },
    }
    let read = |text: &str| {
        let mut source = Source::new("file.toml", text);
        let deep: Result<Deep, FileError> =
            crate::files::read(&mut source, &[], &crate::files::Format::default());
        deep.map(|deep| (source, deep))
    };
    let text = "[[outer]]\ngoal = { target = [0, 'signl', 0], share = 'com' }";
    let (source, deep) = read(text).unwrap();
    let Kind::Goal { target, share } = &deep.outer[0];
    let error = target.bind(&source, &TestNames).unwrap_err();
    assert_eq!(described(error).0, "file.toml:2:24");
    let error = share.as_ref().unwrap().bind(&source, &TestNames).unwrap_err();
    assert_eq!(described(error).0, "file.toml:2:45");
    let error = read("[[outer]]\ngoal = { target = [0, 0, 0], shar = 1 }").err().unwrap();
    assert_eq!(
        described(error),
        said("file.toml:2:30", "shar", "unknown key `shar`", "did you mean `share`?")
    );
    let error = read("[[outer]]\ngoal = { target = { keyframes = { tims = [0] } } }").err().unwrap();
    assert_eq!(
        described(error),
        said("file.toml:2:35", "tims", "unknown key `tims`", "did you mean `times`?")
    );
}

#[test]
fn hostile_nesting_is_refused_and_not_a_crash() {
    for expression in [
        "(".repeat(100_000),
        "-".repeat(100_000),
        "not ".repeat(100_000),
        "[".repeat(100_000),
        "sin(".repeat(100_000),
        "2^".repeat(100_000),
        "1 if true else ".repeat(100_000),
        "1 + ".repeat(100_000) + "1",
        "com".to_owned() + &".x".repeat(100_000),
        format!("min({})", ["1"; 1000].join(", ")),
    ] {
        assert!(number(&expression).is_err());
    }
    let deepest = format!("{}1{}", "(".repeat(90), ")".repeat(90));
    assert_eq!(number(&deepest).unwrap(), 1.0);
}

#[test]
fn a_division_by_zero_is_left_to_the_caller() {
    assert_eq!(number("1/0").unwrap(), f64::INFINITY);
    assert!(number("max(0/0, 1)").unwrap().is_nan());
    assert!(number("sqrt(-1)").unwrap().is_nan());
}

proptest::proptest! {
    #[test]
    fn any_words_are_an_expression_or_a_mistake(
        words in proptest::collection::vec(proptest::sample::select(vec![
            "1", "2.5", "com", "signal", "left_foot", "height", "norm", "(", ")", "[", "]", ",", ".", "x", "+",
            "-", "*", "/", "^", "<", "==", "and", "or", "not", "if", "else", "true", "é", "=", "", "1e", "..",
        ]), 0..20)
    ) {
        let text = words.join(" ");
        let _ = number(&text).map_err(|error| error.location());
        let joined = words.concat();
        let _ = number(&joined).map_err(|error| error.location());
    }

    #[test]
    fn any_override_is_applied_or_a_mistake(argument in "[a-z.=\\[\\]{}0-9\"' é]{0,30}") {
        if let Ok(item) = crate::files::Override::parse(&argument) {
            let mut source = Source::new("file.toml", "a = { b = [1, { c = 2 }] }\nnumber = 1\n");
            let format = crate::files::Format { named: &["a"], ..crate::files::Format::default() };
            let read: Result<Fields, FileError> =
                crate::files::read(&mut source, &[item], &format);
            let _ = read.map_err(|error| error.to_string());
        }
    }
}

#[test]
fn a_set_is_gone_through_and_what_is_not_there_does_not_count() {
    // Objects at 3, 1, (0.5, absent), 2 and 1 m.
    for (expression, value) in [
        ("count(true for o in objects)", 4.0),
        ("count(far(o) < 2.5 for o in objects if far(o) > 1.5)", 1.0),
        ("sum(far(o) for o in objects)", 7.0),
        ("min(far(o) for o in objects)", 1.0),
        ("max(far(o) for o in objects if far(o) < 3)", 2.0),
        ("far(argmax(far(o) for o in objects))", 3.0),
        ("min(far(o) for o in objects if far(o) > 9)", f64::INFINITY),
        ("sum(far(o) for o in objects if far(o) > 9)", 0.0),
        ("count(true for h in holds)", 0.0),
        // The inner expression can also use the member of the outer set: pairs of which the first is farther.
        ("sum(count(far(a) > far(b) for b in objects) for a in objects)", 5.0),
        ("1 if any(far(o) == 2 for o in objects) and not all(far(o) == 2 for o in objects) else 0", 1.0),
        ("1 if all(false for o in objects if far(o) > 9) else 0", 1.0),
        // A variable hides an outer meaning of its name.
        ("sum(far(signal) for signal in objects) + signal", 8.0),
    ] {
        assert_eq!(number(expression).unwrap(), value, "{expression}");
    }
    // Of equal members, argmin selects the first, which is not the last.
    assert!(holds("argmin(far(o) for o in objects) == argmin(far(o) for o in objects if far(o) < 1.5)"));
    assert!(holds("argmin(far(o) for o in objects) != argmin(far(o) for o in objects if far(o) > 1.5)"));
    // An absent object has no value, and is also absent for expressions that use it.
    let (source, fields) = read("number = 'far(argmin(far(o) for o in objects if far(o) > 9))'");
    assert_eq!(fields.number.unwrap().bind(&source, &TestNames).unwrap().known(&FRAME), None);
}

#[test]
fn mistakes_about_sets_say_how_they_are_written() {
    let said = |expression: &str| {
        let (at, marked, message, help) = mistake(expression);
        format!("{at} {marked}: {message}: {help}")
    };
    assert_eq!(
        said("near(far(o) for o in objects)"),
        "file.toml:1:11 near: `near` is not an aggregate of a set: known: any, all, count, sum, min, max, \
         argmin, argmax"
    );
    assert_eq!(
        said("min(far(o) for o in object)"),
        "file.toml:1:31 object: there is no set `object`: did you mean `objects`?"
    );
    assert_eq!(
        said("min(far(o) for o of objects)"),
        "file.toml:1:28 of: expected `in` here: write `min(n for x in set)`"
    );
    assert_eq!(said("min(far(p) for o in objects)"), "file.toml:1:19 p: unknown name `p`: did you mean `o`?");
    assert_eq!(
        said("count(far(o) for o in objects)"),
        "file.toml:1:17 far(o): expected true or false, found a number: "
    );
    assert_eq!(
        said("1 if objects else 0"),
        "file.toml:1:16 objects: `objects` is a set: go through it, as in `any(condition for one in objects)`"
    );
    assert_eq!(
        said("any(true)"),
        "file.toml:1:11 any(true): `any` goes through a set: write `any(c for x in set)`"
    );
    let within = "sum(sum(sum(far(a) for a in objects) for b in objects) for c in objects)";
    assert_eq!(
        said(&format!("1 + {within}")),
        format!(
            "file.toml:1:15 {within}: this nests 3 sets; the limit is 2: each multiplies the \
             time of a frame by its members; bind the inner one to a role in a state's `let`"
        )
    );
}
