import { Button } from "../parts/button.tsx";
import { Logo } from "../parts/mark.tsx";
import { useWords } from "../words/index.tsx";
import { useMember, workplace } from "./session.ts";

/** Asked once in each browser, since a computer rarely moves to another desk. */
export function ChooseServicePoint() {
  const words = useWords();
  const { servicePoints, defaultServicePoint } = useMember();
  // The user's default service point comes first and has the focus.
  const usualFirst = servicePoints.toSorted(
    (one, other) => Number(other.id === defaultServicePoint) - Number(one.id === defaultServicePoint),
  );
  return (
    <main className="door">
      <div className="card">
        <Logo />
        <h1>{words.servicePoint.choose}</h1>
        <p className="help">{servicePoints.length > 0 ? words.servicePoint.help : words.servicePoint.none}</p>
        <ul className="places">
          {usualFirst.map(({ id, name }, index) => (
            <li key={id}>
              <Button autoFocus={index === 0} onPress={() => workplace.set((now) => ({ ...now, servicePoint: id }))}>
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}
