// Uses an HTML report with the keyboard, without scripts and in print. Prints the results as JSON.
//
//   node report.cjs SHOTS URL LARGE
//
// SHOTS is the folder for screenshots, URL a report, and LARGE a report with many pages.
const { chromium } = require('playwright-core');
const path = require('node:path');

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const count = (page) => page.locator('#count').textContent();
const focused = (page) => page.evaluate(() => {
  const e = document.activeElement;
  return [e.localName, e.id || e.textContent].join(' ');
});

// open opens a report. It appends console messages, dialogs and requests to unexpected.
async function open(browser, url, unexpected, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on('console', (m) => unexpected.push(m.text()));
  page.on('pageerror', (e) => unexpected.push(String(e)));
  page.on('dialog', (d) => { unexpected.push(`dialog ${d.message()}`); d.dismiss(); });
  page.on('request', (r) => { if (r.url().split('#')[0] !== url.split('#')[0]) unexpected.push(`request ${r.url()}`); });
  page.cdp = await context.newCDPSession(page);
  await page.cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url, { waitUntil: 'load' });
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => document.querySelector('#count').textContent);
  return page;
}

// useKeyboard filters and sorts the table, and opens the details of a page.
async function useKeyboard(page) {
  const result = { all: await count(page) };
  await page.keyboard.press('/');
  result.focus = await focused(page);
  await page.keyboard.type('hostile');
  await page.waitForFunction(() => location.hash.includes('q=hostile'));
  result.filtered = await count(page);
  result.hash = await page.evaluate(() => location.hash);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => !location.hash.includes('q='));
  await page.locator('#table thead button').nth(4).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  result.sorted = await page.locator('#table th[aria-sort]').evaluateAll((all) => all.map((e) => `${e.textContent} ${e.ariaSort}`));
  await page.locator('#table summary').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#table details[open] dl');
  result.details = await page.locator('#table details[open] dl').first().innerText();
  return result;
}

(async () => {
  const [shots, url, large] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
  const unexpected = [];
  const page = await open(browser, url, unexpected);
  const result = await useKeyboard(page);
  result.activeElements = await page.evaluate(() => {
    for (const d of document.querySelectorAll('details')) d.open = true;
    return [...document.querySelectorAll('img, iframe, script')].length + (window.owned ? 1000 : 0);
  });
  await page.emulateMedia({ media: 'print' });
  result.printedControls = await page.evaluate(() => [...document.querySelectorAll('nav, form')].filter((e) => e.getClientRects().length).length);
  await page.pdf({ path: path.join(shots, 'report.pdf') });
  await page.screenshot({ path: path.join(shots, 'report-print.png') });

  const linked = await open(browser, `${url}#reason=noindex`, unexpected);
  result.linked = await count(linked);
  const plain = await open(browser, url, unexpected, { javaScriptEnabled: false });
  result.rowsWithoutScript = await plain.locator('noscript tbody tr').count();
  await plain.screenshot({ path: path.join(shots, 'report-plain.png') });

  result.times = [];
  for (let i = 0; i < 3; i++) {
    const big = await open(browser, large, unexpected);
    const { metrics } = await big.cdp.send('Performance.getMetrics'); // CPU time of the thread, because a busy machine affects elapsed time
    result.times.push(1000 * metrics.find((m) => m.name === 'TaskDuration').value);
    result.large = await count(big);
    await big.context().close();
  }
  result.unexpected = unexpected;
  await browser.close();
  console.log(JSON.stringify(result));
})().catch((e) => { console.error(e); process.exit(1); });
