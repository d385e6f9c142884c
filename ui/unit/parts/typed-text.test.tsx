/** Dialogs in which text is typed. */

import { useState } from "react";
import { expect, test } from "vitest";
import { useLocation } from "wouter";
import { Button } from "../../src/parts/button.tsx";
import { Field } from "../../src/parts/field.tsx";
import { FormDialog } from "../../src/parts/form-dialog.tsx";
import { unsavedForm } from "../../src/parts/guarded-location.ts";
import { DialogOpener } from "../../src/parts/opens.tsx";
import { TextDialog } from "../../src/parts/text-dialog.tsx";
import { SEARCHES } from "../../src/parts/typed-text.ts";
import { UnsavedChangesPrompt } from "../../src/parts/unsaved.tsx";
import { en } from "../../src/words/en.ts";
import { fieldOf, press, pressEscape, show, type } from "../screen.tsx";

const { stay, leave, title: question } = en.leaving;
const dialogs = () => [...document.querySelectorAll("[role=dialog] h2")].map(({ textContent }) => textContent);

function NoteDialog({ onSubmit = async () => {} }: { onSubmit?: () => Promise<void> }) {
  const [text, setText] = useState("");
  const [whose, setWhose] = useState("");
  return (
    <FormDialog title="New note" submit="Send" onSubmit={onSubmit}>
      <Field label="Note" value={text} onChange={setText} lines={2} />
      <Field {...SEARCHES} label="Patron" value={whose} onChange={setWhose} />
    </FormDialog>
  );
}

const opener = (dialog = <NoteDialog />) => (
  <DialogOpener>
    <Button>Write</Button>
    {dialog}
  </DialogOpener>
);

test("Escape closes a dialog in which nothing is typed, or only a search", async () => {
  await show("/patrons/1", opener());
  await press("Write");
  await type(fieldOf("Patron"), "Freya");
  expect(unsavedForm.get().page).toBeUndefined();
  await pressEscape();
  expect(dialogs()).toEqual([]);
});

test("a text that is typed and taken back is nothing to ask about", async () => {
  await show("/patrons/1", opener());
  await press("Write");
  await type(fieldOf("Note"), "Speaks Danish");
  expect(unsavedForm.get().page).toBe("/desk/patrons/1");
  await type(fieldOf("Note"), "");
  expect(unsavedForm.get().page).toBeUndefined();
  await pressEscape();
  expect(dialogs()).toEqual([]);
});

test.each([
  ["Escape", pressEscape],
  ["the button with the cross", () => press(en.close)],
])("%s asks before it closes a dialog with typed text", async (_, close) => {
  await show("/patrons/1", opener());
  await press("Write");
  await type(fieldOf("Note"), "Speaks Danish");
  await close();
  expect(dialogs()).toContain(question);
  await press(stay);
  expect(dialogs()).toEqual(["New note"]);
  expect(fieldOf("Note").value).toBe("Speaks Danish");
  await close();
  await press(leave);
  expect(dialogs()).toEqual([]);
  expect(unsavedForm.get().page).toBeUndefined();
});

test("Cancel closes a dialog with typed text at once", async () => {
  await show("/patrons/1", opener());
  await press("Write");
  await type(fieldOf("Note"), "Speaks Danish");
  await press(en.cancel);
  expect(dialogs()).toEqual([]);
  expect(unsavedForm.get().page).toBeUndefined();
});

function LeadsOn() {
  const [, navigate] = useLocation();
  return <NoteDialog onSubmit={async () => navigate("/patrons/2")} />;
}

test("a dialog that is sent closes and leads to another page without a question", async () => {
  await show("/patrons/1", opener(<LeadsOn />));
  await press("Write");
  await type(fieldOf("Note"), "Speaks Danish");
  await press("Send");
  expect(dialogs()).toEqual([]);
  expect(location.pathname).toBe("/desk/patrons/2");
});

test("a dialog that the server refuses asks again", async () => {
  const refuse = () => Promise.reject(new Error("no"));
  await show("/patrons/1", opener(<NoteDialog onSubmit={refuse} />));
  await press("Write");
  await type(fieldOf("Note"), "Speaks Danish");
  await press("Send");
  await pressEscape();
  expect(dialogs()).toContain(question);
});

function InSteps() {
  const [isNext, setNext] = useState(false);
  const [text, setText] = useState("");
  return (
    <TextDialog title="Many" isOpen onClose={() => {}}>
      {() =>
        isNext ? (
          <p>Preview</p>
        ) : (
          <>
            <Field label="Note" value={text} onChange={setText} />
            <Button onPress={() => setNext(true)}>Preview</Button>
          </>
        )
      }
    </TextDialog>
  );
}

test("text of a step before is still to be sent", async () => {
  await show("/lists", <InSteps />);
  await type(fieldOf("Note"), "Speaks Danish");
  await press("Preview");
  expect(unsavedForm.get().page).toBe("/desk/lists");
});

test("a dialog that is closed leaves the form below it protected", async () => {
  const form = (
    <>
      {opener()}
      <UnsavedChangesPrompt isUnsaved />
    </>
  );
  await show("/patrons/1/edit", form);
  await press("Write");
  await type(fieldOf("Note"), "Speaks Danish");
  await pressEscape();
  await press(leave);
  expect(unsavedForm.get().page).toBe("/desk/patrons/1/edit");
});
