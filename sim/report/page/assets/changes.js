// The tabs of two results: both side by side, and what changed from A to B.

const [sideA, sideB] = page.sides;

/// A figure in its unit: a key of a step or of a variable does not end in one.
function inUnit(change, value) {
  return shownValue(change.unit || change.key, value);
}

function difference(change) {
  return typeof change.a === "number" && typeof change.b === "number" ? change.b - change.a : null;
}

function changeText(change) {
  const { a, b } = change;
  if (a === b) return "";
  if (typeof a !== "number" || typeof b !== "number") return a === null ? "only in B" : b === null ? "only in A" : "";
  if (a === 0) return "from none";
  const ratio = b / a;
  return Math.abs(ratio) >= 10 ? `x ${ratio.toPrecision(3)}` : `${ratio >= 1 ? "+" : ""}${(100 * (ratio - 1)).toPrecision(3)} %`;
}

/// How much larger a change is than nothing, against the largest of its unit.
function shareOfLargest(changes, change) {
  const size = Math.abs(difference(change) || 0);
  const most = Math.max(...changes.filter((one) => one.unit === change.unit).map((one) => Math.abs(difference(one) || 0)));
  return most > 0 ? size / most : null;
}

function changesTable(changes, name) {
  const largest = new Map(changes.map((change) => [change, shareOfLargest(changes, change)]));
  return table([
    { title: "What", value: (change) => change.key },
    { title: "Unit", value: (change) => change.unit },
    { title: "A", value: (change) => change.a ?? "", text: (change) => inUnit(change, change.a) },
    { title: "B", value: (change) => change.b ?? "", text: (change) => inUnit(change, change.b) },
    { title: "B less A", value: (change) => difference(change) ?? "", share: (change) => largest.get(change),
      text: (change) => (difference(change) === null ? "" : signedText(change)) },
    { title: "Change", value: changeText },
  ], changes, { name });
}

function signedText(change) {
  const by = difference(change);
  return (by < 0 ? "\u2212" : "+") + inUnit(change, Math.abs(by));
}

function sideColumns(draw) {
  return element("div", { class: "sides" }, page.sides.map((side, number) => element("section", {},
    element("h2", {}, `${"AB"[number]}: ${side.name}`), draw(side, number))));
}

/// The figures of an object by their paths. Lists are figures as a whole.
function leaves(object, prefix) {
  return Object.entries(object).flatMap(([key, value]) => (value && typeof value === "object" && !Array.isArray(value)
    ? leaves(value, `${prefix}${key}.`) : [[prefix + key, Array.isArray(value) ? JSON.stringify(value) : value]]));
}

/// What both sides have at their heads: {key, unit, a, b}. A category of memory does not end in its unit.
function headFigures() {
  const [a, b] = page.sides.map(({ head }) => new Map(leaves(head, "")));
  return [...new Set([...a.keys(), ...b.keys()])].map((key) => ({ key, unit: key.includes("by_category.") ? "bytes" : key,
    a: a.get(key) ?? null, b: b.get(key) ?? null }));
}

/// By what factor a figure differs. What was zero differs most, and what is no number on both sides least.
function sizeOfChange({ a, b }) {
  if (typeof a !== "number" || typeof b !== "number") return -1;
  return a > 0 && b > 0 ? Math.abs(Math.log(b / a)) : Number.MAX_VALUE;
}

function headTable(rows) {
  return table([
    { title: "What", value: (row) => words(row.key.replace(/\./g, ": ")) },
    { title: "A", value: (row) => row.a ?? "", text: (row) => inUnit(row, row.a) },
    { title: "B", value: (row) => row.b ?? "", text: (row) => inUnit(row, row.b) },
    { title: "B less A", value: (row) => difference(row) ?? "", text: (row) => (difference(row) === null ? "" : signedText(row)) },
    { title: "Change", value: changeText },
  ], rows, { name: "figures", plain: true });
}

/// The figures that differ, the farthest first, and behind a click those that do not.
function headPart() {
  const rows = headFigures();
  const differ = rows.filter(({ a, b }) => a !== b).sort((one, other) => sizeOfChange(other) - sizeOfChange(one));
  const equal = rows.filter(({ a, b }) => a === b);
  return [heading("What differs"), differ.length ? headTable(differ) : note("No figure differs."),
    ...(equal.length ? [element("details", {}, element("summary", {}, `${countOf(equal.length, "figure")} equal on both sides`), headTable(equal))] : [])];
}

function drawBoth() {
  const most = 5;
  const names = page.sides.map((side, number) => ["AB"[number], side.name]);
  const counts = page.parts.map((part) => [words(part.name), `${countText(part.changes.length)} of ${countText(part.compared)} changed`]);
  const largest = page.parts.filter((part) => part.changes.length > 0).flatMap((part) => [heading(`Largest changes: ${words(part.name)}`),
    changesTable(part.changes.slice(0, most), part.name)]);
  return [terms([...names, ...counts]), ...headPart(), ...largest];
}

/// Ranges of tiles with as many bytes.
function tileRows(runs) {
  const rows = [];
  let first = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const end = first + runs[i];
    const where = runs[i] === 1 ? `Tile ${first}` : `Tiles ${first} to ${end - 1}`;
    rows.push({ x0: first, x1: end, y0: 0, y1: runs[i + 1], key: "bytes", text: `${where}\n${bytesText(runs[i + 1])}` });
    first = end;
  }
  return rows;
}

function drawTiles() {
  const rows = page.sides.map((side) => (side.tiles ? tileRows(side.tiles) : []));
  const all = rows.flat();
  const tiles = all.reduce((most, row) => Math.max(most, row.x1), 1);
  const bytes = all.reduce((most, row) => Math.max(most, row.y1), 1);
  return [sideColumns((side, number) => (side.tiles ? chartOf({ title: `Bytes of each tile of ${"AB"[number]}`, rows: rows[number],
    colours: { bytes: palette[number] }, x: { title: "tile", domain: [0, tiles], format: ",d" },
    y: { title: "bytes", domain: [0, 1.06 * bytes], format: "~s" } })
    : note("This side is a file without its tiles: give its config or its trace in place of it."))), note("Both charts have one scale.")];
}

const tabs = [
  ["summary", "What differs", drawBoth],
  ["tiles", "Tiles", drawTiles],
  ...page.parts.map((part) => [`part_${part.name}`, words(part.name).replace(/^./, (letter) => letter.toUpperCase()),
    () => [part.changes.length ? changesTable(part.changes, part.name) : note("Nothing changed here.")]]),
];
const pageTitle = page.name;
const pageSubtitle = "What changed from A to B, the largest first";
