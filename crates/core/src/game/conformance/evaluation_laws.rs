//! Laws of evaluations, features and boards.

use std::collections::BTreeMap;

use super::laws;
use super::subject::{Case, Subject, Verdict, require};
use crate::game::tuples::{MOST_SQUARES, TupleTable};
use crate::game::{
    ChildSum, ChildValues, Ends, EvaluationBuffer, EvaluationFacts, EvaluationRequest, GameObject, Player,
    Symmetry, Turn, Value, View,
};

laws! {
    LAWS;
    /// each evaluation is repeatable and within its range; a sure win is more if finished games count payoffs
    "evaluations", evaluations;
    /// in a zero-sum game each evaluation's values for the two players add up to 0, unless its view is the mover's
    "evaluation-zero-sum", zero_sum;
    /// each evaluation answers batches as single calls, with priors that add up to 1 if it has any
    "evaluation-batches", batches;
    /// features have distinct names, are repeatable, add up when weighed, differ between moves as shown, and in a zero-sum game change sign with the player
    "features", features;
    /// owners are repeatable and change as the exchange and the moves state; if some view makes both players' directions alike, this does; symmetries are permutations; prepared sums are right
    "board", board;
}

/// Checks names for manifests: kebab case, each once.
pub(super) fn check_names(what: &str, names: &[&str]) -> Verdict {
    for (i, name) in names.iter().enumerate() {
        let kebab = name.split('-').all(|word| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        });
        require!(kebab, "the {what} name {name:?} is not in kebab case")?;
        require!(!names[..i].contains(name), "two {what} names are {name:?}")?;
    }
    Ok(())
}

/// Checks each of some entries of the catalogue, and names it in the violation.
pub(super) fn each_entry(what: &str, names: &[&str], mut check: impl FnMut(usize) -> Verdict) -> Verdict {
    let named = |(place, name): (usize, &&str)| check(place).map_err(|why| format!("{what} `{name}`: {why}"));
    names.iter().enumerate().try_for_each(named)
}

fn evaluations(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let all = game.evaluations();
    check_names("evaluation", &all)?;
    each_entry("evaluation", &all, |place| {
        let (EvaluationFacts { largest, .. }, (low, high)) = game.evaluation(place);
        let mut counts_payoff = true;
        let mut check = |case: &Case, what: &str| {
            let is_over = case.turn == Turn::Over;
            for player in subject.players() {
                let value = || game.value(place, &case.position, player, is_over);
                let (one, other) = (value(), value());
                require!(one == other, "the {what} is {one}, then {other} for {player}")?;
                require!((low..=high).contains(&one), "{one} is not within {low} to {high}")?;
                counts_payoff &=
                    !is_over || one == i64::from(game.payoff(&case.position, player)) * (largest + 1);
                require!(
                    is_over || !counts_payoff || one.unsigned_abs() <= largest.unsigned_abs(),
                    "the value {one} for {player} exceeds {largest}, and may outweigh a sure win"
                )?;
            }
            Ok(())
        };
        subject.each(subject.finished(), count, |case| check(case, "finished game"))?;
        subject.each(subject.unfinished(), count, |case| check(case, "value"))
    })
}

fn zero_sum(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    if !subject.facts.zero_sum {
        return Ok(());
    }
    let game = subject.game;
    each_entry("evaluation", &game.evaluations(), |place| {
        if game.evaluation(place).0.view != View::Antisymmetric {
            return Ok(());
        }
        subject.each(&subject.cases, count, |case| {
            let value = |player| game.value(place, &case.position, player, case.turn == Turn::Over);
            let (first, second) = (value(Player::FIRST), value(Player::SECOND));
            require!(
                first.checked_add(second) == Some(0),
                "the values are {first} and {second}, which do not add up to 0"
            )
        })
    })
}

/// Requests each position in a batch with those before it.
fn batches(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    /// The positions of a batch.
    const MOST: usize = 8;
    let game = subject.game;
    each_entry("evaluation", &game.evaluations(), |place| {
        let (mut requests, mut answers) = (Vec::new(), EvaluationBuffer::default());
        subject.each(subject.unfinished(), count, |case| {
            for player in subject.players() {
                let prior = game.evaluation(place).0.has_prior && case.turn == Turn::Player(player);
                requests.push(EvaluationRequest { position: case.position.clone(), player, prior });
            }
            requests.drain(..requests.len().saturating_sub(MOST));
            answers.clear();
            game.values(place, &requests, &mut answers);
            let answers = answers.all();
            require!(
                answers.values().len() == requests.len(),
                "{} requests have {} answers",
                requests.len(),
                answers.values().len()
            )?;
            for (index, (request, &value)) in requests.iter().zip(answers.values()).enumerate() {
                let alone = game.value(place, &request.position, request.player, false);
                require!(
                    value == alone,
                    "the value for {} is {alone}, but {value} in a batch",
                    request.player
                )?;
                let moves = if request.prior { game.listed(&request.position)[0] } else { 0 };
                let prior = answers.prior(index);
                let sum: f32 = prior.iter().sum();
                let fits = prior.len() == moves && prior.iter().all(|&p| p >= 0.0);
                require!(
                    fits && (moves == 0 || (sum - 1.0).abs() < 1e-3),
                    "the prior over {moves} moves is {prior:?}, with the sum {sum}"
                )?;
            }
            Ok(())
        })
    })
}

fn features(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let all = game.features();
    check_names("features", &all)?;
    each_entry("features", &all, |place| {
        let names = game.feature_names(place);
        // Different weights for all features.
        let weights: Vec<i64> = (1..=names.len() as i64).map(|place| place * place - 3).collect();
        let (prepared, largest) = (game.prepared_features(place, &weights), game.largest_feature(place));
        let values = |position: &Value, player| {
            let mut values = vec![0; names.len()];
            game.feature_values(place, position, player, &mut values);
            values
        };
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        require!(sorted.len() == names.len(), "two of them have one name")?;
        subject.each(subject.unfinished(), count, |case| {
            for player in subject.players() {
                let (one, other) = (values(&case.position, player), values(&case.position, player));
                require!(one == other, "they are {one:?}, then {other:?} for {player}")?;
                let sum: i64 =
                    one.iter().zip(&weights).map(|(&value, weight)| i64::from(value) * weight).sum();
                check_prepared(prepared.as_deref(), (&case.position, player), sum)
                    .map_err(|what| format!("weighed by {weights:?}, {what}"))?;
                if case.turn == Turn::Player(player) {
                    differences(game, place, prepared.as_deref(), (&case.position, player))?;
                }
                let above = one.iter().find(|value| largest.is_some_and(|largest| value.abs() > largest));
                require!(
                    above.is_none(),
                    "{above:?} exceeds the largest value that they state, {largest:?}"
                )?;
                if subject.facts.zero_sum {
                    let theirs = values(&case.position, player.other());
                    let opposite =
                        one.iter().zip(&theirs).all(|(&one, &other)| one.checked_add(other) == Some(0));
                    require!(opposite, "they are {one:?} for {player} and {theirs:?} for the other")?;
                }
            }
            Ok(())
        })
    })
}

type Sums<'s> = dyn Fn(&Value, Player, Option<ChildValues>) -> Vec<ChildSum> + 's;

/// Compares a prepared sum, if there is one, with the plain one.
fn check_prepared(prepared: Option<&Sums<'_>>, (at, player): (&Value, Player), sum: i64) -> Verdict {
    let Some(prepared) = prepared else { return Ok(()) };
    let found = prepared(at, player, None);
    require!(found == [ChildSum::Sum(sum)], "prepared, the sum is {found:?}, not {sum}")
}

fn board(subject: &Subject<'_>, count: &mut u64) -> Verdict {
    let game = subject.game;
    let Some((rows, columns)) = game.board_size() else { return Ok(()) };
    let squares = rows * columns;
    require!(
        (1..=MOST_SQUARES).contains(&squares),
        "it has {squares} squares, but must have 1 to {MOST_SQUARES}"
    )?;
    for symmetry in game.symmetries() {
        let mut sorted = symmetry.clone();
        sorted.sort_unstable();
        require!(
            sorted.into_iter().eq(0..squares),
            "the symmetry {symmetry:?} is no permutation of its {squares} squares"
        )?;
    }
    let exchange = game.exchange().unwrap_or_else(|| (0..squares).collect());
    let mut sorted = exchange.clone();
    sorted.sort_unstable();
    require!(
        sorted.into_iter().eq(0..squares),
        "the exchange {exchange:?} is no permutation of its {squares} squares"
    )?;
    let mut directions = Directions::new(rows, columns);
    let tables = game.tables("all-1").map_err(|error| error.to_string())?;
    let weights: Vec<i64> = (0..3 * tables.len() as i64).map(|place| place * place - 3).collect();
    let prepared = game.prepared_board(&tables, &weights);
    let owners = |position: &Value, player| {
        let mut owners = vec![u8::MAX; squares];
        game.owners(position, player, &mut owners);
        owners
    };
    subject.each(&subject.cases, count, |case| {
        if subject.facts.players == 2 {
            let [one, theirs] = [Player::FIRST, Player::SECOND].map(|player| owners(&case.position, player));
            let turned = exchange.iter().zip(&theirs).all(|(&square, theirs)| one[square] + theirs == 2);
            require!(turned, "they are {one:?} for the first player and {theirs:?} for the second")?;
        }
        for player in subject.players() {
            let (one, again) = (owners(&case.position, player), owners(&case.position, player));
            require!(one == again, "the owners are {one:?}, then {again:?} for {player}")?;
            let unknown = one.iter().find(|owner| **owner > 2);
            require!(unknown.is_none(), "{unknown:?} is no owner; write 0, 1 or 2")?;
            if let Turn::Player(_) = case.turn {
                let mut stated = Vec::new();
                game.each_change(&case.position, player, &mut |changes| {
                    let mut after: Vec<i8> = one.iter().map(|&owner| owner as i8).collect();
                    for change in changes {
                        after[usize::from(change.square)] += change.by;
                    }
                    stated.push(after);
                });
                let made = game.moves(&case.position).into_iter().map(|mv| {
                    let owners = owners(&game.after(&case.position, &mv), player).into_iter();
                    owners.map(|owner| owner as i8).collect::<Vec<_>>()
                });
                let made: Vec<_> = made.collect();
                require!(stated == made, "moves change them to {made:?}, not to {stated:?}")?;
                if case.turn == Turn::Player(player) {
                    for after in &made {
                        directions.add(player, &one, after);
                    }
                }
            }
            let of_table = |(number, table): (usize, &TupleTable)| -> i64 {
                table.places.iter().map(|place| weights[3 * number + usize::from(one[place[0]])]).sum()
            };
            let sum: i64 = tables.iter().enumerate().map(of_table).sum();
            check_prepared(prepared.as_deref(), (&case.position, player), sum)?;
        }
        Ok(())
    })?;
    directions.check()
}

/// How often each player's pieces go a direction, in rows and columns, as that player sees the board.
type Ways = BTreeMap<(isize, isize), [u64; 2]>;

/// The directions of both players, by each turn of the view of the second: where the views put its squares, and the directions then.
struct Directions {
    columns: usize,
    views: Vec<(Symmetry, Vec<usize>, Ways)>,
}

/// The moves of both players that are enough to say that one never goes a direction, and those of the other that go there.
const ENOUGH: [u64; 2] = [200, 40];

impl Directions {
    fn new(rows: usize, columns: usize) -> Self {
        let view = |turn: Symmetry| {
            let seen = turn.of(rows, columns)?;
            let mut places = vec![0; seen.len()];
            seen.into_iter().enumerate().for_each(|(place, square)| places[square] = place);
            Some((turn, places, Ways::new()))
        };
        Self { columns, views: Symmetry::ALL.into_iter().filter_map(view).collect() }
    }

    /// Adds a move that takes one piece from a square to another.
    fn add(&mut self, player: Player, before: &[u8], after: &[i8]) {
        let squares = || before.iter().zip(after).enumerate();
        let mut left = squares().filter(|(_, (before, after))| **before == 2 && **after != 2);
        let mut come = squares().filter(|(_, (before, after))| **before != 2 && **after == 2);
        if let (Some((from, _)), None, Some((to, _)), None) =
            (left.next(), left.next(), come.next(), come.next())
        {
            for (_, places, ways) in &mut self.views {
                let [from, to] = [from, to].map(|square| {
                    let place = if player == Player::SECOND { places[square] } else { square };
                    [place / self.columns, place % self.columns].map(|of| of as isize)
                });
                ways.entry((to[0] - from[0], to[1] - from[1])).or_default()[player.index()] += 1;
            }
        }
    }

    /// A direction that one player never goes is a violation if some turn of the view would remove it; else the sides are unlike.
    fn check(&self) -> Verdict {
        let [moves, enough] = ENOUGH;
        let one_sided = |ways: &Ways| {
            let mut all = ways.iter().map(|(&way, &count)| (way, count));
            all.find(|(_, count)| count.contains(&0) && count.iter().any(|&count| count >= enough))
        };
        let (_, _, ways) = &self.views[0];
        let of_player = |player: usize| ways.values().map(|count| count[player]).sum::<u64>();
        let ((rows, columns), count) = match one_sided(ways) {
            Some(found) if of_player(0).min(of_player(1)) >= moves => found,
            _ => return Ok(()),
        };
        let fitting = self.views.iter().filter(|(_, _, ways)| one_sided(ways).is_none());
        let fitting: Vec<String> = fitting.map(|(turn, ..)| format!("Symmetry::{turn:?}")).collect();
        let [one, other] = if count[0] > 0 { ["first", "second"] } else { ["second", "first"] };
        require!(
            fitting.is_empty(),
            "pieces of the {one} player go {rows} rows down and {columns} columns to the right, and none of the {other} player \
             does, as each sees the board, so weights of one would be wrong for the other; turn the view of the second player by \
             {}: `exchange`, or PlainBoard::exchanged_by",
            fitting.join(" or ")
        )
    }
}

/// Checks that the numbers and sums after moves differ as those of the positions after them.
fn differences(
    game: &dyn GameObject,
    place: usize,
    prepared: Option<&Sums<'_>>,
    (position, player): (&Value, Player),
) -> Verdict {
    let count = game.feature_names(place).len();
    let mut shown: Vec<Vec<i32>> = Vec::new();
    game.after_moves(place, position, player, &mut |number, index, value| {
        shown.resize(shown.len().max(number + 1), vec![0; count]);
        shown[number][index] += value;
    });
    shown.resize(game.move_count(position) as usize, vec![0; count]);
    let mut first: Option<Vec<i32>> = None;
    for (mv, shown) in game.moves(position).iter().zip(&shown) {
        let mut values = vec![0; count];
        game.feature_values(place, &game.after(position, mv), player, &mut values);
        let common: Vec<i32> = values.iter().zip(shown).map(|(value, shown)| value - shown).collect();
        let expected = first.get_or_insert_with(|| common.clone());
        require!(
            *expected == common,
            "after {} they differ from those after the first move otherwise than shown",
            game.notation(position, mv)
        )?;
    }
    let Some(prepared) = prepared else { return Ok(()) };
    for ends in [Ends::Known, Ends::Unknown] {
        let [each, compared] = [ends.exact(player), ends.compared(player)]
            .map(|wanted| prepared(position, player, Some(wanted)));
        let sum = |child: ChildSum| if let ChildSum::Sum(sum) = child { Some(sum) } else { None };
        let common =
            |(&each, &compared)| sum(each).zip(sum(compared)).map(|(each, compared)| each - compared);
        let alike =
            each == compared
                || each.len() == compared.len()
                    && each.iter().zip(&compared).map(common).all(|difference| {
                        difference.is_some() && difference == common((&each[0], &compared[0]))
                    });
        require!(alike, "prepared, the sums after moves are {each:?}, and compared {compared:?}")?;
    }
    Ok(())
}
