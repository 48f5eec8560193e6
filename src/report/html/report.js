"use strict";
// Filters, evidence and theme of a report. All text goes into the page as text, never as markup.
(() => {
  const root = document.documentElement;
  const list = document.getElementById("items");
  const panel = document.getElementById("panel");
  const columns = document.querySelector(".columns");

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
  if (!list) return;

  // --- what there is ---
  const rows = [...list.querySelectorAll("li")];
  const items = rows.map((row) => ({
    row,
    codes: row.dataset.f.split(" ").map(Number),
    shown: true,
    places: [],
    words: "",
  }));
  for (const place of document.querySelectorAll("#document [data-n]")) {
    items[place.dataset.n - 1]?.places.push(place);
  }
  const chunks = [...list.querySelectorAll("script.details")];
  const size = Number(list.dataset.chunk);
  const read = new Map();

  /** All that is on record for claim `number`; what stands together is read together. */
  function details(number) {
    const at = Math.floor((number - 1) / size);
    if (!read.has(at)) read.set(at, JSON.parse(chunks[at].textContent));
    return read.get(at)[(number - 1) % size];
  }

  // --- filters ---
  const form = document.getElementById("filters");
  const boxes = [...form.querySelectorAll("input[data-facet]")];
  const words = document.getElementById("words");
  const shown = document.getElementById("shown");

  function filter() {
    const wanted = [];
    for (const box of boxes) {
      const facet = (wanted[box.dataset.facet] ??= new Set());
      if (box.checked) facet.add(Number(box.value));
    }
    const sought = words.value.trim().toLowerCase();
    let count = 0;
    for (const item of items) {
      if (sought && !item.words) item.words = item.row.textContent.toLowerCase();
      const fits = item.codes.every((code, facet) => wanted[facet].has(code))
        && (!sought || item.words.includes(sought));
      count += fits;
      if (fits !== item.shown) show(item, fits);
    }
    shown.textContent = `${count} of ${items.length} claims shown`;
  }

  function show(item, fits) {
    item.shown = fits;
    item.row.hidden = !fits;
    for (const place of item.places) {
      if (place.localName === "mark") place.classList.toggle("off", !fits);
      else place.hidden = !fits;
    }
  }

  form.addEventListener("change", filter);
  words.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("reset").addEventListener("click", () => {
    for (const box of boxes) box.checked = true;
    words.value = "";
    filter();
  });

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

  // --- evidence ---
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

  function evidence(claim, inPanel) {
    const part = (into, title, values, render) => {
      if (values.length) into.append(element(inPanel ? "h3" : "h4", title), render(values));
    };
    const made = document.createDocumentFragment();
    const facts = element("dl", undefined, "facts across");
    for (const [name, value] of claim.facts) {
      const pair = element("div");
      pair.append(element("dt", name), element("dd", value));
      facts.append(pair);
    }
    const verdict = element("p");
    verdict.append(label(claim.label), ` ${claim.reason}`);
    if (claim.context) made.append(element("p", claim.context, "place"));
    made.append(element("p", claim.text), element("p", claim.where, "place"), verdict, facts);
    part(made, "Evidence", claim.evidence, (all) => {
      const found = element("div");
      for (const one of all) {
        found.append(quote(one));
        if (one.source === null) found.append(element("p", one.url));
        else if (inPanel) found.append(card(one.source));
        else found.append(element("p", `Source ${one.source}: ${one.url}`, "place"));
      }
      return found;
    });
    if (!claim.evidence.length) made.append(element("p", "There is no evidence on record."));
    part(made, "Findings", claim.findings, (all) => {
      const found = element("ul", undefined, "findings");
      for (const one of all) {
        const item = element("li", undefined, "finding");
        item.append(label(one.severity), ` ${one.type}: ${one.told}`);
        found.append(item);
      }
      return found;
    });
    part(made, "What code compared", claim.slots, (all) =>
      listed(all.map(([kind, claimed, outcome, there]) =>
        `${kind} “${claimed}”: ${outcome}${there ? `, the source has “${there}”` : ""}`)));
    part(made, "Challenges", claim.challenges, listed);
    part(made, "Cannot be true beside", claim.against, (all) => {
      const found = element("p");
      for (const number of all) found.append(button(`Claim ${number}`, () => open(number)), " ");
      return found;
    });
    part(made, "History", claim.history, listed);
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
    const claim = details(number);
    const title = element("h2", `Claim ${number}`);
    title.tabIndex = -1;
    const bar = element("div", undefined, "top");
    bar.append(
      title, button("Previous", () => step(-1)), button("Next", () => step(1)), button("Close", close));
    panel.replaceChildren(bar, evidence(claim, true));
    panel.hidden = false;
    columns.classList.add("with-panel");
    panel.scrollTop = 0;
    title.focus({ preventScroll: true });
    history.replaceState(null, "", `#${claim.id}`);
  }

  function mark(on) {
    const item = items[current - 1];
    if (!item) return;
    for (const place of [item.row, ...item.places]) place.classList.toggle("current", on);
  }

  function step(by) {
    for (let at = current - 1 + by; at >= 0 && at < items.length; at += by) {
      if (items[at].shown) {
        const { places, row } = items[at];
        open(at + 1, places.find((place) => place.localName === "button") ?? row.firstChild);
        (places[0] ?? row).scrollIntoView({ block: "center" });
        return;
      }
    }
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

  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-n]");
    if (!place || event.target.closest("a") || String(getSelection())) return;
    if (place.localName === "mark" && place.classList.contains("off")) return;
    open(Number(place.dataset.n), place.localName === "button" ? place : focusable(place));
  });

  /** What takes the focus back when the evidence of `place` is closed. */
  function focusable(place) {
    const item = items[place.dataset.n - 1];
    const inText = item.places.find((one) => one.localName === "button");
    return place.localName === "mark" ? inText : place.querySelector("button");
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) close();
  });

  // --- print: what a click shows is printed for every claim that is shown ---
  const appendix = document.getElementById("appendix");
  const most = 5000;
  const closed = new Set();
  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("details:not([open])")) {
      closed.add(one);
      one.open = true;
    }
    const into = appendix.lastElementChild;
    into.replaceChildren();
    const chosen = items.map((item, at) => [item, at + 1]).filter(([item]) => item.shown);
    for (const [, number] of chosen.slice(0, most)) {
      into.append(element("h3", `Claim ${number}`), evidence(details(number), false));
    }
    if (chosen.length > most) into.append(element("p", `And ${chosen.length - most} more.`));
    appendix.hidden = false;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
    closed.clear();
    appendix.hidden = true;
    appendix.lastElementChild.replaceChildren();
  });

  // --- a link to one claim ---
  function openNamed() {
    const name = location.hash.slice(1);
    const number = /^c-[0-9a-f]{8}$/.test(name)
      ? items.findIndex((_, at) => details(at + 1).id === name) + 1 : 0;
    if (number) open(number);
  }

  filter();
  openNamed();
})();
