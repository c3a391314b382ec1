//! Writing of a model as an MJCF file that MuJoCo opens, and, without shown bodies, our own reader: the basis
//! of exports.

use super::pad::PAD;
use super::{Body, BodyId, Geom, Joint, JointId, JointKind, Model, Shape, Site};
use aplomb_math::geometry::{HeightField, Hull};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use std::fmt::Write;

/// A body whose pose another program sets (MJCF `mocap`), in the order of its `mocap_pos`.
#[derive(Clone, Debug)]
pub struct MocapBody {
    /// Name of the body in the written model.
    pub name: String,
    /// Initial position, m.
    pub position: Vector3<f64>,
    /// Rotation from body axes to world axes.
    pub orientation: UnitQuaternion<f64>,
    /// Shapes of the body.
    pub geoms: Vec<Geom>,
}

/// The character with the fixed shapes of its world, as MJCF: angles in radians, explicit inertias, numbers
/// that parse back exactly. `gravity` is the scene's (m/s²); `fixed` is added to the world in addition to the
/// model's own shapes. Bodies and joints keep their order, so that configurations are valid; bodies in
/// `shown` follow them, without coordinates and contacts.
pub fn scene_xml(model: &Model, gravity: &Vector3<f64>, fixed: &[Geom], shown: &[MocapBody]) -> String {
    let mut page = XmlWriter { text: String::new(), depth: 0 };
    let mut root = Tag::new("mujoco");
    if !model.name.is_empty() {
        root = root.text("model", &model.name);
    }
    page.open(root);
    page.line(
        Tag::new("compiler")
            .text("angle", "radian")
            .text("autolimits", "true")
            .text("inertiafromgeom", "false"),
    );
    page.line(Tag::new("option").numbers("gravity", gravity.as_slice()));
    let shown_geoms = shown.iter().flat_map(|body| &body.geoms);
    let hulls = Hulls::of(model.geoms.iter().chain(fixed).chain(shown_geoms));
    hulls.write(&mut page);
    page.open(Tag::new("worldbody"));
    for geom in model.geoms.iter().filter(|geom| geom.body.is_none()) {
        page.line(geom_tag(geom, &geom.name, &hulls));
    }
    for geom in fixed {
        // The character and the scene may have shapes of the same name.
        let mut name = geom.name.clone();
        while model.geoms.iter().any(|other| other.name == name) {
            name.push('_');
        }
        page.line(geom_tag(geom, &name, &hulls));
    }
    for site in model.sites.iter().filter(|site| site.body.is_none()) {
        page.line(site_tag(site));
    }
    write_bodies(&mut page, model, &hulls);
    shown.iter().for_each(|body| write_shown(&mut page, body, &hulls));
    page.close("worldbody");
    write_couplings(&mut page, model);
    write_actuators(&mut page, model);
    write_keyframes(&mut page, model);
    write_pads(&mut page, model);
    page.close("mujoco");
    page.text
}

fn write_shown(page: &mut XmlWriter, body: &MocapBody, hulls: &Hulls) {
    let tag = Tag::new("body").text("name", &body.name).text("mocap", "true");
    page.open(framed(tag, &body.position, &body.orientation));
    for geom in &body.geoms {
        page.line(geom_tag(geom, &geom.name, hulls));
    }
    page.close("body");
}

fn write_keyframes(page: &mut XmlWriter, model: &Model) {
    if !model.keyframes.is_empty() {
        page.open(Tag::new("keyframe"));
        for key in &model.keyframes {
            page.line(Tag::new("key").text("name", &key.name).numbers("qpos", &key.q));
        }
        page.close("keyframe");
    }
}

/// Numbers that MuJoCo leaves to programs: depth and time of each pad.
fn write_pads(page: &mut XmlWriter, model: &Model) {
    let pads = model.bodies.iter().filter_map(|body| Some((&body.name, body.pad?)));
    let mut pads = pads.peekable();
    if pads.peek().is_none() {
        return;
    }
    page.open(Tag::new("custom"));
    for (body, pad) in pads {
        let tag = Tag::new("numeric").text("name", &format!("{PAD}{body}"));
        page.line(tag.numbers("data", &[pad.depth, pad.time]));
    }
    page.close("custom");
}

fn write_couplings(page: &mut XmlWriter, model: &Model) {
    if model.couplings.is_empty() {
        return;
    }
    page.open(Tag::new("equality"));
    for coupling in &model.couplings {
        let name = |joint: JointId| &model.joints[joint.0].name;
        let mut tag = Tag::new("joint").text("joint1", name(coupling.follower));
        if let Some(leader) = coupling.leader {
            tag = tag.text("joint2", name(leader));
        }
        page.line(tag.numbers("polycoef", &[coupling.offset, coupling.ratio, 0.0, 0.0, 0.0]));
    }
    page.close("equality");
}

/// A motor for each driven joint, if there are others: without any actuator, all joints would be driven.
fn write_actuators(page: &mut XmlWriter, model: &Model) {
    if model.passive_joints().next().is_none() {
        return;
    }
    page.open(Tag::new("actuator"));
    for joint in model.joints.iter().filter(|joint| model.is_actuated[joint.v_index]) {
        page.line(Tag::new("motor").text("joint", &joint.name));
    }
    page.close("actuator");
}

/// Bodies are depth first, so a body's subtree ends before the first later body that is not its descendant.
fn write_bodies(page: &mut XmlWriter, model: &Model, hulls: &Hulls) {
    let mut open: Vec<BodyId> = Vec::new();
    for (index, body) in model.bodies.iter().enumerate() {
        while open.last().copied() != body.parent && open.pop().is_some() {
            page.close("body");
        }
        page.open(framed(Tag::new("body").text("name", &body.name), &body.position, &body.orientation));
        open.push(BodyId(index));
        for joint in &model.joints[body.joints.clone()] {
            page.line(joint_tag(joint, model));
        }
        if body.inertia.mass > 0.0 {
            page.line(inertial_tag(body));
        }
        for geom in model.geoms.iter().filter(|geom| geom.body == Some(BodyId(index))) {
            page.line(geom_tag(geom, &geom.name, hulls));
        }
        for site in model.sites.iter().filter(|site| site.body == Some(BodyId(index))) {
            page.line(site_tag(site));
        }
    }
    for _ in open {
        page.close("body");
    }
}

fn joint_tag(joint: &Joint, model: &Model) -> Tag {
    let mut tag = Tag::new("joint").text("name", &joint.name);
    let axis = match joint.kind {
        JointKind::Free => return with_passive(tag.text("type", "free"), joint, model),
        JointKind::Ball => {
            tag = tag.text("type", "ball");
            None
        }
        JointKind::Hinge { axis } => Some(axis),
        JointKind::Slide { axis } => {
            tag = tag.text("type", "slide");
            Some(axis)
        }
    };
    if let Some(axis) = axis {
        tag = tag.numbers("axis", axis.as_slice());
    }
    tag = tag.unless_zero("pos", joint.anchor.as_slice());
    if let Some(range) = joint.range {
        tag = tag.numbers("range", &range);
    }
    tag = tag.unless_zero("ref", &[joint.reference]);
    let limits = model.torque_limits[joint.v_index];
    if axis.is_some() && limits.iter().all(|limit| limit.is_finite()) {
        tag = tag.numbers("actuatorfrcrange", &limits);
    }
    with_passive(tag, joint, model)
}

/// Adds springs, damping and armature.
fn with_passive(tag: Tag, joint: &Joint, model: &Model) -> Tag {
    tag.unless_zero("stiffness", &[joint.stiffness])
        .unless_zero("springref", &[joint.spring_reference])
        .unless_zero("damping", &[joint.damping])
        .unless_zero("frictionloss", &[joint.friction])
        .unless_zero("armature", &[model.armature[joint.v_index]])
}

fn inertial_tag(body: &Body) -> Tag {
    let i = &body.inertia.about_centre;
    let tag = Tag::new("inertial")
        .numbers("pos", body.inertia.centre.as_slice())
        .numbers("mass", &[body.inertia.mass]);
    // MuJoCo accepts zero moments only in diagonal form.
    if [i.m12, i.m13, i.m23] == [0.0; 3] {
        return tag.numbers("diaginertia", &[i.m11, i.m22, i.m33]);
    }
    let least = i.symmetric_eigenvalues().min();
    if least > SMALLEST_MOMENT * i.trace() {
        return tag.numbers("fullinertia", &[i.m11, i.m22, i.m33, i.m12, i.m13, i.m23]);
    }
    let axes = i.symmetric_eigen();
    let mut turn = axes.eigenvectors;
    if turn.determinant() < 0.0 {
        turn.column_mut(2).neg_mut();
    }
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    let moments = axes.eigenvalues.map(|moment| moment.max(0.0));
    let turn = [turn.w, turn.i, turn.j, turn.k];
    tag.numbers("quat", &turn).numbers("diaginertia", moments.as_slice())
}

/// A principal moment below this share of their sum counts as zero in MuJoCo.
const SMALLEST_MOMENT: f64 = 1e-12;

/// The hulls and height fields of shapes, each once.
struct Hulls<'a>(Vec<&'a Hull>, Vec<&'a HeightField>);

impl<'a> Hulls<'a> {
    fn of(geoms: impl Iterator<Item = &'a Geom>) -> Self {
        let mut found: Vec<&Hull> = Vec::new();
        let mut fields: Vec<&HeightField> = Vec::new();
        for geom in geoms {
            if let Shape::Field(field) = &geom.shape
                && !fields.contains(&&**field)
            {
                fields.push(field);
            }
            if let Shape::Hull(hull) = &geom.shape
                && !found.contains(&&**hull)
            {
                found.push(hull);
            }
        }
        Hulls(found, fields)
    }

    fn name(&self, hull: &Hull) -> String {
        format!("hull{}", self.0.iter().position(|known| *known == hull).unwrap_or_default() + 1)
    }

    fn field_name(&self, field: &HeightField) -> String {
        format!("ground{}", self.1.iter().position(|known| *known == field).unwrap_or_default() + 1)
    }

    fn write(&self, page: &mut XmlWriter) {
        if self.0.is_empty() && self.1.is_empty() {
            return;
        }
        page.open(Tag::new("asset"));
        for hull in &self.0 {
            let points: Vec<f64> = hull.corners().iter().flatten().copied().collect();
            page.line(Tag::new("mesh").text("name", &self.name(hull)).numbers("vertex", &points));
        }
        for field in &self.1 {
            let [columns, rows] = field.lines().map(|lines| lines.len() as f64);
            let even = EvenGround::of(field);
            let tag = Tag::new("hfield").text("name", &self.field_name(field));
            let tag = tag.numbers("nrow", &[rows]).numbers("ncol", &[columns]);
            page.line(tag.numbers("size", &even.size).numbers("elevation", &even.elevation));
        }
        page.close("asset");
    }
}

/// A height field of MuJoCo: centred, with as many lines at equal distances, and heights from 0 to 1.
struct EvenGround {
    middle: Vector3<f64>,
    /// Half-lengths along x and y, scale of heights, and thickness of the base, m.
    size: [f64; 4],
    elevation: Vec<f64>,
}

impl EvenGround {
    fn of(field: &HeightField) -> Self {
        /// Thickness of the ground below its lowest point, m.
        const BASE: f64 = 0.1;
        let ends = field.lines().map(|lines| [lines[0], lines[lines.len() - 1]]);
        let evenly = |[low, high]: [f64; 2], count: usize| {
            (0..count).map(move |line| low + (high - low) * line as f64 / (count - 1) as f64)
        };
        let [columns, rows] = field.lines().map(<[f64]>::len);
        let places = evenly(ends[1], rows).flat_map(|y| evenly(ends[0], columns).map(move |x| (x, y)));
        let heights: Vec<f64> =
            places.map(|(x, y)| field.top(x, y).map_or(0.0, |(height, _)| height)).collect();
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let range = (field.highest() - lowest).max(1e-6);
        let [half_x, half_y] = ends.map(|[low, high]| 0.5 * (high - low));
        let [x, y] = ends.map(|[low, high]| 0.5 * (low + high));
        EvenGround {
            middle: Vector3::new(x, y, lowest),
            size: [half_x, half_y, range, BASE],
            elevation: heights.into_iter().map(|height| (height - lowest) / range).collect(),
        }
    }
}

fn geom_tag(geom: &Geom, name: &str, hulls: &Hulls) -> Tag {
    let (kind, sizes) = match geom.shape {
        // MuJoCo's planes are infinite for contacts; the sizes are for display.
        Shape::Plane => ("plane", vec![0.0, 0.0, 1.0]),
        Shape::Sphere { radius } => ("sphere", vec![radius]),
        Shape::Capsule { radius, half_length } => ("capsule", vec![radius, half_length]),
        Shape::Cylinder { radius, half_length } => ("cylinder", vec![radius, half_length]),
        Shape::Box { half_lengths } => ("box", half_lengths.as_slice().to_vec()),
        Shape::Ellipsoid { radii } => ("ellipsoid", radii.as_slice().to_vec()),
        Shape::Hull(_) => ("mesh", Vec::new()),
        Shape::Field(_) => ("hfield", Vec::new()),
    };
    let tag = Tag::new("geom");
    let tag = if name.is_empty() { tag } else { tag.text("name", name) };
    let tag = tag.text("type", kind);
    let tag = match &geom.shape {
        Shape::Hull(hull) => tag.text("mesh", &hulls.name(hull)),
        Shape::Field(field) => tag.text("hfield", &hulls.field_name(field)),
        _ => tag.numbers("size", &sizes),
    };
    let position = match &geom.shape {
        Shape::Field(field) => geom.position + geom.orientation * EvenGround::of(field).middle,
        _ => geom.position,
    };
    let tag = framed(tag, &position, &geom.orientation).numbers("friction", &[geom.friction]);
    match geom.collides {
        true => tag,
        false => tag.numbers("contype", &[0.0]).numbers("conaffinity", &[0.0]),
    }
}

fn site_tag(site: &Site) -> Tag {
    let tag = framed(Tag::new("site").text("name", &site.name), &site.position, &site.orientation);
    match site.radius == Site::USUAL_RADIUS {
        true => tag,
        false => tag.numbers("size", &[site.radius]),
    }
}

fn framed(tag: Tag, position: &Vector3<f64>, orientation: &UnitQuaternion<f64>) -> Tag {
    let tag = tag.numbers("pos", position.as_slice());
    match *orientation == UnitQuaternion::identity() {
        true => tag,
        false => tag.numbers("quat", &[orientation.w, orientation.i, orientation.j, orientation.k]),
    }
}

/// The text written so far.
struct XmlWriter {
    text: String,
    depth: usize,
}

impl XmlWriter {
    fn indented(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn line(&mut self, tag: Tag) {
        self.indented(&format!("<{}/>", tag.0));
    }

    fn open(&mut self, tag: Tag) {
        self.indented(&format!("<{}>", tag.0));
        self.depth += 1;
    }

    fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.indented(&format!("</{name}>"));
    }
}

/// An element's name and attributes.
struct Tag(String);

impl Tag {
    fn new(name: &str) -> Self {
        Tag(name.to_string())
    }

    fn text(mut self, name: &str, value: &str) -> Self {
        self.0.push_str(&format!(" {name}=\"{}\"", escaped(value)));
        self
    }

    /// Writes each number with the fewest digits that read back to it.
    fn numbers(self, name: &str, values: &[f64]) -> Self {
        let words: Vec<String> = values.iter().map(|value| shortest(*value)).collect();
        self.text(name, &words.join(" "))
    }

    fn unless_zero(self, name: &str, values: &[f64]) -> Self {
        if values.iter().all(|value| *value == 0.0) { self } else { self.numbers(name, values) }
    }
}

/// The shortest form: `0.5`, `1`, `1e-7`.
fn shortest(value: f64) -> String {
    let written = format!("{value:?}");
    written.strip_suffix(".0").map(str::to_string).unwrap_or(written)
}

fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Writing to a string cannot fail.
            control if control < ' ' => _ = write!(escaped, "&#{};", u32::from(control)),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::scene_xml;
    use crate::model::{Geom, Model, Shape, mjcf};
    use aplomb_language::diagnostic::Source;
    use nalgebra::{UnitQuaternion, Vector3};

    fn read(text: &str) -> Model {
        mjcf::read(&Source::new("model.xml", text)).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// The model without line numbers, with every digit.
    fn contents(mut model: Model) -> String {
        model.bodies.iter_mut().for_each(|body| body.line = 0);
        model.joints.iter_mut().for_each(|joint| joint.line = 0);
        model.couplings.iter_mut().for_each(|coupling| coupling.line = 0);
        model.geoms.iter_mut().for_each(|geom| geom.line = 0);
        model.sites.iter_mut().for_each(|site| site.line = 0);
        format!("{model:#?}")
    }

    #[test]
    fn the_shipped_characters_read_back_as_they_were() {
        for text in [
            include_str!("../../../../characters/adult.xml"),
            include_str!("../../../../characters/child.xml"),
        ] {
            let model = read(text);
            assert_eq!(contents(read(&scene_xml(&model, &model.gravity, &[], &[]))), contents(model));
        }
    }

    #[test]
    fn every_kind_of_joint_and_shape_reads_back_as_it_was() {
        let model = read(
            r#"<mujoco model="a &lt;b&gt; &quot;c&quot; &amp; d">
              <option gravity="0.1 0 -9.7"/>
              <worldbody>
                <geom type="plane" size="1 1 1" friction="0.3"/> <site name="door" pos="1 2 3"/>
                <body name="a" pos="1 2 3" euler="10 20 30">
                  <joint type="free" damping="0.1"/> <geom size="0.1" mass="1"/>
                  <body name="b" quat="1 2 3 4">
                    <joint type="ball" pos="0 0 0.1" range="0 70" limited="true"/>
                    <joint name="s" type="slide" axis="1 1 0" range="-1 0.3" ref="0.1" armature="0.2"/>
                    <geom type="capsule" fromto="0 0 0 1 2 3" size="0.1" contype="0" conaffinity="0"/>
                    <geom type="cylinder" size="0.1 0.7" zaxis="1 1 1"/>
                  </body>
                  <body name="c" pos="0 0 1e-7"> <site name="tip" axisangle="0 1 0 33"/> </body>
                </body>
                <body name="d">
                  <joint name="h" axis="0 3 4" stiffness="2" springref="12" actuatorfrcrange="-3 4"/>
                  <inertial pos="0.1 0 0" mass="3" diaginertia="1 2 2.5" euler="11 22 33"/>
                  <geom name="box" type="box" size="1 2 3" friction="0.7"/>
                </body>
              </worldbody>
              <keyframe><key name="up" qpos="0 0 1 1 0 0 0 0.6 0.8 0 0 0.2 0.3"/></keyframe>
            </mujoco>"#,
        );
        assert_eq!(contents(read(&scene_xml(&model, &model.gravity, &[], &[]))), contents(model));
    }

    #[test]
    fn passive_joints_read_back_as_passive() {
        let model = read(
            "<mujoco><worldbody><body><joint name=\"a\"/><joint name=\"b\" axis=\"1 0 0\"/><geom \
             size=\"1\"/></body></worldbody>\
             <actuator><motor joint=\"b\" gear=\"5\" ctrlrange=\"-1 1\"/></actuator></mujoco>",
        );
        assert_eq!(model.is_actuated, [false, true]);
        assert_eq!(contents(read(&scene_xml(&model, &model.gravity, &[], &[]))), contents(model));
    }

    #[test]
    fn moments_of_nothing_are_written_without_axes_to_look_for() {
        let marked = |inertial: &str| {
            read(&format!(
                "<mujoco><worldbody><body name=\"a\"><freejoint/><geom size=\"0.1\" mass=\"3\"/><body name=\"marker\">\
                 <inertial mass=\"1e-9\" {inertial}/></body></body></worldbody></mujoco>"
            ))
        };
        let thin = "diaginertia=\"0 2e-9 2e-9\" quat=\"0.8 0.6 0 0.2\" pos=\"0.1 0 0\"";
        for inertial in ["pos=\"0 0 0\" diaginertia=\"0 0 0\"", thin] {
            let model = marked(inertial);
            let text = scene_xml(&model, &model.gravity, &[], &[]);
            assert!(!text.contains("fullinertia"), "{text}");
            let (again, off) = (read(&text), |a: f64, b: f64| (a - b).abs() > 1e-20);
            let (was, is) = (&model.bodies[1].inertia, &again.bodies[1].inertia);
            assert_eq!((was.mass, was.centre), (is.mass, is.centre));
            assert!(!was.about_centre.iter().zip(is.about_centre.iter()).any(|(a, b)| off(*a, *b)), "{text}");
        }
        let turned = marked("pos=\"0 0 0\" fullinertia=\"3e-9 3e-9 3e-9 1e-9 0 0\"");
        assert!(scene_xml(&turned, &turned.gravity, &[], &[]).contains("fullinertia"));
    }

    #[test]
    fn joints_that_follow_others_read_back_as_they_were() {
        let coupled = |actuators: &str| {
            read(&format!(
                "<mujoco><worldbody><body><joint name=\"a\" ref=\"13\" range=\"-50 60\"/><joint name=\"b\" \
                 axis=\"1 0 0\" range=\"-20 70\" ref=\"7\"/><joint name=\"c\" axis=\"0 1 0\"/><geom size=\"1\"/></body>\
                 </worldbody><equality><joint joint1=\"b\" joint2=\"a\" polycoef=\"0.1 0.7\"/><joint joint1=\"c\" \
                 joint2=\"b\" polycoef=\"0.2 -3\"/></equality><actuator>{actuators}</actuator></mujoco>"
            ))
        };
        for actuators in ["", r#"<motor joint="b" ctrlrange="-2 3"/><motor joint="a" ctrlrange="-1 1"/>"#] {
            let model = coupled(actuators);
            assert_eq!((model.couplings.len(), &model.is_actuated[..]), (2, &[true, false, false][..]));
            assert_eq!(contents(read(&scene_xml(&model, &model.gravity, &[], &[]))), contents(model));
        }
    }

    #[test]
    fn the_fixed_world_stands_beside_the_character() {
        let model = read(include_str!("../../../../characters/adult.xml"));
        let ground = Geom {
            name: "ground".into(),
            body: None,
            shape: Shape::Plane,
            position: Vector3::new(0.0, 0.0, -0.25),
            orientation: UnitQuaternion::identity(),
            friction: 0.8,
            collides: true,
            line: 0,
        };
        let text = scene_xml(&model, &Vector3::new(0.0, 0.0, -1.62), &[ground], &[]);
        assert!(
            text.contains(
                r#"<geom name="ground" type="plane" size="0 0 1" pos="0 0 -0.25" friction="0.8"/>"#
            )
        );
        let again = read(&text);
        assert_eq!(again.geoms[0].position.z, -0.25);
        assert_eq!(again.gravity.z, -1.62);
        assert_eq!(again.nq, model.nq);
    }
}
