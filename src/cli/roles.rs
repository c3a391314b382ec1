//! `aplomb roles`: the roles of a body's parts.

use super::{Done, Failure, output};
use crate::language::files::{self, Folder};
use crate::language::rendered::Rendered;
use crate::model::companion::Companion;
use crate::model::roles::{BODIES, HINGES, JOINTS, POINTS};
use crate::model::{BodyId, JointId, Model, mjcf};
use crate::view::plot::strip::{BodyPicture, body_picture};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Show what the parts of a body are taken for: its chest, its feet, its arms.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Body file, or name of a shipped body
    model: String,
    /// Write them into the file beside the body that ends in .body.toml, to be edited
    #[arg(long)]
    write: bool,
    /// Draw them on the body in its rest pose, into a file that ends in .png or .svg
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// With --picture: the body alone, 120 px high
    #[arg(long, requires = "picture")]
    thumbnail: bool,
}

const AFTER_HELP: &str = "\
Controllers refer to these roles. If a body has a part with the name of a role, that part is used.

Examples:
  aplomb roles adult
  aplomb roles robot.xml --picture robot.png
  aplomb roles robot.xml --write";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let found = files::find(Folder::Characters, &arguments.model, None)?;
    let reading = mjcf::read_with(&found.source, &mjcf::Options::default())?;
    output::print_findings(reading.warnings.iter().map(Rendered::from));
    let model = &reading.model;
    if let Some(path) = &arguments.picture {
        draw(model, &arguments.model, path, arguments.thumbnail)?;
    }
    if !arguments.write {
        output::print(&listing(model))?;
        return Ok(Done::Well);
    }
    let Some(path) = Companion::path(&found.source) else {
        return Err(Failure::usage("a shipped body cannot have a companion file"));
    };
    if path.exists() {
        return Err(Failure::usage(format!("{} is there already", path.display())));
    }
    std::fs::write(&path, file(model)).map_err(|source| Failure::Write { path: path.clone(), source })?;
    output::print(&format!("{}\n", path.display()))?;
    Ok(Done::Well)
}

/// Draws the body into a file.
fn draw(model: &Model, name: &str, path: &Path, thumbnail: bool) -> Result<(), Failure> {
    let is_vector = files::ends_in(path, &["svg"]);
    if !is_vector && !files::ends_in(path, &["png"]) {
        return Err(Failure::usage(format!("--picture is a .png or .svg file, not {}", path.display())));
    }
    let shown = if thumbnail { BodyPicture::Thumbnail } else { BodyPicture::Roles };
    let title = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
    let picture = body_picture(model, &title, shown)?;
    Ok(if is_vector { picture.write_svg(path) } else { picture.write_png(path) }?)
}

fn name(model: &Model, body: BodyId) -> &str {
    &model.bodies[body.0].name
}

/// Name of a hinge, with a `-` in front if its sign is opposite to the role's.
fn hinge_name(model: &Model, joint: JointId, sign: f64) -> String {
    let minus = if sign < 0.0 { "-" } else { "" };
    format!("{minus}{}", model.joints[joint.0].name)
}

/// Roles, one per line.
fn listing(model: &Model) -> String {
    let mut text = String::new();
    let mut line = |role: &str, is: String, about: &str| {
        // Writing to a string cannot fail.
        _ = writeln!(text, "{role:16} {is:28} {about}");
    };
    for (role, about) in BODIES {
        line(role, model.body(role).map_or("-", |body| name(model, body)).into(), about);
    }
    for (role, about) in POINTS {
        let site = model.site(role).map(|site| &model.sites[site]);
        let place = site.and_then(|site| Some((name(model, site.body?), site.position)));
        let is = place.map(|(body, at)| format!("{body} at [{:.3}, {:.3}, {:.3}] m", at.x, at.y, at.z));
        line(role, is.unwrap_or("-".into()), about);
    }
    for (role, about) in HINGES {
        let named = model.hinge(role).map(|(joint, sign)| hinge_name(model, joint, sign));
        line(role, named.unwrap_or("-".into()), about);
    }
    for (role, about) in JOINTS {
        let joints = model.joints_of(role).unwrap_or_default();
        let names: Vec<&str> = joints.iter().map(|joint| model.joints[joint.0].name.as_str()).collect();
        line(role, if names.is_empty() { "-".into() } else { names.join(" ") }, about);
    }
    let feet: Vec<&str> = model.roles.feet.iter().map(|foot| name(model, *foot)).collect();
    line("feet", feet.join(" "), "what all legs stand on");
    line("faces", format!("{:.0}°", model.roles.facing.to_degrees()), "in the rest pose, from x towards y");
    text
}

/// A companion file with the same roles.
fn file(model: &Model) -> String {
    let mut text = String::from("[roles]\n");
    let quoted = |word: &str| toml::Value::from(word).to_string();
    for (role, _) in BODIES {
        if let Some(body) = model.body(role) {
            _ = writeln!(text, "{role} = {}", quoted(name(model, body)));
        }
    }
    text += "\n[role_joints]\n";
    for (role, _) in JOINTS {
        let joints = model.joints_of(role).unwrap_or_default();
        let names: Vec<String> = joints.iter().map(|joint| quoted(&model.joints[joint.0].name)).collect();
        _ = writeln!(text, "{role} = [{}]", names.join(", "));
    }
    for (role, _) in HINGES {
        if let Some((joint, sign)) = model.hinge(role) {
            _ = writeln!(text, "{role} = [{}]", quoted(&hinge_name(model, joint, sign)));
        }
    }
    text += "\n[role_points]\n";
    for (role, _) in POINTS {
        let site = model.site(role).map(|site| &model.sites[site]);
        if let Some((site, body)) = site.and_then(|site| Some((site, site.body?))) {
            let [x, y, z] = site.position.into();
            let body = quoted(name(model, body));
            _ = writeln!(text, "{role} = {{ body = {body}, at = [{x:?}, {y:?}, {z:?}] }}");
        }
    }
    text
}
