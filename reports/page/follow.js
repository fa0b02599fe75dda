(() => {
'use strict';
const place = document.getElementById('follow');
const events = new EventSource(place.dataset.events);
const make = (name, text, className) => {
  const e = document.createElement(name);
  e.textContent = text;
  if (className) e.className = className;
  return e;
};
const grouped = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
const share = (c) => c.scored < 20 ? c.correct + ' of ' + c.scored : (100 * c.correct / c.scored).toFixed(1) + ' % of ' + grouped(c.scored);
const named = (c) => c.suite + ' · ' + c.variant + (c.fault === 'none' ? '' : ' · ' + c.fault);
const bar = make('progress', '');
bar.setAttribute('aria-label', 'finished trials');
const counts = make('p', '');
const stalled = make('p', '', 'wn');
const status = make('p', '');
status.setAttribute('role', 'status');
const reload = make('button', '');
reload.type = 'button';
reload.hidden = true;
reload.addEventListener('click', () => location.reload());
const conditions = make('details', '');
const list = make('ul', '', 'find');
conditions.append(make('summary', 'Accuracy so far'), list);
conditions.hidden = true;
place.append(bar, counts, stalled, status, reload, conditions);
const offer = (text) => {
  reload.hidden = false;
  if (reload.textContent !== text) reload.textContent = text;
};
events.addEventListener('progress', (e) => {
  const p = JSON.parse(e.data);
  bar.max = Math.max(1, p.planned);
  bar.value = p.done;
  counts.textContent = grouped(p.done) + ' of ' + grouped(p.planned) + ' trials' + (p.rate > 0 ? ', ' + p.rate.toFixed(1) + ' per second' : '') +
    (p.errors > 0 ? ', ' + grouped(p.errors) + ' without an answer' : '');
  const seconds = p.seconds_since_write;
  stalled.textContent = seconds >= 60 ? '! Nothing was written for ' + grouped(seconds) + ' s: the run may have been killed.' : '';
  const more = p.done - Number(place.dataset.trials);
  if (more > 0) offer('Show ' + grouped(more) + ' new trial' + (more === 1 ? '' : 's'));
  const scored = p.conditions.filter((c) => c.scored > 0);
  conditions.hidden = scored.length === 0;
  list.replaceChildren(...scored.map((c) => make('li', named(c) + ': ' + share(c))));
});
events.addEventListener('end', (e) => {
  events.close();
  stalled.textContent = '';
  status.textContent = 'Updates stopped: ' + JSON.parse(e.data).why + '.';
  offer('Show the results');
});
})();
