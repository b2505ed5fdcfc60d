from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
import Stemmer
from hypothesis import example, given
from hypothesis import strategies as st

from evidex.analysis.analyzer import SNOWBALL, languages, make_analyzer
from evidex.analysis.stopwords import STOP_WORDS
from evidex.config import AnalysisSettings
from evidex.errors import ConfigError

ENGLISH = make_analyzer(AnalysisSettings())
PLAIN = make_analyzer(AnalysisSettings(language="none"))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("How do I reset my password? Error ERR-4012!", "how do i reset my password error err-4012 err 4012"),
        ("RULE-A002", "rule-a002 rule a002"),
        ("CVE-2024-1234", "cve-2024-1234 cve 2024 1234"),
        ("getUserById", "getuserbyid get user by id"),
        ("snake_case", "snake_case snake case"),
        ("03-2387", "03-2387 03 2387"),
        ("v1.2.3", "v1.2.3 1.2.3"),
        ("os.path.join", "os.path.join os path join"),
        ("X-RateLimit-Reset", "x ratelimit rate limit reset"),
        ("C++ or C#", "c++ c or c# c"),
        ("E1492", "e1492"),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_parts(text: str, terms: str) -> None:
    assert PLAIN.terms(text) == terms.split()


@pytest.mark.parametrize("question", ["user by id", "getUserById", "getuserbyid", "GETUSERBYID"])
def test_a_camel_case_name_is_found_by_its_words_and_in_any_case(question: str) -> None:
    passage = set(ENGLISH.terms("Call getUserById first."))
    assert set(ENGLISH.terms(question)) & passage


def test_a_camel_case_name_in_small_letters_is_found_although_it_is_stemmed_then() -> None:
    assert ENGLISH.terms("getInvoices") == ["getinvoices", "getinvoic", "get", "invoic"]
    assert ENGLISH.terms("getinvoices") == ["getinvoic"]


def test_an_identifier_is_never_stemmed() -> None:
    assert ENGLISH.terms("RULES-12 user_settings") == ["rules-12", "rule", "12", "user_settings", "user", "set"]


def test_stop_words_inside_an_identifier_are_kept() -> None:
    assert ENGLISH.terms("it is IT-004") == ["it-004", "it", "004"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("the company's rules", "company rules"),
        ("the company’s rules", "company rules"),
        ("we'll say they've", "say"),
        ("don't", "not"),
        ("can't won't isn’t", "can not not not"),
        ("the U.S. and the USA, e.g. Texas", "us usa texas"),
        ("1,000 or 1,234.50 or 3.5", "1000 1234.50 3.5"),
        ("one,two and three;four", "one two three four"),
        ("well-known 45-day T-cell", "well known 45 day t cell"),
    ],
)
def test_joints_of_ordinary_words_are_taken_apart(text: str, terms: str) -> None:
    unstemmed = [term for term in PLAIN.terms(text) if term not in STOP_WORDS["en"]]
    assert unstemmed == terms.split()


def test_words_are_compared_case_folded_in_compatibility_form() -> None:
    assert PLAIN.terms("Straße STRASSE ＡＢＣ ﬁle İzmir izmir") == [
        "strasse",
        "strasse",
        "abc",
        "file",
        "izmir",
        "izmir",
    ]


def test_diacritics_stay() -> None:
    assert PLAIN.terms("café cafe") == ["café", "cafe"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("東京都に行く", "東京 京都 都に に行 行く"),
        ("猫", "猫"),
        ("コンピュータ", "コン ンピ ピュ ュー ータ"),
        ("JR東日本は2024年", "jr 東日 日本 本は 2024 年"),
        ("한국어 말", "한국 국어 말"),
        ("ไทย", "ไท ทย"),
        ("ที่", "ที่"),
        ("हिन्दी में", "हिन्दी में"),
    ],
)
def test_scripts_without_spaces_give_overlapping_pairs_and_marks_stay_with_their_letters(text: str, terms: str) -> None:
    assert PLAIN.terms(text) == [unicodedata.normalize("NFKC", term) for term in terms.split()]


@given(st.text())
@example("ฯ")
@example("\u0e33")
@example("ﾊﾟ")
def test_no_text_with_a_letter_or_digit_vanishes(text: str) -> None:
    if any(char.isalnum() for char in unicodedata.normalize("NFKC", text)):
        assert PLAIN.terms(text)


@given(st.text())
def test_terms_are_never_empty_and_hold_no_white_space(text: str) -> None:
    for term in ENGLISH.terms(text):
        assert term
        assert not any(char.isspace() for char in term)


@given(st.text(st.characters(categories=["Ll", "Lu", "Mn", "Zs"])))
def test_composed_and_decomposed_text_give_the_same_terms(text: str) -> None:
    assert PLAIN.terms(unicodedata.normalize("NFD", text)) == PLAIN.terms(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize("text", ["", "   ", "?!…—", "。、", "_", "'", "the of and"])
def test_a_text_without_words_to_search_for_gives_no_terms(text: str) -> None:
    assert ENGLISH.terms(text) == []


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("en", "The refunds are not paid", "refunds not paid"),
        ("de", "Die Erstattungen werden nicht gezahlt", "erstattungen nicht gezahlt"),
        ("fr", "Les remboursements de l'achat ne sont pas payés", "remboursements achat ne pas payés"),
        ("es", "Los reembolsos no se pagan", "reembolsos no pagan"),
        ("it", "I rimborsi non sono pagati", "rimborsi non pagati"),
        ("pt", "Os reembolsos não são pagos", "reembolsos não pagos"),
        ("nl", "De terugbetaling is niet betaald", "terugbetaling niet betaald"),
    ],
)
def test_stop_words_fall_negations_stay_and_the_rest_is_stemmed(language: str, text: str, kept: str) -> None:
    snowball = Stemmer.Stemmer(SNOWBALL[language])
    analyzer = make_analyzer(AnalysisSettings(language=language))

    assert analyzer.terms(text) == snowball.stemWords(kept.split())


def test_stop_words_can_be_kept() -> None:
    kept = make_analyzer(AnalysisSettings(stop_words=False))
    assert kept.terms("the rule") == ["the", "rule"]


def test_an_unknown_language_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'xx'.*de.*en.*'none'"):
        make_analyzer(AnalysisSettings(language="xx"))


def test_every_language_with_stop_words_can_be_stemmed() -> None:
    assert set(STOP_WORDS) <= set(languages())


def test_the_name_tells_the_language_the_stemmer_and_the_stop_words() -> None:
    assert PLAIN.name == "unicode-words/1"
    assert ENGLISH.name.startswith("unicode-words/1+en-snowball-")
    assert ENGLISH.name.endswith("+stop")
    assert ENGLISH.name != make_analyzer(AnalysisSettings(stop_words=False)).name


def test_threads_that_share_an_analyzer_get_the_terms_that_one_alone_gets() -> None:
    texts = [" ".join(f"running{number}ing relations{number % 7}" for number in range(n, n + 200)) for n in range(40)]
    shared = make_analyzer(AnalysisSettings())
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(shared.terms, texts))
    assert together == [make_analyzer(AnalysisSettings()).terms(text) for text in texts]


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "a." * 50_000, "a-1" * 30_000, "x'" * 50_000, "A" * 100_000, "_" * 100_000]
)
def test_very_long_words_are_worked_off(text: str) -> None:
    assert bool(ENGLISH.terms(text)) == bool(text.strip("_"))
