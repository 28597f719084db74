#!/usr/bin/env python3
"""Compares the public items of the crate `dz` with scripts/public_api.txt, and fails if they differ.

It reads the pages that `cargo doc --workspace --no-deps` writes, because rustdoc has no other output on stable Rust.
`UPDATE_EXPECT=1` writes the file.

    scripts/public_api.py [FOLDER]      the folder of the pages; the default is target/doc
"""

import difflib
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

LIST = Path(__file__).with_suffix(".txt")
VOID = {"area", "br", "hr", "img", "input", "link", "meta", "wbr"}
# Items of other crates under a name of `dz`: their members change with the versions of those crates.
OTHER_CRATES = {"DateTime", "Decimal", "Json", "NaiveDate", "TimeDelta", "Utc", "Uuid", "testing::ring"}
# Fewer items than these are pages in a form that this program does not know.
LEAST = 50


class Page(HTMLParser):
    """The declaration of an item, its implementations, and the items that a module contains."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.declaration = ""
        self.headers = []
        self.items = []
        self.reexports = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag in VOID:
            return
        of = dict(attributes)
        classes = (of.get("class") or "").split()
        self.open.append((tag, classes, of.get("id") or ""))
        self.break_line(tag)
        section = self.section()
        if "code-header" in classes and section:
            self.headers.append([tag, section, ""])
        if tag == "dt" and (of.get("id") or "").startswith("reexport."):
            self.reexports.append(["", None])
        if tag == "a" and "href" in of:
            if self.within("dt") and self.reexports and self.is_reexport():
                self.reexports[-1][1] = of["href"]
            elif self.within("dt") and self.has_class("item-table"):
                self.items.append((classes[-1] if classes else "", of["href"]))

    def handle_endtag(self, tag):
        self.break_line(tag)
        while self.open and self.open.pop()[0] != tag:
            pass

    def break_line(self, tag):
        if tag in ("div", "pre") and self.has_class("item-decl"):
            self.declaration += "\n"

    def handle_data(self, text):
        if self.within("summary") and self.has_class("item-decl"):
            return
        if self.has_class("item-decl"):
            self.declaration += text
        elif self.has_class("code-header") and self.section():
            self.headers[-1][2] += text
        elif self.within("dt") and self.is_reexport():
            self.reexports[-1][0] += text

    def within(self, tag):
        return any(one == tag for one, _, _ in self.open)

    def has_class(self, name):
        return any(name in classes for _, classes, _ in self.open)

    def is_reexport(self):
        return any(name.startswith("reexport.") for _, _, name in self.open)

    def section(self):
        """The list of implementations around the position; those of the compiler and of other crates for every type do not count."""
        names = {"implementations-list": "own", "trait-implementations-list": "trait"}
        return next((names[name] for _, _, name in self.open if name in names), None)


def line(text):
    return re.sub(r"\s+", " ", text).strip()


def describe(page):
    """The lines of an item: its declaration, its methods, and the traits that it implements."""
    lines = ["    " + one.rstrip() for one in page.declaration.replace("\xa0", " ").split("\n") if one.strip()]
    methods, traits, block = [], [], ""
    for tag, section, text in page.headers:
        if tag == "h3":
            block = line(text)
            if section == "trait":
                traits.append(block)
        elif section == "own":
            methods.append(f"{block} {{ {line(text)} }}")
    return lines + ["    " + one for one in sorted(set(methods)) + sorted(set(traits))]


def collect(path, name, found, seen):
    """Describes the page of a module or an item, and those that it contains."""
    path = path.resolve()
    if (path, name) in seen:
        return
    seen.add((path, name))
    if name.removeprefix("dz::") in OTHER_CRATES:
        found[f"{name}, of another crate"] = []
        return
    page = Page(path.read_text(encoding="utf-8"))
    if path.name != "index.html":
        kind, item = path.name.split(".")[:2]
        found[f"{kind} {name}"] = describe(page)
        return
    found[f"mod {name}"] = []
    for _, href in page.items:
        follow(path, href, name, found, seen)
    for text, href in page.reexports:
        if href and "://" not in href:
            follow(path, href.split("#")[0], name, found, seen)
        else:
            found[f"{line(text)} in {name}"] = []


def follow(path, href, name, found, seen):
    target = path.parent / href
    parts = Path(href)
    item = parts.parent.name if parts.name == "index.html" else parts.name.split(".")[1]
    collect(target, f"{name}::{item}", found, seen)


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "target/doc")
    found = {}
    collect(folder / "dz" / "index.html", "dz", found, set())
    if len(found) < LEAST:
        sys.exit(f"{folder} has only {len(found)} items of the crate `dz`; has the form of the pages changed?")
    now = [text for name in sorted(found) for text in [name, *found[name]]]
    if os.environ.get("UPDATE_EXPECT"):
        LIST.write_text("\n".join(now) + "\n", encoding="utf-8")
        return
    known = LIST.read_text(encoding="utf-8").splitlines()
    changes = list(difflib.unified_diff(known, now, "scripts/public_api.txt", "the public items of `dz`", lineterm="", n=2))
    if changes:
        print("\n".join(changes))
        sys.exit("The public items of `dz` have changed. See `Public API` in CONTRIBUTING.md.")


if __name__ == "__main__":
    main()
