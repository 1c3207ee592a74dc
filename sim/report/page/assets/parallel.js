// Training on several IPUs: the summary, the links, the tabs.

function memoryVerdict() {
  const { oom } = result;
  if (!oom) {
    const fullest = stages.reduce((a, b) => (b.memory.max_tile_bytes > a.memory.max_tile_bytes ? b : a));
    const used = fullest.memory.max_tile_bytes;
    return element("p", { class: "verdict good" },
      `Fits: the fullest tile is in ${unit} ${stages.indexOf(fullest)} and has ${bytesText(page.capacity_bytes - used)} of ${bytesText(page.capacity_bytes)} left.`);
  }
  const over = bytesText(oom.needed_bytes - oom.capacity_bytes);
  const where = oom.streaming_memory_of_ipus ? `the streaming memory of IPUs ${oom.streaming_memory_of_ipus.join(" to ")}`
    : `tile ${oom.tile} of ${oom.phase === undefined ? `${unit} ${oom.stage}` : `phase ${oom.phase}`}`;
  return element("p", { class: "verdict bad" }, `Does not fit: ${where} is ${over} over: it needs ${bytesText(oom.needed_bytes)} of ${bytesText(oom.capacity_bytes)}.`);
}

/// What is in the memory of the stage that does not fit.
function overfullStage() {
  const { oom } = result;
  if (!oom || oom.stage === undefined) return [];
  const held = oom.phase === undefined ? stages[oom.stage] : result.phases[oom.phase];
  return [heading(`What fills ${oom.phase === undefined ? `${unit} ${oom.stage}` : `phase ${oom.phase}`}`),
    partsTable("Held", memoryParts(held).sort((a, b) => b[1] - a[1]), bytesText, held.memory.total_bytes)];
}

const stepWords = { work_seconds: "work on micro-batches", imbalance_seconds: `unequal ${unit}s`, serial_seconds: "waiting for a turn",
  streaming_seconds: "streaming memory", fill_seconds: "filling and flushing", boundaries_seconds: `exchanges between ${unit}s`,
  collectives_seconds: "exchanges of gradients", update_seconds: "update on the chip", host_seconds: "host" };

function stepParts() {
  return Object.entries(stepWords).map(([key, name]) => [name, step[key]]).filter(([, seconds]) => seconds > 0)
    .sort((a, b) => b[1] - a[1]);
}

function drawParallelSummary() {
  const { parallel, machine } = result;
  return [memoryVerdict(), note(result.limit), terms([
    ["Machine", `${countText(parallel.ipus)} of ${countText(machine.ipus)} IPUs of ${machine.name} (${machine.ipu})`],
    ["Spread", `${parallel.execution}; replicas: ${countText(parallel.replicas)}, ${unit}s of each: ${countText(parallel.stages)}`],
    ["Micro-batches", `${countText(parallel.micro_batches)} of each replica in a step`],
    ["Step", `${secondsText(step.seconds)} (${secondsText(step.low_seconds)} to ${secondsText(step.high_seconds)}), ${countText(step.samples)} samples, ${countText(step.samples_per_second)} samples/s`],
    ["Efficiency", `${percentText(step.efficiency)} of the step all IPUs work on micro-batches`],
    ["Streaming memory", bytesText(result.memory.streaming_bytes)],
    ["Engine", `${result.engine.kind}, ${countText(result.engine.programs_simulated)} programs simulated`],
  ]), ...overfullStage(), heading("Where the step goes"), partsTable("Part", stepParts(), secondsText, step.seconds),
  heading(`What each ${unit} does most`), table([
    { title: unit, value: (s) => s, link: (s) => ["stages", s] },
    { title: "Most of its time", value: (s) => stageMost(stages[s]) },
    { title: "Bubble", value: (s) => stages[s].time.bubble_seconds, text: (s) => secondsText(stages[s].time.bubble_seconds), share: (s) => stages[s].time.bubble_seconds / step.seconds },
    { title: "Fullest tile", value: (s) => stages[s].memory.max_tile_bytes, text: (s) => bytesText(stages[s].memory.max_tile_bytes), share: (s) => stages[s].memory.max_tile_bytes / page.capacity_bytes },
  ], Array.from(stages.keys()), { name: "most_of_stages" }), ...(result.warnings || []).map(note)];
}

/// What neighbours exchange after each pipeline cycle.
function boundariesTable() {
  const rows = Array.from(stages.keys()).slice(0, -1).filter((s) => stages[s].sent_forward_bytes !== undefined);
  if (rows.length === 0) return note("There are no neighbours that exchange.");
  return table([
    { title: "Between", value: (s) => `${unit} ${s} and ${s + 1}`, link: (s) => ["stages", s] },
    { title: "Forward, each time", value: (s) => stages[s].sent_forward_bytes, text: (s) => bytesText(stages[s].sent_forward_bytes) },
    { title: "Back, each time", value: (s) => stages[s].sent_forward_bytes, text: (s) => bytesText(stages[s].sent_forward_bytes) },
  ], rows, { name: "boundaries" });
}

function drawLinks() {
  const { collective, parallel } = result;
  const links = (s) => stages[s].time.links_seconds;
  return [heading(`Exchanges between ${unit}s`), terms([
    ["One exchange of all", secondsText(parallel.boundary_exchange_seconds)],
    ["In a step", `${secondsText(step.boundaries_seconds)}, ${percentText(step.boundaries_seconds / step.seconds)} of it`]]), boundariesTable(),
  heading("Collective of the gradients"), terms([["Method", words(collective.method)], ["Exchanges", countText(collective.exchanges)],
    ["Time", `${secondsText(collective.seconds)}, ${percentText(collective.seconds / step.seconds)} of the step`]]),
  table([
    { title: unit, value: (s) => s, link: (s) => ["stages", s] },
    { title: "Sent by an IPU", value: (s) => stages[s].collective_sent_bytes, text: (s) => bytesText(stages[s].collective_sent_bytes) },
    { title: "Time on links, all exchanges", value: links, text: (s) => secondsText(links(s)), share: (s) => links(s) / step.seconds },
  ], Array.from(stages.keys()), { name: "links" })];
}

function drawParallelConfig() {
  return [heading("Config"), element("pre", {}, JSON.stringify(result.config, null, 2))];
}

const tabs = [
  ["summary", "Summary", drawParallelSummary],
  ["stages", "IPUs", drawStages],
  ["pipeline", result.phases ? "Phases" : "Pipeline", drawPipeline],
  ["links", "Links and collectives", drawLinks],
  ["config", "Config", drawParallelConfig],
];
const pageTitle = `${programName(result.config?.workload, page.workload)} on ${result.parallel.ipus === 1 ? "one IPU" : `${countText(result.parallel.ipus)} IPUs`} of ${result.machine.name}`;
const pageSubtitle = `ipusim ${result.tool_version} (${result.commit}), ${result.engine.kind}`;
