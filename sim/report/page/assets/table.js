// A table that sorts, filters, pages and downloads.

const rowsAtOnce = 100;

function csvCell(value) {
  let text = String(value === null || value === undefined ? "" : value);
  // A spreadsheet takes such a cell for a formula.
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = "'" + text;
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function csvText(columns, rows) {
  const lines = [columns.map((column) => csvCell(column.title)).join(",")];
  for (const row of rows) lines.push(columns.map((c) => csvCell(c.value(row))).join(","));
  return lines.join("\n") + "\n";
}

/// Text is found as it is shown, or as its value.
function matches(row, columns, wanted) {
  return columns.some((column) => {
    const shown = column.text ? column.text(row) : String(column.value(row));
    return shown.toLowerCase().includes(wanted);
  });
}

function compared(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/// A long name may break after a slash.
function breakable(text) {
  return text.split(/(?<=\/)/).flatMap((part, i) => (i === 0 ? [part] : [element("wbr", {}), part]));
}

function tableCell(column, row) {
  const value = column.value(row);
  const text = column.text ? column.text(row) : typeof value === "number" ? countText(value) : value;
  const content = column.link && column.link(row) ? link("", ...column.link(row)) : element("span", {});
  content.append(...breakable(String(text ?? "")));
  const share = column.share ? column.share(row) : null;
  const kind = [typeof value === "number" && !column.word ? "number" : "", share === null ? "" : "share"];
  return element("td", { class: kind.join(" ").trim() || null,
    style: share === null ? null : `--share: ${Math.min(100, 100 * share)}%` }, content);
}

/// The columns without those that are zero in every row.
function withoutZeros(columns, rows) {
  return columns.filter((column) => rows.some((row) => column.value(row) !== 0));
}

/// A column is {title, value(row), text(row)?, link(row)?, share(row)?, word?}. Options: name of the
/// file, `sort` = [column, direction], `pick(row)` when a row is clicked, `plain`: no tools.
function table(columns, rows, options) {
  const { name, sort, pick, plain } = options;
  const state = { column: sort ? sort[0] : -1, direction: sort ? sort[1] : 1, wanted: "", shown: rowsAtOnce };
  const body = element("tbody", {});
  const count = element("span", { class: "note" });
  const more = button("Show more", () => { state.shown *= 4; draw(); });
  const heads = columns.map((column, number) => {
    const isNumber = rows.length > 0 && typeof column.value(rows[0]) === "number" && !column.word;
    return element("th", { scope: "col", class: isNumber ? "number" : null }, plain ? column.title
      : button(column.title, () => {
        state.direction = state.column === number ? -state.direction : isNumber ? -1 : 1;
        state.column = number;
        draw();
      }, "Sort by this column"));
  });
  const chosenRows = () => {
    const found = state.wanted ? rows.filter((row) => matches(row, columns, state.wanted)) : rows.slice();
    if (state.column >= 0) {
      const { value } = columns[state.column];
      found.sort((a, b) => state.direction * compared(value(a), value(b)));
    }
    return found;
  };
  const drawRow = (row) => {
    const line = element("tr", {}, columns.map((column) => tableCell(column, row)));
    if (!pick) return line;
    const choose = () => {
      for (const other of body.children) other.classList.remove("chosen");
      line.classList.add("chosen");
      pick(row);
    };
    line.className = "link";
    line.tabIndex = 0;
    line.addEventListener("click", choose);
    line.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(); });
    return line;
  };
  const draw = () => {
    const found = chosenRows();
    body.replaceChildren(...found.slice(0, state.shown).map(drawRow));
    heads.forEach((head, number) => head.setAttribute("aria-sort", number !== state.column ? "none"
      : state.direction > 0 ? "ascending" : "descending"));
    count.textContent = `${countText(Math.min(state.shown, found.length))} of ${countText(rows.length)} rows`;
    more.hidden = state.shown >= found.length;
  };
  draw();
  const drawn = element("div", { class: "scroll" },
    element("table", {}, element("thead", {}, element("tr", {}, heads)), body));
  if (plain) return drawn;
  const search = element("input", { type: "search", placeholder: "Filter  (/)", "aria-label": "Filter rows",
    oninput: (event) => { state.wanted = event.target.value.toLowerCase(); state.shown = rowsAtOnce; draw(); } });
  const save = button("CSV", () => download(`${name}.csv`, csvText(columns, chosenRows())), "Download the rows");
  return element("div", {}, element("div", { class: "tools" }, search, save, count), drawn, more);
}
