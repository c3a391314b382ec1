//! A copy of a passive world continues exactly as the original does.

use aplomb::passive::{PartId, PassiveWorld, StepStatus};
use aplomb::scene::Run as SceneRun;
use aplomb::scene::{self, SceneFiles};

/// The bits of the observable state of the parts, and of the solver statistics.
fn bits(world: &PassiveWorld) -> Vec<u64> {
    let mut bits = Vec::new();
    for system in &world.systems {
        bits.push(system.time().to_bits());
        for part in 0..system.parts() {
            let part = system.part(PartId(part));
            let numbers = part.position.iter().chain(part.orientation.coords.iter());
            let numbers = numbers.chain(part.velocity.iter()).chain(part.angular_velocity.iter());
            bits.extend(numbers.map(|number| number.to_bits()));
        }
        let stats = system.solver_stats();
        bits.extend([stats.iterations as u64, stats.residual.to_bits()]);
        system.each_touch(&mut |touch| bits.extend(touch.force.iter().map(|number| number.to_bits())));
    }
    bits.extend(
        world.hits().flat_map(|(_, hit)| hit.impulse.force.iter().map(|n| n.to_bits()).collect::<Vec<_>>()),
    );
    bits
}

fn run(world: &mut PassiveWorld, frames: usize, dt: f64) {
    for _ in 0..frames {
        world.step(dt);
        world.step_held(dt, |point| point.force);
        assert!(world.status.iter().all(|status| *status != StepStatus::Failed));
    }
}

/// Steps 50 frames, then 50 more of the original and of a copy taken in between; the scene first runs `frames`
/// frames.
fn goes_on_as_before(files: &SceneFiles, frames: usize) {
    let mut simulation = SceneRun::bind(files).expect("a sound scene");
    (0..frames).for_each(|_| assert!(simulation.step().expect("usable numbers").is_some()));
    let (mut world, dt) = (simulation.world.passive().clone(), simulation.world.settings().dt);
    run(&mut world, 50, dt);
    let mut copy = world.clone();
    let before = bits(&world);
    assert!(before == bits(&copy), "the copy is another");
    run(&mut world, 50, dt);
    assert!(before == bits(&copy), "the copy moved with the original");
    assert!(before != bits(&world), "nothing moved");
    run(&mut copy, 50, dt);
    assert!(bits(&world) == bits(&copy), "the copy goes another way");
}

/// Runs [`goes_on_as_before`] in a shipped scene with this kind of object.
fn shipped(scene: &str, kind: &str, frames: usize) {
    let files = scene::load(scene, &[]).expect("a shipped scene");
    assert!(files.scene.passive.values().any(|spec| spec.kind() == kind), "{scene} has no {kind}");
    goes_on_as_before(&files, frames);
}

#[test]
fn articulated_bodies_go_on_from_a_copy() {
    shipped("stack", "articulated", 0);
    shipped("throw_ball", "articulated", 0);
    shipped("trajectory_follow", "articulated", 0);
}

#[test]
fn chains_go_on_from_a_copy() {
    shipped("wind_hair", "chain", 0);
    shipped("robot_drag", "chain", 0);
}

#[test]
fn a_held_chain_goes_on_from_a_copy() {
    shipped("rope_swing", "chain", 5);
}

#[test]
fn skeletons_go_on_from_a_copy() {
    shipped("stiff_hand", "skeleton", 0);
}

#[test]
fn cloth_goes_on_from_a_copy() {
    shipped("cloth_drape", "cloth", 0);
    shipped("flag", "cloth", 0);
}

#[test]
fn particles_go_on_from_a_copy() {
    shipped("struck_figures", "particles", 0);
    shipped("plant", "particles", 0);
}

#[test]
fn constrained_particles_go_on_from_a_copy() {
    shipped("bead_on_wire", "constrained", 0);
}

#[test]
fn ropes_go_on_from_a_copy() {
    let text = "duration = 1\n[passive.rope]\nkind = \"rope\"\nends = [[0, 0, 2], [1, 0, 2]]\n\
                sticks = 20\nmass = 1\n";
    goes_on_as_before(&super::scene::files(text), 0);
}

#[test]
fn a_ragdoll_goes_on_from_a_copy() {
    let files = scene::load("fall_limp", &[]).expect("a shipped scene");
    goes_on_as_before(&files, 150);
}
