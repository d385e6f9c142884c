/** Die Einstellungen der Anmeldung über die Einrichtung, auf Deutsch. */

import type { signOn as English } from "./sign-on-en.ts";

export const signOn: typeof English = {
  many: "Anmeldung über die Einrichtung",
  help: "Personal und Leser melden sich bei einem Anmeldedienst Ihrer Einrichtung an (Single Sign-on mit OpenID Connect) statt mit einem Passwort, das hier liegt.",
  active: "Man darf sich dort anmelden",
  service: "Der Anmeldedienst",
  issuer: "Adresse des Ausstellers",
  issuerHelp: "Etwa https://login.example.org. Die übrigen Angaben werden von dort gelesen (OpenID Connect Discovery).",
  clientId: "Client-ID",
  clientIdHelp: "Als wen der Dienst diese Bibliothek kennt.",
  clientSecret: "Client-Secret",
  secretKept: "Eines ist gespeichert und wird nie gezeigt. Was Sie hier eingeben, ersetzt es.",
  secretNone: "Keines ist gespeichert.",
  scopes: "Scopes",
  scopesHelp: "Was der Dienst mitteilen soll, mit Leerzeichen dazwischen. Eines davon ist openid.",
  redirect: "Der Dienst muss diese Adresse zulassen:",
  person: "Zuordnung der Benutzer",
  claim: "Claim",
  claimHelp: "Das Feld in den Angaben des Dienstes, etwa preferred_username, email oder sub.",
  field: "Wird verglichen mit",
  fields: {
    username: "Benutzername",
    email: "E-Mail-Adresse",
    externalSystemId: "Externe System-ID",
    barcode: "Barcode",
  },
  fieldHelp:
    "Genau ein aktives Konto muss diesen Wert haben. Eine E-Mail-Adresse zählt nur, wenn der Dienst sie bestätigt hat.",
  here: "Diese Bibliothek",
  buttonText: "Text der Schaltfläche",
  buttonTextHelp: "Ohne einen steht er in der Sprache der Theke.",
  publicUrl: "Adresse dieses Servers",
  publicUrlHelp: "So, wie Browser sie sehen.",
  userInterfaceUrl: "Adresse der Oberfläche von FOLIO",
  userInterfaceUrlHelp: "Nur, wenn man sich auch dort anmeldet.",
  wrong: (message) => `Der Server nimmt das nicht an: ${message}`,
};
