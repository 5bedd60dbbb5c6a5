//! The names of the files in a work folder.

/// The file that names the files of the last checkpoint.
pub(super) const PROGRESS: &str = "progress";
/// Prefix of the names of blocks of lines.
pub(crate) const LINES: &str = "lines-";
/// Prefix of the names of blocks of positions.
pub(crate) const POSITIONS: &str = "positions-";
/// Prefix of the names of blocks of prefix minima ("offers").
pub(crate) const OFFERS: &str = "offers-";
/// Prefix of the names of stages of the search for classes.
pub(crate) const PACKING: &str = "packing-";
/// The file that the process using the folder locks.
pub(super) const LOCK: &str = "lock";

/// Returns the name of the file of a block in an epoch.
pub(super) fn file_name(name: &str, epoch: u32) -> String {
    format!("{name}.{epoch}")
}

/// Reports whether this is the name of a block's file: a prefix, digits and hyphens, a dot and an epoch.
pub(super) fn is_block(name: &str) -> bool {
    let rest = [LINES, POSITIONS, OFFERS, PACKING].iter().find_map(|kind| name.strip_prefix(kind));
    rest.and_then(|rest| rest.rsplit_once('.')).is_some_and(|(name, epoch)| {
        name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && epoch.parse::<u32>().is_ok()
    })
}

/// Reports whether this is the name of a block's file, or of a temporary file of `progress`.
pub(super) fn is_own_file(name: &str) -> bool {
    is_block(name)
        || name.strip_prefix('.').is_some_and(|name| name.starts_with(PROGRESS) && name.ends_with(".part"))
}
