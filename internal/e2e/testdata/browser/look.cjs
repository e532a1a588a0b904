// Opens pages in Chromium with light and dark themes and different widths. Prints JSON: the
// accessibility tree of each page, and for each view the console messages, the foreign requests,
// the accessibility violations, the visible texts and the lowest contrast.
//
//   node look.cjs SHOTS URL…
//
// SHOTS is the folder for screenshots, or '' for none.
// The variable VIEWS lists the names of the views to open, by default all.
const { chromium } = require('playwright-core');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

// axe-core checks the rules of WCAG 2.2 AA and the best practices that a program can check.
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const all = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 }, useAxe: true },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'tablet-light', colorScheme: 'light', viewport: { width: 900, height: 900 } },
  { name: 'tablet-dark', colorScheme: 'dark', viewport: { width: 900, height: 900 } },
  { name: 'narrow-light', colorScheme: 'light', viewport: { width: 420, height: 800 } },
  { name: 'narrow-dark', colorScheme: 'dark', viewport: { width: 420, height: 800 }, useAxe: true },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
];
const views = all.filter((v) => !process.env.VIEWS || process.env.VIEWS.split(',').includes(v.name));

// measure runs in the page. It returns the overflow of the page, the numbers of texts and of visible
// texts, and the text with the lowest contrast.
function measure() {
  const rgb = (s) => (s.match(/[\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const backgroundOf = (el) => {
    for (; el; el = el.parentElement) {
      const c = rgb(getComputedStyle(el).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
  };
  let minContrast = { ratio: 21, text: '' };
  let [texts, visible] = [0, 0];
  const addText = (el, style, text) => {
    texts++;
    visible += el.getClientRects().length > 0;
    const ratio = contrast(rgb(style.color), backgroundOf(el));
    if (ratio < minContrast.ratio) minContrast = { ratio, text: text.trim().slice(0, 60) };
  };
  for (const el of document.querySelectorAll('*')) {
    const style = getComputedStyle(el);
    if (style.display === 'none' || ['head', 'style', 'title', 'meta'].includes(el.localName)) continue;
    for (const node of el.childNodes) {
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) addText(el, style, node.data);
    }
    for (const pseudo of ['::before', '::after']) {
      const s = getComputedStyle(el, pseudo);
      if (s.content !== 'none' && s.content !== 'normal') addText(el, s, s.content);
    }
  }
  const root = document.documentElement;
  return { minContrast, texts, visible, overflow: root.scrollWidth - innerWidth };
}

// readTree returns the roles and names in the accessibility tree.
async function readTree(page) {
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

// renderPage opens one URL in each view.
async function renderPage(page, url, shots) {
  const report = { url, views: [] };
  for (const view of views) {
    await page.setViewportSize(view.viewport);
    await page.emulateMedia({ colorScheme: view.colorScheme });
    const result = { view: view.name, console: [], foreignRequests: [] };
    const listeners = {
      console: (m) => result.console.push(m.text()),
      pageerror: (e) => result.console.push(String(e)),
      requestfailed: (r) => { // navigation cancels the requests of lazy images
        const { errorText } = r.failure();
        if (errorText !== 'net::ERR_ABORTED' || r.resourceType() !== 'image') result.console.push(`${r.url()}: ${errorText}`);
      },
      request: (r) => { if (new URL(r.url()).origin !== new URL(url).origin) result.foreignRequests.push(r.url()); },
    };
    for (const [event, listener] of Object.entries(listeners)) page.on(event, listener);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForFunction(() => document.querySelector('#count')?.textContent !== ''); // wait until a report has unpacked its pages
    Object.assign(result, await page.evaluate(measure));
    if (view.useAxe && url.endsWith('.html')) {
      await page.evaluate(axe); // the content security policy of the page does not apply here
      result.violations = await page.evaluate(async (values) => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'], runOnly: { type: 'tag', values } });
        return violations.map((v) => `${v.id}: ${v.nodes[0].html}`);
      }, rules);
    }
    if (shots) { // screenshots take most of the time
      const name = new URL(url).pathname.slice(1).replace(/[/.]/g, '-');
      await page.screenshot({ path: path.join(shots, `${name}-${view.name}.png`) });
    }
    if (!report.tree) report.tree = await readTree(page);
    for (const [event, listener] of Object.entries(listeners)) page.off(event, listener);
    report.views.push(result);
  }
  return report;
}

(async () => {
  const [shots, ...urls] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags, timeout: 0 });
  const reports = [];
  const queue = urls.entries(); // shared by the workers
  const workers = Math.min(os.availableParallelism(), urls.length);
  await Promise.all(Array.from({ length: workers }, async () => {
    const context = await browser.newContext(); // one for all views, because each context starts a process
    context.setDefaultTimeout(0); // no timeout, because a busy machine is slow
    const page = await context.newPage();
    for (const [i, url] of queue) reports[i] = await renderPage(page, url, shots);
  }));
  await browser.close();
  console.log(JSON.stringify(reports));
})().catch((e) => { console.error(e); process.exit(1); });
