// Operations: the layers of a network, or steps whose names begin alike, and what flows between them.

const operations = detail ? detail.operations : [];
const mostDrawnOperations = 400;
const layerNamed = new Map((result.layers || []).map((layer) => [layer.name, layer]));

function operationCycles(operation) {
  return sum(operation.steps.map((step) => steps[step].mean_cycles));
}

/// Columns that every table of operations has, of rows with the sums of one operation or of several.
function sumColumns() {
  const share = (row) => row.cycles / (totalCycles || 1);
  const bytes = (title, key) => ({ title, value: (row) => row[key], text: (row) => bytesText(row[key]) });
  return [{ title: "Steps", value: (row) => row.steps }, { title: "Cycles", value: (row) => row.cycles },
    { title: "Share of time", value: share, text: (row) => percentText(share(row)), share },
    { title: "Vertex FLOPs", value: (row) => row.flops }, { title: "Needed FLOPs", value: (row) => row.needed },
    bytes("Vertex code", "vertex_code_bytes"), bytes("Vertex states", "vertex_data_bytes"), bytes("Exchange code", "exchange_code_bytes")];
}

/// Sums over some operations.
function sumsOf(some) {
  const all = (key) => sum(some.map((operation) => operation[key]));
  return { steps: sum(some.map((operation) => operation.steps.length)), cycles: sum(some.map(operationCycles)), flops: all("flops"),
    needed: sum(some.map(({ name }) => layerNamed.get(name)?.forward_flops || 0)),
    vertex_code_bytes: all("vertex_code_bytes"), vertex_data_bytes: all("vertex_data_bytes"), exchange_code_bytes: all("exchange_code_bytes") };
}

function operationsTable() {
  const rows = operations.map((operation) => ({ ...sumsOf([operation]), name: operation.name, kind: layerNamed.get(operation.name)?.kind ?? "-",
    reads: operation.inputs.map((input) => operations[input].name).join(", ") || "-" }));
  return table(withoutZeros([{ title: "Operation", value: (row) => row.name }, ...(layerNamed.size ? [{ title: "Kind", value: (row) => row.kind }] : []),
    ...sumColumns(), { title: "Reads from", value: (row) => row.reads }], rows), rows, { name: "operations" });
}

/// Operations by the kind of their layers, what takes longest first.
function kindsPart() {
  const kinds = new Map();
  for (const operation of operations) {
    const kind = layerNamed.get(operation.name)?.kind;
    if (kind) kinds.set(kind, [...(kinds.get(kind) || []), operation]);
  }
  if (kinds.size < 2) return [];
  const rows = [...kinds].map(([kind, some]) => ({ ...sumsOf(some), kind, count: some.length }));
  const others = totalCycles - sum(rows.map((row) => row.cycles));
  if (others > 0) rows.push({ ...sumsOf([]), kind: "between layers: waiting and sync", count: 0, cycles: others });
  rows.sort((a, b) => b.cycles - a.cycles);
  return [heading("By kind of layer"), table(withoutZeros([{ title: "Kind", value: (row) => row.kind }, { title: "Layers", value: (row) => row.count },
    ...sumColumns()], rows), rows, { name: "operations_by_kind" })];
}

/// Layers of one kind and of equal sizes do the same work.
function sameWork(a, b) {
  return a.kind === b.kind && a.forward_flops === b.forward_flops && a.parameters === b.parameters;
}

/// How often the `length` layers from `first` on follow one another, the first time included.
function timesFrom(layers, first, length) {
  let end = first + length;
  while (end < layers.length && sameWork(layers[end], layers[end - length])) ++end;
  return Math.floor((end - first) / length);
}

/// Blocks of at least two layers that come several times in a row, as the blocks of a transformer do:
/// [{first, length, times}]. Of the blocks that begin at a layer the one that covers most counts, the shortest of equals.
function equalBlocks(layers) {
  const found = [];
  for (let first = 0; first < layers.length;) {
    let best = null;
    for (let length = 2; first + 2 * length <= layers.length; ++length) {
      if (!sameWork(layers[first], layers[first + length])) continue;
      const times = timesFrom(layers, first, length);
      if (times > 1 && (!best || times * length > best.times * best.length)) best = { first, length, times };
    }
    if (best) found.push(best);
    first += best ? best.times * best.length : 1;
  }
  return found;
}

function blocksPart() {
  const layers = result.layers || [];
  const named = new Map(operations.map((operation) => [operation.name, operation]));
  const rows = equalBlocks(layers).map(({ first, length, times }) => {
    const all = layers.slice(first, first + times * length);
    const some = all.map(({ name }) => named.get(name)).filter((operation) => operation);
    return { ...sumsOf(some), name: `${all[0].name} to ${all[length - 1].name}`, times, layers: length };
  });
  if (!rows.length) return [];
  return [heading("By equal blocks"), note("Layers that come several times in a row with the same work. A block has the names of its first time; the figures are those of all times."),
    table(withoutZeros([{ title: "Block", value: (row) => row.name }, { title: "Times", value: (row) => row.times }, { title: "Layers in it", value: (row) => row.layers },
      { title: "Cycles of one", value: (row) => row.cycles / row.times }, ...sumColumns()], rows), rows, { name: "operations_by_block" })];
}

/// The rank of each operation is one more than the highest of those before it that it reads from.
function operationRanks() {
  const ranks = [];
  operations.forEach(({ inputs }, number) => {
    ranks.push(1 + Math.max(-1, ...inputs.filter((input) => input < number).map((input) => ranks[input])));
  });
  return ranks;
}

/// Operations of a rank stand side by side. A line leads from each down to those that read from it.
function operationMarks(width) {
  const ranks = operationRanks();
  const ofRank = [];
  ranks.forEach((rank, number) => (ofRank[rank] = ofRank[rank] || []).push(number));
  const most = Math.max(...operations.map(operationCycles), 1);
  const nodes = operations.map((operation, number) => {
    const row = ofRank[ranks[number]];
    const share = operationCycles(operation) / (totalCycles || 1);
    return { x: (width * (row.indexOf(number) + 0.5)) / row.length, y: 16 + 40 * ranks[number], name: operation.name, number,
      width: Math.min(170, width / row.length - 10), weight: 0.15 + (0.85 * operationCycles(operation)) / most,
      text: `${operation.name}\n${percentText(share)} of the time` };
  });
  const edges = operations.flatMap(({ inputs }, number) => inputs.filter((input) => input < number)
    .map((input) => ({ x: nodes[input].x, y: nodes[input].y + 12, x2: nodes[number].x, y2: nodes[number].y - 12 })));
  return { nodes, edges, height: 40 * ofRank.length };
}

function operationsSpec(width) {
  const { nodes, edges, height } = operationMarks(width);
  const text = themeColour("--text");
  return { width, height, background: themeColour("--back"), data: [{ name: "nodes", values: nodes }, { name: "edges", values: edges }],
    marks: [
      { type: "rule", from: { data: "edges" }, encode: { enter: { x: { field: "x" }, y: { field: "y" }, x2: { field: "x2" }, y2: { field: "y2" },
        stroke: { value: themeColour("--muted") }, strokeWidth: { value: 1 } } } },
      { type: "rect", from: { data: "nodes" }, encode: { enter: { xc: { field: "x" }, yc: { field: "y" }, width: { field: "width" }, height: { value: 24 },
        cornerRadius: { value: 4 }, fill: { value: themeColour("--bar") }, stroke: { value: themeColour("--link") },
        strokeOpacity: { field: "weight" }, strokeWidth: { value: 2 }, tooltip: { field: "text" } } } },
      { type: "text", from: { data: "nodes" }, interactive: false, encode: { enter: { x: { field: "x" }, y: { field: "y" }, text: { field: "name" },
        align: { value: "center" }, baseline: { value: "middle" }, fill: { value: text }, fontSize: { value: 12 }, limit: { field: "width", offset: -8 } } } },
    ] };
}

function operationsGraph() {
  if (operations.length < 2) return note("One operation alone: there is no graph.");
  if (operations.length > mostDrawnOperations) return note(`A graph of ${countText(operations.length)} operations would be too large; the table says what each reads from.`);
  if (typeof vega === "undefined") return note("No chart: ipusim was built without Vega (libjs-vega).");
  const frame = element("div", { class: "chart", role: "img", "aria-label": "Graph of the operations" });
  pendingCharts.push(() => {
    const view = new vega.View(vega.parse(operationsSpec(Math.max(300, frame.clientWidth - 16))), { renderer: "canvas", container: frame, hover: false });
    view.tooltip(showTooltip);
    return view.runAsync();
  });
  return frame;
}

function drawOperations() {
  if (!operations.length) return [note("The page does not hold the operations of this program.")];
  return [note("Layers, or steps whose names begin alike. Bytes are those of all tiles; code of a vertex type that operations share on a tile counts in each of them."),
    note("Cycles are those of the mean tile. Vertex FLOPs are what the vertices count, in all passes and at the sizes that they work on; needed FLOPs are those of the layer's formula in the forward pass, as under Plan and GPU."),
    ...kindsPart(), ...blocksPart(), heading("Each operation"), operationsTable(), heading("What reads from what"),
    note("From top to bottom in the order of the program. The stronger an outline, the longer the operation takes. What a loop brings back to an operation is not drawn."), operationsGraph()];
}
