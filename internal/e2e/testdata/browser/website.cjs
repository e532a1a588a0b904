// Uses the website as people do, with the keyboard, and asks its search. Each step waits
// for what it needs, however long that takes.
//
//   node website.cjs SHOTS URL QUESTION…
const { chromium } = require('playwright-core');
const fs = require('node:fs');
const path = require('node:path');

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const wide = { width: 1280, height: 900 };
const phone = { width: 420, height: 800 };
const met = { keys: [], themes: [], copied: [], played: [], menu: [], answers: [], said: [], elsewhere: [], barriers: [] };
const [shots, url, ...questions] = process.argv.slice(2);
let browser;

// open opens a page of the website, and minds what it says and asks for.
async function open(options = {}, at = '') {
  const context = await browser.newContext({ viewport: wide, colorScheme: 'light', permissions: ['clipboard-read', 'clipboard-write'], ...options });
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  page.on('console', (m) => met.said.push(m.text()));
  page.on('pageerror', (e) => met.said.push(String(e)));
  page.on('request', (r) => { if (new URL(r.url()).origin !== new URL(url).origin) met.elsewhere.push(r.url()); });
  await page.goto(url + at, { waitUntil: 'load' });
  return page;
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

// ask opens search, asks, and waits for the answer.
async function ask(page, words) {
  await press(page, '/');
  await page.locator('.search input').fill('');
  await page.keyboard.type(words);
  await page.waitForFunction((w) => document.querySelector('.found').dataset.words === w, words);
}

const focused = (page, say) => page.evaluate(say);

async function keyboard() {
  const page = await open({}, 'dates/');
  await press(page, 'Tab');
  met.keys.push(await focused(page, 'document.activeElement.textContent'));
  await press(page, 'Enter');
  met.keys.push(await focused(page, 'document.activeElement.id'));
  await ask(page, 'shallow clone');
  met.keys.push(await focused(page, 'document.activeElement.type'));
  await judge(page);
  await page.screenshot({ path: path.join(shots, 'website-search-light.png') });
  await press(page, 'ArrowDown', 'ArrowDown');
  const chosen = await focused(page, 'document.activeElement.href');
  await Promise.all([page.waitForURL(chosen), press(page, 'Enter')]);
  met.keys.push(chosen.split('#').at(-1));
  await page.locator('.find').focus();
  await press(page, 'Enter', 'Escape');
  met.keys.push(await focused(page, `document.querySelector('.search').open ? 'open' : 'closed'`));
  met.keys.push(await focused(page, 'document.activeElement.className'));
}

async function judge(page) {
  await page.evaluate(axe);
  met.barriers.push(...await page.evaluate(async (values) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: { type: 'tag', values } });
    return violations.map((v) => `${v.id}: ${v.nodes[0].html}`);
  }, rules));
}

// themes chooses each theme. What is painted first after a choice is seen before any
// deferred script runs.
async function themes() {
  const page = await open();
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const seen = async (before = '') => met.themes.push(`${before}${await page.locator('.theme').textContent()} ${await background()}`);
  await seen();
  for (let i = 0; i < 2; i++) {
    await page.locator('.theme').focus();
    await press(page, 'Enter');
    await seen();
  }
  await page.reload();
  await seen('again ');
  await page.route('**/site.*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.reload();
  met.themes.push(`first painted ${await background()}`);
}

// copied presses a button, and returns what it put into the clipboard.
async function copied(page, button) {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await button.focus();
  await press(page, 'Enter');
  return (await page.waitForFunction('navigator.clipboard.readText()')).jsonValue();
}

async function copies() {
  const page = await open();
  met.copied.push(await copied(page, page.locator('.terminal .copy').first()));
  await page.goto(`${url}start/hugo-netlify/`);
  const block = await copied(page, page.locator('.block .copy').first());
  met.copied.push(block.split('\n').at(-1));
}

// plays starts the demonstration, stops it, starts it again and lets it end. It is not
// offered to those who want less motion.
async function plays() {
  const page = await open();
  const says = async () => met.played.push(await page.locator('.play').textContent());
  const still = 'for (const a of document.getAnimations()) a.pause()';
  await says();
  await page.evaluate(`document.querySelector('.play').click(); ${still}`);
  await says();
  await page.locator('.play').focus();
  await press(page, 'Enter');
  await says();
  await page.evaluate(`document.querySelector('.play').click(); for (const a of document.getAnimations()) a.finish()`);
  await page.waitForFunction(`document.querySelector('.play').textContent === 'Play'`);
  const calm = await open({ reducedMotion: 'reduce' });
  met.played.push(String(await calm.locator('.play').count()));
}

async function menu() {
  const page = await open({ viewport: phone }, 'dates/');
  const shown = async () => met.menu.push(String(await page.locator('#navigation').isVisible()));
  await shown();
  await page.locator('.menu').focus();
  await press(page, 'Enter');
  await shown();
  await page.screenshot({ path: path.join(shots, 'website-menu-light.png') });
  await press(page, 'Escape');
  await shown();
}

async function answers() {
  const page = await open({ viewport: phone, colorScheme: 'dark' });
  for (const words of questions) {
    await ask(page, words);
    met.answers.push(await page.locator('.found > li').evaluateAll((pages) => pages.map((page) =>
      [...page.querySelectorAll('a')].map((a) => a.getAttribute('href')).join(' '))));
  }
  await judge(page);
  await page.screenshot({ path: path.join(shots, 'website-search-dark.png') });
}

(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags, timeout: 0 });
  for (const use of [keyboard, themes, copies, plays, menu, answers]) await use();
  await browser.close();
  console.log(JSON.stringify(met));
})().catch((e) => { console.error(e); process.exit(1); });
