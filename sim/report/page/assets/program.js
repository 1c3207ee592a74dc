// The program tree.

const nodesAtOnce = 300;

/// What the mean tile spends in a node. These cycles add up: those of busiest tiles do not.
function meanCyclesIn(node) {
  return stepsIn(node).reduce((total, step) => total + steps[step].mean_cycles, 0);
}

function nodeCells(cells) {
  return cells.map(([text, share]) => element("td", { class: share === undefined ? "number" : "number share",
    style: share === undefined ? null : `--share: ${Math.min(100, 100 * share)}%` }, text));
}

function stepRow(number, depth) {
  const step = steps[number];
  const place = stepPlace(number);
  return element("tr", {},
    element("td", { style: `padding-left: ${0.6 + 1.4 * depth}rem` }, place ? link(step.name, ...place) : step.name),
    element("td", {}, kindNames[step.kind]),
    nodeCells([[countText(step.iterations)], [countText(step.start_cycles)], [countText(step.end_cycles)],
      [countText(step.cycles)], [percentText(shareOfStep(number)), shareOfStep(number)]]));
}

function loopRows(loop, depth) {
  const share = meanCyclesIn(loop) / (totalCycles || 1);
  let body = null;
  const toggle = button("\u25b8", () => {
    const open = body === null || body[0].hidden;
    if (body === null) {
      body = nodeRows(loop.body, depth + 1);
      row.after(...body);
    } else {
      body.forEach((child) => { child.hidden = !open; });
    }
    toggle.textContent = open ? "\u25be" : "\u25b8";
  }, "Open or close");
  const row = element("tr", {},
    element("td", { style: `padding-left: ${0.6 + 1.4 * depth}rem` }, toggle, ` Repeat ${countText(loop.iterations)} times`),
    element("td", {}, `repeat of ${countText(stepsIn(loop).length)} steps`),
    nodeCells([[countText(loop.iterations)], [countText(startOf(loop))], [countText(endOf(loop))], [""], [percentText(share), share]]));
  row.open = () => toggle.click();
  return [row];
}

function nodeRows(nodes, depth) {
  const rowsOf = (part) => part.flatMap((node) => (typeof node === "number" ? [stepRow(node, depth)] : loopRows(node, depth)));
  const rows = rowsOf(nodes.slice(0, nodesAtOnce));
  let shown = nodesAtOnce;
  if (nodes.length > shown) {
    const more = element("tr", {}, element("td", { colspan: 7 }, button(`Show more of ${countText(nodes.length)} nodes`, () => {
      more.before(...rowsOf(nodes.slice(shown, shown + nodesAtOnce)));
      shown += nodesAtOnce;
      more.hidden = shown >= nodes.length;
    })));
    rows.push(more);
  }
  return rows;
}

function drawProgram() {
  const body = element("tbody", {}, nodeRows(result.program, 0));
  for (const row of [...body.children]) if (row.open && result.program.length <= 50) row.open();
  const titles = ["Node", "Kind", "Times", "Begins", "Ends", "Cycles", "Share"];
  return [note("The program as it was compiled: a sequence of steps and loops, with shared sub-programs written out. The cycles are those of a step's busiest tile, all iterations together; the share is that of the mean tile's time."),
    element("div", { class: "scroll" }, element("table", {},
      element("thead", {}, element("tr", {}, titles.map((title, i) => element("th", { scope: "col", class: i > 1 ? "number" : null }, title)))), body)),
    heading("All steps"), stepsTable()];
}

function stepsTable() {
  return table([
    { title: "Step", value: (s) => steps[s].name, link: stepPlace },
    { title: "Kind", value: (s) => kindNames[steps[s].kind] },
    { title: "Times", value: (s) => steps[s].iterations },
    { title: "Begins", value: (s) => steps[s].start_cycles },
    { title: "Ends", value: (s) => steps[s].end_cycles },
    { title: "Cycles", value: (s) => steps[s].cycles },
    { title: "Mean tile", value: (s) => steps[s].mean_cycles, share: shareOfStep },
    { title: "Time", value: (s) => steps[s].cycles / result.machine.clock_hz, text: (s) => timeText(steps[s].cycles) },
    { title: "Not always live", value: (s) => steps[s].live_bytes, text: (s) => bytesText(steps[s].live_bytes) },
  ], Array.from(steps.keys()), { name: "steps" });
}
