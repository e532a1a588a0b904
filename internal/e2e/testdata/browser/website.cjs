// Uses the website with the keyboard and tries its search. Prints the results as JSON. The steps
// have no timeouts.
//
//   node website.cjs SHOTS URL QUERY…
const { chromium } = require('playwright-core');
const fs = require('node:fs');
const path = require('node:path');

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const wide = { width: 1280, height: 900 };
const phone = { width: 420, height: 800 };
const result = { keys: [], themes: [], copied: [], demo: [], menu: [], results: [], console: [], foreignRequests: [], violations: [] };
const [shots, url, ...queries] = process.argv.slice(2);
let browser;

// open opens a page of the website and records its console messages and foreign requests.
async function open(options = {}, at = '') {
  const context = await browser.newContext({ viewport: wide, colorScheme: 'light', permissions: ['clipboard-read', 'clipboard-write'], ...options });
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  page.on('console', (m) => result.console.push(m.text()));
  page.on('pageerror', (e) => result.console.push(String(e)));
  page.on('request', (r) => { if (new URL(r.url()).origin !== new URL(url).origin) result.foreignRequests.push(r.url()); });
  await page.goto(url + at, { waitUntil: 'load' });
  return page;
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

// search opens the search, types a query, and waits for the results.
async function search(page, query) {
  await press(page, '/');
  await page.locator('.search input').fill('');
  await page.keyboard.type(query);
  await page.waitForFunction((q) => document.querySelector('.found').dataset.words === q, query);
}

// useKeyboard opens a search result and closes the search.
async function useKeyboard() {
  const page = await open({}, 'dates/');
  await press(page, 'Tab');
  result.keys.push(await page.evaluate('document.activeElement.textContent'));
  await press(page, 'Enter');
  result.keys.push(await page.evaluate('document.activeElement.id'));
  await search(page, 'shallow clone');
  result.keys.push(await page.evaluate('document.activeElement.type'));
  await checkAccessibility(page);
  await page.screenshot({ path: path.join(shots, 'website-search-light.png') });
  await press(page, 'ArrowDown', 'ArrowDown');
  const target = await page.evaluate('document.activeElement.href');
  await Promise.all([page.waitForURL(target), press(page, 'Enter')]);
  result.keys.push(target.split('#').at(-1));
  await page.locator('.find').focus();
  await press(page, 'Enter', 'Escape');
  result.keys.push(await page.evaluate(`document.querySelector('.search').open ? 'open' : 'closed'`));
  result.keys.push(await page.evaluate('document.activeElement.className'));
}

async function checkAccessibility(page) {
  await page.evaluate(axe);
  result.violations.push(...await page.evaluate(async (values) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: { type: 'tag', values } });
    return violations.map((v) => `${v.id}: ${v.nodes[0].html}`);
  }, rules));
}

// useThemes chooses each theme. It also checks that a page has the background of the chosen theme
// before the deferred script runs.
async function useThemes() {
  const page = await open();
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const addTheme = async (prefix = '') => result.themes.push(`${prefix}${await page.locator('.theme').textContent()} ${await background()}`);
  await addTheme();
  for (let i = 0; i < 2; i++) {
    await page.locator('.theme').focus();
    await press(page, 'Enter');
    await addTheme();
  }
  await page.reload();
  await addTheme('again ');
  await page.route('**/site.*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.reload();
  result.themes.push(`first painted ${await background()}`);
}

// pressCopy presses a copy button and returns the text in the clipboard.
async function pressCopy(page, button) {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await button.focus();
  await press(page, 'Enter');
  return (await page.waitForFunction('navigator.clipboard.readText()')).jsonValue();
}

async function useCopyButtons() {
  const page = await open();
  result.copied.push(await pressCopy(page, page.locator('.terminal .copy').first()));
  await page.goto(`${url}start/hugo-netlify/`);
  const block = await pressCopy(page, page.locator('.block .copy').first());
  result.copied.push(block.split('\n').at(-1));
}

// useDemo starts the demonstration, stops it, starts it again and lets it end. With reduced motion,
// the page has no button for it.
async function useDemo() {
  const page = await open();
  const addLabel = async () => result.demo.push(await page.locator('.play').textContent());
  const pause = 'for (const a of document.getAnimations()) a.pause()';
  await addLabel();
  await page.evaluate(`document.querySelector('.play').click(); ${pause}`);
  await addLabel();
  await page.locator('.play').focus();
  await press(page, 'Enter');
  await addLabel();
  await page.evaluate(`document.querySelector('.play').click(); for (const a of document.getAnimations()) a.finish()`);
  await page.waitForFunction(`document.querySelector('.play').textContent === 'Play'`);
  const calm = await open({ reducedMotion: 'reduce' });
  result.demo.push(String(await calm.locator('.play').count()));
}

// useMenu opens and closes the menu on a phone.
async function useMenu() {
  const page = await open({ viewport: phone }, 'dates/');
  const addVisibility = async () => result.menu.push(String(await page.locator('#navigation').isVisible()));
  await addVisibility();
  await page.locator('.menu').focus();
  await press(page, 'Enter');
  await addVisibility();
  await page.screenshot({ path: path.join(shots, 'website-menu-light.png') });
  await press(page, 'Escape');
  await addVisibility();
}

// trySearches adds the links of each result page for each query.
async function trySearches() {
  const page = await open({ viewport: phone, colorScheme: 'dark' });
  for (const query of queries) {
    await search(page, query);
    result.results.push(await page.locator('.found > li').evaluateAll((pages) => pages.map((page) =>
      [...page.querySelectorAll('a')].map((a) => a.getAttribute('href')).join(' '))));
  }
  await checkAccessibility(page);
  await page.screenshot({ path: path.join(shots, 'website-search-dark.png') });
}

(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags, timeout: 0 });
  for (const use of [useKeyboard, useThemes, useCopyButtons, useDemo, useMenu, trySearches]) await use();
  await browser.close();
  console.log(JSON.stringify(result));
})().catch((e) => { console.error(e); process.exit(1); });
