import { useSession, useSignOut, useSwitchTenant } from "./api/session";
import type { Session } from "./api/session";
import { entities, title } from "./pages";
import { address, useRoute } from "./router";
import type { Route } from "./router";
import { Message, Waiting } from "./ui/messages";
import type { EntityPages } from "./ui/pages";
import { SignIn } from "./ui/sign-in";

/** The application: the sign-in page, or the menu with the open page. */
export function App() {
  const session = useSession();
  if (session.isPending) {
    return <Waiting />;
  }
  if (session.isError) {
    return <Message error={session.error} />;
  }
  if (session.data === null) {
    return <SignIn title={title} />;
  }
  return <Shell session={session.data} />;
}

function Shell({ session }: { session: Session }) {
  const route = useRoute();
  const signOut = useSignOut();
  return (
    <>
      <header className="bar">
        <a className="brand" href="#/">
          {title}
        </a>
        <nav aria-label="Main">
          {entities.map((entity) => (
            <a
              key={entity.table}
              href={address(entity.table)}
              aria-current={route?.table === entity.table ? "page" : undefined}
            >
              {entity.title}
            </a>
          ))}
        </nav>
        <Tenant session={session} />
        <span className="account">{session.name}</span>
        <button type="button" onClick={() => signOut.mutate()}>
          Sign out
        </button>
      </header>
      <main>
        <Message error={signOut.error} />
        <Page route={route} />
      </main>
    </>
  );
}

/** The choice of the current tenant, for accounts with several. */
function Tenant({ session }: { session: Session }) {
  const change = useSwitchTenant();
  if (session.tenants.length === 0 || (session.tenants.length === 1 && session.tenant !== null)) {
    return null;
  }
  return (
    <select
      aria-label="Tenant"
      value={session.tenant ?? ""}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.target.value)}
    >
      {session.tenant === null ? <option value="">–</option> : null}
      {session.tenants.map((tenant) => (
        <option key={tenant.id} value={tenant.id}>
          {tenant.name}
        </option>
      ))}
    </select>
  );
}

function Page({ route }: { route: Route | null }) {
  const first = entities[0];
  if (route === null && first && (window.location.hash === "" || window.location.hash === "#/")) {
    return <first.List />;
  }
  const entity: EntityPages | undefined = entities.find((it) => it.table === route?.table);
  if (!entity || !route) {
    return <p role="alert">This page does not exist.</p>;
  }
  switch (route.page) {
    case "list":
      return <entity.List key={entity.table} />;
    case "new":
      return <entity.Create key={entity.table} />;
    case "row":
      return <entity.Detail key={route.id} id={route.id} />;
    case "edit":
      return <entity.Edit key={route.id} id={route.id} />;
  }
}
