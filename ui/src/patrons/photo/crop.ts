/** The square that is cut out of a picture, and the photo that is made of it. */

export interface Cut {
  /** How many times smaller than the largest possible square it is: 1 to `MAX_ZOOM`. */
  zoom: number;
  /** The position of the square within the remaining space, from 0 to 1. */
  x: number;
  y: number;
}

export const MAX_ZOOM = 4;
/** Usually a face is above the middle of a picture. */
export const INITIAL_CUT: Cut = { zoom: 1, x: 0.5, y: 0.3 };

export interface Size {
  width: number;
  height: number;
}

interface Square {
  left: number;
  top: number;
  side: number;
}

export function cutSquare({ width, height }: Size, { zoom, x, y }: Cut): Square {
  const side = Math.min(width, height) / zoom;
  return { left: (width - side) * x, top: (height - side) * y, side };
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

export const clampCut = ({ zoom, x, y }: Cut): Cut => ({
  zoom: clamp(zoom, 1, MAX_ZOOM),
  x: clamp(x, 0, 1),
  y: clamp(y, 0, 1),
});

/** The square after the picture was dragged by fractions of the square's side; the picture follows the pointer. */
export function dragCut(size: Size, cut: Cut, across: number, down: number): Cut {
  const { side } = cutSquare(size, cut);
  const [roomAcross, roomDown] = [size.width - side, size.height - side];
  return clampCut({
    ...cut,
    x: roomAcross > 0 ? cut.x - (across * side) / roomAcross : cut.x,
    y: roomDown > 0 ? cut.y - (down * side) / roomDown : cut.y,
  });
}

export function drawCut(canvas: HTMLCanvasElement, picture: ImageBitmap, cut: Cut): void {
  const { left, top, side } = cutSquare(picture, cut);
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  pen.imageSmoothingQuality = "high";
  // Transparent parts of a PNG would become black in a JPEG.
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** The width and height of a stored photo, in pixels. */
const STORED_PIXELS = 480;
const JPEG_QUALITY = 0.85;

export function cutPicture(picture: ImageBitmap, cut: Cut): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = STORED_PIXELS;
  canvas.height = STORED_PIXELS;
  drawCut(canvas, picture, cut);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", JPEG_QUALITY));
}
