// Figures by the units that their keys end in.

function shownValue(key, value) {
  if (value === null || value === undefined) return "-";
  if (typeof value !== "number") return String(value);
  if (key.endsWith("bytes")) return bytesText(value);
  if (key.endsWith("seconds")) return secondsText(value);
  if (key.includes("gflops")) return rateText(value);
  if (key.endsWith("cycles")) return countText(value);
  return Number.isInteger(value) ? countText(value) : value.toPrecision(3);
}

/// The figures of an object; objects in it become terms of their own.
function figures(object, prefix) {
  return Object.entries(object).flatMap(([key, value]) => (value && typeof value === "object" && !Array.isArray(value)
    ? figures(value, `${prefix}${words(key)}: `) : [[prefix + words(key), shownValue(prefix.endsWith("by category: ") ? "bytes" : key, value)]]));
}
