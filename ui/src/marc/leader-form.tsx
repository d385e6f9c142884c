/** The leader: what a cataloguer decides; lengths and addresses are the server's. */

import { leaderPositions, withPosition } from "./fixed.ts";
import { pairs } from "./fixed-tables.ts";
import type { Format } from "./record.ts";
import { Sign } from "./signs.tsx";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  format: Format;
  leader: string;
  /** Names of positions whose values bar that it is saved. */
  wrong: readonly string[];
  onChange: (leader: string) => void;
}

export function LeaderForm({ format, leader, wrong, onChange }: Props) {
  const own = useMarcWords();
  return (
    <fieldset className="marc-fixed marc-leader">
      <legend>
        {own.leader} <bdi dir="ltr">{leader}</bdi>
      </legend>
      {leaderPositions(format).map(({ position, code, name, values }) => (
        <div key={position} className="marc-sign" title={`${String(position).padStart(2, "0")} ${name}`}>
          <span aria-hidden="true">{code}</span>
          <Sign
            label={name}
            value={leader.charAt(position)}
            values={pairs(values)}
            length={1}
            isLocked={false}
            isWrong={wrong.includes(name)}
            onChange={(value) => onChange(withPosition(leader, position, value))}
          />
        </div>
      ))}
    </fieldset>
  );
}
