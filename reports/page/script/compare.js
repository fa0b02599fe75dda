// A trial's turns, and beside them those of another variant.

const side = (trial, i, inputs, other, name) => {
  const scores = (trial.scores ?? []).filter((s) => s.turn === i + 1);
  const turn = trial.turns[i];
  return make('div', { class: 'side' }, name ? make('h3', {}, name) : null,
    turn ? outcome(turn, scores, other?.turns[i]) : make('p', { class: 'mute' }, 'Not run.'));
};

const conversation = (inputs, sides) => inputs.map((given, i) => {
  const took = sides[0].trial.turns[i]?.ms;
  const [first, second] = sides;
  return make('section', { class: 'turn' },
    make('h2', {}, `Turn ${i + 1} of ${inputs.length} `, took !== undefined && !second ? make('span', { class: 'mute' }, time(took)) : null),
    input(given),
    make('div', { class: second ? 'pair' : '' },
      side(first.trial, i, inputs, second?.trial, second && first.name), second ? side(second.trial, i, inputs, first.trial, second.name) : null));
});

const spent = (trial) => [`tokens ${grouped(trial.in)} in, ${grouped(trial.out)} out`, counted(trial.calls, 'call'), trial.cost].filter(Boolean).join(' · ');

// What is judged of the whole case, and what it took.
const ending = (trial, turns, name) => {
  const whole = (trial.scores ?? []).filter((s) => !s.turn || s.turn > turns);
  return make('div', { class: 'side' }, name ? make('h3', {}, name) : null,
    trial.error ? make('p', { class: 'wrong' }, 'No answer: ', free('span', {}, trial.error)) : null,
    terms(judgements(whole)), make('p', { class: 'mute' }, spent(trial)));
};

const turns = (inputs, sides) => [
  conversation(inputs, sides),
  make('div', { class: sides.length > 1 ? 'pair ending' : 'ending' }, sides.map((s) => ending(s.trial, inputs.length, sides.length > 1 && s.name))),
];
