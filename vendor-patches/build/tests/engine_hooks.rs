//! Hooks that run the pass inside Rapier's own step.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{Evidence, PersistentContacts, Settings, Verdict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Flat ground of 1 m triangles from x = 0 to 60.
fn ground() -> ColliderBuilder {
    let mut vertices = Vec::new();
    let mut indices = Vec::new();
    for i in 0..=60 {
        vertices.extend([Vector::new(i as Real, 0.0, -4.0), Vector::new(i as Real, 0.0, 4.0)]);
        if i < 60 {
            let a = 2 * i;
            indices.extend([[a, a + 1, a + 3], [a, a + 3, a + 2]]);
        }
    }
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
    ColliderBuilder::trimesh_with_flags(vertices, indices, flags).expect("the triangles are sound").friction(0.0)
}

/// A box that slides at 33 m/s towards a thin wall at x = 40, over a sensor at x = 20, beside a pile that collapses and
/// a ball that bounces.
struct Scene {
    world: PhysicsWorld,
    slider: RigidBodyHandle,
}

impl Scene {
    fn new() -> Self {
        let mut world = PhysicsWorld::new();
        world.insert_collider(ground(), None);
        world.insert_collider(ColliderBuilder::cuboid(0.01, 1.0, 4.0).translation(Vector::new(40.0, 1.0, 0.0)), None);
        let sensor = ColliderBuilder::cuboid(0.02, 1.0, 4.0).translation(Vector::new(20.0, 1.0, 0.0)).sensor(true);
        world.insert_collider(sensor.active_events(ActiveEvents::COLLISION_EVENTS), None);
        let box_ = |size: Real| {
            let hooks = ActiveHooks::FILTER_CONTACT_PAIRS | ActiveHooks::MODIFY_SOLVER_CONTACTS;
            ColliderBuilder::cuboid(size, size, size).friction(0.0).active_hooks(hooks)
        };
        let start = RigidBodyBuilder::dynamic().translation(Vector::new(2.13, 0.2, 0.07)).linvel(Vector::X * 33.13);
        let (slider, _) = world.insert(start, box_(0.2));
        for i in 0..12 {
            let place = Vector::new(5.0 + 0.11 * i as Real, 0.3 + 0.41 * i as Real, 2.5);
            world.insert(RigidBodyBuilder::dynamic().translation(place), box_(0.2));
        }
        let ball = RigidBodyBuilder::dynamic().translation(Vector::new(30.0, 2.0, -2.0));
        world.insert(ball, ColliderBuilder::ball(0.2).restitution(1.0));
        Self { world, slider }
    }

    /// Every bit of every body.
    fn bits(&self) -> Vec<u32> {
        let bits = self.world.bodies.iter().flat_map(|(_, body)| {
            let (place, turn) = (body.translation().to_array(), body.rotation().to_array());
            let (linear, angular) = (body.linvel().to_array(), body.angvel().to_array());
            place.into_iter().chain(turn).chain(linear).chain(angular).map(Real::to_bits).collect::<Vec<_>>()
        });
        bits.collect()
    }

    fn x(&self) -> Real {
        self.world.bodies[self.slider].translation().x
    }
}

/// Counts what it is asked.
#[derive(Default)]
struct Counting {
    filtered: AtomicUsize,
    modified: AtomicUsize,
}

impl PhysicsHooks for Counting {
    fn filter_contact_pair(&self, _: &PairFilterContext) -> Option<SolverFlags> {
        self.filtered.fetch_add(1, Ordering::Relaxed);
        Some(SolverFlags::default())
    }

    fn modify_solver_contacts(&self, _: &mut ContactModificationContext) {
        self.modified.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Events(Mutex<Vec<CollisionEvent>>);

impl EventHandler for Events {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        self.0.lock().expect("no test panics while it holds this").push(event);
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

#[test]
fn the_step_from_inside_is_the_step_from_outside_to_the_bit() {
    let (mut outside, mut inside) = (Scene::new(), Scene::new());
    let (mut step, mut hooks) = (PersistentContacts::default(), PersistentContacts::default());
    let (user_outside, user_inside) = (Counting::default(), Counting::default());
    let (events_outside, events_inside) = (Events::default(), Events::default());
    let (mut swept, mut bounces) = (0, 0);
    for number in 0..300 {
        step.step_with_events(&mut outside.world, &user_outside, &events_outside);
        inside.world.step_with_events(&hooks.hooks_with(&user_inside), &events_inside);
        assert_eq!(inside.bits(), outside.bits(), "step {number}");
        assert_eq!(hooks.last_step().counters(), step.last_step().counters(), "step {number}");
        assert_eq!(hooks.last_step().clamps(), step.last_step().clamps(), "step {number}");
        assert_eq!(hooks.last_step().impacts(), step.last_step().impacts(), "step {number}");
        bounces += step.last_step().impacts().len();
        swept += step.last_step().counters().pairs;
    }
    assert!(swept > 0 && bounces > 0, "the pass has something to do: {swept} pairs, {bounces} bounces");
    assert!(outside.x() < 40.0, "the wall holds");
    // Rapier's events cannot be compared, but written.
    let events = |events: Events| format!("{:?}", events.0.into_inner().expect("no panic"));
    let (inside, outside) = (events(events_inside), events(events_outside));
    assert_eq!(inside, outside);
    assert!(inside.contains("SENSOR"), "the sensor was crossed: {inside}");
    let asked = |user: &Counting| (user.filtered.load(Ordering::Relaxed), user.modified.load(Ordering::Relaxed));
    assert_eq!(asked(&user_inside), asked(&user_outside));
    assert!(asked(&user_inside).0 > 0 && asked(&user_inside).1 > 0, "the game's hooks are asked");
}

#[test]
fn without_a_pass_of_its_own_a_hook_leaves_the_engine_as_it_is() {
    // The engine's own pass is at work, as the box would lose none of its way otherwise.
    let (mut plain, mut hooked) = (Scene::new(), Scene::new());
    let user = Counting::default();
    let mut cut_short = 0;
    for _ in 0..60 {
        let x = hooked.x();
        plain.world.step();
        hooked.world.step_with_events(&user, &());
        assert_eq!(hooked.bits(), plain.bits());
        cut_short += usize::from(hooked.x() - x < 0.9 * 33.13 / 60.0);
    }
    assert!(cut_short > 0);
}

#[test]
fn hooks_that_own_the_step_object_serve_many_steps() {
    let (mut lent, mut owned) = (Scene::new(), Scene::new());
    let mut contacts = PersistentContacts::default();
    let hooks: Box<dyn PhysicsHooks> = Box::new(PersistentContacts::default().into_hooks());
    for _ in 0..60 {
        lent.world.step_with_events(&contacts.hooks(), &());
        owned.world.step_with_events(&*hooks, &());
    }
    assert_eq!(owned.bits(), lent.bits());
    // 60 steps of 33.13 m/s, less one per cent for the first step, in which contacts begin.
    assert!(owned.x() > 2.13 + 0.99 * 33.13);
}

#[test]
fn the_report_can_be_read_between_steps() {
    let mut scene = Scene::new();
    let hooks = PersistentContacts::default().into_hooks();
    hooks.contacts().set_tracing(true);
    scene.world.step_with_events(&hooks, &());
    scene.world.step_with_events(&hooks, &());
    let contacts = hooks.contacts();
    assert_eq!(contacts.last_step().counters().movers, 1);
    assert!(!contacts.trace().pairs.is_empty());
}

#[test]
fn a_step_of_no_time_moves_nothing_and_clears_the_report() {
    let mut scene = Scene::new();
    let mut contacts = PersistentContacts::default();
    scene.world.step_with_events(&contacts.hooks(), &());
    scene.world.step_with_events(&contacts.hooks(), &());
    assert_eq!(contacts.last_step().counters().movers, 1);
    let before = scene.bits();
    scene.world.integration_parameters.dt = 0.0;
    scene.world.step_with_events(&contacts.hooks(), &());
    assert_eq!(scene.bits(), before);
    assert_eq!(contacts.last_step().counters().movers, 0);
}

#[test]
fn no_substeps_mean_no_sweeps() {
    let mut scene = Scene::new();
    let mut contacts = PersistentContacts::default();
    scene.world.integration_parameters.max_ccd_substeps = 0;
    scene.world.integration_parameters.dt = 1.0 / 30.0;
    for _ in 0..60 {
        scene.world.step_with_events(&contacts.hooks(), &());
        assert_eq!(contacts.last_step().counters().movers, 0);
    }
}

#[test]
fn several_substeps_are_one_pass() {
    let (mut one, mut four) = (Scene::new(), Scene::new());
    four.world.integration_parameters.max_ccd_substeps = 4;
    let (mut a, mut b) = (PersistentContacts::default(), PersistentContacts::default());
    for _ in 0..90 {
        one.world.step_with_events(&a.hooks(), &());
        four.world.step_with_events(&b.hooks(), &());
    }
    assert_eq!(four.bits(), one.bits());
}

/// The verdict on a mesh of ground and wall, as the trace tells it of the step in which a resting box is flung at the wall.
/// Before that step its pair with the mesh is changed.
fn verdict_on_the_ground(change: impl FnOnce(&mut ContactPair)) -> Verdict {
    let mut world = PhysicsWorld::new();
    let corners =
        [(-2.0, 0.0, -2.0), (-2.0, 0.0, 2.0), (0.5, 0.0, 2.0), (0.5, 0.0, -2.0), (0.5, 2.0, 2.0), (0.5, 2.0, -2.0)];
    let vertices = corners.map(|(x, y, z)| Vector::new(x, y, z)).to_vec();
    let indices = vec![[0, 1, 2], [0, 2, 3], [3, 2, 4], [3, 4, 5]];
    let mesh = ColliderBuilder::trimesh_with_flags(vertices, indices, TriMeshFlags::FIX_INTERNAL_EDGES);
    let mesh = world.insert_collider(mesh.expect("the triangles are sound"), None);
    let start = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.2, 0.07));
    let (body, source) = world.insert(start, ColliderBuilder::cuboid(0.2, 0.2, 0.2).friction(0.0));
    // With seams heeded the engine would look for the contacts of so fast a body afresh.
    let settings = Settings { joins_pieces: false, ..Settings::default() };
    let mut contacts = PersistentContacts::new(settings).expect("the settings are sound");
    contacts.set_tracing(true);
    for _ in 0..3 {
        world.step_with_events(&contacts.hooks(), &());
    }
    // It has not moved, so the engine keeps the pair as it is for the next step: with its points, or without.
    change(world.narrow_phase.contact_pair_for_tests(source, mesh).expect("they touch"));
    // 60 cm in the step, and the wall is 30 cm away: the wall's triangles are in the way, so a verdict is needed.
    world.bodies[body].set_linvel(Vector::X * 36.0, true);
    world.step_with_events(&contacts.hooks(), &());
    // The box is 40 cm wide and stops before the wall.
    assert!(world.bodies[body].translation().x < 0.301);
    let pair = contacts.trace().pairs.iter().find(|pair| pair.source == source && pair.target == mesh);
    pair.expect("the pair is swept").verdict.clone().expect("the wall is within reach")
}

/// The engine drops all points of a touching pair now and then, at internal edges. Here the test drops them.
#[test]
fn without_contact_points_the_ground_is_persistent_by_geometry() {
    let up = |verdict: Verdict, wanted: Evidence| {
        let Verdict::Persistent { evidence, references } = verdict else { panic!("the box stands on its ground") };
        assert_eq!(evidence, wanted);
        assert!(references.iter().all(|reference| reference.normal.distance(Vector::Y) < 1e-3));
    };
    up(verdict_on_the_ground(|_| ()), Evidence::Direct);
    let emptied = verdict_on_the_ground(|pair| {
        let PairContacts::Rigid(rigid) = &mut pair.contacts else { panic!("rigid shapes have rigid contacts") };
        assert!(rigid.manifolds.iter().any(|manifold| !manifold.points.is_empty()), "there were points to drop");
        rigid.manifolds.iter_mut().for_each(|manifold| manifold.points.clear());
    });
    up(emptied, Evidence::Geometric);
}
