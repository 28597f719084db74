/** What the tests of components share. */
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import { createQueryClient } from "../api/client";

/** A request that a component has sent. */
export interface Sent {
  method: string;
  path: string;
  body: unknown;
}

/** Answers requests: `/auth/me` with a session, a list with the row, and an address of the row with the row. */
export function serve(table: string, row: object, roles: readonly string[]): Sent[] {
  const sent: Sent[] = [];
  const json = { "Content-Type": "application/json", ETag: '"1"' };
  const account = { id: "1", email: "ann@example.com", name: "Ann" };
  const session = { ...account, roles, tenants: [], tenant: null };
  const answer = (path: string): [number, unknown] => {
    if (path === "/auth/me") {
      return [200, session];
    }
    if (path === `/api/${table}` || path.startsWith(`/api/${table}?`)) {
      return [200, { items: [row], total: 1, page: 1, page_size: 20 }];
    }
    if (path.startsWith(`/api/${table}/`)) {
      return [200, row];
    }
    return [404, { status: 404, code: "NOT_FOUND", detail: "There is no such row" }];
  };
  vi.stubGlobal("fetch", async (path: string, request: RequestInit = {}) => {
    const body: unknown = request.body ? JSON.parse(String(request.body)) : null;
    sent.push({ method: request.method ?? "GET", path, body });
    const [status, content] = answer(path);
    return new Response(JSON.stringify(content), { status, headers: json });
  });
  return sent;
}

/** Shows a component. */
export function show(component: ReactNode) {
  return render(
    <QueryClientProvider client={createQueryClient()}>{component}</QueryClientProvider>,
  );
}
