"use strict";
(async () => {
  const $ = id => document.getElementById(id);
  const packed = Uint8Array.from(atob($("data").textContent), c => c.charCodeAt(0));
  const data = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  const findings = new Map(Object.entries(data.findings));
  const chunk = 200;

  const shortURL = p => p.url.startsWith(data.base) ? "/" + p.url.slice(data.base.length) : p.url || p.file;
  const pages = data.pages.map(p => {
    const all = { url: "", file: "", source: "", reason: "", lastmod: "", lang: "", title: "", ...p };
    all.short = shortURL(all);
    return all;
  });
  const searchText = p => p.key ||= [p.url, p.title, p.file, p.source, p.reason].join("\n").toLowerCase();
  const state = p => p.reason || "listed";
  const columns = [p => p.short, state, p => p.lastmod, p => p.lang, p => p.title];

  const text = $("text"), inOut = $("state"), reason = $("reason"), lang = $("lang");
  const body = $("table").tBodies[0], heads = [...$("table").tHead.rows[0].cells];
  let order = 0, down = false, section = "", shown = [], drawn = 0;

  const make = (name, content) => { const e = document.createElement(name); if (content !== undefined) e.textContent = content; return e; };
  const isolate = content => make("bdi", content);

  function addOptions(select, name) {
    for (const value of new Set(pages.map(p => p[name]).filter(Boolean))) select.append(make("option", value));
  }

  const formatPos = pos => pos && [pos.file, pos.line, pos.column].filter(Boolean).join(":");
  function detailList(p) {
    const dl = make("dl");
    const addDetail = (name, value, link) => {
      if (!value) return;
      const dd = make("dd");
      if (link && /^https?:\/\//.test(value)) { const a = make("a"); a.href = value; a.append(isolate(value)); dd.append(a); } else dd.append(isolate(value));
      dl.append(make("dt", name), dd);
    };
    addDetail("URL", p.url, true);
    addDetail("Left out", data.reasons[p.reason]); addDetail("Because of", p.why); addDetail("Decided at", formatPos(p.pos)); addDetail("Date from", p.lastmod_by);
    addDetail("File", p.file); addDetail("Content file", p.source);
    for (const f of findings.get(p.file) || []) addDetail("Finding", f);
    return dl;
  }

  function newRow(p) {
    const tr = make("tr"), th = make("th"), d = make("details"), s = make("summary");
    th.scope = "row"; s.append(isolate(p.short)); d.append(s); th.append(d);
    d.addEventListener("toggle", () => { if (d.children.length === 1) d.append(detailList(p)); });
    const title = make("td"); title.append(isolate(p.title));
    tr.append(th, make("td", state(p)), make("td", p.lastmod), make("td", p.lang), title);
    return tr;
  }

  function drawRows(more) {
    if (!more) { body.replaceChildren(); drawn = 0; }
    const next = shown.slice(drawn, drawn + chunk);
    const rows = document.createDocumentFragment();
    next.forEach(p => rows.append(newRow(p)));
    const first = rows.firstChild;
    body.append(rows);
    drawn += next.length;
    $("more").hidden = drawn >= shown.length;
    if (more && first) first.querySelector("summary").focus();
  }

  const formatNumber = n => n.toLocaleString("en");
  function applyFilter() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = pages.filter(p => words.every(w => searchText(p).includes(w)) && p.url.startsWith(section) &&
      (inOut.value === "" || (inOut.value === "in") === !p.reason) && (!reason.value || p.reason === reason.value) && (!lang.value || p.lang === lang.value));
    const by = columns[order];
    if (order || down) shown.sort((a, b) => { const x = by(a), y = by(b); return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1); });
    heads.forEach((h, i) => i === order ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : h.removeAttribute("aria-sort"));
    $("count").textContent = formatNumber(shown.length) + " of " + formatNumber(pages.length) + " pages" + (section ? " in " + section : "");
    drawRows(false);
  }

  // The fragment of the URL contains the filter and the order, so that readers can link to a view.
  function writeURL() {
    const q = new URLSearchParams();
    const set = (name, value) => { if (value) q.set(name, value); };
    set("q", text.value); set("state", inOut.value); set("reason", reason.value); set("lang", lang.value);
    set("section", section); set("sort", order || down ? (down ? "-" : "") + order : "");
    history.replaceState(null, "", "#" + (String(q) || "pages"));
  }
  function readURL() {
    const q = new URLSearchParams(location.hash.slice(1));
    const choose = (select, name) => { select.value = q.get(name) || ""; if (select.selectedIndex < 0) select.value = ""; };
    text.value = q.get("q") || ""; section = q.get("section") || "";
    choose(inOut, "state"); choose(reason, "reason"); choose(lang, "lang");
    const sort = q.get("sort") || "0";
    order = Math.abs(parseInt(sort, 10)) % columns.length || 0; down = sort.startsWith("-");
    return q.size > 0 && location.hash.includes("=");
  }

  addOptions(reason, "reason");
  addOptions(lang, "lang");
  heads.forEach((h, i) => {
    const b = make("button", h.textContent); b.type = "button";
    b.addEventListener("click", () => { down = order === i && !down; order = i; applyFilter(); writeURL(); });
    h.replaceChildren(b);
  });
  let waiting = 0;
  text.addEventListener("input", () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(() => { applyFilter(); writeURL(); }); });
  for (const s of [inOut, reason, lang]) s.addEventListener("change", () => { applyFilter(); writeURL(); });
  $("filter").addEventListener("reset", e => { e.preventDefault(); text.value = inOut.value = reason.value = lang.value = section = ""; applyFilter(); writeURL(); text.focus(); });
  $("filter").addEventListener("submit", e => e.preventDefault());
  $("more").addEventListener("click", () => drawRows(true));
  addEventListener("keydown", e => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) { e.preventDefault(); text.focus(); }
  });
  addEventListener("hashchange", () => { if (readURL()) { applyFilter(); $("pages").scrollIntoView(); } });
  const linked = readURL();
  $("filter").hidden = $("wide").hidden = false;
  applyFilter();
  if (linked) $("pages").scrollIntoView();
})();
