//! Rapier's own tests of continuous collisions, as crates.io has them, with the hook on.
//!
//! Two kinds of them cannot hold, and are left out by the alias `cargo engine-tests-hooked`:
//!
//! - `default_tier_ignores_dynamic` and `kinematic_not_a_default_target` want bodies without `ccd_enabled` to pass through
//!   each other and through a kinematic wall. That is what Rapier's pass does not look at; this one does.
//! - The three tests of `ccd_split_step` want the engine to split its step at a hit. A step that a hook takes over is solved
//!   in one piece.

#[rustfmt::skip]
#[allow(warnings, clippy::all)] // Not ours.
#[path = "../../../../target/vendored/rapier3d-for-tests/tests/ccd_default_vs_fixed.rs"]
mod ccd_default_vs_fixed;
#[rustfmt::skip]
#[allow(warnings, clippy::all)] // Not ours.
#[path = "../../../../target/vendored/rapier3d-for-tests/tests/ccd_split_step.rs"]
mod ccd_split_step;
#[rustfmt::skip]
#[allow(warnings, clippy::all)] // Not ours.
#[path = "../../../../target/vendored/rapier3d-for-tests/tests/issue_182_heightfield_seam.rs"]
mod issue_182_heightfield_seam;
#[rustfmt::skip]
#[allow(warnings, clippy::all)] // Not ours.
#[path = "../../../../target/vendored/rapier3d-for-tests/tests/issue_217_ccd_large_dt_hitch.rs"]
mod issue_217_ccd_large_dt_hitch;
#[rustfmt::skip]
#[allow(warnings, clippy::all)] // Not ours.
#[path = "../../../../target/vendored/rapier3d-for-tests/tests/issue_524_thin_slab_trimesh_tunnel.rs"]
mod issue_524_thin_slab_trimesh_tunnel;
#[rustfmt::skip]
#[allow(warnings, clippy::all)] // Not ours.
#[path = "../../../../target/vendored/rapier3d-for-tests/tests/issue_810_cubes_thin_cylinder_tunnel.rs"]
mod issue_810_cubes_thin_cylinder_tunnel;
#[rustfmt::skip]
#[allow(warnings, clippy::all)] // Not ours.
#[path = "../../../../target/vendored/rapier3d-for-tests/tests/issue_932_low_ccd_substeps_stutter.rs"]
mod issue_932_low_ccd_substeps_stutter;
#[rustfmt::skip]
#[allow(warnings, clippy::all)] // Not ours.
#[path = "../../../../target/vendored/rapier3d-for-tests/tests/issue_974_restitution.rs"]
mod issue_974_restitution;
