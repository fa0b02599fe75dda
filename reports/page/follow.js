(() => {
'use strict';
const place = document.getElementById('follow');
const events = new EventSource(place.dataset.events);
const make = (name, text) => {
  const e = document.createElement(name);
  e.textContent = text;
  return e;
};
const grouped = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
const share = (c) => c.judged < 20 ? c.right + ' of ' + c.judged : (100 * c.right / c.judged).toFixed(1) + ' % of ' + grouped(c.judged);
const named = (c) => c.suite + ' · ' + c.variant + (c.fault === 'none' ? '' : ' · ' + c.fault);
const bar = make('progress', '');
bar.setAttribute('aria-label', 'finished trials');
const said = make('p', '');
const quiet = make('p', '');
quiet.className = 'warn';
const status = make('p', '');
status.setAttribute('role', 'status');
const again = make('button', '');
again.type = 'button';
again.hidden = true;
again.addEventListener('click', () => location.reload());
const cells = make('details', '');
const list = make('ul', '');
cells.append(make('summary', 'Accuracy so far'), list);
cells.hidden = true;
place.append(bar, said, quiet, status, again, cells);
const offer = (text) => {
  again.hidden = false;
  if (again.textContent !== text) again.textContent = text;
};
events.addEventListener('progress', (e) => {
  const p = JSON.parse(e.data);
  bar.max = Math.max(1, p.planned);
  bar.value = p.done;
  said.textContent = grouped(p.done) + ' of ' + grouped(p.planned) + ' trials' + (p.rate > 0 ? ', ' + p.rate.toFixed(1) + ' per second' : '') +
    (p.errors > 0 ? ', ' + grouped(p.errors) + ' without an answer' : '');
  quiet.textContent = p.quiet >= 60 ? '! Nothing was written for ' + grouped(p.quiet) + ' s: the run may have been killed.' : '';
  const more = p.done - Number(place.dataset.trials);
  if (more > 0) offer('Show ' + grouped(more) + ' new trial' + (more === 1 ? '' : 's'));
  cells.hidden = !p.cells.some((c) => c.judged > 0);
  list.replaceChildren(...p.cells.filter((c) => c.judged > 0).map((c) => make('li', named(c) + ': ' + share(c))));
});
events.addEventListener('end', (e) => {
  events.close();
  quiet.textContent = '';
  status.textContent = 'Updates stopped: ' + JSON.parse(e.data).why + '.';
  offer('Show the results');
});
})();
