// Regions that the configuration refreshes are loaded again at their time, while the page is in view and in use.
(() => {
  "use strict";
  const regions = "[data-dz-refresh-every]";
  // A page that is left open does not extend its session for ever.
  const unused = 15 * 60 * 1000;
  // The address of what a region shows: of its page, its tab or its date.
  const shown = new WeakMap();
  const due = new WeakMap();
  let used = Date.now();
  for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "focusin"]) {
    document.addEventListener(name, () => { used = Date.now(); }, { capture: true, passive: true });
  }

  const isPoll = (config) => Boolean(config && config.triggeringEvent) && config.triggeringEvent.type === "dz:poll";
  const bodyOf = (region) => document.querySelector(region.getAttribute("hx-target"));
  const addressOf = (region) => {
    const own = region.getAttribute("hx-get");
    return shown.get(region) || (location.pathname === own ? location.pathname + location.search : own);
  };
  // Focus, selected text, an open menu or table, a card that is dragged: the region waits.
  const isEngaged = (region) => {
    const selection = document.getSelection();
    const isSelected = Boolean(selection) && !selection.isCollapsed && selection.containsNode(region, true);
    return isSelected || region.contains(document.activeElement) || Boolean(region.querySelector(":popover-open, details[open], [data-dz-accepts]"));
  };
  const isLoading = (region) => {
    const body = bodyOf(region);
    return !body || body.getAttribute("aria-busy") === "true";
  };

  setInterval(() => {
    const now = Date.now();
    for (const region of document.querySelectorAll(regions)) {
      const every = Number(region.getAttribute("data-dz-refresh-every")) * 1000;
      if (!due.has(region)) due.set(region, now + every);
      if (now < due.get(region) || document.hidden || now - used > unused || isLoading(region) || isEngaged(region)) continue;
      due.set(region, now + every);
      window.htmx.trigger(region, "dz:poll");
    }
  }, 1000);

  document.addEventListener("htmx:configRequest", (event) => {
    if (isPoll(event.detail)) event.detail.path = addressOf(event.target);
  });
  // The user was faster: the response belongs to what the region showed before.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { requestConfig } = event.detail;
    if (!isPoll(requestConfig)) return;
    const region = requestConfig.elt;
    if (requestConfig.path !== addressOf(region) || isLoading(region) || isEngaged(region)) event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const { target, pathInfo, requestConfig } = event.detail;
    const region = target && target.closest && target.closest(regions);
    if (!region || !requestConfig || requestConfig.verb !== "get" || isPoll(requestConfig) || target !== bodyOf(region)) return;
    shown.set(region, (pathInfo && pathInfo.finalRequestPath) || requestConfig.path);
  });
})();
