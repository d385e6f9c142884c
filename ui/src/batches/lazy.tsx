/** The desk is light without them: they are fetched when a page with a pile is open. */

import { type ComponentProps, lazy, Suspense } from "react";
import type ManyButton from "./many.tsx";
import type { RefusedFile as File, Summary as Places } from "./outcome.tsx";

const LazyMany = lazy(() => import("./many.tsx"));
const LazyFile = lazy(() => import("./outcome.tsx").then((file) => ({ default: file.RefusedFile })));
const LazySummary = lazy(() => import("./outcome.tsx").then((file) => ({ default: file.Summary })));

export const Many = (props: ComponentProps<typeof ManyButton>) => (
  <Suspense>
    <LazyMany {...props} />
  </Suspense>
);

export const RefusedFile = (props: ComponentProps<typeof File>) => (
  <Suspense>
    <LazyFile {...props} />
  </Suspense>
);

export const Summary = (props: ComponentProps<typeof Places>) => (
  <Suspense>
    <LazySummary {...props} />
  </Suspense>
);
