//! Pictures of solved games, as SVG, PNG, PDF and TikZ.
//!
//! Each kind of picture is a function from tables to a [`Scene`]: [`heatmap`] and [`diff`] draw a plane of positions, [`starts`] the
//! starts of Expanding Nim, [`game_map`] a whole small game, and [`game`] a recorded game. [`handout`] lays out the pages of a sheet for
//! a player at the board. [`svg`], [`png`], [`pdf`] and [`tikz`] write a scene; equal tables give equal bytes on every machine.
//! [`heatmap_fits`] and similar functions determine without a table whether a picture would be too large.
//!
//! ```
//! use bouton_generator::generate_in_memory;
//! use bouton_tables::{Table, rulesets};
//!
//! let ruleset = rulesets::find("expanding", &["stones=50".to_owned()])?.ruleset;
//! let table = Table::open(generate_in_memory(&ruleset, true)?)?;
//! let plane = bouton_draw::PlaneOptions { filter: "stones=1..40", aspect: None, progress: &|_| Ok(()) };
//! let scene = bouton_draw::heatmap(&table, bouton_draw::Measure::Depth, plane)?.expect("there are such positions");
//! assert!(bouton_draw::svg(&scene).starts_with("<svg "));
//! assert!(bouton_draw::png(&scene, 2)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axes;
mod classes;
mod diff;
mod drawable;
mod error;
mod families;
mod font;
mod game;
mod handout;
mod heatmap;
mod map;
mod palette;
mod pdf;
mod plane;
mod png;
mod scene;
mod sheet;
mod size;
mod svg;
mod tikz;

pub use classes::Measure;
pub use diff::{diff, diff_fits};
pub use families::expanding::starts::{starts, starts_fit};
pub use game::{game, game_fits};
pub use handout::{Paper, handout, join_pages};
pub use heatmap::{heatmap, heatmap_fits};
pub use map::{game_map, game_map_fits};
pub use pdf::{pdf, pdf_of_pages};
pub use plane::{Aspect, PlaneOptions};
pub use png::png;
pub use scene::Scene;
pub use size::PictureSize;
pub use svg::svg;
pub use tikz::tikz;
