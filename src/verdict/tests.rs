//! The verdict's cases of the seed document, on the engine's own manifolds.

use super::*;
use crate::PieceGroup;
use approx::assert_relative_eq;
use rapier3d::parry::shape::SharedShape;

/// A box over a ground of two quads that meet at x = 0, each its own collider, after one engine step.
struct Scene {
    world: PhysicsWorld,
    groups: PieceGroups,
    source: ColliderHandle,
    /// The pieces of the ground: x from −4 to 0, and from 0 to 4.
    pieces: [ColliderHandle; 2],
}

/// \[m] The prediction distance of the seed document's engine. Rapier 0.36 predicts ten times as far.
const SEED_PREDICTION: Real = 0.002;

fn quad(x0: Real, x1: Real) -> ColliderBuilder {
    let corners = [(x0, -4.0), (x0, 4.0), (x1, 4.0), (x1, -4.0)];
    let vertices = corners.map(|(x, z)| Vector::new(x, 0.0, z)).to_vec();
    ColliderBuilder::trimesh_with_flags(vertices, vec![[0, 1, 2], [0, 2, 3]], TriMeshFlags::FIX_INTERNAL_EDGES)
        .expect("a quad is a mesh")
}

impl Scene {
    /// A cube of half a metre whose underside is `height` above the ground, at `x`.
    fn new(x: Real, height: Real) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        world.integration_parameters.normalized_prediction_distance = SEED_PREDICTION;
        let ground = world.insert_body(RigidBodyBuilder::fixed());
        let pieces = [quad(-4.0, 0.0), quad(0.0, 4.0)].map(|piece| world.insert_collider(piece, Some(ground)));
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, 0.25 + height, 0.3));
        let (_, source) = world.insert(body, ColliderBuilder::cuboid(0.25, 0.25, 0.25));
        world.integration_parameters.dt = 0.0;
        world.step();
        Self { world, groups: PieceGroups::default(), source, pieces }
    }

    fn pair(&self, piece: ColliderHandle) -> Option<ContactPair> {
        self.world.narrow_phase.contact_pair(self.source, piece).cloned()
    }

    fn posed(&self, handle: ColliderHandle) -> PosedCollider<'_> {
        let collider = &self.world.colliders[handle];
        PosedCollider { handle, collider, pose: *collider.position() }
    }

    /// The verdict on `piece` with the given manifolds of the source.
    fn verdict(&self, piece: ColliderHandle, pairs: &[ContactPair]) -> Verdict {
        let witnesses = Witnesses {
            narrow_phase: &self.world.narrow_phase,
            colliders: &self.world.colliders,
            groups: &self.groups,
            chains: None,
            dispatcher: self.world.narrow_phase.query_dispatcher(),
            tolerances: Tolerances::new(&self.world.integration_parameters),
        };
        let own_pair = pairs.iter().find(|pair| pair.collider1 == piece || pair.collider2 == piece);
        let both = (&self.posed(self.source), &self.posed(piece));
        verdict_of_pairs(&witnesses, both, own_pair, Some(|| pairs.iter()))
    }
}

/// The pair as the internal-edge rule leaves it now and then: manifolds, but no points.
fn emptied(mut pair: ContactPair) -> ContactPair {
    let PairContacts::Rigid(contacts) = &mut pair.contacts else { panic!("rigid shapes have rigid contacts") };
    contacts.manifolds.iter_mut().for_each(|manifold| manifold.points.clear());
    pair
}

/// The pair with the manifolds that the solver sees changed as a contact hook may change them.
fn hooked(mut pair: ContactPair, change: impl FnMut(&mut ContactManifold)) -> ContactPair {
    let PairContacts::Rigid(contacts) = &mut pair.contacts else { panic!("rigid shapes have rigid contacts") };
    let is_merged = !contacts.solver_clusters.is_empty();
    let seen = if is_merged { &mut contacts.solver_clusters } else { &mut contacts.manifolds };
    seen.iter_mut().for_each(change);
    pair
}

fn persistent(verdict: Verdict) -> (Evidence, References) {
    match verdict {
        Verdict::Persistent { evidence, references } => (evidence, references),
        Verdict::Loose => panic!("the pair is persistent"),
    }
}

#[test]
fn a_grounded_pair_is_persistent_by_its_own_points() {
    let scene = Scene::new(1.0, 0.0);
    let pair = scene.pair(scene.pieces[1]).expect("they touch");
    let (evidence, references) = persistent(scene.verdict(scene.pieces[1], &[pair]));
    assert_eq!(evidence, Evidence::Direct);
    assert!(references.iter().all(|reference| reference.normal.distance(Vector::Y) < 1e-5));
}

#[test]
fn points_that_this_crate_took_from_the_solver_carry_nothing() {
    let mut scene = Scene::new(1.0, 0.0);
    let pair = scene.pair(scene.pieces[1]).expect("they touch");
    let taken = [hooked(pair, |manifold| manifold.data.solver_contacts.clear())];
    // As long as the source does not carry this crate's mark, somebody else took them.
    assert_eq!(persistent(scene.verdict(scene.pieces[1], &taken)).0, Evidence::Direct);
    let ours = crate::seams::mark(&scene.world.colliders[scene.source]);
    scene.world.colliders[scene.source].set_active_hooks(ours);
    assert_eq!(persistent(scene.verdict(scene.pieces[1], &taken)).0, Evidence::Geometric);
}

#[test]
fn points_that_were_given_to_another_face_are_those_of_that_face() {
    let scene = Scene::new(1.0, 0.0);
    let pair = scene.pair(scene.pieces[1]).expect("they touch");
    let out = if pair.collider1 == scene.source { -Vector::X } else { Vector::X };
    let (evidence, references) =
        persistent(scene.verdict(scene.pieces[1], &[hooked(pair, |manifold| manifold.data.normal = out)]));
    assert_eq!(evidence, Evidence::Direct);
    assert!(references.iter().all(|reference| reference.normal == Vector::X));
    // The points are still those below the cube, which stands on the ground from x = 0.75 to 1.25.
    assert!(
        references.iter().all(|reference| reference.point.y.abs() < 1e-5 && (reference.point.x - 1.0).abs() <= 0.251)
    );
}

#[test]
fn a_grounded_pair_without_points_is_persistent_with_its_normal_up() {
    let scene = Scene::new(1.0, 0.0);
    let pair = emptied(scene.pair(scene.pieces[1]).expect("they touch"));
    assert!(!pair.manifolds().is_empty(), "the engine keeps the manifold");
    let (evidence, references) = persistent(scene.verdict(scene.pieces[1], &[pair]));
    assert_eq!(evidence, Evidence::Geometric);
    assert!(references[0].normal.distance(Vector::Y) < 1e-5);
}

#[test]
fn three_millimetres_off_the_ground_without_points_is_not_persistent() {
    // The manifold is that of a body on the ground, as a pair keeps it for a step; the body is 3 mm up, past the 2 mm at
    // which the seed document's engine sees a contact.
    let grounded = Scene::new(1.0, 0.0);
    let pair = emptied(grounded.pair(grounded.pieces[1]).expect("they touch"));
    let hovering = Scene::new(1.0, 0.003);
    assert_eq!(hovering.verdict(hovering.pieces[1], &[pair]), Verdict::Loose);
}

#[test]
fn recycled_points_are_measured_where_the_shapes_are_now() {
    // The points say that the body touches, but it has risen 5 cm since they were found.
    let grounded = Scene::new(1.0, 0.0);
    let pair = grounded.pair(grounded.pieces[1]).expect("they touch");
    let risen = Scene::new(1.0, 0.05);
    assert_eq!(risen.verdict(risen.pieces[1], &[pair]), Verdict::Loose);
}

#[test]
fn a_pair_without_a_manifold_is_never_queried() {
    let scene = Scene::new(1.0, 0.0);
    assert_eq!(scene.verdict(scene.pieces[1], &[]), Verdict::Loose);
}

#[test]
fn a_neighbour_with_points_wins_over_the_fallback() {
    // The cube stands across the seam.
    let mut scene = Scene::new(0.0, 0.0);
    let group = PieceGroup::new(7);
    for piece in scene.pieces {
        scene.groups.insert(piece, group);
    }
    let [left, right] = scene.pieces;
    let pairs = [scene.pair(left).expect("they touch"), emptied(scene.pair(right).expect("they touch"))];
    let (evidence, references) = persistent(scene.verdict(right, &pairs));
    assert_eq!(evidence, Evidence::Neighbour(left));
    assert!(references[0].normal.distance(Vector::Y) < 1e-5);
}

#[test]
fn a_neighbour_needs_no_pair_of_the_target_itself() {
    let mut scene = Scene::new(-1.0, 0.0);
    for piece in scene.pieces {
        scene.groups.insert(piece, PieceGroup::new(7));
    }
    let [left, right] = scene.pieces;
    let pairs = [scene.pair(left).expect("they touch")];
    assert_eq!(persistent(scene.verdict(right, &pairs)).0, Evidence::Neighbour(left));
}

#[test]
fn another_group_is_no_neighbour() {
    let mut scene = Scene::new(-1.0, 0.0);
    let [left, right] = scene.pieces;
    scene.groups.insert(left, PieceGroup::new(7));
    scene.groups.insert(right, PieceGroup::new(8));
    assert_eq!(scene.verdict(right, &[scene.pair(left).expect("they touch")]), Verdict::Loose);
}

#[test]
fn a_moving_target_is_persistent_by_its_own_points_only() {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    let platform = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::X);
    let (_, target) = world.insert(platform, ColliderBuilder::cuboid(2.0, 0.5, 2.0));
    let body = RigidBodyBuilder::dynamic().translation(Vector::Y);
    let (_, source) = world.insert(body, ColliderBuilder::cuboid(0.5, 0.5, 0.5));
    world.integration_parameters.dt = 0.0;
    world.step();
    let groups = PieceGroups::default();
    let witnesses = Witnesses {
        narrow_phase: &world.narrow_phase,
        colliders: &world.colliders,
        groups: &groups,
        chains: None,
        dispatcher: world.narrow_phase.query_dispatcher(),
        tolerances: Tolerances::new(&world.integration_parameters),
    };
    let posed = |handle: ColliderHandle| PosedCollider {
        handle,
        collider: &world.colliders[handle],
        pose: *world.colliders[handle].position(),
    };
    let (evidence, references) = persistent(verdict(&witnesses, &posed(source), &posed(target), true));
    assert_eq!(evidence, Evidence::Direct);
    assert_relative_eq!(references[0].normal.y, 1.0, epsilon = 1e-5);

    let pair = emptied(world.narrow_phase.contact_pair(source, target).expect("they touch").clone());
    let both = (&posed(source), &posed(target));
    let none = None::<fn() -> std::iter::Empty<&'static ContactPair>>;
    assert_eq!(verdict_of_pairs(&witnesses, both, Some(&pair), none), Verdict::Loose);
}

#[test]
fn the_fallback_is_a_query_of_its_own() {
    let dispatcher = rapier3d::parry::query::DefaultQueryDispatcher;
    let ground = quad(-4.0, 4.0).shape;
    let ball = SharedShape::ball(0.5);
    let at = |y: Real| PosedShape { shape: &*ball, pose: Pose::translation(1.0, y, 0.5) };
    let target = PosedShape { shape: &*ground, pose: Pose::IDENTITY };
    let normal = |y| geometric_contact_normal(&dispatcher, &at(y), &target, 0.02);
    assert!(normal(0.51).expect("1 cm is within 2 cm").distance(Vector::Y) < 1e-5);
    assert_eq!(normal(0.53), None);
    assert_eq!(geometric_contact_normal(&dispatcher, &at(Real::NAN), &target, 0.02), None);
}
