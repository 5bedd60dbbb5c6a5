//! Chances: the probability that the losing side still wins, if it plays the best response to a model of the opponent.

use std::path::Path;

use bouton_tables::printable::printable_path;
use bouton_tables::{AskError, Damage, Map, OpenError, Outcome, Solved};

use super::habit::Situation;
use super::induction::{self, ChancesError, ReplyBuffers};
use super::stored_chance::{self, Opponents};
use super::{ChancesFile, Model, encode_chances};
use crate::families::PositionNumbering;
use crate::{Playable, PreparationProgress, Solution};

/// The chances against a model, for every position of a table.
#[derive(Debug)]
pub struct Chances<G: Playable> {
    numbers: G::Numbering,
    model: Model,
    store: ChanceStore,
}

/// Chances by position number.
#[derive(Debug)]
enum ChanceStore {
    /// In the form of [`stored_chance`].
    Computed(Vec<f64>),
    /// A file with the chances of the lost positions.
    Stored(Box<ChancesFile>),
}

impl<G: Playable> Chances<G> {
    /// Computes the chances. Reports to `progress`.
    pub fn compute(
        solution: &Solution<G>,
        model: &Model,
        progress: &dyn PreparationProgress,
    ) -> Result<Self, ChancesError> {
        let numbers = solution.get().game().numbering()?;
        let opponents = Opponents { kinds: std::slice::from_ref(model), weights: &[vec![1.0]] };
        let chances = induction::chances(solution, &numbers, opponents, progress)?;
        Ok(Self { numbers, model: model.clone(), store: ChanceStore::Computed(chances) })
    }

    /// Opens the file of chances of a table and checks every byte of it.
    pub fn open(solution: &Solution<G>, path: &Path) -> Result<Self, ChancesError> {
        let shown = printable_path(path);
        let in_file = |reason: String| ChancesError::Unfit(format!("{shown}: {reason}"));
        let damaged = |Damage { what, .. }: Damage| {
            in_file(format!("the chances are damaged: {what}; `bouton-match chances` makes them again"))
        };
        let map = Map::open(path).map_err(|error| {
            let advice = "`bouton-match chances` makes a file of chances";
            ChancesError::Unfit(format!("cannot open {shown}: {error}; {advice}"))
        })?;
        let file = ChancesFile::open(map).map_err(|error| match error {
            OpenError::Damaged(damage) => damaged(damage),
            error => in_file(error.to_string()),
        })?;
        file.check_whole().map_err(damaged)?;
        let header = file.header();
        let numbers = solution.get().game().numbering()?;
        if header.table != solution.table().digest() || header.numbers != numbers.count() {
            let why = "it belongs to another table; `bouton-match chances TABLE` makes one for yours";
            return Err(in_file(why.to_owned()));
        }
        let model = header.model.parse().map_err(in_file)?;
        Ok(Self { numbers, model, store: ChanceStore::Stored(Box::new(file)) })
    }

    /// Returns the bytes of a file of chances, which keeps 24 bits of each chance.
    pub fn to_file(&self, solution: &Solution<G>) -> Result<Vec<u8>, ChancesError> {
        let lost = (0..self.numbers.count()).map(|number| self.of_lost(number));
        let lost = lost.collect::<Result<Vec<_>, Damage>>().map_err(AskError::from)?;
        Ok(encode_chances(solution.table().digest(), &self.model.to_string(), lost.into_iter())?)
    }

    /// Returns the model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the chance of the player to move. The table must cover the position.
    pub fn chance_to_move(&self, position: &G::Position) -> Result<f64, AskError> {
        Ok(self.of_lost(self.numbers.of(position))?.unwrap_or(1.0))
    }

    /// Returns the chance of the player to move in the lost position with this number; `None` if the position is won.
    fn of_lost(&self, number: u64) -> Result<Option<f64>, Damage> {
        match &self.store {
            ChanceStore::Computed(chances) => {
                Ok(Some(chances[number as usize]).filter(|chance| chance.is_sign_positive()))
            }
            ChanceStore::Stored(file) => file.get(number),
        }
    }

    /// Returns the chance of the waiting player, while an opponent who plays like the model is to move.
    pub fn chance_waiting(&self, table: &G::Table, position: &G::Position) -> Result<f64, AskError> {
        if let ChanceStore::Computed(chances) = &self.store {
            return Ok(stored_chance::chance_waiting(chances[self.numbers.of(position) as usize]));
        }
        let situation = Situation::<G>::new(table, position)?;
        match situation.answer.verdict.outcome {
            Outcome::Loss => Ok(1.0),
            Outcome::Win if situation.answer.best.is_none() => Ok(0.0),
            Outcome::Win => {
                let after = |chosen| {
                    let chance = self.chance_to_move(&table.game().after(position, chosen))?;
                    Ok(move |_| chance)
                };
                let (kinds, mut output) = (std::slice::from_ref(&self.model), [0.0]);
                let mut buffers = ReplyBuffers::default();
                induction::after_replies::<G, _>(&situation, kinds, &after, &mut buffers, &mut output)?;
                Ok(output[0])
            }
        }
    }
}
