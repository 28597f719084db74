/** Rows that other rows refer to. */
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { readPage, readRow } from "../api/rows";
import { members } from "./fields";
import type { ReferenceInfo } from "./fields";

const anyRow = z.record(z.string(), z.unknown());

function labelOf(row: object, { key, label }: ReferenceInfo): string {
  const values = members(row);
  const text = label === null ? null : values[label];
  return typeof text === "string" && text !== "" ? text : `Row ${String(values[key]).slice(0, 8)}`;
}

/** The label of a row; null as long as it is not known, or if the caller may not read the row. */
export function useLabel(to: ReferenceInfo, id: string): string | null {
  const { table } = to;
  const found = useQuery({
    queryKey: [table, "label", to.label, id],
    queryFn: () => readRow(`/api/${table}`, anyRow, id),
    enabled: id !== "",
    retry: false,
  });
  return found.data ? labelOf(found.data.row, to) : null;
}

/** The rows that a reference can name, as keys with labels; `total` is their number in all. */
export function useChoices(to: ReferenceInfo, words: string) {
  const { table, key, label } = to;
  const filters: Record<string, string> =
    label !== null && words !== "" ? { [`${label}__icontains`]: words } : {};
  const query = { pageSize: 100, filters, ...(label === null ? {} : { sort: label }) };
  return useQuery({
    queryKey: [table, "choices", query],
    queryFn: async ({ signal }) => {
      const page = await readPage(`/api/${table}`, anyRow, query, signal);
      const choices = page.items.map((row) => ({ id: String(row[key]), text: labelOf(row, to) }));
      return { choices, total: page.total };
    },
  });
}
