/** The photo section of a patron's form; empty if the library has not switched on profile pictures. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pictureSettings } from "../../api/pictures.ts";
import type { User } from "../../api/records.ts";
import { Button } from "../../parts/button.tsx";
import { Portrait } from "../../parts/portrait.tsx";
import { useMay } from "../../shell/session.ts";
import { FormSection } from "../editing/sections.tsx";
import { PhotoDialog } from "./dialog.tsx";
import { FileButton } from "./file-button.tsx";
import type { Photo } from "./photo.ts";
import { usePhotoWords } from "./words/index.tsx";
import "./photo.css";

const PHOTO_PERMISSIONS = [
  "users.configurations.item.get",
  "users.profile-picture.item.post",
  "users.profile-picture.item.get",
];

interface Props {
  photo: Photo;
  user: User | undefined;
}

export function PhotoSection({ photo, user }: Props) {
  const words = usePhotoWords();
  const may = useMay();
  const settings = useQuery({ ...pictureSettings, enabled: may(...PHOTO_PERMISSIONS) }).data;
  const [asked, ask] = useState<{ file?: ImageBitmap }>();
  const [tooLarge, setTooLarge] = useState(false);
  if (settings?.enabled !== true) return null;
  const { choice } = photo;
  const { maxFileSize = Number.POSITIVE_INFINITY } = settings;
  const has = choice.is === "new" || (choice.is === "kept" && user?.personal?.profilePictureLink !== undefined);
  return (
    <FormSection title={words.title}>
      <div className="photo">
        <PhotoPreview photo={photo} user={user} />
        <div className="buttons">
          <Button onPress={() => ask({})}>{words.take}</Button>
          <FileButton onPicture={(file) => ask({ file })} />
          {has && may("users.profile-picture.item.delete") && (
            <Button kind="quiet" onPress={photo.remove}>
              {words.remove}
            </Button>
          )}
        </div>
        <p className="help" role="status">
          {choice.is === "kept" ? words.help : choice.is === "new" ? words.changed : words.removed}
        </p>
        {tooLarge && <p className="error">{words.overLimit(maxFileSize)}</p>}
      </div>
      {asked && (
        <PhotoDialog
          file={asked.file}
          onClose={() => ask(undefined)}
          onPhoto={(taken) => {
            ask(undefined);
            const fits = taken.size <= maxFileSize * 1024 * 1024;
            setTooLarge(!fits);
            if (fits) photo.take(taken);
          }}
        />
      )}
    </FormSection>
  );
}

function PhotoPreview({ photo: { choice }, user }: Props) {
  if (choice.is === "new") {
    return (
      <span className="portrait" aria-hidden="true">
        <img src={choice.address} alt="" />
      </span>
    );
  }
  const blank = { ...user, id: user?.id ?? "", personal: { ...user?.personal, profilePictureLink: undefined } };
  return <Portrait user={(choice.is === "removed" || user === undefined ? blank : user) as User} />;
}
