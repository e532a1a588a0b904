"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const findings = new Map(Object.entries(data.findings));
  const chunk = 200;

  // Each row shares the beginning of its URL with the row before it, and its
  // files have a shape with a hole for the path of the URL.
  const shapes = data.shapes.map(s => s.split("\0"));
  const named = (i, middle) => shapes[i].length > 1 ? shapes[i][0] + middle + shapes[i][1] : shapes[i][0];
  let url = "";
  const pages = data.pages.map(([same = 0, rest = "", file = 0, source = 0, reason = 0, date = "", by = 0, lang = 0, title = "", why = "", place = ""]) => {
    url = url.slice(0, same) + rest;
    const within = url.startsWith(data.base), path = within ? url.slice(data.base.length) : "";
    const middle = path.replace(/\/$/, "").replace(/\.html$/, "");
    const p = { url, file: named(file, middle), source: named(source, middle), reason, date, by, lang, title, why, place };
    p.short = within ? "/" + path : url || p.file;
    return p;
  });
  const key = p => p.key ||= (p.url + "\n" + p.title + "\n" + p.file + "\n" + p.source + "\n" + data.reasons[p.reason].name).toLowerCase();
  const state = p => p.reason ? data.reasons[p.reason].name : "listed";
  const columns = [p => p.short, state, p => p.date, p => data.langs[p.lang], p => p.title];

  const text = $("text"), inOut = $("state"), reason = $("reason"), lang = $("lang");
  const body = $("table").tBodies[0], heads = [...$("table").tHead.rows[0].cells];
  let order = 0, down = false, section = "", shown = [], drawn = 0;

  const make = (name, content) => { const e = document.createElement(name); if (content !== undefined) e.textContent = content; return e; };
  const isolated = content => make("bdi", content);

  function options(select, values) {
    for (const [value, label] of values) { const o = make("option", label); o.value = value; select.append(o); }
  }

  function told(p) {
    const dl = make("dl");
    const say = (name, value, link) => {
      if (!value) return;
      const dd = make("dd");
      if (link && /^https?:\/\//.test(value)) { const a = make("a"); a.href = value; a.append(isolated(value)); dd.append(a); } else dd.append(isolated(value));
      dl.append(make("dt", name), dd);
    };
    say("URL", p.url, true);
    if (p.reason) say("Left out", data.reasons[p.reason].text);
    say("Because of", p.why); say("Decided at", p.place); say("Date from", data.by[p.by]); say("File", p.file); say("Content file", p.source);
    for (const f of findings.get(p.file) || []) say("Finding", f);
    return dl;
  }

  function row(p) {
    const tr = make("tr"), th = make("th"), d = make("details"), s = make("summary");
    th.scope = "row"; s.append(isolated(p.short)); d.append(s); th.append(d);
    d.addEventListener("toggle", () => { if (d.children.length === 1) d.append(told(p)); });
    const title = make("td"); title.append(isolated(p.title));
    tr.append(th, make("td", state(p)), make("td", p.date), make("td", data.langs[p.lang]), title);
    return tr;
  }

  function draw(more) {
    if (!more) { body.replaceChildren(); drawn = 0; }
    const next = shown.slice(drawn, drawn + chunk);
    const rows = document.createDocumentFragment();
    next.forEach(p => rows.append(row(p)));
    const first = rows.firstChild;
    body.append(rows);
    drawn += next.length;
    $("more").hidden = drawn >= shown.length;
    if (more && first) first.querySelector("summary").focus();
  }

  const number = n => n.toLocaleString("en");
  function apply() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const only = reason.value === "" ? -1 : +reason.value, tongue = lang.value === "" ? -1 : +lang.value;
    shown = pages.filter(p => words.every(w => key(p).includes(w)) && p.url.startsWith(section) &&
      (inOut.value === "" || (inOut.value === "in") === !p.reason) && (only < 0 || p.reason === only) && (tongue < 0 || p.lang === tongue));
    const by = columns[order];
    if (order || down) shown.sort((a, b) => { const x = by(a), y = by(b); return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1); });
    heads.forEach((h, i) => i === order ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : h.removeAttribute("aria-sort"));
    $("count").textContent = number(shown.length) + " of " + number(pages.length) + " pages" + (section ? " in " + section : "");
    draw(false);
  }

  // The address holds what is shown, so that a view can be linked.
  function keep() {
    const q = new URLSearchParams();
    const set = (name, value) => { if (value) q.set(name, value); };
    set("q", text.value); set("state", inOut.value); set("reason", reason.value && data.reasons[reason.value].name);
    set("lang", lang.value && data.langs[lang.value]); set("section", section); set("sort", order || down ? (down ? "-" : "") + order : "");
    history.replaceState(null, "", "#" + (String(q) || "pages"));
  }
  function read() {
    const q = new URLSearchParams(location.hash.slice(1));
    const index = (list, name) => { const i = list.indexOf(name); return name && i >= 0 ? String(i) : ""; };
    text.value = q.get("q") || ""; inOut.value = q.get("state") || "";
    reason.value = index(data.reasons.map(r => r.name), q.get("reason")); lang.value = index(data.langs, q.get("lang"));
    section = q.get("section") || "";
    const sort = q.get("sort") || "0";
    order = Math.abs(parseInt(sort, 10)) % columns.length || 0; down = sort.startsWith("-");
    return q.size > 0 && location.hash.includes("=");
  }

  options(reason, data.reasons.map((r, i) => [i, r.name]).filter(([i]) => i && pages.some(p => p.reason === i)));
  options(lang, data.langs.map((l, i) => [i, l]).filter(([i]) => i));
  heads.forEach((h, i) => {
    const b = make("button", h.textContent); b.type = "button";
    b.addEventListener("click", () => { down = order === i && !down; order = i; apply(); keep(); });
    h.replaceChildren(b);
  });
  let waiting = 0;
  text.addEventListener("input", () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(() => { apply(); keep(); }); });
  for (const s of [inOut, reason, lang]) s.addEventListener("change", () => { apply(); keep(); });
  $("filter").addEventListener("reset", e => { e.preventDefault(); text.value = inOut.value = reason.value = lang.value = section = ""; apply(); keep(); text.focus(); });
  $("filter").addEventListener("submit", e => e.preventDefault());
  $("more").addEventListener("click", () => draw(true));
  addEventListener("keydown", e => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) { e.preventDefault(); text.focus(); }
  });
  addEventListener("hashchange", () => { if (read()) { apply(); $("pages").scrollIntoView(); } });
  const linked = read();
  $("filter").hidden = $("wide").hidden = false;
  apply();
  if (linked) $("pages").scrollIntoView();
})();
