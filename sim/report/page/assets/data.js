// The parts of a run's result.

const result = page.result;
const steps = result.steps;
const variables = page.variables;
const detail = page.detail || null;
const totalCycles = result.time.cycles;
const capacity = result.machine.sram_per_tile_bytes;
const tileCount = result.machine.tiles;

const columns = new Map();
/// The column of the table of tiles, one value for each tile.
function tileColumn(key) {
  if (!columns.has(key)) columns.set(key, expand(page.tiles[key]));
  return columns.get(key);
}

const categories = Object.keys(page.tiles.by_category);
function categoryColumn(category) {
  if (!columns.has("category " + category)) {
    columns.set("category " + category, expand(page.tiles.by_category[category]));
  }
  return columns.get("category " + category);
}

/// Such as "17", or "17 of IPU 3".
function tileText(tile) {
  if (!result.system) return String(tile);
  const each = result.system.tiles_per_ipu;
  return `${tile % each} of IPU ${Math.floor(tile / each)}`;
}

function tileOfBand(band) {
  return band * (detail ? detail.tiles_per_band : 1);
}

/// The bytes of a variable on a tile. None where the page does not know.
function bytesOnTile(variable, tile) {
  const places = variable.tiles;
  if (!places) return null;
  for (let i = 0; i < places.length; i += 3) {
    if (tile >= places[i] && tile < places[i] + places[i + 1]) return places[i + 2];
  }
  return 0;
}

let layoutNumbers = null;
/// What the page knows of a tile's blocks: the largest ones where it has no room for all.
function knownLayout(tile) {
  if (!detail) return null;
  layoutNumbers = layoutNumbers || expand(detail.layout_of_tile);
  return detail.layouts[layoutNumbers[tile]] || null;
}

/// What is where on a tile. None where the page does not hold all of it.
function layoutOf(tile) {
  const layout = knownLayout(tile);
  return layout && !layout.left_out ? layout : null;
}

/// A placed range of bytes as an object.
function placedBytes(row) {
  const [variable, category, address, bytes, alignment, interleaved, always, ...ends] = row;
  const lives = ends.flatMap((end, i) => (i % 2 === 0 ? [[end, ends[i + 1]]] : []));
  return { variable, category, address, bytes, alignment, interleaved: interleaved === 1,
    always: always === 1, lives };
}

function isBuffer(placed) {
  return placed.category === "message_buffers";
}

/// A message buffer is a copy of a variable on other tiles.
function nameOfPlaced(placed) {
  if (placed.variable < 0) return words(placed.category);
  const { name } = variables[placed.variable];
  return isBuffer(placed) ? `copy of ${name}` : name;
}

function livesAt(placed, position) {
  return placed.always || placed.lives.some(([first, last]) => first <= position && position <= last);
}

/// When something lives, in words: it may die and live again.
function lifeText(lives) {
  const texts = lives.map(([first, last]) => `${stepNameAt(first)} to ${stepNameAt(last)}`);
  return texts.length ? texts.join("; ") : "always";
}

function stepNameAt(position) {
  const step = page.positions[position];
  return step === undefined ? String(position) : steps[step].name;
}

const kindNames = { compute: "compute", copy: "copy on a tile", sync: "sync", exchange: "exchange",
  global_exchange: "exchange between IPUs", host: "host", remote_begin: "streaming memory begins",
  remote: "streaming memory" };
const kindColours = { compute: "#d1495b", copy: "#edae49", sync: "#8d99ae", exchange: "#2a9d8f",
  global_exchange: "#30638e", host: "#7b4fa3", remote_begin: "#b07d62", remote: "#b07d62" };

function isCompute(step) {
  return step.kind === "compute" || step.kind === "copy";
}

function isExchange(step) {
  return step.kind === "exchange" || step.kind === "global_exchange";
}

/// The share of the time that the mean tile spends in a step.
function shareOfStep(number) {
  return steps[number].mean_cycles / (totalCycles || 1);
}

function stepDetail(number) {
  return detail && detail.steps[number] ? detail.steps[number] : null;
}

/// The steps in a node of the program tree, the bodies of its loops included.
function stepsIn(node) {
  return typeof node === "number" ? [node] : node.body.flatMap(stepsIn);
}

/// When the first tile comes to a node, and when the last one has done it for the last time.
function startOf(node) {
  return stepsIn(node).reduce((first, step) => Math.min(first, steps[step].start_cycles), totalCycles);
}
function endOf(node) {
  return stepsIn(node).reduce((last, step) => Math.max(last, steps[step].end_cycles), 0);
}

/// What the units of the chip that do most could do in a cycle. None where the result does not tell.
function peakPerCycle() {
  const { work, time } = result;
  return work.peak_fraction ? (work.nonzero_flops || work.flops) / (work.peak_fraction * time.cycles) : null;
}

/// The peak that shares are of, with the units that have it where the result names them.
function peakText() {
  return result.work.peak_units ? `the peak of ${result.work.peak_units}` : "the peak";
}

/// The share of the peak that a step reaches; none for a step without FLOPs. A step that does more works
/// on other units than those whose peak the result names.
function shareOfPeak(number) {
  const more = stepDetail(number);
  const step = steps[number];
  const peak = peakPerCycle();
  if (!more || !more.vertices || !peak) return null;
  const flops = sum(more.vertices.map((group) => group.flops)) * step.iterations;
  const share = flops / (peak * step.cycles);
  return share > 0 && share <= 1 ? share : null;
}

/// Below it a step has a reason to be slow: at half the peak it would take twice as long as its FLOPs do.
const lowShareOfPeak = 0.5;

/// What the vertices of a step say of its time.
function vertexReasons(number) {
  const more = stepDetail(number);
  if (!more || !more.vertices) return [];
  const slowest = more.vertices.reduce((a, b) => (b.most_cycles > a.most_cycles ? b : a));
  const share = shareOfPeak(number);
  const rows = slowest.rows_per_weights;
  const reasons = [`the slowest vertices are ${slowest.type}`];
  const served = rows ? `each load of weights into the matrix engine serves ${countText(rows)} ${rows === 1 ? "row" : "rows"}` : "";
  const isLow = share !== null && share < lowShareOfPeak;
  if (isLow && served) reasons.push(`only ${percentText(share)} of ${peakText()}, as ${served}`);
  else reasons.push(...[share === null ? "" : `${isLow ? "only " : ""}${percentText(share)} of ${peakText()}`, served].filter((text) => text));
  if (slowest.flops === 0) reasons.push("they move data and compute nothing");
  return reasons;
}

/// How equally the tiles share a step.
function balanceText(mean) {
  return mean < 0.5 ? `badly shared: the mean tile is busy for ${percentText(mean)} of that time` : `the mean tile is busy for ${percentText(mean)} of that time`;
}

/// What bounds a step, in a sentence.
function boundOf(number) {
  const step = steps[number];
  const mean = step.cycles > 0 ? step.mean_cycles / step.cycles : 1;
  const more = stepDetail(number);
  const where = `tile ${tileText(step.max_tile)}`;
  if (step.measured) return `measured: ${where} takes longest`;
  if (isCompute(step)) return [...vertexReasons(number), `${where} takes longest, ${balanceText(mean)}`].join("; ");
  if (more && more.ports) {
    const { send, receive } = more.ports;
    const [word, port] = receive.cycles >= send.cycles ? ["receive", receive] : ["send", send];
    return `the ${word} port of tile ${tileText(port.tile)} is held longest: ${cyclesText(port.cycles)} each time`;
  }
  if (isExchange(step)) return `${where} receives up to ${bytesText(step.exchange.max_tile_bytes)}`;
  if (step.kind === "sync") return `${where} waits longest for the others`;
  if (step.kind === "host") return `the host link, ${bytesText(step.host.bytes)} of each iteration`;
  if (step.kind === "remote") return `the streaming memory, ${bytesText(step.remote.bytes)}`;
  return "-";
}

function timeText(cycles) {
  return secondsText(cycles / result.machine.clock_hz);
}
