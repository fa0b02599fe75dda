// Texts. What would steer a page or hide in it becomes a sign that can be seen.

const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const sign = (c) => {
  const code = c.codePointAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return '[U+' + code.toString(16).toUpperCase().padStart(4, '0') + ']';
};

const clean = (text) => String(text).replace(/\r\n/g, '\n').replace(steering, sign);

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

const counted = (n, noun) => grouped(n) + ' ' + noun + (n === 1 ? '' : 's');

// Milliseconds as they are written everywhere else: 960 ms, 8.43 s, 41.6 s, 1,204 s.
const time = (ms) => {
  if (ms < 999.5) return (ms > 0 && ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)) + ' ms';
  const s = ms / 1000;
  return (s < 9.995 ? s.toFixed(2) : s < 99.95 ? s.toFixed(1) : grouped(Math.round(s))) + ' s';
};

// A word as a POSIX shell takes it, whatever is in it.
const quoted = (word) => /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
