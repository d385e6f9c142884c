/** The square that is kept of a picture, and the picture that is made of it. */

export interface Cut {
  /** How many times smaller than the largest square it is: 1 to `LARGEST`. */
  zoom: number;
  /** Where it lies in what is left, from 0 to 1. */
  x: number;
  y: number;
}

export const LARGEST = 4;
/** A face is mostly above the middle. */
export const FIRST: Cut = { zoom: 1, x: 0.5, y: 0.3 };

export interface Size {
  width: number;
  height: number;
}

interface Square {
  left: number;
  top: number;
  side: number;
}

export function squareOf({ width, height }: Size, { zoom, x, y }: Cut): Square {
  const side = Math.min(width, height) / zoom;
  return { left: (width - side) * x, top: (height - side) * y, side };
}

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

export const kept = ({ zoom, x, y }: Cut): Cut => ({
  zoom: within(zoom, 1, LARGEST),
  x: within(x, 0, 1),
  y: within(y, 0, 1),
});

/** After the picture was dragged by a part of the square's side: what is seen goes with the hand. */
export function dragged(size: Size, cut: Cut, across: number, down: number): Cut {
  const { side } = squareOf(size, cut);
  const [roomAcross, roomDown] = [size.width - side, size.height - side];
  return kept({
    ...cut,
    x: roomAcross > 0 ? cut.x - (across * side) / roomAcross : cut.x,
    y: roomDown > 0 ? cut.y - (down * side) / roomDown : cut.y,
  });
}

export function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, cut: Cut): void {
  const { left, top, side } = squareOf(picture, cut);
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  pen.imageSmoothingQuality = "high";
  // What is clear in a PNG would become black.
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

/** How many pixels wide and high a photo is stored. */
const STORED = 480;
const QUALITY = 0.85;

export function cutOut(picture: ImageBitmap, cut: Cut): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = STORED;
  canvas.height = STORED;
  draw(canvas, picture, cut);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}
