"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const data = JSON.parse(one("#page-data").textContent);
  const shapes = one("#page-shapes");
  const slider = one(".controls input");
  const news = one(".news");
  const items = [...news.children];
  const last = data.frames.length - 1;
  const narrow = matchMedia("(max-width: 899px)");
  let now = last;
  let playing = 0;
  let writing = 0;
  let unnamed = true;

  // ------------------------------------------------------------------------------ the board

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

  // A thing that is marked has a halo of its own form.
  function haloed(element, mark) {
    element.classList.add(mark);
    const first = element.firstElementChild;
    for (const look of ["halo edge", "halo"]) {
      const halo = first.cloneNode();
      halo.setAttribute("class", look);
      element.insertBefore(halo, first);
    }
  }

  function paint(on, [came, moved, went]) {
    const shown = [...on].sort((a, b) => a - b);
    shapes.innerHTML = shown.map((cel) => data.cels[cel]).join("");
    const elements = new Map(shown.map((cel, nth) => [cel, shapes.children[nth]]));
    for (const cel of came) haloed(elements.get(cel), "came");
    for (const [cel, arrow] of moved) {
      haloed(elements.get(cel), "moved");
      elements.get(cel).prepend(drawn(arrow));
    }
    for (const [cel, across, down, x, y, above] of went) {
      const ghost = drawn(data.cels[cel]);
      ghost.id = `went-${ghost.id}`;
      ghost.classList.add("went");
      if (across || down) ghost.setAttribute("transform", `translate(${across} ${down})`);
      for (const look of ["cross edge", "cross"]) {
        ghost.append(drawn(`<use class="${look}" href="#cross" x="${x}" y="${y}"/>`));
      }
      shapes.insertBefore(ghost, elements.get(above) || null);
    }
    one("#page-says").textContent = shown.map((cel) => data.says[cel]).filter(Boolean).join(" ");
  }

  // ------------------------------------------------------------------------- going through it

  function show() {
    if (order && now === last) order.show();
    else paint(position(now), marks());
    order?.past(now !== last);
    one(".table").classList.toggle("earlier", now !== last);
    slider.value = now;
    slider.setAttribute("aria-valuetext", items[now].innerText);
    items.forEach((item, nth) => {
      if (nth === now) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    const told = one(".now");
    told.className = `now ${items[now].className}`;
    told.replaceChildren(...[...items[now].children].filter((part) => part.tagName !== "SPAN").map((part) => part.cloneNode(true)));
    reach();
  }

  // Whoever comes without naming a ply sees what the whole last turn has changed.
  function marks() {
    return unnamed ? data.last : data.marks[now];
  }

  function reach() {
    if (news.scrollHeight > news.clientHeight) {
      news.scrollTop = items[now].offsetTop - news.clientHeight / 3;
    }
  }

  // The address is written once the reader pauses: browsers allow so many changes a minute.
  function go(number) {
    now = Math.min(Math.max(number, 0), last);
    unnamed = false;
    show();
    clearTimeout(writing);
    writing = setTimeout(() => history.replaceState(null, "", `#${items[now].id}`), 200);
  }

  function play(on) {
    clearInterval(playing);
    playing = 0;
    if (on) {
      if (now === last) go(0);
      playing = setInterval(() => (now < last ? go(now + 1) : play(false)), 1200);
    }
    const button = one("[data-go=play]");
    button.setAttribute("aria-pressed", on);
  }

  const ways = {
    first: () => go(0),
    back: () => go(now - 1),
    on: () => go(now + 1),
    last: () => go(last),
    play: () => play(!playing),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };

  function follow() {
    const mark = document.getElementById(location.hash.slice(1));
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
      if (button.dataset.go !== "play") play(false);
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
    if (narrow.matches) one("#page-board").scrollIntoView({ block: "nearest" });
  });
  addEventListener("hashchange", follow);

  // ------------------------------------------------------------------------------- the order

  // The steps of an order so far: [move, position] by their numbers. -1 is beyond what is known.
  function composer({ moves, ids, nodes, subject, fence, to, longest }) {
    const steps = [];
    let only = null;
    const part = (name) => one(`.order .${name}`);
    const rest = one("#page-rest");
    const field = one("#page-fence");

    const here = () => (steps.length ? steps[steps.length - 1][1] : 0);

    function board(node) {
      const [before, cels] = nodes[node];
      return before === null ? position(last) : toggled(board(before), cels);
    }

    function choices() {
      if (here() < 0) return [];
      const [, , pairs] = nodes[here()];
      const found = [];
      for (let nth = 0; nth < pairs.length; nth += 2) found.push([pairs[nth], pairs[nth + 1]]);
      return found;
    }

    // Is every move known that there is, with what comes of it?
    function whole() {
      return !nodes[here()][3] && choices().every(([, target]) => target >= 0);
    }

    function choose(choice) {
      steps.push(choice);
      only = null;
      changed();
    }

    function changed() {
      show();
      const next = part("moves").querySelector("button") || (here() < 0 ? rest : field);
      next.focus({ preventScroll: true });
    }

    function written() {
      const typed = rest.value.split("\n").map((line) => line.trim()).filter(Boolean);
      return [...steps.map(([move]) => moves[move][0]), ...(part("more").hidden ? [] : typed)];
    }

    function tell() {
      const order = written();
      part("sent").hidden = !order.length;
      field.value = fence.replace("...", () => order.join("\n"));
      field.rows = order.length + 2;
      const body = encodeURIComponent(field.value.replace(/\n/g, "\r\n"));
      const address = encodeURIComponent(to).replace(/%40/g, "@");
      const link = `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${body}`;
      const mail = part("mail");
      mail.hidden = link.length > longest;
      mail.href = mail.hidden ? "" : link;
      part("long").hidden = !mail.hidden;
    }

    function button(text, act) {
      const item = document.createElement("li");
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = text;
      made.addEventListener("click", act);
      item.append(made);
      return item;
    }

    function paintTurn() {
      const known = steps.map(([, node]) => node).filter((node) => node >= 0);
      const on = board(known.length ? known[known.length - 1] : 0);
      paint(on, known.length ? nodes[known[known.length - 1]][4] : marks());
      const open = choices();
      const shown = open.filter(([move]) => !only || only.has(move));
      const found = new Map();
      for (const choice of open) {
        for (const id of moves[choice[0]][1]) found.set(ids[id], [...(found.get(ids[id]) || []), choice]);
      }
      for (const element of shapes.children) {
        const named = found.get(element.id);
        if (!named) continue;
        element.classList.add("choice");
        element.addEventListener("click", () => {
          const both = named.filter(([move]) => shown.some(([other]) => other === move));
          const meant = both.length ? both : named;
          if (meant.length === 1 && whole()) return choose(meant[0]);
          only = new Set(meant.map(([move]) => move));
          return changed();
        });
      }
      part("moves").replaceChildren(
        ...shown.map((choice) => button(moves[choice[0]][0], () => choose(choice))),
      );
      part("chosen").replaceChildren(
        ...steps.map(([move]) => {
          const item = document.createElement("li");
          item.textContent = moves[move][0];
          return item;
        }),
      );
      one("[data-do=undo]").disabled = !steps.length;
      one("[data-do=all]").hidden = !only;
      part("more").hidden = here() >= 0 && !nodes[here()][3];
      part("complete").hidden = open.length > 0 || !part("more").hidden;
      tell();
    }

    one("[data-do=undo]").addEventListener("click", () => {
      steps.pop();
      only = null;
      changed();
    });
    one("[data-do=all]").addEventListener("click", () => {
      only = null;
      changed();
    });
    one("[data-do=return]").addEventListener("click", () => go(last));
    rest.addEventListener("input", tell);
    field.addEventListener("focus", () => field.select());
    one(".order").hidden = false;
    return {
      show: paintTurn,
      past(away) {
        part("past").hidden = !away;
        for (const name of ["moves", "undone"]) part(name).hidden = away;
      },
    };
  }

  const order = data.order && composer(data.order);

  // --------------------------------------------------------------------------------- the rest

  const theme = one(".theme");
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = getComputedStyle(root).colorScheme.includes("dark");
    root.dataset.theme = dark ? "light" : "dark";
  });
  for (const hidden of [theme, one(".controls"), one(".now")]) hidden.hidden = false;
  follow();
  // By then the browser has gone where it thinks the link leads.
  addEventListener("load", () => requestAnimationFrame(rise));
})();
