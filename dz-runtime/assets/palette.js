// The command palette: the results of the search page as a list of options, and the actions of the current page.
(() => {
  "use strict";
  const dialog = () => document.getElementById("dz-palette");
  const input = () => document.getElementById("dz-palette-q");
  const text = (name) => dialog().getAttribute(`data-dz-text-${name}`) || "";
  const options = () => [...document.querySelectorAll("#dz-palette-list [role=option]")];
  const mark = (option) => {
    for (const other of options()) other.setAttribute("aria-selected", String(other === option));
    if (!option) return input().removeAttribute("aria-activedescendant");
    input().setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };
  // Classes are written as selectors, so that both dialects of the markup find them.
  let offered = [];

  // The option whose name is the whole text, such as the action "Edit" among rows that begin with the word.
  const named = (all) => {
    const text = input().value.trim().toLowerCase();
    return all.find((option) => option.querySelector(":scope > span:not([class])")?.textContent.trim().toLowerCase() === text);
  };

  // Buttons and links of the page's head that contain every word.
  const offer = (words) => {
    offered = [...document.querySelectorAll("#main .dz-head .dz-actions :is(a, button), #main .dz-transitions button")].filter((it) =>
      it.textContent.trim() !== "" && !it.disabled && !it.hasAttribute("popovertarget") &&
      words.every((word) => it.textContent.toLowerCase().includes(word)));
    const list = document.getElementById("dz-palette-list");
    if (offered.length === 0 || !list) return;
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", "dz-palette-here");
    const title = Object.assign(document.createElement("p"), { id: "dz-palette-here", className: ".dz-nav-title".slice(1), textContent: text("here") });
    group.append(title, ...offered.map((it, at) => {
      const option = Object.assign(document.createElement("div"), { id: `dz-palette-here-${at}` });
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.setAttribute("data-dz-offered", String(at));
      const icon = it.querySelector("svg");
      if (icon) option.append(icon.cloneNode(true));
      option.append(Object.assign(document.createElement("span"), { textContent: it.textContent.trim() }));
      return option;
    }));
    list.append(group);
    document.querySelector(".dz-palette-empty")?.remove();
  };
  const open = () => {
    if (!dialog() || dialog().open) return;
    if (document.getElementById("dz-nav")?.matches(":popover-open")) document.getElementById("dz-nav").hidePopover();
    dialog().showModal();
    if (input().value) input().select();
    // The dialog is painted before it asks for its first results.
    requestAnimationFrame(() => setTimeout(() => window.htmx.trigger(input(), "dz:open"), 0));
  };
  // Enter before the results of the text arrive runs the first of them.
  let isWaiting = false;
  document.addEventListener("input", (event) => {
    if (event.target !== input()) return;
    isWaiting = false;
    mark(null);
  });
  const run = (option) => {
    const at = option.getAttribute("data-dz-offered");
    if (at === null) return location.assign(option.href);
    dialog().close();
    offered[Number(at)].click();
  };
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k" && dialog()) {
      event.preventDefault();
      return dialog().open ? dialog().close() : open();
    }
    if (event.target !== input() || event.isComposing) return;
    const all = options();
    const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const before = at > 0 ? at - 1 : all.length - 1;
      if (all.length > 0) mark(all[event.key === "ArrowDown" ? (at + 1) % all.length : before]);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (all[at]) run(all[at]);
      else isWaiting = true;
    }
  });
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest("[data-dz-palette]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && typeof dialog()?.showModal === "function") {
      event.preventDefault();
      return open();
    }
    const option = event.target.closest("#dz-palette-list [data-dz-offered]");
    if (option) return run(option);
    // A click beside the dialog closes it.
    if (event.target.matches("dialog.dz-dialog[open]")) event.target.close();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (!event.detail.target || event.detail.target.id !== "dz-palette-found") return;
    offer(input().value.toLowerCase().split(/\s+/).filter(Boolean));
    const all = options();
    input().setAttribute("aria-expanded", String(all.length > 0));
    const first = named(all) || all[0];
    mark(first);
    if (isWaiting && first) run(first);
    isWaiting = false;
  });
  // Without an answer the search page says what is wrong.
  for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      if (!event.detail.target || event.detail.target.id !== "dz-palette-found") return;
      event.detail.target.replaceChildren(
        Object.assign(document.createElement("div"), { id: "dz-palette-list", role: "listbox", ariaLabel: text("results") }),
        Object.assign(document.createElement("p"), { className: ".dz-palette-empty".slice(1), role: "alert", textContent: text("failed") }));
      input().setAttribute("aria-expanded", "false");
    });
  }
})();
