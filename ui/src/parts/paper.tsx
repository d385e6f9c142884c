/** What is printed (a slip, a receipt). It is in the page only while it is printed. */

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ask } from "../api/http.ts";

/** The element to put into the component, and the function that prints a content. */
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

/**
 * Sends a content by e-mail with mod-email, which retries if that fails. Returns the element to put into the component,
 * the function and the state.
 */
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
    <MailContent
      onWritten={(body) => {
        sending.mutate({ to: mail.to, header: mail.subject, body });
        setMail(undefined);
      }}
    >
      {mail.content}
    </MailContent>
  );
  return [written, setMail, { error: sending.error, to: sending.isSuccess ? sending.variables.to : undefined }];
}

interface MailState {
  error: unknown;
  /** The address, once the e-mail has been handed to mod-email. */
  to: string | undefined;
}

function MailContent({ children, onWritten }: { children: ReactNode; onWritten: (html: string) => void }) {
  const paper = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when it has come into the page
  useEffect(() => {
    // An e-mail lacks the page around it that sets the language and the direction of writing.
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
