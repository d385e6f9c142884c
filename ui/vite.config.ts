import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressed } from "./build/compressed.ts";
import { listed } from "./build/listed.ts";

/** While one works on the desk: `npm run dev`, in front of a server that `octavo serve --demo` has started. */
const server = process.env.OCTAVO ?? "http://localhost:9130";

export default defineConfig({
  base: "/desk/",
  plugins: [react(), listed(), compressed()],
  build: { target: "es2023", modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: {
    proxy: {
      // The server answers pages of its own address alone: it sees the one that the browser asked.
      "^/(?!desk(/|$))": { target: server, changeOrigin: false },
    },
  },
});
