//! A game whose plugin steps the world for it: all that the plugin takes is a `&dyn PhysicsHooks`.
//!
//! ```sh
//! cargo vendor-rapier --for-tests
//! cargo run --release --manifest-path vendor-patches/build/Cargo.toml --example engine_binding
//! ```

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

/// Stands for the plugin: code that the game cannot change, and that knows nothing of persistent contacts.
mod plugin {
    use rapier3d::prelude::*;

    /// The plugin's own world.
    #[derive(Default)]
    pub struct Plugin {
        world: PhysicsWorld,
    }

    impl Plugin {
        /// The world, to put things into.
        pub fn world_mut(&mut self) -> &mut PhysicsWorld {
            &mut self.world
        }

        /// Called by the plugin's scheduler, once a frame.
        pub fn update(&mut self, hooks: &dyn PhysicsHooks) {
            self.world.step_with_events(hooks, &());
        }
    }
}

/// \[m/s]
const SPEED: Real = 33.13;
const STEPS: usize = 120;

fn main() {
    // The plugin keeps its hooks for good, so the step object moves into them.
    let contacts = PersistentContacts::default().into_hooks();
    let stock = cut_short(&());
    let ours = cut_short(&contacts);
    println!("A box slides at {SPEED} m/s over a mesh of 1 m triangles. Of {STEPS} steps were cut short:");
    println!("  with the plugin as it is     {stock}");
    println!("  with persistent contacts     {ours}");
}

/// How many steps brought the box less than nine tenths of its way.
fn cut_short(hooks: &dyn PhysicsHooks) -> usize {
    let mut plugin = plugin::Plugin::default();
    let world = plugin.world_mut();
    world.insert_collider(ground(), None);
    let start = RigidBodyBuilder::dynamic().translation(Vector::new(2.13, 0.2, 0.07)).linvel(Vector::X * SPEED);
    let (body, _) = world.insert(start, ColliderBuilder::cuboid(0.2, 0.2, 0.2).friction(0.0));
    let way = SPEED * world.integration_parameters.dt;
    let mut bad = 0;
    for _ in 0..STEPS {
        let before = plugin.world_mut().bodies[body].translation();
        plugin.update(hooks);
        let after = plugin.world_mut().bodies[body].translation();
        bad += usize::from(after.x - before.x < 0.9 * way);
    }
    bad
}

/// Flat ground, 120 m long.
fn ground() -> ColliderBuilder {
    let (cells_x, cells_z) = (120, 8);
    let corner = |i: u32, j: u32| i * (cells_z + 1) + j;
    let mut vertices = Vec::new();
    let mut indices = Vec::new();
    for i in 0..=cells_x {
        for j in 0..=cells_z {
            vertices.push(Vector::new(i as Real, 0.0, j as Real - 4.0));
            if i < cells_x && j < cells_z {
                let [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j)];
                indices.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
    let ground = ColliderBuilder::trimesh_with_flags(vertices, indices, flags).expect("the triangles are sound");
    ground.friction(0.0)
}
