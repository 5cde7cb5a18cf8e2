//! A body's contact, at the two ends of the step.

use super::grip::Grip;
use super::hidden::ContactPoint;
use super::line::Lying;
use crate::fresh;
use crate::step_start::StepStart;
use crate::world::WorldSets;
use rapier3d::parry::shape::Shape;
use rapier3d::prelude::*;

/// How deep a line rides, in slops: 0.1 mm for bodies of a metre. For a line that only just touches a plane, the engine now and
/// then finds no contact, or one with a wrong normal.
const LINE_DEPTH_SLOPS: Real = 0.02;

/// What a collider has to do with a face, told by the face's plane. Separations are negative where the collider is deep in
/// the plane.
#[derive(Copy, Clone, Debug)]
pub(super) struct Touch {
    pub collider: ColliderHandle,
    /// Unit, from the face to the collider.
    pub normal: Vector,
    /// \[length] The separation of the collider's lowest point at the step's start.
    pub start: Real,
    /// \[length] The same at its end.
    pub end: Real,
    /// \[length] How far the contact point rose in the solver's eyes while the body turned.
    pub rise: Real,
    /// The solver saw the contact deeper than it was, or would have if it had been told of it.
    pub is_gripped: bool,
    /// The solver did not know of the contact.
    pub is_lost: bool,
    /// \[length] How far the body's velocity at the end takes it off the face in a step.
    pub leaving: Real,
    /// The face is that of a fixed collider.
    pub is_fixed: bool,
    /// The collider is a cylinder on its side at the end, and was level at the start, as far as the solver told.
    pub line: Option<Lying>,
    /// \[length] The height of the plane along the normal.
    pub plane: Real,
}

impl Touch {
    /// \[length] How far the collider has to be moved along the normal to be as deep as it was, at most a slop, or just to
    /// touch; or to be where its velocity takes it. A contact that the solver saw as it was is only moved out of the depth
    /// that the solver does not know of.
    pub fn correction(&self, slop: Real) -> Real {
        let highest = if self.line.is_some() { -LINE_DEPTH_SLOPS * slop } else { 0.0 };
        let wanted = self.start.clamp(-slop, highest) + self.leaving.max(0.0) - self.end;
        if self.is_gripped { wanted } else { wanted.min(self.rise).max(0.0) }
    }

    /// \[length] How far the collider may go against the normal without being deeper than it was.
    pub fn room(&self) -> Real {
        (self.end - self.start.min(0.0)).max(0.0)
    }
}

/// The state of a body that rolls at the two ends of the step.
pub(super) struct Ends<'a> {
    pub world: &'a WorldSets<'a>,
    pub body: &'a RigidBody,
    pub grip: Grip,
    /// Its place at the start.
    pub start: Pose,
    /// Its place at the end.
    pub end: Pose,
    /// \[length/s] Its velocity at the start.
    pub linvel: Vector,
    /// \[rad/s] Its spin at the start.
    spin: Vector,
}

impl<'a> Ends<'a> {
    pub fn of(
        (handle, body): (RigidBodyHandle, &'a RigidBody),
        (world, start): (&'a WorldSets<'a>, &StepStart),
        grip: Grip,
    ) -> Self {
        let (start, velocity) = match start.get(handle) {
            Some(known) => (known.pose, known.velocity),
            None => (fresh::start_pose(body, (world, start)), *body.vels()),
        };
        let end = *body.position();
        Self { world, body, grip, start, end, linvel: velocity.linvel, spin: velocity.angvel }
    }

    /// Calls `visit` with a touch for each manifold that the solver acted on.
    pub fn for_each_touch(&self, visit: &mut impl FnMut(Touch)) {
        let (colliders, narrow_phase) = (&*self.world.colliders, self.world.narrow_phase);
        for handle in self.body.colliders() {
            for pair in narrow_phase.contact_pairs_with(*handle) {
                let is_first = pair.collider1 == *handle;
                let other = if is_first { pair.collider2 } else { pair.collider1 };
                let (Some(collider), Some(other)) = (colliders.get(*handle), colliders.get(other)) else { continue };
                for manifold in pair.solver_manifolds() {
                    if manifold.data.solver_flags.contains(SolverFlags::COMPUTE_RIGID_IMPULSES)
                        && let Some(touch) = self.touch((*handle, collider), (other, is_first), manifold)
                    {
                        visit(touch);
                    }
                }
            }
        }
    }

    /// The places of one of the body's colliders at start and end.
    pub fn places_of(&self, collider: &Collider) -> (Pose, Pose) {
        let place = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        (self.start * place, self.end * place)
    }

    /// \[length] How far the body's velocity at the end takes it along `normal` in a step.
    pub fn leaving(&self, normal: Vector) -> Real {
        normal.dot(self.body.linvel()) * self.world.integration_parameters.dt
    }

    fn touch(
        &self,
        (handle, collider): (ColliderHandle, &Collider),
        (other, is_first): (&Collider, bool),
        manifold: &ContactManifold,
    ) -> Option<Touch> {
        let nearest = manifold.data.solver_contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist))?;
        let normal = if is_first { -manifold.data.normal } else { manifold.data.normal };
        let arms = manifold.points.get(nearest.contact_indices()[0] as usize)?.data;
        let arm = if is_first { arms.solver_dp1 } else { arms.solver_dp2 };
        let local_com = self.body.mass_properties().local_mprops.local_com;
        let (start_place, end_place) = self.places_of(collider);
        let lowest_at_start = lowest(collider.shape(), &start_place, normal)?;
        let lowest_at_end = lowest(collider.shape(), &end_place, normal)?;

        // The arm is from the centre of mass to the middle of the two contact points, in world space, at the start.
        let middle = self.start * local_com + arm;
        let is_fixed =
            other.parent().is_none_or(|parent| self.world.bodies.get(parent).is_some_and(RigidBody::is_fixed));
        let point = ContactPoint { point: middle, normal };
        let rise = if is_fixed { self.grip.rise((collider.shape(), &start_place), &point, self.spin) } else { 0.0 };
        let true_distance = self.grip.loosened(nearest.dist, rise);
        let plane = normal.dot(middle) - 0.5 * true_distance.unwrap_or(nearest.dist);
        let line = Lying::of(collider.shape(), &start_place, normal)
            .filter(|line| line.tilt(normal) <= self.grip.touching())
            .and_then(|_| Lying::of(collider.shape(), &end_place, normal));
        Some(Touch {
            line,
            plane,
            collider: handle,
            normal,
            start: lowest_at_start - plane,
            end: lowest_at_end - plane,
            rise,
            is_gripped: true_distance.is_some(),
            is_lost: false,
            leaving: self.leaving(normal),
            is_fixed,
        })
    }
}

/// The least coordinate along the unit vector `direction` of a shape at a place; `None` for shapes without support points.
pub(super) fn lowest(shape: &dyn Shape, pose: &Pose, direction: Vector) -> Option<Real> {
    if let Some(map) = shape.as_support_map() {
        return Some(direction.dot(map.support_point(pose, -direction)));
    }
    let compound = shape.as_compound()?;
    compound.shapes().iter().try_fold(Real::MAX, |least, (place, child)| {
        Some(least.min(lowest(child.as_ref(), &(*pose * *place), direction)?))
    })
}
