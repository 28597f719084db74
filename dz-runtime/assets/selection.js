// Selected rows of lists: counts, the box that selects all of the page, rows that are selected on other pages, and the transitions
// that all selected rows share.
(() => {
  "use strict";
  const boxesOf = (list) => [...list.querySelectorAll('tbody [data-cell="check"] input')];
  const movesOf = (box) => box.closest("tr").getAttribute("data-dz-moves") || "";

  // The selected rows of each list by their key, with their transitions; another search or filter starts again.
  const chosen = new Map();
  const rowsSelected = (list) => {
    const query = new URLSearchParams(list.querySelector("form.dz-bulk input[name=query]")?.value ?? "");
    query.delete("sort");
    const now = query.toString();
    const known = chosen.get(list.id);
    if (known && known.query === now) return known.rows;
    const rows = new Map();
    chosen.set(list.id, { query: now, rows });
    return rows;
  };
  const remember = (list) => {
    const rows = rowsSelected(list);
    for (const box of boxesOf(list)) {
      if (box.checked) rows.set(box.value, movesOf(box));
      else rows.delete(box.value);
    }
  };
  const restore = (list) => {
    const rows = rowsSelected(list);
    for (const box of boxesOf(list)) box.checked = rows.has(box.value);
  };
  const show = (list) => {
    const rows = rowsSelected(list);
    const boxes = boxesOf(list);
    const here = boxes.filter((box) => box.checked).length;
    const form = list.querySelector("form.dz-bulk");
    const every = form && form.querySelector("[data-dz-every]");
    const all = list.querySelector('thead [data-cell="check"] input');
    if (all) {
      all.checked = here > 0 && here === boxes.length;
      all.indeterminate = here > 0 && here < boxes.length;
    }
    if (form) {
      if (every && rows.size === 0) every.checked = false;
      // Rows on other pages travel with the form.
      const shown = new Set(boxes.map((box) => box.value));
      for (const old of form.querySelectorAll("input[data-dz-elsewhere]")) old.remove();
      for (const key of rows.keys()) {
        if (shown.has(key)) continue;
        const input = Object.assign(document.createElement("input"), { type: "hidden", name: "id", value: key });
        input.setAttribute("data-dz-elsewhere", "");
        form.append(input);
      }
      form.toggleAttribute("data-dz-open", rows.size > 0);
    }
    const count = every && every.checked ? every.getAttribute("data-dz-every") : String(rows.size);
    for (const place of list.querySelectorAll("[data-dz-bulk-count-target]")) place.textContent = count;
    const moves = [...rows.values()].map((of) => of.split(","));
    for (const button of list.querySelectorAll("[data-dz-move]")) {
      const state = button.getAttribute("data-dz-move");
      // The states of rows that were never shown are not known: the server refuses those that cannot change.
      button.hidden = !(every && every.checked) && !moves.every((of) => of.includes(state));
    }
  };
  document.addEventListener("change", (event) => {
    if (!(event.target instanceof Element)) return;
    const list = event.target.closest(".dz-list");
    if (!list) return;
    if (event.target.hasAttribute("data-dz-every")) return show(list);
    if (!event.target.closest('[data-cell="check"]')) return;
    if (event.target.hasAttribute("data-dz-all")) {
      for (const box of boxesOf(list)) box.checked = event.target.checked;
    }
    remember(list);
    show(list);
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const list of document.querySelectorAll(".dz-list:has([data-dz-all])")) {
      restore(list);
      show(list);
    }
  });
})();
