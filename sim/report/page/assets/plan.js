// The plan, the GPU beside the IPU, layers, training.

function planPart() {
  if (!result.plan) return [];
  const estimate = result.plan.estimated_cycles;
  const ratio = estimate ? ` The simulation takes ${(totalCycles / estimate).toFixed(2)} times the planner's estimate.` : "";
  return [heading("Plan"), note(`What the planner chose.${ratio}`), terms(figures(result.plan, ""))];
}

function comparePart() {
  if (!result.compare) return [];
  const rows = [{ name: "IPU", seconds: result.time.seconds, gflops: result.work.gflops_per_second, faster: 1 }];
  for (const [name, gpu] of Object.entries(result.compare)) {
    if (gpu) rows.push({ name: words(name), seconds: gpu.seconds, gflops: gpu.gflops_per_second, faster: gpu.speedup_of_ipu, gpu });
  }
  return [heading("The GPU beside it"), table([
    { title: "Machine", value: (row) => row.name },
    { title: "Time", value: (row) => row.seconds ?? 0, text: (row) => (row.seconds === null || row.seconds === undefined ? "does not fit" : secondsText(row.seconds)) },
    { title: "Rate", value: (row) => row.gflops ?? 0, text: (row) => rateText(row.gflops) },
    { title: "Its time over the IPU's", value: (row) => row.faster ?? 0, text: (row) => (row.faster ? row.faster.toPrecision(3) : "-") },
    { title: "Bound by", value: (row) => (row.gpu && row.gpu.bound) || "-" },
  ], rows, { name: "compare", plain: true }),
  ...rows.filter((row) => row.gpu).flatMap((row) => [heading(row.name), terms(figures(row.gpu, ""))])];
}

function layersPart() {
  const layers = result.layers || [];
  if (layers.length === 0) return [];
  const cycles = (title, key) => ({ title, value: (layer) => layer[key] });
  const total = (layer) => layer.compute_cycles + layer.movement_cycles;
  const withGpu = layers.some((layer) => layer.gpu_seconds !== undefined);
  return [heading("Layers"), note("Cycles of a step are those of its busiest tile. Needed FLOPs are those of the layer's formula in the forward pass; what its vertices count stands under Operations."),
  table(withoutZeros([
    { title: "Layer", value: (layer) => layer.name }, { title: "Kind", value: (layer) => layer.kind },
    cycles("Parameters", "parameters"), cycles("Needed FLOPs", "forward_flops"), cycles("Forward", "forward_cycles"),
    cycles("Backward", "backward_cycles"), cycles("Update", "update_cycles"), cycles("Compute", "compute_cycles"), cycles("Movement", "movement_cycles"),
    { title: "All cycles", value: total, share: (layer) => total(layer) / (totalCycles || 1) },
    ...(withGpu ? [{ title: "GPU", value: (layer) => layer.gpu_seconds ?? 0, text: (layer) => shownValue("seconds", layer.gpu_seconds) }] : []),
  ], layers), layers, { name: "layers" })];
}

function drawPlan() {
  const parts = ["model", "training", "compression", "dense", "separate", "uncertainty"].filter((key) => result[key]);
  return [...planPart(), ...layersPart(), ...comparePart(),
    ...parts.flatMap((key) => [heading(words(key)), terms(figures(result[key], ""))]),
    heading("Config"), element("pre", {}, JSON.stringify(result.config, null, 2))];
}
