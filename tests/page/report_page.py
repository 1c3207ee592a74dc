"""A page of ipusim in headless Chromium."""

import json
import re
import statistics
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

HOSTILE = "x</script><img src=q onerror=\"document.title='owned'\">"


def start_browser():
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000",
                     "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Page:
    """A report in the browser."""

    def __init__(self, browser, path):
        self.browser = browser
        self.url = path.as_uri()
        self.open("")
        self.data = json.loads(browser.execute_script("return document.getElementById('data').textContent"))
        self.result = self.data.get("result", {})

    def open(self, place):
        self.browser.get("about:blank")
        self.browser.get(f"{self.url}#{place}" if place else self.url)
        self.wait(place or "summary")

    def go(self, place):
        self.browser.execute_script("location.hash = arguments[0]", place)
        self.wait(place)

    def wait(self, place):
        WebDriverWait(self.browser, 20).until(
            lambda b: b.execute_script("return document.body.dataset.drawn") == place)

    def text(self):
        return self.browser.find_element(By.ID, "panel").text

    def tabs(self):
        return [tab.get_attribute("data-tab") for tab in self.browser.find_elements(By.CSS_SELECTOR, "[role=tab]")]

    def rows(self, number=0):
        table = self.browser.find_elements(By.CSS_SELECTOR, "#panel table")[number]
        return self.browser.execute_script(
            "return [...arguments[0].tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent))", table)

    def tables(self, first):
        """The rows of each table whose first column has this title, as dicts by title."""
        return self.browser.execute_script(
            """return [...document.querySelectorAll('#panel table')].map((table) => {
                 const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
                 return [...table.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells].map((cell, i) => [titles[i], cell.textContent])));
               }).filter((rows) => rows.length && arguments[0] in rows[0])""", first)

    def expect_quiet(self):
        """No error or warning on the console, and nothing loaded but the page."""
        log = [entry for entry in self.browser.get_log("browser") if entry["level"] != "INFO"]
        assert log == [], log
        loaded = self.browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        assert loaded == [] or all(name.startswith("data:") for name in loaded), loaded


def count(number):
    return f"{round(number):,}"


def expect(part, text):
    assert str(part) in text, f"{part!r} is not in {text[:3000]!r}"


def expand(runs):
    return [value for n, value in zip(runs[::2], runs[1::2]) for _ in range(n)]


def check_tabs(page, checks, shots, name):
    """Every tab shows what `checks` wants of it, in both themes, without a word on the console."""
    for theme in ("light", "dark"):
        page.browser.execute_script("return setTheme(arguments[0])", theme)
        for tab in page.tabs():
            page.go(tab)
            checks[tab](page)
            if shots:
                page.browser.save_screenshot(str(shots / f"{name}_{tab}_{theme}.png"))
    page.expect_quiet()


def in_page(text):
    """A string as a page's JSON has it."""
    return json.dumps(text).replace("<", "\\u003c")


def check_hostile(browser, path, folder, names_in):
    """Names are text, whatever is in them. `names_in` takes a page's data and gives the strings to replace."""
    text = path.read_text()
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
    for old in set(names_in(data)):
        assert in_page(old) in text, old
        text = text.replace(in_page(old), in_page(HOSTILE))
    hostile = folder / f"hostile_{path.name}"
    hostile.write_text(text)
    page = Page(browser, hostile)
    seen = ""
    for tab in page.tabs():
        page.go(tab)
        assert browser.find_elements(By.CSS_SELECTOR, "img") == []
        seen += page.text()
    expect(HOSTILE, seen + browser.find_element(By.TAG_NAME, "body").text)
    assert browser.title != "owned"
    return page


def check_time(browser, path, megabytes, seconds):
    size = path.stat().st_size / 1e6
    assert size <= megabytes, f"{path.name} has {size:.2f} MB of {megabytes}"
    times = []
    for _ in range(5):
        browser.get("about:blank")
        begin = time.monotonic()
        browser.get(path.as_uri())
        WebDriverWait(browser, 60, poll_frequency=0.02).until(
            lambda b: b.execute_script("return document.body.dataset.drawn"))
        times.append(time.monotonic() - begin)
    median = statistics.median(times)
    print(f"{path.name}: {size:.2f} MB, first tab after {median:.2f} s (median of five)")
    assert median <= seconds, times
