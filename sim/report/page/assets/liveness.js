// Liveness: bytes over the program, on a tile and on the chip.

/// [[position, position after, bytes], ...] of a list of run lengths.
function spansOf(runs) {
  const spans = [];
  let position = 0;
  for (let i = 0; i < runs.length; i += 2) {
    spans.push([position, position + runs[i], runs[i + 1]]);
    position += runs[i];
  }
  return spans;
}

/// The same of a tile's curve, a list of changes.
function spansOfCurve(curve) {
  const spans = [];
  for (let i = 0; i < curve.length; i += 2) {
    spans.push([curve[i], i + 2 < curve.length ? curve[i + 2] : page.positions.length, curve[i + 1]]);
  }
  return spans;
}

/// `limit`: the bytes that a tile has, where the chart is of one.
function livenessChart(title, spans, always, pick, limit) {
  const last = Math.max(page.positions.length, 1);
  const rows = [{ x0: 0, x1: last, y0: 0, y1: always, key: "always live", text: `always live: ${bytesText(always)}` }];
  let most = always;
  for (const [first, end, bytes] of spans) {
    if (bytes === 0) continue;
    most = Math.max(most, always + bytes);
    rows.push({ x0: first, x1: end, y0: always, y1: always + bytes, key: "not always live", position: first,
      text: `${stepNameAt(first)}\nnot always live: ${bytesText(bytes)}\nin all: ${bytesText(always + bytes)}` });
  }
  return chartOf({ title, rows, colours: { "always live": palette[0], "not always live": palette[1] },
    x: { title: "position in program order", domain: [0, last], format: ",d" },
    y: { title: "bytes", domain: [0, 1.06 * Math.max(most, limit || 1)], format: "~s" },
    rules: limit ? [{ at: limit, text: "memory of a tile" }] : [], pick });
}

let curveNumbers = null;
function tileSpans(tile) {
  curveNumbers = curveNumbers || expand(page.liveness.curve_of_tile);
  const curve = page.liveness.curves[curveNumbers[tile]];
  return curve ? spansOfCurve(curve) : null;
}

function tileLiveness(tile) {
  const spans = tileSpans(tile);
  if (!spans) return note("The page does not hold the live bytes of this tile.");
  return livenessChart(`Live bytes of tile ${tile}`, spans, tileColumn("always_live_bytes")[tile], null, capacity);
}

/// Where most bytes live. None for a program without steps.
function peakOf(spans) {
  return spans.reduce((a, b) => (!a || b[2] > a[2] ? b : a), null);
}

function aliveAt(position) {
  return variables.map((variable, number) => ({ variable, number })).filter(({ variable }) =>
    !variable.always_live && variable.bytes > 0 && variable.live[0] <= position && position <= variable.live[1]);
}

/// Message buffers are on tiles and in no variable: their bytes are counted over the layouts.
function buffersAt(position) {
  if (!detail) return null;
  layoutNumbers = layoutNumbers || expand(detail.layout_of_tile);
  const bytes = detail.layouts.map((layout) => (layout ? sum(layout.blocks.map(placedBytes)
    .filter((block) => isBuffer(block) && !block.always && block.lives.some(([first, last]) => first <= position && position <= last))
    .map((block) => block.bytes)) : null));
  return bytes.includes(null) ? null : sum(layoutNumbers.map((number) => bytes[number]));
}

function aliveTable(position) {
  const rows = aliveAt(position).map(({ variable, number }) => ({ name: variable.name, number,
    bytes: variable.bytes, most: mostOnTile(variable)[0], life: variableLife(variable) }));
  const buffers = buffersAt(position);
  if (buffers) rows.push({ name: "message buffers", number: -1, bytes: buffers, most: 0, life: "-" });
  return table([
    { title: "Name", value: (row) => row.name, link: (row) => (row.number >= 0 ? ["memory", "variable", row.number] : null) },
    shapeColumn((row) => variables[row.number]),
    { title: "Bytes in all", value: (row) => row.bytes, text: (row) => bytesText(row.bytes) },
    { title: "Most on a tile", value: (row) => row.most, text: (row) => (row.most > 0 ? bytesText(row.most) : "-") },
    { title: "Lives", value: (row) => row.life },
  ], rows, { name: `alive_at_${position}`, sort: [2, -1] });
}

function drawLiveness() {
  const whole = spansOf(page.liveness.total_bytes);
  const alive = element("div", {});
  const show = (position) => alive.replaceChildren(
    heading(`Alive at position ${position}, ${stepNameAt(position)}`), aliveTable(position));
  const peak = peakOf(whole);
  if (peak) show(peak[0]);
  const choose = (row) => { if (row.position !== undefined) show(row.position); };
  const tile = result.oom ? result.oom.tile : fullestTiles(1)[0];
  return [heading("The whole chip"), note(peak ? `The bytes that do not live always are most at ${stepNameAt(peak[0])}: ${bytesText(peak[2])}. A click on the chart shows who is alive.`
    : "The program has no steps."),
  livenessChart("Live bytes of the chip", whole, result.memory.always_live_bytes, choose),
  heading(`The fullest tile, ${tileText(tile)}`), tileLiveness(tile), alive,
  heading("Always live"), table([
    { title: "Name", value: (v) => variables[v].name, link: (v) => ["memory", "variable", v] },
    shapeColumn((v) => variables[v]),
    { title: "Bytes in all", value: (v) => variables[v].bytes, text: (v) => bytesText(variables[v].bytes) },
  ], Array.from(variables.keys()).filter((v) => variables[v].always_live), { name: "always_live", sort: [2, -1] })];
}
