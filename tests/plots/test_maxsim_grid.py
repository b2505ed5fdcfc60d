import pytest

from evidex.errors import ConfigError
from evidex.plots import maxsim_grid
from evidex.types import Chunk, ChunkId, DocumentId, DocumentKey
from tests.plots.words import Words


def _chunk(text: str) -> Chunk:
    return Chunk(ChunkId("c" * 40), DocumentId("days"), "1", DocumentKey("k"), 0, len(text), text)


def test_each_token_of_the_question_finds_the_same_word_and_the_score_is_the_mean_of_the_maxima() -> None:
    data = maxsim_grid.of("blue moon", _chunk("the moon was blue, blue"), Words())

    assert data.query_tokens == ("blue", "moon")
    assert data.passage_tokens == ("the", "moon", "was", "blue", ",", "blue")
    assert data.best == (3, 1)  # the first of equals
    assert data.score == pytest.approx(1.0)


def test_a_word_of_several_tokens_is_named_at_the_first() -> None:
    data = maxsim_grid.of("moonlight", _chunk("moonlight"), Words(pieces=4))

    assert data.query_tokens == ("moonlight", "–", "–")


def test_tokens_are_numbered_where_words_do_not_add_up_to_them() -> None:
    assert maxsim_grid.names_of("blue moon", 5, Words(), role="query") == ("1", "2", "3", "4", "5")


def test_an_embedder_without_token_vectors_is_refused() -> None:
    with pytest.raises(ConfigError, match="no vectors of single tokens"):
        maxsim_grid.of("blue", _chunk("blue"), Words(token_vectors=False))


def test_a_question_without_a_token_is_refused() -> None:
    with pytest.raises(ConfigError, match="knows no token of ''"):
        maxsim_grid.of("", _chunk("blue"), Words())
