/** What became of one scan at the machine: a line, said aloud once, too. */

import { useEffect } from "react";
import { Icon, type IconName } from "../parts/icons.tsx";
import { announce } from "../scanning/signals.tsx";

interface Props {
  /** The barcode until the title is known. */
  title: string;
  /** Empty until there is an answer. */
  said: string;
  isRefused: boolean;
  icon: IconName;
}

export function Answered({ title, said, isRefused, icon }: Props) {
  useEffect(() => {
    if (said) announce(said);
  }, [said]);
  return (
    <li className={isRefused ? "row refused" : "row"}>
      <p className="what">
        <strong>{title}</strong>
        {isRefused && (
          <span className="refusal">
            <Icon name="refused" />
            {said}
          </span>
        )}
      </p>
      {said && !isRefused && (
        <p className="due">
          <Icon name={icon} />
          {said}
        </p>
      )}
    </li>
  );
}
