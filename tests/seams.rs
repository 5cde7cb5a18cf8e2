//! What is not a scene: the game's own hooks, explicit groups, pieces that move, go or are switched off.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{PersistentContacts, PieceGroup, Settings};
use std::sync::Mutex;

/// \[m/s] The box's speed: 83 mm a step, so that it meets the seam within a few steps.
const SPEED: Real = 5.0;

/// \[m] Where the box starts: after three steps its front is 10 mm before the seam, within Rapier's prediction distance.
const START: Real = 0.54;

/// Two tiles that meet at x = 1, and a box without friction that slides from the first to the second.
struct Road {
    world: PhysicsWorld,
    tiles: [ColliderHandle; 2],
    body: RigidBodyHandle,
    collider: ColliderHandle,
}

impl Road {
    fn new() -> Self {
        let mut world = PhysicsWorld::new();
        let tiles = [0.0, 2.0].map(|x| {
            let tile = ColliderBuilder::cuboid(1.0, 0.1, 1.0).translation(Vector::new(x, -0.1, 0.0)).friction(0.0);
            world.insert_collider(tile, None)
        });
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(START, 0.2, 0.13)).linvel(Vector::X * SPEED);
        let collider = ColliderBuilder::cuboid(0.2, 0.2, 0.2).friction(0.0);
        let (body, collider) = world.insert(body.lock_rotations().can_sleep(false), collider);
        Self { world, tiles, body, collider }
    }

    fn run(&mut self, contacts: &mut PersistentContacts, steps: usize) {
        for _ in 0..steps {
            contacts.step(&mut self.world);
        }
    }

    fn speed(&self) -> Real {
        self.world.bodies[self.body].linvel().x
    }

    /// Does the box get over the seam with its speed? It is past it after 20 steps: 0.54 + 20·5/60 m.
    fn crosses(&mut self, contacts: &mut PersistentContacts) -> bool {
        self.run(contacts, 20);
        (self.speed() - SPEED).abs() < 1.0e-3 * SPEED
    }
}

/// A start that bumps without the correction: without such a one the tests below could not fail.
#[test]
fn without_joined_pieces_the_box_bumps() {
    let settings = Settings { joins_pieces: false, ..Default::default() };
    let mut contacts = PersistentContacts::new(settings).expect("the settings are valid");
    assert!(!Road::new().crosses(&mut contacts));
}

#[test]
fn joined_pieces_are_crossed() {
    assert!(Road::new().crosses(&mut PersistentContacts::default()));
}

#[test]
fn explicit_groups_win() {
    let mut contacts = PersistentContacts::default();
    let mut road = Road::new();
    contacts.groups_mut().insert(road.tiles[0], PieceGroup::new(1));
    contacts.groups_mut().insert(road.tiles[1], PieceGroup::new(2));
    assert!(!road.crosses(&mut contacts), "tiles of different groups are no surface");

    let mut road = Road::new();
    for tile in road.tiles {
        contacts.groups_mut().insert(tile, PieceGroup::new(1));
    }
    assert!(road.crosses(&mut contacts), "tiles of one group are");
}

#[test]
fn a_piece_that_is_gone_fills_nothing() {
    // The box comes from the right, over nothing, to the side of the first tile: a real wall, once the second is gone.
    for how in ["removed", "moved away", "disabled"] {
        let mut contacts = PersistentContacts::default();
        let mut road = Road::new();
        road.run(&mut contacts, 2);
        let second = road.tiles[1];
        match how {
            "removed" => drop(road.world.remove_collider(second)),
            "moved away" => road.world.colliders[second].set_position(Pose::translation(50.0, 0.0, 0.0)),
            _ => road.world.colliders[second].set_enabled(false),
        }
        let body = &mut road.world.bodies[road.body];
        body.set_position(Pose::translation(1.3, 0.05, 0.13), true);
        body.set_linvel(Vector::X * -SPEED, true);
        road.run(&mut contacts, 5);
        assert!(road.speed().abs() < 0.01, "{how}: the side of the tile stops it, but it has {} m/s", road.speed());
    }
}

/// Counts how often the game's own hook is called.
#[derive(Default)]
struct Counting(Mutex<usize>);

impl PhysicsHooks for Counting {
    fn modify_solver_contacts(&self, _: &mut ContactModificationContext) {
        *self.0.lock().expect("no test panics while counting") += 1;
    }
}

#[test]
fn the_games_hook_is_called_only_where_it_asked() {
    for asks in [false, true] {
        let mut road = Road::new();
        if asks {
            road.world.colliders[road.collider].set_active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
        }
        let (hooks, mut contacts) = (Counting::default(), PersistentContacts::default());
        for _ in 0..10 {
            contacts.step_with_events(&mut road.world, &hooks, &());
        }
        let calls = *hooks.0.lock().expect("no test panics while counting");
        assert_eq!(calls > 0, asks, "{calls} calls");
        let flags = road.world.colliders[road.collider].active_hooks();
        assert_eq!(flags == ActiveHooks::MODIFY_SOLVER_CONTACTS, asks, "what the game set stays as it set it");
    }
}

#[test]
fn the_flag_is_taken_back_where_no_seam_is_near() {
    let mut road = Road::new();
    let mut contacts = PersistentContacts::default();
    let flags = |road: &Road| road.world.colliders[road.collider].active_hooks();
    road.run(&mut contacts, 6);
    assert!(!flags(&road).is_empty(), "its front is at the seam");
    road.run(&mut contacts, 10);
    assert!(flags(&road).is_empty(), "it is past the seam");
    assert!(road.tiles.iter().all(|tile| road.world.colliders[*tile].active_hooks().is_empty()));
}

/// One step object that plays two worlds by turns, with as many colliders each but seams in one of them only, plays both as
/// objects of their own do.
#[test]
fn the_seams_of_one_world_are_not_told_from_another() {
    let tiles = || {
        let mut world = PhysicsWorld::new();
        for i in 0..4 {
            let place = Vector::new(i as Real, -0.1, 0.0);
            world.insert_collider(ColliderBuilder::cuboid(0.5, 0.1, 2.0).translation(place).friction(0.0), None);
        }
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.2, 0.0)).linvel(Vector::X * 3.0);
        let (body, _) = world.insert(body, ColliderBuilder::cuboid(0.2, 0.2, 0.2).friction(0.0));
        (world, body)
    };
    let mut plain = PhysicsWorld::new();
    plain.insert_collider(ColliderBuilder::cuboid(50.0, 0.1, 50.0), None);
    for i in 0..4 {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(2.0 * i as Real, 0.3, 0.0));
        plain.insert(body, ColliderBuilder::ball(0.2));
    }
    let ((mut shared, a), (mut own, b)) = (tiles(), tiles());
    let (mut by_turns, mut alone) = (PersistentContacts::default(), PersistentContacts::default());
    for _ in 0..60 {
        by_turns.step(&mut plain);
        by_turns.step(&mut shared);
        alone.step(&mut own);
    }
    assert_eq!(shared.bodies[a].position(), own.bodies[b].position());
    assert!((own.bodies[b].linvel().x - 3.0).abs() < 0.003, "it bumped: {}", own.bodies[b].linvel());
}

/// A tile that is laid down right before the body reaches it is a piece of the road in its very first step, also for a step
/// object that plays another world by turns with as many colliders, and as many without a place in the broad phase's tree: a
/// disabled one there, the new tile here.
#[test]
fn the_newcomers_of_one_world_are_not_told_from_another() {
    for laid in 1..12 {
        let mut other = PhysicsWorld::new();
        other.insert_collider(ColliderBuilder::cuboid(1.0, 0.1, 1.0), None);
        other.insert_collider(ColliderBuilder::ball(0.1).enabled(false), None);
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.3, 0.0)).can_sleep(false);
        other.insert(body, ColliderBuilder::cuboid(0.2, 0.2, 0.2));
        let [mut shared, mut own] = [(); 2].map(|()| {
            let mut road = Road::new();
            road.world.remove_collider(road.tiles[1]);
            road
        });
        let (mut by_turns, mut alone) = (PersistentContacts::default(), PersistentContacts::default());
        for step in 0..20 {
            if step == laid {
                for road in [&mut shared, &mut own] {
                    let tile = ColliderBuilder::cuboid(1.0, 0.1, 1.0).translation(Vector::new(2.0, -0.1, 0.0));
                    road.tiles[1] = road.world.insert_collider(tile.friction(0.0), None);
                }
            }
            by_turns.step(&mut other);
            by_turns.step(&mut shared.world);
            alone.step(&mut own.world);
        }
        assert_eq!(
            shared.world.bodies[shared.body].position(),
            own.world.bodies[own.body].position(),
            "laid at {laid}"
        );
    }
}
