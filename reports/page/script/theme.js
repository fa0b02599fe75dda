// Colours: as the system has them, or light, or dark; ?theme= says so in the address.

const themes = ['auto', 'light', 'dark'];

const startTheme = () => {
  const b = document.getElementById('theme');
  let now = new URLSearchParams(location.search).get('theme');
  if (!themes.includes(now)) now = 'auto';
  const show = () => {
    if (now === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    b?.setAttribute('aria-label', 'colors: ' + now);
    b?.setAttribute('title', 'colors: ' + now);
    if (b) b.textContent = { auto: '◐', light: '○', dark: '●' }[now];
  };
  const next = () => {
    now = themes[(themes.indexOf(now) + 1) % themes.length];
    show();
    try {
      history.replaceState(history.state, '', (now === 'auto' ? location.pathname : '?theme=' + now) + location.hash);
    } catch { /* a file's address may not be changed everywhere; the colours are */ }
  };
  show();
  if (b) b.hidden = false;
  b?.addEventListener('click', next);
};
