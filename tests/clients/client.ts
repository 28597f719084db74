// The generated TypeScript client against the running example.
import createClient from "openapi-fetch";
import type { paths } from "./api";

declare const process: { env: Record<string, string> };

function check(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const client = createClient<paths, `application/${string}json`>({
  baseUrl: process.env.APP_URL,
  headers: { Authorization: `Bearer ${process.env.TOKEN}` },
});

const listed = await client.GET("/api/tasks", { params: { query: { page_size: 2, sort: "title" } } });
// With `expand` a reference is an object.
const project = listed.data?.items[0]?.project;
check(typeof project === "string" && listed.data?.page_size === 2, "the list has tasks with their projects");

const created = await client.POST("/api/tasks", { body: { title: "Read the gauge", project } });
// An account that may create but not read gets only the id.
check(created.response.status === 201 && created.data && "title" in created.data, "a task is created");
const path = { id: created.data.id };

const changed = await client.PATCH("/api/tasks/{id}", {
  params: { path, header: { "If-Match": created.response.headers.get("ETag") ?? "" } },
  body: { priority: "high" },
});
check(changed.data && "title" in changed.data && changed.data.priority === "high", "a task is changed");

const refused = await client.PATCH("/api/tasks/{id}", { params: { path, header: { "If-Match": '"1"' } }, body: { priority: "low" } });
check(refused.response.status === 412 && refused.error?.code === "STALE", "an older version is refused");

const wrong = await client.POST("/api/tasks", { body: { title: "", project } });
check(wrong.response.status === 422 && wrong.error?.field_errors?.title, "an empty title is refused");

const removed = await client.DELETE("/api/tasks/{id}", { params: { path } });
check(removed.response.status === 204, "a task is deleted");

// The types know the addresses, the fields and the values.
// @ts-expect-error
void (() => client.GET("/api/taskss"));
// @ts-expect-error
void (() => client.POST("/api/tasks", { body: { titel: "a", project: "b" } }));
// @ts-expect-error
void (() => client.PATCH("/api/tasks/{id}", { params: { path }, body: { priority: "highest" } }));

console.log("TypeScript: list, create, change, refusals and delete");
