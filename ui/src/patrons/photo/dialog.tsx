/** Takes a photo with the camera or reads it from a file, and cuts it to a square. */

import { useEffect, useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/index.tsx";
import { useCamera } from "./camera.ts";
import { PhotoCutter } from "./cutting.tsx";
import { FileButton } from "./file-button.tsx";
import { usePhotoWords } from "./words/index.tsx";

interface Props {
  /** The picture of a chosen file; without one, the camera is used. */
  file: ImageBitmap | undefined;
  onPhoto: (photo: Blob) => void;
  onClose: () => void;
}

export function PhotoDialog({ file, onPhoto, onClose }: Props) {
  const words = usePhotoWords();
  const [picture, setPicture] = useState(file);
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      {() =>
        picture ? (
          <PhotoCutter
            picture={picture}
            onCut={onPhoto}
            onAnother={file ? undefined : () => setPicture(undefined)}
            onClose={onClose}
          />
        ) : (
          <CameraCapture onTaken={setPicture} onClose={onClose} />
        )
      }
    </Dialog>
  );
}

function CameraCapture({ onTaken, onClose }: { onTaken: (picture: ImageBitmap) => void; onClose: () => void }) {
  const words = usePhotoWords();
  const common = useWords();
  const [attempt, setAttempt] = useState(0);
  const camera = useCamera(attempt);
  const video = useRef<HTMLVideoElement>(null);
  const [isReady, setReady] = useState(false);
  const stream = camera.is === "on" ? camera.stream : null;
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <div className="photo-dialog">
      {camera.is === "starting" && <Loading />}
      {camera.is === "off" && (
        <p className="banner warn" role="alert">
          {words.camera[camera.reason]}
        </p>
      )}
      {camera.is === "on" && (
        <video
          ref={video}
          className="camera"
          aria-label={words.sees}
          autoPlay
          playsInline
          muted
          onLoadedData={() => setReady(true)}
        />
      )}
      <div className="buttons">
        <Button onPress={onClose}>{common.cancel}</Button>
        <FileButton onPicture={onTaken} />
        {camera.is === "off" ? (
          <Button onPress={() => setAttempt(attempt + 1)}>{words.again}</Button>
        ) : (
          <Button
            kind="primary"
            autoFocus
            onPress={() => {
              if (isReady && video.current) void createImageBitmap(video.current).then(onTaken);
            }}
          >
            {words.shutter}
          </Button>
        )}
      </div>
    </div>
  );
}
