//! Level files are read as they are, looked over, and drawn.

use persistent_contacts_fixtures::level::{Object, load};
use persistent_contacts_fixtures::survey::Survey;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{Facing, Fault, SurfaceKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/levels").join(name)
}

fn objects(name: &str) -> Vec<Object> {
    load(&file(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// A folder of its own for tests that need files.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// What is wrong with the objects of a file, by their names.
fn faults(name: &str, flags: TriMeshFlags, up: Vector) -> Vec<(String, Fault)> {
    let survey = Survey::new(&objects(name), flags, up).unwrap_or_else(|error| panic!("{error}"));
    survey.findings.iter().map(|finding| (survey.name(finding.subject).to_owned(), finding.fault)).collect()
}

fn missing(edges: usize) -> Fault {
    Fault::MissingEdgeFlag { surface: SurfaceKind::TriMesh, edges }
}

#[test]
fn a_wavefront_file_has_the_vertices_that_a_game_gets() {
    let objects = objects("road_split_by_texture.obj");
    let size = |object: &Object| (object.name.clone(), object.mesh.vertices.len(), object.mesh.indices.len());
    // Four vertices for each square of the road, six if the texture did not split them.
    assert_eq!(objects.iter().map(size).collect::<Vec<_>>(), [("road".into(), 8, 4), ("yard".into(), 4, 2)]);
    let name = "road_split_by_texture.obj";
    let split = Fault::SplitVertices { vertices: 2, edges: 1, are_exact: true };
    // Two diagonals and the edge between the squares.
    let found = faults(name, TriMeshFlags::empty(), Vector::Y);
    assert_eq!(found, [("road".into(), split), ("road".into(), missing(3)), ("yard".into(), missing(1))]);
    let down = Fault::WrongWinding { facing: Facing::Down, triangles: 2 };
    assert_eq!(faults(name, TriMeshFlags::FIX_INTERNAL_EDGES, Vector::Y), [("yard".into(), down)]);
    assert_eq!(faults(name, TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED, Vector::Y), []);
}

#[test]
fn an_stl_file_is_triangles_for_themselves() {
    let objects = objects("slab.stl");
    assert_eq!((objects.len(), objects[0].mesh.vertices.len(), objects[0].mesh.indices.len()), (1, 12, 4));
    let found = faults("slab.stl", TriMeshFlags::FIX_INTERNAL_EDGES, Vector::Z);
    let found: Vec<_> = found.into_iter().map(|(_, fault)| fault).collect();
    // A line of three corners, and the third triangle wound against the first two.
    let odd = Fault::InconsistentWinding { triangles: 1, edges: 1 };
    assert_eq!(found, [Fault::DegenerateTriangles { triangles: 1 }, odd]);
}

#[test]
fn a_binary_gltf_file_is_read_with_the_places_of_its_nodes() {
    let objects = objects("rocks.glb");
    let names: Vec<_> = objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["ground", "rock", "mirrored rock"]);
    let middle = |object: &Object| {
        let sum = object.mesh.vertices.iter().fold(Vector::ZERO, |sum, vertex| sum + *vertex);
        sum / object.mesh.vertices.len() as Real
    };
    assert_eq!(middle(&objects[1]), Vector::X * 10.0);
    assert_eq!(middle(&objects[2]), Vector::new(10.0, 0.0, 4.0));
    let height = objects[2].mesh.vertices.iter().fold(0.0, |height: Real, vertex| height.max(vertex.y));
    assert_eq!(height, 2.0);
    // The rocks look outwards, the mirrored one as well, or else it would be found. All edges of the first have folds of
    // 70.5°; the ground has one diagonal.
    assert_eq!(faults("rocks.glb", TriMeshFlags::FIX_INTERNAL_EDGES, Vector::Y), []);
    assert_eq!(faults("rocks.glb", TriMeshFlags::empty(), Vector::Y), [("ground".into(), missing(1))]);
}

#[test]
fn a_prepared_level_has_nothing_left_to_find() {
    for (name, up) in [("road_split_by_texture.obj", Vector::Y), ("slab.stl", Vector::Z), ("rocks.glb", Vector::Y)] {
        for flags in [TriMeshFlags::empty(), TriMeshFlags::FIX_INTERNAL_EDGES] {
            let mut survey = Survey::new(&objects(name), flags, up).unwrap_or_else(|error| panic!("{error}"));
            let is_healthy = survey.findings.is_empty();
            let prepared = survey.prepare();
            assert_eq!(prepared.repairs.is_empty(), is_healthy, "{name}");
            assert_eq!(prepared.left, [], "{name}");
        }
    }
}

#[test]
fn bad_files_are_refused_with_a_reason() {
    let folder = folder("bad_levels");
    let glb = std::fs::read(file("rocks.glb")).expect("the file");
    let cut = &glb[..glb.len() - 40];
    // Its meshes refer to accessors by number, and there are none if their list has another name.
    let name = glb.windows(11).position(|window| window == b"\"accessors\"").expect("the list of accessors");
    let mut without_accessors = glb.clone();
    without_accessors[name + 9] = b'z';
    let cases: [(&str, &[u8]); 8] = [
        ("accessors.glb", &without_accessors),
        ("level.fbx", b""),
        ("nothing.obj", b""),
        ("corner.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
        ("words.stl", b"solid\nfacet normal"),
        ("short.stl", &[0; 90]),
        ("words.glb", b"solid\nfacet normal"),
        ("cut.glb", cut),
    ];
    for (name, bytes) in cases {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file for the test");
        let error = load(&path).expect_err(name).to_string();
        assert!(error.contains(name), "{error}");
    }
    assert!(load(&folder.join("missing.obj")).is_err());
}

fn command(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fixtures"));
    command.current_dir(folder).arg("diagnose").args(arguments).output().expect("the command runs")
}

#[test]
fn the_command_prints_a_table_and_draws_the_edges() {
    let folder = folder("diagnose");
    let level = file("road_split_by_texture.obj");
    let level = level.to_str().expect("a path in UTF-8");
    let output = command(&[level], &folder);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    for part in ["2 objects, 6 triangles", "3 found", "road", "yard", "leave 0 to find", "MERGE_DUPLICATE_VERTICES"] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
    let picture = std::fs::read_to_string(folder.join("road_split_by_texture.svg")).expect("the picture");
    // Four edges without the flag, drawn in its colour two pixels wide, and one that is split.
    let lines = |color: &str| picture.matches(&format!("stroke=\"{color}\" stroke-width=\"2\"")).count();
    assert_eq!((lines("#4682BE"), lines("#DC8214")), (4, 1));

    let output = command(&[level, "--edge-flag", "two-sided", "--out", "healthy.svg"], &folder);
    assert_eq!(output.status.code(), Some(0));
    assert!(folder.join("healthy.svg").exists());
    assert_eq!(command(&["nothing.obj"], &folder).status.code(), Some(2));
    assert_eq!(command(&[level, "--scale", "0"], &folder).status.code(), Some(2));
}
