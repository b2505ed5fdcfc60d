"""One workspace: a folder with `evidex.toml`, and all that can be done with it from Python.

kb = evidex.open("kb")
kb.ingest("docs", sync=True)
kb.publish(kb.build().id)
print(kb.ask("What is the refund window in the United States?").answer.text)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

from filelock import FileLock, Timeout

from evidex.assembly import InstalledParsers, OpenedGeneration, build_parts, open_generation, sources, unbuilt
from evidex.catalog.catalog import LIVE, AliasChange, Catalog, GenerationRow, Record
from evidex.catalog.ingest import IngestReport, ingest
from evidex.catalog.runs import RunRecord, RunStore
from evidex.catalog.texts import load_document
from evidex.catalog.traces import TraceStore
from evidex.config import FILE_NAME, Settings, read_settings
from evidex.diagnosis.diagnose import diagnose
from evidex.diagnosis.verdict import CaseVerdict, Diagnosis
from evidex.diagnosis.why import why
from evidex.doctor import Finding, examine
from evidex.drawing import Subject, close_up, draw
from evidex.encoding import as_json
from evidex.errors import AccessError, ConfigError, EvidexError, GenerationError
from evidex.evaluating import (
    Estimate,
    GoldenCheck,
    Sweep,
    check_golden,
    estimate,
    evaluate,
    plan_of,
    report_on,
    sweep,
)
from evidex.evaluation.check import check_against
from evidex.evaluation.comparing import RunComparison, compare_reports
from evidex.evaluation.golden import GoldenSet, read_golden, select
from evidex.evaluation.page import lost_first, page
from evidex.evaluation.proposals import add_proposal, confirm, propose
from evidex.evaluation.report import Report
from evidex.evaluation.run import Plan as RunPlan
from evidex.evaluation.run import Route
from evidex.evaluation.trec import write_run
from evidex.index.build import BuildReport, Progress, build, silent
from evidex.index.layout import verify
from evidex.index.planner import Plan
from evidex.judging import System
from evidex.new_workspace import STATE
from evidex.planning import plan_generation
from evidex.plots.catalogue import PICTURES, for_page
from evidex.plots.saving import format_of, save
from evidex.query.ask import ask, search
from evidex.storage import Folder, digest_of
from evidex.system import system_of
from evidex.threads import one_blas_thread
from evidex.trace import Candidate, Trace
from evidex.types import Answer, Case, Chunk, Context, Document, DocumentId, Evidence, GenerationId, Principal, Question

_WAIT_SECONDS = 5


class Asking(TypedDict, total=False):
    """On whose behalf, and within what, a question is asked; every part may be left out.

    `user` and `tenant` say who asks, `history` holds their earlier questions, oldest first, `as_of` the day whose
    versions answer, and `filters` pairs of a field (`tag`, `language`, `family`, `document`) and its value.
    """

    user: str | None
    tenant: str | None
    history: Sequence[str]
    as_of: date | None
    filters: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found: chunks in their final order, with the ledger that holds every rank they had."""

    generation: GenerationId
    trace_id: str
    chunks: tuple[Chunk, ...]
    ledger: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class AskResult:
    """An answer or an abstention, with the context it was made from and the id of its trace."""

    generation: GenerationId
    trace_id: str
    answer: Answer
    context: Context


@dataclass(frozen=True, slots=True)
class Explanation:
    """A question's trace, its ledger, and what the stages knew of each document that was asked about."""

    trace_id: str
    trace: Trace
    ledger: tuple[Candidate, ...]
    answer: Answer | None
    why_not: tuple[tuple[DocumentId, tuple[tuple[str, str], ...]], ...]


def open(path: str | Path = ".", *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Workspace:
    """Open the workspace in `path` or the nearest folder above it. Raises `ConfigError` if there is none.

    `now` is the clock by which versions are in force; it gives times with a time zone.
    """
    start = Path(path).resolve()
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return Workspace(folder, read_settings(folder / FILE_NAME), now=now)
    raise ConfigError(f"There is no {FILE_NAME} in {str(start)!r} or above it.", "Run 'evidex init', or go there.")


class Workspace:
    """An opened workspace. Use it as a context manager, or call `close`, to let its files go.

    Several threads may ask it. From its first question until it is closed, BLAS runs on one thread in this process:
    the products of a question are too small to be shared out.
    """

    def __init__(self, root: Path, settings: Settings, *, now: Callable[[], datetime]) -> None:
        self.root = root
        self.settings = settings
        self._now = now
        self._state = Folder(root / STATE)
        self._generations = self._state.child("generations")
        self._catalog = Catalog(f"sqlite:///{self._state.path / 'catalog.db'}")
        self._traces = TraceStore(self._state.path / "traces.db")
        self._runs = RunStore(self._state.path / "runs.db")
        self._lock = FileLock(self._state.path / "lock", timeout=_WAIT_SECONDS)
        self._opened: OpenedGeneration | None = None
        self._asking = ExitStack()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the catalog and the opened generations go."""
        self._catalog.close()
        self._traces.close()
        self._runs.close()
        self._opened = None
        self._asking.close()

    # --- what comes in

    def ingest(self, *paths: str | Path, sync: bool = False, progress: Callable[[int], None] = silent) -> IngestReport:
        """Bring the catalog up to what files, folders, JSONL files or BEIR folders hold now.

        With `sync`, documents that vanished from below these paths are deleted, and nothing else.
        """
        roots = [Path(path).absolute() for path in paths]
        found = [sources(root, self.root, self.settings) for root in roots]
        with self._writing():
            return ingest(
                found,
                self._catalog,
                InstalledParsers(),
                home=self.root,
                today=self.today,
                sync_roots=[root.resolve() for root in roots] if sync else [],
                progress=progress,
            )

    # --- generations

    def build(self, *, progress: Progress = silent) -> BuildReport:
        """Build and seal the generation of the documents that are in force today."""
        with self._writing():
            parts = build_parts(self.settings, self._state.path)
            report = build(self._catalog, self._generations, parts, today=self.today, progress=progress)
            self._catalog.add_generation(
                report.id, built_at=self._timestamp(), documents=report.documents, chunks=report.chunks
            )
            return report

    def plan(
        self,
        generation: str | None = None,
        *,
        questions: str | Path | None = None,
        queries: int = 200,
        k: int = 10,
        target: float = 0.95,
        progress: Progress = silent,
    ) -> Plan:
        """Measure how small the vectors of a generation may be (the live one, or else the newest, unless named).

        It is asked with at most so many of its own passages, held out, or with the `questions` of a BEIR folder.
        """
        live = self._catalog.alias(LIVE)
        id = live if generation is None and live is not None else self._resolve(generation)
        folder = None if questions is None else Path(questions)
        with one_blas_thread(), self._reading(id):
            return plan_generation(
                self._generations.path / id,
                self.settings,
                questions=folder,
                queries=queries,
                k=k,
                target=target,
                progress=progress,
            )

    def publish(self, generation: str | None = None) -> AliasChange:
        """Point the alias `live` at a generation (the newest unless named by its id or the start of it)."""
        with self._writing():
            return self._move(self._resolve(generation), "publish")

    def rollback(self) -> AliasChange:
        """Point the alias `live` back at the generation it named before. Raises `GenerationError` if there is none."""
        with self._writing():
            published: list[GenerationId] = []
            for change in self._catalog.alias_history():
                if change.action == "rollback":
                    published.pop()
                elif change.generation not in published[-1:]:
                    published.append(change.generation)
            if len(published) < 2:
                raise GenerationError("There is no earlier generation to roll back to.", "Publish a second one first.")
            return self._move(published[-2], "rollback")

    def generations(self) -> tuple[GenerationRow, ...]:
        """Every generation that was built, oldest first."""
        return self._catalog.generations()

    def alias_history(self) -> tuple[AliasChange, ...]:
        """Every publish and rollback, oldest first."""
        return self._catalog.alias_history()

    # --- documents

    def documents(self, *, user: str | None = None, tenant: str | None = None) -> tuple[Record, ...]:
        """The revisions in the catalog that are not deleted: all of them, or those that a user may read."""
        records = [record for record in self._catalog.records() if record.state != "deleted"]
        if user is None and tenant is None:
            return tuple(records)
        principal = self.principal(user, tenant)
        return tuple(record for record in records if record.readable_by(principal))

    def show(
        self, document: str, *, version: str | None = None, user: str | None = None, tenant: str | None = None
    ) -> Document:
        """A document's text and structure: the newest revision in force, or the named version.

        Raises `ConfigError` when no such document is there or the user may not read it, in the same words.
        """
        found = [record for record in self.documents(user=user, tenant=tenant) if record.id == document]
        if version is not None:
            found = [record for record in found if record.metadata.version == version]
        if not found:
            which = f"document {document!r}" + (f", version {version!r}," if version else "")
            raise ConfigError(f"There is no {which} here.", "List what there is: evidex documents")
        today = self.today
        best = max(
            found, key=lambda r: (r.in_force(today), r.state == "current", r.metadata.effective_from or date.min)
        )
        return load_document(best, self._catalog, InstalledParsers())

    # --- questions

    def search(self, text: str, *, limit: int | None = None, **asking: Unpack[Asking]) -> SearchResult:
        """Find and rank the evidence for a question, as its asker may see it. `limit` is the most chunks to return."""
        if limit is not None and limit < 1:
            raise ConfigError(f"The limit is {limit}.", "Ask for at least 1 result.")
        generation, question = self._question(text, asking)
        trace = self._trace(generation, text)
        try:
            with self._reading(generation.id):
                found = search(question, generation.parts, trace)
                chunks = generation.parts.chunks.get(found.order[: limit or self.settings.reranking.limit])
        finally:
            trace_id = self._keep(trace)
        return SearchResult(generation.id, trace_id, tuple(chunks), trace.ledger())

    def ask(self, text: str, **asking: Unpack[Asking]) -> AskResult:
        """Answer a question with verified citations, or abstain with a reason."""
        generation, question = self._question(text, asking)
        trace = self._trace(generation, text)
        try:
            with self._reading(generation.id):
                reply = ask(question, generation.parts, trace)
        finally:
            trace_id = self._keep(trace)
        return AskResult(generation.id, trace_id, reply.answer, reply.context)

    def explain(self, text: str, *, why_not: Sequence[str] = (), **asking: Unpack[Asking]) -> Explanation:
        """Answer a question and tell what each stage kept; `why_not` names documents that one expected to see."""
        generation, question = self._question(text, asking)
        _require_text(*why_not)
        watch = frozenset(DocumentId(document) for document in why_not)
        trace = self._trace(generation, text, watch)
        try:
            with self._reading(generation.id):
                answer: Answer | None = ask(question, generation.parts, trace).answer
        finally:
            trace_id = self._keep(trace)
        reasons = tuple((document, trace.why_not(document)) for document in sorted(watch))
        return Explanation(trace_id, trace, trace.ledger(), answer, reasons)

    def recall(self, trace_id: str, *, why_not: Sequence[str] = ()) -> Explanation:
        """Explain a past question from its kept trace alone; the answer itself is not kept."""
        _require_text(trace_id, *why_not)
        trace = self._traces.get(trace_id)
        reasons = tuple((DocumentId(document), trace.why_not(DocumentId(document))) for document in why_not)
        return Explanation(trace_id, trace, trace.ledger(), None, reasons)

    # --- golden sets

    def check_golden(self, golden: str | Path) -> GoldenCheck:
        """What is wrong with a golden set beside the live generation, what has moved on, and what leaks."""
        found = read_golden(Path(golden))
        synonyms = self._live().parts.synonyms
        return check_golden(found, self.system(), synonyms.replacements, exercises=synonyms.exercised)

    def propose(
        self,
        golden: str | Path,
        trace_id: str,
        *,
        evidence: Sequence[Evidence],
        answer: str = "",
        split: str = "",
        category: str = "",
        group: str = "",
        note: str = "",
    ) -> Case:
        """Propose the question of a kept trace as a case of a golden file; without evidence, as an unanswerable one."""
        _require_text(trace_id, answer, split, category, group, note)
        case = propose(
            self._traces.get(trace_id),
            evidence=evidence,
            answerable=bool(evidence),
            answer=answer,
            split=split,
            category=category,
            group=group,
            note=note,
        )
        if problems := check_against(GoldenSet("proposed", (case,)), self.system()):
            raise ConfigError(problems[0], "Nothing was added.")
        add_proposal(Path(golden), case)
        return case

    def confirm(self, golden: str | Path, id: str, annotator: str) -> Case:
        """Move a proposed case into its golden file, with who confirms it."""
        _require_text(id, annotator)
        return confirm(Path(golden), id, annotator)

    # --- how good it is

    def system(self, generation: str | None = None) -> System:
        """What evaluation and diagnosis see of a generation (the live one unless named)."""
        opened = self._live() if generation is None else self._open(self._resolve(generation), self.settings)
        return self._system(opened)

    def unbuilt(self, generation: str | None = None) -> tuple[str, ...]:
        """Settings that wait for a build: what a generation (the live one unless named) was built with is another."""
        opened = self._live() if generation is None else self._open(self._resolve(generation), self.settings)
        return unbuilt(self.settings, opened.generation.manifest.inputs)

    def evaluate(
        self,
        golden: str | Path | GoldenSet,
        *,
        split: str = "",
        route: Route = "answer",
        measures: Sequence[str] = (),
        generation: str | None = None,
        progress: Progress = silent,
    ) -> Report:
        """Ask the questions of a golden set and measure what comes of each.

        `split` keeps to one of its splits; `route` "search" asks for no answers, and "whole-corpus" answers from all
        that an asker may see; `measures` are ids (`evaluation.measures`) in place of the whole panel. A run that was
        stopped goes on where it was, and one that is done is not repeated.
        """
        plan, system = self._planned(golden, split, route, measures, generation)
        with one_blas_thread(), self._reading(system.generation):
            return evaluate(plan, system, self._runs, at=self._timestamp(), progress=progress)

    def estimate(
        self,
        golden: str | Path | GoldenSet,
        *,
        split: str = "",
        route: Route = "answer",
        measures: Sequence[str] = (),
        generation: str | None = None,
    ) -> Estimate:
        """What `evaluate` with the same arguments would ask of models. Nothing is asked."""
        plan, _ = self._planned(golden, split, route, measures, generation)
        return estimate(plan, self.settings, self._runs)

    def runs(self) -> tuple[RunRecord, ...]:
        """Every evaluation run, oldest first."""
        return self._runs.runs()

    def report(self, run: str = "latest") -> Report:
        """The report on a run, by the start of its id. Raises `ConfigError` if it is unknown or not done."""
        return report_on(self._runs.find(run), self._runs)

    def compare(
        self,
        baseline: str,
        candidate: str = "latest",
        *,
        measures: Sequence[str] = (),
        margin: float = 0.01,
        rebaseline: bool = False,
    ) -> RunComparison:
        """Compare two runs over the same questions; a difference within `margin` is as good as none.

        Raises `ConfigError` for runs that cannot be compared; `rebaseline` lets those of different documents be.
        """
        one, other = self.report(baseline), self.report(candidate)
        if one.run == other.run:
            raise ConfigError(f"Run {one.run} cannot be compared with itself.", "Name another: evidex eval runs")
        return compare_reports(one, other, measures=measures, margin=margin, rebaseline=rebaseline)

    def write_page(self, path: Path, run: str = "latest", *, against: str | None = None) -> None:
        """Write the report on a run as one self-contained HTML page, compared with another run where one is named.

        Pictures are on it where the extra `plots` is installed; those of the index, and of one question whose evidence
        was lost, where generation, golden set and settings are still as they were.
        """
        record = self._runs.find(run)
        report = report_on(record, self._runs)
        baseline = None if against is None else self.report(against)
        comparison = None if against is None else self.compare(against, run)
        pictures = for_page(report, baseline=baseline) | self._close_up(record, report)
        text = page(report, comparison=comparison, baseline=baseline, pictures=pictures)
        Folder(path.parent).write(path.name, text.encode("utf-8"))

    def write_trec(self, path: Path, run: str = "latest") -> None:
        """Write the documents that a run found, best first and 100 at most a question, as a TREC run."""
        report = self.report(run)
        write_run(path, {row.case: row.documents for row in report.rows}, tag=f"evidex-{report.run[:8]}")

    def draw(
        self,
        name: str,
        path: Path,
        *,
        run: str | None = None,
        against: str | None = None,
        golden: str | Path | None = None,
        question: str = "",
        document: str = "",
        evidence: str = "",
        measure: str = "",
        page: int = 1,
        **asking: Unpack[Asking],
    ) -> None:
        """Draw a picture (`plots.catalogue.PICTURES`) into an .svg or .png file, from the live generation or a run.

        `run` (the newest unless named) and `against` are ids of runs; `golden` is a golden set; `question` and who asks
        it, `document` and words of it as `evidence` are for the pictures of those.
        """
        format_of(path)
        case = self._case("picture", question, asking)
        wanted = PICTURES[name].needs if name in PICTURES else ""
        subject = Subject(
            report=self.report(run or "latest") if wanted in {"run", "two runs"} else None,
            baseline=None if against is None else self.report(against),
            golden=None if golden is None else read_golden(Path(golden)),
            case=case,
            document=document,
            evidence=evidence,
            measure=measure,
            page=page,
        )
        opened = self._live()
        with self._reading(opened.id):
            save(draw(name, subject, self._system(opened), opened, self._catalog), path)

    def sweep(
        self,
        golden: str | Path | GoldenSet,
        varied: Mapping[str, Sequence[Any]],
        *,
        measure: str = "source:nDCG(lin)@10",
        route: Route = "search",
        progress: Progress = silent,
    ) -> Sweep:
        """Try every combination of values of settings on the dev split, building what each needs.

        What was built is removed again. The best choice is then tried on the cases of another split, once.
        """
        found = golden if isinstance(golden, GoldenSet) else read_golden(Path(golden))
        scratch = self._state.child("sweep")
        try:
            return sweep(
                self.settings,
                varied,
                lambda settings, split: self._tried(found, settings, split, scratch, measure, route, progress),
                golden=found,
                measure=measure,
                progress=progress,
            )
        finally:
            self._state.remove("sweep")

    def diagnose(
        self,
        golden: str | Path | GoldenSet,
        *,
        split: str = "",
        category: str = "",
        cases: Sequence[str] = (),
        confirm: bool = False,
        progress: Progress = silent,
    ) -> Diagnosis:
        """Ask the questions of a golden set and name, for each that failed, the first boundary that lost its evidence.

        With `confirm`, each verdict is tried by putting right what it names.
        """
        found = golden if isinstance(golden, GoldenSet) else read_golden(Path(golden))
        chosen = select(found, split or None, category=category or None, ids=tuple(cases))
        system = self.system()
        with one_blas_thread(), self._reading(system.generation):
            return diagnose(
                chosen.cases, system, confirm=confirm, progress=lambda done, whole: progress("diagnose", done, whole)
            )

    def why(
        self,
        text: str,
        expected: str,
        *,
        document: str | None = None,
        confirm: bool = False,
        **asking: Unpack[Asking],
    ) -> CaseVerdict:
        """Name the boundary that lost the words `expected` (of a document, where it is named) for one question."""
        _require_text(text, expected, *asking.get("history", ()))
        for what, said in (("question", text), ("expected quote", expected)):
            if not said.strip():
                raise ConfigError(
                    f"The {what} is empty.", "Say what was asked, and which words should be in the answer."
                )
        case = replace(self._case("why", text, asking), answerable=True)
        system = self.system()
        with one_blas_thread(), self._reading(system.generation):
            named = None if document is None else DocumentId(document)
            return why(case, expected, system, document=named, confirm=confirm)

    # --- health

    def doctor(self) -> tuple[Finding, ...]:
        """What is wrong with this workspace, the worst first; empty when nothing is."""
        return examine(self._catalog, self._generations.path, self.settings, root=self.root, today=self.today)

    @property
    def today(self) -> date:
        """The day by which versions are in force."""
        return self._now().date()

    def principal(self, user: str | None = None, tenant: str | None = None) -> Principal:
        """Who asks. Raises `AccessError` for a user that the settings do not name or that is of another tenant."""
        access = self.settings.access
        if user is None:
            everything = access.mode == "open" and tenant is None
            return Principal(tenant or access.default_tenant, everything=everything)
        if user not in access.users:
            raise AccessError(f"There is no user {user!r}.", f"Name the user in {FILE_NAME}: [access.users.{user}]")
        known = access.users[user]
        if tenant not in (None, known.tenant):
            raise AccessError(f"User {user!r} does not belong to tenant {tenant!r}.", "Leave --tenant out.")
        return Principal(known.tenant, user, frozenset(known.groups))

    # --- inside

    def _question(self, text: str, asking: Asking) -> tuple[OpenedGeneration, Question]:
        generation = self._live()
        return generation, self._question_to(generation, text, asking)

    def _question_to(self, generation: OpenedGeneration, text: str, asking: Asking) -> Question:
        history, filters, as_of = asking.get("history", ()), asking.get("filters", ()), asking.get("as_of")
        _require_text(text, *history, *(value for _, value in filters))
        principal = self.principal(asking.get("user"), asking.get("tenant"))
        if as_of not in (None, self.today) and not generation.history:
            raise GenerationError(
                f"Generation {generation.id[:12]} holds only what was in force when it was built; "
                f"it cannot answer as of {as_of}.",
                "Set index.history = true in evidex.toml, then build and publish.",
            )
        return Question(text, principal, tuple(history), as_of, tuple(filters))

    def _live(self) -> OpenedGeneration:
        id = self._catalog.alias(LIVE)
        if id is None:
            raise GenerationError("No generation is published yet.", "Run 'evidex build' and 'evidex publish'.")
        opened = self._opened
        if opened is None:
            self._asking.enter_context(one_blas_thread())
        if opened is None or opened.id != id:
            self._opened = opened = self._open(id, self.settings)
        return opened

    def _open(self, id: GenerationId, settings: Settings, folder: Folder | None = None) -> OpenedGeneration:
        path = (folder or self._generations).path / id
        with self._reading(id):
            return open_generation(path, settings, self._catalog, self.root, lambda: self.today)

    def _system(self, opened: OpenedGeneration) -> System:
        def question_of(case: Case) -> Question:
            asking = Asking(
                user=case.user, tenant=case.tenant, history=case.history, as_of=case.as_of, filters=case.filters
            )
            return self._question_to(opened, case.question, asking)

        return system_of(opened, self._catalog, question_of=question_of, today=lambda: self.today)

    def _case(self, id: str, text: str, asking: Asking) -> Case:
        return Case(
            id=id,
            question=text,
            history=tuple(asking.get("history", ())),
            user=asking.get("user"),
            tenant=asking.get("tenant"),
            as_of=asking.get("as_of"),
            filters=tuple(asking.get("filters", ())),
        )

    def _planned(
        self,
        golden: str | Path | GoldenSet,
        split: str,
        route: Route,
        measures: Sequence[str],
        generation: str | None,
    ) -> tuple[RunPlan, System]:
        found = golden if isinstance(golden, GoldenSet) else read_golden(Path(golden))
        system = self.system(generation)
        chosen = select(found, split or None)
        if problems := check_against(chosen, system):
            more = f" ({len(problems) - 1} more like it)" if len(problems) > 1 else ""
            raise ConfigError(f"{problems[0]}{more}", "See all: evidex golden check")
        return plan_of(chosen, system, split=split, catalog=self._standing(), route=route, ids=measures), system

    def _close_up(self, record: RunRecord, report: Report) -> dict[str, str]:
        """Pictures of what a run was asked of, and of a question that it lost; {} where it cannot be asked again."""
        identity, source = report.identity, record.head["source"]
        if not source or digest_of(self.settings.asking) != identity.settings:
            return {}
        try:
            opened = self._open(identity.generation, self.settings)
            golden = select(read_golden(Path(source)), identity.split or None)
        except EvidexError:
            return {}
        lost = lost_first(report) if golden.digest == identity.golden else None
        case = next((case for case in golden.cases if lost is not None and case.id == lost.case), None)
        with self._reading(opened.id):
            return close_up(case, self._system(opened), opened, self._catalog)

    def _tried(
        self,
        golden: GoldenSet,
        settings: Settings,
        split: str,
        scratch: Folder,
        measure: str,
        route: Route,
        progress: Progress,
    ) -> Report:
        with self._writing():
            built = build(
                self._catalog, scratch, build_parts(settings, self._state.path), today=self.today, progress=progress
            )
        system = self._system(self._open(built.id, settings, scratch))
        chosen = select(golden, split or None)
        plan = plan_of(chosen, system, split=split, catalog=self._standing(), route=route, ids=[measure])
        with one_blas_thread():
            return evaluate(plan, system, self._runs, at=self._timestamp(), progress=progress)

    def _standing(self) -> str:
        """The digest of which revisions there are, who may read them, and the day."""
        return digest_of([self.today.isoformat(), as_json(self._catalog.records())])

    def _trace(self, generation: OpenedGeneration, text: str, watch: frozenset[DocumentId] = frozenset()) -> Trace:
        return Trace(generation.id, text, settings=self.settings.digest, watch=watch)

    def _keep(self, trace: Trace) -> str:
        return self._traces.add(trace)

    def _move(self, to: GenerationId, action: Literal["publish", "rollback"]) -> AliasChange:
        if problems := verify(self._generations.path / to):
            raise GenerationError(f"Generation {to[:12]} cannot be published: {problems[0]}", "Run 'evidex build'.")
        self._catalog.move_alias(LIVE, to, action=action, at=self._timestamp())
        return self._catalog.alias_history()[-1]

    def _resolve(self, generation: str | None) -> GenerationId:
        rows = self._catalog.generations()
        if not rows:
            raise GenerationError("No generation was built yet.", "Run 'evidex build' first.")
        if generation is None:
            return rows[-1].id
        matching = [row.id for row in rows if row.id.startswith(generation)]
        if len(matching) != 1:
            found = "No generation starts" if not matching else f"{len(matching)} generations start"
            raise ConfigError(f"{found} with {generation!r}.", "List them: evidex generations")
        return matching[0]

    def _timestamp(self) -> str:
        return self._now().isoformat(timespec="seconds")

    @contextmanager
    def _reading(self, id: GenerationId) -> Iterator[None]:
        """Raises `GenerationError` that names the damaged file for whatever comes of reading one."""
        try:
            yield
        except EvidexError:
            raise
        except Exception as error:
            problems = verify(self._generations.path / id)
            if not problems:
                raise
            self._opened = None  # so that one built anew in its place is seen
            raise GenerationError(
                f"Generation {id[:12]} is damaged: {problems[0]}", "Run 'evidex build', or roll back."
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the lock under which the workspace is written. Raises `EvidexError` when another process has it."""
        try:
            self._lock.acquire()
        except Timeout:
            raise EvidexError(
                f"Another process is writing to the workspace {str(self.root)!r}.",
                "Wait until it is done, then repeat.",
            ) from None
        try:
            yield
        finally:
            self._lock.release()


def _require_text(*said: str) -> None:
    """Raises `ConfigError` for a text with half a surrogate pair, as arguments that are not UTF-8 come in."""
    for text in said:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ConfigError(f"{text!r} is no text at character {error.start}.", "Write it in UTF-8.") from None
