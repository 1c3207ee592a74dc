"use strict";
// The modules of Vega by name, as functions in the manner of CommonJS. A module that is not here is
// one that no chart of the page needs.
const vegaModules = {};
const vegaLoaded = {};

function vegaRequire(name) {
  if (!(name in vegaLoaded)) {
    const module = { exports: {} };
    vegaLoaded[name] = module.exports;
    // vega-functions asks for the module vega-selection by another name.
    const run = vegaModules[name === "vega-selections" ? "vega-selection" : name];
    if (run) run(module.exports, vegaRequire, module);
    vegaLoaded[name] = module.exports;
  }
  return vegaLoaded[name];
}
