"""Every row that trec_eval can print, in its order: its name there, and the measure of our table behind it."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from catchrate.compat.trec_eval import parameters
from catchrate.compat.trec_eval.dialect import Dialect
from catchrate.compat.trec_eval.parameters import Form
from catchrate.errors import UsageError, shown
from catchrate.measures import TABLE, Measure, choose
from catchrate.measures.parameters import Value

Needs = Literal["any", "qrels", "prefs", "qrels_jg"]
_CUTS = "5,10,15,20,30,100,200,500,1000"
_TIMES = "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"
_OUTSIDE_ALL_TREC = ("dcg", "ideal_dcg", "yaap")
_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_PREFERENCE_COUNTS = ("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret")
_PREFERENCE_SHARES = ("prefs_simp", "prefs_pair", "prefs_avgjg")
PREFERENCE_MEASURES = (
    *_PREFERENCE_COUNTS,
    *_PREFERENCE_SHARES,
    "prefs_avgjg_Rnonrel",
    "prefs_simp_ret",
    "prefs_pair_ret",
    "prefs_avgjg_ret",
    "prefs_avgjg_Rnonrel_ret",
    "prefs_simp_imp",
    "prefs_pair_imp",
    "prefs_avgjg_imp",
)
_ELEVEN = "0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One measure of trec_eval: it prints one row, or one for each of its parameters."""

    name: str
    """trec_eval's name."""
    measure: str = ""
    """The row of our table; empty for what is no measure or lives outside the table."""
    form: Form = parameters.none
    """How its parameters are read."""
    needs: Needs = "qrels"
    """The format of judgments that it can be computed from."""
    later: bool = False
    """Whether it came after 9.0.8."""

    def measures(self, text: str | None, settings: Mapping[str, Value]) -> list[tuple[str, Measure]]:
        """Return printed names and measures; settings fill what a measure takes and the text leaves open."""
        return [(name, self._chosen(given, settings)) for name, given in self.form(self.name, text)]

    def lengths(self, text: str | None) -> list[tuple[str, int]]:
        """Return printed names and numbers of characters, for what prints text."""
        return [(name, int(str(given.get("length", 10)))) for name, given in self.form(self.name, text)]

    def _chosen(self, given: Mapping[str, Value], settings: Mapping[str, Value]) -> Measure:
        row = TABLE[self.measure]
        known = {name: value for name, value in settings.items() if row.parameter(name) is not None}
        return choose(row, {**known, **given})


def _entry(name: str, measure: str = "", form: Form = parameters.none, *, later: bool = False) -> Entry:
    return Entry(name=name, measure=measure, form=form, later=later)


def _grouped(name: str, measure: str, form: Form = parameters.none) -> Entry:
    return Entry(name=name, measure=measure, form=form, needs="qrels_jg")


ROWS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(name="runid", needs="any"),
        Entry(name="num_q", needs="any"),
        _entry("num_ret", "num_ret"),
        _entry("num_rel", "num_rel"),
        _entry("num_rel_ret", "num_rel_ret"),
        _entry("map", "ap"),
        _entry("gm_map", "gm_ap"),
        _entry("Rprec", "r_precision"),
        _entry("bpref", "bpref"),
        _entry("recip_rank", "rr"),
        _entry("iprec_at_recall", "iprec", parameters.levels(_ELEVEN, "level")),
        _entry("P", "precision", parameters.cutoffs(_CUTS)),
        _entry("relstring", form=parameters.length),
        _entry("recall", "recall", parameters.cutoffs(_CUTS)),
        _entry("infAP", "infap"),
        _entry("gm_bpref", "gm_bpref"),
        _entry("Rprec_mult", "r_precision", parameters.levels(_TIMES, "times")),
        _entry("utility", "utility", parameters.numbers("p1", "p2", "p3", "p4")),
        _entry("11pt_avg", "iprec_avg"),
        _entry("binG", "bin_g"),
        _entry("G", "g", parameters.gains()),
        _entry("dcg", "dcg", parameters.gains(), later=True),
        _entry("ideal_dcg", "ideal_dcg", parameters.gains(), later=True),
        _entry("ndcg", "ndcg", parameters.gains()),
        _entry("ndcg_rel", "ndcg_rel", parameters.gains()),
        _entry("Rndcg", "rndcg", parameters.gains()),
        _entry("ndcg_cut", "ndcg", parameters.cutoffs(_CUTS)),
        _entry("map_cut", "ap", parameters.cutoffs(_CUTS)),
        _entry("relative_P", "relative_precision", parameters.cutoffs(_CUTS)),
        _entry("success", "hit", parameters.cutoffs("1,5,10")),
        _entry("set_P", "precision"),
        _entry("set_relative_P", "relative_precision"),
        _entry("set_recall", "recall"),
        _entry("set_map", "set_map"),
        # trec_eval's parameter is the square of beta
        _entry("set_F", "f", parameters.numbers("beta", convert=lambda x: math.sqrt(x) if x > 0 else x)),
        _entry("num_nonrel_judged_ret", "num_nonrel_judged_ret"),
        *(Entry(name=name, needs="prefs") for name in PREFERENCE_MEASURES),
        _grouped("map_avgjg", "ap"),
        _grouped("P_avgjg", "precision", parameters.cutoffs(_CUTS)),
        _grouped("Rprec_mult_avgjg", "r_precision", parameters.levels(_TIMES, "times")),
        _entry("yaap", "yaap"),
        _entry("rbp", "trec_rbp", parameters.gains("p"), later=True),
        _entry("rbp_resid", "trec_rbp_resid", later=True),
        _entry("unj", "unjudged", parameters.cutoffs("5,10,20"), later=True),
    )
}
"""By name, in the order in which trec_eval prints them."""

NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": (*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "all_trec": tuple(e.name for e in ROWS.values() if e.needs in ("any", "qrels") and e.name not in _OUTSIDE_ALL_TREC),
    "set": (*_COUNTS, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    "all_prefs": tuple(e.name for e in ROWS.values() if e.needs in ("any", "prefs")),
    "prefs": ("runid", "num_q", *_PREFERENCE_COUNTS, *_PREFERENCE_SHARES),
    "qrels_jg": tuple(e.name for e in ROWS.values() if e.needs in ("any", "qrels_jg")),
}
"""Names for several measures at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The measures to print, in order, each with its parameters, and what was passed over."""

    entries: tuple[tuple[Entry, str | None], ...]
    remarks: tuple[str, ...]


def select(requests: Iterable[str], dialect: Dialect) -> Selection:
    """Return what the `-m` options ask for; the first parameter list of a measure is the one that counts."""
    wanted: set[str] = set()
    given: dict[str, str] = {}
    remarks: list[str] = []
    for request in requests:
        name, dot, text = request.partition(".")
        if dot and not text:
            raise UsageError.of("E272", f"nothing stands behind the dot of {shown(request)}", fix="leave out the dot")
        wanted.update(_names(name, dialect))
        if dot and given.setdefault(name, text) != text:
            remarks.append(f"{name}: the first parameters count, {given[name]}; {text} was passed over")
    remarks += [f"{name} takes no parameters; {given[name]} was passed over" for name in given if _takes_none(name)]
    chosen = tuple((entry, given.get(name)) for name, entry in ROWS.items() if name in wanted)
    return Selection(entries=chosen, remarks=tuple(remarks))


def _takes_none(name: str) -> bool:
    return name in NICKNAMES or ROWS[name].form is parameters.none


def _names(name: str, dialect: Dialect) -> tuple[str, ...]:
    if name in NICKNAMES:
        return tuple(n for n in NICKNAMES[name] if dialect.later_measures or not ROWS[n].later)
    if name not in ROWS:
        near = difflib.get_close_matches(name, [*ROWS, *NICKNAMES], n=1)
        fix = f"did you mean {near[0]}?" if near else "-h lists them all"
        raise UsageError.of("E271", f"trec_eval has no measure {shown(name)}", fix=fix)
    if ROWS[name].later and not dialect.later_measures:
        raise UsageError.of("E271", f"{name} came after trec_eval {dialect.version}", fix="use --dialect 10")
    return (name,)
