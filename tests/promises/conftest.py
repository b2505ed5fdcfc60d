"""A small library with tenants, readers, versions and retired pages, on which the promises are tested."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

import evidex
from evidex.types import DocumentId
from evidex.workspace import Workspace
from tests.conftest import NOON

TOML = """\
[embedding]
provider = "none"
[reranking]
method = "{reranking}"
[index]
history = true
[access.users.ann]
tenant = "north"
groups = ["hr"]
[access.users.bob]
tenant = "north"
[access.users.cleo]
tenant = "south"
groups = ["hr", "finance"]
"""

WORDS = (
    *("refund", "window", "days", "purchase", "invoice", "salary", "band", "travel"),
    *("report", "error", "E1492", "plan", "cancel", "annual", "money"),
)
USERS = ("ann", "bob", "cleo")


@dataclass(frozen=True)
class Page:
    """One page of the library and who may read it when."""

    id: DocumentId
    tenant: str
    readers: tuple[str, ...]
    begins: str
    ends: str
    retired: bool
    text: str

    def readable_by(self, user: str) -> bool:
        groups = {"ann": {"hr"}, "bob": set(), "cleo": {"hr", "finance"}}[user] | {"everyone", f"user:{user}"}
        tenant = {"ann": "north", "bob": "north", "cleo": "south"}[user]
        return self.tenant == tenant and bool(groups & set(self.readers))

    @property
    def file(self) -> str:
        lines = [f"id: {self.id}", f"tenant: {self.tenant}", f"readers: [{', '.join(self.readers)}]", "tags: [all]"]
        lines += [f"effective_from: {self.begins}"] if self.begins else []
        lines += [f"effective_to: {self.ends}"] if self.ends else []
        lines += ["status: retired"] if self.retired else []
        return "---\n" + "\n".join(lines) + f"\n---\n{self.text}\n"


def pages() -> tuple[Page, ...]:
    chance = random.Random(7)
    made = (_page(number, chance) for number in range(60))
    return tuple(page for page in made if not (page.begins == "2027-01-01" and page.ends == "2025-01-01"))


def _page(number: int, chance: random.Random) -> Page:
    return Page(
        id=DocumentId(f"page-{number:02}"),
        tenant=chance.choice(("north", "south")),
        readers=tuple(chance.sample(("everyone", "hr", "finance", "user:bob"), chance.randint(1, 2))),
        begins=chance.choice(("", "2024-01-01", "2027-01-01")),
        ends=chance.choice(("", "", "2025-01-01", "2027-06-01")),
        retired=chance.random() < 0.1,
        text=" ".join(chance.choices(WORDS, k=chance.randint(3, 40))) + ".",
    )


def library(folder: Path, kept: tuple[Page, ...], reranking: str = "features") -> Workspace:
    """A workspace that holds these pages, built and published."""
    (folder / "docs").mkdir(parents=True)
    (folder / "evidex.toml").write_text(TOML.format(reranking=reranking), "utf-8")
    for page in kept:
        (folder / "docs" / f"{page.id}.md").write_text(page.file, "utf-8")
    workspace = evidex.open(folder, now=lambda: NOON)
    assert workspace.ingest(folder / "docs").failures == ()
    workspace.publish(workspace.build().id)
    return workspace


@pytest.fixture(scope="session")
def all_pages() -> tuple[Page, ...]:
    return pages()
