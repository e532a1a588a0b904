// Looks at pages as people see them, in Chromium: light and dark, wide and on a
// phone. Prints what a screen reader is told and what is wrong with the rest.
//
//   node look.cjs SHOTS URL…
//
// SHOTS is the folder for screenshots; '' makes none.
// VIEWS names those of the views that are looked at, all by default.
const { chromium } = require('playwright-core');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

// The rules of WCAG 2.2 AA, and those of good practice, that a program can judge.
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const all = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 }, judged: true },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'tablet-light', colorScheme: 'light', viewport: { width: 900, height: 900 } },
  { name: 'tablet-dark', colorScheme: 'dark', viewport: { width: 900, height: 900 } },
  { name: 'narrow-light', colorScheme: 'light', viewport: { width: 420, height: 800 } },
  { name: 'narrow-dark', colorScheme: 'dark', viewport: { width: 420, height: 800 }, judged: true },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
];
const views = all.filter((v) => !process.env.VIEWS || process.env.VIEWS.split(',').includes(v.name));

// measure runs in the page: how wide it is, how much of its text has a place,
// and which has the least contrast.
function measure() {
  const rgb = (s) => (s.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = (el) => {
    for (; el; el = el.parentElement) {
      const c = rgb(getComputedStyle(el).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
  };
  let least = { ratio: 21, text: '' };
  let [texts, shown] = [0, 0];
  const look = (el, style, text) => {
    texts++;
    shown += el.getClientRects().length > 0;
    const ratio = contrast(rgb(style.color), behind(el));
    if (ratio < least.ratio) least = { ratio, text: text.trim().slice(0, 60) };
  };
  for (const el of document.querySelectorAll('*')) {
    const style = getComputedStyle(el);
    if (style.display === 'none' || ['head', 'style', 'title', 'meta'].includes(el.localName)) continue;
    for (const node of el.childNodes) {
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) look(el, style, node.data);
    }
    for (const pseudo of ['::before', '::after']) {
      const s = getComputedStyle(el, pseudo);
      if (s.content !== 'none' && s.content !== 'normal') look(el, s, s.content);
    }
  }
  const root = document.documentElement;
  return { least, texts, shown, wider: root.scrollWidth - innerWidth };
}

// tree returns the roles and names that a screen reader is told.
async function tree(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Accessibility.enable');
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  const known = nodes.filter((n) => !n.ignored).map((n) => ({
    role: n.role.value,
    name: n.name ? n.name.value : '',
    level: ((n.properties || []).find((p) => p.name === 'level') || { value: {} }).value.value || 0,
  }));
  return known.filter((n) => n.role !== 'InlineTextBox' && n.role !== 'none');
}

// look looks at one address in each view.
async function look(page, url, shots) {
  const report = { url, views: [] };
  for (const view of views) {
    await page.setViewportSize(view.viewport);
    await page.emulateMedia({ colorScheme: view.colorScheme });
    const seen = { view: view.name, said: [], elsewhere: [] };
    const heard = {
      console: (m) => seen.said.push(m.text()),
      pageerror: (e) => seen.said.push(String(e)),
      requestfailed: (r) => { // an image that loads lazily is given up as the page is left
        const { errorText } = r.failure();
        if (errorText !== 'net::ERR_ABORTED' || r.resourceType() !== 'image') seen.said.push(`${r.url()}: ${errorText}`);
      },
      request: (r) => { if (new URL(r.url()).origin !== new URL(url).origin) seen.elsewhere.push(r.url()); },
    };
    for (const [event, hear] of Object.entries(heard)) page.on(event, hear);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForFunction(() => document.querySelector('#count')?.textContent !== ''); // a report unpacks its pages
    Object.assign(seen, await page.evaluate(measure));
    if (view.judged && url.endsWith('.html')) {
      await page.evaluate(axe); // no script of the page: its policy does not matter
      seen.barriers = await page.evaluate(async (values) => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'], runOnly: { type: 'tag', values } });
        return violations.map((v) => `${v.id}: ${v.nodes[0].html}`);
      }, rules);
    }
    if (shots) { // drawing takes most of the time
      const name = new URL(url).pathname.slice(1).replace(/[/.]/g, '-');
      await page.screenshot({ path: path.join(shots, `${name}-${view.name}.png`) });
    }
    if (!report.tree) report.tree = await tree(page);
    for (const [event, hear] of Object.entries(heard)) page.off(event, hear);
    report.views.push(seen);
  }
  return report;
}

(async () => {
  const [shots, ...urls] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags, timeout: 0 });
  const reports = [];
  const next = urls.entries(); // each worker takes the next one
  const workers = Math.min(os.availableParallelism(), urls.length);
  await Promise.all(Array.from({ length: workers }, async () => {
    const context = await browser.newContext(); // one for all views: each starts a process
    context.setDefaultTimeout(0); // a loaded machine takes its time
    const page = await context.newPage();
    for (const [i, url] of next) reports[i] = await look(page, url, shots);
  }));
  await browser.close();
  console.log(JSON.stringify(reports));
})().catch((e) => { console.error(e); process.exit(1); });
