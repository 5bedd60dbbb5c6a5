//! The file of a picture, in one of four formats.

use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

use bouton_draw::{Scene, join_pages, pdf, pdf_of_pages, png, svg, tikz};
use bouton_shell::OutputTarget;
use clap::ValueEnum;

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// Scalable Vector Graphics
    Svg,
    /// Pixels
    Png,
    /// For print, with its font in it
    Pdf,
    /// A tikzpicture for LaTeX
    Tex,
}

impl PictureFormat {
    fn of(file: &Path) -> Result<Self, String> {
        let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default();
        Self::from_str(ending, true).map_err(|_| {
            format!(
                "{} does not end in .svg, .png, .pdf or .tex; name the picture for example FILE.svg, or say what it is with --format",
                file.display()
            )
        })
    }
}

/// The file of a picture, already checked to be writable.
pub(crate) struct PictureTarget {
    target: OutputTarget,
    format: PictureFormat,
    force: bool,
}

impl PictureTarget {
    /// Chooses the format by the file's name unless `format` is given, and checks that the file can be written. Only a PNG may
    /// have a `scale`.
    pub(crate) fn new(
        path: &Path,
        format: Option<PictureFormat>,
        force: bool,
        scale: Option<u32>,
    ) -> Result<Self, Box<dyn Error>> {
        let format = format.map_or_else(|| PictureFormat::of(path), Ok)?;
        if let Some(scale) = scale.filter(|_| format != PictureFormat::Png) {
            return Err(format!(
                "--scale {scale}: only a PNG has pixels, and {} is drawn at any scale; omit --scale, give a \
                 --size, or name the picture FILE.png",
                path.display()
            )
            .into());
        }
        let target = OutputTarget::named(path);
        let binary = matches!(format, PictureFormat::Png | PictureFormat::Pdf).then_some("such a picture");
        target.check(force, "exists", binary)?;
        Ok(Self { target, format, force })
    }

    /// Writes a picture, whole or not at all. A PNG has `scale` pixels a unit. Returns the size in words.
    pub(crate) fn write(&self, scene: &Scene, scale: u32) -> Result<String, Box<dyn Error>> {
        let pixels = |scale: u32| format!("{} x {} pixels", scene.width * scale, scene.height * scale);
        let (bytes, size) = match self.format {
            PictureFormat::Svg => (svg(scene).into_bytes(), pixels(1)),
            PictureFormat::Png => (png(scene, scale)?, pixels(scale)),
            PictureFormat::Pdf => (pdf(scene)?, millimetres(scene)),
            PictureFormat::Tex => (tikz(scene)?.into_bytes(), millimetres(scene)),
        };
        self.target.write(&bytes, self.force)?;
        Ok(size)
    }

    /// Writes pages: separately to a PDF, below each other to other formats. Returns their number and size in words.
    pub(crate) fn write_pages(&self, pages: &[Scene], scale: u32) -> Result<String, Box<dyn Error>> {
        match pages {
            [first, _, ..] if self.format == PictureFormat::Pdf => {
                self.target.write(&pdf_of_pages(pages)?, self.force)?;
                Ok(format!("{} pages of {}", pages.len(), millimetres(first)))
            }
            _ => self.write(&join_pages(pages), scale),
        }
    }

    /// Prints a line with the file's name and the picture's size, unless `quiet`.
    pub(crate) fn report(&self, size: &str, quiet: bool) -> io::Result<()> {
        writeln!(self.target.report(quiet, false), "{}: {size}", self.target)
    }
}

fn millimetres(scene: &Scene) -> String {
    let (width, height) = scene.millimetres();
    format!("{width:.1} x {height:.1} mm")
}
