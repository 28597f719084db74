// Makes faster what already works without it. Every listener sits on the document, so that it
// survives any swap; what an element needs is said in its attributes.
(() => {
  "use strict";
  const closest = (event, selector) =>
    event.target instanceof Element ? event.target.closest(selector) : null;

  // A button with consequences asks first.
  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-dz-confirm]");
    if (button && !window.confirm(button.getAttribute("data-dz-confirm"))) event.preventDefault();
  });

  // Typed text is never replaced by the text of the response. The content of a focused link or button follows the response.
  if (window.Idiomorph) {
    Object.defineProperty(window.Idiomorph.defaults, "ignoreActiveValue", {
      enumerable: true,
      get: () => Boolean(document.activeElement) && document.activeElement.matches("input, textarea, select, [contenteditable]"),
    });
    // What is entered while a response is on its way is newer than the response.
    const entered = new Set();
    for (const name of ["input", "change"]) document.addEventListener(name, (event) => entered.add(event.target), true);
    document.addEventListener("htmx:beforeRequest", (event) => {
      if (event.detail.target && event.detail.target.id === "main") entered.clear();
    });
    const ofEnteredGroup = (old) => old.type === "radio" &&
      [...entered].some((it) => it.type === "radio" && it.form === old.form && it.name === old.name);
    window.Idiomorph.defaults.callbacks.beforeNodeMorphed = (old) => !(entered.has(old) || ofEnteredGroup(old));
  }

  // A region that is loaded again at its time (refresh.js): its content is not dimmed meanwhile.
  const isPoll = (config) => Boolean(config && config.triggeringEvent) && config.triggeringEvent.type === "dz:poll";

  // Loading, populated, error: states of a region's body.
  const busy = (target, on) => {
    if (!target || !target.matches) return;
    const body = target.id === "main" ? target.querySelector("[aria-busy]") || target : target;
    body.setAttribute("aria-busy", String(on));
  };

  // A form that asked for fields or rows keeps its text, and offers to ask again.
  const formFailed = (elt) => {
    const form = elt.closest("form");
    const template = form && form.querySelector("template[data-dz-failed]");
    if (!template) return;
    const old = form.querySelector(".dz-banner:has([data-dz-retry])");
    if (old) old.remove();
    const banner = template.content.firstElementChild.cloneNode(true);
    banner.querySelector("[data-dz-retry]").addEventListener("click", () => {
      banner.remove();
      window.htmx.trigger(elt, elt.matches("[data-dz-refresh]") ? "dz:refresh" : "click");
    });
    form.querySelector(".dz-form-foot").before(banner);
    banner.scrollIntoView({ block: "center" });
  };

  const failed = (event) => {
    const { target, elt, xhr, pathInfo } = event.detail;
    if (!target || !target.id) return;
    busy(target, false);
    const info = event.detail.requestConfig || {};
    // The next time can succeed. Rows that the user may no longer see do not stay.
    if (isPoll(info) && !(xhr && [401, 403, 404].includes(xhr.status))) return;
    const isWrite = Boolean(info.verb) && info.verb !== "get";
    // Filters and headings replace the main part of the page; the rows of its list have the error.
    const isMain = target.id === "main";
    if (isMain && isWrite) return formFailed(elt);
    const region = isMain ? !isWrite && target.querySelector("[data-dz-region]") : target.closest("[data-dz-region]");
    const template = region && region.querySelector("template[data-dz-failed]");
    if (!template) return;
    const row = template.content.cloneNode(true);
    const id = xhr && xhr.getResponseHeader && xhr.getResponseHeader("X-Request-Id");
    const place = row.querySelector("[data-dz-request]");
    if (place && id) { place.textContent = id; place.parentElement.hidden = false; }
    const button = row.querySelector("[data-dz-retry]");
    const asked = (pathInfo && pathInfo.finalRequestPath) || info.path || elt.getAttribute("hx-get") || location.href;
    // A change is not repeated: the region is loaded again, and shows what is stored.
    button.setAttribute("hx-get", isWrite ? `/app/${region.getAttribute("data-dz-region")}` : asked);
    button.setAttribute("hx-target", "#" + target.id);
    button.setAttribute("hx-swap", isMain ? "morph:outerHTML" : "morph:innerHTML");
    if (isMain) {
      button.setAttribute("hx-select", "#main");
      button.setAttribute("hx-push-url", "true");
    }
    const body = (isMain && region.querySelector("[aria-busy]")) || target;
    const waiting = unloaded(body);
    if (waiting) hold(waiting, body);
    body.replaceChildren(row);
    if (waiting) settle(waiting);
    window.htmx.process(body);
    const again = body.querySelector("[data-dz-retry]");
    if (again && !isPoll(info)) again.focus({ preventScroll: true });
  };

  // A link or form whose target is the page's main part asks for the whole document: the server
  // answers fragments only to requests that say they are exchanges.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.target && event.detail.target.id === "main") {
      delete event.detail.headers["HX-Request"];
      // The address has no empty parameters; a form sends all of its controls.
      if (event.detail.verb === "get") for (const name of Object.keys(event.detail.parameters)) {
        if (event.detail.parameters[name] === "" || name.endsWith(".q")) delete event.detail.parameters[name];
      }
    }
    // Each filter is an entry of the history, so that the back button removes it again; the letters of a search are one entry.
    const bar = event.target;
    const cause = event.detail.triggeringEvent;
    if (bar instanceof Element && bar.matches("form[role=search][hx-replace-url]")) {
      const isFilter = cause && cause.type === "change" && cause.target instanceof Element && cause.target.type !== "search";
      if (isFilter) bar.setAttribute("hx-push-url", "true");
      else bar.removeAttribute("hx-push-url");
    }
  });
  document.addEventListener("htmx:beforeRequest", (event) => isPoll(event.detail.requestConfig) || busy(event.detail.target, true));
  document.addEventListener("htmx:afterRequest", (event) => busy(event.detail.target, false));
  document.addEventListener("htmx:afterSwap", (event) => busy(event.detail.target, false));
  for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, failed);
  }
  // What a user changes is said to screen readers: the number of rows and the page of a list, and the column of a moved card.
  const words = (...parts) => parts.map((it) => it && it.textContent.trim()).filter(Boolean).join(", ");
  const describe = (region, source) => {
    const before = source.closest(".dz-card");
    const card = before && document.getElementById(before.id);
    const column = card && card.closest("[data-dz-column]");
    if (column) return `${words(card.querySelector("a, strong"))}, ${column.getAttribute("aria-label")}`;
    const title = document.getElementById(region.getAttribute("aria-labelledby") || "") || document.querySelector("#main h1");
    const current = region.querySelector("[data-dz-pagination] [aria-current=page]");
    return words(title, region.querySelector(".dz-empty h2, .dz-empty h3, .dz-pagination-rows"), current);
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    const { target, requestConfig } = event.detail;
    const now = target && target.id && document.getElementById(target.id);
    const source = requestConfig && requestConfig.elt;
    const region = now && (now.id === "main" ? now.querySelector("[data-dz-region]") : now.closest("[data-dz-region]"));
    // A region that loads with its page says nothing, and a message says itself.
    if (!region || !source || source === region || region.querySelector("[role=alert]")) return;
    const place = document.getElementById("dz-said");
    if (place) place.textContent = describe(region, source);
  });
  // A region that loads after the page keeps the height of its placeholder, so that nothing below it moves: less content leaves
  // room, and more content scrolls in the region. Without a region below it in view it has the height of its content.
  const later = "[data-dz-region][hx-trigger^=load]";
  const unloaded = (element) => {
    const region = element && element.closest && element.closest(later);
    return region && !region.hasAttribute("data-dz-loaded") ? region : null;
  };
  const grow = (region) => {
    region.style.blockSize = "";
    region.removeAttribute("data-dz-held");
    region.removeAttribute("tabindex");
  };
  const isAbove = (region) => {
    const end = region.getBoundingClientRect().bottom - 1;
    return [...document.querySelectorAll("#main [data-dz-region]")].some((other) => {
      const start = other.getBoundingClientRect().top;
      return other !== region && start >= end && start < window.innerHeight;
    });
  };
  const hold = (region, target) => {
    const height = `${region.getBoundingClientRect().height}px`;
    region.style.minBlockSize = height;
    region.style.blockSize = height;
    region.setAttribute("data-dz-held", "");
    // The elements of the placeholder do not become those of the content, which would move inside the region.
    target.replaceChildren();
  };
  const settle = (region) => {
    region.setAttribute("data-dz-loaded", "");
    const above = isAbove(region);
    if (above && region.scrollHeight > region.clientHeight + 1) region.setAttribute("tabindex", "0");
    else grow(region);
    if (!above) region.style.minBlockSize = "";
  };
  document.addEventListener("htmx:beforeSwap", (event) => {
    const region = event.detail.shouldSwap && unloaded(event.detail.target);
    if (region) hold(region, event.detail.target);
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const region = unloaded(event.detail.target);
    if (region) settle(region);
  });
  // What a user opens makes its region larger.
  document.addEventListener("click", (event) => {
    const region = closest(event, "summary") && event.target.closest("[data-dz-held]");
    if (region) grow(region);
  });
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    for (const region of document.querySelectorAll(later)) {
      grow(region);
      region.style.minBlockSize = "";
    }
  });

  // A session that ended answers with the way to the sign-in page: follow it as a whole page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const url = event.detail.xhr.responseURL;
    if (url && new URL(url).pathname === "/login") {
      event.detail.shouldSwap = false;
      location.assign(url);
    }
  });

  // A form asks for fields and rows with all entered text: if the session has ended, it is submitted, so that its text is kept.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { elt, xhr } = event.detail;
    if (xhr.status !== 401 || !elt.matches("[data-dz-refresh], [data-dz-add]")) return;
    event.preventDefault();
    elt.form.requestSubmit(elt);
  });

  // Pickers: a text field with a list of options below it.
  const picker = (input) => {
    const root = input.closest(".dz-picker");
    return { root, key: root.querySelector("input[type=hidden]"), list: root.querySelector("[role=listbox]") };
  };
  const options = (input) => [...picker(input).list.querySelectorAll("[role=option]")];
  const close = (input) => {
    picker(input).list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (input, option) => {
    for (const other of options(input)) other.setAttribute("aria-selected", String(other === option));
    if (!option) return;
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };
  const choose = (input, option) => {
    const { key } = picker(input);
    key.value = option.dataset.value;
    input.value = option.dataset.label;
    input.dataset.chosen = input.value;
    close(input);
    key.dispatchEvent(new Event("change", { bubbles: true }));
  };
  document.addEventListener("input", (event) => {
    const input = closest(event, ".dz-picker [role=combobox]");
    if (!input) return;
    picker(input).key.value = "";
    // The options belong to the former text.
    mark(input, null);
    input.removeAttribute("aria-activedescendant");
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const list = event.detail.target;
    if (!list || !list.matches || !list.matches(".dz-picker [role=listbox]")) return;
    const input = list.closest(".dz-picker").querySelector("[role=combobox]");
    const { formData, triggeringEvent } = event.detail.requestConfig;
    const isOpened = Boolean(triggeringEvent) && triggeringEvent.type === "dz:open";
    // The user has chosen an option, or has left the field, since these options were requested.
    if (document.activeElement !== input || (!isOpened && picker(input).key.value)) return close(input);
    input.setAttribute("aria-expanded", String(list.childElementCount > 0));
    if (isOpened || formData.get(input.name) === input.value) mark(input, options(input)[0]);
  });
  for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      const list = event.detail.target;
      if (!list || !list.matches || !list.matches(".dz-picker [role=listbox]")) return;
      const message = document.createElement("p");
      message.textContent = list.dataset.dzTextFailed;
      list.replaceChildren(message);
      const place = document.getElementById("dz-said");
      if (place) place.textContent = message.textContent;
    });
  }
  document.addEventListener("keydown", (event) => {
    const input = closest(event, ".dz-picker [role=combobox]");
    if (!input) return;
    const all = options(input);
    const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (all.length === 0) return window.htmx.trigger(input, "dz:open");
      const before = at > 0 ? at - 1 : all.length - 1;
      mark(input, all[event.key === "ArrowDown" ? (at + 1) % all.length : before]);
    } else if (event.key === "Enter" && all.length > 0) {
      event.preventDefault();
      if (all[at]) choose(input, all[at]);
    } else if (event.key === "Escape" && all.length > 0) {
      event.preventDefault();
      close(input);
    }
  });
  document.addEventListener("mousedown", (event) => {
    const option = closest(event, ".dz-picker [role=option]");
    if (!option) return;
    event.preventDefault();
    choose(option.closest(".dz-picker").querySelector("[role=combobox]"), option);
  });
  document.addEventListener("focusout", (event) => {
    const input = closest(event, ".dz-picker [role=combobox]");
    if (input && picker(input).list.childElementCount > 0) setTimeout(() => close(input), 0);
  });

  // Sliders and palettes write the text control beside them, which is the one that is sent.
  const helpers = "[data-dz-slider], input[data-dz-palette]";
  const written = (helper) =>
    document.getElementById(helper.getAttribute("data-dz-slider") || helper.getAttribute("data-dz-palette"));
  document.addEventListener("input", (event) => {
    const helper = closest(event, helpers);
    if (helper) {
      const control = written(helper);
      control.value = helper.value;
      control.dispatchEvent(new Event("change", { bubbles: true }));
      return;
    }
    for (const other of event.target.parentElement ? event.target.parentElement.querySelectorAll(helpers) : []) {
      other.value = event.target.value;
    }
  });

  // A control on which conditions of other fields depend: the form asks for the fields that apply now.
  document.addEventListener("change", (event) => {
    const form = closest(event, "form[data-dz-controls]");
    const name = event.target.name;
    if (!form || !name || !form.getAttribute("data-dz-controls").split(",").includes(name)) return;
    window.htmx.trigger(form.querySelector("[data-dz-refresh]"), "dz:refresh");
  });

  // A row that was added to a form takes the focus.
  document.addEventListener("htmx:afterSettle", (event) => {
    const button = event.detail.requestConfig && event.detail.requestConfig.elt;
    if (!button || !button.matches("[data-dz-add]")) return;
    const rows = document.getElementById(button.value);
    const last = rows && [...rows.querySelectorAll("fieldset")].pop();
    const control = last && last.querySelector("input:not([type=hidden]), select, textarea");
    if (control) control.focus();
  });

  // A file that its field does not take is told before it travels.
  document.addEventListener("change", (event) => {
    const input = closest(event, "input[type=file][data-dz-limit]");
    if (!input) return;
    const file = input.files[0];
    const limit = Number(input.getAttribute("data-dz-limit"));
    input.setCustomValidity(file && file.size > limit ? input.getAttribute("data-dz-limit-text") || "This file is too large." : "");
    input.reportValidity();
  });

  // A chosen image is shown before it is sent. Larger images are not, because their text would be held in memory.
  document.addEventListener("change", (event) => {
    const input = closest(event, ".dz-field input[type=file]");
    if (!input) return;
    const old = input.parentElement.querySelector("[data-dz-preview]");
    if (old) old.remove();
    const file = input.files[0];
    if (!file || !/^image\/(png|jpeg|gif|webp)$/.test(file.type) || file.size > 8388608) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const image = new Image();
      image.className = ".dz-picture".slice(1);
      image.alt = file.name;
      image.setAttribute("data-dz-preview", "");
      image.src = reader.result;
      input.after(image);
    });
    reader.readAsDataURL(file);
  });

  // A refused change of a region answers with the region itself, which names the reason.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.getResponseHeader("HX-Retarget")) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });

  // Boards: a card is moved by the same buttons as without a pointer.
  const moves = (card) => (card.getAttribute("data-dz-moves") || "").split(",");
  const moveTo = (card, state) => {
    const button = [...card.querySelectorAll("form button[name=to]")].find((it) => it.value === state);
    // htmx sends the value of a button that is clicked, and not that of the button in `requestSubmit`.
    if (button) button.click();
    return Boolean(button);
  };
  let dragged = null;
  const column = (event) => {
    const found = dragged && closest(event, "[data-dz-column]");
    return found && found.closest("[data-dz-board]") === dragged.closest("[data-dz-board]") ? found : null;
  };
  const accepts = (of) => of && moves(dragged).includes(of.getAttribute("data-dz-column"));
  document.addEventListener("dragstart", (event) => {
    dragged = closest(event, "[data-dz-moves]");
    if (!dragged || !dragged.closest("[data-dz-board]")) return (dragged = null);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.id);
    for (const of of dragged.closest("[data-dz-board]").querySelectorAll("[data-dz-column]")) {
      of.toggleAttribute("data-dz-accepts", accepts(of));
    }
  });
  document.addEventListener("dragover", (event) => {
    const of = column(event);
    if (accepts(of)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const of = column(event);
    if (!accepts(of)) return;
    event.preventDefault();
    moveTo(dragged, of.getAttribute("data-dz-column"));
  });
  document.addEventListener("dragend", () => {
    dragged = null;
    for (const of of document.querySelectorAll("[data-dz-accepts]")) of.removeAttribute("data-dz-accepts");
  });
  document.addEventListener("keydown", (event) => {
    const button = closest(event, "[data-dz-board] .dz-card button[popovertarget]");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!button || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    const card = button.closest(".dz-card");
    const all = [...card.closest("[data-dz-board]").querySelectorAll("[data-dz-column]")];
    const from = all.indexOf(card.closest("[data-dz-column]"));
    const next = (step > 0 ? all.slice(from + 1) : all.slice(0, from).reverse()).find((of) =>
      moves(card).includes(of.getAttribute("data-dz-column")));
    if (!next) return;
    event.preventDefault();
    moveTo(card, next.getAttribute("data-dz-column"));
  });

  // A refused form: its summary takes the focus.
  const announce = () => {
    const summary = document.getElementById("errors");
    if (summary) summary.focus();
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", announce);
  else announce();

  // A form that is on its way is not sent again; forms that replace a part of the page wait for each other.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("hx-post")) return;
    if (form.hasAttribute("data-dz-sent")) return event.preventDefault();
    form.setAttribute("data-dz-sent", "");
    setTimeout(() => form.removeAttribute("data-dz-sent"), 5000);
  });
  window.addEventListener("pageshow", () => document.querySelectorAll("[data-dz-sent]").forEach((form) => form.removeAttribute("data-dz-sent")));
})();
