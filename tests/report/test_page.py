"""The page in a real browser: complete without network and scripts, readable by ear, on paper and on a small screen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from vassal_bridge.audit.audit import audit_files
from vassal_bridge.audit.finding import AuditResult
from vassal_bridge.datadirs import data_dir
from vassal_bridge.report.html import as_html
from vassal_bridge.report.view import view_of
from vassal_bridge.vassal.container import open_file

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def demo() -> AuditResult:
    (log,) = data_dir("modules").glob("*/demo.vlog")
    return audit_files([open_file(log)])


@pytest.fixture
def page(tmp_path: Path, demo: AuditResult) -> Iterator[Page]:
    browser_file = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser_file is None:
        pytest.skip("no Chromium is installed")
    report = tmp_path / "report.html"
    report.write_text(as_html(demo), encoding="utf-8")
    with sync_playwright() as playwright:
        # Chromium wants no sandbox of its own where tests run as root.
        browser = playwright.chromium.launch(executable_path=browser_file, args=["--no-sandbox"])
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: asked.append(message.text))
        page.goto(report.as_uri())
        yield page
        assert asked == [report.as_uri()], "the page asked the network for something, or complained"
        browser.close()


def test_every_finding_can_be_read(page: Page, demo: AuditResult) -> None:
    for group in view_of(demo).groups:
        assert page.get_by_role("heading", level=2, name=group.heading).count() >= 1
        for finding in group.findings:
            article = page.locator(f"#finding-{finding.number}")
            assert article.get_by_role("heading", level=3).inner_text().startswith(f"{finding.number}. {finding.rule} ")
            assert finding.message in article.inner_text()


def test_a_screen_reader_finds_its_way(page: Page, demo: AuditResult) -> None:
    assert page.title() == "Audit report: demo.vlog"
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("article").count() == len(demo.findings)
    assert page.get_by_role("table", name="How often each rule was asked").count() == 1
    assert page.get_by_role("rowheader").count() == len(demo.coverage.occasions)
    levels = [int(tag[1]) for tag in page.locator("h1, h2, h3").evaluate_all("all => all.map(each => each.tagName)")]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_it_fits_a_telephone(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    width = page.locator("html").evaluate("root => root.scrollWidth")
    assert width <= 360


def test_it_prints(page: Page) -> None:
    assert page.pdf(format="A4").startswith(b"%PDF")
