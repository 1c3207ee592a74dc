// The IPUs of a replica: what each does with its time and its memory.

const { result } = page;
const { stages, step } = result;
const unit = result.parallel.execution === "sharded" ? "shard" : result.parallel.execution === "phased" ? "IPU" : "stage";

/// Members of an object whose keys end alike, without the end: [["compute", 0.5], ...].
function partsOf(object, end, without) {
  return Object.entries(object).filter(([key]) => key.endsWith(end) && !without.includes(key))
    .map(([key, value]) => [words(key.slice(0, -end.length)), value]);
}

function timeParts(stage) {
  return partsOf(stage.time, "_seconds", []);
}

function memoryParts(stage) {
  return partsOf(stage.memory, "_bytes", ["total_bytes", "max_tile_bytes", "streaming_bytes"]);
}

/// A bar for each stage, made of its parts.
function stackedStages(title, partsOfStage, axis, textOf) {
  const rows = [];
  let most = 0;
  stages.forEach((stage, number) => {
    let below = 0;
    for (const [key, value] of partsOfStage(stage)) {
      if (value > 0) {
        rows.push({ x0: number - 0.4, x1: number + 0.4, y0: below, y1: below + value, key, stage: number,
          text: `${unit} ${number}\n${key}: ${textOf(value)}` });
      }
      below += value;
    }
    most = Math.max(most, below);
  });
  return chartOf({ title, rows, colours: coloursFor(partsOfStage(stages[0]).map(([key]) => key)),
    x: { title: unit, domain: [-0.5, stages.length - 0.5], format: "d" }, y: { title: axis, domain: [0, 1.06 * most || 1], format: "~s" },
    pick: openStage });
}

function openStage(row) {
  if (row.stage !== undefined) location.hash = `stages/${row.stage}`;
}

/// The IPUs that do the work of a stage, one in each replica.
function ipusOf(number) {
  const { replicas } = result.parallel;
  const each = result.parallel.stages;
  if (replicas === 1) return `IPU ${number}`;
  return `IPUs ${number}, ${number + each}${replicas > 2 ? ", ..." : ""}${replicas > 2 ? `, ${number + each * (replicas - 1)}` : ""}: one in each of ${countText(replicas)} replicas`;
}

function stageMost(stage) {
  return timeParts(stage).reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

function stagesTable() {
  const seconds = (title, key) => ({ title, value: (s) => stages[s].time[key], text: (s) => secondsText(stages[s].time[key]),
    share: (s) => stages[s].time[key] / step.seconds });
  const hasModules = stages[0].modules !== undefined;
  return table([
    { title: unit, value: (s) => s, link: (s) => ["stages", s] },
    ...(hasModules ? [{ title: "First layer", value: (s) => stages[s].first_layer }, { title: "Modules", value: (s) => stages[s].modules }] : []),
    seconds("Compute", "compute_seconds"), seconds("Exchange", "exchange_seconds"), seconds("Links", "links_seconds"),
    seconds("Streaming", "streaming_seconds"), seconds("Host", "host_seconds"), seconds("Sync", "sync_seconds"), seconds("Bubble", "bubble_seconds"),
    { title: "Memory", value: (s) => stages[s].memory.total_bytes, text: (s) => bytesText(stages[s].memory.total_bytes) },
    { title: "Fullest tile", value: (s) => stages[s].memory.max_tile_bytes, text: (s) => bytesText(stages[s].memory.max_tile_bytes),
      share: (s) => stages[s].memory.max_tile_bytes / page.capacity_bytes },
  ], Array.from(stages.keys()), { name: "stages" });
}

/// Bytes on each tile of a stage.
function stageTiles(number) {
  const values = expand(page.stages[number].tile_bytes);
  if (values.length === 0) return note("The bytes of single tiles are not known: memory is that of modules that were measured one by one, or of phases.");
  const rows = [];
  for (let first = 0; first < values.length;) {
    let end = first + 1;
    while (end < values.length && values[end] === values[first]) ++end;
    const where = end === first + 1 ? `Tile ${first}` : `Tiles ${first} to ${end - 1}`;
    rows.push({ x0: first, x1: end, y0: 0, y1: values[first], key: "bytes", text: `${where}\n${bytesText(values[first])}` });
    first = end;
  }
  const most = values.reduce((a, b) => Math.max(a, b), page.capacity_bytes);
  return chartOf({ title: `Bytes of each tile of ${unit} ${number}`, rows, colours: { bytes: palette[0] },
    x: { title: "tile", domain: [0, values.length], format: ",d" }, y: { title: "bytes, without gaps", domain: [0, 1.06 * most], format: "~s" },
    rules: [{ at: page.capacity_bytes, text: `capacity ${bytesText(page.capacity_bytes)}` }] });
}

function partsTable(title, parts, textOf, whole) {
  return table([
    { title, value: (part) => part[0] },
    { title: "Amount", value: (part) => part[1], text: (part) => textOf(part[1]), share: (part) => part[1] / (whole || 1) },
    { title: "Share", value: (part) => part[1] / (whole || 1), text: (part) => percentText(part[1] / (whole || 1)) },
  ], parts.filter((part) => part[1] > 0), { name: title.toLowerCase(), plain: true });
}

/// What a stage is, without its parts of time and memory.
function stageTerms(number) {
  const plain = Object.entries(stages[number]).filter(([, value]) => typeof value !== "object")
    .map(([key, value]) => [words(key), shownValue(key, value)]);
  return terms([["Who", ipusOf(number)], ...plain,
    ["Fullest tile", `${bytesText(stages[number].memory.max_tile_bytes)} of ${bytesText(page.capacity_bytes)}`],
    ["Beside the chip", bytesText(stages[number].memory.streaming_bytes)]]);
}

function drawStage(number) {
  const stage = stages[number];
  return [heading(`${unit} ${number}`), link("Back to all", "stages"), stageTerms(number),
    heading("Its time in a step"), partsTable("Part", timeParts(stage), secondsText, step.seconds),
    heading("Its memory"), partsTable("Bytes", memoryParts(stage), bytesText, stage.memory.total_bytes),
    heading("Its tiles"), stageTiles(number)];
}

function drawStages(which) {
  if (/^[0-9]+$/.test(which) && stages[Number(which)]) return drawStage(Number(which));
  return [note(`A click on a bar or a number leads to the page of one ${unit}. Its IPUs in all replicas do the same.`),
    heading("Time in a step"), stackedStages(`Time of each ${unit} in a step`, timeParts, "seconds", secondsText),
    heading("Memory"), stackedStages(`Bytes of each ${unit}`, memoryParts, "bytes, all tiles", bytesText),
    heading("Table"), stagesTable()];
}
