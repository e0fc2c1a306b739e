"""In CI, a test that is skipped because a package is missing fails."""

import os

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("GORDIAN_TEST_ALL"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but GORDIAN_TEST_ALL is set: {report.longrepr}"
