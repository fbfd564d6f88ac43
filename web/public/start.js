// What must happen before the first paint: the chosen colour scheme, and a message where the application does not load.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // A browser without storage: the system decides.
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
