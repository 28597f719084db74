import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { parse, send } from "./client";
import { Problem } from "./problem";

const session = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  tenants: z.array(z.object({ id: z.string(), name: z.string() })),
  tenant: z.string().nullable(),
});

/** The account that is signed in. */
export type Session = z.infer<typeof session>;

/** The session; null for a caller who is not signed in. */
export function useSession() {
  return useQuery({
    queryKey: ["session"],
    queryFn: async (): Promise<Session | null> => {
      try {
        return await parse(await send("/auth/me"), session);
      } catch (error) {
        if (error instanceof Problem && error.status === 401) {
          return null;
        }
        throw error;
      }
    },
  });
}

/** What a caller signs in with; `code` is that of the second factor, if the account has one. */
export interface Credentials {
  email: string;
  password: string;
  code?: string;
}

/** Signs in. Rows of the previous caller are forgotten. */
export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: Credentials) => {
      await send("/auth/login", { method: "POST", body: credentials });
    },
    onSuccess: () => queries.resetQueries(),
  });
}

/** Switches to another tenant of the account. Rows of the previous one are forgotten. */
export function useSwitchTenant() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (tenant: string) => {
      await send("/auth/tenant", { method: "POST", body: { tenant } });
    },
    onSuccess: () => queries.resetQueries(),
  });
}

/** Signs out. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await send("/auth/logout", { method: "POST" });
    },
    onSuccess: () => queries.resetQueries(),
  });
}
