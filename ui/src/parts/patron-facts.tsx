/** A patron in one or two lines: name, barcode, group, and whether the registration has expired. */

import { useQuery } from "@tanstack/react-query";
import { patronGroups } from "../api/library.ts";
import type { User } from "../api/records.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { Portrait, patronName } from "./portrait.tsx";

export function PatronHeading({ user, level: Heading = "h2" }: { user: User; level?: "h1" | "h2" }) {
  return (
    <div className="who">
      <Portrait user={user} />
      <div>
        <Heading>{patronName(user)}</Heading>
        <p className="code">{user.barcode}</p>
      </div>
    </div>
  );
}

export function PatronFacts({ user }: { user: User }) {
  const words = useWords();
  const formats = useFormats();
  const group = useQuery(patronGroups).data?.find(({ id }) => id === user.patronGroup);
  const expired = user.expirationDate !== undefined && Date.parse(user.expirationDate) < Date.now();
  return (
    <p className="facts">
      {user.active === false && <span className="bad">{words.patron.inactive}</span>}
      {user.expirationDate && (
        <span className={expired ? "bad" : ""}>
          {(expired ? words.patron.expired : words.patron.expires)(formats.day(user.expirationDate))}
        </span>
      )}
      {/* Last, because it comes last: nothing moves for it. */}
      <span>{group?.group ?? "\u00a0"}</span>
    </p>
  );
}
