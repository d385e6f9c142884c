/** Octavo's logo: a folded sheet. */
export function Logo() {
  return (
    <svg className="sign" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M16 9.5c-2.2-1.6-5-2-8.5-2v15c3.5 0 6.3.4 8.5 2 2.2-1.6 5-2 8.5-2v-15c-3.5 0-6.3.4-8.5 2zM16 9.5v15" />
    </svg>
  );
}
