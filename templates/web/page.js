"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  // A sentence in the language of the page; its blanks are filled in here.
  const words = JSON.parse(one("#page-words")?.textContent || "{}");
  const say = (text, values) => (words[text] || text).replace(/\{(\w+)\}/g, (blank, name) => values?.[name] ?? blank);
  const data = JSON.parse(one("#page-data").textContent);
  const shapes = one("#page-shapes");
  const slider = one(".controls input");
  const news = one(".news");
  const items = [...news.children];
  for (const sentence of document.querySelectorAll(".news p, .now p")) unbroken(sentence);
  const last = data.frames.length - 1;
  const phone = matchMedia("(max-width: 899px), (max-height: 520px)");
  const upright = matchMedia("(max-width: 599px), (max-width: 899px) and (min-height: 521px)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const speeds = [["1×", 1200], ["2×", 600], ["½×", 2400]];
  let speed = 0;
  let now = last;
  let playing = 0;
  let writing = 0;
  let unnamed = true;
  let stepping = false;
  let across = innerWidth;
  let held = 0; // how high the caption of a turn is, whatever it comes to say
  let opened = null; // how the match stands for one seat, where that was sealed
  let order = null; // the turn that is put together
  let kept = () => []; // what an address holds besides the ply
  const lastTurn = [...one(".now").childNodes];
  const whose = news.dataset.kept;

  // Whatever this device remembers stays here. A browser that keeps nothing for anybody says so by
  // failing.
  function store(act) {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  }

  // Where the reader was when the match had not come to where it stands on this page.
  function looked() {
    const name = `pbem seen ${whose}`;
    const [before, latest] = (store((device) => device.getItem(name)) || "").split(" ");
    const was = latest === items[last].id ? before : latest;
    store((device) => device.setItem(name, `${was || ""} ${items[last].id}`));
    const nth = items.findIndex((item) => was && (item.id === was || item.querySelector(`[id="${was}"]`)));
    return nth < 0 ? items.length : nth + 1;
  }

  // ------------------------------------------------------------------------------ the board

  const { width: wide, height: high } = one("#page-board").viewBox.baseVal;
  const sea = Number(shapes.querySelector("[id=sea] > rect")?.getAttribute("height")) || high;
  document.documentElement.style.setProperty("--tall", high / wide);
  document.documentElement.style.setProperty("--map-tall", sea / wide);
  document.documentElement.style.setProperty("--rows-tall", (high - sea) / wide);

  // What lies below the map is laid beside it, in the room for it there, where its words are as large
  // as on a phone held upright.
  function lay(beside = !upright.matches && sea < high) {
    const [board, { classList }] = [one("#page-board"), document.body];
    if (!beside && !classList.contains("beside")) return;
    classList.toggle("beside", beside);
    board.setAttribute("viewBox", `0 0 ${wide} ${beside ? sea : high}`);
    if (!beside) return;
    const { x, y, width } = one(".rows").getBoundingClientRect();
    if (width < wide / 2) return lay(false);
    const { a: unit, e: left, f: top } = board.getScreenCTM();
    const scale = width / wide / unit;
    const place = { scale, x: `${(x - left) / unit}px`, y: `${(y - top) / unit - scale * sea}px` };
    sorted([...shapes.children]);
    for (const [name, value] of Object.entries(place)) shapes.style.setProperty(`--beside-${name}`, value);
  }

  // All are measured before any is marked: else the browser would lay out the board for each.
  function sorted(elements) {
    const boxes = elements.map((each) => each.getBBox());
    boxes.forEach(({ y, height }, nth) => elements[nth].classList.toggle("below", y + height / 2 > sea));
  }

  function toggled(on, cels) {
    const after = new Set(on);
    for (const cel of cels) after.has(cel) ? after.delete(cel) : after.add(cel);
    return after;
  }

  function position(number) {
    let on = new Set();
    for (const cels of data.frames.slice(0, number + 1)) on = toggled(on, cels);
    return on;
  }

  function drawn(text) {
    const holder = shapes.cloneNode(false);
    holder.innerHTML = text;
    return holder.firstElementChild;
  }

  const formOf = (element) => element.querySelector(":scope > :not(title, .trail, .halo, .hit, .bead)");

  // The form of a thing once more: behind it, as the halo of what is marked, or upon it, below its words.
  function lined(element, looks, behind) {
    const form = formOf(element);
    for (const look of form ? looks : []) {
      const line = form.cloneNode();
      line.setAttribute("class", look);
      if (form.href) line.setAttribute("href", form.getAttribute("href").replace("#pale-", "#"));
      element.insertBefore(line, behind ? form : element.querySelector(":scope > text"));
    }
  }

  function haloed(element, mark) {
    element.classList.add(mark);
    lined(element, ["halo edge", "halo"], true);
  }

  const film = () => (opened && now === last ? opened : data);

  function paint(on, [came, moved, went]) {
    const { cels } = film();
    const shown = [...on].sort((a, b) => a - b);
    shapes.innerHTML = shown.map((cel) => cels[cel]).join("");
    const elements = new Map(shown.map((cel, nth) => [cel, shapes.children[nth]]));
    for (const cel of came) haloed(elements.get(cel), "came");
    for (const [cel, arrow, across, down] of moved) {
      haloed(elements.get(cel), "moved");
      if (arrow) elements.get(cel).prepend(drawn(arrow));
      slide(elements.get(cel), across, down);
    }
    const left = new Map();
    for (const [cel, across, down, x, y, above] of went) {
      const ghost = drawn(cels[cel]);
      ghost.id = `went-${ghost.id}`;
      ghost.classList.add("went");
      if (across || down) ghost.setAttribute("transform", `translate(${across} ${down})`);
      ghost.append(drawn(`<use class="cross" href="#cross" x="${x}" y="${y}"/>`));
      shapes.insertBefore(ghost, elements.get(above) || null);
      left.set(ghost.textContent, [x, y]);
    }
    for (const cel of came) arrive(elements.get(cel), left);
    const [pointed, arrows] = film() === data && data.points[now] || [[], []];
    for (const cel of pointed) if (elements.has(cel)) haloed(elements.get(cel), "marked");
    for (const arrow of arrows) shapes.append(drawn(arrow));
    titled(shown, elements);
    one("#page-says").textContent = shown.map((cel) => film().says[cel]).filter(Boolean).join(" ");
  }

  // What a thing is, for who points at it.
  function titled(shown, elements) {
    for (const cel of shown) {
      if (!film().says[cel]) continue;
      const title = drawn("<title></title>");
      title.textContent = film().says[cel];
      elements.get(cel).prepend(title);
    }
  }

  // ------------------------------------------------------------------------------ the motion

  // Only from moment to moment: who puts a turn together sees at once what is there.
  function slide(element, across, down) {
    if (!stepping) return;
    element.animate([{ transform: `translate(${across}px, ${down}px)` }, { transform: "none" }], 250);
  }

  // A bridge grows from island to island; a card comes from where it lay, or from the pile.
  function arrive(element, left) {
    if (!stepping) return;
    const line = element.querySelector("line.core");
    const box = element.querySelector("rect, use");
    const from = left.get(element.textContent) || middle(shapes.querySelector("#pile-draw, #bag"));
    if (line) {
      element.style.transformOrigin = `${line.getAttribute("x1")}px ${line.getAttribute("y1")}px`;
      element.animate([{ transform: "scale(0)" }, { transform: "none" }], 250);
    } else if (box && from && /^(hand|display|offering|table|tile)-/.test(element.id)) {
      const [x, y] = middle(element);
      slide(element, from[0] - x, from[1] - y);
    } else {
      element.animate([{ opacity: 0 }, { opacity: 1 }], 250);
    }
  }

  function middle(element) {
    if (!element) return null;
    const { x, y, width, height } = element.getBBox();
    return [x + width / 2, y + height / 2];
  }

  // ------------------------------------------------------------------------- going through it

  function show() {
    if (order && now === last) order.show();
    else paint(stood(), marks());
    order?.past(now !== last);
    document.body.classList.toggle("past", now !== last);
    for (const [way, end] of [["first", 0], ["back", 0], ["on", last], ["last", last]]) {
      one(`.controls [data-go=${way}]`).ariaDisabled = now === end ? "true" : null;
    }
    slider.value = now;
    slider.setAttribute("aria-valuetext", items[now].innerText);
    items.forEach((item, nth) => {
      if (nth === now) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    const told = one(".now");
    const whole = unnamed && now === last;
    told.className = whole ? "now turn" : `now ${items[now].className}`;
    told.replaceChildren(...(whole ? lastTurn : [...items[now].children].filter((part) => part.tagName !== "SPAN").map((part) => part.cloneNode(true))));
    document.body.classList.toggle("deciding", Boolean(order) && now === last);
    order?.tells(told);
    order?.keepClear();
    fold(told);
    order?.keepClear();
    lay();
    reach();
  }

  // No line ends within what a place is called: U-O.
  function unbroken(element) {
    const named = (text) => text.replace(/\b[A-Z]+(-[A-Z]+)+\b/g, '<span class="named">$&</span>');
    if (!element.querySelector(".named")) element.innerHTML = element.innerHTML.replace(/^[^<]+|>[^<]+/g, named);
  }

  // As many whole lines as there is room for, from the move itself on; the board does not jump from
  // moment to moment.
  function fold(told) {
    told.style.height = told.style.maxHeight = "";
    told.classList.remove("cut");
    told.scrollTop = 0;
    if (!phone.matches || told.matches(".opened")) return;
    const { maxHeight, lineHeight, borderTopWidth } = getComputedStyle(told);
    const [room, line, edge] = [maxHeight, lineHeight, borderTopWidth].map(parseFloat);
    const lines = Math.max(2, Math.floor((room - 2 * edge) / line));
    const first = !held && document.body.matches(".deciding");
    const high = `${(order && held) || lines * line + 2 * edge}px`;
    told.style.maxHeight = high;
    if (!first) told.style.height = high;
    told.classList.toggle("cut", told.scrollHeight > told.clientHeight + line / 2);
    if (first) held = Math.max(2 * line + 2 * edge, told.getBoundingClientRect().height);
    if (first) told.style.height = `${held}px`;
    document.documentElement.style.setProperty("--shut", `${told.offsetHeight}px`);
  }

  // Whoever comes without naming a ply sees, and is told, what the whole last turn has changed.
  function marks() {
    if (film() === opened) return opened.last;
    return unnamed ? data.last : data.marks[now];
  }

  const stood = () => (film() === opened ? new Set(opened.shown) : position(now));

  // The list begins with a whole line, though a blank is left at its end.
  function reach() {
    news.style.paddingBottom = "";
    const far = news.scrollHeight - news.clientHeight;
    const top = Math.min(far, items[now].offsetTop - news.clientHeight / 3);
    const { offsetTop } = items.find((item) => item.offsetTop >= top) || items[now];
    news.style.paddingBottom = `${Math.max(0, offsetTop - far)}px`;
    news.scrollTop = offsetTop;
  }

  // The address is written once the reader pauses: browsers allow so many changes a minute.
  function go(number) {
    now = Math.min(Math.max(number, 0), last);
    unnamed = false;
    stepping = !still.matches;
    show();
    stepping = false;
    clearTimeout(writing);
    writing = setTimeout(() => address(items[now].id), 200);
  }

  function address(mark) {
    const parts = [...kept(), mark].filter(Boolean);
    history.replaceState(null, "", parts.length ? `#${parts.join("&")}` : location.pathname);
  }

  function play(on) {
    clearInterval(playing);
    playing = 0;
    if (on) {
      if (now === last) go(0);
      playing = setInterval(() => (now < last ? go(now + 1) : play(false)), speeds[speed][1]);
    }
    const button = one("[data-go=play]");
    button.setAttribute("aria-pressed", on);
  }

  const ways = {
    first: () => go(0),
    back: () => go(now - 1),
    since: () => go(fresh < data.turn ? fresh : last - 1),
    on: () => go(now + 1),
    last: () => go(last),
    play: () => play(!playing),
    speed() {
      speed = (speed + 1) % speeds.length;
      one("[data-go=speed]").textContent = speeds[speed][0];
      if (playing) play(true);
    },
  };
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };

  function stand() {
    unnamed = true;
    now = last;
    show();
    address("");
  }

  function follow() {
    const mark = document.getElementById(location.hash.slice(1).split("&").pop());
    const number = items.indexOf(mark && mark.closest(".news > li"));
    unnamed = number < 0;
    now = unnamed ? last : number;
    show();
    rise();
  }

  // A link leads to a board, not to its line in the list.
  function rise() {
    scrollTo(0, 0);
    reach();
  }

  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => {
      if (!["play", "speed"].includes(button.dataset.go)) play(false);
      ways[button.dataset.go]();
    });
  }
  slider.addEventListener("input", () => {
    play(false);
    go(Number(slider.value));
  });
  document.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    const field = event.target.closest("input, textarea");
    const pressed = event.key === " " && event.target.closest("button, a");
    if (!way || field || pressed || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (way !== "play") play(false);
    ways[way]();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".news a, .now a");
    if (!link) return;
    event.preventDefault();
    play(false);
    go(items.findIndex((item) => `#${item.id}` === link.getAttribute("href")));
    if (phone.matches) one("#page-board").scrollIntoView({ block: "nearest" });
  });
  addEventListener("hashchange", follow);
  addEventListener("resize", () => {
    if (across !== innerWidth) held = 0;
    across = innerWidth;
    fold(one(".now"));
    lay();
  });
  // A finger hits a rule of the caption as if it were 44 pixels large, or half the way to the next.
  function cited({ clientX, clientY }) {
    const far = (each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return Math.max(Math.abs(x + width / 2 - clientX), Math.abs(y + height / 2 - clientY));
    };
    const [nearest] = [...document.querySelectorAll(".now:not(.cut) .cited")].sort((a, b) => far(a) - far(b));
    return nearest && far(nearest) <= 22 ? nearest : null;
  }

  one(".now").addEventListener("click", (event) => {
    if (event.target.closest("a, button")) return;
    const told = one(":is(.now.cut, .now.opened)");
    const rule = cited(event);
    if (rule) return rule.click();
    if (!told) return;
    told.classList.toggle("opened");
    fold(told);
  });

  // ------------------------------------------------------------------------------- on paper

  // A board at every tenth moment.
  addEventListener("beforeprint", () => {
    lay(false);
    const box = one("#page-board").getAttribute("viewBox");
    for (let nth = 10; nth < last; nth += 10) {
      const cels = [...position(nth)].sort((a, b) => a - b).map((cel) => data.cels[cel]);
      const text = cels.join("").replace(/<g id="[^"]*"/g, "<g");
      const board = drawn(`<svg class="board plate-of" viewBox="${box}">${text}</svg>`);
      items[nth].querySelector("div").append(board);
    }
  });
  addEventListener("afterprint", () => {
    for (const board of document.querySelectorAll(".plate-of")) board.remove();
    lay();
  });

  // --------------------------------------------------------------------------------- the rest

  const theme = one(".theme");
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = getComputedStyle(root).colorScheme.includes("dark");
    root.dataset.theme = dark ? "light" : "dark";
  });
/* turn.js */
/* sealed.js */
  for (const hidden of [theme, one(".controls")]) hidden.hidden = false;
  const fresh = looked();
  for (const item of items.slice(fresh)) item.classList.add("new");
  if (fresh < data.turn) {
    const more = document.createElement("button");
    more.type = "button";
    more.className = "since";
    const [ply] = items[fresh].querySelector("a").textContent.split("-");
    more.textContent = say("New since you last looked: from {ply} on", { ply });
    more.addEventListener("click", ways.since);
    lastTurn.unshift(more);
    // A phone has no room for it on one's turn.
    const fold = one(".fold");
    fold.append(ply);
    fold.title = fold.ariaLabel = more.textContent;
  }
  follow();
  // By then the browser has gone where it thinks the link leads.
  addEventListener("load", () => requestAnimationFrame(rise));
})();
