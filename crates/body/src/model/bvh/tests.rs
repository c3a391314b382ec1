use super::*;
use aplomb_language::diagnostic::Source;
use proptest::prelude::*;

const FILE: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Leg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -40 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 90 0 0 0 0 0 0 0
5 91 2 0 0 90 0 90 0
";

fn place([x, y, z]: [f64; 3]) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

#[test]
fn joints_are_where_the_angles_put_them() {
    let motion = read(&Source::new("a.bvh", FILE)).unwrap();
    assert_eq!(motion.joints[1].name, "Left Leg");
    assert_eq!((motion.frames.len(), motion.channels(), motion.frame_time), (2, 9, 0.0333333));
    assert_eq!(motion.rest(), [place([0.0, 90.0, 0.0]), place([10.0, 90.0, 0.0])]);
    let poses = motion.poses(&motion.frames[1]);
    // 90° about y takes x to −z. The leg, then rotated by 90° about the hip's own x axis, which is −z now, points
    // along −x instead of −y.
    assert!((poses[1].translation.vector - place([5.0, 91.0, -8.0])).norm() < 1e-12);
    let end = motion.joints[1].end.unwrap();
    assert!(
        (poses[1].rotation * end - place([-40.0, 0.0, 0.0])).norm() < 1e-12,
        "{}",
        poses[1].rotation * end
    );
}

#[test]
fn a_file_that_was_written_is_read_again() {
    let motion = read(&Source::new("a.bvh", FILE)).unwrap();
    let again = read(&Source::new("b.bvh", motion.to_string())).unwrap();
    assert_eq!(again.frames, motion.frames);
    assert_eq!(again.joints[1].name, "Left_Leg");
    assert_eq!(again.joints[1].end, motion.joints[1].end);
}

#[test]
fn mistakes_are_told_at_their_place() {
    for (wrong, right, message) in [
        ("HIERARCHY", "HIERARCHIE", "1:1: `HIERARCHY` is missing"),
        ("Yposition Z", "Yposition W", "5:34: a channel is missing"),
        ("OFFSET 10 0 0", "OFFSET 10 0", "9:5: a finite number is missing"),
        ("Frames: 2", "Frames: 3", "21:1: a finite number is missing"),
        ("Frames: 2", "Frames: 1", "20:1: `5` is left over after 1 frames of 9 numbers"),
        ("0.0333333", "0", "18:12: the time between frames is not above 0"),
        ("91", "nan", "20:3: a finite number is missing"),
        ("End Site", "Ende", "10:5: `Ende` is none of OFFSET"),
    ] {
        let error = read(&Source::new("a.bvh", FILE.replacen(wrong, right, 1))).unwrap_err();
        let said = format!("{}: {}", error.location(), error.message);
        assert!(said.starts_with(&format!("a.bvh:{message}")), "{said}");
    }
}

proptest! {
    #[test]
    fn angles_give_the_turn_they_came_from(a in -180.0..180.0, b in -90.0..=90.0, c in -180.0..180.0) {
        let whole = turn(CoordinateAxis::Z, a) * turn(CoordinateAxis::X, b) * turn(CoordinateAxis::Y, c);
        let [a, b, c] = angles(&whole);
        let again = turn(CoordinateAxis::Z, a) * turn(CoordinateAxis::X, b) * turn(CoordinateAxis::Y, c);
        prop_assert!(again.angle_to(&whole) < 1e-7);
    }
}
