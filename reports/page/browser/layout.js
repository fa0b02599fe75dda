// Mistakes in the layout of the current view: touching labels, broken words, a page that is too wide,
// squeezed plots, links that are too low for a finger, boxes that no key scrolls.
(() => {
  const wrong = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const all = (s) => [...document.querySelectorAll(s)].filter(shown);
  const name = (e) => `${e.tagName.toLowerCase()}.${e.getAttribute('class')} «${e.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)}»`;
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const svg of all('svg.ax')) {
    const boxes = [...svg.querySelectorAll('text')].filter(shown).map((t) => [t.getBoundingClientRect(), t.textContent]).sort((a, b) => a[0].left - b[0].left);
    for (let i = 1; i < boxes.length; i++) if (boxes[i - 1][0].right + 1 > boxes[i][0].left) wrong.push(`labels «${boxes[i - 1][1]}» and «${boxes[i][1]}» touch`);
  }
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let n = texts.nextNode(); n; n = texts.nextNode()) {
    if (!shown(n.parentElement) || n.parentElement.closest('pre, code, .id, .user, svg, script')) continue;
    for (const m of n.data.matchAll(/[\p{Script=Latin}\d]{2,30}/gu)) {
      const range = document.createRange();
      range.setStart(n, m.index);
      range.setEnd(n, m.index + m[0].length);
      if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) wrong.push(`broken word «${m[0]}» in ${name(n.parentElement)}`);
    }
  }
  for (const e of all('table.chart:not(.bars) td.pl svg')) if (e.clientWidth && e.getBoundingClientRect().width < 90) wrong.push(`a plot of ${e.getBoundingClientRect().width} px: ${name(e.closest('tr'))}`);
  for (const box of all('.scroll')) if (box.tabIndex !== 0 || !box.getAttribute('aria-label')) wrong.push(`no key scrolls ${name(box)}`);
  for (const a of all('main tbody th a, summary, header nav a')) {
    const h = a.getBoundingClientRect().height;
    if (h < 31.5) wrong.push(`${Math.round(h)} px high: ${name(a)}`);
  }
  return wrong.slice(0, 40);
})()
