//! Faults of bodies and of solids: too thin, capped, driven about the wrong point.

use super::levels::{ONE_SIDED, closed, collider, faults, level};
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{Diagnosis, Fault, Inspection, PersistentContacts, Subject};

#[test]
fn thin_shapes_are_found() {
    let flat = |is_dynamic| Fault::NoThickness { thickness: 0.0, is_dynamic };
    // To stand on, a mesh or a triangle is a surface on purpose; a flat solid is none.
    assert_eq!(faults(ColliderBuilder::cuboid(1.0, 0.0, 1.0)), [flat(false)]);
    assert_eq!(faults(ColliderBuilder::cuboid(1.0, 0.01, 1.0)), []);
    assert_eq!(faults(ColliderBuilder::triangle(Vector::ZERO, Vector::X, Vector::Z)), []);
    assert_eq!(faults(ColliderBuilder::new(SharedShape::halfspace(Vector::Y))), []);
    let dynamic = |collider: ColliderBuilder| {
        let mut world = PhysicsWorld::new();
        world.insert(RigidBodyBuilder::dynamic(), collider);
        let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
        findings.into_iter().map(|finding| finding.fault).collect::<Vec<_>>()
    };
    assert_eq!(dynamic(ColliderBuilder::triangle(Vector::ZERO, Vector::X, Vector::Z)), [flat(true)]);
    assert_eq!(dynamic(collider(closed(Vector::splat(1.0)), ONE_SIDED)), [flat(true)]);
    assert_eq!(
        dynamic(ColliderBuilder::cylinder(0.002, 0.5)),
        [Fault::NoThickness { thickness: 0.004, is_dynamic: true }]
    );
    assert_eq!(dynamic(ColliderBuilder::cylinder(0.003, 0.5)), []);
    assert_eq!(dynamic(ColliderBuilder::cuboid(Real::NAN, Real::NAN, Real::NAN)).len(), 1);
}

#[test]
fn a_wheel_at_the_cap_is_found_until_it_may_spin() {
    // Rapier's cap at 60 Hz is π/4 · 60 = 47.1 rad/s. A wheel of 0.2 m rolls at 9.4 m/s with that, so one that is thrown at
    // 20 m/s is braked to it.
    let mut world = level(ColliderBuilder::cuboid(200.0, 0.5, 10.0).translation(Vector::Y * -0.5).friction(1.0));
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(-100.0, 0.2, 0.0)).linvel(Vector::X * 20.0);
    let (body, _) = world.insert(body, ColliderBuilder::ball(0.2).friction(1.0));
    assert_eq!(Inspection::from(&world).diagnose(), []);
    let mut contacts = PersistentContacts::default();
    for _ in 0..60 {
        contacts.step(&mut world);
    }
    let findings = Inspection::from(&world).diagnose();
    let [Diagnosis { subject, fault: Fault::SpinCap { spin, cap, speed }, .. }] = findings[..] else {
        panic!("{findings:?}")
    };
    assert_eq!(subject, Subject::Body(body));
    let right = std::f64::consts::FRAC_PI_4 as Real * 60.0;
    assert!((cap - right).abs() < 1e-3 && (speed - 0.2 * right).abs() < 1e-3 && spin <= 1.001 * cap);
    let index = body.into_raw_parts().0;
    let call = format!("bodies[RigidBodyHandle::from_raw_parts({index}, 0)].set_allow_fast_rotation(true)");
    assert_eq!(findings[0].mend(), call);
    world.bodies[body].set_allow_fast_rotation(true);
    assert_eq!(Inspection::from(&world).diagnose(), []);
}

#[test]
fn a_motor_that_wants_more_than_the_cap_is_found() {
    let mut world = PhysicsWorld::new();
    let (chassis, _) = world.insert(RigidBodyBuilder::dynamic(), ColliderBuilder::cuboid(1.0, 0.2, 0.5));
    let wheel = RigidBodyBuilder::dynamic().translation(Vector::Z);
    let (wheel, _) = world.insert(wheel, ColliderBuilder::ball(0.3));
    let axle = |spin: Real| RevoluteJointBuilder::new(Vector::Z).local_anchor1(Vector::Z).motor_velocity(spin, 1.0);
    let joint = world.insert_impulse_joint(chassis, wheel, axle(-100.0));
    let findings = Inspection::from(&world).diagnose();
    // The chassis hangs on the same motor, but it is not round.
    assert!(
        matches!(findings[..], [Diagnosis { subject: Subject::Body(of), fault: Fault::SpinCap { spin: 100.0, .. }, .. }]
        if of == wheel)
    );
    world.impulse_joints.get_mut(joint, true).expect("the joint").data = axle(-40.0).build().into();
    assert_eq!(Inspection::from(&world).diagnose(), []);
}

#[test]
fn position_based_bodies_and_several_substeps_are_found() {
    let mut world = PhysicsWorld::new();
    let (body, _) = world.insert(RigidBodyBuilder::kinematic_position_based(), ColliderBuilder::cuboid(1.0, 0.1, 1.0));
    world.insert(RigidBodyBuilder::kinematic_velocity_based(), ColliderBuilder::cuboid(1.0, 0.1, 1.0));
    assert_eq!(Inspection::from(&world).diagnose(), []);
    world.integration_parameters.max_ccd_substeps = 4;
    let finding =
        Diagnosis { subject: Subject::Body(body), fault: Fault::KinematicSubsteps { substeps: 4 }, edges: Vec::new() };
    assert_eq!(Inspection::from(&world).diagnose(), [finding]);
    assert_eq!(PersistentContacts::diagnose(&world.bodies, &world.colliders), []);
}

#[test]
fn an_offset_door_turns_about_its_middle_until_it_is_mended() {
    // A door of 1 m on its hinge at the origin, at a quarter turn a second: after a second its body's origin is still there
    // if it turns about it. If it turns about the door's middle, 0.5 m off, the origin goes a quarter of a circle of 0.5 m,
    // and is 0.5·√2 = 0.707 m off.
    let origin_after = |is_mended: bool| {
        let mut world = PhysicsWorld::new();
        let quarter = std::f64::consts::FRAC_PI_2 as Real;
        let door = RigidBodyBuilder::kinematic_velocity_based().angvel(Vector::Y * quarter);
        let leaf = ColliderBuilder::cuboid(0.5, 1.0, 0.05).translation(Vector::X * 0.5);
        let (body, collider) = world.insert(door, leaf);
        if is_mended {
            world.colliders[collider].set_density(0.0);
            let at_origin = MassProperties::new(Vector::ZERO, 1.0, Vector::ONE);
            world.bodies[body].set_additional_mass_properties(at_origin, true);
        }
        let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
        let mut contacts = PersistentContacts::default();
        (0..60).for_each(|_| {
            contacts.step(&mut world);
        });
        assert!((world.bodies[body].rotation().to_scaled_axis().y - quarter).abs() < 1e-3, "it turned");
        (findings, world.bodies[body].translation().length())
    };
    let (findings, off) = origin_after(false);
    assert!(
        matches!(findings[..], [Diagnosis { fault: Fault::OffsetCenter { offset }, .. }] if (offset - 0.5).abs() < 1e-5)
    );
    assert!((off - 0.707).abs() < 0.01, "{off}");
    let (findings, off) = origin_after(true);
    assert_eq!(findings, []);
    assert!(off < 1e-5, "{off}");
}
