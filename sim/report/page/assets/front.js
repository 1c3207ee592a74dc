// The points of a sweep or a search, by number, and what they have in a column.

const byKey = Object.fromEntries(page.columns.map((column) => [column.key, column]));
const axisKeys = page.columns.filter((column) => column.axis).map((column) => column.key);
const rowOf = new Map(page.points.map((point, row) => [point, row]));
const onFront = new Set(page.search ? page.search.front : []);
const objectiveKeys = page.search ? page.search.objectives.map((one) => one.key) : [];
// What most sweeps are drawn over, where their points have it.
const usualKeys = ["time.seconds", "step.seconds", "memory.max_tile_bytes", "memory.total_bytes", "memory.max_ipu_bytes", "work.gflops_per_second"];

function valueAt(key, row) {
  const column = byKey[key];
  return column.values ? column.values[row] : column.value;
}

function stateOf(row) {
  if (onFront.has(page.points[row])) return "best";
  return words(page.status[row]);
}

function namedKeys() {
  return [...new Set([...axisKeys, ...objectiveKeys, ...usualKeys])].filter((key) => byKey[key]);
}

function pointColumns(keys) {
  return [{ title: "Point", value: (row) => page.points[row], word: true }, { title: "State", value: stateOf },
    ...keys.map((key) => ({ title: key, value: (row) => valueAt(key, row), text: (row) => shownValue(key, valueAt(key, row)) }))];
}

function rowsWhere(isWanted) {
  return Array.from(page.points.keys()).filter(isWanted);
}

function countsOfStates() {
  const counts = {};
  for (const row of page.points.keys()) counts[stateOf(row)] = (counts[stateOf(row)] || 0) + 1;
  return Object.entries(counts).map(([state, count]) => `${countText(count)} ${state}`).join(", ");
}

/// The values of an axis, in order.
function valuesOf(key) {
  const values = [...new Set(page.points.map((_, row) => valueAt(key, row)))];
  return values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function axesTable() {
  return table([
    { title: "Axis", value: (key) => key },
    { title: "Values", value: (key) => valuesOf(key).map((value) => shownValue(key, value)).join(", ") },
  ], axisKeys, { name: "axes", plain: true });
}

function objectivesText() {
  return page.search.objectives.map((one) => `${one.maximize ? "largest" : "smallest"} ${one.key}`).join(", ");
}

function bestRows() {
  return page.search ? rowsWhere((row) => onFront.has(page.points[row])) : [];
}

/// What the points say, in sentences.
function findingsList() {
  const { findings } = page;
  return findings.length ? [heading("What the points say"), element("ul", {}, findings.map((text) => element("li", {}, text)))] : [];
}

function drawPointsSummary() {
  const best = bestRows();
  return [terms([["Points", `${countText(page.points.length)}: ${countsOfStates()}`],
    ["Searched for", page.search ? objectivesText() : null]]), ...findingsList(), ...page.left_out.map((what) => note(`Left out: ${what}.`)),
  heading("Axes"), axesTable(),
  ...(page.search ? [heading("The front"), best.length ? table(pointColumns(namedKeys()), best, { name: "front" })
    : note("No point fits, meets the constraints and has a value of each objective.")] : [])];
}
