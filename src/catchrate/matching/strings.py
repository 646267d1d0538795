"""Rules that compare texts as strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from catchrate.errors import UsageError
from catchrate.matching.pairs import Pairs
from catchrate.matching.remem import sought
from catchrate.matching.rules import Rule
from catchrate.matching.texts import nfkc, without_chat_marks, without_punctuation


@dataclass(frozen=True, slots=True)
class Exact(Rule):
    """The chunk is the gold text, character by character."""

    name: ClassVar[str] = "exact"

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Look every chunk up."""
        items: dict[str, list[int]] = {}
        for item, text in enumerate(gold):
            if text:
                items.setdefault(text, []).append(item)
        return Pairs.of((slot, item, 1.0) for slot, chunk in enumerate(chunks) for item in items.get(chunk, ()))


@dataclass(frozen=True, slots=True)
class Contained(Rule):
    """The gold text stands in the chunk; or the chunk in the gold text, or either in the other, where that is asked."""

    name: ClassVar[str] = "contained"

    chunk_in_gold: bool = False
    """Whether a chunk counts that stands in the gold text, and only such a one."""
    either: bool = False
    """Whether both ways count."""

    def __post_init__(self) -> None:
        """Refuse what contradicts itself."""
        _refuse_both(self)

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Look for every gold text in every chunk; nothing stands in an empty text, and an empty text in nothing."""
        return Pairs.of(
            (slot, item, 1.0)
            for slot, chunk in enumerate(chunks)
            for item, text in enumerate(gold)
            if chunk and text and self._holds(chunk, text)
        )

    def _holds(self, chunk: str, text: str) -> bool:
        return (not self.chunk_in_gold and text in chunk) or ((self.chunk_in_gold or self.either) and chunk in text)


@dataclass(frozen=True, slots=True)
class Normalised(Rule):
    """The gold text stands in the chunk once both are written alike. Each way of writing is a switch."""

    name: ClassVar[str] = "normalised"

    unicode: bool = True
    """Whether texts are brought to Unicode's form NFKC: full-width letters, ligatures, composed accents."""
    case: bool = True
    """Whether case is ignored."""
    space: bool = True
    """Whether any white space is one blank."""
    punctuation: bool = True
    """Whether punctuation counts as white space."""
    chat: bool = True
    """Whether the date line and the speakers' names of conversations are left out."""
    whole: bool = False
    """Whether the chunk has to be the gold text, and not only to hold it."""
    chunk_in_gold: bool = False
    """As for `contained`."""
    either: bool = False
    """As for `contained`."""

    def __post_init__(self) -> None:
        """Refuse what contradicts itself."""
        _refuse_both(self)

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Compare the texts as they are written alike."""
        rule = Exact() if self.whole else Contained(chunk_in_gold=self.chunk_in_gold, either=self.either)
        return rule.pairs([*map(self.written, chunks)], [*map(self.written, gold)])

    def written(self, text: str) -> str:
        """Return a text as it is compared."""
        text = without_chat_marks(text) if self.chat else text
        text = nfkc(text) if self.unicode else text
        text = text.casefold() if self.case else text
        text = without_punctuation(text) if self.punctuation else text
        return " ".join(text.split()) if self.space else text


@dataclass(frozen=True, slots=True)
class Remem(Rule):
    """The chunk comes from the gold document, as REMem tells it, quirks included."""

    name: ClassVar[str] = "remem"

    def pairs(self, chunks: Sequence[str], gold: Sequence[str]) -> Pairs:
        """Ask its rule about every pair."""
        return Pairs.of(
            (slot, item, 1.0)
            for slot, texts in enumerate(map(sought, chunks))
            for item, document in enumerate(gold)
            if any(text in document for text in texts)
        )


def _refuse_both(rule: Contained | Normalised) -> None:
    if rule.chunk_in_gold and rule.either:
        raise UsageError.of("E290", "chunk_in_gold and either are both true", fix="give one of the two")
