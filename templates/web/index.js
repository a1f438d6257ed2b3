"use strict";
(() => {
  const filter = document.querySelector(".filter");
  if (!filter) return;
  const [player, waits] = filter.querySelectorAll("select, input");
  const rows = document.querySelectorAll(".going tr[data-players]");
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
    for (const row of rows) {
      const named = (waits.checked ? row.dataset.waits : row.dataset.players).split("\n");
      row.hidden = player.value !== "" && !named.includes(player.value);
    }
    waits.disabled = player.value === "";
    store((device) => device.setItem(name, JSON.stringify([player.value, waits.checked])));
  }

  // The page was written before: which deadlines have passed since, the clock here knows.
  for (const due of document.querySelectorAll(".going time[datetime]")) {
    if (due.closest("small") && new Date(due.dateTime) < new Date()) {
      const late = document.createElement("b");
      late.className = "late";
      late.textContent = filter.dataset.late;
      due.before(late, " ");
    }
  }

  const [last, only] = store((device) => JSON.parse(device.getItem(name))) || [];
  if ([...player.options].some((each) => each.value === last)) player.value = last;
  waits.checked = Boolean(only);
  for (const each of [player, waits]) each.addEventListener("change", show);
  filter.hidden = false;
  show();
})();
