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
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const status = one(".status");
  const stands = [...status.childNodes];
  const speeds = [["1×", 1200], ["2×", 600], ["½×", 2400]];
  let speed = 0;
  let now = last;
  let playing = 0;
  let writing = 0;
  let unnamed = true;
  let stepping = false;

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

  // The form of a thing once more: behind it, as the halo of what is marked, or upon it.
  function lined(element, looks, behind) {
    const form = [...element.children].find((part) => !part.matches("title, .trail, .halo"));
    for (const look of form ? looks : []) {
      const line = form.cloneNode();
      line.setAttribute("class", look);
      element.insertBefore(line, behind ? form : null);
    }
  }

  function haloed(element, mark) {
    element.classList.add(mark);
    lined(element, ["halo edge", "halo"], true);
  }

  function paint(on, [came, moved, went]) {
    const shown = [...on].sort((a, b) => a - b);
    shapes.innerHTML = shown.map((cel) => data.cels[cel]).join("");
    const elements = new Map(shown.map((cel, nth) => [cel, shapes.children[nth]]));
    for (const cel of came) haloed(elements.get(cel), "came");
    for (const [cel, arrow, across, down] of moved) {
      haloed(elements.get(cel), "moved");
      elements.get(cel).prepend(drawn(arrow));
      slide(elements.get(cel), across, down);
    }
    const left = new Map();
    for (const [cel, across, down, x, y, above] of went) {
      const ghost = drawn(data.cels[cel]);
      ghost.id = `went-${ghost.id}`;
      ghost.classList.add("went");
      if (across || down) ghost.setAttribute("transform", `translate(${across} ${down})`);
      for (const look of ["cross edge", "cross"]) {
        ghost.append(drawn(`<use class="${look}" href="#cross" x="${x}" y="${y}"/>`));
      }
      shapes.insertBefore(ghost, elements.get(above) || null);
      left.set(ghost.textContent, [x, y]);
    }
    for (const cel of came) arrive(elements.get(cel), left);
    const [pointed, arrows] = data.points[now] || [[], []];
    for (const cel of pointed) if (elements.has(cel)) haloed(elements.get(cel), "marked");
    for (const arrow of arrows) shapes.append(drawn(arrow));
    titled(shown, elements);
    one("#page-says").textContent = shown.map((cel) => data.says[cel]).filter(Boolean).join(" ");
  }

  // What a thing is, for who points at it.
  function titled(shown, elements) {
    for (const cel of shown) {
      if (!data.says[cel]) continue;
      const title = drawn("<title></title>");
      title.textContent = data.says[cel];
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
    else paint(position(now), marks());
    order?.past(now !== last);
    // Who has won is told where it came to that.
    status.replaceChildren(...(now === last ? stands : []));
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
    stepping = !still.matches;
    show();
    stepping = false;
    clearTimeout(writing);
    writing = setTimeout(() => history.replaceState(null, "", `#${items[now].id}`), 200);
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
    if (narrow.matches) one("#page-board").scrollIntoView({ block: "nearest" });
  });
  addEventListener("hashchange", follow);

  // ------------------------------------------------------------------------------- the order

  // The steps of an order so far: [move, position] by their numbers. -1 is beyond what is known.
  function composer({ moves, ids, own, nodes, subject, fence, to, longest }) {
    const steps = [];
    const mine = new Set(own);
    let picked = []; // the ids of the things chosen so far for the next move
    let why = "";
    const part = (name) => one(`.order .${name}`);
    const rest = one("#page-rest");
    const field = one("#page-fence");

    const here = () => (steps.length ? steps[steps.length - 1][1] : 0);
    const on = (move) => moves[move][1].map((id) => ids[id]);

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

    // The choices that all of these things are part of.
    const left = (things) => choices().filter(([move]) => things.every((id) => on(move).includes(id)));

    // Is every move known that there is, with what comes of it?
    function whole() {
      return !nodes[here()][3] && choices().every(([, target]) => target >= 0);
    }

    function choose(choice) {
      steps.push(choice);
      picked = [];
      changed();
    }

    function changed() {
      why = "";
      show();
    }

    // Who works with the keyboard goes on where there is something to do.
    function onward() {
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
      one("[data-do=send]").disabled = !order.length;
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

    function button(choice, act) {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = moves[choice[0]][0];
      made.addEventListener("click", act);
      hinted(made, choice);
      return made;
    }

    // What would come of a choice, while it is pointed at.
    function hinted(element, [, target]) {
      if (target < 0) return;
      let shown = false;
      const clear = () => {
        shown = false;
        for (const seen of shapes.querySelectorAll(".preview")) seen.remove();
        for (const seen of shapes.querySelectorAll(".leaving")) seen.classList.remove("leaving");
      };
      const hint = () => {
        if (shown) return;
        clear();
        shown = true;
        const [before, after] = [board(here()), board(target)];
        const ids = new Set();
        for (const cel of [...after].filter((each) => !before.has(each)).sort((a, b) => a - b)) {
          const coming = drawn(data.cels[cel]);
          ids.add(coming.id);
          coming.removeAttribute("id");
          if (coming.matches(".bridge, .full, .pale, .card, .slip, .tile, .stone")) {
            coming.classList.add("preview");
            shapes.append(coming);
          }
        }
        for (const cel of before) {
          if (after.has(cel)) continue;
          const id = drawn(data.cels[cel]).id;
          if (!ids.has(id)) shapes.querySelector(`[id="${id}"]`)?.classList.add("leaving");
        }
      };
      // Not where the page moves below a pointer that lies still.
      for (const event of ["pointermove", "focus"]) element.addEventListener(event, hint);
      for (const event of ["pointerleave", "blur"]) element.addEventListener(event, clear);
    }

    // What a move is clicked on besides that is part of a longer name: the islands of a line.
    function within(id, all) {
      const name = id.split("-").slice(1).join("-");
      return all.some((other) => {
        const longer = other.split("-").slice(1);
        return !mine.has(other) && longer.length > name.split("-").length
          && `-${longer.join("-")}-`.includes(`-${name}-`);
      });
    }

    function click(id) {
      if (picked.includes(id)) {
        picked = picked.filter((each) => each !== id);
        return changed();
      }
      const things = left([...picked, id]).length ? [...picked, id] : [id];
      const meant = left(things);
      if (meant.length === 1 && whole()) return choose(meant[0]);
      picked = things;
      return changed();
    }

    // Why nothing can be done with what was clicked on: the topmost thing there.
    function refuse(event) {
      if (now !== last || event.target.closest(".choice, .open, .chosen")) return;
      const hit = [...shapes.children].reverse().find((each) => {
        const { left: x, right, top, bottom } = each.getBoundingClientRect();
        return each.id.includes("-") && !each.matches(".text, .turn, .went")
          && x <= event.clientX && event.clientX <= right && top <= event.clientY && event.clientY <= bottom;
      });
      const name = hit ? hit.id.split("-").slice(1).join("-") : "";
      const done = !choices().length;
      why = done ? "Your order is complete: send it, or undo a move."
        : name ? `No move you can make now has to do with ${name}.`
        : "There is nothing to do here; click what is dotted.";
      one("#page-why").textContent = why;
    }

    function paintTurn() {
      const known = steps.map(([, node]) => node).filter((node) => node >= 0);
      paint(board(known.length ? known[known.length - 1] : 0), known.length ? nodes[known[known.length - 1]][4] : marks());
      const open = left(picked);
      const choosing = picked.length > 0;
      shapes.classList.add("composing");
      shapes.classList.toggle("choosing", choosing);
      const found = new Set(open.flatMap(([move]) => on(move)));
      const plain = new Set(open.flatMap(([move]) => on(move).filter((id) => !within(id, on(move)))));
      const wider = new Set(choices().flatMap(([move]) => on(move)));
      for (const element of [...shapes.children]) {
        const { id } = element;
        if (!wider.has(id)) continue;
        const chosen = picked.includes(id);
        const choice = found.has(id) && plain.has(id) && !(choosing && mine.has(id) && !picked.some((each) => !mine.has(each)) && open.every(([move]) => on(move).includes(id)));
        element.classList.add(chosen ? "chosen" : choice ? "choice" : "open");
        if (chosen || choice) lined(element, chosen ? ["bead", "hit"] : ["hit", "bead edge", "bead"]);
        element.addEventListener("click", () => click(id));
        const meant = left([...picked, id]);
        if (meant.length === 1) hinted(element, meant[0]);
      }
      part("moves").replaceChildren(
        ...open.map((choice) => {
          const item = document.createElement("li");
          item.append(button(choice, () => { choose(choice); onward(); }));
          return item;
        }),
      );
      // What nothing on the board tells apart is said in words.
      const spoken = !choosing ? open.filter(([move]) => !on(move).length)
        : shapes.querySelector(".choice") ? [] : open;
      part("plain").classList.toggle("picking", choosing);
      part("plain").replaceChildren(...(spoken.length > 6 ? [] : spoken).map((choice) => button(choice, () => choose(choice))));
      part("chosen").replaceChildren(
        ...steps.map(([move]) => {
          const item = document.createElement("li");
          item.textContent = moves[move][0];
          return item;
        }),
      );
      one("[data-do=undo]").disabled = !steps.length && !choosing;
      one("[data-do=all]").hidden = !choosing;
      part("more").hidden = here() >= 0 && !nodes[here()][3];
      part("complete").hidden = open.length > 0 || !part("more").hidden;
      const names = picked.map((id) => id.split("-").slice(mine.has(id) && id.split("-").length > 2 ? 2 : 1).join("-"));
      const count = open.length === 1 ? "one move" : `${open.length} moves`;
      part("picked").textContent = choosing ? `${names.join(", ")}: ${count}` : open.length ? `${count} to choose from` : "";
      one("#page-why").textContent = why;
      tell();
    }

    function drop() {
      if (picked.length) picked = [];
      else steps.pop();
      changed();
    }

    one("[data-do=undo]").addEventListener("click", drop);
    one("[data-do=all]").addEventListener("click", () => {
      picked = [];
      changed();
      onward();
    });
    one("[data-do=send]").addEventListener("click", () => {
      part("sent").scrollIntoView({ block: "center" });
      field.focus({ preventScroll: true });
    });
    one("[data-do=return]").addEventListener("click", () => go(last));
    one("#page-board").addEventListener("click", refuse);
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !picked.length) return;
      picked = [];
      changed();
    });
    rest.addEventListener("input", tell);
    field.addEventListener("focus", () => field.select());
    one(".order").hidden = false;
    return {
      show: paintTurn,
      past(away) {
        part("past").hidden = !away;
        if (away) shapes.classList.remove("composing", "choosing");
        one("#page-bar").hidden = part("moves").hidden = away;
      },
    };
  }

  const order = data.order && composer(data.order);

  // ------------------------------------------------------------------------------- on paper

  // A board at every tenth moment.
  addEventListener("beforeprint", () => {
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
  });

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
