//! The path of one convex part of the source, and the planes it stays beyond.

use crate::motion::Motion;
use crate::source::{SourcePart, Spin};
use rapier3d::math::{Pose, Real, Vector};
use std::cell::OnceCell;

/// The path of a part in the frame of the pair.
pub(crate) struct PartPath<'a> {
    part: &'a SourcePart<'a>,
    start: Pose,
    end: Pose,
    center: (Vector, Vector),
    motion: Motion,
    spin: OnceCell<Option<Spin>>,
    /// How far the part may cross a plane and still count as beyond it.
    crossing: Real,
}

impl<'a> PartPath<'a> {
    /// The path of `part` on a body that moves by `motion`.
    pub fn new(part: &'a SourcePart<'a>, motion: &Motion, crossing: Real) -> Self {
        Self {
            part,
            start: motion.pose_at(0.0) * part.local,
            end: motion.pose_at(1.0) * part.local,
            center: motion.center_path(),
            motion: *motion,
            spin: OnceCell::new(),
            crossing,
        }
    }

    /// The part's poses at the step's start and end.
    pub fn ends(&self) -> (&Pose, &Pose) {
        (&self.start, &self.end)
    }

    /// Does the part stay in the half-space `normal · x ≥ offset` during the whole step, but for the tolerance?
    pub fn stays_beyond(&self, normal: Vector, offset: Real) -> bool {
        let limit = offset - self.crossing;
        let at_start = self.part.lowest(&self.start, normal);
        if at_start < limit {
            return false;
        }
        let at_end = self.part.lowest(&self.end, normal);
        at_end >= limit && self.lowest_between(normal, (at_start, at_end)) >= limit
    }

    /// A lower bound of the part's coordinate along `normal` during the whole step.
    pub fn lowest(&self, normal: Vector) -> Real {
        let at_ends = (self.part.lowest(&self.start, normal), self.part.lowest(&self.end, normal));
        self.lowest_between(normal, at_ends)
    }

    /// The part's least coordinate along `normal` at the start of the step.
    pub fn lowest_at_start(&self, normal: Vector) -> Real {
        self.part.lowest(&self.start, normal)
    }

    /// The part's least coordinate along `normal` at the end of the step.
    pub fn lowest_at_end(&self, normal: Vector) -> Real {
        self.part.lowest(&self.end, normal)
    }

    fn lowest_between(&self, normal: Vector, at_ends: (Real, Real)) -> Real {
        match self.spin.get_or_init(|| self.part.spin(&self.motion)) {
            None => at_ends.0.min(at_ends.1),
            Some(spin) => spin.lowest(normal, at_ends, (normal.dot(self.center.0), normal.dot(self.center.1))),
        }
    }

    /// When the part crosses the plane `normal · x = offset` by more than the tolerance, if it does before the end and stays
    /// there. A part that has crossed it from the start does so at once.
    pub fn crosses(&self, normal: Vector, offset: Real) -> Option<Real> {
        let limit = offset - self.crossing;
        let lowest = |t: Real| self.part.lowest(&(self.motion.pose_at(t) * self.part.local), normal);
        if lowest(1.0) >= limit {
            return None;
        }
        if lowest(0.0) < limit {
            return Some(0.0);
        }
        let (mut before, mut after) = (0.0, 1.0);
        for _ in 0..MAX_BISECTIONS {
            let middle = 0.5 * (before + after);
            if lowest(middle) >= limit {
                before = middle;
            } else {
                after = middle;
            }
        }
        Some(before)
    }
}

/// Twenty bisections divide a step to the resolution of single precision.
pub(super) const MAX_BISECTIONS: u32 = 20;
