// What must happen before the first paint: the colours the person chose, and a word where the application does not come.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // A browser that keeps nothing: the system decides.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  addEventListener(
    'error',
    (event) => {
      const place = document.getElementById('start');
      if (place === null || !(event.target instanceof HTMLScriptElement)) return;
      place.setAttribute('role', 'alert');
      place.textContent = 'The portal could not be loaded. Please check your connection and reload the page.';
    },
    true,
  );
})();
