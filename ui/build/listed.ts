import type { Plugin } from "vite";

/** Lists the files of the build, for the worker that keeps them at hand. */
export function listed(): Plugin {
  return {
    name: "listed",
    apply: "build",
    generateBundle: {
      // Vite takes chunks that had only styles out again; the worker would keep nothing if one of the files were not there.
      order: "post",
      handler(_, bundle) {
        const files = Object.keys(bundle)
          .filter((name) => name.startsWith("assets/"))
          .map((name) => `/desk/${name}`);
        this.emitFile({ type: "asset", fileName: "files.json", source: JSON.stringify({ files: files.sort() }) });
      },
    },
  };
}
