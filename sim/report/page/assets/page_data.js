// What the page is drawn from: the JSON that the report holds.

const page = JSON.parse(document.getElementById("data").textContent);

/// The values that a list of run lengths stands for.
function expand(runs) {
  const values = [];
  for (let i = 0; i < runs.length; i += 2) {
    for (let n = 0; n < runs[i]; ++n) values.push(runs[i + 1]);
  }
  return values;
}
