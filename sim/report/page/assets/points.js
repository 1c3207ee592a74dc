// The tabs of a sweep or a search.

const stateColours = { "best": "#d1495b", ok: "#30638e", "does not fit": "#edae49", invalid: "#8d99ae", failed: "#7b4fa3" };

function drawAllPoints() {
  const shown = namedKeys();
  const frame = element("div", {});
  const redraw = () => frame.replaceChildren(table(pointColumns(shown), Array.from(page.points.keys()), { name: "points" }));
  const others = page.columns.map((column) => column.key).filter((key) => !shown.includes(key));
  const choice = element("select", { "aria-label": "Add a column", onchange: (event) => {
    if (!shown.includes(event.target.value)) shown.push(event.target.value);
    redraw();
  } }, element("option", { value: "" }, "Add a column ..."), others.map((key) => element("option", { value: key }, key)));
  redraw();
  return [choice, frame];
}

function numericKeys() {
  return page.columns.filter((column) => column.values && column.values.some((value) => typeof value === "number")).map((column) => column.key);
}

/// [least, most] of the numbers, with room around them.
function domainOf(numbers) {
  const least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const most = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
  const room = 0.06 * (most - least) || Math.abs(most) * 0.1 || 1;
  return [least - room, most + room];
}

function scatter(x, y) {
  const rows = rowsWhere((row) => typeof valueAt(x, row) === "number" && typeof valueAt(y, row) === "number");
  if (rows.length === 0) return note("No point has a number in both columns.");
  const [x_domain, y_domain] = [x, y].map((key) => domainOf(rows.map((row) => valueAt(key, row))));
  const [half_x, half_y] = [0.004 * (x_domain[1] - x_domain[0]), 0.01 * (y_domain[1] - y_domain[0])];
  const states = rows.map(stateOf);
  const marks = rows.map((row, number) => ({ x0: valueAt(x, row) - half_x, x1: valueAt(x, row) + half_x, y0: valueAt(y, row) - half_y,
    y1: valueAt(y, row) + half_y, key: states[number], text: [`point ${page.points[row]}, ${states[number]}`,
      ...new Set([...axisKeys, x, y])].map((key, line) => (line === 0 ? key : `${key}: ${shownValue(key, valueAt(key, row))}`)).join("\n") }));
  marks.sort((a, b) => (a.key === "best") - (b.key === "best"));  // the last is drawn above
  const colours = Object.fromEntries([...new Set(states)].map((state) => [state, stateColours[state] || "#2a9d8f"]));
  return chartOf({ title: `${y} over ${x}`, rows: marks, colours, height: 420, x: { title: x, domain: x_domain, format: "~s" },
    y: { title: y, domain: y_domain, format: "~s" } });
}

function drawScatter() {
  const keys = numericKeys();
  if (keys.length < 2) return [note("There are no two columns with numbers that differ from point to point.")];
  const wanted = [...objectiveKeys, ...usualKeys, ...axisKeys, ...keys].filter((key) => keys.includes(key));
  const chosen = [wanted[0], wanted.find((key) => key !== wanted[0])];
  const frame = element("div", {});
  const redraw = () => { frame.replaceChildren(scatter(...chosen)); drawPendingCharts(); };
  const chooser = (which, label) => element("label", {}, `${label} `, element("select", { onchange: (event) => {
    chosen[which] = event.target.value;
    redraw();
  } }, keys.map((key) => element("option", { value: key, selected: key === chosen[which] ? "" : null }, key))));
  frame.append(scatter(...chosen));
  return [element("p", {}, chooser(0, "Across:"), " ", chooser(1, "Up:")), frame];
}

function drawFailed() {
  const rows = rowsWhere((row) => page.status[row] !== "ok");
  if (rows.length === 0) return [note("All points fit.")];
  return [table([...pointColumns(axisKeys), { title: "Reason", value: (row) => page.reasons[row] }], rows, { name: "not_ok" })];
}

function drawSearch() {
  const { generations, sensitivities } = page.search;
  return [heading("What a step along an axis does"), table([
    { title: "Axes", value: (one) => one.axes }, { title: "Objective", value: (one) => one.objective },
    { title: "Neighbours", value: (one) => one.neighbours }, { title: "Infeasible", value: (one) => one.infeasible },
    { title: "Mean, %", value: (one) => one.mean_percent, text: (one) => one.mean_percent.toPrecision(3) },
    { title: "Largest, %", value: (one) => one.largest_percent, text: (one) => one.largest_percent.toPrecision(3) },
    { title: "From", value: (one) => one.from }, { title: "To", value: (one) => one.to },
  ], sensitivities, { name: "sensitivities" }), heading("Generations"), table([
    { title: "Generation", value: (one) => generations.indexOf(one), word: true }, { title: "Points seen", value: (one) => one.seen },
    { title: "On the front", value: (one) => one.front },
    { title: "Hypervolume", value: (one) => one.hypervolume, text: (one) => one.hypervolume.toPrecision(4) },
  ], generations, { name: "generations" })];
}

const tabs = [
  ["summary", "Summary", drawPointsSummary],
  ["points", "Points", drawAllPoints],
  ["scatter", "Two columns", drawScatter],
  ["not_ok", "Not fitting, not run", drawFailed],
  ...(page.search ? [["search", "Search", drawSearch]] : []),
];
const pageTitle = page.name;
const pageSubtitle = `${countText(page.points.length)} points of ${page.search ? "a search" : "a sweep"}`;
