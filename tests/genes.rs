//! Genes in places that are not plain options: budgets.

use shikou::experiment::Plan;
use shikou::game::options::Wording;

use crate::optimisations::{assert_mistake, folder, play_all};
use crate::support;

const MANIFEST: &str = r#"
schema = 1
seed = 3

[[optimisation]]
name = "effort"
game = "tic-tac-toe"
generations = 3
genes.n = { whole = [1, 40] }
player = { search = "uct", budget = { playouts = { gene = "n" }, plies = 400 } }
method.genetic = { population = 4, parents = 2 }
fitness = { against = "random", pairs = 3 }

[[experiment]]
game = "tic-tac-toe"
trials = 2
player = [{ evolved = "effort" }, "random"]
"#;

/// A candidate spends what its gene says, and the result is the player that was found.
#[test]
fn a_budget_may_be_a_gene() {
    let manifest = support::manifest(MANIFEST);
    let run = manifest.optimisations().next().unwrap().runs[0].clone();
    assert_eq!(run.player.text(Wording::Identity), "uct@playouts=gene(\"n\"),plies=400");
    let candidate = run.genes.player(&run.player, &[17.0]).unwrap();
    assert_eq!(candidate.to_string(), "uct@playouts=17,plies=400");
    assert!(candidate.open_budget.is_none());
    let error = Plan::new(&manifest).unwrap_err().to_string();
    assert!(error.contains("waits for the optimisation `effort`"), "{error}");
    let optimised = play_all(&manifest, &folder("budget"));
    let best = optimised.results()[0].1[0].outcome.best[0];
    let manifest = optimised.finish(manifest);
    let player = &manifest.experiments()[0].players[0];
    assert_eq!(player.searcher.to_string(), format!("uct@playouts={best},plies=400"));
    assert!(Plan::new(&manifest).is_ok());
    let smoke = manifest.optimisations().next().unwrap().reduced();
    assert_eq!(smoke.runs[0].player.budget.playouts, Some(1));
}

/// A number alone is the searcher's usual limit, and so is a gene.
#[test]
fn a_gene_alone_is_the_usual_limit() {
    let bare = MANIFEST
        .replace("budget = { playouts = { gene = \"n\" }, plies = 400 }", "budget = { gene = \"n\" }");
    let manifest = support::manifest(&bare);
    let run = &manifest.optimisations().next().unwrap().runs[0];
    assert_eq!(run.genes.player(&run.player, &[5.0]).unwrap().to_string(), "uct@playouts=5");
}

#[test]
fn genes_that_do_not_fit_a_budget_are_named_at_their_places() {
    let gene = "genes.n = { whole = [1, 40] }";
    for (from, to, words, place) in [
        (
            gene,
            "genes.n = { within = [1.0, 40.0] }",
            "the gene `n` does not fit its place: `playouts` is 1.0",
            "\"n\"",
        ),
        (
            gene,
            "genes.n = { whole = [0, 40] }",
            "the gene `n` does not fit its place: `playouts` is 0",
            "\"n\"",
        ),
        ("playouts = { gene", "time = { gene", "`time` cannot be a gene", "{ gene"),
        ("playouts = { gene", "time = \"2ms\", cpu-time = { gene", "`cpu-time` cannot be a gene", "{ gene"),
        ("playouts = { gene = \"n\" }", "playouts = { gene = \"m\" }", "unknown gene `m`", ""),
        (
            "search = \"uct\"",
            "search.minimax.depth = \"full\"",
            "minimax cannot keep a budget of playouts",
            "{ gene",
        ),
    ] {
        assert!(MANIFEST.contains(from), "{from}");
        assert_mistake(&MANIFEST.replacen(from, to, 1), words, place);
    }
}
