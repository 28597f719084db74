"""The same list with Strawberry over the same database: session, rows in one statement, and each reference in a batch."""

import datetime
import hashlib
import sqlite3
import sys
import uuid

import strawberry
import uvicorn
from strawberry.asgi import GraphQL
from strawberry.dataloader import DataLoader

ENGINE, ADDRESS, PORT = sys.argv[1], sys.argv[2], int(sys.argv[3])
if ENGINE == "postgres":
    import psycopg

    CONNECTION = psycopg.connect(ADDRESS, autocommit=True)
else:
    CONNECTION = sqlite3.connect(ADDRESS, isolation_level=None)


def rows(sql, values=()):
    """The rows of a statement with parameters."""
    sql = sql if ENGINE == "postgres" else sql.replace("%s", "?")
    return CONNECTION.execute(sql, values).fetchall()


def key(value):
    """A key as a text."""
    return str(value if isinstance(value, uuid.UUID) else uuid.UUID(bytes=value))


def stored(text):
    """A key as the database stores it."""
    return uuid.UUID(text) if ENGINE == "postgres" else uuid.UUID(text).bytes


def batch(table, columns, make):
    """Loads rows by their keys in one statement."""

    async def load(keys):
        places = ", ".join(["%s"] * len(keys))
        found = rows(f"SELECT id, {columns} FROM {table} WHERE id IN ({places})", [stored(it) for it in keys])
        by_key = {key(row[0]): make(row) for row in found}
        return [by_key.get(it) for it in keys]

    return load


@strawberry.type
class Customer:
    id: strawberry.ID
    name: str
    city: str


@strawberry.type
class Project:
    id: strawberry.ID
    name: str
    code: str


@strawberry.type
class Ticket:
    id: strawberry.ID
    title: str
    status: str
    rank: int
    due: datetime.date | None
    customer_id: strawberry.Private[str]
    project_id: strawberry.Private[str]

    @strawberry.field
    async def customer(self, info: strawberry.Info) -> Customer | None:
        return await info.context["customers"].load(self.customer_id)

    @strawberry.field
    async def project(self, info: strawberry.Info) -> Project | None:
        return await info.context["projects"].load(self.project_id)


def ticket(row):
    due = row[4] if row[4] is None or isinstance(row[4], datetime.date) else datetime.date.fromisoformat(row[4])
    return Ticket(id=key(row[0]), title=row[1], status=row[2], rank=row[3], due=due, customer_id=key(row[5]), project_id=key(row[6]))


@strawberry.type
class Query:
    @strawberry.field
    def tickets(self, limit: int = 100, offset: int = 0) -> list[Ticket]:
        columns = "id, title, status, rank, due, customer, project"
        found = rows(f"SELECT {columns} FROM tickets ORDER BY {ORDER}, title, id LIMIT %s OFFSET %s", (limit, offset))
        return [ticket(row) for row in found]


ORDER = 'lower(title COLLATE "C")' if ENGINE == "postgres" else "title COLLATE NOCASE"


class Server(GraphQL):
    async def get_context(self, request, response):
        cookie = request.cookies.get("dz_session", "")
        session = rows("SELECT account FROM dz_sessions WHERE token_hash = %s", (hashlib.sha256(cookie.encode()).hexdigest(),))
        if not session:
            raise PermissionError("no session")
        return {
            "customers": DataLoader(load_fn=batch("customers", "name, city", lambda row: Customer(id=key(row[0]), name=row[1], city=row[2]))),
            "projects": DataLoader(load_fn=batch("projects", "name, code", lambda row: Project(id=key(row[0]), name=row[1], code=row[2]))),
        }


uvicorn.run(Server(strawberry.Schema(query=Query)), host="127.0.0.1", port=PORT, log_level="error", access_log=False)
