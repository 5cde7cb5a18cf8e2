//! Level files: the objects of a Wavefront, STL or binary glTF file as meshes.

use crate::error::Error;
use crate::terrain::Mesh;
use rapier3d::math::Vector;
use std::path::Path;

mod glb;

/// An object of a level file, which a game would make a collider of.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its name in the file; objects without one are numbered.
    pub name: String,
    /// Its triangles, in the frame of the file, with the vertices just as the file has them: none is merged.
    pub mesh: Mesh,
}

/// Reads a level file. What it is, its name's ending says: `obj`, `stl` (text or binary) or `glb`.
///
/// Wavefront files are read as games read them, a vertex for each combination of place, normal and texture. STL files have
/// three vertices for each triangle, since they say no more. Of binary glTF, the triangles of the scene's nodes are read,
/// where the nodes put them; a node that mirrors its mesh turns the triangles round, as the format asks for.
///
/// # Errors
/// A file that cannot be read, is of another kind, has no triangles, or names vertices that it does not have.
pub fn load(path: &Path) -> Result<Vec<Object>, Error> {
    let fail = |reason: String| Error::Request(format!("cannot load {}: {reason}", path.display()));
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let bytes = || std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source });
    let objects = match ending.as_deref() {
        Some("obj") => {
            bytes()?;
            obj(path)
        }
        Some("stl") => stl(bytes()?),
        Some("glb") => {
            let bytes = bytes()?;
            // The reader's own check of the format panics where an object refers to another that is not there.
            std::panic::catch_unwind(|| glb::objects(&bytes))
                .unwrap_or_else(|_| Err("it refers to something that it does not have".into()))
        }
        _ => Err("its name ends in neither .obj, .stl nor .glb".into()),
    };
    let mut objects = objects.map_err(fail)?;
    objects.retain(|object| !object.mesh.indices.is_empty());
    if objects.is_empty() {
        return Err(fail("it has no triangles".into()));
    }
    for object in &objects {
        let count = object.mesh.vertices.len();
        if let Some(index) = object.mesh.indices.iter().flatten().find(|index| **index as usize >= count) {
            return Err(fail(format!("`{}` names vertex {index}, but has {count}", object.name)));
        }
    }
    Ok(objects)
}

fn obj(path: &Path) -> Result<Vec<Object>, String> {
    let options = tobj::LoadOptions { triangulate: true, single_index: true, ..Default::default() };
    let (models, _) = tobj::load_obj(path, &options).map_err(|error| error.to_string())?;
    let objects = models.into_iter().enumerate().map(|(number, model)| {
        let vertices = model.mesh.positions.chunks_exact(3).map(|at| Vector::new(at[0], at[1], at[2])).collect();
        let indices = model.mesh.indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect();
        Object { name: name_or_number(Some(&model.name), number), mesh: Mesh { vertices, indices } }
    });
    Ok(objects.collect())
}

fn stl(bytes: Vec<u8>) -> Result<Vec<Object>, String> {
    let mut bytes = std::io::Cursor::new(bytes);
    let mut mesh = Mesh::default();
    for triangle in stl_io::create_stl_reader(&mut bytes).map_err(|error| error.to_string())? {
        let triangle = triangle.map_err(|error| error.to_string())?;
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(triangle.vertices.iter().map(|at| Vector::new(at[0], at[1], at[2])));
        mesh.indices.push([first, first + 1, first + 2]);
    }
    Ok(vec![Object { name: name_or_number(None, 0), mesh }])
}

/// A name to show: that of the file, or a number counted from 1.
fn name_or_number(name: Option<&str>, number: usize) -> String {
    match name {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("object {}", number + 1),
    }
}
