//! The hook flag of colliders near a seam.
//!
//! The engine calls the contact hook for colliders that carry `ActiveHooks::MODIFY_SOLVER_CONTACTS`. Where the game did not
//! set it, this crate does, together with a bit that the engine has no use for: so what the game asked for can be told
//! from the collider alone.

use rapier3d::prelude::*;

/// The bit that marks `MODIFY_SOLVER_CONTACTS` as set by this crate.
const OURS: ActiveHooks = ActiveHooks::from_bits_retain(1 << 31);

/// Does the game want its own hook called for this collider's contacts?
pub(crate) fn user_asks_for_contacts(collider: &Collider) -> bool {
    let flags = collider.active_hooks();
    flags.contains(ActiveHooks::MODIFY_SOLVER_CONTACTS) && !flags.contains(OURS)
}

/// Did this crate alone judge the contacts of `collider` in the last engine step?
pub(crate) fn is_corrected(collider: &Collider) -> bool {
    collider.active_hooks().contains(OURS)
}

/// The flags of `collider` with this crate's mark.
#[cfg(test)]
pub(crate) fn mark(collider: &Collider) -> ActiveHooks {
    changed_flags(collider, true).expect("nobody has asked for its contacts")
}

/// The flags that `collider` should have, if they differ from those it has. `wanted`: is it near a seam?
pub(super) fn changed_flags(collider: &Collider, wanted: bool) -> Option<ActiveHooks> {
    let flags = collider.active_hooks();
    let is_ours = flags.contains(OURS);
    let both = ActiveHooks::MODIFY_SOLVER_CONTACTS | OURS;
    if wanted && !flags.contains(ActiveHooks::MODIFY_SOLVER_CONTACTS) {
        Some(flags | both)
    } else if !wanted && is_ours {
        Some(flags - both)
    } else {
        None
    }
}
