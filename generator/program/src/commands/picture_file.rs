//! The file of a picture, in one of four formats.

use std::error::Error;
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use bouton_draw::{Scene, join_pages, pdf, pdf_of_pages, png, svg, tikz};
use bouton_shell::OutputTarget;
use clap::ValueEnum;

use super::ExitResult;
use crate::SUCCESS;

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

    /// Writes pages, whole or not at all. A PDF keeps them separate; other formats have them one below the other. A PNG has `scale` pixels
    /// for each unit. Prints the file's name and the size, unless `quiet`.
    pub(crate) fn write(&self, pages: &[Scene], scale: u32, quiet: bool) -> ExitResult {
        let joined = join_pages(pages);
        let pixels = |scale: u32| format!("{} x {} pixels", joined.width * scale, joined.height * scale);
        let (bytes, size) = match (self.format, pages) {
            (PictureFormat::Svg, _) => (svg(&joined).into_bytes(), pixels(1)),
            (PictureFormat::Png, _) => (png(&joined, scale)?, pixels(scale)),
            (PictureFormat::Pdf, [first, _, ..]) => {
                (pdf_of_pages(pages)?, format!("{} pages of {}", pages.len(), millimetres(first)))
            }
            (PictureFormat::Pdf, _) => (pdf(&joined)?, millimetres(&joined)),
            (PictureFormat::Tex, _) => (tikz(&joined)?.into_bytes(), millimetres(&joined)),
        };
        self.target.write(&bytes, self.force)?;
        writeln!(self.target.report(quiet, false), "{}: {size}", self.target)?;
        Ok(SUCCESS)
    }
}

fn millimetres(scene: &Scene) -> String {
    let (width, height) = scene.millimetres();
    format!("{width:.1} x {height:.1} mm")
}
