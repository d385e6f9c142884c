/** The square that is kept of a photo. */

import { describe, expect, test } from "vitest";
import { cameraProblem } from "../../src/patrons/photo/camera.ts";
import { clampCut, cutSquare, dragCut, INITIAL_CUT } from "../../src/patrons/photo/crop.ts";

const WIDE = { width: 400, height: 300 };

describe("the square", () => {
  test("is as large as the shorter side, and smaller by the zoom", () => {
    expect(cutSquare(WIDE, { zoom: 1, x: 0.5, y: 0.5 })).toEqual({ left: 50, top: 0, side: 300 });
    expect(cutSquare(WIDE, { zoom: 2, x: 1, y: 0 })).toEqual({ left: 250, top: 0, side: 150 });
  });

  test("goes with the hand, and not out of the picture", () => {
    const moved = dragCut(WIDE, { ...INITIAL_CUT, x: 0.5 }, 0.1, 0.4);
    expect(cutSquare(WIDE, moved)).toEqual({ left: 20, top: 0, side: 300 });
    expect(dragCut(WIDE, INITIAL_CUT, 5, 0).x).toBe(0);
    expect(clampCut({ zoom: 9, x: -1, y: 2 })).toEqual({ zoom: 4, x: 0, y: 1 });
  });
});

test("why there is no camera is told by what the browser says", () => {
  const named = (name: string) => Object.assign(new Error(), { name });
  expect(
    ["NotAllowedError", "NotFoundError", "NotReadableError", "TypeError"].map((name) => cameraProblem(named(name))),
  ).toEqual(["denied", "none", "busy", "other"]);
});
