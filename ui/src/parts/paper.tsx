/** What goes to the printer: a slip, a receipt. It stands in the page while it is printed, and only then. */

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ask } from "../api/http.ts";

/** The paper to put into one's component, and how to print one. */
export function usePrint(): [paper: ReactNode, print: (content: ReactNode) => void] {
  const [content, setContent] = useState<ReactNode>(null);
  const paper = content && <Paper onPrinted={() => setContent(null)}>{content}</Paper>;
  return [paper, setContent];
}

interface Mail {
  to: string;
  subject: string;
  content: ReactNode;
}

/** The same by e-mail: the text is what would stand on the paper. The mail module sends it, and tries again if that fails. */
export function useMail(): [written: ReactNode, send: (mail: Mail) => void, state: MailState] {
  const [mail, setMail] = useState<Mail>();
  const sending = useMutation({
    mutationFn: ({ to, header, body }: { to: string; header: string; body: string }) => {
      const id = crypto.randomUUID();
      const email = { id, notificationId: id, to, header, body, outputFormat: "text/html" };
      return ask("/email", { method: "POST", body: email });
    },
  });
  const written = mail && (
    <Written
      onWritten={(body) => {
        sending.mutate({ to: mail.to, header: mail.subject, body });
        setMail(undefined);
      }}
    >
      {mail.content}
    </Written>
  );
  return [written, setMail, { error: sending.error, to: sending.isSuccess ? sending.variables.to : undefined }];
}

interface MailState {
  error: unknown;
  /** Once it is on its way. */
  to: string | undefined;
}

function Written({ children, onWritten }: { children: ReactNode; onWritten: (html: string) => void }) {
  const paper = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when it has come into the page
  useEffect(() => {
    // A mail does not have the page around it that says in which direction its language is written.
    const { lang, dir } = document.documentElement;
    const html = paper.current?.innerHTML ?? "";
    onWritten(dir === "rtl" ? `<div lang="${lang}" dir="${dir}">${html}</div>` : html);
  }, []);
  return createPortal(
    <article className="slip" ref={paper}>
      {children}
    </article>,
    document.body,
  );
}

function Paper({ children, onPrinted }: { children: ReactNode; onPrinted: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: printed once, when it has come into the page
  useEffect(() => {
    window.print();
    onPrinted();
  }, []);
  return createPortal(<article className="slip">{children}</article>, document.body);
}
