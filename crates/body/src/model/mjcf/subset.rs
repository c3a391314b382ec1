//! The supported subset of MJCF: elements with their parents, and the meaning of each attribute. The reader
//! and `docs/mjcf-subset.md` are both derived from this table.

use AttributeTreatment::{Ignored, Listed, Only, Read};

/// Treatment of an attribute by the reader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AttributeTreatment {
    /// The value is used.
    Read,
    /// Ignored, because it does not affect what is modelled.
    Ignored,
    /// Ignored with a warning; refused if the reader is strict.
    Listed,
    /// Accepted at these values only, which have no effect.
    Only(&'static [&'static str]),
}

/// One attribute of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeRule {
    /// Name of the attribute in MJCF.
    pub(crate) name: &'static str,
    /// Treatment of the attribute.
    pub(crate) meaning: AttributeTreatment,
    /// Unit, default and remarks.
    pub(crate) note: &'static str,
}

/// One element in one or more places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementRule {
    /// Name of the element in MJCF.
    pub(crate) name: &'static str,
    /// Possible parents; empty for the root.
    pub(crate) inside: &'static [&'static str],
    /// Attributes of the element, in groups that elements share.
    pub(crate) attributes: &'static [&'static [AttributeRule]],
    /// Whether the element is ignored with its content.
    pub(crate) decoration: Decoration,
    /// Remark in the documentation.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test writes the documentation"))]
    pub(crate) note: &'static str,
}

/// Whether an element is ignored with its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoration {
    /// The element is read.
    No,
    /// It is ignored.
    Silent,
    /// It is ignored with a warning; refused if the reader is strict.
    Listed,
    /// It is refused as a whole, or ignored on request: its content does not matter.
    Unmodelled,
}

const fn read(name: &'static str, note: &'static str) -> AttributeRule {
    AttributeRule { name, meaning: Read, note }
}

const fn ignored(name: &'static str, note: &'static str) -> AttributeRule {
    AttributeRule { name, meaning: Ignored, note }
}

const fn listed(name: &'static str, note: &'static str) -> AttributeRule {
    AttributeRule { name, meaning: Listed, note }
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
    ElementRule { name, inside, attributes, decoration: Decoration::No, note }
}

const fn decoration(name: &'static str, inside: &'static [&'static str], note: &'static str) -> ElementRule {
    ElementRule { name, inside, attributes: &[], decoration: Decoration::Silent, note }
}

const fn listed_decoration(
    name: &'static str,
    inside: &'static [&'static str],
    note: &'static str,
) -> ElementRule {
    ElementRule { name, inside, attributes: &[], decoration: Decoration::Listed, note }
}

const fn unmodelled(name: &'static str, inside: &'static [&'static str]) -> ElementRule {
    let note = "not modelled: see `ignore`";
    ElementRule { name, inside, attributes: &[], decoration: Decoration::Unmodelled, note }
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

/// Parents of a body's content.
const IN_BODY: &[&str] = &["body", "worldbody", "frame", "replicate"];
const IN_BODY_OR_DEFAULT: &[&str] = &["body", "worldbody", "frame", "replicate", "default"];

const ACTUATOR: &[AttributeRule] = &[
    read("joint", "the joint it drives; of a ball joint about the axis that `gear` names"),
    read("jointinparent", "as `joint`"),
    read("gear", "factor from actuator force to joint torque; default 1"),
    read("ctrlrange", "limits of the input"),
    read("ctrllimited", "`auto` (default), `true` or `false`"),
    read("forcerange", "limits of the actuator force"),
    read("forcelimited", "`auto` (default), `true` or `false`"),
    read("tendon", "not modelled: see `ignore`"),
    read("site", "not modelled: see `ignore`"),
    read("body", "not modelled: see `ignore`"),
    read("slidersite", "not modelled: see `ignore`"),
    read("cranksite", "not modelled: see `ignore`"),
    read("refsite", "not modelled: see `ignore`"),
    ignored("cranklength", ""),
    ignored("lengthrange", ""),
    ignored("nsample", "history of inputs"),
    ignored("interp", "history of inputs"),
    only("delay", &["0"], "a scene's `reaction_delay` says how late torques act"),
    only("armature", &["0"], "give it to the joint"),
    only("damping", &["0"], "give it to the joint"),
    ignored("user", "numbers of other programs"),
    ignored("group", "visibility"),
    ignored("margin", "contact and limit softness of MuJoCo"),
];

const SERVO: &[AttributeRule] = &[
    read("kp", "gain, force per unit of position"),
    ignored("kv", "damping of a servo: torques are free within their limits"),
    ignored("dampratio", "damping of a servo: torques are free within their limits"),
    ignored("timeconst", "delay of a servo: torques are free within their limits"),
    read("inheritrange", "input limits from the joint's range"),
];

const TENDON: &[AttributeRule] = &[
    read("stiffness", ""),
    read("damping", ""),
    read("frictionloss", ""),
    read("range", ""),
    read("limited", ""),
    read("armature", ""),
    ignored("springlength", ""),
    ignored("actuatorfrcrange", ""),
    ignored("actuatorfrclimited", ""),
    ignored("solreflimit", ""),
    ignored("solimplimit", ""),
    ignored("solreffriction", ""),
    ignored("solimpfriction", ""),
    ignored("width", "how it is drawn"),
    ignored("material", "colour"),
    ignored("rgba", "colour"),
    ignored("margin", ""),
    ignored("user", "numbers of other programs"),
    ignored("group", "visibility"),
];

const EQUALITY: &[AttributeRule] = &[
    ignored("name", ""),
    ignored("class", ""),
    read("active", "`false`: left out"),
    ignored("solref", ""),
    ignored("solimp", ""),
    ignored("body1", ""),
    ignored("body2", ""),
    ignored("anchor", ""),
    ignored("site1", ""),
    ignored("site2", ""),
    ignored("relpose", ""),
    ignored("torquescale", ""),
    ignored("joint1", ""),
    ignored("joint2", ""),
    ignored("polycoef", ""),
    ignored("tendon1", ""),
    ignored("tendon2", ""),
];

const COUPLING: &[AttributeRule] = &[
    ignored("name", "nothing refers to it"),
    ignored("class", "a class has no more than softness"),
    read("active", "`false`: left out"),
    read("joint1", "the hinge or slide that follows, required"),
    read("joint2", "the hinge or slide it follows; left out: it is held at the first number of `polycoef`"),
    read(
        "polycoef",
        "offset and ratio; default `0 1`. Further numbers, of a polynomial of higher order, must be 0: else see \
         `ignore`",
    ),
    ignored("solref", "softness of MuJoCo's constraints: it follows exactly"),
    ignored("solimp", "softness of MuJoCo's constraints: it follows exactly"),
];

const SOLVER_PARAMETERS: &[AttributeRule] = &[
    ignored("margin", "contact and limit softness of MuJoCo"),
    ignored("user", "numbers of other programs"),
    ignored("group", "visibility"),
];

/// Every element of the subset, in the order of the documentation.
pub(crate) const ELEMENTS: &[ElementRule] = &[
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
            read(
                "balanceinertia",
                "`true`: principal moments of which one exceeds the other two become their mean",
            ),
            read("boundmass", "least mass of a body that moves, kg"),
            read("boundinertia", "least principal moment of a body that moves, kg m²"),
            read("settotalmass", "mass of the whole model, kg, to which masses and inertias are scaled"),
            only("inertiagrouprange", &["0 5"], ""),
            only("alignfree", &["false"], ""),
            ignored("fusestatic", "bodies keep their names"),
            ignored("fitaabb", ""),
            ignored("convexhull", ""),
            ignored("conflict", ""),
            ignored("passthrough", ""),
            ignored("savecompiled", ""),
            ignored("savecanonical", ""),
            ignored("exactmeshinertia", ""),
            ignored("discardvisual", "shapes without contact are kept"),
            ignored("usethread", ""),
            ignored("saveinertial", ""),
            read("strippath", "`true`: names of files count without their folders"),
            read("meshdir", "folder of the meshes, from that of the file"),
            ignored("texturedir", "no picture is opened"),
            read("assetdir", "as `meshdir`, which counts before it"),
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
            ignored("sdf_iterations", "MuJoCo's"),
            ignored("sdf_initpoints", "MuJoCo's"),
            ignored("sleep_tolerance", "MuJoCo's"),
            ignored("apirate", "MuJoCo's"),
            listed("actuatorgroupdisable", "all actuators count"),
            ignored("mpr_iterations", "MuJoCo's"),
            ignored("mpr_tolerance", "MuJoCo's"),
            ignored("collision", "MuJoCo's"),
            ignored("o_margin", "MuJoCo's"),
            ignored("o_solref", "MuJoCo's"),
            ignored("o_solimp", "MuJoCo's"),
            ignored("o_friction", "MuJoCo's"),
            only("density", &["0"], "no medium"),
            only("viscosity", &["0"], "no medium"),
            only("wind", &["0 0 0"], "no medium"),
        ]],
        "",
    ),
    listed_decoration("flag", &["option"], "what of MuJoCo's simulation is switched off"),
    decoration("lengthrange", &["compiler"], "muscles"),
    element(
        "default",
        &["mujoco", "default"],
        &[&[read("class", "required, except on the outermost, which is `main`")]],
        "attributes for the elements of a class; nested classes inherit",
    ),
    element("worldbody", &["mujoco"], &[], "the fixed world"),
    element(
        "body",
        IN_BODY,
        &[
            &[
                read("name", "left out: `body` and a number"),
                read("childclass", "default class of everything below"),
            ],
            FRAME,
            &[
                read("mocap", "`true`: not part of the character, ignored with a warning"),
                only("gravcomp", &["0"], ""),
                ignored("sleep", "MuJoCo's"),
                ignored("simple", "MuJoCo's"),
                ignored("fuse", "MuJoCo's"),
                ignored("user", "numbers of other programs"),
            ],
        ],
        "without joints it is welded to its parent",
    ),
    element(
        "frame",
        IN_BODY,
        &[
            &[
                ignored("name", "nothing refers to it"),
                read("childclass", "default class of everything in it"),
            ],
            FRAME,
        ],
        "a change of coordinates for everything in it",
    ),
    element(
        "replicate",
        IN_BODY,
        &[&[
            read("count", "how many copies of what is in it, required"),
            read("offset", "m, from each copy to the next"),
            read("euler", "turn from each copy to the next"),
            read("sep", "stands before the number of the copy in names"),
            read("childclass", "default class of everything in it"),
        ]],
        "copies of everything in it, whose names end in the number of the copy",
    ),
    element(
        "inertial",
        &["body", "frame"],
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
        &["body", "frame", "replicate"],
        &[&[
            read("name", "left out: `root`"),
            ignored("align", "body frames stay as written"),
            ignored("group", "visibility"),
        ]],
        "on a body whose parent is the world, alone",
    ),
    element(
        "joint",
        &["body", "frame", "replicate", "default"],
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
                read(
                    "frictionloss",
                    "dry friction, N m or N, of hinges and slides; in balls and free joints it does not act, which \
                     a warning says",
                ),
                only("springdamper", &["0 0"], "give `stiffness` and `damping`"),
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
        IN_BODY_OR_DEFAULT,
        &[
            NAMED,
            &[
                read(
                    "type",
                    "`sphere` (default), `capsule`, `cylinder`, `box`, `ellipsoid`, `mesh` (its convex \
                     hull), or in the world `plane` (a half-space); a `mesh` in the world or that touches nothing and \
                     gives no mass, and a `hfield` in the world, are left out with a warning",
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
                read(
                    "contype",
                    "0 with `conaffinity` 0: touches nothing, unless a `pair` says so; default 1",
                ),
                read("conaffinity", "see `contype`; default 1"),
                read(
                    "condim",
                    "1, 3, 4 or 6: contacts have sliding friction only. Of two shapes that touch, the greater \
                     counts, and \
                     surfaces of a scene have 3, so that 1 changes nothing",
                ),
                read("mesh", "its asset"),
                ignored("hfield", ""),
                ignored("fitscale", ""),
                only("shellinertia", &["false"], "shapes are solid"),
                ignored("fluidshape", "no medium"),
                ignored("fluidcoef", "no medium"),
                only("adhesion", &["0"], ""),
                only("surfacevel", &["0", "0 0 0"], ""),
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
        IN_BODY_OR_DEFAULT,
        &[
            NAMED,
            FRAME,
            &[
                read("fromto", "two points; the site is midway, its z axis along them"),
                ignored("type", "how it is drawn"),
                ignored("mesh", "how it is drawn"),
                read(
                    "size",
                    "the first number is the radius of a hand or foot about it where it holds on; 0.02 m where it \
                     is left out",
                ),
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
        &[NAMED, ACTUATOR],
        "gives torque limits: gear times the input cut to both ranges; several on a joint add, \
         `actuatorfrcrange` cuts the sum. Where a file has any actuator, joints without one are passive; where it has \
         none, every joint but free ones is driven",
    ),
    element(
        "position",
        &["actuator", "default"],
        &[NAMED, ACTUATOR, SERVO],
        "gives torque limits: `forcerange`, else what the servo gives at rest between the ends of its input and of the \
         joint's range. Torques are free within them: there is no servo here",
    ),
    element(
        "intvelocity",
        &["actuator", "default"],
        &[
            NAMED,
            ACTUATOR,
            SERVO,
            &[
                read("actrange", "limits of the position that the input's integral asks for"),
                ignored("actlimited", ""),
            ],
        ],
        "as `position`, with `actrange` for its input",
    ),
    element(
        "velocity",
        &["actuator", "default"],
        &[NAMED, ACTUATOR, &[read("kv", "gain, force per unit of velocity; default 1")]],
        "gives torque limits: `forcerange`, else what it gives at rest",
    ),
    element(
        "damper",
        &["actuator", "default"],
        &[NAMED, ACTUATOR, &[ignored("kv", "")]],
        "drives nothing at rest: a torque limit of 0 without `forcerange`",
    ),
    element(
        "general",
        &["actuator", "default"],
        &[
            NAMED,
            ACTUATOR,
            &[
                read("gaintype", "`fixed` (default) or `affine`"),
                read("gainprm", "gain; an affine one is taken at rest"),
                read("biastype", "`none` (default) or `affine`"),
                read("biasprm", "constant, per unit of position, per unit of velocity"),
                ignored("dyntype", "torques are free within their limits"),
                ignored("dynprm", "torques are free within their limits"),
                ignored("actlimited", ""),
                ignored("actrange", ""),
                ignored("actdim", ""),
                ignored("actearly", ""),
                read("inheritrange", "input limits from the joint's range"),
            ],
        ],
        "gives torque limits: `forcerange`, else what it gives at rest between the ends of its input and of the \
         joint's range",
    ),
    element(
        "cylinder",
        &["actuator", "default"],
        &[
            NAMED,
            ACTUATOR,
            &[
                read("area", "m²; default 1"),
                read("diameter", "m, instead of `area`"),
                read("bias", "as `biasprm` of `general`"),
                ignored("timeconst", "torques are free within their limits"),
            ],
        ],
        "as `general` with the gain `area`",
    ),
    listed_decoration("muscle", &["default"], "not modelled"),
    listed_decoration("adhesion", &["default"], "not modelled"),
    unmodelled("muscle", &["actuator"]),
    unmodelled("adhesion", &["actuator"]),
    element("tendon", &["mujoco"], &[], ""),
    decoration("tendon", &["default"], "how tendons of a class are"),
    element(
        "fixed",
        &["tendon"],
        &[&[read("name", ""), read("class", "")], TENDON],
        "a sum of joint values; left out where it has no spring, damper, limit, friction or actuator, else not \
         modelled: see \
         `ignore`",
    ),
    element(
        "spatial",
        &["tendon"],
        &[&[read("name", ""), read("class", "")], TENDON],
        "a string; left out where it has no spring, damper, limit, friction or actuator, else not modelled: see \
         `ignore`",
    ),
    decoration("joint", &["fixed"], ""),
    decoration("site", &["spatial"], ""),
    decoration("geom", &["spatial"], ""),
    decoration("pulley", &["spatial"], ""),
    element("equality", &["mujoco"], &[], ""),
    element(
        "equality",
        &["default"],
        &[&[ignored("active", ""), ignored("solref", ""), ignored("solimp", "")]],
        "softness of MuJoCo",
    ),
    element("connect", &["equality"], &[EQUALITY], "not modelled: see `ignore`"),
    element("weld", &["equality"], &[EQUALITY], "not modelled: see `ignore`"),
    element(
        "joint",
        &["equality"],
        &[COUPLING],
        "one joint follows another: q1 − ref1 = offset + ratio (q2 − ref2), rad or m. An actuator of the joint that \
         follows \
         acts on the other through the ratio, and its range bounds it",
    ),
    element("tendon", &["equality"], &[EQUALITY], "not modelled: see `ignore`"),
    listed_decoration("sensor", &["mujoco"], "what MuJoCo measures"),
    element("custom", &["mujoco"], &[], ""),
    element(
        "numeric",
        &["custom"],
        &[&[
            read("name", "`pad:BODY`: the pad of a body; others are of other programs, and ignored"),
            read("data", "depth (m) and time (s) of a pad"),
            ignored("size", "as many as there are"),
        ]],
        "the soft layer outside the shapes of a body, such as the sole of a shoe",
    ),
    listed_decoration("text", &["custom"], "text of other programs"),
    listed_decoration("tuple", &["custom"], "lists of other programs"),
    element("deformable", &["mujoco"], &[], ""),
    listed_decoration("skin", &["asset", "deformable"], "how MuJoCo draws"),
    listed_decoration("hfield", &["asset"], "the ground is the scene's"),
    element("keyframe", &["mujoco"], &[], ""),
    element(
        "key",
        &["keyframe"],
        &[&[
            read("name", "left out: `key` and a number"),
            read("qpos", "all configuration numbers; left out: the pose the file describes"),
            ignored("time", "a pose has no time"),
            listed("ctrl", "a pose has no inputs"),
            listed("qvel", "a pose has no velocity"),
            listed("act", "a pose has no inputs"),
            listed("mpos", ""),
            listed("mquat", ""),
        ]],
        "a named pose; the character stands in `rest` by itself, else in `stand`, `standing`, `home`, `knees_bent` or \
         `init`, the first there is",
    ),
    element("contact", &["mujoco"], &[], ""),
    element(
        "pair",
        &["contact", "default"],
        &[
            NAMED,
            &[
                read(
                    "geom1",
                    "its two geoms touch: that of a body touches surfaces if the other is of the world",
                ),
                read("geom2", "see `geom1`"),
                read("friction", "sliding friction of a body's geom that touches by this pair"),
                ignored("condim", "see `geom`"),
                ignored("solref", "contact softness of MuJoCo"),
                ignored("solreffriction", "contact softness of MuJoCo"),
                ignored("solimp", "contact softness of MuJoCo"),
                ignored("gap", "contact softness of MuJoCo"),
                ignored("margin", "contact softness of MuJoCo"),
                only("adhesion", &["0"], ""),
            ],
        ],
        "two geoms that touch whatever their `contype` says",
    ),
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
            ignored("class", ""),
            ignored("colorspace", ""),
            ignored("embed", ""),
            listed("file", "no file is opened"),
            listed("content_type", ""),
            listed("gridsize", ""),
            listed("gridlayout", ""),
            listed("fileright", ""),
            listed("fileleft", ""),
            listed("fileup", ""),
            listed("filedown", ""),
            listed("filefront", ""),
            listed("fileback", ""),
        ]],
        "colour",
    ),
    element(
        "mesh",
        &["asset", "default"],
        &[&[
            read("name", "left out: the file's name"),
            read("class", "default class"),
            read("file", "STL, OBJ or COLLADA (.dae); opened where a geom touches or weighs"),
            read("vertex", "its points, m, where it has no file"),
            read("face", "its triangles, by their points from 0; left out: the convex hull"),
            read("scale", "factors along its axes"),
            read("refpos", "its origin in the coordinates of the file"),
            read("refquat", "its axes in the coordinates of the file"),
            ignored("content_type", ""),
            ignored("normal", ""),
            ignored("texcoord", ""),
            ignored("smoothnormal", ""),
            ignored("maxhullvert", ""),
            read("inertia", "`legacy` (default), `convex` or `exact`: what of it weighs, as MuJoCo has it"),
            ignored("builtin", ""),
            ignored("params", ""),
            ignored("material", ""),
        ]],
        "",
    ),
    decoration("material", &["asset", "default"], "colour"),
    decoration("visual", &["mujoco"], "how MuJoCo draws"),
    decoration("statistic", &["mujoco"], "how MuJoCo draws"),
    decoration("size", &["mujoco"], "how much memory MuJoCo takes"),
    decoration("light", IN_BODY_OR_DEFAULT, "how MuJoCo draws"),
    decoration("camera", IN_BODY_OR_DEFAULT, "how MuJoCo draws"),
];

/// Whether elements with this name are ignored everywhere.
pub(super) fn is_decoration(name: &str) -> bool {
    let mut named = ELEMENTS.iter().filter(|rule| rule.name == name).peekable();
    named.peek().is_some()
        && named.all(|rule| matches!(rule.decoration, Decoration::Silent | Decoration::Listed))
}

impl ElementRule {
    /// The rule of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'static AttributeRule> {
        self.attributes.iter().flat_map(|group| group.iter()).find(|rule| rule.name == name)
    }

    /// Every attribute's name.
    pub(crate) fn attribute_names(&self) -> impl Iterator<Item = &'static str> {
        self.attributes.iter().flat_map(|group| group.iter()).map(|rule| rule.name)
    }
}

/// The subset as a Markdown page.
#[cfg(test)]
pub(crate) fn listing() -> String {
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
        match rule.decoration {
            Decoration::No | Decoration::Unmodelled => {}
            Decoration::Silent => page.push_str("\nIgnored, with everything in it.\n"),
            Decoration::Listed => page.push_str("\nIgnored, with everything in it and a warning.\n"),
        }
        if !rule.attributes.is_empty() {
            page.push_str("\n| attribute | | |\n|---|---|---|\n");
        }
        for attribute in rule.attributes.iter().flat_map(|group| group.iter()) {
            let meaning = match attribute.meaning {
                Read => "read".to_string(),
                Ignored => "ignored".to_string(),
                Listed => "ignored with a warning".to_string(),
                Only(values) => format!("only `{}`", values.join("`, `")),
            };
            page.push_str(&format!("| `{}` | {meaning} | {} |\n", attribute.name, attribute.note));
        }
    }
    page
}
