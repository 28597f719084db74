// Keyboard shortcuts. Each of them does what a link, a button or a check box of the page does.
(() => {
  "use strict";
  const OFF = "dz-single-keys-off";
  const enabled = () => {
    try { return localStorage.getItem(OFF) === null; } catch { return true; }
  };
  const typing = (element) =>
    element instanceof Element && element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog, [popover]:popover-open");
  const rows = () => [...document.querySelectorAll("#main .dz-list tbody tr:not([data-full])")];
  const current = () => document.activeElement && document.activeElement.closest("#main .dz-list tbody tr");
  const go = (row) => {
    const target = row && (row.querySelector("[data-cell=title] a") || row.querySelector("a, button, input"));
    if (!target) return;
    target.focus();
    row.scrollIntoView({ block: "nearest" });
  };
  const step = (by) => {
    const beside = document.querySelector("#main .dz-neighbours");
    if (beside) return beside.querySelector(by > 0 ? "[rel=next]" : "[rel=prev]")?.click();
    const all = rows();
    const at = all.indexOf(current());
    go(at < 0 ? all[by > 0 ? 0 : all.length - 1] : all[at + by]);
  };
  const prepare = (root) => {
    const label = root.querySelector("[data-dz-single-keys]");
    if (!label) return;
    label.hidden = false;
    label.querySelector("input").checked = enabled();
  };
  const help = async () => {
    const dialog = document.getElementById("dz-shortcuts");
    if (!dialog || dialog.open) return;
    try {
      const answer = await fetch("/app/-/shortcuts", { headers: { "HX-Request": "true" } });
      if (!answer.ok) throw new Error(String(answer.status));
      dialog.innerHTML = await answer.text();
    } catch {
      return location.assign("/app/-/shortcuts");
    }
    prepare(dialog);
    dialog.showModal();
  };
  const actions = {
    "/": () => {
      const field = document.querySelector("#main .dz-toolbar input[type=search]");
      if (field) field.select();
      else document.querySelector("[data-dz-palette]")?.click();
    },
    j: () => step(1),
    k: () => step(-1),
    x: () => current()?.querySelector("[data-cell=check] input")?.click(),
    e: () => (current() || document.querySelector("#main .dz-head"))?.querySelector("[data-dz-edit]")?.click(),
    "?": help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (!Object.hasOwn(actions, event.key) || typing(event.target) || !enabled()) return;
    event.preventDefault();
    actions[event.key]();
  });
  // A click with the shift key adds the column to the sort keys; Shift and Enter is such a click.
  document.addEventListener("click", (event) => {
    const head = event.target instanceof Element && event.target.closest("a[data-dz-further]");
    if (!head || !event.shiftKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const href = head.getAttribute("data-dz-further");
    window.htmx.ajax("GET", href, { source: "#" + head.id, target: "#main", select: "#main", swap: "morph:outerHTML" })
      .then(() => history.replaceState(history.state, "", href));
  }, true);
  document.addEventListener("change", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-dz-single-keys]")) return;
    try {
      if (event.target.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, "1");
    } catch { /* The setting is not kept without storage. */ }
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => prepare(document));
  else prepare(document);
})();
