//! The step's start: where the awake bodies are before the engine moves them.

use rapier3d::prelude::*;

/// The poses of all awake bodies before the engine step. Its size, and the work it costs, is that of the awake bodies.
#[derive(Default)]
pub(crate) struct StepStart {
    bodies: Vec<(RigidBodyHandle, Pose)>,
    /// By a body's arena index: its place in `bodies`, if that place names the same body.
    places: Vec<u32>,
}

impl StepStart {
    /// Reads the poses of the awake bodies.
    pub fn read(&mut self, islands: &IslandManager, bodies: &RigidBodySet) {
        self.bodies.clear();
        for handle in islands.active_bodies() {
            let Some(body) = bodies.get(handle) else { continue };
            let index = handle.into_raw_parts().0 as usize;
            if index >= self.places.len() {
                self.places.resize(index + 1, 0);
            }
            self.places[index] = self.bodies.len() as u32;
            self.bodies.push((handle, *body.position()));
        }
    }

    /// The pose of `handle` at the step's start, if it was awake then.
    pub fn pose(&self, handle: RigidBodyHandle) -> Option<&Pose> {
        let place = *self.places.get(handle.into_raw_parts().0 as usize)?;
        let (at_place, pose) = self.bodies.get(place as usize)?;
        (*at_place == handle).then_some(pose)
    }
}
