//! Proves tables right, of every family.

use bouton_tables::{FamilyTable, Table, with_rules, with_table};

use crate::control::{Control, Phase};
use crate::family::Estimated;
use crate::heaps::{self, ByClasses, ByClassesError, NoQuotient};
use crate::proof::{Counts, Provable, VerifyError, VerifyOptions};

/// Checks the whole file, and every position against its successors.
///
/// # Errors
/// Names the first error found.
pub fn verify(table: &Table) -> Result<Counts, VerifyError> {
    verify_with(table, &VerifyOptions::default(), &())
}

/// Does what [`verify`] does, with progress and limited memory. The options do not change the result, except that another
/// of several wrong positions may be named.
///
/// # Errors
/// Names the first error found. Also if memory is short, or `control` cancels.
pub fn verify_with(
    table: &Table,
    options: &VerifyOptions,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    table.check_whole()?;
    let header = table.header();
    control.begin(Phase::Verifying, with_rules!(&header.ruleset, |rules| rules.proof_steps()));
    let counts = with_table!(table.family(), |family_table| family_table.verify(table, options, control))?;
    counts.agree_with(header)?;
    Ok(counts)
}

/// Checks the whole file, and proves the outcomes of all positions by classes. The proof holds for any number of heaps,
/// and takes seconds even for very many positions.
///
/// # Errors
/// If the game is not decided by classes, the table is wrong, or `control` cancels.
pub fn verify_by_classes(table: &Table, control: &dyn Control) -> Result<ByClasses, ByClassesError> {
    table.check_whole().map_err(VerifyError::from)?;
    match table.family() {
        FamilyTable::Heaps(heap_table) => heaps::verify_by_classes(heap_table, table.header(), control),
        FamilyTable::Expanding(_) => Err(NoQuotient::Rules("games of heaps").into()),
    }
}

/// Reports, without any search, whether [`verify_by_classes`] applies: the table has no depths, and not a record for
/// each position; a move takes from one heap, and there are no passes.
pub fn can_be_proved_by_classes(table: &Table) -> bool {
    match table.family() {
        FamilyTable::Heaps(heap_table) => heaps::applies_to_classes(heap_table).is_ok(),
        FamilyTable::Expanding(_) => false,
    }
}
