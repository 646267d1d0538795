() => {
  const faults = [];
  const say = (rule, element) => faults.push(`${rule}: ${element.outerHTML.slice(0, 120)}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;

  // the page as a whole
  if (!document.documentElement.lang) faults.push("the page names no language");
  if (!document.title.trim()) faults.push("the page has no title");
  if (all("main").length !== 1) faults.push("there is not exactly one main landmark");
  if (all("h1").length !== 1) faults.push("there is not exactly one h1");
  const ids = all("[id]").map((element) => element.id);
  ids.filter((id, place) => ids.indexOf(id) !== place).forEach((id) => faults.push(`the id ${id} stands twice`));
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6").filter(shown)) {
    const here = Number(heading.tagName[1]);
    if (level && here > level + 1) say("a heading skips a level", heading);
    level = here;
  }

  // names
  const nameOf = (element) => {
    const by = (element.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
    if (by.length) return by.map((id) => document.getElementById(id)?.textContent || "").join(" ").trim();
    if (element.getAttribute("aria-label")) return element.getAttribute("aria-label").trim();
    if (element.labels?.length) return [...element.labels].map((label) => label.textContent).join(" ").trim();
    return (element.textContent || element.getAttribute("alt") || element.title || "").trim();
  };
  all("a[href], button, input:not([type=hidden]), select, textarea, summary, nav, [role=region], [role=img], img, svg:not([aria-hidden])")
    .filter(shown).forEach((element) => { if (!nameOf(element)) say("no name", element); });
  all("input:not([type=hidden]), select, textarea").filter(shown)
    .forEach((element) => { if (!element.labels?.length && !element.getAttribute("aria-label") && !element.getAttribute("aria-labelledby")) say("no label", element); });
  all("[aria-describedby], [aria-labelledby], [aria-controls]").forEach((element) => {
    for (const attribute of ["aria-describedby", "aria-labelledby", "aria-controls"]) {
      for (const id of (element.getAttribute(attribute) || "").split(/\s+/).filter(Boolean)) {
        if (!document.getElementById(id)) say(`${attribute} leads nowhere`, element);
      }
    }
  });
  all("[aria-invalid=true]").forEach((element) => { if (!element.getAttribute("aria-describedby")) say("an error is not tied to its field", element); });

  // tables
  all("table").forEach((table) => {
    if (!table.querySelector("th")) say("a table has no headers", table);
    if (!nameOf(table.caption || table.closest("[aria-labelledby], [aria-label]") || document.createElement("i"))) say("a table has no name", table);
    table.querySelectorAll("thead th").forEach((cell) => { if (!cell.scope) say("a header has no scope", cell); });
  });
  all("*").filter((element) => element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX))
    .forEach((element) => { if (element.tabIndex < 0) say("what scrolls cannot be reached by keyboard", element); });

  // targets: at least 24 pixels, but for links within text
  all("a[href], button, input:not([type=hidden]), select, summary").filter(shown).forEach((element) => {
    if (element.closest("p, li, td, th, dd") && getComputedStyle(element).display === "inline") return;
    const box = element.getBoundingClientRect();
    if (element.classList.contains("skip")) return;
    if (box.width < 24 || box.height < 24) say(`a target of ${Math.round(box.width)} x ${Math.round(box.height)}`, element);
  });

  // contrast
  const parse = (colour) => {
    const numbers = colour.match(/[\d.]+/g).map(Number);
    return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
  };
  const over = (top, below, alpha) => top.map((value, i) => value * alpha + below[i] * (1 - alpha));
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer.rgb, below, layer.alpha), matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255]);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || seen.has(element) || !shown(element) || element.closest("[aria-hidden=true], script, style, noscript")) continue;
    seen.add(element);
    const style = getComputedStyle(element), svg = element.closest("svg");
    const ink = parse(svg ? style.fill : style.color);
    const below = ground(svg ? svg.parentElement : element);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const found = contrast(over(ink.rgb, below, ink.alpha), below);
    if (found < (large ? 3 : 4.5)) say(`contrast ${found.toFixed(2)}`, element);
  }
  all("input:not([type=hidden]), select, textarea").filter(shown).forEach((element) => {
    const line = parse(getComputedStyle(element).borderTopColor), below = ground(element.parentElement);
    if (parseFloat(getComputedStyle(element).borderTopWidth) && contrast(over(line.rgb, below, line.alpha), below) < 3) say("the edge of a field is too faint", element);
  });
  return faults;
}
