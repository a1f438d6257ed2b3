"""What pictures are built of: elements of SVG, written out once they are whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xml.etree import ElementTree


class Element(NamedTuple):
    """An element: its tag, its attributes in order, and what is inside. One without a tag is
    written already."""

    tag: str
    about: Mapping[str, str | int] = {}
    inside: tuple[Element | str, ...] = ()

    def __str__(self) -> str:
        """The element written out; text inside it cannot be taken for anything else."""
        return "".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if not self.tag:
            yield from map(str, self.inside)
            return
        about = "".join([f' {name}="{value}"' for name, value in self.about.items()])
        if not self.inside:
            yield f"<{self.tag}{about}/>"
            return
        yield f"<{self.tag}{about}>"
        for each in self.inside:
            yield printable(each) if isinstance(each, str) else str(each)
        yield f"</{self.tag}>"

    def having(self, **about: str | int) -> Element:
        """The element with these attributes before its own, in place of those it has."""
        kept = {name: value for name, value in self.about.items() if name not in about}
        return self._replace(about={**about, **kept})

    def walk(self) -> Iterator[Element]:
        """The element and all that are in it."""
        yield self
        for each in self.inside:
            if not isinstance(each, str):
                yield from each.walk()


def printable(said: str) -> str:
    """Text that XML can hold and nobody can misuse: no markup, nothing that is not printable."""
    return escape("".join(char if char.isprintable() else " " for char in said), quote=False)


def read(node: ElementTree.Element) -> Element:
    """An element as it was parsed, without namespaces and the space between elements."""
    about = {name: " ".join(value.split()) for name, value in node.attrib.items()}
    return Element(node.tag.rpartition("}")[2], about, tuple(map(read, node)))
