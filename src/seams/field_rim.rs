//! The rim of a height field.

use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::shape::{HeightField, HeightFieldCellStatus};

/// Cells that are looked at. A body that has more of them around it is large beside them, and rides on many at once.
const MAX_CELLS: isize = 64;

/// Is a cell within `bounds`, in the field's frame, one of its rim: at its end, or beside a hole?
///
/// A triangle there may have a contact with the normal of its open side. The engine lets contacts with the triangle's other sides
/// have it too, though others lie beyond them: a body that comes over from the next cell is stopped as if by a wall.
pub(super) fn has_rim(field: &HeightField, bounds: &Aabb) -> bool {
    let (rows, columns) = field.unclamped_elements_range_in_local_aabb(bounds);
    let (row_count, column_count) = (field.nrows() as isize, field.ncols() as isize);
    if rows.end <= 0 || columns.end <= 0 || rows.start >= row_count || columns.start >= column_count {
        return false;
    }
    if rows.start <= 0 || columns.start <= 0 || rows.end >= row_count || columns.end >= column_count {
        return true;
    }
    // None of these is at the end, so there is one more on every side.
    let (rows, columns) = (rows.start - 1..rows.end + 1, columns.start - 1..columns.end + 1);
    if (rows.end - rows.start) * (columns.end - columns.start) > MAX_CELLS {
        return false;
    }
    let is_hole = |row: isize, column: isize| {
        field.cell_status(row as usize, column as usize).intersects(HeightFieldCellStatus::CELL_REMOVED)
    };
    rows.into_iter().any(|row| columns.clone().any(|column| is_hole(row, column)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::math::{Real, Vector};
    use rapier3d::parry::utils::Array2;

    /// Has a field of 6 × 6 cells of 1 m, with a hole or without, a rim within 0.3 m of the point (x, 0, z)?
    fn is_at_rim(x: Real, z: Real, has_hole: bool) -> bool {
        let mut field = HeightField::new(Array2::repeat(7, 7, 0.0), Vector::new(6.0, 1.0, 6.0));
        if has_hole {
            // From x = 0 to 1 and z = 0 to 1.
            field.set_cell_status(3, 3, HeightFieldCellStatus::LEFT_TRIANGLE_REMOVED);
        }
        has_rim(&field, &Aabb::from_half_extents(Vector::new(x, 0.0, z), Vector::splat(0.3)))
    }

    #[test]
    fn the_outer_cells_and_those_around_a_hole_are_rim() {
        assert!(is_at_rim(-2.1, 0.5, false) && is_at_rim(0.5, 2.5, false) && is_at_rim(2.9, 2.9, false));
        assert!(!is_at_rim(-1.5, 0.5, false) && !is_at_rim(0.5, 0.5, false) && !is_at_rim(1.6, -1.6, false));
        // Far beyond the field there is none of it.
        assert!(!is_at_rim(4.0, 0.5, false));
        assert!(is_at_rim(0.5, 0.5, true) && is_at_rim(-0.5, 0.5, true) && is_at_rim(1.5, 1.5, true));
        assert!(!is_at_rim(-1.5, 0.5, true));
    }
}
