//! Units of the values of files by path, for axes and columns.

/// Keys with the same unit at every path; `docs/files.md` lists the units of all keys.
const UNITS: &[(&str, &str)] = &[
    ("duration", "s"),
    ("delay", "s"),
    ("until", "s"),
    ("ramp", "s"),
    ("dt", "s"),
    ("debounce", "s"),
    ("blend_in", "s"),
    ("response", "s"),
    ("contact_response", "s"),
    ("joint_limit_response", "s"),
    ("perception", "s"),
    ("time_constant", "s"),
    ("settle", "s"),
    ("period", "s"),
    ("radius", "m"),
    ("height", "m"),
    ("width", "m"),
    ("length", "m"),
    ("distance", "m"),
    ("spacing", "m"),
    ("rise", "m"),
    ("tread", "m"),
    ("landing", "m"),
    ("amplitude", "m"),
    ("position", "m"),
    ("half_lengths", "m"),
    ("clearance", "m"),
    ("velocity", "m/s"),
    ("speed", "m/s"),
    ("gravity", "m/s²"),
    ("heading", "rad"),
    ("direction", "rad"),
    ("bearing", "rad"),
    ("rotation", "rad"),
    ("sway", "rad"),
    ("turn", "rad"),
    ("angular_velocity", "rad/s"),
    ("frequency", "Hz"),
    ("mass", "kg"),
    ("load", "kg"),
    ("impulse", "N s"),
    ("force", "N"),
];

/// The unit of the value at this path (as for `--set`); empty if it has none, or an unknown one.
pub fn unit_of(path: &str) -> &'static str {
    // Parameters, definitions and joints may have the names of keys.
    let own_names = ["parameters", "let", "each_frame", "pose", "rates"];
    // A component has the unit of its vector: `impulse[1]`, `impulse.1`.
    let path = path.split('[').next().unwrap_or_default();
    let mut names = path.split('.').map(|name| name.trim().trim_matches('"'));
    let mut last = names.next_back().unwrap_or_default();
    if last.parse::<usize>().is_ok() {
        last = names.next_back().unwrap_or_default();
    }
    let within: Vec<&str> = names.collect();
    if within.iter().any(|name| own_names.contains(name)) {
        return "";
    }
    // Elsewhere `at` is a position.
    if last == "at" && within.first() == Some(&"events") {
        return "s";
    }
    UNITS.iter().find(|(key, _)| *key == last).map_or("", |(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_reference() {
        let reference = include_str!("../../../../docs/files.md");
        for (key, unit) in UNITS {
            let rows = reference.lines().filter(|line| line.starts_with(&format!("| `{key}` |")));
            let words: Vec<&str> = rows.collect();
            let has = |row: &&str| {
                [".", ";", ",", ":", " "].iter().any(|end| row.contains(&format!(", {unit}{end}")))
            };
            let there = words.iter().filter(|row| has(row)).count();
            assert!(there > 0, "`{key}` in {unit}: {words:#?}");
        }
    }

    #[test]
    fn a_path_has_the_unit_of_its_key() {
        for (path, unit) in [
            ("ground.friction", ""),
            ("events.push.duration", "s"),
            ("events.push.at", "s"),
            ("events.\"second push\".impulse[1]", "N s"),
            ("characters.hero.position.0", "m"),
            ("characters.hero.role_points.left_sole.at", ""),
            ("controller.parameters.height", ""),
            ("characters.hero.pose.turn", ""),
            ("dt", "s"),
        ] {
            assert_eq!(unit_of(path), unit, "{path}");
        }
    }
}
