//! Invalid chains are rejected with the name of the fault.

use super::links::{Links, SPHERICAL};
use aplomb::passive::chain::{Chain, ChainError, JointFault, JointRotation};
use nalgebra::Vector3;

#[test]
fn a_second_anchor_is_refused_by_name() {
    let (bodies, mut joints) = Links::hanging(4, SPHERICAL).specs();
    let mut second = joints[3].clone();
    (second.name, second.other) = ("ceiling".into(), None);
    joints.push(second);
    let refused = Chain::new(&bodies, &joints).expect_err("two anchors");
    assert_eq!(refused, ChainError::SecondAnchor { joint: "ceiling".into(), first: "j0".into() });
    let message = refused.to_string();
    assert!(message.contains("`ceiling`") && message.contains("`j0`"), "{message}");
    // A second anchor on the same body counts as well.
    joints[4].body = 0;
    assert_eq!(Chain::new(&bodies, &joints).expect_err("two anchors"), refused);
}

#[test]
fn a_loop_is_refused_by_name() {
    let (bodies, mut joints) = Links::hanging(4, SPHERICAL).specs();
    let mut closing = joints[3].clone();
    (closing.name, closing.body, closing.other) = ("clasp".into(), 3, Some(1));
    joints.push(closing);
    match Chain::new(&bodies, &joints).expect_err("a loop") {
        // Any joint of the loop may be reported as the one that closes it.
        ChainError::Loop { joint } => assert!(["clasp", "j2", "j3"].contains(&joint.as_str()), "{joint}"),
        other => panic!("{other}"),
    }
}

#[test]
fn impossible_numbers_are_refused_by_name() {
    let (bodies, joints) = Links::hanging(2, SPHERICAL).specs();
    let mut light = bodies.clone();
    light[1].mass = 0.0;
    assert_eq!(Chain::new(&light, &joints).expect_err("no mass"), ChainError::Inertia { body: "c1".into() });
    let mut flat = bodies.clone();
    flat[0].inertia[(2, 2)] = 0.0;
    assert_eq!(
        Chain::new(&flat, &joints).expect_err("no inertia"),
        ChainError::Inertia { body: "c0".into() }
    );
    let fault = |change: fn(&mut aplomb::passive::chain::JointSpec)| {
        let mut joints = joints.clone();
        change(&mut joints[1]);
        Chain::new(&bodies, &joints).expect_err("a fault")
    };
    let joint = |what| ChainError::Joint { joint: "j1".into(), what };
    assert_eq!(fault(|joint| joint.stiffness = f64::NAN), joint(JointFault::Stiffness));
    assert_eq!(
        fault(|joint| joint.kind = JointRotation::Hinge { axis: Vector3::zeros(), range: None }),
        joint(JointFault::Axis)
    );
    assert_eq!(
        fault(|joint| joint.kind = JointRotation::Hinge { axis: Vector3::x(), range: Some([1.0, -1.0]) }),
        joint(JointFault::Range)
    );
    assert_eq!(
        fault(|joint| joint.other = Some(7)),
        ChainError::NoSuchBody { joint: "j1".into(), body: 7, bodies: 2 }
    );
}
