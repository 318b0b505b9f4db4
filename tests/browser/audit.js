// What is wrong with a page, as a list of texts that begin with the rule. Run by DevTools, for the page itself runs nothing.
(() => {
  const faults = [];
  const fault = (rule, what) => faults.push(`${rule}: ${what}`);
  const all = (selector, of = document) => [...of.querySelectorAll(selector)];
  const short = (element) => element.outerHTML.slice(0, 120);

  // What it is.
  if (document.compatMode !== 'CSS1Compat') fault('doctype', document.compatMode);
  if (document.documentElement.lang !== 'en') fault('lang', document.documentElement.lang);
  if (!document.title.trim()) fault('title', 'none');
  if (all('title').filter((it) => it.namespaceURI === document.documentElement.namespaceURI).length !== 1) fault('title', 'not one');
  if (all('main').length !== 1) fault('main', 'not one');

  // Nothing is loaded, nothing runs, nothing leads away.
  for (const element of all('script, link, img, image, iframe, object, embed, base, form, a, area, audio, video, source, use, foreignObject, template, input, button')) {
    fault('element', short(element));
  }
  for (const element of all('*')) {
    for (const { name } of element.attributes) {
      if (/^on|^(src|srcset|href|xlink:href|action|formaction|data|poster|ping|background|style|id)$/i.test(name)) fault('attribute', `${name} of ${short(element)}`);
    }
  }
  const sheets = all('style');
  if (sheets.length !== 1) fault('style', `${sheets.length} sheets`);
  for (const sheet of sheets) if (/url\(|@import|expression|javascript:/i.test(sheet.textContent)) fault('style', 'loads');
  if (!all('meta[http-equiv="Content-Security-Policy"]').some((it) => it.content.startsWith("default-src 'none'"))) fault('policy', 'none');

  // Headings in order.
  let level = 0;
  for (const heading of all('h1, h2, h3, h4, h5, h6')) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) fault('heading', `${heading.tagName} after level ${level}`);
    if (!heading.textContent.trim()) fault('heading', `${heading.tagName} is empty`);
    level = own;
  }
  if (level === 0) fault('heading', 'none');

  // Tables with heads.
  for (const table of all('table')) {
    if (!table.querySelector('th') && table.rows.length > 1 && table.rows[0].cells.length > 1 && !table.querySelector('.wraps')) fault('table', `no heads in ${short(table)}`);
    for (const cell of all('thead td', table)) if (cell.textContent.trim()) fault('table', `no head: ${short(cell)}`);
  }
  for (const head of all('th')) {
    if (!['col', 'row'].includes(head.scope)) fault('table', `no scope: ${short(head)}`);
    if (!head.textContent.trim()) fault('table', `an empty head: ${short(head)}`);
  }

  // Names for those who do not see.
  for (const svg of all('svg')) {
    const title = svg.querySelector(':scope > title');
    if (svg.getAttribute('role') !== 'img' || !svg.getAttribute('aria-label') || !title || !title.textContent.trim()) fault('label', short(svg));
    const { width, height } = svg.getBoundingClientRect();
    if (width < 100 || height < 50) fault('drawing', `${width} by ${height}`);
    const line = svg.querySelector('.line');
    if (!line || line.getTotalLength() < 100) fault('drawing', 'no line');
  }
  for (const element of all('[tabindex]')) {
    if (!element.getAttribute('role') || !element.getAttribute('aria-label')) fault('label', short(element));
  }

  // Contrast, as WCAG 2 computes it: 4.5 for text, 3 for lines.
  const color = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const seen = (text) => { const [, , , alpha = 1] = color(text); return text.startsWith('rgb') && alpha > 0; };
  const light = (text) => {
    const [red, green, blue] = color(text).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let it = element; it; it = it.parentElement) {
      const back = getComputedStyle(it).backgroundColor;
      if (seen(back)) return back;
    }
    return 'rgb(255, 255, 255)';
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const pairs = new Map();
  const contrast = (element, front, least) => {
    const back = behind(element);
    pairs.set(`${front} on ${back} needs ${least}`, [ratio(front, back), least, element]);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let letters = 0;
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || element.closest('title')) continue;
    letters += texts.currentNode.textContent.trim().length;
    const style = getComputedStyle(element);
    if (parseFloat(style.fontSize) < 10) fault('size', `${style.fontSize}: ${short(element)}`);
    if (style.visibility !== 'visible' || style.opacity !== '1') fault('hidden', short(element));
    contrast(element, element.closest('svg') ? style.fill : style.color, 4.5);
  }
  if (letters < 100) fault('text', `${letters} letters`);
  for (const line of all('svg .line, svg .target')) contrast(line, getComputedStyle(line).stroke, 3);
  for (const [pair, [value, least, element]] of pairs) if (!(value >= least)) fault('contrast', `${pair}, has ${value.toFixed(2)}: ${short(element)}`);
  return faults;
})()
