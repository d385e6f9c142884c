/** The open requests of a patron. */

import { useQuery } from "@tanstack/react-query";
import { openRequests } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { RequestRow } from "../requests/request-row.tsx";
import { useWords } from "../words/index.tsx";

export function PatronRequests({ user }: { user: User }) {
  const words = useWords();
  const requests = useQuery(openRequests(user.id));
  if (requests.isPending) return <Loading />;
  if (requests.error) return <ErrorMessage error={requests.error} retry={() => void requests.refetch()} />;
  if (requests.data.length === 0) return <EmptyMessage>{words.patrons.noRequests}</EmptyMessage>;
  return (
    <ul className="rows">
      {requests.data.map((request) => (
        <RequestRow key={request.id} request={request} />
      ))}
    </ul>
  );
}
