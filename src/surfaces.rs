//! Surfaces without mass: what feels no impulse, and where those of a world are that has few.

use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;

/// A world with more surfaces than this is asked through the broad phase's tree. A box costs a nanosecond to compare with,
/// and a query of the tree, which goes down to the asking body's own leaf at least, a hundred or more.
const MAX_LISTED: usize = 16;

/// Going through all colliders is worth it while there are no more than this many for each awake body, of which each would
/// cost a query of the tree. Where far more sleep, or are fixed, the step must not look at them.
const COLLIDERS_PER_BODY: usize = 8;

/// Is the collider a surface without mass: one that feels no impulse, because its body is fixed or kinematic, or because it
/// has none?
pub(crate) fn is_massless(collider: &Collider, bodies: &RigidBodySet) -> bool {
    !collider.parent().and_then(|body| bodies.get(body)).is_some_and(RigidBody::is_dynamic)
}

/// The surfaces without mass of a world that has only a few of them. Read from the world in every step; the buffers stay.
///
/// Most bodies of most steps are far from every surface. With a level of one mesh, a few walls and a lift that shows from a
/// handful of boxes.
#[derive(Default)]
pub(crate) struct Surfaces {
    list: Vec<ColliderHandle>,
    /// Those that the broad phase knows, with the boxes by which it does.
    placed: Vec<(ColliderHandle, Aabb)>,
    /// The number of the world's colliders when the list was made, if it has all of their surfaces.
    complete_of: Option<usize>,
    /// How many of them others may continue: solid ones, of which a compound counts twice, as it has seams of its own.
    solid: usize,
}

impl Surfaces {
    /// Lists the surfaces of a world with this many awake bodies, if it is worth it and they are few.
    pub fn read(&mut self, awake: usize, bodies: &RigidBodySet, colliders: &ColliderSet) {
        self.list.clear();
        self.placed.clear();
        self.complete_of = None;
        self.solid = usize::MAX;
        if colliders.len() > COLLIDERS_PER_BODY * awake {
            return;
        }
        self.solid = 0;
        let mut are_few = true;
        for (handle, collider) in colliders.iter().filter(|(_, collider)| is_massless(collider, bodies)) {
            if !collider.is_sensor() {
                self.solid += if collider.shape().as_compound().is_some() { 2 } else { 1 };
            }
            are_few &= self.list.len() < MAX_LISTED;
            if are_few {
                self.list.push(handle);
            } else if self.may_have_seams() {
                return;
            }
        }
        self.complete_of = are_few.then_some(colliders.len());
    }

    /// Reads where the listed surfaces are in the broad phase's tree, before the engine step and again after it.
    pub fn place(&mut self, bvh: &Bvh, colliders: &ColliderSet) {
        self.placed.clear();
        // What came in the midst of the step is not on the list.
        if self.complete_of != Some(colliders.len()) {
            self.complete_of = None;
            return;
        }
        let leaves = self.list.iter().filter_map(|handle| Some((*handle, bvh.leaf_node(handle.into_raw_parts().0)?)));
        self.placed.extend(leaves.map(|(handle, leaf)| (handle, leaf.aabb())));
    }

    /// May there be seams in this world? A level that is one mesh has none.
    pub fn may_have_seams(&self) -> bool {
        self.solid > 1
    }

    /// The listed surfaces whose boxes in the broad phase's tree `reach` touches; `None` if not all are listed, and only the
    /// tree can tell.
    pub fn meeting<'a>(&'a self, reach: &'a Aabb) -> Option<impl Iterator<Item = ColliderHandle> + 'a> {
        self.complete_of?;
        Some(self.placed.iter().filter(|(_, bounds)| bounds.intersects(reach)).map(|(handle, _)| *handle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tiles` fixed cuboids of 1 m in a row along x, and ten balls above them, after a step.
    fn world(tiles: usize) -> PhysicsWorld {
        let mut world = PhysicsWorld::new();
        for i in 0..tiles {
            let place = Vector::new(i as Real, -0.5, 0.0);
            world.insert_collider(ColliderBuilder::cuboid(0.5, 0.5, 0.5).translation(place), None);
        }
        for i in 0..10 {
            let body = RigidBodyBuilder::dynamic().translation(Vector::new(i as Real, 1.0, 0.0));
            world.insert(body, ColliderBuilder::ball(0.2));
        }
        world.step();
        world
    }

    fn read(world: &mut PhysicsWorld, awake: usize) -> Surfaces {
        let mut surfaces = Surfaces::default();
        surfaces.read(awake, &world.bodies, &world.colliders);
        let parts = &mut crate::world::WorldParts::from(&mut *world);
        let sets = parts.sets();
        surfaces.place(sets.tree(), sets.colliders);
        surfaces
    }

    #[test]
    fn a_box_meets_the_listed_surfaces_that_it_touches() {
        let surfaces = read(&mut world(3), 10);
        // The tiles reach from x = i - 0.5 to i + 0.5, give or take the few centimetres that the broad phase adds.
        let met = |x: Real, y: Real| {
            let reach = Aabb::new(Vector::new(x, y, 0.0), Vector::new(x + 0.2, y + 0.2, 0.1));
            surfaces.meeting(&reach).expect("all are listed").count()
        };
        assert_eq!(met(-0.1, -0.1), 1);
        assert_eq!(met(0.4, -0.1), 2);
        // The balls are there, but are no surfaces.
        assert_eq!(met(0.9, 0.9), 0);
    }

    #[test]
    fn a_world_with_many_surfaces_or_sleepers_is_not_listed() {
        let reach = Aabb::new(Vector::ZERO, Vector::ONE);
        assert!(read(&mut world(MAX_LISTED), 10).meeting(&reach).is_some());
        assert!(read(&mut world(MAX_LISTED + 1), 10).meeting(&reach).is_none());
        // Thirteen colliders are more than eight for the one body that is awake.
        assert!(read(&mut world(3), 1).meeting(&reach).is_none());
    }

    #[test]
    fn one_solid_surface_has_no_seams() {
        let mut one = world(1);
        one.insert_collider(ColliderBuilder::cuboid(1.0, 1.0, 1.0).sensor(true), None);
        assert!(!read(&mut one, 10).may_have_seams());
        assert!(read(&mut world(2), 10).may_have_seams());
    }
}
