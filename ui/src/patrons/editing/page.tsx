/** The pages on which a patron is registered, and on which their record is changed. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { customFields } from "../../api/custom-fields.ts";
import { ask } from "../../api/http.ts";
import { patron } from "../../api/patrons.ts";
import type { User } from "../../api/records.ts";
import { patronName } from "../../parts/portrait.tsx";
import { useAddress } from "../../parts/search-line.tsx";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import { initialValues } from "../custom/values.ts";
import { usePatronWords } from "../words/index.tsx";
import { CONTACT_TYPES, type Draft, householdDraft, toDraft } from "./draft.ts";
import { PatronForm } from "./form.tsx";
import "../../settings/settings.css";
import "../../style/patrons.css";

export default function PatronFormPage() {
  const words = usePatronWords();
  const common = useWords();
  const may = useMay();
  const { id } = useParams();
  if (!may(id === undefined ? "users.item.post" : "users.item.put")) {
    return <p className="banner warn">{common.noAccess(id === undefined ? words.make : common.patrons.edit)}</p>;
  }
  return id === undefined ? <NewPatron /> : <StoredPatron id={id} key={id} />;
}

const BLANK_PATRON: Draft = { active: true, type: "patron", "personal.preferredContactTypeId": CONTACT_TYPES.email };

/** The parameter `like` has the id of a patron of the same household. */
function NewPatron() {
  const words = usePatronWords();
  const may = useMay();
  const [get] = useAddress();
  const asked = useQuery({ ...customFields, enabled: may("user-settings.custom-fields.collection.get") });
  const other = useQuery({ ...patron(get("like")), enabled: get("like") !== "" });
  // Without the definitions of custom fields a patron can be registered all the same.
  if (asked.isLoading || other.isLoading) return <Loading />;
  if (other.isLoadingError) return <ErrorMessage error={other.error} retry={() => void other.refetch()} />;
  const shared = other.data && householdDraft(other.data);
  return (
    <div className="desk-page">
      <h1>{words.make}</h1>
      {other.data && <p className="help">{words.household.shared(patronName(other.data))}</p>}
      <PatronForm stored={{ ...BLANK_PATRON, ...shared, ...initialValues(asked.data ?? []) }} />
    </div>
  );
}

function StoredPatron({ id }: { id: string }) {
  const words = usePatronWords();
  const asked = useQuery({
    queryKey: ["patron-form", id],
    // Never loaded again by itself: a form must not change while somebody is typing in it. It begins with the stored
    // record.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => ask<User>(`/users/${id}`),
  });
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return (
    <div className="desk-page">
      <h1>{words.editTitle(patronName(asked.data))}</h1>
      <PatronForm stored={toDraft(asked.data)} read={asked.data} />
    </div>
  );
}
