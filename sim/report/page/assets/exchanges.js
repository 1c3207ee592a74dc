// Exchanges: who sends what to whom.

function trafficChart(title, received, sent, tilesEach) {
  const rows = rowsOverTiles(received, "received", tilesEach, (bytes) => `received: ${bytesText(bytes)}`)
    .concat(rowsOverTiles(sent, "sent", tilesEach, (bytes) => `sent: ${bytesText(bytes)}`).map((row) => ({ ...row, y1: -row.y1 })));
  const most = Math.max(1, received.reduce((a, b) => Math.max(a, b), 0));
  const least = sent.reduce((a, b) => Math.max(a, b), 0);
  return chartOf({ title, rows, colours: { received: palette[2], sent: palette[3] }, x: tileAxis,
    y: { title: "bytes: received above, sent below", domain: [-1.06 * least, 1.06 * most], format: "~s", mirrored: true }, pick: openTile });
}

function portText(port) {
  return `tile ${tileText(port.tile)}, ${cyclesText(port.cycles)}`;
}

function exchangeDetail(number) {
  const step = steps[number];
  const more = stepDetail(number);
  const ports = more && more.ports;
  return [heading(step.name),
    terms([["Times", countText(step.iterations)], ["Cycles", `${cyclesText(step.cycles)} on tile ${tileText(step.max_tile)}, ${timeText(step.cycles)}`],
      ["Received by all tiles, each time", bytesText(step.exchange.bytes)], ["Most received by a tile", bytesText(step.exchange.max_tile_bytes)],
      ["Messages", countText(step.exchange.messages)], ["Transmissions", ports ? countText(ports.transmissions) : null],
      ["Most receivers of one", ports ? countText(ports.most_receivers) : null],
      ["Busiest send port", ports ? portText(ports.send) : null], ["Busiest receive port", ports ? portText(ports.receive) : null]]),
    more && more.received_bytes ? trafficChart(`Bytes of each tile in ${step.name}`, expand(more.received_bytes), expand(more.sent_bytes), detail.tiles_per_band)
      : note("The page does not hold the tiles of this exchange.")];
}

function wholeTraffic() {
  if (!detail) return [];
  return [heading("Over the whole program"), note("A message to several tiles counts once where it is sent and once for each tile that receives it."),
    trafficChart("Bytes of each tile over the program", expand(detail.received_bytes_of_tile), expand(detail.sent_bytes_of_tile), 1)];
}

function drawExchanges(chosen) {
  const rows = Array.from(steps.keys()).filter((s) => isExchange(steps[s]));
  if (rows.length === 0) return [note("The program has no exchanges.")];
  const ports = (s) => (stepDetail(s) && stepDetail(s).ports) || null;
  const columns = [
    { title: "Step", value: (s) => steps[s].name },
    { title: "Times", value: (s) => steps[s].iterations },
    { title: "Cycles", value: (s) => steps[s].cycles, share: (s) => steps[s].cycles / (totalCycles || 1) },
    { title: "Bytes, each time", value: (s) => steps[s].exchange.bytes, text: (s) => bytesText(steps[s].exchange.bytes) },
    { title: "Most on a tile", value: (s) => steps[s].exchange.max_tile_bytes, text: (s) => bytesText(steps[s].exchange.max_tile_bytes) },
    { title: "Messages", value: (s) => steps[s].exchange.messages },
    { title: "Most receivers", value: (s) => (ports(s) ? ports(s).most_receivers : 0), text: (s) => (ports(s) ? countText(ports(s).most_receivers) : "-") },
    { title: "Bound by", value: boundOf },
  ];
  return [note("Choose a row to see its ports and tiles."), ...stepChooser(rows, columns, { name: "exchanges" }, exchangeDetail, chosen), ...wholeTraffic()];
}
