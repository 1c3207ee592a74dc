// Charts of ranges, drawn by Vega: each mark is a rectangle [x0, x1] x [y0, y1].

const palette = ["#30638e", "#edae49", "#2a9d8f", "#d1495b", "#7b4fa3", "#8cb369", "#b07d62", "#5fa8d3",
  "#c9ada7", "#6d6875", "#f4a259", "#577590", "#bc4b51", "#8d99ae"];

/// The height of the row of names above a chart, in pixels.
const labelHeight = 20;

function coloursFor(keys) {
  return Object.fromEntries(keys.map((key, number) => [key, palette[number % palette.length]]));
}

function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const tooltip = document.getElementById("tooltip");
function showTooltip(_handler, event, _item, text) {
  tooltip.style.display = text ? "block" : "none";
  if (!text) return;
  tooltip.textContent = text;
  const left = Math.min(event.clientX + 14, window.innerWidth - tooltip.offsetWidth - 8);
  tooltip.style.left = `${left}px`;
  tooltip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - tooltip.offsetHeight - 8)}px`;
}

function zoomSignals(domain) {
  const all = `[${domain[0]}, ${domain[1]}]`;
  const clamp = `clampRange(%, ${domain[0]}, ${domain[1]})`;
  const within = (range) => clamp.replace("%", range);
  return [
    { name: "anchor", value: 0, on: [{ events: "wheel", update: "invert('x', x())" }] },
    { name: "zoom", value: 1, on: [{ events: "wheel![event.ctrlKey || event.shiftKey]", force: true,
      update: "pow(1.002, (event.deltaY || event.deltaX) * pow(16, event.deltaMode))" }] },
    { name: "down", value: null, on: [{ events: "mousedown", update: "[x(), domain[0], domain[1]]" }] },
    { name: "drag", value: 0, on: [{ events: "[mousedown, window:mouseup] > window:mousemove!",
      update: "down[0] - x()" }] },
    { name: "domain", value: domain, on: [
      { events: { signal: "zoom" }, update: within("[anchor + (domain[0] - anchor) * zoom, anchor + (domain[1] - anchor) * zoom]") },
      { events: { signal: "drag" }, update: within("[down[1] + (down[2] - down[1]) * drag / width, down[2] + (down[2] - down[1]) * drag / width]") },
      { events: "dblclick", update: all },
    ] },
  ];
}

/// Of a mirrored axis the values on both sides of zero are positive.
function axisOf(orient, scale, { title, format, mirrored }) {
  return { orient, scale, title, format, grid: orient === "left", gridOpacity: 0.5, tickCount: orient === "left" ? 6 : 8,
    labelOverlap: true, ...(format === ",d" ? { tickMinStep: 1 } : {}),
    ...(mirrored ? { encode: { labels: { update: { text: { signal: `format(abs(datum.value), '${format}')` } } } } } : {}) };
}

/// The text of a rule, readable on any colour: it lies on a wider one in the colour of the page.
function ruleTexts() {
  const mark = (stroke) => ({ type: "text", from: { data: "rules" }, encode: {
    enter: { fill: { value: themeColour("--bad") }, text: { field: "text" }, align: { value: "right" }, dy: { value: -4 }, fontSize: { value: 12 }, ...stroke },
    update: { x: { signal: "width - 4" }, y: { scale: "y", field: "at" } } } });
  return [mark({ stroke: { value: themeColour("--back") }, strokeWidth: { value: 4 } }), mark({})];
}

/// A chart of tiles draws whole pixels: a part of a pixel would be paler than its colour.
function heightOf(chart) {
  if (!chart.y.down) return { y: { scale: "y", field: "y0" }, y2: { scale: "y", field: "y1" } };
  return { y: { signal: "floor(scale('y', datum.y0))" },
    height: { signal: "max(1, ceil(scale('y', datum.y1)) - floor(scale('y', datum.y0)))" } };
}

/// Names in a row above the ranges, each within the part of its span that is seen.
function labelMarks(chart) {
  if (!chart.labels) return [];
  const left = "max(0, scale('x', datum.x0))";
  const right = "min(width, scale('x', datum.x1))";
  return [
    { type: "rect", from: { data: "labels" }, encode: { enter: { y: { value: -labelHeight }, height: { value: labelHeight - 2 },
      fill: { signal: `datum.odd ? '${themeColour("--bar")}' : '${themeColour("--soft")}'` }, tooltip: { field: "text" } },
    update: { x: { signal: left }, x2: { signal: right } } } },
    { type: "text", from: { data: "labels" }, interactive: false, encode: { enter: { y: { value: -labelHeight / 2 - 1 }, align: { value: "center" },
      baseline: { value: "middle" }, fill: { value: themeColour("--text") }, fontSize: { value: 11 } },
    update: { x: { signal: `(${left} + ${right}) / 2` }, limit: { signal: `${right} - ${left} - 4` },
      text: { signal: `${right} - ${left} > 24 ? datum.name : ''` } } } },
  ];
}

function specOf(chart, width) {
  const text = themeColour("--text");
  const line = themeColour("--line");
  return {
    width, height: chart.height || 260, autosize: { type: "fit", contains: "padding" },
    padding: { left: 5, right: 18, top: 5, bottom: 8 },
    background: themeColour("--back"),
    config: { axis: { labelColor: text, titleColor: text, gridColor: line, domainColor: line, tickColor: line,
      labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" } },
    signals: zoomSignals(chart.x.domain),
    data: [{ name: "ranges", values: chart.rows }, { name: "rules", values: chart.rules || [] },
      { name: "labels", values: chart.labels ? chart.labels(chart.x.domain) : [] }],
    scales: [
      { name: "x", domain: { signal: "domain" }, range: "width", zero: false, nice: false },
      { name: "y", domain: chart.y.domain, range: "height", reverse: Boolean(chart.y.down), nice: false },
      { name: "colour", type: "ordinal", domain: Object.keys(chart.colours), range: Object.values(chart.colours) },
    ],
    axes: [axisOf("bottom", "x", chart.x), axisOf("left", "y", chart.y)],
    marks: [
      { type: "rect", name: "range", clip: true, from: { data: "ranges" }, encode: {
        enter: { fill: { scale: "colour", field: "key" }, tooltip: { field: "text" } },
        update: { x: { scale: "x", field: "x0" }, x2: { scale: "x", field: "x1", offset: 0.4 }, ...heightOf(chart) },
      } },
      { type: "rule", from: { data: "rules" }, encode: { enter: { stroke: { value: themeColour("--bad") }, strokeWidth: { value: 1.5 } },
        update: { x: { value: 0 }, x2: { signal: "width" }, y: { scale: "y", field: "at" } } } },
      ...ruleTexts(), ...labelMarks(chart),
    ],
  };
}

/// Zooms about the middle, or moves by a share of what is seen.
function zoomBy(view, whole, factor, move) {
  const [a, b] = view.signal("domain");
  const middle = (a + b) / 2 + move * (b - a);
  const half = Math.min((factor * (b - a)) / 2, (whole[1] - whole[0]) / 2);
  const begin = Math.min(Math.max(middle - half, whole[0]), whole[1] - 2 * half);
  view.signal("domain", [begin, begin + 2 * half]).runAsync();
}

function zoomKeys(view, chart) {
  const whole = chart.x.domain;
  return (event) => {
    const step = { "+": [0.5, 0], "-": [2, 0], ArrowLeft: [1, -0.2], ArrowRight: [1, 0.2] }[event.key];
    if (event.key === "0") view.signal("domain", whole).runAsync();
    if (step) zoomBy(view, whole, ...step);
    if (step || event.key === "0") { event.preventDefault(); event.stopPropagation(); }
  };
}

/// A chart {title, rows, colours, x, y, rules?, height?, pick(row)?, refill(domain)?, labels(domain)?}; `refill`
/// gives the rows for what is seen, and `labels` the names above them. Without Vega the chart is a line that says so.
function chartOf(chart) {
  if (typeof vega === "undefined") return note("No chart: ipusim was built without Vega (libjs-vega).");
  const frame = element("div", { class: "chart", tabindex: "0", role: "img", "aria-label": chart.title });
  const keys = Object.keys(chart.colours).length > 1 ? legend(chart.colours) : "";
  const tools = element("div", { class: "tools" });
  const draw = () => {
    const view = new vega.View(vega.parse(specOf(chart, Math.max(300, frame.clientWidth - 16))),
      { renderer: "canvas", container: frame, hover: false });
    view.tooltip(showTooltip);
    if (chart.pick) view.addEventListener("click", (_event, item) => { if (item && item.datum) chart.pick(item.datum); });
    if (chart.refill) refillOnZoom(view, chart);
    frame.addEventListener("keydown", zoomKeys(view, chart));
    tools.append(
      button("+", () => zoomBy(view, chart.x.domain, 0.5, 0), "Zoom in (+)"),
      button("\u2212", () => zoomBy(view, chart.x.domain, 2, 0), "Zoom out (-)"),
      button("All", () => view.signal("domain", chart.x.domain).runAsync(), "See all (0)"),
      element("span", { class: "note" }, "Drag to move, Ctrl and wheel to zoom"));
    return view.runAsync();
  };
  pendingCharts.push(draw);
  return element("div", {}, keys, frame, tools);
}

function refillOnZoom(view, chart) {
  let waiting = 0;
  view.addSignalListener("domain", (_name, domain) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (chart.labels) view.data("labels", chart.labels(domain));
      view.data("ranges", chart.refill(domain)).runAsync();
    }, 60);
  });
}

/// Charts that wait until their frames are in the page and have a width.
let pendingCharts = [];
function drawPendingCharts() {
  const draws = pendingCharts;
  pendingCharts = [];
  return Promise.all(draws.map((draw) => draw()));
}
