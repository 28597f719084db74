// Shows the errors of the last change, and loads the page again when a new version runs.
(() => {
  const loaded = document.currentScript.dataset.version;
  const events = new EventSource("/-/dz-dev/events");
  let panel = null;

  const show = (kind, title, text) => {
    panel?.remove();
    panel = document.createElement("section");
    panel.className = `dz-dev dz-dev-${kind}`;
    panel.setAttribute("role", kind === "failed" ? "alert" : "status");
    const heading = document.createElement("strong");
    heading.textContent = title;
    panel.append(heading);
    if (text) {
      const code = document.createElement("pre");
      code.textContent = text;
      panel.append(code);
    }
    document.body.append(panel);
  };

  events.onmessage = (message) => {
    const status = JSON.parse(message.data);
    if (status.state === "failed") {
      show("failed", status.title, status.text);
    } else if (status.state === "building") {
      show("building", "Building…", "");
    } else if (status.version !== loaded) {
      events.close();
      location.assign(location.pathname + location.search);
    } else {
      panel?.remove();
      panel = null;
    }
  };
})();
