"""Opens report pages in headless Chromium, tab by tab, and compares what they show with the JSON
that they hold.

usage: browser_test.py PROGRAM [SCREENSHOTS]

PROGRAM is the built ipusim. Screenshots of every tab, light and dark, go to the folder SCREENSHOTS.
Needs Debian's chromium, chromium-driver and python3-selenium (.ci/install browser).
"""

import math
import pathlib
import subprocess
import sys
import tempfile

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from other_pages import check_other_pages
from report_page import HOSTILE, Page, check_hostile, check_tabs, check_time, count, expand, expect, start_browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
MATMUL = ROOT / "configs/runs/matmul_a30.toml"
POD = ROOT / "configs/runs/pod_all_reduce.toml"
NETWORK = ROOT / "configs/runs/network.toml"


def write_report(program, config, path, *arguments):
    subprocess.run([program, "run", str(config), "--engine", "closed-form", "--report", str(path), *arguments],
                   check=True, stdout=subprocess.DEVNULL)


def check_answer(page, text):
    """What a reader looks for first: variable, tile, step and remedy; the slowest step."""
    oom = page.result["oom"]
    if oom and "tile" in oom:
        expect(f"At step\n{oom['step']}", text)
        expect(oom["variable"] or oom["category"].replace("_", " "), text)
        for change in page.result.get("advice", {}).get("changes", []):
            expect(change["set"][0], text)
            if change["runs"] > 1:
                expect(f"{count(change['runs'])} runs of", text)
    if page.result["steps"]:
        slowest = max(page.result["steps"], key=lambda step: step["mean_cycles"])
        expect(f"Slowest step\n{slowest['name']}", text)


def check_code(browser, path, folder):
    """Where code is blamed, the answer is about code."""
    page = Page(browser, path)
    blamed = f'"category":"{page.result["oom"]["category"]}"'
    text = path.read_text()
    assert blamed in text
    other = folder / "code.html"
    other.write_text(text.replace(blamed, '"category":"internal_exchange_code"', 1))
    text = Page(browser, other).text()
    expect(f"Does not fit: the code of tile {page.result['oom']['tile']} is", text)
    expect("Largest code\n", text)


def check_summary(page):
    text = page.text()
    check_answer(page, text)
    expect("Fits:" if page.result["fits"] else "Does not fit:", text)
    expect(count(page.result["time"]["cycles"]) + " cycles", text)
    expect(count(page.result["graph"]["vertices"]) + " vertices", text)
    gaps = expand(page.data["tiles"]["including_gaps_bytes"])
    tables = page.rows()
    fullest = sorted(range(len(gaps)), key=lambda t: (-gaps[t], t))[:5]
    shown = [row[0].split()[0] for row in tables[:5]] if page.result["fits"] else []
    if shown and "system" not in page.result:
        assert shown == [str(tile) for tile in fullest], (shown, fullest)


def check_memory(page):
    text = page.text()
    for category in page.data["tiles"]["by_category"]:
        expect(category.replace("_", " "), text)
    expect(f"of {count(len(page.data['variables']))} rows", text)
    largest = max(page.data["variables"], key=lambda v: v["bytes"])
    expect(largest["name"], text)


def check_liveness(page):
    total = expand(page.data["liveness"]["total_bytes"])
    if total:
        peak = total.index(max(total))
        expect(f"Alive at position {peak}", page.text())


def check_program(page):
    text = page.text()
    for step in page.result["steps"][:50]:
        expect(step["name"], text)


def check_steps(page, kinds):
    rows = page.rows() if any(s["kind"] in kinds for s in page.result["steps"]) else []
    steps = [step for step in page.result["steps"] if step["kind"] in kinds]
    shown = {row[0]: row for row in rows}
    for step in steps[:50]:
        expect(count(step["cycles"]), " ".join(shown[step["name"]]))


def check_operations(page):
    """Every operation has its row, with the names of those that it reads from."""
    operations = page.data["detail"]["operations"]
    rows = {row["Operation"]: row for row in page.tables("Operation")[0]}
    needed = {layer["name"]: layer["forward_flops"] for layer in page.result.get("layers", [])}
    for operation in operations[:50]:
        row = rows[operation["name"]]
        cycles = sum(page.result["steps"][step]["mean_cycles"] for step in operation["steps"])
        assert row["Cycles"] == count(cycles), row
        assert row.get("Vertex FLOPs", "0") == count(operation["flops"]), row
        assert row.get("Needed FLOPs", "0") == count(needed.get(operation["name"], 0)), row
        assert row["Reads from"] == (", ".join(operations[i]["name"] for i in operation["inputs"]) or "-"), row
    check_kinds(page, operations)


def check_kinds(page, operations):
    """The cycles of a kind of layer are those of its operations."""
    kind_of = {layer["name"]: layer["kind"] for layer in page.result.get("layers", [])}
    cycles = {}
    for operation in operations:
        if operation["name"] in kind_of:
            kind = kind_of[operation["name"]]
            cycles[kind] = cycles.get(kind, 0) + sum(page.result["steps"][step]["mean_cycles"] for step in operation["steps"])
    if len(cycles) < 2:
        return
    by_kind = next(rows for rows in page.tables("Kind") if "Operation" not in rows[0] and "Layers" in rows[0])
    assert {row["Kind"]: row["Cycles"] for row in by_kind} == {kind: count(value) for kind, value in cycles.items()}


def check_execution(page):
    """Operations stand above the timeline, from the first to the last."""
    expect("How each tile spends its time", page.text())
    labels = page.browser.execute_script("return timelineLabels([0, totalCycles]).map((label) => label.name)")
    names = [operation["name"] for operation in page.data["detail"]["operations"]]
    if names:
        assert labels[0].startswith(names[0]), (labels, names[0])
        assert len(labels) <= 40, labels


def check_blocks(browser, program, folder):
    """Equal blocks of a network are summed up, and columns of zeros are left out."""
    config = folder / "blocks.toml"
    config.write_text('machine = "gc200"\n\n[workload]\nkind = "network"\ninput = [8, 64]\nbatch = 1\nlayers = """\n'
                      'linear 64; relu\nrepeat 3 { layer_norm; attention 4; linear 64 }\n"""\n')
    path = folder / "blocks.html"
    write_report(program, config, path, "--no-advice")
    page = Page(browser, path)
    for part in ("network linear 64; relu; repeat 3", ", batch 1, ", "on gc200"):
        expect(part, browser.title)
    page.go("operations")
    (block,) = page.tables("Block")[0]
    assert (block["Times"], block["Layers in it"]) == ("3", "3"), block
    page.go("plan")
    layer = page.tables("Layer")[0][0]
    assert "Forward" in layer and "Backward" not in layer and "Update" not in layer, layer
    page.expect_quiet()


def check_large_tile(browser, folder):
    """A tile without its address map names the largest things that it holds, buffers among them."""
    path = folder / "network.html"
    page = Page(browser, path)
    page.go("memory/tile/0")
    page.browser.execute_script("""
      const layout = knownLayout(0);
      layout.left_out = 7;
      layout.blocks = [[0, "message_buffers", 0, 4096, 8, 0, 1]];""")
    page.go("memory")
    page.go("memory/tile/0")
    expect("The page does not hold the address map of this tile.", page.text())
    expect(f"copy of {page.data['variables'][0]['name']}", page.text())
    expect("the page leaves out 7 smaller ones", page.text())


def check_energy(page):
    """The parts add up to the energy, and the tiles to the power."""
    energy, shown = page.result["energy"], page.data["energy"]
    steps = [sum(step[1::2]) for step in shown["step_joules"]]
    assert math.isclose(sum(steps), energy["joules"], rel_tol=2e-3), (sum(steps), energy["joules"])
    watts = 1e-6 * sum(expand(shown["tile_microwatts"]))
    assert math.isclose(watts, energy["watts"], rel_tol=1e-2), (watts, energy["watts"])
    for part in shown["parts"]:
        expect(part.replace("_", " "), page.text())


def check_plan(page):
    text = page.text()
    for key, value in page.result.get("plan", {}).items():
        expect(key.replace("_", " "), text)
        if isinstance(value, str):
            expect(value, text)
    for gpu in page.result.get("compare", {}):
        expect(gpu.replace("_", " "), text)
    for layer in page.result.get("layers", []):
        expect(layer["name"], text)


def check_system(page):
    assert len(page.rows()) == page.result["system"]["ipus"]


CHECKS = {
    "summary": check_summary,
    "memory": check_memory,
    "liveness": check_liveness,
    "program": check_program,
    "compute": lambda page: check_steps(page, ("compute", "copy")),
    "exchanges": lambda page: check_steps(page, ("exchange", "global_exchange")),
    "execution": check_execution,
    "operations": check_operations,
    "energy": check_energy,
    "plan": check_plan,
    "system": check_system,
}


def check_places(page, shots):
    """The pages of a tile and of a variable, reached by their links."""
    tile = page.result["memory"]["max_tile"]
    page.go(f"memory/tile/{tile}")
    expect(f"Tile {tile}", page.text())
    expect("Address map", page.text())
    if shots:
        page.browser.save_screenshot(str(shots / "matmul_tile.png"))
    page.go("memory/variable/0")
    expect(page.data["variables"][0]["name"], page.text())
    expect(count(page.data["variables"][0]["elements"]), page.text())
    expect("x".join(map(str, page.data["variables"][0]["shape"])) + " float", page.text())
    if shots:
        page.browser.save_screenshot(str(shots / "matmul_variable.png"))
    page.expect_quiet()


def check_charts(page):
    """A chart has the colours of its legend, and zooms by key."""
    page.go("execution")
    canvas = page.browser.find_element(By.CSS_SELECTOR, ".chart canvas")
    read = """const c = arguments[0], p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
              const seen = new Set(); for (let i = 0; i < p.length; i += 4) seen.add(p[i] + ',' + p[i+1] + ',' + p[i+2]);
              return [...seen];"""
    colours = page.browser.execute_script(read, canvas)
    assert "209,73,91" in colours and "42,157,143" in colours, "compute and exchange are on the timeline"
    before = page.browser.execute_script("return arguments[0].toDataURL()", canvas)
    canvas.find_element(By.XPATH, "./ancestor::*[@class='chart']").send_keys("+")
    WebDriverWait(page.browser, 10).until(
        lambda b: b.execute_script("return arguments[0].toDataURL()", canvas) != before)


def check_table(page):
    """A table filters and sorts, and its rows are right as CSV."""
    page.go("program")
    name = page.result["steps"][1]["name"]
    search = page.browser.find_element(By.CSS_SELECTOR, "#panel input[type=search]")
    search.send_keys(name)
    rows = page.rows(1)
    assert rows and all(name.lower() in " ".join(row).lower() for row in rows)
    for _ in name:
        search.send_keys(Keys.BACKSPACE)
    page.browser.find_elements(By.XPATH, "//th/button[text()='Cycles']")[0].click()
    cycles = [int(row[5].replace(",", "")) for row in page.rows(1)]
    assert cycles == sorted(cycles, reverse=True)
    text = page.browser.execute_script(
        "return csvText([{title: 'a,b', value: (r) => r}], arguments[0])", ['x"y', "=1+1", 5])
    assert text == '"a,b"\n"x""y"\n\'=1+1\n5\n', text


def check_keys(page):
    page.go("summary")
    body = page.browser.find_element(By.TAG_NAME, "body")
    body.send_keys("4")
    page.wait("program")
    body.send_keys("/")
    assert page.browser.switch_to.active_element.get_attribute("type") == "search"
    before = page.browser.execute_script("return document.documentElement.dataset.theme")
    page.browser.execute_script("document.activeElement.blur()")
    body.send_keys("t")
    assert page.browser.execute_script("return document.documentElement.dataset.theme") != before


def check_print(page):
    page.browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert len(page.browser.find_elements(By.CSS_SELECTOR, "section.tab")) == len(page.tabs())
    page.browser.execute_script("window.dispatchEvent(new Event('afterprint'))")


def check_matmul(browser, program, folder, shots):
    path = folder / "matmul.html"
    write_report(program, MATMUL, path, *(f"--set=workload.{side}=2048" for side in "mkn"))
    page = Page(browser, path)
    check_tabs(page, CHECKS, shots, "matmul")
    check_places(page, shots)
    check_charts(page)
    check_table(page)
    check_keys(page)
    check_print(page)
    check_time(browser, path, 3, 2)
    hostile = check_hostile(browser, path, folder,
                            lambda data: [data["variables"][0]["name"], data["result"]["steps"][0]["name"]])
    hostile.go("memory/variable/0")
    expect(HOSTILE, hostile.text())


def check_many_steps(browser, program, folder):
    """A program of ten thousand steps on all tiles."""
    config = folder / "deep.toml"
    layers = "; ".join(["linear 128; relu"] * 640)
    config.write_text(f'machine = "gc200"\n\n[workload]\nkind = "network"\ninput = [128]\nbatch = 16\nlayers = "{layers}"\n')
    path = folder / "deep.html"
    write_report(program, config, path, "--no-advice")
    page = Page(browser, path)
    assert len(page.result["steps"]) >= 10000, len(page.result["steps"])
    check_time(browser, path, 12, 5)
    for tab in page.tabs():
        page.go(tab)
    page.expect_quiet()


def main():
    program = sys.argv[1]
    shots = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    browser = start_browser()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            check_matmul(browser, program, folder, shots)
            sizes = [f"--set=workload.{side}=6000" for side in "mkn"]
            write_report(program, MATMUL, folder / "too_large.html", *sizes)
            check_tabs(Page(browser, folder / "too_large.html"), CHECKS, shots, "too_large")
            check_code(browser, folder / "too_large.html", folder)
            write_report(program, NETWORK, folder / "network.html")
            check_tabs(Page(browser, folder / "network.html"), CHECKS, shots, "network")
            check_large_tile(browser, folder)
            check_blocks(browser, program, folder)
            write_report(program, POD, folder / "pod.html")
            check_tabs(Page(browser, folder / "pod.html"), CHECKS, shots, "pod")
            check_other_pages(browser, program, folder, shots)
            check_many_steps(browser, program, folder)
    finally:
        browser.quit()
    print("all pages are right")


if __name__ == "__main__":
    main()
