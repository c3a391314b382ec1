//! Provenance of a frame's contact forces.

use aplomb::scene::{self, Run};
use aplomb::synthesis::{ForcePart, ForceProvenance, PartOf};
use nalgebra::Vector3;

/// Interval between explained frames.
const EVERY: u64 = 9;

/// The provenance of frames of a scene, with the weight of its character, N.
fn explained(name: &str, duration: f64) -> (Vec<ForceProvenance>, f64) {
    let files = scene::load(name, &[format!("duration={duration}")]).unwrap();
    let mut run = Run::bind(&files).unwrap();
    let mut told = Vec::new();
    while !run.is_over() {
        let explains = run.world.frame_index().is_multiple_of(EVERY);
        run.character_mut().synthesiser.explains = explains;
        if run.step().unwrap().is_none() {
            break;
        }
        let provenance = run.character_mut().synthesiser.result().provenance.clone();
        told.extend(provenance.map(|told| *told));
    }
    (told, run.character().snapshot.scales.weight())
}

/// The objective without which the forces change most, if that is more than a thousandth of the weight.
fn largest(told: &ForceProvenance, weight: f64) -> Option<&ForcePart> {
    let change = |part: &ForcePart| part.without.as_deref().map_or(0.0, ForceProvenance::size);
    let costs = told.parts.iter().filter(|part| matches!(part.of, PartOf::Cost(_)));
    costs.max_by(|a, b| change(a).total_cmp(&change(b))).filter(|part| change(part) > 1e-3 * weight)
}

#[test]
fn parts_of_forces_add_up_and_without_the_largest_the_force_changes_as_its_slope_says() {
    let (mut right, mut all) = (0, 0);
    let scenes = [("balance_push", 2.0), ("step_push", 3.0), ("walk", 5.0), ("climb", 4.0), ("ice", 3.0)];
    for (name, duration) in scenes {
        let (told, weight) = explained(name, duration);
        let before = [right, all];
        for told in &told {
            assert!(told.error() <= 1e-9 * weight, "{name}: {} N", told.error());
            let Some(part) = largest(told, weight) else { continue };
            let pairs = part.weight_slope.iter().flatten().zip(part.without.iter().flatten());
            let along: f64 = pairs.map(|(slope, change)| -slope.dot(change)).sum();
            all += 1;
            right += usize::from(along > 0.0);
        }
        println!("{name}: {} of {}, {} explained", right - before[0], all - before[1], told.len());
    }
    assert!(all > 100 && 100 * right >= 95 * all, "{right} of {all}");
}

#[test]
fn who_stands_bears_its_weight_by_the_equations_of_motion() {
    let (told, weight) = explained("balance_push", 0.5);
    let told = told.last().unwrap();
    let sum = |forces: &[Vector3<f64>]| forces.iter().sum::<Vector3<f64>>();
    assert!((sum(&told.forces).z / weight - 1.0).abs() < 0.01, "{:?}", sum(&told.forces));
    assert!(matches!(told.parts[0].of, PartOf::Row(_)) && &*told.parts[0].name == "equations of motion");
    assert!((sum(&told.parts[0].forces).z / weight - 1.0).abs() < 0.05, "{:?}", told.parts[0]);
    let asked =
        told.parts.iter().find(|part| &*part.name == "com over support").expect("an objective of balance");
    assert!(asked.origin.file.ends_with("balance.toml") && asked.origin.line > 0, "{:?}", asked.origin);
}

#[test]
fn a_world_tells_what_the_forces_of_its_next_frame_are_for_and_stays_as_it_is() {
    let files = scene::load("step_push", &["duration=1".into()]).unwrap();
    let [mut asked, mut other] = [(); 2].map(|()| Run::bind(&files).unwrap());
    let hero = asked.hero().unwrap();
    for frame in 0..80 {
        let told = asked.world.forces_ahead(hero).unwrap();
        let record = asked.step().unwrap().expect("it stands").frame();
        assert_eq!(record, other.step().unwrap().expect("it stands").frame(), "frame {frame}");
        let Some(told) = told else { continue };
        let bodies = told.by_body(&asked.world.character(hero).model);
        let sum = |of: &dyn Fn(usize) -> f64| (0..3).map(of).collect::<Vec<f64>>();
        let ahead = sum(&|k| bodies.iter().map(|body| body.force[k]).sum());
        let came = sum(&|k| record.contacts.iter().map(|contact| contact.force[k]).sum());
        let near = ahead.iter().zip(&came).all(|(ahead, came)| (ahead - came).abs() < 1e-6);
        assert!(near, "frame {frame}: {ahead:?} is not {came:?}");
    }
}
