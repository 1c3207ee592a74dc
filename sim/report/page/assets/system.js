// A system of IPUs: each IPU, and what its links carry.

function ipuRows() {
  return result.system.per_ipu.map((ipu, number) => ({ ...ipu, number }));
}

function programTerms() {
  const rows = ipuRows();
  const programs = [...new Set(rows.map((row) => row.program))];
  return programs.flatMap((program) => {
    const same = rows.filter((row) => row.program === program);
    const [first] = same;
    return [heading(`Program ${program}: ${same.length === 1 ? `IPU ${first.number}` : `${same.length} IPUs, the first is ${first.number}`}`),
      terms(Object.entries(first).filter(([key]) => !["number", "program"].includes(key)).map(([key, value]) => [words(key), shownValue(key, value)])),
      link("Its fullest tile", "memory", "tile", first.number * result.system.tiles_per_ipu + first.max_tile)];
  });
}

function drawSystem() {
  const keys = Object.keys(result.system.per_ipu[0] || {});
  const links = result.system.links || [];
  const columnsOf = (names) => names.map((key) => ({ title: words(key), value: (row) => row[key],
    text: (row) => shownValue(key, row[key]), share: key.endsWith("cycles") ? (row) => row[key] / (totalCycles || 1) : null }));
  return [terms([["IPUs", countText(result.system.ipus)], ["Different programs", countText(result.system.programs)],
    ["Exchanges between IPUs", cyclesText(result.system.links_cycles)]]),
  heading("IPUs"), table([{ title: "IPU", value: (row) => row.number }, ...columnsOf(keys)], ipuRows(), { name: "ipus" }),
  heading("Links"), links.length === 0 ? note("The links carried nothing.") : table(columnsOf(Object.keys(links[0])), links, { name: "links" }),
  heading("Collectives and other exchanges between IPUs"), stepsOfKinds(["global_exchange"]), ...programTerms()];
}

function stepsOfKinds(kinds) {
  const rows = Array.from(steps.keys()).filter((s) => kinds.includes(steps[s].kind));
  return rows.length === 0 ? note("There are none.") : table([
    { title: "Step", value: (s) => steps[s].name, link: stepPlace },
    { title: "Times", value: (s) => steps[s].iterations },
    { title: "Cycles", value: (s) => steps[s].cycles, share: (s) => steps[s].cycles / (totalCycles || 1) },
    { title: "Bytes, each time", value: (s) => steps[s].exchange.bytes, text: (s) => bytesText(steps[s].exchange.bytes) },
  ], rows, { name: "steps_between_ipus" });
}
