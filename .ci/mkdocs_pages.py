# SPDX-License-Identifier: Apache-2.0
"""Makes pages of docs/ fit for mkdocs, and the site's search fit for a browser that opens it from disk.

* A fenced block keeps its language only: the rest of its first line is for the test of commands.
* The comments around parts that commands make go: they are for that test as well.
* A browser neither fetches a file from disk nor starts a worker from one. search/offline.js holds index
  and worker, and gives them to the theme's search where the page is a file.
"""
import json
import pathlib
import re

from mkdocs.utils import get_relative_url

HOLDING = re.compile(r"^<!-- (?:(?:made|numbers)\b.*|end) -->\n", re.MULTILINE)
OFFLINE = "search/offline.js"
OFFLINE_SCRIPT = """window.__search = {
  index: Promise.resolve(%s),
  worker: URL.createObjectURL(new Blob([%s], {type: "text/javascript"})),
};
"""
# A server's pages do not load it. Written into the page, it runs before the theme's script.
LOADED = """<script>
      if (location.protocol === "file:") document.write('<script src="%s"><\\/script>');
    </script>
    """
# The theme's own script begins to search as soon as it runs, and this element stands before it.
THEME_CONFIG = '<script id="__config"'
INFO = re.compile(r"^(```\w+) .+$", re.MULTILINE)


def on_page_markdown(markdown, **_):
    return INFO.sub(r"\1", HOLDING.sub("\n", markdown))


def on_post_page(output, page, **_):
    if THEME_CONFIG not in output:
        raise ValueError(f"{page.url}: the theme has no {THEME_CONFIG}")
    return output.replace(THEME_CONFIG, LOADED % get_relative_url(OFFLINE, page.url) + THEME_CONFIG, 1)


def on_post_build(config, **_):
    site = pathlib.Path(config["site_dir"])
    index = (site / "search" / "search_index.json").read_text()
    (worker,) = (site / "assets" / "javascripts" / "workers").glob("search.*.js")
    (site / OFFLINE).write_text(OFFLINE_SCRIPT % (index, json.dumps(worker.read_text())))
