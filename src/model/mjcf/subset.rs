//! The subset of MJCF that is read: which elements stand where, and what each attribute means. This table is
//! both what the reader accepts and what `docs/mjcf-subset.md` lists.

use Meaning::{Ignored, Only, Read};

/// What the reader does with an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// The value is used.
    Read,
    /// Accepted without effect, because it has none on what is modelled.
    Ignored,
    /// Accepted at these values, which change nothing; at others it would.
    Only(&'static [&'static str]),
}

/// One attribute of an element.
#[derive(Clone, Copy, Debug)]
pub struct AttributeRule {
    /// Name of the attribute in MJCF.
    pub name: &'static str,
    /// What the reader does with it.
    pub meaning: Meaning,
    /// Unit, default and remarks.
    pub note: &'static str,
}

/// One element in one or more places.
#[derive(Clone, Copy, Debug)]
pub struct ElementRule {
    /// Name of the element in MJCF.
    pub name: &'static str,
    /// Elements it may stand in; empty for the root.
    pub inside: &'static [&'static str],
    /// Attributes of the element, in groups that elements share.
    pub attributes: &'static [&'static [AttributeRule]],
    /// Accepted with whatever it holds, without effect.
    pub is_decoration: bool,
    /// What the documentation says about the element.
    pub note: &'static str,
}

const fn read(name: &'static str, note: &'static str) -> AttributeRule {
    AttributeRule { name, meaning: Read, note }
}

const fn ignored(name: &'static str, note: &'static str) -> AttributeRule {
    AttributeRule { name, meaning: Ignored, note }
}

const fn only(name: &'static str, values: &'static [&'static str], note: &'static str) -> AttributeRule {
    AttributeRule { name, meaning: Only(values), note }
}

const fn element(
    name: &'static str,
    inside: &'static [&'static str],
    attributes: &'static [&'static [AttributeRule]],
    note: &'static str,
) -> ElementRule {
    ElementRule { name, inside, attributes, is_decoration: false, note }
}

const fn decoration(name: &'static str, inside: &'static [&'static str], note: &'static str) -> ElementRule {
    ElementRule { name, inside, attributes: &[], is_decoration: true, note }
}

const NAMED: &[AttributeRule] = &[
    read("name", "one per kind of element; left out: a name made from the body's"),
    read("class", "default class; left out: the body's `childclass`, else `main`"),
];

const FRAME: &[AttributeRule] = &[
    read("pos", "m in the parent's frame; default `0 0 0`"),
    read("quat", "w x y z, of any length but zero"),
    read("euler", "three angles, in the order of `compiler eulerseq`"),
    read("axisangle", "axis and angle"),
    read("xyaxes", "x axis and y axis; y is made perpendicular to x"),
    read("zaxis", "z axis; the shortest rotation from the parent's"),
];

const SOLVER_PARAMETERS: &[AttributeRule] = &[
    ignored("margin", "contact and limit softness of MuJoCo"),
    ignored("user", "numbers of other programs"),
    ignored("group", "visibility"),
];

/// Every element of the subset, in the order of the listing.
pub const ELEMENTS: &[ElementRule] = &[
    element("mujoco", &[], &[&[read("model", "name of the model")]], "the root"),
    element(
        "compiler",
        &["mujoco"],
        &[&[
            read("angle", "`degree` (default) or `radian`: the unit of every angle in the file"),
            read("autolimits", "`true` (default) or `false`: whether giving a range limits"),
            read(
                "eulerseq",
                "axes of `euler`; default `xyz`, lower case about moving axes, upper case about fixed ones",
            ),
            read("inertiafromgeom", "`auto` (default: where `inertial` is missing), `true` or `false`"),
            only("coordinate", &["local"], ""),
            only("balanceinertia", &["false"], ""),
            only("fusestatic", &["false"], ""),
            only("alignfree", &["false"], ""),
            only("boundmass", &["0"], ""),
            only("boundinertia", &["0"], ""),
            ignored("discardvisual", "shapes without contact are kept"),
            ignored("usethread", ""),
            ignored("saveinertial", ""),
            ignored("strippath", "no file is opened"),
            ignored("meshdir", "no file is opened"),
            ignored("texturedir", "no file is opened"),
            ignored("assetdir", "no file is opened"),
        ]],
        "",
    ),
    element(
        "option",
        &["mujoco"],
        &[&[
            read("gravity", "m/s², world axes; default `0 0 -9.81`"),
            read("timestep", "must be greater than zero; the scene sets the step that is used"),
            ignored("integrator", "MuJoCo's"),
            ignored("solver", "MuJoCo's"),
            ignored("iterations", "MuJoCo's"),
            ignored("tolerance", "MuJoCo's"),
            ignored("ls_iterations", "MuJoCo's"),
            ignored("ls_tolerance", "MuJoCo's"),
            ignored("noslip_iterations", "MuJoCo's"),
            ignored("noslip_tolerance", "MuJoCo's"),
            ignored("ccd_iterations", "MuJoCo's"),
            ignored("ccd_tolerance", "MuJoCo's"),
            ignored("cone", "MuJoCo's; the scene sets the cone that is used"),
            ignored("jacobian", "MuJoCo's"),
            ignored("impratio", "MuJoCo's"),
            ignored("magnetic", "nothing here is magnetic"),
            only("density", &["0"], "no medium"),
            only("viscosity", &["0"], "no medium"),
            only("wind", &["0 0 0"], "no medium"),
        ]],
        "",
    ),
    element(
        "default",
        &["mujoco", "default"],
        &[&[read("class", "required, except on the outermost, which is `main`")]],
        "attributes for the elements of a class; nested classes inherit",
    ),
    element("worldbody", &["mujoco"], &[], "the fixed world"),
    element(
        "body",
        &["worldbody", "body"],
        &[
            &[
                read("name", "left out: `body` and a number"),
                read("childclass", "default class of everything below"),
            ],
            FRAME,
            &[
                only("mocap", &["false"], ""),
                only("gravcomp", &["0"], ""),
                ignored("user", "numbers of other programs"),
            ],
        ],
        "without joints it is welded to its parent",
    ),
    element(
        "inertial",
        &["body"],
        &[
            &[
                read("mass", "kg, required"),
                read("diaginertia", "principal moments about the centre of mass, kg m²"),
                read(
                    "fullinertia",
                    "xx yy zz xy xz yz about the centre of mass, kg m²; excludes an orientation",
                ),
            ],
            FRAME,
        ],
        "one of `diaginertia` and `fullinertia`; moments positive, none greater than the other two together",
    ),
    element(
        "freejoint",
        &["body"],
        &[&[
            read("name", "left out: `root`"),
            only("align", &["auto", "false"], ""),
            ignored("group", "visibility"),
        ]],
        "on a body whose parent is the world, alone",
    ),
    element(
        "joint",
        &["body", "default"],
        &[
            NAMED,
            &[
                read("type", "`hinge` (default), `slide`, `ball` or `free`"),
                read("pos", "point the joint acts through, m in the body frame; default `0 0 0`"),
                read("axis", "direction in the body frame; default `0 0 1`"),
                read("range", "limits: an angle (hinge), m (slide), `0` and the greatest angle (ball)"),
                read("limited", "`auto` (default), `true` or `false`"),
                read("ref", "the joint's value in the pose the file describes"),
                read("stiffness", "passive spring, N m/rad or N/m"),
                read("springref", "value at which the spring is slack"),
                read("damping", "passive damping, N m s/rad or N s/m"),
                read("armature", "added to the diagonal of the mass matrix, kg m² or kg"),
                read("actuatorfrcrange", "torque limits, N m or N; hinge and slide only"),
                read("actuatorfrclimited", "`auto` (default), `true` or `false`"),
                only("frictionloss", &["0"], "joints have no dry friction"),
                only("actuatorgravcomp", &["false"], ""),
                ignored("solreflimit", "softness of MuJoCo's limits"),
                ignored("solimplimit", "softness of MuJoCo's limits"),
                ignored("solreffriction", "softness of MuJoCo's dry friction"),
                ignored("solimpfriction", "softness of MuJoCo's dry friction"),
            ],
            SOLVER_PARAMETERS,
        ],
        "several on one body act in file order, from the parent's side; at most six coordinates a body",
    ),
    element(
        "geom",
        &["body", "worldbody", "default"],
        &[
            NAMED,
            &[
                read(
                    "type",
                    "`sphere` (default), `capsule`, `cylinder`, `box`, or in the world `plane` (a half-space)",
                ),
                read("size", "m: radius, half-length along z; half-lengths of a box; not used of a plane"),
                read(
                    "fromto",
                    "end points of a capsule, cylinder or box, instead of `pos`, orientation and half-length",
                ),
                read("mass", "kg; left out: density times volume"),
                read("density", "kg/m³; default 1000"),
                read(
                    "friction",
                    "sliding friction; default 1. Further numbers (torsion, rolling) are not modelled",
                ),
                read("contype", "0 with `conaffinity` 0: touches nothing; default 1"),
                read("conaffinity", "see `contype`; default 1"),
                only("condim", &["3", "4", "6"], "contacts have sliding friction only"),
                ignored("rgba", "colour"),
                ignored("material", "colour"),
                ignored("gap", "contact softness of MuJoCo"),
                ignored("solref", "contact softness of MuJoCo"),
                ignored("solimp", "contact softness of MuJoCo"),
                ignored("solmix", "contact softness of MuJoCo"),
                ignored("priority", "which of two geoms decides about friction in MuJoCo"),
            ],
            FRAME,
            SOLVER_PARAMETERS,
        ],
        "shape for contact, drawing and, without `inertial`, mass (solid, uniform)",
    ),
    element(
        "site",
        &["body", "worldbody", "default"],
        &[
            NAMED,
            FRAME,
            &[
                read("fromto", "two points; the site is midway, its z axis along them"),
                ignored("type", "how it is drawn"),
                ignored("size", "how it is drawn"),
                ignored("rgba", "colour"),
                ignored("material", "colour"),
            ],
            SOLVER_PARAMETERS,
        ],
        "a named frame on a body",
    ),
    element("actuator", &["mujoco"], &[], ""),
    element(
        "motor",
        &["actuator", "default"],
        &[
            NAMED,
            &[
                read("joint", "the hinge or slide it drives, required"),
                read("gear", "factor from actuator force to joint torque; default 1"),
                read("ctrlrange", "limits of the input"),
                read("ctrllimited", "`auto` (default), `true` or `false`"),
                read("forcerange", "limits of the actuator force"),
                read("forcelimited", "`auto` (default), `true` or `false`"),
            ],
            SOLVER_PARAMETERS,
        ],
        "gives torque limits: gear times the input cut to both ranges; several on a joint add, \
         `actuatorfrcrange` cuts the sum. Where a file has any, joints without one are passive; where it has none, \
         every joint but free ones is driven",
    ),
    element("keyframe", &["mujoco"], &[], ""),
    element(
        "key",
        &["keyframe"],
        &[&[
            read("name", "left out: `key` and a number"),
            read("qpos", "all configuration numbers; left out: the pose the file describes"),
            ignored("time", "a pose has no time"),
        ]],
        "a named pose; `rest` is the one the character stands in by itself",
    ),
    element("contact", &["mujoco"], &[], ""),
    element(
        "exclude",
        &["contact"],
        &[&[
            ignored("name", ""),
            ignored("body1", "bodies of one character do not touch each other"),
            ignored("body2", "bodies of one character do not touch each other"),
        ]],
        "",
    ),
    element("asset", &["mujoco"], &[], ""),
    element(
        "texture",
        &["asset"],
        &[&[
            ignored("name", ""),
            ignored("type", ""),
            ignored("builtin", ""),
            ignored("mark", ""),
            ignored("markrgb", ""),
            ignored("random", ""),
            ignored("rgb1", ""),
            ignored("rgb2", ""),
            ignored("width", ""),
            ignored("height", ""),
            ignored("nchannel", ""),
            ignored("hflip", ""),
            ignored("vflip", ""),
        ]],
        "colour; textures from files are outside the subset",
    ),
    decoration("material", &["asset", "default"], "colour"),
    decoration("visual", &["mujoco"], "how MuJoCo draws"),
    decoration("statistic", &["mujoco"], "how MuJoCo draws"),
    decoration("size", &["mujoco"], "how much memory MuJoCo takes"),
    decoration("light", &["worldbody", "body", "default"], "how MuJoCo draws"),
    decoration("camera", &["worldbody", "body", "default"], "how MuJoCo draws"),
];

impl ElementRule {
    /// The rule of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'static AttributeRule> {
        self.attributes.iter().flat_map(|group| group.iter()).find(|rule| rule.name == name)
    }

    /// Every attribute's name.
    pub fn attribute_names(&self) -> impl Iterator<Item = &'static str> {
        self.attributes.iter().flat_map(|group| group.iter()).map(|rule| rule.name)
    }
}

/// The subset as a Markdown page.
pub fn listing() -> String {
    let mut page = String::from(
        "# The subset of MJCF that is read\n\n\
         Characters are MJCF files. What does not change how a character moves is listed here as ignored; \
         everything that is not listed is refused with its place in the file. Units are SI; angles are in the \
         unit of `compiler angle`.\n\n\
         A document type declaration, text between elements, more than 256 levels of elements, 200 attributes \
         of an element, 200 000 elements or 16 MiB are refused as well.\n",
    );
    for rule in ELEMENTS {
        page.push_str(&format!("\n## {}\n\n", rule.name));
        if !rule.inside.is_empty() {
            let places: Vec<String> = rule.inside.iter().map(|place| format!("`{place}`")).collect();
            page.push_str(&format!("In {}", places.join(", ")));
            page.push_str(if rule.note.is_empty() { ".\n" } else { ": " });
        }
        if !rule.note.is_empty() {
            page.push_str(&format!("{}.\n", rule.note));
        }
        if rule.is_decoration {
            page.push_str("\nIgnored, with everything in it.\n");
        }
        if !rule.attributes.is_empty() {
            page.push_str("\n| attribute | | |\n|---|---|---|\n");
        }
        for attribute in rule.attributes.iter().flat_map(|group| group.iter()) {
            let meaning = match attribute.meaning {
                Read => "read".to_string(),
                Ignored => "ignored".to_string(),
                Only(values) => format!("only `{}`", values.join("`, `")),
            };
            page.push_str(&format!("| `{}` | {meaning} | {} |\n", attribute.name, attribute.note));
        }
    }
    page
}
