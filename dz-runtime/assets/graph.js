// Draws the graph of a page. The lists of the page contain the same rows and edges, so that nothing depends on the drawing.
(() => {
  "use strict";
  const stage = document.querySelector("[data-dz-graph]");
  if (!stage || !window.cytoscape || !stage.getAttribute("data-dz-graph")) return;
  const entities = JSON.parse(stage.getAttribute("data-dz-entities"));
  // The titles of the types of edges, by their stored values.
  const kinds = JSON.parse(stage.getAttribute("data-dz-kinds"));
  const onPath = new Set();
  const seed = stage.getAttribute("data-dz-seed");
  const side = document.querySelector("[data-dz-graph-side]");
  const status = document.querySelector("[data-dz-graph-status]");
  const say = (words) => { if (status) status.textContent = words; };
  const text = (name) => (status && status.getAttribute(`data-dz-text-${name}`)) || "";

  // The drawing is on a canvas, which knows no custom properties and not every notation of a colour.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return `rgb(${red},${green},${blue})`;
  };
  const colours = (entity) => {
    const swatch = document.querySelector(`[data-dz-tone-of="${entity}"]`) || document.querySelector("[data-dz-tone-of]");
    const style = getComputedStyle(swatch);
    return {
      soft: rgb(style.backgroundColor), mark: rgb(style.borderTopColor), ink: rgb(style.color), accent: rgb(style.outlineColor),
      edge: rgb(style.textDecorationColor), sheet: rgb(style.caretColor),
    };
  };

  const names = Object.keys(entities);
  const entityOf = (data) => data.entity in entities ? data.entity : names[0];
  // The id of a row in answers has the name of its entity before it, unless it is a UUID.
  const keyOf = (data) => {
    const prefix = entityOf(data) + ":";
    return encodeURIComponent(data.id.startsWith(prefix) ? data.id.slice(prefix.length) : data.id);
  };

  const look = () => {
    const base = colours(names[0]);
    const rules = [
      { selector: "node", style: {
        "label": "data(label)", "width": 22, "height": 22, "font-size": 11, "color": base.ink, "text-valign": "bottom", "text-margin-y": 5,
        "text-max-width": 140, "text-wrap": "ellipsis", "text-outline-width": 3, "text-outline-color": base.sheet, "border-width": 1.5,
        "min-zoomed-font-size": 7,
      } },
      { selector: "edge", style: {
        "width": 1.25, "line-color": base.edge, "curve-style": "bezier", "target-arrow-color": base.edge, "arrow-scale": .8,
        "target-arrow-shape": stage.getAttribute("data-dz-directed") === "true" ? "triangle" : "none",
        "font-size": 10, "color": base.ink, "text-outline-width": 3, "text-outline-color": base.sheet, "min-zoomed-font-size": 8,
      } },
      { selector: "edge[type]", style: { "label": (edge) => kinds[edge.data("type")] || String(edge.data("type")) } },
    ];
    for (const name of names) {
      const own = colours(name);
      const selector = names.length > 1 ? `node[entity="${name}"]` : "node";
      rules.push({ selector, style: { "background-color": own.soft, "border-color": own.mark } });
    }
    rules.push(
      { selector: "node.seed", style: { "width": 32, "height": 32, "border-width": 3 } },
      { selector: ".path", style: { "line-color": base.accent, "target-arrow-color": base.accent, "border-color": base.accent, "width": 2.5 } },
      { selector: "node.path", style: { "width": 26, "height": 26, "border-width": 3 } },
      { selector: ":selected", style: { "border-width": 4, "border-color": base.accent, "line-color": base.accent } },
    );
    return rules;
  };

  // A force layout takes too long for many nodes; circles by distance show the same.
  const layout = (cy) => cy.nodes().length <= 150
    ? { name: "cose", animate: false, padding: 30, nodeDimensionsIncludeLabels: true, randomize: true, numIter: 700 }
    : { name: "concentric", animate: false, padding: 30, minNodeSpacing: 12, concentric: (node) => -node.data("hops"), levelWidth: () => 1 };

  // A drawing of few nodes does not fill its frame: they keep the size of the text beside it.
  const largest = 1.25;
  const arrange = (cy) => {
    cy.layout(layout(cy)).run();
    if (cy.zoom() <= largest) return;
    cy.zoom(largest);
    cy.center();
  };

  const mark = (cy) => {
    cy.elements().bfs({ roots: cy.getElementById(seed), visit: (node, _edge, _from, _at, hops) => { node.data("hops", hops); } });
    cy.getElementById(seed).addClass("seed");
    cy.elements().forEach((element) => element.toggleClass("path", onPath.has(element.id())));
  };

  const load = async (address) => {
    const answer = await fetch(address, { headers: { "Accept": "application/json" }, credentials: "same-origin" });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(body.detail || text("failed"));
    return body.elements;
  };

  const add = (cy, elements) => {
    const seen = new Set();
    const isNew = (id) => cy.getElementById(id).empty() && !seen.has(id) && seen.add(id);
    const fresh = elements.filter((element) => isNew(element.data.id));
    cy.add(fresh);
    mark(cy);
    return fresh.filter((element) => element.group === "nodes").length;
  };

  const expand = async (cy, node) => {
    const of = entities[entityOf(node.data())];
    if (!of.api) return say(text("alone"));
    try {
      const count = add(cy, await load(`${of.api}/${keyOf(node.data())}/graph?depth=1`));
      if (count > 0) arrange(cy);
      say(count === 1 ? text("one") : text("added").replace("0", count));
    } catch (error) {
      say(error.message);
    }
  };

  const describe = (cy, node) => {
    const of = entities[entityOf(node.data())];
    side.querySelector("[data-dz-graph-name]").textContent = node.data("label");
    side.querySelector("[data-dz-graph-entity]").textContent = of.title;
    side.querySelector("[data-dz-graph-degree]").textContent = String(node.connectedEdges().length);
    const open = side.querySelector("[data-dz-graph-open]");
    open.hidden = !of.open;
    if (of.open) open.href = `${of.open}/${keyOf(node.data())}`;
    const path = side.querySelector("[data-dz-graph-to]");
    if (path) {
      const wanted = new URL(location.href);
      wanted.searchParams.set("to", node.id());
      path.href = wanted.href;
      path.hidden = node.id() === seed;
    }
    side.querySelector("[data-dz-graph-expand]").onclick = () => expand(cy, node);
    side.hidden = false;
  };

  const save = (blob, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  const draw = async () => {
    let elements;
    try {
      elements = await load(stage.getAttribute("data-dz-graph"));
    } catch (error) {
      return say(error.message);
    }
    const pathSource = stage.getAttribute("data-dz-path-source");
    if (pathSource) {
      const path = await load(pathSource).catch(() => []);
      path.forEach((element) => onPath.add(element.data.id));
      elements = elements.concat(path);
    }
    stage.hidden = false;
    const many = elements.length > 500;
    const cy = window.cytoscape({
      container: stage, elements: [], style: look(), minZoom: .1, maxZoom: 2.5,
      hideEdgesOnViewport: many, textureOnViewport: many, pixelRatio: many ? 1 : "auto",
    });
    add(cy, elements);
    arrange(cy);
    cy.on("tap", "node", (event) => describe(cy, event.target));
    cy.on("dbltap", "node", (event) => expand(cy, event.target));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => cy.style(look()));
    const picture = document.querySelector("[data-dz-graph-png]");
    picture.hidden = false;
    picture.addEventListener("click", async () => {
      save(await cy.png({ output: "blob-promise", full: true, scale: 2, maxWidth: 8000, maxHeight: 8000, bg: colours(names[0]).sheet }), "graph.png");
    });
    describe(cy, cy.getElementById(seed));
    // For tests of the drawing, and for scripts of the application.
    stage.graph = cy;
    stage.setAttribute("data-dz-ready", "");
  };
  draw();
})();
