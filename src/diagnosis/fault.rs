//! What can be wrong with a level, and what it will cause.

use rapier3d::math::Real;
use std::fmt;

/// What is wrong with a collider or a body. As text it says so in one sentence.
#[derive(Copy, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The surface has edges that a body rides across, but no `FIX_INTERNAL_EDGES`.
    MissingEdgeFlag {
        /// The kind of the collider's shape.
        surface: SurfaceKind,
        /// How many such edges. For compounds, how many faces lie between two parts; for height fields, how many edges there
        /// are between two triangles, whatever their fold.
        edges: usize,
    },
    /// Some triangles of a mesh are wound against their neighbours.
    InconsistentWinding {
        /// How many triangles have to be turned round: those of the smaller area.
        triangles: usize,
        /// Between how many pairs of neighbours the winding changes.
        edges: usize,
    },
    /// A mesh with the one-sided edge flag holds bodies on the side where none are.
    WrongWinding {
        /// What its triangles look at.
        facing: Facing,
        /// How many triangles do.
        triangles: usize,
    },
    /// Triangles that share an edge have vertices of their own at it, so the mesh's topology sees borders there.
    SplitVertices {
        /// How many vertices are in the place of another one.
        vertices: usize,
        /// How many edges are split.
        edges: usize,
        /// Do they have the same coordinates to the bit? Then parry's flags can merge them.
        are_exact: bool,
    },
    /// Triangles without an area.
    DegenerateTriangles {
        /// How many.
        triangles: usize,
    },
    /// Triangles with the same corners as another one.
    DuplicateTriangles {
        /// How many, the first of each place not counted.
        triangles: usize,
        /// How many of them are wound the other way.
        back_to_back: usize,
    },
    /// A shape too thin to be held: a flat solid, or a mere surface on a body that moves.
    NoThickness {
        /// \[length units] How thick it is at its thinnest.
        thickness: Real,
        /// Is it on a dynamic body?
        is_dynamic: bool,
    },
    /// A round body spins as fast as Rapier lets it, or is driven to spin faster.
    SpinCap {
        /// \[rad/s] Its spin, or that of the motor.
        spin: Real,
        /// \[rad/s] The cap: an eighth of a turn a step.
        cap: Real,
        /// \[length units/s] The speed at which it rolls with that spin.
        speed: Real,
    },
    /// A position-based kinematic body in a world with several continuous substeps.
    KinematicSubsteps {
        /// The world's `max_ccd_substeps`.
        substeps: usize,
    },
    /// A velocity-based kinematic body whose centre of mass is off its origin, and which may turn.
    OffsetCenter {
        /// \[length units] How far off.
        offset: Real,
    },
}

/// A kind of shape that has an edge flag.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SurfaceKind {
    /// A triangle mesh.
    TriMesh,
    /// A height field.
    HeightField,
    /// A compound of cuboids and hulls. Compounds cannot hold meshes.
    Compound,
}

/// What the triangles of a mesh that is wound the wrong way look at.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Facing {
    /// Open ground that looks down.
    Down,
    /// A closed solid that looks inwards, and nothing is in there.
    Inwards,
    /// A closed room that looks outwards, and a body is in there.
    Outwards,
}

impl Fault {
    /// What it will cause, in one sentence.
    pub fn consequence(&self) -> &'static str {
        match self {
            Self::MissingEdgeFlag { surface: SurfaceKind::Compound, .. } => {
                "What slides or rolls over it can bump against the faces between its parts."
            }
            Self::MissingEdgeFlag { .. } => {
                "What slides or rolls over it bumps at these edges, hops, and loses speed, flat as the ground may be."
            }
            Self::InconsistentWinding { .. } => {
                "The edge flag cannot work where neighbours disagree, so bodies bump there; and with the one-sided flag they \
                 can fall through those that look away from them."
            }
            Self::WrongWinding { .. } => {
                "The one-sided edge flag drops contacts from behind, so bodies on this side fall through."
            }
            Self::SplitVertices { .. } => {
                "Its triangles do not know of each other: without the edge flag bodies bump at them, with it each is taken for \
                 the rim of the mesh, and what asks for its topology, inside or outside, sees a border."
            }
            Self::DegenerateTriangles { .. } => {
                "They have no normal: contacts with them can point anywhere, and the edge flag does not apply to them."
            }
            Self::DuplicateTriangles { back_to_back: 0, .. } => {
                "Every contact there is counted twice, which costs time and stiffens the contact."
            }
            Self::DuplicateTriangles { .. } => {
                "The normals of front and back cancel each other out, so the edge flag cannot work there, and bodies bump."
            }
            Self::NoThickness { is_dynamic: true, .. } => {
                "It has no inside that could be pushed out again: it sinks into, or passes through, what it meets."
            }
            Self::NoThickness { is_dynamic: false, .. } => {
                "Rapier lets bodies overlap by more than its thickness, and may then push them out on the far side."
            }
            Self::SpinCap { .. } => {
                "Rapier brakes its spin in every step, and friction then brakes the body: it rolls no faster."
            }
            Self::KinematicSubsteps { .. } => {
                "Rapier's own step loses the body's velocity after the first substep, so what it hits or carries gets a wrong \
                 one; `PersistentContacts::step` takes one substep and is not concerned."
            }
            Self::OffsetCenter { .. } => {
                "Rapier turns it about the middle of its colliders, not about its origin: a door swings about its middle."
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::MissingEdgeFlag { surface: SurfaceKind::Compound, edges } => {
                write!(f, "the compound has no edge flag, and {} between its parts", counted(edges, "face"))
            }
            Self::MissingEdgeFlag { surface, edges } => {
                let name = if surface == SurfaceKind::TriMesh { "mesh" } else { "height field" };
                write!(f, "the {name} has no edge flag, and {} that bodies ride across", counted(edges, "edge"))
            }
            Self::InconsistentWinding { triangles, edges } => write!(
                f,
                "{} wound against the rest of the mesh, along {}",
                is_or_are(triangles, "triangle"),
                counted(edges, "edge")
            ),
            Self::WrongWinding { facing, triangles } => {
                let ground = counted(triangles, "triangle");
                match facing {
                    Facing::Down => {
                        write!(f, "ground of {ground} is wound so that it looks down, with the one-sided edge flag")
                    }
                    Facing::Inwards => {
                        write!(
                            f,
                            "a closed part of {ground} is wound inwards, with the one-sided edge flag, and nothing is in it"
                        )
                    }
                    Facing::Outwards => {
                        write!(
                            f,
                            "a closed part of {ground} is wound outwards, with the one-sided edge flag, and a body is in it"
                        )
                    }
                }
            }
            Self::SplitVertices { vertices, edges, are_exact } => {
                let nearly = if are_exact { "" } else { " (but for rounding)" };
                let vertices = is_or_are(vertices, "vertex");
                write!(
                    f,
                    "{vertices} in the place of another one{nearly}, and split {} between triangles",
                    counted(edges, "edge")
                )
            }
            Self::DegenerateTriangles { triangles } => {
                write!(f, "{} without an area", is_or_are(triangles, "triangle"))
            }
            Self::DuplicateTriangles { triangles, back_to_back } => {
                write!(f, "{} there twice, {back_to_back} of them back to back", is_or_are(triangles, "triangle"))
            }
            Self::NoThickness { thickness, is_dynamic } => {
                let owner = if is_dynamic { ", and is on a dynamic body" } else { "" };
                write!(f, "the shape is {thickness} thick{owner}")
            }
            Self::SpinCap { spin, cap, speed } => {
                write!(
                    f,
                    "the body is round, spins at {spin:.1} rad/s, and is capped at {cap:.1} rad/s, where it rolls at {speed:.2}"
                )
            }
            Self::KinematicSubsteps { substeps } => {
                write!(f, "the body is kinematic by position, in a world with max_ccd_substeps = {substeps}")
            }
            Self::OffsetCenter { offset } => {
                write!(f, "the body is kinematic by velocity, and its centre of mass is {offset} off its origin")
            }
        }
    }
}

fn counted(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "vertex") => format!("{count} vertices"),
        _ => format!("{count} {noun}s"),
    }
}

fn is_or_are(count: usize, noun: &str) -> String {
    format!("{} {}", counted(count, noun), if count == 1 { "is" } else { "are" })
}
