"""A function of many positions as an evaluation."""

import pytest
import shikou

np = pytest.importorskip("numpy")
FOUR = shikou.game("k-in-a-row", k=4, rows=6, columns=7, gravity=True)


def test_a_network_plays_in_batches(here):
    sizes = []

    def stones(planes):
        sizes.append(len(planes))
        return 0.01 * (planes[:, 0] - planes[:, 1]).sum((1, 2))

    name = shikou.register_evaluation("stones", stones)
    assert name == "stones-v1"
    decision = shikou.search(f'alpha-beta(depth=2,evaluation="{name}")')(FOUR.start())
    assert decision.move in FOUR.start().moves() and max(sizes) == 7
    result = shikou.match(FOUR, f'minimax(depth=1,evaluation="{name}")', "random", games=4)
    assert "compare results of several runs" in result.text


def test_priors_lead_a_search():
    middle = shikou.game("k-in-a-row", k=4, rows=6, columns=7, gravity=True).start().moves()[3]
    numbers = FOUR.start().numbers()

    def net(planes):
        prior = np.full((len(planes), 48), 0.01)
        prior[:, numbers[3] % 8 :: 8] = 1
        return np.zeros(len(planes)), prior

    name = shikou.register_evaluation("middle", net, version="a", priors=True)
    decision = shikou.search(f'uct(selection=puct,prior=head(evaluation="{name}"),playouts=cut(evaluation="{name}",scale=0.5))@60')(FOUR.start())
    visits = {row[0]: row[1] for row in decision.moves}
    assert max(visits, key=visits.get) == middle


def test_states_where_there_is_no_board():
    from nim import Nim  # noqa: F401

    def left(states):
        assert all(isinstance(state, shikou.State) for state in states)
        return [0.0 for _ in states]

    name = shikou.register_evaluation("left", left)
    assert shikou.search(f'minimax(depth=1,evaluation="{name}")')(shikou.game("nim").start()).move


def test_samples_are_arrays():
    found = shikou.samples(FOUR, "random", games=20, seed=3)
    planes, value = found["planes"], found["value"]
    assert planes.shape[1:] == (2, 6, 7) and len(planes) == len(value) and set(np.unique(value)) <= {-1.0, 0.0, 1.0}
    # The player to move has as many stones as the opponent, or one less.
    counts = planes.sum((2, 3))
    assert set(np.unique(counts[:, 1] - counts[:, 0])) == {0.0, 1.0}


@pytest.mark.parametrize(("module", "form"), [("torch", "PyTorch"), ("jax", "JAX")])
def test_the_forms_of_the_page(module, form):
    pytest.importorskip(module)
    from network import Network, forms

    network = Network()
    values = forms(network)[form]
    planes = np.random.default_rng(1).integers(0, 2, (5, 2, 6, 7)).astype(np.float32)
    assert np.allclose(values(planes), network(planes)[0], atol=1e-5)
    name = shikou.register_evaluation(form.lower(), values)
    played = shikou.match(FOUR, f'alpha-beta(depth=2,evaluation="{name}")', f'uct(playouts=cut(evaluation="{name}"))@20', games=8, threads=4)
    assert len(played["players"]) == 2


def test_wrong_answers_are_told():
    name = shikou.register_evaluation("short", lambda planes: [0.0])
    with pytest.raises(shikou.Error, match="1 values for 7 positions"):
        shikou.search(f'alpha-beta(depth=1,evaluation="{name}")')(FOUR.start())


def test_a_small_network_learns_and_beats_chance():
    from network import trained

    network, errors, samples = trained(150, epochs=6)
    assert samples > 1500 and errors[-1] < errors[0]
    # The middle column is the most popular in all games of UCT.
    assert network(FOUR.start().planes()[None])[1][0, FOUR.start().numbers()].argmax() == 3
    name = shikou.register_evaluation("learned", network, priors=True)
    search = f'uct(selection=puct,prior=head(evaluation="{name}"),playouts=cut(evaluation="{name}",scale=0.5))@50'
    found = shikou.match(FOUR, search, "random", games=20)
    assert found["players"][0]["points"]["value"] > 0.8


def test_it_plays_beside_the_network_that_shikou_trains(here):
    from network import Network, strength

    shikou.register_evaluation("numpy", Network(), priors=True)
    found = shikou.run(strength(games=20, epochs=1, trials=2), out="beside", lock_step=4)
    assert found.players["player"] == ["NumPy, its prior", "NumPy", "built in", "uct@100"]
    assert (here / "beside" / "net" / "network.safetensors").exists()
