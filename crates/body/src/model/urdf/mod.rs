//! Robots from URDF, converted to MJCF: links become bodies, with warnings about properties that URDF does
//! not define.

mod frame;
mod joint;
mod link;
mod mesh;

use crate::model::warning::Ignored;
use crate::model::xml::{DEEPEST, Tree, XmlNode};
use aplomb_language::diagnostic::{FileError, FileErrors, Source, Warning};
use frame::UrdfTransform;
use joint::{JointElement, JointMotion};
use link::LinkElement;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Names of links that are the world.
const WORLD: [&str; 3] = ["world", "map", "universe"];

/// A robot as MJCF.
pub(super) struct Converted {
    /// The text, with the name of its file.
    pub source: Source,
    /// Joints with a largest rate, rad/s or m/s, which MJCF cannot express.
    pub velocity_limits: Vec<(String, f64)>,
    /// Warnings about elements that were omitted, repaired or added.
    pub warnings: Vec<Warning>,
}

/// Whether a text is a URDF file: its outermost element is `<robot>`.
pub(super) fn is_urdf(source: &Source) -> bool {
    let mut rest = source.text.trim_start_matches('\u{feff}').trim_start();
    while let Some((open, close)) =
        [("<?", "?>"), ("<!--", "-->")].iter().find(|(open, _)| rest.starts_with(open))
    {
        let Some(end) = rest[open.len()..].find(close) else { return false };
        rest = rest[open.len() + end + close.len()..].trim_start();
    }
    rest.strip_prefix("<robot").is_some_and(|after| after.starts_with([' ', '\n', '\t', '\r', '>', '/']))
}

/// Reads a robot.
///
/// # Errors
/// All errors in it.
pub(super) fn to_mjcf(source: &Source) -> Result<Converted, FileErrors> {
    let tree = Tree::read(source, |_| true)?;
    let root = tree.root();
    let mut noted = Noted::default();
    let mut errors = Vec::new();
    let parts = |tag: &'static str| root.children().filter(move |part| part.tag() == tag);
    // Some robots have visual shapes only.
    let has_collisions = parts("link").any(|link| child(link, "collision").is_some());
    let shapes = if has_collisions { "collision" } else { "visual" };
    let mut links = Vec::new();
    for node in parts("link") {
        match LinkElement::read(node, shapes, &mut noted) {
            Ok(link) => links.push(link),
            Err(error) => errors.push(error),
        }
    }
    let mut joints = Vec::new();
    for node in parts("joint") {
        match JointElement::read(node, &mut noted) {
            Ok(joint) => joints.push(joint),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors.into());
    }
    turn_meshes(&mut links, &mut noted);
    let mut robot = Robot { links, joints, noted };
    robot.check(root)?;
    let name = root.attribute("name").map_or("", |name| &name.value);
    let text = robot.write(name, root)?;
    let warnings = robot.noted.warnings(&tree.source);
    let limited = robot.joints.iter().filter_map(|joint| Some((joint.name.to_string(), joint.velocity?)));
    let velocity_limits = limited.collect();
    Ok(Converted {
        source: Source::new(format!("{} (as MJCF)", source.name), text),
        velocity_limits,
        warnings,
    })
}

/// Meshes are rotated to y up if that reduces the distance of their centres from the centres of mass by this
/// factor.
const NEARER: f64 = 0.7;

/// Rotates COLLADA meshes whose files declare y as up, if the robot was made for readers that do so: the
/// centres of mass of its links are then inside their shapes. ROS ignores this declaration, and most robots
/// are made for ROS.
fn turn_meshes(links: &mut [LinkElement], noted: &mut Noted) {
    let [written, turned] =
        links.iter().map(LinkElement::off_centre).fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d]);
    if turned >= NEARER * written {
        return;
    }
    for link in links {
        if link.turn_y_up() {
            noted.turned.add(format!("`{}`", link.name), span(link.node));
        }
    }
}

/// Elements that were omitted, repaired or added.
#[derive(Default)]
pub(super) struct Noted {
    repaired: Ignored,
    massless: Ignored,
    meshes: Ignored,
    turned: Ignored,
    seen: Ignored,
    unlimited: Ignored,
    any_speed: Ignored,
}

impl Noted {
    fn warnings(&self, source: &Source) -> Vec<Warning> {
        let strict = "`aplomb check --strict` refuses it";
        let all = [
            (
                &self.repaired,
                "inertias that are physically impossible, increased to the nearest possible ones; \
                              links",
            ),
            (&self.massless, "links without mass on a moving joint, fixed or merged with the next link"),
            (&self.seen, "no link has a <collision>: visual shapes are used for contact; links"),
            (&self.meshes, "meshes that cannot be read have no contacts"),
            (
                &self.turned,
                "meshes turned so that y is up, as their files say: so their links' masses are in them; links",
            ),
            (&self.unlimited, "an effort of 0 is read as no limit; joints"),
            (&self.any_speed, "a velocity of 0 is read as no limit; joints"),
        ];
        all.into_iter().filter_map(|(found, message)| found.warning(source, message, strict)).collect()
    }
}

struct Robot<'a> {
    links: Vec<LinkElement<'a>>,
    joints: Vec<JointElement<'a>>,
    noted: Noted,
}

/// A link still to be written.
struct UnwrittenLink {
    link: usize,
    /// The joint of which it is the child.
    joint: Option<usize>,
    depth: usize,
}

impl<'a> Robot<'a> {
    fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// Joints of which a link is the parent.
    fn carried(&self, link: usize) -> impl Iterator<Item = usize> {
        let name = self.links[link].name;
        (0..self.joints.len()).filter(move |&joint| self.joints[joint].parent == name)
    }

    fn check(&self, root: XmlNode) -> Result<(), FileErrors> {
        let mut errors = Vec::new();
        let mut children = BTreeSet::new();
        let mut names = BTreeSet::new();
        for link in &self.links {
            if !names.insert(link.name) {
                errors.push(error(link.node, format!("there is another link `{}`", link.name)));
            }
        }
        let mut names = BTreeSet::new();
        for joint in &self.joints {
            if !names.insert(joint.name) {
                errors.push(error(joint.node, format!("there is another joint `{}`", joint.name)));
            }
            for end in [joint.parent, joint.child] {
                if self.link(end).is_none() {
                    let known = self.links.iter().map(|link| link.name);
                    errors.push(error(joint.node, format!("there is no link `{end}`")).suggest(end, known));
                }
            }
            if !children.insert(joint.child) {
                errors.push(error(
                    joint.node,
                    format!("`{}` is the child of another joint as well", joint.child),
                ));
            }
        }
        errors.extend(self.joints.iter().filter_map(|joint| self.check_mimic(joint).err()));
        let roots = self.links.iter().filter(|link| !children.contains(link.name)).count();
        if errors.is_empty() && roots != 1 {
            errors.push(error(root, format!("a robot has one root link, and {roots} have no parent")));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    }

    /// # Errors
    /// A mimic joint without a leader, with a leader that cannot be followed, or that mimics itself.
    fn check_mimic(&self, joint: &JointElement) -> Result<(), FileError> {
        let (mut at, mut way) = (joint, vec![joint.name]);
        while let Some(mimic) = at.mimic {
            let wrong = |message: String| error(mimic.node, message);
            let Some(leader) = self.joints.iter().find(|other| other.name == mimic.leader) else {
                let known = self.joints.iter().map(|joint| joint.name);
                let message = format!("there is no joint `{}`", mimic.leader);
                return Err(wrong(message).suggest(mimic.leader, known));
            };
            if leader.motion == JointMotion::Free {
                let message = format!("`{}` is floating: it has no single value to follow", mimic.leader);
                return Err(wrong(message));
            }
            if way.contains(&leader.name) {
                way.push(leader.name);
                let way: Vec<String> = way.iter().map(|name| format!("`{name}`")).collect();
                let message = format!("joints are coupled in a circle: {}", way.join(" follows "));
                return Err(error(joint.mimic.map_or(mimic.node, |own| own.node), message));
            }
            way.push(leader.name);
            at = leader;
        }
        Ok(())
    }

    /// Whether a link and the links fixed to it are massless.
    fn is_massless(&self, link: usize) -> bool {
        let mut waiting = vec![link];
        while let Some(link) = waiting.pop() {
            if self.links[link].inertia.is_some() {
                return false;
            }
            let fixed = self.carried(link).filter(|&joint| self.joints[joint].is_fixed());
            waiting.extend(fixed.filter_map(|joint| self.link(self.joints[joint].child)));
        }
        true
    }

    /// Fixes joints that move massless links without moving descendants.
    fn hold_still(&mut self) {
        // From the leaves inwards: after a joint there is fixed, nothing may move here.
        for _ in 0..self.links.len() {
            let is_idle = |joint: &usize| {
                let Some(link) = self.link(self.joints[*joint].child) else { return false };
                !self.joints[*joint].is_fixed() && self.is_massless(link) && !self.moves_something(link)
            };
            let Some(joint) = (0..self.joints.len()).find(is_idle) else { return };
            self.joints[joint].motion = JointMotion::Fixed;
            self.noted.massless.add(format!("`{}`", self.joints[joint].child), span(self.joints[joint].node));
        }
    }

    /// Whether a moving joint is attached to a link or to the links fixed to it.
    fn moves_something(&self, link: usize) -> bool {
        let mut waiting = vec![link];
        while let Some(link) = waiting.pop() {
            for joint in self.carried(link) {
                if !self.joints[joint].is_fixed() {
                    return true;
                }
                waiting.extend(self.link(self.joints[joint].child));
            }
        }
        false
    }

    fn write(&mut self, name: &str, root: XmlNode) -> Result<String, FileErrors> {
        self.hold_still();
        let mut text = String::from("<mujoco");
        // Writing to a string cannot fail.
        _ = write!(
            text,
            " model=\"{}\">\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n",
            escaped(name)
        );
        text += "<asset>\n";
        self.links.iter().for_each(|link| link.write_meshes(&mut text));
        text += "</asset>\n<worldbody>\n";
        let carried: BTreeSet<&str> = self.joints.iter().map(|joint| joint.child).collect();
        let outermost = self.links.iter().position(|link| !carried.contains(link.name)).unwrap_or(0);
        let is_world = WORLD.contains(&self.links[outermost].name);
        let mut waiting = match is_world {
            true => {
                let children: Vec<usize> = self.carried(outermost).collect();
                children.into_iter().rev().filter_map(|joint| self.waiting(joint, 1)).map(Some).collect()
            }
            false => vec![Some(UnwrittenLink { link: outermost, joint: None, depth: 1 })],
        };
        while let Some(next) = waiting.pop() {
            let Some(next) = next else {
                text += "</body>\n";
                continue;
            };
            if next.depth > DEEPEST / 2 {
                return Err(error(root, "links are nested too deep".to_string()).into());
            }
            let link = self.write_body(&mut text, next.link, next.joint);
            waiting.push(None);
            let children: Vec<usize> = self.carried(link).collect();
            waiting.extend(children.into_iter().rev().map(|joint| self.waiting(joint, next.depth + 1)));
        }
        text += "</worldbody>\n<equality>\n";
        for joint in &self.joints {
            let leader =
                joint.mimic.and_then(|mimic| self.joints.iter().find(|other| other.name == mimic.leader));
            joint.write_coupling(&mut text, leader.is_some_and(|leader| !leader.is_fixed()));
        }
        text += "</equality>\n</mujoco>\n";
        Ok(text)
    }

    fn waiting(&self, joint: usize, depth: usize) -> Option<UnwrittenLink> {
        Some(UnwrittenLink { link: self.link(self.joints[joint].child)?, joint: Some(joint), depth })
    }

    /// Writes the start of a body with its joints, and returns its link: `first`, or if that is massless with
    /// a single joint, the next.
    fn write_body(&mut self, text: &mut String, first: usize, joint: Option<usize>) -> usize {
        let mut link = first;
        let mut frames: Vec<(Option<usize>, UrdfTransform)> =
            vec![(joint, joint.map_or(UrdfTransform::default(), |joint| self.joints[joint].frame))];
        while joint.is_some()
            && self.links[link].is_empty()
            && frames
                .last()
                .is_some_and(|(joint, _)| joint.is_some_and(|joint| !self.joints[joint].is_fixed()))
        {
            let carried: Vec<usize> = self.carried(link).collect();
            let [only] = carried[..] else { break };
            let Some(next) = self.link(self.joints[only].child) else { break };
            self.noted.massless.add(format!("`{}`", self.links[link].name), span(self.links[link].node));
            frames.push((Some(only), self.joints[only].frame));
            link = next;
        }
        let place = frames.iter().fold(UrdfTransform::default(), |place, (_, frame)| place.then(frame));
        _ = writeln!(text, "<body name=\"{}\"{}>", escaped(self.links[link].name), place.written());
        if joint.is_none() {
            text.push_str("<freejoint name=\"root\"/>\n");
        }
        for (index, (joint, _)) in frames.iter().enumerate() {
            let Some(joint) = joint else { continue };
            let rest = frames[index + 1..]
                .iter()
                .fold(UrdfTransform::default(), |rest, (_, frame)| rest.then(frame));
            self.joints[*joint].write(text, &rest);
        }
        self.links[link].write(text);
        link
    }
}

fn span(node: XmlNode) -> std::ops::Range<usize> {
    node.start()..node.start() + 1 + node.tag().len()
}

fn error(node: XmlNode, message: String) -> FileError {
    FileError::new(node.source(), span(node), message)
}

/// The numbers of an attribute; `otherwise` if it is missing.
fn numbers<const N: usize>(node: XmlNode, name: &str, otherwise: [f64; N]) -> Result<[f64; N], FileError> {
    let Some(attribute) = node.attribute(name) else { return Ok(otherwise) };
    let wrong = || {
        let message = format!("<{}> attribute `{name}`: expected {N} finite number(s)", node.tag());
        FileError::new(node.source(), attribute.span.clone(), message)
    };
    let words: Vec<&str> = attribute.value.split_whitespace().collect();
    let mut found = otherwise;
    if words.len() != N {
        return Err(wrong());
    }
    for (number, word) in found.iter_mut().zip(words) {
        *number = word.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(wrong)?;
    }
    Ok(found)
}

fn child<'a>(node: XmlNode<'a>, tag: &str) -> Option<XmlNode<'a>> {
    node.children().find(|child| child.tag() == tag)
}

fn name_of<'a>(node: XmlNode<'a>, attribute: &str) -> Result<&'a str, FileError> {
    let name = node.attribute(attribute).map(|name| name.value.as_str()).filter(|name| !name.is_empty());
    name.ok_or_else(|| error(node, format!("<{}> needs the attribute `{attribute}`", node.tag())))
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
