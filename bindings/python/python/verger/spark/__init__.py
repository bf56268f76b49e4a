"""Check billions of URLs against robots.txt on Spark 3.3 and later.

    from verger import spark as verger_spark

    answers = verger_spark.check(urls, bodies, "GPTBot")    # DataFrames in, a DataFrame out
    answers.where("allowed").write.parquet("allowed")

Batches are passed through `mapInArrow` to `verger.columns`, so the work is done in compiled code. There is no code for
the JVM. This package must be installed where the Python workers run. `pyspark` and `pyarrow` are imported when a
function is called.
"""

from __future__ import annotations

from verger.spark._captures import captures
from verger.spark._check import check
from verger.spark._classes import classes
from verger.spark._outcomes import Outcomes
from verger.spark._plan import Plan

__all__ = ["Outcomes", "Plan", "captures", "check", "classes"]
