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
    let above = [];
    for (const row of list.children) {
      if (row.localName === "script") {
        const chunk = { json: row, read: null };
        above.forEach((item, at) => { item.chunk = chunk; item.at = at; });
        above = [];
        continue;
      }
      const codes = row.dataset.f.split(" ").map(Number);
      const item = { row, list, codes, shown: true, places: [], words: "", chunk: null, at: 0 };
      items.push(item);
      above.push(item);
    }
  }
  if (!items.length) return;
  for (const place of shownText?.querySelectorAll("[data-n]") ?? []) {
    items[place.dataset.n - 1]?.places.push(place);
  }

  /** All that is on record for `item`; what stands together is read together. */
  function details({ chunk, at }) {
    chunk.read ??= JSON.parse(chunk.json.textContent);
    return chunk.read[at];
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

  function label(one) {
    const made = element("span", undefined, `label t-${one.tone}`);
    const sign = element("span", one.sign);
    sign.setAttribute("aria-hidden", "true");
    made.append(sign, ` ${one.text}`);
    return made;
  }

  function listed(texts) {
    const made = element("ul");
    for (const text of texts) made.append(element("li", text));
    return made;
  }

  function button(text, action) {
    const made = element("button", text);
    made.type = "button";
    made.addEventListener("click", action);
    return made;
  }

  // --- details ---
  function quote(one) {
    const made = element("div", undefined, `evidence t-${one.stance.tone}`);
    const head = element("p");
    head.append(label(one.stance), ` ${one.notes.join("; ")}`);
    made.append(head);
    if (one.fault) made.append(element("p", `Not shown in its context: ${one.fault}`, "fault"));
    const block = element("blockquote");
    block.append(one.before, element("strong", one.quote), one.after);
    made.append(block);
    const place = element("p", `${one.place} of snapshot `, "place");
    place.append(element("code", one.sha256, "hash"));
    made.append(place);
    return made;
  }

  /** The card of a source as it stands in the list of sources, without its anchors. */
  function card(number) {
    const made = document.getElementById(`source-${number}`).cloneNode(true);
    made.removeAttribute("id");
    made.removeAttribute("aria-labelledby");
    const title = made.querySelector("h3");
    title.replaceWith(element("h4", title.textContent));
    return made;
  }

  function told(one, inPanel) {
    const made = document.createDocumentFragment();
    const part = (title, content) => made.append(element(inPanel ? "h3" : "h4", title), content);
    if (one.context) made.append(element("p", one.context, "place"));
    if (one.quote) made.append(element("blockquote", one.quote));
    made.append(element("p", one.text), element("p", one.where, "place"));
    const why = element("p");
    for (const each of one.labels) why.append(label(each), " ");
    why.append(one.reason);
    const facts = element("dl", undefined, "facts across");
    for (const [name, value] of one.facts) {
      const pair = element("div");
      pair.append(element("dt", name), element("dd", value));
      facts.append(pair);
    }
    made.append(why, facts);
    if (one.evidence?.length) {
      const found = element("div");
      for (const each of one.evidence) {
        found.append(quote(each));
        if (each.source === null) found.append(element("p", each.url));
        else if (inPanel) found.append(card(each.source));
        else found.append(element("p", `Source ${each.source}: ${each.url}`, "place"));
      }
      part("Evidence", found);
    } else if (one.evidence) made.append(element("p", "There is no evidence on record."));
    if (one.findings.length) {
      const found = element("ul", undefined, "findings");
      for (const each of one.findings) {
        const item = element("li", undefined, "finding");
        item.append(label(each.severity), ` ${each.type}: ${each.message}`);
        if (each.advice) item.append(element("p", each.advice, "advice"));
        found.append(item);
      }
      part("Findings", found);
    }
    for (const [title, lines] of one.notes) {
      part(title, lines.length > 1 ? listed(lines) : element("p", lines[0]));
    }
    for (const [title, numbers] of one.links) {
      const found = element("p");
      for (const number of numbers) {
        const { name } = details(items[number - 1]);
        found.append(inPanel ? button(name, () => open(number)) : name, " ");
      }
      part(title, found);
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
    const one = details(item);
    const title = element("h2", one.name);
    title.tabIndex = -1;
    const bar = element("div", undefined, "top");
    bar.append(
      title, button("Previous", () => step(-1)), button("Next", () => step(1)), button("Close", close));
    panel.replaceChildren(bar, told(one, true));
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
        const one = details(item);
        into.append(element("h3", one.name), told(one, false));
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
