// The visible texts whose contrast against what lies behind them is below 4.5.
(() => {
  const channels = (c) => { const m = c.match(/[\d.]+/g).map(Number); return [m[0], m[1], m[2], m[3] ?? 1]; };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = channels(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) return c;
    }
    return [255, 255, 255, 1];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || e.closest('script, style, option') || !e.checkVisibility({ visibilityProperty: true })) continue;
    if (e.closest('.spoken, .skip')) continue;
    const style = getComputedStyle(e);
    const svg = e instanceof SVGElement;
    const [a, b] = [luminance(channels(svg ? style.fill : style.color)), luminance(behind(e))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) low.push(`${contrast.toFixed(2)}: ${e.tagName}.${e.getAttribute('class')} «${n.data.trim().slice(0, 40)}»`);
  }
  return low;
})()
