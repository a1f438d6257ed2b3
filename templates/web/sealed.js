  // ------------------------------------------------------------ what is sealed for one seat

  const shut = JSON.parse(one("#page-sealed").textContent);
  const asks = new URLSearchParams(location.hash.slice(1));
  const [ply, fingerprint] = shut.position.slice(1).split(" ");
  const place = `${ply}-${fingerprint}`;
  const onThisDevice = `pbem ${shut.match} ${shut.seat}`;
  const section = one(".opens");
  const told = one("#page-told");
  const keyed = one(".keyed");
  const field = one("#page-key");
  const utf8 = new TextEncoder();
  let link = ""; // what the seat's links hold, once it has opened the page
  let signing = null;
  let moves = [];

  const byMail = say("This page shows what everybody may see. To play, answer the newest mail: it lists your moves.");
  const newest = say("Take the link from your newest mail about {match}, or the key of your first letter.", shut);

  function unbased(text) {
    const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  }

  function based(bytes) {
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  }

  async function derived(secret, label, size = 32) {
    const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
    const way = { name: "HKDF", hash: "SHA-256", salt: utf8.encode("pbem/1"), info: utf8.encode(label) };
    return new Uint8Array(await crypto.subtle.deriveBits(way, key, size * 8));
  }

  // What a link, its key or the lines of a letter come to: 32 bytes, or why they are none.
  async function read(text) {
    // A field joins what a mail program has broken in two: the digits before the key and its own.
    const lines = [...text.matchAll(/pbem-key\/1\s+(\S+)\s+(\S(?:.*?\S)?)\s+(\d+)\s*([0-9a-f]{64})\b/g)];
    if (lines.length) {
      const here = lines.filter(([, match, seat]) => match === shut.match && seat === shut.seat);
      if (!here.length) {
        const [, match, seat] = lines[0];
        throw `${say("This key is for {other} in {another}, and this is the page of {seat} in {match}.", { ...shut, other: seat, another: match })} ${newest}`;
      }
      const line = here.find(([, , , epoch]) => Number(epoch) === shut.epoch);
      if (!line) throw here.some(([, , , epoch]) => Number(epoch) > shut.epoch) ? early : old;
      const bytes = Uint8Array.from(line[4].match(/../g), (two) => parseInt(two, 16));
      return derived(bytes, JSON.stringify(["link", shut.match, shut.seat, shut.epoch]));
    }
    const key = (text.match(/[#&]k=([^&\s]*)/) || ["", text.trim()])[1];
    if (!/^[\w-]{43}$/.test(key)) {
      throw `${say("This is no whole link: 43 letters, digits and dashes belong behind k=, and a mail program may have cut it. Copy all of it.")} ${newest}`;
    }
    return unbased(key);
  }

  const old = say("This link is from before somebody else took the seat {seat}. Whoever plays it now has the present link in their mails.", shut);

  const early = `${say("This link is for whoever has just taken the seat {seat}, and this page has not been written anew since. Load it again in a while.", shut)} ${byMail}`;

  async function wrong(bytes) {
    const name = [...(await derived(bytes, "name", 8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const [seat, epoch] = shut.known[name] || [];
    if (seat === shut.seat) return epoch > shut.epoch ? early : old;
    if (seat) return `${say("This is the link of {other}, and this is the page of {seat}.", { ...shut, other: seat })} ${newest}`;
    return `${say("This key doesn't open the page of {seat} in {match}: it may be of another match, or copied wrongly.", shut)} ${newest}`;
  }

  async function unseal(bytes) {
    const key = await crypto.subtle.importKey("raw", await derived(bytes, "page"), "AES-GCM", false, ["decrypt"]);
    const all = unbased(shut.sealed);
    const data = utf8.encode(JSON.stringify([shut.match, shut.seat, shut.epoch, shut.mark]));
    let plain;
    try {
      plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: all.slice(0, 12), additionalData: data }, key, all.slice(12));
    } catch {
      throw await wrong(bytes);
    }
    const end = 4 + new DataView(plain).getUint32(0);
    const whole = new Blob([plain.slice(4, end)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(whole).text());
  }

  async function open(text) {
    try {
      await opening(text);
    } finally {
      section.hidden = false;
    }
  }

  async function opening(text) {
    if (!globalThis.crypto?.subtle) {
      told.textContent = `${say("A browser opens this part only at an address that begins with https.")} ${byMail}`;
      return;
    }
    if (!globalThis.DecompressionStream) {
      told.textContent = `${say("This browser is too old to open this part.")} ${byMail}`;
      return;
    }
    try {
      const bytes = await read(text);
      opened = await unseal(bytes);
      link = based(bytes);
      signing = await crypto.subtle.importKey("raw", await derived(bytes, "sign"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    } catch (why) {
      if (typeof why !== "string") throw why;
      told.textContent = why;
      return;
    }
    shown();
  }

  function shown() {
    keyed.hidden = true;
    told.textContent = opened.order ? "" : opened.asked.join(" ");
    const board = one("#page-board");
    board.setAttribute("viewBox", `0 0 ${opened.width} ${opened.height}`);
    const figures = drawn(`<g>${opened.figures}</g>`);
    for (const figure of figures.querySelectorAll("[id]")) if (document.getElementById(figure.id)) figure.remove();
    board.insertBefore(figures, shapes);
    kept = () => [`k=${link}`, ...(moves.length ? [`p=${place}`, `m=${encodeURIComponent(moves.join("\n"))}`] : [])];
    const [before, bad] = [(asks.get("m") || "").split("\n").filter(Boolean), asks.get("r")];
    order = opened.order && composer(opened.order, opened.signs ? sign : null, (written) => {
      moves = written;
      address(unnamed ? "" : items[now].id);
    });
    show();
    address(unnamed ? "" : items[now].id);
    if (before.length || bad) again(before, bad);
    // What needs reading first stays above the board.
    if (one("#page-gone").hidden && one("#page-refused").hidden) one(".table").after(section);
    remembering();
  }

  // A turn begun before: it is entered again, unless the match has gone on.
  function again(before, bad) {
    if (asks.get("p") !== place) return gone(say("The match has gone on since that order was written, to {position}. Nothing of it is entered.", shut));
    const entered = order ? order.enter(before) : 0;
    const rule = asks.get("w");
    const refused = one("#page-refused");
    const further = !entered ? say("Choose another move.")
      : !one(".complete") ? say("The moves before it are entered; go on from there.")
      : say("The moves before it are entered; they are a whole order.");
    if (bad) refused.textContent = `${say("Not played: {move}.", { move: `${bad}${rule ? ` [${rule}]` : ""}` })} ${further}`;
    refused.hidden = !bad;
  }

  function gone(why) {
    one("#page-gone").textContent = why;
    one("#page-gone").hidden = !why;
  }

  // ------------------------------------------------------------------ what proves an order

  const letters = "0123456789abcdefghjkmnpqrstvwxyz";

  async function sign(orders) {
    const spoken = orders.flatMap((text) => text.split(";")).filter((text) => text.trim())
      .map((text) => text.toLowerCase().replace(/ß/g, "ss").replace(/[‐-―−]/g, "-").trim().replace(/\s+/g, " "));
    const text = JSON.stringify(["pbem-sign/1", shut.match, shut.seat, Number(ply), fingerprint, spoken]);
    const digest = new DataView(await crypto.subtle.sign("HMAC", signing, utf8.encode(text)));
    const number = digest.getBigUint64(0) >> 4n;
    const code = [...Array(12).keys()].map((nth) => letters[Number((number >> BigInt(55 - 5 * nth)) & 31n)]).join("");
    return `sign: ${code.match(/..../g).join("-")}`;
  }

  // ------------------------------------------------------------- what this device remembers

  function remembering() {
    const known = store((kept) => kept.getItem(onThisDevice));
    one(".remember").hidden = !link;
    one("#page-remember").checked = Boolean(known);
    one("#page-forget").hidden = !known;
  }

  one("#page-remember").addEventListener("change", ({ target }) => {
    store((kept) => (target.checked ? kept.setItem(onThisDevice, link) : kept.removeItem(onThisDevice)));
    remembering();
  });
  one("#page-forget").addEventListener("click", () => {
    for (const name of [onThisDevice, `pbem seen ${whose}`, `pbem given ${whose}`]) store((kept) => kept.removeItem(name));
    remembering();
  });

  // The one request this page can make, and only when it is told to.
  one("#page-current").addEventListener("click", async () => {
    try {
      if (location.protocol === "file:") throw new TypeError("no request leaves a file");
      const found = await fetch(shut.public, { cache: "no-store", credentials: "omit" });
      if (!found.ok) throw new TypeError(found.statusText);
      const [end] = (await found.text()).match(/<footer>[^]*?<\/footer>/) || [""];
      const still = end.match(/#\d+ [0-9a-f]{4}/g)?.pop() === shut.position;
      told.textContent = still ? say("Yes: the match stands at {position}.", shut) : "";
      gone(still ? "" : say("The match has gone on since this page was made. Load it again before you send anything."));
    } catch (why) {
      if (!(why instanceof TypeError)) throw why;
      told.textContent = say("That can't be looked up from here: the newest mail says where the match stands.");
    }
  });

  one("#page-open").addEventListener("click", () => open(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") open(field.value);
  });
  // Another link to this page, in the same window.
  addEventListener("hashchange", () => {
    const now = new URLSearchParams(location.hash.slice(1));
    if (["k", "m", "r"].some((name) => now.has(name))) location.reload();
  });
  {
    for (const hidden of [keyed, one(".kept")]) hidden.hidden = false;
    const key = asks.get("k") ?? store((kept) => kept.getItem(onThisDevice));
    section.hidden = key !== null;
    if (key !== null || !globalThis.crypto?.subtle) open(key === null ? "" : `#k=${key}`);
    else told.textContent = say("Open it with the link in your newest mail. Or paste here that link, or the key of your first letter.");
  }
