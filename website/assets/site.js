// Adds features to the pages: it scrolls the list of pages, and adds the theme button, copy
// buttons, a player for the demonstration, and search. The pages also work without it.

const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// The list of pages.

// scrollToOpenPage scrolls the list of pages to the open page.
function scrollToOpenPage() {
  const place = one('.pages [aria-current]');
  if (place) place.closest('nav').scrollTop = place.offsetTop - innerHeight / 2;
}

// The theme button, which switches between the theme of the system, light and dark.

const themes = { system: 'System', light: 'Light', dark: 'Dark' };

function setTheme(theme) {
  const button = one('.theme');
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  button.dataset.theme = theme;
  one('span', button).textContent = themes[theme];
  button.ariaLabel = `Theme: ${themes[theme]}`;
}

function addThemeButton() {
  const button = one('.theme');
  let theme = document.documentElement.dataset.theme || 'system';
  setTheme(theme);
  button.hidden = false;
  button.addEventListener('click', () => {
    const names = Object.keys(themes);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    setTheme(theme);
    try { localStorage.setItem('theme', theme); } catch {} // storage is switched off
  });
}

// Copy buttons for code blocks and for the commands of the demonstration.

function copyButton(text) {
  const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  return button;
}

// makeCodeFocusable makes code blocks focusable, so that the keyboard can scroll wide ones.
function makeCodeFocusable() {
  for (const pre of all('article pre')) pre.tabIndex = 0;
}

function addCopyButtons() {
  if (!navigator.clipboard) return; // browsers have no clipboard on pages without https
  for (const pre of all('article pre')) {
    const block = element('div', { className: 'block' });
    pre.replaceWith(block);
    block.append(pre, copyButton(pre.textContent.replace(/\n$/, '')));
  }
  for (const typed of all('.terminal .typed')) {
    const command = one('code', typed).textContent;
    if (command.startsWith('sitewalk ')) typed.append(copyButton(command)); // no button for commands such as mv and echo
  }
}

// The demonstration. It is shown completely until the reader presses the button Play. Readers who
// prefer reduced motion get no button.

function addPlayButton(terminal) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const button = element('button', { type: 'button', className: 'play', textContent: 'Play' });
  const rows = all('[data-at]', terminal);
  const stop = () => {
    terminal.classList.remove('playing');
    button.textContent = 'Play';
  };
  button.addEventListener('click', () => {
    if (terminal.classList.contains('playing')) return stop();
    for (const row of rows) row.style.animationDelay = `${row.dataset.at}s`;
    terminal.classList.add('playing');
    button.textContent = 'Show all';
  });
  rows.at(-1).addEventListener('animationend', stop);
  one('figcaption', terminal).append(button);
}

// Search with Pagefind, which is loaded when the reader opens the search for the first time.

const dialog = one('.search');
const input = one('input', dialog);
const status = one('.status', dialog);
const found = one('.found', dialog);
let loading; // promise of the Pagefind module; undefined before the first search

async function loadPagefind() {
  const pagefind = await import(new URL('pagefind/pagefind.js', import.meta.url));
  await pagefind.init();
  return pagefind;
}

function openSearch() {
  if (dialog.open) return;
  dialog.showModal();
  input.select();
  loading ??= loadPagefind();
}

function excerptElement(html) {
  const text = element('p');
  text.innerHTML = html; // Pagefind escapes the page's text, and puts the found words into mark elements
  return text;
}

// bestSections returns up to three sections of a page: those with the most words in the heading,
// and among equal ones those with the highest score from Pagefind.
function bestSections(sections, words) {
  const rank = (s) => {
    const title = s.title.toLowerCase();
    return [words.filter((w) => title.includes(w)).length, s.weighted_locations.reduce((sum, l) => sum + l.balanced_score, 0)];
  };
  const ranked = sections.filter((s) => s.url.includes('#')).map((s) => [...rank(s), s]);
  ranked.sort((a, b) => b[0] - a[0] || b[1] - a[1]);
  return ranked.slice(0, 3).map((r) => r[2]);
}

// stopWords are words of questions that are not searched for.
const stopWords = new Set('a an and can do does for from how i in is it mean my of on the to was what when where which why with'.split(' '));

// termsOf returns the words of a question without the stopWords, or all words if no others are left.
function termsOf(question) {
  const words = question.toLowerCase().split(/[\s?]+/).filter(Boolean);
  const terms = words.filter((w) => !stopWords.has(w));
  return terms.length > 0 ? terms : words;
}

// removeCommonWords removes the words that every page contains, unless no others are left.
function removeCommonWords(terms) {
  const rest = terms.filter((w) => w !== 'sitemap' && w !== 'sitewalk');
  return rest.length > 0 ? rest : terms;
}

// topics lists pages and sections that answer questions with words that they do not contain. Each
// topic has an address, a title and words. It is a result if its words include all words of the
// question.
const topics = [
  ['troubles/#page-missing', 'Page missing', 'page pages missing not listed'],
  ['install/', 'Installing', 'install installing installation windows mac macos linux'],
  ['install/#uninstall', 'Uninstall', 'remove delete uninstall'],
  ['the-list/#effects-of-the-html', 'Effects of the HTML', 'noindex'],
  ['languages-and-images/', 'Languages, hosts, images', 'add multiple several languages hreflang translations'],
  ['files/#more-than-one-file', 'More than one file', 'over more than 50000 50,000 urls limit split'],
  ['reports/#what-makes-a-command-fail', 'What makes a command fail', 'exit code 1'],
];

// topicItems returns a list with the item of the first topic that answers a question, or an empty
// list.
function topicItems(terms) {
  const topic = topics.find(([, , words]) => terms.every((t) => words.split(' ').includes(t)));
  if (!topic) return [];
  const place = new URL(topic[0], import.meta.url);
  return [element('li', {}, element('a', { href: place.pathname + place.hash, textContent: topic[1] }))];
}

// splitByHeading returns two lists: the pages with a heading that contains all words, and the others.
function splitByHeading(pages, words) {
  const named = pages.filter((p) => p.sub_results.some((s) => words.every((w) => s.title.toLowerCase().includes(w))));
  return [named, pages.filter((p) => !named.includes(p))];
}

// resultItem returns the list item for a page that was found, with its best sections.
function resultItem(page, words) {
  const sections = bestSections(page.sub_results, words);
  const item = element('li', {}, element('a', { href: page.url, textContent: page.meta.title }));
  if (sections.length === 0) item.append(excerptElement(page.excerpt));
  for (const s of sections) {
    item.append(element('div', { className: 'section' }, element('a', { href: s.url, textContent: s.title }), excerptElement(s.excerpt)));
  }
  return item;
}

async function search() {
  const words = input.value.trim();
  if (!words) {
    found.replaceChildren();
    status.textContent = '';
    return;
  }
  loading ??= loadPagefind();
  const pagefind = await loading.catch(() => null);
  if (!pagefind) {
    loading = undefined; // the next input event tries again
    status.textContent = 'Search could not be loaded';
    return;
  }
  const each = termsOf(words);
  const answer = await pagefind.debouncedSearch(removeCommonWords(each).join(' '), {}, 100);
  if (!answer) return; // a newer search has replaced this one
  const pages = await Promise.all(answer.results.slice(0, 16).map((r) => r.data()));
  if (input.value.trim() !== words) return;
  const [named, others] = splitByHeading(pages, each);
  found.replaceChildren(...topicItems(removeCommonWords(each)), ...[...named, ...others].slice(0, 8).map((p) => resultItem(p, each)));
  found.dataset.words = words;
  const count = answer.results.length;
  status.textContent = count === 0 ? `Nothing is found for “${words}”` : `${count} ${count === 1 ? 'page' : 'pages'}`;
}

// moveFocus moves the focus by the given number of places in the list of the input field and all
// results.
function moveFocus(by) {
  const stops = [input, ...all('a', found)];
  const next = stops[stops.indexOf(document.activeElement) + by];
  if (next) next.focus();
}

function enableSearch() {
  const button = one('.find');
  button.hidden = false;
  button.addEventListener('click', openSearch);
  document.addEventListener('keydown', (event) => {
    const typing = event.target.matches('input, textarea, select');
    const asked = event.key === '/' && !typing || event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!asked) return;
    event.preventDefault();
    openSearch();
  });
  input.addEventListener('input', search);
  dialog.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      moveFocus(by);
    } else if (event.key === 'Enter' && event.target === input) {
      event.preventDefault();
      one('a', found)?.click();
    } else if (event.key === 'Escape') { // the default would only clear the input field
      event.preventDefault();
      dialog.close();
    }
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog || event.target.closest('a')) dialog.close();
  });
}

scrollToOpenPage();
addThemeButton();
makeCodeFocusable();
addCopyButtons();
all('.terminal').forEach(addPlayButton);
enableSearch();
