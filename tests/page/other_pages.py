"""Pages beside that of one program: several IPUs, points of a sweep or a search, two results."""

import pathlib
import subprocess

from selenium.webdriver.common.by import By

from report_page import Page, check_hostile, check_tabs, count, expect

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIPELINE = ROOT / "configs/parallel/mlp_pipeline.toml"
MATMUL = ROOT / "configs/runs/matmul.toml"
# The largest size does not fit into the smaller memory.
AXES = f"""run = "{MATMUL}"
[axes]
workload.n = [256, 512, 1024, 2048, 4096]
machine.sram_per_tile_bytes = [98304, 262144, 638976]
"""
SEARCH = """[explore]
minimize = ["time.seconds", "machine.total_sram_bytes"]
constraints = ["fits"]
algorithm = "nsga2"
population = 8
evaluations = 12
seed = 1
"""


def call(program, *arguments):
    subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def charts(page):
    return len(page.browser.find_elements(By.CSS_SELECTOR, "#panel .chart"))


# Several IPUs.

def check_parallel_summary(page):
    text = page.text()
    expect("Does not fit:" if page.result["oom"] else "Fits:", text)
    expect(count(page.result["step"]["samples"]) + " samples", text)
    expect(page.result["limit"], text)


def check_stages(page):
    stages = page.result["stages"]
    assert len(page.rows()) == len(stages)
    check_both_charts(page)
    page.go(f"stages/{len(stages) - 1}")
    expect(f"stage {len(stages) - 1}", page.text().lower())
    expect(stages[-1]["first_layer"], page.text())


def check_pipeline(page):
    expect(f"{count(page.result['parallel']['pipeline_cycles'])} pipeline cycles", page.text())
    rows = page.rows()
    step = page.result["step"]["seconds"]
    for row, stage in zip(rows, page.result["stages"]):
        share = float(row[2].split()[0])
        assert abs(share - 100 * stage["time"]["bubble_seconds"] / step) < 0.1, row


def check_links(page):
    text = page.text()
    expect(page.result["collective"]["method"].replace("_", " "), text)
    expect(count(page.result["collective"]["exchanges"]), text)


PARALLEL = {
    "summary": check_parallel_summary,
    "stages": check_stages,
    "pipeline": check_pipeline,
    "links": check_links,
    "config": lambda page: expect('"parallel"', page.text()),
}


# Points.

def check_points_summary(page):
    text = page.text()
    expect(f"Points {count(len(page.data['points']))}", " ".join(text.split()))
    assert page.data["findings"], "a sweep of several points says something"
    for finding in page.data["findings"]:
        expect(finding, text)
    for column in page.data["columns"]:
        if column.get("axis"):
            expect(column["key"], text)
    if "search" in page.data:
        front = {row[0] for row in page.rows(1)}
        assert front == {str(point) for point in page.data["search"]["front"]}, front


def check_points(page):
    rows = page.rows()
    assert [int(row[0]) for row in rows] == page.data["points"]
    for row, status in zip(rows, page.data["status"]):
        assert row[1] == "best" or row[1] == status.replace("_", " "), (row, status)


def check_scatter(page):
    expect("Across:", page.text())
    assert charts(page) == 1


def check_not_ok(page):
    bad = [(point, reason) for point, status, reason in
           zip(page.data["points"], page.data["status"], page.data["reasons"]) if status != "ok"]
    if not bad:
        expect("All points fit.", page.text())
        return
    shown = {int(row[0]): row[-1] for row in page.rows()}
    assert shown == dict(bad)


def check_search(page):
    search = page.data["search"]
    assert len(page.rows(0)) == len(search["sensitivities"])
    assert len(page.rows(1)) == len(search["generations"])


POINTS = {
    "summary": check_points_summary,
    "points": check_points,
    "scatter": check_scatter,
    "not_ok": check_not_ok,
    "search": check_search,
}


# Two results.

def check_both(page):
    text = page.text()
    for number, side in enumerate(page.data["sides"]):
        expect(f"{'AB'[number]}\n{side['name']}", text)
    for part in page.data["parts"]:
        expect(f"{count(len(part['changes']))} of {count(part['compared'])} changed", text)


def check_figures(page):
    """Those that differ by most come first, with their difference; equal ones are folded away."""
    check_both(page)
    differ, equal = (page.tables("What") + [[]])[:2]
    ratios = [abs(float(row["Change"].rstrip(" %").replace("+", ""))) for row in differ
              if row["Change"].endswith("%")]
    assert ratios and all(row["B less A"] for row in differ if row["Change"].endswith("%")), differ
    assert ratios[0] >= ratios[-1], ratios
    assert not page.browser.find_element(By.CSS_SELECTOR, "#panel details").get_attribute("open")
    assert all(row["A"] == row["B"] for row in equal), equal


def check_both_charts(page):
    assert charts(page) == 2


def check_part(part):
    def check(page):
        if not part["changes"]:
            expect("Nothing changed here.", page.text())
            return
        rows = page.rows()
        assert [row[0] for row in rows] == [change["key"] for change in part["changes"][:len(rows)]]
        assert len(rows) >= min(50, len(part["changes"]))
    return check


def changes_checks(page):
    checks = {"summary": check_figures, "tiles": check_both_charts}
    return {**checks, **{f"part_{part['name']}": check_part(part) for part in page.data["parts"]}}


def check_points_pages(browser, program, folder, shots):
    for command, text in (("sweep", AXES), ("explore", AXES + SEARCH)):
        config = folder / f"{command}.toml"
        config.write_text(text)
        path = folder / f"{command}.html"
        call(program, command, config, "--out", folder / command, "--report", path)
        page = Page(browser, path)
        check_tabs(page, POINTS, shots, command)
        reasons = next(reason for reason in page.data["reasons"] if reason)
        check_hostile(browser, path, folder, lambda data: [data["name"], reasons])


def check_other_pages(browser, program, folder, shots):
    path = folder / "pipeline.html"
    call(program, "run", PIPELINE, "--engine", "closed-form", "--report", path)
    check_tabs(Page(browser, path), PARALLEL, shots, "pipeline")
    check_hostile(browser, path, folder, lambda data: [data["result"]["stages"][0]["first_layer"]])
    check_points_pages(browser, program, folder, shots)
    path = folder / "changes.html"
    call(program, "diff", MATMUL, ROOT / "configs/runs/matmul_linear.toml", "--report", path)
    page = Page(browser, path)
    check_tabs(page, changes_checks(page), shots, "changes")
    longest = max(page.data["parts"], key=lambda part: len(part["changes"]))
    check_hostile(browser, path, folder, lambda data: [longest["changes"][0]["key"]])
