/** SMTP configuration (mod-email), a single record. The password is stored and never shown. */

import type { Kind } from "../kind.ts";
import { optionsFor } from "./units.ts";

export const mailServer: Kind = {
  name: "mailServer",
  slug: "mail-server",
  path: "/smtp-configuration",
  collection: "smtpConfigurations",
  title: "host",
  rights: "email.smtp-configuration",
  isSingle: true,
  hasFixedRecords: true,
  blank: { port: 587, ssl: false, startTlsOptions: "REQUIRED", loginOption: "REQUIRED" },
  sections: (words, { ssl, loginOption, hasPassword }) => [
    {
      fields: [
        { is: "text", at: "host", label: words.mail.host, required: true },
        { is: "number", at: "port", label: words.mail.port, required: true },
        { is: "text", at: "from", label: words.mail.from, help: words.mail.fromHelp, required: true },
      ],
    },
    {
      title: words.mail.encryption,
      fields: [
        { is: "yes", at: "ssl", label: words.mail.fromTheStart, help: words.mail.fromTheStartHelp },
        {
          is: "choice",
          at: "startTlsOptions",
          label: words.mail.startTls,
          from: optionsFor(["REQUIRED", "OPTIONAL", "DISABLED"] as const, words.mail.startTlsWays),
          required: true,
          shows: () => ssl !== true,
        },
        { is: "yes", at: "trustAll", label: words.mail.trustAll, help: words.mail.trustAllHelp },
      ],
    },
    {
      title: words.mail.login,
      fields: [
        {
          is: "choice",
          at: "loginOption",
          label: words.mail.loginWhen,
          from: optionsFor(["REQUIRED", "NONE", "DISABLED", "XOAUTH2"] as const, words.mail.loginWays),
          required: true,
        },
        { is: "text", at: "username", label: words.mail.username, shows: () => loginOption !== "DISABLED" },
        {
          is: "text",
          at: "password",
          secret: true,
          label: words.mail.password,
          help: hasPassword === true ? words.mail.passwordKept : words.mail.passwordNone,
          shows: () => loginOption !== "DISABLED",
        },
        {
          is: "text",
          at: "authMethods",
          label: words.mail.methods,
          help: words.mail.methodsHelp,
          shows: () => loginOption !== "DISABLED",
        },
      ],
    },
  ],
  read: ({ password, ...record }) => ({ ...record, hasPassword: password !== undefined && password !== "" }),
  // The server requires user name and password even without authentication.
  write: ({ hasPassword: _, username = "", password, ...record }, _options, known) => ({
    ...record,
    username,
    password: password ?? known?.password ?? "",
  }),
};
