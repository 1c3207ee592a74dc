// What a page is about, in a few words.

const longestTitleValue = 24;
const longestTitleLayers = 40;
const mostTitleValues = 4;

/// The last part of a path, without its extensions.
function stemOf(path) {
  return path.split("/").pop().replace(/(\.[a-z0-9]+)+$/i, "");
}

function shortText(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1)}\u2026`;
}

/// A program by the keys of its workload: its file or its layers, then what is short, such as sizes and types.
function programName(workload, kind) {
  const { file, layers, train, ...others } = workload || {};
  const name = typeof file === "string" ? stemOf(file)
    : typeof layers === "string" ? `${kind} ${shortText(layers.trim().split(/\s*[;\n]\s*/).join("; "), longestTitleLayers)}` : kind;
  const values = Object.entries(others).filter(([key, value]) => key !== "kind" && (typeof value !== "object" || Array.isArray(value)))
    .map(([key, value]) => (key === "type" ? String(value) : `${words(key)} ${Array.isArray(value) ? value.join("x") : value}`))
    .filter((text) => text.length <= longestTitleValue);
  return [`${train ? "training of " : ""}${name}`, ...values.slice(0, mostTitleValues)].join(", ");
}
