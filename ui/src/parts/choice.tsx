/** A list box from which one option is chosen. */

import { Button } from "react-aria-components/Button";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Select, SelectValue } from "react-aria-components/Select";
import { Text } from "react-aria-components/Text";

interface Props<Id extends string> {
  label: string;
  /** The label is hidden, and only read by screen readers. */
  hideLabel?: boolean;
  options: readonly { id: Id; name: string }[];
  value: Id | null;
  onChange: (id: Id) => void;
  placeholder?: string;
  className?: string;
  help?: string | undefined;
  error?: string | undefined;
  isRequired?: boolean;
  autoFocus?: boolean;
}

export function Choice<Id extends string>({
  label,
  hideLabel,
  options,
  value,
  onChange,
  placeholder,
  className = "",
  help,
  error,
  isRequired = false,
  autoFocus = false,
}: Props<Id>) {
  return (
    <Select
      className={`field choice ${className}`}
      value={value}
      isRequired={isRequired}
      autoFocus={autoFocus}
      {...(error !== undefined && { isInvalid: true })}
      onChange={(id) => id !== null && onChange(id as Id)}
      {...(placeholder && { placeholder })}
    >
      <Label className={hideLabel ? "unseen" : "label"}>{label}</Label>
      <Button className="chosen">
        <SelectValue dir="auto" />
        <span className="arrow" aria-hidden="true" />
      </Button>
      {help && !error && (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <FieldError className="error">{error}</FieldError>
      <Popover className="popover">
        <ListBox className="options" items={options}>
          {(option) => (
            <ListBoxItem className="option" id={option.id} textValue={option.name}>
              {option.name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
