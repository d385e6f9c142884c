import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Refused, SignedOut } from "./api/http.ts";
import { Desk } from "./desk.tsx";
import { resumeSession } from "./shell/session.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/shell.css";
import "./style/lists.css";
import "./style/signals.css";
import "./style/density.css";
import "./style/print.css";
import "./style/rules.css";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Calls that the server refused are not repeated; calls that did not reach the server are, twice.
      retry: (count, error) => count < 2 && !(error instanceof Refused || error instanceof SignedOut),
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

const root = document.getElementById("desk");
if (root === null) throw new Error("the page has no place for the desk");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Desk />
    </QueryClientProvider>
  </StrictMode>,
);
void resumeSession(client);

/** When the files of the whole desk are fetched for a time without a connection: after those of the page itself. */
const KEEP_DESK_AFTER_MS = 10_000;

// Only in a built desk: the development server changes files all the time, and a service worker would serve old ones.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  const register = () => navigator.serviceWorker.register("/desk/worker.js", { scope: "/desk/" });
  setTimeout(() => void register().catch(() => {}), KEEP_DESK_AFTER_MS);
}
