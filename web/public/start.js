// What must happen before the first paint: the chosen colour scheme, the files that a signed-in person needs next, and a message where
// the application does not load.
(() => {
  let chosen = null;
  let signedIn = false;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
    signedIn = localStorage.getItem('token') !== null;
  } catch {
    // A browser without storage: the system decides.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // The build names the files of the frame (scripts/web-build/frame-files.ts). Otherwise they are asked for once the start has run.
  const frame = document.querySelector('meta[name="frame-files"]');
  for (const file of signedIn && frame !== null ? frame.content.split(' ') : []) {
    const link = document.createElement('link');
    link.href = file;
    link.crossOrigin = '';
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
    if (link.rel === 'preload') link.as = 'style';
    document.head.append(link);
  }

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
