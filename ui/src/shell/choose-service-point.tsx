import { Button } from "../parts/button.tsx";
import { Mark } from "../parts/mark.tsx";
import { useWords } from "../words/index.tsx";
import { place, useMember } from "./session.ts";

/** Asked once for each browser: a screen rarely moves to another desk. */
export function ChooseServicePoint() {
  const words = useWords();
  const { servicePoints } = useMember();
  return (
    <main className="door">
      <div className="card">
        <Mark />
        <h1>{words.servicePoint.choose}</h1>
        <p className="help">{servicePoints.length > 0 ? words.servicePoint.help : words.servicePoint.none}</p>
        <ul className="places">
          {servicePoints.map(({ id, name }, index) => (
            <li key={id}>
              <Button autoFocus={index === 0} onPress={() => place.set((now) => ({ ...now, servicePoint: id }))}>
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}
