// Verdicts as a sign with an accessible name. Color only repeats them.

const signs = { right: '✓', wrong: '✗', unscored: '–', mixed: '~' };

const mark = (verdict, name) => make('span', { class: verdict, role: 'img', 'aria-label': name ?? verdict, title: name }, signs[verdict]);

// The verdict of several epochs of a case; "mixed" if they differ.
const commonVerdict = (trials) => trials.every((t) => t.verdict === trials[0].verdict) ? trials[0].verdict : 'mixed';

const rightCount = (trials) => trials.filter((t) => t.verdict === 'right').length;

const verdictText = (trials) => trials.length === 1 ? trials[0].verdict : `right in ${rightCount(trials)} of ${counted(trials.length, 'epoch')}`;

// One dot for each epoch, and how many are right.
const epochDots = (trials) => {
  const dots = draw('svg', { class: 'dots', width: 9 * trials.length, height: 10, 'aria-hidden': 'true' }, trials.map((t, i) => dot(t.verdict, 9 * i)));
  return make('span', { class: 'epochs', title: verdictText(trials) }, trials.length <= 40 ? dots : null, make('span', {}, `${rightCount(trials)} of ${trials.length}`));
};

const dot = (verdict, x) => {
  if (verdict === 'unscored') return draw('rect', { class: 'dot-unscored', x: x + 1, y: 4, width: 7, height: 2 });
  return draw('rect', { class: 'dot-' + verdict, x: x + 1, y: verdict === 'right' ? 0 : 5, width: 7, height: 5 });
};

const labelText = (label) => label || '(none)';

const predictedLabel = (t) => make('b', { class: t.verdict === 'wrong' ? 'wrong' : '' }, breakable(labelText(t.predicted)));

// expected → predicted
const decision = (t) => t.expected.length === 0 ? [predictedLabel(t)] : [breakable(t.expected.join(' or ')), ' → ', predictedLabel(t)];

// The first fallback and how many there are in addition.
const fallbackText = (t) => !t.firstFallback ? counted(t.fallbacks, 'fallback') : t.firstFallback + (t.fallbacks > 1 ? ' +' + (t.fallbacks - 1) : '');

// The confidence of the deciding model, such as "0.83".
const confidenceText = (confidence, rejected) => rejected ? `model ${confidence}, rejected` : 'confidence ' + confidence;

const percentText = (confidence) => (confidence / 100).toFixed(2);
