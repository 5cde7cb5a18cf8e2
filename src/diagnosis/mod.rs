//! What in a level will make trouble, before it does: findings with the call that mends them, and the mending itself.

mod body;
mod collider;
mod fault;
mod finding;
mod inspection;
mod mesh;
mod preparation;
mod repair;
mod surface;
mod underside;
mod weld;
mod winding;

pub use fault::{Facing, Fault, SurfaceKind};
pub use finding::{Diagnosis, Subject};
pub use inspection::Inspection;
pub use preparation::{prepare_level, prepare_level_upright};
pub use repair::{Repair, RepairKind};

use crate::PersistentContacts;
use rapier3d::prelude::{ColliderSet, RigidBodySet};

impl PersistentContacts {
    /// Looks a level over: what in it will make bodies bump, hang, sink or fall through, and how to mend it.
    ///
    /// The findings are in the order of the colliders' handles, then of the bodies', each fault once for each of them. It
    /// walks every triangle of every mesh and allocates, so call it when a level is loaded, or when something looks wrong,
    /// not in every step. It sees a level as it stands: a wheel that spins at the cap is found while it does.
    ///
    /// It takes gravity to be that of the earth, along −y, and the parameters to be Rapier's. For others, and for the
    /// faults that only a world's parameters and joints show, use an [`Inspection`]:
    /// `Inspection::from(&world).diagnose()`.
    ///
    /// ```
    /// use rapier3d::prelude::*;
    /// use rapier3d_persistent_contacts::{Fault, PersistentContacts, prepare_level};
    ///
    /// // Ground as it comes out of most files: two triangles that do not know of each other, and no flag.
    /// let corners = [(0, 0), (0, 9), (9, 9), (0, 0), (9, 9), (9, 0)].map(|(x, z)| Vector::new(x as Real, 0.0, z as Real));
    /// let ground = ColliderBuilder::trimesh(corners.to_vec(), vec![[0, 1, 2], [3, 4, 5]]);
    /// let mut world = PhysicsWorld::new();
    /// world.insert_collider(ground.expect("it has triangles"), None);
    ///
    /// let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
    /// assert!(matches!(findings[0].fault, Fault::SplitVertices { vertices: 2, edges: 1, are_exact: true }));
    /// assert!(matches!(findings[1].fault, Fault::MissingEdgeFlag { edges: 1, .. }));
    /// for finding in &findings {
    ///     println!("{finding}"); // who, what, what it will cause, and the call that mends it
    /// }
    ///
    /// for repair in prepare_level(&mut world.colliders) {
    ///     println!("{repair}");
    /// }
    /// assert_eq!(PersistentContacts::diagnose(&world.bodies, &world.colliders), []);
    /// ```
    pub fn diagnose(bodies: &RigidBodySet, colliders: &ColliderSet) -> Vec<Diagnosis> {
        Inspection::new(bodies, colliders).diagnose()
    }
}
