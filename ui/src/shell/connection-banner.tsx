import { useWords } from "../words/index.tsx";
import { connection, localeKnown } from "./session.ts";

/** Says that the connection is lost, until it is back, and that times and amounts may be others than the library's. */
export function ConnectionBanner() {
  const words = useWords();
  const { up } = connection.use();
  const isLocaleKnown = localeKnown.use();
  return (
    <div role="status" className="connection">
      {!up && <p className="banner warn">{words.connection.lost}</p>}
      {!isLocaleKnown && <p className="banner warn">{words.connection.noLocale}</p>}
    </div>
  );
}
