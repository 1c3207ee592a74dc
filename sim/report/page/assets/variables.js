// Variables, and the map of one over the tiles.

function variableLife(variable) {
  if (variable.always_live) return "always";
  return page.positions.length > 0 ? lifeText([variable.live]) : "-";
}

/// [bytes, first such tile] where a variable has most.
function mostOnTile(variable) {
  let most = [0, 0];
  const places = variable.tiles || [];
  for (let i = 0; i < places.length; i += 3) if (places[i + 2] > most[0]) most = [places[i + 2], places[i]];
  return most;
}

/// Such as "2048x2048 half".
function shapeText({ shape, type }) {
  return `${shape.join("x") || "scalar"} ${type}`;
}

/// A column for the shapes of variables; `variableOf(row)` may be missing.
function shapeColumn(variableOf) {
  return { title: "Shape", value: (row) => (variableOf(row) ? shapeText(variableOf(row)) : "-") };
}

function variablesTable() {
  const rows = Array.from(variables.keys());
  return table([
    { title: "Name", value: (v) => variables[v].name, link: (v) => ["memory", "variable", v] },
    shapeColumn((v) => variables[v]),
    { title: "Elements", value: (v) => variables[v].elements },
    { title: "Bytes in all", value: (v) => variables[v].bytes, text: (v) => bytesText(variables[v].bytes) },
    { title: "Most on a tile", value: (v) => mostOnTile(variables[v])[0], text: (v) => bytesText(mostOnTile(variables[v])[0]) },
    { title: "Tile", value: (v) => mostOnTile(variables[v])[1], text: (v) => tileText(mostOnTile(variables[v])[1]) },
    { title: "Lives", value: (v) => variableLife(variables[v]) },
  ], rows, { name: "variables", sort: [3, -1] });
}

function variableMap(variable) {
  const places = variable.tiles;
  if (!places) return note("The page does not hold the tiles of this variable.");
  const rows = [];
  for (let i = 0; i < places.length; i += 3) {
    const [first, count, bytes] = [places[i], places[i + 1], places[i + 2]];
    const where = count === 1 ? `Tile ${tileText(first)}` : `Tiles ${tileText(first)} to ${tileText(first + count - 1)}`;
    rows.push({ x0: first, x1: first + count, y0: 0, y1: bytes, key: variable.name, tile: first, text: `${where}\n${bytesText(bytes)} on each` });
  }
  return chartOf({ title: `Bytes of ${variable.name} on each tile`, rows, colours: { [variable.name]: palette[0] }, x: tileAxis,
    y: { title: "bytes on the tile", domain: [0, 1.06 * Math.max(mostOnTile(variable)[0], 1)], format: "~s" }, pick: openTile });
}

function tilesOfVariable(variable) {
  let tiles = 0;
  for (let i = 0; i < (variable.tiles || []).length; i += 3) tiles += variable.tiles[i + 1];
  return tiles;
}

function drawVariable(number) {
  const variable = variables[number];
  const [most, tile] = mostOnTile(variable);
  return [heading(variable.name), link("Back to all variables", "memory"),
    terms([["Shape", shapeText(variable)], ["Elements", countText(variable.elements)], ["Bytes in all", bytesText(variable.bytes)],
      ["Most on a tile", variable.tiles ? `${bytesText(most)} on tile ${tileText(tile)}` : null],
      ["Tiles", variable.tiles ? countText(tilesOfVariable(variable)) : null], ["Lives", variableLife(variable)]]),
    heading("Where it is"), variableMap(variable)];
}
