// The timeline of a case: one axis for all turns, one row for each call.

const percent = (at, span) => (span > 0 ? Math.min(100, 100 * at / span) : 0).toFixed(3) + '%';

// How long a turn takes, including all of its events.
const turnSpan = (turn) => (turn.events ?? []).reduce((span, e) =>
  (e.ticks ?? []).reduce((latest, tick) => Math.max(latest, tick), Math.max(span, e.at + (e.ms ?? 0))), turn.ms);

const totalSpan = (trial) => trial.turns.reduce((sum, turn) => sum + turnSpan(turn), 0);

// The positions of the axis labels, in milliseconds: 0 and at most five multiples of a round step.
const axisTicks = (span) => {
  if (!(span > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(span / 5));
  const step = [1, 2, 5, 10].map((n) => n * power).find((s) => span / s <= 5.0001) ?? 10 * power;
  return Array.from({ length: Math.floor(span / step + 1e-9) + 1 }, (_, i) => i * step);
};

const axis = (span) => {
  const inSeconds = span >= 1000;
  const label = (ms) => String(Number((inSeconds ? ms / 1000 : ms).toPrecision(3)));
  const anchor = (ms) => ms === 0 ? 'start' : ms > 0.95 * span ? 'end' : 'middle';
  return draw('svg', { class: 'axis', width: '100%', height: 16 }, axisTicks(span).map((ms) =>
    draw('text', { x: percent(ms, span), y: 12, 'text-anchor': anchor(ms) }, ms === 0 ? '0 ' + (inSeconds ? 's' : 'ms') : label(ms))));
};

const tick = (kind, at, span) => draw('svg', { class: 'tick', x: percent(at, span), y: 0, width: 2, height: 24 },
  draw('rect', { class: kind, x: -1, y: 6, width: 2, height: 12 }));

const plot = (e, from, span) => {
  const grid = axisTicks(span).map((ms) => draw('line', { class: 'grid', x1: percent(ms, span), x2: percent(ms, span), y1: 0, y2: 24 }));
  const at = from + e.at;
  const x = percent(at, span);
  const bars = [];
  if (e.ticks?.length > 0) {
    bars.push(draw('rect', { class: 'task', x, y: 10, width: percent((e.ms ?? 0), span), height: 4 }));
    for (const start of [e.at, ...e.ticks]) bars.push(tick('poll', from + start, span));
  } else if (e.ms > 0) {
    bars.push(draw('rect', { class: e.kind, x, y: 6, width: percent(e.ms, span), height: 12, rx: 2 }));
    if (e.call?.first > 0 && e.call.first < e.ms) {
      bars.push(draw('svg', { class: 'tick', x: percent(at + e.call.first, span), y: 0, width: 2, height: 24 }, draw('rect', { class: 'gap', x: -1, y: 4, width: 2, height: 16 })));
    }
  } else bars.push(tick(e.kind, at, span));
  return draw('svg', { class: 'plot', width: '100%', height: 24, 'aria-hidden': 'true' }, grid, bars);
};

const tokenText = (call) => [
  call.in > 0 || call.out > 0 ? `${grouped(call.in ?? 0)} → ${grouped(call.out ?? 0)}` : '',
  call.images > 0 ? counted(call.images, 'image') : '',
].filter(Boolean).join(', ');

// The rows of an event: its marks, and below them its text or its error.
const eventRows = (e, from, span, columns) => [
  make('tr', {},
    make('td', { class: 'node' }, breakable(e.node ?? ''), e.call?.attempt > 1 ? make('span', { class: 'm' }, ' attempt ' + e.call.attempt) : null),
    make('td', { class: 'plot' }, plot(e, from, span)),
    make('td', { class: e.call ? 'n' : 'n m' }, e.call ? time(e.ms ?? 0) : 'at ' + time(from + e.at)),
    columns === 4 ? make('td', { class: 'n m' }, e.call ? tokenText(e.call) : null) : null),
  e.text ? make('tr', { class: 'event' }, freeText('td', { colspan: columns, class: e.kind === 'failed' ? 'wrong' : 'm' }, e.call ? '✗ ' : null, e.text)) : null,
];

// How many events are rendered at first, and how many a button adds.
const eventWindow = 200;

// The timeline of a trial. span is the length of the axis in milliseconds; several trials share it.
// wide: with a column of tokens.
const timeline = (trial, span, wide, name) => {
  const all = trial.turns.flatMap((turn) => turn.events ?? []);
  if (all.length === 0) return make('div', {}, name ? make('h3', {}, name) : null, make('p', { class: 'm' }, 'No events.'));
  const isMain = (e) => e.kind === 'failed' || e.call && (e.ms > 0 || e.call.in > 0); // the others need a click
  const main = all.filter(isMain).length;
  const columns = wide ? 4 : 3;
  const body = make('tbody');
  let complete = main === 0;
  let left = []; // functions that return the rows of the events that are not rendered
  const more = button('', () => renderNext(), { class: 'more-rows' });
  const renderNext = () => {
    body.append(...left.splice(0, eventWindow).flatMap((rowsOf) => rowsOf()).filter(Boolean));
    more.textContent = `Show ${grouped(Math.min(left.length, eventWindow))} more of ${grouped(left.length)}`;
    more.hidden = left.length === 0;
  };
  const render = () => {
    let from = 0;
    left = trial.turns.flatMap((turn, i) => {
      const start = from;
      from += turnSpan(turn);
      const rows = (turn.events ?? []).filter((e) => complete || isMain(e)).map((e) => () => eventRows(e, start, span, columns));
      if (trial.turns.length > 1) rows.unshift(() => [make('tr', { class: 'turn-row' }, make('th', { colspan: columns, scope: 'rowgroup' }, `Turn ${i + 1}, ${time(turn.ms)}`))]);
      return rows;
    });
    body.replaceChildren();
    renderNext();
  };
  render();
  const text = () => complete ? 'Show calls and failures only' : `Show all ${counted(all.length, 'event')}`;
  const toggle = main === 0 || main === all.length ? null : button(text(), (b) => {
    complete = !complete;
    render();
    b.textContent = text();
    b.setAttribute('aria-expanded', String(complete));
  }, { class: 'more-events', 'aria-expanded': 'false' });
  const head = make('tr', {}, make('th', { scope: 'col', 'aria-label': 'component' }), make('th', { scope: 'col', class: 'plot', 'aria-label': 'time' }, axis(span)),
    make('th', { scope: 'col', class: 'n' }, 'duration'), wide ? make('th', { scope: 'col', class: 'n' }, 'tokens in → out') : null);
  return make('div', { class: 'side' }, name ? make('h3', {}, name) : null,
    make('table', { class: wide ? 'timeline wide' : 'timeline' }, make('thead', {}, head), body), more, toggle);
};
