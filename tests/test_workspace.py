"""What a workspace keeps, finds and forgets, as the Python API shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

import evidex
from evidex.encoding import as_json
from evidex.errors import ConfigError, ContractError, GenerationError, ProviderError
from evidex.types import DocumentId
from evidex.workspace import AskResult, Workspace
from tests.commands import python
from tests.conftest import NOON
from tests.endpoints import Embeddings, serving

Make = Callable[..., Workspace]
LSA = '[embedding]\nprovider = "lsa"\n'
HISTORY = f"{LSA}[index]\nhistory = true\n"


@pytest.fixture
def embeddings() -> Embeddings:
    return Embeddings()


@pytest.fixture
def remote(embeddings: Embeddings) -> Iterator[str]:
    """Settings under which vectors come from an endpoint that counts what it embeds."""
    with serving(embeddings) as url:
        yield f'[embedding]\nprovider = "openai"\nmodel = "words"\nwidth = 32\nbase_url = "{url}"\n'


def write(workspace: Workspace, name: str, text: str) -> Path:
    path = workspace.root / "docs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def release(workspace: Workspace, *, sync: bool = False) -> str:
    """Ingest the folder, build and publish; the id of what is live then."""
    assert workspace.ingest(workspace.root / "docs", sync=sync).failures == ()
    return workspace.publish(workspace.build().id).generation


def reopened(workspace: Workspace, toml: str | None = None) -> Workspace:
    """The same folder, opened anew, perhaps under other settings."""
    if toml is not None:
        (workspace.root / "evidex.toml").write_text(toml, "utf-8")
    return evidex.open(workspace.root, now=lambda: NOON)


def candidates(workspace: Workspace, question: str, **asked: object) -> dict[str, set[str]]:
    """The documents that each channel and stage named for a question."""
    trace = workspace.explain(question, **asked).trace  # type: ignore[arg-type]
    found: dict[str, set[str]] = {}
    for record in trace.stages:
        for ranking in record.rankings:
            found.setdefault(ranking.channel, set()).update(trace.documents[id] for id in ranking.ids)
    return found


def told(result: AskResult) -> object:
    return as_json([result.generation, result.answer, result.context])


def pages(workspace: Workspace, number: int) -> None:
    for n in range(number):
        write(workspace, f"{n:03}.md", f"# Page {n}\n\nPage {n} tells of item{n}.\n\n## More\n\nMore of item{n}.\n")


# --- what came before is not done again


def test_ingesting_the_same_folder_again_embeds_and_builds_nothing(
    workspace: Make, remote: str, embeddings: Embeddings
) -> None:
    kb = workspace(remote)
    pages(kb, 5)
    first = release(kb)
    asked = len(embeddings.texts)

    report = kb.ingest(kb.root / "docs")
    built = kb.build()

    assert report.count("unchanged") == 5
    assert (built.id, built.written, built.embedded) == (first, False, 0)
    assert len(embeddings.texts) == asked


def test_chunk_ids_are_the_same_over_three_ingests(workspace: Make) -> None:
    kb = workspace(LSA)
    pages(kb, 5)
    ids = []
    for _ in range(3):
        release(kb, sync=True)
        ids.append({chunk.id for chunk in kb.search("page item", limit=100).chunks})

    assert len(ids[0]) == 2 * 5
    assert ids[0] == ids[1] == ids[2]


def test_of_many_documents_only_the_chunks_of_the_changed_one_are_embedded(
    workspace: Make, remote: str, embeddings: Embeddings
) -> None:
    kb = workspace(remote)
    pages(kb, 200)
    release(kb)
    before = len(embeddings.texts)
    write(kb, "100.md", "# Page 100\n\nPage 100 is new.\n\n## More\n\nMore news.\n")

    kb.ingest(kb.root / "docs")
    built = kb.build()

    new = [text for text in embeddings.texts[before:] if "new" in text]
    assert built.embedded == 2
    assert len(new) == 2


def test_a_question_embeds_itself_and_nothing_else(workspace: Make, remote: str, embeddings: Embeddings) -> None:
    kb = workspace(remote)
    pages(kb, 20)
    release(kb)
    embeddings.texts.clear()

    for handle in (kb, reopened(kb)):
        handle.search("Which page tells of item7?")
        handle.search("Which page tells of item7?")
        assert embeddings.texts == ["Which page tells of item7?"]
        embeddings.texts.clear()
    handle.close()


def test_ingesting_some_paths_leaves_the_documents_of_others(workspace: Make) -> None:
    kb = workspace(LSA)
    first, second = write(kb, "a.md", "Alpha waits."), write(kb, "b.md", "Beta waits.")
    kb.ingest(first, second)

    kb.ingest(first, sync=True)

    assert {record.id for record in kb.documents()} == {"docs/a.md", "docs/b.md"}


# --- what is gone is gone


def test_a_deleted_document_is_found_by_no_channel_and_cited_nowhere(workspace: Make, remote: str) -> None:
    kb = workspace(remote)
    pages(kb, 5)
    path = write(kb, "gone.md", "The access code of the vault is xylophone77.")
    release(kb)
    assert candidates(kb, "xylophone77 access code")["dense"] >= {"docs/gone.md"}
    path.unlink()

    kb.ingest(kb.root / "docs", sync=True)

    with reopened(kb) as fresh:
        for handle in (kb, fresh):
            assert "docs/gone.md" not in set().union(*candidates(handle, "xylophone77 access code").values())
            assert "xylophone77" not in str(as_json(handle.search("access code", limit=100).chunks))
            assert "xylophone77" not in str(told(handle.ask("What is the access code of the vault?")))
            with pytest.raises(ConfigError, match=r"docs/gone\.md"):
                handle.show("docs/gone.md")
    assert "docs/gone.md" not in [record.id for record in kb.documents()]


def test_a_process_of_its_own_does_not_find_a_deleted_document_either(workspace: Make) -> None:
    kb = workspace(LSA)
    pages(kb, 3)
    path = write(kb, "gone.md", "The access code of the vault is xylophone77.")
    release(kb)
    path.unlink()
    kb.ingest(kb.root / "docs", sync=True)

    script = (
        "import evidex\nwith evidex.open() as kb:\n    print([c.document for c in kb.search('xylophone77').chunks])\n"
    )
    out, _ = python(script, at=kb.root).communicate()

    assert "gone" not in out and out.startswith("[")


def test_the_old_revision_is_never_returned_again(workspace: Make) -> None:
    kb = workspace(LSA)
    pages(kb, 3)
    write(kb, "refund.md", "The refund window is 30 days.")
    release(kb)
    other = reopened(kb)
    assert "30 days" in other.ask("What is the refund window?").answer.text
    write(kb, "refund.md", "The refund window is 45 days.")

    kb.ingest(kb.root / "docs")
    for _ in range(25):
        for handle in (kb, other):
            assert "30 days" not in str(told(handle.ask("What is the refund window?")))
    kb.publish(kb.build().id)
    for _ in range(25):
        for handle in (kb, other):
            assert handle.ask("What is the refund window?").answer.text == "The refund window is 45 days."
    other.close()


# --- what is new is found


def test_documents_that_came_after_a_build_are_told_of_and_found_after_the_next(workspace: Make, remote: str) -> None:
    kb = workspace(remote)
    pages(kb, 3)
    release(kb)
    assert kb.doctor() == ()
    write(kb, "new.md", "The quokka smiles.")
    kb.ingest(kb.root / "docs")

    (finding,) = kb.doctor()
    (reasons,) = (dict(reasons) for _, reasons in kb.explain("quokka", why_not=["docs/new.md"]).why_not)
    before = candidates(kb, "quokka smiles")
    kb.publish(kb.build().id)
    after = candidates(kb, "quokka smiles")

    assert finding.severity == "warning" and "1 document" in finding.sentence and "evidex build" in finding.sentence
    assert "evidex build" in reasons["scope"]
    assert "docs/new.md" not in set().union(*before.values())
    assert all("docs/new.md" in after[stage] for stage in ("sparse", "dense", "fused", "reranked"))
    assert kb.doctor() == ()


def test_an_embedder_that_fails_on_the_way_leaves_nothing_of_the_build(
    workspace: Make, remote: str, embeddings: Embeddings
) -> None:
    kb = workspace(remote)
    pages(kb, 3)
    live = release(kb)
    before = told(kb.ask("Which page tells of item1?"))
    text = "\n\n".join(f"## Part {n}\n\nThe quokka smiles for the {n}th time." for n in range(40))
    write(kb, "long.md", f"# Long\n\n{text}\n")
    kb.ingest(kb.root / "docs")
    embeddings.fail_at = len(embeddings.texts) + 35

    with pytest.raises(ProviderError, match="out of order"):
        kb.build()
    embeddings.fail_at = None

    assert told(kb.ask("Which page tells of item1?")) == before
    assert "docs/long.md" not in set().union(*candidates(kb, "quokka smiles").values())
    assert [path.name for path in (kb.root / ".evidex" / "generations").iterdir()] == [live]
    already = len(embeddings.texts)
    kb.publish(kb.build().id)
    assert "docs/long.md" in candidates(kb, "quokka smiles")["dense"]
    assert sum("quokka" in text for text in embeddings.texts[already:]) < 40


# --- filters and stages


@pytest.mark.parametrize("filter", [("tag", "adr"), ("language", "de"), ("family", "decisions"), ("document", "adr-1")])
def test_a_filter_holds_in_every_channel_and_stage(workspace: Make, remote: str, filter: tuple[str, str]) -> None:
    kb = workspace(remote)
    front = "---\nid: adr-1\ntags: [adr, old]\nlanguage: de\nfamily: decisions\n---\n"
    write(kb, "adr.md", f"{front}We keep the gateway.")
    write(kb, "other.md", "---\ntags: [ad]\n---\nThe gateway is kept: keep the gateway, we keep the gateway.")
    pages(kb, 3)
    release(kb)

    everywhere = candidates(kb, "keep the gateway")
    narrowed = candidates(kb, "keep the gateway", filters=[filter])

    assert all(len(found) > 1 for found in everywhere.values())
    assert narrowed == {stage: {"adr-1"} for stage in ("sparse", "dense", "fused", "reranked")}


def test_a_chunk_that_reranking_lifts_is_kept_and_the_ledger_says_where_the_others_fell(workspace: Make) -> None:
    kb = workspace(f"{LSA}[reranking]\nmethod = 'features'\nblend = false\nlimit = 1\n")
    write(kb, "often.md", "Purchase purchase gateway purchase gateway refund days.")
    write(kb, "apart.md", "Purchase gateway refund days window days.")
    write(kb, "phrase.md", "Refund window window gateway purchase refund.")
    release(kb)

    ledger = {candidate.document: candidate for candidate in kb.explain("purchase refund").ledger}
    lifted = ledger.pop(DocumentId("docs/phrase.md"))

    assert dict(lifted.ranks)["fused"] > dict(lifted.ranks)["reranked"] == 1
    assert lifted.fell_at != "rerank"
    assert [fallen.fell_at for fallen in ledger.values()] == ["rerank", "rerank"]
    assert all(f"rank {dict(fallen.ranks)['reranked']}" in (fallen.reason or "") for fallen in ledger.values())


# --- one embedder


@pytest.mark.parametrize(
    ("changed", "field", "built_with", "found"),
    [
        ('provider = "none"', "provider", "lsa", "none"),
        ('provider = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"', "provider", "lsa", "openai"),
        ('provider = "lsa"\nquery_prefix = "query: "', "query_prefix", "", "query: "),
        ('provider = "lsa"\npassage_prefix = "passage: "', "passage_prefix", "", "passage: "),
    ],
)
def test_another_embedder_than_that_of_the_index_is_an_error_that_names_the_field(
    workspace: Make, changed: str, field: str, built_with: str, found: str
) -> None:
    kb = workspace(LSA)
    pages(kb, 3)
    release(kb)

    with reopened(kb, f"[embedding]\n{changed}\n") as other:
        with pytest.raises(ContractError) as raised:
            other.ask("Which page tells of item1?")
        (finding,) = other.doctor()
    with reopened(kb, LSA) as mended:
        assert mended.search("item1").chunks

    error = raised.value
    assert (error.field, error.built_with, error.found) == (field, built_with, found)
    assert field in str(error) and "evidex build" in str(error)
    assert (finding.severity, finding.sentence) == ("error", str(error))


@pytest.mark.parametrize(("field", "old", "new"), [("width", "32", "16"), ("model", '"words"', '"other"')])
def test_a_model_or_width_that_differs_from_the_index_is_named(
    workspace: Make, remote: str, field: str, old: str, new: str
) -> None:
    kb = workspace(remote)
    pages(kb, 3)
    release(kb)
    toml = remote.replace(f"{field} = {old}", f"{field} = {new}")

    with reopened(kb, toml) as other:
        with pytest.raises(ContractError) as raised:
            other.search("item1")
        other.publish(other.build().id)
        rebuilt = other.search("item1")

    assert raised.value.field == field
    assert [str(raised.value.built_with), str(raised.value.found)] == [old.strip('"'), new.strip('"')]
    assert rebuilt.chunks


# --- releases


def test_rollback_goes_back_one_publish_at_a_time_to_the_same_answers(workspace: Make) -> None:
    kb = workspace(LSA)
    live, answers = [], []
    for number in range(3):
        write(kb, f"{number}.md", f"Page {number} tells of the moon.")
        live.append(release(kb))
        answers.append(told(kb.ask("Which page tells of the moon?")))

    back = [kb.rollback().generation, kb.rollback().generation]
    at_the_first = told(kb.ask("Which page tells of the moon?"))
    with pytest.raises(GenerationError, match="no earlier generation"):
        kb.rollback()
    kb.publish(live[2][:10])

    assert back == [live[1], live[0]]
    assert at_the_first == answers[0]
    assert told(kb.ask("Which page tells of the moon?")) == answers[2]
    assert kb.rollback().generation == live[0]
    assert [change.action for change in kb.alias_history()] == [
        *["publish"] * 3,
        *["rollback"] * 2,
        "publish",
        "rollback",
    ]
    assert [row.id for row in kb.generations()] == live


def test_a_handle_that_was_open_all_along_answers_from_what_is_live_now(workspace: Make) -> None:
    kb = workspace(LSA)
    write(kb, "a.md", "The moon is full.")
    first = release(kb)
    with reopened(kb) as other:
        assert other.search("moon").generation == first
        write(kb, "b.md", "The moon is new.")
        second = release(kb)
        assert other.search("moon").generation == second
        kb.rollback()
        assert other.search("moon").generation == first


# --- versions


OLD = "---\nid: refund-2\nfamily: refund\nversion: '2'\neffective_to: 2025-01-01\n---\nThe refund window is 30 days.\n"
NEW = (
    "---\nid: refund-3\nfamily: refund\nversion: '3'\neffective_from: 2025-01-01\n---\nThe refund window is 45 days.\n"
)


@pytest.mark.parametrize(
    ("day", "version", "days"),
    [(date(2024, 12, 31), "2", 30), (date(2025, 1, 1), "3", 45), (None, "3", 45), (date(2030, 1, 1), "3", 45)],
)
def test_as_of_answers_from_the_version_in_force_that_day_and_cites_it(
    workspace: Make, day: date | None, version: str, days: int
) -> None:
    kb = workspace(HISTORY)
    write(kb, "old.md", OLD)
    write(kb, "new.md", NEW)
    pages(kb, 3)
    release(kb)

    (claim,) = kb.ask("What is the refund window?", as_of=day).answer.claims

    (citation,) = claim.citations
    assert claim.text == f"The refund window is {days} days."
    assert (citation.version, citation.status) == (version, "verified")
    assert citation.key == kb.show(citation.document, version=version).key


def test_a_replaced_revision_answers_as_of_the_days_before_it_was_replaced(workspace: Make) -> None:
    kb = workspace(HISTORY)
    write(kb, "refund.md", "The refund window is 30 days.")
    pages(kb, 3)
    with evidex.open(kb.root, now=lambda: NOON.replace(month=1)) as early:
        early.ingest(kb.root / "docs")
    for days in (35, 40, 45):  # the first two of which were in force for no whole day
        write(kb, "refund.md", f"The refund window is {days} days.")
        kb.ingest(kb.root / "docs")
    release(kb)

    was = kb.ask("What is the refund window?", as_of=date(2026, 5, 31)).answer
    now = kb.ask("What is the refund window?", as_of=date(2026, 6, 1)).answer

    assert (was.text, now.text) == ("The refund window is 30 days.", "The refund window is 45 days.")
    assert was.claims[0].citations[0].key != now.claims[0].citations[0].key


def test_an_earlier_day_without_history_is_an_error_and_never_a_wrong_answer(workspace: Make) -> None:
    kb = workspace(LSA)
    write(kb, "old.md", OLD)
    write(kb, "new.md", NEW)
    release(kb)

    with pytest.raises(GenerationError, match=r"2024-12-31.*index\.history"):
        kb.ask("What is the refund window?", as_of=date(2024, 12, 31))
    assert kb.ask("What is the refund window?", as_of=kb.today).answer.text == "The refund window is 45 days."


def test_show_takes_the_version_in_force_unless_one_is_named(workspace: Make) -> None:
    kb = workspace(HISTORY)
    write(kb, "1.md", "---\nid: plan\nversion: '1'\neffective_to: 2026-01-01\n---\nPlan one.\n")
    write(
        kb,
        "2.md",
        "---\nid: plan\nversion: '2'\neffective_from: 2026-01-01\neffective_to: 2027-01-01\n---\nPlan two.\n",
    )
    write(kb, "3.md", "---\nid: plan\nversion: '3'\neffective_from: 2027-01-01\n---\nPlan three.\n")
    for number in "123":
        kb.ingest(kb.root / "docs" / f"{number}.md")

    assert kb.show("plan").metadata.version == "2"
    assert kb.show("plan", version="1").text.strip() == "Plan one."
    assert kb.show("plan", version="3").text.strip() == "Plan three."
    with pytest.raises(ConfigError, match="'plan', version '4'"):
        kb.show("plan", version="4")


# --- readers


def test_a_reader_sees_their_documents_and_no_others_by_any_way(workspace: Make) -> None:
    kb = workspace(
        f'{LSA}[access.users.ann]\ngroups = ["hr"]\n[access.users.cleo]\ntenant = "south"\ngroups = ["hr"]\n'
    )
    write(kb, "salaries.md", "---\nid: salaries\nreaders: [hr]\n---\nA salary band is reviewed every March.\n")
    write(kb, "own.md", "---\nid: own\nreaders: ['user:ann']\n---\nThe salary of Ann is secret.\n")
    pages(kb, 3)
    release(kb)

    ann, nobody, cleo = (candidates(kb, "salary", user=user) for user in ("ann", None, "cleo"))

    assert ann["sparse"] == {"salaries", "own"}
    assert nobody == cleo | nobody and {"salaries", "own"}.isdisjoint(set().union(*nobody.values()))
    assert {"salaries", "own"} <= {record.id for record in kb.documents(user="ann")}
    assert kb.show("own", user="ann").text.startswith("The salary of Ann")
    for user, tenant in (("cleo", None), (None, "default"), (None, "south")):
        with pytest.raises(ConfigError, match="There is no document 'salaries'"):
            kb.show("salaries", user=user, tenant=tenant)


def test_in_an_open_workspace_only_who_asks_without_a_name_reads_everything(workspace: Make) -> None:
    kb = workspace(f'{LSA}[access]\nmode = "open"\n[access.users.bob]\n')
    write(kb, "salaries.md", "---\nid: salaries\nreaders: [hr]\n---\nA salary band is reviewed every March.\n")
    pages(kb, 3)
    release(kb)

    assert candidates(kb, "salary band")["sparse"] == {"salaries"}
    assert "salaries" not in set().union(*candidates(kb, "salary band", user="bob").values())
    assert "salaries" not in set().union(*candidates(kb, "salary band", tenant="default").values())


# --- channels


def test_late_interaction_can_be_a_channel_of_its_own(workspace: Make) -> None:
    kb = workspace("[embedding]\nprovider = 'minilm'\n[retrieval]\nchannels = ['late']\n")
    pages(kb, 3)
    release(kb)

    ledger = kb.explain("what does page 2 tell of?").ledger

    assert {channel for candidate in ledger for channel, _ in candidate.ranks} >= {"late", "fused"}
    assert not {"sparse", "dense"} & {channel for candidate in ledger for channel, _ in candidate.ranks}


def test_a_channel_that_the_generation_lacks_is_an_error_that_says_what_to_set(workspace: Make) -> None:
    kb = workspace(f"{LSA}[retrieval]\nchannels = ['sparse', 'late']\n")
    pages(kb, 1)
    release(kb)

    with pytest.raises(ConfigError, match=r"'late'.*embedding\.provider to 'minilm'"):
        kb.search("page")


def test_a_workspace_without_vectors_misses_no_dense_channel(workspace: Make) -> None:
    kb = workspace("[embedding]\nprovider = 'none'\n[reranking]\nmethod = 'keep_order'\n")
    pages(kb, 3)
    release(kb)

    assert kb.search("item2").chunks[0].document == "docs/002.md"
