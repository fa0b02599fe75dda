// How verdicts look: a sign, a word for who cannot see it, and a colour.

const signs = { right: '✓', wrong: '✗', unjudged: '–' };
const spoken = { right: 'right', wrong: 'wrong', unjudged: 'unscored' };

const mark = (verdict) => make('span', { class: verdict, role: 'img', 'aria-label': spoken[verdict] }, signs[verdict]);

// Epochs as a spread: a dot each.
const spread = (trials) => {
  const right = trials.filter((t) => t.verdict === 'right').length;
  const words = `right in ${right} of ${counted(trials.length, 'epoch')}`;
  const dots = draw('svg', { class: 'spread', width: 9 * trials.length, height: 10, 'aria-hidden': 'true' }, trials.map((t, i) => dot(t.verdict, 9 * i)));
  return make('span', { class: 'epochs', title: words }, trials.length <= 40 ? dots : null, make('span', { class: 'few' }, `${right} of ${trials.length}`));
};

const dot = (verdict, x) => {
  if (verdict === 'unjudged') return draw('rect', { class: 'dot-unjudged', x: x + 1, y: 4, width: 7, height: 2 });
  const up = verdict === 'right';
  return draw('rect', { class: 'dot-' + verdict, x: x + 1, y: up ? 0 : 5, width: 7, height: 5 });
};

// expected → got
const decision = (t) => {
  const got = make('b', { class: t.verdict === 'wrong' ? 'wrong' : '' }, t.got || '(nothing)');
  if (t.expected.length === 0) return [got];
  return [make('span', { class: 'mute' }, t.expected.join(' or '), ' → '), got];
};

const onTheWay = (t) => [
  t.fallbacks > 0 ? make('span', { class: 'wrong' }, counted(t.fallbacks, 'fallback')) : null,
  t.confidence >= 0 ? 'confidence ' + (t.confidence / 100).toFixed(2) : null,
].filter(Boolean).flatMap((part, i) => i > 0 ? [' · ', part] : [part]);
