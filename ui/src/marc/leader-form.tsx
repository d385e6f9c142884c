/** The leader as a form. Record length and base address are set by the server and not shown. */

import { leaderPositions, withPosition } from "./fixed.ts";
import { parseCodeList } from "./fixed-tables.ts";
import type { Format } from "./record.ts";
import { PositionInput } from "./signs.tsx";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  format: Format;
  leader: string;
  /** Names of positions with invalid values, because of which the record cannot be saved. */
  invalidPositions: readonly string[];
  onChange: (leader: string) => void;
}

export function LeaderForm({ format, leader, invalidPositions, onChange }: Props) {
  const own = useMarcWords();
  return (
    <fieldset className="marc-fixed marc-leader">
      <legend>
        {own.leader} <bdi dir="ltr">{leader}</bdi>
      </legend>
      {leaderPositions(format).map(({ position, code, name, values }) => (
        <div key={position} className="marc-sign" title={`${String(position).padStart(2, "0")} ${name}`}>
          <span aria-hidden="true">{code}</span>
          <PositionInput
            label={name}
            value={leader.charAt(position)}
            values={parseCodeList(values)}
            length={1}
            isLocked={false}
            isWrong={invalidPositions.includes(name)}
            onChange={(value) => onChange(withPosition(leader, position, value))}
          />
        </div>
      ))}
    </fieldset>
  );
}
