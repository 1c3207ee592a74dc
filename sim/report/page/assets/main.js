// The tabs, the keyboard and the theme. Each kind of page has its own `tabs`, `pageTitle` and `pageSubtitle`.

const panel = document.getElementById("panel");

/// A part of the address. An address that somebody has cut may end within a character.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return text;
  }
}

/// The tab and the place in it that the address names.
function placeNow() {
  const [name, ...rest] = location.hash.slice(1).split("/").map(decoded);
  return [tabs.find((tab) => tab[0] === name) || tabs[0], rest];
}

function show() {
  const [[name, , draw], place] = placeNow();
  for (const tab of document.getElementById("tabs").children) {
    const chosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
  }
  tooltip.style.display = "none";
  pendingCharts = [];
  panel.setAttribute("aria-label", name);
  panel.replaceChildren(...draw(...place));
  window.scrollTo(0, 0);
  return drawPendingCharts().then(() => { document.body.dataset.drawn = location.hash.slice(1) || name; });
}

function chooseTab(number) {
  const tab = tabs[(number + tabs.length) % tabs.length];
  location.hash = tab[0];
  document.querySelector(`[data-tab="${tab[0]}"]`).focus();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  return show();
}

function otherTheme() {
  return setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}

/// The keys 1 to 9 are the first tabs, and 0 the tenth.
function tabOfKey(key) {
  return (Number(key) + 9) % 10;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  const now = tabs.indexOf(placeNow()[0]);
  const onTabs = event.target.getAttribute && event.target.getAttribute("role") === "tab";
  if (event.key === "ArrowRight" && onTabs) chooseTab(now + 1);
  else if (event.key === "ArrowLeft" && onTabs) chooseTab(now - 1);
  else if (/^[0-9]$/.test(event.key) && tabOfKey(event.key) < tabs.length) chooseTab(tabOfKey(event.key));
  else if (event.key === "t") otherTheme();
  else if (event.key === "/") {
    const search = panel.querySelector("input[type=search]");
    if (search) search.focus();
  } else return;
  event.preventDefault();
}

/// All tabs one below the other, for paper.
function showAll() {
  const names = tabs.map(([, title, draw]) => element("section", { class: "tab" }, element("h1", {}, title), draw()));
  panel.replaceChildren(...names);
  drawPendingCharts();
}

function start() {
  document.title = `${pageTitle}: ipusim`;
  document.getElementById("title").textContent = pageTitle;
  document.getElementById("subtitle").textContent = `${pageSubtitle}; keys: 1 to ${Math.min(tabs.length, 9)} for the parts, / to filter, t for light or dark`;
  document.getElementById("tabs").append(...tabs.map(([name, title]) => element("button", { type: "button", role: "tab", "data-tab": name,
    "aria-controls": "panel", onclick: () => { location.hash = name; } }, title)));
  document.getElementById("theme").addEventListener("click", otherTheme);
  window.addEventListener("hashchange", show);
  window.addEventListener("keydown", onKey);
  window.addEventListener("beforeprint", showAll);
  window.addEventListener("afterprint", show);
  setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

start();
