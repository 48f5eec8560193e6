"use strict";
// Filters, details and theme of a report. All text goes into the page as text, never as markup.
(() => {
  const root = document.documentElement;
  const panel = document.getElementById("panel");
  const columns = document.querySelector(".columns");
  const shownText = document.getElementById("document");

  // --- theme ---
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = document.getElementById("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const nameTheme = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  dark.addEventListener("change", nameTheme);
  theme.hidden = false;
  nameTheme();

  // --- what there is: the things of all lists, by their numbers from 1 ---
  const items = [];
  // What is in a list opens in the panel; rows of a table are filtered and no more.
  const lists = [...document.querySelectorAll(".items, .rows")];
  for (const list of lists) {
    for (const row of list.children) {
      const codes = row.dataset.f.split(" ").map(Number);
      items.push({ row, list, codes, shown: true, places: [], words: "" });
    }
  }
  if (!items.length) return;
  for (const place of shownText?.querySelectorAll("[data-n]") ?? []) {
    items[place.dataset.n - 1]?.places.push(place);
  }

  /** The name of `item`, such as "Claim 2". */
  function named({ row, list }) {
    return `${list.dataset.noun} ${row.querySelector(".number").textContent}`;
  }

  // --- filters: each form has its list ---
  function filters(form) {
    const { things } = form.dataset;
    const list = lists.find((one) => one.dataset.things === things);
    const own = items.filter((item) => item.list === list);
    const boxes = [...form.querySelectorAll("input[data-facet]")];
    const words = form.querySelector("input[type=search]");
    const status = form.querySelector("[role=status]");

    function filter() {
      const wanted = [];
      for (const box of boxes) {
        const facet = (wanted[box.dataset.facet] ??= new Set());
        if (box.checked) facet.add(Number(box.value));
      }
      const sought = words.value.trim().toLowerCase();
      let count = 0;
      for (const item of own) {
        if (sought && !item.words) item.words = item.row.textContent.toLowerCase();
        // A filter does not concern what has a negative code.
        const fits = item.codes.every((code, facet) => code < 0 || wanted[facet].has(code))
          && (!sought || item.words.includes(sought));
        count += fits;
        if (fits !== item.shown) show(item, fits);
      }
      status.textContent = `${count} of ${own.length} ${things} shown`;
    }

    form.addEventListener("change", filter);
    words.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.querySelector("button").addEventListener("click", () => {
      for (const box of boxes) box.checked = true;
      words.value = "";
      filter();
    });
    filter();
  }

  function show(item, fits) {
    item.shown = fits;
    item.row.hidden = !fits;
    for (const place of item.places) {
      if (place.localName === "mark") place.classList.toggle("off", !fits);
      else place.hidden = !fits;
    }
  }

  // --- what was looked up outside is marked in the text on request alone ---
  const outside = document.getElementById("outside-marks");
  function showOutside() { shownText.classList.toggle("with-outside", outside.checked); }
  outside?.addEventListener("change", showOutside);

  // --- elements ---
  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function button(text, action) {
    const made = element("button", text);
    made.type = "button";
    made.addEventListener("click", action);
    return made;
  }

  // --- details ---
  /** The card of a source as it stands in the list of sources, without its anchors. */
  function card(number) {
    const made = document.getElementById(`source-${number}`).cloneNode(true);
    made.removeAttribute("id");
    made.removeAttribute("aria-labelledby");
    const title = made.querySelector("h3");
    title.replaceWith(element("h4", title.textContent));
    return made;
  }

  /** All that is on record for `item`; sources and other things can be opened in the panel alone. */
  function told(item, inPanel) {
    const made = item.row.querySelector("template").content.cloneNode(true);
    for (const place of made.querySelectorAll("[data-item]")) {
      const number = Number(place.dataset.item);
      const name = named(items[number - 1]);
      place.replaceWith(inPanel ? button(name, () => open(number)) : name);
    }
    if (inPanel) {
      for (const place of made.querySelectorAll("[data-source]")) {
        place.replaceWith(card(place.dataset.source));
      }
    } else {
      for (const title of made.querySelectorAll("h3")) {
        title.replaceWith(element("h4", title.textContent));
      }
    }
    return made;
  }

  // --- the panel ---
  let current = 0;
  let opener = null;

  function open(number, from) {
    if (from) opener = from;
    mark(false);
    current = number;
    mark(true);
    const item = items[number - 1];
    const title = element("h2", named(item));
    title.tabIndex = -1;
    const bar = element("div", undefined, "top");
    bar.append(
      title, button("Previous", () => step(-1)), button("Next", () => step(1)), button("Close", close));
    panel.replaceChildren(bar, told(item, true));
    panel.hidden = false;
    columns.classList.add("with-panel");
    panel.scrollTop = 0;
    title.focus({ preventScroll: true });
    history.replaceState(null, "", `#${encodeURIComponent(item.row.dataset.id)}`);
  }

  function mark(on) {
    const item = items[current - 1];
    if (!item) return;
    for (const place of [item.row, ...item.places]) place.classList.toggle("current", on);
  }

  /** Go to the next thing of the same list that is shown. */
  function step(by) {
    const { list } = items[current - 1];
    for (let at = current - 1 + by; items[at]?.list === list; at += by) {
      const item = items[at];
      if (!item.shown) continue;
      const back = reachable(item);
      open(at + 1, back);
      back.scrollIntoView({ block: "center" });
      return;
    }
  }

  /** The button that opens `item`: in the text if it is shown there, else in its list. */
  function reachable({ places, row }) {
    const inText = places.find((place) => place.localName === "button");
    return inText?.checkVisibility() ? inText : row.firstChild;
  }

  function close() {
    mark(false);
    current = 0;
    panel.hidden = true;
    panel.replaceChildren();
    columns.classList.remove("with-panel");
    history.replaceState(null, "", "#text");
    opener?.focus();
    opener = null;
  }

  /** Whether `place` is a highlight that is switched off. */
  function isOff(place) {
    return place.localName === "mark" && (place.classList.contains("off")
      || (place.classList.contains("outside") && !shownText.classList.contains("with-outside")));
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("a") || String(getSelection())) return;
    let place = event.target.closest("[data-n]");
    while (place && isOff(place)) place = place.parentElement.closest("[data-n]");
    if (!place) return;
    const item = items[place.dataset.n - 1];
    open(Number(place.dataset.n), place.localName === "button" ? place
      : place === item.row ? item.row.firstChild : reachable(item));
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) close();
  });

  // --- print: what a click shows is printed for everything that is shown ---
  const most = 5000;
  const opened = lists.filter((list) => list.matches(".items"));
  const closed = new Set();
  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("details:not([open])")) {
      closed.add(one);
      one.open = true;
    }
    for (const list of opened) {
      const into = list.nextElementSibling;
      into.replaceChildren();
      const chosen = items.filter((item) => item.list === list && item.shown);
      for (const item of chosen.slice(0, most)) {
        into.append(element("h3", named(item)), told(item, false));
      }
      if (chosen.length > most) into.append(element("p", `And ${chosen.length - most} more.`));
      into.hidden = false;
    }
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
    closed.clear();
    for (const list of opened) {
      list.nextElementSibling.hidden = true;
      list.nextElementSibling.replaceChildren();
    }
  });

  // --- a link to one thing ---
  function openNamed() {
    const name = location.hash.slice(1);
    const at = items.findIndex(
      ({ row: { dataset } }) => dataset.id && encodeURIComponent(dataset.id) === name);
    if (at >= 0) open(at + 1, reachable(items[at]));
  }

  for (const form of document.querySelectorAll("form.filters")) filters(form);
  if (outside) showOutside();
  openNamed();
})();
