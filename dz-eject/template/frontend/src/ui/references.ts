/** Rows that other rows refer to. */
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { readPage, readRow } from "../api/rows";
import { members } from "./fields";

const anyRow = z.record(z.string(), z.unknown());

function labelOf(row: object, label: string | null): string {
  const { id, ...rest } = members(row);
  const text = label === null ? null : rest[label];
  return typeof text === "string" && text !== "" ? text : `Row ${String(id).slice(0, 8)}`;
}

/** The label of a row; null as long as it is not known, or if the caller may not read the row. */
export function useLabel(table: string, label: string | null, id: string): string | null {
  const found = useQuery({
    queryKey: [table, "label", id],
    queryFn: () => readRow(`/api/${table}`, anyRow, id),
    enabled: id !== "",
    retry: false,
  });
  return found.data ? labelOf(found.data.row, label) : null;
}

/** The rows that a reference can name, as keys with labels; `total` is their number in all. */
export function useChoices(table: string, label: string | null, words: string) {
  const filters: Record<string, string> =
    label !== null && words !== "" ? { [`${label}__icontains`]: words } : {};
  const query = { pageSize: 100, filters, ...(label === null ? {} : { sort: label }) };
  return useQuery({
    queryKey: [table, "choices", query],
    queryFn: async ({ signal }) => {
      const page = await readPage(`/api/${table}`, anyRow, query, signal);
      const choices = page.items.map((row) => ({ id: String(row["id"]), text: labelOf(row, label) }));
      return { choices, total: page.total };
    },
  });
}
