//! The player with a table. It wins every won position, and plays lost ones by its policy.
//!
//! The policy `adapt` learns the opponent's habits. Problem: the best move of a lost position depends on the
//! opponent's mistakes, and the opponent is unknown. Idea: assume one of a few kinds of opponents, each a habit with
//! a prior probability. After each move of the opponent, Bayes' rule multiplies the probability of each kind by the
//! probability of that move under the kind, and scales the sum to 1. The player then makes the move from which one of
//! its prepared plans ([`Responses`]) wins most, averaged over the kinds. Cost: the plans are computed once, and a
//! move takes a few look-ups for each legal move.
//!
//! Example: two kinds, each with probability 0.5, play the observed move with probability 1 and 0.25. Afterwards they
//! have 0.5 / 0.625 = 0.8 and 0.125 / 0.625 = 0.2.

use std::cmp::Reverse;
use std::sync::Arc;

use bouton_lookup::{Policy, best_move};
use bouton_tables::{AskError, Outcome, Solved};

use super::losing_policy::{LosingPolicy, usual_opponents};
use crate::models::{Chances, ChancesError, Responses, Situation};
use crate::{
    Choice, GameInfo, MoveRequest, Playable, Player, Ply, PreparationProgress, Reason, Side, Solution,
};

/// Chances whose relative difference is at most this are equal; the difference is rounding.
const TIE_TOLERANCE: f64 = 1e-12;
/// The same for [`Responses`], whose chances are `f32`.
const F32_TIE_TOLERANCE: f64 = 1e-6;

/// The usual policy is `adapt` in games of at most this many positions: Expanding Nim of 6800 stones with 4 resets each
/// has slightly fewer. The chances of more positions, up to 80 bytes for each, would exceed their memory limit.
const MAX_POSITIONS: u64 = 26_800_000;
/// Maximum of positions times moves at the start, for games without [lines](crate::families::PositionLines): there the
/// preparation looks at every move, and takes about ten seconds for this many.
const MAX_MOVES: u64 = 1_000_000_000;

/// Returns the maximum number of positions for which `adapt` is the usual policy.
fn max_positions<G: Playable>(rules: &G) -> u64 {
    // `HAS_LINES` needs no numbering, which can have a billion rows even if the table has a few kilobytes.
    if G::HAS_LINES {
        return MAX_POSITIONS;
    }
    let moves = rules.moves(&rules.start()).count() as u64;
    MAX_POSITIONS.min(MAX_MOVES / moves.max(1))
}

/// The prepared chances of a policy.
#[derive(Debug)]
enum PolicyData<G: Playable> {
    Nothing,
    /// Against one model.
    Response(Chances<G>),
    /// Against each of several kinds of opponents.
    Responses(Responses<G>),
}

/// Plays from a table.
#[derive(Clone, Debug)]
pub struct TablePlayer<G: Playable> {
    pub(crate) solution: Solution<G>,
    /// The policy for lost positions.
    pub(crate) policy: LosingPolicy,
    prepared: Arc<PolicyData<G>>,
    side: Side,
    /// The probability of each kind of opponent after their moves so far.
    beliefs: Vec<f64>,
    rng: fastrand::Rng,
}

impl<G: Playable> TablePlayer<G> {
    /// Prepares the policy: computes or reads the chances if it responds to a model.
    pub fn new(
        solution: Solution<G>,
        policy: &LosingPolicy,
        progress: &dyn PreparationProgress,
    ) -> Result<Self, ChancesError> {
        let prepared = match policy {
            LosingPolicy::Swindle(model) => {
                PolicyData::Response(Chances::compute(&solution, model, progress)?)
            }
            LosingPolicy::SwindleFrom(file) => PolicyData::Response(Chances::open(&solution, file)?),
            LosingPolicy::Adapt(model) => {
                let model = model.clone().unwrap_or_else(|| usual_opponents(G::HAS_RESETS));
                PolicyData::Responses(Responses::compute(&solution, &model, progress)?)
            }
            _ => PolicyData::Nothing,
        };
        Ok(Self {
            solution,
            policy: policy.clone(),
            prepared: Arc::new(prepared),
            side: Side::First,
            beliefs: Vec::new(),
            rng: fastrand::Rng::with_seed(0),
        })
    }

    /// Makes a player with this policy. The default is `adapt`, which is best against real opponents, if preparing it
    /// takes neither much longer than ten seconds nor too much memory. Otherwise the player has the policy
    /// [`LosingPolicy::Longest`], and the reason is returned, too.
    pub fn with_policy(
        solution: Solution<G>,
        policy: Option<&LosingPolicy>,
        progress: &dyn PreparationProgress,
    ) -> Result<(Self, Option<String>), ChancesError> {
        if let Some(policy) = policy {
            return Ok((Self::new(solution, policy, progress)?, None));
        }
        let positions = solution.table().header().positions;
        let (best, other) = (LosingPolicy::Adapt(None), LosingPolicy::Longest);
        let max = max_positions(solution.get().game());
        let why = if positions > max {
            format!(
                "the game has {positions} positions, and with its rules {best} is the default policy up to \
                {max}"
            )
        } else {
            match Self::new(solution.clone(), &best, progress) {
                Err(ChancesError::Unfit(why)) => why,
                player => return Ok((player?, None)),
            }
        };
        let why = format!("lost positions are played by {other}, not by {best}: {why}");
        Ok((Self::new(solution, &other, progress)?, Some(why)))
    }

    /// Returns a player for another game, with the same prepared policy. All its random choices depend on the seed.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { rng: fastrand::Rng::with_seed(seed), ..self.clone() }
    }
}

impl<G: Playable> Player<G> for TablePlayer<G> {
    fn begin(&mut self, info: &GameInfo<G>) -> Result<(), Reason> {
        // A table that covers the start covers every position that can follow.
        self.solution.get().verdict(info.start)?;
        self.side = info.side;
        if let PolicyData::Responses(responses) = &*self.prepared {
            self.beliefs = responses.kinds().iter().map(|&(share, _)| share).collect();
        }
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        let (table, position) = (self.solution.get(), request.position);
        let mut moves = request.game.moves(position);
        let best = match (table.outcome(position)?, &self.policy) {
            (Outcome::Win, _) | (_, LosingPolicy::Longest) => table.answer(position)?.best,
            (_, LosingPolicy::Trap) => best_move(table, position, &table.answer(position)?, Policy::Trap)?,
            (_, LosingPolicy::TakesOne) => moves.next(),
            (_, LosingPolicy::Random) => {
                let number = self.rng.usize(..request.game.moves(position).count());
                moves.nth(number)
            }
            (_, LosingPolicy::Resets) => {
                let first = moves.next().and_then(G::with_reset);
                match first.filter(|&reset| request.game.is_legal(position, reset)) {
                    None => table.answer(position)?.best,
                    reset => reset,
                }
            }
            (_, LosingPolicy::Swindle(_) | LosingPolicy::SwindleFrom(_) | LosingPolicy::Adapt(_)) => {
                self.best_response(request)?
            }
        };
        Ok(Choice::Move(best.expect("the position has a move")))
    }

    fn observe(&mut self, ply: &Ply<G>, by: Side) {
        // The next question reports a damaged table.
        if by != self.side
            && let PolicyData::Responses(responses) = &*self.prepared
            && let Ok(beliefs) = self.learn(responses, ply)
        {
            self.beliefs = beliefs;
        }
    }
}

impl<G: Playable> TablePlayer<G> {
    /// Returns the move with the best chance: of tied moves the one that loses latest, then takes fewest stones.
    fn best_response(&self, request: &MoveRequest<G>) -> Result<Option<G::Move>, AskError> {
        let table = self.solution.get();
        let is_f32 = matches!(*self.prepared, PolicyData::Responses(..));
        let tied = 1.0 - if is_f32 { F32_TIE_TOLERANCE } else { TIE_TOLERANCE };
        let mut best = Vec::new();
        for chosen in request.game.moves(request.position) {
            let next = request.game.after(request.position, chosen);
            let chance = match &*self.prepared {
                PolicyData::Nothing => 0.0,
                PolicyData::Response(chances) => chances.chance_waiting(table, &next)?,
                PolicyData::Responses(responses) => responses.chance_waiting(&next, &self.beliefs),
            };
            best.push((chance, chosen));
        }
        let greatest = best.iter().fold(0.0, |greatest, &(chance, _)| chance.max(greatest));
        best.retain(|&(chance, _)| chance >= greatest * tied);
        if let [(_, chosen)] = best[..] {
            return Ok(Some(chosen));
        }
        // The table's best move loses latest of all moves.
        let latest = table.answer(request.position)?.best;
        if best.iter().any(|&(_, chosen)| Some(chosen) == latest) {
            return Ok(latest);
        }
        let rank = |(_, chosen)| {
            let depth = table.verdict(&request.game.after(request.position, chosen))?.depth;
            Ok((Reverse(depth), request.game.stones_taken(chosen), chosen))
        };
        let ranks: Vec<_> = best.into_iter().map(rank).collect::<Result<_, AskError>>()?;
        Ok(ranks.into_iter().min().map(|(_, _, chosen)| chosen))
    }

    /// Returns the beliefs after a move of the opponent; unchanged if the move is impossible for all kinds.
    fn learn(&self, responses: &Responses<G>, ply: &Ply<G>) -> Result<Vec<f64>, AskError> {
        let situation = Situation::<G>::new(self.solution.get(), &ply.before)?;
        let mut learned = Vec::with_capacity(self.beliefs.len());
        for ((_, kind), belief) in responses.kinds().iter().zip(&self.beliefs) {
            learned.push(belief * kind.likelihood(&situation, ply.chosen)?);
        }
        let total: f64 = learned.iter().sum();
        if total <= 0.0 {
            return Ok(self.beliefs.clone());
        }
        learned.iter_mut().for_each(|belief| *belief /= total);
        Ok(learned)
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::expanding::ExpandingKeys;
    use bouton_tables::heaps::HeapKeys;

    use super::*;

    #[test]
    fn the_usual_policy_is_adapt_unless_it_takes_long_to_prepare() {
        let usual = |bounds: &[u32]| {
            let rules =
                HeapKeys { bounds: bounds.to_vec(), ..Default::default() }.rules().expect("allowed rules");
            let solution = Solution::solve(&rules).expect("a small game");
            let (player, why) = TablePlayer::with_policy(solution, None, &()).expect("the table is whole");
            (player.policy.clone(), why)
        };
        assert_eq!(usual(&[1, 3, 5, 7]), (LosingPolicy::Adapt(None), None));
        // Few positions with many moves.
        let (policy, why) = usual(&[1200, 1200]);
        assert_eq!(policy, LosingPolicy::Longest);
        let why = why.expect("a reason");
        assert!(why.contains("the game has 721801 positions") && why.contains("up to 416666"), "{why}");
        let pile = ExpandingKeys::default().rules().expect("allowed rules");
        assert_eq!(max_positions(&pile), MAX_POSITIONS);
    }
}
