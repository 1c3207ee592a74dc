// Compute sets: vertices, cycles, and how equally the tiles share them.

/// The mean tile's cycles over those of the busiest tile.
function balanceOf(step) {
  return step.cycles > 0 ? step.mean_cycles / step.cycles : 1;
}

function typesText(number) {
  const more = stepDetail(number);
  return more && more.vertices ? more.vertices.map((group) => group.type).join(", ") : "-";
}

function groupsTable(number) {
  const more = stepDetail(number);
  if (!more || !more.vertices) return note("The page does not hold the vertices of this step.");
  return table([
    { title: "Vertex type", value: (group) => group.type },
    { title: "Runs on", value: (group) => group.kind },
    { title: "Vertices", value: (group) => group.vertices },
    { title: "Tiles", value: (group) => group.tiles },
    { title: "Least cycles", value: (group) => group.least_cycles },
    { title: "Most cycles", value: (group) => group.most_cycles },
    { title: "FLOPs", value: (group) => group.flops },
  ], more.vertices, { name: "vertices", plain: true });
}

function cyclesChart(number) {
  const more = stepDetail(number);
  if (!more) return note("The page does not hold the tiles of this step.");
  const step = steps[number];
  return chartOf({ title: `Cycles of each tile in ${step.name}`, rows: rowsOverTiles(expand(more.cycles), "cycles", detail.tiles_per_band, cyclesText),
    colours: { cycles: kindColours[step.kind] }, x: tileAxis, y: { title: "cycles", domain: [0, 1.06 * Math.max(step.cycles, 1)], format: "~s" }, pick: openTile });
}

function computeDetail(number) {
  const step = steps[number];
  return [heading(step.name),
    terms([["Kind", kindNames[step.kind]], ["Times", countText(step.iterations)], ["Vertices", countText(step.vertices)],
      ["Busiest tile", `${tileText(step.max_tile)}: ${cyclesText(step.cycles)}, ${timeText(step.cycles)}`],
      ["Mean tile", cyclesText(step.mean_cycles)], ["Balance", percentText(balanceOf(step))], ["Bound by", boundOf(number)]]),
    note("Cycles of a vertex: issue slots of a worker, tile cycles of a supervisor."), groupsTable(number), cyclesChart(number)];
}

/// A table of steps and, below it, what there is to say of the one that is chosen.
function stepChooser(rows, columns, options, drawStep, chosen) {
  const more = element("section", {});
  const show = (number) => {
    more.replaceChildren(...drawStep(number));
    drawPendingCharts();
  };
  const list = table(columns, rows, { ...options, pick: show });
  const first = rows.includes(Number(chosen)) && chosen !== undefined ? Number(chosen)
    : rows.reduce((a, b) => (a === null || steps[b].cycles > steps[a].cycles ? b : a), null);
  if (first !== null) more.append(...drawStep(first));
  return [list, more];
}

function drawComputeSets(chosen) {
  const rows = Array.from(steps.keys()).filter((s) => isCompute(steps[s]));
  const columns = [
    { title: "Step", value: (s) => steps[s].name },
    { title: "Kind", value: (s) => kindNames[steps[s].kind] },
    { title: "Vertex types", value: typesText },
    { title: "Vertices", value: (s) => steps[s].vertices },
    { title: "Times", value: (s) => steps[s].iterations },
    { title: "Cycles", value: (s) => steps[s].cycles },
    { title: "Mean tile", value: (s) => steps[s].mean_cycles, share: shareOfStep },
    { title: "Balance", value: (s) => balanceOf(steps[s]), text: (s) => percentText(balanceOf(steps[s])) },
  ];
  return [note("Choose a row to see its vertices and tiles."), ...stepChooser(rows, columns, { name: "compute_sets" }, computeDetail, chosen)];
}
