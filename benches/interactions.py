#!/usr/bin/env python3
"""Measures the time from an interaction to the next paint, in Chromium with a processor that is slowed four times.

usage: interactions.py ADDRESS EMAIL PASSWORD LIST FORM WORKSPACE… [rounds=N] [slowdown=N]

ADDRESS is that of a running application; LIST, FORM and WORKSPACE are paths of its pages, such as `/app/task_list`.
It prints the median and the slowest of N rounds for each interaction, and of the slowest the delay before its listeners and the time in
them. The rest is style, layout and paint; Chromium rounds durations to 8 ms, and reports none below 16 ms.
"""
import json, subprocess, sys, time, urllib.request

OBSERVER = """
window.taken = [];
new PerformanceObserver((list) => {
  for (const it of list.getEntries()) {
    if (it.interactionId) taken.push([it.duration, it.processingStart - it.startTime, it.processingEnd - it.processingStart]);
  }
}).observe({ type: "event", durationThreshold: 16 });
"""
LIST = [
    ("select a row", "tbody tr:nth-child(1) [data-cell=check] input"),
    ("select another row", "tbody tr:nth-child(2) [data-cell=check] input"),
    ("select all rows", "thead [data-cell=check] input"),
    ("select no row", "thead [data-cell=check] input"),
    ("open the menu of a row", "tbody tr:nth-child(2) [data-cell=more] button"),
    ("close it", "h1"),
    ("open a filter", ".dz-toolbar .dz-filter"),
    ("choose in it", ".dz-filter-menu:popover-open label"),
    ("close it", "h1"),
    ("sort", ".dz-sort"),
    ("open another page", ".dz-pagination-page:not(.is-current, [disabled])"),
]
KEYS = ["j", "j", "k", "x", "?", "Escape", "Control+k", "a", "ArrowDown", "Escape", "/", "r"]
FORM = [
    ("focus a field", "form .dz-input"),
    ("type", "a"),
    ("set a check box", "form .dz-check input"),
    ("focus a text", "form textarea"),
    ("type", "b"),
    ("add a row", "[data-dz-add]"),
]
WORKSPACE = [
    ("open the menu of a card", ".dz-card button[popovertarget]"),
    ("close it", "h1"),
    ("open a tab", ".dz-tabs a:not([aria-current])"),
    ("open the table of a chart", ".dz-figure summary"),
    ("close it", ".dz-figure summary"),
    ("open another month", ".dz-calendar-head a"),
    ("open another page", ".dz-pagination-page:not(.is-current, [disabled])"),
]
CODES = {"Escape": 27, "ArrowDown": 40}


class Browser:
    def __init__(self, base):
        self.base = base
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        started = next(line for line in self.driver.stdout if "successfully on port" in line)
        self.at = "http://127.0.0.1:" + started.strip().rstrip(".").rsplit(" ", 1)[1]
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,900"]
        options = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": flags}}}}
        self.session = ""
        self.session = "/session/" + self.call("POST", "/session", options)["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.at + self.session + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(asked, timeout=120) as answer:
            return json.load(answer)["value"]

    def devtools(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def js(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def open(self, path):
        self.call("POST", "/url", {"url": self.base + path})
        while self.js("return document.readyState !== 'complete' || Boolean(document.querySelector('[aria-busy=true]'))"):
            time.sleep(0.1)

    def sign_in(self, email, password):
        self.open("/login")
        script = "document.querySelector('[name=email]').value = arguments[0]; const it = document.querySelector('[name=password]'); "
        self.js(script + "it.value = arguments[1]; it.form.requestSubmit()", email, password)
        while self.js("return location.pathname === '/login'"):
            time.sleep(0.1)

    def click(self, selector):
        script = """const it = document.querySelector(arguments[0]); if (!it) return null; it.scrollIntoView({ block: "center" });
          const at = it.getBoundingClientRect(); return at.width ? [at.x + at.width / 2, at.y + at.height / 2] : null"""
        at = self.js(script, selector)
        if at is None:
            return False
        for kind in ("mousePressed", "mouseReleased"):
            self.devtools("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)
        return True

    def press(self, key):
        key, held = (key[8:], 2) if key.startswith("Control+") else (key, 0)
        typed = {"text": key} if len(key) == 1 and not held else {}
        code = CODES.get(key, ord(key[0].upper()))
        for kind in ("keyDown", "keyUp"):
            self.devtools("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=held, **typed)
            typed = {}

    def taken(self):
        """The slowest event since the last call."""
        time.sleep(0.8)
        return max(self.js("const all = window.taken; window.taken = []; return all") or [], default=None)

    def close(self):
        self.call("DELETE", "")
        self.driver.terminate()


def measure(browser, path, steps, keys, times):
    browser.open(path)
    time.sleep(1)
    browser.js(OBSERVER)
    for label, step in steps + [(f"press {key}", key) for key in keys]:
        is_key = len(step) == 1 or step in keys
        if is_key:
            browser.press(step)
        elif not browser.click(step):
            continue
        times.setdefault((path, label), []).append(browser.taken() or [0, 0, 0])
        if browser.js("return window.taken === undefined"):
            browser.js(OBSERVER)


def main(words):
    options = dict(word.split("=", 1) for word in words if word.startswith(("rounds=", "slowdown=")))
    base, email, password, a_list, form, *workspaces = [word for word in words if not word.startswith(("rounds=", "slowdown="))]
    browser, times = Browser(base.rstrip("/")), {}
    try:
        browser.sign_in(email, password)
        browser.devtools("Emulation.setCPUThrottlingRate", rate=int(options.get("slowdown", 4)))
        for _ in range(int(options.get("rounds", 3))):
            measure(browser, a_list, LIST, KEYS, times)
            measure(browser, form, FORM, [], times)
            for path in workspaces:
                measure(browser, path, WORKSPACE, [], times)
    finally:
        browser.close()
    print("| page | interaction | median, ms | slowest, ms | before listeners | in listeners |\n|---|---|---|---|---|---|")
    for (path, label), all in sorted(times.items(), key=lambda it: -max(it[1])[0]):
        whole, delay, work = max(all)
        median = sorted(all)[len(all) // 2][0]
        print(f"| {path} | {label} | {median:.0f} | {whole:.0f} | {delay:.0f} | {work:.0f} |")


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    main(sys.argv[1:])
