import { useWords } from "../words/index.tsx";
import { connection } from "./session.ts";

/** Says that the connection is lost, until it is back. */
export function ConnectionBanner() {
  const words = useWords();
  const { up } = connection.use();
  return (
    <div role="status" className="connection">
      {!up && <p className="banner warn">{words.connection.lost}</p>}
    </div>
  );
}
