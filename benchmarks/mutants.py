"""Which changed conditions no test notices: a mutation pass over the rooms that read mail.

    python benchmarks/mutants.py --modules intake --most 60 --seed 7
    python benchmarks/mutants.py --rows

All tests are collected once, in this process. What each of them runs is measured once, and kept in
a file outside the repository until a room changes. Then a fork for each mutant puts the changed
code into the functions that live there, and runs the tests that come past it until one fails.
A test that fails without a mutant counts for nothing. POSIX alone.
"""

from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import os
import pickle
import random
import re
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import _lru_cache_wrapper, partial, reduce
from importlib import import_module
from itertools import permutations
from pathlib import Path
from time import process_time
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

HOUSE = Path(__file__).resolve().parent.parent / "pbem"
ROOMS = ("intake", "meaning", "desk", "mailroom")
FILES = [str(path) for room in ROOMS for path in sorted((HOUSE / room).rglob("*.py"))]
ORDER, WORDS = str(HOUSE / "intake" / "order.py"), HOUSE / "intake" / "words"
PAIRS = ("Lt LtE", "Gt GtE", "Eq NotEq", "In NotIn", "Is IsNot", "And Or")
OTHER = {getattr(ast, a): getattr(ast, b) for pair in PAIRS for a, b in permutations(pair.split())}
LIVING: dict[type, list[Any]] = {FunctionType: [], _lru_cache_wrapper: []}
LIVES = 0x3  # CO_OPTIMIZED | CO_NEWLOCALS: the code of a function, not of a module or a class
ELSEWHERE = re.compile("browser|axe|picture|perft|laws|demo|crash|fuzz|sound|docs")
"""Tests that run in other processes or at length, and tell nothing that others do not."""


class Mutant(NamedTuple):
    """A node of a module's tree and what stands there instead."""

    file: str
    tree: ast.Module
    old: Any
    new: ast.AST
    bound: str = ""  # the constant of the module in whose value it stands

    def __str__(self) -> str:
        line = f"{Path(self.file).relative_to(HOUSE.parent)}:{self.old.lineno}"
        old, new = (" ".join(ast.unparse(node).split()) for node in (self.old, self.new))
        return f"{line}: {old}  ->  {new}"


class Put(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def mutants(file: str) -> Iterator[Mutant]:
    """Every mutant of a module: of its bounds, and within its functions."""
    tree = ast.parse(Path(file).read_bytes())
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            for within in ast.walk(node):
                yield from (Mutant(file, tree, *change) for change in changes(within))
        else:
            waiting.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.AnnAssign) and "Final" in ast.unparse(node.annotation):
            bound = ast.unparse(node.target)
            yield from (Mutant(file, tree, *change, bound) for change in beside(node.value))


def changes(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What may stand instead of a node, or of one right below it."""
    match node:
        case ast.Compare(left, ops, sides):
            for n, op in enumerate(ops):
                others = [*ops[:n], OTHER[type(op)](), *ops[n + 1 :]]
                yield node, ast.copy_location(ast.Compare(left, others, sides), node)
            for side in (left, *sides):
                yield from beside(side)
        case ast.BoolOp(op, values):
            yield node, ast.copy_location(ast.BoolOp(OTHER[type(op)](), values), node)
        case ast.UnaryOp(ast.Not(), operand):
            yield node, operand
        case ast.If(test) | ast.IfExp(test):
            if isinstance(test, ast.Name | ast.Call | ast.Attribute):
                yield test, ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
    if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.ExceptHandler):
        for statement in node.body:
            if isinstance(statement, ast.Return | ast.Continue):
                yield statement, ast.copy_location(ast.Pass(), statement)


def beside(node: ast.AST | None) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The whole numbers in a sum or a product, one more and one less."""
    match node:
        case ast.Constant(int(number)) if not isinstance(number, bool):
            for other in (number + 1, number - 1):
                yield node, ast.copy_location(ast.Constant(other), node)
        case ast.BinOp(left, _, right):
            yield from (*beside(left), *beside(right))


def put(mutant: Mutant) -> None:
    """Make this process run a mutant: its code in each function that has the old one."""
    before = compile(Path(mutant.file).read_bytes(), mutant.file, "exec")
    after = compile(Put(mutant.old, mutant.new).visit(mutant.tree), mutant.file, "exec")
    becomes = dict(differing(before, after))
    for function in LIVING[FunctionType]:
        if function.__code__.co_filename == mutant.file:
            function.__code__ = becomes.get(function.__code__, function.__code__)
    house = [module for name, module in list(sys.modules.items()) if name.startswith("pbem.")]
    for home in (module for module in house if mutant.bound and module.__file__ == mutant.file):
        was = vars(home)[mutant.bound]
        [line] = [node for node in mutant.tree.body if mutant.bound in targets(node)]
        exec(compile(ast.Module([line], []), mutant.file, "exec"), vars(home))
        for module in house:
            if vars(module).get(mutant.bound) is was:
                setattr(module, mutant.bound, vars(home)[mutant.bound])


def targets(node: ast.stmt) -> list[str]:
    return [ast.unparse(node.target)] if isinstance(node, ast.AnnAssign) else []


def differing(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The outermost functions of a module whose code is another, as it was and as it is."""
    for old, new in zip(before.co_consts, after.co_consts, strict=False):
        if isinstance(old, CodeType) and isinstance(new, CodeType) and old != new:
            yield from [(old, new)] if old.co_flags & LIVES else differing(old, new)


def enliven() -> None:
    """Import what is imported late, too, and look up all that lives: a fork would take longer."""
    for file in FILES:
        name = file.removeprefix(f"{HOUSE.parent}/").removesuffix(".py").removesuffix("/__init__")
        import_module(name.replace("/", "."))
    gc.unfreeze()
    for each in gc.get_objects():
        if type(each) in LIVING and str(each.__module__).startswith("pbem."):
            LIVING[type(each)].append(each)
    gc.freeze()


def fewer(name: str, seed: int) -> None:
    """Make this process read a list of words without two of a hundred of its phrases."""
    from pbem.intake import words

    whole = words._file
    rows = [(language, field, words._split(row)) for language, field, row in whole(name)]
    every = [(n, m) for n, row in enumerate(rows) for m in range(len(row[2]))]
    gone = set(random.Random(seed).sample(every, -(-len(every) // 50)))
    left = tuple(
        (language, field, "|".join(each for m, each in enumerate(row) if (n, m) not in gone))
        for n, (language, field, row) in enumerate(rows)
        if any((n, m) not in gone for m in range(len(row)))  # no phrase is not an empty one
    )
    words._file = lambda file: left if file == name else whole(file)


class Pass:
    """Takes the tests over once they are collected. Of each it is known how many seconds it takes,
    whether it passes, and what lines it comes past, as bits by file."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked, self.measured = asked, dict[str, tuple[float, bool, dict[str, int]]]()
        self.items: dict[str, pytest.Item] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        of_use = [item for item in session.items if not ELSEWHERE.search(item.path.name)]
        self.items = {item.nodeid: item for item in of_use}
        enliven()
        self.measure()
        kinds = Counter[str]()
        for name, mutate, tests in self.rows() if self.asked.rows else self.sample():
            while (killer := self.fails(mutate, tests)) and self.fails(None, [killer]):
                tests.remove(killer)  # it fails alone, too
            kind = "killed" if killer else "survived" if tests else "unreached"
            kinds[kind] += 1
            print(f"{kind:9}  {name}  {killer}", flush=True)
        shares = (f"{kind} {n} ({100 * n / kinds.total():.0f} %)" for kind, n in kinds.items())
        print(*shares, sep=", ")
        return True

    def sample(self) -> Iterator[tuple[str, Callable[[], None], list[str]]]:
        files = [file for file in FILES if self.asked.modules in file.removeprefix(str(HOUSE))]
        every = [mutant for file in files for mutant in mutants(file)]
        luck = random.Random(self.asked.seed)
        for mutant in luck.sample(every, min(self.asked.most, len(every))):
            yield str(mutant), partial(put, mutant), self.past(dict(reach(mutant)))

    def rows(self) -> Iterator[tuple[str, Callable[[], None], list[str]]]:
        for file in sorted(WORDS.glob("*.txt")):
            yield file.name, partial(fewer, file.stem, self.asked.seed), self.past({ORDER: -1})

    def past(self, reached: dict[str, int]) -> list[str]:
        """The tests that come past lines: of each file the quickest, then the next ones, as many
        as take the seconds there are."""
        rank, ranked, left = Counter[str](), [], self.asked.seconds
        for test, (seconds, passed, lines) in sorted(
            self.measured.items(), key=lambda of: of[1][0]
        ):
            if passed and test in self.items and any(lines.get(f, 0) & reached[f] for f in reached):
                rank[self.items[test].path.name] += 1
                ranked.append((rank[self.items[test].path.name], seconds, test))
        return [test for _, seconds, test in sorted(ranked) if (left := left - seconds) > 0]

    def fails(self, mutate: Callable[[], None] | None, tests: list[str]) -> str:
        """The first test that fails, or does not end, in a fork of its own; "" if none does."""

        def run(tell: Callable[[object], object]) -> None:
            if mutate:
                mutate()
            for cached in LIVING[_lru_cache_wrapper]:
                cached.cache_clear()
            for test, passes in self.run(tests):
                tell(test)
                signal.setitimer(signal.ITIMER_PROF, 3 + 5 * self.measured[test][0])
                if not passes():
                    return
            tell("")

        told = forked(run, 3 * self.asked.seconds + 20)
        return str(told[-1]) if told else ""

    def run(self, tests: list[str]) -> Iterator[tuple[str, Callable[[], bool]]]:
        for test, following in zip(tests, [*tests[1:], ""], strict=True):
            item, then = self.items[test], self.items.get(following)
            yield (
                test,
                lambda item=item, then=then: (
                    not any(
                        report.failed for report in runtestprotocol(item, nextitem=then, log=False)
                    )
                ),
            )

    def measure(self) -> None:
        """Run every test that was not measured since the rooms were changed, and keep it."""
        digest = hashlib.sha256(b"".join(Path(file).read_bytes() for file in FILES)).hexdigest()
        kept = Path(self.asked.cache or Path(tempfile.gettempdir()) / f"mutants-{digest[:8]}")
        self.measured = pickle.loads(kept.read_bytes()) if kept.exists() else {}
        new: dict[str, list[str]] = {}
        for test, item in self.items.items():
            if test not in self.measured:
                new.setdefault(item.path.name, []).append(test)
        for name, tests in new.items():
            print(f"measuring {len(tests)} of {name}", flush=True)
            self.measured |= dict(forked(partial(self.trace, tests), 1200))
            kept.with_suffix(".new").write_bytes(pickle.dumps(self.measured))
            kept.with_suffix(".new").replace(kept)

    def trace(self, tests: list[str], tell: Callable[[object], object]) -> None:
        past: dict[str, set[int]] = {}

        def step(frame: Any, event: str, _: Any) -> Any:
            if frame.f_code.co_filename not in past:
                return None
            past[frame.f_code.co_filename].add(frame.f_lineno)
            return step

        for test, passes in self.run(tests):
            past.update({file: set() for file in FILES})
            start = process_time()
            sys.settrace(step)
            passed = passes()
            sys.settrace(None)
            lines = {file: bits(each) for file, each in past.items() if each}
            tell((test, (process_time() - start, passed, lines)))


def reach(mutant: Mutant) -> Iterator[tuple[str, int]]:
    """The lines that a mutant changes, as bits, by file; of a bound those that name it."""
    if not mutant.bound:
        yield mutant.file, bits(range(mutant.old.lineno, mutant.old.end_lineno + 1))
    for file in FILES if mutant.bound else ():
        lines = Path(file).read_text("utf-8").splitlines()
        yield file, bits(n for n, line in enumerate(lines, 1) if mutant.bound in line)


def bits(lines: Iterable[int]) -> int:
    return reduce(lambda known, line: known | 1 << line, lines, 0)


def forked(run: Callable[[Callable[[object], object]], None], most: float) -> list[Any]:
    """What a function tells, in a process that ends after so many seconds."""
    with tempfile.TemporaryFile(buffering=0) as told:
        if not (child := os.fork()):
            signal.alarm(int(most))
            for stream in (0, 1, 2):
                os.dup2(os.open(os.devnull, os.O_RDWR), stream)
            try:
                run(lambda each: told.write(pickle.dumps(each)))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        end = told.seek(0, os.SEEK_END)
        told.seek(0)
        return list(iter(lambda: pickle.load(told) if told.tell() < end else None, None))


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asks.add_argument("--modules", default="", help="only files in whose path this is")
    asks.add_argument("--most", type=int, default=60, help="so many mutants")
    asks.add_argument("--seed", type=int, default=7)
    asks.add_argument("--seconds", type=float, default=30, help="of tests for a mutant, at most")
    asks.add_argument("--rows", action="store_true", help="two of a hundred rows of each list")
    asks.add_argument("--cache", help="the file in which it is kept what each test runs")
    asks.add_argument("tests", nargs="*", default=["tests"])
    asked = asks.parse_args()
    os.chdir(HOUSE.parent)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp()
    pytest.main(["-q", "-s", "-n0", "-pno:cacheprovider", *asked.tests], plugins=[Pass(asked)])


if __name__ == "__main__":
    main()
