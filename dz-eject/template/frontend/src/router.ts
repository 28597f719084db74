/** The address of a page is the part after `#`: `#/tasks`, `#/tasks/new`, `#/tasks/KEY`, `#/tasks/KEY/edit`. */
import { useSyncExternalStore } from "react";

/** A page that the address names. */
export interface Route {
  table: string;
  page: "list" | "new" | "row" | "edit";
  /** The key of the row. */
  id: string;
}

function segments(hash: string): string[] {
  const parts = hash.replace(/^#?\/?/, "").split("/");
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** The page of an address; null for an address without a page. */
export function parseRoute(hash: string): Route | null {
  const [table = "", id = "", page = "", ...rest] = segments(hash);
  if (table === "" || rest.length > 0) {
    return null;
  }
  if (page === "") {
    return { table, page: id === "" ? "list" : id === "new" ? "new" : "row", id };
  }
  return page === "edit" ? { table, page: "edit", id } : null;
}

/** The address of a page. */
export function address(table: string, id = "", page = ""): string {
  const parts = [table, id, page].filter((part) => part !== "");
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** Opens a page. */
export function open(target: string): void {
  window.location.hash = target;
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("hashchange", changed);
  return () => window.removeEventListener("hashchange", changed);
}

/** The page that is open. */
export function useRoute(): Route | null {
  return parseRoute(useSyncExternalStore(subscribe, () => window.location.hash));
}
