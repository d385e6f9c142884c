/** One press to everything that keeps a patron from borrowing, and to what would help. The rest is fetched with the first press. */

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { blocks } from "../../api/patrons.ts";
import type { User } from "../../api/records.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { nameOf } from "../../parts/portrait.tsx";
import { Loading } from "../../parts/states.tsx";
import { isExpired } from "../../patrons/registration.ts";
import { useScanningWords } from "../../scanning/words/index.tsx";
import { store } from "../../shell/store.ts";
import { visit } from "../session.ts";

const Remedies = lazy(() => import("./remedies.tsx"));

/** About whom somebody asks. */
const asked = store<{ patron?: User }>({});

export function RemediesButton({ patron, kind = "primary" }: { patron: User; kind?: "primary" | "plain" }) {
  const words = useScanningWords().remedies;
  return (
    <Button kind={kind} onPress={() => asked.set({ patron })}>
      {words.open}
    </Button>
  );
}

/** Beside a patron who may not borrow. */
export function IfBlocked({ patron }: { patron: User }) {
  const isBlocked = useQuery(blocks(patron.id)).data?.some(({ borrowing }) => borrowing);
  return (isBlocked || isExpired(patron) || patron.active === false) && <RemediesButton patron={patron} />;
}

/** Stands in the page and not in the row whose button opens it: the row changes when its scan goes out again. */
export function RemediesDialog() {
  const words = useScanningWords().remedies;
  const { patron: before } = asked.use();
  const here = visit.use();
  const close = () => asked.set({});
  if (before === undefined) return null;
  // As a remedy has left them.
  const patron = [here.sponsor, here.patron].find((one) => one?.id === before.id) ?? before;
  return (
    <Dialog title={words.title(nameOf(patron))} isOpen onClose={close}>
      {() => (
        <Suspense fallback={<Loading />}>
          <Remedies patron={patron} close={close} />
        </Suspense>
      )}
    </Dialog>
  );
}
