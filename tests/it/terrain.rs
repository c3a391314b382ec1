//! Stairs and uneven ground: made as their files specify, supporting every body that stands or falls on them, and
//! walked over.

use aplomb::contact::{Surface, SurfaceShape};
use aplomb::scene::{self, LoadError, Run, SceneFiles};
use aplomb::trace::Frame;
use aplomb::world::StepError;
use nalgebra::Vector3;
use std::path::Path;

/// The character of the scenes: an adult that keeps its balance.
const ADULT: &str = "[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\n";

fn load(folder: &Path, text: &str) -> Result<SceneFiles, LoadError> {
    let path = folder.join("ground.toml");
    std::fs::write(&path, text).unwrap();
    scene::load(path.to_str().unwrap(), &[])
}

fn loaded(text: &str) -> SceneFiles {
    let folder = tempfile::tempdir().unwrap();
    load(folder.path(), text).unwrap_or_else(|mistake| panic!("{mistake:?}"))
}

fn run(files: &SceneFiles) -> (Vec<(String, bool)>, Vec<Frame>) {
    let mut run = Run::bind(files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut frames = Vec::new();
    let last = run.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame());
        Ok(())
    });
    frames.push(last.unwrap());
    (run.criteria.iter().map(|criterion| (criterion.name.clone(), criterion.holds)).collect(), frames)
}

fn passes(scene: &str, overrides: &[&str]) {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let files = scene::load(scene, &overrides).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (criteria, _) = run(&files);
    assert!(criteria.iter().all(|(_, holds)| *holds), "{scene} {overrides:?}: {criteria:?}");
}

fn surface<'a>(surfaces: &'a [Surface], name: &str) -> &'a Surface {
    surfaces.iter().find(|surface| *surface.name == *name).unwrap_or_else(|| panic!("no `{name}`"))
}

fn height(surface: &Surface, x: f64, y: f64) -> Option<f64> {
    surface.top(&Vector3::new(x, y, 0.0)).map(|(height, _)| height)
}

fn of_terrain(terrain: &str) -> Vec<Surface> {
    loaded(&format!("duration = 1.0\n{ADULT}[terrain.hill]\n{terrain}\n")).surfaces()
}

#[test]
fn a_formula_is_met_where_its_lines_cross() {
    let surfaces = of_terrain(
        "formula = { height = \"0.1 * x * x - 0.05 * y\", low = [1, -1], high = [3, 1], spacing = 0.25 }",
    );
    let hill = surface(&surfaces, "hill");
    for (x, y) in [(1.0, -1.0), (1.5, 0.25), (2.75, 0.75), (3.0, 1.0)] {
        assert!((height(hill, x, y).unwrap() - (0.1 * x * x - 0.05 * y)).abs() < 1e-12, "{x} {y}");
    }
    assert_eq!(height(hill, 0.99, 0.0), None);
}

#[test]
fn stairs_are_treads_of_one_height_up_and_down() {
    let surfaces = of_terrain(
        "stairs = { number = 3, rise = 0.2, tread = 0.3, start = [1, 0], landing = 1.0, down = true }",
    );
    let top = |x: f64| surfaces.iter().filter_map(|surface| height(surface, x, 0.1)).fold(0.0, f64::max);
    let heights = [0.9, 1.1, 1.4, 1.7, 2.5, 2.7, 3.0, 3.3].map(top);
    let expected = [0.0, 0.2, 0.4, 0.6, 0.6, 0.4, 0.2, 0.0];
    assert!(
        heights.iter().zip(expected).all(|(height, wanted)| (height - wanted).abs() < 1e-12),
        "{heights:?}"
    );
    assert!(height(surface(&surfaces, "hill_3"), 1.7, 0.8).is_none(), "they are 1.5 m wide");
}

#[test]
fn a_seed_is_one_ground_and_another_seed_another() {
    let of = |seed: u32, more: &str| {
        let random =
            format!("seed = {seed}, amplitude = 0.05, cell = 0.4, low = [0, -1], high = [3, 1]{more}");
        surface(&of_terrain(&format!("random = {{ {random} }}")), "hill").shape.clone()
    };
    assert_eq!(of(1, ""), of(1, ""));
    assert_ne!(of(1, ""), of(2, ""));
    let SurfaceShape::Field(steps) = of(1, ", steps = true") else { panic!("a field") };
    let level = steps.heights().iter().all(|height| (0.0..=0.1).contains(height));
    assert!(level && steps.top(-1.4, -0.9).unwrap().1 == Vector3::z());
}

#[test]
fn a_picture_is_ground_with_its_top_to_the_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::File::create(folder.path().join("hill.png")).unwrap();
    let mut encoder = png::Encoder::new(file, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(&[255, 0, 0, 0, 0, 51]).unwrap();
    let picture = "picture = { file = \"hill.png\", white = 0.5, low = [0, 0], high = [2, 1] }";
    let files = load(folder.path(), &format!("duration = 1.0\n{ADULT}[terrain.hill]\n{picture}\n")).unwrap();
    let surfaces = files.surfaces();
    let hill = surface(&surfaces, "hill");
    assert!((height(hill, 0.0, 1.0).unwrap() - 0.5).abs() < 1e-12, "white");
    assert!((height(hill, 2.0, 0.0).unwrap() - 0.1).abs() < 1e-12, "a fifth of white");
    assert!(height(hill, 1.0, 0.5).unwrap().abs() < 1e-12, "black");
    let header = scene::header(&files, &Run::bind(&files).unwrap());
    let kept = scene::load_kept(&header, &[]).unwrap();
    assert_eq!(surface(&kept.surfaces(), "hill").shape, hill.shape, "the trace keeps the picture");
}

#[test]
fn mistakes_in_terrain_are_said_where_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let rectangle = "low = [0, 0], high = [2, 1]";
    let mistakes = [
        ("stairs = { number = 0, rise = 0.2, tread = 0.3, start = [1, 0] }", "6:21", "from 1 to 100, not 0"),
        (
            "stairs = { number = 3, rise = -0.2, tread = 0.3, start = [1, 0] }",
            "6:31",
            "rise must be more than 0 m",
        ),
        ("formula = { height = \"0.1 * z\", low = [0, 0], high = [2, 1] }", "6:29", "unknown name `z`"),
        ("formula = { height = \"1 / x\", low = [0, 0], high = [2, 1] }", "6:22", "no height"),
        ("formula = { height = 0.1, low = [0, 0], high = [2, -1] }", "6:48", "high must be beyond low"),
        (
            "formula = { height = 0.1, low = [0, 0], high = [2, 1], spacing = 0.001 }",
            "6:66",
            "more than 500 lines",
        ),
        (
            "random = { seed = 1, amplitude = 0.05, cell = 0, low = [0, 0], high = [2, 1] }",
            "6:47",
            "cell must be",
        ),
        ("picture = { file = \"no.png\", white = 1, low = [0, 0], high = [2, 1] }", "6:20", "cannot read"),
        ("hills = {}", "6:1", "hills"),
    ];
    for (terrain, place, said) in mistakes {
        let text = format!("duration = 1.0\n{ADULT}[terrain.hill]\n{terrain}\n");
        let Err(error) = load(folder.path(), &text) else { panic!("no mistake in {terrain}, {rectangle}") };
        let error = error.to_string();
        assert!(error.contains(&format!("ground.toml:{place}")), "{terrain}: {error}");
        assert!(error.contains(said), "{terrain}: {error}");
    }
    let taken = "[terrain.hill]\nstairs = { number = 1, rise = 0.2, tread = 0.3, start = [1, 0] }\n\
                 [obstacles.hill_1]\nposition = [9, 9, 9]\nhalf_lengths = [1, 1, 1]\n";
    let error = load(folder.path(), &format!("duration = 1.0\n{ADULT}{taken}")).unwrap_err().to_string();
    assert!(error.contains("another surface is named `hill_1` already"), "{error}");
}

#[test]
fn who_stands_on_a_grid_as_high_as_a_box_stands_as_on_the_box() {
    let on = |ground: &str| {
        let start = "[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\nheight = 0.3\n";
        let success = "[success]\nheight = { at_end = \"abs(com_height - standing_height) < 0.03 and abs(footing_height - 0.3) < 1e-3\" }\n";
        let files = loaded(&format!("duration = 0.5\n{start}{ground}\n{success}"));
        let (criteria, frames) = run(&files);
        assert!(criteria[0].1, "{ground}: {:?}", frames.last().unwrap().com);
        frames.last().unwrap().com
    };
    let grid = on("[terrain.floor]\nformula = { height = 0.3, low = [-1, -1], high = [1, 1] }");
    let block = on("[obstacles.floor]\nposition = [0, 0, 0.15]\nhalf_lengths = [1, 1, 0.15]");
    for axis in 0..3 {
        assert!((grid[axis] - block[axis]).abs() < 1e-4, "{grid:?} {block:?}");
    }
}

#[test]
fn a_foot_finds_the_nearest_place_where_its_sole_lies_whole() {
    let ground = "[terrain.stairs]\nstairs = { number = 2, rise = 0.17, tread = 0.3, start = [1, 0], landing = 1.0 }\n";
    // The sole's site is 0.10 m ahead of the heel and 0.155 m behind the toes; 1 cm of margin on all sides.
    let success = "[success]\n\
        flat = { always = \"norm(landing_place(left_sole, [0.3, 0.1, 0]) - [0.3, 0.1, 0]) < 1e-9\" }\n\
        before_an_edge = { always = \"norm(landing_place(left_sole, [0.87, 0.1, 0]) - [0.83, 0.1, 0]) < 0.011\" }\n\
        behind_an_edge = { always = \"norm(landing_place(left_sole, [1.09, 0.1, 0]) - [1.115, 0.1, 0.17]) < 0.011\" }\n\
        over_both = { always = \"highest_between([0.8, 0, 0], [1.4, 0, 0]) == 0.34\" }\n\
        senses = { always = \"surface_height([1.1, 0, 0]) == 0.17 and surface_normal([1.1, 0, 0]).z == 1\" }\n";
    let (criteria, _) = run(&loaded(&format!("duration = 0.02\n{ADULT}{ground}{success}")));
    assert!(criteria.iter().all(|(_, holds)| *holds), "{criteria:?}");
}

#[test]
fn a_body_without_a_will_and_a_rope_come_to_rest_on_hills() {
    let hills = "0.08 * sin(4 * x) * cos(3 * y) + 0.1";
    let scene = format!(
        "duration = 5.0\n\
         [terrain.hills]\nformula = {{ height = \"{hills}\", low = [-2, -2], high = [2, 2] }}\n\
         [passive.body]\nkind = \"articulated\"\nmodel = \"adult\"\nposition = [0.0, 0.0, 0.5]\nrotation = [0.0, 0.3, 0.0]\ndamping = 1.0\n\
         [passive.rope]\nkind = \"rope\"\nends = [[-1, 1.2, 0.5], [1, 1.2, 0.5]]\nsticks = 20\nmass = 0.5\n\
         [success]\nfalls = {{ once = \"height(body) < 0.45\" }}\n\
         rests = {{ at_end = \"speed(body) < 0.1 and height(body) > 0.1 and height(body) < 0.45\" }}\n"
    );
    let (criteria, frames) = run(&loaded(&scene));
    assert!(criteria.iter().all(|(_, holds)| *holds), "{criteria:?}");
    let under = |[x, y, z]: [f64; 3]| 0.08 * (4.0 * x).sin() * (3.0 * y).cos() + 0.1 - z;
    let rope = &frames.last().unwrap().passive[1];
    let deepest = rope.positions.iter().map(|at| under(*at)).fold(f64::NEG_INFINITY, f64::max);
    // The triangles between lines 0.1 m apart differ by up to 2 mm from the formula.
    assert!((-0.02..0.01).contains(&deepest), "{deepest}");
}

#[test]
fn stairs_are_climbed() {
    passes("stairs", &[]);
}

/// Other risers and treads, one of them shorter than a foot with its toes; the controller file is unchanged.
#[test]
fn other_stairs_are_climbed() {
    for (rise, tread) in [(0.15, 0.27), (0.175, 0.3), (0.145, 0.32)] {
        passes(
            "stairs",
            &[&format!("terrain.stairs.stairs.rise={rise}"), &format!("terrain.stairs.stairs.tread={tread}")],
        );
    }
}

#[test]
fn a_slope_and_a_kerb_are_walked_over() {
    passes("yard", &[]);
}

#[test]
fn uneven_ground_is_walked_over() {
    for seed in [1, 2] {
        passes("uneven", &[&format!("terrain.rough.random.seed={seed}")]);
    }
}
