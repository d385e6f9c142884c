/** The result of one scan at the self-check machine: a row, which is also announced once. */

import { useEffect } from "react";
import { Icon, type IconName } from "../parts/icons.tsx";
import { announce } from "../scanning/signals.tsx";

interface Props {
  /** The barcode until the title is known. */
  title: string;
  /** Empty until there is an answer. */
  message: string;
  isRefused: boolean;
  icon: IconName;
}

export function ScanAnswerRow({ title, message, isRefused, icon }: Props) {
  useEffect(() => {
    if (message) announce(message);
  }, [message]);
  return (
    <li className={isRefused ? "row refused" : "row"}>
      <p className="what">
        <strong>{title}</strong>
        {isRefused && (
          <span className="refusal">
            <Icon name="refused" />
            {message}
          </span>
        )}
      </p>
      {message && !isRefused && (
        <p className="due">
          <Icon name={icon} />
          {message}
        </p>
      )}
    </li>
  );
}
