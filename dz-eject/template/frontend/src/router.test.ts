import { expect, test } from "vitest";
import { address, parseRoute } from "./router";

test("an address names a page", () => {
  expect(parseRoute("#/tasks")).toEqual({ table: "tasks", page: "list", id: "" });
  expect(parseRoute("#/tasks/new")).toEqual({ table: "tasks", page: "new", id: "new" });
  expect(parseRoute("#/tasks/7")).toEqual({ table: "tasks", page: "row", id: "7" });
  expect(parseRoute("#/tasks/7/edit")).toEqual({ table: "tasks", page: "edit", id: "7" });
});

test("other addresses have no page", () => {
  for (const hash of ["", "#/", "#/tasks/7/print", "#/tasks/7/edit/now", "#/%"]) {
    expect(parseRoute(hash)).toBeNull();
  }
});

test("keys are encoded", () => {
  expect(address("tasks", "a/b")).toBe("#/tasks/a%2Fb");
  expect(parseRoute(address("tasks", "a/b"))?.id).toBe("a/b");
});
