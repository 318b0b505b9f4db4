// What does not fit the width that the page has now: the page itself never scrolls sideways, and what does is a box that says
// so and that the keyboard reaches; on paper nothing does.
(() => {
  const faults = [];
  const page = document.documentElement;
  if (page.scrollWidth > window.innerWidth) faults.push(`width: the page takes ${page.scrollWidth} of ${window.innerWidth}`);
  const isPaper = matchMedia('print').matches;
  for (const element of document.body.querySelectorAll('*')) {
    if (element.namespaceURI !== page.namespaceURI || element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) continue;
    const { overflowX } = getComputedStyle(element);
    const scrolls = overflowX === 'auto' || overflowX === 'scroll';
    if (isPaper || !scrolls || element.tabIndex < 0) faults.push(`width: ${element.scrollWidth} of ${element.clientWidth}: ${element.outerHTML.slice(0, 120)}`);
  }
  return faults;
})()
