// The prompts that were sent to models, and their raw replies.

const callText = (e, turn, turns) => [
  [e.node, turns > 1 ? `turn ${turn}` : ''].filter(Boolean).join(', '),
  [e.call?.model ?? '', e.call?.in > 0 ? `${counted(e.call.in, 'token')} in, ${grouped(e.call.out ?? 0)} out` : '', e.call ? time(e.ms ?? 0) : ''].filter(Boolean).join(', '),
].filter(Boolean).join(': ');

const sentMessage = (m, prompts) => {
  const stored = m.prompt ? prompts?.[m.prompt] : null;
  const notes = [m.prompt ? 'prompt ' + m.prompt : '', m.images > 0 ? counted(m.images, 'image') : ''].filter(Boolean);
  const text = m.prompt ? stored?.text ?? '(not in this file)' : m.text ?? '';
  return [make('b', {}, m.role + (notes.length > 0 ? ` (${notes.join(', ')})` : '')), freeText('span', {}, text), omitted((stored?.cut ?? 0) + (m.cut ?? 0))];
};

const callDetails = (call, prompts, open) => make('details', { open },
  make('summary', {}, callText(call.event, call.turn, call.turns)),
  call.event.call?.messages?.length > 0 ? [make('h3', {}, 'Prompt sent'), make('pre', {}, call.event.call.messages.map((m) => sentMessage(m, prompts)))] : null,
  call.event.answer ? [make('h3', {}, 'Reply'), make('pre', {}, freeText('span', {}, call.event.answer), omitted(call.event.cut))] : null,
  call.event.call && call.event.text ? make('p', { class: 'wrong' }, '✗ ', freeText('span', {}, call.event.text)) : null);

// The call that returned the scored decision of the turn that decides the verdict.
const decidingCall = (calls, trial) => {
  const turn = trial.deciding_turn || trial.turns.length;
  return calls.find((c) => c.event.decides && c.turn === turn);
};

const isShownCall = ({ event }) => event.answer || event.call?.messages?.length > 0;

// The calls of one or two trials with what they sent and returned. Only the deciding calls are unfolded.
// request loads the case from the server; null: there is none.
const promptSection = async (sides, command, request) => {
  const lists = sides.map(({ trial }) => trial.turns.flatMap((turn, i) => (turn.events ?? []).map((event) => ({ event, turn: i + 1, turns: trial.turns.length }))));
  const calls = lists.flat();
  const missing = calls.some(({ event }) => event.call?.in > 0 && !event.call.messages);
  if (!calls.some(isShownCall) && !missing) return null;
  const hasPrompts = calls.some(({ event }) => event.call?.messages?.some((m) => m.prompt));
  const prompts = hasPrompts ? await part('prompts') : null;
  const side = ({ name, trial }, i) => {
    const shown = lists[i].filter(isShownCall);
    const deciding = decidingCall(shown, trial);
    return make('div', { class: 'side' }, sides.length > 1 ? make('h4', {}, name) : null, shown.map((call) => callDetails(call, prompts, call === deciding)));
  };
  return make('section', { class: 'prompts' }, make('h2', {}, 'Prompts and replies'),
    make('div', { class: sides.length > 1 ? 'pair' : '' }, sides.map(side)),
    !missing ? null : make('p', { class: 'm' }, calls.some(({ event }) => event.call?.messages) ? 'The other prompts are not in this file.' : 'The prompts are not in this file.', ' ',
      request ? button('Load all prompts', request, { id: 'load-prompts' }) : ['To print them, run: ', make('code', {}, command + ' --sent')]));
};
