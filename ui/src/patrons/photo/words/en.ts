/** What the form of a patron says about their photo, in English. */

export const en = {
  title: "Photo",
  help: "Staff see it at check-out and on the page of the patron. It is stored encrypted.",
  take: "Take a photo",
  file: "Choose a file",
  another: "Take another one",
  remove: "Remove the photo",
  removed: "The photo goes when you save.",
  changed: "The new photo is kept when you save.",
  shutter: "Take it now",
  use: "Use this photo",
  cut: "Part of the picture that is stored",
  dragHelp: "Drag the picture, or use the arrows and the controls.",
  size: "Larger",
  across: "Sideways",
  upright: "Up and down",
  sees: "What the camera sees",
  camera: {
    denied:
      "The browser may not use the camera. Allow it in the line with the address, by the sign of a camera, and try again; or choose a file.",
    none: "There is no camera on this computer. Choose a file.",
    busy: "Another program uses the camera. Close it and try again, or choose a file.",
    unsafe: "A browser gives its camera to pages at https addresses only. Choose a file.",
    other: "The camera does not work. Choose a file.",
  },
  again: "Try again",
  noPicture: "This file is no picture that the browser can read. Take a PNG or a JPEG.",
  tooLarge: "This file is larger than 30 MB. Take a smaller one.",
  overLimit: (megabytes: number) => `The library allows pictures of up to ${megabytes} MB: this one is larger.`,
};

export type PhotoWords = typeof en;
