//! Piece groups: which fixed colliders are parts of one surface.

use rapier3d::prelude::*;
use std::collections::HashMap;
use std::num::NonZeroU32;

/// The number that ties the pieces of one surface together.
///
/// Two colliders are neighbours when they carry the same group and belong to the same fixed body; colliders without
/// a parent count as one fixed body. Zero is no group, as in the seed document's rule (`DESIGN.md` section 4).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceGroup(NonZeroU32);

impl PieceGroup {
    /// The group with this number.
    ///
    /// # Panics
    /// If `number` is zero, which means "no group". Use [`PieceGroup::checked`] for numbers that come from data.
    pub const fn new(number: u32) -> Self {
        match NonZeroU32::new(number) {
            Some(number) => Self(number),
            None => panic!("piece group numbers start at 1; 0 means no group"),
        }
    }

    /// The group with this number, or `None` for zero.
    pub const fn checked(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The group's number.
    pub const fn number(self) -> u32 {
        self.0.get()
    }
}

/// Which collider belongs to which [`PieceGroup`].
///
/// Handles that are stale, or belong to another world, are harmless: the step looks up the colliders it meets, by
/// index and generation, and never walks the map, whose order is therefore of no consequence.
#[derive(Clone, Debug, Default)]
pub struct PieceGroups {
    groups: HashMap<ColliderHandle, PieceGroup>,
}

impl PieceGroups {
    /// Puts `collider` into `group`; returns the group it was in.
    pub fn insert(&mut self, collider: ColliderHandle, group: PieceGroup) -> Option<PieceGroup> {
        self.groups.insert(collider, group)
    }

    /// Takes `collider` out of its group; returns the group it was in.
    pub fn remove(&mut self, collider: ColliderHandle) -> Option<PieceGroup> {
        self.groups.remove(&collider)
    }

    /// The group of `collider`.
    pub fn get(&self, collider: ColliderHandle) -> Option<PieceGroup> {
        self.groups.get(&collider).copied()
    }

    /// May two colliders be parts of one surface as far as the groups are concerned: in the same one, or neither in any?
    pub(crate) fn may_continue(&self, a: (ColliderHandle, &Collider), b: (ColliderHandle, &Collider)) -> bool {
        match (self.get(a.0), self.get(b.0)) {
            (None, None) => true,
            _ => self.are_neighbours(a, b),
        }
    }

    /// Are the two colliders neighbouring pieces: same group, same fixed body (or both without a body)?
    pub(crate) fn are_neighbours(&self, a: (ColliderHandle, &Collider), b: (ColliderHandle, &Collider)) -> bool {
        match (self.get(a.0), self.get(b.0)) {
            (Some(group_a), Some(group_b)) => group_a == group_b && a.1.parent() == b.1.parent(),
            _ => false,
        }
    }
}
