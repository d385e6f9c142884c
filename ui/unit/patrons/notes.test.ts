import { describe, expect, test } from "vitest";
import { htmlToText, textToHtml } from "../../src/api/notes.ts";

describe("the words of a note", () => {
  test("stand in lines where its HTML has paragraphs, breaks and list items", () => {
    expect(htmlToText("<p>Glasses <b>found</b></p><p>in the<br>drawer</p><ul><li>one</li><li>two</li></ul>")).toBe(
      "Glasses found\nin the\ndrawer\none\ntwo",
    );
  });

  test("are what somebody wrote without HTML", () => {
    expect(htmlToText("Glasses found")).toBe("Glasses found");
  });

  test("become paragraphs and come back as they were", () => {
    const words = "a < b & c\nsecond line";
    expect(textToHtml(words)).toBe("<p>a &lt; b &amp; c</p><p>second line</p>");
    expect(htmlToText(textToHtml(words))).toBe(words);
    expect(textToHtml("  ")).toBe("");
  });
});
