"""Whatever is put in, there is one clear sentence and the right exit code, and nothing is lost or half taken in."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evidex.storage import checksums
from tests.commands import Done, evidex, evidex_process, python
from tests.endpoints import closed_port

Run = Callable[..., Done]
QUESTION = "Within how many days of purchase may a customer ask for a refund?"


@pytest.fixture
def unharmed(run_in: Run, kb: Path) -> Iterator[None]:
    """Whatever the test does, documents, answers and contexts are afterwards what they were."""
    settings = (kb / "evidex.toml").read_text("utf-8")
    before = [told(run_in, *words) for words in (("documents",), ("ask", QUESTION))]
    yield
    (kb / "evidex.toml").write_text(settings, "utf-8")
    assert [told(run_in, *words) for words in (("documents",), ("ask", QUESTION))] == before


def told(run_in: Run, *words: str) -> dict[str, object]:
    done = run_in(*words, "--json")
    assert done.code == 0
    return {name: value for name, value in done.json.items() if name not in ("trace_id", "generation")}


def configure(kb: Path, toml: str) -> None:
    (kb / "evidex.toml").write_text(toml, "utf-8")


# --- questions


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
@pytest.mark.parametrize("command", ["ask", "search", "explain"])
def test_an_empty_question_is_a_usage_error(run_in: Run, command: str, question: str) -> None:
    done = run_in(command, question)

    assert done.code == 2
    assert done.sentence == "The question is empty. Ask something."


@pytest.mark.parametrize("question", ["???", "\u200b", "…—!", "%s %(x)s {0} \\", "'; DROP TABLE documents; --"])
def test_a_question_without_words_is_withheld_and_no_error(run_in: Run, question: str) -> None:
    assert run_in("ask", question).code == 1
    assert run_in("search", question).code == 0


def test_a_question_of_a_hundred_thousand_characters_is_answered(run_in: Run) -> None:
    question = (f"{QUESTION} " * 2000)[:100_000]

    done = run_in("ask", question, "--json")

    assert (done.code, done.err) == (0, "")


def test_a_question_that_is_no_text_is_a_usage_error(kb: Path) -> None:
    done = evidex_process("ask", os.fsdecode(b"caf\xe9"), at=kb)

    assert done.code == 2
    assert done.sentence == r"'caf\udce9' is no text at character 3. Write it in UTF-8."


def test_more_results_than_there_are_documents_is_no_error(run_in: Run) -> None:
    assert run_in("search", "refund", "-k", "1000000").code == 0


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--as", "nobody"), 2, "There is no user 'nobody'. Name the user in evidex.toml: [access.users.nobody]"),
        (("--as", "ann", "--tenant", "other"), 2, "User 'ann' does not belong to tenant 'other'. Leave --tenant out."),
        (("--filter", "tag"), 2, "The filter 'tag' has no '='. Write it as FIELD=VALUE, for example tag=billing."),
        (("--filter", "colour=red"), 2, "Unknown filter 'colour' (='red'). Filters: document, family, language, tag."),
        (("--filter", "=red"), 2, "Unknown filter '' (='red'). Filters: document, family, language, tag."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_question_that_is_put_wrongly_is_a_usage_error(
    run_in: Run, words: tuple[str, ...], code: int, sentence: str
) -> None:
    done = run_in("ask", QUESTION, *words)

    assert (done.code, done.sentence) == (code, sentence)


def test_a_question_before_the_first_publish_says_what_is_missing(tmp_path: Path) -> None:
    evidex("init", at=tmp_path)
    (tmp_path / "a.md").write_text("Tea is served at four.", "utf-8")
    evidex("ingest", "a.md", at=tmp_path)

    for words in (("ask", "tea"), ("search", "tea"), ("explain", "tea")):
        done = evidex(*words, at=tmp_path)
        assert done.code == 3
        assert done.sentence == "No generation is published yet. Run 'evidex build' and 'evidex publish'."
    assert evidex("publish", at=tmp_path).sentence == "No generation was built yet. Run 'evidex build' first."


def test_an_earlier_day_without_history_says_which_setting_would_help(run_in: Run, kb: Path, unharmed: None) -> None:
    configure(kb, '[embedding]\nprovider = "lsa"\n')
    run_in("build")
    run_in("publish")

    done = run_in("ask", QUESTION, "--as-of", "2024-01-01")
    assert run_in("ask", QUESTION).code == 0
    run_in("rollback")

    assert done.code == 3
    assert "cannot answer as of 2024-01-01" in done.sentence and "index.history = true" in done.sentence


# --- documents


PDF_HEAD = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n"
ENCRYPTED_PDF = (
    PDF_HEAD
    + b"3 0 obj\n<< /Filter /Standard /V 1 /R 2 /P -44 /O <%s> /U <%s> >>\nendobj\n" % (b"28" * 32, b"29" * 32)
    + b"trailer\n<< /Root 1 0 R /Encrypt 3 0 R /ID [<00> <00>] /Size 4 >>\nstartxref\n0\n%%EOF\n"
)
BOMB = "---\na: &a [x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b]\nreaders: *c\n---\nBoom.\n"
BAD_FILES = {
    "junk.md": (bytes(range(256)) * 4, "The content is not text: it has a NUL byte at offset 0."),
    "latin.md": ("Das Café schließt um fünf.".encode("latin-1"), "byte 0xe9 at offset 7 is out of place"),
    "blank.md": (b" \n\t\n", "The text is empty."),
    "encrypted.pdf": (ENCRYPTED_PDF, "The PDF is encrypted."),
    "truncated.pdf": (PDF_HEAD, "The PDF is damaged: it is cut off"),
    "bomb.md": (BOMB.encode(), "anchors and aliases are not allowed"),
    "deep.md": (b"---\nid: " + b"[" * 30_000 + b"\n---\nDeep.\n", "it is nested too deeply"),
    "endless.md": (b"---\nid: " + b"x" * 100_000, "does not end within 65536 bytes"),
    "twice.md": (b"---\nid: a\nid: b\n---\nTwice.\n", "key 'id' is given twice"),
    "bell.md": (b'---\nid: "a\\ab"\n---\nBell.\n', r"sets 'id' to 'a\x07b'"),
    "lines.md": (b'---\nid: "a\\nb"\n---\nLines.\n', "without control characters"),
    "long.md": (b"---\nid: " + b"x" * 501 + b"\n---\nLong.\n", "one line of 1 to 500 characters"),
    "open.md": (b"---\nreaders: []\n---\nReaders of nothing.\n", "sets 'readers' to []"),
    "reader.md": (b"---\nreader: hr\n---\nMisspelt.\n", "Write 'readers'"),
    "never.md": (
        b"---\neffective_from: 2025-01-02\neffective_to: 2025-01-01\n---\nNever.\n",
        "is not after effective_from",
    ),
    "strange.xyz": (b"What is this?", "not a document format evidex reads: '.xyz'"),
}


def test_an_empty_folder_is_no_error_and_an_empty_generation_answers_nothing(tmp_path: Path) -> None:
    evidex("init", at=tmp_path)
    (tmp_path / "docs").mkdir()

    assert evidex("ingest", "docs", at=tmp_path).out == "Nothing there to ingest.\n"
    assert evidex("build", at=tmp_path).code == 0
    assert evidex("publish", at=tmp_path).code == 0
    assert evidex("ask", "tea", at=tmp_path).code == 1
    assert evidex("search", "tea", at=tmp_path).out == "Nothing found.\n"
    assert evidex("doctor", at=tmp_path).code == 1


def test_a_path_that_is_not_there_is_an_error_and_changes_nothing(run_in: Run, unharmed: None) -> None:
    done = run_in("ingest", "docs", "nowhere", "--sync")

    assert done.code == 3
    assert "nowhere" in done.sentence


def test_every_file_that_cannot_be_used_is_a_row_and_the_rest_goes_on(run_in: Run, kb: Path, unharmed: None) -> None:
    (kb / "bad").mkdir()
    for name, (content, _) in BAD_FILES.items():
        (kb / "bad" / name).write_bytes(content)
    (kb / "bad" / "good.md").write_text("The marmot whistles.", "utf-8")

    done = run_in("ingest", "bad", "--json")
    rows = {Path(row["locator"]).name: row for row in done.json["rows"]}

    assert done.code == 0
    assert {name for name, row in rows.items() if row["outcome"] == "added"} == {"good.md"}
    for name, (_, reason) in BAD_FILES.items():
        assert rows[name]["outcome"] == "failed"
        assert reason in rows[name]["reason"], name
        assert "\n" not in rows[name]["reason"]
    run_in("build")
    run_in("publish")
    assert "whistles" in run_in("ask", "What does the marmot do?").out
    (kb / "bad" / "good.md").unlink()
    run_in("ingest", "bad", "--sync")


def test_a_revision_that_cannot_be_read_leaves_the_one_before_in_force(run_in: Run, kb: Path, unharmed: None) -> None:
    (kb / "docs" / "refund-3.md").write_bytes(b"\x00\x01\x02")

    run_in("ingest", "docs", "--sync")
    run_in("build")
    run_in("publish")

    assert "Not taken in: docs/refund-3.md" in run_in("doctor").out


def test_a_link_out_of_the_folder_is_not_followed(run_in: Run, kb: Path, tmp_path: Path, unharmed: None) -> None:
    (tmp_path / "secret.md").write_text("The password is swordfish.", "utf-8")
    (kb / "docs" / "link.md").symlink_to(tmp_path / "secret.md")
    (kb / "docs" / "lost.md").symlink_to(tmp_path / "nowhere.md")
    (kb / "docs" / "around.md").symlink_to("around.md")
    (kb / "docs" / "up").symlink_to(tmp_path)

    rows = {row["locator"]: row for row in run_in("ingest", "docs", "--json").json["rows"]}
    run_in("build")
    run_in("publish")

    assert {name.rpartition("/")[2] for name, row in rows.items() if row["outcome"] == "failed"} == {
        *("link.md", "lost.md", "around.md", "up")
    }
    assert "swordfish" not in run_in("search", "password swordfish").out


def test_a_pipe_among_the_files_is_not_waited_for(run_in: Run, kb: Path, unharmed: None) -> None:
    os.mkfifo(kb / "docs" / "pipe.md")

    rows = {row["locator"]: row for row in run_in("ingest", "docs", "--json").json["rows"]}

    assert rows["docs/pipe.md"]["reason"] == "It is not a regular file. Leave it out."


@pytest.mark.parametrize(
    "id", ["../../../etc/passwd", "/etc/passwd", "..", ".", "a\\b", "C:\\x", "%2e%2e", "con", "-rf"]
)
def test_an_id_is_a_name_and_never_a_path(run_in: Run, kb: Path, id: str) -> None:
    (kb / "docs" / "named.md").write_text(f"---\nid: '{id}'\n---\nThe marmot whistles.\n", "utf-8")
    outside = checksums(kb.parent / "kb" / "docs")

    for words in (("ingest", "docs"), ("build",), ("publish",)):
        assert run_in(*words).code == 0

    assert "marmot" in run_in("show", "--", id).out
    assert "“The marmot whistles.”" in run_in("ask", "What does the marmot do?").out
    assert sorted(path.name for path in kb.parent.iterdir()) == ["kb"]
    assert checksums(kb.parent / "kb" / "docs") == outside


# --- settings, extras, endpoints


@pytest.mark.parametrize(
    ("toml", "named"),
    [
        ("[embeding]\n", "'embeding'"),
        ("[embedding]\nwidht = 3\n", "'embedding.widht'"),
        ("[embedding]\nwidth = 'wide'\n", "'embedding.width'"),
        ("[embedding]\nwidth = 0\n", "'embedding.width'"),
        ("[embedding\n", "not valid TOML"),
        ("\xff", "not valid TOML"),
        ("[access.users.bob]\ngroup = ['hr']\n", "'access.users.bob.group'"),
    ],
)
def test_a_setting_that_is_wrong_is_named(run_in: Run, kb: Path, unharmed: None, toml: str, named: str) -> None:
    (kb / "evidex.toml").write_bytes(toml.encode("latin-1"))

    for words in (("ask", QUESTION), ("build",), ("doctor",), ("config", "show")):
        done = run_in(*words)
        assert done.code == 2
        assert named in done.sentence


@pytest.mark.parametrize(
    ("section", "key", "group"),
    [("embedding", "provider", "embedder"), ("chunking", "strategy", "chunker")],
)
def test_a_part_that_is_not_installed_is_named_with_those_that_are(
    run_in: Run, kb: Path, unharmed: None, section: str, key: str, group: str
) -> None:
    configure(kb, f'[{section}]\n{key} = "nonsense"\n')

    done = run_in("build")

    assert done.code == 2
    assert done.sentence.startswith(f"No {group} is called 'nonsense'. Installed: ")


@pytest.mark.parametrize(
    ("section", "values", "library", "extra"),
    [
        ("embedding", 'provider = "minilm"', "onnxruntime", "local"),
        ("embedding", 'provider = "static"', "safetensors.numpy", "static"),
        ("embedding", 'provider = "openai"\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"', "httpx", "remote"),
    ],
)
def test_an_extra_that_is_missing_is_named(
    run_in: Run, kb: Path, unharmed: None, section: str, values: str, library: str, extra: str
) -> None:
    configure(kb, f"[{section}]\n{values}\n")

    done = without(library, kb, "build")

    assert done.code == 2
    assert done.sentence.endswith(f"Install it: pip install 'evidex[{extra}]'")


def test_without_the_pdf_extra_a_pdf_is_a_row_that_names_it(kb: Path) -> None:
    (kb / "docs" / "a.pdf").write_bytes(PDF_HEAD + b"%%EOF")

    done = without("pypdfium2", kb, "ingest", "docs")

    assert done.code == 0
    assert "pip install 'evidex[pdf]'" in done.out
    assert done.out.endswith("1 failed, 4 unchanged\n")


def without(library: str, kb: Path, *words: str) -> Done:
    """Run a command where a library cannot be imported."""
    script = "import sys; sys.modules[sys.argv.pop(1)] = None; from evidex.cli.main import run; run()"
    process = python(script, library, *words, at=kb)
    out, err = process.communicate()
    return Done(process.returncode, out, err)


def test_an_embedding_endpoint_that_is_not_there_leaves_the_published_generation(
    run_in: Run, kb: Path, unharmed: None
) -> None:
    url = f"http://127.0.0.1:{closed_port()}/v1"
    generations = sorted(path.name for path in (kb / ".evidex" / "generations").iterdir())
    configure(kb, f'[embedding]\nprovider = "openai"\nbase_url = "{url}"\nmodel = "m"\n')

    done = run_in("build")

    assert done.code == 3
    assert url in done.sentence and "embedding.base_url" in done.sentence
    assert sorted(path.name for path in (kb / ".evidex" / "generations").iterdir()) == generations


def test_a_chat_endpoint_that_is_not_there_is_named(run_in: Run, kb: Path, unharmed: None) -> None:
    url = f"http://127.0.0.1:{closed_port()}/v1"
    text = (kb / "evidex.toml").read_text("utf-8")
    configure(kb, f'{text}\n[answering]\nmethod = "chat"\nbase_url = "{url}"\nmodel = "m"\nretries = 0\n')

    asked = run_in("ask", QUESTION)
    searched = run_in("search", QUESTION)

    assert asked.code == 3
    assert url in asked.sentence
    assert searched.code == 0


# --- damage


def test_a_missing_generation_is_built_again(run_in: Run, kb: Path, unharmed: None) -> None:
    for generation in (kb / ".evidex" / "generations").iterdir():
        shutil.rmtree(generation)

    asked, published, doctored = run_in("ask", QUESTION), run_in("publish"), run_in("doctor")
    run_in("build")

    assert (asked.code, published.code, doctored.code) == (3, 3, 1)
    assert "manifest.json" in asked.sentence and "manifest.json" in published.sentence


def test_every_damaged_file_of_a_generation_is_named_and_a_build_mends_it(
    run_in: Run, kb: Path, unharmed: None
) -> None:
    live = next(row["id"] for row in run_in("generations", "--json").json["generations"] if row["aliases"])
    folder = kb / ".evidex" / "generations" / live
    whole = checksums(folder)
    for name in whole:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content + b"\0")
        asked, doctored = run_in("ask", QUESTION), run_in("doctor")
        (folder / name).write_bytes(content)

        assert (asked.code, doctored.code) == (3, 1)
        assert Path(name).name in asked.sentence and name in doctored.out
    (folder / "sparse" / "part.json").write_bytes(b"")
    run_in("build")

    assert checksums(folder) == whole


@pytest.mark.parametrize(
    "name", ["chunks/ids", "chunks/texts", "chunks/sections-offsets", "documents/records", "documents/origin-offsets"]
)
def test_bytes_that_changed_in_their_place_are_one_sentence_or_do_not_matter(
    run_in: Run, kb: Path, unharmed: None, name: str
) -> None:
    files = list((kb / ".evidex" / "generations").glob(f"*/{name}.bin"))
    contents = [file.read_bytes() for file in files]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(bytes(255 - byte for byte in content))

    asked = run_in("ask", QUESTION)
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)

    if asked.code == 0:
        assert asked.out.split("\ntrace ")[0] == run_in("ask", QUESTION).out.split("\ntrace ")[0]
    else:
        assert asked.code == 3
        assert name.rpartition("/")[2].removesuffix("-offsets") in asked.sentence


@pytest.mark.parametrize("damage", ["head", "middle", "cut"])
def test_a_damaged_catalog_is_said_to_be_so_and_never_begun_again(run_in: Run, kb: Path, damage: str) -> None:
    file = kb / ".evidex" / "catalog.db"
    content = file.read_bytes()
    broken = {
        "head": b"nonsense" * 10 + content[80:],
        "middle": content[:4096] + b"\xaa" * (len(content) - 4096),
        "cut": content[:5000],
    }[damage]
    for words in (("ask", QUESTION), ("documents",), ("ingest", "docs"), ("build",), ("doctor",)):
        file.write_bytes(broken)
        done = run_in(*words)
        assert done.code == 3
        assert "catalog.db' is damaged" in done.sentence
        assert file.read_bytes() == broken

    file.write_bytes(content)
    assert run_in("ask", QUESTION).code == 0


def test_damaged_traces_are_begun_again_and_cost_no_answer(run_in: Run, kb: Path, unharmed: None) -> None:
    (kb / ".evidex" / "traces.db").write_bytes(b"nonsense" * 100)

    asked = run_in("ask", QUESTION, "--json")

    assert asked.code == 0
    assert run_in("explain", "--trace", asked.json["trace_id"]).code == 0


def test_a_damaged_vector_cache_costs_no_build(run_in: Run, kb: Path, unharmed: None) -> None:
    whole = {path.name: checksums(path) for path in (kb / ".evidex" / "generations").iterdir()}
    (kb / ".evidex" / "vectors.db").write_bytes(b"nonsense" * 100)
    for generation in (kb / ".evidex" / "generations").iterdir():
        shutil.rmtree(generation)

    assert run_in("build").code == 0
    for generation in (kb / ".evidex" / "generations").iterdir():
        assert checksums(generation) == whole[generation.name]


# --- at once


def test_of_two_ingests_at_once_the_second_waits_and_nothing_is_lost(run_in: Run, kb: Path) -> None:
    for folder in ("one", "two"):
        (kb / folder).mkdir()
        for number in range(20):
            (kb / folder / f"{number}.md").write_text(f"Page {number} of {folder}.", "utf-8")
    script = "from evidex.cli.main import run; run()"

    both = [python(script, "ingest", folder, at=kb) for folder in ("one", "two")]
    told = [process.communicate() for process in both]

    assert [process.returncode for process in both] == [0, 0]
    assert [(out.splitlines()[0], err) for out, err in told] == [("20 added", "")] * 2
    assert len(run_in("documents", "--json").json["documents"]) == 4 + 20 + 20


def test_a_command_that_waited_in_vain_says_so_and_can_be_repeated(run_in: Run, kb: Path) -> None:
    script = (
        "import evidex\n"
        "with evidex.open() as kb:\n"
        "    kb.ingest('docs', progress=lambda read: read == 1 and (print('reading', flush=True), input()))\n"
    )
    (kb / "docs" / "tea.md").write_text("Tea is served at four.", "utf-8")
    with python(script, at=kb) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "reading\n"
        second = run_in("ingest", "docs")
        answered = run_in("ask", QUESTION)
        first.communicate("\n")

    assert second.code == 3
    assert "Another process is writing" in second.sentence and "repeat" in second.sentence
    assert answered.code == 0
    assert first.returncode == 0
    assert run_in("ingest", "docs").out == "5 unchanged\n"


def test_a_new_workspace_may_be_opened_by_several_processes_at_once(tmp_path: Path) -> None:
    (tmp_path / "evidex.toml").write_text("", "utf-8")
    script = "import evidex\ninput()\nwith evidex.open() as kb:\n    print(len(kb.documents()))\n"

    several = [python(script, at=tmp_path) for _ in range(3)]
    for process in several:
        assert process.stdin is not None
        process.stdin.write("\n")
    told = [process.communicate() for process in several]

    assert told == [("0\n", "")] * 3


# --- a full disk


def test_a_disk_that_takes_no_more_loses_nothing(run_in: Run, kb: Path, unharmed: None) -> None:
    (kb / "more").mkdir()
    (kb / "more" / "big.md").write_text("The walrus naps in the bay. " * 20_000, "utf-8")

    ingested = limited(kb, 100, "ingest", "more")
    answered = limited(kb, 100, "ask", QUESTION)
    nothing_taken_in = run_in("search", "walrus").out
    run_in("ingest", "more")
    built = limited(kb, 100, "build")
    leftovers = list((kb / ".evidex" / "generations").glob(".*"))
    run_in("build")
    run_in("publish")
    mended = run_in("search", "walrus").out
    shutil.rmtree(kb / "more")
    (kb / "more").mkdir()
    run_in("ingest", "more", "--sync")

    assert (ingested.code, answered.code, built.code) == (3, 0, 3)
    assert "Nothing that was published is affected" in ingested.sentence
    assert "Nothing that was published is affected" in built.sentence
    assert "walrus" not in nothing_taken_in and "walrus" in mended
    assert leftovers == []


def limited(kb: Path, kilobytes: int, *words: str) -> Done:
    """Run a command that may write no file beyond a size: without privileges, the nearest to a disk that is full."""
    script = (
        "import resource, sys\n"
        "size = int(sys.argv.pop(1)) * 1024\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
        "from evidex.cli.main import run\n"
        "run()\n"
    )
    process = python(script, str(kilobytes), *words, at=kb)
    out, err = process.communicate()
    return Done(process.returncode, out, err)


def test_on_a_disk_without_a_free_block_there_is_one_sentence_and_afterwards_everything(
    published: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("no file system may be mounted here")
    try:
        kb = shutil.copytree(published, disk / "kb")
        (kb / "docs" / "tea.md").write_text("Tea is served at four.", "utf-8")
        filling = kb.parent / "filling"
        with pytest.raises(OSError, match="No space left"), filling.open("wb", buffering=0) as stream:
            while True:
                stream.write(b"x" * 512)
        for words in (("ingest", "docs"), ("build",), ("ask", QUESTION)):
            done = evidex(*words, at=kb)
            assert done.code == 3
            assert "Nothing that was published is affected" in done.sentence
        filling.unlink()
        assert "45 days" in evidex("ask", QUESTION, at=kb).out
        assert evidex("ingest", "docs", at=kb).out.startswith("1 added, 4 unchanged\n")
    finally:
        subprocess.run(["umount", str(disk)], check=True)
