const vega = { parse: vegaRequire("vega-parser").parse, View: vegaRequire("vega-view").View };
for (const name of ["vega-transforms", "vega-view-transforms", "vega-encode"]) {
  Object.assign(vegaRequire("vega-dataflow").transforms, vegaRequire(name));
}
