//! Twins: the same scene with other shapes, for checks to compare with.

mod text;

use persistent_contacts_fixtures::outcome::CaseOutcome;
use persistent_contacts_fixtures::suite::load;
use std::path::Path;
use text::run;

/// A ball at 1 m/s that a wall stops after half a metre. In the twin the wall is below its way, and it comes 1 m far.
fn stopped_ball(check: &str) -> CaseOutcome {
    run(&format!(
        "(describe: \"\", world: (gravity: (0, 0, 0), steps: 60), shapes: {{\"wall\": Cuboid(half: (0.1, 1, 1))}},
        twin: {{\"wall\": Cuboid(half: (0.1, 0.2, 1))}},
        bodies: [
            (name: \"ball\", translation: (0, 0.5, 0), linvel: (1, 0, 0), colliders: [(shape: Ball(radius: 0.1))]),
            (name: \"wall\", kind: Fixed, translation: (0.7, 0, 0), colliders: [(shape: Named(\"wall\"))]),
        ],
        checks: [{check}])"
    ))
}

/// The worst figure of the one check, and whether it held.
fn verdict(case: &CaseOutcome) -> (f64, bool) {
    // The first check is that everything stays finite.
    let check = &case.engines[0].checks[1];
    (check.worst[0].value, check.failed_runs == 0)
}

#[test]
fn a_run_is_like_its_twin_until_they_part() {
    let (figure, is_like) = verdict(&stopped_ball("LikeTwin(body: \"ball\", within: 0.001, to: 29)"));
    assert!(is_like && figure < 1.0e-5, "{figure}");
    // In the end it is half a metre behind the twin, which has come one metre far.
    let (figure, is_like) = verdict(&stopped_ball("LikeTwin(body: \"ball\", within: 0.4)"));
    assert!(!is_like && (figure - 0.5).abs() < 0.01, "{figure}");
    // The twin comes 1/60 m in a step: with nine of them forgiven, 0.5 − 9/60 = 0.35 of its metre are left.
    let (figure, is_like) = verdict(&stopped_ball("LikeTwin(body: \"ball\", within: 0.4, steps: 9)"));
    assert!(is_like && (figure - 0.35).abs() < 0.01, "{figure}");
    // And so it is in the last step alone.
    let (figure, is_like) = verdict(&stopped_ball("LikeTwin(body: \"ball\", within: 0.6, from: 60)"));
    assert!(is_like && (figure - 0.5).abs() < 0.01, "{figure}");
}

#[test]
fn figures_are_compared_with_those_of_the_twin() {
    let check = |slack: &str| {
        format!("NoWorseThanTwin(slack: {slack}, check: Speed(body: \"ball\", along: (1, 0, 0), min: 9))")
    };
    // The ball has nothing left of the 1 m/s that the twin keeps.
    let (figure, is_no_worse) = verdict(&stopped_ball(&check("0.9")));
    assert!(!is_no_worse && figure.abs() < 0.01, "{figure}");
    assert!(verdict(&stopped_ball(&check("1.1"))).1);
    assert!(verdict(&stopped_ball(&check("0.001").replace("))", ", to: 29))"))).1);
}

#[test]
fn blocks_as_one_mesh_are_where_the_blocks_are() {
    // A ball falls on the upper of two steps, 0.5 m high: its middle comes to rest at 0.7 m on the boxes and on their surface.
    let text = "(describe: \"\", world: (steps: 120),
        shapes: {
            \"boxes\": Blocks(size: (1, 0.5, 1), blocks: [((0, 0, 0), (1, 0, 1)), ((2, -1, 0), (3, -1, 1)), ((0, -1, 0), (1, -1, 1))]),
            \"ground\": Named(\"boxes\"),
        },
        twin: {\"ground\": OneMesh(of: \"boxes\", flags: [FixInternalEdges])},
        bodies: [
            (name: \"ball\", translation: (0.6, 1.5, 0.7), colliders: [(shape: Ball(radius: 0.2))]),
            (name: \"ground\", kind: Fixed, colliders: [(shape: Named(\"ground\"))]),
        ],
        checks: [LikeTwin(body: \"ball\", within: 0.01), Height(body: \"ball\", min: 0.695, max: 0.701, from: 110)])";
    let case = run(text);
    assert!(case.engines[0].is_clean(), "{:?}", case.engines[0].checks);
}

#[test]
fn a_twin_at_fault_is_refused_before_anything_is_run() {
    let refusal = |of: &str, blocks: &str| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("twin_{of}_{}", blocks.len()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let text = format!(
            "(describe: \"\",\n shapes: {{\"boxes\": Blocks(size: (1, 1, 1), blocks: [{blocks}])}},
            twin: {{\"boxes\": OneMesh(of: \"{of}\")}},
            bodies: [(name: \"ball\", colliders: [(shape: Ball(radius: 0.2))])],
            colliders: [(shape: Named(\"boxes\"))], checks: [LikeTwin(body: \"ball\", within: 1)])"
        );
        std::fs::write(folder.join("twin.ron"), text).expect("a file");
        load(&folder).expect_err("a twin at fault").to_string()
    };
    let message = refusal("bricks", "((0, 0, 0), (0, 0, 0))");
    assert!(message.contains("no shape named `bricks`"), "{message}");
    // The twin takes the place of the boxes it is made of.
    let message = refusal("boxes", "((0, 0, 0), (0, 0, 0))");
    assert!(message.contains("no shape named `boxes` is a `Blocks`"), "{message}");
}
