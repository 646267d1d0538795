"""What the worker does: read an order, give out pages, and work ahead while nobody asks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, cast

from catchrate.errors import CatchrateError
from catchrate.evaluation.plugins import load_entry_points
from catchrate.limits import MAX_KEPT_PAGES
from catchrate.reports.render import Form, render
from catchrate.web.order import Order
from catchrate.web.worker.answers import Answer, fault, page, plain
from catchrate.web.worker.files import ROLES, Looked, looked_at
from catchrate.web.worker.pages import NAVIGATION, PAGES, Asked, Shown
from catchrate.web.worker.reading import studied
from catchrate.web.worker.study import Study

Tell = Callable[[dict[str, Any]], None]


class Desk:
    """One opened set, or the reason why it could not be opened."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._order: Order | None = None
        self._files: tuple[Looked, ...] = ()
        self._study: Study | None = None
        self._problem = ""
        self._kept: dict[tuple[object, ...], Answer] = {}
        self._ahead: deque[tuple[str, dict[str, str]]] = deque()
        self._base = ""

    @property
    def idle(self) -> bool:
        """Whether there is nothing to work ahead on."""
        return not self._ahead

    def read(self, order: Order) -> Answer:
        """Read and measure; what cannot be read is a problem of the set, and its files can still be looked at."""
        load_entry_points()
        self._order = order
        self._files = looked_at(order)
        try:
            self._study = studied(order, self._files, self._tell)
        except CatchrateError as error:
            self._problem = str(error)
            return plain({"problem": self._problem})
        self._first_pages(self._study)
        self._ahead += [("queries", {}), ("compare", {}), ("query", {}), ("slices", {}), ("misses", {})]
        self._ahead.append(("unjudged", {}))
        measures = [{"measure": str(measure)} for measure in self._study.measures[1:]]
        self._ahead += [(name, measure) for name in ("overview", "compare", "slices") for measure in measures]
        return plain({"runs": self._study.runs, "queries": next(iter(self._study.board.values())).queries})

    def page(self, name: str, form: str, arguments: Mapping[str, str], base: str) -> Answer:
        """Return a page or its twin."""
        self._base = base
        key = (name, form, *sorted(arguments.items()))
        if key not in self._kept:
            self._kept[key] = self._made(name, form, arguments, base)
            if len(self._kept) > MAX_KEPT_PAGES:
                del self._kept[next(iter(self._kept))]
        return self._kept[key]

    def work_ahead(self) -> Answer:
        """Make one page that is likely to be asked for; what it needs is known from then on."""
        name, arguments = self._ahead.popleft()
        return self._made(name, "", arguments, self._base)

    def _first_pages(self, study: Study) -> None:
        """Work out what the first page shows, so that it is there when reading is done."""
        self._tell({"doing": "Drawing samples for the intervals"})
        PAGES["overview"](study, Asked(base="", arguments={}))

    def _made(self, name: str, form: str, arguments: Mapping[str, str], base: str) -> Answer:
        asked = Asked(base=base, arguments=arguments, form=form)
        if name == "files" and not form:
            return self._files_page(asked)
        if self._study is None:
            return fault(422, self._problem)
        if name not in PAGES:
            return fault(404, "The address may be mistyped or out of date.")
        try:
            shown = PAGES[name](self._study, asked)
            return self._form_of(shown, name, form, asked)
        except CatchrateError as error:
            return self._refused(error, name, form, asked)

    def _form_of(self, shown: Shown, name: str, form: str, asked: Asked) -> Answer:
        if not form:
            return page(shown.template, **self._around(name, asked), title=shown.title, **shown.values)
        if form == "csv" and shown.sheet:
            body = shown.sheet()
        else:
            part = shown.table if form in ("csv", "tex") else None
            body = render(shown.view(), cast("Form", form), table=part)
        data = body if isinstance(body, bytes) else body.encode("utf-8", "backslashreplace")
        return Answer(body=data, form=form, name="" if form == "json" else f"catchrate-{name}.{form}")

    def _refused(self, error: CatchrateError, name: str, form: str, asked: Asked) -> Answer:
        """Say what is wrong with an address; the page around it stays, so that there is a way on."""
        if form in ("json", "csv"):
            return plain({"problems": [finding.as_dict() for finding in error.findings]}, status=422)
        around = self._around(name, asked)
        title = str(NAVIGATION.get(name, name)).capitalize()
        return page("explorer/refused.html", status=422, **around, title=title, message=str(error))

    def _files_page(self, asked: Asked) -> Answer:
        values = {"files": self._files, "problem": self._problem, "roles": ROLES}
        return page("explorer/files.html", **self._around("files", asked), title="Files", **values)

    def _around(self, name: str, asked: Asked) -> dict[str, Any]:
        """Return what every page of the set needs."""
        return {
            "here": "/",
            "name": name,
            "asked": asked,
            "to": asked.to,
            "order": self._order,
            "study": self._study,
            "navigation": NAVIGATION if self._study else {"files": NAVIGATION["files"]},
        }
