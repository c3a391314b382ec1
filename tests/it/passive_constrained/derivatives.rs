//! J and J̇ of constraints compared with differences of C and Ċ.

use aplomb::passive::constrained::constraint::{
    At, Distance, Fragment, OnCircle, OnSurface, Pin, PointConstraint,
};
use aplomb::passive::constrained::{Curve, ImplicitSurface, Wire};
use nalgebra::{UnitQuaternion, UnitVector3, Vector3};

fn kinds() -> Vec<(&'static str, Box<dyn PointConstraint>)> {
    let axis = UnitVector3::new_normalize(Vector3::new(0.3, -0.5, 0.9));
    let center = Vector3::new(0.1, 0.2, -0.1);
    let surface = |surface| Box::new(OnSurface { surface });
    vec![
        ("distance", Box::new(Distance { length: 0.7 })),
        ("pin", Box::new(Pin { place: center })),
        ("circle", Box::new(OnCircle { center, normal: axis, radius: 0.8 })),
        ("plane", surface(ImplicitSurface::Plane { normal: axis, offset: 0.2 })),
        ("sphere", surface(ImplicitSurface::Sphere { center, radius: 0.8 })),
        ("cylinder", surface(ImplicitSurface::Cylinder { center, axis, radius: 0.8 })),
        ("torus", surface(ImplicitSurface::Torus { center, axis, ring: 0.8, tube: 0.2 })),
    ]
}

fn evaluate(
    kind: &mut dyn PointConstraint,
    positions: &[Vector3<f64>],
    velocities: &[Vector3<f64>],
) -> Fragment {
    let mut fragment = Fragment::default();
    kind.evaluate(At { positions, velocities }, &mut fragment);
    fragment
}

#[test]
fn derivatives_are_those_of_differences() {
    const H: f64 = 1e-6;
    for (name, mut kind) in kinds() {
        for trial in 0..8 {
            let wave = |speed: f64| 0.1 * (speed * f64::from(trial) + speed).sin();
            let positions = [
                Vector3::new(0.6 + wave(1.1), 0.55 + wave(1.9), 0.2 + wave(2.3)),
                Vector3::new(wave(3.1), 0.1, wave(0.7)),
            ];
            let velocities = [Vector3::new(0.5, wave(9.0) - 0.8, 0.6), Vector3::new(-0.3, 0.2, wave(5.0))];
            let points = kind.points();
            let (positions, velocities) = (&positions[..points], &velocities[..points]);
            let here = evaluate(&mut *kind, positions, velocities);
            for row in 0..kind.rows() {
                let rate: f64 = (0..points).map(|k| here.jacobian[k][row].dot(&velocities[k])).sum();
                assert!((rate - here.rate[row]).abs() < 1e-12, "{name}: Ċ is not J ẋ");
            }
            for (point, axis) in (0..points).flat_map(|point| (0..3).map(move |axis| (point, axis))) {
                let mut shifted = |step: f64| {
                    let mut moved = positions.to_vec();
                    moved[point][axis] += step;
                    evaluate(&mut *kind, &moved, velocities)
                };
                let (ahead, behind) = (shifted(H), shifted(-H));
                for row in 0..kind.rows() {
                    let slope = (ahead.value[row] - behind.value[row]) / (2.0 * H);
                    assert!((slope - here.jacobian[point][row][axis]).abs() < 1e-7, "{name}: J");
                    let slope = (ahead.rate[row] - behind.rate[row]) / (2.0 * H);
                    let found = here.jacobian_rate[point][row][axis];
                    assert!((slope - found).abs() < 1e-6, "{name}: J̇ {slope} {found}");
                }
            }
        }
    }
}

#[test]
fn a_wire_bends_steadily_through_its_points() {
    const H: f64 = 1e-5;
    let points = [[0.9, 0.0, 0.1], [0.5, 0.8, 0.3], [-0.2, 0.9, 0.0], [-0.9, 0.1, 0.4], [-0.3, -0.8, 0.2]]
        .map(Vector3::from);
    let orientation = UnitQuaternion::new(Vector3::new(0.2, 0.4, -0.3));
    let helix = Curve::Helix { origin: points[0], orientation, radius: 0.8, rise: 0.2 };
    let wire = |closed| Curve::Wire(Wire::new(&points, closed).expect("a wire"));
    for curve in [helix, wire(false), wire(true)] {
        for k in -5..50 {
            let s = 0.123 * f64::from(k);
            let (ahead, behind) = (curve.at(s + H), curve.at(s - H));
            let here = curve.at(s);
            for order in 0..2 {
                let slope = (ahead[order] - behind[order]) / (2.0 * H);
                assert!((slope - here[order + 1]).norm() < 1e-4, "{curve:?} at {s}");
            }
            let aside = here[1].cross(&Vector3::new(0.1, 0.2, 0.7));
            let foot = curve.foot(&(here[0] + 0.02 * aside), Some(s + 0.01));
            assert!((curve.at(foot)[0] - here[0]).norm() < 1e-12);
        }
    }
    for point in points {
        let curve = wire(true);
        assert!((curve.at(curve.foot(&point, None))[0] - point).norm() < 1e-12);
    }
}
