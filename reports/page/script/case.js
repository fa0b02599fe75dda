// One case in one cell: its verdict, the same case elsewhere, and what happened.

const command = (meta, id, cell, epoch, epochs) => {
  const dir = meta.dir || 'RUN';
  const dash = id.startsWith('-') || dir.startsWith('-') || cell.variant.startsWith('-') || cell.fault.startsWith('-');
  const flag = (name, value) => dash ? [`--${name}=${value}`] : ['--' + name, value];
  const flags = [...flag('variant', cell.variant), ...(cell.fault ? flag('fault', cell.fault) : []), ...(epochs > 1 ? flag('epoch', String(epoch)) : [])];
  const all = dash ? ['evalctl', 'show', ...flags, '--', dir, id] : ['evalctl', 'show', dir, id, ...flags];
  return all.map(quoted).join(' ');
};

const commandLine = (text) => {
  const code = make('code', {}, text);
  const copy = button('Copy', async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code); // to be copied by hand
    }
  });
  return make('div', { class: 'command' }, code, copy);
};

const steps = (at) => {
  const i = at.list.findIndex((row) => row.which === at.which);
  const near = (by) => i < 0 ? undefined : at.list[i + by];
  const link = (row, words, rel) => row ? make('a', { href: rowAddress(at, row), id: rel }, words) : make('span', { class: 'mute' }, words);
  return make('nav', { class: 'steps', 'aria-label': 'cases' },
    make('a', { href: listAddress(at.wanted), id: 'to-list' }, '← list'),
    link(near(-1), 'previous', 'to-previous'), link(near(1), 'next', 'to-next'),
    make('span', { class: 'mute' }, i < 0 ? 'not in the list' : `${grouped(i + 1)} of ${grouped(at.list.length)} in the list`));
};

const cellName = (cell) => cell.variant + (cell.fault ? ' + ' + cell.fault : '');

const verdictLine = (t, cell) => make('p', { class: 'verdict' }, mark(t.verdict), ' ',
  t.expected.length > 0 ? ['expected ', make('b', {}, t.expected.join(' or ')), ', got '] : 'got ',
  make('b', { class: t.verdict === 'wrong' ? 'wrong' : '' }, t.got || '(nothing)'),
  make('span', { class: 'mute' }, [
    cellName(cell), t.took >= 0 ? time(t.took) : '', t.served && t.served !== t.got ? 'answered by ' + t.served : '', ...onTheWay(t).filter((p) => p !== ' · '),
    t.failure ? (t.answered ? 'error reply ' : 'no answer: ') + t.failure : '', t.was ? `in the earlier run: ${spoken[t.was]}${t.wasGot && t.wasGot !== t.got ? ': ' + t.wasGot : ''}` : '',
  ].filter(Boolean).map((p) => [' · ', p])));

const chip = (at, cell, trials) => {
  const t = trials.find((other) => other.epoch === at.epoch) ?? trials[0];
  const first = at.suite.cells[0].variant;
  const address = caseAddress({ ...at.wanted, variant: cell.variant === first ? '' : cell.variant, fault: cell.fault }, at.id);
  return make('a', { class: 'chip', href: address, 'aria-current': cell === at.cell ? 'true' : null },
    make('span', {}, at.suite.epochs > 1 ? spread(trials) : mark(t.verdict), ' ', t.got || '(nothing)'),
    make('small', {}, `${cell.fault || 'none'} · ${t.took >= 0 ? time(t.took) : '–'}`));
};

const chips = (at) => {
  const played = at.suite.cells.map((cell) => ({ cell, trials: trialsOf(at.suite, cell, at.which) })).filter((c) => c.trials.length > 0);
  if (played.length < 2) return null;
  const variants = [...new Set(played.map((c) => c.cell.variant))];
  return make('details', { class: 'cells', open: played.length <= 12 },
    make('summary', {}, `The same case in ${played.length === 2 ? 'both' : 'all ' + played.length} conditions`),
    variants.map((v) => make('div', { class: 'cell-row' }, make('b', {}, v), played.filter((c) => c.cell.variant === v).map((c) => chip(at, c.cell, c.trials)))));
};

const epochTabs = (at, trials) => trials.length < 2 ? null : make('nav', { class: 'tabs', 'aria-label': 'epochs' }, trials.map((t) =>
  make('a', { href: caseAddress({ ...at.wanted, epoch: t.epoch > 1 ? t.epoch : '' }, at.id), 'aria-current': t.epoch === at.epoch ? 'true' : null }, `epoch ${t.epoch} `, mark(t.verdict))));

const besideCell = (at, variant) => cellOf(at.suite, variant, at.cell.fault) ?? cellOf(at.suite, variant, '');

const besideChoice = (at) => {
  const others = [...new Set(at.suite.cells.map((c) => c.variant))]
    .filter((v) => v !== at.cell.variant && trial(at.suite, besideCell(at, v) ?? at.cell, at.which, at.epoch));
  if (others.length === 0) return null;
  return choice('with', 'beside', [['', '–'], ...others.map((v) => [v, v])], at.wanted.with ?? '', (v) => go(caseAddress({ ...at.wanted, with: v }, at.id)));
};

const untraced = (meta) => [make('p', { class: 'untraced' }, `This file has the full trace of ${grouped(meta.traced)} of ${counted(meta.trials, 'trial')}, and of this one its verdict alone. The command above shows the rest.`)];

const found = (inFile, cell, epoch) => inFile?.trials.find((t) => t.cell === cell.number && t.epoch === epoch);

// The verdict on the reply beside it.
const besideVerdict = (at) => {
  const other = at.wanted.with ? besideCell(at, at.wanted.with) : undefined;
  const t = other && other !== at.cell ? trial(at.suite, other, at.which, at.epoch) : null;
  return t ? verdictLine(t, other) : null;
};

// The turns of the case; what the file has not is asked of the server, if there is one.
const happened = async (at) => {
  const trace = await traceOf(at.suite, at.which);
  const other = at.wanted.with ? besideCell(at, at.wanted.with) : undefined;
  const cells = [at.cell, other && other !== at.cell ? other : null].filter(Boolean);
  let known = trace.inFile;
  if (trace.live && cells.some((c) => !found(known, c, at.epoch))) known = await trace.live();
  const sides = cells.map((cell) => ({ cell, name: cellName(cell), trial: found(known, cell, at.epoch) }));
  if (!sides[0].trial) return untraced(at.meta);
  const missing = sides.slice(1).filter((s) => !s.trial).map((s) => make('p', { class: 'mute' }, `The trace of ${s.name} is not in this file.`));
  return [missing, turns(known.inputs, sides.filter((s) => s.trial))];
};

// The case's elements; null: no such case was played there.
const caseView = async (values) => {
  const at = await settled(values);
  at.which = at.suite.cases.indexOf(values.id);
  const trials = at.cell && at.which >= 0 ? trialsOf(at.suite, at.cell, at.which) : [];
  if (at.suite.name !== values.suite || trials.length === 0) return null;
  const t = trials.find((other) => String(other.epoch) === values.epoch) ?? trials[0];
  Object.assign(at, { id: values.id, epoch: t.epoch });
  at.wanted.epoch = t.epoch > 1 ? t.epoch : '';
  return [steps(at), make('h1', { tabindex: '-1', class: 'id' }, at.id), verdictLine(t, at.cell), besideVerdict(at), epochTabs(at, trials), chips(at),
    commandLine(command(at.meta, at.id, at.cell, at.epoch, at.suite.epochs)), besideChoice(at), await happened(at).catch(unshown)];
};

const unshown = (err) => make('p', { class: 'wrong' }, 'The trace cannot be shown: ', err.message);
