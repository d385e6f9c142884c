/** Pictures of patrons, which the library switches on. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http.ts";

export interface PictureSettings {
  id?: string;
  configName: string;
  enabled?: boolean;
  /** In megabytes. */
  maxFileSize?: number;
}

export const pictureSettings = queryOptions({
  queryKey: ["picture-settings"],
  staleTime: 600_000,
  queryFn: () => ask<PictureSettings>("/users/configurations/entry"),
});

const AS_BYTES = { "content-type": "application/octet-stream" };

/** Keeps a picture, and answers its id. */
export async function storePicture(picture: Blob): Promise<string> {
  return (await ask<{ id: string }>("/users/profile-picture", { method: "POST", body: picture, headers: AS_BYTES })).id;
}

export const removePicture = (id: string) => ask(`/users/profile-picture/${id}`, { method: "DELETE" });
