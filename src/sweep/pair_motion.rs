//! How two colliders move past each other, in the frame where that is simplest.

use crate::motion::Motion;
use rapier3d::math::{Pose, Real, Rotation, Vector};
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};

/// The motions of a source body and a target collider, in one frame.
///
/// A target that does not turn is taken as standing still, and the source moves relative to it: then planes can be
/// compared with, and the frame is the target's own. A target that turns is left in world space, and both move.
pub(crate) struct PairMotion {
    /// The source's body, in the frame.
    pub source: Motion,
    /// The target's body, in the frame; still if the frame is the target's.
    target: Motion,
    /// The target collider on its body, or in the frame if that is the target's own.
    target_place: Pose,
    /// The frame in world space, at the step's start.
    frame: Pose,
    /// How far the frame moves during the step, in world space.
    drift: Vector,
}

impl PairMotion {
    /// The motion of `source` past a collider that sits at `place` on a body moving by `target`.
    pub fn new(source: &Motion, target: &Motion, place: &Pose) -> Self {
        if target.rotation() == 0.0 {
            let (from, to) = target.center_path();
            let frame = target.pose_at(0.0) * *place;
            Self::past_still(source, &frame, to - from)
        } else {
            Self { source: *source, target: *target, target_place: *place, frame: Pose::IDENTITY, drift: Vector::ZERO }
        }
    }

    /// The motion of `source` past a collider at `frame` that drifts by `drift`, or not at all.
    pub fn past_still(source: &Motion, frame: &Pose, drift: Vector) -> Self {
        Self {
            source: source.relative_to(frame, drift),
            target: Motion::still(&Pose::IDENTITY),
            target_place: Pose::IDENTITY,
            frame: *frame,
            drift,
        }
    }

    /// Is the frame the target's own?
    pub fn target_is_still(&self) -> bool {
        self.target.is_still()
    }

    /// Does the target stay where it is in the world?
    pub fn is_past_fixed(&self) -> bool {
        self.target_is_still() && self.drift == Vector::ZERO
    }

    /// The target collider's pose in the frame at fraction `t`.
    pub fn target_pose(&self, t: Real) -> Pose {
        if self.target_is_still() { self.target_place } else { self.target.pose_at(t) * self.target_place }
    }

    /// The target body's motion in the frame, and the collider's place on it.
    pub fn target(&self) -> (&Motion, &Pose) {
        (&self.target, &self.target_place)
    }

    /// \[rad] The larger of the two bodies' rotations.
    pub fn rotation(&self) -> Real {
        self.source.rotation().max(self.target.rotation())
    }

    /// The same motion from fraction `t` on, rescaled to a whole window. Only good for times of impact.
    pub fn from(&self, t: Real) -> Self {
        Self { source: self.source.window(t, 1.0), target: self.target.window(t, 1.0), ..*self }
    }

    /// A pose of world space at fraction `t` in the frame.
    pub fn pose_in_frame(&self, pose: &Pose, t: Real) -> Pose {
        self.frame.inv_mul(&Pose::from_parts(pose.translation - self.drift * t, pose.rotation))
    }

    /// A point of the frame in world space at fraction `t`.
    pub fn point_in_world(&self, point: Vector, t: Real) -> Vector {
        self.frame.transform_point(point) + self.drift * t
    }

    /// A world direction in the frame.
    pub fn direction_in_frame(&self, direction: Vector) -> Vector {
        self.frame.rotation.inverse() * direction
    }

    /// A direction of the frame in world space.
    pub fn direction_in_world(&self, direction: Vector) -> Vector {
        self.frame.rotation * direction
    }

    /// A point of world space, at the step's start, in the frame.
    pub fn point_in_frame(&self, point: Vector) -> Vector {
        self.frame.inverse_transform_point(point)
    }

    /// The box that a source which sweeps `reach` in world space can touch of the target, in the collider's frame.
    pub fn reach_of_target(&self, reach: &Aabb) -> Aabb {
        if self.target_is_still() {
            let reach = if self.drift == Vector::ZERO {
                *reach
            } else {
                reach.merged(&Aabb::new(reach.mins - self.drift, reach.maxs - self.drift))
            };
            if self.frame.rotation == Rotation::IDENTITY {
                return Aabb::new(reach.mins - self.frame.translation, reach.maxs - self.frame.translation);
            }
            return reach.transform_by(&self.frame.inverse());
        }
        // The target turns: the box from where it starts and where it ends, and all it may sweep between.
        let seen = |t: Real| reach.transform_by(&self.target_pose(t).inverse());
        let (start, middle, end) = (seen(0.0), seen(0.5), seen(1.0));
        let merged = start.merged(&middle).merged(&end);
        // Between two of the three poses a point at distance r from the axis bulges by less than r·θ²/32; r is at most
        // the box's own size as seen from the target.
        let half_turns = (self.target.rotation() / 4.0).min(1.0);
        let bulge = merged.mins.abs().max(merged.maxs.abs()).length() * half_turns * half_turns;
        merged.loosened(bulge.max(0.0))
    }
}
