/** A patron's profile picture, or their initials. */

import { useQuery } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import type { Loan, User } from "../api/records.ts";

export function Portrait({ user }: { user: User }) {
  const id = user.personal?.profilePictureLink;
  const isId = id !== undefined && /^[0-9a-f-]{36}$/i.test(id);
  const picture = useQuery({
    queryKey: ["picture", id],
    enabled: isId,
    retry: false,
    queryFn: () => ask<{ profile_picture_blob?: string }>(`/users/profile-picture/${id}`),
  });
  const blob = picture.data?.profile_picture_blob;
  return (
    <span className="portrait" aria-hidden="true">
      {blob ? <img src={`data:image;base64,${blob}`} alt="" /> : initials(user)}
    </span>
  );
}

export function initials({ personal, username = "" }: User): string {
  const letters = [personal?.preferredFirstName ?? personal?.firstName, personal?.lastName].map(
    (name) => name?.[0] ?? "",
  );
  return letters.join("").toUpperCase() || username.slice(0, 2).toUpperCase();
}

/** The borrower's name as the loan gives it. */
export function borrowerName({ borrower }: Loan): string {
  return [borrower?.firstName, borrower?.lastName].filter(Boolean).join(" ");
}

export function patronName({ personal, username, barcode = "" }: User): string {
  const first = personal?.preferredFirstName ?? personal?.firstName;
  return [first, personal?.lastName].filter(Boolean).join(" ") || (username ?? barcode);
}
