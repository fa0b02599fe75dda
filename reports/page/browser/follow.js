(async () => {
  const number = (a) => {
    const texts = document.createTreeWalker(a, NodeFilter.SHOW_TEXT);
    for (let t = texts.nextNode(); t; t = texts.nextNode()) {
      const n = t.data.trim().match(/^[+−]?([\d,]+)(?![\d.]|\s*%)/);
      if (n) return n[1];
      if (t.data.trim()) return null;
    }
    return null;
  };
  const seen = new Map();
  for (const a of document.querySelectorAll('main section a[href^="#cases"]')) {
    const n = number(a);
    if (n) seen.set(a.getAttribute('href'), n);
  }
  const wrong = [];
  for (const [href, n] of seen) {
    const before = document.querySelector('#cases .count');
    location.hash = href;
    for (let i = 0; i < 400 && document.querySelector('#cases .count') === before; i++) await new Promise((r) => setTimeout(r, 2));
    const count = document.querySelector('#cases .count').textContent;
    const [, cases, trials, turns] = count.match(/^([\d,]+)(?: of [\d,]+)? cases?, (?:([\d,]+)(?: of [\d,]+)? trials?)?(?:, )?(?:([\d,]+) turns)?/);
    if (cases !== n && trials !== n && turns !== n) wrong.push(`${href} says ${n}, and the list: ${count}`);
  }
  return [`${seen.size} links`, ...wrong];
})()
