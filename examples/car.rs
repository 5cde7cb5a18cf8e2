//! A car that drives straight ahead over a flat mesh for ten seconds, with Rapier as it is and with this crate.
//!
//! Nobody steers and nothing is in the way. Rapier's continuous pass stops single wheels at the edges between triangles; the
//! joints pull the chassis after them, and that turns the car. With CCD off the car is never stopped: it is the yardstick.

use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

const STEPS: usize = 600;
const SPEEDS: [Real; 3] = [15.0, 30.0, 50.0];

/// A step below this share of the median of its neighbours was cut short.
const TRUNCATED: Real = 0.9;

/// How many steps the median is taken of.
const NEIGHBOURS: usize = 31;

#[derive(Copy, Clone, PartialEq)]
enum Engine {
    CcdOff,
    Rapier,
    PersistentContacts,
}

struct Car {
    world: PhysicsWorld,
    chassis: RigidBodyHandle,
}

impl Car {
    /// A chassis on four ball wheels with free axles, rolling along x.
    fn new(speed: Real) -> Self {
        let mut world = PhysicsWorld::new();
        world.insert_collider(ground(speed).friction(1.0), None);
        let body = RigidBodyBuilder::dynamic().can_sleep(false).linvel(Vector::X * speed);
        let shape = ColliderBuilder::cuboid(1.2, 0.2, 0.5).friction(1.0);
        let (chassis, _) = world.insert(body.clone().translation(Vector::new(5.0, 0.5, 0.13)), shape);
        for (x, z) in [(0.9, -0.85), (0.9, 0.85), (-0.9, -0.85), (-0.9, 0.85)] {
            let wheel = body
                .clone()
                .translation(Vector::new(5.0 + x, 0.3, 0.13 + z))
                .angvel(Vector::Z * (-speed / 0.3))
                .allow_fast_rotation(true);
            let (wheel, _) = world.insert(wheel, ColliderBuilder::ball(0.3).friction(1.0));
            let axle =
                RevoluteJointBuilder::new(Vector::Z).local_anchor1(Vector::new(x, -0.2, z)).contacts_enabled(false);
            world.insert_impulse_joint(chassis, wheel, axle);
        }
        Self { world, chassis }
    }

    fn place(&self) -> Vector {
        self.world.bodies[self.chassis].translation()
    }
}

/// Flat ground of 1 m cells, as long as the car may come, and 400 m wide.
fn ground(speed: Real) -> ColliderBuilder {
    let (length, width) = (11.0 * speed, 400.0);
    let cells = Array2::repeat(width as usize + 1, length as usize + 1, 0.0);
    let (mut vertices, triangles) = HeightField::new(cells, Vector::new(length, 1.0, width)).to_trimesh();
    // The height field is centred; the drive begins at its edge.
    vertices.iter_mut().for_each(|vertex| vertex.x += 0.5 * length);
    ColliderBuilder::trimesh_with_flags(vertices, triangles, TriMeshFlags::FIX_INTERNAL_EDGES)
        .expect("the ground has triangles")
}

/// The chassis' places, at the start and after each step; and whether it ends on its wheels.
fn drive(speed: Real, engine: Engine) -> (Vec<Vector>, bool) {
    let mut car = Car::new(speed);
    let mut contacts = PersistentContacts::default();
    if engine == Engine::CcdOff {
        car.world.integration_parameters.max_ccd_substeps = 0;
    }
    let mut places = vec![car.place()];
    for _ in 0..STEPS {
        if engine == Engine::PersistentContacts {
            contacts.step(&mut car.world);
        } else {
            car.world.step();
        }
        places.push(car.place());
    }
    let up = *car.world.bodies[car.chassis].rotation() * Vector::Y;
    (places, up.y > 0.9)
}

/// How many steps are shorter than nine tenths of the median of their neighbours.
fn truncated_steps(places: &[Vector]) -> usize {
    let advances: Vec<Real> = places.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let is_truncated = |(index, advance): (usize, &Real)| {
        let from = index.saturating_sub(NEIGHBOURS / 2);
        let to = (index + NEIGHBOURS / 2 + 1).min(advances.len());
        let mut neighbours = advances[from..to].to_vec();
        neighbours.sort_unstable_by(Real::total_cmp);
        *advance < TRUNCATED * neighbours[neighbours.len() / 2]
    };
    advances.iter().enumerate().filter(|step| is_truncated(*step)).count()
}

fn main() {
    println!("{STEPS} steps at 60 Hz, straight ahead along x, on a flat mesh\n");
    println!("{:>6}  {:<20} {:>9} {:>9} {:>10}", "m/s", "", "way [m]", "drift [m]", "truncated");
    for speed in SPEEDS {
        for (name, engine) in [
            ("CCD off", Engine::CcdOff),
            ("Rapier's own CCD", Engine::Rapier),
            ("persistent contacts", Engine::PersistentContacts),
        ] {
            let (places, on_its_wheels) = drive(speed, engine);
            let way = places[STEPS] - places[0];
            let fate = if on_its_wheels { "" } else { "   tipped over" };
            println!("{speed:>6}  {name:<20} {:>9.1} {:>9.2} {:>10}{fate}", way.x, way.z, truncated_steps(&places));
        }
        println!();
    }
}
