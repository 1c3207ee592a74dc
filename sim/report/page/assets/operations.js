// Operations: the layers of a network, or steps whose names begin alike, and what flows between them.

const operations = detail ? detail.operations : [];
const mostDrawnOperations = 400;

function operationCycles(operation) {
  return sum(operation.steps.map((step) => steps[step].mean_cycles));
}

function operationsTable() {
  const bytes = (title, key) => ({ title, value: (operation) => operation[key], text: (operation) => bytesText(operation[key]) });
  const share = (operation) => operationCycles(operation) / (totalCycles || 1);
  return table([
    { title: "Operation", value: (operation) => operation.name },
    { title: "Steps", value: (operation) => operation.steps.length },
    { title: "Share of time", value: share, text: (operation) => percentText(share(operation)), share },
    { title: "FLOPs", value: (operation) => operation.flops },
    bytes("Vertex code", "vertex_code_bytes"), bytes("Vertex states", "vertex_data_bytes"), bytes("Exchange code", "exchange_code_bytes"),
    { title: "Reads from", value: (operation) => operation.inputs.map((input) => operations[input].name).join(", ") || "-" },
  ], operations, { name: "operations" });
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
    operationsTable(), heading("What reads from what"),
    note("From top to bottom in the order of the program. The stronger an outline, the longer the operation takes. What a loop brings back to an operation is not drawn."), operationsGraph()];
}
