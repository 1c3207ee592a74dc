// Rows of charts over the tiles of a run.

/// Rows for values over tiles, in bars from 0. `values` has one value for each tile or band.
function rowsOverTiles(values, key, tilesEach, textOf) {
  const rows = [];
  for (let i = 0; i < values.length; ) {
    let end = i + 1;
    while (end < values.length && values[end] === values[i]) ++end;
    const first = i * tilesEach;
    const last = Math.min(end * tilesEach, tileCount) - 1;
    const where = first === last ? `Tile ${tileText(first)}` : `Tiles ${tileText(first)} to ${tileText(last)}`;
    rows.push({ x0: first, x1: last + 1, y0: 0, y1: values[i], key, tile: first, text: `${where}\n${textOf(values[i])}` });
    i = end;
  }
  return rows;
}
