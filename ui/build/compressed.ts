import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|html|svg|webmanifest)$/;

/** Puts a compressed copy beside each text, so that the server need not compress: it hands out what the browser takes. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle(options, bundle) {
      const folder = options.dir ?? "dist";
      for (const name of Object.keys(bundle).filter((name) => TEXT.test(name))) {
        const path = join(folder, name);
        writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
      }
    },
  };
}
