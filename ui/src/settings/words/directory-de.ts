/** Die Einstellungen des LDAP-Verzeichnisses, auf Deutsch. */

import type { directory as English } from "./directory-en.ts";

export const directory: typeof English = {
  many: "LDAP-Verzeichnis",
  help: "Personal und Leser melden sich mit ihrem Benutzernamen und dem Passwort an, das ein Verzeichnis Ihrer Einrichtung führt. Wer hier ein Passwort hat, meldet sich weiter mit diesem an.",
  active: "Das Verzeichnis prüft Passwörter",
  server: "Das Verzeichnis",
  url: "Adresse",
  urlHelp: "Etwa ldaps://ldap.example.org, oder ldap://ldap.example.org, das mit StartTLS verschlüsselt wird.",
  unencrypted: "Ohne Verschlüsselung: Passwörter sind unterwegs lesbar",
  authorities: "Zertifizierungsstellen",
  authoritiesHelp: "In PEM. Ohne sie wird denen des Betriebssystems des Servers vertraut.",
  person: "Zuordnung der Benutzer",
  field: "Feld des Benutzers",
  fieldHelp: "Sein Wert steht unten für {value}. Kein zweiter Benutzer darf denselben haben.",
  userDn: "Name des Eintrags (DN)",
  userDnHelp: "Etwa uid={value},ou=people,dc=example,dc=org. Leer, wenn der Eintrag gesucht werden soll.",
  searchBase: "Suchen unter",
  searchBaseHelp: "Etwa ou=people,dc=example,dc=org.",
  searchFilter: "Filter",
  searchFilterHelp: "Etwa (uid={value}). Er muss genau einen Eintrag finden.",
  bindDn: "Konto, das sucht (DN)",
  bindDnHelp: "Ohne eines wird anonym gesucht.",
  bindPassword: "Passwort des Kontos",
};
