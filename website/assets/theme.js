// Applies the theme that the reader chose, before the browser paints the page. Without a choice,
// the page follows the theme of the system.
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {} // storage is switched off
