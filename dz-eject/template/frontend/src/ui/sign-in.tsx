import { useState } from "react";
import type { FormEvent } from "react";
import { Problem } from "../api/problem";
import { useSignIn } from "../api/session";
import { Message } from "./messages";

/** The sign-in page. */
export function SignIn({ title }: { title: string }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const signIn = useSignIn();

  function submit(event: FormEvent) {
    event.preventDefault();
    signIn.mutate(needsCode ? { email, password, code } : { email, password }, {
      onError: (error) => setNeedsCode(error instanceof Problem && error.code === "SECOND_FACTOR"),
    });
  }

  return (
    <main className="narrow">
      <h1>{title}</h1>
      <form onSubmit={submit}>
        <label>
          Email
          <input
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </label>
        <label>
          Password
          <input
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        {needsCode ? (
          <label>
            Code
            <input
              autoComplete="one-time-code"
              inputMode="numeric"
              required
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          </label>
        ) : null}
        <Message error={signIn.error} />
        <button type="submit" disabled={signIn.isPending}>
          Sign in
        </button>
      </form>
    </main>
  );
}
