// The color theme: that of the system, light or dark. The address stores it as ?theme=.

const themes = ['auto', 'light', 'dark'];

const startTheme = () => {
  const b = document.getElementById('theme');
  let theme = new URLSearchParams(location.search).get('theme');
  if (!themes.includes(theme)) theme = 'auto';
  const show = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    b?.setAttribute('aria-label', 'colors: ' + theme);
    b?.setAttribute('title', 'colors: ' + theme);
    if (b) b.textContent = { auto: '◐', light: '○', dark: '●' }[theme];
  };
  const next = () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    show();
    try {
      history.replaceState(history.state, '', (theme === 'auto' ? location.pathname : '?theme=' + theme) + location.hash);
    } catch { /* some browsers do not allow to change the address of a file */ }
  };
  show();
  if (b) b.hidden = false;
  b?.addEventListener('click', next);
};
