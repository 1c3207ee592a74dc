// Execution: the timeline, and how each tile spends its time.

const tileParts = { compute: "compute_cycles", "copy on a tile": "copy_cycles", exchange: "exchange_cycles", host: "host_cycles",
  "exchange between IPUs": "links_cycles", "streaming memory": "streaming_cycles", sync: "sync_cycles", idle: "idle_cycles" };

function proportionsChart() {
  const parts = Object.keys(tileParts).filter((part) => tileColumn(tileParts[part]).some((cycles) => cycles > 0));
  const columnOf = (part) => tileColumn(tileParts[part]);
  const colours = { ...Object.fromEntries(Object.entries(kindNames).map(([kind, name]) => [name, kindColours[kind]])), idle: "#d8dce2" };
  return chartOf({ title: "How each tile spends its time", rows: stackedRows(parts, columnOf, cyclesText),
    colours: Object.fromEntries(parts.map((part) => [part, colours[part]])), x: tileAxis,
    y: { title: "cycles", domain: [0, Math.max(totalCycles, 1)], format: "~s" }, pick: openTile });
}

function partsTable() {
  const rows = Object.entries(tileParts).map(([part, key]) => {
    const column = tileColumn(key);
    const most = column.reduce((a, b) => Math.max(a, b), 0);
    return { part, mean: sum(column) / Math.max(column.length, 1), most, tile: column.indexOf(most) };
  }).filter((row) => row.most > 0);
  return table([
    { title: "Part", value: (row) => row.part },
    { title: "Mean tile", value: (row) => row.mean, share: (row) => row.mean / (totalCycles || 1) },
    { title: "Share of the time", value: (row) => row.mean / (totalCycles || 1), text: (row) => percentText(row.mean / (totalCycles || 1)) },
    { title: "Most", value: (row) => row.most },
    { title: "Tile", value: (row) => row.tile, text: (row) => tileText(row.tile), link: (row) => ["memory", "tile", row.tile] },
  ], rows, { name: "parts", plain: true });
}

function drawExecution() {
  const notes = ["A bar is a tile in a step. A loop shows its first iteration; a grey bar stands for the others. Above stand the operations."];
  if (!detail || !detail.steps.some((step) => step.first_iteration)) {
    notes.push("The engine tells nothing of single tiles of this program: the bars are those of whole steps.");
  } else if (steps.length > stepsByTile) {
    notes.push(`With more than ${stepsByTile} steps in sight the bars are those of whole steps: zoom in for tiles.`);
  }
  return [heading("Timeline"), ...notes.map(note), timelineChart(), heading("How each tile spends its time"), proportionsChart(), partsTable()];
}
