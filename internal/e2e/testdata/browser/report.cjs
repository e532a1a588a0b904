// Uses a report as people do: by keyboard, without scripts, on paper. Prints what
// they meet.
//
//   node report.cjs SHOTS URL LARGE
const { chromium } = require('playwright-core');
const path = require('node:path');

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const count = (page) => page.locator('#count').textContent();
const first = (page) => page.locator('#table tbody tr').first().textContent();
const focused = (page) => page.evaluate(() => {
  const e = document.activeElement;
  return [e.localName, e.id || e.textContent].join(' ');
});

async function open(browser, url, seen, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on('console', (m) => seen.push(m.text()));
  page.on('pageerror', (e) => seen.push(String(e)));
  page.on('dialog', (d) => { seen.push(`dialog ${d.message()}`); d.dismiss(); });
  page.on('request', (r) => { if (r.url().split('#')[0] !== url.split('#')[0]) seen.push(`request ${r.url()}`); });
  page.cdp = await context.newCDPSession(page);
  await page.cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url, { waitUntil: 'load' });
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => document.querySelector('#count').textContent);
  return page;
}

async function keyboard(page) {
  const met = { all: await count(page) };
  await page.keyboard.press('/');
  met.focus = await focused(page);
  await page.keyboard.type('hostile');
  await page.waitForFunction(() => location.hash.includes('q=hostile'));
  met.filtered = await count(page);
  met.hash = await page.evaluate(() => location.hash);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => !location.hash.includes('q='));
  await page.locator('#table thead button').nth(4).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  met.sorted = await page.locator('#table th[aria-sort]').evaluateAll((all) => all.map((e) => `${e.textContent} ${e.ariaSort}`));
  met.first = await first(page);
  await page.locator('#table summary').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#table details[open] dl');
  met.told = await page.locator('#table details[open] dl').first().innerText();
  return met;
}

(async () => {
  const [shots, url, large] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
  const seen = [];
  const page = await open(browser, url, seen);
  const met = await keyboard(page);
  met.unfolded = await page.evaluate(() => {
    for (const d of document.querySelectorAll('details')) d.open = true;
    return [...document.querySelectorAll('img, iframe, script')].length + (window.owned ? 1000 : 0);
  });
  await page.emulateMedia({ media: 'print' });
  met.print = await page.evaluate(() => [...document.querySelectorAll('nav, form')].filter((e) => e.getClientRects().length).length);
  await page.pdf({ path: path.join(shots, 'report.pdf') });
  await page.screenshot({ path: path.join(shots, 'report-print.png') });

  const linked = await open(browser, `${url}#reason=noindex`, seen);
  met.linked = await count(linked);
  const plain = await open(browser, url, seen, { javaScriptEnabled: false });
  met.plain = await plain.locator('noscript tbody tr').count();
  await plain.screenshot({ path: path.join(shots, 'report-plain.png') });

  met.times = [];
  for (let i = 0; i < 3; i++) {
    const big = await open(browser, large, seen);
    const { metrics } = await big.cdp.send('Performance.getMetrics'); // of a thread, which a busy machine does not change
    met.times.push(1000 * metrics.find((m) => m.name === 'TaskDuration').value);
    met.large = await count(big);
    await big.context().close();
  }
  met.seen = seen;
  await browser.close();
  console.log(JSON.stringify(met));
})().catch((e) => { console.error(e); process.exit(1); });
