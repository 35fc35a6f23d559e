"""Common factors out of sums: k·a + k·b becomes k·(a + b), (a + b) − a becomes b. Reassociates.

>>> from momentarm.graph import Program
>>> p = Program.trace(lambda x: x[0] * x[1] + x[2] + x[0] * x[3], {"x": (4,)})
>>> print(factor(p))
y = program(x[4])
  %5 = add(x[1], x[3])
  %6 = mul(x[0], %5)
  %7 = add(x[2], %6)
  y = %7

A sum is the whole tree of additions that only it uses; a product counts as a term if only this
sum uses it. The factor most terms share goes first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from momentarm.graph.program import Program
from momentarm.graph.tape import Node, Tape
from momentarm.passes.rebuild import use_counts

Term = tuple[int, Node]  # sign, node of the old tape


def factor(program: Program) -> Program:
    return _Factoring(program).run()


class _Factoring:
    def __init__(self, program: Program) -> None:
        self.program, self.old, self.new = program, program.tape, Tape()
        self.uses = use_counts(program)
        self.at: dict[Node, Node] = {}

    def run(self) -> Program:
        live = self.program.live()
        inner, deferred = self._inner_sums(live), self._deferred(live)
        for i in live:
            op, args = self.old.ops[i], self.old.args[i]
            if op in ("const", "input"):
                self.at[i] = self.new.node(op, *args)
            elif i in inner or i in deferred:
                continue
            elif op in ("add", "sub"):
                self.at[i] = self._sum(self._terms(i, inner))
            else:
                self.at[i] = self.new.call(op, *(self._of(j) for j in args))
            if i in self.old.names:
                self.new.names.setdefault(self.at[i], self.old.names[i])
        results = tuple(self._of(i) for i in self.program.results)
        return replace(self.program, tape=self.new, results=results)

    def _inner_sums(self, live: list[Node]) -> set[Node]:
        """Sums that only another sum uses."""
        inner = set()
        for i in live:
            if self.old.ops[i] in ("add", "sub"):
                for j in self.old.args[i]:
                    if self.old.ops[j] in ("add", "sub") and self.uses[j] == 1:
                        inner.add(j)
        return inner

    def _deferred(self, live: list[Node]) -> set[Node]:
        """Products that only one sum uses; they are made with their sum."""
        deferred = set()
        for i in live:
            if self.old.ops[i] in ("add", "sub"):
                for j in self.old.args[i]:
                    if self.old.ops[j] == "mul" and self.uses[j] == 1:
                        deferred.add(j)
        return deferred

    def _of(self, i: Node) -> Node:
        """The new node of an old one; a deferred product is made now."""
        if i not in self.at:
            a, b = self.old.args[i]
            self.at[i] = self.new.mul(self._of(a), self._of(b))
        return self.at[i]

    def _terms(self, root: Node, inner: set[Node]) -> list[Term]:
        terms, stack = [], [(1, root)]
        while stack:
            sign, i = stack.pop()
            if i == root or i in inner:
                a, b = self.old.args[i]
                stack.append((sign if self.old.ops[i] == "add" else -sign, b))
                stack.append((sign, a))
            else:
                terms.append((sign, i))
        return terms

    def _factors(self, i: Node) -> tuple[Node, ...]:
        """The two factors of a product that only this sum uses."""
        if self.old.ops[i] == "mul" and self.uses[i] == 1:
            a, b = self.old.args[i]
            return (a, b) if a != b else (a,)
        return ()

    def _sum(self, terms: list[Term]) -> Node:
        """The sum of the terms, each factor that two terms share taken out."""
        made: list[tuple[int, Node]] = []  # sign, new node
        while True:
            shared = Counter(f for _, i in terms for f in self._factors(i))
            best = max(shared, key=lambda f: (shared[f], -f), default=None)
            if best is None or shared[best] < 2:
                break
            within = [(s, i) for s, i in terms if best in self._factors(i)]
            terms = [t for t in terms if t not in within]
            rest = [(s, self._cofactor(i, best)) for s, i in within]
            made.append((1, self.new.mul(self._of(best), self._added(rest))))
        return self._added([(s, self._of(i)) for s, i in terms] + made)

    def _cofactor(self, i: Node, f: Node) -> Node:
        a, b = self.old.args[i]
        return self._of(b if a == f else a)

    def _added(self, terms: list[tuple[int, Node]]) -> Node:
        total = self.new.const(0)
        for sign, i in sorted(terms, key=lambda t: -t[0]):
            total = self._cancelled(total, sign, i)
        return total

    def _cancelled(self, a: Node, sign: int, b: Node) -> Node:
        """a ± b, without a term that stands in both with opposite signs."""
        for left in self._splits(1, a):
            for right in self._splits(sign, b):
                for term in left:
                    opposite = (-term[0], term[1])
                    if opposite in right and len(left) + len(right) > 2:
                        left.remove(term)  # once: x + x - x is x
                        right.remove(opposite)
                        return self._added(left + right)
        return self.new.add(a, b) if sign > 0 else self.new.sub(a, b)

    def _splits(self, sign: int, i: Node) -> list[list[Term]]:
        """A value as one term and, if it is a sum, as its two."""
        splits = [[(sign, i)]]
        if self.new.ops[i] in ("add", "sub"):
            a, b = self.new.args[i]
            splits.append([(sign, a), (sign if self.new.ops[i] == "add" else -sign, b)])
        return splits
