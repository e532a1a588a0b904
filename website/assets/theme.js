// Sets the chosen theme before the page is painted. Without a choice the system decides.
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {} // storage is switched off
