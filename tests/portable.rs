//! Both compiled forms of the loops, selected at run time. This is a separate program because the selection is global
//! to the process.

use aplomb::math::dispatch::{Work, fastest, is_fused, set_portable};
use aplomb::scene;
use aplomb::scene::Run as SceneRun;

struct Form;

impl Work for Form {
    type Output = bool;

    fn run<const FUSED: bool>(self) -> bool {
        FUSED
    }
}

/// Bits of the character's configuration and of the momentum of passive objects after `frames` frames.
fn run(scene: &str, frames: usize) -> Vec<u64> {
    let files = scene::load(scene, &[]).expect("a shipped scene");
    let mut simulation = SceneRun::bind(&files).expect("a sound scene");
    for _ in 0..frames {
        simulation.step().expect("usable numbers");
    }
    let momentum = simulation.world.passive().systems.iter().map(|system| system.total_momentum().force);
    let momentum: Vec<f64> = momentum.flat_map(|force| [force.x, force.y, force.z]).collect();
    let hero = simulation.hero().map_or(&[][..], |hero| &simulation.world.state(hero).q);
    hero.iter().chain(&momentum).map(|number| number.to_bits()).collect()
}

#[test]
fn portable_runs_use_no_fused_products_and_repeat_to_the_bit() {
    for scene in ["balance_push", "wind_hair", "cloth_drape"] {
        set_portable(false);
        let (may, fast) = (is_fused(), run(scene, 60));
        assert_eq!(fastest(Form), may);
        set_portable(true);
        assert!(!fastest(Form));
        let portable = run(scene, 60);
        set_portable(false);
        assert_eq!(fast, run(scene, 60), "{scene}");
        set_portable(true);
        assert_eq!(portable, run(scene, 60), "{scene}");
        set_portable(false);
        // Rounding differs; the motion does not.
        assert!(!may || fast != portable, "{scene}: the two forms are one");
        for (fast, portable) in fast.iter().zip(&portable) {
            let [fast, portable] = [fast, portable].map(|bits| f64::from_bits(*bits));
            assert!((fast - portable).abs() < 1e-5 * portable.abs().max(1.0), "{scene}: {fast} {portable}");
        }
    }
}
