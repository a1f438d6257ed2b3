  // ------------------------------------------------------------------------------- the order

  // The steps of an order so far: [move, position] by their numbers. -1 is beyond what is known.
  // `sign` makes the code below an order, where one is asked for; `changes` hears of each move.
  function composer({ moves, ids, own, nodes, subject, fence, to, longest, why: broken, asks, until, names, reads }, sign, changes) {
    const steps = [];
    const mine = new Set(own);
    let picked = []; // the ids of the things chosen so far for the next move
    let why = "";
    let leads = ""; // the id of what was chosen last with the keyboard
    let tall = 0;
    const part = (name) => one(`.order .${name}`);
    const rest = one("#page-rest");
    const field = one("#page-fence");

    const here = () => (steps.length ? steps[steps.length - 1][1] : 0);
    const read = (text) => reads[text] || text; // with the players' names
    const on = (move) => moves[move][1].map((id) => ids[id]);

    function board(node) {
      const [before, cels] = nodes[node];
      return before === null ? stood() : toggled(board(before), cels);
    }

    // What nothing on the board stands for, such as to pass, comes last.
    function choices() {
      if (here() < 0) return [];
      const [, , pairs] = nodes[here()];
      const found = [];
      for (let nth = 0; nth < pairs.length; nth += 2) found.push([pairs[nth], pairs[nth + 1]]);
      return found.sort(([one], [other]) => !on(one).length - !on(other).length);
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
      const buttons = [...document.querySelectorAll(".moves button, .plain button")];
      const next = buttons.find((each) => each.offsetParent) || (here() < 0 ? rest : part("mail"));
      next.focus({ preventScroll: true });
    }

    function written() {
      const typed = rest.value.split("\n").map((line) => line.trim()).filter(Boolean);
      return [...steps.map(([move]) => moves[move][0]), ...(part("more").hidden ? [] : typed)];
    }

    async function tell() {
      const order = written();
      part("sent").hidden = !order.length;
      part("copied").textContent = "";
      changes?.(order);
      line();
      send("");
      if (sign && order.length) {
        field.value = "";
        const code = await sign(order);
        if (`${order}` !== `${written()}`) return;
        order.push(code);
      }
      field.value = fence.replace("...", () => order.join("\n"));
      field.rows = field.value.split("\n").length;
      const body = encodeURIComponent(field.value.replace(/\n/g, "\r\n"));
      const address = encodeURIComponent(to).replace(/%40/g, "@");
      const link = `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${body}`;
      if (order.length) send(link.length > longest ? "#page-fence" : link);
    }

    function send(link) {
      const mail = part("mail");
      mail.toggleAttribute("aria-disabled", !link);
      if (link) mail.href = link;
      else mail.removeAttribute("href");
    }

    // The board keeps clear of the bar, which is never smaller than it was; it does not jump for what
    // the bar says for a moment.
    function keepClear() {
      const { style } = document.documentElement;
      if (!tall) style.setProperty("--bar", "0px");
      style.setProperty("--top", `${one("#page-board").getBoundingClientRect().top + scrollY}px`);
      if (!why) tall = Math.max(tall, one("#page-bar").offsetHeight);
      style.setProperty("--bar", `${tall}px`);
    }

    // What is known of an order once it was sent: which one the mail program was given, and when.
    const given = `pbem given ${whose}`;
    const unsent = new RegExp(`^${say("not sent")}`);

    function line() {
      const [, , pairs, more] = here() < 0 ? [0, 0, [], true] : nodes[here()];
      const open = left(picked);
      const [position, text, at] = store((device) => JSON.parse(device.getItem(given))) || [];
      const sent = position === fence && [text, ""].includes(written().join("; ")) && !picked.length;
      const whole = !pairs.length && !more;
      const heading = one("#page-order");
      // What comes without an answer does not come to whoever has given one.
      part("until").textContent = (steps.length ? until.slice(0, 1) : until).filter(Boolean).join(" \u00b7 ");
      if (sent) for (const text of shapes.querySelectorAll(".faint > text")) handed(text);
      heading.classList.toggle("complete", whole);
      heading.textContent = whole ? say("Your order is complete.")
        : asks[nodes[Math.max(here(), 0)][4]] || say("You have answered, and may still change that; nobody waits for you.");
      part("line").textContent = why
        || (sent ? say("Given to your mail program on {at}: {moves}. If you sent it, the answer comes by mail.", { at, moves: text })
        : picked.length ? further(open) : "");
      unbroken(heading);
      // What is said of a whole order says that it is whole; what else is said takes the room of the question.
      heading.hidden = false;
      heading.hidden = part("line").textContent !== "" && (whole || picked.length > 0 || (tall > 0 && one("#page-bar").offsetHeight > tall + 1));
    }

    // What is still to be said once something is chosen takes the place of the question.
    function further(open) {
      const things = picked.map(called).join(", ");
      const more = open.map(([move]) => on(move).filter((id) => !picked.includes(id)));
      const all = (kind) => more.every((ids) => ids.some((id) => id.startsWith(kind)));
      if (open.length === 1) return say("{things}: one move", { things });
      if (open.every((choice) => card(choice, open))) return say("Which card do you play?");
      if (all("line-")) return say("{things}: which line?", { things });
      if (all("island-")) return say("{things}: where to?", { things });
      if (all("")) return say("{things}: choose what goes with it.", { things });
      return say("{things}: {n} moves", { things, n: open.length });
    }

    // The card in hand that is all that tells a choice from the others, if it is one.
    function card([move], open) {
      const hand = (each) => on(each).filter((id) => mine.has(id) && id.startsWith("hand-") && !picked.includes(id));
      const apart = ([other]) => on(other).filter((id) => !mine.has(id)).join() === on(move).filter((id) => !mine.has(id)).join();
      return picked.length && open.length > 1 && hand(move).length === 1 && open.every(apart)
        && new Set(open.flatMap(([other]) => hand(other))).size === open.length ? hand(move)[0] : "";
    }

    // A row that says "not sent" says no more than is known, in no more room than any hand leaves.
    function handed(text) {
      if (!unsent.test(text.textContent)) return;
      text.textContent = say("in your mail program");
      if (text.getComputedTextLength() > 170) text.setAttribute("textLength", 170);
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }

    // What a thing says of itself, as it lies there: another card may have lain there before.
    function saying(id) {
      return document.getElementById(id)?.querySelector(":scope > title")?.textContent.replace(/\.$/, "");
    }

    // What says nothing is called as players call it.
    function called(id) {
      return saying(id) || names[id] || id.split("-").slice(1).join("-");
    }

    function button([move], act, says = read(moves[move][0])) {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = says;
      made.addEventListener("click", act);
      return made;
    }

    function offered(choice, open, act) {
      const only = card(choice, open);
      const made = button(choice, act, only ? called(only) : undefined);
      hinted(made, choice);
      return made;
    }

    function listed(buttons) {
      return buttons.map((each) => {
        const item = document.createElement("li");
        item.append(each);
        return item;
      });
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
          const coming = drawn(film().cels[cel]);
          ids.add(coming.id);
          coming.removeAttribute("id");
          if (coming.matches(".bridge, .full, .pale, .card, .slip, .tile, .stone")) {
            coming.classList.add("preview");
            shapes.append(coming);
            sorted([coming]);
          }
        }
        for (const cel of before) {
          if (after.has(cel)) continue;
          const id = drawn(film().cels[cel]).id;
          if (!ids.has(id)) shapes.querySelector(`[id="${id}"]`)?.classList.add("leaving");
        }
      };
      // Not where the page moves below a pointer that lies still.
      for (const event of ["pointermove", "focus"]) element.addEventListener(event, hint);
      for (const event of ["pointerleave", "blur"]) element.addEventListener(event, clear);
    }

    // What a move is clicked on besides that is part of a longer name: the islands of a line, but not
    // the one to which a pawn goes along a fish.
    function within(id, all) {
      if (id.startsWith("island-") && all.some((other) => other.startsWith("pawn-"))) return false;
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
      const target = left([...picked, id]).length ? id : below(id);
      const things = target ? [...picked, target] : [id];
      const meant = left(things);
      // Whoever taps where a pawn of theirs may stand has not said what it shall do.
      const verbless = things.length === 1 && /^(pawn|island)-/.test(id);
      if (meant.length === 1 && whole() && !verbless) return choose(meant[0]);
      picked = things;
      return changed();
    }

    // What fits what is chosen and has this thing upon it.
    function below(id) {
      const thing = document.getElementById(id);
      if (!picked.length || !thing || thing.matches(".line")) return "";
      const { x, y, width, height } = formOf(thing).getBoundingClientRect();
      const there = document.elementsFromPoint(x + width / 2, y + height / 2);
      return there.map((each) => each.closest("#page-shapes > .choice")).find(Boolean)?.id || "";
    }

    // What a move begins with, before anything is chosen: a pawn, if one is to go.
    function begins(move) {
      const pawns = picked.length ? [] : on(move).filter((id) => id.startsWith("pawn-"));
      return pawns.length ? pawns : on(move);
    }

    // Why nothing can be done with what was clicked on: the rule, as far as it is known, or else
    // the smallest thing there.
    function refuse(event) {
      if (now !== last || event.target.closest(".choice, .open, .chosen")) return;
      const size = (each) => each.getBoundingClientRect().width * each.getBoundingClientRect().height;
      const hits = [...shapes.children].filter((each) => {
        const { left: x, right, top, bottom } = each.getBoundingClientRect();
        return each.id.includes("-") && !each.matches(".text, .turn, .went")
          && x <= event.clientX && event.clientX <= right && top <= event.clientY && event.clientY <= bottom;
      }).sort((a, b) => size(a) - size(b));
      const ruled = steps.length ? null : [event.target.closest("[id]"), ...hits].find((each) => broken[each.id]);
      const hit = hits.find((each) => saying(each.id) || /^(line|current|island)-/.test(each.id));
      const things = picked.map(called).join(", ");
      const thing = hit && called(hit.id);
      why = !choices().length ? say("Your order is complete: send it, or undo a move.")
        : ruled ? broken[ruled.id]
        : thing && things ? say("{thing}: no move with what you have chosen ({things}).", { things, thing })
        : thing ? say("{thing}: nothing you can do now.", { thing })
        : say("There is nothing to do here; choose what has beads.");
      line();
    }

    // Where a thing is that has one place: no line, no island.
    function spot(element) {
      const form = formOf(element);
      if (!form?.matches("use, circle")) return null;
      const { x, y, width, height } = form.getBBox();
      const { e, f } = form.transform.baseVal[0]?.matrix || { e: 0, f: 0 };
      return [x + width / 2 + e, y + height / 2 + f];
    }

    // A finger hits a thing where it is; a figure, which is small, on a disc around it, as large as
    // a finger where none of the other spots is near.
    function hittable(element, spots) {
      const at = element.matches(".tile, .slip") ? null : spot(element);
      if (!at) return lined(element, ["hit"]);
      const apart = spots.map(([x, y]) => Math.hypot(x - at[0], y - at[1])).filter(Boolean);
      const far = Math.max(23, Math.min(45, ...apart.map((each) => each / 2)));
      return element.append(drawn(`<circle class="hit" cx="${at[0]}" cy="${at[1]}" r="${far}"/>`));
    }

    // Who works with the keyboard comes to each thing that can be clicked on, and hears what it is.
    function operable(element, id) {
      element.tabIndex = 0;
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", called(id));
      element.setAttribute("aria-pressed", picked.includes(id));
      element.addEventListener("click", () => click(id));
      element.addEventListener("keydown", (event) => {
        // From what has just been chosen to what it may be used on, which may come before it.
        const next = event.key === "Tab" && !event.shiftKey && leads === id && shapes.querySelector(".choice");
        leads = event.key === "Enter" ? id : "";
        next?.focus?.();
        if (next) event.preventDefault();
        if (event.key !== "Enter") return;
        event.preventDefault();
        click(id);
        if (document.activeElement === document.body) onward();
      });
    }

    function paintTurn() {
      const held = document.activeElement.closest("#page-shapes [tabindex]")?.id;
      one("#page-board").setAttribute("role", "group");
      const known = steps.map(([, node]) => node).filter((node) => node >= 0);
      paint(board(known.length ? known[known.length - 1] : 0), known.length ? nodes[known[known.length - 1]][5] : marks());
      const open = left(picked);
      const choosing = picked.length > 0;
      shapes.classList.add("composing");
      shapes.classList.toggle("choosing", choosing);
      shapes.classList.toggle("entered", steps.length > 0);
      const found = new Set(open.flatMap(([move]) => on(move)));
      const plain = new Set(open.flatMap(([move]) => begins(move).filter((id) => !within(id, on(move)))));
      const wider = new Set(choices().flatMap(([move]) => on(move)));
      const things = [...shapes.children].filter((each) => wider.has(each.id) || saying(each.id));
      const spots = things.map(spot).filter(Boolean);
      for (const element of [...shapes.children]) {
        const { id } = element;
        if (!wider.has(id)) continue;
        const chosen = picked.includes(id);
        const choice = found.has(id) && plain.has(id) && !(choosing && mine.has(id) && !picked.some((each) => !mine.has(each)) && open.every(([move]) => on(move).includes(id)));
        element.classList.add(chosen ? "chosen" : choice ? "choice" : "open");
        if (chosen || choice) {
          hittable(element, spots);
          // Around a small figure, not upon it: whose it is can still be seen.
          const around = !element.matches(".tile, .slip") && formOf(element)?.matches("use");
          const beads = chosen ? ["bead"] : ["bead edge", "bead"];
          lined(element, around ? beads.map((bead) => `${bead} around`) : beads, around);
        }
        operable(element, id);
        const meant = left([...picked, id]);
        if (meant.length === 1) hinted(element, meant[0]);
      }
      if (held) document.getElementById(held)?.focus({ preventScroll: true });
      // What no further click tells from the others, and what nothing on the board does, is said in
      // words; so are three or fewer, before anything is chosen if they stand in one line.
      const sure = (id) => picked.includes(id) || (choosing && open.every(([move]) => on(move).includes(id)));
      const short = open.map(([move]) => read(moves[move][0])).join("   ").length < 31;
      const few = open.length < 4 && (choosing || (short && !steps.length));
      const spoken = few || (choosing && !shapes.querySelector(".choice")) ? open
        : open.filter(([move]) => on(move).every(sure));
      const inBar = spoken.length > 6 ? [] : spoken;
      part("plain").replaceChildren(...inBar.map((choice) => offered(choice, open, () => choose(choice))));
      part("how").hidden = steps.length > 0 || choosing || inBar.length > 0;
      const list = listed(open.map((choice) => offered(choice, open, () => { choose(choice); onward(); })));
      list.forEach((item, nth) => item.classList.toggle("spoken", inBar.includes(open[nth])));
      part("moves").replaceChildren(...list);
      part("chosen").replaceChildren(...listed(steps.map((step, nth) => {
        const back = button(step, () => { steps.length = nth; picked = []; changed(); });
        back.title = say("Take back from here");
        return back;
      })));
      part("chosen").scrollLeft = 9999; // the newest
      one("[data-do=undo]").disabled = !steps.length && !choosing;
      part("more").hidden = here() >= 0 && !nodes[here()][3];
      tell();
    }

    function drop() {
      if (picked.length) picked = [];
      else steps.pop();
      changed();
    }

    one("[data-do=undo]").addEventListener("click", drop);
    part("mail").addEventListener("click", (event) => {
      const link = part("mail").getAttribute("href");
      const half = say("Your turn is not over yet. Send it again to send only this much.");
      if (link && choices().length && why !== half) {
        event.preventDefault();
        why = half;
      } else if (link === "#page-fence") {
        event.preventDefault();
        why = say("This order is too long for a link: copy the text into a mail.");
        part("sent").scrollIntoView({ block: "center" });
        field.focus({ preventScroll: true });
      } else if (link) {
        why = "";
        const tongue = document.documentElement.lang.replace(/^en$/, "en-GB"); // the day before the month, as elsewhere
        const at = new Date().toLocaleString(tongue, { dateStyle: "medium", timeStyle: "short" });
        store((device) => device.setItem(given, JSON.stringify([fence, written().join("; "), at])));
        const heading = document.querySelector(".now.pending strong");
        if (heading) heading.textContent = say("In your mail program:");
      }
      line();
      keepClear();
    });
    one("[data-do=return]").addEventListener("click", stand);
    // What the field holds, or that with the fence that Markdown has; where it can't be put into the
    // clipboard it is marked.
    for (const [way, text] of [
      ["copy", () => field.value],
      ["markdown", () => field.value.replace(/^\[move\]/, "```move").replace(/\[\/move\]$/, "```")],
    ]) {
      one(`[data-do=${way}]`).addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(text());
          part("copied").textContent = say("Copied.");
        } catch {
          field.value = text();
          field.focus();
          field.select();
          part("copied").textContent = document.execCommand("copy") ? say("Copied.") : say("Copy what is marked.");
        }
      });
    }
    const share = one("[data-do=share]");
    share.hidden = !navigator.share;
    // Whoever closes the sheet has decided so.
    share.addEventListener("click", () => navigator.share({ title: subject, text: field.value }).catch(() => {}));
    one("#page-board").addEventListener("click", refuse);
    document.addEventListener("keydown", (event) => {
      const open = document.querySelector(":popover-open");
      if (event.key === "Escape" && now === last && !open && (picked.length || steps.length)) drop();
    });
    addEventListener("resize", () => {
      tall = 0;
      keepClear();
    });
    rest.addEventListener("input", tell);
    field.addEventListener("focus", () => field.select());
    one(".order").hidden = false;
    return {
      show: paintTurn,
      keepClear,
      // What the board shows is only entered: it is told in the place of what was played.
      tells(told) {
        if (!steps.length || now !== last) return;
        const unsent = document.createElement("strong");
        unsent.textContent = say("Not sent yet:");
        told.className = "now pending";
        told.replaceChildren(unsent, ` ${written().map(read).join("; ")}`);
      },
      // Enter moves by their notation, up to the first that is none here; gives how many were.
      enter(texts) {
        for (const [nth, text] of texts.entries()) {
          const choice = choices().find(([move]) => moves[move][0] === text);
          if (!choice) {
            if (!part("more").hidden) rest.value = texts.slice(nth).join("\n");
            tell();
            return nth;
          }
          choose(choice);
        }
        return texts.length;
      },
      past(away) {
        part("past").hidden = !away;
        if (away) shapes.classList.remove("composing", "choosing", "entered");
        for (const name of ["told", "row", "undone", "moves"]) part(name).hidden = away;
      },
    };
  }

  order = data.order && composer(data.order);
