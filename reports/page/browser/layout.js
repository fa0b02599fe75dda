// What is laid out wrongly in the view that is shown: labels that touch, text beside its
// place, a page that is too wide, links too low for a finger, boxes that no key scrolls.
(() => {
  const wrong = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const all = (s) => [...document.querySelectorAll(s)].filter(shown);
  const name = (e) => `${e.tagName.toLowerCase()}.${e.getAttribute('class')} «${e.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)}»`;
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const svg of all('svg.plot')) {
    const boxes = [...svg.querySelectorAll('text')].filter(shown).map((t) => [t.getBoundingClientRect(), t.textContent]).sort((a, b) => a[0].left - b[0].left);
    for (let i = 1; i < boxes.length; i++) if (boxes[i - 1][0].right + 2 > boxes[i][0].left) wrong.push(`labels «${boxes[i - 1][1]}» and «${boxes[i][1]}» touch`);
  }
  for (const row of all('.row, .cell')) {
    const at = row.getBoundingClientRect();
    for (const e of row.querySelectorAll('.name, .value')) if (shown(e) && at.width && (e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > at.right + 1)) wrong.push(`wider than its place: ${name(e)}`);
  }
  for (const e of all('.plotted:not(.heads .plotted)')) if (e.clientWidth < 90) wrong.push(`a plot of ${e.clientWidth} px: ${name(e.parentElement)}`);
  for (const box of all('.scroll')) if (box.tabIndex !== 0 || !box.getAttribute('aria-label')) wrong.push(`no key scrolls ${name(box)}`);
  for (const a of all('main .row .name a, main .confusion td a, main tbody th a, main .faults td a, main .contents a, main .such a')) {
    const h = a.getBoundingClientRect().height;
    if (h < 31.5) wrong.push(`${Math.round(h)} px high: ${name(a)}`);
  }
  return wrong.slice(0, 40);
})()
