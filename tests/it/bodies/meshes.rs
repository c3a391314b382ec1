//! Meshes with contact geometry and mass.

use super::{model, reading};
use aplomb::contact::candidates;
use aplomb::language::diagnostic::Source;
use aplomb::model::Model;
use aplomb::model::mjcf;
use aplomb::model::write::scene_xml;
use nalgebra::{Matrix3, Vector3};

/// A free body with one mesh.
fn of_mesh(asset: &str, geom: &str) -> String {
    format!(
        r#"<mujoco><compiler meshdir="meshes"/><asset><mesh name="m" {asset}/></asset>
        <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="m" {geom}/></body></worldbody></mujoco>"#
    )
}

/// Half-lengths and centre of the box, along the axes of the body, that contains the corners of its hull.
pub fn extent(model: &Model) -> [Vector3<f64>; 2] {
    let aplomb::model::Shape::Hull(hull) = &model.geoms[0].shape else { panic!("no hull") };
    let geom = &model.geoms[0];
    let place = |corner: &Vector3<f64>| geom.position + geom.orientation * corner;
    let (low, high) =
        hull.corners().iter().map(place).fold(
            (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)),
            |(low, high), corner| (low.inf(&corner), high.sup(&corner)),
        );
    [(high - low) / 2.0, (high + low) / 2.0]
}

#[test]
fn what_a_mesh_weighs_is_what_mujoco_says_of_it() {
    // From MuJoCo 4.0.0, which keeps points in single precision: mass, centre, inertia xx yy zz xy xz yz.
    let expected = [
        (
            "legacy",
            3.329193318972202,
            [0.07107829232724436, 0.1293520597105648, 0.01737832881178138],
            [
                0.0489090894143347,
                0.0400387412569831,
                0.0164592632426218,
                0.0038027971490899,
                0.008888275461991732,
                -0.00801523330870908,
            ],
        ),
        (
            "exact",
            3.2,
            [0.07034947079185547, 0.12831088022689816, 0.020877172222538386],
            [
                0.04776222333095246,
                0.03893667042091666,
                0.01628866813679201,
                0.00386625658383491,
                0.008702303760737606,
                -0.008337851982719245,
            ],
        ),
        (
            "convex",
            4.0,
            [0.07061404569832175, 0.14276309605029044, 0.01192802736730281],
            [
                0.05566195342274828,
                0.04309465824660472,
                0.02084859972486998,
                0.00412260503596991,
                0.009159072762866746,
                -0.007014452378698745,
            ],
        ),
    ];
    for file in ["bracket.obj", "bracket.stl"] {
        for (kind, mass, centre, [xx, yy, zz, xy, xz, yz]) in expected {
            let asset = format!(
                r#"file="{file}" inertia="{kind}" scale="0.1 0.1 -0.2" refpos="0.3 0 0.2" refquat="0.9 0.1 0.3 0""#
            );
            let read = model(&of_mesh(&asset, r#"pos="0.1 0 0" euler="10 20 30" density="800""#));
            let own = &read.bodies[0].inertia;
            let about = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
            assert!((own.mass - mass).abs() < 1e-5 * mass, "{file} {kind}: {}", own.mass);
            assert!((own.centre - Vector3::from(centre)).norm() < 1e-5, "{file} {kind}: {}", own.centre);
            assert!(
                (own.about_centre - about).norm() < 1e-5 * about.norm(),
                "{file} {kind}: {}",
                own.about_centre
            );
        }
    }
}

#[test]
fn a_mesh_touches_with_the_corners_of_its_hull() {
    let read = model(&of_mesh(r#"file="bracket.obj" scale="0.1 0.1 0.1""#, r#"pos="0 0 1" mass="2""#));
    // Of the twelve corners, the two at the inner angle are inside the hull.
    let corners = candidates(&read).iter().filter(|candidate| !candidate.name.ends_with("edge")).count();
    assert_eq!(corners, 10);
    let [half, middle] = extent(&read);
    assert!((half - Vector3::new(0.1, 0.15, 0.025)).norm() < 1e-6, "{half}");
    assert!((middle - Vector3::new(0.1, 0.15, 1.025)).norm() < 1e-6, "{middle}");
    assert_eq!(read.mass(), 2.0);
}

#[test]
fn lengths_and_places_of_collada_files_count() {
    // The sole is 24 × 10 × 4 cm, with its centre 4 cm ahead of its origin.
    let [half, middle] = extent(&model(&of_mesh(r#"file="sole.dae""#, "")));
    assert!((half - Vector3::new(0.12, 0.05, 0.02)).norm() < 1e-6, "{half}");
    assert!((middle - Vector3::new(0.04, 0.0, 0.0)).norm() < 1e-6, "{middle}");
}

#[test]
fn a_mesh_that_is_written_reads_back_as_it_was() {
    let contents = |mut model: Model| {
        model.bodies.iter_mut().for_each(|body| body.line = 0);
        model.joints.iter_mut().for_each(|joint| joint.line = 0);
        model.geoms.iter_mut().for_each(|geom| geom.line = 0);
        format!("{model:#?}")
    };
    let read =
        model(&of_mesh(r#"file="bracket.obj" scale="0.1 0.1 0.1""#, r#"pos="0 0 1" euler="10 20 30""#));
    let written = scene_xml(&read, &read.gravity, &[], &[]);
    let again = mjcf::read(&Source::new("again.xml", &written)).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(contents(again), contents(read));
}

#[test]
fn a_mesh_that_cannot_be_had_is_said_where_it_is_named() {
    let said = |asset: &str| reading(&of_mesh(asset, ""), false).map(|_| ()).unwrap_err()[0].to_string();
    let nowhere = said("file=\"nowhere.stl\"");
    assert!(nowhere.starts_with("written.xml:1:59: <mesh> attribute `file`: cannot read `"), "{nowhere}");
    assert!(nowhere.contains("meshes/nowhere.stl"), "{nowhere}");
    assert!(said("file=\"../meshes.txt\"").contains("cannot read"), "unknown kinds of files");
    let flat = said("vertex=\"0 0 0 1 0 0 1 1 0 0 1 0\"");
    assert!(flat.contains("in one plane"), "{flat}");
    let unknown = of_mesh("file=\"bracket.obj\"", "").replace("mesh=\"m\"", "mesh=\"mm\"");
    let unknown = reading(&unknown, false).map(|_| ()).unwrap_err()[0].to_string();
    assert!(unknown.contains("there is no mesh `mm`") && !unknown.contains("mass"), "{unknown}");
}

#[test]
fn a_binary_file_that_begins_like_a_text_is_told_by_its_length() {
    let read = model(&of_mesh(r#"file="binary.stl""#, r#"density="6""#));
    assert!((read.mass() - 1.0).abs() < 1e-9, "a sixth of a cube: {} kg", read.mass());
}
