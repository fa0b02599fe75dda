// The timeline of a turn: a row an event, a bar or ticks on the turn's span.

const percent = (at, span) => (span > 0 ? Math.min(100, 100 * at / span) : 0).toFixed(3) + '%';

const lane = (e, span) => {
  const bars = [draw('rect', { class: 'span', x: 0, y: 8, width: '100%', height: 1 })];
  if (e.ms > 0) bars.push(draw('rect', { class: e.kind, x: percent(e.at, span), y: 4, width: percent(e.ms, span), height: 8 }));
  for (const at of [...(e.ms > 0 ? [] : [e.at]), ...(e.ticks ?? [])]) {
    bars.push(draw('svg', { class: 'tick', x: percent(at, span), y: 0, width: 2, height: 16 }, draw('rect', { class: e.kind, x: -1, y: e.ticks ? 3 : 5, width: 2, height: e.ticks ? 10 : 6 })));
  }
  return draw('svg', { class: 'lane', width: '100%', height: 16, 'aria-hidden': 'true' }, bars);
};

// The name of a node, which may break where a part of it ends.
const nodeName = (name) => name.split(/(?<=[_/])/).flatMap((part, i) => i > 0 ? [make('wbr'), part] : [part]);

const eventRow = (e, span) => make('li', { class: e.kind },
  make('span', { class: 'at' }, time(e.at)), lane(e, span), make('span', { class: 'node' }, nodeName(e.node ?? '')), free('span', { class: 'text' }, e.text));

// How long a turn lasts, with all that happens in it.
const spanOf = (turn) => Math.max(turn.ms, ...(turn.events ?? []).map((e) => Math.max(e.at + (e.ms ?? 0), ...(e.ticks ?? []))));

// Turns that stand beside each other have one scale.
const timeline = (turn, other) => {
  const events = turn.events ?? [];
  if (events.length === 0) return null;
  const span = Math.max(...[turn, other].filter(Boolean).map(spanOf));
  const rows = make('ol', { class: 'timeline' });
  const show = (all) => rows.replaceChildren(...events.filter((e) => all || !e.minor).map((e) => eventRow(e, span)));
  show(false);
  const minor = events.filter((e) => e.minor).length;
  if (minor === 0) return rows;
  let all = false;
  const words = () => all ? `Show ${counted(events.length - minor, 'event')} of ${events.length}` : `Show all ${counted(events.length, 'event')}`;
  const press = (b) => {
    all = !all;
    show(all);
    b.textContent = words();
    b.setAttribute('aria-expanded', String(all));
  };
  return [rows, button(words(), press, { 'aria-expanded': 'false' })];
};
