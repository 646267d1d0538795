"""Rows are printed for many topics at once, and look as if each value were printed alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from catchrate.compat.trec_eval.columns import Column, Fact, Strings, Table
from catchrate.compat.trec_eval.printer import printed

VALUES = st.sampled_from([0.0, -0.0, 1.0, 0.5, 0.00005, 0.33335, -2.5]) | st.floats(-9, 9)
TOPICS = ["1", "%d", "a%", "ü", "q " * 9]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(VALUES, min_size=5, max_size=5), max_size=4), st.lists(st.booleans(), min_size=5, max_size=5))
def test_every_value_stands_on_a_row_of_its_own(numbers: list[list[float]], wanted: list[bool]):
    columns = [Column(name=f"m_{place}", values=np.array(values)) for place, values in enumerate(numbers)]
    relstring = Strings(name="relstring", values=["1-", "", "%s", "9.", ">"])
    facts = Fact(name="num_q", text="5")
    table = Table(topics=TOPICS, printed=np.array(wanted), columns=(facts, *columns, relstring))
    expected = "".join(
        "".join(
            f"{column.name:<22}\t{topic}\t{values[place]:6.4f}\n"
            for column, values in zip(columns, numbers, strict=True)
        )
        + f"{'relstring':<22}\t{topic}\t'{relstring.values[place]}'\n"
        for place, topic in enumerate(TOPICS)
        if wanted[place]
    )
    assert printed(table, per_topic=True, summary=False) == expected


def test_without_anything_of_a_topic_there_are_no_rows_of_topics():
    table = Table(topics=["1"], printed=np.array([True]), columns=(Fact(name="num_q", text="1"),))
    assert printed(table, per_topic=True, summary=False) == ""
