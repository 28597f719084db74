import { expect, test } from "vitest";
import { Unreadable } from "../api/kinds";
import { changes, draftOf, draftText, readText } from "./fields";
import type { Control, FieldInfo } from "./fields";

const cases: [Control, unknown, string][] = [
  [{ kind: "text" }, "Moss", "Moss"],
  [{ kind: "number" }, 7, "7"],
  [{ kind: "bool" }, true, "true"],
  [{ kind: "json" }, { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
  [{ kind: "money", currency: "EUR" }, { amount: "1.50", currency: "EUR" }, "1.50"],
  [{ kind: "money", currency: null }, { amount: "1.50", currency: "GBP" }, "1.50 GBP"],
  [{ kind: "text" }, null, ""],
];

test.each(cases)("%j contains %j as %j and back", (control, value, text) => {
  expect(draftText(control, value)).toBe(text);
  expect(readText(control, text)).toEqual(value);
});

test("a time is shown in the zone of the device", () => {
  const control: Control = { kind: "timestamp" };
  const text = draftText(control, "2026-01-31T09:30:00Z");
  expect(readText(control, text)).toBe("2026-01-31T09:30:00.000Z");
});

test("a text that is no JSON is unreadable", () => {
  expect(readText({ kind: "json" }, "{")).toBeInstanceOf(Unreadable);
});

test("only touched controls are sent", () => {
  const fields: FieldInfo[] = [
    { name: "title", title: "Title", control: { kind: "text" } },
    { name: "hours", title: "Hours", control: { kind: "number" }, initial: "1" },
  ];
  const fresh = draftOf(fields, null);
  expect(fresh).toEqual({ title: "", hours: "1" });
  expect(changes(fields, fresh, { ...fresh, title: "Moss" })).toEqual({ title: "Moss" });
  const draft = draftOf(fields, { title: "Moss", hours: 2 });
  expect(changes(fields, draft, { ...draft, hours: "" })).toEqual({ hours: null });
});
