// Summary: does it fit, how long does it take, and why.

function fullestTiles(count) {
  const gaps = tileColumn("including_gaps_bytes");
  return Array.from(gaps.keys()).sort((a, b) => gaps[b] - gaps[a] || a - b).slice(0, count);
}

function largestCategory(tile) {
  return categories.reduce((a, b) => (categoryColumn(b)[tile] > categoryColumn(a)[tile] ? b : a));
}

/// What must lie in the region that may hold code.
const codeCategories = ["vertex_code", "internal_exchange_code", "control_code", "host_exchange_code", "global_exchange_code", "stack"];

/// True when all code together is too much for its region, and not the tile for its memory.
function codeIsOver() {
  return codeCategories.includes(result.oom.category);
}

function verdict() {
  if (!result.fits) {
    const { tile, bytes_over, step } = result.oom;
    const where = step ? ` at step ${step}` : "";
    const over = codeIsOver() ? `the code of tile ${tileText(tile)} is ${bytesText(bytes_over)} over the ${bytesText(page.code_region_bytes)} that may hold code`
      : `tile ${tileText(tile)} is ${bytesText(bytes_over)} over${where}`;
    return element("p", { class: "verdict bad" }, `Does not fit: ${over}.`);
  }
  const [tile] = fullestTiles(1);
  const used = tileColumn("including_gaps_bytes")[tile];
  return element("p", { class: "verdict good" },
    `Fits: tile ${tileText(tile)} is the fullest and has ${bytesText(capacity - used)} of ${bytesText(capacity)} left, gaps included.`);
}

/// The largest variable on the tile that is furthest over, in words.
function largestThing() {
  const { category, variable, largest_bytes } = result.oom;
  const number = variables.findIndex(({ name }) => name === variable);
  const shaped = number < 0 ? variable : `${variable} (${shapeText(variables[number])})`;
  const name = variable && category === "message_buffers" ? `a copy of ${shaped}, received from other tiles` : shaped || words(category);
  const text = `${name}: ${bytesText(largest_bytes)}`;
  return number < 0 ? text : link(text, "memory", "variable", number);
}

/// What no variable is, where it takes more than the largest variable there: code, stacks, tables and gaps.
function largestBesides() {
  const { tile, position, largest_bytes } = result.oom;
  const others = (heldAt(tile, position) || []).filter(({ category }) => !blockCategories.includes(category));
  if (!others.length) return null;
  const most = others.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return most.bytes > largest_bytes ? `${words(most.category)}: ${bytesText(most.bytes)}` : null;
}

/// What the work of one run takes after a change, in as many runs as it then needs.
function durationOf(change) {
  return change.runs * change.seconds;
}
function durationText(change) {
  const one = secondsText(change.seconds);
  return change.runs === 1 ? one : `${countText(change.runs)} runs of ${one}`;
}

/// What to say where no change that was tried helps.
function nothingHelps({ tried, left_out }) {
  if (!tried) return `no change was tried${left_out ? `, as the ${countOf(left_out, "change")} would have taken too long` : ""}`;
  const more = left_out ? `; ${countText(left_out)} more would have taken too long to try` : "";
  return `none of the ${countOf(tried, "change")} that ${tried === 1 ? "was" : "were"} tried makes it fit${more}`;
}

/// The advised change that takes least time, or why there is none.
function remedy() {
  const { advice } = result;
  if (!advice) return null;
  if (!advice.changes.length) return nothingHelps(advice);
  const best = advice.changes.reduce((a, b) => (durationOf(b) < durationOf(a) ? b : a));
  return `${best.words} (${optionsOf(best)}): it then fits, ${bytesText(best.max_tile_including_gaps_bytes)} of ` +
    `${bytesText(best.capacity_tile_bytes)}, ${durationText(best)}`;
}

function slowestStep() {
  if (!steps.length) return null;
  const number = Array.from(steps.keys()).reduce((a, b) => (steps[b].mean_cycles > steps[a].mean_cycles ? b : a));
  const name = steps[number].name;
  return element("span", {}, stepPlace(number) ? link(name, ...stepPlace(number)) : name,
    `, ${percentText(shareOfStep(number))} of the time: ${boundOf(number)}`, shareOfStep(number) < smallShare ? manySmall() : "");
}

/// No step stands out that takes less of the time.
const smallShare = 0.15;

/// Where the time is that no step stands out in.
function manySmall() {
  const kinds = new Map();
  for (const step of steps) kinds.set(step.kind, [...(kinds.get(step.kind) || []), step]);
  const cycles = (some) => sum(some.map((step) => step.mean_cycles));
  const texts = [...kinds].sort((a, b) => cycles(b[1]) - cycles(a[1]))
    .map(([kind, some]) => `${kindNames[kind]} takes ${percentText(cycles(some) / (totalCycles || 1))} in ${countOf(some.length, "step")}`);
  return `. No step stands out: ${texts.join(", ")}`;
}

/// Other sizes that were run and take less time.
function fasterSizes() {
  const change = result.better_size;
  return change ? `${change.words} (${optionsOf(change)}): ${secondsText(change.seconds)} in place of ${secondsText(result.time.seconds)}` : null;
}

/// What a reader looks for first: what does not fit, where, and what helps; what takes longest, and why.
function answerTerms() {
  const { oom } = result;
  const position = oom && oom.step ? steps.findIndex(({ name }) => name === oom.step) : -1;
  return terms([
    ["Tile", oom ? link(`${tileText(oom.tile)}: ${bytesText(tileColumn("including_gaps_bytes")[oom.tile])} of ${bytesText(capacity)}`, "memory", "tile", oom.tile) : null],
    ["At step", oom && oom.step ? (position >= 0 && stepPlace(position) ? link(oom.step, ...stepPlace(position)) : oom.step) : null],
    [oom && codeIsOver() ? "Largest code" : "Largest variable there", oom && oom.category ? largestThing() : null],
    ["More than any variable", oom && !codeIsOver() ? largestBesides() : null],
    ["Remedy", oom ? remedy() : null],
    ["Slowest step", slowestStep()],
    ["Faster", fasterSizes()],
  ]);
}

function optionsOf(change) {
  return change.set.map((text) => `--set ${text}`).join(" ");
}

function criterion() {
  return note(`A program fits when on every tile the last address lies within ${bytesText(capacity)}, gaps between ` +
    `addresses included, and code and stacks lie within the first ${bytesText(page.code_region_bytes)}.`);
}

/// FLOPs and rates. With a sparse operand the share of the peak is that of its elements that are not zero.
function workText(work) {
  const peak = work.peak_fraction ? `, ${percentText(work.peak_fraction)} of ${peakText()}` : "";
  const all = `${countText(work.flops)} FLOPs, ${rateText(work.gflops_per_second)}`;
  if (!work.nonzero_flops) return all + peak;
  return `${countText(work.nonzero_flops)} FLOPs on elements that are not zero, ${rateText(work.nonzero_gflops_per_second)}${peak}; ` +
    `the dense product has ${all}`;
}

function timeTerms() {
  const { time, work, graph, machine } = result;
  const part = (key) => (time[key] ? `${percentText(time[key] / (time.cycles || 1))} (${cyclesText(time[key])})` : null);
  return terms([
    ["Program", [page.workload, ...page.parameters.map(([key, value]) => `${key} = ${value}`)].join(", ")],
    ["Machine", `${machine.name}: ${countText(machine.tiles)} tiles of ${bytesText(capacity)}, ${significant(machine.clock_hz / 1e9, "GHz")}`],
    ["Time", `${secondsText(time.seconds)} (${secondsText(time.low_seconds)} to ${secondsText(time.high_seconds)}), ${cyclesText(time.cycles)}`],
    ["Band", result.uncertainty?.wider_because ? `wide, because ${result.uncertainty.wider_because}` : null],
    ["compute", part("compute_cycles")], ["exchange", part("exchange_cycles")], ["sync and waiting", part("sync_cycles")],
    ["host", part("host_cycles")], ["streaming memory", part("streaming_cycles")],
    ["Work", workText(work)],
    ["Memory", `${bytesText(result.memory.total_bytes)} in all, ${bytesText(result.memory.total_including_gaps_bytes)} with gaps`],
    ["Graph", [countOf(graph.variables, "variable"), countOf(graph.vertices, "vertex", "vertices"), countOf(graph.edges, "edge"),
      countOf(graph.compute_sets, "compute set"), countOf(graph.exchanges, "exchange")].join(", ")],
  ]);
}

function fullestTable() {
  const rows = fullestTiles(5);
  const gaps = tileColumn("including_gaps_bytes");
  const over = tileColumn("over_bytes");
  return table([
    { title: "Tile", value: (t) => t, text: tileText, link: (t) => ["memory", "tile", t] },
    { title: "Bytes", value: (t) => tileColumn("total_bytes")[t], text: (t) => bytesText(tileColumn("total_bytes")[t]) },
    { title: "With gaps", value: (t) => gaps[t], text: (t) => bytesText(gaps[t]), share: (t) => gaps[t] / capacity },
    { title: "Left", value: (t) => capacity - gaps[t],
      text: (t) => (over[t] > 0 ? `${bytesText(over[t])} over` : bytesText(capacity - gaps[t])) },
    { title: "Largest category", value: (t) => words(largestCategory(t)) },
    { title: "Largest variable of its own", value: (t) => (largestOnTile(t, 1)[0] || { name: "-" }).name },
  ], rows, { name: "fullest_tiles", plain: true });
}

function boundsTable() {
  const rows = Array.from(steps.keys()).filter((s) => steps[s].cycles > 0)
    .sort((a, b) => steps[b].mean_cycles - steps[a].mean_cycles);
  return table([
    { title: "Step", value: (s) => steps[s].name, link: (s) => stepPlace(s) },
    { title: "Kind", value: (s) => kindNames[steps[s].kind] },
    { title: "Times", value: (s) => steps[s].iterations },
    { title: "Busiest tile", value: (s) => steps[s].cycles },
    { title: "Mean tile", value: (s) => steps[s].mean_cycles },
    { title: "Share", value: shareOfStep, text: (s) => percentText(shareOfStep(s)), share: shareOfStep },
    { title: "Bound by", value: (s) => boundOf(s) },
  ], rows, { name: "steps" });
}

/// Where the report tells more of a step.
function stepPlace(number) {
  if (isCompute(steps[number])) return ["compute", number];
  if (isExchange(steps[number])) return ["exchanges", number];
  return null;
}

function overfullVariables() {
  if (result.fits) return [];
  const { tile } = result.oom;
  const { step, position } = result.oom;
  return [heading(`What is on tile ${tileText(tile)}${step ? ` at step ${step}` : ""}`), heldTable(tile, position),
    note("The largest first. What lives at other steps is on the tile's own page.")];
}

/// The changes that make the program fit, each of which was run.
function adviceParts() {
  const { advice } = result;
  if (!advice) return [];
  const heads = [heading("What makes it fit")];
  const skipped = advice.left_out ? ` ${countText(advice.left_out)} more would have taken too long to try.` : "";
  if (!advice.changes.length) {
    const said = nothingHelps(advice);
    return [...heads, note(`${said[0].toUpperCase()}${said.slice(1)}.`)];
  }
  return [...heads, note(`Each change was run and fits; ${countText(advice.tried)} were tried.${skipped}`), table([
    { title: "Change", value: (change) => change.words },
    { title: "Options", value: optionsOf },
    { title: "Fullest tile", value: (change) => change.max_tile_including_gaps_bytes, text: (change) => bytesText(change.max_tile_including_gaps_bytes),
      share: (change) => change.max_tile_including_gaps_bytes / change.capacity_tile_bytes },
    { title: "Time", value: durationOf, text: durationText },
  ], advice.changes, { name: "advice", plain: true })];
}

function drawSummary() {
  const remarks = [...(result.warnings || []), ...page.left_out.map((text) => `The page leaves out ${text}.`)];
  return [verdict(), answerTerms(), criterion(), timeTerms(), ...adviceParts(), ...overfullVariables(),
    heading("The five fullest tiles"), fullestTable(),
    heading("What bounds each step"), note("Cycles of all iterations together; the share is that of the mean tile's time, and all shares with those of idle tiles make 100 %."), boundsTable(),
    ...remarks.map(note)];
}
