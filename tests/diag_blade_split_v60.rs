//! A thin oblique blade at 60 m/s rides from one piece group into an open thin mesh wall of another group whose normal faces
//! away. The engine drops the contacts with the back of the wall, so nothing but the sweep holds the blade, in every step
//! anew. The seed document refuses to project the normal of the face test into the triangle's pseudo-normal cone because it
//! lets this blade through.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{
    PersistentContacts, PieceGroup, PosedShape, Settings, SweepPolicy, Verdict, persistent_target_normal,
};

const SPEED: Real = 60.0;
const WALL_X: Real = 5.0;
/// \[m] The wall is lower than the blade's centroid: the core ball passes over it.
const WALL_HEIGHT: Real = 0.3;
const BLADE: Vector = Vector::new(0.01, 0.6, 0.3);

struct Scene {
    world: PhysicsWorld,
    contacts: PersistentContacts,
    blade: RigidBodyHandle,
    wall: ColliderHandle,
}

fn mesh(corners: [(Real, Real, Real); 4]) -> ColliderBuilder {
    let vertices = corners.map(|(x, y, z)| Vector::new(x, y, z)).to_vec();
    ColliderBuilder::trimesh_with_flags(vertices, vec![[0, 1, 2], [0, 2, 3]], TriMeshFlags::FIX_INTERNAL_EDGES)
        .expect("a quad is a mesh")
        .friction(0.0)
}

/// The blade leans forward by `lean` degrees and starts `phase` of a step before the wall.
fn scene(policy: SweepPolicy, lean: Real, phase: Real) -> Scene {
    let mut world = PhysicsWorld::new();
    let mut contacts =
        PersistentContacts::new(Settings { sweep_policy: policy, ..Settings::default() }).expect("valid");
    let fixed = world.insert_body(RigidBodyBuilder::fixed());
    let ground = mesh([(-20.0, 0.0, -8.0), (-20.0, 0.0, 8.0), (40.0, 0.0, 8.0), (40.0, 0.0, -8.0)]);
    let ground = world.insert_collider(ground, Some(fixed));
    // By the right-hand rule this normal is +X: away from the blade that comes from −X.
    let (bottom, top) = (0.0, WALL_HEIGHT);
    let wall = mesh([(WALL_X, bottom, 8.0), (WALL_X, bottom, -8.0), (WALL_X, top, -8.0), (WALL_X, top, 8.0)]);
    let wall = world.insert_collider(wall, Some(fixed));
    contacts.groups_mut().insert(ground, PieceGroup::new(1));
    contacts.groups_mut().insert(wall, PieceGroup::new(2));
    contacts.set_tracing(true);

    let turn = Rotation::from_rotation_z(-lean.to_radians());
    let lowest = (turn * Vector::Y).y * BLADE.y + (turn * Vector::X).y.abs() * BLADE.x;
    let body = RigidBodyBuilder::dynamic()
        .pose(Pose::from_parts(Vector::new(phase * SPEED / 60.0, lowest, 0.0), turn))
        .linvel(Vector::X * SPEED)
        .lock_rotations();
    let corners: Vec<_> = (0..8)
        .map(|corner| {
            let sign = |bit: u32| if corner & (1 << bit) == 0 { -1.0 } else { 1.0 };
            Vector::new(sign(0), sign(1), sign(2)) * BLADE
        })
        .collect();
    let hull = ColliderBuilder::convex_hull(&corners).expect("a blade is convex").friction(0.0);
    let (blade, _) = world.insert(body, hull);
    Scene { world, contacts, blade, wall }
}

impl Scene {
    fn passes(&mut self) -> bool {
        for _ in 0..30 {
            self.contacts.step(&mut self.world);
        }
        self.world.bodies[self.blade].translation().x > WALL_X + 0.5
    }
}

#[test]
fn the_blade_is_held_at_every_lean_and_phase() {
    for lean in [35.0, 40.0, 45.0, 50.0] {
        for phase in 0..20 {
            let phase = phase as Real / 20.0;
            assert!(!scene(SweepPolicy::FaceTested, lean, phase).passes(), "leaning {lean}°, phase {phase}");
        }
    }
}

/// The core ball alone does not hold it: that is what the projected normal would leave.
#[test]
fn the_core_ball_passes_over_the_wall() {
    assert!(scene(SweepPolicy::CoreBall, 40.0, 0.0).passes());
}

/// Where the blade is held, the raw normal is that of the wall's rim, more than 30° off the wall's own; projected into the
/// cone it would be the wall's own, so the hit would pass for one on the face that the blade touches already.
#[test]
fn projecting_the_normal_of_the_face_test_would_let_it_through() {
    let mut scene = scene(SweepPolicy::FaceTested, 40.0, 0.0);
    let limit = Settings::default().face_angle;
    let mut held = 0;
    for _ in 0..30 {
        let clamp = scene.contacts.step(&mut scene.world).clamps().first().copied();
        let Some(clamp) = clamp.filter(|clamp| clamp.target == scene.wall) else { continue };
        let verdict = scene.contacts.trace().pairs.iter().find(|pair| pair.target == scene.wall);
        let Some(Verdict::Persistent { references, .. }) = verdict.and_then(|pair| pair.verdict.as_ref()) else {
            continue;
        };
        let wall = &scene.world.colliders[scene.wall];
        let posed = PosedShape { shape: wall.shape(), pose: *wall.position() };
        let projected = persistent_target_normal(&posed, clamp.element, clamp.normal);
        let angle = |normal: Vector| references.iter().map(|r| r.normal.angle_between(normal)).fold(9.0, Real::min);
        assert!(angle(clamp.normal) > limit, "raw, it is another face");
        assert!(angle(projected) < limit, "projected, it would be the same");
        held += 1;
    }
    assert!(held > 5, "the blade was held by the face test in {held} steps");
}
