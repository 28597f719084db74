import { z } from "zod";
import { parse, send } from "./client";

/** What a list is asked for. */
export interface ListQuery {
  page?: number;
  pageSize?: number;
  /** Names of fields; a leading `-` reverses the order. */
  sort?: string;
  search?: string;
  /** Filters such as `status` or `due__lt`. */
  filters?: Record<string, string>;
}

/** A page of a list. */
export interface Page<T> {
  items: T[];
  total: number;
  page: number;
  page_size: number;
}

/** A row with its version. */
export interface Versioned<T> {
  row: T;
  etag: string | null;
}

/** A change of fields of a row, made from a version of it. */
export interface Change<Input> {
  fields: { [Name in keyof Input]?: Input[Name] | undefined };
  etag: string | null;
}

/** A change from one state to another. */
export interface Transition<State> {
  from: State;
  to: State;
  title: string;
  roles: readonly string[];
}

/** The parameters of a list in an address. */
export function listParameters(query: ListQuery): string {
  const parameters = new URLSearchParams(query.filters);
  if (query.page && query.page > 1) {
    parameters.set("page", String(query.page));
  }
  if (query.pageSize) {
    parameters.set("page_size", String(query.pageSize));
  }
  if (query.sort) {
    parameters.set("sort", query.sort);
  }
  if (query.search) {
    parameters.set("search", query.search);
  }
  const text = parameters.toString();
  return text ? `?${text}` : "";
}

/** Reads a page of a list. */
export async function readPage<T>(
  path: string,
  schema: z.ZodType<T>,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const page = z.object({
    items: z.array(schema),
    total: z.number(),
    page: z.number(),
    page_size: z.number(),
  });
  return parse(await send(path + listParameters(query), signal ? { signal } : {}), page);
}

/** Reads a row. */
export async function readRow<T>(
  path: string,
  schema: z.ZodType<T>,
  id: string,
): Promise<Versioned<T>> {
  const response = await send(rowPath(path, id));
  return { row: await parse(response, schema), etag: response.headers.get("ETag") };
}

/** Creates a row and returns its key. A caller who may not read the row gets nothing else. */
export async function createRow(path: string, input: object): Promise<string> {
  const response = await send(path, { method: "POST", body: input });
  const location = response.headers.get("Location");
  if (location !== null) {
    return decodeURIComponent(location.slice(location.lastIndexOf("/") + 1));
  }
  return (await parse(response, z.object({ id: z.string() }))).id;
}

/** Changes fields of a row, if it still has the version. */
export async function updateRow<Input>(
  path: string,
  id: string,
  { fields, etag }: Change<Input>,
): Promise<void> {
  await send(rowPath(path, id), { method: "PATCH", body: fields, etag });
}

/** Deletes a row, if it still has the version. */
export async function deleteRow(path: string, id: string, etag: string | null): Promise<void> {
  await send(rowPath(path, id), { method: "DELETE", etag });
}

/** Changes the state of a row, if it still has the version. */
export async function transitionRow(
  path: string,
  id: string,
  state: string,
  etag: string | null,
): Promise<void> {
  const address = `${rowPath(path, id)}/transitions/${encodeURIComponent(state)}`;
  await send(address, { method: "POST", etag });
}

function rowPath(path: string, id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}
