"""The page about a tampered chain, in a real browser: pictures, keyboard, paper, and the rules of accessibility."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.audit.integrity.table import Log, Table
from vassal_bridge.audit.audit import audit_files
from vassal_bridge.report.excerpts import excerpts_of
from vassal_bridge.report.html import as_html

pytestmark = pytest.mark.browser


def tampered() -> str:
    """A chain with everything in it: a branch, a gap, a roll made again, a look beneath a mask."""
    table = Table.of("Alpha", "Bravo", "Delta", "Ford", "Golf")
    first = Log(table, "turn-1.vlog", "Bob")
    for number in range(1, 41):
        first.roll(1 + number % 6)
    first.move("Alpha", 900, 900)
    first.roll(1)
    first.undo()
    first.roll(6)
    files = [first.file()]
    other = Log(table.saved(), "turn-2-bad.vlog", "Ann")
    other.roll(1)
    other.delete("Alpha")
    table.counters["Golf"].masked_by = "Ann"
    table.counters["Ford"].x = 4444
    second = Log(table, "turn-2.vlog", "Bob")
    second.unmask("Golf")
    second.mask("Golf", "Ann")
    second.move("Bravo", 50, 50)
    second.undo()
    files += [second.file(), other.file()]
    result = audit_files(files)
    return as_html(result, excerpts_of(result, files))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        # Chromium wants no sandbox of its own where tests run as root.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(tampered(), encoding="utf-8")
    return Path(path).as_uri()


@pytest.fixture
def page(browser: Browser, report: str) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(message.text))
    page.goto(report)
    yield page
    assert asked == [report]
    context.close()


def test_the_chain_is_a_picture_and_a_table_that_says_the_same(page: Page) -> None:
    picture = page.locator("#chain svg")
    assert picture.get_attribute("role") == "img"
    words = picture.locator("text").all_text_contents()
    for name in ("turn-1.vlog", "turn-2.vlog", "turn-2-bad.vlog"):
        assert name in words
        assert page.get_by_role("table", name="Files in their order").get_by_text(name).count() >= 1
    bad = [word for word in words if word.startswith(("differs", "something is missing", "branch", "starts in"))]
    assert bad
    # Told by a sign and by words, not by colour alone.
    assert words.count("!") == len(bad)


def test_a_finding_shows_the_steps_around_it(page: Page) -> None:
    article = page.get_by_role("article").filter(has_text="INT-DICE-REROLL")
    steps = article.locator(".steps li")
    assert steps.count() == 5
    (here,) = article.locator(".steps li.here").all_inner_texts()
    assert here.startswith("step 43")
    assert "1d6 = 1" in article.inner_text()


def test_nothing_out_of_sight_is_named(page: Page) -> None:
    article = page.get_by_role("article").filter(has_text="INT-HIDDEN-PEEK")
    assert article.count() == 1
    assert "Golf" not in article.locator(".message").inner_text()


def test_dice_are_charted_for_each_player(page: Page) -> None:
    section = page.locator("#dice")
    assert section.get_by_role("heading", level=3, name="Bob, dice with 6 sides").count() == 1
    assert section.locator("svg").first.locator("rect.bar").count() == 6
    assert "Chi-square" in section.inner_text()
    assert "too few" in section.inner_text()


def test_the_keyboard_reaches_everything(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "To the findings"
    summary = page.locator("#notes summary").first
    summary.focus()
    inside = page.locator("#notes details ul").first
    assert not inside.is_visible()
    page.keyboard.press("Enter")
    assert inside.is_visible()


def test_it_fits_a_telephone_and_paper(page: Page) -> None:
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.locator("html").evaluate("root => root.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_rules_of_accessibility_are_kept(browser: Browser, report: str, scheme: str) -> None:
    context: BrowserContext = browser.new_context(color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True)
    page = context.new_page()
    page.goto(report)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    results = Axe().run(page)
    context.close()
    assert results.violations_count == 0, results.generate_report()
