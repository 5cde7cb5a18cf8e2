//! The numbers of a scene: the world's parameters, the library's settings, the colliders' surfaces.

use crate::body::{Collider, Rule};
use crate::error::Fault;
use crate::fixture::{Policy, SettingsSpec, World};
use crate::number::{Num, Values, vector};
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{Settings, SweepPolicy};

/// A world without bodies, with the fixture's parameters.
pub(super) fn empty_world(spec: &World, values: &Values) -> Result<PhysicsWorld, Fault> {
    let mut world = PhysicsWorld::default();
    if let Some(gravity) = &spec.gravity {
        world.gravity = vector(gravity, values)?;
    }
    let parameters = &mut world.integration_parameters;
    parameters.dt = values.get("dt").map_or(parameters.dt, |dt| *dt as Real);
    if let Some(length_unit) = &spec.length_unit {
        parameters.length_unit = length_unit.positive(values, "world.length_unit")?;
    }
    if let Some(substeps) = &spec.max_ccd_substeps {
        parameters.max_ccd_substeps = substeps.count(values)?;
    }
    if let Some(iterations) = &spec.solver_iterations {
        parameters.num_solver_iterations = iterations.count(values)?.max(1);
    }
    if let Some(speed) = &spec.max_linear_velocity {
        let speed = speed.positive(values, "world.max_linear_velocity")?;
        parameters.normalized_max_linear_velocity = speed / parameters.length_unit;
    }
    Ok(world)
}

/// The library's settings.
pub(super) fn settings(spec: &SettingsSpec, values: &Values) -> Result<Settings, Fault> {
    let defaults = Settings::default();
    let number = |number: &Option<Num>, default| number.as_ref().map_or(Ok(default), |n| n.real(values));
    // Field by field, so that a setting which fixtures cannot change yet keeps its default.
    let mut settings = defaults;
    settings.sweep_policy = match spec.sweep_policy {
        Policy::FullShape => SweepPolicy::FullShape,
        Policy::CoreBall => SweepPolicy::CoreBall,
        Policy::FaceTested => SweepPolicy::FaceTested,
    };
    settings.face_angle = number(&spec.face_angle, defaults.face_angle.to_degrees())?.to_radians();
    settings.core_fraction = number(&spec.core_fraction, defaults.core_fraction)?;
    let interval = number(&spec.max_interval_rotation, defaults.max_interval_rotation.to_degrees())?;
    settings.max_interval_rotation = interval.to_radians();
    if let Some(impacts) = &spec.max_impacts_per_step {
        settings.max_impacts_per_step = u32::try_from(impacts.count(values)?).unwrap_or(u32::MAX);
    }
    settings.min_bounce_speed = number(&spec.min_bounce_speed, defaults.min_bounce_speed)?;
    settings.joins_pieces = spec.joins_pieces.unwrap_or(defaults.joins_pieces);
    settings.seam_unevenness = number(&spec.seam_unevenness, defaults.seam_unevenness)?;
    Ok(settings)
}

/// A collider's surface, groups and switches.
pub(super) fn with_material(
    builder: ColliderBuilder,
    collider: &Collider,
    world: &World,
    values: &Values,
) -> Result<ColliderBuilder, Fault> {
    let number = |own: &Option<Num>, shared: &Option<Num>, default: Real| {
        own.as_ref().or(shared.as_ref()).map_or(Ok(default), |number| number.real(values))
    };
    let groups = |bits: Option<(u32, u32)>| {
        bits.map_or(InteractionGroups::all(), |(memberships, filter)| {
            let bits = (Group::from_bits_retain(memberships), Group::from_bits_retain(filter));
            InteractionGroups::new(bits.0, bits.1, InteractionTestMode::And)
        })
    };
    let mut builder = builder
        .friction(number(&collider.friction, &world.friction, ColliderBuilder::default_friction())?)
        .restitution(number(&collider.restitution, &world.restitution, 0.0)?)
        .friction_combine_rule(collider.friction_rule.into())
        .restitution_combine_rule(collider.restitution_rule.into())
        .collision_groups(groups(collider.collision_groups))
        .solver_groups(groups(collider.solver_groups))
        .contact_skin(number(&collider.contact_skin, &None, 0.0)?)
        .sensor(collider.sensor)
        .enabled(collider.enabled);
    if let Some(density) = &collider.density {
        builder = builder.density(density.positive(values, "density")?);
    }
    if let Some(mass) = &collider.mass {
        builder = builder.mass(mass.positive(values, "mass")?);
    }
    if collider.events {
        builder = builder.active_events(ActiveEvents::COLLISION_EVENTS);
    }
    if collider.all_collision_types {
        builder = builder.active_collision_types(ActiveCollisionTypes::all());
    }
    Ok(builder)
}

impl From<Rule> for CoefficientCombineRule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Average => Self::Average,
            Rule::Min => Self::Min,
            Rule::Multiply => Self::Multiply,
            Rule::Max => Self::Max,
        }
    }
}
