import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { parse, send } from "./client";
import { listParameters, readRow } from "./rows";

afterEach(() => vi.unstubAllGlobals());

function answerWith(response: () => Promise<Response>) {
  vi.stubGlobal("fetch", vi.fn(response));
}

test("a problem document becomes an error", async () => {
  const document = { status: 403, code: "CSRF", detail: "Reload the page", request_id: "r1" };
  answerWith(async () => new Response(JSON.stringify(document), { status: 403 }));
  await expect(send("/api/x")).rejects.toMatchObject({ status: 403, code: "CSRF", requestId: "r1" });
});

test("a response without a problem document is an error too", async () => {
  answerWith(async () => new Response("<html>", { status: 502 }));
  await expect(send("/api/x")).rejects.toMatchObject({ status: 502, code: "UNREADABLE" });
});

test("a missing connection is an error", async () => {
  answerWith(() => Promise.reject(new TypeError("no network")));
  await expect(send("/api/x")).rejects.toMatchObject({ status: 0, code: "OFFLINE" });
});

test("another form of a body is refused", async () => {
  const response = new Response(JSON.stringify({ id: 1 }));
  await expect(parse(response, z.object({ id: z.string() }))).rejects.toMatchObject({
    code: "UNREADABLE",
  });
});

test("keys and parameters are encoded", async () => {
  const fetched = vi.fn(async (_path: string) => new Response('{"id":"x"}'));
  vi.stubGlobal("fetch", fetched);
  await readRow("/api/x", z.object({ id: z.string() }), "../a");
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/x/..%2Fa");
  expect(listParameters({ search: "a&b", page: 1 })).toBe("?search=a%26b");
});
