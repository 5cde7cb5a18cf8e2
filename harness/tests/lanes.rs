//! Lanes: copies of a scene that share a world, and are judged like runs.

mod text;

use persistent_contacts_fixtures::outcome::CaseOutcome;
use text::run;

#[test]
fn lanes_share_a_world_and_are_judged_alone() {
    // Each ball moves at its own speed through a gate of its own; the floor is there once.
    let text = |max: &str| {
        format!(
            "(describe: \"\", world: (gravity: (0, 0, 0), steps: 60), scan: {{\"a\": List([1, 2])}},
            lanes: (scan: {{\"v\": List([1, 2, 3])}}, apart: (0, 0, 4)),
            bodies: [
                (name: \"floor\", shared: true, kind: Fixed, colliders: [(shape: Cuboid(half: (9, 0.1, 9)))]),
                (name: \"ball\", translation: (0, 3, 0), linvel: (\"a * v\", 0, 0),
                    colliders: [(shape: Ball(radius: 0.1), events: true)]),
                (name: \"gate\", kind: Fixed, translation: (\"a * v / 2\", 3, 0),
                    colliders: [(shape: Cuboid(half: (0.05, 1, 1)), sensor: true)]),
            ],
            at: [(step: 31, change: SetVelocity(body: \"ball\", linear: (0, \"v\", 0)))],
            checks: [
                Path(body: \"ball\", translation: (\"a * v * min(t, 0.5)\", \"3 + v * max(t - 0.5, 0)\", 0), tolerance: 0.001),
                Path(body: \"ball\", relative_to: \"gate\", translation: (0, \"v * max(t - 0.5, 0)\", 0), tolerance: 0.001, from: 30),
                Events(colliders: (\"ball\", \"gate\"), started: 1),
                Speed(body: \"ball\", max: {max}),
                Height(body: \"floor\", min: 0, max: 0),
            ])"
        )
    };
    let case = run(&text("6"));
    assert_eq!(case.engines[0].runs, 6);
    assert!(case.engines[0].is_clean(), "{:?}", case.engines[0].checks);
    // Only the fastest lane of the second run is at fault.
    let case = run(&text("5"));
    assert_eq!(case.engines[0].failed_runs, 1);
    let failure = case.engines[0].checks.iter().find_map(|check| check.first_failure.clone()).expect("a failure");
    assert_eq!(failure.run, "a = 2, v = 3");
}

#[test]
fn a_lane_does_what_a_run_of_its_own_does() {
    let text = |many: &str| {
        format!(
            "(describe: \"\", world: (steps: 90, restitution: 0.7), {many}, bodies: [
                (name: \"ball\", translation: (0, 1, 0), linvel: (\"v\", 0, 0), angvel: (0, 0, \"v\"),
                    colliders: [(shape: Ball(radius: 0.2))]),
                (name: \"ground\", kind: Fixed, colliders: [(shape: Cuboid(half: (9, 0.1, 1)))]),
            ], checks: [Height(body: \"ball\", min: 0, max: 1), Speed(body: \"ball\", max: 9), Spin(body: \"ball\", max: 99)])"
        )
    };
    let lanes = run(&text("lanes: (scan: {\"v\": Range(1, 4, 0.5)}, apart: (0, 0, 4))"));
    let alone = run(&text("scan: {\"v\": Range(1, 4, 0.5)}"));
    let figures = |case: &CaseOutcome| {
        let checks = case.engines[0].checks.iter();
        checks.flat_map(|check| check.worst.iter().map(|worst| (worst.name, worst.value, worst.run.clone()))).collect()
    };
    let (lanes, alone): (Vec<_>, Vec<_>) = (figures(&lanes), figures(&alone));
    assert_eq!(lanes.len(), 4);
    for (lane, alone) in lanes.iter().zip(&alone) {
        // The same to rounding: places are sums with the lane's own.
        assert!(
            lane.0 == alone.0 && lane.2 == alone.2 && (lane.1 - alone.1).abs() < 1.0e-4,
            "{lane:?}, alone {alone:?}"
        );
    }
}
