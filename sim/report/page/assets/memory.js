// Memory: bytes per tile, by category, by region; the tiles' own pages are in tile.js.

/// Rows of a stacked chart over tiles: one bar for each category.
function stackedRows(keys, columnOf, textOf) {
  const rows = [];
  for (let first = 0; first < tileCount; ) {
    let end = first + 1;
    while (end < tileCount && keys.every((key) => columnOf(key)[end] === columnOf(key)[first])) ++end;
    let below = 0;
    for (const key of keys) {
      const value = columnOf(key)[first];
      const where = end === first + 1 ? `Tile ${tileText(first)}` : `Tiles ${tileText(first)} to ${tileText(end - 1)}`;
      if (value > 0) rows.push({ x0: first, x1: end, y0: below, y1: below + value, key: words(key), tile: first, text: `${where}\n${words(key)}: ${textOf(value)}` });
      below += value;
    }
    first = end;
  }
  return rows;
}

function sum(values) {
  return values.reduce((a, b) => a + b, 0);
}

function orderedCategories() {
  return categories.slice().sort((a, b) => sum(categoryColumn(b)) - sum(categoryColumn(a)));
}

const tileAxis = { title: "tile", domain: [0, tileCount], format: ",d" };

function openTile(row) {
  location.hash = `memory/tile/${row.tile}`;
}

function categoryChart() {
  const keys = orderedCategories();
  const most = Math.max(capacity, ...fullestTiles(1).map((t) => tileColumn("total_bytes")[t]));
  return chartOf({ title: "Bytes of each tile by category", rows: stackedRows(keys, categoryColumn, bytesText),
    colours: coloursFor(keys.map(words)), x: tileAxis, y: { title: "bytes at the tile's peak", domain: [0, 1.06 * most], format: "~s" },
    rules: [{ at: capacity, text: `capacity ${bytesText(capacity)}` }], pick: openTile });
}

function gapsChart() {
  const total = tileColumn("total_bytes");
  const gaps = tileColumn("including_gaps_bytes").map((bytes, tile) => Math.max(0, bytes - total[tile]));
  const columnOf = (key) => (key === "gaps" ? gaps : total);
  const most = Math.max(capacity, ...fullestTiles(1).map((t) => tileColumn("including_gaps_bytes")[t]));
  return chartOf({ title: "Bytes of each tile with gaps", rows: stackedRows(["without gaps", "gaps"], columnOf, bytesText),
    colours: { "without gaps": palette[0], gaps: palette[1] }, x: tileAxis,
    y: { title: "bytes", domain: [0, 1.06 * most], format: "~s" },
    rules: [{ at: capacity, text: `capacity ${bytesText(capacity)}` }], pick: openTile });
}

/// Bytes that a tile has in each region, of all that it ever holds. None without its address map.
function regionBytes(tile) {
  const end = tileColumn("including_gaps_bytes")[tile];
  const code = page.code_region_bytes;
  return { low: Math.min(end, code), high: Math.max(0, Math.min(end, capacity) - code), past: Math.max(0, end - capacity) };
}

function regionTable() {
  const code = page.code_region_bytes;
  const rows = [
    ["Non-interleaved, may hold code", code, "low"],
    ["Interleaved", capacity - code, "high"],
    ["Past the end", 0, "past"],
  ].map(([name, size, key]) => {
    const used = Array.from({ length: tileCount }, (_, tile) => regionBytes(tile)[key]);
    const most = used.reduce((a, b) => Math.max(a, b), 0);
    return { name, size, total: sum(used), most, tile: used.indexOf(most) };
  }).filter((row) => row.size > 0 || row.total > 0);
  return table([
    { title: "Region", value: (row) => row.name },
    { title: "Size on a tile", value: (row) => row.size, text: (row) => bytesText(row.size) },
    { title: "Up to the last address, all tiles", value: (row) => row.total, text: (row) => bytesText(row.total) },
    { title: "Most on a tile", value: (row) => row.most, text: (row) => bytesText(row.most) },
    { title: "Tile", value: (row) => row.tile, text: (row) => tileText(row.tile), link: (row) => ["memory", "tile", row.tile] },
  ], rows, { name: "regions", plain: true });
}

function categoryTable() {
  const total = result.memory.total_bytes || 1;
  const rows = orderedCategories().map((key) => {
    const column = categoryColumn(key);
    const most = column.reduce((a, b) => Math.max(a, b), 0);
    return { key, bytes: sum(column), most, tile: column.indexOf(most) };
  });
  return table([
    { title: "Category", value: (row) => words(row.key) },
    { title: "All tiles", value: (row) => row.bytes, text: (row) => bytesText(row.bytes), share: (row) => row.bytes / total },
    { title: "Share", value: (row) => row.bytes / total, text: (row) => percentText(row.bytes / total) },
    { title: "Most on a tile", value: (row) => row.most, text: (row) => bytesText(row.most) },
    { title: "Tile", value: (row) => row.tile, text: (row) => tileText(row.tile), link: (row) => ["memory", "tile", row.tile] },
  ], rows, { name: "categories", plain: true });
}

function tilesTable() {
  const column = (title, key) => ({ title, value: (t) => tileColumn(key)[t], text: (t) => bytesText(tileColumn(key)[t]) });
  return table([
    { title: "Tile", value: (t) => t, text: tileText, link: (t) => ["memory", "tile", t] },
    column("Bytes", "total_bytes"), column("With gaps", "including_gaps_bytes"), column("Always live", "always_live_bytes"),
    column("Peak of the others", "peak_not_always_live_bytes"), column("Over", "over_bytes"),
    { title: "Largest category", value: (t) => words(largestCategory(t)) },
  ], Array.from({ length: tileCount }, (_, tile) => tile), { name: "tiles" });
}

function tileChooser(tile) {
  const field = element("input", { type: "number", min: 0, max: tileCount - 1, value: tile === null ? "" : tile, "aria-label": "Tile" });
  field.addEventListener("change", () => { if (field.checkValidity() && field.value !== "") location.hash = `memory/tile/${field.value}`; });
  return element("div", { class: "tools" }, "A tile's own page: ", field);
}

function drawMemory(kind, which) {
  const isNumber = /^[0-9]+$/.test(which);
  if (kind === "tile" && isNumber && Number(which) < tileCount) return drawTile(Number(which));
  if (kind === "variable" && isNumber && variables[Number(which)]) return drawVariable(Number(which));
  return [tileChooser(null), heading("By category"), categoryChart(), categoryTable(),
    heading("With and without gaps"), gapsChart(), heading("By region"), regionTable(),
    heading("Variables"), variablesTable(), heading("Tiles"), tilesTable()];
}
