//! Movers that may meet each other.

use crate::mover::Mover;
use rapier3d::parry::bounding_volume::BoundingVolume;

/// The pairs of movers whose bounds overlap. The first of a pair is dynamic, and of two dynamic ones the thinner: it is the
/// source.
#[derive(Default)]
pub(crate) struct MoverPairs {
    list: Vec<(usize, usize)>,
    /// Movers by the least x coordinate of their bounds.
    by_x: Vec<usize>,
}

impl MoverPairs {
    /// Finds them, by sweep and prune along x.
    pub fn find(&mut self, movers: &[Mover]) {
        self.list.clear();
        self.by_x.clear();
        self.by_x.extend(0..movers.len());
        self.by_x.sort_unstable_by(|a, b| movers[*a].bounds.mins.x.total_cmp(&movers[*b].bounds.mins.x));
        for (position, a) in self.by_x.iter().enumerate() {
            let bounds = &movers[*a].bounds;
            for b in &self.by_x[position + 1..] {
                let other = &movers[*b].bounds;
                if other.mins.x > bounds.maxs.x {
                    break;
                }
                if bounds.intersects(other)
                    && let Some(pair) = as_source_and_target(movers, *a, *b)
                {
                    self.list.push(pair);
                }
            }
        }
    }

    /// Adds the pair of two movers whose bounds overlap by now, and returns it; `None` if they are one, or both kinematic.
    pub fn add(&mut self, movers: &[Mover], (a, b): (usize, usize)) -> Option<(usize, usize)> {
        let pair = as_source_and_target(movers, a, b).filter(|_| a != b)?;
        if !self.list.contains(&pair) {
            self.list.push(pair);
        }
        Some(pair)
    }

    /// The pairs.
    pub fn list(&self) -> &[(usize, usize)] {
        &self.list
    }
}

/// Which of two movers is swept against the other; `None` for two kinematic ones.
fn as_source_and_target(movers: &[Mover], a: usize, b: usize) -> Option<(usize, usize)> {
    let key = |index: usize| (movers[index].inner_radius, movers[index].handle.into_raw_parts());
    match (movers[a].is_dynamic, movers[b].is_dynamic) {
        (false, false) => None,
        (true, false) => Some((a, b)),
        (false, true) => Some((b, a)),
        (true, true) => Some(if key(a) <= key(b) { (a, b) } else { (b, a) }),
    }
}
