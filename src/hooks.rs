//! The game's hooks, with this crate's own work on contacts before them.

use crate::seams::{Seams, user_asks_for_contacts};
use rapier3d::prelude::*;

/// Wraps the game's hooks. They are asked exactly where the game's own flags say so, whatever flags this crate adds.
pub(crate) struct Hooks<'a> {
    pub user: &'a dyn PhysicsHooks,
    /// `None` if seams are left as they are.
    pub seams: Option<Seams<'a>>,
}

impl PhysicsHooks for Hooks<'_> {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        self.user.filter_contact_pair(context)
    }

    fn filter_intersection_pair(&self, context: &PairFilterContext) -> bool {
        self.user.filter_intersection_pair(context)
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        if let Some(seams) = &self.seams {
            seams.correct(context);
        }
        let asked = [context.collider1, context.collider2]
            .into_iter()
            .any(|handle| context.colliders.get(handle).is_some_and(user_asks_for_contacts));
        if asked {
            self.user.modify_solver_contacts(context);
        }
    }
}
