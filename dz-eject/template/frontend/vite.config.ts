import { defineConfig } from "vitest/config";

// The backend of `make run`. Both servers have one origin, so the session cookie and its protection work.
const backend = process.env["BACKEND_URL"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  server: {
    proxy: { "/api": backend, "/auth": backend, "/files": backend },
  },
  build: {
    rollupOptions: {
      // Warnings about installed packages are not about this code.
      onwarn(warning, warn) {
        if (!warning.id?.includes("node_modules")) {
          warn(warning);
        }
      },
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: "./vitest.setup.ts",
    testTimeout: 30_000,
  },
});
