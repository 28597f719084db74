import { QueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { Problem, readProblem } from "./problem";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

interface Options {
  method?: Method;
  body?: unknown;
  /** The version that the caller has read; another one is refused with 412. */
  etag?: string | null;
  signal?: AbortSignal;
}

/**
 * Sends a request.
 *
 * The session is a cookie that scripts cannot read. Browsers add `Origin` and `Sec-Fetch-Site`, by which the backend refuses
 * requests of other sites; so no request needs a token, and none may go to another origin.
 */
export async function send(path: string, options: Options = {}): Promise<Response> {
  const { method = "GET", body, etag, signal } = options;
  const headers = new Headers({ Accept: "application/json" });
  if (body !== undefined) {
    headers.set("Content-Type", "application/json");
  }
  if (etag) {
    headers.set("If-Match", etag);
  }
  const request: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
  }
  if (signal) {
    request.signal = signal;
  }
  const response = await fetch(path, request).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") {
      throw error;
    }
    throw new Problem(0, "OFFLINE", "The server cannot be reached; check the connection");
  });
  if (!response.ok) {
    throw await readProblem(response);
  }
  return response;
}

/** Checks the body of a response. */
export async function parse<T>(response: Response, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) {
    throw new Problem(response.status, "UNREADABLE", "The response has another form than expected");
  }
  return parsed.data;
}

/** The cache of responses. A refusal is not repeated; a missing connection is tried once more. */
export function createQueryClient(): QueryClient {
  const retry = (count: number, error: Error) =>
    count < 1 && error instanceof Problem && (error.status === 0 || error.status === 503);
  return new QueryClient({
    defaultOptions: { queries: { retry, staleTime: 5_000 } },
  });
}
