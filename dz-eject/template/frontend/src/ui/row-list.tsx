import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { ListQuery, Page } from "../api/rows";
import { address } from "../router";
import { members } from "./fields";
import type { FieldInfo } from "./fields";
import { Loaded } from "./messages";
import { Value } from "./values";

/** The state of a list: its page, order, search and filters. */
export function useListQuery(filters: Readonly<Record<string, string>>) {
  const [chosen, choose] = useState<ListQuery>({ page: 1 });
  return [{ ...chosen, filters: { ...filters } }, choose] as const;
}

interface RowListProps<Row> {
  title: string;
  table: string;
  fields: readonly FieldInfo[];
  /** The name of the field with the key. */
  idField: string;
  result: UseQueryResult<Page<Row>>;
  query: ListQuery;
  onQuery: (query: ListQuery) => void;
  isSearchable: boolean;
  canCreate: boolean;
}

/** A page of rows. The first column leads to the row. */
export function RowList<Row extends object>(props: RowListProps<Row>) {
  const { title, table, query, onQuery } = props;
  return (
    <section>
      <div className="heading">
        <h1>{title}</h1>
        {props.isSearchable ? (
          <input
            type="search"
            aria-label={`Search ${title}`}
            placeholder="Search"
            value={query.search ?? ""}
            onChange={(event) => onQuery({ ...query, page: 1, search: event.target.value })}
          />
        ) : null}
        {props.canCreate ? (
          <a className="button" href={address(table, "new")}>
            New
          </a>
        ) : null}
      </div>
      <Loaded result={props.result}>{(page) => <Rows {...props} page={page} />}</Loaded>
    </section>
  );
}

function Rows<Row extends object>(props: RowListProps<Row> & { page: Page<Row> }) {
  const { page, query, onQuery, fields, table, idField } = props;
  const pages = Math.max(1, Math.ceil(page.total / page.page_size));
  if (page.total === 0) {
    return <p className="empty">There are no rows.</p>;
  }
  return (
    <>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              {fields.map((field) => (
                <Heading key={field.name} field={field} query={query} onQuery={onQuery} />
              ))}
              <th scope="col" aria-label="Actions" />
            </tr>
          </thead>
          <tbody>
            {page.items.map((row) => (
              <Cells key={String(members(row)[idField])} {...{ row, fields, table, idField }} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="pages">
        <button
          type="button"
          disabled={page.page <= 1}
          onClick={() => onQuery({ ...query, page: page.page - 1 })}
        >
          Previous
        </button>
        <span>
          Page {page.page} of {pages}, {page.total} {page.total === 1 ? "row" : "rows"}
        </span>
        <button
          type="button"
          disabled={page.page >= pages}
          onClick={() => onQuery({ ...query, page: page.page + 1 })}
        >
          Next
        </button>
      </p>
    </>
  );
}

interface HeadingProps {
  field: FieldInfo;
  query: ListQuery;
  onQuery: (query: ListQuery) => void;
}

function Heading({ field, query, onQuery }: HeadingProps) {
  const { name, title } = field;
  if (!field.sortable) {
    return <th scope="col">{title}</th>;
  }
  const order = query.sort === name ? "ascending" : query.sort === `-${name}` ? "descending" : "none";
  const next = order === "ascending" ? `-${name}` : name;
  return (
    <th scope="col" aria-sort={order}>
      <button type="button" onClick={() => onQuery({ ...query, page: 1, sort: next })}>
        {title}
        {order === "none" ? null : order === "ascending" ? " ▲" : " ▼"}
      </button>
    </th>
  );
}

interface CellsProps {
  row: object;
  fields: readonly FieldInfo[];
  table: string;
  idField: string;
}

function Cells({ row, fields, table, idField }: CellsProps) {
  const values = members(row);
  const target = address(table, String(values[idField]));
  return (
    <tr>
      {fields.map((field, at) => {
        const { control, name } = field;
        if (at > 0 || control.kind === "reference" || control.kind === "file") {
          return (
            <td key={name}>
              <Value control={control} value={values[name]} />
            </td>
          );
        }
        const isText = control.kind !== "url" && control.kind !== "email";
        return (
          <td key={name}>
            <a href={target}>
              <Value control={isText ? control : { kind: "text" }} value={values[name]} />
            </a>
          </td>
        );
      })}
      <td>
        <a href={target}>Open</a>
      </td>
    </tr>
  );
}
