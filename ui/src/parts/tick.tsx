/** A checkbox with its label. */

import type { ReactNode } from "react";
import { Checkbox } from "react-aria-components/Checkbox";

interface Props {
  children: ReactNode;
  value: boolean | undefined;
  onChange: (value: boolean) => void;
}

export function CheckboxField({ children, value = false, onChange }: Props) {
  return (
    <Checkbox className="check" isSelected={value} onChange={onChange}>
      <span className="tick" aria-hidden="true" />
      {children}
    </Checkbox>
  );
}
