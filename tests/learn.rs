//! Networks as evaluations: a published network, equality with the trainer's own values, every searcher, and files that
//! are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use shikou::game::tuples::Seen;
use shikou::game::{
    Evaluation, EvaluationBuffer, EvaluationRequest, Game, GameExt, NamedGame, Player, Turn, View,
};
use shikou::games::othello::{Othello, Position};
use shikou::learn::{
    Activation, Input, Layer, Network, NetworkEvaluation, Squares, read_network, write_network,
};
use shikou::players::{NamedPlayer, NetworkForm};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{Limits, MoveStream};

use crate::resume::{ok, shikou};
use crate::support::{folder, large_data, sample_data, write};

/// The rounding of this test.
const UNIT: f64 = 1e-7;

fn layers(widths: &[usize], hidden: Activation) -> Vec<Layer> {
    let hidden = widths.iter().map(|&width| Layer { width, activation: hidden });
    hidden.chain([Layer { width: 1, activation: Activation::Linear }]).collect()
}

/// Positions along random games.
fn positions(game: &Othello, games: u64) -> Vec<Position> {
    let mut found = Vec::new();
    for number in 0..games {
        let mut rng = (Stream::new(number) / "networks").rng();
        let mut position = game.start();
        while game.turn(&position) != Turn::Over {
            found.push(position);
            let legal = game.legal(&position).count() as u64;
            let mv = game.legal(&position).nth(rng.below(legal) as usize).unwrap();
            game.apply(&mut position, mv);
        }
        found.push(position);
    }
    found
}

/// The six values that the founders publish for the network of source N, seen by who just moved.
#[test]
fn the_network_of_source_n_gives_its_published_values() {
    let Some(path) = large_data("evolution/source-n-network.safetensors") else { return };
    let file = read_network(&fs::read(path).unwrap(), None).unwrap();
    assert_eq!(file.network.parameters().len(), 111_361);
    let game = Othello::default();
    let input = Input::squares(&game, game.entries().board.unwrap(), Squares::OneHot);
    let network = NetworkEvaluation::new(&game, file.network, input, Seen::Inversion, UNIT).unwrap();
    let board = |text: &str| game.parse_board(text).unwrap();
    let (start, second) = (game.start(), game.follow("f5").unwrap());
    let [empty, mine] = ["-", "X"].map(|square| board(&format!("{} X", square.repeat(64))));
    let published = [
        (start, Player::FIRST, -6.97460),
        (start, Player::SECOND, -16.57675),
        (second, Player::FIRST, 11.06194),
        (empty, Player::FIRST, -13.23416),
        (mine, Player::FIRST, 35.74321),
        (mine, Player::SECOND, -17.39868),
    ];
    for (position, player, value) in published {
        let found = network.evaluate(&game, &position, player) as f64 * UNIT;
        assert!((found - value).abs() < 1e-4, "{found}, {value}");
    }
}

/// Files of NumPy, stored with the names of a chain and compressed in the order of Fortran: own discs less the other's decide.
#[test]
fn the_networks_of_numpy_value_discs() {
    let game = Othello::default();
    let input = Input::squares(&game, game.entries().board.unwrap(), Squares::OneHot);
    let read = |name: &str| read_network(&fs::read(sample_data(name)).unwrap(), None).unwrap().network;
    assert_eq!(read("discs.npz"), read("discs-compressed.npz"));
    let network = NetworkEvaluation::new(&game, read("discs.npz"), input, Seen::Inversion, UNIT).unwrap();
    for moves in ["", "f5", "f5d6c3d3c4f4f6"] {
        let position = game.follow(moves).unwrap();
        for player in [Player::FIRST, Player::SECOND] {
            let own = f64::from(position.disc_difference(player));
            let expected: f64 = 8.0 * libm::tanh(own / 16.0 + 0.25) - 4.0 * libm::tanh(-own / 8.0) + 0.5;
            let found = network.evaluate(&game, &position, player) as f64 * UNIT;
            assert!((found - expected).abs() < 1e-4, "{moves}: {found}, {expected}");
        }
    }
}

/// For every input, view and activation, alone and in batches, on boards of two sizes: the value is that of the forward
/// pass that training uses.
#[test]
fn an_evaluation_is_the_forward_pass_of_training() {
    for size in [6, 8] {
        let game = Othello::new(size);
        let board = game.entries().board.unwrap();
        let features =
            game.entries().features.into_iter().find(|known| known.name == "general").unwrap().features;
        let inputs = [
            Input::squares(&game, board.clone(), Squares::OneHot),
            Input::squares(&game, board, Squares::Bits),
            Input::features(&game, features),
        ];
        let mut seen_values = Vec::new();
        for (number, (input, (_, hidden))) in inputs
            .iter()
            .flat_map(|input| Activation::ALL.map(|activation| (input.clone(), activation)))
            .enumerate()
        {
            let stream = Stream::new(number as u64);
            let network = Network::random(input.width(), &layers(&[20, 9], hidden), stream).unwrap();
            for seen in [Seen::Inversion, Seen::Negation] {
                let evaluation =
                    NetworkEvaluation::new(&game, network.clone(), input.clone(), seen, UNIT).unwrap();
                let expected = |position: &Position, player: Player| {
                    let mut numbers = Vec::new();
                    let of = if seen == Seen::Negation { Player::FIRST } else { player };
                    input.numbers(&game, position, of, &mut numbers);
                    let value = f64::from(network.value(&numbers));
                    if of == player { value } else { -value }
                };
                let mut requests = Vec::new();
                for position in positions(&game, 2) {
                    for player in [Player::FIRST, Player::SECOND] {
                        let value = evaluation.evaluate(&game, &position, player);
                        let expected = expected(&position, player);
                        assert!((value as f64 * UNIT - expected).abs() < 1e-5, "{value}, {expected}");
                        assert!(value.abs() <= evaluation.facts().largest);
                        requests.push((EvaluationRequest { position, player, prior: false }, value));
                        seen_values.push(value);
                    }
                    if seen == Seen::Negation {
                        let [a, b] = [Player::FIRST, Player::SECOND]
                            .map(|player| evaluation.evaluate(&game, &position, player));
                        assert_eq!(a + b, 0);
                    }
                }
                let (requests, values): (Vec<_>, Vec<i64>) = requests.into_iter().unzip();
                let mut answers = EvaluationBuffer::default();
                for requests in requests.chunks(13) {
                    evaluation.evaluate_many(&game, requests, &mut answers);
                }
                assert_eq!(answers.all().values(), values);
                let view = if seen == Seen::Negation { View::Antisymmetric } else { View::Mover };
                assert_eq!(evaluation.facts().view, view);
            }
        }
        seen_values.sort_unstable();
        seen_values.dedup();
        assert!(seen_values.len() > 1000, "the values differ");
    }
}

fn form(input: &str, inputs: usize) -> NetworkForm {
    NetworkForm { game: "othello".into(), input: input.into(), seen: "inversion", inputs }
}

#[test]
fn every_searcher_asks_a_network() {
    let folder = folder("learn/searchers");
    let network = Network::random(48, &layers(&[8], Activation::Relu), Stream::new(1)).unwrap();
    let path = write(&folder, "n.safetensors", write_network(&network, &form("one-hot", 48).metadata()));
    let evaluation = format!("evaluation=network(file=\"{path}\")");
    // A prior and a backup value the moves of both players, and need opposite values.
    let negation = NetworkForm { seen: "negation", ..form("one-hot", 48) };
    let path = write(&folder, "m.safetensors", write_network(&network, &negation.metadata()));
    let opposite = format!("evaluation=network(file=\"{path}\",seen=negation)");
    let registry = shikou::registry();
    let game = registry.game("othello", &["size=4".into()]).unwrap();
    for player in [
        format!("greedy({evaluation})"),
        format!("minimax(depth=2,{evaluation})"),
        format!("alpha-beta(depth=3,{evaluation})"),
        format!("uct(playouts=cut({evaluation}))@20"),
        format!("uct(selection=puct,prior=evaluation({opposite}))@20"),
        format!("uct(backup=implicit({opposite}))@20"),
        format!("policy(policy=softmax({evaluation}))"),
        format!("uct(policy=epsilon-greedy({evaluation}))@5"),
        format!("unbounded-minimax({evaluation})@20"),
        format!("greedy(evaluation=sum(parts=[(times=2,{evaluation}),(evaluation=freedom)]))"),
    ] {
        let searcher =
            NamedPlayer::read(&*game, &[], &player).unwrap_or_else(|error| panic!("{player}: {error}"));
        let seat = Some(searcher.searcher);
        let mut table = game.table(&[seat.clone(), seat]).unwrap();
        while table.turn() != Turn::Over {
            table.decide(MoveStream::new(PlayoutKey::new(1)), Limits::default()).unwrap();
        }
        assert!(!table.transcript().is_empty(), "{player}");
    }
}

#[test]
fn a_file_that_does_not_fit_is_refused_with_the_reason() {
    let folder = folder("learn/refused");
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    let refused = |options: &str| {
        let text = format!("greedy(evaluation=network({options}))");
        NamedPlayer::read(&*game, &[], &text).unwrap_err().to_string()
    };
    let network = Network::random(192, &layers(&[4], Activation::Tanh), Stream::new(1)).unwrap();
    let network_file = |name: &str, metadata: &BTreeMap<String, String>| {
        write(&folder, name, write_network(&network, metadata))
    };
    let good = network_file("good", &form("one-hot", 192).metadata());
    assert!(refused("").contains("a network needs a file; write file = \"network.safetensors\""));
    assert!(refused("file=\"none.safetensors\"").contains("there is no file \"none.safetensors\""));
    let bits = refused(&format!("file=\"{good}\",input=bits"));
    assert!(bits.contains("this network takes 192 inputs, and `bits` gives 128"), "{bits}");
    let seen = refused(&format!("file=\"{good}\",seen=negation"));
    assert!(seen.contains("this network has seen `inversion`, not `negation`"), "{seen}");
    let other = NetworkForm { game: "go".into(), ..form("one-hot", 192) };
    let other = refused(&format!("file=\"{}\"", network_file("other", &other.metadata())));
    assert!(other.contains("this network is for go, not for othello"), "{other}");
    let cut = write(&folder, "cut", &fs::read(&good).unwrap()[..3000]);
    let cut = refused(&format!("file=\"{cut}\""));
    assert!(cut.contains("the tensors end before or after the end of the file"), "{cut}");
    let huge = write(&folder, "huge", 10_000_000_000_u64.to_le_bytes());
    let huge = refused(&format!("file=\"{huge}\""));
    assert!(huge.contains("the header estimates 10000000000 bytes, and 0 follow"), "{huge}");
    let features = refused(&format!("file=\"{good}\",input=features,features=nothing"));
    assert!(features.contains("features"), "{features}");
    // A file of another program states no game, and fits by the number of its inputs.
    let foreign = network_file("foreign", &BTreeMap::new());
    let text = format!("greedy(evaluation=network(file=\"{foreign}\"))");
    assert!(NamedPlayer::read(&*game, &[], &text).is_ok());
}

/// The rows of a CSV file of samples, without its heading, as numbers.
fn rows(text: &str) -> Vec<Vec<f32>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

const PLAYED: [&str; 9] =
    ["samples", "othello", "--option", "size=4", "--option", "reward=score", "--player", "random", "--games"];

#[test]
fn samples_are_the_same_in_both_formats_and_for_any_number_of_threads() {
    let folder = folder("learn/samples");
    let run = |out: &str, threads: &str| {
        let more = ["300", "--random-plies", "2", "--threads", threads, "--out", out];
        let text = ok(&folder, &[&PLAYED[..], &more].concat());
        assert!(text.contains("samples of 48 inputs from 300 games"), "{text}");
        fs::read(folder.join(out)).unwrap()
    };
    let csv = run("a.csv", "1");
    assert_eq!(csv, run("b.csv", "2"));
    let tensors = run("a.safetensors", "2");
    assert_eq!(tensors, run("b.safetensors", "1"));
    let rows = rows(std::str::from_utf8(&csv).unwrap());
    let tensors = safetensors::SafeTensors::deserialize(&tensors).unwrap();
    let bytes = |name: &str| tensors.tensor(name).unwrap().data().to_vec();
    let reals = |name: &str| -> Vec<f32> {
        bytes(name).as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect()
    };
    let whole = |name: &str| -> Vec<f32> {
        bytes(name).as_chunks().0.iter().map(|&four| i32::from_le_bytes(four) as f32).collect()
    };
    let games: Vec<f32> =
        bytes("game").as_chunks().0.iter().map(|&eight| i64::from_le_bytes(eight) as f32).collect();
    let column = |number: usize| rows.iter().map(|row| row[number]).collect::<Vec<f32>>();
    assert_eq!(games, column(0));
    assert_eq!([whole("ply"), whole("player"), reals("outcome")], [column(1), column(2), column(3)]);
    assert_eq!(reals("input"), rows.iter().flat_map(|row| row[4..].to_vec()).collect::<Vec<f32>>());
    // By hand: opening plies are no samples, games end in turn, and each square is somebody's or nobody's.
    assert!(rows.iter().all(|row| row[1] > 2.0 && row[4..].iter().sum::<f32>() == 16.0));
    assert_eq!(column(0).last(), Some(&299.0));
    // The two players of a game have opposite outcomes.
    for game in 0..300 {
        let of = |player: f32| {
            let of_player = rows.iter().find(|row| row[0] == game as f32 && row[2] == player);
            of_player.map(|row| row[3])
        };
        if let (Some(one), Some(two)) = (of(1.0), of(2.0)) {
            assert_eq!(one, -two);
        }
    }
    // The last position of a game has its outcome on the board.
    for pair in rows.windows(2).filter(|pair| pair[0][0] != pair[1][0]) {
        let count = |kind: usize| pair[0][4..].iter().skip(kind).step_by(3).sum::<f32>();
        assert_eq!(count(0) - count(1), pair[0][3]);
    }
}

#[test]
fn samples_of_recorded_games_skip_games_without_an_end() {
    let folder = folder("learn/recorded");
    let games = sample_data("WTH_1978.wtb");
    let arguments = ["samples", "othello", games.to_str().unwrap(), "--input", "general", "--out", "w.csv"];
    let text = ok(&folder, &arguments);
    let rows = rows(&fs::read_to_string(folder.join("w.csv")).unwrap());
    assert!(text.contains("of 4 inputs from"), "{text}");
    assert!(rows.len() > 300 && rows.iter().all(|row| row.len() == 8 && row[3].abs() <= 1.0));
    let short = write(&folder, "short.txt", b"f5d6c3\nf5d6c3d3c4\n");
    let (code, _, text) = shikou(&folder, &["samples", "othello", &short, "--out", "s.csv"]);
    assert!(
        code == 2
            && text.contains(
                "no samples from 0 usable games; nothing was written; 2 games skipped, the first is"
            ),
        "{text}"
    );
    assert!(!folder.join("s.csv").exists());
}

#[test]
fn samples_that_cannot_be_written_leave_what_was_there() {
    let folder = folder("learn/full");
    for (arguments, reason) in [
        (["100", "--out", "a.txt"], "write a name that ends in .csv or .safetensors"),
        (["100", "--out", "no/such/a.csv"], "nothing is there; name a folder that exists"),
    ] {
        let (code, _, err) = shikou(&folder, &[&PLAYED[..], &arguments].concat());
        assert!(code == 2 && err.contains(reason), "{code} {err}");
    }
    let (code, _, err) = shikou(&folder, &["samples", "othello", "--out", "a.csv"]);
    assert!(code == 2 && err.contains("no games; a player follows the game"), "{err}");
    for (given, reason) in [
        ("minmax", "no player is called `minmax`; did you mean `minimax`?"),
        ("ucct(exploration=0.5)@9", "did you mean `uct`?"),
        ("games.txt", "games.txt: No such file"),
    ] {
        let (code, _, err) = shikou(&folder, &["samples", "othello", given, "--out", "a.csv"]);
        assert!(code != 0 && err.contains(reason), "{err}");
    }
    let (code, _, err) =
        shikou(&folder, &["samples", "othello", "--player", "random", "--input", "hot", "--out", "a.csv"]);
    assert!(code == 2 && err.contains("unknown input `hot`"), "{err}");
    // A limit on the size of files acts like a full disk; the signal of the limit is ignored.
    #[cfg(target_os = "linux")]
    for out in ["a.csv", "a.safetensors"] {
        write(&folder, out, b"before");
        let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
        let output = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_shikou")])
            .args(PLAYED)
            .args(["2000", "--out", out])
            .current_dir(&folder)
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{err}");
        assert!(err.contains("the file that was there is as before"), "{err}");
        assert_eq!(fs::read(folder.join(out)).unwrap(), b"before");
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_str().unwrap().starts_with(".samples")), "{left:?}");
    }
}

/// Source N as published: the network saw the board before the move, so its value is the same for every move, here 0. Then A
/// changes nothing: with the same luck the games are the same.
#[test]
fn a_network_that_says_the_same_of_every_move_changes_no_game() {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    let nothing = "linear(features=square-kinds,weights=[0,0,0,0,0,0,0,0,0,0])";
    let games = |a: &str, b: &str| -> Vec<String> {
        let sum = format!("sum(parts=[(times={a},evaluation={nothing}),(times={b},evaluation=freedom)])");
        let players = [format!("greedy(finished=evaluation,evaluation={sum})"), "nleast".into()];
        let nleast = "greedy(finished=evaluation,evaluation=freedom)";
        let seats = players.map(|player| {
            let text = if player == "nleast" { nleast } else { &player };
            Some(NamedPlayer::read(&*game, &[], text).unwrap().searcher)
        });
        let game = |number: u64| {
            let mut table = game.table(&seats).unwrap();
            let mut plies = 0;
            while table.turn() != Turn::Over {
                plies += 1;
                table
                    .decide(MoveStream::new(PlayoutKey::new(100 * number + plies)), Limits::default())
                    .unwrap();
            }
            table.transcript()
        };
        (0..20).map(game).collect()
    };
    let published = games("0.5", "0.7");
    assert!(published.iter().collect::<BTreeSet<_>>().len() > 15);
    assert_eq!(games("0", "0.7"), published);
    assert_eq!(games("1", "0.7"), published);
    // A negative B is another player.
    assert_ne!(games("1", "-0.7"), published);
}
