// What must happen before the first paint: the chosen colour scheme, the files that a person needs next, and a message where
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

  // The build names these files (scripts/web-build/frame-files.ts). Otherwise they are asked for once the start has run.
  // Styles are preloaded where they are certain to be used: of one that is not, browsers complain, and the page's policy allows no prefetch.
  const preload = (name, isCertain) => {
    for (const file of document.querySelector(`meta[name="${name}"]`)?.content.split(' ') ?? []) {
      const link = document.createElement('link');
      link.href = file;
      link.crossOrigin = '';
      link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
      if (link.rel === 'preload') link.as = 'style';
      if (isCertain || link.rel === 'modulepreload') document.head.append(link);
    }
  };
  const preloadFrame = () => {
    preload('frame-files', signedIn);
    if (!signedIn || location.pathname === '/') preload('home-files', false);
  };
  if (signedIn) preloadFrame();
  // Whoever types is about to sign in: what comes then is there when the server has answered.
  else addEventListener('input', preloadFrame, { once: true });

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
