//! Ten thousand random scenes: shapes, grounds and speeds mixed. Nothing becomes non-finite, nothing falls through the ground,
//! and the same scene gives the same bits twice.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{PersistentContacts, PieceGroup};

const SCENES: u32 = 10_000;
const STEPS: u32 = 30;

/// \[m] Half the side of the ground. Bodies start within a third of it.
const HALF_SIDE: Real = 45.0;

#[derive(Clone, Debug)]
struct Scene {
    ground: Ground,
    bodies: Vec<Falling>,
    hz: Real,
}

#[derive(Clone, Debug)]
enum Ground {
    /// One mesh of hills, its cells in metres.
    Mesh {
        cell: Real,
        height: Real,
        upside_down: bool,
    },
    /// Strips of flat mesh in one piece group.
    Pieces {
        strips: u32,
    },
    HeightField {
        height: Real,
    },
    Slab,
    HalfSpace,
}

#[derive(Clone, Debug)]
struct Falling {
    shape: usize,
    size: Real,
    at: (Real, Real, Real),
    velocity: (Real, Real, Real),
    spin: (Real, Real, Real),
    friction: Real,
    fast_rotation: bool,
}

fn scene() -> impl Strategy<Value = Scene> {
    let ground = prop_oneof![
        (0.5f32..4.0, 0.0f32..0.6, any::<bool>()).prop_map(|(cell, height, upside_down)| Ground::Mesh {
            cell,
            height,
            upside_down
        }),
        (2u32..12).prop_map(|strips| Ground::Pieces { strips }),
        (0.0f32..0.6).prop_map(|height| Ground::HeightField { height }),
        Just(Ground::Slab),
        Just(Ground::HalfSpace),
    ];
    let vector = |range: Real| (-range..range, -range..range, -range..range);
    let body = (
        (0usize..6, 0.05f32..0.6),
        (-15.0f32..15.0, 0.0f32..3.0, -15.0f32..15.0),
        vector(60.0),
        vector(30.0),
        (0.0f32..1.0, any::<bool>()),
    )
        .prop_map(|((shape, size), at, velocity, spin, (friction, fast_rotation))| Falling {
            shape,
            size,
            at,
            velocity,
            spin,
            friction,
            fast_rotation,
        });
    (ground, prop::collection::vec(body, 1..4), prop_oneof![Just(30.0f32), Just(60.0), Just(144.0)])
        .prop_map(|(ground, bodies, hz)| Scene { ground, bodies, hz })
}

/// The hills: slopes stay below `height` times 0.7.
fn elevation(height: Real, x: Real, z: Real) -> Real {
    height * ((0.4 * x).sin() + (0.5 * z).cos())
}

fn grid(from: Real, to: Real, cell: Real, height: Real, upside_down: bool) -> ColliderBuilder {
    let columns = ((to - from) / cell).ceil() as u32;
    let rows = (2.0 * HALF_SIDE / cell).ceil() as u32;
    let mut vertices = Vec::new();
    for i in 0..=columns {
        for k in 0..=rows {
            let x = (from + i as Real * cell).min(to);
            let z = -HALF_SIDE + k as Real * cell;
            vertices.push(Vector::new(x, elevation(height, x, z), z));
        }
    }
    let mut indices = Vec::new();
    for i in 0..columns {
        for k in 0..rows {
            let a = i * (rows + 1) + k;
            let (b, c, d) = (a + 1, a + rows + 1, a + rows + 2);
            indices.extend(if upside_down { [[a, d, b], [a, c, d]] } else { [[a, b, d], [a, d, c]] });
        }
    }
    ColliderBuilder::trimesh_with_flags(vertices, indices, TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED)
        .expect("the grid has triangles")
}

fn shape(kind: usize, size: Real) -> SharedShape {
    match kind {
        0 => SharedShape::ball(size),
        1 => SharedShape::cuboid(size, 0.7 * size, 0.4 * size),
        2 => SharedShape::capsule_y(0.6 * size, 0.5 * size),
        3 => SharedShape::cylinder(0.4 * size, size),
        4 => SharedShape::compound(vec![
            (Pose::translation(-size, 0.0, 0.0), SharedShape::ball(0.6 * size)),
            (Pose::translation(size, 0.0, 0.0), SharedShape::cuboid(0.5 * size, 0.5 * size, 0.5 * size)),
        ]),
        _ => {
            let corners = [(1.0, 0.0, 0.1), (-0.6, 0.9, 0.0), (-0.5, -0.8, 0.2), (0.1, 0.1, 1.0), (0.0, -0.2, -0.9)];
            let points = corners.map(|(x, y, z)| Vector::new(x, y, z) * size);
            SharedShape::convex_hull(&points).expect("the corners span a hull")
        }
    }
}

/// Runs the scene; returns a hash of the final state, or what went wrong.
fn run(scene: &Scene) -> Result<u64, String> {
    let mut world = PhysicsWorld::new();
    let mut contacts = PersistentContacts::default();
    world.integration_parameters.dt = 1.0 / scene.hz;
    let fixed = world.insert_body(RigidBodyBuilder::fixed());
    let mut height = 0.0;
    match scene.ground {
        Ground::Mesh { cell, height: h, upside_down } => {
            height = h;
            world.insert_collider(grid(-HALF_SIDE, HALF_SIDE, cell, h, upside_down), Some(fixed));
        }
        Ground::Pieces { strips } => {
            let width = 2.0 * HALF_SIDE / strips as Real;
            for strip in 0..strips {
                let from = -HALF_SIDE + strip as Real * width;
                let piece = world.insert_collider(grid(from, from + width, 1.5, 0.0, false), Some(fixed));
                contacts.groups_mut().insert(piece, PieceGroup::new(1));
            }
        }
        Ground::HeightField { height: h } => {
            height = h;
            let cells = 60;
            let at = |i: usize| -HALF_SIDE + 2.0 * HALF_SIDE * i as Real / cells as Real;
            let mut heights = Array2::zeros(cells + 1, cells + 1);
            for i in 0..=cells {
                for j in 0..=cells {
                    heights[(i, j)] = elevation(h, at(j), at(i));
                }
            }
            let scale = Vector::new(2.0 * HALF_SIDE, 1.0, 2.0 * HALF_SIDE);
            world.insert_collider(ColliderBuilder::heightfield(heights, scale), Some(fixed));
        }
        Ground::Slab => {
            let slab = ColliderBuilder::cuboid(HALF_SIDE, 0.5, HALF_SIDE).translation(Vector::new(0.0, -0.5, 0.0));
            world.insert_collider(slab, None);
        }
        Ground::HalfSpace => {
            let half_space = ColliderBuilder::new(SharedShape::halfspace(Vector::Y));
            world.insert_collider(half_space, None);
        }
    }
    let bodies: Vec<_> = scene
        .bodies
        .iter()
        .map(|falling| {
            let (x, y, z) = falling.at;
            let above = elevation(height, x, z) + 2.0 * falling.size + y;
            let vector = |(x, y, z): (Real, Real, Real)| Vector::new(x, y, z);
            let body = RigidBodyBuilder::dynamic()
                .translation(Vector::new(x, above + 0.2, z))
                .linvel(vector(falling.velocity))
                .angvel(vector(falling.spin))
                .allow_fast_rotation(falling.fast_rotation);
            let collider = ColliderBuilder::new(shape(falling.shape, falling.size)).friction(falling.friction);
            world.insert(body, collider).0
        })
        .collect();

    for step in 0..STEPS {
        contacts.step(&mut world);
        for handle in &bodies {
            let body = &world.bodies[*handle];
            if !body.position().is_finite() || !body.linvel().is_finite() || !body.angvel().is_finite() {
                return Err(format!("step {step}: {handle:?} is not finite"));
            }
            let at = body.center_of_mass();
            let inside = at.x.abs() < HALF_SIDE - 1.0 && at.z.abs() < HALF_SIDE - 1.0;
            // Chords of the hills cut at most a cell's sagitta off their height.
            let below = elevation(height, at.x, at.z) - at.y;
            if inside && below > 0.05 + 0.6 * height {
                return Err(format!("step {step}: {handle:?} is {below} m below the ground, at {at}"));
            }
        }
    }
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (_, body) in world.bodies.iter() {
        let (position, rotation, linvel) = (body.translation(), body.rotation(), body.linvel());
        let state = [position.to_array().as_slice(), &rotation.to_array(), &linvel.to_array()].concat();
        for value in state {
            hash = (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(hash)
}

#[test]
fn nothing_is_lost_in_ten_thousand_scenes() {
    let config = Config { cases: SCENES, failure_persistence: None, ..Config::default() };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, b"rapier3d-persistent-contacts 001");
    let outcome = TestRunner::new_with_rng(config, random).run(&scene(), |scene| {
        let first = run(&scene).map_err(TestCaseError::fail)?;
        let second = run(&scene).map_err(TestCaseError::fail)?;
        prop_assert_eq!(first, second, "the same scene ended differently");
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
