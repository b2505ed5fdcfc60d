"""A small knowledge base of a help desk, made of templates and a seed, with questions whose answers are known.

It holds what goes wrong in life: products that differ in one word and one number, versions of one policy, tables,
error codes of one shape, sentences that only their heading places, pages that few may read, and two tenants.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from evidex.types import Case, DocumentId, Evidence, Metadata, SourceItem

TODAY = date(2026, 6, 1)
"""The day on which the questions are asked."""

TENANT, OTHER_TENANT = "default", "north"
CLERK, CLERKS = "ada", "finance"
"""The user, and the group, who may read what others may not."""

_TURN = date(2026, 1, 1)

_PRODUCTS = (
    *("Harbor", "Lantern", "Meadow", "Quartz", "Falcon", "Juniper", "Cobalt", "Willow"),
    *("Ember", "Orchid", "Summit", "Breeze", "Marble", "Saffron", "Tundra", "Walnut"),
)


@dataclass(frozen=True, slots=True)
class _Topic:
    """One thing that every product has: how a guide says it, and how it is asked."""

    name: str
    sentence: str
    question: str
    follow_up: str


_TOPICS = (
    _Topic(
        "Uploads",
        "The upload limit of {product} is {number} megabytes for each and every file.",
        "What is the upload limit of {product}?",
        "And what is the upload limit there?",
    ),
    _Topic(
        "Retention",
        "Deleted records of {product} stay in the archive for {number} days before they are erased.",
        "For how many days do deleted records of {product} stay in the archive?",
        "And how many days do deleted records stay in its archive?",
    ),
    _Topic(
        "Sessions",
        "An idle session of {product} is closed after {number} minutes and has to be opened again.",
        "After how many minutes is an idle session of {product} closed?",
        "And after how many minutes is an idle session closed there?",
    ),
    _Topic(
        "Exports",
        "One spreadsheet export of {product} carries {number} thousand rows and never any more.",
        "How many thousand rows does one spreadsheet export of {product} carry?",
        "And how many thousand rows does one spreadsheet export carry there?",
    ),
)

_LEADS = (
    "Administrators usually begin here, because most of what follows depends on choices made on this page.",
    "Teams that have just arrived may skip this part and come back once their first project is running.",
    "Everything below holds in the browser, on telephones and in the programs that are installed.",
    "Whoever looks after a larger organisation should read this part together with a colleague.",
)

_OVERVIEW = (
    "{ask} And is it the same in every browser, on telephones, for guests and administrators, by day and by night?",
    "{ask} Who among the colleagues of the second shift could say so by heart, without opening any other page?",
    "{ask} Has anybody written that down in a place where newcomers, auditors and translators would look first?",
    "{ask} Where would a customer from abroad turn who wants to know, and who would be glad to give a reply?",
)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a source holds, and questions with their evidence, in the order of their ids."""

    items: tuple[SourceItem, ...]
    cases: tuple[Case, ...]


def knowledge(seed: int = 0) -> Knowledge:
    """The knowledge base of a seed: other seeds give other numbers, words and pairings."""
    chance = random.Random(seed)
    products = chance.sample(_PRODUCTS, len(_PRODUCTS))
    numbers = iter(chance.sample(range(101, 999), 400))
    pages = [
        *_guides(products, numbers, chance),
        *_overviews(),
        *_billing(products, numbers),
        *_prices(products, numbers),
        *_regions(products, numbers),
        *_warranties(products, numbers),
        *_error_codes(chance),
        *_reserves(products, numbers),
        *_northern(products, numbers),
    ]
    cases = [case for _, cases in pages for case in cases] + _unanswerable(products)
    return Knowledge(tuple(item for item, _ in pages), tuple(sorted(cases, key=lambda case: case.id)))


Page: TypeAlias = tuple[SourceItem, Sequence[Case]]


def page(text: str, metadata: Metadata) -> SourceItem:
    """A Markdown page as a source holds it."""
    named = replace(metadata, family=metadata.family or metadata.id)
    return SourceItem(f"docs/{metadata.tenant}/{metadata.id}-{metadata.version}.md", "markdown", text.encode(), named)


def _case(id: str, question: str, metadata: Metadata, quote: str, nugget: str) -> Case:
    return Case(
        id,
        question,
        (Evidence(metadata.id, version="" if metadata.version == "1" else metadata.version, quote=quote),),
        answerable=True,
        answer=quote,
        nuggets=(nugget,),
        category=id.rpartition("-")[0].split("-")[0],
        group=id,
    )


def _guides(products: Sequence[str], numbers: Iterator[int], chance: random.Random) -> Iterator[Page]:
    """Two topics a product, told below a sentence that says nothing; one is asked outright, the other in passing."""
    for place, product in enumerate(products):
        topics = (_TOPICS[place % 4], _TOPICS[(place + 1 + place // 4 % 3) % 4])
        metadata = Metadata(DocumentId(f"guide-{product.lower()}"), title=f"{product} guide", language="en")
        sections, cases = [], []
        for number, topic in enumerate(topics):
            amount = next(numbers)
            sentence = topic.sentence.format(product=product, number=amount)
            lead = chance.choice(_LEADS)
            sections.append(f"## {topic.name}\n\n{lead} {sentence} Whoever needs more than that asks the desk.\n")
            question = topic.question.format(product=product)
            case = _case(f"plain-{product.lower()}-{number}", question, metadata, sentence, f"{amount}")
            cases.append(case)
            if number == 1:
                history = (f"{topic.name} of {product}",)
                cases.append(_follow_up(case, topic, history))
        yield page(f"# {product} guide\n\n" + "\n".join(sections), metadata), cases


def _follow_up(case: Case, topic: _Topic, history: tuple[str, ...]) -> Case:
    id = case.id.replace("plain", "follow-up")
    return replace(case, id=id, question=topic.follow_up, history=history, category="follow-up")


def _overviews() -> Iterator[Page]:
    """Pages that begin with the very words of questions and answer none: what a hasty reader takes for evidence."""
    for topic in _TOPICS:
        for number, opening in enumerate(_OVERVIEW):
            ask = topic.question.format(product="a product")
            text = opening.format(ask=ask)
            id = DocumentId(f"overview-{topic.name.lower()}-{number}")
            metadata = Metadata(id, title=f"{topic.name} overview {number + 1}", language="en")
            yield page(f"# {metadata.title}\n\n{text}\n", metadata), ()


def _billing(products: Sequence[str], numbers: Iterator[int]) -> Iterator[Page]:
    """Sentences that are the same for every product and plan but for a number: the headings alone place them."""
    for product in products:
        metadata = Metadata(DocumentId(f"billing-{product.lower()}"), title=f"{product} billing", language="en")
        text, cases = [f"# {product} billing\n"], []
        for plan in ("Starter", "Enterprise"):
            amount = next(numbers)
            sentence = f"Invoices stay available for {amount} weeks after the contract has come to its end."
            text.append(f"## {plan} plan\n\n{sentence}\n")
            question = f"For how many weeks do invoices stay available on the {plan} plan of {product}?"
            cases.append(_case(f"heading-{product.lower()}-{plan.lower()}", question, metadata, sentence, f"{amount}"))
        yield page("\n".join(text), metadata), cases


def _prices(products: Sequence[str], numbers: Iterator[int]) -> Iterator[Page]:
    for product in products:
        metadata = Metadata(DocumentId(f"prices-{product.lower()}"), title=f"{product} prices", language="en")
        rows, cases = [], []
        for tier in ("Bronze", "Silver"):
            amount = next(numbers)
            row = f"| {tier} tier | {amount} euro | paid in advance |"
            rows.append(row)
            question = f"What is the yearly price of the {tier} tier of {product}?"
            cases.append(_case(f"table-{product.lower()}-{tier.lower()}", question, metadata, row, f"{amount}"))
        table = "\n".join(["| Tier | Yearly price | Payment |", "|---|---|---|", *rows])
        text = f"# {product} prices\n\nThe list was agreed with all resellers and changes once a year.\n\n{table}\n"
        yield page(text, metadata), cases


def _regions(products: Sequence[str], numbers: Iterator[int]) -> Iterator[Page]:
    """Answers of two facts."""
    for product in products:
        metadata = Metadata(DocumentId(f"delivery-{product.lower()}"), title=f"{product} delivery", language="en")
        first, second = next(numbers), next(numbers)
        sentences = (
            f"Spare parts of {product} are delivered to Europe by train in {first} hours.",
            f"Spare parts of {product} are delivered overseas on a container ship in {second} hours.",
        )
        text = f"# {product} delivery\n\n" + "\n\n".join(sentences) + "\n"
        yield (
            page(text, metadata),
            [
                Case(
                    f"two-facts-{product.lower()}",
                    f"In how many hours are spare parts of {product} delivered?",
                    tuple(Evidence(metadata.id, quote=sentence) for sentence in sentences),
                    answerable=True,
                    answer=" ".join(sentences),
                    nuggets=(f"{first}", f"{second}"),
                    category="two-facts",
                    group=f"two-facts-{product.lower()}",
                )
            ],
        )


def _warranties(products: Sequence[str], numbers: Iterator[int]) -> Iterator[Page]:
    """Two versions of one policy, which differ in a number; the first is no longer in force.

    Half of the policies keep their id from version to version, the others have an id for each; half of the evidence of
    the former names the version in which it stands.
    """
    for place, product in enumerate(products):
        family = f"warranty-{product.lower()}"
        for version, began, ended in (("1", None, _TURN), ("2", _TURN, None)):
            amount = next(numbers)
            metadata = Metadata(
                DocumentId(family if place % 2 else f"{family}-v{version}"),
                version=version,
                family=family,
                title=f"{product} warranty",
                language="en",
                effective_from=began,
                effective_to=ended,
            )
            sentence = f"The warranty of {product} covers broken parts for {amount} weeks from the day of purchase."
            question = f"For how many weeks does the warranty of {product} cover broken parts?"
            case = _case(f"version-{product.lower()}", question, metadata, sentence, f"{amount}")
            if place % 4 == 1:
                case = replace(case, evidence=(replace(case.evidence[0], version=""),))
            yield page(f"# {product} warranty\n\n{sentence}\n", metadata), [case] if ended is None else []


_DEVICES = ("printer", "scanner", "gateway", "terminal", "charger", "display", "sensor", "router")
_STATES = ("overheated", "unreachable", "misaligned", "outdated", "unpaired", "offline")


def _error_codes(chance: random.Random) -> Iterator[Page]:
    """Codes of one shape, each explained in the same words."""
    letters = chance.sample("BDEHKMQRTW", 8)
    codes = [f"{letter}{number}" for letter in letters for number in sorted(chance.sample(range(1000, 9999), 6))]
    for place, device in enumerate(_DEVICES):
        metadata = Metadata(DocumentId(f"codes-{device}"), title="Error codes", language="en")
        text, cases = ["# Error codes\n"], []
        for code, state in zip(codes[place * 6 : place * 6 + 6], _STATES, strict=True):
            sentence = f"The error {code} means that a {device} was found {state} and needs attention."
            text.append(f"## Error\n\n{sentence}\n")
            question = f"What does the error {code} mean?"
            cases.append(
                _case(f"identifier-{code.lower()}", question, metadata, sentence, f"{device} was found {state}")
            )
        yield page("\n".join(text), metadata), cases


def _reserves(products: Sequence[str], numbers: Iterator[int]) -> Iterator[Page]:
    """Pages for one group: answered for who belongs to it, withheld from everybody else."""
    for product in products:
        amount = next(numbers)
        metadata = Metadata(
            DocumentId(f"reserve-{product.lower()}"),
            title=f"{product} ledger",
            language="en",
            readers=frozenset({CLERKS}),
        )
        sentence = f"The confidential reserve budgeted for {product} amounts to {amount} euro in this fiscal period."
        question = f"To how many euro does the confidential reserve budgeted for {product} amount?"
        case = _case(f"restricted-{product.lower()}", question, metadata, sentence, f"{amount}")
        withheld = Case(
            f"withheld-{product.lower()}",
            question,
            answerable=False,
            withheld=(metadata.id,),
            category="withheld",
            group=case.group,
        )
        yield page(f"# {product} ledger\n\n{sentence}\n", metadata), [replace(case, user=CLERK), withheld]


def _northern(products: Sequence[str], numbers: Iterator[int]) -> Iterator[Page]:
    """The same products at another tenant, with other numbers."""
    for place, product in enumerate(products[:8]):
        topic, amount = _TOPICS[place % 4], next(numbers)
        metadata = Metadata(
            DocumentId(f"guide-{product.lower()}"), title=f"{product} guide", language="en", tenant=OTHER_TENANT
        )
        sentence = topic.sentence.format(product=product, number=amount)
        question = topic.question.format(product=product)
        case = _case(f"tenant-{product.lower()}", question, metadata, sentence, f"{amount}")
        yield (
            page(f"# {product} guide\n\n## {topic.name}\n\n{_LEADS[place % 4]} {sentence}\n", metadata),
            [replace(case, tenant=OTHER_TENANT)],
        )


def _unanswerable(products: Sequence[str]) -> list[Case]:
    asked = "Which astronaut christened the prototype spacecraft behind {product}?"
    return [
        Case(f"unanswerable-{p.lower()}", asked.format(product=p), answerable=False, category="unanswerable", group=p)
        for p in products
    ]
