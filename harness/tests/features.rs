//! Everything a fixture can say, said once: each part of the format does what `fixtures/FORMAT.md` promises.

mod text;

use persistent_contacts_fixtures::engine::Engine;
use persistent_contacts_fixtures::outcome::Standing;
use persistent_contacts_fixtures::suite::{Options, load};
use std::path::{Path, PathBuf};
use text::run;

fn assert_holds(text: &str) {
    let case = run(text);
    let failures: Vec<_> = case.engines[0].checks.iter().filter_map(|check| check.first_failure.as_ref()).collect();
    assert!(failures.is_empty(), "{failures:?}");
}

/// The first failure of a fixture that must fail.
fn failure(text: &str) -> String {
    let case = run(text);
    let failure = case.engines[0].checks.iter().find_map(|check| check.first_failure.clone());
    failure.expect("a failure").message
}

/// A folder of its own for tests that need files.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

#[test]
fn every_shape_can_be_built_and_stood_on() {
    // A ball on each kind of ground, or on top of each kind of solid, is still above it after two seconds.
    let grounds = [
        "Grid(grid: (cells: (4, 4)), flags: [FixInternalEdges, Oriented])",
        "Grid(grid: (cells: (4, 4), relief: Hills(max_fold: 10), jitter: 0.3, random_diagonals: true, seed: 5))",
        "Grid(grid: (cells: (8, 4), relief: Sine(amplitude: 0.1, wavelength: 4)), flags: [FixInternalEdgesTwoSided])",
        "MeshTiles(count: 2, grid: (cells: (2, 4)))",
        "Heightfield(grid: (cells: (2, 4), relief: Slope(angle: 5)), count: 2, fix_internal_edges: true)",
        "Tiles(count: (4, 4), half: (0.5, 0.2, 0.5), brick_bond: true)",
        "Patchwork(extent: (4, 4), shortest: 0.5, thickness: 0.2, seed: 3, made_of: Mixed)",
        "Blocks(size: (0.5, 0.5, 0.5), blocks: [((0, -1, -4), (8, -1, 4))], made_of: Hulls)",
        "Profile(points: [(0, 0), (2, 0), (4, 0.1)], width: 4, flags: [FixInternalEdges])",
        "Ramp(run: 3, angle: 10, length: 2, plateau: 2, width: 4)",
        "Curb(run: 3, height: -0.1, plateau: 2, width: 4)",
        "Voxels(size: (0.5, 0.5, 0.5), blocks: [((0, -1, -4), (8, -1, 4))])",
        "HalfSpace(normal: (0, 2, 0))",
        "Mesh(vertices: [(0, 0, -3), (0, 0, 3), (5, 0, 0)], indices: [(0, 1, 2)])",
        "Triangle(a: (0, 0, -3), b: (0, 0, 3), c: (5, 0, 0))",
        "Compound(parts: [(shape: Cuboid(half: (4, 0.1, 4))), (shape: Ball(radius: 1), translation: (0, -1, 0))])",
        "Compound(parts: [(shape: Cuboid(half: (4, 0.1, 4)))], fix_internal_edges: true)",
        "Cuboid(half: (4, 0.1, 4))",
        "RoundCuboid(half: (4, 0.1, 4), border: 0.02)",
        "Hull(points: [(-4, 0, -4), (4, 0, -4), (4, 0, 4), (-4, 0, 4), (0, -1, 0)])",
        "Cylinder(half_height: 0.1, radius: 4)",
        "RoundCylinder(half_height: 0.1, radius: 4, border: 0.02)",
        "Cone(half_height: 0.2, radius: 5)",
        "RoundCone(half_height: 0.2, radius: 5, border: 0.02)",
        "Capsule(half_height: 3, radius: 0.5, axis: X)",
        "Wheel(sides: 8, radius: 1, half_width: 1)",
    ];
    for ground in grounds {
        let text = format!(
            "(
                describe: \"{}\",
                bodies: [
                    (
                        name: \"ball\",
                        translation: (1, 1.6, 0),
                        colliders: [(shape: Ball(radius: 0.4))],
                        lock_rotations: true,
                    ),
                    (name: \"ground\", kind: Fixed, colliders: [(shape: {ground}, friction: 2, friction_rule: Max)]),
                ],
                checks: [Height(body: \"ball\", min: 0.2)],
            )",
            ground.replace('"', "'")
        );
        let case = run(&text);
        assert!(case.engines[0].is_clean(), "{ground}: {:?}", case.engines[0].checks);
    }
}

#[test]
fn a_mesh_file_is_read_next_to_the_fixture() {
    let folder = folder("obj");
    std::fs::write(folder.join("quad.obj"), "v 0 0 -1\nv 0 0 1\nv 2 0 1\nv 2 0 -1\nf 1 2 3 4\n").expect("a file");
    let text = "(describe: \"\", world: (steps: 60), bodies: [
        (name: \"ball\", translation: (1, 0.2, 0), colliders: [(shape: Ball(radius: 0.2))]),
        (name: \"ground\", kind: Fixed, colliders: [(shape: Obj(path: \"quad.obj\"))]),
    ], checks: [Height(body: \"ball\", min: 0.1)])";
    std::fs::write(folder.join("quad.ron"), text).expect("a file");
    let suite = load(&folder).unwrap_or_else(|error| panic!("{error}"));
    let outcome = suite.run(Options { engines: &[Engine::Off], ..Options::default() }).expect("a run");
    assert!(outcome.cases[0].engines[0].is_clean());
    std::fs::write(folder.join("quad.obj"), "v 0 0 0\n").expect("a file");
    let error = load(&folder).expect_err("a mesh without faces").to_string();
    assert!(error.contains("quad.ron:3:") && error.contains("quad.obj"), "{error}");
}

#[test]
fn actions_happen_before_their_step() {
    assert_holds(
        "(
            describe: \"\",
            world: (gravity: (0, 0, 0), steps: 60),
            bodies: [
                (name: \"a\", linvel: (1, 0, 0), colliders: [(shape: Ball(radius: 0.1))]),
                (name: \"b\", translation: (0, 5, 0), colliders: [(shape: Ball(radius: 0.1))]),
                (name: \"c\", translation: (0, 9, 0), linvel: (1, 0, 0), colliders: [(shape: Ball(radius: 0.1))]),
            ],
            at: [
                (step: 31, change: SetVelocity(body: \"a\", linear: (-1, 0, 0))),
                (step: 60, change: SetPose(body: \"b\", translation: (7, 5, 0), rotation: (axis: (0, 0, 1), angle: 90))),
                (step: 11, change: DisableBody(\"c\")),
                (step: 51, change: EnableBody(\"c\")),
            ],
            checks: [
                FinalPose(body: \"a\", translation: (0, 0, 0), tolerance: 0.001),
                FinalVelocity(body: \"a\", linear: (-1, 0, 0), tolerance: 0.001, angular: (0, 0, 0)),
                FinalPose(body: \"b\", translation: (7, 5, 0), tolerance: 0.001, rotation: (axis: (0, 0, 1), angle: 90)),
                FinalPose(body: \"c\", translation: (\"20 / 60\", 9, 0), tolerance: 0.001),
            ],
        )",
    );
}

#[test]
fn a_removed_floor_lets_go_and_a_disabled_one_too() {
    for change in ["Remove(\"floor\")", "DisableCollider(\"floor\")", "DisableBody(\"floor\")"] {
        let text = format!(
            "(describe: \"\", world: (steps: 60), bodies: [
                (name: \"ball\", translation: (0, 0.3, 0), can_sleep: false, colliders: [(shape: Ball(radius: 0.2))]),
                (name: \"floor\", kind: Fixed, colliders: [(shape: Cuboid(half: (1, 0.1, 1)))]),
            ], at: [(step: 31, change: {change})],
            checks: [Height(body: \"ball\", min: 0.25, to: 31), Height(body: \"ball\", max: 0, from: 60)])"
        );
        assert_holds(&text);
    }
}

#[test]
fn a_drive_moves_and_turns_a_kinematic_body() {
    assert_holds(
        "(
            describe: \"\",
            world: (hz: 120, steps: \"2 * hz\"),
            bodies: [(
                name: \"platform\",
                kind: KinematicPosition,
                path: (linear: (3, 0, 0), angular: (0, \"pi / 4\", 0), from_step: \"hz + 1\"),
                colliders: [(shape: Cuboid(half: (1, 0.1, 1)))],
            )],
            checks: [
                Path(body: \"platform\", translation: (\"3 * max(t - 1, 0)\", 0, 0), tolerance: 0.001),
                FinalPose(body: \"platform\", translation: (3, 0, 0), tolerance: 0.001,
                    rotation: (axis: (0, 1, 0), angle: 45)),
                Spin(body: \"platform\", max: 0.8),
            ],
        )",
    );
}

#[test]
fn rejected_pairs_pass_and_others_report_events() {
    let text = |rejected| {
        format!(
            "(describe: \"\", world: (gravity: (0, 0, 0), steps: 60), bodies: [
                (name: \"ball\", linvel: (3, 0, 0), colliders: [(shape: Ball(radius: 0.1), events: true)]),
                (name: \"gate\", kind: Fixed, translation: (1, 0, 0),
                    colliders: [(shape: Cuboid(half: (0.1, 1, 1)), sensor: true)]),
                (name: \"wall\", kind: Fixed, translation: (2, 0, 0), colliders: [(shape: Cuboid(half: (0.1, 1, 1)))]),
            ], hooks: (reject_pairs: [{rejected}]), checks: [
                Events(colliders: (\"gate\", \"ball\"), started: 1, stopped: 1),
                NeverPast(body: \"ball\", point: (1.9, 0, 0), normal: (-1, 0, 0)),
            ])"
        )
    };
    assert_holds(&text(""));
    assert!(failure(&text("(\"wall\", \"ball\")")).contains("past the plane"));
    assert!(failure(&text("(\"ball\", \"gate\")")).contains("0 events `started`, 1 wanted"));
}

#[test]
fn joints_hold_and_their_motors_turn() {
    assert_holds(
        "(
            describe: \"\",
            world: (gravity: (0, 0, 0), steps: 120),
            bodies: [
                (name: \"frame\", kind: Fixed),
                (name: \"wheel\", allow_fast_rotation: true, colliders: [(shape: Cylinder(half_height: 0.1, radius: 0.3, axis: Z))]),
                (name: \"arm\", translation: (1, 0, 0), linvel: (0, 1, 0), colliders: [(shape: Ball(radius: 0.1))]),
                (name: \"block\", translation: (0, 3, 0), linvel: (0, 0, 1), colliders: [(shape: Ball(radius: 0.1))]),
                (name: \"slider\", translation: (0, 0, 3), linvel: (1, 1, 1), colliders: [(shape: Ball(radius: 0.1))]),
            ],
            joints: [
                (kind: Revolute(axis: (0, 0, 1)), bodies: (\"frame\", \"wheel\"), motor: (velocity: 10, factor: 1)),
                (kind: Spherical, bodies: (\"frame\", \"arm\"), anchor2: (-1, 0, 0), contacts_enabled: false),
                (kind: Fixed, bodies: (\"frame\", \"block\"), anchor1: (0, 3, 0)),
                (kind: Prismatic(axis: (1, 0, 0)), bodies: (\"frame\", \"slider\"), anchor1: (0, 0, 3)),
            ],
            checks: [
                Spin(body: \"wheel\", min: 8, max: 10.1, from: 100),
                Distance(bodies: (\"frame\", \"arm\"), min: 0.98, max: 1.02),
                FinalPose(body: \"block\", translation: (0, 3, 0), tolerance: 0.02),
                Speed(body: \"slider\", min: 0.9, along: (1, 0, 0)),
                Speed(body: \"slider\", min: -0.05, max: 0.05, along: (0, 1, 0), from: 20),
            ],
        )",
    );
}

#[test]
fn bouncing_and_meeting_are_measured() {
    // A free fall from rest: the only apex is the start, so a throw is needed. v²/2g = 0.8² · 9.81 / 2.
    assert_holds(
        "(
            describe: \"\",
            world: (steps: 90),
            bodies: [(name: \"ball\", linvel: (0, \"0.8 * 9.81\", 0), colliders: [(shape: Ball(radius: 0.1))])],
            checks: [Peaks(body: \"ball\", height: \"9.81 * 0.8 ^ 2 / 2\", tolerance: 0.05, count: 1)],
        )",
    );
    assert_holds(
        "(
            describe: \"\",
            world: (gravity: (0, 0, 0), restitution: 1, friction: 0, steps: 60),
            bodies: [
                (name: \"a\", translation: (-1, 0, 0), linvel: (3, 0, 0), colliders: [(shape: Ball(radius: 0.2))]),
                (name: \"b\", translation: (1, 0, 0), linvel: (-3, 0, 0), colliders: [(shape: Ball(radius: 0.2), density: 2)]),
            ],
            checks: [
                Momentum(bodies: [\"a\", \"b\"], tolerance: 0.001),
                ContactHeld(body: \"a\", collider: \"b\", share: 0.01),
                SameAs(body: \"a\", engine: Off, within: 0),
                NoWorseThanOff(body: \"a\"),
                NeverPast(body: \"a\", point: (0, 0, 0), normal: (-1, 0, 0), relative_to: \"b\"),
            ],
        )",
    );
}

#[test]
fn a_variant_brings_bodies_and_actions() {
    let text = "(describe: \"\", world: (gravity: (0, 0, 0), steps: 60), variants: [
            (name: \"one\", bodies: [(name: \"a\", linvel: (1, 0, 0))], at: [(step: 31, change: Remove(\"b\"))]),
        ], bodies: [(name: \"b\")], checks: [Distance(bodies: (\"a\", \"b\"), max: 0.51, to: 30)])";
    assert_holds(text);
}

#[test]
fn an_engine_is_measured_against_another() {
    // Both are the same engine, so nothing is worse than by the slack, be it nothing.
    let text = |check: &str, slack: &str| {
        format!(
            "(describe: \"\", world: (steps: 30), bodies: [(name: \"a\")],
            checks: [NoWorseThan(engine: Off, slack: {slack}, check: {check})])"
        )
    };
    assert_holds(&text("Height(body: \"a\", min: 0, max: 0)", "0"));
    assert!(failure(&text("Height(body: \"a\", min: 0, max: 0)", "-0.1")).contains("with off it is"));
    assert!(failure(&text("Asleep(body: \"a\")", "0")).contains("no figure"));
}

#[test]
fn sleepers_sleep_and_groups_separate() {
    assert_holds(
        "(
            describe: \"\",
            world: (steps: 30),
            bodies: [(name: \"sleeper\", translation: (0, 0.2, 0), colliders: [(shape: Ball(radius: 0.2))])],
            colliders: [(shape: Cuboid(half: (1, 0.1, 1)), translation: (0, -0.1, 0))],
            at: [(step: 11, change: Sleep(\"sleeper\"))],
            checks: [Asleep(body: \"sleeper\"), Penetration(body: \"sleeper\", point: (0, 0, 0), max: 0.001)],
        )",
    );
    let text = "(describe: \"\", world: (steps: 60), bodies: [
            (name: \"ball\", translation: (0, 1, 0), colliders: [(shape: Ball(radius: 0.2), collision_groups: (1, 1))]),
        ], colliders: [(name: \"floor\", shape: Cuboid(half: (1, 0.1, 1)), collision_groups: (2, 2))],
        checks: [Height(body: \"ball\", min: 0)])";
    assert!(failure(text).contains("height"));
}

#[test]
fn an_engine_known_to_fail_that_passes_fails_the_case() {
    let text = "(describe: \"\", world: (steps: 1), bodies: [(name: \"a\")],
        known: (off: Fails(\"0 of 1\")), checks: [Speed(body: \"a\", max: 1)])";
    let case = run(text);
    assert_eq!(case.engines[0].standing(), Standing::NowPasses);
    assert!(!case.is_passed());
    assert!(case.reasons()[0].contains("now passes test: update the fixture"), "{:?}", case.reasons());
}

#[test]
fn a_state_hash_is_recorded_and_compared() {
    let folder = folder("golden");
    let path = folder.join("fall.ron");
    let text = |height| {
        format!(
            "(describe: \"\", world: (steps: 10), bodies: [(name: \"a\", translation: (0, {height}, 0),
                colliders: [(shape: Ball(radius: 0.1))])], known: (off: Passes), checks: [StateHash])"
        )
    };
    let _ = std::fs::remove_file(folder.join("fall.golden"));
    std::fs::write(&path, text(1)).expect("a file");
    let run = |bless| {
        let options = Options { engines: &[Engine::Off], bless, after_run: None };
        load(&path).and_then(|suite| suite.run(options)).unwrap_or_else(|error| panic!("{error}"))
    };
    assert!(run(false).cases[0].reasons()[0].contains("is not recorded"));
    assert_eq!(run(true).failed(), 0);
    assert_eq!(run(false).failed(), 0);
    std::fs::write(&path, text(2)).expect("a file");
    assert!(run(false).cases[0].reasons()[0].contains("--bless"));
}

#[test]
fn names_and_numbers_that_lead_nowhere_are_named_with_their_line() {
    let folder = folder("faults");
    let path = folder.join("fault.ron");
    let body = "bodies: [(name: \"a\", colliders: [(shape: Ball(radius: 0.1))])]";
    let cases = [
        (format!("(describe: \"\", {body},\n checks: [\n Asleep(body: \"aa\")])"), "fault.ron:3:15: field `body`"),
        (format!("(describe: \"\", {body},\n checks: [Height(body: \"a\", max: \"3 * vv\")])"), "fault.ron:2:34: field `max`"),
        ("(describe: \"\",\n bodies: [(name: \"a\", colliders: [(shape: Named(\"b\"))])], checks: [])".into(), "fault.ron:2:"),
        ("(describe: \"\",\n bodies: [(name: \"a\", colliders: [(shape: Ball(radius: -1))])], checks: [])".into(), "`a.radius`"),
        (format!("(describe: \"\", {body},\n at: [(step: 1, change: Remove(\"c\"))], checks: [])"), "fault.ron:2:"),
        (format!("(describe: \"\", {body},\n hooks: (reject_pairs: [(\"a\", \"d\")]), checks: [])"), "`d`"),
        ("(describe: \"\", bodies: [(name: \"a\"), (name: \"a\")], checks: [])".into(), "two bodies"),
        ("(describe: \"\", settings: (face_angle: 200), checks: [])".into(), "face_angle"),
        ("(describe: \"\", world: (dt: 0.1, hz: 10), checks: [])".into(), "world.hz"),
        ("(describe: \"\", scan: {\"a\": List([1])}, lanes: (scan: {\"a\": List([1])}, apart: (1, 0, 0)), checks: [])".into(), "scanned already"),
        ("(describe: \"\", world: (steps: \"a\"), lanes: (scan: {\"a\": List([1, 2])}, apart: (1, 0, 0)), checks: [])".into(), "lanes"),
        ("(describe: \"\", bodies: [(name: \"a\", path: ())], checks: [])".into(), "path"),
        ("(describe: \"\", colliders: [(shape: Hull(points: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]))], checks: [])".into(), "plane"),
        ("(describe: \"\", colliders: [(shape: Mesh(vertices: [(0, 0, 0)], indices: [(0, 1, 2)]))], checks: [])".into(), "does not exist"),
        ("(describe: \"\", colliders: [(shape: Grid(grid: (cells: (5000, 5000))))], checks: [])".into(), "cells"),
        ("(describe: \"\", shapes: {\"a\": Named(\"a\")}, colliders: [(shape: Named(\"a\"))], checks: [])".into(), "circle"),
    ];
    for (text, expected) in cases {
        std::fs::write(&path, &text).expect("a file");
        let error = load(&path).err().unwrap_or_else(|| panic!("not refused: {text}")).to_string();
        assert!(error.contains(expected), "{error}\nlacks {expected}");
    }
}

#[test]
fn the_example_of_the_reference_is_a_fixture() {
    let reference = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/FORMAT.md"));
    let reference = reference.expect("the reference");
    let example = reference.split("```").find_map(|part| part.strip_prefix("ron\n")).expect("an example in it");
    let path = folder("example").join("example.ron");
    std::fs::write(&path, example).expect("a file");
    let suite = load(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(suite.count_runs().ok(), Some(112));
}
