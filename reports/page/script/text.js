// Texts. Control characters and invisible characters become visible symbols.

const hiddenCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const symbol = (c) => {
  const code = c.codePointAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return '[U+' + code.toString(16).toUpperCase().padStart(4, '0') + ']';
};

const clean = (text) => String(text).replace(/\r\n/g, '\n').replace(hiddenCharacters, symbol);

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

const counted = (n, noun) => grouped(n) + ' ' + noun + (n === 1 ? '' : 's');

// A number with three significant digits, halves away from zero.
const threeDigits = (v) => {
  const step = Math.floor(Math.log10(v)) - 2;
  return step < 0 ? Math.round(v * 10 ** -step) / 10 ** -step : Math.round(v / 10 ** step) * 10 ** step;
};

// Milliseconds in the same form as eval/metric: three significant digits in s, below 0.1 s in
// ms, below 0.1 ms in µs.
const time = (ms) => {
  if (!(ms > 0)) return '0 s';
  const rounded = threeDigits(ms);
  const [value, unit] = rounded >= 100 ? [ms / 1000, 's'] : rounded >= 0.1 ? [ms, 'ms'] : [ms * 1000, 'µs'];
  return (value >= 999.5 ? grouped(Math.round(value)) : threeDigits(value).toPrecision(3)) + ' ' + unit;
};

// Seconds without the unit, with three significant digits.
const secondsText = (ms) => ms > 0 ? (ms >= 999500 ? grouped(Math.round(ms / 1000)) : threeDigits(ms / 1000).toPrecision(3)) : '0';

// US dollars in the same form as eval/metric: two decimals, below 0.10 two significant digits.
const usd = (v) => 'USD ' + (v === 0 ? '0' : v >= 999.5 ? grouped(Math.round(v)) : v.toFixed(v >= 0.0995 ? 2 : 1 - Math.floor(Math.log10(v))));

// A word of a command line, quoted for a POSIX shell.
const quoted = (word) => /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
