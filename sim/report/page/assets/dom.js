// Elements. All text goes in as text: a name can be anything.

/// Makes an element. A child is an element or a text.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) {
      made.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== false) {
      made.setAttribute(key, value);
    }
  }
  for (const child of children.flat()) if (child !== null) made.append(child);
  return made;
}

function note(text) {
  return element("p", { class: "note" }, text);
}

function heading(text) {
  return element("h2", {}, text);
}

/// A list of terms: [[term, text or element], ...]; those without a text are left out.
function terms(pairs) {
  const list = element("dl", {});
  for (const [term, text] of pairs) {
    if (text === null || text === undefined) continue;
    list.append(element("dt", {}, term), element("dd", {}, text));
  }
  return list;
}

function button(text, press, title) {
  return element("button", { type: "button", title: title || null, onclick: press }, text);
}

/// A link to another place of the report.
function link(text, ...place) {
  return element("a", { href: "#" + place.map(encodeURIComponent).join("/") }, text);
}

function legend(colours) {
  return element("div", { class: "legend" }, Object.entries(colours).map(
    ([key, colour]) => element("span", { style: `--key: ${colour}` }, key)));
}

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  element("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
