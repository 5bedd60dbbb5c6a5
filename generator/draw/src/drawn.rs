//! What drawing needs of a family.

use bouton_study::game_map::Mapped;
use bouton_study::select::{Fields, Filter};
use bouton_tables::Solved;

use crate::error::DrawError;
use crate::scene::Scene;
use crate::view::View;

/// A family whose tables can be drawn.
pub(crate) trait Drawn: Fields + Mapped {
    /// Whether both axes of a plane count the same, so that they are drawn alike.
    const SQUARE: bool;
    /// Why a place of a plane has no position.
    const OUTSIDE: &'static str;

    /// The plane that a filter selects; `None` if it has no place.
    ///
    /// # Errors
    /// If the filter leaves more or fewer than two numbers free.
    fn view(&self, filter: &Filter) -> Result<Option<View<Self::Position>>, DrawError>;

    /// The planes that a filter selects of two rulesets; `None` for one that has no place.
    ///
    /// # Errors
    /// If the filter does not parse, asks for answers, or leaves more or fewer than two numbers free.
    fn views_of_two(a: &Self, b: &Self, filter: &str)
    -> Result<[Option<View<Self::Position>>; 2], DrawError>;

    /// The position at a place of a plane; `None` if the table has none there.
    fn at(&self, view: &View<Self::Position>, x: u32, y: u32) -> Option<Self::Position>;

    /// What the plane's positions have in common, in words.
    fn words(&self, view: &View<Self::Position>) -> String;

    /// Draws which starts are won and lost. `None` if the filter leaves none.
    ///
    /// # Errors
    /// If the family has no such picture, the filter does not parse, there are too many starts, or the table is
    /// damaged.
    fn starts<S>(_table: &S, _filter: &str, _title: &str) -> Result<Option<Scene>, DrawError>
    where
        S: Solved<Game = Self>,
    {
        Err(DrawError::NoStarts { game: Self::FAMILY })
    }

    /// Whether [`starts`](Self::starts) could draw those of a table of these rules.
    ///
    /// # Errors
    /// The same, but for damage.
    fn starts_fit(&self, _filter: &str) -> Result<(), DrawError> {
        Err(DrawError::NoStarts { game: Self::FAMILY })
    }
}

/// A filter that selects positions of two tables, and so must not ask for answers: there would be two.
pub(crate) fn filter_of_two<G: Drawn>(game: &G, text: &str) -> Result<Filter, DrawError> {
    let filter = Filter::parse(game, true, text)?;
    if filter.asks_for_answer() {
        let fields: Vec<&str> = game.fields().iter().map(|field| field.name).collect();
        let fields = fields.join(", ");
        return Err(DrawError::Plane(format!(
            "--where: two tables have two answers, so that outcome, depth and winning select nothing here; the fields are {fields}"
        )));
    }
    Ok(filter)
}
