/**
 * A button that shows everything that prevents a patron from borrowing, with the remedies. Their code is loaded at the
 * first use.
 */

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { activeBlocks } from "../../api/patrons.ts";
import type { User } from "../../api/records.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { later } from "../../parts/later.ts";
import { patronName } from "../../parts/portrait.tsx";
import { Loading } from "../../parts/states.tsx";
import { isExpired } from "../../patrons/registration.ts";
import { useScanningWords } from "../../scanning/words/index.tsx";
import { store } from "../../shell/store.ts";
import { visit } from "../session.ts";

const Remedies = later(() => import("./remedies.tsx"));

/** The patron whose obstacles are shown. */
const remediesDialog = store<{ patron?: User }>({});

export function RemediesButton({ patron, kind = "primary" }: { patron: User; kind?: "primary" | "plain" }) {
  const words = useScanningWords().remedies;
  return (
    <Button kind={kind} onPress={() => remediesDialog.set({ patron })}>
      {words.open}
    </Button>
  );
}

/** The button, shown only beside a patron who may not borrow. */
export function BlockedRemediesButton({ patron }: { patron: User }) {
  const isBlocked = useQuery(activeBlocks(patron.id)).data?.some(({ borrowing }) => borrowing);
  return (isBlocked || isExpired(patron) || patron.active === false) && <RemediesButton patron={patron} />;
}

/** Stands in the page and not in the row whose button opens it, since the row changes when its scan is sent again. */
export function RemediesDialog() {
  const words = useScanningWords().remedies;
  const { patron: before } = remediesDialog.use();
  const here = visit.use();
  const close = () => remediesDialog.set({});
  if (before === undefined) return null;
  // The patron's record as a remedy has changed it.
  const patron = [here.sponsor, here.patron].find((one) => one?.id === before.id) ?? before;
  return (
    <Dialog title={words.title(patronName(patron))} isOpen onClose={close}>
      {() => (
        <Suspense fallback={<Loading />}>
          <Remedies patron={patron} close={close} />
        </Suspense>
      )}
    </Dialog>
  );
}
