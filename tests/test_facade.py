"""What `import catchrate` offers, and what it costs."""

from __future__ import annotations

import ast
import inspect
import pickle
import pkgutil
import pydoc
import subprocess
import sys
from importlib import import_module
from typing import get_overloads

import pytest

import catchrate

HEAVY = ("scipy", "altair", "rich", "starlette", "cyclopts", "pandas", "pyarrow", "duckdb", "haystack", "pyspark")


def said_by(code: str) -> str:
    """Return what a fresh Python prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def seen_by_type_checkers() -> dict[str, str]:
    """Return each name that a type checker sees, with its module."""
    (seen,) = (
        node
        for node in ast.parse(inspect.getsource(catchrate)).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    return {name.name: str(source.module) for source in seen.body for name in source.names}


def test_everything_offered_is_there_and_sorted():
    assert sorted(catchrate.__all__) == catchrate.__all__
    assert all(hasattr(catchrate, name) for name in catchrate.__all__)


def test_every_name_is_the_one_that_type_checkers_see():
    seen = seen_by_type_checkers()
    assert sorted([*seen, "__version__"]) == catchrate.__all__
    for name, module in seen.items():
        assert getattr(catchrate, name) is getattr(import_module(module), name), name


def test_type_checkers_know_that_one_ranking_gives_scores_and_several_a_leaderboard():
    alone, together = map(inspect.signature, get_overloads(catchrate.evaluate))
    assert (alone.return_annotation, together.return_annotation) == ("Scores", "Leaderboard")
    assert alone.parameters["runs"].annotation == "None"
    assert together.parameters["runs"].default is inspect.Parameter.empty
    module = import_module("catchrate.evaluation.evaluate")
    for said in (alone, together):
        named = [name for name in said.parameters if name != "how"]
        assert [*named, *module._How.__annotations__] == list(inspect.signature(catchrate.evaluate).parameters)


@pytest.mark.parametrize(
    "statement", ["import catchrate", "import catchrate; catchrate.evaluate([['a']], [['a', 'b']])"]
)
def test_importing_and_evaluating_load_no_heavy_library(statement: str):
    assert said_by(f"import sys; {statement}; print([n for n in {HEAVY!r} if n in sys.modules])") == "[]"


def test_importing_alone_loads_no_library_and_no_room():
    loaded = "sorted(n for n in sys.modules if n.partition('.')[0] in ('catchrate', 'numpy', 'polars'))"
    code = f"import sys, catchrate; dir(catchrate); print({loaded})"
    assert said_by(code) == str(["catchrate", "catchrate.importing", "catchrate.showing", "catchrate.version"])


def test_evaluating_loads_no_other_use_case_and_no_report():
    code = "import sys, catchrate; catchrate.evaluate([['a']], [['a', 'b']]); print(*sys.modules)"
    loaded = said_by(code).split()
    assert "catchrate.evaluation.evaluate" in loaded
    unneeded = ("reports", "evaluation.comparison", "evaluation.gate", "evaluation.diagnosis", "evaluation.explain")
    assert not [name for name in loaded if name.startswith(tuple(f"catchrate.{room}" for room in unneeded))]


def test_names_are_listed_before_they_are_asked_for():
    code = "import catchrate; print(set(catchrate.__all__) <= set(dir(catchrate)), 'formats' in dir(catchrate))"
    assert said_by(code) == "True True"


def test_what_the_package_itself_needs_is_not_listed():
    listed = {name for name in dir(catchrate) if not name.startswith("__")}
    assert not listed & {"ONE_AT_A_TIME", "TYPE_CHECKING", "annotations", "import_module", "showing", "sys"}
    assert all(name in catchrate.__all__ or inspect.ismodule(getattr(catchrate, name)) for name in listed)


def test_a_star_gives_everything():
    assert said_by("from catchrate import *; print(evaluate.__name__, Scores.__name__, __version__)") == (
        f"evaluate Scores {catchrate.__version__}"
    )


def test_rooms_are_there_without_an_import_of_their_own():
    code = "import catchrate; print(catchrate.formats.open_ranking.__name__, catchrate.errors.CODES['E101'] != '')"
    assert said_by(code) == "open_ranking True"


def test_no_module_takes_the_place_of_a_name():
    assert not {module.name for module in pkgutil.iter_modules(catchrate.__path__)} & set(catchrate.__all__)


THREADS = """
import catchrate
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

def ask(names):
    barrier.wait()
    for name in names:
        getattr(catchrate, name)
    return catchrate.evaluate([["a"]], [["a"]], "rr")._repr_html_() is not None

barrier = Barrier(16)
with ThreadPoolExecutor(16) as pool:
    print(set(pool.map(ask, (catchrate.__all__[i::16] for i in range(16)))))
"""


def test_threads_that_ask_at_the_same_time_do_not_get_stuck():
    assert said_by(THREADS) == "{True}"


def test_a_typo_is_an_attribute_error_with_the_usual_text():
    with pytest.raises(AttributeError, match=r"^module 'catchrate' has no attribute 'evalute'$") as caught:
        _ = catchrate.evalute  # type: ignore[attr-defined]
    assert (caught.value.name, caught.value.obj) == ("evalute", catchrate)
    with pytest.raises(ImportError, match="cannot import name 'evalute'"):
        exec("from catchrate import evalute")


def test_help_and_inspection_see_every_name():
    text = pydoc.plain(pydoc.render_doc(catchrate))
    members = dict(inspect.getmembers(catchrate))
    for name in set(catchrate.__all__) - {"__version__"}:
        assert name in text
        assert members[name] is getattr(catchrate, name)


def test_results_go_through_pickle_into_a_program_that_has_only_imported_the_package(tmp_path):
    file = tmp_path / "result.pickle"
    file.write_bytes(pickle.dumps(catchrate.calculator(queries=2, relevant=4, k=2, found=2, hits=1)))
    code = f"import catchrate, pickle; print(type(pickle.load(open({str(file)!r}, 'rb'))) is catchrate.Calculation)"
    assert said_by(code) == "True"
