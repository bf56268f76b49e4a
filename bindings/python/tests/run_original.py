"""Runs the test suite of an original against its module in `verger.compat`, and prints as JSON how many tests ran
and which failed.

    python run_original.py protego FOLDER DIALECT
    python run_original.py robotparser FILE DIALECT

It puts our modules under the names of theirs, which is why it has a process of its own.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import unittest
import urllib
from types import ModuleType
from typing import Any

import pytest

from verger.compat import protego, robotparser


def named(report: unittest.TestCase) -> str:
    """`Class.method`, and the arguments of a sub-test."""
    # A sub-test is a private class of the standard library, with the test and what it was called with.
    whole: Any = getattr(report, "test_case", report)
    parameters = getattr(report, "params", {})
    shown = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
    return ".".join(whole.id().split(".")[-2:]) + (f" ({shown})" if shown else "")


class Failures(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        self.names.append(named(test))

    addError = addFailure

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        if err:
            self.names.append(named(subtest))


def run_robotparser(file: str, dialect: Any) -> tuple[int, list[str]]:
    support: Any = importlib.import_module("test.support")
    support.use_resources = []  # no test reaches the network

    class RobotFileParser(robotparser.RobotFileParser):
        def __init__(self, url: str = "") -> None:
            super().__init__(url, dialect=dialect)

    ours: Any = ModuleType("urllib.robotparser")
    ours.RobotFileParser = RobotFileParser
    ours.RequestRate = robotparser.RequestRate
    sys.modules["urllib.robotparser"] = ours
    setattr(urllib, "robotparser", ours)
    spec = importlib.util.spec_from_file_location("suite", file)
    assert spec and spec.loader
    suite = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(suite)
    failures = Failures()
    unittest.defaultTestLoader.loadTestsFromModule(suite).run(failures)
    return failures.testsRun - len(failures.skipped), failures.names


class Reports:
    """A plugin of pytest that notes what failed."""

    def __init__(self) -> None:
        self.ran = 0
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.ran += report.when == "call"
        if report.failed:
            self.names.append(report.nodeid[report.nodeid.index("test_") :])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.names.append(f"{report.nodeid} (not collected)")


def run_protego(folder: str, dialect: Any) -> tuple[int, list[str]]:
    class Protego(protego.Protego):
        @classmethod
        def parse(cls, content: str) -> Any:  # type: ignore[override]
            return super().parse(content, dialect=dialect)

    ours: Any = ModuleType("protego")
    ours.Protego = Protego
    ours.RequestRate, ours.VisitTime = protego.RequestRate, protego.VisitTime

    def private(name: str) -> Any:
        def refuse(*_: object, **__: object) -> None:
            raise NotImplementedError(f"{name} is a private function of Protego")

        return refuse

    utils: Any = ModuleType("protego._utils")
    utils.__getattr__ = private
    sys.modules["protego"], sys.modules["protego._utils"] = ours, utils
    reports = Reports()
    options = ["-q", "--tb=no", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", folder]
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        kept, sys.stdout = sys.stdout, nothing
        pytest.main([*options, folder], plugins=[reports])
        sys.stdout = kept
    return reports.ran, reports.names


def main() -> None:
    which, place, dialect = sys.argv[1:]
    run = {"protego": run_protego, "robotparser": run_robotparser}[which]
    ran, failed = run(place, dialect)
    print(json.dumps({"ran": ran, "failed": sorted(failed)}))


if __name__ == "__main__":
    main()
