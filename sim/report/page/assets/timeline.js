// The ranges of the timeline: which tiles are in which step when.

/// More steps than this at once are drawn as bars of the whole chip.
const stepsByTile = 300;

function stepText(number) {
  const step = steps[number];
  const times = step.iterations > 1 ? `, ${countText(step.iterations)} times` : "";
  return `${step.name}\n${kindNames[step.kind]}${times}\ncycle ${countText(step.start_cycles)} to ${countText(step.end_cycles)}`;
}

/// The first iteration of a step by tile.
function rangesOfStep(number) {
  const step = steps[number];
  const rows = [];
  const runs = stepDetail(number).first_iteration;
  let band = 0;
  for (let i = 0; i < runs.length; i += 3) {
    const [count, begin, length] = [runs[i], runs[i + 1], runs[i + 2]];
    const first = tileOfBand(band);
    band += count;
    const end = Math.min(tileOfBand(band), tileCount);
    if (length === 0) continue;
    const where = end - first === 1 ? `tile ${tileText(first)}` : `tiles ${tileText(first)} to ${tileText(end - 1)}`;
    rows.push({ x0: step.start_cycles + begin, x1: step.start_cycles + begin + length, y0: first, y1: end, key: kindNames[step.kind], step: number,
      text: `${stepText(number)}\n${where}: ${cyclesText(length)} of its first time` });
  }
  return rows;
}

const furtherIterations = "further iterations";

/// When the last tile has done a step for the first time.
function firstEndOf(number) {
  const runs = stepDetail(number).first_iteration || [];
  let end = steps[number].start_cycles;
  for (let i = 0; i < runs.length; i += 3) {
    if (runs[i + 2] > 0) end = Math.max(end, steps[number].start_cycles + runs[i + 1] + runs[i + 2]);
  }
  return end;
}

/// A bar for each loop, from the end of its first iteration to what comes after the loop.
function restsOfLoops(nodes, limit) {
  return nodes.flatMap((node, i) => {
    if (typeof node === "number") return [];
    const first = stepsIn(node).reduce((last, step) => Math.max(last, firstEndOf(step)), 0);
    const end = i + 1 < nodes.length ? Math.max(startOf(nodes[i + 1]), first) : limit;
    const rest = { x0: first, x1: end, y0: 0, y1: tileCount, key: furtherIterations, step: -1,
      text: `${countText(node.iterations - 1)} further iterations of ${countText(stepsIn(node).length)} steps` };
    return [...(node.iterations > 1 && end > first ? [rest] : []), ...restsOfLoops(node.body, first)];
  });
}

/// Bars of the whole chip. Steps of a kind that follow one another within `least` cycles are one.
/// Some tiles wait for a sync while others still compute, so syncs lie below all else.
function barsOfChip(numbers, least) {
  const rows = [];
  const last = {};
  for (const number of numbers) {
    const step = steps[number];
    const key = kindNames[step.kind];
    const before = last[key];
    if (before && step.start_cycles - before.x1 <= least && before.x1 - before.x0 < 4 * least) {
      before.x1 = Math.max(before.x1, step.end_cycles);
      before.text = "Several steps: zoom in";
      continue;
    }
    last[key] = { x0: step.start_cycles, x1: step.end_cycles, y0: 0, y1: tileCount, key, step: number, text: stepText(number) };
    rows.push(last[key]);
  }
  const isSync = ({ key }) => key === kindNames.sync;
  return [...rows.filter(isSync), ...rows.filter((row) => !isSync(row))];
}

function timelineRows(domain) {
  const numbers = Array.from(steps.keys()).filter((s) => steps[s].end_cycles > steps[s].start_cycles &&
    steps[s].end_cycles >= domain[0] && steps[s].start_cycles <= domain[1]);
  const byTile = numbers.length <= stepsByTile && numbers.every((s) => stepDetail(s) && stepDetail(s).first_iteration);
  return byTile ? [...restsOfLoops(result.program, endOf({ body: result.program })), ...numbers.flatMap(rangesOfStep)] : barsOfChip(numbers, (domain[1] - domain[0]) / 1500);
}

/// Steps that follow one another in an operation: {name, x0, x1}. A sync belongs to what is before it.
function operationSpans() {
  const nameOf = new Map((detail ? detail.operations : []).flatMap(({ name, steps: own }) => own.map((step) => [step, name])));
  const spans = [];
  steps.forEach((step, number) => {
    const name = nameOf.get(number);
    const last = spans[spans.length - 1];
    if (!name || step.end_cycles <= step.start_cycles) return;
    if (last && last.name === name) last.x1 = Math.max(last.x1, step.end_cycles);
    else spans.push({ name, x0: step.start_cycles, x1: step.end_cycles });
  });
  return spans;
}

/// How many names have room above the timeline.
const mostLabels = 10;

/// Names above the stripes. Spans too short for a name are joined with those beside them, from first to last.
function timelineLabels(domain) {
  const least = (domain[1] - domain[0]) / mostLabels;
  const labels = [];
  for (const span of operationSpans().filter(({ x0, x1 }) => x1 >= domain[0] && x0 <= domain[1])) {
    const last = labels[labels.length - 1];
    if (last && last.x1 - last.x0 < least && span.x1 - span.x0 < least) Object.assign(last, { x1: span.x1, last: span.name });
    else labels.push({ ...span, last: span.name });
  }
  return labels.map(({ name, last, x0, x1 }, number) => {
    const text = name === last ? name : `${name} … ${last}`;
    return { x0, x1, name: text, odd: number % 2 === 1, text: `${text}\ncycle ${countText(x0)} to ${countText(x1)}` };
  });
}

function timelineChart() {
  const end = Math.max(totalCycles, 1);
  const kinds = [...new Set(steps.map((step) => step.kind))];
  return chartOf({ title: "Timeline of all tiles", height: 460, rows: timelineRows([0, end]), refill: timelineRows, labels: timelineLabels,
    colours: { ...Object.fromEntries(kinds.map((kind) => [kindNames[kind], kindColours[kind]])), [furtherIterations]: themeColour("--line") },
    x: { title: "cycles", domain: [0, end], format: "~s" }, y: { title: "tile", domain: [0, tileCount], format: ",d", down: true },
    pick: (row) => { const place = row.step >= 0 && stepPlace(row.step); if (place) location.hash = place.join("/"); } });
}
