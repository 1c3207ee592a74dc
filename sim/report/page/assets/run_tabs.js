// The tabs of the page of a run.

const tabs = [
  ["summary", "Summary", drawSummary],
  ["memory", "Memory", drawMemory],
  ["liveness", "Liveness", drawLiveness],
  ["program", "Program tree", drawProgram],
  ["compute", "Compute sets", drawComputeSets],
  ["exchanges", "Exchanges", drawExchanges],
  ["execution", "Execution", drawExecution],
  ["operations", "Operations", drawOperations],
  ...(page.energy ? [["energy", "Energy", drawEnergy]] : []),
  ["plan", "Plan and GPU", drawPlan],
  ...(result.system ? [["system", "System", drawSystem]] : []),
];
const pageTitle = `${programName(result.config?.workload, page.workload)} on ${result.machine.name}`;
const pageSubtitle = `ipusim ${result.tool_version} (${result.commit}), ${result.engine.kind}`;
