# SPDX-License-Identifier: Apache-2.0
"""Searches the built site from disk in headless Chromium.

usage: site_test.py SITE [SCREENSHOT]

SITE is the folder that `mkdocs build` writes. Needs what tests/page needs (.ci/install browser).
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "page"))

from report_page import start_browser  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

# What a reader looks for, and a page that must be among the results.
SEARCHES = {"exchange schedule": "reference/deviations.html", "batch norms": "how-to/networks.html"}


def results(browser, words):
    """Links of the results for `words`."""
    box = browser.find_element(By.CSS_SELECTOR, "input[data-md-component=search-query]")
    assert box.is_enabled()
    browser.execute_script("document.getElementById('__search').checked = true; arguments[0].focus()", box)
    box.clear()
    box.send_keys(words)
    WebDriverWait(browser, 20).until(lambda b: b.find_elements(By.CSS_SELECTOR, ".md-search-result__link"))
    return [link.get_attribute("href") for link in browser.find_elements(By.CSS_SELECTOR, ".md-search-result__link")]


def check_search(browser, site, start):
    for words, wanted in SEARCHES.items():
        browser.get((site / start).as_uri())
        found = results(browser, words)
        assert any(wanted in link for link in found), (start, words, found)
        for link in found:
            file = pathlib.Path(link.removeprefix("file://").split("?")[0].split("#")[0])
            assert link.startswith("file://") and file.is_file(), link


def check_links(browser, site):
    """Those of the first page lead to files, not to folders."""
    browser.get((site / "index.html").as_uri())
    for link in browser.find_elements(By.CSS_SELECTOR, "article a, nav.md-nav a.md-nav__link"):
        target = (link.get_attribute("href") or "").split("#")[0]
        assert not target.startswith("file://") or pathlib.Path(target.removeprefix("file://")).is_file(), target


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    browser = start_browser()
    try:
        check_links(browser, site)
        check_search(browser, site, "index.html")
        check_search(browser, site, "how-to/networks.html")
        if len(sys.argv) > 2:
            browser.save_screenshot(sys.argv[2])
    finally:
        browser.quit()
    print("the search finds pages from disk")


if __name__ == "__main__":
    main()
