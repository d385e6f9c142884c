/** The page on which a patron is registered, and that on which their record is changed. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { customFields } from "../../api/custom-fields.ts";
import { ask } from "../../api/http.ts";
import { patron } from "../../api/patrons.ts";
import type { User } from "../../api/records.ts";
import { nameOf } from "../../parts/portrait.tsx";
import { useAddress } from "../../parts/search-line.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import { initialOf } from "../custom/values.ts";
import { usePatronWords } from "../words/index.tsx";
import { CONTACT_TYPES, type Draft, householdOf, laidOpen } from "./draft.ts";
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

const BLANK: Draft = { active: true, type: "patron", "personal.preferredContactTypeId": CONTACT_TYPES.email };

/** Whom the address names lives with whoever is registered. */
function NewPatron() {
  const words = usePatronWords();
  const may = useMay();
  const [get] = useAddress();
  const asked = useQuery({ ...customFields, enabled: may("user-settings.custom-fields.collection.get") });
  const other = useQuery({ ...patron(get("like")), enabled: get("like") !== "" });
  // Without them a patron can be registered all the same.
  if (asked.isLoading || other.isLoading) return <Loading />;
  if (other.error) return <Trouble error={other.error} retry={() => void other.refetch()} />;
  const shared = other.data && householdOf(other.data);
  return (
    <div className="desk-page">
      <h1>{words.make}</h1>
      {other.data && <p className="help">{words.household.shared(nameOf(other.data))}</p>}
      <PatronForm stored={{ ...BLANK, ...shared, ...initialOf(asked.data ?? []) }} />
    </div>
  );
}

function StoredPatron({ id }: { id: string }) {
  const words = usePatronWords();
  const asked = useQuery({
    queryKey: ["patron-form", id],
    // A form must not be filled anew under the hands of whoever writes in it, and begins with what is stored now.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => ask<User>(`/users/${id}`),
  });
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  return (
    <div className="desk-page">
      <h1>{words.editTitle(nameOf(asked.data))}</h1>
      <PatronForm stored={laidOpen(asked.data)} read={asked.data} />
    </div>
  );
}
