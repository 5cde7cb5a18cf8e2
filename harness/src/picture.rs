//! Pictures: what is drawn with plotters, written as an SVG.

use crate::error::Error;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// Where a picture is drawn.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What goes wrong in drawing.
pub(crate) type DrawingError = Box<dyn std::error::Error>;

/// Draws a picture of `size` pixels, and writes it to `path`.
///
/// # Errors
/// A picture that cannot be drawn, or a file that cannot be written.
pub(crate) fn write_svg(
    path: &Path,
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), DrawingError>,
) -> Result<(), Error> {
    let fail = |reason: String| Error::Write { path: path.to_owned(), reason };
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&root).map_err(|error| fail(error.to_string()))?;
        root.present().map_err(|error| fail(error.to_string()))?;
    }
    std::fs::write(path, svg).map_err(|error| fail(error.to_string()))
}
