/** Profile pictures of patrons, if the library has switched them on. */

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

const BYTES_HEADERS = { "content-type": "application/octet-stream" };

/** Uploads a picture and returns its id. */
export async function storePicture(picture: Blob): Promise<string> {
  return (
    await ask<{ id: string }>("/users/profile-picture", { method: "POST", body: picture, headers: BYTES_HEADERS })
  ).id;
}

export const removePicture = (id: string) => ask(`/users/profile-picture/${id}`, { method: "DELETE" });
