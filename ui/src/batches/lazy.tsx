/** Components for many barcodes, whose code is loaded only when check-out or check-in is open. */

import { type ComponentProps, Suspense } from "react";
import { later } from "../parts/later.ts";
import type ManyButton from "./many.tsx";
import type { RefusedFile as File, PileSummaryButton as Places } from "./outcome.tsx";

const LazyMany = later(() => import("./many.tsx"));
const LazyFile = later(() => import("./outcome.tsx").then((file) => ({ default: file.RefusedFile })));
const LazySummary = later(() => import("./outcome.tsx").then((file) => ({ default: file.PileSummaryButton })));

export const ManyBarcodes = (props: ComponentProps<typeof ManyButton>) => (
  <Suspense>
    <LazyMany {...props} />
  </Suspense>
);

export const RefusedFile = (props: ComponentProps<typeof File>) => (
  <Suspense>
    <LazyFile {...props} />
  </Suspense>
);

export const PileSummary = (props: ComponentProps<typeof Places>) => (
  <Suspense>
    <LazySummary {...props} />
  </Suspense>
);
