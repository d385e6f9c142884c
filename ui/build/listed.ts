import type { Plugin } from "vite";

/** Lists the files of the build, for the worker that keeps them at hand. */
export function listed(): Plugin {
  return {
    name: "listed",
    apply: "build",
    generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith("assets/"))
        .map((name) => `/desk/${name}`);
      this.emitFile({ type: "asset", fileName: "files.json", source: JSON.stringify({ files: files.sort() }) });
    },
  };
}
