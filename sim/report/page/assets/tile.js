// A tile's own page.

/// The largest variables of a tile: [{number, name, bytes}].
function largestOnTile(tile, count) {
  const found = [];
  variables.forEach((variable, number) => {
    const bytes = bytesOnTile(variable, tile);
    if (bytes > 0) found.push({ number, name: variable.name, bytes });
  });
  return found.sort((a, b) => b.bytes - a.bytes).slice(0, count);
}

function tileTerms(tile) {
  const value = (key) => tileColumn(key)[tile];
  const regions = regionBytes(tile);
  return terms([
    ["Bytes", `${bytesText(value("total_bytes"))} of ${bytesText(capacity)}`],
    ["With gaps", bytesText(value("including_gaps_bytes"))],
    ["Always live", bytesText(value("always_live_bytes"))],
    ["Peak of the others", bytesText(value("peak_not_always_live_bytes"))],
    ["Over", value("over_bytes") > 0 ? bytesText(value("over_bytes")) : null],
    ["Non-interleaved region", `${bytesText(regions.low)} of ${bytesText(page.code_region_bytes)}`],
    ["Interleaved region", `${bytesText(regions.high)} of ${bytesText(capacity - page.code_region_bytes)}`],
    ["Cycles", ["compute", "copy", "exchange", "host", "links", "streaming", "sync", "idle"]
      .filter((part) => value(`${part}_cycles`) > 0).map((part) => `${part} ${countText(value(`${part}_cycles`))}`).join(", ")],
  ]);
}

function tileCategories(tile) {
  const rows = categories.filter((key) => categoryColumn(key)[tile] > 0)
    .sort((a, b) => categoryColumn(b)[tile] - categoryColumn(a)[tile]);
  return table([
    { title: "Category", value: words },
    { title: "Bytes", value: (key) => categoryColumn(key)[tile], text: (key) => bytesText(categoryColumn(key)[tile]),
      share: (key) => categoryColumn(key)[tile] / capacity },
  ], rows, { name: `tile_${tile}_categories`, plain: true });
}

/// Code, stacks and tables come first, then what has an address of its own. Colours tell categories
/// apart; where blocks share addresses they live at different times.
function addressMap(tile) {
  const layout = layoutOf(tile);
  if (!layout) return note("The page does not hold the address map of this tile.");
  const last = Math.max(page.positions.length, 1);
  const rows = [{ x0: 0, x1: last, y0: 0, y1: layout.fixed_bytes, key: "code, stacks and tables",
    text: `code, stacks and tables\n${bytesText(layout.fixed_bytes)}, always live` }];
  for (const block of layout.blocks.map(placedBytes)) {
    const text = `${nameOfPlaced(block)}\n${bytesText(block.bytes)} at address ${countText(block.address)}\nlives ${lifeText(block.lives)}`;
    for (const [first, end] of block.always ? [[0, last - 1]] : block.lives) {
      rows.push({ x0: first, x1: end + 1, y0: block.address, y1: block.address + block.bytes, key: words(block.category),
        variable: block.variable, text });
    }
  }
  const top = Math.max(tileColumn("including_gaps_bytes")[tile], capacity);
  return chartOf({ title: `Address map of tile ${tile}`, height: 420, rows, colours: coloursFor([...new Set(rows.map((row) => row.key))]),
    x: { title: "position in program order", domain: [0, last], format: ",d" }, y: { title: "address", domain: [0, 1.04 * top], format: "~s" },
    rules: [{ at: capacity, text: "end of memory" }, { at: page.code_region_bytes, text: "interleaved memory begins" }],
    pick: (row) => { if (row.variable >= 0) location.hash = `memory/variable/${row.variable}`; } });
}

/// What is in a tile's memory, the largest first.
function placedTable(tile) {
  const layout = knownLayout(tile);
  if (!layout) return variablesOfTile(tile);
  const rows = layout.blocks.map(placedBytes);
  const shown = table([
    { title: "Name", value: nameOfPlaced, link: (row) => (row.variable >= 0 ? ["memory", "variable", row.variable] : null) },
    { title: "Category", value: (row) => words(row.category) },
    shapeColumn((row) => variables[row.variable]),
    { title: "Bytes here", value: (row) => row.bytes, text: (row) => bytesText(row.bytes), share: (row) => row.bytes / capacity },
    { title: "Address", value: (row) => row.address },
    { title: "Alignment", value: (row) => row.alignment, text: (row) => `${row.alignment} B` },
    { title: "Region", value: (row) => (row.interleaved ? "must be interleaved" : "any") },
    { title: "Lives", value: (row) => lifeText(row.lives) },
  ], rows, { name: `tile_${tile}`, sort: [3, -1] });
  if (!layout.left_out) return shown;
  return element("div", {}, note(`The ${countOf(rows.length, "largest block")}; the page leaves out ${countText(layout.left_out)} smaller ones, ` +
    "and with them the address map."), shown);
}

/// Categories of blocks, which have addresses and lives of their own.
const blockCategories = ["variables", "constants", "message_buffers"];

/// What a tile holds at a position: blocks, then code, stacks and tables by category, and gaps.
/// Nothing here counts twice, so the rows add up to what the tile needs.
function heldAt(tile, position) {
  const layout = layoutOf(tile);
  if (!layout) return null;
  const all = layout.blocks.map(placedBytes);
  const blocks = all.filter((block) => livesAt(block, position));
  const fixed = categories.filter((key) => !blockCategories.includes(key) && categoryColumn(key)[tile] > 0)
    .map((key) => ({ variable: -1, category: key, bytes: categoryColumn(key)[tile], lives: [] }));
  const rows = [...blocks, ...fixed];
  const gaps = tileColumn("including_gaps_bytes")[tile] - sum(rows.map((row) => row.bytes));
  return gaps > 0 ? [...rows, { variable: -1, category: "gaps between addresses", bytes: gaps, lives: null }] : rows;
}

function heldTable(tile, position) {
  const rows = heldAt(tile, position);
  if (!rows) return placedTable(tile);
  return table([
    { title: "Name", value: nameOfPlaced, link: (row) => (row.variable >= 0 ? ["memory", "variable", row.variable] : null) },
    shapeColumn((row) => variables[row.variable]),
    { title: "Bytes here", value: (row) => row.bytes, text: (row) => bytesText(row.bytes), share: (row) => row.bytes / capacity },
    { title: "Share of the tile", value: (row) => row.bytes / capacity, text: (row) => percentText(row.bytes / capacity) },
    { title: "Lives", value: (row) => (row.lives ? lifeText(row.lives) : "-") },
  ], rows, { name: `tile_${tile}_held`, sort: [2, -1] });
}

function variablesOfTile(tile) {
  return table([
    { title: "Name", value: (row) => row.name, link: (row) => ["memory", "variable", row.number] },
    shapeColumn((row) => variables[row.number]),
    { title: "Bytes here", value: (row) => row.bytes, text: (row) => bytesText(row.bytes), share: (row) => row.bytes / capacity },
    { title: "Bytes in all", value: (row) => variables[row.number].bytes, text: (row) => bytesText(variables[row.number].bytes) },
  ], largestOnTile(tile, variables.length), { name: `tile_${tile}` });
}

/// Says so where the figures are those of the busiest of several tiles.
function bandNote(band) {
  if (detail.tiles_per_band === 1) return [];
  const first = band * detail.tiles_per_band;
  const last = Math.min(first + detail.tiles_per_band, tileCount) - 1;
  return [note(`In each row the figures of the busiest of the tiles ${tileText(first)} to ${tileText(last)}: the page is too large to hold each tile.`)];
}

/// The vertices that the whole program has on tiles of a step say nothing of one tile, so a tile's
/// steps are those in which it spends cycles.
function tileSteps(tile) {
  if (!detail || detail.steps.length === 0) return [note("The page does not hold the steps of single tiles.")];
  const band = Math.floor(tile / detail.tiles_per_band);
  const rows = [];
  detail.steps.forEach((step, number) => {
    const cycles = valueAt(step.cycles, band);
    if (cycles > 0) rows.push({ number, cycles, received: valueAt(step.received_bytes, band), sent: valueAt(step.sent_bytes, band) });
  });
  return [...bandNote(band), table([
    { title: "Step", value: (row) => steps[row.number].name, link: (row) => stepPlace(row.number) },
    { title: "Kind", value: (row) => kindNames[steps[row.number].kind] },
    { title: "Cycles", value: (row) => row.cycles, share: (row) => row.cycles / totalCycles },
    { title: "Received, each time", value: (row) => row.received, text: (row) => bytesText(row.received) },
    { title: "Sent, each time", value: (row) => row.sent, text: (row) => bytesText(row.sent) },
  ], rows, { name: `tile_${tile}_steps` })];
}

/// The value of one entry in a list of run lengths; 0 past its end.
function valueAt(runs, index) {
  let end = 0;
  for (let i = 0; runs && i < runs.length; i += 2) {
    end += runs[i];
    if (index < end) return runs[i + 1];
  }
  return 0;
}

function drawTile(tile) {
  return [tileChooser(tile), heading(`Tile ${tileText(tile)}`), link("Back to all tiles", "memory"), tileTerms(tile),
    heading("Address map"), addressMap(tile), heading("What is in its memory"), placedTable(tile),
    heading("By category, at its peak"), tileCategories(tile), heading("Its live bytes"), tileLiveness(tile),
    heading("Its steps"), ...tileSteps(tile)];
}
