// Energy: by part, by step, over time and by tile. Rough, as the constants are bands.

const powerBins = 300;
const shownSteps = 40;
/// Steps of a loop, all iterations together, up to which power over time tells its iterations apart.
const mostRuns = 5000;

/// A value with a prefix of its unit, such as "70.1 mJ".
function prefixedText(value, unit) {
  if (value === 0) return `0 ${unit}`;
  for (const [size, prefix] of [[1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "u"]]) {
    if (value >= 0.9995 * size) return significant(value / size, prefix + unit);
  }
  return significant(value / 1e-9, `n${unit}`);
}

/// Joules of a step in each part.
function partJoules(step) {
  const joules = page.energy.parts.map(() => 0);
  const list = page.energy.step_joules[step];
  for (let i = 0; i < list.length; i += 2) joules[list[i]] = list[i + 1];
  return joules;
}

/// Rectangles one on the other, one for each part above zero.
function stackOfParts(x0, x1, values, row) {
  const rows = [];
  let below = 0;
  values.forEach((value, part) => {
    if (value <= 0) return;
    const key = words(page.energy.parts[part]);
    rows.push({ x0, x1, y0: below, y1: below + value, key, ...row(key, value) });
    below += value;
  });
  return rows;
}

function partColours() {
  return coloursFor(page.energy.parts.map(words));
}

function energyTerms() {
  const { energy } = result;
  const band = (value, low, high) => `${value} [${low}, ${high}]`;
  return terms([
    ["Energy", band(prefixedText(energy.joules, "J"), prefixedText(energy.low_joules, "J"), prefixedText(energy.high_joules, "J"))],
    ["Mean power", prefixedText(energy.watts, "W")],
    ["Useful work", energy.picojoules_per_flop ? `${significant(energy.picojoules_per_flop, "pJ/FLOP")}` : null],
    ["A sample", energy.joules_per_sample ? prefixedText(energy.joules_per_sample, "J") : null],
    ["By priors only", percentText(energy.priors_only_joules / energy.joules)],
  ]);
}

function partsOfEnergy() {
  const rows = page.energy.parts.map((part) => ({ part, joules: result.energy.by_part[`${part}_joules`] }));
  return table([
    { title: "Part", value: (row) => words(row.part) },
    { title: "Energy", value: (row) => row.joules, text: (row) => prefixedText(row.joules, "J") },
    { title: "Share", value: (row) => row.joules / result.energy.joules, text: (row) => percentText(row.joules / result.energy.joules),
      share: (row) => row.joules / result.energy.joules },
    { title: "Its constant", value: (row) => (page.energy.priors_only.includes(row.part) ? "a prior only" : "published rows narrow it") },
  ], rows, { name: "energy_parts", plain: true });
}

function costliestSteps() {
  return Array.from(steps.keys()).sort((a, b) => steps[b].joules - steps[a].joules);
}

function stepEnergyChart() {
  const costliest = costliestSteps().slice(0, shownSteps).filter((step) => steps[step].joules > 0);
  const rows = costliest.flatMap((step, i) => stackOfParts(i, i + 0.9, partJoules(step), (key, value) => ({ step,
    text: `${steps[step].name}\n${key}: ${prefixedText(value, "J")} of ${prefixedText(steps[step].joules, "J")}` })));
  const most = costliest.length ? steps[costliest[0]].joules : 1;
  return chartOf({ title: "Energy of each step by part", rows, colours: partColours(),
    x: { title: "steps, those that take most first", domain: [0, Math.max(costliest.length, 1)], format: "d" },
    y: { title: "joules", domain: [0, 1.06 * most], format: "~s" },
    pick: (row) => { const place = stepPlace(row.step); if (place) location.hash = place.join("/"); } });
}

function stepEnergyTable() {
  const { joules } = result.energy;
  return table([
    { title: "Step", value: (s) => steps[s].name, link: stepPlace },
    { title: "Kind", value: (s) => kindNames[steps[s].kind] },
    { title: "Times", value: (s) => steps[s].iterations },
    { title: "Energy", value: (s) => steps[s].joules, text: (s) => prefixedText(steps[s].joules, "J") },
    { title: "Share", value: (s) => steps[s].joules / joules, text: (s) => percentText(steps[s].joules / joules), share: (s) => steps[s].joules / joules },
    { title: "Largest part", value: (s) => { const parts = partJoules(s); return words(page.energy.parts[parts.indexOf(Math.max(...parts))]); } },
  ], costliestSteps(), { name: "energy_steps" });
}

/// How often the steps of a node of the program tree run.
function runsOf(node) {
  return typeof node === "number" ? 1 : node.iterations * sum(node.body.map(runsOf));
}

/// What a step takes in one of its iterations: joules of each part, and cycles of the mean tile.
function onceOf(step) {
  const times = Math.max(steps[step].iterations, 1);
  return { joules: partJoules(step).map((joules) => joules / times), cycles: page.energy.step_tile_cycles[step] / tileCount / times };
}

/// What a node takes, all its iterations together.
function wholeOf(node) {
  if (typeof node === "number") return onceOf(node);
  const whole = { joules: page.energy.parts.map(() => 0), cycles: 0 };
  for (const { joules, cycles } of node.body.map(wholeOf)) {
    joules.forEach((value, part) => { whole.joules[part] += node.iterations * value; });
    whole.cycles += node.iterations * cycles;
  }
  return whole;
}

/// The one loop of a program that would be too long to draw, such as steps of training.
const longLoop = result.program.length === 1 && result.program[0].iterations > 1 && runsOf(result.program[0]) > mostRuns ? result.program[0] : null;

let spentSpans = null;
/// The steps of the mean tile one after the other, a loop of many steps as a whole: all cycles and all joules of the run, or of one
/// iteration of a long loop.
function spans() {
  if (spentSpans) return spentSpans;
  spentSpans = [];
  let start = 0;
  const add = (node) => {
    if (typeof node !== "number" && runsOf(node) <= mostRuns) {
      for (let i = 0; i < node.iterations; ++i) node.body.forEach(add);
      return;
    }
    const { joules, cycles } = wholeOf(node);
    if (cycles > 0) spentSpans.push({ joules, start, end: start + cycles });
    start += cycles;
  };
  (longLoop ? longLoop.body : result.program).forEach(add);
  return spentSpans;
}

/// Watts of each part in equal bins of the cycles from `begin` to `end`.
function wattsBetween(begin, end, bins) {
  const width = (end - begin) / bins;
  const watts = Array.from({ length: bins }, () => page.energy.parts.map(() => 0));
  for (const span of spans()) {
    const first = Math.max(0, Math.floor((span.start - begin) / width));
    const last = Math.min(bins - 1, Math.floor((span.end - begin) / width));
    for (let bin = first; bin <= last; ++bin) {
      const from = begin + bin * width;
      const shared = Math.min(span.end, from + width) - Math.max(span.start, from);
      if (shared <= 0) continue;
      const perSecond = (shared / (span.end - span.start) / width) * result.machine.clock_hz;
      span.joules.forEach((joules, part) => { watts[bin][part] += joules * perSecond; });
    }
  }
  return watts;
}

function powerRows([begin, end]) {
  const width = (end - begin) / powerBins;
  return wattsBetween(begin, end, powerBins).flatMap((watts, bin) => {
    const from = begin + bin * width;
    return stackOfParts(from, from + width, watts, (key, value) => ({
      text: `${timeText(from)}\n${key}: ${prefixedText(value, "W")} of ${prefixedText(sum(watts), "W")}` }));
  });
}

function powerChart() {
  const whole = [0, spans().length ? spans()[spans().length - 1].end : 1];
  const most = wattsBetween(...whole, 10 * powerBins).reduce((peak, watts) => Math.max(peak, sum(watts)), 0);
  return chartOf({ title: "Power over time by part", rows: powerRows(whole), colours: partColours(),
    x: { title: "cycles of the mean tile", domain: whole, format: "~s" }, y: { title: "watts", domain: [0, 1.06 * Math.max(most, 1)], format: "~s" },
    refill: powerRows });
}

/// Colours from least to most.
const heat = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"];

/// The tiles by their numbers, line by line, with a power of two in a line.
function tileMapChart() {
  const watts = expand(page.energy.tile_microwatts).map((value) => value * 1e-6);
  const ordered = watts.slice().sort((a, b) => a - b);
  // A few tiles far from all others would leave one colour for the rest.
  const [least, most] = [0.05, 0.95].map((share) => ordered[Math.floor(share * (ordered.length - 1))]);
  const edge = (level) => least + (level * (most - least)) / heat.length;
  const levelOf = (value) => Math.max(0, Math.min(heat.length - 1, Math.floor(((value - least) / (most - least || 1)) * heat.length)));
  const names = heat.map((_, i) => (i === 0 ? `below ${prefixedText(edge(1), "W")}` : `${prefixedText(edge(i), "W")} and more`));
  const across = 2 ** Math.ceil(Math.log2(Math.max(1, Math.sqrt(2 * watts.length))));
  const rows = [];
  for (let first = 0; first < watts.length; ) {
    const lineEnd = Math.min(watts.length, (Math.floor(first / across) + 1) * across);
    let end = first + 1;
    while (end < lineEnd && watts[end] === watts[first]) ++end;
    const line = Math.floor(first / across);
    const where = end === first + 1 ? `Tile ${tileText(first)}` : `Tiles ${tileText(first)} to ${tileText(end - 1)}`;
    rows.push({ x0: first % across, x1: (first % across) + end - first, y0: line, y1: line + 1, key: names[levelOf(watts[first])], tile: first,
      text: `${where}\n${prefixedText(watts[first], "W")}` });
    first = end;
  }
  const lines = Math.ceil(watts.length / across);
  return chartOf({ title: "Watts of each tile", rows, colours: Object.fromEntries(names.map((name, i) => [name, heat[i]])), height: Math.max(260, Math.min(9 * lines, 600)),
    x: { title: "tile, from the first of the line", domain: [0, across], format: "d" }, y: { title: "line", domain: [0, lines], down: true, format: "d" }, pick: openTile });
}

function drawEnergy() {
  return [energyTerms(),
    note("Rough: medians of draws of the constants, with bands of 90 %. Ratios of two designs are worth more than either figure, and no published row tells the parts of the load apart."),
    heading("By part"), partsOfEnergy(),
    heading("By step"), note(`The ${shownSteps} steps that take most, all iterations together. A wait counts for the step that the tiles come to.`), stepEnergyChart(), stepEnergyTable(),
    heading("Power over time"), note(`${longLoop ? `One of ${countText(longLoop.iterations)} iterations, as` : "As"} the mean tile goes through the steps. ` +
      `A step spends its energy evenly; a loop of more than ${countText(mostRuns)} steps has its mean power.`), powerChart(),
    heading("Watts of each tile"), note("Leakage, clocks and what holds the chip are shared out evenly. Tiles stand by their numbers, line by line, and not where they are on the chip."), tileMapChart()];
}
