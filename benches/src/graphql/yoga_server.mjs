// The same list with graphql-yoga over the same database of PostgreSQL: session, rows in one statement, and each reference in a batch.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import DataLoader from "dataloader";
import { createSchema, createYoga } from "graphql-yoga";
import pg from "pg";

const [address, port] = process.argv.slice(2);
// Dates stay texts.
pg.types.setTypeParser(1082, (text) => text);
const pool = new pg.Pool({ connectionString: address, max: 8 });

/** Loads rows by their keys in one statement. */
const batch = (table, columns) => async (keys) => {
  const { rows } = await pool.query({ name: table, text: `SELECT id, ${columns} FROM ${table} WHERE id = ANY($1)`, values: [keys] });
  const byKey = new Map(rows.map((row) => [row.id, row]));
  return keys.map((key) => byKey.get(key) ?? null);
};

const tickets = {
  name: "tickets",
  text: `SELECT id, title, status, rank::int, due, customer, project FROM tickets ORDER BY lower(title COLLATE "C"), title, id LIMIT $1 OFFSET $2`,
};

const schema = createSchema({
  typeDefs: `
    type Customer { id: ID! name: String! city: String! }
    type Project { id: ID! name: String! code: String! }
    type Ticket { id: ID! title: String! status: String! rank: Int due: String customer: Customer project: Project }
    type Query { tickets(limit: Int = 100, offset: Int = 0): [Ticket!]! }
  `,
  resolvers: {
    Query: { tickets: async (_, { limit, offset }) => (await pool.query({ ...tickets, values: [limit, offset] })).rows },
    Ticket: {
      customer: (ticket, _, context) => context.customers.load(ticket.customer),
      project: (ticket, _, context) => context.projects.load(ticket.project),
    },
  },
});

const context = async ({ request }) => {
  const cookie = /dz_session=([^;]+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? "";
  const hash = createHash("sha256").update(cookie).digest("hex");
  const session = await pool.query({ name: "session", text: "SELECT account FROM dz_sessions WHERE token_hash = $1", values: [hash] });
  if (session.rows.length === 0) throw new Error("no session");
  return { customers: new DataLoader(batch("customers", "name, city")), projects: new DataLoader(batch("projects", "name, code")) };
};

const yoga = createYoga({ schema, context, graphiql: false, logging: false });
createServer(yoga).listen(Number(port), "127.0.0.1");
