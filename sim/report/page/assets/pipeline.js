// Who works when in a step, and who waits.

const workColours = { forward: "#d1495b", "forward and backward": "#a03a6b", backward: "#30638e", bubble: "#c3c9d3", "exchange between IPUs": "#2a9d8f",
  "exchange of gradients": "#7b4fa3", update: "#edae49", host: "#b07d62", streaming: "#8cb369", repeated: "#8d99ae" };
/// Ranges that a browser draws quickly. A longer pipeline shows its middle as one range.
const mostRanges = 20000;

/// Makes ranges of rows one after the other, and knows how far they are.
function timeline(count) {
  const rows = [];
  let now = 0;
  const add = (row, begin, end, key, text) => {
    if (end > begin) rows.push({ x0: begin, x1: end, y0: row - 0.42, y1: row + 0.42, key, stage: row, text });
  };
  return {
    rows,
    now: () => now,
    add,
    /// All rows do the same, until the end.
    all(seconds, key, text) {
      for (let row = 0; row < count; ++row) add(row, now, now + seconds, key, `${text}\n${secondsText(seconds)}`);
      now += seconds;
    },
    pass(seconds) { now += seconds; },
  };
}

/// One pipeline cycle: a forward pass, a backward pass, a wait for the longest stage.
function addCycle(line, pattern, number) {
  const forward = (s) => (pattern.forward.includes(s) ? page.stages[s].forward_seconds : 0);
  const backward = (s) => (pattern.backward.includes(s) ? page.stages[s].backward_seconds : 0);
  const numbers = Array.from(stages.keys());
  const longest = numbers.reduce((most, s) => Math.max(most, forward(s) + backward(s)), 0);
  const begin = line.now();
  for (const s of numbers) {
    const middle = begin + forward(s);
    const end = middle + backward(s);
    const where = `${unit} ${s}, pipeline cycle ${number}`;
    line.add(s, begin, middle, "forward", `${where}\nforward: ${secondsText(forward(s))}`);
    line.add(s, middle, end, "backward", `${where}\nbackward: ${secondsText(backward(s))}`);
    line.add(s, end, begin + longest, "bubble", `${where}\nwaits: ${secondsText(begin + longest - end)}`);
  }
  line.pass(longest);
  if (result.parallel.boundary_exchange_seconds > 0) {
    line.all(result.parallel.boundary_exchange_seconds, "exchange between IPUs", `all ${unit}s, pipeline cycle ${number}\nexchange`);
  }
  return longest + result.parallel.boundary_exchange_seconds;
}

function addPipeline(line) {
  const cycles = result.parallel.pipeline_cycles;
  const drawsAll = cycles * stages.length * 4 <= mostRanges;
  let number = 0;
  for (const pattern of page.schedule) {
    const shown = drawsAll ? pattern.cycles : Math.min(pattern.cycles, 2);
    let each = 0;
    for (let n = 0; n < shown; ++n) each = addCycle(line, pattern, number + n);
    if (pattern.cycles > shown) line.all((pattern.cycles - shown) * each, "repeated", `${countText(pattern.cycles - shown)} more cycles like the one before`);
    number += pattern.cycles;
  }
}

/// One IPU works at a time: forward through the shards, and back.
function addShards(line) {
  const order = [...stages.keys()].map((s) => [s, "forward"]).concat([...stages.keys()].reverse().map((s) => [s, "backward"]));
  const begin = line.now();
  for (const [shard, key] of order) {
    const seconds = page.stages[shard][`${key}_seconds`];
    for (const s of stages.keys()) {
      line.add(s, line.now(), line.now() + seconds, s === shard ? key : "bubble",
        s === shard ? `shard ${s}\n${key}: ${secondsText(seconds)}` : `shard ${s} waits for shard ${shard}\n${secondsText(seconds)}`);
    }
    line.pass(seconds);
  }
  line.all(result.parallel.boundary_exchange_seconds, "exchange between IPUs", "all exchanges of a micro-batch together");
  const batches = result.parallel.micro_batches;
  if (batches > 1) line.all((batches - 1) * (line.now() - begin), "repeated", `${countText(batches - 1)} more micro-batches like this one`);
}

/// What comes after the micro-batches.
function addEnd(line) {
  line.all(step.collectives_seconds, "exchange of gradients", "exchange of gradients between replicas");
  line.all(step.update_seconds, "update", "update on the chip");
  line.all(step.host_seconds, "host", "host");
}

function phaseRows() {
  const line = timeline(result.phases.length);
  result.phases.forEach((phase, number) => {
    const where = `phase ${number}, ${phase.pass}`;
    for (const [key, seconds] of [[phase.pass === "turn" ? "forward and backward" : phase.pass, phase.compute_seconds], ["update", phase.update_seconds],
      ["streaming", phase.exposed_seconds + phase.hand_over_seconds], ["exchange between IPUs", phase.boundaries_seconds], ["exchange of gradients", phase.collectives_seconds]]) {
      line.add(number, line.now(), line.now() + seconds, key, `${where}\n${key}: ${secondsText(seconds)}`);
      line.pass(seconds);
    }
  });
  return line;
}

function stepTimeline() {
  if (result.phases) return phaseRows();
  const line = timeline(stages.length);
  if (page.schedule) addPipeline(line);
  else addShards(line);
  addEnd(line);
  return line;
}

function timelineChart() {
  const line = stepTimeline();
  const count = result.phases ? result.phases.length : stages.length;
  const seen = Object.keys(workColours).filter((key) => line.rows.some((row) => row.key === key));
  return chartOf({ title: "Who works when in a step", height: Math.min(600, 120 + 26 * count), rows: line.rows,
    colours: Object.fromEntries(seen.map((key) => [key, workColours[key]])),
    x: { title: "seconds from the beginning of the step", domain: [0, line.now() || 1], format: "~s" },
    y: { title: result.phases ? "phase" : unit, domain: [-0.5, count - 0.5], format: "d", down: true } });
}

function phasesTable() {
  const seconds = (title, key) => ({ title, value: (phase) => phase[key], text: (phase) => secondsText(phase[key]), share: (phase) => phase[key] / step.seconds });
  const rows = result.phases.map((phase, number) => ({ ...phase, number }));
  return table([
    { title: "Phase", value: (phase) => phase.number }, { title: "Pass", value: (phase) => phase.pass },
    { title: "First module", value: (phase) => phase.first_module }, { title: "Modules", value: (phase) => phase.modules },
    seconds("Time", "seconds"), seconds("Compute", "compute_seconds"), seconds("Load", "load_seconds"), seconds("Store", "store_seconds"),
    seconds("Hidden", "hidden_seconds"), seconds("Exposed", "exposed_seconds"),
    { title: "Fullest tile", value: (phase) => phase.memory.max_tile_bytes, text: (phase) => bytesText(phase.memory.max_tile_bytes),
      share: (phase) => phase.memory.max_tile_bytes / page.capacity_bytes },
    { title: "Bound by", value: (phase) => phase.limit },
  ], rows, { name: "phases" });
}

function bubbleTable() {
  return table([
    { title: unit, value: (s) => s, link: (s) => ["stages", s] },
    { title: "Bubble", value: (s) => stages[s].time.bubble_seconds, text: (s) => secondsText(stages[s].time.bubble_seconds) },
    { title: "Share of the step", value: (s) => stages[s].time.bubble_seconds / step.seconds, text: (s) => percentText(stages[s].time.bubble_seconds / step.seconds),
      share: (s) => stages[s].time.bubble_seconds / step.seconds },
  ], Array.from(stages.keys()), { name: "bubbles" });
}

function drawPipeline() {
  const how = page.schedule ? `${countText(result.parallel.pipeline_cycles)} pipeline cycles, of which ${countText(result.parallel.fill_cycles)} fill the pipeline and as many flush it. After each cycle all stages exchange.`
    : result.phases ? "Phases take turns. Load and store that the computing hides are not drawn." : "One IPU of a replica works at a time.";
  return [heading("Who works when"), note(how), timelineChart(),
    ...(result.phases ? [heading("Phases"), phasesTable()] : [heading("Bubbles"), note("What an IPU waits for the others in a step."), bubbleTable()])];
}
