//! Free flight: how a body moves while nothing touches it.

use crate::motion::Motion;
use rapier3d::prelude::*;

/// The free flight of a body from one moment of the step on.
///
/// Rapier updates the velocity first, in n substeps of h = dt/n, and then moves the body by it. The positions that come of
/// that, Σ h·(v + k·h·a), lie exactly on the parabola that starts with the velocity v + a·h/2. It is that parabola which a
/// bounce reflects: reflecting the engine's velocity on it would gain or lose a·h/2 each time, and with it height.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Flight {
    /// The fraction of the step at which it begins.
    pub since: Real,
    pose: Pose,
    /// The centre of mass, in world space and in the body's frame.
    center: Vector,
    local_center: Vector,
    /// The parabola's velocity at `since`.
    velocity: RigidBodyVelocity<Real>,
    acceleration: RigidBodyVelocity<Real>,
    clock: Clock,
}

/// The step's length, and how the engine divides it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Clock {
    /// \[s] The step.
    pub dt: Real,
    /// \[s] Half of a solver substep: how far the parabola's velocity is ahead of the engine's.
    pub lead: Real,
}

impl Flight {
    /// The flight of `body` from the step's start on, which it began in `pose` with `velocity`.
    pub fn of(body: &RigidBody, (pose, velocity): (&Pose, RigidBodyVelocity<Real>), world: &Forces) -> Self {
        let parameters = world.parameters;
        let substeps = (parameters.num_solver_iterations + body.additional_solver_iterations()).max(1) as Real;
        let clock = Clock { dt: parameters.dt, lead: 0.5 * parameters.dt / substeps };
        let acceleration = acceleration(body, velocity, world);
        let local_center = body.mass_properties().local_mprops.local_com;
        Self {
            since: 0.0,
            pose: *pose,
            center: pose.transform_point(local_center),
            local_center,
            velocity: sum(velocity, acceleration, clock.lead),
            acceleration,
            clock,
        }
    }

    /// The engine's velocity after the whole step: the parabola's, less its lead.
    pub fn velocity_at_end(&self) -> RigidBodyVelocity<Real> {
        sum(self.velocity_at(1.0), self.acceleration, -self.clock.lead)
    }

    /// The parabola's velocity at fraction `t`, of the centre of mass.
    pub fn velocity_at(&self, t: Real) -> RigidBodyVelocity<Real> {
        sum(self.velocity, self.acceleration, self.elapsed(t))
    }

    /// The parabola's velocity at fraction `t`, of the point `point` of the body at that time.
    pub fn velocity_at_point(&self, point: Vector, t: Real) -> Vector {
        let velocity = self.velocity_at(t);
        velocity.linvel + velocity.angvel.cross(point - self.center_at(t))
    }

    /// The centre of mass at fraction `t`.
    pub fn center_at(&self, t: Real) -> Vector {
        let s = self.elapsed(t);
        self.center + self.velocity.linvel * s + self.acceleration.linvel * (0.5 * s * s)
    }

    /// The pose at fraction `t`.
    pub fn pose_at(&self, t: Real) -> Pose {
        let turned = self.turned(t);
        let rotation = if turned == Vector::ZERO {
            self.pose.rotation
        } else {
            Rotation::from_scaled_axis(turned) * self.pose.rotation
        };
        Pose::from_parts(self.center_at(t) - rotation * self.local_center, rotation)
    }

    /// The flight between two fractions, on its chord.
    pub fn chord(&self, (t0, t1): (Real, Real)) -> Motion {
        let turned = self.turned(t1) - self.turned(t0);
        Motion::between(&self.pose_at(t0), &self.pose_at(t1), self.local_center, turned)
    }

    /// A motion over the whole step that is this flight's chord from where it begins to the step's end. What it says of the
    /// time before is of no meaning.
    pub fn as_motion(&self) -> Motion {
        if self.since == 0.0 {
            return self.chord((0.0, 1.0));
        }
        let share = self.since / (1.0 - self.since);
        let (from, to) = (self.center_at(self.since), self.center_at(1.0));
        let turned = self.turned(1.0);
        let rotation = Rotation::from_scaled_axis(-turned * share) * self.pose.rotation;
        let start = Pose::from_parts(from - (to - from) * share - rotation * self.local_center, rotation);
        Motion::between(&start, &self.pose_at(1.0), self.local_center, turned * (1.0 + share))
    }

    /// The same flight of a body that touches what it is about to bounce off: it has not fallen during the last substep, so its
    /// velocity is that of the engine.
    pub fn without_lead(&self) -> Self {
        let velocity = sum(self.velocity, self.acceleration, -self.clock.lead);
        Self { velocity, clock: Clock { lead: 0.0, ..self.clock }, ..*self }
    }

    /// Into how many chords the rest of the flight is cut, so that none leaves the parabola by more than `tolerance`. An
    /// arc leaves its chord by a·s²/8.
    pub fn chords(&self, from: Real, tolerance: Real) -> u32 {
        let s = (1.0 - from) * self.clock.dt;
        let sagitta = self.acceleration.linvel.length() * s * s / 8.0;
        // Sixteen chords are enough for ten times gravity at 30 Hz; beyond that the next step mends what is missed.
        (sagitta / tolerance).sqrt().ceil().clamp(1.0, 16.0) as u32
    }

    /// The flight that follows an impact at fraction `t`, with the parabola's velocity `velocity` after it. What carries the
    /// body from then on takes `support` off its acceleration.
    pub fn after(&self, t: Real, velocity: RigidBodyVelocity<Real>, support: Vector) -> Self {
        let mut acceleration = self.acceleration;
        acceleration.linvel += support;
        let pose = self.pose_at(t);
        Self { since: t, pose, center: self.center_at(t), velocity, acceleration, ..*self }
    }

    /// What becomes of the body at fraction `t` if it is held against a surface that moves with `velocity`.
    pub fn held(&self, t: Real, velocity: Vector) -> Self {
        let velocity = RigidBodyVelocity { linvel: velocity, angvel: Vector::ZERO };
        let still = RigidBodyVelocity { linvel: Vector::ZERO, angvel: Vector::ZERO };
        Self { since: t, pose: self.pose_at(t), center: self.center_at(t), velocity, acceleration: still, ..*self }
    }

    /// The acceleration of the centre of mass.
    pub fn acceleration(&self) -> Vector {
        self.acceleration.linvel
    }

    /// \[s] The step's length.
    pub fn dt(&self) -> Real {
        self.clock.dt
    }

    fn elapsed(&self, t: Real) -> Real {
        (t - self.since) * self.clock.dt
    }

    /// \[rad] The rotation vector from where it begins to fraction `t`.
    fn turned(&self, t: Real) -> Vector {
        let s = self.elapsed(t);
        self.velocity.angvel * s + self.acceleration.angvel * (0.5 * s * s)
    }
}

/// What moves a body in free flight.
#[derive(Copy, Clone)]
pub(crate) struct Forces<'a> {
    pub gravity: Vector,
    pub parameters: &'a IntegrationParameters,
}

/// The acceleration of `body` in free flight, by gravity, the user's forces and damping.
pub(crate) fn acceleration(
    body: &RigidBody,
    velocity: RigidBodyVelocity<Real>,
    forces: &Forces,
) -> RigidBodyVelocity<Real> {
    let mass = body.mass_properties();
    // Damping changes little within a step: its share is taken at the step's start.
    let damping = |damping: Real| damping / (1.0 + forces.parameters.dt * damping);
    let unlocked = Vector::select(mass.effective_inv_mass.cmpgt(Vector::ZERO), Vector::ONE, Vector::ZERO);
    RigidBodyVelocity {
        linvel: unlocked * forces.gravity * body.gravity_scale() + mass.effective_inv_mass * body.user_force()
            - velocity.linvel * damping(body.linear_damping()),
        angvel: mass.effective_world_inv_inertia * body.user_torque()
            - velocity.angvel * damping(body.angular_damping()),
    }
}

fn sum(
    velocity: RigidBodyVelocity<Real>,
    acceleration: RigidBodyVelocity<Real>,
    time: Real,
) -> RigidBodyVelocity<Real> {
    RigidBodyVelocity {
        linvel: velocity.linvel + acceleration.linvel * time,
        angvel: velocity.angvel + acceleration.angvel * time,
    }
}
