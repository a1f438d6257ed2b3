"use strict";
(() => {
  // How long ago a moment was, or how far off it is; the page was written before.
  const relative = new Intl.RelativeTimeFormat(document.documentElement.lang);
  function away({ dateTime }) {
    const hours = (new Date(dateTime) - new Date()) / 36e5;
    const far = Math.abs(hours);
    const [unit, count] = far < 1 ? ["minute", hours * 60] : far < 48 ? ["hour", hours] : ["day", hours / 24];
    return relative.format(Math.trunc(count), unit);
  }

  const day = 864e5;
  for (const due of document.querySelectorAll(".going div > time")) {
    due.classList.toggle("soon", Math.abs(new Date(due.dateTime) - new Date() - day / 2) < day / 2);
    if (new Date(due.dateTime) < new Date()) {
      const late = document.createElement("b");
      late.className = "late";
      late.textContent = due.closest("table").dataset.late;
      due.before(late, " ");
    }
  }
  for (const at of document.querySelectorAll(".going time")) {
    at.title = at.textContent;
    at.textContent = away(at);
  }

  const filter = document.querySelector(".filter");
  if (!filter) return;
  const [player, waits] = filter.querySelectorAll("select, input");
  const rows = [...document.querySelectorAll("tr[data-players]")];
  const name = "pbem index";

  // A browser that keeps nothing for anybody says so by failing.
  function store(act) {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  }

  function show() {
    const chosen = player.value !== "";
    for (const row of rows) {
      const { players, waits: asked } = row.dataset;
      const mine = chosen && (asked || "").split("\n").includes(player.value);
      const only = waits.checked && asked !== undefined;
      row.classList.toggle("mine", mine);
      row.hidden = chosen && !(only ? mine : players.split("\n").includes(player.value));
    }
    const going = rows.filter((row) => row.closest(".going"));
    const first = (row) => row.matches(".mine");
    going[0].parentElement.append(...going.filter(first), ...going.filter((row) => !first(row)));
    waits.parentElement.hidden = player.value === "";
    store((device) => device.setItem(name, JSON.stringify([player.value, waits.checked])));
  }

  const [last, only] = store((device) => JSON.parse(device.getItem(name))) || [];
  if ([...player.options].some((each) => each.value === last)) player.value = last;
  waits.checked = Boolean(only);
  for (const each of [player, waits]) each.addEventListener("change", show);
  filter.hidden = false;
  show();
})();
